"""The examples of the documentation are what the demo round answers. `make api-examples` writes them anew."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import QuerySet
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from judging.accounts.tokens.models import AccessToken
from judging.api.examples import FOLDER, example
from judging.battles.models import Battle
from judging.demo.making import make
from judging.penalties.writes import NewPenalty, hand_down
from judging.turns.models import Post
from judging.votes.models import Vote
from tests.api.test_api_schema import operations
from wargame.models import Judge, Round, Turn

NOW = datetime(2026, 3, 4, 15, 30, 12, 345678, tzinfo=UTC)
OPERATIONS = {operation["operationId"]: (path, method) for path, method, operation in operations()}
PLAYER = "auricthorn"
"""The log-in of who asks where one must be logged in: a leader who controls armies and may ask for more."""

FIGHTER = "mirrormask"
"""The log-in of who fights in the present turn and has sent his strat."""

ASKED_BY = {
    "strats_mine": FIGHTER,
    **dict.fromkeys(
        ("boards_list", "messages_withdraw", "posts_withdraw", "done_take_back", "tokens_list", "tokens_revoke"), PLAYER
    ),
    **dict.fromkeys((name for name, (_, method) in OPERATIONS.items() if method in ("post", "patch", "put")), PLAYER),
    "strats_create": FIGHTER,
}
PREFIX = "abcdefgh"
PRESENT = {"orders_list", "posts_create", "strats_mine", "done_read", "done_mark", "done_take_back"}
"""What is asked of the present turn; else it is the last one that was settled."""


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker, _draw: Random) -> Iterator[Round]:
    """The demo round, with the same draws and the same keys whatever ran before."""
    _draw.seed(7)
    with django_db_blocker.unblock(), transaction.atomic(), time_machine.travel(NOW, tick=False):
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_by_name_sql(
                no_style(), connection.introspection.sequence_list()
            ):
                cursor.execute(statement)
        yield make(turn_length=None, fresh=False, now=NOW, say=lambda line: None)
        transaction.set_rollback(True)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_example_of_an_address_is_what_the_demo_answers(demo: Round, db: None, operation: str) -> None:
    path, method = OPERATIONS[operation]
    client = client_of(ASKED_BY.get(operation, ""))
    with time_machine.travel(NOW, tick=False):
        prepare(operation, demo)
        address = path.format(**parameters(operation, demo))
        response = getattr(client, method)(address, example(f"{operation}.request"), format="json")
    assert response.status_code in (200, 201), response.content
    answer = response.json()
    told = shortened(answer["results"][0] if operation.endswith("_list") and "results" in answer else answer)
    if os.environ.get("WRITE_API_EXAMPLES"):
        text = json.dumps(told, indent=2, ensure_ascii=False)
        (FOLDER / f"{operation}.json").write_text(f"{text}\n", encoding="utf-8")
        example.cache_clear()
    assert told == example(operation), f"{operation} has changed: `make api-examples` writes it anew"


def test_no_example_is_of_an_address_that_is_gone() -> None:
    assert {file.name.partition(".")[0] for file in FOLDER.iterdir()} == set(OPERATIONS)


def client_of(username: str) -> APIClient:
    client = APIClient()
    if username:
        user = User.objects.get(username=username)
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def prepare(operation: str, round_: Round) -> None:
    """Does first what the demo round has none of."""
    if operation == "penalties_list":
        turn, judge = Turn.objects.get(round=round_, number=4), Judge.objects.get(round=round_, role="movement")
        new = NewPenalty("dice", "Cinderhoof", "Auric Thorn", "2", ("",) * 4, "5.4.1", "He moved what is not his.")
        hand_down(turn=turn, judge=judge, new=new, token="a-penalty", now=NOW)
    if operation == "rounds_end":
        Round.objects.filter(pk=round_.pk).update(state="over", winner="coalition")
    if operation == "control_requests_list":
        path = OPERATIONS["control_requests_create"][0].format(slug=round_.slug)
        client_of(PLAYER).post(path, example("control_requests_create.request"))
    if operation.startswith("tokens_"):
        user = User.objects.get(username=PLAYER)
        row = {"name": "orders on mondays", "scopes": ["read", "post"], "made_at": NOW, "digest": ""}
        AccessToken.objects.create(user=user, prefix=PREFIX, expires_at=NOW + timedelta(days=90), **row)


def parameters(operation: str, round_: Round) -> dict[str, Any]:
    """What stands for the parameters of the address."""
    battles = Battle.objects.filter(turn__round=round_).order_by("turn__number", "number")
    fought = battles.filter(result__isnull=False, turn__number=3)
    fought_by = battles.filter(entries__name=example("strats_create.request")["army"], turn__number=4)
    posts = Post.objects.filter(turn__round=round_, turn__number=4, player__user__username=PLAYER)
    return {
        "slug": round_.slug,
        "number": 5 if operation.startswith("messages_") else 4 if operation in PRESENT else 3,
        "name": "Auric Thorn",
        "battle_id": key_of(fought_by if operation == "strats_create" else fought),
        "board": "talk",
        "prefix": PREFIX,
        "post_id": key_of(posts.order_by("posted_at")),
        "vote_id": key_of(Vote.objects.filter(round=round_).order_by("-closes_at")),
    }


def key_of(rows: QuerySet[Any]) -> Any:
    return rows.values_list("pk", flat=True).first()


def shortened(value: Any) -> Any:
    """Of every list of objects the first one: an example shows the shape, not the whole war."""
    if isinstance(value, dict):
        return {key: shortened(each) for key, each in value.items()}
    if isinstance(value, list):
        first = value[:1] if value and isinstance(value[0], dict) else value
        return [shortened(each) for each in first]
    return value
