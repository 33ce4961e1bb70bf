"""2.1: the list of armies and the page of one; the front door and the log-in page."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.services.world_of_tests import World
from wargame.models import Army, Round, Troop

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    return Client()


def page(client: Client, name: str, *arguments: Any, status: int = 200, **query: str) -> str:
    answer = client.get(reverse(name, args=arguments), query)
    assert answer.status_code == status
    return answer.content.decode()


def listed(html: str) -> list[str]:
    return re.findall(r'<th scope="row"><a class="army-link"[^>]*>.*?<span>(.*?)</span></a>', html)


def die(world: World, name: str) -> None:
    Army.objects.filter(pk=world.army(name).pk).update(at="", died_in=1)


def test_all_armies_are_listed_by_name(world: World, client: Client) -> None:
    assert listed(page(client, "armies", "trial")) == ["Ana", "Ben", "Gaz", "Hex"]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"side": "phyrexia"}, ["Gaz", "Hex"]),
        ({"rank": "lieutenant"}, ["Ben"]),
        ({"q": "EN"}, ["Ben"]),
        ({"sort": "square"}, ["Ana", "Ben", "Gaz", "Hex"]),
        ({"sort": "rank"}, ["Ana", "Gaz", "Ben", "Hex"]),
        ({"state": "fighting"}, []),
        ({"side": "nonsense", "sort": "nonsense"}, ["Ana", "Ben", "Gaz", "Hex"]),
    ],
)
def test_the_list_is_narrowed_and_ordered(
    world: World, client: Client, query: dict[str, str], names: list[str]
) -> None:
    assert listed(page(client, "armies", "trial", **query)) == names


def test_an_empty_choice_says_so(world: World, client: Client) -> None:
    assert "No armies match." in page(client, "armies", "trial", q="zzz")


def test_an_armys_page_shows_square_rank_controller_troops_and_days(world: World, client: Client) -> None:
    Army.objects.filter(name="Ana").update(legend="Kamahl", days=2)
    html = page(client, "army", "trial", "Ana")
    for shown in ("3D, plains", "Captain", "Kamahl", "Ana 4/4", "1,000 of 1,000", "Days counted on its square"):
        assert shown in html


def test_an_armys_page_tells_what_happened_to_it_with_the_rule(war: World, client: Client) -> None:
    html = page(client, "army", "trial", "Ana")
    assert reverse("turn", args=["trial", 1]) in html
    assert re.search(r'<li class="event[^"]*">[^<]*Ana[^<]*<a class="cite"', html)
    assert "attacking Gaz" in html


def test_a_long_move_shows_what_is_still_to_go(world: World, client: Client) -> None:
    """3.2.2.3"""
    world.post("Ben", "10D > 12D > 14D")
    world.settle()
    assert "<code>12D &gt; 14D</code>" in page(client, "army", "trial", "Ben")


def test_an_empty_army_and_a_dead_one_are_shown_as_what_they_are(world: World, client: Client) -> None:
    """4.3.1"""
    Troop.objects.filter(army__name="Ana").update(alive=0)
    assert "No troops are left" in page(client, "army", "trial", "Ana")
    die(world, "Ben")
    assert "died in" in page(client, "army", "trial", "Ben")


def test_a_raider_that_disbanded_is_gone_and_not_dead(world: World, client: Client) -> None:
    """6.3.2."""
    die(world, "Ben")
    Army.objects.filter(name="Ben").update(side="mercenary", faction="raider", rank="")
    assert "gone since turn" in page(client, "armies", "trial")
    assert "Ben left the map in" in page(client, "army", "trial", "Ben")


def test_an_unknown_army_is_not_found_and_the_likeliest_names_are_offered(world: World, client: Client) -> None:
    """R10"""
    html = page(client, "army", "trial", "Anna", status=404)
    assert reverse("army", args=["trial", "Ana"]) in html


def test_a_name_in_other_letters_leads_to_the_army(world: World, client: Client) -> None:
    answer = client.get(reverse("army", args=["trial", "aNA"]))
    assert (answer.status_code, answer["Location"]) == (302, reverse("army", args=["trial", "Ana"]))


@pytest.mark.parametrize("before", ["", "x", "²", "0", "99999999999999999999"])
def test_a_strange_place_in_the_history_is_no_error(war: World, client: Client, before: str) -> None:
    page(client, "army", "trial", "Ana", before=before)


def test_only_a_demo_round_names_its_log_ins(world: World, client: Client) -> None:
    assert "trial-Ana" not in page(client, "login")
    Round.objects.update(is_demo=True)
    html = page(client, "login")
    assert "trial-Ana" in html
    assert "wargame-demo" in html


def test_the_head_of_the_page_shows_to_each_what_is_his(world: World, client: Client) -> None:
    mine, desk = reverse("mine", args=["trial"]), reverse("judge:index")
    assert mine not in page(client, "armies", "trial")
    client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    assert mine in page(client, "armies", "trial")
    client.force_login(world.judges["battle"].user, backend="django.contrib.auth.backends.ModelBackend")
    html = page(client, "armies", "trial")
    assert desk in html
    assert mine not in html


def test_an_address_that_leads_nowhere_gets_a_page_of_its_own(world: World, client: Client) -> None:
    answer = client.get("/no/such/place/")
    assert answer.status_code == 404
    assert "There's nothing here" in answer.content.decode()


def test_too_many_wrong_log_ins_are_told_to_wait(world: World, client: Client) -> None:
    wrong = {"username": "trial-Ana", "password": "wrong"}
    answers = [client.post(reverse("login"), wrong) for _ in range(10)]
    assert "That name and password" in answers[0].content.decode()
    assert answers[-1].status_code == 429
    assert "Wait ten minutes" in answers[-1].content.decode()


def test_logging_in_leads_back_to_where_one_came_from(world: World, client: Client) -> None:
    user = world.players["Ana"].user
    user.set_password("a-word-for-tests")
    user.save()
    page_before = reverse("army", args=["trial", "Ana"])
    assert f"?next={page_before}" in page(client, "army", "trial", "Ana")
    typed = {"username": user.get_username(), "password": "a-word-for-tests", "next": page_before}
    assert client.post(reverse("login"), typed)["Location"] == page_before
    assert "yours" in page(client, "army", "trial", "Ana")
    assert client.post(reverse("logout")).status_code == 302
    assert "yours" not in page(client, "army", "trial", "Ana")
