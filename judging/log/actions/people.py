"""1.3: the acts of people and their teams, of judges, and of boards."""

from collections.abc import Iterable

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from judging.announcements.wording import change_words
from judging.log.actions.base import (
    BATTLE,
    LEADERS,
    MOVEMENT,
    SET_UP,
    Act,
    By,
    Data,
    Kind,
    Secret,
    Told,
    When,
    joined,
    moment_in_words,
    place_of,
    role_of,
)
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side

NOT_IN_FORCE = Secret(
    When.AFTER_ROUND,
    "What waits for the judges, or came to nothing, tells the enemy of plans; its side and the judges know.",
    (LEADERS, MOVEMENT, BATTLE),
)
TEAMS_OWN = Secret(
    When.AFTER_ROUND,
    "Requests to join a team are between the player and its leaders (1.1).",
    (LEADERS, BATTLE),
)
ASKED_NAME = Secret(
    When.AFTER_ROUND,
    "A name that is not granted is between the player and the battle judge (1.6).",
    (BATTLE,),
)

TOPICS = {
    "pin": gettext_noop("pinned the topic “%(topic)s” on %(board)s"),
    "unpin": gettext_noop("unpinned the topic “%(topic)s” on %(board)s"),
    "close": gettext_noop("closed the topic “%(topic)s” on %(board)s"),
    "open": gettext_noop("reopened the topic “%(topic)s” on %(board)s"),
}


def _topic(data: Data) -> str:
    if data["does"] == "title":
        text = gettext("renamed the topic “%(before)s” on %(board)s to “%(topic)s”")
        return text % {name: data[name] for name in ("before", "board", "topic")}
    text = TOPICS[data["does"]]
    return gettext(text) % {"topic": data["topic"], "board": data["board"]}


BOARDS: dict[str, Act] = {
    "vote.called": Act(gettext_noop("called a vote: {question}"), Kind.BOARDS, By.EITHER, cites="1.4"),
    "vote.withdrawn": Act(gettext_noop("withdrew the vote: {question}"), Kind.BOARDS, By.EITHER, cites="1.4"),
    "board.hidden": Act(gettext_noop("hid message {message} by {by} on {board}"), Kind.BOARDS, cites="1.3"),
    "board.warned": Act(gettext_noop("warned {by} for message {message} on {board}"), Kind.BOARDS, cites="1.3"),
    "post.warned": Act(
        gettext_noop("warned {by} for a post in the Orders thread of turn {turn}"), Kind.BOARDS, cites="1.3"
    ),
    "board.topic": Act(_topic, Kind.BOARDS, cites="1.3"),
    "board.shown": Act(gettext_noop("restored message {message} by {by} on {board}"), Kind.BOARDS, cites="1.3"),
}
"""A team's own votes and its board are not in the log at all."""


def _side(data: Data) -> str:
    return Side(data["side"]).title if data.get("side") else gettext("a team")


def _rank(data: Data, key: str) -> str:
    value = data.get(key)
    return Rank(value).title if value else pgettext("in a log", "no rank")


def _rank_given(data: Data) -> str:
    facts = {"player": data.get("player", "…"), "rank": _rank(data, "after" if data.get("after") else "before")}
    if data.get("after"):
        text = gettext("gave %(player)s the rank %(rank)s") % facts
    else:
        text = gettext("took the rank %(rank)s from %(player)s") % facts
    return _freed(text, data.get("freed"))


def _freed(text: str, armies: Iterable[object] | None) -> str:
    if not armies:
        return text
    return gettext("%(told)s, leaving no one in control of %(armies)s") % {"told": text, "armies": joined(armies)}


def _accepted(data: Data) -> str:
    side = Side(data.get("side", Side.COALITION))
    facts = {"player": data.get("player", "…"), "side": gettext(side.title), "rank": rank_title(_rank_of(data), side)}
    return gettext("admitted %(player)s to %(side)s as %(rank)s") % facts


def _rank_of(data: Data) -> Rank | None:
    return Rank(data["rank"]) if data.get("rank") else None


def _list(text: str) -> Told:
    """The changes of a control list, after a sentence with `%(side)s` and `%(changes)s`."""
    return lambda data: (
        gettext(text) % {"side": _side(data), "changes": "; ".join(map(change_words, data.get("changes") or ()))}
    )


