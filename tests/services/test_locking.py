"""The order in which rows are held, and what becomes of a writer that others are in the way of."""

import re
import sqlite3
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from threading import Event
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import DatabaseError, OperationalError, connection

from judging.battles.desk import publishing
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Result, Strat
from judging.common import locking
from judging.common.errors import Refused
from judging.common.locking import Busy, NoTransaction, OutOfOrder
from judging.penalties import services as penalties
from judging.penalties.models import Penalty
from judging.turns.models import Post
from judging.turns.posts.services import submit_post
from tests.services.penalties import new_penalty
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_judge, token
from wargame.models import Army, Player, Round, Turn


def in_the_way(state: str | int) -> OperationalError:
    """The error of PostgreSQL with that SQLSTATE, or of SQLite with that code, as Django raises it."""
    cause: Exception
    if isinstance(state, int):
        cause = sqlite3.OperationalError("made up")
        cause.sqlite_errorcode = state  # type: ignore[misc]
    else:
        cause = psycopg.errors.lookup(state)("made up")
    error = OperationalError("made up")
    error.__cause__ = cause
    return error


PASSING = ["40P01", "40001", "55P03", sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_SNAPSHOT, sqlite3.SQLITE_LOCKED]
FULL = ["53100", sqlite3.SQLITE_FULL]


def failing(error: DatabaseError, times: int) -> Callable[..., None]:
    """A writer that makes a round and fails so many times after that. How often it was called is in its `calls`."""
    calls: list[str] = []

    @locking.writes
    def work(world: World) -> None:
        calls.append("called")
        add_judge(world.round, "movement", "Deputy", is_head=False)
        if len(calls) <= times:
            raise error

    work.calls = calls  # type: ignore[attr-defined]
    return work


def deputies(world: World) -> int:
    return world.round.judges.filter(name="Deputy").count()


@pytest.mark.parametrize("state", PASSING)
def test_a_writer_that_others_are_in_the_way_of_is_done_once_more(world: World, state: str | int) -> None:
    work = failing(in_the_way(state), times=1)
    work(world)
    assert len(work.calls) == 2  # type: ignore[attr-defined]
    assert deputies(world) == 1


@pytest.mark.parametrize("state", PASSING)
def test_after_the_second_time_it_is_busy_and_nothing_is_stored(world: World, state: str | int) -> None:
    work = failing(in_the_way(state), times=2)
    with pytest.raises(Busy, match=r"^Busy: nothing was saved\. Try again\.$"):
        work(world)
    assert len(work.calls) == 2  # type: ignore[attr-defined]
    assert deputies(world) == 0


@pytest.mark.parametrize("state", FULL)
def test_a_full_disk_is_told_at_once(world: World, state: str | int) -> None:
    work = failing(in_the_way(state), times=1)
    with pytest.raises(Busy, match="The server's disk is full, so nothing was saved"):
        work(world)
    assert len(work.calls) == 1  # type: ignore[attr-defined]
    assert deputies(world) == 0


@pytest.mark.parametrize("state", ["42P01", sqlite3.SQLITE_ERROR])
def test_any_other_error_of_the_database_is_a_mistake(world: World, state: str | int) -> None:
    work = failing(in_the_way(state), times=1)
    with pytest.raises(OperationalError):
        work(world)
    assert len(work.calls) == 1  # type: ignore[attr-defined]


def test_a_writer_within_another_is_begun_anew_with_it(world: World) -> None:
    inner = failing(in_the_way("40P01"), times=1)
    outer: list[str] = []

    @locking.writes
    def work() -> None:
        outer.append("called")
        inner(world)

    work()
    assert (len(outer), len(inner.calls), deputies(world)) == (2, 2, 1)  # type: ignore[attr-defined]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks rows, not the whole database")
