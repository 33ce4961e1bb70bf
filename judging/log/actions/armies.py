"""1.3: the acts of musters and changes of armies, and of a round's set-up."""

from dataclasses import replace

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.log.actions.base import (
    BATTLE,
    LEADERS,
    SET_UP,
    Act,
    By,
    Data,
    Kind,
    Secret,
    When,
    joined,
    place_of,
    role_of,
)

TROOPS = Secret(
    When.AFTER_ROUND,
    "A coming change of troops would warn the enemies; the update says what came of it (2.3.2).",
    (LEADERS, BATTLE),
)
TEAMS_SET_UP = replace(SET_UP, early=(LEADERS, BATTLE))
CHANGED = replace(TROOPS, until=When.AFTER_SETTLEMENT)

ARMIES: dict[str, Act] = {
    "muster.sent": Act(gettext_noop("submitted a muster"), Kind.ARMIES, By.PLAYER, cites="2.5.2.2", secret=SET_UP),
    "muster.dropped": Act(
        gettext_noop("deleted a submitted muster"),
        Kind.ARMIES,
        By.PLAYER,
        cites="2.5.2.2",
        secret=SET_UP,
    ),
    "muster.accepted": Act(gettext_noop("accepted a muster"), Kind.ARMIES, cites="2.5.2.2", secret=SET_UP),
    "muster.refused": Act(gettext_noop("refused a muster"), Kind.ARMIES, cites="2.5.2.2", secret=SET_UP),
    "change.sent": Act(gettext_noop("asked to change {army}"), Kind.ARMIES, By.PLAYER, cites="2.3.2", secret=TROOPS),
    "change.dropped": Act(
        gettext_noop("withdrew the request to change {army}"), Kind.ARMIES, By.PLAYER, cites="2.3.2", secret=TROOPS
    ),
    "change.accepted": Act(
        gettext_noop("accepted a change to {army}"),
        Kind.ARMIES,
        cites="2.3.2",
        secret=CHANGED,
    ),
    "change.refused": Act(gettext_noop("refused a change to {army}"), Kind.ARMIES, cites="2.3.2", secret=TROOPS),
    "personal.offered": Act(
        gettext_noop("chose {army} for {player} to make their own"), Kind.ARMIES, By.PLAYER, cites="2.6", secret=TROOPS
    ),
}
"""Chapter 2. The content of a muster or a change is not in the log; nor is the reason for its refusal, because that
would reveal troops."""


def _setup_judges(data: Data) -> str:
    facts = {"role": role_of(data), "place": place_of(data)}
    if name := data.get("appointed"):
        return gettext("appointed %(name)s as %(place)s %(role)s") % {**facts, "name": name}
    if name := data.get("dismissed"):
        return gettext("dismissed %(name)s as %(role)s") % {**facts, "name": name}
    return gettext("made %(name)s the head %(role)s") % {**facts, "name": data.get("head", "…")}


def _description(data: Data) -> str:
    site = {"site": data.get("site") or gettext("a site")}
    if data.get("written"):
        return gettext("wrote the description of %(site)s") % site
    if data.get("accepted"):
        return gettext("accepted the description of %(site)s") % site
    return gettext("refused the description of %(site)s") % site


def _moved(data: Data) -> str:
    sites = joined(data.get("sites") or [gettext("none")])
    return gettext("corrected sites that were already public: %(sites)s") % {"sites": sites}


def _squares_shown(data: Data) -> str:
    return gettext("let %(players)s see the squares before the reveal") % {"players": joined(data.get("to"))}


def _started(data: Data) -> str:
    count = data.get("armies", 0)
    text = ngettext("started the round with %(number)s army", "started the round with %(number)s armies", count)
    return text % {"number": count}


def _handed_in(data: Data) -> str:
    return gettext("submitted descriptions of %(sites)s") % {"sites": joined(data.get("sites"))}


def _step(text: str, cites: str = "2.5") -> Act:
    return Act(text, Kind.SETUP, cites=cites, secret=SET_UP)


SETTING_UP: dict[str, Act] = {
    "setup.given_up": Act(gettext_noop("cancelled the round"), Kind.SETUP, cites="2.5"),
    "setup.begun": _step(gettext_noop("began the set-up of {name}")),
    "setup.taken_over": _step(gettext_noop("copied the set-up of {earlier}")),
    "setup.name": _step(gettext_noop("named the round {name} and set the number of armies per side"), "2.5.2.1"),
    "setup.judges": Act(_setup_judges, Kind.SETUP, cites="1.3", secret=SET_UP),
    "setup.calendar": _step(gettext_noop("set the calendar"), "R5"),
    "setup.terrain": _step(gettext_noop("drew the terrain"), "1.2"),
    "setup.bases": _step(gettext_noop("placed bases and portals"), "2.5.1.1"),
    "setup.towns": _step(gettext_noop("placed the neutral towns"), "2.5.1.4"),
    "setup.moved": Act(_moved, Kind.SETUP, cites="2.5.1", secret=SET_UP),
    "setup.shown": Act(_squares_shown, Kind.SETUP, cites="2.5.1.1", secret=SET_UP),
    "setup.descriptions": Act(_description, Kind.SETUP, cites="2.5.1.2", secret=SET_UP),
    "setup.wins": _step(gettext_noop("chose the win conditions for the Coalition, which had no leaders"), "2.5.1.3"),
    "setup.reveal": _step(gettext_noop("revealed the bases"), "2.5.1.2"),
    "setup.proxies": _step(gettext_noop("worked on the proxies"), "2.5.2.2"),
    "setup.placement": _step(gettext_noop("worked on the starting positions of the armies"), "2.5.2.3"),
    "setup.mercenaries": _step(gettext_noop("worked on the mercenaries"), "2.5.3"),
    "setup.start": Act(
        _started,
        Kind.SETUP,
        cites="2.5",
        secret=SET_UP,
    ),
    "setup.seed_committed": _step(gettext_noop("committed to the seed of the set-up's draws"), "R38"),
    "setup.seed_revealed": _step(gettext_noop("revealed the seed of the set-up's draws"), "R38"),
    "setup.asked": Act(
        gettext_noop("wrote the side's wishes for its bases"),
        Kind.SETUP,
        By.PLAYER,
        cites="2.5.1.1",
        secret=TEAMS_SET_UP,
    ),
    "setup.described": Act(
        _handed_in,
        Kind.SETUP,
        By.PLAYER,
        cites="2.5.1.2",
        secret=SET_UP,
    ),
    "setup.chosen": Act(
        gettext_noop("chose the win conditions"), Kind.SETUP, By.PLAYER, cites="2.5.1.3", secret=SET_UP
    ),
    "setup.starts": Act(
        gettext_noop("chose the starting bases for the side's armies"),
        Kind.SETUP,
        By.PLAYER,
        cites="2.5.2.3",
        secret=TEAMS_SET_UP,
    ),
}
