"""5.4.1: penalties for programs."""

from tests.api.conftest import Api
from tests.services.penalties import REASON, new_penalty, penalise


def test_the_penalties_of_a_round_come_with_die_and_reason_the_newest_first(api: Api) -> None:
    penalty = penalise(api.world)
    penalise(api.world, new_penalty("", "Gaz", kind="reprimand"))
    first, second = api.get("/penalties/").json()["results"]  # type: ignore[attr-defined]
    assert (first["number"], first["kind"], first["army"], first["takes"]) == (2, "reprimand", "", [0, 0, 0, 0])
    assert (second["roll"], second["draw"], second["reason"]) == (penalty.roll, "penalty/1", REASON)
    assert api.get("/penalties/", army="ben").json()["count"] == 1  # type: ignore[attr-defined]


def test_the_map_for_programs_changes_with_a_penalty(api: Api) -> None:
    before = api.get("/map/")
    penalise(api.world)
    after = api.get("/map/")
    assert before.headers["ETag"] != after.headers["ETag"]  # type: ignore[attr-defined]
    armies = [{army["name"]: army["alive"] for army in found.json()["armies"]} for found in (before, after)]  # type: ignore[attr-defined]
    assert armies[0]["Ben"] != armies[1]["Ben"]
    assert armies[0]["Ana"] == armies[1]["Ana"]
