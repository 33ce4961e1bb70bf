"""1.1, 1.6, 5.1, 5.2: Joining a team, requests for control, absence, and name changes."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, gettext_lazy

from wargame.models import Judge, Player, Round
from wargame.models.choices import RANKS, SIDES, Role
from wargame.models.watched import ChainedManager

BY_INVITATION = "invitation-"
"""The prefix of an admission's token if it came from an invitation."""


class Admission(models.Model):
    """1.1: A request to join a team; the team accepts it with a rank, or refuses it with a reason.

    `name` is the screen name under which the applicant wants to play. `token` identifies the form that sent it.
    """

    class State(models.TextChoices):
        ASKED = "asked", gettext_lazy("pending")
        ACCEPTED = "accepted", gettext_lazy("accepted")
        REFUSED = "refused", gettext_lazy("refused")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    round = models.ForeignKey(Round, models.CASCADE, related_name="admissions")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="admissions")
    side = models.CharField(max_length=10, choices=SIDES[:2])
    name = models.CharField(max_length=40)
    text = models.TextField()
    factions = models.JSONField(default=list, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.ASKED)
    asked_at = models.DateTimeField()
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="admissions")
    rank = models.CharField(max_length=15, choices=RANKS, blank=True)
    decided_by = models.CharField(max_length=60, blank=True)
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    token = models.CharField(max_length=40)

    objects = ChainedManager["Admission"]()

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "user"], condition=Q(state="asked"), name="admission_one_open_a_user"
            ),
            models.UniqueConstraint(fields=["round", "user", "token"], name="admission_once_a_form"),
        ]

    def __str__(self) -> str:
        return f"{self.name} asks {self.get_side_display()}"

    @property
    def words(self) -> str:
        """The applicant's text; for an accepted invitation a standard sentence, whatever earlier versions stored."""
        invitations = Invitation.objects.filter(round=self.round_id, user=self.user_id)
        invitation = invitations.first() if self.token.startswith(BY_INVITATION) else None
        if invitation is None:
            return self.text
        return gettext("I played in %(round)s and accept the invitation to play again.") % {"round": invitation.earlier}


