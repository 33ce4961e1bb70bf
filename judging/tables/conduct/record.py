"""T6, T10, T11.3: the record of a table: acts there beside the game, in sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext, gettext_noop

from judging.common.stored_messages import Facts
from judging.common.texts import day_of, utc
from judging.tables.conduct.models import Sanction, TableAct, TableAppeal
from judging.tables.models import Table

ACTS: Mapping[str, str] = {
    "hours": gettext_noop("From {since}, {name}’s clock rests between {hour}:00 and {until}:00 ({zone})."),
    "hours gone": gettext_noop("From {since}, {name} has no night hours."),
    "leave": gettext_noop("{name} reported an absence from {first} to {last}."),
    "leave ended": gettext_noop("{name} is back from an absence."),
    "leave dropped": gettext_noop("{name} cancelled an absence."),
    "waits": gettext_noop("{by} chose to keep waiting for {name}, whose time restarted."),
    "win": gettext_noop("{by} claimed the win because {name} stayed away."),
    "played": gettext_noop("{by} let the service play defaults during {name}’s absence."),
    "sought": gettext_noop("{by} started looking for a substitute for {name}."),
    "taken": gettext_noop("{new} now plays for {name}."),
    "back": gettext_noop("{name} is back."),
    "time": gettext_noop("{by} added {hours} h to {name}’s time."),
    "sanctioned": gettext_noop("{by} sanctioned {name}: {kind} ({cites}). {reason}"),
    "lifted": gettext_noop("{by} lifted sanction {number} on {name}. {reason}"),
    "appealed": gettext_noop("{name} appealed against {about} (appeal {number})."),
    "drawn": gettext_noop("{judge} was picked at random to answer appeal {number}."),
    "answered": gettext_noop("{by} answered appeal {number}: {outcome}."),
    "withdrawn": gettext_noop("{name} withdrew appeal {number}."),
    "administrator": gettext_noop("{by}, an administrator, took over appeal {number}."),
    "judge proposed": gettext_noop("{name} proposed {judge} as a judge."),
    "judge dismissal proposed": gettext_noop("{name} proposed to dismiss {judge}."),
    "judge refused": gettext_noop("{name} refused the proposal about {judge}."),
    "judge named": gettext_noop("{judge} became a judge of this table."),
    "judge dismissed": gettext_noop("{judge} no longer judges this table."),
    "lapsed": gettext_noop("No judge answered the question in time. The clocks are running again."),
    "ends": gettext_noop("{by} ruled: {program} ({cites}: {reason}). It takes effect at {until} unless appealed."),
    "ending withdrawn": gettext_noop("{by} withdrew the ruling that would have ended the game."),
    "draw offered": gettext_noop("{name} offered a draw."),
    "draw accepted": gettext_noop("{name} agreed to a draw."),
    "draw refused": gettext_noop("{name} refused a draw."),
    "draw withdrawn": gettext_noop("{name} withdrew the offer of a draw."),
    "hid": gettext_noop("{by} hid {name}’s message: {reason}"),
    "showed": gettext_noop("{by} restored {name}’s message: {reason}"),
    "warned": gettext_noop("{by} warned {name} about a message: {reason}"),
}


@dataclass(frozen=True)
class RecordedAct:
    """T6: an act: its time, the log's last entry then, and its sentence."""

    number: int
    after: int
    at: datetime
    action: str
    sentence: str


def keep_act(table: Table, action: str, user_id: int | None, now: datetime, **data: object) -> TableAct:
    """T6: add an act to a locked table's record."""
    last = TableAct.objects.filter(table=table).order_by("-number").values_list("number", flat=True).first() or 0
    return TableAct.objects.create(
        table=table, number=last + 1, after=table.entries, at=now, user_id=user_id, action=action, data=data
    )


def record_of(table: Table, most: int = 100) -> tuple[RecordedAct, ...]:
    """T6: the acts at a table, the newest first."""
    rows = TableAct.objects.filter(table=table).order_by("-number")[:most]
    return tuple(RecordedAct(row.number, row.after, row.at, row.action, sentence_of(row)) for row in rows)


def sentence_of(row: TableAct) -> str:
    """T6: an act in words; data that an older version left out becomes dots."""
    if row.action not in ACTS:
        return gettext("An event this version doesn’t recognise.")
    return gettext(ACTS[row.action]).format_map(Facts(_in_words(row.data)))


def sanction_in_words(kind: str, until: datetime | None) -> str:
    """1.3: a sanction as a part of a sentence; an unknown kind, as stored by an older version, stays unchanged."""
    if kind == Sanction.Kind.BAR:
        return gettext("a ban until %(time)s") % {"time": utc(until)} if until else gettext("a permanent ban")
    return str(dict(Sanction.Kind.choices).get(kind, kind))


def contested_in_words(sanction: object, entry: object, ending: object = None) -> str:
    """R57: the target of an appeal, as a part of a sentence: a sanction by its number, or a ruling by its entry."""
    if sanction:
        return gettext("sanction %(number)s") % {"number": sanction}
    if ending:
        return gettext("the ruling that ends the game")
    return gettext("the ruling in entry %(number)s") % {"number": entry} if entry else gettext("a decision")


def _when(stored: str) -> str:
    """A stored day or time in words; words stored by an older version stay unchanged."""
    try:
        moment = datetime.fromisoformat(stored)
    except ValueError:
        return stored
    return day_of(moment) if len(stored) == len("2026-03-05") else utc(moment)


def _in_words(data: Mapping[str, Any]) -> dict[str, Any]:
    """The codes of an act in words; words stored by an older version stay unchanged."""
    values = dict(data)
    if data.get("name") == "":
        values["name"] = gettext("a spectator")
    if "kind" in data:
        until = data.get("until")
        values["kind"] = sanction_in_words(str(data["kind"]), datetime.fromisoformat(str(until)) if until else None)
    if {"sanction", "entry", "ending"} & set(data):
        values["about"] = contested_in_words(data.get("sanction"), data.get("entry"), data.get("ending"))
    times = ("since", "first", "last", *(("until",) if "program" in data else ()))
    values |= {key: _when(str(data[key])) for key in times if key in data}
    if "outcome" in data:
        values["outcome"] = dict(TableAppeal.State.choices).get(data["outcome"], data["outcome"])
    return values
