"""1.6: the players' names, and their former names."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from wargame.rules.armies.army_names import name_faults
from wargame.rules.armies.findings import MusterFault
from wargame.rules.core.names import key
from wargame.rules.core.position import Army, Position
from wargame.rules.core.saying import marked, said

RULE = "1.6"

FormerNames = Sequence[tuple[str, datetime]]
"""1.6: a player's former names, each with the moment at which they gave it up; the oldest first."""

_SENTENCES = {
    MusterFault.NAME_MISSING: marked("Choose a screen name."),
    MusterFault.NAME_SIGN: marked("The name can't contain “{sign}”: it would break orders to an army of that name."),
    MusterFault.NAME_LONG: marked("The name has {length} characters; the limit is {most}."),
    MusterFault.NAME_ORDER: marked("“{name}” can't be a name: it is a square or a word used in orders."),
    MusterFault.NAME_TAKEN: marked("“{other}” is taken. Capital letters don't make a difference."),
}


def screen_name_faults(name: str, taken: Iterable[str]) -> tuple[str, ...]:
    """1.6, 3.2.2.5: the faults of a screen name, in sentences. `taken` are the names that other players have, or had.

    This is stricter than the rulebook, which asks nothing of a screen name: it must be valid as an army's name too,
    since a player may have a namesake army.
    """
    return tuple(said(_SENTENCES[finding.fault]).format_map(finding.facts) for finding in name_faults(name, taken))


def is_same_name(one: str, other: str) -> bool:
    """1.6, R10: whether two names are one: case and whitespace make no difference."""
    return key(one) == key(other)


def name_at(name: str, former: FormerNames, when: datetime) -> str:
    """1.6: the name at a moment of a player now called `name`."""
    return next((old for old, until in former if when < until), name)


def called(position: Position, names: Mapping[str, str]) -> Position:
    """1.6: the position with players under other names, old to new: those who posted its long moves (3.2.2.3)."""
    if not any(army.plan and army.plan.by in names for army in position.armies):
        return position
    return replace(position, armies=tuple(_called(army, names) for army in position.armies))


def _called(army: Army, names: Mapping[str, str]) -> Army:
    if army.plan is None or army.plan.by not in names:
        return army
    return army._replace(plan=replace(army.plan, by=names[army.plan.by]))
