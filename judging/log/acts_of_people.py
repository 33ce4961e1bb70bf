"""1.3: what the log says of people and their boards, of musters and changes of armies, and of a round's set-up."""

from __future__ import annotations

from dataclasses import replace

from judging.log.acts import (
    BATTLE,
    LEADERS,
    MOVEMENT,
    Act,
    By,
    Data,
    Kind,
    Secret,
    Told,
    When,
    joined,
    number,
    place_of,
    role_of,
)
from judging.notices.words import change_words
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side

NOT_IN_FORCE = Secret(
    When.AFTER_ROUND,
    "What waits for the judges, or came to nothing, tells the enemy of plans; its side and the judges know.",
    (LEADERS, MOVEMENT, BATTLE),
)
TEAMS_OWN = Secret(
    When.AFTER_ROUND,
    "Whom a team takes in, or not, is between him and its leaders (1.1).",
    (LEADERS, BATTLE),
)
ASKED_NAME = Secret(
    When.AFTER_ROUND,
    "A name that is not granted is between the player and the battle judge (1.6).",
    (BATTLE,),
)

DOES = {"pin": "pinned", "unpin": "unpinned", "close": "closed", "open": "opened again"}


def _topic(data: Data) -> str:
    if data["does"] == "title":
        return f"called the topic “{data['before']}” on {data['board']} “{data['topic']}”"
    return f"{DOES[data['does']]} the topic “{data['topic']}” on {data['board']}"


BOARDS: dict[str, Act] = {
    "vote.called": Act("called a vote: {question}", Kind.BOARDS, By.EITHER, cites="1.4"),
    "vote.withdrawn": Act("took back the vote: {question}", Kind.BOARDS, By.EITHER, cites="1.4"),
    "board.hidden": Act("hid message {message} by {by} on {board}", Kind.BOARDS, cites="1.3"),
    "board.warned": Act("warned {by} for message {message} on {board}", Kind.BOARDS, cites="1.3"),
    "post.warned": Act("warned {by} for a post in the movement thread of turn {turn}", Kind.BOARDS, cites="1.3"),
    "board.topic": Act(_topic, Kind.BOARDS, cites="1.3"),
    "board.shown": Act("showed message {message} by {by} on {board} again", Kind.BOARDS, cites="1.3"),
}
"""What is a team's own, its votes and its board, is not in the log at all."""

TROOPS = Secret(
    When.AFTER_ROUND,
    "That an army is to change warns its enemies; what came of it is told by the update (2.3.2).",
    (LEADERS, BATTLE),
)

SET_UP = Secret(
    When.AFTER_START,
    "While a round is set up nothing of it is public (2.5.1.3).",
    (BATTLE,),
)

TEAMS_SET_UP = replace(SET_UP, early=(LEADERS, BATTLE))

CHANGED = replace(TROOPS, until=When.AFTER_SETTLEMENT)

ARMIES: dict[str, Act] = {
    "muster.sent": Act("handed a muster in", Kind.ARMIES, By.PLAYER, cites="2.5.2.2", secret=SET_UP),
    "muster.dropped": Act(
        "took a muster away that had been handed in", Kind.ARMIES, By.PLAYER, cites="2.5.2.2", secret=SET_UP
    ),
    "muster.accepted": Act("accepted a muster", Kind.ARMIES, cites="2.5.2.2", secret=SET_UP),
    "muster.refused": Act("refused a muster", Kind.ARMIES, cites="2.5.2.2", secret=SET_UP),
    "change.sent": Act("asked to change {army}", Kind.ARMIES, By.PLAYER, cites="2.3.2", secret=TROOPS),
    "change.dropped": Act("asked to change {army} no more", Kind.ARMIES, By.PLAYER, cites="2.3.2", secret=TROOPS),
    "change.accepted": Act(
        "accepted a change of {army}",
        Kind.ARMIES,
        cites="2.3.2",
        secret=CHANGED,
    ),
    "change.refused": Act("refused a change of {army}", Kind.ARMIES, cites="2.3.2", secret=TROOPS),
    "personal.offered": Act(
        "chose {army} for {player} to make his own", Kind.ARMIES, By.PLAYER, cites="2.6", secret=TROOPS
    ),
}
"""Chapter 2. What a muster or a change holds is not in the log; nor is why it was refused, for that tells of troops."""


def _side(data: Data) -> str:
    return Side(data["side"]).title if data.get("side") else "a team"