def _of_side(text: str) -> Told:
    return lambda data: gettext(text) % {**NAMED, **data, "side": _side(data)}


NAMED = dict.fromkeys(("name", "of", "player", "turn"), "…")
"""Placeholders for what an act of an imported round does not say."""


def _power(data: Data) -> str:
    text = gettext("authorised %(holders)s to request changes to the control list of %(side)s")
    return text % {"holders": joined(data.get("holders")), "side": _side(data)}


def _contingency(data: Data) -> str:
    parts = [
        gettext("%(deputy)s for %(player)s") % {"deputy": to or pgettext("in a log", "no one"), "player": name}
        for name, to in (data.get("contingencies") or {}).items()
    ]
    return gettext("set contingencies for %(side)s: %(told)s") % {"side": _side(data), "told": joined(parts)}


def _begun(data: Data) -> str:
    count = len(data.get("control") or ())
    text = ngettext(
        "began the control list with %(number)s army", "began the control list with %(number)s armies", count
    )
    return text % {"number": count}


def _assigned(data: Data) -> str:
    facts = {"army": data.get("army", "…"), "player": data.get("player") or pgettext("in a log", "no one")}
    return gettext("gave control of %(army)s to %(player)s") % facts


def _left_side(data: Data) -> str:
    return _freed(gettext("left %(side)s") % {"side": _side(data)}, data.get("armies"))


def _factions(data: Data) -> str:
    return gettext("claimed the factions %(factions)s") % {"factions": joined(data.get("after"))}


def _judge_leave(data: Data) -> str:
    since = str(data.get("since", "…"))[:10]
    if not data.get("until"):
        return gettext("reported an absence from %(since)s until further notice") % {"since": since}
    text = gettext("reported an absence from %(since)s until %(until)s")
    return text % {"since": since, "until": str(data["until"])[:10]}


def _permits(data: Data) -> str:
    if data.get("permits"):
        return gettext("allowed others to control their namesake army")
    return gettext("forbade others to control their namesake army")


def _barred(data: Data) -> str:
    player = data.get("player", "…")
    if not data.get("until"):
        return gettext("banned %(player)s from this site permanently") % {"player": player}
    text = gettext("banned %(player)s from this site until %(until)s")
    return text % {"player": player, "until": str(data["until"])[:10]}


def _judge(text: str) -> Told:
    return lambda data: gettext(text).format(name=data.get("name", "…"), role=role_of(data), head=place_of(data))


def _handover(text: str) -> Told:
    """1.3: an offer of a head's place."""
    return lambda data: gettext(text).format(name=data.get("name", "…"), of=data.get("of", "…"), role=role_of(data))


def _replaced(data: Data) -> str:
    facts = {"name": data.get("name", "…"), "role": role_of(data)}
    if data.get("of"):
        return gettext("made %(name)s the head %(role)s, in place of %(of)s") % {**facts, "of": data["of"]}
    return gettext("made %(name)s the head %(role)s") % facts


def _conflict(text: str) -> Told:
    def words(data: Data) -> str:
        name, about = str(data.get("with", "…")), data.get("about")
        if about == "faction":
            faction = FACTIONS.get(name, gettext_noop("the {} faction"))
            return gettext(text).format(whom=gettext(faction).format(name))
        return gettext(text).format(whom=Side(name).title if about == "team" else name)

    return words


FACTIONS = {
    "white": gettext_noop("the white faction"),
    "blue": gettext_noop("the blue faction"),
    "black": gettext_noop("the black faction"),
    "red": gettext_noop("the red faction"),
    "green": gettext_noop("the green faction"),
    "multicolor": gettext_noop("the multicolor faction"),
    "colorless": gettext_noop("the colorless faction"),
}


def _leave(data: Data) -> str:
    since = moment_in_words(data.get("since", "…"))
    if data.get("until"):
        text = gettext("reported an absence from %(since)s until %(until)s")
        text %= {"since": since, "until": moment_in_words(data["until"])}
    else:
        text = gettext("reported an absence from %(since)s until further notice") % {"since": since}
    if not data.get("deputy"):
        return text
    return gettext("%(told)s, with %(deputy)s as deputy") % {"told": text, "deputy": data["deputy"]}


def _deputy(data: Data) -> str:
    if data.get("deputy"):
        return gettext("chose %(name)s as deputy") % {"name": data["deputy"]}
    return gettext("removed their deputy")


