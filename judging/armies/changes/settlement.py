"""2.3.2, 2.6: The changes of troops that the settlement of a turn gets, and their outcomes.

A change belongs to the current turn when the judge accepted it, at any time before that turn's settlement. From then on
nothing in it changes that the settlement reads. Its outcome is stored on the request and the army's row.
"""

import json
from collections.abc import Callable, Iterable, Mapping

from django.db.models import QuerySet

from judging.armies.models import ChangeRequest, HandedIn
from wargame.models import Player, Turn
from wargame.rules.core.codec import Json
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import NewPlayer, TroopChange

TOLD = ("troops_changed", "personalised", "change_refused")
"""The kinds of events about a change: one for each, in the order in which they are given."""


def accepted_for(turn: Turn) -> QuerySet[ChangeRequest]:
    """2.3.2, 2.6: The requests that the settlement of a turn gets, in the order of their acceptance."""
    rows = ChangeRequest.objects.filter(round_id=turn.round_id, for_turn=turn.number, state=HandedIn.ACCEPTED)
    return rows.order_by("decided_at", "pk")


def changes_for(
    turn: Turn, ids: Mapping[str, int], called: Callable[[str, list[list[str]]], str]
) -> tuple[TroopChange, ...]:
    """2.3.2, 2.6: The same, in the form of the rules. `ids` are the armies' keys by their names in the turn;
    `called` returns a player's name in it, from their current name and their former ones (1.6)."""
    names = {pk: name for name, pk in ids.items()}
    rows = accepted_for(turn).select_related("player", "army")
    return tuple(
        as_rules(row, names.get(row.army_id, row.army.name), called(row.player.name, row.player.former_names))
        for row in rows
    )


def as_rules(row: ChangeRequest, army: str, by: str) -> TroopChange:
    """A request in the form of the rules; a change of troops (2.3.2) leaves name and legend unchanged."""
    newcomer = NewPlayer(**row.newcomer) if row.newcomer else None
    name, legend = (row.name, row.legend) if newcomer else ("", "")
    return TroopChange(army, by, makeup_of(row), newcomer, name, legend)


def makeup_of(request: ChangeRequest) -> tuple[Troop, ...]:
    """The troops of a request as they were submitted, all at their new strength."""
    return tuple(
        Troop(t["slot"], t["creature"], t["number"], t["number"], tuple(t["colors"]), t["size"], tuple(t["types"]))
        for t in request.troops
    )


def note_changes(turn: Turn, events: Iterable[Json]) -> None:
    """2.3.2, 2.6: Store the outcomes from the report of a settlement, or of its correction (3.3.3), which may differ.

    The troops and the name are stored with the position; only the row has the legend and the namesake.
    """
    if not turn.changes:
        return
    outcomes = [event for event in events if event["kind"] in TOLD]
    rows = accepted_for(turn).select_related("army__namesake", "player")
    for row, event in zip(rows, outcomes, strict=True):
        is_done = event["kind"] != "change_refused"
        row.applied_in, row.why_not = (turn.number, "") if is_done else (None, json.dumps(event["why"]))
        if row.newcomer and is_done:
            _make_own(row, renamed=bool(event["name"]))
        elif row.newcomer:
            _give_back(row)
        row.save(update_fields=["applied_in", "why_not", "before"])


def _make_own(row: ChangeRequest, *, renamed: bool) -> None:
    """2.6, 5.3.2: Set another legend; a renamed army is the namesake of nobody but a player with that name."""
    army = row.army
    if not row.before:
        row.before = {"legend": army.legend, "namesake": army.namesake.name if army.namesake else ""}
    army.legend = row.legend or army.legend
    if renamed:
        army.namesake = row.player if row.name.casefold() == row.player.name.casefold() else None
    army.save(update_fields=["legend", "namesake"])


def _give_back(row: ChangeRequest) -> None:
    """3.3.3: Restore the army's old values, if a correction undoes a change that a settlement had applied."""
    if not row.before:
        return
    army, namesake = row.army, row.before["namesake"]
    army.legend = row.before["legend"]
    army.namesake = Player.objects.filter(round=row.round_id, name=namesake).first() if namesake else None
    army.save(update_fields=["legend", "namesake"])
    row.before = {}
