"""A file of a round, held against what must be true of any round: names, turns, hashes, commitments, receipts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import UniqueConstraint

from judging.exchange.reading import RoundFile, Values
from judging.exchange.tables import Table, tables
from judging.exchange.values import BadFile, row_place
from wargame.rules.battle.battle import receipt
from wargame.rules.book.book import book_commitment
from wargame.rules.core import codec, dice
from wargame.rules.core.names import key
from wargame.rules.core.position import Position

NAMED = ("player", "army", "base", "town", "mercenaryplan")
"""Tables whose names are unique without case."""


def check_round_file(found: RoundFile) -> None:
    """BadFile for the first thing that can't be; nothing is written before all is checked."""
    for table in tables():
        _check_unique(table, found.rows[table.name])
    for name in NAMED:
        _check_names(name, found.rows.get(name, []))
    positions = _check_turns(found)
    _check_armies(found, positions)
    _check_seeds(found)
    _check_strats(found)
    _check_books(found)


def _check_unique(table: Table, rows: list[Values]) -> None:
    """What may stand once only: single fields and groups of them without a condition."""
    groups: list[tuple[str, ...]] = [(each.name,) for each in table.fields if each.unique]
    groups += [(link.name,) for link, _ in table.links if link.unique]
    for constraint in table.model._meta.constraints:
        if isinstance(constraint, UniqueConstraint) and constraint.fields and constraint.condition is None:
            groups.append(tuple(constraint.fields))
    for group in groups:
        names = [name for name in group if name != "round"]
        values = [tuple(row.get(name) for name in names) for row in rows] if names else []
        first: dict[tuple[Any, ...], int] = {}
        for number, value in enumerate(values, 1):
            if None not in value and first.setdefault(value, number) != number:
                told = f"it has the same {' and '.join(names)} as row {first[value]}"
                raise BadFile(told, row_place(table.name, number))


def _check_names(table: str, rows: list[Values]) -> None:
    first: dict[str, int] = {}
    for number, row in enumerate(rows, 1):
        for name in filter(None, (row["name"], *row.get("former", ()))):
            if first.setdefault(key(name), number) != number:
                told = f"“{name}” is the name of row {first[key(name)]} too; case makes no difference"
                raise BadFile(told, row_place(table, number, "name"))


def _check_turns(found: RoundFile) -> list[Position]:
    """1.5, R38: turns one after the other, each with the position of its hash, which the turn before led to."""
    positions, led_to = [], ""
    for number, turn in enumerate(found.rows["turn"], 1):
        place = row_place("turn", number)
        if turn["number"] != number:
            raise BadFile(f"it is turn {turn['number']}; turns stand in their order, from 1 on", place)
        if codec.digest(turn["position"]) != turn["position_hash"]:
            raise BadFile(f"the position of turn {number} is not the one of its hash", place)
        if led_to not in ("", turn["position_hash"]):
            raise BadFile(f"turn {number} does not open with what turn {number - 1} led to", place)
        led_to = turn["next_hash"]
        try:
            positions.append(codec.position_from_json(turn["position"]))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadFile(f"the position of turn {number} can't be read ({error!r})", place) from None
    return positions


def _check_armies(found: RoundFile, positions: list[Position]) -> None:
    """Every army on a map has a row, by its name or one that it had; every fighter too."""
    known = {name for row in found.rows["army"] for name in (row["name"], *row["former"])}
    for number, position in enumerate(positions, 1):
        for army in position.armies:
            if army.name not in known:
                raise BadFile(f"on its map is {army.name}, of whom there is no row", row_place("turn", number))


def _check_seeds(found: RoundFile) -> None:
    """R38: seeds are those that were committed to."""
    for table in ("turn", "battle", "armysetup"):
        for number, row in enumerate(found.rows.get(table, ()), 1):
            if row["seed"]:
                _check_hash(row["seed"], row["commitment"], row_place(table, number, "seed"))


def _check_hash(seed: str, commitment: str, place: str) -> None:
    try:
        committed = dice.commitment(bytes.fromhex(seed))
    except ValueError:
        raise BadFile("a seed is a number in hexadecimal digits", place) from None
    if committed != commitment:
        raise BadFile("it is not the one that was committed to", place)


def _check_strats(found: RoundFile) -> None:
    """R35: a strat is what its receipt says; one whose text is secret can't be held against it."""
    asked = ("salt", "text", "risk", "runs", "leaves", "leaves_to")
    for number, row in enumerate(found.rows["strat"], 1):
        if row["salt"] and receipt(**{name: row[name] for name in asked}) != row["sha256"]:
            raise BadFile("it is not what its receipt says", row_place("strat", number))


def _check_books(found: RoundFile) -> None:
    """R38: a formula book is the one that was committed to, unless it is secret."""
    name = found.round["drawn_as"] or found.round["slug"]
    for number, row in enumerate(found.rows["bookversion"], 1):
        if not row["salt"]:
            continue
        committed = book_commitment(name, row["number"], row["from_turn"], row["formulas"], row["salt"])
        if committed != row["commitment"]:
            raise BadFile("it is not the one that was committed to", row_place("bookversion", number))


def people_of(found: RoundFile) -> Iterable[str]:
    """The log-ins that a file names, each once, in their order."""
    named: dict[str, None] = {}
    for table in tables():
        for name in _users(table, found.rows[table.name]):
            named[name] = None
    return named


def _users(table: Table, rows: list[Values]) -> Iterator[str]:
    for row in rows:
        for link in table.users:
            if row[link.name]:
                yield row[link.name]
