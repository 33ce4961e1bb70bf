"""The one file that knows both rows and rules: rows as a position, and a settled position as rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q

from wargame import models
from wargame.bulk import write_rows
from wargame.rules import codec
from wargame.rules.board import Base, Board, Square, Town, read_square
from wargame.rules.position import Army, Position, sorted_armies
from wargame.rules.sides import Faction, Rank, Side
from wargame.rules.troops import Troop

REMEMBERED = 64
"""How many positions a process keeps: the maps that are looked at."""

_positions: dict[str, Position] = {}

UPDATE_ARMIES = """
UPDATE wargame_army SET
    side = j.value ->> 1, at = j.value ->> 2, colors = CAST(j.value ->> 3 AS {json}),
    days = CAST(j.value ->> 4 AS integer), winning_days = CAST(j.value ->> 5 AS integer),
    plan = CAST(j.value ->> 6 AS {json}), captivity = CAST(j.value ->> 7 AS {json}),
    died_in = CAST(j.value ->> 8 AS integer), rank = j.value ->> 9
FROM {rows} AS j
WHERE wargame_army.id = CAST(j.value ->> 0 AS bigint)
"""

UPSERT_TROOPS = """
INSERT INTO wargame_troop (round_id, army_id, place, slot, creature, colors, size, types, alive, "of", rested)
SELECT CAST(j.value ->> 0 AS bigint), CAST(j.value ->> 1 AS bigint), CAST(j.value ->> 2 AS integer),
    CAST(j.value ->> 3 AS integer), j.value ->> 4, CAST(j.value ->> 5 AS {json}), j.value ->> 6,
    CAST(j.value ->> 7 AS {json}), CAST(j.value ->> 8 AS integer), CAST(j.value ->> 9 AS integer),
    CAST(j.value ->> 10 AS integer)
FROM {rows} AS j WHERE true
ON CONFLICT (army_id, place) DO UPDATE SET
    slot = excluded.slot, creature = excluded.creature, colors = excluded.colors, size = excluded.size,
    types = excluded.types, alive = excluded.alive, "of" = excluded."of", rested = excluded.rested
"""


def position_of_turn(turn: models.Turn) -> Position:
    """The map as the turn opened, from the turn's own JSON; remembered by its hash."""
    known = _positions.get(turn.position_hash)
    if known is None:
        known = codec.position_from_json(turn.position)
        remember(turn.position_hash, known)
    return known


def remember(position_hash: str, position: Position) -> None:
    """Keeps a position for `position_of_turn`, in the place of the one that was kept first."""
    while len(_positions) >= REMEMBERED:
        _positions.pop(next(iter(_positions)), None)
    _positions[position_hash] = position


def load_position(round: models.Round) -> Position:
    """The round as its rows are now. What has no rows (battles, transits, fallen) is of the last turn."""
    keys = ("battles", "transits", "fallen", "won_by")
    last = models.Turn.objects.filter(round=round).order_by("-number")
    parts = last.values(*(f"position__{key}" for key in keys)).first() or {}
    plain: codec.Json = {"terrain": [], "bases": [], "towns": [], "armies": []}
    plain |= {key: parts.get(f"position__{key}", []) for key in keys}
    return replace(codec.position_from_json(plain), board=_load_board(round), armies=_load_armies(round))


def _load_board(round: models.Round) -> Board:
    bases = models.Base.objects.filter(round=round).order_by("pk")
    towns = models.Town.objects.filter(round=round).order_by("pk")
    return Board(
        tuple(round.terrain.split()),
        tuple(
            Base(name, read_square(at), Side(side), color or None, win, destroyed_in is not None)
            for name, at, side, color, win, destroyed_in in bases.values_list(
                "name", "at", "side", "color", "win", "destroyed_in"
            )
        ),
        tuple(Town(name, read_square(at)) for name, at in towns.values_list("name", "at")),
    )


