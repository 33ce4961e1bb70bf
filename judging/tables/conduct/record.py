"""T6, T10, T11.3: the record of a table: what people did there that is no move of the game, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from judging.tables.conduct.models import TableAct
from judging.tables.models import Table

ACTS: Mapping[str, str] = {
    "hours": "{name} rests from {hour}:00 to {until}:00 ({zone}), from {since} on.",
    "hours gone": "{name} has no hours of the night, from {since} on.",
    "leave": "{name} is on leave from {first} to {last}.",
    "leave ended": "{name} is back from his leave.",
    "leave dropped": "{name} has taken a leave back.",
    "waits": "{by} waits on for {name}, whose time begins anew.",
    "win": "{by} has taken the win, as {name} stayed away.",
    "played": "The service plays defaults for {name} at once until he is back: so {by} has chosen.",
    "sought": "{by} seeks somebody to play on for {name}.",
    "taken": "{new} plays on for {name}.",
    "back": "{name} is back.",
    "time": "{by} has given {name} {hours} hours.",
    "sanctioned": "{by} has sanctioned {name}: {kind}. {cites}: {reason}",
    "lifted": "{by} has lifted sanction {number}, {name}’s. {reason}",
    "appealed": "{name} appeals against {about}: appeal {number}.",
    "drawn": "{judge} was drawn to answer appeal {number}.",
    "answered": "{by} has answered appeal {number}: {outcome}.",
    "withdrawn": "{name} has taken appeal {number} back.",
    "hid": "{by} has hidden a message of {name}’s: {reason}",
    "showed": "{by} shows a message of {name}’s again: {reason}",
    "warned": "{by} has warned {name} for a message: {reason}",
}
"""By its code, what is said of an act."""


@dataclass(frozen=True)
class Act:
    """T6: something that somebody did: when, behind which entry of the log, and what, in a sentence."""

    number: int
    after: int
    at: datetime
    action: str
    sentence: str


class _Words(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "…"


def keep_act(table: Table, action: str, user_id: int | None, now: datetime, **data: object) -> TableAct:
    """T6: something becomes part of a held table's record."""
    last = TableAct.objects.filter(table=table).order_by("-number").values_list("number", flat=True).first() or 0
    return TableAct.objects.create(
        table=table, number=last + 1, after=table.entries, at=now, user_id=user_id, action=action, data=data
    )


def record_of(table: Table, most: int = 100) -> tuple[Act, ...]:
    """T6: what people did at a table, the newest first."""
    rows = TableAct.objects.filter(table=table).order_by("-number")[:most]
    return tuple(Act(row.number, row.after, row.at, row.action, sentence_of(row)) for row in rows)


def sentence_of(row: TableAct) -> str:
    """T6: an act in words; what an older version left out stands as dots."""
    return ACTS.get(row.action, "Something that this version does not know.").format_map(_Words(row.data))
