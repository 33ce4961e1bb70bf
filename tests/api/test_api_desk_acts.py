"""4: the smaller acts of a battle's sheet through the API: by the same rules, for the same judges."""

from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User

from judging.api.schema import example
from judging.battles.models import Claim, Criterion, Strat
from judging.common.texts import utc
from judging.common.viewer import viewer_of
from judging.import_export.exporting import Public, round_file
from judging.penalties.models import Penalty
from tests.api.conftest import Api
from tests.api.test_api_doors import bearer
from tests.api.test_operations import METHODS, _cls
from tests.secrecy.routes import Route, every_route
from tests.services.world_of_tests import HOUR
from wargame.models import Round

CLAIM = {"claim": "It rains.", "verdict": "refused", "cites": "2.2.3.1", "note": "It did not."}


def sent(api: Api, what: str, body: object, who: str = "battle", slug: str = "trial") -> Any:
    path = f"/api/v1/rounds/{slug}/desk/battles/{api.battle.pk}/{what}/"
    return bearer(api, who, "judge").post(path, body, format="json")


@pytest.fixture
def strat(api: Api) -> Strat:
    return api.world.strat(api.battle, "Ana", "Ana", "Hold the ridge.", now=api.battle.announced_at + HOUR)


def test_a_claim_is_judged_and_taken_back(api: Api, strat: Strat) -> None:
    answer = sent(api, "acts/claim", CLAIM | {"strat": strat.pk})
    assert (answer.status_code, answer.json().get("said")) == (200, "The claim is refused."), answer.content
    answer = sent(api, "presses/withdraw", {"key": Claim.objects.get().pk})
    assert (answer.status_code, answer.json().get("said")) == (200, "Withdrawn."), answer.content
    assert not Claim.objects.exists()


def test_time_is_given_by_who_may_give_it(api: Api) -> None:
    until = api.battle.deadline + HOUR
    body = {"army": "Gaz", "until": f"{until:%Y-%m-%dT%H:%M}", "reason": "Ill."}
    answer = sent(api, "acts/extend", body, "movement")
    assert answer.status_code == 200, answer.content
    assert answer.json()["said"] == f"The strat of Gaz is due by {utc(until)}."


def test_what_is_wrong_is_told_by_its_field(api: Api, strat: Strat) -> None:
    answer = sent(api, "acts/claim", CLAIM | {"strat": strat.pk, "cites": ""})
    assert (answer.status_code, answer.json()["fields"]) == (400, {"cites": ["Name the rule, like 2.2.3.1."]})
    assert sent(api, "acts/extend", {"until": "soon", "reason": "Ill."}).json()["fields"].keys() == {"until"}


def test_criteria_of_ones_own_come_and_go(api: Api) -> None:
    assert sent(api, "acts/criterion", {"name": "Terrain"}).status_code == 200
    row = Criterion.objects.get(name="Terrain")
    assert sent(api, "presses/retire", {"key": row.pk}).json()["said"] == (
        "You will no longer be asked for that criterion."
    )


@pytest.mark.parametrize(
    ("who", "what", "status"),
    [
        ("Ana", "acts/claim", 404),
        ("Ana", "presses/show", 404),
        ("movement", "acts/claim", 403),
        ("movement", "presses/show", 403),
        ("battle", "acts/nothing", 404),
        ("battle", "presses/nothing", 404),
    ],
)
def test_who_may_not_is_refused(api: Api, strat: Strat, who: str, what: str, status: int) -> None:
    assert sent(api, what, CLAIM | {"strat": strat.pk} if what == "acts/claim" else {}, who).status_code == status
    assert not Claim.objects.exists()


def test_a_battle_is_one_of_its_own_round(api: Api, strat: Strat) -> None:
    Round.objects.create(name="Other", slug="other", created_at=api.battle.announced_at)
    assert sent(api, "acts/claim", CLAIM | {"strat": strat.pk}, slug="other").status_code == 404


def test_a_round_is_taken_in_by_an_administrators_token_alone(api: Api) -> None:
    data = b"".join(round_file(Public(api.world.round, api.battle.deadline)))
    path = "/api/v1/import-round/?slug=copy"
    send = {"data": data, "content_type": "application/json"}
    assert bearer(api, "battle", "operate").post(path, **send).status_code == 403
    User.objects.filter(pk=api.world.judges["battle"].user_id).update(is_superuser=True)
    assert bearer(api, "battle", "judge").post(path, **send).status_code == 403
    answer = bearer(api, "battle", "operate").post(path, **send)
    assert (answer.status_code, answer.json().get("slug")) == (201, "copy"), answer.content
    assert Round.objects.get(slug="copy").state == "archive"
    broken = bearer(api, "battle", "operate").post(path, data=data[:-100], content_type="application/json")
    assert (broken.status_code, broken.json()["code"]) == (409, "refused"), broken.content


def desk_doors() -> list[tuple[Route, str, str]]:
    """Every operation that sends a form of the judges' site: its address, method and name."""
    doors = [(route, name, getattr(_cls(route.view), name, None)) for route in every_route() for name in METHODS]
    return [
        (route, name, door.operation)  # type: ignore[union-attr]
        for route, name, door in doors
        if getattr(door, "page", "").startswith("judge:")
    ]


def test_a_player_is_refused_wherever_the_judges_site_would_ask_for_a_log_in(api: Api) -> None:
    where = {"slug": "trial", "number": "2", "battle_id": str(api.battle.pk), "army": "Herd of Z", "act": "claim"}
    found = desk_doors()
    statuses = {}
    for route, method, operation in found:
        path = route.address({name: where.get(name, "1") for name in route.parameters})
        body = example(f"{operation}.request") or {}
        statuses[operation] = getattr(api.client("Ana"), method)(path, body, format="json").status_code
    assert {operation: status for operation, status in statuses.items() if status != 403} == {
        "desk_battle_act": 404,  # whether there is such a battle is the judges' business
        "desk_battle_press": 404,
    }
    assert len(found) >= 15


def test_roles_are_suspended_in_the_api_until_a_required_second_factor_is_set_up(
    api: Api, settings: LazySettings
) -> None:
    desk, penalties = f"{api.root}/desk/", f"{api.root}/penalties/new/"
    judge, token = api.client("battle"), bearer(api, "battle", "read", "judge")
    assert [client.get(desk).status_code for client in (judge, token)] == [200, 200]
    settings.SECOND_FACTOR = "required"
    refused = [client.get(desk) for client in (judge, token)]
    assert [answer.status_code for answer in refused] == [403, 403]
    assert all("second factor" in answer.json()["detail"] for answer in refused)
    assert not viewer_of(api.world.judges["battle"].user, api.world.round).roles, "round pages drop them, too"
    answer = judge.post(penalties, example("penalties_hand_down.request") or {}, format="json")
    assert (answer.status_code, Penalty.objects.exists()) == (403, False)
