"""1.2: the kinds of things in a round that somebody is told of, by what they concern."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.appeals.words import about_in_words, outcome_in_words
from judging.boards.reads.boards import BOARDS, PRESS
from judging.game.telling import NewsKind
from judging.game.words import Facts
from judging.notifications.kinds.kind import Data, Group, Kind, Moment, Reader, Urgency, when
from wargame.models.choices import Role
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.wording import listed
from wargame.rules.telling.telling import event_from_json


def _event(data: Data, moment: Moment) -> str:
    return event_from_json(data["event"]).sentence


def _of_army(told: str) -> Kind:
    """What a settlement did to an army of somebody's: the sentence is the event's own."""
    return Kind(Group.ARMIES, _event, ("turn", "turn"), told)


def _announced(data: Data, moment: Moment) -> str:
    told = {
        "attacks": gettext("%(army)s attacks %(foes)s at %(square)s: its strat is due by %(due)s."),
        "defends": gettext("%(army)s is attacked by %(foes)s at %(square)s: its strat is due by %(due)s."),
    }.get(data.get("part", ""), gettext("%(army)s fights %(foes)s at %(square)s: its strat is due by %(due)s."))
    foes = listed(data.get("foes") or [gettext("somebody")])
    due = when(data, "deadline", moment)
    return told % {"army": data["army"], "foes": foes, "square": data["at"], "due": due}


def _result(data: Data, moment: Moment) -> str:
    if data.get("won"):
        told = gettext("%(army)s won the battle at %(square)s: its result is published.")
    else:
        told = gettext("%(army)s lost the battle at %(square)s: its result is published.")
    return told % {"army": data["army"], "square": data["at"]}


def _strat_due(data: Data, moment: Moment) -> str:
    told = gettext(
        "The strat of %(army)s for the battle at %(square)s is missing. It is due by %(due)s, in less than %(hours)s "
        "hours."
    )
    due = when(data, "due", moment)
    return told % {"army": data["army"], "square": data["at"], "due": due, "hours": data["hours"]}


def _word_due(data: Data, moment: Moment) -> str:
    told = gettext(
        "The dice of %(army)s at %(square)s wait for the word that you sealed with the strat. Open the battle with the "
        "same browser by %(due)s."
    )
    return told % {"army": data["army"], "square": data["at"], "due": when(data, "until", moment)}


def _lock_near(data: Data, moment: Moment) -> str:
    told = ngettext(
        "%(armies)s has no order of yours. Turn %(turn)s locks at %(due)s, in less than %(hours)s hours.",
        "%(armies)s have no order of yours. Turn %(turn)s locks at %(due)s, in less than %(hours)s hours.",
        len(data["armies"]),
    )
    due = when(data, "due", moment)
    return told % {"armies": listed(data["armies"]), "turn": data["turn"], "due": due, "hours": data["hours"]}


def _lock_moved(data: Data, moment: Moment) -> str:
    if data.get("is_early"):
        told = gettext("The lock of turn %(turn)s is brought forward to %(time)s.")
    else:
        told = gettext("The lock of turn %(turn)s is put back to %(time)s.")
    return told % {"turn": data["turn"], "time": when(data, "lock_at", moment)}


def _deadline_moved(data: Data, moment: Moment) -> str:
    told = gettext("The strat of %(army)s for the battle at %(square)s is due by %(due)s now.")
    return told % {"army": data["army"], "square": data["at"], "due": when(data, "until", moment)}


def _opened(data: Data, moment: Moment) -> str:
    told = gettext("Turn %(turn)s is open for orders, and locks at %(time)s.")
    return told % {"turn": data["turn"], "time": when(data, "lock_at", moment)}


def _won(data: Data, moment: Moment) -> str:
    if not data.get("winner"):
        return gettext("The round is over.")
    return gettext("The round is over: %(side)s won.") % {"side": Side(data["winner"]).title}


def _talk(told: str, in_conversation: str) -> Callable[[Data, Moment], str]:
    def words(data: Data, moment: Moment) -> str:
        key = data["board"]
        if key.startswith(PRESS):
            return gettext(in_conversation).format(by=data["by"])
        return gettext(told).format(by=data["by"], board=BOARDS[key].title)

    return words


def _of_team(told: str) -> Callable[[Data, Moment], str]:
    return lambda data, moment: gettext(told).format_map(Facts({**data, "team": Side(data["side"]).title}))


def _handover(told: str) -> Callable[[Data, Moment], str]:
    """1.3: an offer of a head's place."""

    def words(data: Data, moment: Moment) -> str:
        until = when(data, "until", moment) if data.get("until") else ""
        facts = {**data, "role": Role(data["role"]).label, "until": until}
        return gettext(told).format_map(Facts(facts))

    return words


