"""Turn cases (docs/develop/cases.md): compare the outcome with a case's expectations.

Besides the keys of docs/develop/cases.md `expect` may have:

- `changed` (all armies whose change of troops was carried out), `unchanged` (army: citation; all of the others) and
  `creatures` (army: `4000 of 5000 Kris Mage`, slot by slot in their order);
- `penalised`: army: what penalties took of slots 1 to 4, for all penalised armies;
- `guideline` (army: the one that it follows; null: it decides nothing), `at_war` (army: teams, after the turn),
  `spawned` (the ranks of all raiders that appear, in their order) and `disbanded` (all raiders that do).
"""

from collections.abc import Callable, Iterator, Mapping, Set
from typing import Annotated, Any, NamedTuple

from wargame.cases.reading import CaseError, Four, built, or_null
from wargame.rules.core.events import Event
from wargame.rules.core.position import Battle, Position
from wargame.rules.core.troops import alive_by_slot
from wargame.rules.core.turn import NOTHING
from wargame.rules.mercenaries.events import Disbanded, MercenaryDecided, Spawned
from wargame.rules.mercenaries.spawning import STRONGER_TIER, TIER
from wargame.rules.moves.events import Intercepted, MovedPartially, Refused
from wargame.rules.settling.events import (
    BaseDestroyed,
    Captured,
    ChangeRefused,
    Killed,
    Penalised,
    Personalised,
    TroopsChanged,
)

Events = tuple[Event, ...]
Check = Callable[[Position, Events, Any], Iterator[str]]
"""The differences in one key of `expect`; the last value is of the type that the key has in `Expected`."""
BattleKey = tuple[str, object]
"""The place and the opponents of a battle: the same form for expected and actual ones."""

RANKS = {TIER: "1/1", STRONGER_TIER: "2/2"}


def _text_or_texts(value: object, where: str) -> str | list[str | None] | None:
    """A text, a list of texts of which any is accepted, or null; a number in YAML is a text too."""
    if isinstance(value, list):
        return [one if one is None else str(one) for one in value]
    return None if value is None else str(value)


Texts = Annotated[str | list[str | None] | None, _text_or_texts]
Names = Annotated[tuple[str, ...] | None, or_null(tuple[str, ...])]


class BattleTable(NamedTuple):
    at: str
    sides: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    attacker: tuple[str, ...] | None = None
    defender: tuple[str, ...] | None = None


def _wanted_battle_key(table: BattleTable) -> BattleKey:
    if table.sides:
        return table.at, tuple(sorted(tuple(sorted(side)) for side in table.sides))
    if not (table.attacker and table.defender):
        raise CaseError(f"{table.at}: a battle needs sides, or an attacker and a defender")
    return table.at, {"attacker": tuple(sorted(table.attacker)), "defender": tuple(sorted(table.defender))}


NewBattle = Annotated[BattleKey, built(BattleTable, _wanted_battle_key)]


class Expected(NamedTuple):
    """The expectations of a turn; only the given keys are checked."""

    at: Mapping[str, Texts] | None = None
    battles: list[NewBattle] | None = None
    rejected: Mapping[str, Texts] | None = None
    partial: list[str] | None = None
    intercepted: list[str] | None = None
    days: Mapping[str, int] | None = None
    alive: Mapping[str, Four] | None = None
    dead: list[str] | None = None
    captured: Mapping[str, str] | None = None
    destroyed: list[str] | None = None
    winner: Names = ("",)
    changed: list[str] | None = None
    unchanged: Mapping[str, Texts] | None = None
    creatures: Mapping[str, list[str]] | None = None
    penalised: Mapping[str, Four] | None = None
    guideline: Mapping[str, Texts] | None = None
    at_war: Mapping[str, list[str]] | None = None
    spawned: list[str] | None = None
    disbanded: list[str] | None = None


UNASKED = Expected()


def differences(known: Set[str], after: Position, events: Events, expect: Expected, where: str) -> list[str]:
    """The differences, in words. CaseError for an army that never existed: `known` are the names that are or were on
    the map."""
    problems: list[str] = []
    for key, expected in expect._asdict().items():
        if expected == getattr(UNASKED, key):
            continue
        if key in ("at", "days", "alive", "creatures") and (strange := set(expected) - known):
            raise CaseError(f"{where}: expect: {key}: there is no army “{sorted(strange)[0]}”")
        problems.extend(_CHECKS[key](after, events, expected))
    return problems


def _of_each(template: str, value_of: Callable[[Position, str], object]) -> Check:
    """A check of a value for each named army, and no other."""

    def check(after: Position, events: Events, expected: Mapping[str, object]) -> Iterator[str]:
        for name, value in expected.items():
            actual = value_of(after, name)
            if actual != value and not (isinstance(value, list) and actual in value):
                yield template.format(name=name, what=value, came=actual)

    return check


