"""T9, T10, T11: the kinds of notifications about a card table."""

from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.common.stored_messages import Facts
from judging.notifications.kinds.base import Data, Group, Kind, Moment, Urgency, Words, when
from wargame.rules.core.wording import listed

MOVES = ("table.move", "table.due")
"""T10: of these kinds only the newest stays unread for a table."""

TABLE = ("table", "slug")
TABLE_APPEAL = ("table-appeal", "slug", "number")


def _at_table(words: Words, cites: str, link: str = "", group: Group = Group.RULINGS, **more: Any) -> Kind:
    """T11: an event for people at a card table, `words` in a whole sentence. `link` is a page of the table's; empty:
    the table."""
    where = TABLE_APPEAL if link == "appeal" else (f"table-{link}" if link else "table", "slug")
    return Kind(group, words, where, cites, **more)


def _table_appealed(data: Data, moment: Moment) -> str:
    text = gettext("{name} appealed against {about} at table “{table}”.")
    if "sanction" in data:
        text = gettext("{name} appealed against sanction {sanction} at table “{table}”.")
    elif "entry" in data:
        text = gettext("{name} appealed against the ruling in entry {entry} at table “{table}”.")
    return text.format_map(Facts(data))


def _table_answered(data: Data, moment: Moment) -> str:
    text = {
        "upheld": gettext("Appeal {number} at table “{table}” was answered: the decision stands."),
        "mended": gettext("Appeal {number} at table “{table}” was answered: the decision was corrected."),
        "anew": gettext("Appeal {number} at table “{table}” was answered: there is a new ruling."),
    }.get(data["outcome"], gettext("Appeal {number} at table “{table}” was answered: {outcome}."))
    return text.format_map(Facts(data))


def _table_due(data: Data, moment: Moment) -> str:
    text = gettext("Your time at table “%(table)s” runs out on %(time)s.")
    return text % {"table": data["table"], "time": when(data, "due", moment)}


def _table_over(data: Data, moment: Moment) -> str:
    """Earlier versions stored the winners as one text."""
    if not data["won"]:
        return gettext("The table %(table)s is finished: no one won.") % {"table": data["table"]}
    text = ngettext(
        "The table %(table)s is finished: %(names)s won.",
        "The table %(table)s is finished: %(names)s won.",
        data.get("winners", 1),
    )
    names = data["won"] if isinstance(data["won"], str) else listed(data["won"])
    return text % {"table": data["table"], "names": names}


def _table_back(data: Data, moment: Moment) -> str:
    if reason := _reason(data):
        text = gettext("The table %(table)s was taken back to entry %(number)s: %(reason)s.")
    else:
        text = gettext("The table %(table)s was taken back to entry %(number)s.")
    return text % {"table": data["table"], "number": data["to"], "reason": reason}


def _table_back_asked(data: Data, moment: Moment) -> str:
    if reason := _reason(data):
        text = gettext("%(name)s wants to take the table %(table)s back to entry %(number)s: %(reason)s.")
    else:
        text = gettext("%(name)s wants to take the table %(table)s back to entry %(number)s.")
    return text % {"name": data["player"], "table": data["table"], "number": data["to"], "reason": reason}


def _table_looked(data: Data, moment: Moment) -> str:
    if reason := _reason(data):
        text = gettext("A judge looked at %(name)s's hidden cards at table “%(table)s”: %(reason)s.")
    else:
        text = gettext("A judge looked at %(name)s's hidden cards at table “%(table)s”.")
    return text % {"name": data["player"], "table": data["table"], "reason": reason}


def _reason(data: Data) -> str:
    return str(data.get("reason", "")).rstrip(".")


def _judge_proposed(data: Data, moment: Moment) -> str:
    if data["dismisses"]:
        text = gettext("{by} wants to dismiss {judge} as a judge at table “{table}”. Agree or refuse.")
    else:
        text = gettext("{by} proposed {judge} as a judge at table “{table}”. Agree or refuse.")
    return text.format_map(Facts(data))


