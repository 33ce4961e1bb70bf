"""1.2: the kinds of notifications about a round, by subject."""

from collections.abc import Callable

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.appeals.subjects import about_in_words, outcome_in_words
from judging.boards.queries.boards import BOARDS, PRESS
from judging.common.stored_messages import Facts
from judging.notifications import recipients as to
from judging.notifications.kinds.base import Data, Group, Kind, Moment, Reader, Urgency, when
from judging.notifications.recipients import Recipients
from wargame.models.choices import Role
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.wording import listed
from wargame.rules.telling.telling import event_from_json


def _event(data: Data, moment: Moment) -> str:
    return event_from_json(data["event"]).sentence


ARMY, SENDER_AND_RECEIVER = ("army",), ("sender", "receiver")


def _of_army(cites: str, **events: tuple[str, ...]) -> Kind:
    """What a settlement did to an army of somebody's: the sentence is the event's own. `events` with their fields that
    name armies."""
    return Kind(Group.ARMIES, _event, ("turn", "turn"), cites, events=events)


def _announced(data: Data, moment: Moment) -> str:
    text = {
        "attacks": gettext("%(army)s attacked %(foes)s at %(square)s. Your strat is due by %(due)s."),
        "defends": gettext("%(foes)s attacked %(army)s at %(square)s. Your strat is due by %(due)s."),
    }.get(data.get("part", ""), gettext("%(army)s will fight %(foes)s at %(square)s. Your strat is due by %(due)s."))
    foes = listed(data.get("foes") or [gettext("someone")])
    due = when(data, "deadline", moment)
    return text % {"army": data["army"], "foes": foes, "square": data["at"], "due": due}


def _result(data: Data, moment: Moment) -> str:
    if data.get("won"):
        text = gettext("%(army)s won the battle at %(square)s. The result is published.")
    else:
        text = gettext("%(army)s lost the battle at %(square)s. The result is published.")
    return text % {"army": data["army"], "square": data["at"]}


def _strat_due(data: Data, moment: Moment) -> str:
    text = gettext(
        "Your strat for %(army)s in the battle at %(square)s is missing. It is due by %(due)s, in less than "
        "%(hours)s hours."
    )
    due = when(data, "due", moment)
    return text % {"army": data["army"], "square": data["at"], "due": due, "hours": data["hours"]}


def _word_due(data: Data, moment: Moment) -> str:
    text = gettext(
        "The dice for %(army)s at %(square)s are waiting for the word you sealed with the strat. Open the battle "
        "in the same browser by %(due)s."
    )
    return text % {"army": data["army"], "square": data["at"], "due": when(data, "until", moment)}


def _lock_near(data: Data, moment: Moment) -> str:
    text = ngettext(
        "You haven't given %(armies)s an order yet. Turn %(turn)s locks on %(due)s, in less than %(hours)s hours.",
        "You haven't given orders to %(armies)s yet. Turn %(turn)s locks on %(due)s, in less than %(hours)s hours.",
        len(data["armies"]),
    )
    due = when(data, "due", moment)
    return text % {"armies": listed(data["armies"]), "turn": data["turn"], "due": due, "hours": data["hours"]}


def _lock_moved(data: Data, moment: Moment) -> str:
    if data.get("is_early"):
        text = gettext("Turn %(turn)s now locks early, on %(time)s.")
    else:
        text = gettext("Turn %(turn)s locks at its original time again: %(time)s.")
    return text % {"turn": data["turn"], "time": when(data, "lock_at", moment)}


def _deadline_moved(data: Data, moment: Moment) -> str:
    text = gettext("The strat deadline for %(army)s in the battle at %(square)s is now %(due)s.")
    return text % {"army": data["army"], "square": data["at"], "due": when(data, "until", moment)}


def _opened(data: Data, moment: Moment) -> str:
    text = gettext("Turn %(turn)s is open for orders. It locks on %(time)s.")
    return text % {"turn": data["turn"], "time": when(data, "lock_at", moment)}


def _won(data: Data, moment: Moment) -> str:
    if not data.get("winner"):
        return gettext("The round is finished.")
    return gettext("The round is finished: %(side)s won.") % {"side": Side(data["winner"]).title}


