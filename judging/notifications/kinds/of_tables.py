"""T9, T10, T11: the kinds of things at a card table that somebody is told of."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.game.telling import NewsKind
from judging.game.words import Facts
from judging.notifications.kinds.kind import Data, Group, Kind, Moment, Urgency, Words, when
from wargame.rules.core.wording import listed

TABLE = ("table", "slug")
TABLE_APPEAL = ("table-appeal", "slug", "number")


def _at_table(told: Words, cites: str, link: str = "", group: Group = Group.RULINGS, **more: Any) -> Kind:
    """T11: what happened to people at a card table, `told` in a whole sentence. `link` is a page of the table's; empty:
    the table."""
    where = TABLE_APPEAL if link == "appeal" else (f"table-{link}" if link else "table", "slug")
    return Kind(group, told, where, cites, **more)


def _table_appealed(data: Data, moment: Moment) -> str:
    told = gettext("At the table {table} {name} appeals against {about}.")
    if "sanction" in data:
        told = gettext("At the table {table} {name} appeals against sanction {sanction}.")
    elif "entry" in data:
        told = gettext("At the table {table} {name} appeals against the ruling of entry {entry}.")
    return told.format_map(Facts(data))


def _table_answered(data: Data, moment: Moment) -> str:
    told = {
        "upheld": gettext("At the table {table} appeal {number} is answered: the decision stands."),
        "mended": gettext("At the table {table} appeal {number} is answered: mended."),
        "anew": gettext("At the table {table} appeal {number} is answered: ruled anew."),
    }.get(data["outcome"], gettext("At the table {table} appeal {number} is answered: {outcome}."))
    return told.format_map(Facts(data))


def _table_due(data: Data, moment: Moment) -> str:
    told = gettext("At the table %(table)s your time is over at %(time)s.")
    return told % {"table": data["table"], "time": when(data, "due", moment)}


def _table_over(data: Data, moment: Moment) -> str:
    """Earlier versions kept the winners as one text."""
    if not data["won"]:
        return gettext("The table %(table)s is over: nobody has won.") % {"table": data["table"]}
    told = ngettext(
        "The table %(table)s is over: %(names)s has won.",
        "The table %(table)s is over: %(names)s have won.",
        data.get("winners", 1),
    )
    names = data["won"] if isinstance(data["won"], str) else listed(data["won"])
    return told % {"table": data["table"], "names": names}


def _table_back(data: Data, moment: Moment) -> str:
    if reason := _reason(data):
        told = gettext("The table %(table)s was taken back to entry %(number)s: %(reason)s.")
    else:
        told = gettext("The table %(table)s was taken back to entry %(number)s.")
    return told % {"table": data["table"], "number": data["to"], "reason": reason}


def _table_back_asked(data: Data, moment: Moment) -> str:
    if reason := _reason(data):
        told = gettext("%(name)s asks to take the table %(table)s back to entry %(number)s: %(reason)s.")
    else:
        told = gettext("%(name)s asks to take the table %(table)s back to entry %(number)s.")
    return told % {"name": data["player"], "table": data["table"], "number": data["to"], "reason": reason}


def _table_looked(data: Data, moment: Moment) -> str:
    if reason := _reason(data):
        told = gettext("A judge looked at the hidden cards of %(name)s at the table %(table)s: %(reason)s.")
    else:
        told = gettext("A judge looked at the hidden cards of %(name)s at the table %(table)s.")
    return told % {"name": data["player"], "table": data["table"], "reason": reason}


def _reason(data: Data) -> str:
    return str(data.get("reason", "")).rstrip(".")


def _judge_proposed(data: Data, moment: Moment) -> str:
    if data["dismisses"]:
        told = gettext("At the table {table} {by} wants to dismiss the judge {judge}. Agree or refuse.")
    else:
        told = gettext("At the table {table} {by} proposes {judge} as a judge. Agree or refuse.")
    return told.format_map(Facts(data))


def _ending(data: Data, moment: Moment) -> str:
    told = gettext("At the table %(table)s %(by)s ruled that the game ends at %(time)s. Players can appeal until then.")
    return told % {"table": data["table"], "by": data["by"], "time": when(data, "until", moment)}


OF_TABLES: dict[str, Kind] = {
    NewsKind.TABLE_MOVE: Kind(
        Group.DEADLINES,
        gettext_noop("At the table {table} it is your move."),
        TABLE,
        urgency=Urgency.URGENT,
    ),
    NewsKind.TABLE_DUE: Kind(Group.DEADLINES, _table_due, TABLE, urgency=Urgency.URGENT),
    NewsKind.TABLE_ASKED: Kind(
        Group.JUDGING, gettext_noop("A ruling is asked at the table {table}."), TABLE, urgency=Urgency.URGENT
    ),
    NewsKind.TABLE_OVER: Kind(Group.TURNS, _table_over, TABLE),
    NewsKind.TABLE_MISSED: _at_table(
        gettext_noop("At the table {table} your time ran out, and a default was played for you."),
        "",
        "people",
        Group.DEADLINES,
    ),
    NewsKind.TABLE_AWAY: _at_table(
        gettext_noop("At the table {table} {name} stays away: choose how it goes on."), "", "people", Group.DEADLINES
    ),
    NewsKind.TABLE_STANDS: _at_table(
        gettext_noop("At the table {table} nothing has moved for three days. A judge may be named who rules."),
        "R59",
        "desk",
    ),
    NewsKind.TABLE_JUDGE_PROPOSED: _at_table(_judge_proposed, "T11.4", "desk"),
    NewsKind.TABLE_JUDGE_NAMED: _at_table(
        gettext_noop("{judge} judges the table {table} from now on."), "T11.4", "desk"
    ),
    NewsKind.TABLE_ENDING: Kind(Group.RULINGS, _ending, TABLE, "T11.3"),
    NewsKind.TABLE_LAPSED: Kind(
        Group.RULINGS,
        gettext_noop("At the table {table} no judge answered the question in time. The clocks are running again."),
        TABLE,
        "T11.2",
    ),
    NewsKind.TABLE_DRAW: Kind(
        Group.DEADLINES, gettext_noop("At the table {table} {by} offers a draw."), TABLE, "T11.9"
    ),
    NewsKind.TABLE_REPLACED: _at_table(gettext_noop("At the table {table} {name} plays on for you."), "", "people"),
    NewsKind.TABLE_NAMED: _at_table(gettext_noop("At the table {table} {by} names you."), "", "talk", Group.TALK),
    NewsKind.TABLE_REPORTED: _at_table(
        gettext_noop("At the table {table} a report waits for your decision."), "1.3", "talk", Group.JUDGING
    ),
    NewsKind.TABLE_REPORT_DECIDED: _at_table(
        gettext_noop("At the table {table} your report is decided; its page says why."), "1.3", "talk", Group.TALK
    ),
    NewsKind.TABLE_WARNED: _at_table(
        gettext_noop("At the table {table} a moderator has warned you for a message."), "1.3", "talk", Group.TALK
    ),
    NewsKind.TABLE_SANCTIONED: _at_table(
        gettext_noop("At the table {table} you were sanctioned: sanction {number}."), "1.3", "conduct"
    ),
    NewsKind.TABLE_LIFTED: _at_table(
        gettext_noop("At the table {table} sanction {number}, yours, is lifted."), "1.3", "conduct"
    ),
    NewsKind.TABLE_APPEALED: _at_table(_table_appealed, "R57", "appeal"),
    NewsKind.TABLE_ANSWERED: _at_table(_table_answered, "R57", "appeal"),
    NewsKind.TABLE_APPEAL_YOURS: _at_table(
        gettext_noop("At the table {table} you were drawn to answer appeal {number}."), "R57", "appeal", Group.JUDGING
    ),
    NewsKind.TABLE_NO_JUDGE: _at_table(
        gettext_noop("At the table {table} nobody may answer appeal {number}; name another judge."),
        "R57",
        "desk",
        Group.JUDGING,
    ),
    NewsKind.TABLE_UNAGREED: Kind(
        Group.TURNS,
        gettext_noop(
            "The table {table} was given up before it began: its players did not agree on what is open. Nobody has "
            "lost."
        ),
        TABLE,
    ),
    NewsKind.TABLE_BACK: Kind(Group.RULINGS, _table_back, TABLE, "T11.6"),
    NewsKind.TABLE_BACK_ASKED: Kind(Group.RULINGS, _table_back_asked, TABLE, "T11.6"),
    NewsKind.TABLE_LOOKED: Kind(Group.RULINGS, _table_looked, TABLE, "T11.8"),
}
"""By their codes, which stand in the rows."""
