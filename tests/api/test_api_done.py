"""R60: being done with a turn, through the API."""

import pytest

from judging.turns.done.models import DoneMark, EarlyLock
from tests.api.conftest import Api
from tests.services.world_of_tests import HOUR


def test_a_player_is_done_and_takes_it_back(api: Api) -> None:
    path = f"{api.root}/turns/2/done/"
    for _ in range(2):
        answer = api.client("Ana").put(path)
        assert (answer.status_code, answer.json()["done"], answer.json()["is_mine"]) == (200, 1, True)
    assert api.client("Gaz").get(path).json() == {
        "turn": 2, "is_open": True, "done": 1, "of": 4, "is_mine": False, "names": [], "locks_from": None,
    }  # fmt: skip
    assert api.client("movement").get(path).json()["names"] == ["Ana"]
    for _ in range(2):
        answer = api.client("Ana").delete(path)
        assert (answer.status_code, answer.json()["done"]) == (200, 0)
    assert not DoneMark.objects.exists()


def test_nobody_else_and_nobody_later(api: Api) -> None:
    path = f"{api.root}/turns/2/done/"
    for who in ("", "battle"):
        assert api.client(who).put(path).status_code == 403, who
    assert api.client("Ana").put(f"{api.root}/turns/1/done/").status_code == 409
    assert api.client("Ana").put(f"{api.root}/turns/3/done/").status_code == 404
    api.go_to(api.world.turn.lock_at + HOUR)
    assert api.client("Ana").put(path).status_code == 409
    assert api.client("").get(path).json()["is_open"] is False


@pytest.mark.parametrize(("who", "status", "rule"), [("", 403, ""), ("Ana", 409, "R60"), ("mercenary", 409, "R60")])
def test_only_a_movement_or_battle_judge_locks_a_turn_early(api: Api, who: str, status: int, rule: str) -> None:
    path = f"{api.root}/turns/2/early-lock/"
    answers = [api.client(who).put(path, {"hours": 6}), api.client(who).delete(path)]
    assert [(answer.status_code, answer.json()["cites"]) for answer in answers] == [(status, rule)] * 2
    assert not EarlyLock.objects.exists()
