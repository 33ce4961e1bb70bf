"""R48: what a mercenary decides, with the guideline that it follows and what else it considered."""

from __future__ import annotations

from typing import Literal, NamedTuple

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Roll
from wargame.rules.core.orders import Hold, InBattle, Move, Step, write_action
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction

Course = Literal["fights", "stays", "moves", "engages", "disbands"]
"""What a mercenary does with its turn."""

RULINGS = {
    Faction.TOWN_DEFENDER: "R50",
    Faction.THEME: "R51",
    Faction.OCEAN_THEME: "R51",
    Faction.RAIDER: "R52",
}
"""R50 to R52: the ruling that says how a faction's guidelines are read."""


class Considered(NamedTuple):
    """Something that the mercenary might have done, and why it does not."""

    what: str
    why_not: str


class Decision(NamedTuple):
    """R48: what a mercenary does by the guidelines, worked out from the map before the moves.

    `cites` is the guideline, `ruling` how it is read, `why` the sentence for everybody. `step` is its move, None
    where it stays. `draws` are what decided between equals.
    """

    army: str
    faction: Faction
    at: Square
    course: Course
    cites: str
    why: str
    step: Step | None = None
    considered: tuple[Considered, ...] = ()
    draws: tuple[Roll, ...] = ()

    @property
    def ruling(self) -> str:
        return RULINGS[self.faction]

    @property
    def ends_on(self) -> Square:
        """Where the mercenary means to be after the moves."""
        return self.step.to if self.step else self.at

    @property
    def action(self) -> str:
        """R9: the order as it would be posted, without the army's name; a word for what no player can order."""
        if self.step:
            return write_action(Move((self.step,)))
        if self.course == "disbands":
            return "disband"
        return write_action(InBattle() if self.course == "fights" else Hold())


def staying(army: Army, faction: Faction, cites: str, why: str, considered: tuple[Considered, ...] = ()) -> Decision:
    """The decision not to move."""
    return Decision(army.name, faction, army.at, "stays", cites, why, None, considered)


def moving(
    army: Army, faction: Faction, to: Square, cites: str, why: str, considered: tuple[Considered, ...] = ()
) -> Decision:
    """The decision to move to an empty square."""
    return Decision(army.name, faction, army.at, "moves", cites, why, Step(army.at, to), considered)


def engaging(
    army: Army, faction: Faction, enemy: Army, cites: str, why: str, considered: tuple[Considered, ...] = ()
) -> Decision:
    """The decision to attack."""
    step = Step(army.at, enemy.at, None, "engage", enemy.name)
    return Decision(army.name, faction, army.at, "engages", cites, why, step, considered)
