"""What rows of a file say in codes: events and outcomes are read as the rules read them, and written again.

Older services stored their sentences beside the codes. They are left out here: they are told anew when they are read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wargame.rules.battle.four_dice import Why
from wargame.rules.core import codec
from wargame.rules.telling.telling import event_from_json, event_to_json

Json = dict[str, Any]


def in_codes(table: str, row: Json) -> Json:
    """A row of a table as it is stored here. ValueError for events and outcomes that are none."""
    change = _CHANGES.get(table.removeprefix("historical"))
    return change(dict(row)) if change else row


def _turn(row: Json) -> Json:
    return _with_events(row, "events")


def _correction(row: Json) -> Json:
    """3.3.3: what a correction changes follows from what was before and what comes of it."""
    row.pop("difference", None)
    for name in ("position", "old_position"):
        try:
            codec.position_from_json(row[name])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise ValueError(f"its {name.replace('_', ' ')} can't be read ({error!r})") from None
    return _with_events(row, "events", "old_events")


def _draft(row: Json) -> Json:
    had_sentences = any("text" in event for event in row.get("events") or () if isinstance(event, dict))
    row = _with_events(row, "events")
    if isinstance(row.get("former"), dict):
        row["former"] = _with_digest(_with_events(dict(row["former"]), "events"))
    return _with_digest(row) if had_sentences else row


def _with_digest(draft: Json) -> Json:
    kept = {"events": draft.get("events"), "places": draft.get("places")}
    return draft | {"digest": codec.digest(kept)}


def _with_outcome(row: Json) -> Json:
    outcome = row.get("outcome")
    if not outcome:
        return row
    if not isinstance(outcome, dict):
        raise ValueError("an outcome is an object")
    why = outcome.get("why")
    if isinstance(why, dict):
        why = next((each.name for each in Why if each.sentence == why.get("text")), None)
    if why not in Why.__members__:
        raise ValueError(f"“why” of an outcome is one of {', '.join(Why.__members__)}")
    return row | {"outcome": outcome | {"why": why}}


def _battle(row: Json) -> Json:
    if isinstance(row.get("weather"), dict):
        row["weather"] = {key: value for key, value in row["weather"].items() if key != "text"}
    return row


def _notice(row: Json) -> Json:
    """3.1: what a notice of an older service has beside its words does not tell all; so they are kept among it."""
    text, data = row.pop("text", ""), row.get("data") or {}
    return row | {"data": {**data, "told": text}} if text and isinstance(data, dict) else row


def _with_events(row: Json, *names: str) -> Json:
    return row | {name: _events(row[name]) for name in names if row.get(name)}


def _events(given: Any) -> list[Json]:
    if not isinstance(given, list) or not all(isinstance(event, dict) for event in given):
        raise ValueError("a list of events belongs here")
    return [event_to_json(event_from_json(event)) for event in given]


_CHANGES: dict[str, Callable[[Json], Json]] = {
    "turn": _turn,
    "draft": _draft,
    "correction": _correction,
    "result": _with_outcome,
    "proposal": _with_outcome,
    "battle": _battle,
    "notice": _notice,
}
