"""1.2: every kind of thing that somebody is told of: its group, its sentence, where it leads, who may still read it.

A new kind is one entry of KINDS. What gives notifications of it (`gathering`, `reminders`, a writer) stores the fields
that its sentence names, and nothing that is secret: the sentence goes into mails and onto locked screens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from judging.boards.reads.boards import BOARDS, PRESS
from judging.game.texts import utc
from wargame.models.choices import Role
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.wording import listed
from wargame.rules.telling.telling import event_from_json

Data = Mapping[str, Any]
Moment = Callable[[datetime], str]
"""A moment in the words of whoever reads."""


class Group(Enum):
    """What somebody may choose to hear of, each in its own way: the code, its title, and what is in it."""

    DEADLINES = "deadlines", "Deadlines", "A lock without an order of yours, a strat or vote due, a moved deadline."
    ARMIES = "armies", "Your armies", "Stopped, refused, healed, killed, captured; given to you, or taken."
    BATTLES = "battles", "Your battles", "Announced, and their results."
    TURNS = "turns", "Turns", "A new one is open; the round is won."
    TALK = "talk", "Talk", "Your name in a message, an answer that quotes you."
    TEAM = "team", "Your team", "Admissions, ranks, votes, requests about control, contingencies."
    RULINGS = "rulings", "Rulings", "Penalties, rulings, corrections of yours; what you asked the judges for."
    JUDGING = "judging", "Judging", "What waits for you as a judge."

    def __init__(self, code: str, title: str, about: str) -> None:
        self.code, self.title, self.about = code, title, about


class Urgency(Enum):
    """URGENT goes out at once, QUIET in no mail of its own, whatever else is chosen: with the next one."""

    URGENT = "urgent"
    ORDINARY = "ordinary"
    QUIET = "quiet"


class Reader(Enum):
    """Who may still read what a notification says: whoever got it, or only as long as he is what he was then."""

    ANYBODY = "anybody"
    BOARD = "who reads the board"
    TEAM = "who is of the team"
    LEADER = "who leads the team, or judges battles"
    JUDGE = "who judges"


@dataclass(frozen=True)
class Kind:
    """A kind of notification. `words` is its sentence, from its data and a moment's words; `link` the name of an
    address with the data that stand in it; a name that begins with `judge:` has no round in it. A kind with
    `own_letter` is told by a letter of its own already, and goes into no mail."""

    group: Group
    words: str | Callable[[Data, Moment], str]
    link: tuple[str, ...]
    cites: str = ""
    urgency: Urgency = Urgency.ORDINARY
    reader: Reader = Reader.ANYBODY
    roles: tuple[Role, ...] = ()
    own_letter: bool = False

    def sentence(self, data: Data, moment: Moment) -> str:
        """What happened, in one sentence. Fields that are missing, as in rows of another version, are left out."""
        try:
            told = self.words(data, moment) if callable(self.words) else self.words.format_map(_Words(data))
        except (AttributeError, KeyError, TypeError, ValueError):
            return f"Something about {self.group.title.lower()} that can't be read any more."
        return told[:1].upper() + told[1:]


class _Words(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "…"


def when(data: Data, key: str, moment: Moment) -> str:
    """A stored moment in words."""
    return moment(datetime.fromisoformat(str(data[key])))


def _event(data: Data, moment: Moment) -> str:
    return event_from_json(data["event"]).sentence


def _of_army(told: str) -> Kind:
    """What a settlement did to an army of somebody's: the sentence is the event's own."""
    return Kind(Group.ARMIES, _event, ("turn", "turn"), told)


TABLE = ("table", "slug")
TABLE_APPEAL = ("table-appeal", "slug", "number")


def _at_table(told: str, cites: str, link: str = "", group: Group = Group.RULINGS, **more: Any) -> Kind:
    """T11: what happened to people at a card table. `link` is a page of the table's; empty: the table."""
    where = TABLE_APPEAL if link == "appeal" else (f"table-{link}" if link else "table", "slug")
    return Kind(group, f"At the table {{table}} {told}", where, cites, **more)


