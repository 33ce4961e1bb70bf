"""Other programs that resolve orders. `make bench-peers` installs them; without them their rows say “absent”."""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

FOLDER = Path(__file__).resolve().parents[2] / "var" / "peers"
PHASES = 12
KINDS = (60, 25, 15)
"""How many of a hundred orders are moves, supports and holds."""


def look_in_folder() -> None:
    """Allow imports of peers that `make bench-peers` installed; those of the environment come first."""
    if FOLDER.is_dir() and str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))


def diplomacy() -> Callable[[], float] | None:
    """diplomacy 1.1.2: `set_orders` and `process` of the movement phases of a game with random legal orders."""
    look_in_folder()
    try:
        from diplomacy import Game
    except ImportError:
        return None

    def play() -> float:
        game, random, spent, orders = Game(), Random(1), 0.0, 0
        for _ in range(PHASES):
            order_lines = _diplomacy_orders(game, random)
            is_movement = game.get_current_phase().endswith("M")
            start = perf_counter()
            for power, lines in order_lines.items():
                game.set_orders(power, lines)
            game.process()
            if is_movement:
                spent += perf_counter() - start
                orders += sum(map(len, order_lines.values()))
        return spent / orders

    return play


def _diplomacy_orders(game: Any, random: Random) -> dict[str, list[str]]:
    possible = game.get_all_possible_orders()
    return {
        power: [_pick(possible[at], random) for at in game.get_orderable_locations(power) if possible[at]]
        for power in game.powers
    }


def _pick(options: list[str], random: Random) -> str:
    marker = random.choices((" - ", " S ", " H"), KINDS)[0]
    return random.choice([o for o in options if marker in o and (marker == " S " or " S " not in o)] or options)


def pydip() -> Callable[[], float] | None:
    """pydip 0.1.8: create commands and call `resolve_turn` for the first turn of a game, with random moves."""
    look_in_folder()
    try:
        from pydip.map.predefined.vanilla_dip import generate_map, generate_starting_player_units
        from pydip.player.command.command import MoveCommand
        from pydip.player.helpers import unit_can_enter
        from pydip.player.player import Player
        from pydip.turn.resolve import resolve_turn
    except ImportError:
        return None

    board, random = generate_map(), Random(1)
    moves = []
    for name, units in generate_starting_player_units().items():
        starts = [{"territory_name": unit.position, "unit_type": unit.unit_type} for unit in units]
        player = Player(name, board, sorted(starts, key=lambda start: start["territory_name"]))
        for unit in player.units:
            reachable = [at for at in board.adjacency[unit.position] if unit_can_enter(board, unit, board.name_map[at])]
            moves.append((player, unit, random.choice(sorted(reachable))))

    def play() -> float:
        start_time = perf_counter()
        resolve_turn(board, [MoveCommand(*one) for one in moves])
        return (perf_counter() - start_time) / len(moves)

    return play
