"""T5.2, T12.9: what the games of card tables hide, walked as each seat, a judge of the table, a watcher and nobody."""

import json
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from judging.tables.models import Table
from tests.keeping import kept
from tests.secrecy import secrets_of_games
from tests.secrecy.checking import leaks, told, unseen
from tests.secrecy.routes import every_route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of, viewers_of
from tests.secrecy.walking import every_address, sights_of
from wargame.models import Round

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
WALKED = ("tables/", "api/v1/tables/", "accounts/data/", "mine/")
KINDS = {
    *("card before a drafter", "card of a closed booster", "sealed pick", "pool of a draft", "wish of a draft"),
    *("card of a hand", "card face down", "face of a Mana Orb", "seed of a table", "salt of a table"),
}


@kept
def planted() -> Scene:
    """Two drafts and two games, without a round."""
    users = {viewer: User.objects.create_user(viewer) for viewer in ("author", "enemy", "battle", "outsider")}
    users["administrator"] = User.objects.create_superuser("administrator")
    scene = Scene("open", Round(slug="no-round"), users)
    secrets_of_games.plant(scene, NOW)
    return scene


def test_what_the_games_of_card_tables_hide_is_seen_by_whose_it_is_alone() -> None:
    scene = planted()
    routes = [route for route in every_route() if route.pattern.startswith(WALKED)]
    places = list(every_address(scene, routes))
    sights = [sight for viewer in viewers_of(scene) for sight in sights_of(viewer, scene, places)]

    assert {marker.kind for marker in scene.markers} == KINDS
    assert told(leaks(sights, scene)) == ""
    assert [str(marker) for marker in unseen(scene, sights)] == []


def test_the_file_of_a_table_that_is_played_has_its_list_and_nothing_of_where_a_card_lies() -> None:
    scene = planted()
    for viewer in viewers_of(scene):
        client = client_of(viewer, scene)
        for slug in Table.objects.values_list("slug", flat=True):
            file = json.loads(client.get(reverse("table-export", args=[slug])).content)
            assert file.pop("list") is not None
            assert [*scene.found_in(json.dumps(file))] == []
