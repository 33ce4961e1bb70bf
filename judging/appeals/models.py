"""R57: Appeals, and who answered them. None is ever deleted."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy

from judging.battles.models import Battle
from judging.battles.rejudging.models import Rejudgement
from judging.command.models import Admission
from judging.common.models import LogEntry
from judging.penalties.models import Penalty
from judging.turns.models import Correction, Ruling
from judging.votes.models import Vote
from wargame.models import Judge, Player, Round, Turn
from wargame.models.watched import ChainedManager


class Appeal(models.Model):
    """R57: A player contests a decision. `number` counts the appeals of the round.

    The contested decision is one of `battle` (its result), `ruling`, `penalty`, `vote` (its count), `entry` of the log
    (a sanction, or a request that was refused), the order of `army` that was refused in `of_turn`, or an `admission`: a
    refused applicant is no `player`, so that is empty here. `against` is the judge who decided, null for the service
    and for leaders. `decision` counts how often it had been decided again before, so that each decision can be
    contested once. `turn` was played when it came: its seed drew the `judge` who answers. `draws` are all draws, each
    {at, name, among, drew}: the last one counts. `is_party`: the head answers, or has answered, though they were a
    party, as nobody else could. `overruled` are the answers that the head overruled (1.3), oldest first: each {judge,
    how, cites, text, at}. `is_hidden`: the other team must not see the decision before the round is over. `holds`: its
    turn's settlement waits for the answer.
    """

    class Kind(models.TextChoices):
        RESULT = "result", gettext_lazy("the result of a battle")
        RULING = "ruling", gettext_lazy("a ruling")
        PENALTY = "penalty", gettext_lazy("a penalty")
        REFUSAL = "refusal", gettext_lazy("an order that was refused")
        REQUEST = "request", gettext_lazy("a request that was refused")
        SANCTION = "sanction", gettext_lazy("a sanction")
        VOTE = "vote", gettext_lazy("the count of a vote")
        ADMISSION = "admission", gettext_lazy("an admission that was refused")

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("open")
        UPHELD = "upheld", gettext_lazy("the decision stands")
        MENDED = "mended", gettext_lazy("corrected")
        ANEW = "anew", gettext_lazy("judged again")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    round = models.ForeignKey(Round, models.CASCADE, related_name="appeals")
    number = models.PositiveIntegerField()
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="appeals")
    turn = models.ForeignKey(Turn, models.CASCADE, related_name="appeals")
    kind = models.CharField(max_length=9, choices=Kind)
    battle = models.ForeignKey(Battle, models.PROTECT, null=True, blank=True, related_name="appeals")
    ruling = models.ForeignKey(Ruling, models.PROTECT, null=True, blank=True, related_name="appeals")
    penalty = models.ForeignKey(Penalty, models.PROTECT, null=True, blank=True, related_name="appeals")
    vote = models.ForeignKey(Vote, models.PROTECT, null=True, blank=True, related_name="appeals")
    entry = models.ForeignKey(LogEntry, models.PROTECT, null=True, blank=True, related_name="appeals")
    admission = models.OneToOneField(Admission, models.PROTECT, null=True, blank=True, related_name="appeal")
    of_turn = models.ForeignKey(Turn, models.PROTECT, null=True, blank=True, related_name="+")
    army = models.CharField(max_length=40, blank=True)
    decision = models.PositiveSmallIntegerField(default=0)
    is_hidden = models.BooleanField(default=False)
    against = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    lodged_at = models.DateTimeField()
    token = models.CharField(max_length=40)
    judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    draws = models.JSONField(default=list, blank=True)
    is_party = models.BooleanField(default=False)
    due_at = models.DateTimeField()
    holds = models.BooleanField(default=False)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    answer = models.TextField(blank=True)
    answer_cites = models.CharField(max_length=12, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)
    overruled = models.JSONField(default=list, blank=True)
    correction = models.ForeignKey(Correction, models.PROTECT, null=True, blank=True, related_name="+")
    rejudgement = models.ForeignKey(Rejudgement, models.PROTECT, null=True, blank=True, related_name="+")

    objects = ChainedManager["Appeal"]()

    class Meta:
        ordering = ["round_id", "number"]
        indexes = [models.Index(fields=["due_at"], condition=Q(state="open"), name="appeal_open")]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="appeal_number_once_a_round"),
            models.UniqueConstraint(fields=["player", "token"], name="appeal_once_a_form"),
            models.UniqueConstraint(fields=["player", "battle", "decision"], name="appeal_once_a_result"),
            models.UniqueConstraint(fields=["player", "ruling"], name="appeal_once_a_ruling"),
            models.UniqueConstraint(fields=["player", "penalty"], name="appeal_once_a_penalty"),
            models.UniqueConstraint(fields=["player", "vote"], name="appeal_once_a_vote"),
            models.UniqueConstraint(fields=["player", "entry"], name="appeal_once_an_entry"),
            models.UniqueConstraint(fields=["player", "of_turn", "army", "decision"], name="appeal_once_a_refusal"),
            models.CheckConstraint(
                name="appeal_is_answered_or_open",
                condition=Q(state="open", answered_at__isnull=True) | ~Q(state="open") & Q(answered_at__isnull=False),
            ),
            models.CheckConstraint(
                name="appeal_of_a_player_or_of_who_was_refused",
                condition=Q(player__isnull=False, admission__isnull=True)
                | Q(player__isnull=True, admission__isnull=False),
            ),
            models.CheckConstraint(name="appeal_is_due_after_it_came", condition=Q(due_at__gt=F("lodged_at"))),
        ]

    def __str__(self) -> str:
        return gettext("appeal %(number)s: %(round)s") % {"number": self.number, "round": self.round}

    @property
    def lodger(self) -> Player | Admission:
        """R57: Who lodged it, which gives their name here and the side it is about: a player, or a refused
        applicant."""
        found = self.player or self.admission
        assert found is not None, "the check of this table"
        return found
