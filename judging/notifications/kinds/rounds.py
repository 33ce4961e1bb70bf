"""1.2: the kinds of things in a round that somebody is told of, by what they concern."""

from collections.abc import Callable
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.appeals.subjects import about_in_words, outcome_in_words
from judging.boards.queries.boards import BOARDS, PRESS
from judging.common.notify import NewsKind
from judging.common.stored_messages import Facts
from judging.notifications.kinds.base import Data, Group, Kind, Moment, Reader, Urgency, when
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
        "attacks": gettext("%(army)s attacked %(foes)s at %(square)s. Your strat is due by %(due)s."),
        "defends": gettext("%(foes)s attacked %(army)s at %(square)s. Your strat is due by %(due)s."),
    }.get(data.get("part", ""), gettext("%(army)s will fight %(foes)s at %(square)s. Your strat is due by %(due)s."))
    foes = listed(data.get("foes") or [gettext("someone")])
    due = when(data, "deadline", moment)
    return told % {"army": data["army"], "foes": foes, "square": data["at"], "due": due}


def _result(data: Data, moment: Moment) -> str:
    if data.get("won"):
        told = gettext("%(army)s won the battle at %(square)s. The result is published.")
    else:
        told = gettext("%(army)s lost the battle at %(square)s. The result is published.")
    return told % {"army": data["army"], "square": data["at"]}


def _strat_due(data: Data, moment: Moment) -> str:
    told = gettext(
        "Your strat for %(army)s in the battle at %(square)s is missing. It is due by %(due)s, in less than "
        "%(hours)s hours."
    )
    due = when(data, "due", moment)
    return told % {"army": data["army"], "square": data["at"], "due": due, "hours": data["hours"]}


def _word_due(data: Data, moment: Moment) -> str:
    told = gettext(
        "The dice for %(army)s at %(square)s are waiting for the word you sealed with the strat. Open the battle "
        "in the same browser by %(due)s."
    )
    return told % {"army": data["army"], "square": data["at"], "due": when(data, "until", moment)}


def _lock_near(data: Data, moment: Moment) -> str:
    told = ngettext(
        "You haven't given %(armies)s an order yet. Turn %(turn)s locks on %(due)s, in less than %(hours)s hours.",
        "You haven't given orders to %(armies)s yet. Turn %(turn)s locks on %(due)s, in less than %(hours)s hours.",
        len(data["armies"]),
    )
    due = when(data, "due", moment)
    return told % {"armies": listed(data["armies"]), "turn": data["turn"], "due": due, "hours": data["hours"]}


def _lock_moved(data: Data, moment: Moment) -> str:
    if data.get("is_early"):
        told = gettext("Turn %(turn)s now locks early, on %(time)s.")
    else:
        told = gettext("Turn %(turn)s locks at its original time again: %(time)s.")
    return told % {"turn": data["turn"], "time": when(data, "lock_at", moment)}


def _deadline_moved(data: Data, moment: Moment) -> str:
    told = gettext("The strat deadline for %(army)s in the battle at %(square)s is now %(due)s.")
    return told % {"army": data["army"], "square": data["at"], "due": when(data, "until", moment)}


def _opened(data: Data, moment: Moment) -> str:
    told = gettext("Turn %(turn)s is open for orders. It locks on %(time)s.")
    return told % {"turn": data["turn"], "time": when(data, "lock_at", moment)}


def _won(data: Data, moment: Moment) -> str:
    if not data.get("winner"):
        return gettext("The round is finished.")
    return gettext("The round is finished: %(side)s won.") % {"side": Side(data["winner"]).title}


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
        return gettext("{player} has been banned from this site permanently.").format_map(Facts(data))
    told = gettext("{player} has been banned from this site until {until}.")
    return told.format_map(Facts({**data, "until": when(data, "until", moment)}))


LET_IN = gettext_noop("The ban on {player} has ended. They can log in again.")


def _accepted(data: Data, moment: Moment) -> str:
    side = Side(data["side"])
    rank = rank_title(Rank(data["rank"]) if data.get("rank") else None, side)
    return gettext("You have joined %(side)s as %(rank)s.") % {"side": side.title, "rank": rank}


def _rank(data: Data, moment: Moment) -> str:
    name = data["by"] or gettext("A judge")
    if not data.get("after"):
        return gettext("%(name)s removed your rank.") % {"name": name}
    return gettext("%(name)s gave you the rank %(rank)s.") % {"name": name, "rank": Rank(data["after"]).title}


def _vote(data: Data, moment: Moment) -> str:
    told = gettext("A vote is waiting for you until %(time)s: %(question)s")
    return told % {"time": when(data, "closes", moment), "question": data["question"]}


