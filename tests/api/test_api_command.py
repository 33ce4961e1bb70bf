"""1.1, 1.3, 5: operations on teams and control: refused as on their pages for people without the role."""

import pytest
from django.contrib.auth.models import User

from judging.command.models import Admission, ControlRequest, Declaration, Leave
from tests.api.conftest import Api
from wargame.models import Player

GIFT, ASKING = {"army": "Ana"}, {"side": "coalition", "name": "Ivo", "text": "May I join?"}
SEAT = {"act": "name", "role": "battle", "username": "ivo", "reason": "New."}
IDLE = {"act": "inactive", "reason": "Silent."}


def state() -> object:
    """What these operations change."""
    fields = ("may_change_control", "contingency", "left_at", "rank", "factions")
    rows = (Admission, ControlRequest, Declaration, Leave)
    return list(Player.objects.order_by("pk").values_list(*fields)), [row.objects.count() for row in rows]


@pytest.mark.parametrize(
    ("who", "method", "path", "body", "status", "cites"),
    [
        ("", "post", "control/give/Ben/", GIFT, 403, ""),
        ("Ana", "post", "control/give/Nobody/", GIFT, 404, ""),
        ("Ana", "post", "control/give/Gaz/", GIFT, 404, ""),
        ("battle", "post", "control/give/Ben/", GIFT, 404, ""),
        ("Ana", "post", "control/give/Ben/", {"army": "Gaz"}, 409, "5.2.1"),
        ("", "put", "control/contingencies/", {"contingencies": {"Ana": "Ben"}}, 403, ""),
        ("battle", "put", "control/contingencies/", {"contingencies": {"Ana": "Ben"}}, 409, "5.2.2.1"),
        ("Ben", "put", "control/contingencies/", {"contingencies": {"Ana": "Ben"}}, 409, "5.2.2.1"),
        ("Ana", "put", "control/contingencies/", {"contingencies": {"Nobody": "Ben"}}, 400, ""),
        ("", "post", "control/power/", {"giver": "Ana", "to": "Ben"}, 403, ""),
        ("battle", "post", "control/power/", {"giver": "Ana", "to": "Ben"}, 403, "1.6"),
        ("", "delete", "control/requests/1/", None, 403, ""),
        ("Ana", "delete", "control/requests/1/", None, 409, "5.2.1"),
        ("Ana", "post", "judges/seats/", SEAT, 403, "1.3"),
        ("movement", "post", "judges/seats/", SEAT, 403, "1.3"),
        ("Ana", "post", "command/", {"act": "invited"}, 403, "1.3"),
        ("mercenary", "post", "command/", {"act": "invited"}, 404, ""),
        ("movement", "post", "command/", {"act": "overrule", "taken": "1"}, 409, "1.1"),
        ("", "post", "admission/", ASKING, 403, ""),
        ("battle", "post", "admission/", ASKING, 403, "1.3"),
        ("Ana", "post", "admission/", ASKING, 409, "1.1"),
        ("Ana", "delete", "admission/", None, 409, "1.1"),
        ("Ana", "post", "admissions/1/", {"act": "refuse", "reason": "No."}, 409, "1.1"),
        ("battle", "post", "admissions/invited/", {}, 409, "1.1"),
        ("Ana", "post", "invitation/", {"act": "accept"}, 404, ""),
        ("", "post", "players/Ana/", IDLE, 403, ""),
        ("Gaz", "post", "players/Ana/", IDLE, 409, "5.1"),
        ("battle", "post", "players/Ana/", IDLE, 409, "5.1"),
        ("Ana", "post", "players/Nobody/", IDLE, 404, ""),
        ("Ana", "post", "players/%00/", IDLE, 404, ""),
        ("", "post", "service/", {"act": "quit", "sure": True}, 403, ""),
        ("battle", "post", "service/", {"act": "quit", "sure": True}, 409, ""),
        ("Ana", "post", "service/", {"act": "quit"}, 409, ""),
        ("Ana", "post", "service/", {"act": "leave", "since": "soon"}, 409, "5.1"),
        ("Ana", "post", "service/", {"act": "back", "leave": "x"}, 409, "5.1"),
    ],
)
def test_who_may_not_is_refused(
    api: Api, who: str, method: str, path: str, body: object, status: int, cites: str
) -> None:
    before = state()
    answer = getattr(api.client(who), method)(f"{api.root}/{path}", body, format="json")
    assert (answer.status_code, answer.json()["cites"]) == (status, cites), answer.content
    assert state() == before


def test_a_request_of_the_other_side_is_not_withdrawn(api: Api) -> None:
    by, now = api.world.players["Gaz"], api.battle.announced_at
    row = {"round": api.world.round, "side": by.side, "player": by, "asked_at": now, "changes": []}
    waiting = ControlRequest.objects.create(**row, state=ControlRequest.State.WAITING)
    answer = api.client("Ana").delete(f"{api.root}/control/requests/{waiting.pk}/")
    assert (answer.status_code, answer.json()["cites"]) == (409, "5.2.1"), "they cannot see it"
    assert ControlRequest.objects.get().state == ControlRequest.State.WAITING


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("people/1/", {"act": "bar", "reason": "Spam."}),
        ("heads/", {"round": "trial", "role": "battle", "username": "ivo", "reason": "New."}),
    ],
)
def test_only_administrators_act_on_accounts_and_heads(api: Api, path: str, body: object) -> None:
    for who in ("", "Ana", "battle"):
        answer = api.client(who).post(f"/api/v1/administration/{path}", body, format="json")
        assert answer.status_code == 403, answer.content
    User.objects.filter(pk=api.world.judges["battle"].user_id).update(is_superuser=True)
    missing = api.client("battle").post("/api/v1/administration/people/987654/", {"act": "unlock"}, format="json")
    assert missing.status_code == 404
