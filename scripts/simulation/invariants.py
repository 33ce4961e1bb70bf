"""Facts that are true after every settlement: of places, troops and days, of mercenaries, and of a turn that is settled
again.

Each invariant yields its violations in words; its name is a sentence.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from random import Random
from typing import TypeVar

from scripts.simulation.marching import within
from scripts.simulation.mirror import mirrored, outline, told
from scripts.simulation.played import PlayedTurn
from wargame.rules.core.board import RANGE, Square, neighbours
from wargame.rules.core.codec import position_from_json, position_to_json
from wargame.rules.core.events import Event
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Army, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Faction
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, SLOTS, Troop, alive_by_slot, strength_by_slot
from wargame.rules.mercenaries.defenders import FEW_SOLDIERS
from wargame.rules.mercenaries.events import Disbanded, MercenaryDecided, OrderedAfterLock, Spawned
from wargame.rules.mercenaries.outlook import soldiers_of
from wargame.rules.mercenaries.reasoning import Why
from wargame.rules.mercenaries.spawning import MOST_RAIDERS
from wargame.rules.moves.events import Intercepted, JointEngaged, Moved, MovedPartially, Pushed, Refused
from wargame.rules.posts.notation import read_line
from wargame.rules.settlement import settle
from wargame.rules.settling.events import Captured, Fought, Healed, Killed, Retreated, TroopsLost

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
    partners = {name for names in joint.values() for name in names}
    for square, armies in turn.after.by_square.items():
        for side in {army.side for army in armies}:
            friends = [army.name for army in armies if army.side is side]
            if len(friends) > 2 or len(friends) == 2 and not set(friends) <= partners:
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
    """R18: unless it is pushed (3.3.5), must make room as a last resort (R24), or is ordered again after the lock
    (6.3.2)."""
    driven = {e.army for e in turn.moves.events if isinstance(e, Pushed | MovedPartially | OrderedAfterLock)}
    for event in turn.moves.events:
        if isinstance(event, Refused) and event.counts and event.reason is not Reason.NO_MANIFEST:
            at = turn.moves.places[event.army]
            if event.army not in driven and at != _stood(turn, event.army):
                yield f"{event.army} was refused ({event.cites}) and went to {at}"


def who_fights_or_is_captive_stays(turn: PlayedTurn) -> Iterator[str]:
    """R19, 4.5: through the moves, whoever wins; the mercenaries' captives may be pushed (3.3.5)."""
    pushed = {event.army for event in turn.moves.events if isinstance(event, Pushed)}
    for army in turn.before.armies:
        is_held = army.name in turn.before.battle_of or army.is_partially_converted and army.name not in pushed
        if is_held and turn.moves.places[army.name] != army.at:
            yield f"{army.name} left {army.at} for {turn.moves.places[army.name]}"


def only_the_killed_are_gone(turn: PlayedTurn) -> Iterator[str]:
    """4.3, 6.3.2: and the disbanded; only raiders that appeared are new."""
    killed = sorted(event.army for event in turn.settled.events if isinstance(event, Killed | Disbanded))
    missing = sorted(set(turn.before.by_name) - set(turn.after.by_name))
    spawned = sorted(event.army for event in turn.settled.events if isinstance(event, Spawned))
    new = sorted(set(turn.after.by_name) - set(turn.before.by_name))
    if killed != missing or spawned != new or len(turn.before.armies) != len(turn.lasting) + len(missing):
        yield f"killed: {killed}; gone: {missing}; spawned: {spawned}; new: {new}"


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
    positions: tuple[Position, ...] = (turn.before, turn.after)
    places = {army.at for position in positions for army in position.armies} | set(turn.moves.places.values())
    return places | {e.to for e in turn.settled.events if isinstance(e, MovedPartially | Pushed | Retreated | Captured)}


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


def troops_are_between_none_and_strength(turn: PlayedTurn) -> Iterator[str]:
    """2.1, 2.3.1, 2.3.3: also a slot within its maximum, and six creatures at most."""
    for army in turn.after.armies:
        if not all(0 <= troop.alive <= troop.of and 0 <= troop.rested <= troop.missing for troop in army.troops):
            yield f"{army.name} has {army.troops}"
        if any(strength > most for strength, most in zip(strength_by_slot(army.troops), SLOT_MAXIMUM, strict=True)):
            yield f"{army.name} has a strength of {strength_by_slot(army.troops)}"
        if len({troop.creature for troop in army.troops}) > MOST_CREATURES:
            yield f"{army.name} has more than {MOST_CREATURES} creatures"


