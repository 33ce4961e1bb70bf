"""Set-up cases (docs/develop/cases.md): a judge's entries before a round, and the rules they break.

The key is `setup`. It may have a `board` as in a turn case (2.5.1.1, 2.5.1.4), `terrain` (a text, R2), `armies` (six
numbers, the highest rank first) with `players` (`{name: rank}`, 2.5.2.1), and a `calendar` (R5): `now`, `weekday`
(none: any), `at` (hour and minute), `days` (a turn's length), `hours` (from the deadline to the lock) and `holidays` (a
list of lines). All times are UTC.

`expect` may name `rules` (all that are broken), `faults` (parts of the sentences, in order), `forbidden` (`{team:
squares}`, some of the squares closed to it), `allowed` (the same, of open ones), `towns` (the averages of `coalition`
and `phyrexia`, like `13/3`, the `difference` and whom it `favours`) and `locks`.

A `start` case (2.5.2.3) has a `board`, and `armies` with the keys `name`, `team`, `rank`, `colors`, `base` (the
starting base they ask for; none: any) and `at` (their square if already placed), which are dropped with its `seed`. It
expects `at` (a list: any one of these), `by` (the base by which an army is put) and `rules`: exactly the faults of each
army's final square.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from fractions import Fraction
from typing import Annotated, Literal, NamedTuple

from wargame.cases.kinds import Kind, Part
from wargame.cases.musters import ROUND
from wargame.cases.positions import PLAIN, BoardOfCase
from wargame.cases.reading import CaseError, Colors, Free, built, of_team, or_null, read
from wargame.rules.armies.numbers import number_faults
from wargame.rules.armies.placement import Dropped, PlacedArmy, PlaceFinding, StartingArmy, drop_armies, place_faults
from wargame.rules.armies.sites import fairness, forbidden_squares, position_faults, town_faults
from wargame.rules.armies.terrain_text import read_terrain
from wargame.rules.command.holidays import coming_locks, first_lock, read_holidays
from wargame.rules.core.board import Board, Square
from wargame.rules.core.dice import setup_dice
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import OTHER_TEAM, Rank, Side

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MOMENT = "%Y-%m-%d %H:%M"
SHOWN_LOCKS = 6


def _moment(value: object, where: str) -> datetime:
    try:
        return datetime.strptime(read(str, value, where), MOMENT).replace(tzinfo=UTC)
    except CaseError:
        raise
    except ValueError:
        raise CaseError(f"{where}: “{value}” is not a date and time like 2026-12-25 05:00") from None


def _hour(value: object, where: str) -> time:
    try:
        return time.fromisoformat(read(str, value, where))
    except CaseError:
        raise
    except ValueError:
        raise CaseError(f"{where}: “{value}” is not a time of day like 05:00") from None


class CalendarTable(NamedTuple):
    """R5: the calendar of a round's turns."""

    now: Annotated[datetime, _moment]
    weekday: Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] | None = None
    at: Annotated[time, _hour] = time(5)
    days: int = 7
    hours: int = 24
    holidays: tuple[str, ...] = ()


class SetupTable(NamedTuple):
    board: BoardOfCase = PLAIN
    terrain: Free | None = None
    armies: list[int] | None = None
    players: Mapping[str, Rank] = {}
    calendar: CalendarTable | None = None


NameOrNull = Annotated[str | None, or_null(str)]


class TownsTable(NamedTuple):
    """2.5.1.4: how far the towns are from each team."""

    coalition: Free | None = None
    phyrexia: Free | None = None
    difference: Free | None = None
    favours: NameOrNull = ""


class Expected(NamedTuple):
    rules: list[str] | None = None
    faults: list[str] | None = None
    forbidden: Mapping[Side, tuple[Square, ...]] = {}
    allowed: Mapping[Side, tuple[Square, ...]] = {}
    towns: TownsTable = TownsTable()
    locks: list[Free] = []


class SetupCase(NamedTuple):
    case: str
    setup: SetupTable
    expect: Expected
    about: Free = ""


class StarterTable(NamedTuple):
    name: str
    team: Side
    rank: Rank
    colors: Colors = ()
    base: str = ""
    at: Square | None = None


def _starter(table: StarterTable) -> tuple[StartingArmy, Square | None]:
    tier = of_team(table.rank, table.team).tier
    return StartingArmy(table.name, table.team, tier, table.colors, table.base), table.at


class StartTable(NamedTuple):
    """The armies with the squares of those already placed."""

    armies: list[Annotated[tuple[StartingArmy, Square | None], built(StarterTable, _starter)]]


class ExpectedStart(NamedTuple):
    at: Mapping[str, tuple[str, ...]] = {}
    by: Mapping[str, str] = {}
    rules: Mapping[str, list[str]] | None = None


class StartCase(NamedTuple):
    case: str
    board: BoardOfCase
    start: StartTable
    expect: ExpectedStart
    about: Free = ""
    seed: int = 0


@dataclass(frozen=True)
class JudgedSetup:
    """The findings of a set-up case: faults as (rule, sentence), its board, and the coming locks."""

    faults: tuple[tuple[str, str], ...]
    board: Board
    locks: tuple[datetime, ...]


def _differences(case: SetupCase, judged: JudgedSetup) -> Iterator[str]:
    yield from _fault_differences(judged, case.expect)
    yield from _map_differences(judged.board, case.expect)
    yield from _lock_differences(judged, case.expect.locks)


def _parts(case: SetupCase, judged: JudgedSetup) -> list[Part]:
    lines = [f"{sentence} ({cites})" for cites, sentence in judged.faults] or ["Nothing is wrong."]
    figure = fairness(judged.board.towns, judged.board.bases)
    if figure:
        lines.append(f"The towns are {figure.coalition} steps from the Coalition and {figure.phyrexia} from Phyrexia.")
    lines += [f"Turn {number} locks at {lock:{MOMENT}}." for number, lock in enumerate(judged.locks[:SHOWN_LOCKS], 1)]
    return [Part("Set-up", lines)]


