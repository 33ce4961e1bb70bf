"""axe finds nothing on any page: those of a set-up, before its bases are public and while its armies are raised."""

from collections.abc import Callable

import pytest
import time_machine
from pytest_django.live_server_helper import LiveServer

from tests.accessibility.choosing import chosen, name_of
from tests.accessibility.excused import ours
from tests.accessibility.walking import NewContext, found_on, told
from tests.secrecy import plant_setup
from tests.secrecy.routes import every_route
from tests.secrecy.scene import Scene

SETUP = "rounds/<slug:slug>/setup/"
Plant = Callable[[time_machine.Traveller], Scene]
OTHERS = ("home", "judge:index", "judge:muster", "judge:musters", "muster", "musters", "places", "round-new", "rounds")
"""Pages outside the steps of a set-up that show something of it."""
NOT_NOW = {
    "hook": "nobody has a webhook here",
    "setup-proxy": "the judge makes up no army here",
    "muster": "armies are raised when the bases are public",
    "judge:muster": "armies are raised when the bases are public",
    "places": "the bases become public before armies are raised",
}


@pytest.mark.parametrize("plant", [plant_setup.planned, pytest.param(plant_setup.raised, marks=pytest.mark.slow)])
def test_axe_finds_nothing_on_the_pages_of_a_set_up(
    plant: Plant, live_server: LiveServer, clock: time_machine.Traveller, new_context: NewContext
) -> None:
    scene = plant(clock)
    routes = [route for route in every_route() if route.pattern.startswith(SETUP) or name_of(route) in OTHERS]
    choice = chosen(scene, routes)
    assert choice.closed_to_all() <= set(NOT_NOW)
    found = ours(found_on(choice.places, scene, live_server, new_context))
    if found:
        pytest.fail(told(found), pytrace=False)
