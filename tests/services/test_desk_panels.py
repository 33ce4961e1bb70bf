"""1.3: the judges' desk on either database: a panel that breaks down hides itself and closes nothing."""

import pytest
from django.test import Client

from tests.services.world_of_tests import World


@pytest.mark.parametrize("role", ["movement", "battle", "mercenary"])
def test_no_panel_of_a_judges_desk_breaks_down(world: World, role: str) -> None:
    client = Client()
    client.force_login(world.judges[role].user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/judge/").context_data["broken"] == []  # type: ignore[attr-defined]