class Invitation(models.Model):
    """1.1: An invitation to this round for a player of an `earlier` one (its name): the suggested team, name, rank
    and factions. `muster` is the army that they had then, as a start: {legend, lists}. Not `is_declined` and
    `answered_at`: they accepted it."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="invitations")
    earlier = models.CharField(max_length=80)
    side = models.CharField(max_length=10, choices=SIDES[:2])
    name = models.CharField(max_length=40)
    rank = models.CharField(max_length=15, choices=RANKS, blank=True)
    factions = models.JSONField(default=list, blank=True)
    muster = models.JSONField(null=True, blank=True)
    invited_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)
    is_declined = models.BooleanField(default=False)

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [models.UniqueConstraint(fields=["round", "user"], name="invitation_once_a_user")]

    def __str__(self) -> str:
        return f"{self.name} is invited to {self.round}"


class ControlRequest(models.Model):
    """5.2.1, R44: A requested change of a side's control list, and its outcome.

    `changes` are {army, army_id, before: [name], to: [name], to_ids: [id]}; `breaches` are the errors, in the form of
    `rules.command.faults`. A `player` made the request, or a `judge` made the change directly. `runs_out_in` is the
    turn by whose lock an exception must be over (5.2.2.2); `flagged_at`: it was not.
    """

    class State(models.TextChoices):
        APPLIED = "applied", gettext_lazy("in force")
        WAITING = "waiting", gettext_lazy("with the judges")
        GRANTED = "granted", gettext_lazy("in force as an exception")
        DECLINED = "declined", gettext_lazy("declined")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    round = models.ForeignKey(Round, models.CASCADE, related_name="control_requests")
    side = models.CharField(max_length=10, choices=SIDES[:2])
    player = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="control_requests")
    changes = models.JSONField()
    breaches = models.JSONField(default=list, blank=True)
    why = models.TextField(blank=True)
    state = models.CharField(max_length=9, choices=State)
    asked_at = models.DateTimeField()
    judge = models.ForeignKey(Judge, models.RESTRICT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)
    runs_out_in = models.PositiveIntegerField(null=True, blank=True)
    flagged_at = models.DateTimeField(null=True, blank=True)
    token = models.CharField(max_length=40)

    objects = ChainedManager["ControlRequest"]()

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player", "token"], condition=Q(player__isnull=False), name="control_request_once_a_form"
            ),
            models.UniqueConstraint(
                fields=["judge", "token"], condition=Q(player__isnull=True), name="control_change_once_a_form"
            ),
            models.CheckConstraint(
                name="control_request_is_somebodys", condition=Q(player__isnull=False) | Q(judge__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"control request {self.pk} of {self.get_side_display()}"


class Leave(models.Model):
    """5.1, R43: A player's statement that they will be inactive, with start and end; empty: until they are back."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="leaves")
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)
    note = models.CharField(max_length=200, blank=True)
    stated_at = models.DateTimeField()

    objects = ChainedManager["Leave"]()

    class Meta:
        ordering = ["player_id", "since"]
        constraints = [
            models.CheckConstraint(
                name="leave_ends_after_it_starts", condition=Q(until__isnull=True) | Q(until__gte=F("since"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} is away"


class Declaration(models.Model):
    """5.1, R43: A leader's declaration that a player is inactive. It counts until the player posts, it is withdrawn,
    or a judge rejects it."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="declarations")
    by = models.ForeignKey(Player, models.CASCADE, related_name="+")
    reason = models.TextField()
    at = models.DateTimeField()
    withdrawn_at = models.DateTimeField(null=True, blank=True)
    rejected_by = models.ForeignKey(Judge, models.RESTRICT, null=True, blank=True, related_name="+")
    rejected_at = models.DateTimeField(null=True, blank=True)
    rejected_because = models.TextField(blank=True)

    objects = ChainedManager["Declaration"]()

    class Meta:
        ordering = ["player_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["player"],
                condition=Q(withdrawn_at__isnull=True, rejected_at__isnull=True),
                name="declaration_one_open_a_player",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} is declared inactive"


class NameChange(models.Model):
    """1.6: A player's request to the battle judge for another screen name."""

    class State(models.TextChoices):
        ASKED = "asked", gettext_lazy("with the battle judge")
        GRANTED = "granted", gettext_lazy("granted")
        REFUSED = "refused", gettext_lazy("refused")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")

    player = models.ForeignKey(Player, models.CASCADE, related_name="name_changes")
    old = models.CharField(max_length=40)
    new = models.CharField(max_length=40)
    state = models.CharField(max_length=9, choices=State, default=State.ASKED)
    asked_at = models.DateTimeField()
    judge = models.ForeignKey(Judge, models.RESTRICT, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["player_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["player"], condition=Q(state="asked"), name="name_change_one_open_a_player")
        ]

    def __str__(self) -> str:
        return f"{self.old} wants to be called {self.new}"


class Handover(models.Model):
    """1.3: the place of a role's `head`, offered `to` an assistant. Nothing changes before they accept; it lapses at
    `lapses_at`. `by` offered it: the head, or the head battle judge for another role."""

    class State(models.TextChoices):
        OPEN = "open", gettext_lazy("open")
        ACCEPTED = "accepted", gettext_lazy("accepted")
        DECLINED = "declined", gettext_lazy("declined")
        WITHDRAWN = "withdrawn", gettext_lazy("withdrawn")
        LAPSED = "lapsed", gettext_lazy("lapsed")

    round = models.ForeignKey(Round, models.CASCADE, related_name="handovers")
    role = models.CharField(max_length=9, choices=Role)
    by = models.ForeignKey(Judge, models.CASCADE, related_name="+")
    head = models.ForeignKey(Judge, models.CASCADE, related_name="+")
    to = models.ForeignKey(Judge, models.CASCADE, related_name="+")
    reason = models.TextField(blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    offered_at = models.DateTimeField()
    lapses_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["Handover"]()

    class Meta:
        ordering = ["round_id", "id"]
        indexes = [models.Index(fields=["lapses_at"], condition=Q(state="open"), name="handover_open")]
        constraints = [
            models.UniqueConstraint(
                fields=["round", "role"], condition=Q(state="open"), name="handover_one_open_a_role"
            ),
            models.CheckConstraint(name="handover_is_to_another", condition=~Q(head=F("to"))),
        ]

    def __str__(self) -> str:
        return f"{self.head} to {self.to}"