def _stands_in(data: Data) -> str:
    facts = {"of": data.get("of", "…"), "role": role_of(data), "name": data.get("name", "…")}
    if data.get("cause") == "silence":
        return gettext("made %(name)s acting head %(role)s because %(of)s didn't respond") % facts
    return gettext("made %(name)s acting head %(role)s because %(of)s was away") % facts


def _control_freed(data: Data) -> str:
    text = gettext("freed %(armies)s, which %(player)s can no longer control")
    return text % {"armies": joined(data.get("armies")), "player": data.get("player", "…")}


def _invited(data: Data) -> str:
    count = data.get("number", 0)
    text = ngettext("invited %(number)s player from %(earlier)s", "invited %(number)s players from %(earlier)s", count)
    return text % {"number": count, "earlier": data.get("earlier", "…")}


PEOPLE: dict[str, Act] = {
    "control.begun": Act(_begun, Kind.CONTROL, cites="5.2.1"),
    "control.assigned": Act(_assigned, Kind.CONTROL, By.EITHER, cites="5.2.1"),
    "control.changed": Act(
        _list(gettext_noop("changed the control list of %(side)s: %(changes)s")), Kind.CONTROL, By.LIST, cites="5.2.1"
    ),
    "control.granted": Act(
        _list(gettext_noop("granted an exception in the control list of %(side)s: %(changes)s")),
        Kind.CONTROL,
        cites="5.2.2.2",
    ),
    "control.declined": Act(
        _list(gettext_noop("declined an exception in the control list of %(side)s: %(changes)s")),
        Kind.CONTROL,
        cites="5.2.2.2",
        secret=NOT_IN_FORCE,
    ),
    "control.refused": Act(
        _list(gettext_noop("requested changes to the control list of %(side)s that break the rules: %(changes)s")),
        Kind.CONTROL,
        By.PLAYER,
        secret=NOT_IN_FORCE,
    ),
    "control.exception_asked": Act(
        _of_side(gettext_noop("requested an exception in the control list of %(side)s")),
        Kind.CONTROL,
        By.PLAYER,
        cites="5.2.2.2",
        secret=NOT_IN_FORCE,
    ),
    "control.withdrawn": Act(
        _of_side(gettext_noop("withdrew a request by %(side)s")),
        Kind.CONTROL,
        By.PLAYER,
        cites="5.2.2.2",
        secret=NOT_IN_FORCE,
    ),
    "control.exception_over": Act(
        _of_side(gettext_noop("noted that an exception for %(side)s expired with turn %(turn)s")),
        Kind.CONTROL,
        cites="5.2.2.2",
    ),
    "control.freed": Act(
        _control_freed,
        Kind.CONTROL,
        cites="R45",
    ),
    "control.power": Act(_power, Kind.CONTROL, By.LIST, cites="5.2.2.1"),
    "control.contingency": Act(_contingency, Kind.CONTROL, By.PLAYER, cites="5.2.3"),
    "player.invited": Act(
        _invited,
        Kind.PLAYERS,
        cites="1.1",
        secret=SET_UP,
    ),
    "player.asked": Act(
        _of_side(gettext_noop("asked to join %(side)s as %(name)s")),
        Kind.PLAYERS,
        By.PLAYER,
        cites="1.1",
        secret=TEAMS_OWN,
    ),
    "player.withdrawn": Act(
        _of_side(gettext_noop("withdrew the request to join %(side)s")),
        Kind.PLAYERS,
        By.PLAYER,
        cites="1.1",
        secret=TEAMS_OWN,
    ),
    "player.accepted": Act(_accepted, Kind.PLAYERS, By.EITHER, cites="1.1"),
    "player.refused": Act(
        _of_side(gettext_noop("did not admit %(name)s to %(side)s")),
        Kind.PLAYERS,
        By.EITHER,
        cites="1.1",
        secret=TEAMS_OWN,
    ),
    "player.overruled": Act(
        _of_side(gettext_noop("overruled %(of)s: %(player)s does not belong to %(side)s")),
        Kind.PLAYERS,
        cites="1.3",
    ),
    "player.left": Act(_left_side, Kind.PLAYERS, By.PLAYER, cites="1.1"),
    "player.rank": Act(_rank_given, Kind.PLAYERS, By.EITHER, cites="1.1"),
    "player.factions": Act(_factions, Kind.PLAYERS, By.PLAYER, cites="1.1.2"),
    "player.permits": Act(_permits, Kind.PLAYERS, By.PLAYER, cites="5.3.2"),
    "player.leave": Act(_leave, Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.back": Act(gettext_noop("ended an absence"), Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.inactive": Act(gettext_noop("declared {player} inactive"), Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.active": Act(gettext_noop("declared {player} active again"), Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.inactive_rejected": Act(
        gettext_noop("rejected the declaration that {player} is inactive"), Kind.PLAYERS, cites="5.1"
    ),
    "name.asked": Act(
        gettext_noop("asked to be renamed {new}"), Kind.PLAYERS, By.PLAYER, cites="1.6", secret=ASKED_NAME
    ),
    "name.withdrawn": Act(
        gettext_noop("withdrew the request to be renamed {new}"),
        Kind.PLAYERS,
        By.PLAYER,
        cites="1.6",
        secret=ASKED_NAME,
    ),
    "name.granted": Act(gettext_noop("allowed {old} to be renamed {new}"), Kind.PLAYERS, cites="1.6"),
    "name.refused": Act(gettext_noop("refused to rename {old} to {new}"), Kind.PLAYERS, cites="1.6", secret=ASKED_NAME),
    "person.barred": Act(_barred, Kind.PLAYERS, By.ADMINISTRATOR, cites="1.6"),
    "person.let_in": Act(gettext_noop("lifted the ban on {player}"), Kind.PLAYERS, By.ADMINISTRATOR, cites="1.6"),
    "person.bar_over": Act(gettext_noop("ended the ban on {player}, which has expired"), Kind.PLAYERS, cites="1.6"),
    "judge.named": Act(_judge(gettext_noop("appointed {name} as {head} {role}")), Kind.JUDGES, cites="1.3"),
    "judge.head": Act(_judge(gettext_noop("made {name} the head {role}")), Kind.JUDGES, cites="1.3"),
    "judge.head_offered": Act(
        _handover(gettext_noop("asked {name} to replace {of} as head {role}")), Kind.JUDGES, cites="1.3"
    ),
    "judge.head_accepted": Act(_handover(gettext_noop("replaced {of} as head {role}")), Kind.JUDGES, cites="1.3"),
    "judge.head_declined": Act(
        _handover(gettext_noop("declined to replace {of} as head {role}")), Kind.JUDGES, cites="1.3"
    ),
    "judge.head_withdrawn": Act(
        _handover(gettext_noop("withdrew the offer to {name} to replace {of} as head {role}")), Kind.JUDGES, cites="1.3"
    ),
    "judge.head_lapsed": Act(
        _handover(gettext_noop("let the offer to {name} to replace {of} as head {role} expire")),
        Kind.JUDGES,
        cites="1.3",
    ),
    "judge.outsider": Act(
        gettext_noop("appointed {name} as battle judge, so that an independent judge can answer appeals"),
        Kind.JUDGES,
        By.ADMINISTRATOR,
        cites="R57",
    ),
    "judge.replaced": Act(_replaced, Kind.JUDGES, By.ADMINISTRATOR, cites="1.3"),
    "judge.dismissed": Act(_judge(gettext_noop("dismissed {name} as {role}")), Kind.JUDGES, cites="1.3"),
    "judge.conflict": Act(_conflict(gettext_noop("declared a conflict with {whom}")), Kind.JUDGES, cites="R56"),
    "judge.conflict_withdrawn": Act(
        _conflict(gettext_noop("withdrew the conflict with {whom}")), Kind.JUDGES, cites="R56"
    ),
    "judge.leave": Act(_judge_leave, Kind.JUDGES, cites="R59"),
    "judge.back": Act(gettext_noop("returned"), Kind.JUDGES, cites="R59"),
    "judge.deputy": Act(_deputy, Kind.JUDGES, cites="R59"),
    "judge.stands_in": Act(_stands_in, Kind.JUDGES, cites="R59"),
    "judge.head_back": Act(gettext_noop("noted that {name} was back and head again"), Kind.JUDGES, cites="R59"),
    "judge.resigned": Act(_judge(gettext_noop("stepped down as {role}")), Kind.JUDGES, cites="1.3"),
}
