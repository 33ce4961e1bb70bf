"""The one file that knows both rows and rules: rows as a position, and a settled position as rows."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Greatest

from wargame import models
from wargame.bulk import write_rows
from wargame.rules import codec
from wargame.rules.board import Base, Board, Square, Town, read_square
from wargame.rules.control_list import may_control
from wargame.rules.penalties import Penalty
from wargame.rules.position import Army, Position, sorted_armies
from wargame.rules.punishing import punished
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
    died_in = CAST(j.value ->> 8 AS integer), rank = j.value ->> 9, name = j.value ->> 10,
    former = CAST(j.value ->> 11 AS {json}), campaign = CAST(j.value ->> 12 AS {json})
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
        text = turn.__dict__.get("position_text")
        known = codec.position_from_json(json.loads(text) if text else turn.position)
        remember(turn.position_hash, known)
    return known


def played_position(turn: models.Turn, penalties: tuple[Penalty, ...]) -> Position:
    """5.4.1: the map on which a turn is played: as it opened, without the troops that these penalties took."""
    key = f"{turn.position_hash} {penalties!r}"
    known = _positions.get(key)
    if known is None:
        known = punished(position_of_turn(turn), penalties)
        remember(key, known)
    return known


def with_maps_as_text(turns: QuerySet[models.Turn]) -> QuerySet[models.Turn]:
    """Turns for `position_of_turn`, whose map is taken apart only where it is not remembered: that costs as much as to
    settle the turn."""
    return turns.defer("position").annotate(position_text=Cast("position", TextField()))


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
    "colors", "days", "winning_days", "plan", "captivity", "home", "former", "campaign",
)  # fmt: skip


def _army(row: tuple[Any, ...], troops: dict[int, list[Troop]]) -> Army:
    pk, name, side, at, rank, faction, tier, colors, days, winning_days, plan, captivity, home, former, campaign = row
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
        former=tuple(former),
        campaign=codec.campaign_from_json(campaign),
    )


def control_at(round: models.Round, when: datetime) -> dict[str, tuple[str, ...]]:
    """5.2: who controlled each army at a moment: the players' names, sorted, by the army's name and its former ones."""
    rows = models.Control.objects.filter(Q(until__isnull=True) | Q(until__gt=when), round=round, since__lte=when)
    control: dict[str, tuple[str, ...]] = {}
    for army, former, player in rows.order_by("player__name").values_list("army__name", "army__former", "player__name"):
        for name in (army, *former):
            control[name] = (*control.get(name, ()), player)
    return control


def store_changes(turn: models.Turn, before: Position, after: Position, ids: dict[str, int]) -> None:
    """R18: writes what a settlement changed: armies, troops and bases, one statement each.

    `before` is the map on which the turn was played, as the rows have it (5.4.1); `ids` are the rows' keys by the
    armies' names before it. What did not change is not written.
    """
    pairs = [(ids[army.name], army, after.called(army.name)) for army in before.armies]
    changed = [(pk, old, new) for pk, old, new in pairs if old != new]
    write_rows(UPDATE_ARMIES, [_army_row(pk, old, new, turn.number) for pk, old, new in changed])
    troops = [row for pk, old, new in changed if new for row in _troop_rows(turn.round_id, pk, old.troops, new.troops)]
    write_rows(UPSERT_TROOPS, troops)
    for pk, old, new in changed:
        if new and len(new.troops) < len(old.troops):
            models.Troop.objects.filter(army_id=pk, place__gte=len(new.troops)).delete()
    _add_raiders(turn, _raiders_since(before, after))
    _store_bases(turn, before.board, after.board)


def store_troops(turn: models.Turn, army_id: int, before: Army, after: Army) -> None:
    """5.4.1: writes the troops of one army that are not as before."""
    write_rows(UPSERT_TROOPS, list(_troop_rows(turn.round_id, army_id, before.troops, after.troops)))


def _raiders_since(before: Position, after: Position) -> list[Army]:
    """6.3.2: the raiders that appeared in a settlement."""
    return [army for army in after.armies if army.faction and army.name not in before.by_name]


def _add_raiders(turn: models.Turn, raiders: list[Army]) -> None:
    """6.3.2: rows for raiders that appeared; nothing is sent where none did."""
    if not raiders:
        return
    rows = models.Army.objects.bulk_create(
        models.Army(
            round_id=turn.round_id,
            name=army.name,
            side=army.side.value,
            faction=army.faction.value if army.faction else "",
            mercenary_tier=army.mercenary_tier,
            at=str(army.at),
            colors=list(army.colors),
        )
        for army in raiders
    )
    pairs = zip(rows, raiders, strict=True)
    troops = [each for row, army in pairs for each in _troop_rows(turn.round_id, row.pk, (), army.troops)]
    write_rows(UPSERT_TROOPS, troops)


def keys_after(after: Position, ids: dict[str, int]) -> dict[str, int]:
    """2.6: the rows' keys with the names that armies got in a settlement; `ids` has them by the names before it."""
    new = [army for army in after.armies if army.name not in ids]
    renamed = {army.name: ids[old] for army in new for old in army.former if old in ids}
    return ids | renamed if renamed else ids


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
        army.name,
        army.former,
        codec.campaign_to_json(army.campaign),
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
    pairs = [(ids[army.name], army, after.called(army.name)) for army in before.armies]
    ended = [pk for pk, old, new in pairs if new is None or new.side is not old.side]
    if not ended:
        return
    until = Greatest("since", Value(now))
    models.Control.objects.filter(army_id__in=ended, until__isnull=True).update(until=until)
    freed = {
        pk: (new, old.captivity.controllers)
        for pk, old, new in pairs
        if new and old.captivity and new.side is old.captivity.side is not old.side
    }
    people = _people_called(turn.round_id, {name for _, controllers in freed.values() for name in controllers})
    models.Control.objects.bulk_create(
        models.Control(round_id=turn.round_id, army_id=pk, player_id=player, since=now)
        for pk, (army, controllers) in freed.items()
        for player in _who_may(army, controllers, people)
    )


