"""Set-up cases (CASES.md): what a judge enters before a round, and which rules it breaks.

The key is `setup`. It may have a `board` as in a turn case (2.5.1.1, 2.5.1.4), `terrain` (a text, R2), `armies` (six
numbers, the highest rank first) with `players` (`{name: rank}`, 2.5.2.1), and a `calendar` (R5): `now`, `weekday`
(none: any), `at` (hour and minute), `days` (a turn's length), `hours` (from the deadline to the lock) and `holidays`
(a list of lines). All times are UTC.

`expect` may name `rules` (all that are broken), `faults` (parts of the sentences, in order), `forbidden` (`{team:
squares}`, a part of the squares that are closed to it), `allowed` (the same, of those that are not), `towns` (the
averages of `coalition` and `phyrexia`, like `13/3`, the `difference` and whom it `favours`) and `locks`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from fractions import Fraction
from typing import Any

from wargame.cases.armies import CaseError, mapping, names, one_of, sequence, text, whole
from wargame.cases.boards import board_from_case, square_of
from wargame.cases.errors import keys_of
from wargame.rules.armies.numbers import number_faults
from wargame.rules.armies.places import enemy_of, fairness, forbidden_squares, position_faults, town_faults
from wargame.rules.armies.terrain_text import read_terrain
from wargame.rules.command.holidays import coming_locks, first_lock, read_holidays
from wargame.rules.core.board import Board
from wargame.rules.core.sides import Rank, Side

SETUP_KEYS = ("board", "terrain", "armies", "players", "calendar")
CALENDAR_KEYS = ("now", "weekday", "at", "days", "hours", "holidays")
EXPECT_KEYS = ("rules", "faults", "forbidden", "allowed", "towns", "locks")
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MOMENT = "%Y-%m-%d %H:%M"


@dataclass(frozen=True)
class JudgedSetup:
    """What is found of a set-up case: what is wrong, as (rule, sentence), its board, and the coming locks."""

    faults: tuple[tuple[str, str], ...]
    board: Board
    locks: tuple[datetime, ...]


def check_setup_case(document: dict[str, Any]) -> list[str]:
    """CASES.md: what differs from the case's `expect`, in words. CaseError where the case can't be read."""
    where = f"“{document['case']}”"
    expect = keys_of(document.get("expect"), f"{where}, expect", EXPECT_KEYS)
    judged = judge_setup_case(document, len(expect.get("locks", ())))
    return [
        *_fault_differences(judged, expect),
        *_map_differences(judged.board, expect, where),
        *_lock_differences(judged, expect),
    ]


def show_setup_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """What is found of a set-up case, as a judge would be told."""
    judged = judge_setup_case(document, 6)
    told = [f"{sentence} ({cites})" for cites, sentence in judged.faults] or ["Nothing is wrong."]
    figure = fairness(judged.board.towns, judged.board.bases)
    if figure:
        told.append(f"The towns are {figure.coalition} steps from the Coalition and {figure.phyrexia} from Phyrexia.")
    told += [f"Turn {number} locks at {lock:{MOMENT}}." for number, lock in enumerate(judged.locks, 1)]
    return [{"title": "Set-up", "told": told}]


def judge_setup_case(document: dict[str, Any], locks: int) -> JudgedSetup:
    """2.5.1, 2.5.2.1, R2, R5: the case's set-up with all that is wrong, and that many locks."""
    name = document["case"]
    given = keys_of(document["setup"], f"“{name}”, setup", SETUP_KEYS)
    board = board_from_case(given.get("board", {}), name)
    faults = [(fault.cites, fault.sentence) for fault in position_faults(board.bases)]
    faults += [(fault.cites, fault.sentence) for fault in town_faults(board.towns, board.bases)]
    if "terrain" in given:
        faults += [("R2", fault.sentence) for fault in read_terrain(given["terrain"])[1]]
    if "armies" in given:
        numbers = [whole(number, f"“{name}”, armies") for number in sequence(given["armies"], f"“{name}”, armies")]
        players = mapping(given.get("players", {}), f"“{name}”, players").items()
        holders = [(player, one_of(Rank, rank, f"“{name}”, players")) for player, rank in players]
        faults += [("2.5.2.1", fault.sentence) for fault in number_faults(numbers, holders)]
    coming: tuple[datetime, ...] = ()
    if "calendar" in given:
        wrong, coming = _calendar(given["calendar"], f"“{name}”, calendar", locks)
        faults += wrong
    return JudgedSetup(tuple(faults), board, coming)