def test_a_database_that_another_process_holds_is_busy(world: World) -> None:
    post: dict[str, Any] = {"turn": world.turn, "player": world.players["Ana"], "text": "3D > 4D", "sealed": False}
    post |= {"token": "form-of-busy", "now": UNLOCK + HOUR}
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 5")
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy):
            submit_post(**post)
    finally:
        other.close()
        connection.close()
    assert not Post.objects.exists()
    assert submit_post(**post).number == 1


def hold_battle(war: World) -> None:
    locking.hold(Battle.objects, pk=Battle.objects.get().pk)


def hold_turn(war: World) -> None:
    locking.hold(Turn.objects, pk=war.turn.pk)


def hold_round(war: World) -> None:
    locking.hold(Round.objects, pk=war.round.pk)


def hold_army(war: World) -> None:
    locking.hold(Army.objects, pk=war.army("Ana").pk)


def hold_player(war: World) -> None:
    locking.hold_first(Player.objects.filter(pk=war.players["Ana"].pk))


IN_ORDER = [hold_round, hold_turn, hold_battle, hold_army, hold_player]


@locking.writes
def one_after_the_other(war: World, *holders: Callable[[World], None]) -> None:
    for hold in holders:
        hold(war)


def test_rows_are_held_from_the_round_to_all_others_by_name(war: World) -> None:
    one_after_the_other(war, *IN_ORDER)


@pytest.mark.parametrize("place", range(len(IN_ORDER) - 1))
def test_a_row_that_comes_before_one_that_is_held_can_not_be_held(war: World, place: int) -> None:
    with pytest.raises(OutOfOrder, match="hold it first"):
        one_after_the_other(war, IN_ORDER[place + 1], IN_ORDER[place])


def test_rows_of_one_model_are_held_by_their_keys(war: World) -> None:
    first, second = sorted(player.pk for player in war.players.values())[:2]
    with locking.transaction():
        assert [row.pk for row in locking.hold_all(Player.objects.filter(pk__in=[second, first]))] == [first, second]
    with pytest.raises(OutOfOrder):
        one_after_the_other(war, *(lambda _, pk=pk: locking.hold(Player.objects, pk=pk) for pk in (second, first)))


def test_a_writer_within_another_keeps_to_the_order_of_both(war: World) -> None:
    with pytest.raises(OutOfOrder):
        one_after_the_other(war, hold_battle, locking.writes(hold_turn))


def test_what_is_held_already_can_be_held_again(war: World) -> None:
    one_after_the_other(war, hold_turn, hold_battle, hold_turn)


def test_each_transaction_begins_anew(war: World) -> None:
    for take in reversed(IN_ORDER):
        one_after_the_other(war, take)


def test_the_order_begins_anew_after_a_failure(war: World) -> None:
    def refuse(war: World) -> None:
        raise Refused("Something else.")

    with pytest.raises(Refused):
        one_after_the_other(war, hold_battle, refuse)
    one_after_the_other(war, hold_turn)


def test_who_makes_a_round_alone_holds_its_rows_in_any_order(war: World) -> None:
    with locking.transaction(is_alone=True):
        hold_battle(war)
        hold_turn(war)


@pytest.mark.parametrize("take", IN_ORDER)
def test_no_row_is_held_without_a_transaction(war: World, take: Callable[[World], None]) -> None:
    with pytest.raises(NoTransaction, match="in a transaction only"):
        take(war)


def test_rows_are_held_and_transactions_opened_in_one_module_alone() -> None:
    own = re.compile(r"select_for_update|transaction\.atomic|import atomic|non_atomic")
    found = {
        path.relative_to(settings.BASE_DIR).as_posix()
        for path in Path(settings.BASE_DIR, "judging").rglob("*.py")
        if "migrations" not in path.parts and own.search(path.read_text())
    }
    assert found == {"judging/common/locking.py"}
    outside = [
        path for path in Path(settings.BASE_DIR, "wargame").rglob("*.py") if "select_for_update" in path.read_text()
    ]
    assert outside == []


