"""2.5.2.2, 2.3.2, 2.6: New armies and changes to armies, as players submit them to the judge; 2.5.3: and the planned
mercenaries."""

import json

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from wargame.models import Army, Judge, Player, Round
from wargame.models.choices import RANKS
from wargame.models.watched import ChainedManager
from wargame.rules.armies.findings import muster_finding_from_json, reasons_in_words
from wargame.rules.core.sides import Rank, Side
from wargame.rules.mercenaries.muster import told_lot


class HandedIn(models.TextChoices):
    """The steps of a muster or a request between its author and the judge."""

    DRAFT = "draft", gettext_lazy("draft")
    SENT = "sent", gettext_lazy("with the judge")
    ACCEPTED = "accepted", gettext_lazy("accepted")
    REFUSED = "refused", gettext_lazy("refused")


class TroopList(models.Model):
    """Common fields of musters and requests. `lists` are the four slots as typed; `troops` how they were read when
    they were submitted: [{slot, creature, number, size, colors, types}]. `version` grows with every change."""

    lists = models.JSONField(default=list)
    name = models.CharField(max_length=120, blank=True)
    legend = models.CharField(max_length=150, blank=True)
    remark = models.TextField(blank=True)
    troops = models.JSONField(default=list, blank=True)
    version = models.PositiveIntegerField(default=1)
    state = models.CharField(max_length=8, choices=HandedIn, default=HandedIn.DRAFT)
    saved_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(Judge, models.SET_NULL, null=True, blank=True, related_name="+")
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.TextField(blank=True)

    class Meta:
        abstract = True


class Muster(TroopList):
    """2.5.2.2: A planned army: a player's own (`namesake`), or a proxy by the leaders of its side. Without an `author`
    the judge made it up.

    `base` is the name of the base or portal where it asks to start (2.5.2.3); `token` identifies the form that made it.
    `made_up` are the parts that nobody asked for ("name", "colors", "troops"): drawn under the `lot`, for the `drawn`th
    time. `at` is the square where it is to be dropped, `controller` its future controller (5.2.1).
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="musters")
    author = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="musters")
    namesake = models.ForeignKey(Player, models.CASCADE, null=True, blank=True, related_name="own_musters")
    rank = models.CharField(max_length=15, choices=RANKS)
    colors = models.JSONField(default=list, blank=True)
    base = models.CharField(max_length=60, blank=True)
    token = models.CharField(max_length=40)
    made_up = models.JSONField(default=list, blank=True)
    lot = models.PositiveIntegerField(null=True, blank=True)
    drawn = models.PositiveIntegerField(default=0)
    at = models.CharField(max_length=3, blank=True)
    controller = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["author", "token"], name="muster_once_a_form"),
            models.UniqueConstraint(fields=["round", "lot"], name="muster_one_a_lot"),
            models.UniqueConstraint(
                fields=["round", "namesake"], condition=Q(namesake__isnull=False), name="muster_one_a_player"
            ),
        ]

    def __str__(self) -> str:
        return self.name or gettext("an army without a name")

    @property
    def side(self) -> Side:
        """1.1: The team of its rank."""
        return Rank(self.rank).side


class PersonalOffer(models.Model):
    """2.6: The army that a new player's leaders chose for them to make it their own, in the turn with that number."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="+")
    player = models.OneToOneField(Player, models.CASCADE, related_name="personal_offer")
    army = models.OneToOneField(Army, models.CASCADE, related_name="personal_offer")
    offered_by = models.ForeignKey(Player, models.SET_NULL, null=True, related_name="+")
    offered_in = models.PositiveIntegerField()
    offered_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.army} for {self.player}"


class ChangeRequest(TroopList):
    """2.3.2, 2.6: An army's new makeup. A personalised army may get a new `name` and `legend` too.

    `turn_number` is the turn in which it was submitted, `for_turn` the one in which it was accepted, whose settlement
    gets it. `applied_in` is that turn again if the settlement applied it; else `why_not` has the reasons, as JSON, or
    the words of a version that stored those, and `reasons` gives them in words. `newcomer` are the facts of 2.6 when it
    was submitted, `before` the army's legend and namesake before it.
    """

    class Kind(models.TextChoices):
        CHANGE = "change", gettext_lazy("change of troops (2.3.2)")
        PERSONAL = "personal", gettext_lazy("personalisation (2.6)")

    round = models.ForeignKey(Round, models.CASCADE, related_name="change_requests")
    army = models.ForeignKey(Army, models.CASCADE, related_name="change_requests")
    player = models.ForeignKey(Player, models.CASCADE, related_name="change_requests")
    kind = models.CharField(max_length=8, choices=Kind)
    turn_number = models.PositiveIntegerField()
    for_turn = models.PositiveIntegerField(null=True, blank=True)
    applied_in = models.PositiveIntegerField(null=True, blank=True)
    why_not = models.TextField(blank=True)
    newcomer = models.JSONField(null=True, blank=True)
    before = models.JSONField(default=dict, blank=True)

    objects = ChainedManager["ChangeRequest"]()

    class Meta:
        ordering = ["round_id", "id"]
        indexes = [models.Index(fields=["round", "for_turn"])]
        constraints = [
            models.UniqueConstraint(
                fields=["army"],
                condition=Q(state__in=["draft", "sent"]),
                name="change_request_one_open_an_army",
            )
        ]

    def __str__(self) -> str:
        return gettext("%(kind)s for %(army)s") % {"kind": self.get_kind_display(), "army": self.army}

    @property
    def reasons(self) -> str:
        """2.3.2, 2.6: The reasons why it was not applied, in sentences; empty if it was, or waits."""
        try:
            findings = [muster_finding_from_json(data) for data in json.loads(self.why_not)]
        except (AttributeError, KeyError, TypeError, ValueError):
            return self.why_not
        return reasons_in_words(findings, "2.6" if self.kind == self.Kind.PERSONAL else "2.3.2")

    @property
    def how(self) -> str:
        """The word for its kind in addresses."""
        return "personalise" if self.kind == self.Kind.PERSONAL else "change"


class MercenaryPlan(models.Model):
    """2.5.3, 6.1 to 6.3: A mercenary army for the start of the round.

    `lot` identifies it, like `raider 2` (`POSTS` in `wargame.rules.mercenaries.muster`), and names its draws; `drawn`
    counts them. `lists` are its four slots as typed; `theme` is the terrain that it was made for.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="mercenary_plans")
    lot = models.CharField(max_length=20)
    name = models.CharField(max_length=120, blank=True)
    legend = models.CharField(max_length=150, blank=True)
    lists = models.JSONField(default=list)
    at = models.CharField(max_length=3, blank=True)
    theme = models.CharField(max_length=10, blank=True)
    drawn = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["round_id", "id"]
        constraints = [models.UniqueConstraint(fields=["round", "lot"], name="mercenary_plan_once_a_lot")]

    def __str__(self) -> str:
        return self.name or told_lot(self.lot)

    @property
    def told_lot(self) -> str:
        return told_lot(self.lot)
