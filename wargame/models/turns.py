"""1.5, 3.1: the turns of a round and the stages that each goes through."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext

from .choices import TurnState
from .rounds import Round
from .watched import ChainedManager
from .written import AsWritten, StoredEvents


class Turn(models.Model):
    """3.1: one turn. `position` is the map as it opened (immutable); `seed` is secret until it is settled.

    `events` is the settlement's report, empty until then; `next_hash` is the hash of the resulting position. `sky` is
    the weather over the map's regions (4.1.2.5), as `rules.weather` has it. `is_ruled`: a judge has ruled on it
    (3.3.3). `changes` counts the accepted changes of troops that its settlement is given (2.3.2, 2.6). `penalties`
    counts those that were handed down or lifted in it (5.4.1). `rules` is the version of the rules that settled it
    (wargame/version.py), empty until then. `mercenary_orders` counts the acts of the mercenary judge (R48); until
    `after_lock_until` they may change one raider's movement, unless that is `after_lock_done` (6.3.2). A stage is
    claimed by the one update that changes `state`. `judged_anew` counts the judges' decisions about it after its lock:
    results that were changed after they were published (R58) and exceptions of control (R44). Until `held_until` an
    appeal delays its settlement (R57).
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=TurnState, default=TurnState.OPEN)
    opened_at = models.DateTimeField()
    deadline = models.DateTimeField()
    lock_at = models.DateTimeField()
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    position = models.JSONField(encoder=AsWritten)
    position_hash = models.CharField(max_length=64)
    locked_at = models.DateTimeField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    events = StoredEvents(default=list)
    next_hash = models.CharField(max_length=64, blank=True)
    rules = models.CharField(max_length=12, blank=True, default="")
    sky = models.JSONField(default=list, blank=True)
    is_ruled = models.BooleanField(default=False)
    changes = models.PositiveSmallIntegerField(default=0)
    penalties = models.PositiveSmallIntegerField(default=0)
    mercenary_orders = models.PositiveSmallIntegerField(default=0)
    after_lock_until = models.DateTimeField(null=True, blank=True)
    after_lock_done = models.BooleanField(default=False)
    judged_anew = models.PositiveSmallIntegerField(default=0)
    held_until = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["Turn"]()

    class Meta:
        ordering = ["round_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="turn_number_once_a_round"),
            models.UniqueConstraint(fields=["round"], condition=~Q(state="settled"), name="turn_one_unsettled_a_round"),
            models.CheckConstraint(name="turn_deadline_before_lock", condition=Q(deadline__lte=F("lock_at"))),
        ]
        indexes = [models.Index(fields=["state", "lock_at"])]

    def __str__(self) -> str:
        return gettext("%(round)s, turn %(number)s") % {"round": self.round, "number": self.number}