def _calendar(data: Any, where: str, locks: int) -> tuple[list[tuple[str, str]], tuple[datetime, ...]]:
    given = keys_of(data, where, CALENDAR_KEYS, ("now",))
    weekday = given.get("weekday")
    if weekday is not None and weekday not in WEEKDAYS:
        raise CaseError(f"{where}: weekday: {weekday} is none of {', '.join(WEEKDAYS)}")
    length = timedelta(days=whole(given.get("days", 7), where))
    before = timedelta(hours=whole(given.get("hours", 24), where))
    holidays, faults = read_holidays("\n".join(names(given.get("holidays", []), where)))
    first = first_lock(
        _moment(given["now"], where),
        weekday=None if weekday is None else WEEKDAYS.index(weekday),
        at=time.fromisoformat(text(given.get("at", "05:00"), where)),
        length=length,
        before=before,
        holidays=holidays,
    )
    return [("R5", fault.sentence) for fault in faults], coming_locks(first, length, before, holidays, max(locks, 1))


def _fault_differences(judged: JudgedSetup, expect: dict[str, Any]) -> Iterator[str]:
    told = "; ".join(sentence for _, sentence in judged.faults) or "nothing is wrong"
    cites = sorted({cites for cites, _ in judged.faults})
    if sorted(expect.get("rules", cites)) != cites:
        yield f"rules: expected {', '.join(expect['rules']) or 'none'}, came {', '.join(cites) or 'none'} ({told})"
    parts = expect.get("faults")
    if parts is not None and (
        len(parts) != len(judged.faults)
        or not all(part in sentence for part, (_, sentence) in zip(parts, judged.faults, strict=True))
    ):
        yield f"faults: expected {'; '.join(parts)}, came {told}"


def _map_differences(board: Board, expect: dict[str, Any], where: str) -> Iterator[str]:
    for key in ("forbidden", "allowed"):
        for team, squares in mapping(expect.get(key, {}), f"{where}, {key}").items():
            enemy = enemy_of(one_of(Side, team, f"{where}, {key}"))
            closed = forbidden_squares(base for base in board.bases if base.side is enemy)
            for square in names(squares, f"{where}, {key}"):
                if (square_of(square, where) in closed) is (key == "allowed"):
                    yield f"{key}: {square} is {'not ' if key == 'forbidden' else ''}closed to {team}"
    if "towns" in expect:
        figure = fairness(board.towns, board.bases)
        wanted = keys_of(expect["towns"], f"{where}, towns", ("coalition", "phyrexia", "difference", "favours"))
        for key, value in wanted.items():
            came = getattr(figure, key)
            if (Fraction(str(value)) if key != "favours" else value) != came:
                yield f"towns: {key}: expected {value}, came {came}"


def _lock_differences(judged: JudgedSetup, expect: dict[str, Any]) -> Iterator[str]:
    for number, wanted in enumerate(expect.get("locks", ())):
        came = f"{judged.locks[number]:{MOMENT}}" if judged.locks else "no calendar"
        if came != str(wanted):
            yield f"locks: turn {number + 1}: expected {wanted}, came {came}"


def _moment(value: Any, where: str) -> datetime:
    try:
        return datetime.strptime(text(value, where), MOMENT).replace(tzinfo=UTC)
    except ValueError:
        raise CaseError(f"{where}: “{value}” is no moment like 2026-12-25 05:00") from None