def _talk(text: str, in_conversation: str) -> Callable[[Data, Moment], str]:
    def words(data: Data, moment: Moment) -> str:
        key = data["board"]
        if key.startswith(PRESS):
            return gettext(in_conversation).format(by=data["by"])
        return gettext(text).format(by=data["by"], board=BOARDS[key].title)

    return words


def of_team(told: str) -> Callable[[Data, Moment], str]:
    return lambda data, moment: gettext(told).format_map(Facts({**data, "team": Side(data["side"]).title}))


def _handover(text: str) -> Callable[[Data, Moment], str]:
    """1.3: an offer of a head's place."""

    def words(data: Data, moment: Moment) -> str:
        until = when(data, "until", moment) if data.get("until") else ""
        facts = {**data, "role": Role(data["role"]).label, "until": until}
        return gettext(text).format_map(Facts(facts))

    return words


def barred_in_words(data: Data, moment: Moment) -> str:
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
    text = gettext("A vote is waiting for you until %(time)s: %(question)s")
    return text % {"time": when(data, "closes", moment), "question": data["question"]}


def _vote_closes(data: Data, moment: Moment) -> str:
    text = gettext("You haven't voted yet. The vote closes on %(time)s: %(question)s")
    return text % {"time": when(data, "closes", moment), "question": data["question"]}


def _request(data: Data, moment: Moment) -> str:
    text = {
        "applied": gettext("Your control request for %(armies)s is in force."),
        "granted": gettext("Your control request for %(armies)s was granted."),
        "declined": gettext("Your control request for %(armies)s was declined."),
    }[data["how"]]
    return text % {"armies": listed(data["armies"])}


def _appealed(data: Data, moment: Moment) -> str:
    about = data["about"]
    against = about if isinstance(about, str) else about_in_words(about)  # a text, as version 1.0.0 stored it
    return gettext("{player} appealed against {about}.").format_map(Facts({**data, "about": against}))


def _appeal_answered(data: Data, moment: Moment) -> str:
    text = gettext("Appeal {number} was answered: {outcome}.")
    return text.format_map(Facts({**data, "outcome": outcome_in_words(data["outcome"])}))


def _appeal_overruled(data: Data, moment: Moment) -> str:
    text = gettext("{judge}, the head battle judge, overruled the answer to appeal {number}: {outcome}.")
    return text.format_map(Facts({**data, "outcome": outcome_in_words(data["outcome"])}))


def _judged_anew(data: Data, moment: Moment) -> str:
    outcome = data.get("outcome", "")  # words, as version 1.0.0 stored them
    if "won" in data:
        won = gettext("%(names)s won, as before") if data["as_before"] else gettext("%(names)s won")
        outcome = won % {"names": listed(data["won"])}
    return gettext("The battle at {at} was rejudged: {outcome}.").format_map(Facts({**data, "outcome": outcome}))


def _corrected(data: Data, moment: Moment) -> str:
    text = gettext("Turn %(turn)s was corrected. This changes %(armies)s.")
    return text % {"turn": data["turn"], "armies": listed(data["armies"])}


APPEAL = ("appeal", "number")
BATTLE = ("battle", "battle")
OFFER = ("name", "of", "role", "until")


def appeal_acts(*acts: str, told: Recipients = to.both_sides_of_appeal) -> dict[str, Recipients]:
    """R57: the acts of open and of hidden appeals."""
    return {f"appeal.{hidden}{act}": told for act in acts for hidden in ("", "hidden_")}


