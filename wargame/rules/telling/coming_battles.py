"""R25, R26: the battles from the moves alone: R18's steps 1 to 6, before any army leaves an old battle."""

from collections.abc import Mapping
from dataclasses import dataclass

from wargame.rules.core.board import Square
from wargame.rules.core.position import Army, Position
from wargame.rules.core.saying import counted, said
from wargame.rules.core.wording import listed
from wargame.rules.settling.engagements import by_side, stood_first, survivors
from wargame.rules.settling.events import coming_attack

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ComingBattle:
    """Enemies that end their moves on one square. `defends` is the index of a side, None without attacker (R25).

    `dying` have no troops left and are killed at once (R26); `is_fought` says whether a battle is left then. In a
    battle of this turn, `rest_of` are those who fight there: it is not known yet which of them stay on the square
    (R19).
    """

    at: Square
    sides: tuple[Names, Names]
    defends: int | None
    dying: Names = ()
    is_fought: bool = True
    rest_of: Names = ()

    @property
    def cites(self) -> str:
        if self.rest_of:
            return "R25 R19"
        return "R25 4.3.1" if self.dying else "R25"

    @property
    def sentence(self) -> str:
        """The attacker, the attacked, and the armies that would die before."""
        if self.rest_of:
            return counted(
                "%(armies)s will attack the survivors of the battle between %(rest)s on %(at)s.",
                "%(armies)s will attack the survivors of the battle between %(rest)s on %(at)s.",
                len(self.sides[1]),
                armies=listed(self.sides[1]),
                rest=listed(self.rest_of),
                at=self.at,
            )
        met = f"{coming_attack(self.sides, self.defends, self.at)}."
        if not self.dying:
            return met
        dead = counted(
            "With no troops left, %(armies)s will die right away.",
            "With no troops left, %(armies)s will die right away.",
            len(self.dying),
            armies=listed(self.dying),
        )
        none = said("No battle will take place.")
        return f"{met} {dead}" if self.is_fought else f"{met} {dead} {none}"


def coming_battles(position: Position, places: Mapping[str, Square]) -> tuple[ComingBattle, ...]:
    """R25, R79: from west to east, then from north to south. `places` are the squares on which the armies end their
    moves; an army that is not in it stays. The troops that transfers take from an army are not known yet (R68)."""
    squares: dict[Square, list[Army]] = {}
    for army in position.armies:
        squares.setdefault(places.get(army.name, army.at), []).append(army)
    crowded = sorted((square for square, there in squares.items() if len(there) > 1), key=lambda s: (s.column, s.row))
    battles = (_on(position, square, squares[square]) for square in crowded)
    return tuple(one for one in battles if one)


def _on(position: Position, square: Square, there: list[Army]) -> ComingBattle | None:
    """The result of the armies that end on a square, in their state before the moves."""
    fighting = [army for army in there if army.name in position.battle_of]
    if fighting:
        arrivals = tuple(army.name for army in there if army not in fighting)
        rest = tuple(army.name for army in fighting)
        return ComingBattle(square, (rest, arrivals), 0, rest_of=rest) if arrivals else None
    sides = by_side(there)
    if len(sides) != 2:
        return None
    defends = stood_first(sides, lambda army: army.at == square)
    first, second = (tuple(army.name for army in side) for side in sides)
    living = survivors(sides, defends)
    if all(living):
        defends = stood_first(living, lambda army: army.at == square)
    alive = {army.name for side in living for army in side}
    dying = tuple(name for name in (*first, *second) if name not in alive)
    return ComingBattle(square, (first, second), defends, dying, is_fought=all(living))