def troops_are_conserved(turn: PlayedTurn) -> Iterator[str]:
    """3.2.4, 4.2.5: troops before, minus the fallen, killed and lost, plus the healed, are the troops after."""
    expected = _creatures(turn.before)
    fallen = dict(_fallen(turn))
    for fell in fallen.values():
        expected.subtract(fell)
    for event in turn.settled.events:
        if isinstance(event, Disbanded):
            expected.subtract(_listed(event.troops))
        elif isinstance(event, Spawned):
            expected.update(_count(turn.after.by_name[event.army].troops))
        elif isinstance(event, Killed):
            army = turn.before.by_name[event.army]
            expected.subtract(_count(army.troops))
            expected.update(fallen.get(event.army, Counter()))
        elif isinstance(event, TroopsLost):
            expected.subtract(_listed(event.troops))
        elif isinstance(event, Healed):
            expected.update(_listed(event.troops))
    there = _creatures(turn.after)
    for creature in sorted({*expected, *there}):
        if expected[creature] != there[creature]:
            yield f"there are {there[creature]} {creature}, but {expected[creature]} are left by the events"


def losses_are_those_of_the_results(turn: PlayedTurn) -> Iterator[str]:
    """4.2.5: no army loses more than it has, and none that did not fight loses anything without an event."""
    fell = dict(_fallen(turn))
    quiet = {event.receiver for event in turn.settled.events if isinstance(event, TroopsLost)}
    quiet |= {name for command in turn.given.manifests for name in (command.sender, command.receiver)}
    quiet |= {transit.receiver for transit in turn.before.transits}
    for army in turn.lasting:
        if army.name in quiet:
            continue
        before = turn.before.by_name[army.name]
        healed = _healed(turn, army)
        for slot, was, now in zip(SLOTS, alive_by_slot(before.troops), alive_by_slot(army.troops), strict=True):
            losses = sum(fell.get(army.name, Counter())[t.creature] for t in before.troops if t.slot == slot)
            if now != was - losses + healed[slot]:
                yield f"slot {slot} of {army.name} went from {was} to {now}; {losses} fell, {healed[slot]} were healed"


def days_grow_by_one_where_an_army_stays(turn: PlayedTurn) -> Iterator[str]:
    """1.5, R30: at most one a turn, starting from zero where it moved or lost."""
    losers = {name for event in turn.settled.events if isinstance(event, Fought) for name in event.losers}
    for army in turn.lasting:
        before = turn.before.by_name[army.name]
        expected = before.days if before.at == army.at and army.name not in losers else 0
        if army.days not in (expected, expected + 1) or army.winning_days > army.days:
            yield f"{army.name} has {army.days} days after {before.days}"


def _fallen(turn: PlayedTurn) -> Iterator[tuple[str, Counter[str]]]:
    """R32: the losses of each creature, by army: within a slot in the order of the list."""
    for event in turn.settled.events:
        if isinstance(event, Fought):
            for name, losses in event.losses:
                remaining, fell = list(losses), Counter[str]()
                for troop in turn.before.by_name[name].troops:
                    falls = min(troop.alive, remaining[troop.slot - 1])
                    remaining[troop.slot - 1] -= falls
                    fell[troop.creature] += falls
                yield name, fell


def _healed(turn: PlayedTurn, army: Army) -> Counter[int]:
    healed: Counter[int] = Counter()
    for event in turn.settled.events:
        if isinstance(event, Healed) and event.army == army.name:
            for slot, _, number in event.troops:
                healed[slot] += number
    return healed


def _creatures(position: Position) -> Counter[str]:
    """How many of each creature are alive, on the map and in transit."""
    parts = [army.troops for army in position.armies] + [transit.troops for transit in position.transits]
    return sum((_count(troops) for troops in parts), Counter())


def _count(troops: Iterable[Troop]) -> Counter[str]:
    count: Counter[str] = Counter()
    for troop in troops:
        count[troop.creature] += troop.alive
    return count


def _listed(troops: Iterable[tuple[int, str, int]]) -> Counter[str]:
    count: Counter[str] = Counter()
    for _, creature, number in troops:
        count[creature] += number
    return count


Driven = Pushed | MovedPartially | Intercepted | Retreated
"""Events that put an army where it did not mean to be."""


def no_two_mercenaries_choose_one_square(turn: PlayedTurn) -> Iterator[str]:
    """R3: nor one that another mercenary occupies."""
    occupants = {army.at: army.name for army in turn.before.armies if army.faction}
    choices: dict[Square, str] = {}
    for decision in _by_the_book(turn):
        if decision.course == "fights":
            continue  # it chose nothing: two that fight as a pair (3.2.5) are on one square
        if decision.to in choices or occupants.get(decision.to, decision.army) != decision.army:
            yield f"{decision.army} chooses {decision.to}, as does or is {choices.get(decision.to) or 'another one'}"
        choices[decision.to] = decision.army


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
    """6.1.1: a defender in its town stays there, unless it is weak and faces overwhelming odds, or is driven out;
    one outside that can get there and faces no such odds is in it or fights for it after the turn."""
    for army in _where_it_chose_to_be(turn, Faction.TOWN_DEFENDER, with_those_that_stay=True):
        before = turn.before.by_name[army.name]
        why = _decision_of(turn, army.name).why
        if before.at == before.home and army.at != army.home and soldiers_of(before) >= FEW_SOLDIERS:
            yield f"{army.name} left its town for {army.at}: {why}"
        can = army.home and before.at.distance(army.home) <= RANGE
        if can and army.at != army.home and why.code not in (Why.WAITS, Why.RETREATS, Why.TAKES_REFUGE, Why.BLOCKED):
            yield f"{army.name} did not go home to {army.home}: {why}"


