"""R18, steps 7 to 11: the armies after the moves, while a turn is settled."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.events import Event
from wargame.rules.core.position import Army, Battle, Position, Transit
from wargame.rules.moves.marches import Field
from wargame.rules.settling.events import Killed


@dataclass(slots=True)
class Scene:
    """The state of the settlement so far. `armies` are the living ones by name, in the order of their names;
    `fallen` those that were killed in this settlement, in their last state; `squares` has the names of the armies on
    each square, `new_names` the armies' names from the unlock on (2.6), and `fresh_losses` the losses of each troop
    in this turn, in any way (R32)."""

    before: Position
    dice: Dice
    armies: dict[str, Army]
    moves: Field
    control: Mapping[str, tuple[str, ...]]
    events: list[Event] = field(default_factory=list)
    won: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    pushed_onto: set[str] = field(default_factory=set)
    fallen: dict[str, Army] = field(default_factory=dict)
    fresh_losses: dict[str, tuple[int, ...]] = field(default_factory=dict)
    battles: list[Battle] = field(default_factory=list)
    transits: list[Transit] = field(default_factory=list)
    new_names: dict[str, str] = field(default_factory=dict)
    squares: dict[Square, list[str]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        for army in self.armies.values():
            self.squares.setdefault(army.at, []).append(army.name)

    def on(self, square: Square) -> list[Army]:
        """The armies on a square, in the order of their names."""
        return [self.armies[name] for name in sorted(self.squares.get(square, ()))]

    def change(self, name: str, **changes: object) -> Army:
        """Replace the army of that name by one with some fields changed."""
        before = self.armies[name]
        army = self.armies[name] = before._replace(**changes)  # type: ignore[arg-type]
        if army.at != before.at:
            self._vacate(before)
            self.squares.setdefault(army.at, []).append(name)
        return army

    def lose(self, name: str, falls: Iterable[int]) -> None:
        """R32: add to the army's losses in this turn, troop by troop in the order of its list."""
        before = self.fresh_losses.get(name, ())
        self.fresh_losses[name] = tuple(map(sum, zip_longest(before, falls, fillvalue=0)))

    def add(self, army: Army) -> None:
        """6.3.2: put a new army on the map."""
        self.armies[army.name] = army
        self.squares.setdefault(army.at, []).append(army.name)

    def remove(self, name: str) -> None:
        """6.3.2: take an army off the map that was not killed."""
        self._vacate(self.armies.pop(name))

    def kill(self, name: str, by: tuple[str, ...], cites: str) -> None:
        """4.3: take a killed army off the map."""
        army = self.fallen[name] = self.armies.pop(name)
        self._vacate(army)
        self.events.append(Killed(name, army.at, by, cites))

    def stood_before(self, army: Army) -> bool:
        """R25: whether an army was on its square before the moves."""
        return self.before.by_name[army.name].at == army.at

    def is_attacked(self, name: str) -> bool:
        """1.5: whether an army is in one of the new battles."""
        return any(name in battle.armies for battle in self.battles)

    def _vacate(self, army: Army) -> None:
        names = self.squares[army.at]
        names.remove(army.name)
        if not names:
            del self.squares[army.at]


def scene_of(moves: Field, control: Mapping[str, tuple[str, ...]]) -> Scene:
    """The scene after R18's steps 1 to 6."""
    armies = {
        name: march.army if march.to == march.start else march.army._replace(at=march.to)
        for name, march in moves.marches.items()
    }
    return Scene(moves.position, moves.dice, armies, moves, control)