def _table_due(data: Data, moment: Moment) -> str:
    return f"At the table {data['table']} your time is over at {when(data, 'due', moment)}."


def _table_over(data: Data, moment: Moment) -> str:
    has = "have" if data.get("winners", 1) > 1 else "has"
    return f"The table {data['table']} is over: {data['won'] or 'nobody'} {has} won."


def _table_back(data: Data, moment: Moment) -> str:
    return f"The table {data['table']} was taken back to entry {data['to']}{_because(data)}."


def _table_back_asked(data: Data, moment: Moment) -> str:
    return f"{data['player']} asks to take the table {data['table']} back to entry {data['to']}{_because(data)}."


def _table_looked(data: Data, moment: Moment) -> str:
    return f"A judge looked at the hidden cards of {data['player']} at the table {data['table']}{_because(data)}."


def _because(data: Data) -> str:
    reason = str(data.get("reason", "")).rstrip(".")
    return f": {reason}" if reason else ""


def _announced(data: Data, moment: Moment) -> str:
    does = {"attacks": "attacks", "defends": "is attacked by"}.get(data.get("part", ""), "fights")
    foes, due = listed(data.get("foes") or ["somebody"]), when(data, "deadline", moment)
    return f"{data['army']} {does} {foes} at {data['at']}: its strat is due by {due}."


def _result(data: Data, moment: Moment) -> str:
    came = "won" if data.get("won") else "lost"
    return f"{data['army']} {came} the battle at {data['at']}: its result is published."


def _strat_due(data: Data, moment: Moment) -> str:
    return f"The strat of {data['army']} for the battle at {data['at']} is missing. It is due by \
{when(data, 'due', moment)}, in less than {data['hours']} hours."


def _word_due(data: Data, moment: Moment) -> str:
    return f"The dice of {data['army']} at {data['at']} wait for the word that you sealed with the strat. Open the \
battle with the same browser by {when(data, 'until', moment)}."


def _lock_near(data: Data, moment: Moment) -> str:
    without = data["armies"]
    has = "has" if len(without) == 1 else "have"
    return f"{listed(without)} {has} no order of yours. Turn {data['turn']} locks at {when(data, 'due', moment)}, \
in less than {data['hours']} hours."


def _lock_moved(data: Data, moment: Moment) -> str:
    how = "brought forward" if data.get("is_early") else "put back"
    return f"The lock of turn {data['turn']} is {how} to {when(data, 'lock_at', moment)}."


def _deadline_moved(data: Data, moment: Moment) -> str:
    return f"The strat of {data['army']} for the battle at {data['at']} is due by {when(data, 'until', moment)} now."


def _opened(data: Data, moment: Moment) -> str:
    return f"Turn {data['turn']} is open for orders, and locks at {when(data, 'lock_at', moment)}."


def _won(data: Data, moment: Moment) -> str:
    return f"The round is over: {Side(data['winner']).title} won." if data.get("winner") else "The round is over."


def _talk(told: str) -> Callable[[Data, Moment], str]:
    def words(data: Data, moment: Moment) -> str:
        key = data["board"]
        where = "in a conversation" if key.startswith(PRESS) else f"on {BOARDS[key].title}"
        return told.format(by=data["by"], where=where)

    return words


def _of_team(told: str) -> Callable[[Data, Moment], str]:
    return lambda data, moment: told.format_map(_Words({**data, "team": Side(data["side"]).title}))


def _accepted(data: Data, moment: Moment) -> str:
    side = Side(data["side"])
    return f"You are of {side.title} now, as {rank_title(Rank(data['rank']) if data.get('rank') else None, side)}."


def _rank(data: Data, moment: Moment) -> str:
    if not data.get("after"):
        return f"{data['by']} took your rank from you."
    return f"{data['by']} gave you the rank {Rank(data['after']).title}."


def _vote(data: Data, moment: Moment) -> str:
    return f"A vote waits for you until {when(data, 'closes', moment)}: {data['question']}"


def _vote_closes(data: Data, moment: Moment) -> str:
    return f"You have not voted yet, and the vote closes at {when(data, 'closes', moment)}: {data['question']}"


