"""1.3: what the log says of musters, changes of armies, and the set-up of a round."""

from __future__ import annotations

from dataclasses import replace

from judging.selectors.log_acts import (
    BATTLE,
    LEADERS,
    Act,
    By,
    Data,
    Kind,
    Secret,
    When,
    joined,
    number,
    place_of,
    role_of,
)

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


def _step(told: str, cites: str = "2.5") -> Act:
    return Act(told, Kind.SETUP, cites=cites, secret=SET_UP)


SETTING_UP: dict[str, Act] = {
    "setup.given_up": Act("gave the round up", Kind.SETUP, cites="2.5"),
    "setup.begun": _step("began the set-up of {name}"),
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
