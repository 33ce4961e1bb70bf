"""What holds at every settlement, whatever was ordered."""

from dataclasses import replace
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.rules.random_rulings import random_rulings
from tests.rules.random_turns import random_position, random_turn, with_teams_swapped
from wargame.rules.core.codec import canonical, position_from_json, position_to_json, written_position
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import Ruled
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Position
from wargame.rules.core.rulings import TakenAsGiven
from wargame.rules.core.troops import SLOT_MAXIMUM, strength_by_slot
from wargame.rules.core.turn import TurnInput
from wargame.rules.moves.events import Pushed, Refused
from wargame.rules.posts.notation import read_line
from wargame.rules.settlement import carry_out, settle
from wargame.rules.settling.events import Healed, TroopsLost
from wargame.rules.telling.coming_battles import ComingBattle, coming_battles

seeds = st.integers(min_value=0, max_value=10**9)
sizes = st.integers(min_value=2, max_value=34)
turns = settings(max_examples=60, deadline=None)


def _play(seed: int, armies: int, turns: int = 4, ruled: bool = False) -> list[Position]:
    """The positions of a few turns after a random start; `ruled`: with random rulings of a judge."""
    random = Random(seed)
    positions = [random_position(random, armies)]
    for turn in range(turns):
        given_turn = random_turn(random, positions[-1])
        if ruled:
            given_turn = replace(given_turn, rulings=random_rulings(random, positions[-1]))
        positions.append(settle(positions[-1], given_turn, turn_dice(b"seed", "random", turn)).position)
    return positions[1:]


@turns
@given(seeds, sizes, st.booleans())
def test_enemies_that_meet_are_in_battle_and_friends_only_meet_in_one(seed, armies, ruled):
    """3.3.1, 3.2.5, 3.3.5."""
    for position in _play(seed, armies, ruled=ruled):
        for square, there in position.by_square.items():
            battles = [battle for battle in position.battles if battle.at == square]
            named = sorted(name for battle in battles for name in battle.armies)
            alone = len(there) == 1 and not battles
            assert alone or named == sorted(army.name for army in there)
            assert all(len(side) <= 2 for battle in battles for side in battle.sides)


@turns
@given(seeds, sizes)
def test_a_ruling_that_says_it_changes_nothing_changes_nothing(seed, armies):
    """3.3.3."""
    random = Random(seed)
    position = random_position(random, armies)
    given_turn = random_turn(random, position)
    without = settle(position, given_turn, turn_dice(b"seed", "random", 1))
    for ruling in random_rulings(random, position):
        settled = settle(position, replace(given_turn, rulings=(ruling,)), turn_dice(b"seed", "random", 1))
        (told,) = (event for event in settled.events if isinstance(event, Ruled))
        rest = [event for event in settled.events if event != told]
        assert not told.why_not or (settled.position, rest) == (without.position, list(without.events))


@turns
@given(seeds, sizes)
def test_the_battles_that_the_moves_bring_about_are_foreseen(seed, armies):
    """R25, R26: exactly, where no battle's loser is still to leave its square, and nobody sends its troops away."""
    random = Random(seed)
    position = random_position(random, armies)
    given_turn = replace(random_turn(random, position), manifests=())
    places = carry_out(position, given_turn, turn_dice(b"seed", "random", 1)).places
    settled = settle(position, given_turn, turn_dice(b"seed", "random", 1)).position
    ahead = coming_battles(position, places)
    pairs_left_alone = [one for one in ahead if not one.is_fought and len([*one.sides[0], *one.sides[1]]) > 2]
    if not pairs_left_alone:
        assert [_who_meets(one) for one in ahead if one.is_fought] == [
            (b.at, b.sides, b.defends) for b in settled.battles
        ]


def _who_meets(one: ComingBattle) -> tuple[object, ...]:
    first, second = (tuple(name for name in side if name not in one.dying) for side in one.sides)
    return one.at, (first, second), one.defends


@turns
@given(seeds, sizes, st.booleans())
def test_no_army_leaves_the_map(seed, armies, ruled):
    """1.2."""
    assert all(army.at.on_map for position in _play(seed, armies, ruled=ruled) for army in position.armies)


@turns
@given(seeds, sizes, st.booleans())
def test_troops_stay_between_none_and_strength_and_a_slot_within_its_maximum(seed, armies, ruled):
    """2.1, 2.3.1, 2.3.3."""
    for position in _play(seed, armies, ruled=ruled):
        for army in position.armies:
            assert all(0 <= troop.alive <= troop.of for troop in army.troops)
            assert all(0 <= troop.rested <= troop.missing for troop in army.troops)
            strength = strength_by_slot(army.troops)
            assert all(held <= most for held, most in zip(strength, SLOT_MAXIMUM, strict=True))


