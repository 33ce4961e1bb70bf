"""9: two who answer at once: sealed answers wait for nobody, and whatever hangs on what happened is looked at anew."""

import os
import signal
from threading import Barrier, Thread
from unittest.mock import patch

import pytest
from django.db import connection

from judging.tables.models import Entry
from judging.tables.services import posting
from judging.tables.services.chain import Stale
from tests.services.tables_of_tests import person, running

pytestmark = pytest.mark.django_db


def test_two_sealed_answers_stand_on_the_same_head() -> None:
    game = running()
    head = game.row().head
    first = game.post("Ana", "keep hand", on=head)

    second = game.post("Bo", "keep hand", on=head)

    assert (first.args["on"], second.args["on"]) == (head, head)
    assert game.state().turn.at != "setup"


def test_what_another_orders_privately_keeps_nobody_from_his_post() -> None:
    game = running()
    game.go_on("first")
    who, head = game.waited(), game.row().head
    game.post("Bo" if who == "Ana" else "Ana", "no block when attack <= 1", order=True)

    assert game.post(who, "pass", on=head).args["on"] == head


def test_a_post_is_stale_when_something_has_happened_that_its_author_could_see() -> None:
    game = running()
    game.go_on("first")
    who, head = game.waited(), game.row().head
    game.post("Bo" if who == "Ana" else "Ana", "propose: nothing happens")

    with pytest.raises(Stale):
        game.post(who, "pass", on=head)
    with pytest.raises(Stale):
        game.post(who, "pass", on="no head of this table")


def test_an_answer_that_was_given_does_not_count_for_the_next_question() -> None:
    game = running()
    game.go_on("first")
    who, head = game.waited(), game.row().head
    game.post(who, "pass", on=head)

    if game.waited() == who:
        with pytest.raises(Stale):
            game.post(who, "pass", on=head)


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_both_taken_one_after_the_other() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time")
    game = running()
    head, start = game.row().head, Barrier(2)
    failed: list[BaseException] = []

    def answers(name: str) -> None:
        user = person(name)
        try:
            start.wait(10)
            posting.post(
                table=game.table, user=user, lines=["keep hand"], on=head, token=f"form of {name}", now=game.now
            )  # fmt: skip
        except BaseException as error:  # told by the test itself
            failed.append(error)
        finally:
            connection.close()

    threads = [Thread(target=answers, args=(name,)) for name in ("Ana", "Bo")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert failed == []
    rows = list(Entry.objects.filter(table=game.table).order_by("n"))
    assert [row.n for row in rows] == list(range(1, len(rows) + 1))
    assert [row.prev for row in rows[1:]] == [row.hash for row in rows[:-1]]
    assert {row.by for row in rows[-2:]} == {"A", "B"}
    assert game.state().turn.at != "setup"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("where", ["services.chain.keep_told", "clocks.ask_anew", "services.posting.next_game"])
def test_a_process_that_is_killed_in_the_middle_of_a_step_leaves_nothing_of_it(where: str) -> None:
    """T6: what is posted is there as a whole or not at all, and the same form is sent again."""
    if connection.vendor != "postgresql":
        pytest.skip("another process sees no database that is in memory")
    game = running()
    before = game.row()
    child = os.fork()
    if child == 0:
        try:
            connection.connection = None  # the parent's, which is not to be closed here
            cut = patch(f"judging.tables.{where}", side_effect=lambda *given, **more: os.kill(os.getpid(), 9))
            with cut:
                game.post("Ana", "keep hand", token="the form that is cut off")
        finally:
            os._exit(1)

    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    after = game.row()
    assert (after.head, after.entries) == (before.head, before.entries)
    assert Entry.objects.filter(table=game.table).count() == before.entries
    assert game.post("Ana", "keep hand", token="the form that is cut off").n == before.entries + 1
