"""axe finds nothing on any page: those of a round whose turn is open, with everything in it, and of the whole site."""

from __future__ import annotations

import pytest
import time_machine
from pytest_django.live_server_helper import LiveServer

from tests.accessibility.choosing import Place, chosen
from tests.accessibility.excused import ours
from tests.accessibility.walking import NewContext, found_on, told
from tests.secrecy import plant
from tests.secrecy.routes import every_route

SETUP = "rounds/<slug:slug>/setup/"
STRAY = (Place("anonymous", "/nothing/", status=404), Place("leader", "/rounds/trial/nothing/", status=404))
NOT_NOW = {
    "muster": "armies are raised while the round is set up",
    "muster-list": "armies are raised while the round is set up",
    "judge:muster": "armies are raised while the round is set up",
    "turn-before": "no turn is corrected here",
    "turn-text": "the open turn has no update yet",
    "places": "shown while the round is set up",
    "metrics": "for the addresses alone that the host has named",
    "round-end": "the round is not over",
}
NEVER = ("_add", "_delete", "judge/<url>", "judge:autocomplete", "judge:view_on_site", "board-feed")
"""Parts of the names of what is closed to everybody: rows are neither added nor deleted by hand, and so on."""


def test_axe_finds_nothing_on_the_pages_of_an_open_turn(
    live_server: LiveServer, clock: time_machine.Traveller, new_context: NewContext
) -> None:
    scene = plant.at_phase("open", clock)
    routes = [route for route in every_route() if not route.pattern.startswith(("api/v1", SETUP))]
    choice = chosen(scene, routes)
    assert {name for name in choice.closed_to_all() if not any(part in name for part in NEVER)} <= set(NOT_NOW)
    found = ours(found_on((*STRAY, *choice.places), scene, live_server, new_context))
    if found:
        pytest.fail(told(found), pytrace=False)
