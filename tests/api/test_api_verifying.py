"""R38: a round recomputed through the API."""

from tests.api.conftest import Api


def test_the_list_says_what_is_known_and_works_nothing_out(api: Api) -> None:
    rows = api.get("/verify/").json()["results"]
    assert [(row["turn"], row["verdict"], row["recomputed_at"]) for row in rows] == [
        (2, "unknown", None),
        (1, "unknown", None),
    ]
    assert api.get("/verify/1/").json()["verdict"] == "same"
    assert [row["verdict"] for row in api.get("/verify/").json()["results"]] == ["unknown", "same"]


def test_a_turn_comes_with_everything_that_was_held_against_what(api: Api) -> None:
    turn = api.world.round.turns.get(number=1)
    answer = api.get("/verify/1/").json()
    assert answer["seed"] == turn.seed
    assert all(check["is_same"] for check in answer["checks"])
    assert {turn.position_hash, turn.next_hash, turn.commitment} <= {check["published"] for check in answer["checks"]}
    assert answer["pending"][0]["what"] == "Bonuses and losses"


def test_a_turn_that_is_played_gives_no_seed(api: Api) -> None:
    answer = api.get("/verify/2/").json()
    assert (answer["seed"], answer["next_hash"]) == ("", "")
    assert answer["battles"][0]["seed"] == ""
    assert answer["battles"][0]["commitment"] == api.battle.commitment


def test_there_is_no_such_turn(api: Api) -> None:
    assert api.get("/verify/9/").status_code == 404