def _barred(data: Data, moment: Moment) -> str:
    if not data.get("until"):
        return gettext("{player} is barred from this site for good.").format_map(Facts(data))
    told = gettext("{player} is barred from this site until {until}.")
    return told.format_map(Facts({**data, "until": when(data, "until", moment)}))


LET_IN = gettext_noop("{player} was barred, and may log in again.")


def _accepted(data: Data, moment: Moment) -> str:
    side = Side(data["side"])
    rank = rank_title(Rank(data["rank"]) if data.get("rank") else None, side)
    return gettext("You are of %(side)s now, as %(rank)s.") % {"side": side.title, "rank": rank}


def _rank(data: Data, moment: Moment) -> str:
    name = data["by"] or gettext("A judge")
    if not data.get("after"):
        return gettext("%(name)s took your rank from you.") % {"name": name}
    return gettext("%(name)s gave you the rank %(rank)s.") % {"name": name, "rank": Rank(data["after"]).title}


def _vote(data: Data, moment: Moment) -> str:
    told = gettext("A vote waits for you until %(time)s: %(question)s")
    return told % {"time": when(data, "closes", moment), "question": data["question"]}


def _vote_closes(data: Data, moment: Moment) -> str:
    told = gettext("You have not voted yet, and the vote closes at %(time)s: %(question)s")
    return told % {"time": when(data, "closes", moment), "question": data["question"]}


def _request(data: Data, moment: Moment) -> str:
    told = {
        "applied": gettext("Your request about the control of %(armies)s is in force."),
        "granted": gettext("Your request about the control of %(armies)s is granted."),
        "declined": gettext("Your request about the control of %(armies)s is declined."),
    }[data["how"]]
    return told % {"armies": listed(data["armies"])}


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


def _appealed(data: Data, moment: Moment) -> str:
    about = data["about"]
    against = about if isinstance(about, str) else about_in_words(about)  # a text, as version 1.0.0 stored it
    return gettext("{player} appeals against {about}.").format_map(Facts({**data, "about": against}))


def _appeal_answered(data: Data, moment: Moment) -> str:
    told = gettext("Appeal {number} is answered: {outcome}.")
    return told.format_map(Facts({**data, "outcome": outcome_in_words(data["outcome"])}))


def _appeal_overruled(data: Data, moment: Moment) -> str:
    told = gettext("{judge}, the head battle judge, overruled the answer to appeal {number}: {outcome}.")
    return told.format_map(Facts({**data, "outcome": outcome_in_words(data["outcome"])}))


def _judged_anew(data: Data, moment: Moment) -> str:
    outcome = data.get("outcome", "")  # words, as version 1.0.0 stored them
    if "won" in data:
        won = gettext("%(names)s won, as before") if data["as_before"] else gettext("%(names)s won")
        outcome = won % {"names": listed(data["won"])}
    return gettext("The battle at {at} was judged again: {outcome}.").format_map(Facts({**data, "outcome": outcome}))


