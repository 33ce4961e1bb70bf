"""6: the mercenaries' view of the map before the moves, and the decision of one of them."""

from collections.abc import Callable, Iterable
from functools import cache, cached_property
from typing import Literal, NamedTuple

from wargame.rules.core.board import RANGE, Square, squares_at
from wargame.rules.core.dice import Dice, Roll
from wargame.rules.core.orders import Hold, InBattle, Move, Step, write_action
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction, Side
from wargame.rules.core.troops import slot_size
from wargame.rules.mercenaries.reasoning import Course, Why

Allowed = Callable[[Square], bool]


@cache
def around(square: Square, steps: int) -> tuple[Square, ...]:
    """The squares of the map within that many steps, the square itself first, then the nearest ones, row by row."""
    return tuple(other for distance in range(steps + 1) for other in squares_at(square, distance))


@cache
def disc(square: Square, steps: int) -> frozenset[Square]:
    """The squares up to that many steps away, as a set; `around` has them in order."""
    return frozenset(around(square, steps))


@cache
def reach(square: Square) -> tuple[Square, ...]:
    """3.2.2.1: the squares of the map that are 1 to 3 steps away, the nearest first, row by row."""
    return around(square, RANGE)[1:]


def might_of(army: Army) -> int:
    """R50, R52, R62: how strong an army is: each living troop counts the size of its slot (2.1).

    The size bonus of battles (4.2.2) is secret; the mercenaries' measure is for everybody to recompute.
    """
    base_size = slot_size(army.tier, 0)
    return sum([troop.alive * (base_size + troop.slot) for troop in army.troops])


def soldiers_of(army: Army) -> int:
    """6.1.1: the living troops of an army."""
    return sum([troop.alive for troop in army.troops])


def nearest_to(goal: Square, squares: list[Square]) -> list[Square]:
    distance = min([goal.distance(square) for square in squares], default=0)
    return [square for square in squares if goal.distance(square) == distance]


class Outlook:
    """R3, R48: the position, and the squares that mercenaries have claimed so far, each by its claimant's name.

    No two mercenaries choose one square, and none chooses one that another occupies, even if that one leaves.
    """

    def __init__(self, position: Position, dice: Dice, claims: dict[Square, str]) -> None:
        self.position = position
        self.board = position.board
        self.dice = dice
        self.claims = claims
        self._might: dict[str, int] = {}

    def might(self, army: Army) -> int:
        """R50, R52: how strong an army is; cached."""
        value = self._might.get(army.name)
        if value is None:
            value = self._might[army.name] = might_of(army)
        return value

    @cached_property
    def teams(self) -> tuple[Army, ...]:
        """1.1: the armies of the teams, by name."""
        return tuple([army for army in self.position.armies if army.side is not Side.MERCENARY])

    def free(self, squares: Iterable[Square], army: Army) -> list[Square]:
        """The squares that are empty now, and to which no other mercenary is going."""
        occupied, claims, name = self.position.by_square, self.claims, army.name
        return [s for s in squares if s not in occupied and (s not in claims or claims[s] == name)]

    def within(self, square: Square, steps: int) -> list[Army]:
        """The armies of the teams within that many steps, the nearest first, row by row."""
        by_square = self.position.by_square
        groups = [by_square[at] for at in around(square, steps) if at in by_square]
        return [army for armies in groups for army in armies if army.side is not Side.MERCENARY]

    def why_not_engaged(self, army: Army, enemy: Army) -> Phrase | None:
        """R3, R22: the obstacle to entering an enemy's square at all; None if there is none."""
        if enemy.name in self.position.battle_of:
            return Why.FIGHTING()
        if self.claims.get(enemy.at, army.name) != army.name:
            return Why.CLAIMED(claimant=self.claims[enemy.at])
        return None

    def toward(self, army: Army, goal: Square, allowed: Allowed = lambda square: True) -> Square | None:
        """The free square in reach that is nearest to a goal, and nearer than the army is now; ties are drawn."""
        nearer = disc(goal, army.at.distance(goal) - 1)
        options = [square for square in reach(army.at) if square in nearer and allowed(square)]
        options = nearest_to(goal, self.free(options, army))
        return self.dice.choose(f"way of {army.name}", options) if options else None

    def nearest(self, army: Army, goals: Iterable[Army], draw: str) -> Army:
        """The nearest of some armies; ties are drawn."""
        goals = list(goals)
        distance = min(army.at.distance(goal.at) for goal in goals)
        equal = [goal for goal in goals if army.at.distance(goal.at) == distance]
        return self.dice.choose(f"{draw} of {army.name}", equal)


Does = Literal["fights", "stays", "moves", "engages", "disbands"]
"""The kinds of decisions."""

RULINGS = {
    Faction.TOWN_DEFENDER: "R50",
    Faction.THEME: "R51",
    Faction.OCEAN_THEME: "R51",
    Faction.RAIDER: "R52",
}
"""R50 to R52: the ruling that interprets a faction's guidelines."""


class Considered(NamedTuple):
    what: Phrase
    why_not: Phrase


class Decision(NamedTuple):
    """R48: a mercenary's decision by the guidelines, from the map before the moves.

    `cites` is the guideline, `ruling` its interpretation, `why` its public reason. `step` is its move, None if it
    stays. `draws` are the draws between equals.
    """

    army: str
    faction: Faction
    at: Square
    course: Does
    cites: str
    why: Phrase
    step: Step | None = None
    considered: tuple[Considered, ...] = ()
    draws: tuple[Roll, ...] = ()

    @property
    def ruling(self) -> str:
        return RULINGS[self.faction]

    @property
    def ends_on(self) -> Square:
        """The intended square after the moves."""
        return self.step.to if self.step else self.at

    @property
    def action(self) -> str:
        """R9: the order in the form of a post, without the army's name; a word for decisions that no player can
        order."""
        if self.step:
            return write_action(Move((self.step,)))
        if self.course == "disbands":
            return "disband"
        return write_action(InBattle() if self.course == "fights" else Hold())


def not_engaging(enemy: Army, why_not: Phrase) -> Considered:
    return Considered(Course.ENGAGE(army=enemy.name), why_not)


def staying(army: Army, faction: Faction, cites: str, why: Phrase, considered: tuple[Considered, ...] = ()) -> Decision:
    return Decision(army.name, faction, army.at, "stays", cites, why, None, considered)


def moving(
    army: Army, faction: Faction, to: Square, cites: str, why: Phrase, considered: tuple[Considered, ...] = ()
) -> Decision:
    """The decision to move to an empty square."""
    return Decision(army.name, faction, army.at, "moves", cites, why, Step(army.at, to), considered)


def engaging(
    army: Army, faction: Faction, enemy: Army, cites: str, why: Phrase, considered: tuple[Considered, ...] = ()
) -> Decision:
    step = Step(army.at, enemy.at, None, "engage", enemy.name)
    return Decision(army.name, faction, army.at, "engages", cites, why, step, considered)
