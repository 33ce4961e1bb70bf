"""1.2: the map page, its refreshing, its old maps, and the panel of a square."""

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from judging.battles.models import Battle as Battles
from judging.svg.map import draw
from judging.svg.terrain import CELL, land, squares
from tests.services.world_of_tests import HOUR, UNLOCK, World, begin, make_round
from wargame import models
from wargame.rules.core.board import PLAINS, Base, Board, read_square
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop

pytestmark = pytest.mark.django_db

PAGE_BUDGET = 60_000


@pytest.fixture
def client() -> Client:
    return Client()


def page(client: Client, name: str, *arguments: Any, **query: str) -> str:
    answer = client.get(reverse(name, args=arguments), query)
    assert answer.status_code == 200
    return answer.content.decode()


def army(name: str, at: str, side: Side = Side.COALITION, alive: int = 5000) -> Army:
    rank = Rank.CAPTAIN if side is Side.COALITION else Rank.EVINCAR
    return Army(name, side, read_square(at), rank=rank, troops=(Troop(1, "Bear", alive, 5000),))


def drawn(*armies: Army, battles: tuple[Battle, ...] = (), bases: tuple[Base, ...] = ()) -> dict[str, Any]:
    return draw(Position(Board(PLAINS, bases), tuple(sorted(armies, key=lambda a: a.name)), battles))


def test_every_living_army_is_a_link_to_its_page_that_names_rank_side_square_and_troops(
    world: World, client: Client
) -> None:
    html = page(client, "map", "trial")
    army_link = r'<a class="army" id="([\w-]+)" href="([^"]+)" data-at="(\w+)" data-groups="[^"]+"><title>(.*?)</title>'
    links = re.findall(army_link.replace(" ", r"\s+"), html, re.S)
    assert sorted(at for _, _, at, _ in links) == ["10D", "20F", "3D", "3F"]
    ana = next(title for id_, _, _, title in links if id_ == "army-ana")
    assert ana.splitlines() == [
        "Ana", "Captain, Coalition", "3D, plains", "10,000 of 10,000 troops: 5000 + 2500 + 1500 + 1000",
    ]  # fmt: skip
    assert reverse("army", args=["trial", "Ana"]) in [href for _, href, _, _ in links]


def test_side_is_shown_by_shape_and_rank_by_mark() -> None:
    crests = {a["name"]: a["crest"] for a in drawn(army("Ana", "3D"), army("Gaz", "5D", Side.PHYREXIA))["armies"]}
    assert crests == {"Ana": "c3", "Gaz": "p3"}


def test_armies_of_one_square_are_half_size_and_side_by_side() -> None:
    """1.2"""
    battle = Battle(read_square("3D"), (("Gaz",), ("Ana",)), defends=1)
    shown = drawn(army("Ana", "3D"), army("Gaz", "3D", Side.PHYREXIA), army("Ben", "9D"), battles=(battle,))
    found = {a["name"]: a for a in shown["armies"]}
    assert found["Ana"]["scale"] == found["Gaz"]["scale"] == ".5"
    assert float(found["Gaz"]["x"]) + CELL / 2 == float(found["Ana"]["x"])
    assert found["Ben"]["scale"] == ".75"
    assert found["Gaz"]["battle"] == "attacking Ana"
    assert found["Ana"]["battle"] == "defending against Gaz"
    assert len(shown["fights"]) == 1


def test_a_pair_in_battle_stands_in_one_column() -> None:
    """4.4, 1.2"""
    battle = Battle(read_square("3D"), (("Ana", "Ben"), ("Gaz",)))
    shown = drawn(army("Ana", "3D"), army("Ben", "3D"), army("Gaz", "3D", Side.PHYREXIA), battles=(battle,))
    place = {a["name"]: (float(a["x"]) - 2 * CELL, float(a["y"]) - 3 * CELL) for a in shown["armies"]}
    assert place == {"Ana": (0, 0), "Ben": (0, 16), "Gaz": (16, 8)}
    assert {a["name"]: a["battle"] for a in shown["armies"]}["Ana"] == "fighting Gaz"


def test_bases_have_their_colours_and_fallen_ones_are_ghosts() -> None:
    """1.2"""
    bases = (
        Base("Red Base", read_square("12D"), Side.COALITION, "red", win=True),
        Base("Cinder Gate", read_square("24E"), Side.PHYREXIA, destroyed=True),
    )
    red, portal = drawn(bases=bases)["bases"]
    assert (red["color"], red["win"], red["what"]) == ("red", True, "Red base of the Coalition, win condition")
    assert (portal["color"], portal["destroyed"]) == ("phyrexia", True)


