"""Control cases (docs/develop/cases.md): requests for control, ranks and contingencies, and the rules they break.

The key is `command`. It has a `team`, its `players` and `armies`, and who `may_ask` for changes (5.2.2.1). A player has
a `name`, a `rank` (none for a Drudge or a Cadet), and may have `posted` and `declared` (how long ago, like `2d`;
`posted` is a day ago by default, or `never`), `away`, `permits` (5.3.2), `made_excess` (5.3.4) and `factions`. An army
has `name`, `rank`, `controllers` (a name, several, or `nobody`; its namesake without the key: 5.2.1) and a `namesake`
where that is not the player of its name. `run_out` are exceptions that ran out (5.2.2.2): `army`, `player`, `turn`.

One of these is judged: `request: {by, changes: {army: player or nobody}}`, `rank: {by, player, to}` (`by: judge` is the
battle judge), `factions: {player, to}`, or `contingency: {player, to}`. Without one only `active` is checked.

`expect` may name `rules` (all that are broken), `advice`, `excepted` (whether a judge could accept it: 5.2.2.2),
`freed` armies, `needs_army` (whether the demoted player needs one), `without_army` (all players who need one), `active`
players and who has `control` afterwards.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

from wargame.cases.kinds import Kind, Part
from wargame.cases.reading import CaseError, Free, among, built, of_team, read
from wargame.rules.command.control import RunOut, change_rank, contingency_breaches, judge_request
from wargame.rules.command.control_list import ControlList, Listed, Person, Wish, by_default, is_active
from wargame.rules.command.faults import EXCEPTABLE, CommandFault
from wargame.rules.command.last_armies import without_army
from wargame.rules.command.ranks import faction_breaches, rank_breaches
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side

NOW = datetime(2000, 1, 8, tzinfo=UTC)
NOBODY, NEVER, JUDGE = "nobody", "never", "judge"
RANKLESS = ("drudge", "cadet")
ACTS = ("request", "rank", "factions", "contingency")

_AGE = re.compile(r"(\d{1,4})([dh])")


def _ago(value: object, where: str) -> datetime | None:
    match = _AGE.fullmatch(str(value))
    if match is None and value != NEVER:
        raise CaseError(f"{where}: expected how long ago, like 2d or 30h, not {value!r}")
    return NOW - timedelta(hours=int(match[1]) * (24 if match[2] == "d" else 1)) if match else None


def _controllers(value: object, where: str) -> tuple[str, ...]:
    return () if value == NOBODY else read(tuple[str, ...], value, where)


def read_rank(value: object, where: str) -> Rank | None:
    """1.1: a rank, or none for a Drudge or a Cadet."""
    return None if value in RANKLESS else read(Rank, value, where)


Ago = Annotated[datetime | None, _ago]
Controllers = Annotated[tuple[str, ...], _controllers]
Asker = Annotated[str, lambda value, where: "" if value == JUDGE else str(value)]
"""The asker; empty for the battle judge."""


class PlayerTable(NamedTuple):
    """A player; posted a day ago by default."""

    name: str
    rank: Rank | None = None
    posted: Ago = NOW - timedelta(days=1)
    declared: Ago = None
    away: bool = False
    permits: bool = False
    made_excess: bool = False
    factions: tuple[str, ...] = ()


class ArmyTable(NamedTuple):
    """An army of the list; without `controllers` its namesake controls it."""

    name: str
    rank: Rank
    controllers: Controllers | None = None
    namesake: str = ""


class RunOutTable(NamedTuple):
    """5.2.2.2: an exception that ran out with a turn."""

    army: str
    player: str
    turn: int


class RequestTable(NamedTuple):
    """5.2.1: a request for the control of armies."""

    by: Asker
    changes: Mapping[str, Controllers]


class RankTable(NamedTuple):
    """1.1: a new rank for a player."""

    by: Asker
    player: str
    to: Annotated[Rank | None, read_rank]


class FactionsTable(NamedTuple):
    """1.1.2: factions that a player claims."""

    player: str
    to: list[str]


class ContingencyTable(NamedTuple):
    """5.2.3: a contingency that a player names."""

    player: str
    to: str


class CommandTable(NamedTuple):
    """A control list and the question about it."""

    team: Side
    players: list[PlayerTable]
    may_ask: tuple[str, ...] = ()
    armies: list[ArmyTable] = []
    run_out: list[RunOutTable] = []
    request: RequestTable | None = None
    rank: RankTable | None = None
    factions: FactionsTable | None = None
    contingency: ContingencyTable | None = None


class Expected(NamedTuple):
    rules: list[str] | None = None
    advice: list[str] | None = None
    excepted: bool | None = None
    freed: list[str] | None = None
    needs_army: bool | None = None
    without_army: list[str] | None = None
    active: list[str] | None = None
    control: Mapping[str, Controllers] = {}


@dataclass(frozen=True)
class JudgedControl:
    """The outcome of a control case: faults, advice, and the list afterwards (unchanged, if illegal)."""

    listed: ControlList
    breaches: tuple[Finding, ...] = ()
    advice: tuple[Finding, ...] = ()
    freed: tuple[str, ...] = ()
    needs_army: bool = False


def _judge(table: CommandTable) -> JudgedControl:
    control = _listed(table)
    if table.request:
        wishes = [Wish(army, to) for army, to in table.request.changes.items()]
        verdict = judge_request(control, table.request.by, wishes, NOW, [_run_out(entry) for entry in table.run_out])
        after = control.after(wishes) if verdict.is_legal else control
        return JudgedControl(after, verdict.breaches, verdict.advice)
    if table.rank:
        name = among(control.person, table.rank.player, "player")
        breaches = rank_breaches(control, table.rank.by, name, table.rank.to)
        if breaches:
            return JudgedControl(control, breaches)
        changed = change_rank(control, name, table.rank.to, NOW)
        return JudgedControl(changed.listed, freed=changed.freed, needs_army=changed.needs_army)
    if table.factions:
        person = control.person[among(control.person, table.factions.player, "player")]
        return JudgedControl(control, faction_breaches(control, person._replace(factions=tuple(table.factions.to))))
    if table.contingency:
        return JudgedControl(control, contingency_breaches(control, table.contingency.player, table.contingency.to))
    return JudgedControl(control)


def _command(value: object, where: str) -> JudgedControl:
    acts = [key for key in ACTS if key in value] if isinstance(value, Mapping) else []
    if len(acts) > 1:
        raise CaseError(f"{where}: expected one of {', '.join(ACTS)}, not {' and '.join(acts)}")
    return built(CommandTable, _judge)(value, where)


class ControlCase(NamedTuple):
    case: str
    command: Annotated[JudgedControl, _command]
    expect: Expected
    about: Free = ""


def _differences(case: ControlCase, judged: JudgedControl) -> Iterator[str]:
    reasons = "; ".join(breach.sentence for breach in judged.breaches) or "nothing is wrong"
    for key, value in _outcome(judged).items():
        expected = getattr(case.expect, key)
        if expected is not None and _plain(expected) != _plain(value):
            yield f"{key}: expected {expected}, came {value} ({reasons})"
    for army, players in case.expect.control.items():
        if army not in judged.listed.army:
            raise CaseError(f"expect: control: there is no army “{army}”")
        actual = judged.listed.army[army].controllers
        if _plain(players) != _plain(actual):
            to = ", ".join(players) or NOBODY
            yield f"control: {army}: expected {to}, came {', '.join(actual) or NOBODY} ({reasons})"


def _parts(case: ControlCase, judged: JudgedControl) -> list[Part]:
    lines = [f"{breach.sentence} ({breach.cites})" for breach in judged.breaches] or ["Legal."]
    lines += [f"{army} is free: no one controls it. (5.3.1)" for army in judged.freed]
    lines += [f"Advice: {breach.sentence} ({breach.cites})" for breach in judged.advice]
    return [Part("Control", lines, {"outcome": _outcome(judged)})]


CONTROL = Kind(ControlCase, lambda case: case.command, _differences, _parts)


def _outcome(judged: JudgedControl) -> dict[str, object]:
    people = judged.listed.people
    return {
        "rules": list(dict.fromkeys(breach.cites for breach in judged.breaches)),
        "advice": list(dict.fromkeys(breach.cites for breach in judged.advice)),
        "excepted": bool(judged.breaches) and all(breach.fault in EXCEPTABLE for breach in judged.breaches),
        "freed": list(judged.freed),
        "needs_army": judged.needs_army,
        "without_army": list(without_army(judged.listed, NOW)),
        "active": [person.name for person in people if is_active(judged.listed, person.name, NOW)],
    }


def _listed(table: CommandTable) -> ControlList:
    people = tuple(_person(player, table.team) for player in table.players)
    return ControlList(table.team, people, tuple(_army(army, people) for army in table.armies), table.may_ask)


def _person(table: PlayerTable, side: Side) -> Person:
    rank = of_team(table.rank, side) if table.rank else None
    flags = table.permits, table.made_excess, table.factions
    return Person(table.name, rank, table.posted, table.away, table.declared, *flags)


def _army(table: ArmyTable, people: Sequence[Person]) -> Listed:
    """5.2.1, 4.5: an army of the list; a captured one keeps the rank that it had on the other side."""
    names = [person.name for person in people]
    namesake = table.namesake or table.name
    army = Listed(table.name, table.rank, (), namesake if namesake in names else "")
    return by_default(army, people) if table.controllers is None else army._replace(controllers=table.controllers)


def _run_out(table: RunOutTable) -> RunOut:
    facts = {"army": table.army, "player": table.player, "army_rank": "", "rank": ""}
    return RunOut(Finding(CommandFault.TOO_HIGH, facts), table.turn)


def _plain(value: object) -> object:
    """Make the order of the names in a list irrelevant."""
    return sorted(value) if isinstance(value, list | tuple) else value
