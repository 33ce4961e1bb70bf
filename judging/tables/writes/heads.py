"""T9.3: on which head of the chain a post may stand: the last one, or one since which its author could see nothing
change.

Two who answer sealed at the same time, and who posts while another gives a standing order, wait for nobody so.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext

from judging.game.errors import Refused
from judging.tables import world
from judging.tables.models import Entry, Table
from tables.core.state import State
from tables.core.views import view

MOST_SINCE = 12
"""So many entries may lie between the head that was seen and the last one: more are looked at anew."""


class Stale(Refused):
    """T9.3: something has happened since the page was read that a post was sent from. Nothing of it was carried out."""

    def __init__(self, since: int) -> None:
        super().__init__(
            gettext("The table has changed since you loaded it. Check it, then send your post again."), "T9"
        )
        self.since = since

    def status(self, usual: int) -> int:
        """409: the same may be right once it has been looked at."""
        return 409


def check(table: Table, letter: str, on: str) -> None:
    """T9.3: Stale unless a seat that saw the head `on` sees the same at the held table now, and is asked the same."""
    if on == table.head:
        return
    seen = Entry.objects.filter(table=table, hash=on).values_list("n", flat=True).first()
    if seen is None or table.entries - seen > MOST_SINCE:
        raise Stale(seen or 0)
    then = world.state_at(table, seen, on)
    if then is None or _known_to(table, then, letter) != _known_to(table, world.state_of(table), letter):
        raise Stale(seen)


def _known_to(table: Table, state: State, letter: str) -> dict[str, Any]:
    """What an answer of a seat may depend on: all that it knows, but whom else the table waits for."""
    known: dict[str, Any] = dict(view(world.rules_of(table), state, letter))
    if (waits := known["waits"]) is not None:
        known["waits"] = {**waits, "for": letter in waits["for"]}
    return known
