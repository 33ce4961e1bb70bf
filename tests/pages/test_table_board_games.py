"""12: how the other games are drawn: Seize's battlefield, Altered's adventure, the free table's offers."""

from typing import Any

import pytest
from django.template.loader import render_to_string

from judging.tables.board import altered, battlefield
from judging.tables.board.board import board_of
from judging.tables.board.shapes import Board
from tables.core.lines.actions import PASS
from tables.core.lists.cardlist import read_cards
from tables.core.lists.cards import Card
from tests.pages.buttons import action_of

SEIZE = [
    {"name": "Oath Lancer", "type": "mercenary", "class": "Warrior", "stars": 1, "health": 7,
     "melee": {"n": 3, "dir": ["F", "FL"]}, "bounty": 1, "move": {"n": 2, "dir": "all"}},
    {"name": "Iron Sword", "type": "treasure", "stars": 1},
]  # fmt: skip
ALTERED = [
    {"name": "Pack Mule", "type": "character", "cost": {"hand": 2, "reserve": 1}, "stats": [1, 2, 0]},
    {"name": "Singing Wood", "type": "tumult", "halves": [[1], [1, 2]]},
]


def cards(written: list[Any], game: str) -> dict[str, Card]:
    found = read_cards(written, game)  # type: ignore[arg-type]
    assert not isinstance(found, tuple), found
    return dict(found)


