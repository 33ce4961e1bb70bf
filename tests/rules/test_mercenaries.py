"""6, R48 to R52: what the mercenaries decide, and what holds over hundreds of turns."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from math import sqrt
from random import Random

import pytest

from scripts.simulation import invariants as invariants
from scripts.simulation.invariants import Invariant
from scripts.simulation.marching import step_to, within
from scripts.simulation.mustering import demo_board
from scripts.simulation.played import PlayedTurn, settle_turn
from wargame.rules.core.board import PLAINS, Board, Square, Town, all_squares, read_square
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.orders import Hold, Intercept, Move, Order, Step
from wargame.rules.core.position import Army, Battle, Campaign, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import (
    MOST_CREATURES,
    SLOT_MAXIMUM,
    SLOTS,
    Troop,
    alive_by_slot,
    slot_size,
    strength_by_slot,
)
from wargame.rules.core.turn import PostedLine, Result, TurnInput
from wargame.rules.mercenaries import spawning
from wargame.rules.mercenaries.events import MercenaryDecided, Spawned, SpawningRolled
from wargame.rules.mercenaries.guidelines import against_the_guidelines, decide_all
from wargame.rules.mercenaries.oceans import area_at, turns_to_another_area
from wargame.rules.mercenaries.outlook import Decision, might_of
from wargame.rules.settlement import carry_out, settle
from wargame.rules.telling.telling import event_from_json, event_to_json, tell, tell_all

BOARD = demo_board()
TURNS = 500
SEED = b"mercenaries"
JUDGE = "Judge"

FULL = SLOT_MAXIMUM


def troops(alive: tuple[int, ...] = FULL) -> tuple[Troop, ...]:
    return tuple(Troop(slot, "", n, most) for slot, n, most in zip(SLOTS, alive, SLOT_MAXIMUM, strict=True))


def mercenary(name: str, faction: Faction, at: str, alive: tuple[int, ...] = FULL, **more: object) -> Army:
    square = read_square(at)
    return Army(name, Side.MERCENARY, square, faction=faction, troops=troops(alive), home=square)._replace(**more)  # type: ignore[arg-type]


def team(name: str, at: str, alive: tuple[int, ...] = FULL, rank: Rank = Rank.CENTURION) -> Army:
    return Army(name, rank.side, read_square(at), rank, troops=troops(alive))


def decisions(*armies: Army, board: Board | None = None, dice: Dice | None = None) -> dict[str, Decision]:
    position = Position(board or Board(PLAINS), sorted_armies(list(armies)))
    return {one.army: one for one in decide_all(position, dice or turn_dice(SEED, "test", 1), {})}


# What a decision tells


def test_strength_is_troops_by_the_size_of_their_slot() -> None:
    """R50, R52."""
    assert might_of(team("Grutch", "3D")) == 5000 * 1 + 2500 * 2 + 1500 * 3 + 1000 * 4
    assert might_of(team("Grutch", "3D", (0, 0, 0, 10), Rank.EVINCAR)) == 10 * 7
    assert might_of(mercenary("Wolfpack", Faction.RAIDER, "3D", (1, 1, 1, 1), mercenary_tier=5)) == 2 + 3 + 4 + 5


def test_a_decision_says_what_else_was_considered_and_why_not() -> None:
    wolfpack = mercenary("Wolfpack", Faction.RAIDER, "12G")
    found = decisions(
        wolfpack, team("Weak", "12H", (10, 0, 0, 0)), team("Weaker", "12F", (9, 0, 0, 0)),
        team("Strong", "13G", rank=Rank.EVINCAR), team("Sheltered", "11H", (1, 0, 0, 0)),
        board=Board(PLAINS, towns=(Town("Oakvale", read_square("10I")),)),
    )["Wolfpack"]  # fmt: skip
    assert found.why.text == "Wolfpack set out to attack Weaker, the weakest army in range: 9 to 18,500."
    assert {one.what.text: one.why_not.text for one in found.considered} == {
        "engage Strong": "it was not weaker: 48,500 to 18,500",
        "engage Sheltered": "it is in or next to a base, portal or town",
        "engage Weak": "not the weakest: 10",
    }
    assert (found.cites, found.ruling, found.draws) == ("6.3.1", "R52", ())


def test_a_tie_is_drawn_and_the_draw_is_shown() -> None:
    herd = mercenary("Herd", Faction.THEME, "12G")
    near = [team("North", "12F"), team("South", "12H"), team("East", "13G")]
    dice = turn_dice(SEED, "test", 1)
    found = decisions(herd, *near, dice=dice)["Herd"]
    assert found.draws == tuple(dice.rolls)
    assert [(roll.name, roll.sides) for roll in found.draws] == [("target of Herd", 3)]
    assert [one.why_not.text for one in found.considered] == ["the draw chose another"] * 2
    targets = {decisions(herd, *near, dice=turn_dice(SEED, "test", n))["Herd"].step for n in range(40)}
    assert len(targets) == 3


def test_decisions_are_those_of_the_map_alone() -> None:
    """R38: the same position and seed give the same decisions, whatever was drawn from the dice before."""
    armies = list(small_war(Random(3)).armies)
    dice = turn_dice(SEED, "test", 1)
    dice.roll("something else", 20)
    Random(4).shuffle(armies)
    assert decisions(*armies, board=BOARD, dice=dice) == decisions(*armies, board=BOARD)


def test_an_event_tells_the_whole_decision_to_programs() -> None:
    position = Position(Board(PLAINS), (mercenary("Wolfpack", Faction.RAIDER, "12G"), team("Zed", "12H", (1, 0, 0, 0))))
    settled = settle(position, TurnInput(guidelines=True), turn_dice(SEED, "test", 1))
    told = tell(next(event for event in settled.events if isinstance(event, MercenaryDecided)))
    assert told["text"] == "Wolfpack set out to attack Zed, the weakest army in range: 1 to 18,500."
    assert (told["cites"], told["ruling"], told["armies"], told["squares"]) == (
        "6.3.1", "R52", ["Wolfpack", "Zed"], ["12G", "12H"],
    )  # fmt: skip
    assert (told["order"], told["course"], told["considered"]) == ("12G > 12H; engage Zed", "engages", [])


@pytest.mark.parametrize(
    ("case", "ends"),
    [
        ("met", ": 1 to 18,500."),
        ("left", ": 1 to 18,500. But Zed had left 12H."),
        ("caught", ": 1 to 18,500. But the two did not meet."),
    ],
)
def test_a_mercenary_that_misses_its_target_says_so(case: str, ends: str) -> None:
    """R48: the decision falls before anybody moves, so it tells an intention, and then what came of it, in the draft of
    the moves (R18) and in the settled turn alike, and also where only the mercenary's own events are shown."""
    zed, mia = team("Zed", "12H", (1, 0, 0, 0)), team("Mia", "12G")
    orders: dict[str, Order] = {
        "caught": {"Mia": Intercept("Wolfpack")},
        "left": {"Zed": Move((Step(zed.at, read_square("13H")),))},
    }.get(case, {})
    armies = (mercenary("Wolfpack", Faction.RAIDER, "12F"), zed, *((mia,) if case == "caught" else ()))
    position = Position(Board(PLAINS), armies)
    lines = tuple(PostedLine("P", army, order, 1) for army, order in orders.items())
    given = TurnInput(lines, dict.fromkeys(orders, ("P",)), guidelines=True)
    for events in (
        carry_out(position, given, turn_dice(SEED, "test", 1)).events,
        settle(position, given, turn_dice(SEED, "test", 1)).events,
    ):
        stored = [event_to_json(event) for event in events]
        (decided,) = [event for event in tell_all(stored) if event["kind"] == "mercenary_decided"]
        assert decided["text"].endswith(ends)
        own = [event for event in stored if event.get("army") == "Wolfpack"]
        (alone,) = [event for event in tell_all(own, among=stored) if event["kind"] == "mercenary_decided"]
        assert alone["text"] == decided["text"]


