"""3.3.2: partial moves."""

import heapq
from typing import Literal

from wargame.rules.core.board import RANGE, Square, nearest_free, squares_at
from wargame.rules.core.dice import Dice
from wargame.rules.core.draws import Draw
from wargame.rules.core.sides import Side
from wargame.rules.moves.events import MovedPartially
from wargame.rules.moves.marches import Ending, Fate, Field, March

How = Literal["back", "caught", "aside", "stays"]


def work_out_partial_moves(field: Field) -> None:
    """3.3.2, R24: after all armies that meant to enter a square; among partial moves the earlier order first.

    Each army is put into the queue at most once, so the loop ends after as many rounds as there are armies.
    """
    queue = [(march.when, name) for name, march in field.marches.items() if march.fate is Fate.PARTIAL]
    heapq.heapify(queue)
    ending = field.ending()
    while queue:
        march = field.marches[heapq.heappop(queue)[1]]
        to, how = _find(field.dice, march, ending)
        if how == "stays":
            for friend in _friends_that_entered(march, ending):
                friend.must_part("3.3.2")
                ending[march.start].remove(friend)
                heapq.heappush(queue, (friend.when, friend.army.name))
        part(field, march, to, how, ending)


def part(field: Field, march: March, to: Square, how: How, ending: Ending) -> None:
    """3.3.2: put an army on the end of its partial move."""
    event = MovedPartially(march.army.name, march.start, march.meant, to, march.why_partial, how)
    field.events.append(event)
    march.to, march.fate, march.joint = to, Fate.PARTED, False
    ending.setdefault(to, []).append(march)


def part_one(field: Field, march: March, rule: str) -> None:
    """R26: a partial move after all others, when no other army can make room."""
    march.must_part(rule)
    ending = field.ending()
    to, how = _find(field.dice, march, ending)
    part(field, march, to, how, ending)


def _find(dice: Dice, march: March, ending: Ending) -> tuple[Square, How]:
    """R24: back along the route, else the free square nearest to the destination, else its own, even if occupied. Of
    equally near squares one is drawn.

    The destination itself is excluded, though it may be empty when two pairs came too late for it (3.2.5.4).
    """
    for square in reversed(march.route[:-1]):
        if not ending.get(square) and square != march.meant:
            return square, "back"
        if square == march.start and _is_caught(march, ending[square]):
            return square, "caught"
    candidates = (s for steps in range(RANGE + 1) for s in squares_at(march.start, steps))
    free = [s for s in candidates if not ending.get(s) and s != march.meant]
    if free:
        away = [(s.distance(march.meant), s.distance(march.start)) for s in free]
        nearest = min(away)
        options = [s for s, distances in zip(free, away, strict=True) if distances == nearest]
    elif _friends_that_entered(march, ending):
        options = []
    else:
        options = list(nearest_free(march.start, {square for square, there in ending.items() if there}))
    if not options:
        return march.start, "stays"
    return dice.choose(Draw.ASIDE.value.format(army=march.army.name), options), "aside"


def _is_caught(march: March, there: list[March]) -> bool:
    """R24: an enemy of one side meant to enter its start, and did."""
    sides = {other.army.side for other in there}
    entered = all(other.fate in (Fate.ARRIVES, Fate.STOPPED) for other in there)
    return entered and len(sides) == 1 and march.army.side not in sides


def _friends_that_entered(march: March, ending: Ending) -> list[March]:
    """R24: friends that meant to enter its square; empty if any other army is there."""
    there = ending.get(march.start, [])
    side: Side = march.army.side
    if all(other.army.side is side and other.fate is Fate.ARRIVES for other in there):
        return list(there)
    return []
