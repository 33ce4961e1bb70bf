"""`manage.py simulate`: whole rounds through the rules alone, and invariants that notice when they are broken."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from io import StringIO
from typing import Any

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from judging.management.commands.simulate import GAMES
from scripts.simulation import invariants, playing
from scripts.simulation.invariants import INVARIANTS
from scripts.simulation.mustering import demo_board
from scripts.simulation.played import PlayedTurn, settle_turn
from scripts.simulation.playing import Broken, Simulation
from wargame.rules.core.board import Square
from wargame.rules.core.orders import Move, Step
from wargame.rules.core.position import Army, Campaign, Position
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import AfterLockOrder, PostedLine, TurnInput
from wargame.rules.mercenaries.events import MercenaryDecided
from wargame.rules.moves.events import Moved, Refused

SEED = 7


def simulate(*arguments: str) -> tuple[str, str]:
    """What the command prints."""
    out, err = StringIO(), StringIO()
    call_command("simulate", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def played(turns: int = 12, armies: int = 60) -> list[PlayedTurn]:
    return list(Simulation(demo_board(), SEED, lambda: 0.0, armies).play(turns))


@cache
def sixteen_turns() -> list[PlayedTurn]:
    return played(16)


@cache
def a_turn() -> PlayedTurn:
    """A turn in the middle of a round."""
    return played()[-1]


def test_whole_rounds_are_played_and_every_invariant_holds() -> None:
    """R18."""
    out, err = simulate("--turns", "40", "--seed", "3", "--armies", "60")
    rows = dict(line.rsplit(maxsplit=1) for line in out.splitlines()[:-2])
    assert rows["turns"] == "40"
    assert all(int(rows[name]) > 0 for name in ("orders", "orders refused", "moves", "battles", "kills", "transfers"))
    assert out.splitlines()[-1] == "every invariant held"
    assert err == ""


def test_a_round_that_is_won_is_followed_by_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """1.7.3."""
    simulation = Simulation(demo_board(), SEED, lambda: 0.0, 40)
    coalition = [army for army in simulation.position.armies if not army.is_leading or army.side is Side.COALITION]
    lonely = next(army for army in simulation.position.armies if army.is_leading and army.side is Side.PHYREXIA)
    empty = lonely._replace(troops=tuple(troop._replace(alive=0) for troop in lonely.troops))
    enemy = next(army for army in coalition if army.side is Side.COALITION)._replace(at=Square(0, 1))
    others = [army for army in coalition if army.name != enemy.name]
    armies = sorted([*others, enemy, empty._replace(at=Square(0, 1))])
    simulation.position = replace(simulation.position, armies=tuple(armies))
    simulation.control = {army.name: simulation.control[army.name] for army in armies}
    monkeypatch.setattr(playing, "broken", lambda turn: ())
    list(simulation.play(1))
    assert simulation.tally.wins == {"the Coalition": 1}
    assert simulation.tally.rounds == 2
    assert len(simulation.position.armies) == 40 - 40 % 2


def test_a_seed_plays_the_same_rounds_again() -> None:
    assert [turn.settled for turn in played(6)] == [turn.settled for turn in played(6)]


def test_mercenaries_take_part() -> None:
    """6."""
    moved = {event.army for turn in played() for event in turn.settled.events if isinstance(event, Moved)}
    mercenaries = {army.name for army in played(1)[0].before.armies if army.side is Side.MERCENARY}
    assert moved & mercenaries


def test_a_broken_invariant_is_told_with_its_seed_and_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody_moves_on_turn_3(turn: PlayedTurn) -> list[str]:
        return ["somebody moved"] if turn.number == 3 else []

    monkeypatch.setattr(invariants, "INVARIANTS", (nobody_moves_on_turn_3,))
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("simulate", "--turns", "9", "--seed", "5", "--armies", "30", stdout=out, stderr=err)
    assert stopped.value.code == 1
    assert err.getvalue().strip() == "seed 5, turn 3: broken: nobody moves on turn 3: somebody moved"
    assert "turns" in out.getvalue()
    assert "every invariant held" not in out.getvalue()


def test_a_turn_that_the_rules_cannot_settle_is_told_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr(playing, "settle_turn", fails)
    with pytest.raises(Broken, match="seed 7, turn 1: broken: every turn can be settled: KeyError"):
        played(1)


@pytest.mark.parametrize("arguments", [("--turns", "0"), ("--turns", "many"), ("--armies", "1000"), ("--armies", "-4")])
def test_numbers_that_make_no_sense_are_refused_with_a_sentence(arguments: tuple[str, str]) -> None:
    with pytest.raises(CommandError, match="expected a whole number from .*, not"):
        simulate(*arguments)


def with_army(turn: PlayedTurn, change: Callable[[Army], Army | None], which: Callable[[Army], bool]) -> PlayedTurn:
    """The turn with the first such army changed, or gone, in its last position."""
    armies: list[Army] = list(turn.after.armies)
    place = next(place for place, army in enumerate(armies) if which(army))
    changed = change(armies.pop(place))
    if changed is not None:
        armies.insert(place, changed)
    after = replace(turn.after, armies=tuple(armies))
    return replace(turn, settled=replace(turn.settled, position=after))


def is_alone(position: Position) -> Callable[[Army], bool]:
    return lambda army: len(position.by_square[army.at]) == 1


def moved_to(at: Square) -> Callable[[Army], Army]:
    return lambda army: army._replace(at=at)


def someone_else(turn: PlayedTurn, *, enemy: bool) -> PlayedTurn:
    """An army on the square of another one, without a battle."""
    alone = [army for army in turn.after.armies if is_alone(turn.after)(army)]
    other = next(army for army in alone[1:] if army.is_enemy(alone[0]) is enemy)
    return with_army(turn, moved_to(other.at), lambda army: army is alone[0])


def out_of_place(turn: PlayedTurn, name: str) -> PlayedTurn:
    """The draft with an army on another square than its own."""
    places = {**turn.moves.places, name: Square(13, 38)}
    return replace(turn, moves=replace(turn.moves, places=places))


def changed_troops(turn: PlayedTurn, **changes: int) -> PlayedTurn:
    def change(army: Army) -> Army:
        return army._replace(troops=(army.troops[0]._replace(**changes), *army.troops[1:]))

    return with_army(turn, change, lambda army: True)


def a_long_route(turn: PlayedTurn) -> PlayedTurn:
    place, moved = next((i, event) for i, event in enumerate(turn.settled.events) if isinstance(event, Moved))
    far = replace(moved, route=(*moved.route, *moved.route[::-1], *moved.route))
    events = (*turn.settled.events[:place], far, *turn.settled.events[place + 1 :])
    return replace(turn, settled=replace(turn.settled, events=events))


def first_refused(turn: PlayedTurn) -> str:
    return next(
        event.army
        for event in turn.moves.events
        if isinstance(event, Refused) and event.counts and event.reason is not Reason.NO_MANIFEST
    )


def by_the_book(turn: PlayedTurn, faction: Faction) -> str:
    """A mercenary of that faction that decided for itself and came where it meant to; empty if there is none."""
    decided = (event for event in turn.settled.events if isinstance(event, MercenaryDecided))
    here = (event for event in decided if event.faction == faction.value and not event.judge)
    there = (event for event in here if event.course in ("moves", "stays") and event.army in turn.after.by_name)
    return next((event.army for event in there if turn.after.by_name[event.army].at == event.to), "")


def otherwise_decided(turn: PlayedTurn, which: Callable[[MercenaryDecided], bool], **changes: Any) -> PlayedTurn:
    """The turn with some of its mercenaries' decisions changed."""
    events = tuple(
        replace(event, **changes) if isinstance(event, MercenaryDecided) and which(event) else event
        for event in turn.settled.events
    )
    return replace(turn, settled=replace(turn.settled, events=events))


