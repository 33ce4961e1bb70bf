"""R18, 3.3.3: the changes by a settlement or a correction, as rows."""

from collections.abc import Iterable
from typing import NamedTuple

from wargame.models import Army, Base, Troop, Turn
from wargame.rules.core import codec, position, troops
from wargame.rules.core.board import Board
from wargame.rules.core.position import Position
from wargame.world.bulk import by_name, write_rows


class ArmyRow(NamedTuple):
    """A row of `UPDATE_ARMIES`, with JSON columns as plain values; `id` is the army's key."""

    id: int
    side: str
    at: str
    colors: tuple[str, ...]
    days: int
    winning_days: int
    plan: codec.Json | None
    captivity: codec.Json | None
    died_in: int | None
    rank: str
    name: str
    former: tuple[str, ...]
    campaign: codec.Json | None
    sent: tuple[int, ...]


class TroopRow(NamedTuple):
    """A row of `UPSERT_TROOPS`."""

    round_id: int
    army_id: int
    place: int
    slot: int
    creature: str
    colors: tuple[str, ...]
    size: str
    types: tuple[str, ...]
    alive: int
    of: int
    rested: int
    lost_in_day: int


UPDATE_ARMIES = by_name(
    ArmyRow,
    """
UPDATE wargame_army SET
    side = :side, at = :at, colors = CAST(:colors AS {json}), days = CAST(:days AS integer),
    winning_days = CAST(:winning_days AS integer), plan = CAST(:plan AS {json}),
    captivity = CAST(:captivity AS {json}), died_in = CAST(:died_in AS integer), rank = :rank, name = :name,
    former = CAST(:former AS {json}), campaign = CAST(:campaign AS {json}), sent = CAST(:sent AS {json})
FROM {rows} AS j
WHERE wargame_army.id = CAST(:id AS bigint)
""",
)

UPSERT_TROOPS = by_name(
    TroopRow,
    """
INSERT INTO wargame_troop (
    round_id, army_id, place, slot, creature, colors, size, types, alive, "of", rested, lost_in_day
)
SELECT CAST(:round_id AS bigint), CAST(:army_id AS bigint), CAST(:place AS integer), CAST(:slot AS integer), :creature,
    CAST(:colors AS {json}), :size, CAST(:types AS {json}), CAST(:alive AS integer), CAST(:of AS integer),
    CAST(:rested AS integer), CAST(:lost_in_day AS integer)
FROM {rows} AS j WHERE true
ON CONFLICT (army_id, place) DO UPDATE SET
    slot = excluded.slot, creature = excluded.creature, colors = excluded.colors, size = excluded.size,
    types = excluded.types, alive = excluded.alive, "of" = excluded."of", rested = excluded.rested,
    lost_in_day = excluded.lost_in_day
""",
)


def store_changes(turn: Turn, before: Position, after: Position, ids: dict[str, int]) -> None:
    """R18: write the changes by a settlement: armies, troops and bases, one statement each.

    `before` is the map on which the turn was played, as the rows have it (5.4.1); `ids` are the rows' keys by the
    armies' names before it. Unchanged rows are not written.
    """
    pairs = [(ids[army.name], army, after.called(army.name)) for army in before.armies]
    changed = [(pk, old, new) for pk, old, new in pairs if old != new]
    write_rows(UPDATE_ARMIES, [_army_row(pk, old, new, turn.number) for pk, old, new in changed])
    troops = [row for pk, old, new in changed if new for row in _troop_rows(turn.round_id, pk, old.troops, new.troops)]
    write_rows(UPSERT_TROOPS, troops)
    for pk, old, new in changed:
        if new and len(new.troops) < len(old.troops):
            Troop.objects.filter(army_id=pk, place__gte=len(new.troops)).delete()
    _add_raiders(turn, _raiders_since(before, after))
    _store_bases(turn, before.board, after.board)


def store_troops(turn: Turn, army_id: int, before: position.Army, after: position.Army) -> None:
    """5.4.1: write the changed troops of one army."""
    write_rows(UPSERT_TROOPS, list(_troop_rows(turn.round_id, army_id, before.troops, after.troops)))