def _judge(case: SetupCase) -> JudgedSetup:
    """2.5.1, 2.5.2.1, R2, R5: the case's set-up with all its faults, and as many locks as are shown or expected."""
    setup, board = case.setup, case.setup.board
    faults: list[Finding] = [*position_faults(board.bases), *town_faults(board.towns, board.bases)]
    coming: tuple[datetime, ...] = ()
    if setup.terrain is not None:
        faults += read_terrain(setup.terrain)[1]
    if setup.armies is not None:
        faults += number_faults(setup.armies, list(setup.players.items()))
    if setup.calendar is not None:
        wrong, coming = _calendar(setup.calendar, max(SHOWN_LOCKS, len(case.expect.locks)))
        faults += wrong
    return JudgedSetup(tuple((fault.cites, fault.sentence) for fault in faults), board, coming)


SETUPS = Kind(SetupCase, _judge, _differences, _parts)


def _calendar(table: CalendarTable, locks: int) -> tuple[Sequence[Finding], tuple[datetime, ...]]:
    length, before = timedelta(days=table.days), timedelta(hours=table.hours)
    holidays, faults = read_holidays("\n".join(table.holidays))
    weekday = None if table.weekday is None else WEEKDAYS.index(table.weekday)
    first = first_lock(table.now, weekday=weekday, at=table.at, length=length, before=before, holidays=holidays)
    return faults, coming_locks(first, length, before, holidays, locks)


def _fault_differences(judged: JudgedSetup, expect: Expected) -> Iterator[str]:
    reasons = "; ".join(sentence for _, sentence in judged.faults) or "nothing is wrong"
    cites = sorted({cites for cites, _ in judged.faults})
    if expect.rules is not None and sorted(expect.rules) != cites:
        yield f"rules: expected {', '.join(expect.rules) or 'none'}, came {', '.join(cites) or 'none'} ({reasons})"
    parts = expect.faults
    if parts is not None and (
        len(parts) != len(judged.faults)
        or not all(part in sentence for part, (_, sentence) in zip(parts, judged.faults, strict=True))
    ):
        yield f"faults: expected {'; '.join(parts)}, came {reasons}"


def _map_differences(board: Board, expect: Expected) -> Iterator[str]:
    for key, by_team in (("forbidden", expect.forbidden), ("allowed", expect.allowed)):
        for team, squares in by_team.items():
            enemy = OTHER_TEAM[team]
            closed = forbidden_squares(base for base in board.bases if base.side is enemy)
            for square in squares:
                if (square in closed) is (key == "allowed"):
                    yield f"{key}: {square} is {'not ' if key == 'forbidden' else ''}closed to {team}"
    figure = fairness(board.towns, board.bases)
    for key, value in expect.towns._asdict().items():
        if value != getattr(TownsTable(), key):
            actual = getattr(figure, key)
            if (Fraction(value) if key != "favours" else value) != actual:
                yield f"towns: {key}: expected {value}, came {actual}"


def _lock_differences(judged: JudgedSetup, locks: list[str]) -> Iterator[str]:
    for number, expected in enumerate(locks):
        actual = f"{judged.locks[number]:{MOMENT}}" if judged.locks else "no calendar"
        if actual != expected:
            yield f"locks: turn {number + 1}: expected {expected}, came {actual}"


def _start_parts(case: StartCase, dropped: tuple[Dropped, ...]) -> list[Part]:
    lines = [f"{one.name}: {one.at}" + (f", by {one.base}" if one.base else "") for one in dropped]
    faults = _place_faults(case, {one.name: one for one in dropped})
    return [Part("Start", [*lines, *(f"{fault.sentence} ({fault.cites})" for fault in faults)])]


def _drop(case: StartCase) -> tuple[Dropped, ...]:
    """2.5.2.3: where the armies are dropped."""
    fixed = {starter.name: at for starter, at in case.start.armies if at is not None}
    starters = tuple(starter for starter, _ in case.start.armies)
    return drop_armies(case.board, starters, fixed, setup_dice(case.seed.to_bytes(32, "big"), ROUND))


def _place_faults(case: StartCase, dropped: Mapping[str, Dropped]) -> tuple[PlaceFinding, ...]:
    armies = [
        PlacedArmy(starter, dropped[starter.name].at if starter.name in dropped else None)
        for starter, _ in case.start.armies
    ]
    return place_faults(case.board, armies)


def _start_differences(case: StartCase, all_dropped: tuple[Dropped, ...]) -> Iterator[str]:
    dropped = {one.name: one for one in all_dropped}
    for name in (*case.expect.at, *case.expect.by, *(case.expect.rules or ())):
        if name not in [starter.name for starter, _ in case.start.armies]:
            raise CaseError(f"expect: there is no army “{name}”")
    for name, squares in case.expect.at.items():
        actual = str(dropped[name].at) if name in dropped else None
        if actual not in squares:
            yield f"{name} should be at {' or '.join(squares)}, is at {actual}"
    for name, base in case.expect.by.items():
        actual = dropped[name].base if name in dropped else None
        if actual != base:
            yield f"{name} should start by {base}, starts by {actual}"
    if case.expect.rules is not None:
        by_army: dict[str, list[str]] = {}
        for fault in _place_faults(case, dropped):
            if fault.is_breach:
                by_army.setdefault(fault.army, []).append(fault.cites)
        if by_army != case.expect.rules:
            yield f"rules should be {case.expect.rules}, are {by_army}"


STARTS = Kind(StartCase, _drop, _start_differences, _start_parts)