def _load_armies(round: models.Round) -> tuple[Army, ...]:
    """2.1: the living armies with their troops, in two statements."""
    troops: dict[int, list[Troop]] = {}
    rows = models.Troop.objects.filter(round=round).order_by("army_id", "place")
    for army, slot, creature, alive, of, colors, size, types, rested in rows.values_list(
        "army_id", "slot", "creature", "alive", "of", "colors", "size", "types", "rested"
    ):
        troop = Troop(slot, creature, alive, of, tuple(colors), size, tuple(types), rested)
        troops.setdefault(army, []).append(troop)
    armies = models.Army.objects.filter(round=round, died_in__isnull=True)
    return sorted_armies([_army(row, troops) for row in armies.values_list(*_ARMY_FIELDS)])


_ARMY_FIELDS = (
    "pk", "name", "side", "at", "rank", "faction", "mercenary_tier",
    "colors", "days", "winning_days", "plan", "captivity", "home",
)  # fmt: skip


def _army(row: tuple[Any, ...], troops: dict[int, list[Troop]]) -> Army:
    pk, name, side, at, rank, faction, tier, colors, days, winning_days, plan, captivity, home = row
    return Army(
        name=name,
        side=Side(side),
        at=read_square(at),
        rank=Rank(rank) if rank else None,
        faction=Faction(faction) if faction else None,
        mercenary_tier=tier,
        colors=tuple(colors),
        troops=tuple(troops.get(pk, ())),
        days=days,
        winning_days=winning_days,
        plan=codec.plan_from_json(plan),
        captivity=codec.captivity_from_json(captivity),
        home=read_square(home) if home else None,
    )


def control_at(round: models.Round, when: datetime) -> dict[str, tuple[str, ...]]:
    """5.2: who controlled each army at a moment: the players' names, sorted, by the army's name."""
    rows = models.Control.objects.filter(Q(until__isnull=True) | Q(until__gt=when), round=round, since__lte=when)
    control: dict[str, tuple[str, ...]] = {}
    for army, player in rows.order_by("player__name").values_list("army__name", "player__name"):
        control[army] = (*control.get(army, ()), player)
    return control


def store_changes(turn: models.Turn, before: Position, after: Position, ids: dict[str, int]) -> None:
    """R18: writes what a settlement changed: armies, troops and bases, one statement each.

    `ids` are the rows' keys by the armies' names. What did not change is not written.
    """
    pairs = [(ids[army.name], army, after.by_name.get(army.name)) for army in before.armies]
    changed = [(pk, old, new) for pk, old, new in pairs if old != new]
    write_rows(UPDATE_ARMIES, [_army_row(pk, old, new, turn.number) for pk, old, new in changed])
    troops = [row for pk, old, new in changed if new for row in _troop_rows(turn.round_id, pk, old.troops, new.troops)]
    write_rows(UPSERT_TROOPS, troops)
    for pk, old, new in changed:
        if new and len(new.troops) < len(old.troops):
            models.Troop.objects.filter(army_id=pk, place__gte=len(new.troops)).delete()
    _store_bases(turn, before.board, after.board)


def _army_row(pk: int, old: Army, new: Army | None, turn_number: int) -> list[Any]:
    """An army's row of `UPDATE_ARMIES`; a dead one (None) loses its square and keeps the rest."""
    army = new or old._replace(plan=None)
    plan, captivity = codec.plan_to_json(army.plan), codec.captivity_to_json(army.captivity)
    at, died_in = (str(army.at), None) if new else ("", turn_number)
    rank = army.rank.value if army.rank else ""
    return [
        pk,
        army.side.value,
        at,
        army.colors,
        army.days,
        army.winning_days,
        plan,
        captivity,
        died_in,
        rank,
    ]


def _troop_rows(round_id: int, army_id: int, old: tuple[Troop, ...], new: tuple[Troop, ...]) -> Iterable[list[Any]]:
    """The rows of `UPSERT_TROOPS` for an army: those of its troops that are not as before."""
    for place, troop in enumerate(new):
        if place < len(old) and old[place] == troop:
            continue
        what = [troop.slot, troop.creature, troop.colors, troop.size, troop.types]
        yield [round_id, army_id, place, *what, troop.alive, troop.of, troop.rested]


def _store_bases(turn: models.Turn, before: Board, after: Board) -> None:
    """1.7.1: the bases that fell this turn."""
    standing = {base.name for base in before.bases if not base.destroyed}
    fallen = [base.name for base in after.bases if base.destroyed and base.name in standing]
    if fallen:
        rows = models.Base.objects.filter(round_id=turn.round_id, name__in=fallen)
        rows.update(destroyed_in=turn.number)


