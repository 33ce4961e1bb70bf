"""4.1, 4.2: The battles of a turn, each with strats, scores, rulings, the roll, and the result.

Secret until the result is published are the seed, the strats' texts, scores, notes, claims and the roll; the draft of a
turn's moves has its own moment (R18). `queries` and `desk.sheet` decide who reads what before.
"""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext, gettext_lazy

from judging.battles.outcome_schema import OutcomeField
from wargame.models import Army, Judge, Player, Turn
from wargame.models.choices import DiceMix
from wargame.models.watched import ChainedManager


class Battle(models.Model):
    """4.1, R25: A battle fought in `turn`. `defends` is the side (0 or 1) that defends; empty: no attacker.

    `seed` is secret until the result is published, `commitment` is public from the start (R38). `weather` is 4.1.2.5's
    as JSON. A `second_judge` was asked to score independently. `overdue_at`: when its judges were notified that it is
    overdue. A correction of the turn before may have cancelled it; then it keeps its strats (3.3.3). The round sets
    what its dice are mixed with, and how long they wait for it (R38), when the battle is announced.
    """

    class State(models.TextChoices):
        WAITING = "waiting", gettext_lazy("waiting for its score")
        SCORED = "scored", gettext_lazy("scored")
        ROLLED = "rolled", gettext_lazy("rolled, not published")
        PUBLISHED = "published", gettext_lazy("published")
        CANCELLED = "cancelled", gettext_lazy("cancelled by a correction")

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="battles")
    number = models.PositiveIntegerField()
    at = models.CharField(max_length=3)
    terrain = models.CharField(max_length=10)
    place = models.CharField(max_length=60, blank=True)
    defends = models.PositiveSmallIntegerField(null=True, blank=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    seed = models.CharField(max_length=64)
    commitment = models.CharField(max_length=64)
    announced_at = models.DateTimeField()
    deadline = models.DateTimeField()
    weather = models.JSONField(default=dict)
    second_judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    overdue_at = models.DateTimeField(null=True, blank=True)
    dice_mix = models.CharField(max_length=6, choices=DiceMix, default=DiceMix.COMMITTED)
    mix_within = models.DurationField(default=timedelta(0))
    cancelled_by = models.ForeignKey(
        "judging.Correction", models.PROTECT, null=True, blank=True, related_name="cancelled"
    )

    objects = ChainedManager["Battle"]()

    class Meta:
        ordering = ["turn_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "number"], name="battle_number_once_a_turn"),
            models.UniqueConstraint(fields=["turn", "at"], condition=~Q(state="cancelled"), name="battle_one_a_square"),
            models.CheckConstraint(
                name="battle_defends_is_a_side", condition=Q(defends__isnull=True) | Q(defends__in=[0, 1])
            ),
        ]

    def __str__(self) -> str:
        return gettext("battle at %(at)s, %(turn)s") % {"at": self.at, "turn": self.turn}


class BattleArmy(models.Model):
    """4.1: An army in a battle, on side 0 or 1, with its `name` in that turn (2.6). `deadline` is its own if its
    strat's was extended (R5, 5.4.1)."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="entries")
    army = models.ForeignKey(Army, models.PROTECT, related_name="battle_entries")
    name = models.CharField(max_length=40)
    side = models.PositiveSmallIntegerField()
    deadline = models.DateTimeField(null=True, blank=True)

    objects = ChainedManager["BattleArmy"]()

    class Meta:
        verbose_name_plural = "armies in battles"
        ordering = ["battle_id", "side", "id"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "army"], name="battle_army_once"),
            models.CheckConstraint(name="battle_army_side", condition=Q(side__in=[0, 1])),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.battle}"


class Score(models.Model):
    """4.2.1: The battle judge's bonus of 0 to 10 to one side. Locked before anything is rolled (R38).

    `how` is its origin: one judge, the mean of two, a third judge or the head if the two were too far apart (R55), the
    head who overruled their assistants (1.3), or a second judgement of the battle (R58). `overruled` are the former
    scores, oldest first: each is {judge, favours, bonus, how, locked_at, by, at, reason}. `reasons` are those on each
    criterion of the round, by both judges if two scored (R54): each is {judge, criterion, weight, number, text}.
    """

    class How(models.TextChoices):
        ALONE = "alone", gettext_lazy("scored by one judge")
        MEAN = "mean", gettext_lazy("the mean of two judges' scores")
        THIRD = "third", gettext_lazy("set by a third judge, as the two scores were far apart")
        HEAD = "head", gettext_lazy("set by the head judge, as the two scores were far apart")
        OVER = "over", gettext_lazy("set by the head judge, who overruled another score")
        ANEW = "anew", gettext_lazy("given when the battle was judged again")

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="score")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="scores")
    favours = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    how = models.CharField(max_length=5, choices=How, default=How.ALONE)
    locked_at = models.DateTimeField()
    overruled = models.JSONField(default=list, blank=True)
    reasons = models.JSONField(default=list, blank=True)

    objects = ChainedManager["Score"]()

    class Meta:
        constraints = [
            models.CheckConstraint(name="score_is_0_to_10", condition=Q(bonus__lte=10)),
            models.CheckConstraint(
                name="score_favours_a_side",
                condition=Q(favours__isnull=True, bonus=0) | Q(favours__in=[0, 1]),
            ),
        ]

    def __str__(self) -> str:
        return gettext("score: %(battle)s") % {"battle": self.battle}


class Opinion(models.Model):
    """4.2.1: The score of one of two judges, locked; the other one reads it once their own is locked too. With the
    result it is public (R55). `reasons` are those on each criterion of the round, in the form of a score's (R54)."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="opinions")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    favours = models.PositiveSmallIntegerField(null=True, blank=True)
    bonus = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField()
    reasons = models.JSONField(default=list, blank=True)

    objects = ChainedManager["Opinion"]()

    class Meta:
        ordering = ["battle_id", "id"]
        constraints = [
            models.UniqueConstraint(fields=["battle", "judge"], name="opinion_once_a_judge"),
            models.CheckConstraint(name="opinion_is_0_to_10", condition=Q(bonus__lte=10)),
            models.CheckConstraint(
                name="opinion_favours_a_side",
                condition=Q(favours__isnull=True, bonus=0) | Q(favours__in=[0, 1]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge} on {self.battle}"


class Proposal(models.Model):
    """4.2.4, 4.2.6: An unpublished roll, by a `judge` or, without one, by the service once everything was mixed in
    (R38). `outcome` is that of the future result; `adjustments` are the judge's changes of special cases with their
    reasons, from which it was computed again with the same dice; `unchanged` is the outcome of the dice alone, if
    anything was changed since (R53)."""

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="proposal")
    judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    outcome = OutcomeField()
    adjustments = models.JSONField(default=list)
    unchanged = OutcomeField(null=True, blank=True)
    rolled_at = models.DateTimeField()

    objects = ChainedManager["Proposal"]()

    def __str__(self) -> str:
        return f"proposal for {self.battle}"


class AdjustmentRequest(models.Model):
    """R53: A change of a rolled battle that no judge makes alone: requested by the head battle judge, and made once
    a second battle judge agrees. `accepted` is empty while it waits, and again if it was withdrawn; `answer` is the
    text of the judge who answered it."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="adjustment_requests")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    kind = models.CharField(max_length=8)
    army = models.CharField(max_length=40)
    percent = models.PositiveSmallIntegerField()
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    asked_at = models.DateTimeField()
    answered_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    accepted = models.BooleanField(null=True, blank=True)
    answer = models.TextField(blank=True)

    objects = ChainedManager["AdjustmentRequest"]()

    class Meta:
        ordering = ["battle_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["battle"], condition=Q(answered_at__isnull=True), name="adjustment_request_waits_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.army} to {self.percent} percent, requested in {self.battle}"


class Result(models.Model):
    """4.2.5: The result of a battle. `outcome` is the rules' battle.Outcome as JSON; `narrative` is Markdown.

    `odds` are the formula book's chances of each side to win, in permille; secret until the round ends (R38).
    `unchanged` is the outcome of the dice alone, if a judge changed a special case (R53); `odds_looked` is how often
    the odds were looked up before the score was locked (R54), empty in results of older services.
    """

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="result")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="results")
    winner = models.PositiveSmallIntegerField()
    outcome = OutcomeField()
    odds = models.JSONField(default=list)
    unchanged = OutcomeField(null=True, blank=True)
    odds_looked = models.PositiveSmallIntegerField(null=True, blank=True)
    narrative = models.TextField(blank=True)
    published_at = models.DateTimeField()

    objects = ChainedManager["Result"]()

    class Meta:
        constraints = [models.CheckConstraint(name="result_winner_is_a_side", condition=Q(winner__in=[0, 1]))]

    def __str__(self) -> str:
        return f"result of {self.battle}"


class Strat(models.Model):
    """R35: A strat as it was sent; a later one replaces it, none is changed.

    `sha256` is the receipt of its text and requests with its `salt` (`wargame.rules.battle.receipts`). The receipt is
    public from the start, the salt is shown with the text. `late` ones don't count, unless a battle judge accepted them
    with a reason, which is public; the text of a late one is sealed until it was accepted or `declined_at`. A
    mercenary's has no `player` (R49). One with `released_at` was published before the round does so, by a judge and
    with a reason. `word_sha256` seals a word that its sender keeps until the score is locked; `word` is empty until
    they hand it over, and public with the result.
    """

    class Risk(models.TextChoices):
        NONE = "", gettext_lazy("no")
        KILL = "kill", gettext_lazy("go for the kill")
        CAPTURE = "capture", gettext_lazy("go for the capture")

    entry = models.ForeignKey(BattleArmy, models.CASCADE, related_name="strats")
    player = models.ForeignKey(Player, models.PROTECT, null=True, blank=True, related_name="strats")
    as_contingency = models.BooleanField(default=False)
    text = models.TextField()
    risk = models.CharField(max_length=8, choices=Risk, default=Risk.NONE, blank=True)
    runs = models.BooleanField(default=False)
    leaves = models.CharField(max_length=40, blank=True)
    leaves_to = models.CharField(max_length=3, blank=True)
    sent_at = models.DateTimeField()
    salt = models.CharField(max_length=32)
    sha256 = models.CharField(max_length=64)
    word_sha256 = models.CharField(max_length=64, blank=True)
    word = models.CharField(max_length=200, blank=True)
    word_at = models.DateTimeField(null=True, blank=True)
    token = models.CharField(max_length=40)
    late = models.BooleanField(default=False)
    accepted_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    accepted_at = models.DateTimeField(null=True, blank=True)
    accepted_because = models.TextField(blank=True)
    declined_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    declined_at = models.DateTimeField(null=True, blank=True)
    declined_because = models.TextField(blank=True)
    released_by = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    released_at = models.DateTimeField(null=True, blank=True)
    released_because = models.TextField(blank=True)

    objects = ChainedManager["Strat"]()

    class Meta:
        ordering = ["entry_id", "sent_at", "id"]
        constraints = [
            models.UniqueConstraint(fields=["entry", "player", "token"], name="strat_once_a_form"),
            models.CheckConstraint(name="strat_risk_is_known", condition=Q(risk__in=["", "kill", "capture"])),
        ]

    def __str__(self) -> str:
        return gettext("strat: %(entry)s") % {"entry": self.entry}


class BeaconValue(models.Model):
    """R38: The value of a public beacon that is mixed into the dice of a battle. `number` follows from the lock of
    its score; the job fetched it, or a judge entered it (`judge`)."""

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="beacon")
    number = models.PositiveBigIntegerField()
    signature = models.CharField(max_length=96)
    judge = models.ForeignKey(Judge, models.PROTECT, null=True, blank=True, related_name="+")
    got_at = models.DateTimeField()

    objects = ChainedManager["BeaconValue"]()

    def __str__(self) -> str:
        return f"beacon value {self.number} for {self.battle}"


class StratDraft(models.Model):
    """4.1.1: The draft of a strat, which only its writer reads. `version` counts the changes."""

    entry = models.ForeignKey(BattleArmy, models.CASCADE, related_name="strat_drafts")
    player = models.ForeignKey(Player, models.CASCADE, related_name="strat_drafts")
    text = models.TextField(blank=True)
    risk = models.CharField(max_length=8, choices=Strat.Risk, default=Strat.Risk.NONE, blank=True)
    runs = models.BooleanField(default=False)
    leaves = models.CharField(max_length=40, blank=True)
    leaves_to = models.CharField(max_length=3, blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "player"], name="strat_draft_once_a_writer")]

    def __str__(self) -> str:
        return f"draft strat for {self.entry}"


class Criterion(models.Model):
    """4.2.1: A point that a judge checks in every strat. A retired one stays for its old notes."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="criteria")
    name = models.CharField(max_length=60)
    retired = models.BooleanField(default=False)

    class Meta:
        verbose_name_plural = "criteria"
        ordering = ["judge_id", "id"]
        constraints = [models.UniqueConstraint(fields=["judge", "name"], name="criterion_once_a_judge")]

    def __str__(self) -> str:
        return self.name


class Note(models.Model):
    """4.2.1: A judge's note on a battle by one of their criteria. Battle judges alone read it, unless `shown`: then
    everybody does, from the result on."""

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="notes")
    criterion = models.ForeignKey(Criterion, models.CASCADE, related_name="notes")
    text = models.TextField(blank=True)
    shown = models.BooleanField(default=False)
    saved_at = models.DateTimeField()

    class Meta:
        ordering = ["battle_id", "criterion_id"]
        constraints = [models.UniqueConstraint(fields=["battle", "criterion"], name="note_once_a_criterion")]

    def __str__(self) -> str:
        return f"{self.criterion} of {self.battle}"


class Claim(models.Model):
    """4.1.2, 2.2.3: A claim of a strat, and whether the judge allows it: with a rule, and a note. The strat's author
    reads it with the result."""

    class Verdict(models.TextChoices):
        ACCEPTED = "accepted", gettext_lazy("accepted")
        LIMITED = "limited", gettext_lazy("limited")
        REFUSED = "refused", gettext_lazy("refused")

    strat = models.ForeignKey(Strat, models.CASCADE, related_name="claims")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    claim = models.CharField(max_length=300)
    verdict = models.CharField(max_length=8, choices=Verdict)
    cites = models.CharField(max_length=12)
    note = models.TextField(blank=True)
    made_at = models.DateTimeField()

    objects = ChainedManager["Claim"]()

    class Meta:
        ordering = ["strat_id", "id"]
        constraints = [
            models.CheckConstraint(
                name="claim_verdict_is_known", condition=Q(verdict__in=["accepted", "limited", "refused"])
            )
        ]

    def __str__(self) -> str:
        return f"{self.claim[:40]}: {self.verdict}"


class RiskRuling(models.Model):
    """4.3, 4.5: An input of the roll, made before it: the request of a strat is void, or aimed at one enemy.

    `target` is the name of that enemy; without one the request is void, and no troops are risked. The `reason` is
    public with the result, and so are the earlier rulings that it `overruled` (1.3), oldest first: each is {judge,
    target, cites, reason, made_at}.
    """

    strat = models.OneToOneField(Strat, models.CASCADE, related_name="risk_ruling")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    target = models.CharField(max_length=40, blank=True)
    is_void = models.BooleanField()
    cites = models.CharField(max_length=12)
    reason = models.TextField()
    made_at = models.DateTimeField()
    overruled = models.JSONField(default=list, blank=True)

    objects = ChainedManager["RiskRuling"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="risk_is_void_or_aimed",
                condition=Q(is_void=True, target="") | Q(is_void=False) & ~Q(target=""),
            )
        ]

    def __str__(self) -> str:
        return f"{'void' if self.is_void else self.target}: {self.strat}"


class NarrativeDraft(models.Model):
    """4.1.1: The draft narrative; as secret as the strats until its result is published.

    `version` counts the changes, so that two judges do not overwrite each other.
    """

    battle = models.OneToOneField(Battle, models.CASCADE, related_name="narrative_draft")
    judge = models.ForeignKey(Judge, models.PROTECT, related_name="+")
    text = models.TextField(blank=True)
    version = models.PositiveIntegerField(default=1)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"story of {self.battle}"