def _by_the_book(turn: PlayedTurn) -> list[MercenaryDecided]:
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


T = TypeVar("T")


def the_order_of_the_posts_is_irrelevant(turn: PlayedTurn) -> Iterator[str]:
    """3.3.1, 3.3.4: time and place decide, never the order in which lines, manifests and results are given."""
    random = Random(turn.number)
    turn_input = replace(
        turn.given,
        lines=_shuffled(random, turn.given.lines),
        manifests=_shuffled(random, turn.given.manifests),
        results=_shuffled(random, turn.given.results),
        control=dict(_shuffled(random, tuple(turn.given.control.items()))),
    )
    again = settle(turn.before, turn_input, turn.dice())
    if again != turn.settled:
        yield f"shuffled, it ends in {_difference(turn.settled, again)}"


def the_teams_are_alike(turn: PlayedTurn) -> Iterator[str]:
    """1.1: with the teams swapped, the same happens. Draws go by names, and those stay."""
    other = settle(mirrored(turn.before), turn.given, turn.dice())
    original, mirror = outline(turn.after), outline(mirrored(other.position))
    for part, value in original.items():
        if mirror[part] != value:
            yield f"swapped, the {part} are {mirror[part]} and not {value}"
    ours_told, theirs_told = told(turn.settled.events, swapped=False), told(other.events, swapped=True)
    if ours_told != theirs_told:
        yield f"swapped, these differ: {sorted(set(ours_told) ^ set(theirs_told))}"


def the_draft_is_the_settlement_s_beginning(turn: PlayedTurn) -> Iterator[str]:
    """R18: the settlement does what the movement judge saw after step 6."""
    draft = [event for event in turn.moves.events if event.kind != "drawn"]
    if draft != list(turn.settled.events[: len(draft)]):
        yield "the draft's events are not the first ones of the settlement"


def a_position_survives_being_written_down(turn: PlayedTurn) -> Iterator[str]:
    """R38: so that every turn can be recomputed."""
    if position_from_json(position_to_json(turn.after)) != turn.after:
        yield "the position that is read back is another one"


def an_order_that_is_written_reads_back(turn: PlayedTurn) -> Iterator[str]:
    """3.2.2.5: an order, written as text and read again, is the same."""
    names = tuple(turn.before.by_name)
    for line in turn.given.lines:
        read = read_line(line.text, names)
        if not isinstance(read, ReadOrder) or (read.army, read.order) != (line.army, line.order):
            yield f"“{line.text}” is read as {read}"


def _shuffled(random: Random, things: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(random.sample(things, len(things)))


def _difference(one: object, other: object) -> str:
    """The first place where two values differ, with its context."""
    first, second = repr(one), repr(other)
    place = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"…{second[max(0, place - 80) : place + 80]}… and not …{first[max(0, place - 80) : place + 80]}…"


Invariant = Callable[[PlayedTurn], Iterator[str]]

OF_MERCENARIES: tuple[Invariant, ...] = (
    no_two_mercenaries_choose_one_square,
    an_order_by_the_guidelines_is_legal,
    raiders_keep_away_from_what_is_built,
    armies_at_war_keep_away_from_bases,
    defenders_hold_their_towns,
)
"""6: invariants that could be true of many turns only because no mercenary had a chance to break them."""

INVARIANTS: tuple[Invariant, ...] = (
    nobody_is_off_the_map,
    friends_share_a_square_in_joint_engagements_alone,
    enemies_on_a_square_fight,
    every_army_is_where_its_events_say,
    nobody_goes_farther_than_its_rule_allows,
    a_refused_army_stays,
    who_fights_or_is_captive_stays,
    only_the_killed_are_gone,
    troops_are_between_none_and_strength,
    troops_are_conserved,
    losses_are_those_of_the_results,
    days_grow_by_one_where_an_army_stays,
    *OF_MERCENARIES,
    the_order_of_the_posts_is_irrelevant,
    the_teams_are_alike,
    the_draft_is_the_settlement_s_beginning,
    a_position_survives_being_written_down,
    an_order_that_is_written_reads_back,
)


def broken(turn: PlayedTurn) -> Iterator[tuple[str, str]]:
    """The invariants that a turn breaks: the name of each and the violation."""
    for invariant in INVARIANTS:
        for problem in invariant(turn):
            yield invariant.__name__.replace("_", " "), problem
