"""R38: the names of a turn's draws (docs/play/verify/dice.md), in the reader's language."""

from collections import Counter
from collections.abc import Mapping, Set

from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.phrases import Phrases, phrase_in


class Draw(Phrases):
    """The names under which a turn draws. They go into the dice unchanged; only descriptions are translated."""

    ROUTE = "route of {army}"
    RETREAT = "retreat of {army}"
    PUSHED = "where {army} is pushed"
    TAKEN = "where {army} is taken"
    LEAVES = "who leaves {square}"
    FIRST = "who leaves {square} first"
    STRAT = "whose strat counts on {square}"
    CAPTOR = "who captured {army}"
    LOT = "lot of {army}"
    ASIDE = "where {army} moves aside"
    PATROL = "patrol of {army}"
    TARGET = "target of {army}"
    WAY = "way of {army}"
    GOAL = "goal of {army}"
    PREY = "prey of {army}"
    DEFENDERS = "place {place:d} among the town defenders"
    THEMES = "place {place:d} among the theme armies"
    RAIDERS = "place {place:d} among the raiders"
    WAR = "war over {army}"


def told_draw(name: str) -> str:
    """R38: a draw's name in words; an unknown name is returned unchanged."""
    return phrase_in(Draw, name).text


LOTS = 1_000_000


def by_lot(dice: Dice, goals: Mapping[str, Set[Square]]) -> list[str]:
    """R22, R77: the armies in their order, but those that want the same square as another come last, in the order of
    their lots."""
    claims = Counter(square for squares in goals.values() for square in squares)
    rivals = [name for name, squares in goals.items() if any(claims[square] > 1 for square in squares)]
    lots = {name: dice.roll(Draw.LOT.value.format(army=name), LOTS) for name in rivals}
    return sorted(goals, key=lambda name: lots.get(name, 0))
