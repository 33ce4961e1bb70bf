"""2.5.2.2: proxies that are made up: legal, full, with names of their own, and the same for the same seed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules.catalogue import barracks
from wargame.rules.armies.army_names import NUMERALS, PHYREXIAN_NAMES, free_name, name_faults, names_of_color
from wargame.rules.armies.creatures import Creature, name_key
from wargame.rules.armies.muster import Muster, MusterEntry, Surroundings, judge_muster, room_left
from wargame.rules.armies.numbers import RECOMMENDED
from wargame.rules.armies.proxies import ProxyWish, draw_colors, make_up
from wargame.rules.armies.recruiting import Barracks, Recruit
from wargame.rules.core.board import COLORS
from wargame.rules.core.dice import Dice, setup_dice
from wargame.rules.core.names import key
from wargame.rules.core.sides import Rank, Side

SEEDS = st.integers(0, 2**32)
RANKS = st.sampled_from(list(Rank))
COLOR_SETS = st.lists(st.sampled_from(COLORS), min_size=1, max_size=3, unique=True).map(tuple)


def dice(seed: int = 1) -> Dice:
    return setup_dice(seed.to_bytes(32, "big"), "trial")


def made(wish: ProxyWish, seed: int = 1, **taken: tuple[str, ...]) -> Muster:
    given_ = {"names": (), "serving": (), "mustered": (), **taken}
    return make_up(wish, barracks(), dice(seed), **given_)


@settings(max_examples=40)
@given(RANKS, SEEDS)
def test_what_nobody_asked_for_is_legal_full_and_asks_no_judge(rank: Rank, seed: int) -> None:
    """2.1, 2.2, 2.5.2.2."""
    army = made(ProxyWish("proxy 1", rank), seed)

    assert judge_muster(army, Surroundings(names=())) == ()
    assert room_left(army) == (0, 0, 0, 0)
    assert len(army.colors) == (3 if rank.side is Side.COALITION else 0)


@settings(max_examples=40)
@given(COLOR_SETS, st.sampled_from([rank for rank in Rank if rank.side is Side.COALITION]), SEEDS)
def test_colours_that_were_asked_for_bind_the_troops(colors: tuple[str, ...], rank: Rank, seed: int) -> None:
    """2.2.1.1: even a single colour that has few creatures of a size gives a legal army."""
    army = made(ProxyWish("proxy 1", rank, colors=colors), seed)

    assert army.colors == colors
    assert judge_muster(army, Surroundings(names=())) == ()


def test_ninety_armies_have_ninety_names_and_no_legend_serves_twice() -> None:
    """2.1, R10, 2.5.2.1."""
    names: list[str] = []
    legends: list[str] = []
    mustered: list[str] = []
    ranks = [rank for rank in Rank for _ in range(RECOMMENDED[rank.tier - 1])]
    for lot, rank in enumerate(ranks):
        wish = ProxyWish(f"proxy {lot}", rank)
        army = made(wish, names=tuple(names), serving=tuple(legends), mustered=tuple(mustered))
        names.append(army.name)
        legends += [army.legend.name] if army.legend else []
        mustered += army.colors

    assert len({key(name) for name in names}) == 90
    assert len(set(legends)) == len(legends) > 30
    counts = [mustered.count(color) for color in COLORS]
    assert max(counts) - min(counts) <= 1


def test_the_same_seed_draws_the_same_army_and_another_draw_another() -> None:
    """R38."""
    wish = ProxyWish("proxy 1", Rank.CAPTAIN)
    again = ProxyWish("proxy 1", Rank.CAPTAIN, number=2)

    assert made(wish) == made(wish)
    assert len({made(wish, seed).entries for seed in range(20)}) > 15
    assert made(again) != made(wish)


def test_an_army_does_not_depend_on_how_many_were_drawn_before_it() -> None:
    """R38."""
    one = dice()
    given_ = {"names": (), "serving": (), "mustered": ()}
    for lot in range(5):
        make_up(ProxyWish(f"proxy {lot}", Rank.CPL), barracks(), one, **given_)
    late = make_up(ProxyWish("proxy 9", Rank.CPL), barracks(), one, **given_)

    assert late == made(ProxyWish("proxy 9", Rank.CPL))
    assert {roll.name.partition(":")[0] for roll in one.rolls} == {f"proxy {lot}" for lot in (0, 1, 2, 3, 4, 9)}


def test_what_was_asked_for_is_never_changed() -> None:
    """2.5.2.2."""
    troops = (MusterEntry(1, Creature("Kris Mage", ("red",), "1/1"), 5001),)
    army = made(ProxyWish("proxy 1", Rank.LIEUTENANT, colors=("red",), entries=troops))

    assert army.entries == troops
    assert army.legend is None
    assert army.name


def test_the_coalition_drafts_no_phyrexians() -> None:
    """2.2.1: it might have them, but nobody would believe it."""
    armies = [made(ProxyWish("proxy 1", Rank.CAPTAIN, colors=("black", "colorless")), seed) for seed in range(30)]
    names = {entry.creature.name for army in armies for entry in army.entries}
    leaders = {army.legend.name for army in armies if army.legend}

    phyrexians = {r.creature.name for r in barracks().recruits if "Phyrexian" in r.kinds}
    assert len(phyrexians) > 5
    assert not (names | leaders) & phyrexians


def test_banned_creatures_and_those_that_a_judge_must_be_asked_about_are_left_out() -> None:
    """2.2.1, 2.2.3.1.4."""
    drawn = {recruit.creature.name for group in barracks().troops.values() for recruit in group}

    assert not drawn & {"Greater Morphling", "Summoner's Egg", "Duplicant", "Clone", "Lhurgoyf", "Werebear"}
    assert not {recruit.creature.name for recruit in barracks().legends} & drawn


def test_a_size_that_nothing_has_is_filled_by_a_smaller_one() -> None:
    """2.1: a 2/3 creature can be placed in a 3/3 slot."""
    few = Barracks.of([Recruit(Creature("Kris Mage", ("red",), "1/1")), Recruit(Creature("Orgg", ("red",), "6/6"))])
    army = make_up(ProxyWish("proxy 1", Rank.CAPTAIN, colors=("red",)), few, dice(), names=(), serving=(), mustered=())

    assert [(entry.slot, entry.creature.name) for entry in army.entries] == [
        (1, "Kris Mage"), (2, "Kris Mage"), (3, "Orgg"), (4, "Orgg"),
    ]  # fmt: skip


def test_an_empty_catalogue_leaves_the_slots_empty() -> None:
    army = make_up(ProxyWish("proxy 1", Rank.CAPTAIN), Barracks.of([]), dice(), names=(), serving=(), mustered=())

    assert army.entries == ()
    assert army.name


@pytest.mark.parametrize("names", [PHYREXIAN_NAMES, *(names_of_color(color) for color in COLORS)])
def test_every_name_can_be_ordered_about(names: tuple[str, ...]) -> None:
    """3.2.2.5: with every numeral too."""
    assert [name for name in names if name_faults(name + NUMERALS[-2], ())] == []
    assert len({key(name) for name in names}) == len(names)


def test_a_name_that_is_taken_in_another_case_is_not_made_up() -> None:
    """R10."""
    first = free_name(("Iron Column", "Tin Column"), ("IRON column",), dice(), "proxy 1")

    assert first == "Tin Column"


def test_when_all_names_are_taken_a_numeral_is_put_behind() -> None:
    names = ("Iron Column", "Tin Column")
    found = free_name(names, names, dice(), "proxy 1")

    assert found in ("Iron Column II", "Tin Column II")


def test_legends_of_the_list_are_known_by_their_type() -> None:
    assert name_key("Nicol Bolas") in {name_key(recruit.creature.name) for recruit in barracks().legends}


def test_made_up_colours_begin_with_those_that_the_asked_for_troops_need() -> None:
    """2.2.1, 2.5.2.2."""
    bear = Creature("Grizzly Bears", colors=("green",), size="2/2")
    angel = Creature("Lightning Angel", colors=("blue", "red", "white"), size="3/4")
    wish = ProxyWish("proxy 1", Rank.LT_COMMANDER, entries=(MusterEntry(1, bear, 5000), MusterEntry(3, angel, 1500)))
    colors = draw_colors(wish, ["green"] * 9 + ["multicolor"] * 9, dice())
    assert {"green", "multicolor"} <= set(colors)
    assert len(colors) == 3
