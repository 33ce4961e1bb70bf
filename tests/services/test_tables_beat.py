"""10: usual stops and the beat: who is passed for at once, and when what was settled privately is answered."""

from datetime import datetime, timedelta

import pytest

from judging.notifications.models import Notification
from judging.tables import game_state
from judging.tables.models import Entry, Table
from judging.tables.notify import notify
from judging.tables.services import judges, posting
from judging.tables.services.opening import beat_of
from tests.services.tables_of_tests import Game, appoint, opened, person, plan, running

pytestmark = pytest.mark.django_db

QUARTER = timedelta(minutes=15)


@pytest.fixture
def game() -> Game:
    """Ana is asked in her first phase; both have the usual stops, and the table a beat of a quarter of an hour."""
    made = running()
    made.go_on("first")
    return made


def other(game: Game) -> str:
    """Who is not waited for."""
    return "Bo" if game.waited() == "Ana" else "Ana"


def beats(game: Game, at: datetime) -> Entry | None:
    """The sweep comes by."""
    if game.table.pk not in posting.beating_tables(at):
        return None
    game.now = at
    return posting.beat_table(table_id=game.table.pk, now=at)


def ordered(game: Game) -> datetime:
    """Who is asked in the other's turn has said beforehand that he passes; the moment on which he does."""
    mine, theirs = game.waited(), other(game)
    game.stops(theirs, "every window")
    game.post(theirs, "pass until my turn", order=True)
    game.post(mine, "pass")
    assert game.waited() == theirs
    due = game.row().beat_at
    assert due is not None
    return due


def test_a_table_begins_with_the_usual_stops_and_a_beat_that_its_log_names(game: Game) -> None:
    opened = Entry.objects.get(table=game.table, n=1).args

    assert (opened["stops"], opened["options"]["beat"]) == ("usual", 900)
    assert "my first" in (game.state().seat("A").stops or ())
    assert game.state().options.beat == 900


def test_at_a_free_table_everybody_is_asked_in_every_window() -> None:
    table = opened(game="free", format="default")

    assert Entry.objects.get(table=table, n=1).args["stops"] == "all"


@pytest.mark.parametrize(("minutes", "seconds"), [(5, 10), (15, 15), (120, 120), (1440, 900)])
def test_where_decisions_have_little_time_the_beat_is_quicker(minutes: int, seconds: int) -> None:
    assert beat_of(plan(decision_time=timedelta(minutes=minutes))) == seconds


def test_a_window_without_a_stop_passes_at_once_for_that_says_nothing(game: Game) -> None:
    mine = game.waited()

    game.post(mine, "pass")

    assert game.waited() == mine
    assert game.state().turn.at != "first"
    assert game.row().beat_at is None


def test_what_an_order_says_is_answered_on_the_quarter_of_an_hour_and_not_before(game: Game) -> None:
    due = ordered(game)
    theirs = game.waited()

    assert due.minute % 15 == due.second == 0
    assert timedelta(0) < due - game.now <= QUARTER
    assert beats(game, due - timedelta(seconds=1)) is None
    made = beats(game, due)

    assert made is not None
    assert (made.by, made.kind, made.args["what"]) == ("service", "tick", "beat")
    assert "seat" not in made.args
    assert "passed" in {event["kind"] for event in made.told.told["spectator"]} or game.waited() != theirs


def test_a_beat_is_done_once_however_often_it_is_tried(game: Game) -> None:
    due = ordered(game)

    assert beats(game, due) is not None
    entries = game.row().entries

    assert posting.beat_table(table_id=game.table.pk, now=due) is None
    assert game.row().entries == entries


def test_who_answers_himself_before_the_beat_is_not_answered_for(game: Game) -> None:
    due = ordered(game)
    game.post(game.waited(), "pass")

    assert beats(game, due) is None or game.row().beat_at is None


def test_while_a_judge_is_asked_nothing_is_answered(game: Game) -> None:
    due = ordered(game)
    appoint(game.table, "Jo", game.now)
    judges.ask(table=game.table, user=person("Bo"), question="What now?", now=game.now)

    assert game.row().beat_at is None
    assert beats(game, due) is None
    judges.take_question_back(table=game.table, user=person("Bo"), now=due)
    again = game.row().beat_at
    assert again is not None
    assert beats(game, again) is not None


def test_nobody_else_is_shown_that_the_beat_will_answer(game: Game) -> None:
    theirs = other(game)
    ordered(game)
    seen = game.view("Ana" if theirs == "Bo" else "Bo")

    assert seen.waits is not None
    assert seen.waits.names == (theirs,)
    assert seen.waits.kind == "priority"
    assert "beat_at" not in str(seen.view)


def test_who_has_settled_his_answer_is_not_called_to_the_table_for_it(game: Game) -> None:
    due = ordered(game)
    theirs = person(game.waited())
    before = Notification.objects.filter(user=theirs).count()

    notify(game.now)

    assert Notification.objects.filter(user=theirs).count() == before
    assert due > game.now


def test_a_table_with_beats_folds_to_the_same_state_without_any_cache(game: Game) -> None:
    due = ordered(game)
    assert beats(game, due) is not None
    live = game.state()

    game_state.forget()

    assert game.state() == live
    assert Table.objects.get(pk=game.table.pk).beat_at == game.row().beat_at