def _rank(data: Data, key: str) -> str:
    value = data.get(key)
    return Rank(value).title if value else "no rank"


def _rank_given(data: Data) -> str:
    told = f"gave {data.get('player', '…')} the rank {_rank(data, 'after')}" if data.get("after") else ""
    told = told or f"took the rank {_rank(data, 'before')} from {data.get('player', '…')}"
    freed = data.get("freed")
    return f"{told}; nobody controls {joined(freed)} by it" if freed else told


def _accepted(data: Data) -> str:
    side = Side(data.get("side", Side.COALITION))
    return f"took {data.get('player', '…')} into {side.title} as {rank_title(_rank_of(data), side)}"


def _rank_of(data: Data) -> Rank | None:
    return Rank(data["rank"]) if data.get("rank") else None


def _list(told: str) -> Told:
    return lambda data: f"{told} of {_side(data)}: {'; '.join(map(change_words, data.get('changes') or ()))}"


def _power(data: Data) -> str:
    return f"gave {joined(data.get('holders'))} the power to ask for changes of the control list of {_side(data)}"


def _contingency(data: Data) -> str:
    told = [f"{to or 'nobody'} for {name}" for name, to in (data.get("contingencies") or {}).items()]
    return f"set contingencies of {_side(data)}: {joined(told)}"


def _begun(data: Data) -> str:
    return f"began the control list with {number(len(data.get('control') or ()), 'army', 'armies')}"


def _assigned(data: Data) -> str:
    return f"put {data.get('army', '…')} under {data.get('player') or 'nobody'}"


def _left(data: Data) -> str:
    armies = data.get("armies")
    return f"left {_side(data)}" + (f"; nobody controls {joined(armies)} by it" if armies else "")


def _factions(data: Data) -> str:
    return f"claimed the factions {joined(data.get('after'))}"


def _judge_leave(data: Data) -> str:
    until = str(data["until"])[:10] if data.get("until") else "further notice"
    return f"stated a leave of absence from {str(data.get('since', '…'))[:10]} until {until}"


def _permits(data: Data) -> str:
    return f"{'permitted' if data.get('permits') else 'forbade'} that the namesake army is given to others"


def _barred(data: Data) -> str:
    until = f"until {str(data['until'])[:10]}" if data.get("until") else "for good"
    return f"barred {data.get('player', '…')} from this site {until}"


def _judge(told: str) -> Told:
    return lambda data: told.format(name=data.get("name", "…"), role=role_of(data), head=place_of(data))


def _replaced(data: Data) -> str:
    told = f"made {data.get('name', '…')} the head {role_of(data)}"
    return f"{told}, in place of {data['of']}" if data.get("of") else told


def _conflict(told: str) -> Told:
    def words(data: Data) -> str:
        name, about = str(data.get("with", "…")), data.get("about")
        whom = Side(name).title if about == "team" else f"the {name} faction" if about == "faction" else name
        return told.format(whom=whom)

    return words


def _leave(data: Data) -> str:
    until = f"until {data['until'][:16].replace('T', ' ')} UTC" if data.get("until") else "until further notice"
    deputy = f"; {data['deputy']} is the deputy" if data.get("deputy") else ""
    return f"is away from {str(data.get('since', '…'))[:16].replace('T', ' ')} UTC {until}{deputy}"


def _deputy(data: Data) -> str:
    return f"named {data['deputy']} as deputy" if data.get("deputy") else "has no deputy any more"


def _stands_in(data: Data) -> str:
    why = {"silence": "was silent", "leave": "is away"}.get(data.get("cause", ""), "is away")
    return f"found that {data.get('of', '…')}, head {role_of(data)}, {why}: {data.get('name', '…')} is head meanwhile"