def test_what_was_stored_as_a_deed_is_told_as_an_intention() -> None:
    """R48: versions that stored words told a decision as if it had been carried out."""
    position = Position(Board(PLAINS), (mercenary("Wolfpack", Faction.RAIDER, "12G"), team("Zed", "12H", (1, 0, 0, 0))))
    settled = settle(position, TurnInput(guidelines=True), turn_dice(SEED, "test", 1))
    event = next(event for event in settled.events if isinstance(event, MercenaryDecided))
    stored = event_to_json(event) | {"why": "Wolfpack attacks Zed, the weakest army in range: 1 to 18,500."}
    assert event_from_json(stored).compared == event.compared


def test_no_two_mercenaries_of_all_factions_choose_one_square() -> None:
    """R3: all of them could attack the same weak army."""
    near = [mercenary(name, faction, at) for name, faction, at in [
        ("Herd", Faction.THEME, "12E"), ("Saltfin", Faction.OCEAN_THEME, "14G"), ("Wolfpack", Faction.RAIDER, "10G"),
    ]]  # fmt: skip
    ocean = tuple("o" * 38 for _ in range(14))
    found = decisions(*near, team("Zed", "12G", (1, 0, 0, 0)), board=Board(ocean))
    (first,) = [name for name, one in found.items() if one.course == "engages"]
    assert first in ("Herd", "Saltfin")
    assert f"{first} had set out for that square (R3)" in [one.why_not.text for one in found["Wolfpack"].considered]


