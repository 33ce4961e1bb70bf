"""1.4, R46: votes by the API."""

from typing import Any

import pytest

from judging.votes.models import Vote
from tests.api.conftest import Api
from tests.services.polls import DAY, call, cast, special
from wargame.rules.core.sides import Side


@pytest.fixture
def vote(api: Api) -> Vote:
    return call(api.world, "Ana", now=api.battle.announced_at)


def read(api: Api, path: str, who: str = "") -> Any:
    answer: Any = api.get(path, who)
    assert answer.status_code == 200
    return answer.json()


def put(api: Api, who: str, vote: Vote, sent: Any) -> Any:
    return api.client(who).put(f"{api.root}/votes/{vote.pk}/ballot/", sent, format="json")


def test_votes_are_listed_and_read_without_what_is_hidden_yet(api: Api, vote: Vote) -> None:
    cast(api.world, vote, "Gaz", 1, api.battle.announced_at)
    for told in (read(api, "/votes/")["results"][0], read(api, f"/votes/{vote.pk}/")):
        assert (told["id"], told["kind"], told["is_open"], told["may_vote"]) == (vote.pk, "normal", True, False)
        assert told["count"] is None
        gaz = next(voter for voter in told["voters"] if voter["name"] == "Gaz")
        assert (gaz["has_voted"], gaz["choice"]) == (True, None)
        assert told["missing"] == ["Ana", "Ben", "Hex"]


def test_a_ballot_is_cast_and_changed(api: Api, vote: Vote) -> None:
    assert put(api, "Ben", vote, {"choice": 0}).status_code == 200
    told = put(api, "Ben", vote, {"choice": None}).json()
    ben = next(voter for voter in told["voters"] if voter["name"] == "Ben")
    assert (ben["choice"], ben["abstains"]) == (None, True)
    assert told["count"]["abstained"] == ["Ben"]
    told = put(api, "Gaz", vote, {"choice": 1}).json()
    assert (told["count"]["winner"], told["count"]["lines"][1]) == ("No", {"option": "No", "points": 1, "votes": 1})


@pytest.mark.parametrize(
    ("sent", "status"), [({}, 400), ({"choice": "x"}, 400), ({"choice": -1}, 400), ({"choice": 7}, 409), ([], 400)]
)
def test_a_ballot_that_is_none_is_an_error(api: Api, vote: Vote, sent: Any, status: int) -> None:
    assert put(api, "Ben", vote, sent).status_code == status


def test_the_public_and_judges_do_not_vote(api: Api, vote: Vote) -> None:
    assert put(api, "", vote, {"choice": 0}).status_code == 403
    assert put(api, "battle", vote, {"choice": 0}).status_code == 403


def test_after_its_end_a_ballot_is_refused_with_the_rule(api: Api, vote: Vote) -> None:
    api.go_to(vote.closes_at + DAY)
    answer = put(api, "Ben", vote, {"choice": 0})
    assert (answer.status_code, answer.json()["cites"]) == (409, "R46")


def test_a_team_s_vote_is_not_there_for_others(api: Api) -> None:
    """1.4.3."""
    own = call(api.world, "Ana", special(side=Side.COALITION), now=api.battle.announced_at)
    assert read(api, f"/votes/{own.pk}/", "Ben")["side"] == "coalition"
    for who in ("", "Gaz", "battle", "movement"):
        assert api.get(f"/votes/{own.pk}/", who).status_code == 404  # type: ignore[attr-defined]
        assert read(api, "/votes/", who)["count"] == 0
    assert put(api, "Gaz", own, {"choice": 0}).status_code == 404


@pytest.mark.parametrize("key", [0, 10**9, 10**25])
def test_a_vote_that_is_not_there_is_missing(api: Api, key: int) -> None:
    assert api.get(f"/votes/{key}/", "Ana").status_code == 404  # type: ignore[attr-defined]
