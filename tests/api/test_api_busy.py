"""What a program is told when nothing could be stored."""

from collections.abc import Callable
from typing import Any

import pytest

from judging.common.locking import RETRY_AFTER
from judging.turns.models import Post
from tests.api.conftest import Api
from tests.pages.test_busy import SENTENCE, no_writing
from tests.services.test_locking import in_the_way

Send = Callable[..., Any]


@pytest.mark.parametrize("state", ["40P01", "40001", "55P03", 5])
def test_a_post_that_could_not_be_stored_may_be_sent_again(api: Api, send: Send, state: str | int) -> None:
    with no_writing("judging_post", in_the_way(state)):
        answer = send("Hex", "20F > 22F")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, str(RETRY_AFTER))
    told = answer.json()
    assert (told["detail"], told["cites"], told["code"]) == (SENTENCE, "", "busy")
    assert (told["status"], answer.headers["Content-Type"]) == (503, "application/problem+json")
    assert not Post.objects.filter(turn=api.world.turn).exists()
    assert send("Hex", "20F > 22F").status_code == 201
