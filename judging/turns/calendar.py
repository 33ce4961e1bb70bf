"""R5: the calendar of a round: the length of its turns, and the deadlines."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.rounds import current_turn
from wargame.models import Round
from wargame.rules.battle.adjusting import MOST_PERCENT, UNCHANGED
from wargame.rules.battle.criteria import read_criteria
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.command.holidays import read_holidays

FIELDS = (
    "name",
    "turn_length",
    "deadline_before_lock",
    "sealed_before_lock",
    "contingency_before_deadline",
    "publish_after",
    "after_lock_window",
    "results_after_lock",
    "may_lock_early",
    "press",
    "second_score_threshold",
    "dice_mix",
    "mix_within",
    "criteria",
    "strats_after",
    "runner_least",
    "pair_least",
    "pair_most",
    "judge_within",
    "overdue_policy",
    "appeal_within",
    "most_appeals",
    "holidays",
)
"""The fields of a round that its judges may change."""

SHORTEST_TURN = timedelta(seconds=5)
LONGEST = timedelta(days=366)
SHORTEST_APPEAL, LONGEST_APPEAL = timedelta(hours=1), timedelta(days=30)
MOST_APPEALS = 20


def check_calendar(values: Mapping[str, object]) -> None:
    """R5: Refused for an impossible calendar. Missing values are not checked."""
    spans = {name: value for name, value in values.items() if isinstance(value, timedelta)}
    if any(span < timedelta(0) for span in spans.values()):
        raise Refused(gettext("A length of time can't be negative."), "R5")
    if any(span > LONGEST for span in spans.values()):
        raise Refused(gettext("A length of time can be at most %(days)s days.") % {"days": LONGEST.days}, "R5")
    if faults := read_holidays(str(values.get("holidays", "")))[1]:
        raise Refused(" ".join(fault.sentence for fault in faults), "R5", "holidays")
    length, last_part = spans.get("turn_length"), spans.get("deadline_before_lock")
    threshold = values.get("second_score_threshold")
    if isinstance(threshold, int) and threshold > 2 * MOST_BONUS:
        raise Refused(gettext("Two scores can differ by at most %(what)s.") % {"what": 2 * MOST_BONUS}, "4.2.1")
    if "criteria" in values and (wrong := read_criteria(str(values["criteria"]))[1]):
        raise Refused(" ".join(wrong), "R54", "criteria")
    _check_bounds(values)
    _check_appeals(values)
    if length is not None and length < SHORTEST_TURN:
        raise Refused(
            gettext("A turn must be at least %(seconds)s seconds long.") % {"seconds": SHORTEST_TURN.seconds}, "R5"
        )
    if length is not None and last_part is not None and length <= last_part:
        raise Refused(gettext("A turn must be longer than the time from its battle deadline to its lock."), "R5")


MOST_TURNS = 99
"""R54: the most turns for which the strats of a battle stay secret, if not until the end."""


def _check_appeals(values: Mapping[str, object]) -> None:
    """R57: an hour to thirty days for an appeal, and a number of open ones that judges can answer."""
    within, most = values.get("appeal_within"), values.get("most_appeals")
    if isinstance(within, timedelta) and not SHORTEST_APPEAL <= within <= LONGEST_APPEAL:
        raise Refused(gettext("The time for appeals must be between 1 hour and 30 days."), "R57", "appeal_within")
    if isinstance(most, int) and not 0 <= most <= MOST_APPEALS:
        raise Refused(
            gettext("The limit on a player's open appeals must be 0 to %(most_appeals)s.")
            % {"most_appeals": MOST_APPEALS},
            "R57",
            "most_appeals",
        )


def _check_bounds(values: Mapping[str, object]) -> None:
    """R53, R54: what a single judge may change after the dice, and when strats are published."""
    least, low, high = (values.get(name) for name in ("runner_least", "pair_least", "pair_most"))
    if isinstance(least, int) and not 1 <= least <= UNCHANGED:
        raise Refused(
            gettext("The smallest share of losses for a side that ran must be 1 to 100 percent."), "R41", "runner_least"
        )
    if isinstance(low, int) and low > UNCHANGED:
        raise Refused(
            gettext("The smallest share for one army of a pair must be 0 to 100 percent."), "R42", "pair_least"
        )
    if isinstance(high, int) and not UNCHANGED <= high <= MOST_PERCENT:
        raise Refused(
            gettext("The largest share for one army of a pair must be 100 to %(most_percent)s percent.")
            % {"most_percent": MOST_PERCENT},
            "R42",
            "pair_most",
        )
    after = values.get("strats_after")
    if isinstance(after, int) and after > MOST_TURNS:
        raise Refused(
            gettext("Strats can be published up to %(most_turns)s turns later, or at the end.")
            % {"most_turns": MOST_TURNS},
            "R54",
            "strats_after",
        )


@locking.writes
def change_round(
    *, round: Round, actor: AbstractBaseUser | AnonymousUser, changes: Mapping[str, object], now: datetime
) -> Round:
    """R5: change some of `FIELDS`, from the next turn on. Refused for an impossible calendar.

    The right to private messages (1.6) changes at once, and is announced.
    """
    values = {name: value for name, value in changes.items() if name in FIELDS}
    check_calendar({name: getattr(round, name) for name in FIELDS} | values)
    if "press" in values:
        _announce_press(round, str(values["press"]), now)
    for name, value in values.items():
        setattr(round, name, value)
    round.save(update_fields=list(values))
    record(round, actor, "round.changed", {name: str(value) for name, value in values.items()}, now)
    return round


def _announce_press(round: Round, press: str, now: datetime) -> None:
    """1.6: announce in the movement thread who may write private messages from now on, if it changes."""
    before = Round.objects.values_list("press", flat=True).get(pk=round.pk)
    turn = current_turn(round)
    if before != press and turn is not None:
        data = {"press": press, "before": before}
        Notice.objects.create(turn=turn, thread=Notice.Thread.MOVEMENT, kind="press", at=now, data=data)
