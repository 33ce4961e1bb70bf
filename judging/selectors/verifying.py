"""R18, R38: a round recomputed from what was posted, handed in and drawn, and held against what was published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from judging.models import Battle
from judging.selectors.books import book_differences
from judging.selectors.fights import outcome_of, published_strats
from judging.selectors.orders import GivenTurn
from judging.selectors.rounds import position_of
from judging.selectors.skies import sky_of
from judging.selectors.strats import is_as_sent
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules import codec, dice, settlement, weather
from wargame.rules.board import read_square
from wargame.rules.telling import event_to_json


@dataclass(frozen=True, slots=True)
class Verdict:
    """What recomputing a turn gave: the hash of the position that came of it, and what differs; nothing: the same."""

    turn: int
    next_hash: str
    differences: tuple[str, ...]


def verify_round(round: Round) -> Iterator[Verdict]:
    """Every settled turn of a round, oldest first, recomputed from the position that the one before it led to."""
    turns = Turn.objects.filter(round=round, state=TurnState.SETTLED).select_related("round").order_by("number")
    led_to = ""
    for turn in turns:
        broken = (
            ("it does not open with what the turn before led to",) if led_to not in ("", turn.position_hash) else ()
        )
        yield Verdict(turn.number, turn.next_hash, broken + tuple(_differences(turn)))
        led_to = turn.next_hash


def _differences(turn: Turn) -> Iterator[str]:
    if codec.digest(turn.position) != turn.position_hash:
        yield "the position in which it opened"
    if dice.commitment(bytes.fromhex(turn.seed)) != turn.commitment:
        yield "the commitment to its seed"
    before = Turn.objects.filter(round=turn.round_id, number=turn.number - 1).values_list("sky", flat=True).first()
    if weather.sky_from_json(turn.sky) != sky_of(turn.round, turn.number, turn.seed, before or ()):
        yield "the weather over it"
    wrong_with_book = tuple(book_differences(turn.round, turn.number))
    yield from wrong_with_book
    fought = Battle.objects.filter(turn=turn).exclude(state=Battle.State.CANCELLED)
    for battle in fought.select_related("turn__round", "result", "score"):
        yield from _battle_differences(battle, has_book=not wrong_with_book)
    given = GivenTurn(turn)
    settled = settlement.settle(given.position, given.everything(), given.dice())
    if codec.digest(codec.position_to_json(settled.position)) != turn.next_hash:
        yield "the position that came of it"
    if [event_to_json(event) for event in settled.events] != turn.events:
        yield "what happened in it"


def _battle_differences(battle: Battle, has_book: bool) -> Iterator[str]:
    """R38: the commitment, the strats' receipts, and the outcome that score, strats, seed and book give."""
    at = f"the battle on {battle.at}"
    board, sky = position_of(battle.turn).board, weather.sky_from_json(battle.turn.sky)
    square = read_square(battle.at)
    if weather.weather_to_json(weather.weather_at(board, square, sky, battle.turn.number)) != battle.weather:
        yield f"{at}: its weather"
    if dice.commitment(bytes.fromhex(battle.seed)) != battle.commitment:
        yield f"{at}: the commitment to its seed"
    published = battle.result.outcome
    strats = published_strats(battle, published["strats"])
    if strats.keys() != published["strats"].keys():
        yield f"{at}: a strat that counted is gone"
    if any(not is_as_sent(strat) for strat in strats.values()):
        yield f"{at}: a strat is not as its receipt says"
    if has_book and outcome_of(battle, battle.score, strats, published["adjustments"]) != published:
        yield f"{at}: its outcome"
