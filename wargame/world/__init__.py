"""The one place that knows both rows and rules: rows as a position, and a settled position as rows."""

from .controlling import control_at, correct_control, store_control
from .maps import (
    UNREADABLE,
    DamagedMap,
    load_board,
    load_position,
    place_name,
    played_position,
    position_of_turn,
    remember,
    stored_position,
    with_maps_as_text,
)
from .storing import UPDATE_ARMIES, UPSERT_TROOPS, keys_after, store_changes, store_correction, store_troops

__all__ = [
    "UNREADABLE",
    "UPDATE_ARMIES",
    "UPSERT_TROOPS",
    "DamagedMap",
    "control_at",
    "correct_control",
    "keys_after",
    "load_board",
    "load_position",
    "place_name",
    "played_position",
    "position_of_turn",
    "remember",
    "store_changes",
    "store_control",
    "store_correction",
    "store_troops",
    "stored_position",
    "with_maps_as_text",
]
