"""Floors: the least that must be done, without reasons, citations, events or care. Nothing else is this simple."""

import re
from random import Random

from scripts.bench.turns import Posted

LINE = re.compile(r"([^:]+): (\d+)([A-N]) > (\d+)([A-N])(?:; (engage|replace) (.+))?")
RANGE = 3


def read_lines(posted: Posted) -> list[tuple[str, int, int, int, int]]:
    """Moves as (army, row, column, row, column); lines other than moves of one step are left out."""
    moves = []
    for line in (line for _, text in posted.posts for line in text.split("\n")):
        if move_match := LINE.fullmatch(line):
            name, start, start_row, to, to_row, _, _ = move_match.groups()
            moves.append((name, ord(start_row) - 65, int(start), ord(to_row) - 65, int(to)))
    return moves


def read_and_carry_out(posted: Posted) -> dict[str, tuple[int, int]]:
    """The final squares: the nearest of a side's claimants gets the square, the others stay."""
    places: dict[str, tuple[int, int]] = {}
    sides = {}
    for army in posted.position.armies:
        places[army.name] = army.at.row, army.at.column
        sides[army.name] = army.side
    claims: dict[tuple[int, int], list[tuple[int, str]]] = {}
    for name, row, column, to_row, to_column in read_lines(posted):
        steps = abs(row - to_row) + abs(column - to_column)
        if name in places and places[name] == (row, column) and 0 < steps <= RANGE:
            claims.setdefault((to_row, to_column), []).append((steps, name))
    after = dict(places)
    for square, claimants in claims.items():
        placed_sides = set()
        for _, name in sorted(claimants):
            if sides[name] not in placed_sides:
                placed_sides.add(sides[name])
                after[name] = square
    return after


def fight(alive: tuple[list[int], list[int]], bonus: tuple[int, int], random: Random) -> tuple[int, list[list[int]]]:
    """Four dice a side and losses of some percent."""
    dice = [[random.randint(1, 20) + bonus[side] for _ in range(4)] for side in (0, 1)]
    leads = [first - second for first, second in zip(*dice, strict=True)]
    won = sum(lead > 0 for lead in leads) - sum(lead < 0 for lead in leads) or sum(leads)
    winner = 0 if won >= 0 else 1
    losses = [[number * (6 if side == winner else 12) // 100 for number in alive[side]] for side in (0, 1)]
    return winner, losses
