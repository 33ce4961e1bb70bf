"""3.2.3: who fights whom where an army crosses another one's square, and what is told of it."""

import pytest

from wargame.rules.core.board import PLAINS, Board, Square, read_square
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import Intercept, Move, Order, Step
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import PostedLine, TurnInput
from wargame.rules.moves.events import Intercepted, MovedPartially, PassedBy
from wargame.rules.settlement import Moves, carry_out

RANKS = {Side.COALITION: Rank.CAPTAIN, Side.PHYREXIA: Rank.EVINCAR}


def squares(text: str) -> tuple[Square, ...]:
    return tuple(map(read_square, text.split()))


def going(text: str, engage: str | None = None) -> Move:
    """A move along a route, onto an army if one is named."""
    route = squares(text)
    return Move((Step(route[0], route[-1], route, "engage" if engage else None, engage),))


ACROSS = ("Gaz", Side.PHYREXIA, going("8G 9G 10G 11G"))
"""Gaz crosses 10G, two steps from where he starts."""

ANA = ("Ana", Side.COALITION, "10G", Intercept("Gaz"))


def dice(seed: int = 0) -> Dice:
    return turn_dice(f"seed {seed}".encode(), "crossings", 1)


def moved(*ordered: tuple[str, Side, Move] | tuple[str, Side, str, Order], seed: int = 0) -> Moves:
    """The moves of armies with their orders, posted one after the other; a move tells where its army stands."""
    armies, lines = [], []
    for place, (name, side, *where, order) in enumerate(ordered, 1):
        at = read_square(str(where[0])) if where else order.steps[0].start  # type: ignore[union-attr]
        armies.append(Army(name, side, at, RANKS[side], troops=(Troop(1, "Elf", 9, 9),)))
        lines.append(PostedLine(name, name, order, place, text=name))  # type: ignore[arg-type]
    position = Position(Board(PLAINS), sorted_armies(armies))
    control = {army.name: (army.name,) for army in armies}
    return carry_out(position, TurnInput(tuple(lines), control), dice(seed))


def crossings(moves: Moves) -> list[Event]:
    return [event for event in moves.events if isinstance(event, Intercepted | PassedBy)]


def test_an_intercepted_army_stops_on_the_interceptors_square() -> None:
    """3.2.3.1."""
    moves = moved(ANA, ACROSS)
    start, at, meant = squares("8G 10G 11G")

    assert crossings(moves) == [Intercepted("Gaz", "Ana", start, meant, at)]
    assert moves.places["Gaz"] == at


def test_a_friend_who_comes_to_the_square_is_no_rival() -> None:
    """3.2.3.2: only who engages the interceptor contends for him."""
    moves = moved(ANA, ACROSS, ("Bea", Side.COALITION, going("10H 10G")))
    start, at, meant = squares("8G 10G 11G")

    assert crossings(moves) == [Intercepted("Gaz", "Ana", start, meant, at)]


def test_a_nearer_enemy_that_engages_fights_and_the_other_moves_on() -> None:
    """3.2.3.2."""
    moves = moved(ANA, ACROSS, ("Hex", Side.PHYREXIA, going("10H 10G", "Ana")))

    assert crossings(moves) == [PassedBy("Gaz", "Ana", read_square("10G"), ("Hex",), drawn=False)]
    assert (moves.places["Gaz"], moves.places["Hex"]) == squares("11G 10G")


def test_a_farther_enemy_that_engages_moves_partially() -> None:
    """3.2.3.2."""
    moves = moved(ANA, ACROSS, ("Hex", Side.PHYREXIA, going("10J 10I 10H 10G", "Ana")))
    start, at, meant = squares("8G 10G 11G")

    assert crossings(moves) == [Intercepted("Gaz", "Ana", start, meant, at, ("Hex",), drawn=False)]
    assert [event.army for event in moves.events if isinstance(event, MovedPartially)] == ["Hex"]


@pytest.mark.parametrize("seed", range(8))
def test_a_tie_is_drawn(seed: int) -> None:
    """3.2.3.2, R38: by a draw with the interceptor's name; a 1 is for the one that crosses."""
    moves = moved(ANA, ACROSS, ("Hex", Side.PHYREXIA, going("10I 10H 10G", "Ana")), seed=seed)
    start, at, meant = squares("8G 10G 11G")

    stops = dice(seed).roll("who fights Ana", 2) == 1
    told = Intercepted("Gaz", "Ana", start, meant, at, ("Hex",), drawn=True)
    assert crossings(moves) == [told if stops else PassedBy("Gaz", "Ana", at, ("Hex",), drawn=True)]


def test_crossings_after_as_many_steps_are_told_by_who_crosses() -> None:
    """R20."""
    other = ("Zed", Side.COALITION, "10L", Intercept("Abe"))
    moves = moved(ANA, ACROSS, other, ("Abe", Side.PHYREXIA, going("8L 9L 10L 11L")))

    assert [getattr(event, "army", "") for event in crossings(moves)] == ["Abe", "Gaz"]