def viewed(game: str, viewer: str, zones: dict[str, Any], kinds: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """What `views.view` gives, with every zone that isn't named empty."""
    empty: dict[str, Any] = {f"{seat}.{kind}": [] for seat in "AB" for kind in kinds}
    return {
        "game": game, "viewer": viewer, "turn": {"number": 2, "of": "A", "at": "move1"},
        "seats": [{"letter": seat, "name": name, "energy": {}, "out": "", "numbers": {"vault": vault}}
                  for seat, name, vault in (("A", "Ana", 30), ("B", "Bo", 4))],
        "zones": {**empty, **zones}, "pile": [], "fight": None, "waits": {"for": ["A"], "kind": "priority"},
        "proposals": [], "result": None, **more,
    }  # fmt: skip


def lancer(**more: Any) -> dict[str, Any]:
    return {"card": "Oath Lancer", "number": 3, "owner": "A", "controller": "A", "engaged": False, "at": "b2",
            "health": 5, "maximum": 7, "melee": 4, "move": 1, "bleed": 2, "stealth": True, "exhaust": 0,
            "equipped": ["Iron Sword"], **more}  # fmt: skip


SEIZE_ZONES = ("hand", "deck", "warchest", "battlefield", "discard", "events", "quarters", "left")
LINES = ("pass", *(f"move #3: b2-{tile}" for tile in ("a3", "b3", "c3", "a2", "c2", "b1")))


def field(viewer: str = "A", **zones: Any) -> Board:
    hidden = {"number": 9, "owner": "B", "face_down": True, "engaged": True}
    shown = viewed(
        "seize", viewer, {"A.battlefield": [lancer()], "B.warchest": [hidden], **zones}, SEIZE_ZONES,
        tiles={"c4": {"pillar": 1}, "b2": {"fog": 1}},
    )  # fmt: skip
    offers = [action_of(line, "seize") for line in LINES] if viewer == "A" else ()
    return board_of(shown, offers, cards(SEIZE, "seize"))


def page(board: Board) -> str:
    return render_to_string("tables/board/_board.html", {"board": board})


def squares(board: Board) -> dict[str, Any]:
    assert board.grid is not None
    return {square.name: square for _, row in board.grid.ranks for square in row}


def test_the_battlefield_lies_before_each_with_his_own_hall_below():
    mine, theirs = field().grid, field("B").grid
    assert mine is not None
    assert theirs is not None

    assert [rank for rank, _ in mine.ranks] == ["6", "5", "4", "3", "2", "1"]
    assert (mine.columns, theirs.columns) == (("a", "b", "c", "d"), ("d", "c", "b", "a"))
    assert theirs.ranks[-1][0] == "6"


def test_each_square_says_what_it_is():
    found = squares(field())

    assert found["c4"].words == "Bo’s side, pillar"
    assert found["b2"].words == "Ana’s side, fog"
    assert found["a6"].words == "Bo’s Guild Hall"


def test_a_mercenary_is_spoken_whole_health_statuses_equipment_and_facing():
    tile = squares(field())["b2"].tile

    assert tile.spoken == (
        "b2: Oath Lancer, Warrior, health 5/7, melee 4 (printed 3), move 1 (printed 2), bleed 2, stealth, "
        "wears Iron Sword, Ana’s, facing up"
    )
    assert squares(field("B"))["b2"].tile.facing == "down"


def test_a_mercenary_carries_its_moves_and_each_lights_where_it_ends():
    acts = squares(field())["b2"].tile.acts

    assert [act.tiles for act in acts] == [("a3",), ("b3",), ("c3",), ("a2",), ("c2",), ("b1",)]
    assert 'data-squares="a3"' in page(field())


def test_a_face_down_mercenary_has_no_name_for_the_other_and_one_for_its_owner():
    found = page(field())

    assert "a face-down mercenary, exhausted" in found
    own = {"card": "Oath Lancer", "number": 9, "owner": "B", "face_down": True, "engaged": False}
    assert "face down" in page(field("B", **{"B.warchest": [own]}))


def test_a_low_vault_is_marked():
    board = field()

    assert [(count.number, count.low) for count in board.opponents[0].counts if count.code == "vault"] == [(4, True)]


@pytest.mark.parametrize(
    ("letters", "owners"),
    [
        (["A", "B"], {"a1": "A", "d6": "B"}),
        (["A1", "B1", "A2", "B2"], {"a1": "A1", "h1": "A2", "a6": "B1", "h6": "B2"}),
        (["A", "B", "C"], {"a1": "A", "a6": "B", "h6": "C", "h1": ""}),
    ],
)
def test_quarters_lie_side_by_side_for_partners_and_clockwise_for_others(letters, owners):
    quarters = battlefield.quarters_of(letters)

    found = {tile: battlefield.owner_of(ord(tile[0]) - 97, int(tile[1]), quarters) for tile in owners}
    assert found == owners


REACH = {
    "number": 3, "at": "b2", "steps": 1, "ways": {"a3": "b2-a3"},
    "refused": {"b3": {"told": "b3 is occupied", "cites": "S24, 11.5"},
                "d6": {"told": "no path of 1 steps leads to d6", "cites": "6.J"},
                "a6": {"told": "no path of 1 steps leads to a6", "cites": "6.J"}},
    "targets": [{"number": 8, "at": "b3", "stat": "melee"}],
    "barred": [{"number": 9, "at": "b4", "blocks": "b3",
                "told": "the tile in between, b3, is not free", "cites": "13.1"}],
    "covers": {"melee": ["b3"], "ranged": []}, "still": None, "idle": None,
    "plunder": {"told": "it isn't in an opponent's Guild Hall", "cites": "7.3"},
    "now": {"move": None, "attack": {"told": "only in its player’s Attack Phase", "cites": "11.6"}},
}  # fmt: skip


def chosen(mover: int = 3) -> Board:
    """The battlefield as it is drawn for who chose the lancer, before two of Bo's."""
    foes = [lancer(number=8, at="b3", owner="B", controller="B"), lancer(number=9, at="b4", owner="B", controller="B")]
    shown = viewed("seize", "A", {"A.battlefield": [lancer()], "B.battlefield": foes}, SEIZE_ZONES, tiles={})
    reach = {number: {**REACH, "number": number} for number in (3,)}
    lines = ("pass", "move #3: b2-a3", "attack #3 > #8 melee")
    return board_of(
        {**shown, "reach": reach, "mover": mover}, [action_of(line, "seize") for line in lines], cards(SEIZE, "seize")
    )


def test_a_chosen_mercenary_lights_its_moves_its_targets_and_what_blocks_its_view():
    lit = {name: square.lit for name, square in squares(chosen()).items() if square.lit is not None}

    assert {name: one.kinds for name, one in lit.items()} == {
        "b2": ("here",), "a3": ("way",), "b3": ("target", "blocks"), "b4": ("barred",), "d6": ("refused",),
        "a6": ("refused",),
    }  # fmt: skip
    assert (lit["a3"].act.line, lit["b3"].act.line) == ("move #3: b2-a3", "attack #3 > #8 melee")
    assert lit["b3"].words == "in range of its melee attack; it blocks the view of Oath Lancer #9"
    assert lit["b4"].words == "out of reach: the tile in between, b3, is not free"


def test_a_tile_that_is_refused_says_why_with_its_rule_beside_the_battlefield():
    grid = chosen().grid
    assert grid is not None
    assert grid.chosen is not None

    assert [(one.words, one.cites, names) for one, names in grid.chosen.refused] == [
        ("no path of 1 steps leads to the square", "6.J", ("a6", "d6"))
    ]
    assert [(one.title, one.cites) for one in grid.chosen.tile.reaches] == [
        ("Moves", "6.J"), ("Reaches", "6.G, 6.H.1; 11.6"), ("Out of reach", "13.1"),
    ]  # fmt: skip


def test_nothing_is_lit_for_a_number_that_stands_nowhere_but_each_mercenary_carries_what_it_reaches():
    board = chosen(77)
    assert board.grid is not None

    assert board.grid.chosen is None
    assert not [square for square in squares(board).values() if square.lit]
    assert '"a3":[["way"],"It moves here via b2-a3 (6.J, 7.2)"]' in squares(board)["b2"].tile.lights


def test_a_warchest_is_told_in_numbers_and_the_discard_by_its_top():
    chest = [{"card": "Iron Sword", "number": 4, "owner": "A", "engaged": engaged} for engaged in (True, False, False)]
    down = {"number": 9, "owner": "A", "face_down": True, "engaged": False}
    own = field("A", **{"A.warchest": [*chest, down], "A.discard": [{"card": "Iron Sword", "number": 7}]}).own
    assert own is not None

    assert own.rows[0].note == "3 ready · 1 exhausted · 1 face down"
    assert own.piles[0].note == "Iron Sword"


ALTERED_ZONES = ("hand", "deck", "mana", "reserve", "discard", "landmark", "hero", "companion", "herozone")


def road(viewer: str = "A") -> Board:
    mule = {"card": "Pack Mule", "number": 5, "owner": "A", "controller": "A", "engaged": False, "stats": [2, 3, 1],
            "statuses": ["fleeting", "boosted"], "counters": {"boost": 1}}  # fmt: skip
    orb: dict[str, Any] = {"number": 7, "owner": "A", "statuses": ["exhausted"], "counters": {}}
    known = {"card": "Pack Mule"} if viewer == "A" else {}
    where = {"hero": {"region": 1, "sums": [2, 3, 1], "next": [1], "lacks": {"1": 0}},
             "companion": {"region": 8, "sums": [0, 0, 0], "next": [2], "lacks": {"2": 3}}}  # fmt: skip
    wood = {"card": "Singing Wood", "number": 1, "owner": "", "statuses": ["turned"], "counters": {}}
    dark: dict[str, Any] = {"number": 2, "owner": "", "statuses": [], "counters": {}}
    shown = viewed(
        "altered", viewer, {"A.hero": [mule], "A.mana": [{**orb, **known}], "adventure": [wood, dark, dark]},
        ALTERED_ZONES, first="A", passed=["B"], expeditions={"A": where, "B": where}, reactions=[
            {"card": "Pack Mule", "by": "A", "from": "Haven"}],
        limits={"A": {"reserve": 2, "landmark": 2}}, agreed={"2": "suggested", "3": ""},
    )  # fmt: skip
    shown["turn"]["at"] = "afternoon"
    return board_of(shown, (), cards(ALTERED, "altered"))


def test_the_adventure_is_a_line_of_regions_with_everybodys_counters():
    found = road().adventure
    assert found is not None

    assert [region.title for region in found.regions] == [
        "Hero Region", "Singing Wood", "Singing Wood", "Tumult 2", "Tumult 2", "Tumult 3", "Tumult 3",
        "Companion Region",
    ]  # fmt: skip
    assert [word for word, _ in found.regions[1].shows] == ["forest", "mountain"]
    assert [(marker.seat, marker.kind) for marker in found.regions[0].markers] == [("A", "hero"), ("B", "hero")]


def test_an_expedition_tells_its_sums_and_what_it_lacks():
    own = road().own
    assert own is not None

    assert own.rows[0].note == "region 1 · forest 2, mountain 3, water 1 · ahead"
    assert own.rows[1].note == "region 8 · forest 0, mountain 0, water 0 · lacks 3 mountain"
    assert own.rows[4].note == "limit 2"


def test_the_face_of_a_mana_orb_is_drawn_for_its_owner_alone():
    mine, theirs = road().own, road("B").opponents[0]
    assert mine is not None

    assert [row.tiles[0].name for row in (mine.rows[5], theirs.rows[5])] == ["Pack Mule", ""]
    assert "Orb 7, face down, exhausted" in page(road("B"))


def test_reactions_wait_in_place_of_a_pile_and_what_was_agreed_is_told():
    board = road()

    assert (board.pile_title, board.pile[0].what) == ("Waiting reactions", "Ana’s reaction, given by Haven")
    assert board.agreed == (("agreed 2", "suggested"),)
    assert board.headline == "Your turn, day 2"


def test_who_is_first_and_who_has_passed_is_told():
    assert altered.badges({"first": "A", "passed": ["B"]}, "A") == ("First player",)
    assert altered.badges({"first": "A", "passed": ["B"]}, "B") == ("Passed",)


def test_a_free_table_offers_what_is_done_by_hand_to_who_sits_there():
    zones = {"A.table": [{"card": "Queen of Cups", "number": 1, "owner": "A", "controller": "A", "engaged": True,
                          "weary": False, "damage": 0, "counters": {"gold": 3}, "beneath": []}]}  # fmt: skip
    shown = viewed("free", "A", zones, ("hand", "deck", "table", "discard"))
    board = board_of(shown, (PASS,), {})

    assert board.hands is not None
    assert [form.hand for form in board.hands.forms if form.at_once][:3] == ["draw", "move", "turn"]
    assert board.own.rows[0].tiles[0].acts[0].line == "do: #1 disengages"
    assert "Queen of Cups, engaged, 3 gold" in page(board)
    assert board_of({**shown, "viewer": "spectator"}, (), {}).hands is None
    assert board_of(shown, (), {}, is_now=False).hands is None