def _request(data: Data, moment: Moment) -> str:
    how = {"applied": "is in force", "granted": "is granted", "declined": "is declined"}[data["how"]]
    return f"Your request about the control of {listed(data['armies'])} {how}."


def _desk(
    told: str | Callable[[Data, Moment], str],
    link: tuple[str, ...],
    cites: str = "",
    role: Role = Role.BATTLE,
    **more: Any,
) -> Kind:
    """1.3: what waits for the judges of a role."""
    roles = (role,) if role is Role.BATTLE else (role, Role.BATTLE)
    return Kind(Group.JUDGING, told, link, cites, reader=Reader.JUDGE, roles=roles, **more)


def _appeal_waits(data: Data, moment: Moment) -> str:
    return f"You were drawn to answer appeal {data['number']}, by {when(data, 'due', moment)}."


def _appeal_due(data: Data, moment: Moment) -> str:
    return f"Appeal {data['number']} waits for your answer until {when(data, 'due', moment)}; then the next is drawn."


APPEAL = ("appeal", "number")
BATTLE, DESK_BATTLE = ("battle", "battle"), ("judge:battle", "battle")
A_BATTLE = "battle {number} of turn {turn}, at {at}"

KINDS: dict[str, Kind] = {
    # Deadlines
    "strat.due": Kind(Group.DEADLINES, _strat_due, ("strat", "battle", "army"), "4.1.1", Urgency.URGENT),
    "strat.missed": Kind(
        Group.DEADLINES,
        "The deadline has passed, and {army} has no strat for the battle at {at}. Ask the judges whether a late one "
        "may count.",
        BATTLE,
        "R35",
    ),
    "word.due": Kind(Group.DEADLINES, _word_due, BATTLE, "R38", Urgency.URGENT),
    "lock.near": Kind(Group.DEADLINES, _lock_near, ("post-new",), "3.1", Urgency.URGENT),
    "lock.moved": Kind(Group.DEADLINES, _lock_moved, ("mine",), "R60", Urgency.URGENT),
    "deadline.moved": Kind(Group.DEADLINES, _deadline_moved, BATTLE, "R5", Urgency.URGENT),
    "vote.closing": Kind(Group.DEADLINES, _vote_closes, ("vote", "vote"), "R46", Urgency.URGENT, Reader.TEAM),
    # Armies
    "army.refused": _of_army("3.3"),
    "army.stopped": _of_army("3.2.3"),
    "army.healed": _of_army("2.3.1"),
    "army.killed": _of_army("4.3"),
    "army.captured": _of_army("4.5"),
    "army.freed": _of_army("4.5"),
    "army.transferred": _of_army("3.2.4"),
    "army.changed": _of_army("2.3.2"),
    "army.given": Kind(Group.ARMIES, "You control {army} now.", ("army", "army"), "5.2.1"),
    "army.taken": Kind(Group.ARMIES, "You control {army} no more.", ("command",), "5.2.1"),
    # Battles
    "battle.announced": Kind(Group.BATTLES, _announced, BATTLE, "4.1.1"),
    "battle.result": Kind(Group.BATTLES, _result, BATTLE, "4.2.5"),
    "strat.accepted": Kind(Group.BATTLES, "The late strat of {army} for the battle at {at} counts.", BATTLE, "R35"),
    "strat.overruled": Kind(
        Group.BATTLES, "The late strat of {army} for the battle at {at} does not count after all.", BATTLE, "1.3"
    ),
    "battle.anew": Kind(Group.BATTLES, "The battle at {at} is judged anew: {outcome}.", BATTLE, "R58"),
    # Turns
    "turn.opened": Kind(Group.TURNS, _opened, ("mine",), "3.1"),
    "round.won": Kind(Group.TURNS, _won, ("map",), "1.7"),
    # Talk
    "talk.named": Kind(
        Group.TALK,
        _talk("{by} names you {where}."),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),  # fmt: skip
    "talk.quoted": Kind(
        Group.TALK,
        _talk("{by} answers a message of yours {where}."),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),  # fmt: skip
    "talk.press": Kind(
        Group.TALK,
        _talk("{by} writes to you in private."),
        ("board-message", "board", "number"),
        "1.6",
        reader=Reader.BOARD,
    ),  # fmt: skip
    "talk.hidden": Kind(
        Group.TALK,
        "A moderator has hidden a message of yours: message {number} on {board_title}.",
        ("boards",),
        "1.3",
        reader=Reader.TEAM,
    ),  # fmt: skip
    "talk.reported": Kind(Group.JUDGING, "A report waits for your decision.", ("report", "report"), "1.3"),  # fmt: skip
    "talk.report_decided": Kind(
        Group.TALK, "Your report is decided: the page of reports says how, and why.", ("reports",), "1.3"
    ),
    # The team
    "admission.asked": Kind(
        Group.TEAM, _of_team("{name} asks {team} for admission."), ("admissions",), "1.1", reader=Reader.LEADER
    ),
    "admission.accepted": Kind(Group.TEAM, _accepted, ("mine",), "1.1"),
    "admission.refused": Kind(
        Group.TEAM, _of_team("{team} did not take you in. Your request says why."), ("join",), "1.1"
    ),
    "admission.overruled": Kind(
        Group.TEAM, _of_team("The head battle judge decided that you are not of {team}."), ("join",), "1.3"
    ),
    "rank.changed": Kind(Group.TEAM, _rank, ("players",), "1.1"),
    "player.inactive": Kind(Group.TEAM, "You were declared inactive.", ("service",), "5.1"),
    "player.active": Kind(Group.TEAM, "You are declared active again.", ("service",), "5.1"),
    "player.left": Kind(
        Group.TEAM, _of_team("{player} has left {team}."), ("players",), "1.1", Urgency.QUIET, Reader.LEADER
    ),
    "power.given": Kind(
        Group.TEAM, "You may ask for changes of the control list now.", ("control-request",), "5.2.2.1"
    ),
    "contingency.set": Kind(
        Group.TEAM, "You act for {player} when {player} is away.", ("contingencies",), "5.2.3", reader=Reader.TEAM
    ),
    "request.decided": Kind(Group.TEAM, _request, ("control-requests",), "5.2.2"),
    "vote.opened": Kind(Group.TEAM, _vote, ("vote", "vote"), "1.4", reader=Reader.TEAM),
    "army.offered": Kind(Group.TEAM, "You may make {army} your own.", ("newcomers",), "2.6"),
    # Rulings
    "appeal.lodged": Kind(Group.RULINGS, "{player} appeals against {about}.", APPEAL, "R57"),
    "appeal.answered": Kind(Group.RULINGS, "Appeal {number} is answered: {outcome}.", APPEAL, "R57"),
    "appeal.withdrawn": Kind(Group.RULINGS, "Appeal {number} is withdrawn.", APPEAL, "R57"),
    "appeal.passed_on": Kind(Group.RULINGS, "Appeal {number} is for {judge} to answer now.", APPEAL, "R57"),
    "judge.appeal": Kind(
        Group.JUDGING, _appeal_waits, APPEAL, "R57", reader=Reader.JUDGE, roles=(Role.BATTLE, Role.MOVEMENT)
    ),
    "table.move": Kind(
        Group.DEADLINES,
        "At the table {table} it is your move. Its chain ends with {head}.",
        TABLE,
        urgency=Urgency.URGENT,
    ),
    "table.due": Kind(Group.DEADLINES, _table_due, TABLE, urgency=Urgency.URGENT),
    "table.asked": Kind(Group.JUDGING, "A ruling is asked at the table {table}.", TABLE, urgency=Urgency.URGENT),
    "table.over": Kind(Group.TURNS, _table_over, TABLE),
    "table.missed": _at_table("your time ran out, and a default was played for you.", "", "people", Group.DEADLINES),
    "table.away": _at_table("{name} stays away: choose how it goes on.", "", "people", Group.DEADLINES),
    "table.stands": _at_table("nothing has moved for three days. A judge may be named who rules.", "R59", "desk"),
    "table.judge_wanted": _at_table("a ruling is asked, and nobody judges: name a judge.", "", "desk", Group.JUDGING),
    "table.replaced": _at_table("{name} plays on for you.", "", "people"),
    "table.named": _at_table("{by} names you.", "", "talk", Group.TALK),
    "table.reported": _at_table("a report waits for your decision.", "1.3", "talk", Group.JUDGING),
    "table.report_decided": _at_table("your report is decided; its page says why.", "1.3", "talk", Group.TALK),
    "table.warned": _at_table("a moderator has warned you for a message.", "1.3", "talk", Group.TALK),
    "table.sanctioned": _at_table("you were sanctioned: sanction {number}.", "1.3", "conduct"),
    "table.lifted": _at_table("sanction {number}, yours, is lifted.", "1.3", "conduct"),
    "table.appealed": _at_table("{name} appeals against {about}.", "R57", "appeal"),
    "table.answered": _at_table("appeal {number} is answered: {outcome}.", "R57", "appeal"),
    "table.appeal_yours": _at_table("you were drawn to answer appeal {number}.", "R57", "appeal", Group.JUDGING),
    "table.no_judge": _at_table("nobody may answer appeal {number}; name another judge.", "R57", "desk", Group.JUDGING),
    "table.unagreed": Kind(
        Group.TURNS,
        "The table {table} was given up before it began: its players did not agree on what is open. Nobody has lost.",
        TABLE,
    ),
    "table.back": Kind(Group.RULINGS, _table_back, TABLE, "T11.6"),
    "table.back_asked": Kind(Group.RULINGS, _table_back_asked, TABLE, "T11.6"),
    "table.looked": Kind(Group.RULINGS, _table_looked, TABLE, "T11.8"),
    "judge.appeal_due": Kind(
        Group.JUDGING,
        _appeal_due,
        APPEAL,
        "R57",
        Urgency.URGENT,
        Reader.JUDGE,
        (Role.BATTLE, Role.MOVEMENT),
    ),
    "penalty.given": Kind(Group.RULINGS, "You were given penalty {penalty} of turn {turn}.", ("penalties",), "5.4.1"),
    "penalty.lifted": Kind(
        Group.RULINGS, "Penalty {penalty} of turn {turn}, yours, is lifted.", ("penalties",), "5.4.1"
    ),
    "ruling.made": Kind(Group.RULINGS, "Ruling {ruling} on turn {turn} is about {army}.", ("turn", "turn"), "3.3.3"),
    "turn.corrected": Kind(
        Group.RULINGS,
        lambda data, moment: f"Turn {data['turn']} was corrected, and it changes {listed(data['armies'])}.",
        ("turn", "turn"),
        "3.3.3",
    ),
    "name.granted": Kind(Group.RULINGS, "You are called {new} now.", ("service",), "1.6"),
    "name.refused": Kind(Group.RULINGS, "The name {new} was not granted to you.", ("service",), "1.6"),
    "muster.accepted": Kind(Group.RULINGS, "Your muster {army} is accepted.", ("musters",), "2.5.2.2"),
    "muster.refused": Kind(Group.RULINGS, "Your muster {army} is refused; it says why.", ("musters",), "2.5.2.2"),
    "change.accepted": Kind(
        Group.RULINGS, "The change of {army} is accepted.", ("army", "army"), "2.3.2", reader=Reader.TEAM
    ),
    "change.refused": Kind(
        Group.RULINGS, "The change of {army} is refused.", ("army", "army"), "2.3.2", reader=Reader.TEAM
    ),
    "judge.named": Kind(Group.RULINGS, "You are a judge of this round now.", ("judges",), "1.3"),
    "judge.dismissed": Kind(Group.RULINGS, "You are no judge of this round any more.", ("judges",), "1.3"),
    # Judging
    "judge.score": _desk("A battle can be scored: " + A_BATTLE + ".", DESK_BATTLE, "4.1.1"),
    "judge.roll": _desk("The dice wait for nothing more: " + A_BATTLE + ".", DESK_BATTLE, "R38"),
    "judge.second": _desk("You are asked to score " + A_BATTLE + ", too.", DESK_BATTLE, "4.2.1"),
    "judge.consent": _desk(
        "A second judge is asked to agree to a change after the dice: " + A_BATTLE + ".", DESK_BATTLE, "R53"
    ),
    "judge.consented": _desk("A change after the dice is answered: " + A_BATTLE + ".", DESK_BATTLE, "R53"),
    "judge.agree": _desk(
        "A second judge is asked to agree that it is judged anew: " + A_BATTLE + ".",
        ("judge:battle-anew", "battle"),
        "R53",
    ),
    "judge.agreed": _desk(
        "Another judge has answered whether it is judged anew: " + A_BATTLE + ".",
        ("judge:battle-anew", "battle"),
        "R53",
    ),
    "judge.differ": _desk("Two scores are far apart, and yours decides: " + A_BATTLE + ".", DESK_BATTLE, "4.2.1"),
    "judge.third": _desk(
        "Two scores are far apart, and you, who were neither, decide: " + A_BATTLE + ".", DESK_BATTLE, "R55"
    ),
    "judge.yours": _desk("It is yours to judge now: " + A_BATTLE + ".", DESK_BATTLE, "R59"),
    "judge.lost": _desk("Another judge has it now: " + A_BATTLE + ".", DESK_BATTLE, "R59"),
    "judge.head": _desk("The place of the head battle judge went from {of} to {name}.", ("judges",), "R59"),
    "judge.away": _desk("{name} is away.", ("judges",), "R59", Role.MOVEMENT),
    "judge.late": _desk("A late strat came for {army}, in " + A_BATTLE + ".", DESK_BATTLE, "R35"),
    "judge.overdue": _desk("The result is overdue of " + A_BATTLE + ".", DESK_BATTLE, "4.1.1", own_letter=True),
    "judge.exception": _desk(
        "An exception in a control list is asked for.", ("judge:index",), "5.2.2.2", Role.MOVEMENT
    ),
    "judge.exception_over": _desk(
        _of_team("An exception in the control list of {team} has run out, and something of it still stands."),
        ("judge:index",),
        "5.2.2.2",
        Role.MOVEMENT,
    ),
    "judge.penalty": _desk(
        "{player} gave an order for {army}, which is not his: it waits for a penalty.",
        ("judge:penalties", "round"),
        "5.4.1",
        Role.MOVEMENT,
    ),
    "judge.name": _desk("{old} asks to be called {new}.", ("judge:index",), "1.6"),
    "judge.feedback": _desk(
        "Somebody wrote to you how battle {number} of turn {turn} was judged.",
        ("judge-numbers",),
        "4.2",
        urgency=Urgency.QUIET,
    ),
    "judge.muster": _desk("A muster was handed in.", ("judge:musters",), "2.5.2.2", urgency=Urgency.QUIET),
    "judge.change": _desk("A change of {army} is asked for.", ("judge:index",), "2.3.2"),
}
"""By their codes, which stand in the rows."""