PEOPLE: dict[str, Act] = {
    "control.begun": Act(_begun, Kind.CONTROL, cites="5.2.1"),
    "control.assigned": Act(_assigned, Kind.CONTROL, By.EITHER, cites="5.2.1"),
    "control.changed": Act(_list("changed the control list"), Kind.CONTROL, By.LIST, cites="5.2.1"),
    "control.granted": Act(_list("granted an exception in the control list"), Kind.CONTROL, cites="5.2.2.2"),
    "control.declined": Act(
        _list("declined an exception in the control list"), Kind.CONTROL, cites="5.2.2.2", secret=NOT_IN_FORCE
    ),
    "control.refused": Act(
        _list("asked against the rules for changes of the control list"), Kind.CONTROL, By.PLAYER, secret=NOT_IN_FORCE
    ),
    "control.exception_asked": Act(
        lambda data: f"asked for an exception in the control list of {_side(data)}",
        Kind.CONTROL,
        By.PLAYER,
        cites="5.2.2.2",
        secret=NOT_IN_FORCE,
    ),
    "control.withdrawn": Act(
        lambda data: f"took a request of {_side(data)} back",
        Kind.CONTROL,
        By.PLAYER,
        cites="5.2.2.2",
        secret=NOT_IN_FORCE,
    ),
    "control.exception_over": Act(
        lambda data: f"noted that an exception of {_side(data)} ran out with turn {data.get('turn', '…')}",
        Kind.CONTROL,
        cites="5.2.2.2",
    ),
    "control.freed": Act(
        lambda data: f"freed {joined(data.get('armies'))}, which {data.get('player', '…')} may control no more",
        Kind.CONTROL,
        cites="R45",
    ),
    "control.power": Act(_power, Kind.CONTROL, By.LIST, cites="5.2.2.1"),
    "control.contingency": Act(_contingency, Kind.CONTROL, By.PLAYER, cites="5.2.3"),
    "player.invited": Act(
        lambda data: f"invited {number(data.get('number', 0), 'player')} of {data.get('earlier', '…')}",
        Kind.PLAYERS,
        cites="1.1",
        secret=SET_UP,
    ),
    "player.asked": Act(
        lambda data: f"asked {_side(data)} for admission as {data.get('name', '…')}",
        Kind.PLAYERS,
        By.PLAYER,
        cites="1.1",
        secret=TEAMS_OWN,
    ),
    "player.withdrawn": Act(
        lambda data: f"asked {_side(data)} for admission no more",
        Kind.PLAYERS,
        By.PLAYER,
        cites="1.1",
        secret=TEAMS_OWN,
    ),
    "player.accepted": Act(_accepted, Kind.PLAYERS, By.EITHER, cites="1.1"),
    "player.refused": Act(
        lambda data: f"did not take {data.get('name', '…')} into {_side(data)}",
        Kind.PLAYERS,
        By.EITHER,
        cites="1.1",
        secret=TEAMS_OWN,
    ),
    "player.overruled": Act(
        lambda data: f"overruled {data.get('of', '…')}: {data.get('player', '…')} is not of {_side(data)}",
        Kind.PLAYERS,
        cites="1.3",
    ),
    "player.left": Act(_left, Kind.PLAYERS, By.PLAYER, cites="1.1"),
    "player.rank": Act(_rank_given, Kind.PLAYERS, By.EITHER, cites="1.1"),
    "player.factions": Act(_factions, Kind.PLAYERS, By.PLAYER, cites="1.1.2"),
    "player.permits": Act(_permits, Kind.PLAYERS, By.PLAYER, cites="5.3.2"),
    "player.leave": Act(_leave, Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.back": Act("ended a leave of absence", Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.inactive": Act("declared {player} inactive", Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.active": Act("declared {player} active again", Kind.PLAYERS, By.PLAYER, cites="5.1"),
    "player.inactive_rejected": Act("rejected that {player} is inactive", Kind.PLAYERS, cites="5.1"),
    "name.asked": Act("asked to be called {new}", Kind.PLAYERS, By.PLAYER, cites="1.6", secret=ASKED_NAME),
    "name.withdrawn": Act("asked to be called {new} no more", Kind.PLAYERS, By.PLAYER, cites="1.6", secret=ASKED_NAME),
    "name.granted": Act("granted that {old} is called {new}", Kind.PLAYERS, cites="1.6"),
    "name.refused": Act("refused that {old} is called {new}", Kind.PLAYERS, cites="1.6", secret=ASKED_NAME),
    "person.barred": Act(_barred, Kind.PLAYERS, By.ADMINISTRATOR, cites="1.6"),
    "person.let_in": Act("let {player} in again", Kind.PLAYERS, By.ADMINISTRATOR, cites="1.6"),
    "judge.named": Act(_judge("named {name} {head} {role}"), Kind.JUDGES, cites="1.3"),
    "judge.head": Act(_judge("made {name} the head {role}"), Kind.JUDGES, cites="1.3"),
    "judge.replaced": Act(_replaced, Kind.JUDGES, By.ADMINISTRATOR, cites="1.3"),
    "judge.dismissed": Act(_judge("dismissed {name}, {role}"), Kind.JUDGES, cites="1.3"),
    "judge.conflict": Act(_conflict("has a conflict with {whom}"), Kind.JUDGES, cites="R56"),
    "judge.conflict_withdrawn": Act(_conflict("has no conflict with {whom} any more"), Kind.JUDGES, cites="R56"),
    "judge.leave": Act(_judge_leave, Kind.JUDGES, cites="R59"),
    "judge.back": Act("is back", Kind.JUDGES, cites="R59"),
    "judge.deputy": Act(_deputy, Kind.JUDGES, cites="R59"),
    "judge.stands_in": Act(_stands_in, Kind.JUDGES, cites="R59"),
    "judge.head_back": Act("found that {name} is back, and head again", Kind.JUDGES, cites="R59"),
    "judge.resigned": Act(_judge("is {role} no more"), Kind.JUDGES, cites="1.3"),
}


def _setup_judges(data: Data) -> str:
    if name := data.get("appointed"):
        return f"named {name} {place_of(data)} {role_of(data)}"
    if name := data.get("dismissed"):
        return f"dismissed {name}, {role_of(data)}"
    return f"made {data.get('head', '…')} the head {role_of(data)}"


def _description(data: Data) -> str:
    site = data.get("site", "a site")
    if data.get("written"):
        return f"wrote the description of {site}"
    return f"{'accepted' if data.get('accepted') else 'refused'} the description of {site}"


def _moved(data: Data) -> str:
    return f"corrected sites that were public: {joined(data.get('sites') or ['none'])}"


def _shown(data: Data) -> str:
    return f"let {joined(data.get('to'))} see the squares before the reveal"


def _step(told: str, cites: str = "2.5") -> Act:
    return Act(told, Kind.SETUP, cites=cites, secret=SET_UP)


SETTING_UP: dict[str, Act] = {
    "setup.given_up": Act("gave the round up", Kind.SETUP, cites="2.5"),
    "setup.begun": _step("began the set-up of {name}"),
    "setup.taken_over": _step("took over what {earlier} had"),
    "setup.name": _step("named the round {name}, and said how many armies a side has", "2.5.2.1"),
    "setup.judges": Act(_setup_judges, Kind.SETUP, cites="1.3", secret=SET_UP),
    "setup.calendar": _step("set the calendar", "R5"),
    "setup.terrain": _step("drew the terrain", "1.2"),
    "setup.bases": _step("placed bases and portals", "2.5.1.1"),
    "setup.towns": _step("placed the neutral towns", "2.5.1.4"),
    "setup.moved": Act(_moved, Kind.SETUP, cites="2.5.1", secret=SET_UP),
    "setup.shown": Act(_shown, Kind.SETUP, cites="2.5.1.1", secret=SET_UP),
    "setup.descriptions": Act(_description, Kind.SETUP, cites="2.5.1.2", secret=SET_UP),
    "setup.wins": _step("chose the win conditions for a Coalition without leaders", "2.5.1.3"),
    "setup.reveal": _step("made the bases public", "2.5.1.2"),
    "setup.proxies": _step("worked on the proxies", "2.5.2.2"),
    "setup.placement": _step("worked on where the armies start", "2.5.2.3"),
    "setup.mercenaries": _step("worked on the mercenaries", "2.5.3"),
    "setup.start": Act(
        lambda data: f"started the round with {number(data.get('armies', 0), 'army', 'armies')}",
        Kind.SETUP,
        cites="2.5",
        secret=SET_UP,
    ),
    "setup.seed_committed": _step("committed to the seed of the set-up's draws", "R38"),
    "setup.seed_revealed": _step("made the seed of the set-up's draws public", "R38"),
    "setup.asked": Act(
        "wrote what the side asks for its bases", Kind.SETUP, By.PLAYER, cites="2.5.1.1", secret=TEAMS_SET_UP
    ),
    "setup.described": Act(
        lambda data: f"handed in descriptions of {joined(data.get('sites'))}",
        Kind.SETUP,
        By.PLAYER,
        cites="2.5.1.2",
        secret=SET_UP,
    ),
    "setup.chosen": Act("chose the win conditions", Kind.SETUP, By.PLAYER, cites="2.5.1.3", secret=SET_UP),
    "setup.starts": Act(
        "wrote by which bases armies of the side start", Kind.SETUP, By.PLAYER, cites="2.5.2.3", secret=TEAMS_SET_UP
    ),
}
