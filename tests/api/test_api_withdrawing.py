"""R7: a post that is taken back through the API."""

from collections.abc import Callable
from typing import Any

from judging.turns.models import Post
from tests.api.conftest import Api

Send = Callable[..., Any]


def test_its_author_withdraws_a_post_and_it_stays_readable(api: Api, send: Send) -> None:
    post = send("Hex", "20F > 22F").json()
    answer = api.client("Hex").delete(f"{api.root}/posts/{post['id']}/")
    assert answer.status_code == 200
    assert answer.json()["withdrawn_at"]

    seen = api.get(f"/posts/{post['id']}/").json()
    assert (seen["text"], seen["lines"], seen["may_edit"]) == ("20F > 22F", [], False)
    assert api.client("Hex").delete(f"{api.root}/posts/{post['id']}/").status_code == 200


def test_nobody_else_withdraws_it(api: Api, send: Send) -> None:
    post = send("Hex", "20F > 22F").json()
    for who, status in (("Ana", 403), ("battle", 403), ("", 403)):
        answer = api.client(who).delete(f"{api.root}/posts/{post['id']}/")
        assert (answer.status_code, "detail" in answer.json()) == (status, True), who
    assert Post.objects.get(pk=post["id"]).withdrawn_at is None


def test_nothing_is_withdrawn_after_the_lock(api: Api, send: Send) -> None:
    post = send("Hex", "20F > 22F").json()
    api.go_to(api.world.turn.lock_at.replace(minute=2))
    answer = api.client("Hex").delete(f"{api.root}/posts/{post['id']}/")
    assert (answer.status_code, answer.json()["cites"]) == (409, "3.1")


def test_the_same_text_again_is_the_same_post(api: Api, send: Send) -> None:
    first, second = send("Hex", "20F > 22F", token="one"), send("Hex", "20F > 22F", token="two")
    assert first.json()["id"] == second.json()["id"]