def _ending(data: Data, moment: Moment) -> str:
    text = gettext("%(by)s ruled that the game at table “%(table)s” ends on %(time)s. Players can appeal until then.")
    return text % {"table": data["table"], "by": data["by"], "time": when(data, "until", moment)}


OF_TABLES: dict[str, Kind] = {
    "table.move": Kind(
        Group.DEADLINES,
        gettext_noop("It's your move at table “{table}”."),
        TABLE,
        urgency=Urgency.URGENT,
    ),
    "table.due": Kind(Group.DEADLINES, _table_due, TABLE, urgency=Urgency.URGENT),
    "table.asked": Kind(
        Group.JUDGING, gettext_noop("A ruling was requested at table “{table}”."), TABLE, urgency=Urgency.URGENT
    ),
    "table.over": Kind(Group.TURNS, _table_over, TABLE),
    "table.missed": _at_table(
        gettext_noop("Your time at table “{table}” ran out, so a default move was played for you."),
        "",
        "people",
        Group.DEADLINES,
    ),
    "table.away": _at_table(
        gettext_noop("{name} hasn't returned to the table {table}. Choose how to continue."),
        "",
        "people",
        Group.DEADLINES,
    ),
    "table.stands": _at_table(
        gettext_noop("Nothing has happened at table “{table}” for three days. You can name a judge to make a ruling."),
        "R59",
        "desk",
    ),
    "table.judge_proposed": _at_table(_judge_proposed, "T11.4", "desk"),
    "table.judge_named": _at_table(gettext_noop("{judge} now judges the table {table}."), "T11.4", "desk"),
    "table.ending": Kind(Group.RULINGS, _ending, TABLE, "T11.3"),
    "table.lapsed": Kind(
        Group.RULINGS,
        gettext_noop("No judge at table “{table}” answered the question in time. The clocks are running again."),
        TABLE,
        "T11.2",
    ),
    "table.draw": Kind(Group.DEADLINES, gettext_noop("{by} offered a draw at table “{table}”."), TABLE, "T11.9"),
    "table.replaced": _at_table(gettext_noop("{name} now plays for you at table “{table}”."), "", "people"),
    "table.named": _at_table(gettext_noop("{by} mentioned you at table “{table}”."), "", "talk", Group.TALK),
    "table.reported": _at_table(
        gettext_noop("A report from table “{table}” is waiting for your decision."), "1.3", "talk", Group.JUDGING
    ),
    "table.report_decided": _at_table(
        gettext_noop("Your report at table “{table}” was decided. The report's page says why."),
        "1.3",
        "talk",
        Group.TALK,
    ),
    "table.warned": _at_table(
        gettext_noop("A moderator warned you about a message at table “{table}”."), "1.3", "talk", Group.TALK
    ),
    "table.sanctioned": _at_table(gettext_noop("You received sanction {number} at table “{table}”."), "1.3", "conduct"),
    "table.lifted": _at_table(gettext_noop("Your sanction {number} at table “{table}” was lifted."), "1.3", "conduct"),
    "table.appealed": _at_table(_table_appealed, "R57", "appeal"),
    "table.answered": _at_table(_table_answered, "R57", "appeal"),
    "table.appeal_yours": _at_table(
        gettext_noop("You were picked at random to answer appeal {number} at table “{table}”."),
        "R57",
        "appeal",
        Group.JUDGING,
    ),
    "table.no_judge": _at_table(
        gettext_noop("No judge can answer appeal {number} at table “{table}”. Name another judge."),
        "R57",
        "desk",
        Group.JUDGING,
    ),
    "table.unagreed": Kind(
        Group.TURNS,
        gettext_noop(
            "The table {table} was cancelled before it started because its players didn't agree on the house "
            "rules. No one lost."
        ),
        TABLE,
    ),
    "table.back": Kind(Group.RULINGS, _table_back, TABLE, "T11.6"),
    "table.back_asked": Kind(Group.RULINGS, _table_back_asked, TABLE, "T11.6"),
    "table.looked": Kind(Group.RULINGS, _table_looked, TABLE, "T11.8"),
}
"""The kinds by their codes, which are in the rows."""