OF_ROUNDS: dict[str, Kind] = {
    # Deadlines
    "strat.due": Kind(Group.DEADLINES, _strat_due, ("strat", "battle", "army"), "4.1.1", Urgency.URGENT, lapses=True),
    "strat.missed": Kind(
        Group.DEADLINES,
        gettext_noop(
            "You missed the strat deadline for {army} in the battle at {at}. Ask the judges to accept a late strat."
        ),
        BATTLE,
        "R35",
    ),
    "word.due": Kind(Group.DEADLINES, _word_due, BATTLE, "R38", Urgency.URGENT, lapses=True),
    "lock.near": Kind(Group.DEADLINES, _lock_near, ("post-new",), "3.1", Urgency.URGENT, lapses=True),
    "lock.moved": Kind(
        Group.DEADLINES,
        _lock_moved,
        ("mine",),
        "R60",
        Urgency.URGENT,
        acts=dict.fromkeys(("turn.early_lock", "turn.lock_restored"), to.everybody_of_lock),
    ),
    "deadline.moved": Kind(
        Group.DEADLINES,
        _deadline_moved,
        BATTLE,
        "R5",
        Urgency.URGENT,
        acts=dict.fromkeys(("battle.extended", "battle.extension_overruled"), to.strat_senders),
    ),
    "vote.closing": Kind(
        Group.DEADLINES, _vote_closes, ("vote", "vote"), "R46", Urgency.URGENT, Reader.TEAM, lapses=True
    ),
    # Armies
    "army.refused": _of_army("3.3", refused=ARMY),
    "army.stopped": _of_army(
        "3.2.3",
        intercepted=ARMY,
        contested=("losers",),
        moved_partially=ARMY,
        pushed=ARMY,
        joint_failed=("armies",),
        plan_cancelled=ARMY,
    ),
    "army.healed": _of_army("2.3.1", healed=ARMY),
    "army.killed": _of_army("4.3", killed=ARMY),
    "army.captured": _of_army("4.5", captured=ARMY, converted=ARMY),
    "army.freed": _of_army("4.5", liberated=ARMY),
    "army.transferred": _of_army(
        "3.2.4",
        transferred=SENDER_AND_RECEIVER,
        transfer_cut=SENDER_AND_RECEIVER,
        not_transferred=SENDER_AND_RECEIVER,
        troops_lost=SENDER_AND_RECEIVER,
    ),
    "army.changed": _of_army("2.3.2", troops_changed=ARMY, personalised=ARMY, change_refused=ARMY),
    "army.given": Kind(
        Group.ARMIES,
        gettext_noop("You now control {army}."),
        ("army", "army"),
        "5.2.1",
        acts=dict.fromkeys(("control.granted", "control.declined"), to.controllers_since),
    ),
    "army.taken": Kind(
        Group.ARMIES,
        gettext_noop("You no longer control {army}."),
        ("command",),
        "5.2.1",
        acts={
            "control.changed": to.former_controllers,
            "control.granted": to.former_controllers,
            "control.freed": to.freed_player,
        },
    ),
    # Battles
    "battle.announced": Kind(Group.BATTLES, _announced, BATTLE, "4.1.1"),
    "battle.result": Kind(Group.BATTLES, _result, BATTLE, "4.2.5", acts={"battle.published": to.fighters_of_result}),
    "strat.accepted": Kind(
        Group.BATTLES,
        gettext_noop("The late strat of {army} for the battle at {at} counts."),
        BATTLE,
        "R35",
        acts={"strat.accepted": to.late_strat_senders},
    ),
    "strat.overruled": Kind(
        Group.BATTLES,
        gettext_noop("The late strat of {army} for the battle at {at} doesn't count after all."),
        BATTLE,
        "1.3",
        acts={"strat.overruled": to.late_strat_senders},
    ),
    "battle.anew": Kind(
        Group.BATTLES, _judged_anew, BATTLE, "R58", acts={"battle.judged_anew": to.fighters_judged_anew}
    ),
    # Turns
    "turn.opened": Kind(Group.TURNS, _opened, ("mine",), "3.1"),
    "round.won": Kind(Group.TURNS, _won, ("map",), "1.7", acts={"round.won": to.everybody("winner")}),
    # Talk
    "talk.named": Kind(
        Group.TALK,
        _talk(gettext_noop("{by} mentioned you on {board}."), gettext_noop("{by} mentioned you in a conversation.")),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),
    "talk.quoted": Kind(
        Group.TALK,
        _talk(
            gettext_noop("{by} replied to your message on {board}."),
            gettext_noop("{by} replied to your message in a conversation."),
        ),
        ("board-message", "board", "number"),
        "3.1",
        reader=Reader.BOARD,
    ),
    "talk.press": Kind(
        Group.TALK,
        _talk(gettext_noop("{by} sent you a private message."), gettext_noop("{by} sent you a private message.")),
        ("board-message", "board", "number"),
        "1.6",
        reader=Reader.BOARD,
    ),
    "talk.hidden": Kind(
        Group.TALK,
        gettext_noop("A moderator hid your message {number} on {board_title}."),
        ("boards",),
        "1.3",
        reader=Reader.TEAM,
        acts={"board.hidden": to.author_of_hidden},
    ),
    "talk.reported": Kind(
        Group.JUDGING, gettext_noop("A report is waiting for your decision."), ("report", "report"), "1.3"
    ),
    "talk.report_decided": Kind(
        Group.TALK, gettext_noop("Your report was decided. The reports page says how and why."), ("reports",), "1.3"
    ),
    # The team
    "admission.asked": Kind(
        Group.TEAM,
        of_team(gettext_noop("{name} asked to join {team}.")),
        ("admissions",),
        "1.1",
        reader=Reader.LEADER,
        acts={"player.asked": to.leaders_asked},
    ),
    "admission.accepted": Kind(
        Group.TEAM, _accepted, ("mine",), "1.1", acts={"player.accepted": to.player("player", "side", "rank")}
    ),
    "admission.refused": Kind(
        Group.TEAM,
        of_team(gettext_noop("{team} declined your request to join. Open your request to see why.")),
        ("join",),
        "1.1",
        acts={"player.refused": to.refused_candidate},
    ),
    "admission.overruled": Kind(
        Group.TEAM,
        of_team(gettext_noop("The head battle judge decided that you don't belong to {team}.")),
        ("join",),
        "1.3",
        acts={"player.overruled": to.player("player", "side")},
    ),
    "rank.changed": Kind(Group.TEAM, _rank, ("players",), "1.1", acts={"player.rank": to.ranked_player}),
    "player.inactive": Kind(
        Group.TEAM,
        gettext_noop("You were declared inactive."),
        ("service",),
        "5.1",
        acts={"player.inactive": to.player()},
    ),
    "player.active": Kind(
        Group.TEAM,
        gettext_noop("You were declared active again."),
        ("service",),
        "5.1",
        acts={"player.active": to.player()},
    ),
    "player.left": Kind(
        Group.TEAM,
        of_team(gettext_noop("{player} has left {team}.")),
        ("players",),
        "1.1",
        Urgency.QUIET,
        Reader.LEADER,
        acts={"player.left": to.leaders},
    ),
    "player.barred": Kind(
        Group.TEAM,
        barred_in_words,
        ("players",),
        "1.6",
        reader=Reader.LEADER,
        acts={"person.barred": to.leaders_of_barred},
    ),
    "player.let_in": Kind(
        Group.TEAM,
        LET_IN,
        ("players",),
        "1.6",
        Urgency.QUIET,
        Reader.LEADER,
        acts=dict.fromkeys(("person.let_in", "person.bar_over"), to.leaders_of_barred),
    ),
    "power.given": Kind(
        Group.TEAM,
        gettext_noop("You can now request changes to the control list."),
        ("control-request",),
        "5.2.2.1",
        acts={"control.power": to.power_holders},
    ),
    "contingency.set": Kind(
        Group.TEAM,
        gettext_noop("You will act for {player} when they are away."),
        ("contingencies",),
        "5.2.3",
        reader=Reader.TEAM,
        acts={"control.contingency": to.deputies},
    ),
    "request.decided": Kind(
        Group.TEAM,
        _request,
        ("control-requests",),
        "5.2.2",
        acts={
            "control.granted": to.control_requester("granted"),
            "control.declined": to.control_requester("declined"),
        },
    ),
    "vote.opened": Kind(Group.TEAM, _vote, ("vote", "vote"), "1.4", reader=Reader.TEAM),
    "army.offered": Kind(
        Group.TEAM,
        gettext_noop("You can make {army} your own."),
        ("newcomers",),
        "2.6",
        acts={"personal.offered": to.player("player", "army")},
    ),
    # Rulings
    "appeal.lodged": Kind(Group.RULINGS, _appealed, APPEAL, "R57", acts=appeal_acts("lodged")),
    "appeal.answered": Kind(Group.RULINGS, _appeal_answered, APPEAL, "R57", acts=appeal_acts("answered")),
    "appeal.overruled": Kind(Group.RULINGS, _appeal_overruled, APPEAL, "R57", acts=appeal_acts("overruled")),
    "appeal.withdrawn": Kind(
        Group.RULINGS, gettext_noop("Appeal {number} was withdrawn."), APPEAL, "R57", acts=appeal_acts("withdrawn")
    ),
    "appeal.passed_on": Kind(
        Group.RULINGS,
        gettext_noop("{judge} will now answer appeal {number}."),
        APPEAL,
        "R57",
        acts=appeal_acts("passed_on"),
    ),
    "penalty.given": Kind(
        Group.RULINGS,
        gettext_noop("You received penalty {penalty} in turn {turn}."),
        ("penalties",),
        "5.4.1",
        acts={"penalty.handed_down": to.player("player", "penalty")},
    ),
    "penalty.lifted": Kind(
        Group.RULINGS,
        gettext_noop("Your penalty {penalty} of turn {turn} was lifted."),
        ("penalties",),
        "5.4.1",
        acts={"penalty.lifted": to.player("player", "penalty")},
    ),
    "ruling.made": Kind(
        Group.RULINGS, gettext_noop("Ruling {ruling} on turn {turn} affects {army}."), ("turn", "turn"), "3.3.3"
    ),
    "turn.corrected": Kind(
        Group.RULINGS,
        _corrected,
        ("turn", "turn"),
        "3.3.3",
    ),
    "name.granted": Kind(
        Group.RULINGS,
        gettext_noop("Your name is now {new}."),
        ("service",),
        "1.6",
        acts={"name.granted": to.player("new", "new")},
    ),
    "name.refused": Kind(
        Group.RULINGS,
        gettext_noop("Your request for the name {new} was declined."),
        ("service",),
        "1.6",
        acts={"name.refused": to.player("old", "new")},
    ),
    "muster.accepted": Kind(
        Group.RULINGS,
        gettext_noop("Your muster {army} was accepted."),
        ("musters",),
        "2.5.2.2",
        acts={"muster.accepted": to.muster_author},
    ),
    "muster.refused": Kind(
        Group.RULINGS,
        gettext_noop("Your muster {army} was refused. Open it to see why."),
        ("musters",),
        "2.5.2.2",
        acts={"muster.refused": to.muster_author},
    ),
    "change.accepted": Kind(
        Group.RULINGS,
        gettext_noop("The change to {army} was accepted."),
        ("army", "army"),
        "2.3.2",
        reader=Reader.TEAM,
        acts={"change.accepted": to.army_controllers},
    ),
    "change.refused": Kind(
        Group.RULINGS,
        gettext_noop("The change to {army} was refused."),
        ("army", "army"),
        "2.3.2",
        reader=Reader.TEAM,
        acts={"change.refused": to.army_controllers},
    ),
    "judge.named": Kind(
        Group.RULINGS,
        gettext_noop("You are now a judge of this round."),
        ("judges",),
        "1.3",
        acts=dict.fromkeys(("judge.named", "judge.outsider"), to.judge_of_place),
    ),
    "judge.head_offered": Kind(
        Group.RULINGS,
        _handover(gettext_noop("{name} was asked to replace {of} as head {role}, and can accept until {until}.")),
        ("judges",),
        "1.3",
        acts={"judge.head_offered": to.judges(fields=OFFER)},
    ),
    "judge.head_accepted": Kind(
        Group.RULINGS,
        _handover(gettext_noop("{name} has replaced {of} as head {role}.")),
        ("judges",),
        "1.3",
        acts={"judge.head_accepted": to.judges(fields=OFFER)},
    ),
    "judge.head_declined": Kind(
        Group.RULINGS,
        _handover(gettext_noop("{name} declined. {of} stays head {role}.")),
        ("judges",),
        "1.3",
        acts={"judge.head_declined": to.judges(fields=OFFER)},
    ),
    "judge.head_withdrawn": Kind(
        Group.RULINGS,
        _handover(gettext_noop("The offer to {name} was withdrawn. {of} stays head {role}.")),
        ("judges",),
        "1.3",
        acts={"judge.head_withdrawn": to.judges(fields=OFFER)},
    ),
    "judge.head_lapsed": Kind(
        Group.RULINGS,
        _handover(gettext_noop("The offer to {name} has expired. {of} stays head {role}.")),
        ("judges",),
        "1.3",
        acts={"judge.head_lapsed": to.judges(fields=OFFER)},
    ),
    "judge.dismissed": Kind(
        Group.RULINGS,
        gettext_noop("You no longer judge this round."),
        ("judges",),
        "1.3",
        acts={"judge.dismissed": to.judge_of_place},
    ),
}
"""The kinds by their codes, which are in the rows."""
