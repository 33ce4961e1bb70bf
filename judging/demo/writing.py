"""3.2.2.5, R9: orders as different people type them."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from wargame.rules.core.board import Square
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.moves.marches import shortest_paths


@dataclass(frozen=True)
class Hand:
    """How somebody types: his arrow, his separator, what he puts before a line, and his other habits."""

    arrow: str
    separator: str
    before: str
    lower_case: bool
    letter_first: bool
    leaves_off_own_name: bool
    likes_routes: bool
    hold: str
    in_battle: str

    def write(self, army: str, order: Order, own: str, rng: Random) -> str:
        """A line that is read as that order; `own` is the army whose name may be left off (R10)."""
        action = self._action(order, rng)
        name = "" if self.leaves_off_own_name and army == own else f"{army}: "
        line = f"{name}{action}"
        return self.before + (line.lower() if self.lower_case else line)

    def _action(self, order: Order, rng: Random) -> str:
        match order:
            case Move(steps):
                return self._square(steps[0].start) + "".join(self._step(step, order, rng) for step in steps)
            case Intercept(target):
                return f"intercept {target}"
            case Transfer(target, at):
                return f"transfer to {target} at {self._square(at)}"
            case Hold():
                return self.hold
            case InBattle():
                return self.in_battle

    def _step(self, step: Step, move: Move, rng: Random) -> str:
        suffix = " ".join(word for word in (step.suffix, step.target) if word)
        route = step.route
        if self.likes_routes and route is None and len(move.steps) == 1 and step.start.distance(step.to) in (2, 3):
            route = rng.choice(shortest_paths(step.start, step.to))
        way = f" ({' - '.join(map(self._square, route))})" if route else ""
        return f"{self.arrow}{self._square(step.to)}{way}{self.separator if suffix else ''}{suffix}"

    def _square(self, square: Square) -> str:
        text = str(square)
        return text[-1] + text[:-1] if self.letter_first else text


def hand_of(player: str) -> Hand:
    """The player's own hand, the same in every post."""
    rng = Random(f"{player}, by hand")
    return Hand(
        arrow=rng.choice((" > ", " > ", " > ", ">", " -> ", " → ")),
        separator=rng.choice(("; ", "; ", ", ")),
        before=rng.choice(("", "", "", "- ")),
        lower_case=rng.random() < 0.2,
        letter_first=rng.random() < 0.2,
        leaves_off_own_name=rng.random() < 0.5,
        likes_routes=rng.random() < 0.2,
        hold=rng.choice(("hold", "hold", "no move", "stay")),
        in_battle=rng.choice(("in battle", "fighting", "cannot move")),
    )
