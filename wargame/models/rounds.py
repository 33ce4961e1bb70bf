"""1.5: a round is the time that it takes one team to win."""

from datetime import timedelta

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy

from wargame.rules.battle.adjusting import USUAL_PART
from wargame.rules.battle.criteria import DEFAULT_CRITERIA

from .choices import SIDES, DiceMix, OverduePolicy, Press, RoundState
from .watched import ChainedManager


class Round(models.Model):
    """1.5, R5, R6: one whole game, its map and its calendar. `terrain` is 14 lines of 38 letters (R2). `drawn_as` is
    the slug that it had where its dice were drawn, if it was imported under another one (R38). `has_mercenaries`:
    some were on the map when it opened (2.5.3), so that chapter 6 is played."""

    name = models.CharField(max_length=80)
    slug = models.SlugField(unique=True)
    state = models.CharField(max_length=10, choices=RoundState, default=RoundState.SETUP)
    terrain = models.TextField()
    turn_length = models.DurationField(default=timedelta(days=7))
    deadline_before_lock = models.DurationField(default=timedelta(hours=24))
    sealed_before_lock = models.DurationField(default=timedelta(hours=28))
    contingency_before_deadline = models.DurationField(default=timedelta(hours=24))
    publish_after = models.DurationField(
        default=timedelta(0),
        null=True,
        blank=True,
        help_text=gettext_lazy(
            "How long a draft of the moves waits for the movement judge. Empty: until the judge publishes it."
        ),
    )
    results_after_lock = models.BooleanField(
        default=False,
        verbose_name=gettext_lazy("results are published only after the lock"),
        help_text=gettext_lazy("If off, each result is published as soon as the battle is judged (4.1.1)."),
    )
    may_lock_early = models.BooleanField(
        default=False,
        verbose_name=gettext_lazy("turns can be locked early"),
        help_text=gettext_lazy("Let a judge bring a lock forward once all players are done and no strat is due (R60)."),
    )
    second_score_threshold = models.PositiveSmallIntegerField(
        default=4,
        help_text=gettext_lazy(
            "How far two judges' scores of one battle can differ before the head judge decides (4.2.1)."
        ),
    )
    dice_mix = models.CharField(
        max_length=6,
        choices=DiceMix,
        default=DiceMix.WORDS,
        verbose_name=gettext_lazy("what is mixed into the dice"),
        help_text=gettext_lazy("For battles announced from now on (R38)."),
    )
    mix_within = models.DurationField(
        default=timedelta(hours=6),
        verbose_name=gettext_lazy("how long the dice wait for words or the beacon"),
        help_text=gettext_lazy(
            "The longest time a battle's dice wait for words or the beacon after the score is locked (R38)."
        ),
    )
    criteria = models.TextField(
        default=DEFAULT_CRITERIA,
        verbose_name=gettext_lazy("scoring criteria"),
        help_text=gettext_lazy(
            "Judges explain each bonus with a sentence per criterion. Enter 3 to 6 criteria, one per line, each "
            "with a weight, like “Plan: 2” (R54)."
        ),
    )
    strats_after = models.PositiveSmallIntegerField(
        default=None,
        null=True,
        blank=True,
        verbose_name=gettext_lazy("strats are published after"),
        help_text=gettext_lazy(
            "How many turns after a battle the strats that counted are published. 0: with the result. Empty: "
            "when the round is finished (R54)."
        ),
    )
    runner_least = models.PositiveSmallIntegerField(
        default=1,
        verbose_name=gettext_lazy("minimum losses of a side that ran"),
        help_text=gettext_lazy(
            "How low one judge alone can set these losses, in percent of what the side would have lost (R53)."
        ),
    )
    pair_least = models.PositiveSmallIntegerField(
        default=USUAL_PART[0],
        verbose_name=gettext_lazy("minimum share of an army in a pair"),
        help_text=gettext_lazy(
            "How low one judge alone can set this share, in percent of the army's usual share of its side's "
            "losses (R53)."
        ),
    )
    pair_most = models.PositiveSmallIntegerField(
        default=USUAL_PART[1],
        verbose_name=gettext_lazy("maximum share of an army in a pair"),
        help_text=gettext_lazy(
            "How high one judge alone can set this share, in percent of the army's usual share of its side's "
            "losses (R53)."
        ),
    )
    judge_within = models.DurationField(
        default=timedelta(hours=24),
        help_text=gettext_lazy(
            "How long after the lock a battle can wait for its result before its judges are notified."
        ),
    )
    overdue_policy = models.CharField(
        max_length=6,
        choices=OverduePolicy,
        default=OverduePolicy.WAIT,
        help_text=gettext_lazy("What happens to the next turn when a battle waits too long."),
    )
    press = models.CharField(
        max_length=4,
        choices=Press,
        default=Press.ALL,
        verbose_name=gettext_lazy("private messages"),
        help_text=gettext_lazy(
            "Which players can send each other private messages. Applies to new messages only (1.6)."
        ),
    )
    after_lock_window = models.DurationField(
        default=timedelta(hours=2),
        help_text=gettext_lazy(
            "How long after the lock the mercenary judge can change a raider's movement (6.3.2). 0: never."
        ),
    )
    appeal_within = models.DurationField(
        default=timedelta(hours=72),
        verbose_name=gettext_lazy("time for appeals"),
        help_text=gettext_lazy(
            "How long people affected by a decision can appeal, and how long the judge of an appeal has to "
            "answer (R57)."
        ),
    )
    most_appeals = models.PositiveSmallIntegerField(
        default=2,
        verbose_name=gettext_lazy("open appeals per player"),
        help_text=gettext_lazy("How many appeals a player can have open at a time (R57). 0: no appeals in this round."),
    )
    has_mercenaries = models.BooleanField(default=False, editable=False)
    holidays = models.TextField(
        blank=True,
        help_text=gettext_lazy(
            "Dates without battle deadlines or locks, one per line, like “2026-12-25 Christmas” (R5)."
        ),
    )
    drawn_as = models.SlugField(blank=True, editable=False)
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    winner = models.CharField(max_length=10, choices=SIDES, blank=True)

    objects = ChainedManager["Round"]()

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="round_turn_is_longer_than_its_last_part",
                condition=Q(turn_length__gt=F("deadline_before_lock")),
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def dice_name(self) -> str:
        """R38: the name that goes into its dice and commitments."""
        return self.drawn_as or self.slug