def refused_by_the_book(turn: PlayedTurn) -> PlayedTurn:
    name = by_the_book(turn, Faction.RAIDER)
    refused = Refused(name, Reason.NO_STEP, (("start", "3D"), ("to", "3D")), "", "")
    return replace(turn, settled=replace(turn.settled, events=(refused, *turn.settled.events)))


def gone_astray(turn: PlayedTurn, faction: Faction) -> PlayedTurn:
    """A mercenary that nothing drove next to a base."""
    name = by_the_book(turn, faction)
    if not name:
        return turn
    near = sorted(turn.before.board.near_bases - turn.before.board.base_by_square.keys())[0]
    return with_army(turn, moved_to(near), lambda army: army.name == name)


def at_war(turn: PlayedTurn) -> PlayedTurn:
    """The turn with all theme armies at war before it."""
    campaign = Campaign(at_war=(Side.COALITION,))
    armies = tuple(a._replace(campaign=campaign) if a.faction is Faction.THEME else a for a in turn.before.armies)
    return replace(turn, before=replace(turn.before, armies=armies))


BREAKERS: dict[str, Callable[[PlayedTurn], PlayedTurn]] = {
    "nobody_is_off_the_map": lambda turn: with_army(turn, moved_to(Square(14, 1)), is_alone(turn.after)),
    "friends_share_a_square_in_joint_engagements_alone": lambda turn: someone_else(turn, enemy=False),
    "enemies_on_a_square_fight": lambda turn: someone_else(turn, enemy=True),
    "every_army_is_where_its_events_say": lambda turn: with_army(turn, moved_to(Square(0, 1)), lambda army: True),
    "nobody_goes_farther_than_its_rule_allows": a_long_route,
    "a_refused_army_stays": lambda turn: out_of_place(turn, first_refused(turn)),
    "who_fights_or_is_captive_stays": lambda turn: out_of_place(turn, next(iter(turn.before.battle_of))),
    "only_the_killed_are_gone": lambda turn: with_army(turn, lambda army: None, lambda army: True),
    "troops_are_between_none_and_strength": lambda turn: changed_troops(turn, alive=-1),
    "troops_are_conserved": lambda turn: changed_troops(turn, alive=7),
    "losses_are_those_of_the_results": lambda turn: changed_troops(turn, alive=7),
    "days_grow_by_one_where_an_army_stays": lambda turn: with_army(
        turn, lambda army: army._replace(days=army.days + 3), lambda army: True
    ),
    "no_two_mercenaries_choose_one_square": lambda turn: otherwise_decided(turn, lambda event: True, to=Square(0, 1)),
    "an_order_by_the_guidelines_is_legal": refused_by_the_book,
    "raiders_keep_away_from_what_is_built": lambda turn: gone_astray(turn, Faction.RAIDER),
    "armies_at_war_keep_away_from_bases": lambda turn: gone_astray(at_war(turn), Faction.THEME),
    "defenders_hold_their_towns": lambda turn: gone_astray(turn, Faction.TOWN_DEFENDER),
    "the_order_of_the_posts_is_irrelevant": lambda turn: changed_troops(turn, alive=7),
    "the_teams_are_alike": lambda turn: with_army(turn, moved_to(Square(0, 1)), lambda army: True),
    "the_draft_is_the_settlement_s_beginning": lambda turn: replace(
        turn, settled=replace(turn.settled, events=turn.settled.events[1:])
    ),
    "a_position_survives_being_written_down": lambda turn: with_army(
        turn, lambda army: army._replace(colors=["red"]), lambda army: True
    ),
    "an_order_that_is_written_reads_back": lambda turn: replace(
        turn, given=replace(turn.given, lines=(turn.given.lines[0]._replace(text="hello"), *turn.given.lines[1:]))
    ),
}