def _appeal_waits(data: Data, moment: Moment) -> str:
    told = gettext("You were drawn to answer appeal %(number)s, by %(time)s.")
    return told % {"number": data["number"], "time": when(data, "due", moment)}


def _appeal_due(data: Data, moment: Moment) -> str:
    told = gettext("Please answer appeal %(number)s by %(time)s. After that, the next judge is drawn.")
    return told % {"number": data["number"], "time": when(data, "due", moment)}


def _corrected(data: Data, moment: Moment) -> str:
    told = gettext("Turn %(turn)s was corrected, and it changes %(armies)s.")
    return told % {"turn": data["turn"], "armies": listed(data["armies"])}


APPEAL = ("appeal", "number")
BATTLE, DESK_BATTLE = ("battle", "battle"), ("judge:battle", "battle")

OF_ROUNDS: dict[str, Kind] = {
    # Deadlines
    NewsKind.STRAT_DUE: Kind(Group.DEADLINES, _strat_due, ("strat", "battle", "army"), "4.1.1", Urgency.URGENT),
    NewsKind.STRAT_MISSED: Kind(
        Group.DEADLINES,
        gettext_noop(
            "The deadline has passed, and {army} has no strat for the battle at {at}. Ask the judges whether a "
            "late one may count."
        ),
        BATTLE,
        "R35",
    ),
    NewsKind.WORD_DUE: Kind(Group.DEADLINES, _word_due, BATTLE, "R38", Urgency.URGENT),
    NewsKind.LOCK_NEAR: Kind(Group.DEADLINES, _lock_near, ("post-new",), "3.1", Urgency.URGENT),
    NewsKind.LOCK_MOVED: Kind(Group.DEADLINES, _lock_moved, ("mine",), "R60", Urgency.URGENT),
    NewsKind.DEADLINE_MOVED: Kind(Group.DEADLINES, _deadline_moved, BATTLE, "R5", Urgency.URGENT),
    NewsKind.VOTE_CLOSING: Kind(Group.DEADLINES, _vote_closes, ("vote", "vote"), "R46", Urgency.URGENT, Reader.TEAM),
    # Armies
    NewsKind.ARMY_REFUSED: _of_army("3.3"),
    NewsKind.ARMY_STOPPED: _of_army("3.2.3"),
    NewsKind.ARMY_HEALED: _of_army("2.3.1"),
    NewsKind.ARMY_KILLED: _of_army("4.3"),
    NewsKind.ARMY_CAPTURED: _of_army("4.5"),
    NewsKind.ARMY_FREED: _of_army("4.5"),
    NewsKind.ARMY_TRANSFERRED: _of_army("3.2.4"),
    NewsKind.ARMY_CHANGED: _of_army("2.3.2"),
    NewsKind.ARMY_GIVEN: Kind(Group.ARMIES, gettext_noop("You control {army} now."), ("army", "army"), "5.2.1"),
    NewsKind.ARMY_TAKEN: Kind(Group.ARMIES, gettext_noop("You control {army} no more."), ("command",), "5.2.1"),
    # Battles
    NewsKind.BATTLE_ANNOUNCED: Kind(Group.BATTLES, _announced, BATTLE, "4.1.1"),
    NewsKind.BATTLE_RESULT: Kind(Group.BATTLES, _result, BATTLE, "4.2.5"),
    NewsKind.STRAT_ACCEPTED: Kind(
        Group.BATTLES, gettext_noop("The late strat of {army} for the battle at {at} counts."), BATTLE, "R35"
    ),
    NewsKind.STRAT_OVERRULED: Kind(
        Group.BATTLES,
        gettext_noop("The late strat of {army} for the battle at {at} does not count after all."),
        BATTLE,
        "1.3",
    ),
    NewsKind.BATTLE_ANEW: Kind(Group.BATTLES, _judged_anew, BATTLE, "R58"),
    # Turns
    NewsKind.TURN_OPENED: Kind(Group.TURNS, _opened, ("mine",), "3.1"),
    NewsKind.ROUND_WON: Kind(Group.TURNS, _won, ("map",), "1.7"),
    # Talk
    NewsKind.TALK_NAMED: Kind(
        Group.TALK,
        _talk(gettext_noop("{by} names you on {board}."), gettext_noop("{by} names you in a conversation.")),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),  # fmt: skip
    NewsKind.TALK_QUOTED: Kind(
        Group.TALK,
        _talk(
            gettext_noop("{by} answers a message of yours on {board}."),
            gettext_noop("{by} answers a message of yours in a conversation."),
        ),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),  # fmt: skip
    NewsKind.TALK_PRESS: Kind(
        Group.TALK,
        _talk(gettext_noop("{by} writes to you in private."), gettext_noop("{by} writes to you in private.")),
        ("board-message", "board", "number"),
        "1.6",
        reader=Reader.BOARD,
    ),  # fmt: skip
    NewsKind.TALK_HIDDEN: Kind(
        Group.TALK,
        gettext_noop("A moderator has hidden a message of yours: message {number} on {board_title}."),
        ("boards",),
        "1.3",
        reader=Reader.TEAM,
    ),  # fmt: skip
    NewsKind.TALK_REPORTED: Kind(
        Group.JUDGING, gettext_noop("A report waits for your decision."), ("report", "report"), "1.3"
    ),  # fmt: skip
    NewsKind.TALK_REPORT_DECIDED: Kind(
        Group.TALK, gettext_noop("Your report is decided: the page of reports says how, and why."), ("reports",), "1.3"
    ),
    # The team
    NewsKind.ADMISSION_ASKED: Kind(
        Group.TEAM,
        _of_team(gettext_noop("{name} asks {team} for admission.")),
        ("admissions",),
        "1.1",
        reader=Reader.LEADER,
    ),
    NewsKind.ADMISSION_ACCEPTED: Kind(Group.TEAM, _accepted, ("mine",), "1.1"),
    NewsKind.ADMISSION_REFUSED: Kind(
        Group.TEAM, _of_team(gettext_noop("{team} did not take you in. Your request says why.")), ("join",), "1.1"
    ),
    NewsKind.ADMISSION_OVERRULED: Kind(
        Group.TEAM,
        _of_team(gettext_noop("The head battle judge decided that you are not of {team}.")),
        ("join",),
        "1.3",
    ),
    NewsKind.RANK_CHANGED: Kind(Group.TEAM, _rank, ("players",), "1.1"),
    NewsKind.PLAYER_INACTIVE: Kind(Group.TEAM, gettext_noop("You were declared inactive."), ("service",), "5.1"),
    NewsKind.PLAYER_ACTIVE: Kind(Group.TEAM, gettext_noop("You are declared active again."), ("service",), "5.1"),
    NewsKind.PLAYER_LEFT: Kind(
        Group.TEAM,
        _of_team(gettext_noop("{player} has left {team}.")),
        ("players",),
        "1.1",
        Urgency.QUIET,
        Reader.LEADER,
    ),
    NewsKind.PLAYER_BARRED: Kind(Group.TEAM, _barred, ("players",), "1.6", reader=Reader.LEADER),
    NewsKind.PLAYER_LET_IN: Kind(Group.TEAM, LET_IN, ("players",), "1.6", Urgency.QUIET, Reader.LEADER),
    NewsKind.POWER_GIVEN: Kind(
        Group.TEAM, gettext_noop("You may ask for changes of the control list now."), ("control-request",), "5.2.2.1"
    ),
    NewsKind.CONTINGENCY_SET: Kind(
        Group.TEAM,
        gettext_noop("You act for {player} when {player} is away."),
        ("contingencies",),
        "5.2.3",
        reader=Reader.TEAM,
    ),
    NewsKind.REQUEST_DECIDED: Kind(Group.TEAM, _request, ("control-requests",), "5.2.2"),
    NewsKind.VOTE_OPENED: Kind(Group.TEAM, _vote, ("vote", "vote"), "1.4", reader=Reader.TEAM),
    NewsKind.ARMY_OFFERED: Kind(Group.TEAM, gettext_noop("You may make {army} your own."), ("newcomers",), "2.6"),
    # Rulings
    NewsKind.APPEAL_LODGED: Kind(Group.RULINGS, _appealed, APPEAL, "R57"),
    NewsKind.APPEAL_ANSWERED: Kind(Group.RULINGS, _appeal_answered, APPEAL, "R57"),
    NewsKind.APPEAL_OVERRULED: Kind(Group.RULINGS, _appeal_overruled, APPEAL, "R57"),
    NewsKind.APPEAL_WITHDRAWN: Kind(Group.RULINGS, gettext_noop("Appeal {number} is withdrawn."), APPEAL, "R57"),
    NewsKind.APPEAL_PASSED_ON: Kind(
        Group.RULINGS, gettext_noop("Appeal {number} is for {judge} to answer now."), APPEAL, "R57"
    ),
    NewsKind.JUDGE_APPEAL: Kind(
        Group.JUDGING, _appeal_waits, APPEAL, "R57", reader=Reader.JUDGE, roles=(Role.BATTLE, Role.MOVEMENT)
    ),
    NewsKind.JUDGE_APPEAL_DUE: Kind(
        Group.JUDGING,
        _appeal_due,
        APPEAL,
        "R57",
        Urgency.URGENT,
        Reader.JUDGE,
        (Role.BATTLE, Role.MOVEMENT),
    ),
    NewsKind.PENALTY_GIVEN: Kind(
        Group.RULINGS, gettext_noop("You were given penalty {penalty} of turn {turn}."), ("penalties",), "5.4.1"
    ),
    NewsKind.PENALTY_LIFTED: Kind(
        Group.RULINGS, gettext_noop("Penalty {penalty} of turn {turn}, yours, is lifted."), ("penalties",), "5.4.1"
    ),
    NewsKind.RULING_MADE: Kind(
        Group.RULINGS, gettext_noop("Ruling {ruling} on turn {turn} is about {army}."), ("turn", "turn"), "3.3.3"
    ),
    NewsKind.TURN_CORRECTED: Kind(
        Group.RULINGS,
        _corrected,
        ("turn", "turn"),
        "3.3.3",
    ),
    NewsKind.NAME_GRANTED: Kind(Group.RULINGS, gettext_noop("You are called {new} now."), ("service",), "1.6"),
    NewsKind.NAME_REFUSED: Kind(
        Group.RULINGS, gettext_noop("The name {new} was not granted to you."), ("service",), "1.6"
    ),
    NewsKind.MUSTER_ACCEPTED: Kind(
        Group.RULINGS, gettext_noop("Your muster {army} is accepted."), ("musters",), "2.5.2.2"
    ),
    NewsKind.MUSTER_REFUSED: Kind(
        Group.RULINGS, gettext_noop("Your muster {army} is refused; it says why."), ("musters",), "2.5.2.2"
    ),
    NewsKind.CHANGE_ACCEPTED: Kind(
        Group.RULINGS, gettext_noop("The change of {army} is accepted."), ("army", "army"), "2.3.2", reader=Reader.TEAM
    ),
    NewsKind.CHANGE_REFUSED: Kind(
        Group.RULINGS, gettext_noop("The change of {army} is refused."), ("army", "army"), "2.3.2", reader=Reader.TEAM
    ),
    NewsKind.JUDGE_NAMED: Kind(Group.RULINGS, gettext_noop("You are a judge of this round now."), ("judges",), "1.3"),
    NewsKind.JUDGE_HEAD_OFFERED: Kind(
        Group.RULINGS,
        _handover(gettext_noop("{name} was asked to replace {of} as head {role}, and can accept until {until}.")),
        ("judges",),
        "1.3",
    ),
    NewsKind.JUDGE_HEAD_ACCEPTED: Kind(
        Group.RULINGS, _handover(gettext_noop("{name} has replaced {of} as head {role}.")), ("judges",), "1.3"
    ),
    NewsKind.JUDGE_HEAD_DECLINED: Kind(
        Group.RULINGS, _handover(gettext_noop("{name} declined. {of} stays head {role}.")), ("judges",), "1.3"
    ),
    NewsKind.JUDGE_HEAD_WITHDRAWN: Kind(
        Group.RULINGS,
        _handover(gettext_noop("The offer to {name} was withdrawn. {of} stays head {role}.")),
        ("judges",),
        "1.3",
    ),
    NewsKind.JUDGE_HEAD_LAPSED: Kind(
        Group.RULINGS,
        _handover(gettext_noop("The offer to {name} has expired. {of} stays head {role}.")),
        ("judges",),
        "1.3",
    ),
    NewsKind.JUDGE_DISMISSED: Kind(
        Group.RULINGS, gettext_noop("You are no judge of this round any more."), ("judges",), "1.3"
    ),
    # Judging
    NewsKind.JUDGE_SCORE: _desk(
        gettext_noop("A battle can be scored: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "4.1.1"
    ),
    NewsKind.JUDGE_ROLL: _desk(
        gettext_noop("The dice wait for nothing more: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "R38"
    ),
    NewsKind.JUDGE_PUBLISH: _desk(
        gettext_noop("Ready to publish: battle {number} of turn {turn}, at {at}. The dice are rolled."),
        DESK_BATTLE,
        "R38",
    ),
    NewsKind.JUDGE_SECOND: _desk(
        gettext_noop("You are asked to score battle {number} of turn {turn}, at {at}, too."), DESK_BATTLE, "4.2.1"
    ),
    NewsKind.JUDGE_CONSENT: _desk(
        gettext_noop(
            "A second judge is asked to agree to a change after the dice: battle {number} of turn {turn}, at {at}."
        ),
        DESK_BATTLE,
        "R53",
    ),
    NewsKind.JUDGE_CONSENTED: _desk(
        gettext_noop("A change after the dice is answered: battle {number} of turn {turn}, at {at}."),
        DESK_BATTLE,
        "R53",
    ),
    NewsKind.JUDGE_AGREE: _desk(
        gettext_noop("A new score needs a second judge's consent: battle {number} of turn {turn}, at {at}."),
        ("judge:battle-anew", "battle"),
        "R53",
    ),
    NewsKind.JUDGE_AGREED: _desk(
        gettext_noop("Another judge has decided on your new score: battle {number} of turn {turn}, at {at}."),
        ("judge:battle-anew", "battle"),
        "R53",
    ),
    NewsKind.JUDGE_DIFFER: _desk(
        gettext_noop("Two scores are far apart, and yours decides: battle {number} of turn {turn}, at {at}."),
        DESK_BATTLE,
        "4.2.1",
    ),
    NewsKind.JUDGE_THIRD: _desk(
        gettext_noop(
            "Two scores are far apart, and you, who were neither, decide: battle {number} of turn {turn}, at {at}."
        ),
        DESK_BATTLE,
        "R55",
    ),
    NewsKind.JUDGE_YOURS: _desk(
        gettext_noop("It is yours to judge now: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "R59"
    ),
    NewsKind.JUDGE_LOST: _desk(
        gettext_noop("Another judge has it now: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "R59"
    ),
    NewsKind.JUDGE_HEAD: _desk(
        gettext_noop("The place of the head battle judge went from {of} to {name}."), ("judges",), "R59"
    ),
    NewsKind.JUDGE_AWAY: _desk(gettext_noop("{name} is away."), ("judges",), "R59", Role.MOVEMENT),
    NewsKind.JUDGE_BARRED: _desk(_barred, ("judges",), "1.6", Role.MOVEMENT),
    NewsKind.JUDGE_LET_IN: _desk(LET_IN, ("judges",), "1.6", Role.MOVEMENT),
    NewsKind.JUDGE_LATE: _desk(
        gettext_noop("A late strat came for {army}, in battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "R35"
    ),
    NewsKind.JUDGE_OVERDUE: _desk(
        gettext_noop("The result is overdue of battle {number} of turn {turn}, at {at}."),
        DESK_BATTLE,
        "4.1.1",
        own_letter=True,
    ),
    NewsKind.JUDGE_EXCEPTION: _desk(
        gettext_noop("An exception in a control list is asked for."), ("judge:index",), "5.2.2.2", Role.MOVEMENT
    ),
    NewsKind.JUDGE_EXCEPTION_OVER: _desk(
        _of_team(
            gettext_noop("An exception in the control list of {team} has run out, and something of it still stands.")
        ),
        ("judge:index",),
        "5.2.2.2",
        Role.MOVEMENT,
    ),
    NewsKind.JUDGE_PENALTY: _desk(
        gettext_noop("{player} gave an order for {army}, which is not his: it waits for a penalty."),
        ("judge:penalties", "round"),
        "5.4.1",
        Role.MOVEMENT,
    ),
    NewsKind.JUDGE_NAME: _desk(gettext_noop("{old} asks to be called {new}."), ("judge:index",), "1.6"),
    NewsKind.JUDGE_FEEDBACK: _desk(
        gettext_noop("Somebody wrote to you how battle {number} of turn {turn} was judged."),
        ("judge-numbers",),
        "4.2",
        urgency=Urgency.QUIET,
    ),
    NewsKind.JUDGE_MUSTER: _desk(
        gettext_noop("A muster was handed in."), ("judge:musters",), "2.5.2.2", urgency=Urgency.QUIET
    ),
    NewsKind.JUDGE_CHANGE: _desk(gettext_noop("A change of {army} is asked for."), ("judge:index",), "2.3.2"),
}
"""By their codes, which stand in the rows."""


ARMY_KINDS: dict[str, tuple[NewsKind, tuple[str, ...]]] = {
    "refused": (NewsKind.ARMY_REFUSED, ("army",)),
    "intercepted": (NewsKind.ARMY_STOPPED, ("army",)),
    "contested": (NewsKind.ARMY_STOPPED, ("losers",)),
    "moved_partially": (NewsKind.ARMY_STOPPED, ("army",)),
    "pushed": (NewsKind.ARMY_STOPPED, ("army",)),
    "joint_failed": (NewsKind.ARMY_STOPPED, ("armies",)),
    "plan_cancelled": (NewsKind.ARMY_STOPPED, ("army",)),
    "healed": (NewsKind.ARMY_HEALED, ("army",)),
    "killed": (NewsKind.ARMY_KILLED, ("army",)),
    "captured": (NewsKind.ARMY_CAPTURED, ("army",)),
    "liberated": (NewsKind.ARMY_FREED, ("army",)),
    "converted": (NewsKind.ARMY_CAPTURED, ("army",)),
    "transferred": (NewsKind.ARMY_TRANSFERRED, ("sender", "receiver")),
    "transfer_cut": (NewsKind.ARMY_TRANSFERRED, ("sender", "receiver")),
    "not_transferred": (NewsKind.ARMY_TRANSFERRED, ("sender", "receiver")),
    "troops_lost": (NewsKind.ARMY_TRANSFERRED, ("sender", "receiver")),
    "troops_changed": (NewsKind.ARMY_CHANGED, ("army",)),
    "personalised": (NewsKind.ARMY_CHANGED, ("army",)),
    "change_refused": (NewsKind.ARMY_CHANGED, ("army",)),
}
"""R18: the events of a settlement that somebody is told of: as what, and the fields that name the armies."""
