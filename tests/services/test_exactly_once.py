"""3.1: a stage is done once, though its worker dies at any statement of it, and however many workers there are."""

import json
from collections.abc import Callable
from datetime import datetime
from threading import Barrier, Thread
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from judging.announcements.models import Notice
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, BattleArmy, Result
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns.drafts import publish_draft
from judging.turns.models import Draft
from judging.turns.posts.services import submit_post
from judging.turns.stages import advance
from tests.services.world_of_tests import HOUR, LOCKED, World, add_judge, token
from wargame import world as rows
from wargame.models import Army, Base, Control, Round, Troop, Turn

SEED = "5e" * 32


class Killed(Exception):
    """The worker died."""


class DiesAt:
    """Lets so many statements pass, then dies before the next one. A transaction's end belongs to the one before."""

    def __init__(self, passing: int) -> None:
        self.left = passing

    def __call__(self, execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if "SAVEPOINT" not in sql:
            self.left -= 1
            if self.left < 0:
                raise Killed
        return execute(sql, *arguments)


def everything(world: World) -> str:
    """All that a settlement writes, without keys and without seeds that are secret and new each time."""
    turns = Turn.objects.filter(round=world.round).order_by("number")
    told = {
        "turns": turns.values("number", "state", "opened_at", "deadline", "lock_at", "locked_at", "settled_at"),
        "maps": turns.values("position", "position_hash", "events", "next_hash"),
        "drafts": Draft.objects.order_by("turn__number").values("turn__number", "events", "places", "computed_at"),
        "armies": Army.objects.order_by("name").values("name", "side", "at", "days", "plan", "captivity", "died_in"),
        "troops": Troop.objects.order_by("army__name", "place").values("army__name", "place", "alive", "of", "rested"),
        "bases": Base.objects.order_by("name").values("name", "destroyed_in"),
        "control": Control.objects.order_by("pk").values("army__name", "player__name", "since", "until"),
        "battles": Battle.objects.order_by("pk").values("turn__number", "number", "at", "defends", "deadline"),
        "entries": BattleArmy.objects.order_by("pk").values("battle__number", "army__name", "side"),
        "notices": Notice.objects.order_by("pk").values("turn__number", "thread", "kind", "at", "data"),
        "log": LogEntry.objects.order_by("pk").values("action", "at", "data"),
    }
    return json.dumps({name: list(rows) for name, rows in told.items()}, default=str, sort_keys=True)


def make_ready(war: World, *, is_fought: bool = True) -> Turn:
    """Turn 2 with a battle, scored if it `is_fought`, orders, and fixed seeds."""
    Turn.objects.filter(number=2).update(seed=SEED)
    Battle.objects.update(seed=SEED)
    if is_fought:
        war.score(Battle.objects.get())
    war.post("Ben", "10D > 12D > 14D", at=war.turn.opened_at + HOUR)
    war.post("Hex", "20F > 17F", at=war.turn.opened_at + HOUR)
    return war.turn


Run = Callable[[], str]
"""One run of a worker; the state in which it left the turn."""


def run_at(turn: Turn, now: datetime) -> Run:
    """A worker that begins with an empty memory, and carries out whatever is due."""

    def run() -> str:
        rows.maps._positions.clear()
        cache.clear()
        return advance(turn.pk, now)

    return run


def dies_at_every_statement(run: Run, then: Callable[[], str]) -> list[str]:
    """A worker dies before each statement in turn and another one carries on; `then` is what follows, and tells all
    that came of it. The states in which the turn was left, in their order."""
    reference, statements = undisturbed(run, then)
    left = []
    for passing in range(statements):
        with transaction.atomic():
            with pytest.raises(Killed), connection.execute_wrapper(DiesAt(passing)):
                run()
            left.append(Turn.objects.get(number=2).state)
            run()
            assert then() == reference, passing
            transaction.set_rollback(True)
    return list(dict.fromkeys(left))


def undisturbed(run: Run, then: Callable[[], str]) -> tuple[str, int]:
    """What comes of a run that nothing disturbs, and in how many statements; nothing of it stays."""
    counter = DiesAt(10**6)
    with transaction.atomic():
        with connection.execute_wrapper(counter):
            run()
        told = then()
        transaction.set_rollback(True)
    return told, 10**6 - counter.left


@pytest.mark.django_db
def test_a_worker_that_dies_at_any_statement_changes_nothing_that_comes(war: World) -> None:
    """All stages in one go: the battle is fought, and the moves are published at once."""
    turn = make_ready(war)
    left = dies_at_every_statement(run_at(turn, turn.lock_at + HOUR), lambda: everything(war))
    assert left == ["open", "locked"]
    assert run_at(turn, turn.lock_at + HOUR)() == "settled"


@pytest.mark.django_db
def test_a_worker_that_dies_at_any_statement_of_any_stage_changes_nothing_that_comes(war: World) -> None:
    """Stage by stage: the turn waits for a judge between its moves and its settlement."""
    Round.objects.update(publish_after=None)
    turn = make_ready(war, is_fought=False)
    lock, move = run_at(turn, turn.lock_at + HOUR), run_at(turn, turn.lock_at + 3 * HOUR)

    def judge() -> None:
        publish_draft(turn=war.turn, judge=war.judges["movement"], now=turn.lock_at + 2 * HOUR)
        war.score(Battle.objects.get(turn=turn), now=turn.lock_at + 2 * HOUR)

    def the_rest() -> str:
        judge()
        assert move() == "settled"
        return everything(war)

    assert dies_at_every_statement(lock, the_rest) == ["open", "locked", "moved"]
    assert lock() == "moved"
    judge()
    assert dies_at_every_statement(move, lambda: everything(war)) == ["moved", "fought"]
    assert move() == "settled"


@pytest.mark.django_db
def test_a_second_run_does_nothing(war: World) -> None:
    turn = make_ready(war)
    advance(turn.pk, turn.lock_at + HOUR)
    before = everything(war)
    assert advance(turn.pk, turn.lock_at + 2 * HOUR) == "settled"
    assert everything(war) == before


def at_once(*calls: Callable[[], Any]) -> list[Any]:
    """Carries the calls out in as many threads, started together: what each gave or raised."""
    barrier = Barrier(len(calls))
    given: list[Any] = [None] * len(calls)

    def run(place: int) -> None:
        barrier.wait()
        try:
            given[place] = calls[place]()
        except Exception as error:
            given[place] = error
        finally:
            connection.close()

    threads = [Thread(target=run, args=(place,)) for place in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return given


@pytest.mark.django_db(transaction=True)
def test_four_workers_settle_a_turn_once(war: World) -> None:
    turn = make_ready(war)
    now = turn.lock_at + HOUR
    given = at_once(*[lambda: advance(turn.pk, now)] * 4)
    assert not [error for error in given if isinstance(error, Exception)]
    advance(turn.pk, now)
    assert Turn.objects.count() == 3
    assert LogEntry.objects.filter(data__turn=2, action="turn.locked").count() == 1
    assert LogEntry.objects.filter(data__turn=2, action="turn.settled").count() == 1
    assert Notice.objects.filter(turn__number=2, kind="update").count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_judges_who_publish_at_once_make_one_result(war: World) -> None:
    battle = Battle.objects.get()
    now = battle.deadline + HOUR
    first, second = war.judges["battle"], add_judge(war.round, "battle", "Deputy", is_head=False)
    lock_score(battle=battle, judge=first, favours=None, bonus=0, now=now)
    given = at_once(
        lambda: publish_result(battle=battle, judge=first, narrative="One.", now=now),
        lambda: publish_result(battle=battle, judge=second, narrative="Two.", now=now),
    )
    refused = [error for error in given if isinstance(error, Refused)]
    assert Result.objects.count() == 1
    assert [type(one) for one in given if not isinstance(one, Refused)] == [Result]
    assert len(refused) == 1
    assert "published this result" in refused[0].sentence


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_four_times_at_once_makes_one_post(world: World) -> None:
    form, turn, now = token(), world.turn, world.turn.opened_at + HOUR
    given = at_once(
        *[
            lambda: submit_post(
                turn=turn, player=world.players["Ana"], text="3D > 4D", sealed=False, token=form, now=now
            )
        ]
        * 4
    )
    assert len({post.pk for post in given}) == 1
    assert world.turn.posts.count() == 1


@pytest.mark.django_db(transaction=True)
def test_posts_of_many_players_at_once_are_numbered_one_by_one(world: World) -> None:
    names = ["Ana", "Ben", "Gaz", "Hex"]
    given = at_once(*[lambda name=name: world.post(name, "hold") for name in names])
    assert sorted(post.number for post in given) == [1, 2, 3, 4]


@pytest.mark.django_db(transaction=True)
def test_a_post_beside_the_lock_is_in_the_settlement_or_refused(world: World) -> None:
    turn = world.turn
    # Into this turn, whichever is the last one by then.
    post = {"turn": turn, "player": world.players["Ana"], "text": "3D > 4D", "sealed": False, "token": token()}
    posted, _ = at_once(
        lambda: submit_post(**post, now=turn.lock_at),
        lambda: advance(turn.pk, LOCKED),
    )
    if isinstance(posted, Refused):
        assert world.army("Ana").at == "3D"
        assert not turn.posts.exists()
    else:
        assert world.army("Ana").at == "4D"
