"""1.4, R46: votes, and the ballots of those asked."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from wargame.models import Judge, Player, Round
from wargame.models.choices import RANKS, SIDES
from wargame.models.watched import ChainedManager
from wargame.rules.command.votes import VoteKind

KINDS = [(kind.value, gettext_lazy(kind.rules.title)) for kind in VoteKind]


class Vote(models.Model):
    """1.4: a question to the players, called by a `player` or a `judge`. It never changes after the call.

    `audience` of a special vote is {side, groups, faction, chosen}, `points` the weight of a vote by group, as in
    `rules.votes`; `side` is the team of a vote of its own, empty for a vote of both. It is open until `closes_at`, a
    whole minute, only by the clock (R4). `counted_at`: the points of its ballots are final. `reminded_at`: those
    missing were mailed.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="votes")
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="votes_called")
    judge = models.ForeignKey(Judge, models.RESTRICT, null=True, blank=True, related_name="+")
    kind = models.CharField(max_length=7, choices=KINDS)
    question = models.CharField(max_length=200)
    text = models.TextField(blank=True)
    options = models.JSONField()
    audience = models.JSONField(default=dict, blank=True)
    points = models.JSONField(default=dict, blank=True)
    side = models.CharField(max_length=10, choices=SIDES[:2], blank=True)
    called_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(null=True, blank=True)
    token = models.CharField(max_length=40)

    objects = ChainedManager["Vote"]()

    class Meta:
        ordering = ["round_id", "id"]
        indexes = [models.Index(fields=["closes_at"], condition=Q(counted_at__isnull=True), name="vote_uncounted")]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "token"], condition=Q(player__isnull=False), name="vote_once_a_form"
            ),
            models.UniqueConstraint(
                fields=["judge", "token"], condition=Q(judge__isnull=False), name="vote_of_a_judge_once_a_form"
            ),
            models.CheckConstraint(
                name="vote_is_somebodys",
                condition=Q(player__isnull=False, judge__isnull=True) | Q(player__isnull=True, judge__isnull=False),
            ),
            models.CheckConstraint(name="vote_closes_after_its_call", condition=Q(closes_at__gt=F("called_at"))),
            models.CheckConstraint(
                name="vote_of_one_side_is_special", condition=Q(side="") | Q(kind=VoteKind.SPECIAL.value)
            ),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk} of {self.round}"


class Ballot(models.Model):
    """R46: the one ballot of a player who was asked; it exists from the call on.

    `choice` is the number of an option, from 0 on; without one the player abstains, and without `cast_at` they have not
    voted. `rank` and `points` are those at the close, written when the vote is counted; 0 for a player without a vote.
    """

    vote = models.ForeignKey(Vote, models.CASCADE, related_name="ballots")
    player = models.ForeignKey(Player, models.CASCADE, related_name="ballots")
    choice = models.PositiveSmallIntegerField(null=True, blank=True)
    cast_at = models.DateTimeField(null=True, blank=True)
    rank = models.CharField(max_length=15, choices=RANKS, blank=True)
    points = models.PositiveSmallIntegerField(null=True, blank=True)

    objects = ChainedManager["Ballot"]()

    class Meta:
        ordering = ["vote_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["vote", "player"], name="ballot_one_a_player"),
            models.CheckConstraint(
                name="ballot_has_a_time", condition=Q(choice__isnull=True) | Q(cast_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"ballot of {self.player}"
