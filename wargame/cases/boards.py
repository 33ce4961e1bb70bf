"""Turn cases (CASES.md): the board, the armies and the battles at the start of a case."""

from __future__ import annotations

from typing import Any

from wargame.cases.armies import CaseError, army_from_case
from wargame.cases.errors import keys_of
from wargame.rules.core.board import PLAINS, TERRAINS, Base, Board, Square, Town, read_square
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Side
from wargame.rules.settling.bases import fallen_teams

LETTERS = {name: letter for letter, name in TERRAINS.items()}


def square_of(text: Any, where: str) -> Square:
    """A square on the map. CaseError if the text is none."""
    try:
        square = read_square(str(text))
    except ValueError as error:
        raise CaseError(f"{where}: {error}") from error
    if not square.on_map:
        raise CaseError(f"{where}: {square} is not on the map")
    return square


def board_from_case(data: dict[str, Any], name: str) -> Board:
    """The board of a case: plains everywhere and nothing built, where it does not say otherwise."""
    where = f"“{name}”, board"
    keys_of(data, where, ("terrain", "bases", "towns"))
    bases = tuple(_base(base, where) for base in data.get("bases", []))
    towns = tuple(Town(town["name"], square_of(town["at"], where)) for town in data.get("towns", []))
    return Board(_terrain(data.get("terrain", {}), where), bases, towns)


def position_from_case(document: dict[str, Any], board: Board) -> Position:
    """The position of a case, with the battles that `fighting` names. CaseError names the army."""
    name = document["case"]
    read = [army_from_case(data) for data in document["armies"]]
    armies = sorted_armies([_at_home(army, board) for army, _ in read])
    if len({army.name.lower() for army in armies}) < len(armies):
        raise CaseError(f"“{name}”, armies: two armies have one name")
    position = Position(board, armies, fallen=fallen_teams(board))
    foes = {army.name: fighting for army, fighting in read}
    return Position(board, armies, _battles(position, foes, name), fallen=position.fallen)


def _terrain(data: dict[str, list[str]], where: str) -> tuple[str, ...]:
    rows = [list(row) for row in PLAINS]
    for terrain, squares in data.items():
        if terrain not in LETTERS:
            raise CaseError(f"{where}: the terrain “{terrain}” is not known")
        for text in squares:
            square = square_of(text, where)
            rows[square.row][square.column - 1] = LETTERS[terrain]
    return tuple("".join(row) for row in rows)


def _base(data: dict[str, Any], where: str) -> Base:
    keys = ("name", "at", "team", "color", "win", "destroyed")
    keys_of(data, f"{where}, bases", keys, ("name", "at", "team"))
    side = Side(data["team"])
    win = side is Side.PHYREXIA or bool(data.get("win"))
    at = square_of(data["at"], where)
    return Base(data["name"], at, side, data.get("color"), win, bool(data.get("destroyed")))


def _at_home(army: Army, board: Board) -> Army:
    """6.1: a town defender's home is the town on which it starts."""
    return army._replace(home=army.at) if army.faction and army.at in board.town_by_square else army


def _battles(position: Position, foes: dict[str, tuple[str, ...]], name: str) -> tuple[Battle, ...]:
    battles: dict[Square, Battle] = {}
    for army in position.armies:
        for foe in foes[army.name]:
            other = position.by_name.get(foe)
            if other is None or other.at != army.at or not other.is_enemy(army):
                raise CaseError(f"“{name}”, armies: {army.name} can't be fighting “{foe}” on {army.at}")
            there = position.by_square[army.at]
            first = tuple(a.name for a in there if a.side is there[0].side)
            second = tuple(a.name for a in there if a.side is not there[0].side)
            battles[army.at] = Battle(army.at, (first, second))
    return tuple(battles.values())
