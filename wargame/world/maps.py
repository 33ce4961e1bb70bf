"""1.2: rows as a position, and a turn's own map."""

import json
import logging
from dataclasses import replace
from typing import Any

from django.db import DatabaseError
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from wargame.models import Army, Base, Round, Town, Troop, Turn
from wargame.rules.core import board, codec, position, troops
from wargame.rules.core.board import Board, Square, read_square
from wargame.rules.core.position import Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.turn import Penalty
from wargame.rules.settling.punishing import punished

REMEMBERED = 64
"""The number of positions that a process caches: the maps on view."""

UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError)
"""The exceptions from reading damaged JSON."""

logger = logging.getLogger(__name__)

_positions: dict[str, Position] = {}


class DamagedMap(Exception):
    """A turn's stored map can't be read, and its rows don't give it either."""

    def __init__(self, turn: Turn) -> None:
        super().__init__(f"the map of turn {turn.number}")
        self.number = turn.number


def position_of_turn(turn: Turn) -> Position:
    """The map as the turn opened, from the turn's own JSON; cached by its hash. A damaged one comes from the rows of
    armies and bases, as long as they give the same hash: until the turn is settled. Raises DamagedMap otherwise."""
    cached = _positions.get(turn.position_hash)
    if cached is None:
        try:
            cached = stored_position(turn)
        except UNREADABLE:
            logger.error("The map of turn %d of “%s” can't be read.", turn.number, turn.round)
            cached = _position_by_rows(turn)
        remember(turn.position_hash, cached)
    return cached


def stored_position(turn: Turn) -> Position:
    """The map in the turn's JSON. Raises one of UNREADABLE where that is damaged."""
    text = turn.__dict__.get("position_text")
    return codec.position_from_json(json.loads(text) if text else turn.position)


def _position_by_rows(turn: Turn) -> Position:
    try:
        result = load_position(turn.round)
    except (*UNREADABLE, DatabaseError):  # SQLite looks into damaged JSON only when it is asked for a part of it
        raise DamagedMap(turn) from None
    if codec.digest(codec.position_to_json(result)) != turn.position_hash:
        raise DamagedMap(turn)
    return result


def played_position(turn: Turn, penalties: tuple[Penalty, ...]) -> Position:
    """5.4.1: the map on which a turn is played: as it opened, without the troops that these penalties took."""
    key = f"{turn.position_hash} {penalties!r}"
    cached = _positions.get(key)
    if cached is None:
        cached = punished(position_of_turn(turn), penalties)
        remember(key, cached)
    return cached


def with_maps_as_text(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    """Turns for `position_of_turn`, whose map is only parsed if it is not cached: that costs as much as to settle
    the turn."""
    return turns.defer("position").annotate(position_text=Cast("position", TextField()))


def remember(position_hash: str, position: Position) -> None:
    """Cache a position for `position_of_turn`, replacing the oldest one."""
    while len(_positions) >= REMEMBERED:
        _positions.pop(next(iter(_positions)), None)
    _positions[position_hash] = position


def load_position(round: Round) -> Position:
    """The round in the current state of its rows. Parts without rows (battles, transits, fallen) are of the last
    turn."""
    keys = ("battles", "transits", "fallen", "won_by")
    last = Turn.objects.filter(round=round).order_by("-number")
    parts = last.values(*(f"position__{key}" for key in keys)).first() or {}
    plain: codec.Json = {"terrain": [], "bases": [], "towns": [], "armies": []}
    plain |= {key: parts.get(f"position__{key}", []) for key in keys}
    return replace(codec.position_from_json(plain), board=load_board(round), armies=_load_armies(round))


def place_name(board: Board, square: Square) -> str:
    """1.1, 2.5.1.4: the name of the base, portal or town on a square, or empty."""
    built = board.base_by_square.get(square) or board.town_by_square.get(square)
    return built.name if built else ""


def load_board(round: Round) -> Board:
    """1.1, 1.2: the map with its bases and towns in the current state of their rows."""
    bases = Base.objects.filter(round=round).order_by("pk")
    towns = Town.objects.filter(round=round).order_by("pk")
    return Board(
        tuple(round.terrain.split()),
        tuple(
            board.Base(name, read_square(at), Side(side), color or None, win, destroyed_in is not None)
            for name, at, side, color, win, destroyed_in in bases.values_list(
                "name", "at", "side", "color", "win", "destroyed_in"
            )
        ),
        tuple(board.Town(name, read_square(at)) for name, at in towns.values_list("name", "at")),
    )


def _load_armies(round: Round) -> tuple[position.Army, ...]:
    """2.1: the living armies with their troops, in two statements."""
    by_army: dict[int, list[troops.Troop]] = {}
    rows = Troop.objects.filter(round=round).order_by("army_id", "place")
    for army, slot, creature, alive, total, colors, size, types, rested, loss in rows.values_list(
        "army_id", "slot", "creature", "alive", "of", "colors", "size", "types", "rested", "lost_in_day"
    ):
        troop = troops.Troop(slot, creature, alive, total, tuple(colors), size, tuple(types), rested, lost_in_day=loss)
        by_army.setdefault(army, []).append(troop)
    armies = Army.objects.filter(round=round, died_in__isnull=True)
    return sorted_armies([_army(row, by_army) for row in armies.values_list(*_ARMY_FIELDS)])


_ARMY_FIELDS = (
    "pk", "name", "side", "at", "rank", "faction", "mercenary_tier",
    "colors", "days", "winning_days", "plan", "captivity", "home", "former", "campaign", "sent",
)  # fmt: skip


def _army(row: tuple[Any, ...], by_army: dict[int, list[troops.Troop]]) -> position.Army:
    pk, name, side, at, rank, faction, tier, colors, days, winning_days, plan, captivity, home, *rest = row
    former, campaign, sent_counts = rest
    return position.Army(
        name=name,
        side=Side(side),
        at=read_square(at),
        rank=Rank(rank) if rank else None,
        faction=Faction(faction) if faction else None,
        mercenary_tier=tier,
        colors=tuple(colors),
        troops=tuple(by_army.get(pk, ())),
        days=days,
        winning_days=winning_days,
        plan=codec.plan_from_json(plan),
        captivity=codec.captivity_from_json(captivity),
        home=read_square(home) if home else None,
        former=tuple(former),
        campaign=codec.campaign_from_json(campaign),
        sent=tuple(sent_counts),
    )
