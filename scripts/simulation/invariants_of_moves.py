"""What holds after every settlement of where the armies are."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.simulation.marching import within
from scripts.simulation.played import PlayedTurn
from wargame.rules.core.board import RANGE, Square, neighbours
from wargame.rules.core.events import Event
from wargame.rules.core.position import Position
from wargame.rules.core.reasons import Reason
from wargame.rules.mercenaries.events import Disbanded, Spawned
from wargame.rules.moves.events import Intercepted, JointEngaged, Moved, MovedPartially, Pushed, Refused
from wargame.rules.settling.events import Captured, Killed, Retreated

MOST_CROSSED = RANGE - 1
"""3.2.3: a crossing is neither the first nor the last square of a route."""


def nobody_is_off_the_map(turn: PlayedTurn) -> Iterator[str]:
    """1.2."""
    for army in turn.after.armies:
        if not army.at.on_map:
            yield f"{army.name} is on {army.at}"


def friends_share_a_square_in_joint_engagements_alone(turn: PlayedTurn) -> Iterator[str]:
    """3.3.1, 3.2.5."""
    joint = {event.at: set(event.armies) for event in turn.settled.events if isinstance(event, JointEngaged)}
    allowed = {name for names in joint.values() for name in names}
    for square, armies in turn.after.by_square.items():
        for side in {army.side for army in armies}:
            friends = [army.name for army in armies if army.side is side]
            if len(friends) > 2 or len(friends) == 2 and not set(friends) <= allowed:
                yield f"{' and '.join(friends)} are on {square}"


def enemies_on_a_square_fight(turn: PlayedTurn) -> Iterator[str]:
    """3.3.1, 3.3.5, R25: exactly those that are there, in one battle of two sides."""
    fights = {battle.at: sorted(battle.armies) for battle in turn.after.battles}
    if len(fights) != len(turn.after.battles):
        yield "two battles are on one square"
    meetings = {
        square: sorted(army.name for army in armies)
        for square, armies in turn.after.by_square.items()
        if len({army.side for army in armies}) > 1
    }
    if fights != meetings:
        yield f"the battles are {fights}, but enemies meet as {meetings}"
    for battle in turn.after.battles:
        sides = [{turn.after.by_name[name].side for name in side} for side in battle.sides]
        if [len(side) for side in sides] != [1, 1] or sides[0] == sides[1]:
            yield f"the battle on {battle.at} is not one of two sides"


def every_army_is_where_its_events_say(turn: PlayedTurn) -> Iterator[str]:
    """R18: nobody moves without an event, and each event starts where the army is."""
    yield from _follow(turn, turn.moves.events, turn.moves.places)
    places = {army.name: army.at for army in turn.lasting}
    yield from _follow(turn, turn.settled.events, places)


def nobody_goes_farther_than_its_rule_allows(turn: PlayedTurn) -> Iterator[str]:
    """3.2.2.1, 3.2.3, 3.3.2, 3.3.5, 4.2.5, 4.5."""
    crowd = _ever_taken(turn)
    board = turn.before.board
    for event in turn.settled.events:
        if isinstance(event, Moved) and not _is_route(event.route, event.start, event.to):
            yield f"{event.army} moved along {' - '.join(map(str, event.route))}"
        elif isinstance(event, Intercepted) and event.start.distance(event.at) > MOST_CROSSED:
            yield f"{event.army} was intercepted on {event.at}, too far from {event.start}"
        elif isinstance(event, MovedPartially) and not _is_partial(event, crowd):
            yield f"{event.army} moved partially from {event.start} to {event.to} ({event.how})"
        elif isinstance(event, Retreated) and not _is_way_out(event.start, event.to, crowd):
            yield f"{event.army} left {event.start} for {event.to}"
        elif isinstance(event, Pushed) and not _is_pushed(event, crowd):
            yield f"{event.army} was pushed from {event.start} to {event.to}"
        elif isinstance(event, Captured) and not (board.is_built(event.to) or event.to == _stood(turn, event.army)):
            yield f"{event.army} was captured and put on {event.to}"


def a_refused_army_stays(turn: PlayedTurn) -> Iterator[str]:
    """R18: unless it is pushed (3.3.5) or must make room at the last resort (R24)."""
    driven = {e.army for e in turn.moves.events if isinstance(e, Pushed | MovedPartially)}
    for event in turn.moves.events:
        if isinstance(event, Refused) and event.counts and event.reason is not Reason.NO_MANIFEST:
            at = turn.moves.places[event.army]
            if event.army not in driven and at != _stood(turn, event.army):
                yield f"{event.army} was refused ({event.cites}) and went to {at}"


def who_fights_or_is_captive_stays(turn: PlayedTurn) -> Iterator[str]:
    """R19, 4.5: through the moves, whoever wins; the mercenaries' captives may be pushed (3.3.5)."""
    pushed = {event.army for event in turn.moves.events if isinstance(event, Pushed)}
    for army in turn.before.armies:
        held = army.name in turn.before.battle_of or army.is_partially_converted and army.name not in pushed
        if held and turn.moves.places[army.name] != army.at:
            yield f"{army.name} left {army.at} for {turn.moves.places[army.name]}"