def _exact(name: str, value_of: Callable[[Events], object], come: str = "is", ordered: bool = False) -> Check:
    """A check for exactly these values; the order of the names in a list is irrelevant."""

    def check(after: Position, events: Events, expectation: Any) -> Iterator[str]:
        actual = value_of(events)
        expected = expectation if ordered or isinstance(expectation, Mapping) else sorted(expectation)
        if actual != expected:
            yield f"{name} should be {expected}, {come} {actual}"

    return check


def _names_in(*kinds: type[Event], key: str = "army") -> Callable[[Events], list[str]]:
    """The names in all events of some kinds, each once."""
    return lambda events: sorted({getattr(event, key) for event in events if isinstance(event, kinds)})


def _square_of(after: Position, name: str) -> str | None:
    army = after.by_name.get(name)
    return str(army.at) if army else None


def _alive(after: Position, name: str) -> tuple[int, ...] | None:
    army = after.by_name.get(name)
    return alive_by_slot(army.troops) if army else None


def _creatures(after: Position, name: str) -> list[str] | None:
    """An army's troops, each as `4000 of 5000 Kris Mage`."""
    army = after.by_name.get(name)
    return [f"{troop.alive} of {troop.of} {troop.creature}" for troop in army.troops] if army else None


def _at_war(after: Position, name: str) -> list[str]:
    """6.2.2: the teams that an army is at war with after the turn."""
    army = after.by_name.get(name)
    return [side.value for side in army.campaign.at_war] if army and army.campaign else []


def _battles(after: Position, events: Events, expectation: list[BattleKey]) -> Iterator[str]:
    actual = sorted(map(_battle_key, after.battles), key=repr)
    expected = sorted(expectation, key=repr)
    if actual != expected:
        yield f"battles should be {expected}, are {actual}"


def _battle_key(battle: Battle) -> BattleKey:
    first, second = (tuple(sorted(side)) for side in battle.sides)
    if battle.defends is None:
        return str(battle.at), tuple(sorted((first, second)))
    defender, attacker = (first, second) if battle.defends == 0 else (second, first)
    return str(battle.at), {"attacker": attacker, "defender": defender}


def _winner(after: Position, events: Events, expected: tuple[str, ...] | None) -> Iterator[str]:
    actual = [side.value for side in after.won_by]
    if actual != sorted(expected or ()):
        yield f"the winner should be {expected}, is {actual or None}"


def _taken_by_penalties(events: Events) -> dict[str, tuple[int, ...]]:
    """5.4.1: the losses by penalties of slots 1 to 4, for each penalised army."""
    losses: dict[str, tuple[int, ...]] = {}
    for event in events:
        if isinstance(event, Penalised):
            before = losses.get(event.army, NOTHING)
            losses[event.army] = tuple(count + loss for count, loss in zip(before, event.lost, strict=True))
    return losses


def _guideline(after: Position, events: Events, expected: Mapping[str, str | None]) -> Iterator[str]:
    """R48: the guideline that each of the named armies follows; null: it decides nothing."""
    decided = {event.army: event.cites for event in events if isinstance(event, MercenaryDecided)}
    for name, cites in expected.items():
        if decided.get(name) != cites:
            yield f"{name} should follow {cites}, follows {decided.get(name)}"


def _refused(events: Events) -> dict[str, str]:
    return {event.army: event.cites for event in events if isinstance(event, Refused) and event.counts}


_CHECKS: dict[str, Check] = {
    "at": _of_each("{name} should be at {what}, is at {came}", _square_of),
    "battles": _battles,
    "rejected": _exact("rejected", _refused),
    "partial": _exact("partial", _names_in(MovedPartially)),
    "intercepted": _exact("intercepted", _names_in(Intercepted)),
    "days": _of_each(
        "{name} should have {what} days, has {came}",
        lambda after, name: after.by_name[name].days if name in after.by_name else "died",
    ),
    "alive": _of_each("{name} should have {what} alive, has {came}", _alive),
    "dead": _exact("dead", _names_in(Killed)),
    "captured": _exact("captured", lambda events: {x.army: x.side.value for x in events if isinstance(x, Captured)}),
    "destroyed": _exact("destroyed", _names_in(BaseDestroyed, key="base")),
    "winner": _winner,
    "changed": _exact("changed", _names_in(TroopsChanged, Personalised)),
    "unchanged": _exact("unchanged", lambda events: {x.army: x.cites for x in events if isinstance(x, ChangeRefused)}),
    "creatures": _of_each("{name} should have {what}, has {came}", _creatures),
    "penalised": _exact("penalised", _taken_by_penalties),
    "guideline": _guideline,
    "at_war": _of_each("{name} should be at war with {what}, is with {came}", _at_war),
    "spawned": _exact(
        "spawned", lambda events: [RANKS[x.tier] for x in events if isinstance(x, Spawned)], ordered=True
    ),
    "disbanded": _exact("disbanded", _names_in(Disbanded)),
}
