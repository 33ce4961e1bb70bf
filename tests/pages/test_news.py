"""1.2: what open pages fetch: news at most a second old, and a new map that is drawn once for all who wait."""

import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from judging.map import views
from judging.polling.views import live_version, map_version
from tests.services.world_of_tests import World

WAITING = 4


@pytest.fixture
def fresh(settings: Any) -> None:
    """A second's memory, as the service has."""
    settings.FRESH_SECONDS = 1


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("address", ["map-fragment", "live"])
def test_who_asks_within_a_second_of_another_costs_no_statement(
    world: World, client: Client, address: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    version = (
        map_version(world.turn, timezone.now())
        if address == "map-fragment"
        else live_version(world.turn, timezone.now())
    )
    url = reverse(address, args=["trial"])
    client.get(url, {"v": version})
    with django_assert_num_queries(0):
        assert client.get(url, {"v": version}).status_code == 204


@pytest.mark.usefixtures("fresh")
def test_a_map_that_was_packed_for_somebody_costs_the_next_no_statement(
    world: World, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    url = reverse("map-fragment", args=["trial"])
    first = client.get(url, headers={"Accept-Encoding": "gzip"})
    with django_assert_num_queries(0):
        second = client.get(url, headers={"Accept-Encoding": "gzip"})
    assert second.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(first.content) == gzip.decompress(second.content)
    assert client.get(url).content == gzip.decompress(first.content)


def test_an_open_page_keeps_its_ground(world: World, client: Client) -> None:
    whole = client.get(reverse("map", args=["trial"])).content.decode()
    again = client.get(reverse("map-fragment", args=["trial"])).content.decode()
    assert '<path id="land-all"' in whole
    assert '<g class="ground" id="map-ground" hx-preserve="true"></g>' in again


def test_a_map_is_drawn_once_however_many_wait_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, may_go_on = [], Event()

    def draw(request: HttpRequest, slug: str) -> bytes:
        drawn.append(slug)
        may_go_on.wait(10)
        return b"map"

    monkeypatch.setattr(views, "_draw", draw)
    with ThreadPoolExecutor(WAITING) as pool:
        waiting = [pool.submit(views._packed, HttpRequest(), "trial", "v1") for _ in range(WAITING)]
        may_go_on.set()
        assert [one.result(10) for one in waiting] == [b"map"] * WAITING
    assert drawn == ["trial"]


def test_a_round_that_is_not_there_has_no_news(world: World, client: Client) -> None:
    assert client.get(reverse("map-fragment", args=["nowhere"])).status_code == 404
    assert client.get(reverse("live", args=["nowhere"])).status_code == 404