def store_control(turn: models.Turn, before: Position, after: Position, ids: dict[str, int], now: datetime) -> None:
    """4.3, 4.5, R40: nobody controls a dead or captured army; a liberated one is its old controllers' again."""
    pairs = [(ids[army.name], army, after.by_name.get(army.name)) for army in before.armies]
    ended = [pk for pk, old, new in pairs if new is None or new.side is not old.side]
    if not ended:
        return
    models.Control.objects.filter(army_id__in=ended, until__isnull=True).update(until=now)
    freed = {
        pk: old.captivity.controllers
        for pk, old, new in pairs
        if new and old.captivity and new.side is old.captivity.side is not old.side
    }
    names = {name for controllers in freed.values() for name in controllers}
    players = dict(models.Player.objects.filter(round_id=turn.round_id, name__in=names).values_list("name", "pk"))
    models.Control.objects.bulk_create(
        models.Control(round_id=turn.round_id, army_id=pk, player_id=players[name], since=now)
        for pk, controllers in freed.items()
        for name in controllers
    )


def place_name(board: Board, square: Square) -> str:
    """1.1, 2.5.1.4: the name of the base, portal or town on a square, or nothing."""
    built = board.base_by_square.get(square) or board.town_by_square.get(square)
    return built.name if built else ""


def store_correction(turn: models.Turn, before: Position, old: Position, new: Position, ids: dict[str, int]) -> None:
    """3.3.3: makes the rows that a settlement from `before` to `old` left those that one to `new` would have left."""
    rows = [(ids[army.name], army, old.by_name.get(army.name), new.by_name.get(army.name)) for army in before.armies]
    changed = [(pk, army, was, now) for pk, army, was, now in rows if was != now]
    write_rows(UPDATE_ARMIES, [_army_row(pk, army, now, turn.number) for pk, army, _, now in changed])
    troops = [(pk, (was or army).troops, (now or army).troops) for pk, army, was, now in changed]
    write_rows(UPSERT_TROOPS, [row for pk, had, has in troops for row in _troop_rows(turn.round_id, pk, had, has)])
    for pk, had, has in troops:
        if len(has) < len(had):
            models.Troop.objects.filter(army_id=pk, place__gte=len(has)).delete()
    models.Base.objects.filter(round_id=turn.round_id, destroyed_in=turn.number).update(destroyed_in=None)
    _store_bases(turn, before.board, new.board)


def correct_control(
    turn: models.Turn, before: Position, old: Position, new: Position, ids: dict[str, int], now: datetime
) -> None:
    """3.3.3: who controls the armies that died or changed sides in one settlement and not in the other.

    Whoever controls them now does so no longer. Who did when the turn was settled does again, where it would not have
    ended; a liberated army is its old controllers' (4.5), a captured or dead one nobody's.
    """
    differing = [army for army in before.armies if _belongs(old, army.name) != _belongs(new, army.name)]
    keys = [ids[army.name] for army in differing]
    ended = models.Control.objects.filter(army_id__in=keys, until=turn.settled_at)
    controlled = {pk: tuple(found) for pk, found in _grouped(ended.values_list("army_id", "player_id")).items()}
    models.Control.objects.filter(army_id__in=keys, until__isnull=True).update(until=now)
    names = {name for army in differing if army.captivity for name in army.captivity.controllers}
    players = dict(models.Player.objects.filter(round_id=turn.round_id, name__in=names).values_list("name", "pk"))
    for army in differing:
        after = new.by_name.get(army.name)
        if after is None:
            continue
        again: tuple[int, ...] = ()
        if after.side is army.side:
            again = controlled.get(ids[army.name], ())
        elif army.captivity and after.side is army.captivity.side:
            again = tuple(players[name] for name in army.captivity.controllers)
        models.Control.objects.bulk_create(
            models.Control(round_id=turn.round_id, army_id=ids[army.name], player_id=player, since=now)
            for player in again
        )


def _belongs(position: Position, name: str) -> Side | None:
    """1.1: the side that an army is of; None if it is dead."""
    army = position.by_name.get(name)
    return army.side if army else None


def _grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
