"""R57, R58: appeals against decisions, the judges who answer them, and the battles that may be judged again.

The ruling does not say when a judge has taken too long. It is read like this: a judge who has not answered within the
time that the round gives for appeals loses the appeal to the next drawn judge.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from wargame.rules.core import clock
from wargame.rules.core.dice import Dice
from wargame.rules.core.faults import Fault, Finding

AN_HOUR = timedelta(hours=1)


class AppealFault(Fault):
    """R57, R58: why there is no appeal, or no second judging. The facts are texts."""

    NONE_HERE = "R57", "This round has no appeals; its judges turned them off in the settings."
    STRANGER = "R57", "This doesn't concern you. {whom} can appeal."
    TWICE = "R57", "You have already appealed against this decision. You can only do so once."
    OUT_OF_TIME = "R57", "Appeals against this decision closed on {until}."
    TOO_MANY = (
        "R57",
        "You have {open} open appeals; the limit is {most}. Wait for an answer, or withdraw one of them.",
    )
    OLDER = (
        "R58",
        "Turn {turn} is no longer the last settled turn, so its results stand. Only battles from the open turn "
        "and the turn before it can be judged again.",
    )
    LOCKED = (
        "R58",
        "Turn {next} is locked, and its moves depend on turn {turn}, so the results of turn {turn} stand.",
    )


class AppealStanding(NamedTuple):
    """R57: the facts for a player's right to appeal: whether the decision concerns them, whether they have appealed
    against this same decision `before`, when it was made, and how many `open` appeals they have. `whom` names those
    whom it concerns."""

    concerns: bool
    before: bool
    decided_at: datetime
    open: int
    whom: str = "The people it concerns"


def last_minute(decided_at: datetime, within: timedelta) -> datetime:
    """R57: the last minute for an appeal."""
    return (decided_at + within).replace(second=0, microsecond=0)


def why_no_appeal(standing: AppealStanding, *, within: timedelta, most: int, now: datetime) -> Finding | None:
    """R57: why a player may not appeal now; None if they may. A round that allows no open appeals has none."""
    if most < 1:
        return Finding(AppealFault.NONE_HERE)
    if not standing.concerns:
        return Finding(AppealFault.STRANGER, {"whom": standing.whom})
    if standing.before:
        return Finding(AppealFault.TWICE)
    until = last_minute(standing.decided_at, within)
    if not clock.is_in_time(now, until):
        return Finding(AppealFault.OUT_OF_TIME, {"until": f"{until:%a} {until.day} {until:%b %Y, %H:%M} UTC"})
    if standing.open >= most:
        return Finding(AppealFault.TOO_MANY, {"open": standing.open, "most": most})
    return None


def answer_by(drawn_at: datetime, within: timedelta) -> datetime:
    """R57: the deadline for a judge's answer before the next is drawn: as long as there is for an appeal, and an
    hour at least."""
    return drawn_at + max(within, AN_HOUR)


def draw_of(appeal: int, number: int) -> str:
    """R57, R38: the name of a draw of an appeal's judge: `appeal 3 judge 1`, then `appeal 3 judge 2`."""
    return f"appeal {appeal} judge {number}"


def drawn_judge(among: Iterable[str], dice: Dice, appeal: int, number: int) -> str:
    """R57, R38: the judge who answers, drawn from these with equal chances; their places are alphabetical.
    ValueError if there are none."""
    names = sorted(set(among))
    if not names:
        raise ValueError("nobody is left to draw from")
    return names[dice.roll(draw_of(appeal, number), len(names)) - 1]


def newly_able(able: Sequence[str], drawn: Sequence[str]) -> list[str]:
    """R57: the independent judges who were not drawn yet. They take over from a head who is a party."""
    return [name for name in able if name not in drawn]


def next_candidates(able: Sequence[str], drawn: Sequence[str], head: str) -> list[str]:
    """R57: the judges among whom the next one is drawn: the independent ones who were not drawn yet; if there are none,
    the head, even a second time or as a party; nobody, if there is no head either."""
    return newly_able(able, drawn) or ([head] if head else [])


def may_change_alone(*, answers: bool, decided: bool) -> bool:
    """R53, R58: whether one judge alone may judge a published battle again, though its dice are known: only a judge
    who answers an appeal against its result, and had no part in that result. Anybody else, including the head battle
    judge, needs a second battle judge's consent."""
    return answers and not decided


def longest_hold(lock_at: datetime, length: timedelta) -> datetime:
    """R57: the latest moment until which appeals delay a settlement, however many there are: a turn's length after
    its lock."""
    return lock_at + length


def why_not_anew(*, turn: int, present: int, is_settled: bool, is_present_open: bool) -> Finding | None:
    """R58: why no battle of a turn is judged again; None if it may be. `present` is the number of the last turn of
    the round, `is_present_open` whether it still takes orders."""
    if not is_settled:
        return None
    if present > turn + 1:
        return Finding(AppealFault.OLDER, {"turn": turn})
    if present == turn + 1 and not is_present_open:
        return Finding(AppealFault.LOCKED, {"turn": turn, "next": present})
    return None
