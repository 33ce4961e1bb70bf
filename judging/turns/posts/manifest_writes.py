"""3.2.4.2: what of a transfer manifest can be judged when it is handed in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from judging.game.control import armies_of
from judging.game.errors import Refused
from judging.game.texts import check_storable
from wargame.models import Player
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import SLOTS
from wargame.rules.core.turn import ManifestEntry

MAX_ENTRIES = 24
"""4 slots of 6 creatures (2.1)."""


def checked_manifest(
    position: Position,
    player: Player,
    sender: str,
    receiver: str,
    entries: Sequence[ManifestEntry],
    now: datetime,
) -> tuple[str, str, list[dict[str, Any]]]:
    """3.2.4: the names as the map has them and the entries as JSON.

    Refused for an army that is not on the map (3.2.2.5), not the player's (5.4.1) or no friend (3.2.4.1), and
    for troops that the sender does not have (2.3.3). What depends on the settlement is judged there.
    """
    sending, receiving = _army(position, sender), _army(position, receiver)
    if sending.name not in armies_of(player, now):
        raise Refused(f"You don't control {sending.name}, so you can't send its troops.", "5.4.1")
    if sending is receiving or sending.is_enemy(receiving):
        raise Refused("Troops can be transferred to another army of the same side only.", "3.2.4.1")
    if not 0 < len(entries) <= MAX_ENTRIES:
        raise Refused(f"A manifest names 1 to {MAX_ENTRIES} kinds of troops; this has {len(entries)}.", "3.2.4.2")
    wanted: dict[tuple[int, str], int] = {}
    for entry in entries:
        _check_entry(sending, entry, wanted)
    rows = [{"slot": e.slot, "number": e.number, "creature": e.creature or None} for e in entries]
    return sending.name, receiving.name, rows


def _army(position: Position, name: str) -> Army:
    found = position.names.get(name.strip())
    if found is None:
        raise Refused(f"There is no army “{name[:60]}” on the map. Check the spelling.", "3.2.2.5")
    return position.by_name[found]


def _check_entry(sender: Army, entry: ManifestEntry, wanted: dict[tuple[int, str], int]) -> None:
    """2.3.3: the sender has that many; `wanted` counts what the entries before it asked for."""
    creature = entry.creature or ""
    check_storable(creature, what="manifest", cites="3.2.4.2")
    if entry.slot not in SLOTS or entry.number < 1:
        raise Refused("Each entry of a manifest names a slot from 1 to 4 and at least 1 creature.", "3.2.4.2")
    has = sum(t.alive for t in sender.troops if t.slot == entry.slot and creature in ("", t.creature))
    key = (entry.slot, creature)
    wanted[key] = wanted.get(key, 0) + entry.number
    if wanted[key] > has:
        what = f"{creature[:80]} in slot {entry.slot}" if creature else f"troops in slot {entry.slot}"
        raise Refused(f"{sender.name} has {has:,} {what}; the manifest sends {wanted[key]:,}.", "2.3.3")
