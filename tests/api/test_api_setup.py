"""2.5: operations of a set-up: carried out and refused as on their pages."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from judging.setup.models import SideWish
from tests.pages.setting_up import Foundation
from tests.pages.setting_up import foundation as foundation

EMPTY: dict[str, Any] = {"fields": {}}


def send(foundation: Foundation, who: str, method: str, path: str, body: object) -> Any:
    client = APIClient()
    if who:
        client.force_login(foundation.users[who], backend="django.contrib.auth.backends.ModelBackend")
    return getattr(client, method)(f"/api/v1/{path}", body, format="json")


@pytest.mark.parametrize(
    ("who", "method", "path", "body", "status"),
    [
        ("", "put", "steps/name/", EMPTY, 403),
        ("Una", "put", "steps/name/", EMPTY, 403),
        ("Judy", "put", "steps/nothing/", EMPTY, 404),
        ("Judy", "put", "steps/name/", {"fields": {"name": ["Two"]}}, 400),
        ("Judy", "put", "steps/terrain/", {"fields": {}, "act": "demo"}, 409),
        ("Una", "put", "steps/shown/", EMPTY, 403),
        ("Una", "put", "steps/descriptions/1/", EMPTY, 403),
        ("Judy", "put", "steps/descriptions/987654/", EMPTY, 404),
        ("Judy", "put", "steps/proxies/987654/", EMPTY, 404),
        ("Judy", "put", "team/wish/", EMPTY, 403),
        ("Gaz", "put", "team/wins/", EMPTY, 403),
        ("Una", "put", "team/nothing/", EMPTY, 404),
        ("Una", "post", "start/", {}, 403),
        ("Judy", "post", "start/", {}, 409),
        ("Una", "post", "give-up/", {"reason": "No.", "sure": True}, 403),
        ("Judy", "post", "give-up/", {"reason": "No."}, 409),
    ],
)
def test_who_may_not_is_refused(
    foundation: Foundation, who: str, method: str, path: str, body: object, status: int
) -> None:
    before = foundation.setup.versions
    answer = send(foundation, who, method, f"rounds/{foundation.round.slug}/setup/{path}", body)
    assert answer.status_code == status, answer.content
    assert (foundation.setup.versions, foundation.setup.round.state) == (before, "setup")


def test_only_people_with_the_permission_begin_a_round(foundation: Foundation) -> None:
    assert send(foundation, "Mo", "post", "new-round/", {"name": "Another"}).status_code == 403


def test_a_leader_asks_for_places(foundation: Foundation) -> None:
    path = f"rounds/{foundation.round.slug}/setup/team/wish/"
    answer = send(foundation, "Una", "put", path, {"fields": {"text": ["North."]}, "version": 0})
    assert answer.status_code == 200, answer.content
    assert answer.json()["next"] == foundation.url("setup-team")
    assert SideWish.objects.get().text == "North."
