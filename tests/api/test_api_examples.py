"""The examples of the documentation are what the demo round answers. `make api-examples` writes them anew."""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import QuerySet
from pytest_django import DjangoDbBlocker

from judging.accounts.tokens.models import AccessToken
from judging.api.schema import FOLDER, example
from judging.battles.assignments.models import JudgeLeave, StatedConflict
from judging.battles.models import Battle, BattleArmy, Result, Score
from judging.battles.rejudging.models import Rejudgement
from judging.boards.models import Block, Report
from judging.chain import services as chain
from judging.common.notify import News
from judging.demo.making import make
from judging.notifications.services import tell
from judging.penalties.services import NewPenalty, hand_down
from judging.turns.models import Post
from judging.votes.models import Vote
from tests.api import preparing
from tests.api.preparing import client_of
from tests.api.test_api_schema import operations
from wargame.models import Judge, Round, Turn
from wargame.rules.battle.mixing import seal_of

NOW = datetime(2026, 3, 4, 15, 30, 12, 345678, tzinfo=UTC)
OPERATIONS = {operation["operationId"]: (path, method) for path, method, operation in operations()}
PLAYER = "auricthorn"
"""The log-in of who asks where one must be logged in: a leader who controls armies and may ask for more."""

FIGHTER = "mirrormask"
"""The log-in of who fights in the present turn and has sent his strat."""

ASKED_BY = {
    "strats_mine": FIGHTER,
    "my_turn_read": PLAYER,
    **dict.fromkeys(
        ("boards_list", "messages_withdraw", "posts_withdraw", "done_take_back", "tokens_list", "tokens_revoke"), PLAYER
    ),
    "appeals_withdraw": PLAYER,
    **dict.fromkeys(("press_list", "press_leave", "reports_list", "blocks_list", "blocks_delete"), PLAYER),
    **dict.fromkeys(("notifications_list", "notification_settings_read"), PLAYER),
    **dict.fromkeys((name for name, (_, method) in OPERATIONS.items() if method in ("post", "patch", "put")), PLAYER),
    "strats_create": FIGHTER,
    "words_create": FIGHTER,
    "feedback_give": "kavuwhisperer",
    "tables_read": PLAYER,
    **dict.fromkeys(("reports_decide", "judges_conflicts_create", "judges_conflicts_withdraw"), "magistra"),
    **dict.fromkeys(
        ("judges_leave_state", "judges_leave_end", "desk_list", "desk_asked", "judges_deputy_name"), "magistra"
    ),
    **dict.fromkeys((name for name in OPERATIONS if name.startswith(("desk_battle_", "rejudgements_"))), "magistra"),
    "rejudgements_decide": "second",
    **preparing.ASKED_BY,
}
QUERY = {"events_list": "?limit=1"}
"""What is asked besides. PostgreSQL leaves gaps in the keys of events: the first one alone is the same everywhere."""

