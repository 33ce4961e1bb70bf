"""1.3: the log as programs read it."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.services.world_of_tests import HOUR


def entries(api: Api, who: str = "", **query: object) -> list[dict[str, Any]]:
    answer: Any = api.get("/log/", who, **query)
    assert answer.status_code == 200
    return answer.json()["results"]  # type: ignore[no-any-return]


def test_the_log_is_read_by_everybody_the_newest_first(api: Api) -> None:
    found = entries(api)
    assert [line["action"] for line in found][:2] == ["turn.settled", "turn.locked"]
    assert (found[0]["who"], found[0]["turn"], found[0]["kind"]) == ("The service", 1, "turns")
    assert found[0]["links"][0]["path"] == "/rounds/trial/turns/1/"


def test_what_is_secret_is_there_for_those_who_may_know_it(api: Api) -> None:
    api.world.strat(api.battle, "Ana", "Ana", now=api.battle.announced_at + HOUR)
    api.world.score(api.battle)
    api.world.post("Ana", "Ana: hold", at=api.battle.announced_at + HOUR)
    api.world.round.refresh_from_db()
    assert "battle.scored" in [line["action"] for line in entries(api)]
    type(api.battle).objects.filter(pk=api.battle.pk).update(state="scored")
    assert "battle.scored" not in [line["action"] for line in entries(api)]
    assert "battle.scored" not in [line["action"] for line in entries(api, "movement")]
    found = next(line for line in entries(api, "battle") if line["action"] == "battle.scored")
    assert found["secret_until"] == "the result of its battle is published"


def test_it_is_narrowed_and_cut(api: Api) -> None:
    assert {line["kind"] for line in entries(api, kind="turns")} == {"turns"}
    assert entries(api, turn=0, q="opened turn 1")[0]["action"] == "round.opened"
    assert len(entries(api, limit=1)) == 1


@pytest.mark.parametrize("query", [{"kind": "secret"}, {"turn": "x"}, {"turn": -1}, {"turn": 10**20}])
def test_what_can_not_be_asked_is_told(api: Api, query: dict[str, object]) -> None:
    answer: Any = api.get("/log/", **query)
    assert answer.status_code == 400