def _people_called(round_id: int, names: set[str]) -> dict[str, tuple[int, str]]:
    """1.6: key and rank of the players who are, or were, called so. Who has left the team is not among them."""
    here = models.Player.objects.filter(round_id=round_id, left_at__isnull=True)
    rows = here.filter(name__in=names).values_list("name", "pk", "rank")
    found = {name: (pk, rank) for name, pk, rank in rows}
    if names - found.keys():
        renamed = here.exclude(former_names=[]).values_list("pk", "rank", "former_names")
        found |= {old: (pk, rank) for pk, rank, former in renamed for old, _ in former if old in names}
    return found


def _who_may(army: Army, controllers: Iterable[str], people: Mapping[str, tuple[int, str]]) -> list[int]:
    """4.5, 5.3.1: the keys of those to whom a liberated army returns: nobody who left or is of a lower rank by now."""
    found = [people[name] for name in controllers if name in people]
    return [pk for pk, rank in found if army.rank and may_control(Rank(rank) if rank else None, army.rank)]


def place_name(board: Board, square: Square) -> str:
    """1.1, 2.5.1.4: the name of the base, portal or town on a square, or nothing."""
    built = board.base_by_square.get(square) or board.town_by_square.get(square)
    return built.name if built else ""


def store_correction(turn: models.Turn, before: Position, old: Position, new: Position, ids: dict[str, int]) -> None:
    """3.3.3: makes the rows that a settlement from `before` to `old` left those that one to `new` would have left."""
    rows = [(ids[army.name], army, old.called(army.name), new.called(army.name)) for army in before.armies]
    changed = [(pk, army, was, now) for pk, army, was, now in rows if was != now]
    write_rows(UPDATE_ARMIES, [_army_row(pk, army, now, turn.number) for pk, army, _, now in changed])
    troops = [(pk, (was or army).troops, (now or army).troops) for pk, army, was, now in changed]
    write_rows(UPSERT_TROOPS, [row for pk, had, has in troops for row in _troop_rows(turn.round_id, pk, had, has)])
    for pk, had, has in troops:
        if len(has) < len(had):
            models.Troop.objects.filter(army_id=pk, place__gte=len(has)).delete()
    _correct_raiders(turn, _raiders_since(before, old), _raiders_since(before, new))
    models.Base.objects.filter(round_id=turn.round_id, destroyed_in=turn.number).update(destroyed_in=None)
    _store_bases(turn, before.board, new.board)


def _correct_raiders(turn: models.Turn, old: list[Army], new: list[Army]) -> None:
    """6.3.2: a raider that would not have appeared was never there; nothing of the round refers to its row yet."""
    gone = [army.name for army in old if army not in new]
    if gone:
        models.Army.objects.filter(round_id=turn.round_id, name__in=gone).delete()
    _add_raiders(turn, [army for army in new if army not in old])


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
    people = _people_called(turn.round_id, names)
    for army in differing:
        after = new.called(army.name)
        if after is None:
            continue
        again: tuple[int, ...] = ()
        if after.side is army.side:
            again = controlled.get(ids[army.name], ())
        elif army.captivity and after.side is army.captivity.side:
            again = tuple(_who_may(after, army.captivity.controllers, people))
        models.Control.objects.bulk_create(
            models.Control(round_id=turn.round_id, army_id=ids[army.name], player_id=player, since=now)
            for player in again
        )


def _belongs(position: Position, name: str) -> Side | None:
    """1.1: the side that an army is of; None if it is dead."""
    army = position.called(name)
    return army.side if army else None


def _grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found