def test_the_seas_of_the_map_hang_together_by_moves_that_end_on_the_ocean() -> None:
    """6.2.1."""
    board = Board(("ooppooppppppo" + "p" * 25, *PLAINS[1:]))
    west, east, far = (area_at(board, read_square(at)) for at in ("2A", "5A", "13A"))
    assert (west, east, far) == (Square(0, 1), Square(0, 5), Square(0, 13))
    assert area_at(board, read_square("3A")) is None
    assert west is not None
    assert far is not None
    assert turns_to_another_area(board, west) == {Square(0, 2): 1, Square(0, 1): 2}
    assert turns_to_another_area(board, far) == {}


def test_the_ocean_army_stays_where_no_other_sea_can_be_reached() -> None:
    """6.2.1: it fights on, however many battles there were."""
    board = Board(("ooo" + "p" * 35, *PLAINS[1:]))
    campaign = Campaign(area=Square(0, 1), battles=7)
    saltfin = mercenary("Saltfin", Faction.OCEAN_THEME, "1A", campaign=campaign)
    assert decisions(saltfin, team("Zed", "3A"), board=board)["Saltfin"].course == "engages"


def test_what_the_guidelines_never_do_is_remarked() -> None:
    """6.2.3, 6.3.1."""
    board = Board(PLAINS, towns=(Town("Oakvale", read_square("7G")),))
    raider, theme = mercenary("Wolfpack", Faction.RAIDER, "9G"), mercenary("Herd", Faction.THEME, "9G")
    near = Move((Step(read_square("9G"), read_square("8G")),))
    assert "8G is next to a base, portal or town" in against_the_guidelines(board, raider, near)
    assert against_the_guidelines(board, theme, near) == against_the_guidelines(board, raider, Hold()) == ""
    at_war = theme._replace(campaign=Campaign((Side.COALITION,)))
    beside = Move((Step(read_square("9E"), read_square("11E")),))
    assert "11E is in or next to a base or portal" in against_the_guidelines(BOARD, at_war, beside)


@pytest.mark.parametrize("tier", spawning.BANDS)
def test_a_band_is_an_army_at_full_strength(tier: int) -> None:
    """2.1, 6.3."""
    for band in spawning.BANDS[tier]:
        made = spawning.troops_of(band)
        assert strength_by_slot(made) == SLOT_MAXIMUM
        assert len({troop.creature for troop in made}) <= MOST_CREATURES
        assert {troop.size for troop in made} == {f"{slot_size(tier, slot)}/{slot_size(tier, slot)}" for slot in SLOTS}


# 500 turns


def test_raiders_appear_as_often_as_the_table_says() -> None:
    """6.3.2: 1/20 with 4 or 3 raiders on the map, 2/20 with 2, 3/20 with 1 or none; 7/20 of them of 2/2 rank."""
    kinds: Counter[int] = Counter()
    for raiders, of_20 in enumerate((3, 3, 2, 1, 1)):
        spawned = [army for turn in range(TURNS) for army in appeared(raiders, turn)]
        assert within_bounds(len(spawned), TURNS, of_20 / 20), raiders
        kinds.update(army.tier for army in spawned)
        assert all(army.at not in BOARD.near_built for army in spawned)
    assert within_bounds(kinds[5], kinds.total(), 7 / 20)
    assert [army for turn in range(TURNS) for army in appeared(5, turn)] == []


def appeared(raiders: int, turn: int) -> list[Army]:
    """The raiders that a quiet turn with so many of them brings."""
    squares = ("1A", "8N", "18B", "36M", "27H")
    armies = tuple(mercenary(f"Raiders {n}", Faction.RAIDER, squares[n]) for n in range(raiders))
    settled = settle(Position(BOARD, armies), TurnInput(guidelines=True), turn_dice(SEED, f"{raiders}", turn))
    rolled = [event for event in settled.events if isinstance(event, SpawningRolled)]
    assert [(event.raiders, event.upto) for event in rolled] == (
        [(raiders, spawning.UPTO[raiders])] if raiders < 5 else []
    )
    return [settled.position.by_name[event.army] for event in settled.events if isinstance(event, Spawned)]