def only_the_killed_are_gone(turn: PlayedTurn) -> Iterator[str]:
    """4.3, 6.3.2: and the disbanded; and only raiders that appeared are new."""
    killed = sorted(event.army for event in turn.settled.events if isinstance(event, Killed | Disbanded))
    gone = sorted(set(turn.before.by_name) - set(turn.after.by_name))
    spawned = sorted(event.army for event in turn.settled.events if isinstance(event, Spawned))
    new = sorted(set(turn.after.by_name) - set(turn.before.by_name))
    if killed != gone or spawned != new or len(turn.before.armies) != len(turn.lasting) + len(gone):
        yield f"killed: {killed}; gone: {gone}; spawned: {spawned}; new: {new}"


def _stood(turn: PlayedTurn, name: str) -> Square:
    return turn.before.by_name[name].at


def _follow(turn: PlayedTurn, events: tuple[Event, ...], ends: dict[str, Square]) -> Iterator[str]:
    at = {army.name: army.at for army in turn.before.armies}
    for event in events:
        if isinstance(event, Moved | Pushed | Retreated) and event.start != at[event.army]:
            yield f"{event.army} is on {at[event.army]}, but it {event.kind} from {event.start}"
        if isinstance(event, Moved | MovedPartially | Pushed | Retreated | Captured):
            at[event.army] = event.to
        elif isinstance(event, Intercepted):
            at[event.army] = event.at
    for name, end in ends.items():
        if at[name] != end:
            yield f"{name} is on {end}, but its events lead to {at[name]}"


def _ever_taken(turn: PlayedTurn) -> set[Square]:
    """The squares on which somebody was at some moment of the turn."""
    positions: tuple[Position, ...] = (turn.before, turn.after)
    taken = {army.at for position in positions for army in position.armies} | set(turn.moves.places.values())
    return taken | {e.to for e in turn.settled.events if isinstance(e, MovedPartially | Pushed | Retreated | Captured)}


def _is_route(route: tuple[Square, ...], start: Square, to: Square) -> bool:
    steps = list(zip(route, route[1:], strict=False))
    ends = (route[0], route[-1]) == (start, to)
    on_map = all(square.on_map for square in route)
    return ends and on_map and 1 <= len(steps) <= RANGE and all(here.distance(there) == 1 for here, there in steps)


def _is_partial(event: MovedPartially, crowd: set[Square]) -> bool:
    """R24: back on its way, on its start, within three steps, or farther if all those are taken."""
    steps = event.start.distance(event.to)
    if event.how in ("caught", "stays"):
        return steps == 0
    if event.how == "back":
        return steps < RANGE
    return steps <= RANGE or crowd.issuperset(within(event.start))


def _is_way_out(start: Square, to: Square, crowd: set[Square]) -> bool:
    """R27: one neighbour, or farther if all of them are taken."""
    return start.is_neighbour(to) or crowd.issuperset(neighbours(start))


def _is_pushed(event: Pushed, crowd: set[Square]) -> bool:
    """R22: to the nearest free square by steps. R40: to a free neighbour."""
    if event.cites == "4.5":
        return _is_way_out(event.start, event.to, crowd)
    nearer = {square for square in within(event.start) if event.start.distance(square) < event.start.distance(event.to)}
    return event.start != event.to and nearer <= crowd
