"""docs/develop/cases.md: the board, the armies and the battles at the start of a case."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from wargame.cases.reading import CaseError, Colors, CreatureColors, Four, Slot, built, of_team, read
from wargame.rules.core.board import PLAINS, TERRAINS, Base, Board, Square, Town
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop
from wargame.rules.settling.bases import fallen_teams

LETTERS = {name: letter for letter, name in TERRAINS.items()}


class BaseTable(NamedTuple):
    name: str
    at: Square
    team: Side
    color: str | None = None
    win: bool = False
    destroyed: bool = False


class BoardTable(NamedTuple):
    """A board: plains everywhere and nothing built, unless it says otherwise."""

    terrain: Mapping[str, list[Square]] = {}
    bases: list[BaseTable] = []
    towns: list[Town] = []


class TroopTable(NamedTuple):
    """A creature in full. Without `of`, a creature alone in its slot has the slot's strength."""

    slot: Slot
    creature: str
    alive: int
    color: CreatureColors = ()
    of: int | None = None
    size: str = ""
    types: tuple[str, ...] = ("Creature",)


def _troops(value: object, where: str) -> list[TroopTable] | Four:
    """2.1: troops as four numbers or in full."""
    if isinstance(value, list) and value and isinstance(value[0], Mapping):
        return read(list[TroopTable], value, where)
    return read(tuple[int, int, int, int], value, where)


class ArmyTable(NamedTuple):
    """An army. `strength` is the maximum of each slot, `troops` those alive (None: all), `fighting` its opponents
    this turn."""

    name: str
    team: Side
    at: Square
    troops: Annotated[list[TroopTable] | Four | None, _troops] = None
    rank: Rank | None = None
    faction: Faction | None = None
    colors: Colors = ()
    strength: Four = SLOT_MAXIMUM
    days: int = 0
    fighting: tuple[str, ...] = ()


def army_from_case(data: object, where: str = "armies") -> tuple[Army, tuple[str, ...]]:
    """One entry of `armies`: the army, and the names under `fighting`. CaseError names the key."""
    return read_army(data, where)


def _army(table: ArmyTable) -> tuple[Army, tuple[str, ...]]:
    """1.1, 6: a team's army has a rank of that team, a mercenary a faction; its home is its square."""
    is_team, title = table.team.is_team, table.rank if table.team.is_team else table.faction
    if title is None or (table.faction if is_team else table.rank):
        key, other = ("rank", "faction") if is_team else ("faction", "rank")
        raise CaseError(f"an army of {table.team.title} has a {key} and no {other}")
    army = Army(
        name=table.name,
        side=table.team,
        at=table.at,
        rank=of_team(table.rank, table.team) if table.rank else None,
        faction=table.faction,
        colors=table.colors,
        troops=_troops_of(table),
        days=table.days,
        home=None if is_team else table.at,
    )
    return army, table.fighting


read_army = built(ArmyTable, _army)
Armies = list[Annotated[tuple[Army, tuple[str, ...]], read_army]]


def _board(table: BoardTable) -> Board:
    rows = [list(row) for row in PLAINS]
    for terrain, squares in table.terrain.items():
        if terrain not in LETTERS:
            raise CaseError(f"terrain: the terrain “{terrain}” is not known")
        for square in squares:
            rows[square.row][square.column - 1] = LETTERS[terrain]
    bases = tuple(base._replace(win=base.win or base.team is Side.PHYREXIA) for base in table.bases)
    return Board(tuple("".join(row) for row in rows), tuple(Base(*base) for base in bases), tuple(table.towns))


BoardOfCase = Annotated[Board, built(BoardTable, _board)]
PLAIN = Board(PLAINS)


def position_of(board: Board, read_armies: list[tuple[Army, tuple[str, ...]]]) -> Position:
    """The position of a case, with the battles that `fighting` names. CaseError names the army."""
    armies = sorted_armies([_at_home(army, board) for army, _ in read_armies])
    if len({army.name.lower() for army in armies}) < len(armies):
        raise CaseError("armies: two armies have the same name")
    position = Position(board, armies, fallen=fallen_teams(board))
    foes = {army.name: fighting for army, fighting in read_armies}
    return Position(board, armies, _battles(position, foes), fallen=position.fallen)


def _at_home(army: Army, board: Board) -> Army:
    """6.1: a town defender's home is the town on which it starts."""
    return army._replace(home=army.at) if army.faction and army.at in board.town_by_square else army


def _battles(position: Position, foes: Mapping[str, tuple[str, ...]]) -> tuple[Battle, ...]:
    battles: dict[Square, Battle] = {}
    for army in position.armies:
        for foe in foes[army.name]:
            other = position.by_name.get(foe)
            if other is None or other.at != army.at or not other.is_enemy(army):
                raise CaseError(f"armies: {army.name} can't be fighting “{foe}” on {army.at}")
            there = position.by_square[army.at]
            first = tuple(a.name for a in there if a.side is there[0].side)
            second = tuple(a.name for a in there if a.side is not there[0].side)
            battles[army.at] = Battle(army.at, (first, second))
    return tuple(battles.values())


def _troops_of(table: ArmyTable) -> tuple[Troop, ...]:
    if isinstance(table.troops, list):
        slots = [troop.slot for troop in table.troops]
        return tuple(_troop(troop, table, slots.count(troop.slot) > 1) for troop in table.troops)
    alive_by_slot = table.strength if table.troops is None else table.troops
    numbers = zip(SLOTS, alive_by_slot, table.strength, strict=True)
    return tuple(_living(Troop(slot, "", alive, total, anonymous=True), table.days) for slot, alive, total in numbers)


def _troop(troop: TroopTable, army: ArmyTable, shares_slot: bool) -> Troop:
    if troop.of is None and shares_slot:
        raise CaseError(
            f"troops: {troop.creature}: of: creatures that share slot {troop.slot} must say how many they were"
        )
    total = army.strength[troop.slot - 1] if troop.of is None else troop.of
    read_troop = Troop(troop.slot, troop.creature, troop.alive, total, troop.color, troop.size, troop.types)
    return _living(read_troop, army.days)


def _living(troop: Troop, days: int) -> Troop:
    """R32: missing troops were lost before the first of the army's days, so they have waited one already."""
    if troop.alive > troop.of:
        label = troop.creature or f"slot {troop.slot}"
        raise CaseError(f"troops: {label}: {troop.alive} can't be alive of {troop.of}")
    return troop._replace(rested=troop.missing if days else 0)
