"""R18, steps 2 to 6: the armies' places while the moves of a turn are worked out."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from functools import cache

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import Step
from wargame.rules.core.position import Army, Position
from wargame.rules.core.rulings import Ruling
from wargame.rules.core.sides import Side
from wargame.rules.moves.commands import Command, Commands, When


class Fate(Enum):
    """The possible results of an army's way this turn."""

    STAYS = "stays"
    ARRIVES = "arrives"
    STOPPED = "stopped by an interceptor"
    PARTIAL = "still to move partially"
    PARTED = "moved partially"
    PUSHED = "pushed"
    RULED = "placed by a judge"


@dataclass(slots=True)
class March:
    """One army's way: `to` is its current end, `route` the squares from its start to there."""

    army: Army
    to: Square
    fate: Fate = Fate.STAYS
    route: tuple[Square, ...] = ()
    paths: int = 0
    command: Command | None = None
    joint: bool = False
    why_partial: str = ""

    @property
    def start(self) -> Square:
        return self.army.at

    @property
    def meant(self) -> Square:
        """The destination of its order."""
        return self.route[-1] if self.route else self.army.at

    @property
    def when(self) -> When:
        """3.3.1: the time of its order; never used for an army without one."""
        return self.command.when if self.command else (0, (0, 0))

    @property
    def distance(self) -> int:
        """3.3.1, R21: the distance from its start to its end."""
        return self.start.distance(self.to)

    def must_part(self, rule: str) -> None:
        """3.3.2: it can't end on its destination; `rule` says why."""
        self.fate = Fate.PARTIAL
        self.why_partial = rule


Ending = dict[Square, list[March]]
"""The armies that end on each square."""


def ending_of(marches: Iterable[March]) -> Ending:
    """The armies by their ends; armies that must still move partially end nowhere yet."""
    squares: Ending = {}
    for march in marches:
        if march.fate is not Fate.PARTIAL:
            squares.setdefault(march.to, []).append(march)
    return squares


@dataclass(slots=True)
class Field:
    """All marches of a turn by army, the dice and the events so far."""

    position: Position
    dice: Dice
    marches: dict[str, March]
    events: list[Event] = field(default_factory=list)
    rulings: tuple[Ruling, ...] = ()

    def ending(self) -> Ending:
        """The armies by their current ends; armies that must still move partially end nowhere yet."""
        return ending_of(self.marches.values())

    def fights(self, march: March) -> bool:
        """R19: an army that fought this turn stays, regardless of the winner."""
        return march.army.name in self.position.battle_of


def set_out(position: Position, commands: Commands, dice: Dice) -> Field:
    """R18, step 2: every army with its route (3.2.2.4, R16)."""
    marches = {army.name: _march(army, commands.get(army.name), dice) for army in position.armies}
    return Field(position, dice, marches)


def orders_alone(position: Position, commands: Commands) -> list[March]:
    """R23: every army as its legal order alone would have it end, without a route, so that nothing is drawn."""
    return [_without_route(army, commands.get(army.name)) for army in position.armies]


def _without_route(army: Army, command: Command | None) -> March:
    if command is None or not isinstance(command.order, Step):
        return March(army, army.at, command=command)
    return March(army, command.order.to, command=command, joint=command.order.suffix == "joint engage")


def _march(army: Army, command: Command | None, dice: Dice) -> March:
    if command is None or not isinstance(command.order, Step):
        return March(army, army.at, command=command)
    step = command.order
    route, paths = _route(army, step, dice)
    fate = Fate.STAYS if len(route) == 1 else Fate.ARRIVES
    return March(army, step.to, fate, route, paths, command, joint=step.suffix == "joint engage")


def _route(army: Army, step: Step, dice: Dice) -> tuple[tuple[Square, ...], int]:
    """3.2.2.4, R16: the given route, or one of the shortest at random, and out of how many."""
    if step.route:
        return step.route, 0
    row, column = step.start
    ways = _ways(step.to.row - row, step.to.column - column)
    path = dice.choose(f"route of {army.name}", ways)
    return tuple([Square(row + rows, column + columns) for rows, columns in path]), len(ways)


@cache
def _ways(rows: int, columns: int) -> tuple[tuple[Square, ...], ...]:
    """R16: the shortest ways to a square that many rows and columns away, relative to their start."""
    return shortest_paths(Square(0, 0), Square(rows, columns))


def shortest_paths(start: Square, to: Square) -> tuple[tuple[Square, ...], ...]:
    """R16: every shortest way from one square to another, north-south steps first."""
    if start == to:
        return ((start,),)
    nexts = []
    if start.row != to.row:
        nexts.append(Square(start.row + (1 if to.row > start.row else -1), start.column))
    if start.column != to.column:
        nexts.append(Square(start.row, start.column + (1 if to.column > start.column else -1)))
    return tuple((start, *path) for step in nexts for path in shortest_paths(step, to))


def sides_on(marches: list[March]) -> set[Side]:
    """R3: the sides of the given armies; only for membership tests."""
    return {march.army.side for march in marches}