def test_the_odds_are_worked_out_while_nobody_waits_for_the_battle(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    battle, judge = Battle.objects.get(), war.judges["battle"]
    now = battle.deadline + HOUR
    lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=now)
    held: list[bool] = []
    work_out = publishing.odds_between

    def watched(*given: Any) -> Any:
        held.append(locking._open.held is not None)
        return work_out(*given)

    monkeypatch.setattr(publishing, "odds_between", watched)
    publishing.publish_result(battle=battle, judge=judge, narrative="", now=now)
    assert held == [False]


def test_odds_of_a_score_that_was_overruled_meanwhile_are_worked_out_anew(
    war: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    battle, judge = Battle.objects.get(), war.judges["battle"]
    now = battle.deadline + HOUR
    score = lock_score(battle=battle, judge=judge, favours=0, bonus=0, now=now)
    checked = publishing.battle_to_judge

    def overruled(pk: int) -> tuple[Battle, dict[str, Strat]]:
        score.favours = 1
        score.save()
        return checked(pk)

    monkeypatch.setattr(publishing, "battle_to_judge", overruled)
    result = publishing.publish_result(battle=battle, judge=judge, narrative="", now=now)
    sides = publishing.sides_of(battle, publishing.counting_strats(battle), score.favours, score.bonus)
    assert tuple(result.odds) == publishing.odds_between(battle, sides).wins


@pytest.fixture
def collisions(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """The errors of the database that a writer met, those included after which it was done once more."""
    met: list[BaseException] = []
    busy_of = locking.busy_of

    def noted(error: BaseException) -> Busy | None:
        met.append(error)
        return busy_of(error)

    monkeypatch.setattr(locking, "busy_of", noted)
    return met


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_result_a_penalty_and_a_post_do_not_wait_for_each_other(
    war: World, monkeypatch: pytest.MonkeyPatch, collisions: list[BaseException]
) -> None:
    """Each holds what it holds first before the others go on: the battle, the turn; and the post waits for the turn."""
    battle, turn, judge = Battle.objects.get(), war.turn, war.judges["battle"]
    now = battle.deadline + HOUR
    lock_score(battle=battle, judge=judge, favours=None, bonus=0, now=now)
    has_battle, has_turn = Event(), Event()
    roll, check = publishing.rolled, penalties.checked_penalty

    def roll_late(*given: Any) -> Any:
        has_battle.set()
        assert has_turn.wait(10)
        return roll(*given)

    def check_late(*given: Any) -> Penalty:
        has_turn.set()
        return check(*given)

    def penalise() -> Penalty:
        assert has_battle.wait(10)
        new = new_penalty("Ana", "Ben", kind="stated", severity="", troops=("1", "", "", ""))
        return penalties.hand_down(turn=turn, judge=judge, new=new, token=token(), now=now)

    def post() -> Post:
        assert has_turn.wait(10)
        return war.post("Hex", "20F > 21F", at=now)

    monkeypatch.setattr(publishing, "rolled", roll_late)
    monkeypatch.setattr(penalties, "checked_penalty", check_late)
    publish = lambda: publishing.publish_result(battle=battle, judge=judge, narrative="", now=now)  # noqa: E731
    given = at_once(publish, penalise, post)
    assert [type(one) for one in given] == [Result, Penalty, Post], given
    assert collisions == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_who_waits_too_long_for_a_row_is_told_that_it_is_busy(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "LONGEST_WAIT", timedelta(milliseconds=50))
    has_turn, is_told = Event(), Event()

    def hold_for_long() -> None:
        with locking.transaction():
            hold_turn(world)
            has_turn.set()
            assert is_told.wait(10)

    def post() -> Post:
        assert has_turn.wait(10)
        try:
            return world.post("Ana", "3D > 4D")
        finally:
            is_told.set()

    given = at_once(hold_for_long, post)
    assert isinstance(given[1], Busy), given
    assert not Post.objects.exists()