@turns
@given(seeds, sizes)
def test_an_order_that_a_ruling_gives_can_be_written_as_a_player_would(seed, armies):
    """3.2.2.5: a long move goes on from where its step before ended."""
    random = Random(seed)
    position = random_position(random, armies)
    names = [*position.by_name, "Nobody"]
    for ruling in random_rulings(random, position):
        if isinstance(ruling, TakenAsGiven):
            line = read_line(ruling.text, names)
            assert isinstance(line, ReadOrder)
            assert (line.army, line.order) == (ruling.army, ruling.order)


@turns
@given(seeds, sizes, st.booleans())
@example(38, 10, False)
@example(38, 10, True)
def test_a_position_survives_being_written_and_read(seed, armies, ruled):
    """Every turn can be recomputed from what was stored."""
    for position in _play(seed, armies, turns=3, ruled=ruled):
        as_json = position_to_json(position)
        assert position_from_json(as_json) == position
        assert written_position(position).text == canonical(as_json)


@turns
@given(seeds, sizes, st.randoms(use_true_random=False))
def test_the_order_in_which_lines_arrive_changes_nothing(seed, armies, shuffler):
    """R18: time and place decide, never the order of a list."""
    random = Random(seed)
    position = random_position(random, armies)
    turn = random_turn(random, position)
    shuffled = list(turn.lines)
    shuffler.shuffle(shuffled)
    again = type(turn)(tuple(shuffled), turn.control, turn.manifests, turn.results)

    settled = settle(position, turn, turn_dice(b"seed", "random", 1))

    assert settle(position, again, turn_dice(b"seed", "random", 1)) == settled


@turns
@given(seeds, sizes)
def test_an_army_whose_order_was_refused_stays_unless_it_is_pushed(seed, armies):
    """R14, R18, R22."""
    position, turn = _start(seed, armies)
    moves = carry_out(position, turn, turn_dice(b"seed", "random", 1))

    pushed = {event.army for event in moves.events if isinstance(event, Pushed)}
    refused = {event.army for event in moves.events if isinstance(event, Refused) and event.counts}
    assert all(moves.places[name] == position.by_name[name].at for name in refused - pushed)


@turns
@given(seeds, sizes)
def test_the_rules_of_movement_favour_no_team(seed, armies):
    """1.1, 3.3: the rules of movement know no favourite."""
    position, turn = _start(seed, armies)
    moves = carry_out(position, turn, turn_dice(b"seed", "random", 1))

    assert carry_out(with_teams_swapped(position), turn, turn_dice(b"seed", "random", 1)).places == moves.places


@turns
@given(seeds, sizes, st.integers(min_value=1, max_value=50), st.integers(min_value=0, max_value=10**6))
def test_only_the_order_of_the_times_counts(seed, armies, slower, later):
    """3.3.1, R12, R21."""
    position, turn = _start(seed, armies)
    lines = tuple(line._replace(at=line.at * slower + later) for line in turn.lines)
    stretched = replace(turn, lines=lines)

    moves = carry_out(position, turn, turn_dice(b"seed", "random", 1))

    assert carry_out(position, stretched, turn_dice(b"seed", "random", 1)) == moves


@turns
@given(seeds, sizes)
def test_without_battles_no_troops_come_or_go_but_by_healing_and_with_who_falls(seed, armies):
    """3.2.4, 2.3.3, 2.3.1: a transfer takes as many as it gives."""
    position, turn = _start(seed, armies)
    settled = settle(position, turn, turn_dice(b"seed", "random", 1))

    healed = sum(number for e in settled.events if isinstance(e, Healed) for *_, number in e.troops)
    lost = sum(number for e in settled.events if isinstance(e, TroopsLost) for *_, number in e.troops)
    assert _living(settled.position) == _living(position) + healed - lost


def _start(seed: int, armies: int) -> tuple[Position, TurnInput]:
    """A random position in which nobody fights, and a turn of it."""
    random = Random(seed)
    position = random_position(random, armies)
    return position, random_turn(random, position)


def _living(position: Position) -> int:
    """All living troops, those on their way too."""
    held = [army.troops for army in position.armies] + [transit.troops for transit in position.transits]
    return sum(troop.alive for troops in held for troop in troops)
