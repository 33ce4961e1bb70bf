"""2.5.2.3: the judge drops the armies near their bases: a proposal that he moves and accepts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.db import transaction

from judging.armies.models import Muster
from judging.game.errors import Refused
from judging.setup.draws import dice_of, held_draws
from judging.setup.models import ArmySetup, RoundSetup
from judging.setup.steps.placement import board_of, mustered, placed_armies, plans_of, square_of, starter_of
from judging.setup.steps.sites import is_revealed
from judging.setup.writes import held_setup, save_step
from wargame.models import Judge, Round
from wargame.rules.armies.placement import drop_armies
from wargame.rules.core.board import Square, read_square

STEP = "placement"
LONGEST_SQUARE = 20
"""Signs of what is typed for a square, beyond which it is told by its beginning."""


@transaction.atomic
def drop_all(*, round: Round, judge: Judge, keep: Mapping[int, str] | None, base_version: int, now: datetime) -> int:
    """2.5.2.3: a square for every accepted army; those that have one among the typed squares that are to `keep` stay
    there. How many were moved.

    Mercenaries stay where they are. Refused before the bases are public.
    """
    setup = _open(round, judge, base_version)
    draws, armies = held_draws(round, judge, now), mustered(round)
    draws.placed += 1
    fixed = {army.name: at for army in armies if (at := read_typed(army.name, (keep or {}).get(army.pk, "")))}
    fixed |= {f"{plan.lot}\n": at for plan in plans_of(round) if (at := square_of(plan.at))}
    starters = [starter_of(army) for army in armies]
    dropped = drop_armies(board_of(round), starters, fixed, dice_of(draws), draws.placed)
    squares = {one.name: one.at for one in dropped}
    moved = _store(armies, {army.pk: squares.get(army.name) for army in armies})
    _propose(setup, draws, judge, now, dropped=moved, draw=draws.placed)
    return moved


@transaction.atomic
def place_armies(*, round: Round, judge: Judge, squares: Mapping[int, str], base_version: int, now: datetime) -> int:
    """2.5.2.3, R1: puts armies, by their musters' keys, on the squares that the judge typed; empty: on none.

    Refused for what is no square of the map. What else is wrong with a square is listed, and kept all the same.
    """
    setup = _open(round, judge, base_version)
    moved = _store_typed(round, squares)
    if moved:
        _propose(setup, held_draws(round, judge, now), judge, now, moved=moved)
    return moved


@transaction.atomic
def accept_placement(
    *, round: Round, judge: Judge, squares: Mapping[int, str], base_version: int, now: datetime
) -> None:
    """2.5.2.3: the squares as they are typed are decided on, until one is changed. Refused while a rule speaks against
    one."""
    setup = _open(round, judge, base_version)
    _store_typed(round, squares)
    armies = placed_armies(round, board_of(round))
    if not armies:
        raise Refused("No army is accepted yet.", "2.5.2.2")
    for fault in (fault for army in armies for fault in army.faults if fault.is_breach):
        raise Refused(fault.sentence, fault.cites)
    draws = held_draws(round, judge, now)
    draws.placed_at = now
    draws.save()
    save_step(setup, STEP, judge, now, accepted=len(armies))


def read_typed(name: str, text: str) -> Square | None:
    """R1, 1.2: a square as a judge typed it. Refused for what is none, or not on the map."""
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST_SQUARE:
        raise Refused(f"{name}: “{text[:LONGEST_SQUARE]}…” is not a square; write one like 3D.", "1.2", name)
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{name}: {str(error).removesuffix(' (1.2)')}.", "1.2", name) from None
    if not square.on_map:
        raise Refused(f"{name}: {square} is not on the map, which ends at 38 and at N.", "1.2", name)
    return square


def _open(round: Round, judge: Judge, base_version: int) -> RoundSetup:
    setup = held_setup(round, judge, STEP, base_version)
    if not is_revealed(setup):
        raise Refused("Armies are placed once the bases are public.", "2.5.2.3")
    return setup


def _store_typed(round: Round, squares: Mapping[int, str]) -> int:
    armies = [army for army in mustered(round) if army.pk in squares]
    return _store(armies, {army.pk: read_typed(army.name, squares[army.pk]) for army in armies})


def _store(armies: Iterable[Muster], squares: Mapping[int, Square | None]) -> int:
    """Writes the squares that are not as before; how many there were."""
    changed = [army for army in armies if army.at != _text(squares[army.pk])]
    for army in changed:
        army.at = _text(squares[army.pk])
        army.save(update_fields=["at"])
    return len(changed)


def _text(square: Square | None) -> str:
    return str(square) if square else ""


def _propose(setup: RoundSetup, draws: ArmySetup, judge: Judge, now: datetime, **data: object) -> None:
    draws.placed_at = None
    draws.save()
    save_step(setup, STEP, judge, now, **data)