def test_an_empty_army_is_drawn_without_a_line_of_strength() -> None:
    """4.3.1"""
    shown = drawn(army("Ana", "3D", alive=0))
    assert shown["armies"][0]["empty"]
    assert shown["strengths"]["sides"] == {}


def test_outlines_hold_every_square_of_their_terrain_and_no_other() -> None:
    """1.2"""
    terrain = ("oop" + "f" * 35, "opp" + "f" * 35, *("oiim" + "s" * 34 for _ in range(12)))
    areas = {name: _area(path) for name, path in squares(terrain).items()}
    letters = "".join(terrain)
    assert areas == {
        "ocean": letters.count("o"), "islands": letters.count("i"), "plains": letters.count("p"),
        "mountain": letters.count("m"), "forest": letters.count("f"), "swamp": letters.count("s"),
    }  # fmt: skip


def test_the_land_is_always_drawn_alike() -> None:
    terrain = ("op" * 19,) * 14
    assert land(terrain) == land.__wrapped__(terrain)


def test_a_map_that_is_up_to_date_is_not_sent_again(world: World, client: Client) -> None:
    version = _version(page(client, "map", "trial"))
    answer = client.get(reverse("map-fragment", args=["trial"]), {"v": version})
    assert (answer.status_code, answer.content) == (204, b"")


def test_after_the_unlock_the_fragment_brings_the_new_map_and_its_version(world: World, client: Client) -> None:
    old = _version(page(client, "map", "trial"))
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    html = page(client, "map-fragment", "trial", v=old)
    new = _version(html)
    assert new != old
    assert f"?v={new}" in html
    assert html.count('hx-swap-oob="true"') == 5
    assert "Ana against Gaz" in html
    assert "Turn 2, " in html
    assert f'rel="prev" href="{reverse("map-turn", args=["trial", 1])}"' in html


def test_a_moved_deadline_changes_the_version(world: World, client: Client) -> None:
    """R5"""
    old = _version(page(client, "map", "trial"))
    turn = world.turn
    turn.lock_at = turn.lock_at.replace(hour=9)
    turn.save(update_fields=["lock_at"])
    assert _version(page(client, "map", "trial")) != old


def test_the_fragment_of_an_unchanged_map_asks_the_database_twice(
    world: World, client: Client, django_assert_max_num_queries: Callable[[int], Any]
) -> None:
    version = _version(page(client, "map", "trial"))
    with django_assert_max_num_queries(2):
        client.get(reverse("map-fragment", args=["trial"]), {"v": version})


def test_old_maps_stay_and_lead_to_each_other(war: World, client: Client) -> None:
    html = page(client, "map-turn", "trial", 1)
    assert "The map of turn 1" in html
    assert 'data-at="3D" data-groups="coalition tier3 red"><title>Ana' in html
    assert reverse("map-turn", args=["trial", 2]) in html
    assert "hx-trigger" not in html
    assert 'class="arrow arrow--coalition arrow--moved"' in html
    assert client.get(reverse("map-turn", args=["trial", 99])).status_code == 404


def test_the_last_map_of_a_won_round_is_the_one_that_the_last_turn_left(world: World, client: Client) -> None:
    """R34"""
    models.Army.objects.filter(name="Gaz").update(at="30A")
    models.Turn.objects.update(state="settled", events=[])
    html = page(client, "map", "trial")
    assert "The last turn is settled" in html
    assert 'data-at="30A"' in html
    assert "30A" in page(client, "army", "trial", "Gaz")
    assert 'data-at="30A"' not in page(client, "map-turn", "trial", 1)
    assert "Gaz" in page(client, "map-square", "trial", 1, "30A", now="1")


def test_both_deadlines_are_counted_down(war: World, client: Client) -> None:
    html = page(client, "map", "trial")
    assert html.count("data-countdown") == 2
    assert "Sun 15 Mar 2026, 05:00 UTC" in html
    assert "Mon 16 Mar 2026, 05:00 UTC" in html


def test_no_strats_are_due_in_a_turn_without_battles(world: World, client: Client) -> None:
    """4.1.1"""
    html = page(client, "map", "trial")
    assert html.count("data-countdown") == 1
    assert "Strats are due" not in html


