"""2.3.2, 2.6: the accepted changes of troops that the settlement of a turn is given.

A change belongs to the turn that was being played when the judge accepted it, at any time before that turn's
settlement. From then on nothing of it changes that the settlement reads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.db.models import QuerySet

from judging.armies.models import ChangeRequest, HandedIn
from wargame.models import Turn
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import NewPlayer, TroopChange


def accepted_for(turn: Turn) -> QuerySet[ChangeRequest]:
    """2.3.2, 2.6: the requests that the settlement of a turn is given, in the order of their acceptance."""
    rows = ChangeRequest.objects.filter(round_id=turn.round_id, for_turn=turn.number, state=HandedIn.ACCEPTED)
    return rows.order_by("decided_at", "pk")


def changes_for(
    turn: Turn, ids: Mapping[str, int], called: Callable[[str, list[list[str]]], str]
) -> tuple[TroopChange, ...]:
    """2.3.2, 2.6: the same as the rules want them. `ids` are the armies' keys by the names that they have in the turn;
    `called` says what a player is called in it, by his name and those that he had (1.6)."""
    names = {pk: name for name, pk in ids.items()}
    rows = accepted_for(turn).select_related("player", "army")
    return tuple(
        as_rules(row, names.get(row.army_id, row.army.name), called(row.player.name, row.player.former_names))
        for row in rows
    )


def as_rules(row: ChangeRequest, army: str, by: str) -> TroopChange:
    """A request as the rules have it; a change of troops (2.3.2) leaves name and legend as they are."""
    newcomer = NewPlayer(**row.newcomer) if row.newcomer else None
    name, legend = (row.name, row.legend) if newcomer else ("", "")
    return TroopChange(army, by, makeup_of(row), newcomer, name, legend)


def makeup_of(request: ChangeRequest) -> tuple[Troop, ...]:
    """The troops of a request as they were handed in, all at their new strength."""
    return tuple(
        Troop(t["slot"], t["creature"], t["number"], t["number"], tuple(t["colors"]), t["size"], tuple(t["types"]))
        for t in request.troops
    )
