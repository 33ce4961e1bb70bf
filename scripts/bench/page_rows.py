"""Rows about the page that players keep open (1.2): its weight, its cost, and how many can watch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scripts.bench.measuring import Measure, Measured, Row

if TYPE_CHECKING:
    from .page_server import Server

FIRST_VIEW, REFRESH = 60_000, 10_000
"""The most bytes, compressed, of a page with its styles and scripts, and of a new map on an open page."""

POLLS = 4_000
MAPS = 800
POLL_SECONDS = 5
EIGHTY_PERCENT = 1.25
VERSION = re.compile(rb'data-version="(\w+)"')


def a_first_view() -> Row:
    """The map for a visitor: the page with its styles, scripts and pictures."""
    return _first_view("first view", "")


def a_players_view() -> Row:
    """The same for a player with armies to order, whose page has a form and its scripts."""
    from .page_server import logged_in, serve

    return _first_view("a player's", logged_in(serve()), is_aim=False)


def a_refresh() -> Row:
    """The request of an open page when the map has changed."""
    from .page_server import get, serve

    server = serve()
    weight = float(len(get(server.port, _fragment(server))))
    return Row("bytes, packed", "refresh", lambda: weight, "10 kB", lambda: REFRESH, 1, unit="B")


def a_poll_with_nothing_new() -> Row:
    """The poll of each open page, against an answer without a query; two processes."""
    from .page_server import get, serve
    from .page_site import NOTHING

    server = serve()
    version = VERSION.search(_unpacked(get(server.port, _fragment(server))))
    assert version
    address = f"{_fragment(server)}?v={version.group(1).decode()}"
    return Row(
        "a poll", "nothing new", _asked(address, POLLS), "constant", _asked(f"/{NOTHING}", POLLS), EIGHTY_PERCENT,
        note=_viewers,
    )  # fmt: skip


def a_cached_map() -> Row:
    """The new map for an open page, already drawn for another viewer, against constant bytes of a similar size."""
    from .page_server import serve
    from .page_site import PACKED

    return Row(
        "a new map", "cached", _asked(_fragment(serve()), MAPS), "constant", _asked(f"/{PACKED}", MAPS), EIGHTY_PERCENT
    )


def a_map_that_is_drawn() -> Row:
    """The same in one process without a web server: drawn each time, against drawn before."""
    return Row("a new map", "drawn", _rendered(anew=True), "cached", _rendered(anew=False))


ROWS = (a_first_view, a_players_view, a_refresh, a_poll_with_nothing_new, a_cached_map, a_map_that_is_drawn)


def _first_view(viewer: str, cookie: str, *, is_aim: bool = True) -> Row:
    from .page_server import first_view, serve

    weight = float(first_view(serve(), cookie))
    return Row("bytes, packed", viewer, lambda: weight, "60 kB", lambda: FIRST_VIEW, 1 if is_aim else None, unit="B")


def _viewers(measured: Measured) -> str:
    return f"At a poll each {POLL_SECONDS} s, that is {int(POLL_SECONDS / measured.a):,} viewers."


def _fragment(server: Server) -> str:
    return f"{server.map}map/fragment/"


def _unpacked(body: bytes) -> bytes:
    import gzip

    return gzip.decompress(body)


def _asked(address: str, times: int) -> Measure:
    """Seconds per answer, with eight clients at once."""
    from .page_server import seconds_of, serve

    port = serve().port
    return lambda: seconds_of(port, address, times)


def _rendered(*, anew: bool) -> Measure:
    """Seconds per map."""
    from django.core.cache import cache
    from django.test import RequestFactory

    from judging.map.views import fragment
    from scripts.bench import databases

    from .measuring import timed
    from .page_server import serve

    server = serve()
    slug = server.map.split("/")[2]

    def work() -> None:
        if anew:
            cache.clear()
        fragment(RequestFactory().get(_fragment(server)), slug)

    def measure() -> float:
        databases.use(databases.sqlite("pages"))
        return timed(work, 1)

    return measure