def test_each_battle_of_the_turn_leads_to_its_page(war: World, client: Client) -> None:
    address = reverse("battle", args=["trial", Battles.objects.get().pk])
    for html in (page(client, "map", "trial"), page(client, "map-turn", "trial", 2)):
        assert f'<a href="{address}">Ana against Gaz</a>' in html


def test_the_terrain_can_be_seen_without_armies_and_without_scripts(world: World, client: Client) -> None:
    """1.2"""
    assert "map-frame--terrain" in page(client, "map", "trial", show="terrain")
    assert "map-frame--terrain" not in page(client, "map", "trial")


def test_a_player_finds_his_own_armies_marked(world: World, client: Client) -> None:
    client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    marked = re.search(r'<script id="map-mine" type="application/json">(.*?)</script>', page(client, "map", "trial"))
    assert marked
    assert json.loads(marked[1]) == ["Ana"]


def test_the_panel_of_a_square_tells_what_is_there(world: World, client: Client) -> None:
    html = page(client, "map-square", "trial", 1, "3d")
    assert "3D, plains" in html
    assert reverse("army", args=["trial", "Ana"]) in html
    assert "No army is here" in page(client, "map-square", "trial", 1, "D4")


@pytest.mark.parametrize("square", ["40D", "3Z", "here", "²D"])
def test_a_square_off_the_map_is_not_found(world: World, client: Client, square: str) -> None:
    answer = client.get(reverse("map-square", args=["trial", 1, square]))
    assert answer.status_code == 404


def test_a_name_with_markup_stays_a_name(db: None, client: Client) -> None:
    name = '<b x="1">Ana</b>/\''
    begin(make_round({name: ("coalition", "3D", "captain")}))
    for html in (page(client, "map", "trial"), page(client, "army", "trial", name), page(client, "armies", "trial")):
        assert "&lt;b x=&quot;1&quot;&gt;Ana" in html
        assert "<b x" not in html


def test_nothing_on_the_page_needs_more_than_the_strict_policy_allows(world: World, client: Client) -> None:
    answer = client.get(reverse("map", args=["trial"]))
    html = answer.content.decode()
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert " style=" not in html
    assert not re.search(r"\son\w+=", html)
    assert not re.search(r"<style|<script(?![^>]*(?:src=|application/json))", html)


def test_a_round_that_has_not_begun_says_so(client: Client) -> None:
    models.Round.objects.create(name="Next", slug="next", terrain="\n".join(PLAINS), created_at="2026-03-01T00:00Z")
    assert "This round hasn't begun" in page(client, "map", "next")
    assert client.get(reverse("map", args=["nowhere"])).status_code == 404


def test_the_page_with_all_it_needs_is_light(world: World, client: Client) -> None:
    html = page(client, "map", "trial")
    files = re.findall(r'(?:href|src)="/static/([^"]+)"', html)
    sizes = [len(gzip.compress(Path(str(finders.find(name))).read_bytes())) for name in files]
    assert sum(sizes) + len(gzip.compress(html.encode())) < PAGE_BUDGET


def _version(html: str) -> str:
    found = re.search(r'data-version="(\w+)"', html)
    assert found
    return found[1]


def _area(path: str) -> int:
    """The squares inside outlines of `M`, `h` and `v`; holes count against them."""
    total = 0
    for outline in path.split("z")[:-1]:
        start, *runs = re.findall(r"M\d+ \d+|[hv]-?\d+", outline)
        x, y = map(int, start[1:].split())
        for run in runs:
            if run[0] == "h":
                x += int(run[1:])
                total -= int(run[1:]) * y
            else:
                y += int(run[1:])
    return total // CELL**2


def test_the_map_of_a_turn_that_is_played_loads_only_what_it_shows(client: Client) -> None:
    """A visitor's first view: no styles of other pages, no script for orders that he can't give; a player's has what
    his orders need besides."""
    world = make_round({"Ana": ("coalition", "3D", "captain")})
    with time_machine.travel(UNLOCK + HOUR, tick=False):
        begin(world)
        page = client.get(f"/rounds/{world.round.slug}/").content.decode()
        client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
        hers = client.get(f"/rounds/{world.round.slug}/").content.decode()
    for name in ("orders.css", "map_hand.css", "map_orders.js", "post.js", "keep.js"):
        assert (f"judging/{name}" in page, f"judging/{name}" in hers) == (False, True), name
    for name in ("pages.css", "threads.css"):
        assert f"judging/{name}" not in page + hers, name
