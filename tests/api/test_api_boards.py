"""3.1: the boards through the API: read, written, edited, withdrawn, and read by those alone who may."""

from datetime import timedelta
from typing import Any

import pytest

from judging.boards.models import Message
from judging.boards.queries.boards import BOARDS
from judging.boards.services import hide_message
from judging.common.viewer import viewer_of
from tests.api.conftest import Api
from wargame.models import Player

SECRET = "MARKER-PRIVATE"


def write(api: Api, who: str, text: str, board: str = "talk", **more: object) -> Any:
    sent = {"text": text, "token": f"form {text}"[:40], **more}
    return api.client(who).post(f"{api.root}/boards/{board}/messages/", sent)


def later(api: Api) -> None:
    api.clock.shift(timedelta(minutes=2))


def messages(api: Api, who: str = "", board: str = "talk", **query: object) -> Any:
    return api.get(f"/boards/{board}/messages/", who, **query)


def test_a_message_is_written_read_edited_and_withdrawn(api: Api) -> None:
    made = write(api, "Ana", "Well met, @Gaz.")
    assert made.status_code == 201
    assert (made.json()["number"], made.json()["by"], made.json()["side"]) == (1, "Ana", "coalition")
    assert "@Gaz</a>" in made.json()["html"]
    assert messages(api, "Gaz").json()["results"][0]["names_you"]

    address = f"{api.root}/boards/talk/messages/1/"
    changed = api.client("Ana").patch(address, {"text": "Well fought.", "base_version": 1})
    assert (changed.status_code, changed.json()["version"], changed.json()["text"]) == (200, 2, "Well fought.")
    stale = api.client("Ana").patch(address, {"text": "Other.", "base_version": 1})
    assert (stale.status_code, "now at version 2;" in stale.json()["detail"]) == (409, True)

    assert api.client("Ana").delete(address).json()["withdrawn_at"]
    assert [api.get("/boards/talk/messages/1/", who).json()["text"] for who in ("Ana", "Gaz", "")] == [
        "Well fought.",
        "",
        "",
    ]


def test_the_same_form_is_the_same_message(api: Api) -> None:
    assert [write(api, "Ana", text, token="one").json()["number"] for text in ("Once.", "Twice.")] == [1, 1]


@pytest.mark.parametrize(
    ("who", "sent", "status"),
    [
        ("", {"text": "Hello.", "token": "a"}, 403),
        ("Ana", {"text": "Hello."}, 400),
        ("Ana", {"text": "", "token": "a"}, 400),
        ("Ana", {"text": "a\0b", "token": "a"}, 400),
        ("Ana", {"text": ["Hello."], "token": "a"}, 400),
        ("Ana", {"text": "x" * 20_001, "token": "a"}, 413),
    ],
)
def test_what_can_not_be_taken_is_refused(api: Api, who: str, sent: dict[str, object], status: int) -> None:
    answer = api.client(who).post(f"{api.root}/boards/talk/messages/", sent)
    assert (answer.status_code, bool(answer.json()["detail"])) == (status, True)
    assert not Message.objects.exists()


def test_nobody_changes_what_another_wrote(api: Api) -> None:
    write(api, "Ana", "Mine.")
    for who in ("Gaz", "battle", ""):
        address = f"{api.root}/boards/talk/messages/1/"
        assert api.client(who).patch(address, {"text": "x", "base_version": 1}).status_code == 403
        assert api.client(who).delete(address).status_code == 403
    assert Message.objects.get().text == "Mine."


@pytest.mark.parametrize("who", ["", "Gaz", "Hex", "movement", "battle", "mercenary"])
def test_nobody_else_learns_of_a_teams_talk(api: Api, who: str) -> None:
    """1.1."""
    write(api, "Ana", f"{SECRET}, @Ben", "team-coalition")
    root = "/boards/team-coalition"
    for path in ("/boards/", f"{root}/messages/", f"{root}/messages/1/"):
        answer = api.get(path, who)
        assert SECRET not in answer.content.decode(), path  # type: ignore[attr-defined]
        assert answer.status_code == (200 if path == "/boards/" else 404)  # type: ignore[attr-defined]
    assert "team-coalition" not in api.get("/boards/", who).content.decode()  # type: ignore[attr-defined]
    if who:
        assert write(api, who, "Hello.", "team-coalition").status_code == 404
        assert api.client(who).post(f"{api.root}{root}/read/", {"number": 1}).status_code == 404


def test_what_a_judge_hid_is_not_read_here_either(api: Api) -> None:
    """1.3."""
    write(api, "Ana", SECRET)
    judge = viewer_of(api.world.judges["battle"].user, api.world.round)
    message = Message.objects.get()
    hide_message(viewer=judge, board=BOARDS["talk"], message=message, reason="An insult.", now=message.at)
    found = messages(api, "Gaz").json()["results"][0]
    assert (found["text"], found["html"], found["hidden_by"], found["hidden_because"]) == (
        "", "", "Judge battle", "An insult.",
    )  # fmt: skip
    assert messages(api, "Ana").json()["results"][0]["text"] == SECRET


def test_boards_are_marked_as_read_up_to_a_message(api: Api) -> None:
    write(api, "Ana", "One, @Gaz.")
    later(api)
    write(api, "Ana", "Two, @Gaz.")
    assert talk(api) == (2, 2)
    assert messages(api, "Gaz").status_code == 200
    assert talk(api) == (2, 2)
    address = f"{api.root}/boards/talk/read/"
    assert api.client("Gaz").post(address, {"number": 1}).json()["new"] == 1
    assert talk(api) == (1, 1)
    assert api.client("Gaz").post(address, {"number": 9}).status_code == 404
    assert api.client("Gaz").post(address, {"number": 2}).json()["new"] == 0


def test_a_mention_in_another_topic_stays_unseen(api: Api) -> None:
    begun = api.client("Ana").post(f"{api.root}/boards/talk/topics/", {"title": "North", "text": "@Gaz?", "token": "1"})
    assert begun.status_code == 201
    later(api)
    write(api, "Ana", "In the general talk, @Gaz.")
    assert talk(api) == (2, 2)
    number = messages(api, "Gaz", topic=1).json()["results"][-1]["number"]
    api.client("Gaz").post(f"{api.root}/boards/talk/read/", {"number": number})
    assert talk(api) == (1, 1)


def talk(api: Api) -> tuple[int, int]:
    rows = api.get("/boards/", "Gaz").json()["results"]  # type: ignore[attr-defined]
    return next((row["new"], row["mentions"]) for row in rows if row["key"] == "talk")


def test_long_boards_are_read_in_parts(api: Api) -> None:
    for number in range(5):
        write(api, "Ana", f"Message {number}.")
    part = messages(api, "", limit=2, offset=3).json()
    assert (part["count"], [row["number"] for row in part["results"]]) == (5, [4, 5])


def test_who_left_reads_no_more(api: Api) -> None:
    write(api, "Ana", SECRET, "team-coalition")
    assert messages(api, "Ben", "team-coalition").status_code == 200
    Player.objects.filter(name="Ben").update(left_at=api.battle.announced_at)
    assert messages(api, "Ben", "team-coalition").status_code == 404


@pytest.mark.parametrize("path", ["nothing/messages/", "talk/messages/99999999999999999999/", "talk/messages/7/"])
def test_what_is_not_there_is_a_404(api: Api, path: str) -> None:
    assert api.get(f"/boards/{path}").status_code == 404  # type: ignore[attr-defined]
