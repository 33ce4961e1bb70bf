"""Pieces of Seize beside its table: reach for the page, drafts, matches, decks of the made-up list."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from tables.core import engine
from tables.core.grid import Ground, Quarter, between
from tables.core.lists.cardlist import CardList, read_list
from tables.core.lists.decks import Deck, breaches, read_deck
from tables.core.lists.formats import FORMATS
from tables.core.matches import Match, played
from tables.core.proof.draws import Draws
from tables.core.reasons import Refused
from tables.core.setup import Dealt, deal
from tables.core.state import Options, Result
from tables.games.seize import choosing, drafting, flow, reach, statuses
from tables.games.seize.rules import SEIZE
from tables.positions import lay_out
from tables.reading import read_file

CARDS = Path(__file__).parents[2] / "fixtures" / "cards"
DRAWS = Draws(b"a draft".ljust(32, b"."), "draft")
TODAY = date(2026, 1, 1)


def demo() -> CardList:
    found = read_list(read_file(CARDS / "seize-demo.yaml")[0])
    assert isinstance(found, CardList), [str(fault) for fault in found]
    return found


def deck(name: str) -> Deck:
    found = read_deck((CARDS / name).read_text(encoding="utf-8"), demo().cards)
    assert isinstance(found, Deck), found
    return found


ARCHER = {
    "name": "Archer", "type": "mercenary", "class": "Ranger", "health": 6, "melee": {"n": 1, "dir": ["F"]},
    "ranged": {"n": 2, "kind": "crossbow", "dir": ["F", "FR"], "distance": 1}, "bounty": 1,
    "move": {"n": 2, "dir": ["F", "L"]},
}  # fmt: skip


def board(mine, theirs, tiles=None):
    """A's archers and B's, by tile, in the first Movement Phase of A."""
    position = {
        "turn": {"number": 5, "of": "A", "at": "move1"},
        "A": {"vault": 30, "battlefield": [{"id": n, "card": "Archer", **one} for n, one in enumerate(mine, 1)]},
        "B": {"vault": 30, "battlefield": [{"id": n, "card": "Archer", **one} for n, one in enumerate(theirs, 9)]},
        "tiles": tiles or {},
    }
    state, ids = lay_out({"case": "x", "cards": [ARCHER], "position": position}, SEIZE)
    return state, {number: state.things[key] for number, key in ids.items()}


# ------------------------------------------------------------------------------------------------ the page


def test_the_tiles_that_can_be_moved_to_come_with_a_shortest_path():
    state, things = board([{"at": "c2"}], [{"at": "c4"}])

    ways = reach.ways(state, things[1])

    assert ways["b3"] in (("c2", "c3", "b3"), ("c2", "b2", "b3"))
    assert set(ways) == {"b2", "a2", "c3", "b3"}


def test_frost_shortens_the_reach_and_exhaustion_ends_it():
    state, things = board([{"at": "c2", "frost": 1}, {"at": "a2", "exhaust": 1}], [])

    assert set(reach.ways(state, things[1])) == {"b2", "c3"}
    assert reach.ways(state, things[2]) == {}
    assert reach.tile_refused(state, things[2], "a3").reason.cites[0] == "13.7.1"


@pytest.mark.parametrize(
    ("tile", "cited"), [("b3", "S24"), ("d2", "6.J"), ("c4", "S24"), ("h1", "2"), ("c2", "7.2"), ("c6", "6.J")]
)
def test_a_tile_that_cannot_be_moved_to_says_why(tile, cited):
    state, things = board([{"at": "c2"}], [{"at": "c4"}], {"b3": "pillar"})

    assert cited in reach.tile_refused(state, things[1], tile).reason.cites


def test_targets_in_reach_come_with_the_attack_that_reaches_them():
    state, things = board([{"at": "b2"}], [{"at": "b3"}, {"at": "d4"}, {"at": "b4"}])

    found = {(target.at, stat) for target, stat in reach.targets(state, things[1])}

    assert found == {("b3", "melee"), ("d4", "ranged")}
    assert reach.sight_blocked(state, "b2", "b4") == "b3"
    assert reach.target_refused(state, things[1], things[11], "ranged").reason.cites[0] == "13.1"


def test_a_chosen_mercenary_says_where_it_moves_whom_it_hits_what_is_in_the_way_and_why_not_elsewhere():
    state, things = board([{"at": "b2"}], [{"at": "b3"}, {"at": "d4"}, {"at": "b4"}], {"a2": "pillar"})

    found = choosing.chosen(state, things[1].number)

    assert found["at"] == "b2"
    assert found["ways"] == {}
    assert found["refused"]["b3"] == {"told": "b3 is occupied", "cites": "S24, 11.5"}
    assert "5.3" in found["refused"]["a2"]["cites"]
    assert [(one["at"], one["stat"]) for one in found["targets"]] == [("b3", "melee"), ("d4", "ranged")]
    assert [(one["at"], one["blocks"], one["cites"]) for one in found["barred"]] == [("b4", "b3", "13.1, S19")]
    assert found["covers"] == {"melee": ["b3"], "ranged": ["d4"]}
    assert found["now"]["move"] is None
    assert found["now"]["attack"]["cites"] == "11.6"


def test_every_open_tile_is_either_moved_to_or_says_why_not():
    state, things = board([{"at": "c2"}], [{"at": "c4"}], {"b3": "pillar"})

    found = choosing.chosen(state, things[1].number)

    assert {"c2", *found["ways"], *found["refused"]} == set(reach.board(state).tiles)
    assert choosing.chosen(state, 999) is None


def test_what_lies_between_is_on_one_line_or_there_is_nothing():
    assert between("a1", "d4") == ("b2", "c3")
    assert between("d4", "d1") == ("d3", "d2")
    assert between("a1", "b3") == ()


def test_the_ground_of_three_has_a_closed_quarter():
    ground = SEIZE.ground(("A", "B", "C"), Options("guild master"))

    assert ground.hall("A") == ("a1", "b1", "c1", "d1")
    assert ground.hall("C") == ("e6", "f6", "g6", "h6")
    assert not ground.owner("e1")
    assert len(ground.tiles) == 36


def test_directions_there_and_back_agree():
    ground = Ground(4, (Quarter("A", 0, True), Quarter("B", 0, False)))
    for seat in "AB":
        for name in ("F", "FL", "FR", "L", "R", "B", "BL", "BR"):
            assert ground.direction(seat, "b3", ground.go(seat, "b3", name)) == name


@pytest.mark.parametrize(
    ("kind", "have", "more", "total"),
    [("bleed", 3, 4, 5), ("bleed", 5, 4, 5), ("bleed", 5, 5, 10), ("bleed", 0, 13, 10), ("poison", 2, 3, 3),
     ("poison", 3, 3, 6), ("blind", 1, 1, 1), ("fortify", 3, 3, 4), ("frost", 2, 2, 4)],
)  # fmt: skip
def test_statuses_stack_by_their_numbers(kind, have, more, total):
    """13.7.2, 13.7.4, S33, S35, S67: up to 5 (or 3), then in multiples, rounded down."""
    assert statuses.stacked(kind, have, more) == total


# ------------------------------------------------------------------------------------------------ drafts


def draft_of(seats=("A", "B", "C")):
    found = demo()
    return drafting.begin(found.cards, found.booster, seats, DRAWS)


def test_boosters_hold_what_the_list_says_and_are_the_same_for_the_same_draws():
    """S50: the card list says how large a booster is; the pool is drawn by committed dice."""
    found = demo()
    pack = draft_of().before[0]
    stars = [max(1, found.cards[name].stars) for name in pack]

    assert len(set(pack)) == len(pack) == 14
    assert [stars.count(number) for number in (1, 2, 3, 4)] == [7, 4, 2, 1]
    assert draft_of() == draft_of()
    assert len({cards for packs in (draft_of().before, *draft_of().unopened) for cards in packs}) == 12


def test_picks_are_sealed_until_all_have_picked_and_then_the_packs_go_on():
    start = draft_of()
    first = drafting.pick(start, "A", start.before[0][0])

    assert first.before == start.before
    assert drafting.seen(first, "B") == replace(drafting.seen(start, "B"), waits_for=("B", "C"))
    changed = drafting.pick(first, "A", start.before[0][1])
    done = drafting.pick(drafting.pick(changed, "B", start.before[1][0]), "C", start.before[2][0])
    assert done.picked == ((start.before[0][1],), (start.before[1][0],), (start.before[2][0],))
    assert set(done.before[0]) == set(start.before[2][1:]) or set(done.before[0]) == set(start.before[1][1:])
    with pytest.raises(Refused, match="not in this booster"):
        drafting.pick(done, "A", start.before[0][1])


def test_a_draft_ends_with_four_boosters_picked_by_each_and_a_deck_is_made_of_its_pool():
    draft = draft_of(("A", "B"))
    ways = []
    while not draft.over:
        ways.append(len(draft.before[0]))
        for seat in draft.waits_for:
            draft = drafting.pick(draft, seat, drafting.default(draft, seat, DRAWS))

    assert [len(cards) for cards in draft.picked] == [56, 56]
    pool = draft.picked[0]
    main = dict.fromkeys(dict.fromkeys(pool), 1)
    made = Deck(dict(list(main.items())[:30]))
    assert drafting.pool_breaches(made, pool) == ()
    assert breaches(made, FORMATS["seize", "draft"], TODAY, demo().cards) == ()
    assert [breach.rule for breach in drafting.pool_breaches(Deck({"No such card": 1}), pool)] == ["5.2"]


def test_packs_go_the_other_way_in_every_second_booster():
    draft, seen = draft_of(), []
    for _ in range(2):
        before = draft.before
        for seat in draft.waits_for:
            draft = drafting.pick(draft, seat, draft.before[draft.seats.index(seat)][0])
        seen.append(next(at for at in range(3) if set(draft.before[0]) < set(before[at])))
        while len(draft.before[0]) < 14 and draft.unopened:
            for seat in draft.waits_for:
                draft = drafting.pick(draft, seat, draft.before[draft.seats.index(seat)][0])
    assert sorted(seen) == [1, 2]


# ------------------------------------------------------------------------------------------------ matches, decks


def test_a_match_of_best_of_three_is_won_by_two_games_and_a_draw_is_played_again():
    """5.3: an Arena is best of three."""
    match = Match(flow.FORMATS["arena"].best_of)
    for won in ("A", "", "B"):
        match = played(match, Result(won, "5", draw=not won))
        assert not match.over
    match = played(match, Result("B", "5"))

    assert match.winner == "B"
    with pytest.raises(ValueError, match="over"):
        played(match, Result("A", "5"))


DECKS = {
    "seize-warriors.txt": "standard", "seize-rogues.txt": "standard", "seize-mages.txt": "standard",
    "seize-rangers.txt": "standard", "seize-arena-warriors.txt": "arena", "seize-arena-mages.txt": "arena",
    "seize-guild-rogues.txt": "guild master", "seize-guild-rangers.txt": "guild master",
    "seize-guild-mages.txt": "guild master",
}  # fmt: skip


@pytest.mark.parametrize(("name", "format"), DECKS.items())
def test_the_made_up_decks_break_no_rule(name, format):
    assert breaches(deck(name), FORMATS["seize", format], TODAY, demo().cards) == ()


def test_the_made_up_list_has_four_classes_and_every_status_and_kind():
    cards = demo().cards
    text = (CARDS / "seize-demo.yaml").read_text(encoding="utf-8")

    assert len(cards) >= 100
    assert {card.class_ for card in cards.values() if card.type == "mercenary"} == {
        "Warrior", "Rogue", "Mage", "Ranger",
    }  # fmt: skip
    assert {card.kind for card in cards.values() if card.type == "ability"} == {"instant", "attack", "event"}
    assert {card.kind for card in cards.values() if card.type == "treasure"} >= {"", "gem", "blade"}
    assert not [kind for kind in ("physical", "magic", "'true'", "pure", "lethal") if f"type: {kind}" not in text]
    given = [*statuses.PHYSICAL, *statuses.MAGICAL, "regen", "fortify", "leech"]
    assert not [kind for kind in given if f"give: {kind}" not in text and f"{kind}: " not in text]
    assert all(card.text for card in cards.values() if card.abilities or card.keywords)


@pytest.mark.parametrize(
    ("format", "decks", "asked"),
    [
        ("standard", {"A": "seize-warriors.txt", "B": "seize-mages.txt"}, "starter"),
        ("arena", {"A": "seize-arena-warriors.txt", "B": "seize-arena-mages.txt"}, "pillar"),
        ("guild master", dict(zip("ABC", list(DECKS)[6:], strict=True)), "starter"),
    ],
)
def test_a_table_is_played_from_its_decks_on(format, decks, asked):
    cards = demo().cards
    seats = [Dealt(seat, deck(name)) for seat, name in decks.items()]
    state = deal(SEIZE, cards, Options(format), DRAWS, seats).state

    started = engine.started(SEIZE, state).state

    assert engine.waits_for(started)[1] == asked
    assert all(len(started.zone(f"{seat}.quarters")) == (format != "standard") for seat in decks)
    vaults = {dict(seat.numbers).get("vault") for seat in started.seats}
    assert vaults == {{"standard": 30, "arena": None, "guild master": 40}[format]}
