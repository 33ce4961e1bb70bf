"""2.3.2, 2.6: what a settlement made of the changes that it was given, noted on the requests and the armies' rows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from judging.armies.changes.turn_input import accepted_for
from judging.armies.models import ChangeRequest
from wargame.models import Player, Turn

TOLD = ("troops_changed", "personalised", "change_refused")
"""The kinds of events that tell of a change: one for each, in the order in which they are given."""


def note_changes(turn: Turn, events: Iterable[dict[str, Any]]) -> None:
    """2.3.2, 2.6: by the report of a settlement, or of its correction (3.3.3), which may say otherwise.

    The troops and the name are stored with the position; the legend and the namesake are the row's alone.
    """
    if not turn.changes:
        return
    told = [event for event in events if event["kind"] in TOLD]
    rows = accepted_for(turn).select_related("army__namesake", "player")
    for row, event in zip(rows, told, strict=True):
        is_done = event["kind"] != "change_refused"
        row.applied_in, row.why_not = (turn.number, "") if is_done else (None, event["why"])
        if row.newcomer and is_done:
            _make_own(row, renamed=bool(event["name"]))
        elif row.newcomer:
            _give_back(row)
        row.save(update_fields=["applied_in", "why_not", "before"])


def _make_own(row: ChangeRequest, *, renamed: bool) -> None:
    """2.6, 5.3.2: another legend; an army that is called otherwise is the namesake of nobody but a player of that
    name."""
    army = row.army
    if not row.before:
        row.before = {"legend": army.legend, "namesake": army.namesake.name if army.namesake else ""}
    army.legend = row.legend or army.legend
    if renamed:
        army.namesake = row.player if row.name.casefold() == row.player.name.casefold() else None
    army.save(update_fields=["legend", "namesake"])


def _give_back(row: ChangeRequest) -> None:
    """3.3.3: what the army had, where a correction undoes what a settlement had carried out."""
    if not row.before:
        return
    army, namesake = row.army, row.before["namesake"]
    army.legend = row.before["legend"]
    army.namesake = Player.objects.filter(round=row.round_id, name=namesake).first() if namesake else None
    army.save(update_fields=["legend", "namesake"])
    row.before = {}