PREFIX = "abcdefgh"
CONVERSATION = "press-0123456789ab"
PRESENT = {"orders_list", "posts_create", "strats_mine", "done_read", "done_mark", "done_take_back"}
"""What is asked of the present turn; else it is the last one that was settled."""


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker, _draw: Random) -> Iterator[Round]:
    """The demo round, with the same draws and the same keys whatever ran before."""
    _draw.seed(7)
    with (
        django_db_blocker.unblock(),
        transaction.atomic(),
        time_machine.travel(NOW, tick=False),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(chain, "drawn_secret", lambda: "00" * 32)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_by_name_sql(
                no_style(), connection.introspection.sequence_list()
            ):
                cursor.execute(statement)
        yield make(turn_length=None, fresh=False, now=NOW, say=lambda line: None)
        transaction.set_rollback(True)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_example_of_an_address_is_what_the_demo_answers(
    demo: Round, db: None, operation: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if operation.startswith("press_"):
        name = CONVERSATION.removeprefix("press-")
        monkeypatch.setattr("judging.boards.services.secrets.token_hex", lambda size: name)
    path, method = OPERATIONS[operation]
    take_back_keys()
    with time_machine.travel(NOW, tick=False):
        prepare(operation, demo)
        more = preparing.prepare(operation, preparing.Scene(demo, NOW, monkeypatch))
        address = path.format(**{**parameters(operation, demo), **more}) + QUERY.get(operation, "")
        client = client_of(ASKED_BY.get(operation, ""))
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


def take_back_keys() -> None:
    """PostgreSQL takes back what another example did, but not the keys that were given out for it."""
    if statements := connection.ops.sequence_reset_sql(no_style(), apps.get_models()):
        with connection.cursor() as cursor:
            cursor.execute(" ".join(statements))


def prepare(operation: str, round_: Round) -> None:
    """Does first what the demo round has none of."""
    if operation == "penalties_list" or operation.startswith("appeals_"):
        turn, judge = Turn.objects.get(round=round_, number=4), Judge.objects.get(round=round_, role="movement")
        new = NewPenalty("dice", "Cinderhoof", "Auric Thorn", "2", ("",) * 4, "5.4.1", "He moved what is not his.")
        hand_down(turn=turn, judge=judge, new=new, token="a-penalty", now=NOW)
    if operation == "feedback_give":
        Result.objects.update(published_at=NOW - timedelta(hours=1))
    if operation == "words_create":
        prepare_word()
    if operation.startswith(("desk_battle_", "rejudgements_")):
        prepare_desk(operation, round_.slug)
    if operation.startswith("appeals_") and operation != "appeals_lodge":
        path = OPERATIONS["appeals_lodge"][0].format(slug=round_.slug)
        made = client_of(PLAYER).post(path, example("appeals_lodge.request"), format="json")
        assert made.status_code == 201, made.content
    if operation == "rounds_end":
        Round.objects.filter(pk=round_.pk).update(state="over", winner="coalition")
    if operation in ("posts_read", "posts_change", "posts_withdraw"):
        path = OPERATIONS["posts_create"][0].format(slug=round_.slug, number=4)
        made = client_of(PLAYER).post(path, example("posts_create.request"), format="json")
        assert made.status_code == 201, made.content
    if operation == "control_requests_list":
        path = OPERATIONS["control_requests_create"][0].format(slug=round_.slug)
        client_of(PLAYER).post(path, example("control_requests_create.request"))
    if operation.startswith(("topics_", "press_", "reports_", "blocks_")):
        prepare_talk(operation, round_.slug)
    if operation in ("judges_conflicts_withdraw", "judges_leave_end"):
        judge = Judge.objects.filter(round=round_, user__username="magistra").order_by("role")[0]
        StatedConflict.objects.create(judge=judge, about="faction", code="red", stated_at=NOW)
        JudgeLeave.objects.create(judge=judge, since=NOW, stated_at=NOW)
    if operation.startswith("notifications_"):
        user = User.objects.get(username=PLAYER)
        data = {"army": "Auric Thorn"}
        tell([News(user.pk, "army.given", "an-army", NOW, round_.pk, 5, data)], NOW)
    if operation.startswith("tokens_"):
        user = User.objects.get(username=PLAYER)
        row = {"name": "orders on mondays", "scopes": ["read", "post"], "made_at": NOW, "digest": ""}
        AccessToken.objects.create(user=user, prefix=PREFIX, expires_at=NOW + timedelta(days=90), **row)


def prepare_desk(operation: str, slug: str) -> None:
    """A battle that waits for its score, judged up to the step that is shown; a published one that is judged anew."""
    Battle.objects.filter(turn__number=4).update(dice_mix="seed")
    steps = ("desk_battle_score", "desk_battle_roll", "desk_battle_publish")
    before = steps[: steps.index(operation)] if operation in steps else ()
    if operation.startswith("rejudgements_"):  # R53: another battle judge, who agrees
        user, round_ = User.objects.create_user("second"), Round.objects.get(slug=slug)
        Judge.objects.create(round=round_, user=user, name="Judge Second", role="battle", is_head=False)
    before = ("rejudgements_propose",) if operation in ("rejudgements_list", "rejudgements_decide") else before
    for step in before:
        path = OPERATIONS[step][0].format(**parameters(step, Round.objects.get(slug=slug)))
        send = getattr(client_of("magistra"), OPERATIONS[step][1])
        done = send(path, example(f"{step}.request"), format="json")
        assert done.status_code in (200, 201), done.content


def prepare_word() -> None:
    """A strat whose sender sealed a word, and a score that is locked."""
    given = example("words_create.request")
    entry = BattleArmy.objects.get(name=given["army"], battle__turn__number=4)
    judge = Judge.objects.get(round=entry.battle.turn.round, role="battle")
    entry.strats.update(word_sha256=seal_of(given["word"]), sha256="ab" * 32)
    Battle.objects.filter(pk=entry.battle_id).update(dice_mix="words", mix_within=timedelta(hours=6), state="scored")
    Score.objects.create(battle=entry.battle, judge=judge, locked_at=NOW)


def prepare_talk(operation: str, slug: str) -> None:
    """A topic, a conversation, a report or a block, where one is shown or changed."""
    made_by = {
        "topics": "topics_create",
        "press": "press_create",
        "reports": "reports_create",
        "blocks": "blocks_create",
    }
    create = made_by[operation.partition("_")[0]]
    if operation != create:
        board = "team-coalition" if operation == "topics_change" else "talk"
        path = OPERATIONS[create][0].format(slug=slug, board=board)
        made = client_of(PLAYER).post(path, example(f"{create}.request"), format="json")
        assert made.status_code == 201, made.content


def parameters(operation: str, round_: Round) -> dict[str, Any]:
    """What stands for the parameters of the address."""
    battles = Battle.objects.filter(turn__round=round_).order_by("turn__number", "number")
    fought = battles.filter(result__isnull=False, turn__number=3)
    fought_by = battles.filter(entries__name=example("strats_create.request")["army"], turn__number=4)
    is_present = operation in ("strats_create", "words_create") or operation.startswith("desk_battle_")
    posts = Post.objects.filter(turn__round=round_, turn__number=4, player__user__username=PLAYER)
    return {
        **dict.fromkeys(("army", "step", "what", "key", "how", "page"), "none"),
        "slug": round_.slug,
        "number": number_of(operation),
        "name": "Auric Thorn",
        "battle_id": key_of(fought_by if is_present else fought),
        "rejudgement_id": key_of(Rejudgement.objects.order_by("pk")),
        "board": {"topics_change": "team-coalition", "press_leave": CONVERSATION}.get(operation, "talk"),
        "topic": 2,
        "report_id": key_of(Report.objects.order_by("pk")),
        "conflict_id": key_of(StatedConflict.objects.order_by("pk")),
        "block_id": key_of(Block.objects.order_by("pk")),
        "prefix": PREFIX,
        "post_id": key_of(posts.order_by("posted_at")),
        "table": "an-evening-at-the-harbour",
        "vote_id": key_of(Vote.objects.filter(round=round_).order_by("-closes_at")),
    }


def number_of(operation: str) -> int:
    """The number of a message, an appeal or a turn."""
    if operation.startswith("appeals_"):
        return 1
    return 5 if operation.startswith("messages_") else 4 if operation in PRESENT else 3


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