def _vote_closes(data: Data, moment: Moment) -> str:
    told = gettext("You haven't voted yet. The vote closes on %(time)s: %(question)s")
    return told % {"time": when(data, "closes", moment), "question": data["question"]}


def _request(data: Data, moment: Moment) -> str:
    told = {
        "applied": gettext("Your control request for %(armies)s is in force."),
        "granted": gettext("Your control request for %(armies)s was granted."),
        "declined": gettext("Your control request for %(armies)s was declined."),
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
    return gettext("{player} appealed against {about}.").format_map(Facts({**data, "about": against}))


def _appeal_answered(data: Data, moment: Moment) -> str:
    told = gettext("Appeal {number} was answered: {outcome}.")
    return told.format_map(Facts({**data, "outcome": outcome_in_words(data["outcome"])}))


def _appeal_overruled(data: Data, moment: Moment) -> str:
    told = gettext("{judge}, the head battle judge, overruled the answer to appeal {number}: {outcome}.")
    return told.format_map(Facts({**data, "outcome": outcome_in_words(data["outcome"])}))


def _judged_anew(data: Data, moment: Moment) -> str:
    outcome = data.get("outcome", "")  # words, as version 1.0.0 stored them
    if "won" in data:
        won = gettext("%(names)s won, as before") if data["as_before"] else gettext("%(names)s won")
        outcome = won % {"names": listed(data["won"])}
    return gettext("The battle at {at} was rejudged: {outcome}.").format_map(Facts({**data, "outcome": outcome}))


def _appeal_waits(data: Data, moment: Moment) -> str:
    told = gettext("You were picked at random to answer appeal %(number)s. The deadline is %(time)s.")
    return told % {"number": data["number"], "time": when(data, "due", moment)}


def _appeal_due(data: Data, moment: Moment) -> str:
    told = gettext("Please answer appeal %(number)s by %(time)s. After that, the next judge is picked at random.")
    return told % {"number": data["number"], "time": when(data, "due", moment)}


def _corrected(data: Data, moment: Moment) -> str:
    told = gettext("Turn %(turn)s was corrected. This changes %(armies)s.")
    return told % {"turn": data["turn"], "armies": listed(data["armies"])}


APPEAL = ("appeal", "number")
BATTLE, DESK_BATTLE = ("battle", "battle"), ("judge:battle", "battle")

OF_ROUNDS: dict[str, Kind] = {
    # Deadlines
    NewsKind.STRAT_DUE: Kind(Group.DEADLINES, _strat_due, ("strat", "battle", "army"), "4.1.1", Urgency.URGENT),
    NewsKind.STRAT_MISSED: Kind(
        Group.DEADLINES,
        gettext_noop(
            "You missed the strat deadline for {army} in the battle at {at}. Ask the judges to accept a late strat."
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
    NewsKind.ARMY_GIVEN: Kind(Group.ARMIES, gettext_noop("You now control {army}."), ("army", "army"), "5.2.1"),
    NewsKind.ARMY_TAKEN: Kind(Group.ARMIES, gettext_noop("You no longer control {army}."), ("command",), "5.2.1"),
    # Battles
    NewsKind.BATTLE_ANNOUNCED: Kind(Group.BATTLES, _announced, BATTLE, "4.1.1"),
    NewsKind.BATTLE_RESULT: Kind(Group.BATTLES, _result, BATTLE, "4.2.5"),
    NewsKind.STRAT_ACCEPTED: Kind(
        Group.BATTLES, gettext_noop("The late strat of {army} for the battle at {at} counts."), BATTLE, "R35"
    ),
    NewsKind.STRAT_OVERRULED: Kind(
        Group.BATTLES,
        gettext_noop("The late strat of {army} for the battle at {at} doesn't count after all."),
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
        _talk(gettext_noop("{by} mentioned you on {board}."), gettext_noop("{by} mentioned you in a conversation.")),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),  # fmt: skip
    NewsKind.TALK_QUOTED: Kind(
        Group.TALK,
        _talk(
            gettext_noop("{by} replied to your message on {board}."),
            gettext_noop("{by} replied to your message in a conversation."),
        ),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),  # fmt: skip
    NewsKind.TALK_PRESS: Kind(
        Group.TALK,
        _talk(gettext_noop("{by} sent you a private message."), gettext_noop("{by} sent you a private message.")),
        ("board-message", "board", "number"),
        "1.6",
        reader=Reader.BOARD,
    ),  # fmt: skip
    NewsKind.TALK_HIDDEN: Kind(
        Group.TALK,
        gettext_noop("A moderator hid your message {number} on {board_title}."),
        ("boards",),
        "1.3",
        reader=Reader.TEAM,
    ),  # fmt: skip
    NewsKind.TALK_REPORTED: Kind(
        Group.JUDGING, gettext_noop("A report is waiting for your decision."), ("report", "report"), "1.3"
    ),  # fmt: skip
    NewsKind.TALK_REPORT_DECIDED: Kind(
        Group.TALK, gettext_noop("Your report was decided. The reports page says how and why."), ("reports",), "1.3"
    ),
    # The team
    NewsKind.ADMISSION_ASKED: Kind(
        Group.TEAM,
        _of_team(gettext_noop("{name} asked to join {team}.")),
        ("admissions",),
        "1.1",
        reader=Reader.LEADER,
    ),
    NewsKind.ADMISSION_ACCEPTED: Kind(Group.TEAM, _accepted, ("mine",), "1.1"),
    NewsKind.ADMISSION_REFUSED: Kind(
        Group.TEAM,
        _of_team(gettext_noop("{team} declined your request to join. Open your request to see why.")),
        ("join",),
        "1.1",
    ),
    NewsKind.ADMISSION_OVERRULED: Kind(
        Group.TEAM,
        _of_team(gettext_noop("The head battle judge decided that you don't belong to {team}.")),
        ("join",),
        "1.3",
    ),
    NewsKind.RANK_CHANGED: Kind(Group.TEAM, _rank, ("players",), "1.1"),
    NewsKind.PLAYER_INACTIVE: Kind(Group.TEAM, gettext_noop("You were declared inactive."), ("service",), "5.1"),
    NewsKind.PLAYER_ACTIVE: Kind(Group.TEAM, gettext_noop("You were declared active again."), ("service",), "5.1"),
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
        Group.TEAM, gettext_noop("You can now request changes to the control list."), ("control-request",), "5.2.2.1"
    ),
    NewsKind.CONTINGENCY_SET: Kind(
        Group.TEAM,
        gettext_noop("You will act for {player} when they are away."),
        ("contingencies",),
        "5.2.3",
        reader=Reader.TEAM,
    ),
    NewsKind.REQUEST_DECIDED: Kind(Group.TEAM, _request, ("control-requests",), "5.2.2"),
    NewsKind.VOTE_OPENED: Kind(Group.TEAM, _vote, ("vote", "vote"), "1.4", reader=Reader.TEAM),
    NewsKind.ARMY_OFFERED: Kind(Group.TEAM, gettext_noop("You can make {army} your own."), ("newcomers",), "2.6"),
    # Rulings
    NewsKind.APPEAL_LODGED: Kind(Group.RULINGS, _appealed, APPEAL, "R57"),
    NewsKind.APPEAL_ANSWERED: Kind(Group.RULINGS, _appeal_answered, APPEAL, "R57"),
    NewsKind.APPEAL_OVERRULED: Kind(Group.RULINGS, _appeal_overruled, APPEAL, "R57"),
    NewsKind.APPEAL_WITHDRAWN: Kind(Group.RULINGS, gettext_noop("Appeal {number} was withdrawn."), APPEAL, "R57"),
    NewsKind.APPEAL_PASSED_ON: Kind(
        Group.RULINGS, gettext_noop("{judge} will now answer appeal {number}."), APPEAL, "R57"
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
        Group.RULINGS, gettext_noop("You received penalty {penalty} in turn {turn}."), ("penalties",), "5.4.1"
    ),
    NewsKind.PENALTY_LIFTED: Kind(
        Group.RULINGS, gettext_noop("Your penalty {penalty} of turn {turn} was lifted."), ("penalties",), "5.4.1"
    ),
    NewsKind.RULING_MADE: Kind(
        Group.RULINGS, gettext_noop("Ruling {ruling} on turn {turn} affects {army}."), ("turn", "turn"), "3.3.3"
    ),
    NewsKind.TURN_CORRECTED: Kind(
        Group.RULINGS,
        _corrected,
        ("turn", "turn"),
        "3.3.3",
    ),
    NewsKind.NAME_GRANTED: Kind(Group.RULINGS, gettext_noop("Your name is now {new}."), ("service",), "1.6"),
    NewsKind.NAME_REFUSED: Kind(
        Group.RULINGS, gettext_noop("Your request for the name {new} was declined."), ("service",), "1.6"
    ),
    NewsKind.MUSTER_ACCEPTED: Kind(
        Group.RULINGS, gettext_noop("Your muster {army} was accepted."), ("musters",), "2.5.2.2"
    ),
    NewsKind.MUSTER_REFUSED: Kind(
        Group.RULINGS, gettext_noop("Your muster {army} was refused. Open it to see why."), ("musters",), "2.5.2.2"
    ),
    NewsKind.CHANGE_ACCEPTED: Kind(
        Group.RULINGS, gettext_noop("The change to {army} was accepted."), ("army", "army"), "2.3.2", reader=Reader.TEAM
    ),
    NewsKind.CHANGE_REFUSED: Kind(
        Group.RULINGS, gettext_noop("The change to {army} was refused."), ("army", "army"), "2.3.2", reader=Reader.TEAM
    ),
    NewsKind.JUDGE_NAMED: Kind(Group.RULINGS, gettext_noop("You are now a judge of this round."), ("judges",), "1.3"),
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
    NewsKind.JUDGE_DISMISSED: Kind(Group.RULINGS, gettext_noop("You no longer judge this round."), ("judges",), "1.3"),
    # Judging
    NewsKind.JUDGE_SCORE: _desk(
        gettext_noop("Ready to score: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "4.1.1"
    ),
    NewsKind.JUDGE_ROLL: _desk(
        gettext_noop("Ready to roll the dice: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "R38"
    ),
    NewsKind.JUDGE_PUBLISH: _desk(
        gettext_noop("Ready to publish: battle {number} of turn {turn}, at {at}. The dice are rolled."),
        DESK_BATTLE,
        "R38",
    ),
    NewsKind.JUDGE_SECOND: _desk(
        gettext_noop("Please also score battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "4.2.1"
    ),
    NewsKind.JUDGE_CONSENT: _desk(
        gettext_noop(
            "A change after the dice roll needs a second judge's consent: battle {number} of turn {turn}, at {at}."
        ),
        DESK_BATTLE,
        "R53",
    ),
    NewsKind.JUDGE_CONSENTED: _desk(
        gettext_noop(
            "Another judge has decided on a change after the dice roll: battle {number} of turn {turn}, at {at}."
        ),
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
            "Two scores are far apart. As the third judge, you decide: battle {number} of turn {turn}, at {at}."
        ),
        DESK_BATTLE,
        "R55",
    ),
    NewsKind.JUDGE_YOURS: _desk(
        gettext_noop("Battle {number} of turn {turn}, at {at}, has been assigned to you."), DESK_BATTLE, "R59"
    ),
    NewsKind.JUDGE_LOST: _desk(
        gettext_noop("Battle {number} of turn {turn}, at {at}, has been assigned to another judge."), DESK_BATTLE, "R59"
    ),
    NewsKind.JUDGE_HEAD: _desk(gettext_noop("{name} has replaced {of} as head battle judge."), ("judges",), "R59"),
    NewsKind.JUDGE_AWAY: _desk(gettext_noop("{name} is away."), ("judges",), "R59", Role.MOVEMENT),
    NewsKind.JUDGE_BARRED: _desk(_barred, ("judges",), "1.6", Role.MOVEMENT),
    NewsKind.JUDGE_LET_IN: _desk(LET_IN, ("judges",), "1.6", Role.MOVEMENT),
    NewsKind.JUDGE_LATE: _desk(
        gettext_noop("A late strat arrived for {army}: battle {number} of turn {turn}, at {at}."), DESK_BATTLE, "R35"
    ),
    NewsKind.JUDGE_OVERDUE: _desk(
        gettext_noop("The result of battle {number} of turn {turn}, at {at}, is overdue."),
        DESK_BATTLE,
        "4.1.1",
        own_letter=True,
    ),
    NewsKind.JUDGE_EXCEPTION: _desk(
        gettext_noop("A team requested an exception to its control list."), ("judge:index",), "5.2.2.2", Role.MOVEMENT
    ),
    NewsKind.JUDGE_EXCEPTION_OVER: _desk(
        _of_team(
            gettext_noop("An exception in the control list of {team} has expired, but part of it is still in place.")
        ),
        ("judge:index",),
        "5.2.2.2",
        Role.MOVEMENT,
    ),
    NewsKind.JUDGE_PENALTY: _desk(
        gettext_noop("{player} gave an order for {army}, which they don't control. A penalty is suggested."),
        ("judge:penalties", "round"),
        "5.4.1",
        Role.MOVEMENT,
    ),
    NewsKind.JUDGE_NAME: _desk(gettext_noop("{old} wants to be called {new}."), ("judge:index",), "1.6"),
    NewsKind.JUDGE_FEEDBACK: _desk(
        gettext_noop("Someone sent you feedback on battle {number} of turn {turn}."),
        ("judge-numbers",),
        "4.2",
        urgency=Urgency.QUIET,
    ),
    NewsKind.JUDGE_MUSTER: _desk(
        gettext_noop("A muster was submitted."), ("judge:musters",), "2.5.2.2", urgency=Urgency.QUIET
    ),
    NewsKind.JUDGE_CHANGE: _desk(gettext_noop("A change to {army} was requested."), ("judge:index",), "2.3.2"),
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