def test_a_raider_that_is_sent_off_after_its_order_was_refused_does_not_break_what_refused_armies_keep() -> None:
    """6.3.2, R18: the order after the lock is another one."""
    raider = Army("Wolfpack", Side.MERCENARY, Square(6, 12), faction=Faction.RAIDER, troops=(Troop(1, "Elf", 9, 9),))
    orla = Army("Orla", Side.COALITION, Square(6, 14), Rank.CAPTAIN, troops=(Troop(1, "Elf", 9, 9),))
    far, there = (Move((Step(raider.at, Square(6, column), None, "engage", "Orla"),)) for column in (20, 14))
    given = TurnInput(
        (PostedLine("Judge", "Wolfpack", far, 1),),
        {"Wolfpack": ("Judge",)},
        mercenaries=(AfterLockOrder("Judge", "Wolfpack", there, ""),),
    )
    turn = settle_turn(1, b"seed", Position(demo_board(), (orla, raider)), given)

    assert first_refused(turn) == "Wolfpack"
    assert turn.moves.places["Wolfpack"] == orla.at
    assert list(invariants.a_refused_army_stays(turn)) == []


def test_two_mercenaries_that_fight_as_a_pair_did_not_choose_one_square() -> None:
    """3.2.5, R3: their judge sent them there."""
    turn = a_turn()
    pair = otherwise_decided(turn, lambda event: True, to=Square(0, 1), course="fights")
    assert list(invariants.no_two_mercenaries_choose_one_square(pair)) == []


MERCENARIES = invariants.OF_MERCENARIES


def test_every_invariant_is_broken_here() -> None:
    assert [invariant.__name__ for invariant in INVARIANTS] == list(BREAKERS)


@pytest.mark.parametrize("invariant", [one for one in INVARIANTS if one not in MERCENARIES])
def test_an_invariant_notices_what_breaks_it(invariant: invariants.Invariant) -> None:
    turn = a_turn()
    assert list(invariant(turn)) == []
    assert list(invariant(BREAKERS[invariant.__name__](turn)))


@pytest.mark.parametrize("invariant", MERCENARIES)
def test_an_invariant_of_mercenaries_notices_what_breaks_it(invariant: invariants.Invariant) -> None:
    """In some turn: not in each of them is there somebody of the faction who could have gone astray."""
    turns = sixteen_turns()
    assert [what for turn in turns for what in invariant(turn)] == []
    assert any(list(invariant(BREAKERS[invariant.__name__](turn))) for turn in turns)


def test_the_games_that_are_offered_have_cards_to_be_played_with() -> None:
    assert all((settings.BASE_DIR / "fixtures" / "cards" / f"{game}-demo.yaml").is_file() for game in GAMES)
    with pytest.raises(CommandError, match="invalid choice: 'free'"):
        simulate("--tables", "free")