GROUPS = {group.code: group for group in Group}


def in_utc(moment: datetime) -> str:
    """A moment for who has chosen no time zone."""
    return utc(moment)


ARMY_KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "refused": ("army.refused", ("army",)),
    "intercepted": ("army.stopped", ("army",)),
    "contested": ("army.stopped", ("losers",)),
    "moved_partially": ("army.stopped", ("army",)),
    "pushed": ("army.stopped", ("army",)),
    "joint_failed": ("army.stopped", ("armies",)),
    "plan_cancelled": ("army.stopped", ("army",)),
    "healed": ("army.healed", ("army",)),
    "killed": ("army.killed", ("army",)),
    "captured": ("army.captured", ("army",)),
    "liberated": ("army.freed", ("army",)),
    "converted": ("army.captured", ("army",)),
    "transferred": ("army.transferred", ("sender", "receiver")),
    "transfer_cut": ("army.transferred", ("sender", "receiver")),
    "not_transferred": ("army.transferred", ("sender", "receiver")),
    "troops_lost": ("army.transferred", ("sender", "receiver")),
    "troops_changed": ("army.changed", ("army",)),
    "personalised": ("army.changed", ("army",)),
    "change_refused": ("army.changed", ("army",)),
}
"""R18: the events of a settlement that somebody is told of: as what, and the fields that name the armies."""
