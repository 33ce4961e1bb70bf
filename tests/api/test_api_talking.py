"""3.1, 1.6, 1.3: topics, press, reports, blocks and the search through the API, each by those alone who may."""

from typing import Any

import pytest

from tests.api.conftest import Api


def send(api: Api, who: str, path: str, method: str = "post", **sent: Any) -> Any:
    return getattr(api.client(who), method)(f"{api.root}{path}", sent, format="json")


def test_topics_are_begun_read_and_moderated(api: Api) -> None:
    made = send(api, "Ana", "/boards/talk/topics/", title="North", text="Well?", token="one")
    assert (made.status_code, made.json()["topic"]) == (201, 2)
    send(api, "Gaz", "/boards/talk/messages/", text="Snow.", token="two", topic=2)
    send(api, "Gaz", "/boards/talk/messages/", text="General.", token="three")
    listed = api.get("/boards/talk/messages/", topic=2).json()["results"]  # type: ignore[attr-defined]
    assert [each["text"] for each in listed] == ["Well?", "Snow."]
    assert send(api, "Ana", "/boards/talk/topics/2/", "patch", is_closed=True).status_code == 403
    closed = send(api, "movement", "/boards/talk/topics/2/", "patch", is_closed=True, title="Snow")
    assert (closed.json()["title"], closed.json()["is_closed"], closed.json()["messages"]) == ("Snow", True, 2)
    assert send(api, "Gaz", "/boards/talk/messages/", text="More.", token="four", topic=2).status_code == 403
    assert send(api, "movement", "/boards/talk/topics/9/", "patch", is_closed=True).status_code == 404
    assert api.get("/boards/team-coalition/topics/", "Gaz").status_code == 404  # type: ignore[attr-defined]


def test_press_is_between_its_people(api: Api) -> None:
    made = send(api, "Ana", "/press/", to=["Gaz"], text="Peace?", token="one")
    assert (made.status_code, made.json()["others"]) == (201, ["Gaz"])
    key = made.json()["key"]
    for who, status in (("Gaz", 200), ("Ben", 404), ("battle", 404), ("movement", 404), ("", 404)):
        assert api.get(f"/boards/{key}/messages/", who).status_code == status  # type: ignore[attr-defined]
    assert api.get("/press/", "battle").json()["results"] == []  # type: ignore[attr-defined]
    assert send(api, "battle", "/press/", to=["Gaz"], text="Hello.", token="two").status_code == 403
    answer = send(api, "Gaz", f"/boards/{key}/messages/", text="War.", token="two")
    assert answer.status_code == 201
    report = send(api, "Ana", "/reports/", board=key, number=2, reason="He threatens.").json()
    assert api.get("/reports/", "battle").json()["results"][0]["text"] == "War."  # type: ignore[attr-defined]
    path = f"/reports/{report['id']}/"
    assert send(api, "Gaz", path, "patch", does="dismiss", reason="No.").status_code == 404
    decided = send(api, "battle", path, "patch", does="dismiss", reason="It is a war.")
    assert (decided.status_code, decided.json()["state"]) == (200, "dismissed")
    assert api.get("/reports/", "Ana").json()["results"][0]["answer"] == "It is a war."  # type: ignore[attr-defined]
    assert send(api, "Ben", "/reports/", board=key, number=2, reason="Me, too.").status_code == 404
    assert send(api, "Ana", f"/press/{key}/", "delete").status_code == 200
    assert api.get(f"/boards/{key}/messages/", "Ana").status_code == 404  # type: ignore[attr-defined]


def test_a_report_is_answered_though_no_page_would_show_it(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.boards.reports.MOST", 0)
    send(api, "Gaz", "/boards/talk/messages/", text="You toad.", token="one")
    made = send(api, "Ana", "/reports/", board="talk", number=1, reason="An insult.")
    assert (made.status_code, made.json()["text"], made.json()["may_decide"]) == (201, "You toad.", False)


def test_blocks_are_ones_own(api: Api) -> None:
    made = send(api, "Ana", "/blocks/", name="Gaz")
    assert (made.status_code, made.json()["name"]) == (201, "Gaz")
    send(api, "Gaz", "/boards/talk/messages/", text="Hear me.", token="one")
    shown = api.get("/boards/talk/messages/1/", "Ana").json()  # type: ignore[attr-defined]
    assert (shown["text"], shown["is_blocked"]) == ("", True)
    path = f"/blocks/{made.json()['id']}/"
    assert send(api, "Ben", path, "delete").status_code == 404
    assert send(api, "Ana", path, "delete").status_code == 200
    assert api.get("/blocks/", "Ana").json()["count"] == 0  # type: ignore[attr-defined]


def test_a_search_finds_orders_and_never_sealed_ones(api: Api) -> None:
    found = api.get("/search/", q="luck everybody").json()["results"]  # type: ignore[attr-defined]
    assert [(each["kind"], each["by"]) for each in found] == [("orders", "Ana")]
    send(api, "Ana", "/boards/team-coalition/messages/", text="A lantern.", token="one")
    assert [api.get("/search/", who, q="lantern").json()["count"] for who in ("Ben", "Gaz", "battle", "")] == [
        1,
        0,
        0,
        0,
    ]  # type: ignore[attr-defined]
    assert api.client("Ben").get("/api/v1/search/", {"q": "lantern"}).json()["count"] == 1
    assert api.get("/search/", turn="x").status_code == 400  # type: ignore[attr-defined]
    assert api.get("/search/").json()["count"] == 0  # type: ignore[attr-defined]
