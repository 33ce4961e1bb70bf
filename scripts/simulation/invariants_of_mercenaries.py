"""6: what holds after every settlement of the mercenaries that nobody ordered."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.simulation.played import PlayedTurn
from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries.defenders import FEW_SOLDIERS
from wargame.rules.mercenaries.events import MercenaryDecided, OrderedAfterLock, Spawned
from wargame.rules.mercenaries.outlook import soldiers_of
from wargame.rules.mercenaries.spawning import MOST_RAIDERS
from wargame.rules.moves.events import Intercepted, MovedPartially, Pushed, Refused
from wargame.rules.settling.events import Retreated

Driven = Pushed | MovedPartially | Intercepted | Retreated
"""What puts an army where it did not mean to be."""


def no_two_mercenaries_choose_one_square(turn: PlayedTurn) -> Iterator[str]:
    """R3: nor one on which another one stands."""
    standing = {army.at: army.name for army in turn.before.armies if army.faction}
    chosen: dict[Square, str] = {}
    for decision in _by_the_book(turn):
        if decision.to in chosen or standing.get(decision.to, decision.army) != decision.army:
            yield f"{decision.army} chooses {decision.to}, as does or is {chosen.get(decision.to) or 'another one'}"
        chosen[decision.to] = decision.army


def an_order_by_the_guidelines_is_legal(turn: PlayedTurn) -> Iterator[str]:
    """R14, R48."""
    refused = {e.army: e for e in turn.settled.events if isinstance(e, Refused) and e.counts}
    for decision in _by_the_book(turn):
        if decision.army in refused:
            yield f"{decision.army} was refused: {refused[decision.army].sentence}"


def raiders_keep_away_from_what_is_built(turn: PlayedTurn) -> Iterator[str]:
    """6.3.1: they never move next to a base, portal or town; they may be driven there. There are five at most (6.3)."""
    for army in _where_it_chose_to_be(turn, Faction.RAIDER):
        if army.at in turn.before.board.near_built:
            yield f"{army.name} went to {army.at}"
    for event in turn.settled.events:
        if isinstance(event, Spawned) and event.at in turn.before.board.near_built:
            yield f"{event.army} appeared on {event.at}"
    if sum(army.faction is Faction.RAIDER for army in turn.after.armies) > MOST_RAIDERS:
        yield f"there are more than {MOST_RAIDERS} raiders"


def armies_at_war_keep_away_from_bases(turn: PlayedTurn) -> Iterator[str]:
    """6.2.3: never onto or next to a base or portal, unless they are driven there."""
    for army in _where_it_chose_to_be(turn, Faction.THEME):
        before = turn.before.by_name[army.name].campaign
        if before and before.at_war and army.at in turn.before.board.near_bases:
            yield f"{army.name} went to {army.at}"


def defenders_hold_their_towns(turn: PlayedTurn) -> Iterator[str]:
    """6.1.1: who is in its town stays there, unless it is weak and faces overwhelming odds, or is driven out; who is
    not, and can get there and faces none, is in it or fights for it after the turn."""
    for army in _where_it_chose_to_be(turn, Faction.TOWN_DEFENDER, with_those_that_stay=True):
        before = turn.before.by_name[army.name]
        why = _decision_of(turn, army.name).why
        if before.at == before.home and army.at != army.home and soldiers_of(before) >= FEW_SOLDIERS:
            yield f"{army.name} left its town for {army.at}: {why}"
        can = army.home and before.at.distance(army.home) <= RANGE
        if can and army.at != army.home and not ("waits" in why or "retreats" in why or "stays" in why):
            yield f"{army.name} did not go home to {army.home}: {why}"


def _by_the_book(turn: PlayedTurn) -> list[MercenaryDecided]:
    """The decisions that nobody overruled."""
    changed = {event.army for event in turn.settled.events if isinstance(event, OrderedAfterLock)}
    decided = (event for event in turn.settled.events if isinstance(event, MercenaryDecided))
    return [event for event in decided if not event.judge and event.army not in changed]


def _decision_of(turn: PlayedTurn, name: str) -> MercenaryDecided:
    return next(event for event in _by_the_book(turn) if event.army == name)


def _where_it_chose_to_be(turn: PlayedTurn, faction: Faction, *, with_those_that_stay: bool = False) -> Iterator[Army]:
    """The living armies of a faction that moved by their guidelines and were not driven anywhere."""
    driven = {event.army for event in turn.settled.events if isinstance(event, Driven)}
    for decision in _by_the_book(turn):
        army = turn.after.by_name.get(decision.army)
        if army is None or army.faction is not faction or army.name in driven or decision.course == "fights":
            continue
        if with_those_that_stay or army.at != decision.at:
            yield army