def store_correction(turn: Turn, before: Position, old: Position, new: Position, ids: dict[str, int]) -> None:
    """3.3.3: turn the rows left by a settlement from `before` to `old` into those of one to `new`."""
    rows = [(ids[army.name], army, old.called(army.name), new.called(army.name)) for army in before.armies]
    changed = [(pk, army, was, now) for pk, army, was, now in rows if was != now]
    write_rows(UPDATE_ARMIES, [_army_row(pk, army, now, turn.number) for pk, army, _, now in changed])
    troops = [(pk, (was or army).troops, (now or army).troops) for pk, army, was, now in changed]
    write_rows(UPSERT_TROOPS, [row for pk, prev, has in troops for row in _troop_rows(turn.round_id, pk, prev, has)])
    for pk, prev, has in troops:
        if len(has) < len(prev):
            Troop.objects.filter(army_id=pk, place__gte=len(has)).delete()
    _correct_raiders(turn, _raiders_since(before, old), _raiders_since(before, new))
    Base.objects.filter(round_id=turn.round_id, destroyed_in=turn.number).update(destroyed_in=None)
    _store_bases(turn, before.board, new.board)


def keys_after(after: Position, ids: dict[str, int]) -> dict[str, int]:
    """2.6: the rows' keys with the armies' names after a settlement; `ids` has them by the names before it."""
    new = [army for army in after.armies if army.name not in ids]
    renamed = {army.name: ids[old] for army in new for old in army.former if old in ids}
    return ids | renamed if renamed else ids


def _raiders_since(before: Position, after: Position) -> list[position.Army]:
    """6.3.2: the raiders that appeared in a settlement."""
    return [army for army in after.armies if army.faction and army.name not in before.by_name]


def _add_raiders(turn: Turn, raiders: list[position.Army]) -> None:
    """6.3.2: rows for raiders that appeared; nothing is sent if there are none."""
    if not raiders:
        return
    rows = Army.objects.bulk_create(
        Army(
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


def _correct_raiders(turn: Turn, old: list[position.Army], new: list[position.Army]) -> None:
    """6.3.2: a raider that would not have appeared was never there; nothing of the round refers to its row yet."""
    names = [army.name for army in old if army not in new]
    if names:
        Army.objects.filter(round_id=turn.round_id, name__in=names).delete()
    _add_raiders(turn, [army for army in new if army not in old])


def _army_row(pk: int, old: position.Army, new: position.Army | None, turn_number: int) -> ArmyRow:
    """The new values of an army's row; a dead one (None) loses its square and keeps the rest."""
    army = new or old._replace(plan=None)
    return ArmyRow(
        id=pk,
        side=army.side.value,
        at=str(army.at) if new else "",
        colors=army.colors,
        days=army.days,
        winning_days=army.winning_days,
        plan=codec.plan_to_json(army.plan),
        captivity=codec.captivity_to_json(army.captivity),
        died_in=None if new else turn_number,
        rank=army.rank.value if army.rank else "",
        name=army.name,
        former=army.former,
        campaign=codec.campaign_to_json(army.campaign),
        sent=army.sent,
    )


def _troop_rows(
    round_id: int, army_id: int, old: tuple[troops.Troop, ...], new: tuple[troops.Troop, ...]
) -> Iterable[TroopRow]:
    """The rows of `UPSERT_TROOPS` for an army: those of its changed troops."""
    for place, troop in enumerate(new):
        if place < len(old) and old[place] == troop:
            continue
        traits = troop.slot, troop.creature, troop.colors, troop.size, troop.types
        yield TroopRow(round_id, army_id, place, *traits, troop.alive, troop.of, troop.rested, troop.lost_in_day)


def _store_bases(turn: Turn, before: Board, after: Board) -> None:
    """1.7.1: the bases that fell this turn."""
    names = {base.name for base in before.bases if not base.destroyed}
    fallen = [base.name for base in after.bases if base.destroyed and base.name in names]
    if fallen:
        rows = Base.objects.filter(round_id=turn.round_id, name__in=fallen)
        rows.update(destroyed_in=turn.number)