def within_bounds(count: int, of: int, chance: float) -> bool:
    """Whether a count lies within three standard deviations of what is expected."""
    return abs(count - of * chance) <= 3 * sqrt(of * chance * (1 - chance))


@cache
def long_war() -> tuple[PlayedTurn, ...]:
    """Ten mercenaries among twelve armies of the teams that wander about, for 500 turns; whoever is attacked wins, and
    the beaten lose half of their troops, but the last few. Every second turn a mercenary gets other orders."""
    random, turns, position = Random(6), [], small_war(Random(6))
    for number in range(1, TURNS + 1):
        given = TurnInput(tuple(wandering(position, random, number)), dict.fromkeys(position.by_name, (JUDGE,)))
        given = replace(given, results=tuple(map(won_by_the_attacked(position), position.battles)), guidelines=True)
        turns.append(settle_turn(number, SEED, position, given))
        position = turns[-1].after
    return tuple(turns)


def small_war(random: Random) -> Position:
    board = BOARD
    free = [square for square in all_squares() if square not in board.near_built]
    places = iter(random.sample(free, 20))
    factions = [Faction.THEME] * 3 + [Faction.OCEAN_THEME] + [Faction.RAIDER] * 3
    made = [mercenary(f"{faction} {n}", faction, str(next(places))) for n, faction in enumerate(factions)]
    made += [mercenary(town.name, Faction.TOWN_DEFENDER, str(town.at)) for town in board.towns]
    for n in range(12):
        rank = (Rank.LIEUTENANT, Rank.CENTURION, Rank.COMMANDER, Rank.EVINCAR)[n % 4]
        made.append(team(f"Army {n}", str(next(places)), (5000, 1000, 500, 200), rank))
    made.append(mercenary("Remnant", Faction.RAIDER, str(next(places)), (900, 0, 0, 0)))
    at_war = {"theme 0": Campaign((Side.COALITION,), True), "theme 1": Campaign((Side.PHYREXIA,), True)}
    return Position(board, sorted_armies([army._replace(campaign=at_war.get(army.name)) for army in made]))


def wandering(position: Position, random: Random, number: int) -> Iterator[PostedLine]:
    mercenaries = [army for army in position.armies if army.faction]
    ordered = random.choice(mercenaries) if number % 2 == 0 else None
    for army in position.armies:
        if army.side.is_team or army is ordered:
            order = Move((step_to(position, army, random.choice(within(army.at)), random),))
            yield PostedLine(JUDGE, army.name, order, 0, (0, 0))


def won_by_the_attacked(position: Position) -> object:
    def result(battle: Battle) -> Result:
        winners = battle.sides[battle.defends or 0]
        losers = [position.by_name[name] for name in battle.armies if name not in winners]
        lost = {
            army.name: tuple(alive // 2 if alive > 20 else 0 for alive in alive_by_slot(army.troops)) for army in losers
        }
        return Result(battle.at, winners, lost)

    return result


@pytest.mark.parametrize(
    "invariant",
    [
        invariants.no_two_mercenaries_choose_one_square,
        invariants.an_order_by_the_guidelines_is_legal,
        invariants.raiders_keep_away_from_what_is_built,
        invariants.armies_at_war_keep_away_from_bases,
        invariants.defenders_hold_their_towns,
    ],
)
def test_it_holds_over_500_turns(invariant: Invariant) -> None:
    """R3, R14, 6.3.1, 6.2.3, 6.1.1."""
    assert [(turn.number, what) for turn in long_war() for what in invariant(turn)] == []


def test_in_500_turns_every_guideline_is_followed() -> None:
    """So that what holds over them says something."""
    decided = [e for turn in long_war() for e in turn.settled.events if isinstance(e, MercenaryDecided)]
    assert len(decided) > 5 * TURNS
    assert {event.cites for event in decided} == {"3.2.1", "6.1.1", "6.2.1", "6.2.3", "6.3.1", "6.3.2"}
    courses = Counter((event.faction, event.course) for event in decided)
    for faction in Faction:
        assert courses[faction.value, "engages"] > 0
        assert courses[faction.value, "moves"] > 10
    assert courses["raider", "disbands"] > 0
    assert any(event.judge for event in decided)
