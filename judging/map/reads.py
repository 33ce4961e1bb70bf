"""1.2: the map of a turn, its version, and what stands on a square. All of it is public."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

from judging.armies.reads import TroopsView, troops_view
from judging.battles.models import Battle as BattleRow
from judging.drawing.arrows import DRAWN
from judging.drawing.crests import short_side
from judging.drawing.map import battle_words, building_words, draw, name_of_place
from judging.game.rounds import turn_by_number
from wargame.models import Player, Turn
from wargame.models.choices import TurnState
from wargame.rules.core.board import Square
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.telling.telling import tell_all


@dataclass(frozen=True)
class BattleLine:
    """4.1: a battle that is fought this turn, in words: `Bob attacks Sai Rei`. `id` is its page's, if it has one."""

    id: int | None
    at: str
    place: str
    attacked: bool
    words: str
    armies: tuple[Army, ...]


@dataclass(frozen=True)
class SideLine:
    """1.7: how a side stands: its armies, troops and bases."""

    side: str
    name: str
    armies: int
    troops: int
    strength: int
    standing: int
    built: int


@dataclass(frozen=True)
class SquareView:
    """1.2: a square with what is built there and who stands there."""

    at: str
    place: str
    building: str
    armies: tuple[tuple[Army, TroopsView, str], ...]


def map_version(turn: Turn) -> str:
    """A short name of everything that the map page shows; a new one when the turn, its stage, its times or its
    penalties change."""
    hashes = (turn.position_hash, turn.penalties, turn.next_hash)
    parts = [turn.pk, turn.number, turn.state, *hashes, turn.deadline.isoformat(), turn.lock_at.isoformat()]
    return hashlib.sha256("|".join(map(str, parts)).encode()).hexdigest()[:16]


def map_of(turn: Turn, position: Position) -> dict[str, Any]:
    """A position of a turn as what is drawn, with arrows for the moves: its own once it is settled, else the last."""
    told = turn if turn.state == TurnState.SETTLED else turn_by_number(turn.round, turn.number - 1)
    events = [event for event in told.events if event["kind"] in DRAWN] if told else []
    return draw(position, tell_all(events))


def battles_in(position: Position, turn: Turn) -> list[BattleLine]:
    """4.1: the battles that are fought this turn, as they are announced."""
    fought = BattleRow.objects.filter(turn=turn).exclude(state=BattleRow.State.CANCELLED)
    ids = dict(fought.values_list("at", "pk"))
    return [_battle_line(position, battle, ids.get(str(battle.at))) for battle in position.battles]


def sides_in(position: Position) -> list[SideLine]:
    """1.7: the sides that have an army or a base, the teams first."""
    sides = {army.side for army in position.armies} | {base.side for base in position.board.bases}
    return [_side_line(position, side) for side in sorted(sides, key=lambda side: (not side.is_team, side.value))]


def square_view(position: Position, square: Square) -> SquareView:
    """1.2: a square of the map. The square must be on it."""
    armies = tuple(
        (army, troops_view(army.troops), battle_words(position, army.name))
        for army in position.by_square.get(square, ())
    )
    place = name_of_place(position.board, square)
    return SquareView(str(square), place, building_words(position.board, square), armies)


def own_armies(player: Player | None) -> list[str]:
    """5.2.1: the names of the armies that a player controls now."""
    if player is None:
        return []
    controls = player.controls.filter(until__isnull=True, army__died_in__isnull=True)
    return list(controls.order_by("army__name").values_list("army__name", flat=True))


def _battle_line(position: Position, battle: Battle, row: int | None) -> BattleLine:
    first = battle.sides[1 if battle.defends == 0 else 0]
    return BattleLine(
        id=row,
        at=str(battle.at),
        place=name_of_place(position.board, battle.at).partition(", ")[2],
        attacked=battle.defends is not None,
        words=f"{' and '.join(first)} {battle_words(position, first[0])}",
        armies=tuple(position.by_name[name] for name in battle.armies),
    )


def _side_line(position: Position, side: Any) -> SideLine:
    armies = [army for army in position.armies if army.side is side]
    bases = [base for base in position.board.bases if base.side is side]
    troops = [troop for army in armies for troop in army.troops]
    return SideLine(
        side=side.value,
        name=short_side(side),
        armies=len(armies),
        troops=sum(troop.alive for troop in troops),
        strength=sum(troop.of for troop in troops),
        standing=sum(not base.destroyed for base in bases),
        built=len(bases),
    )
