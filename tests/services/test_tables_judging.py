"""11: judges of tables: who may be one, questions that stop the clocks, rulings with their trial and precedents."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judging.game.errors import Refused
from judging.tables import reads
from judging.tables.models import Entry, Table, TableJudge, TableRuling
from judging.tables.writes import judging
from judging.tables.writes.judging import TableVerdict
from tests.services.tables_of_tests import Game, person, running

pytestmark = pytest.mark.django_db

VERDICT = TableVerdict("A draws 1", "K42", "The text says so.", "Old Pact")


@pytest.fixture
def game() -> Game:
    """A running table in its first main phase, with Jo as its head judge."""
    made = running()
    person("Jo")
    judging.name_judge(table=made.table, by=person("Ana"), username="jo", name="Jo", now=made.now)
    made.go_on("first")
    return made


def rule(game: Game, who: str = "Jo", verdict: TableVerdict = VERDICT, token: str = "one", on: str = "") -> Entry:
    """Somebody rules."""
    return judging.rule(
        table=game.table, user=person(who), verdict=verdict, on=on or game.row().head, token=token, now=game.now
    )


def test_the_first_judge_is_the_head_and_players_may_not_be_judges(game: Game) -> None:
    person("Kim")
    second = judging.name_judge(table=game.table, by=person("Jo"), username="kim", name="Kim", now=game.now)
    assert TableJudge.objects.get(name="Jo").is_head
    assert not second.is_head
    with pytest.raises(Refused, match="can't judge"):
        judging.name_judge(table=game.table, by=person("Jo"), username="bo", name="Bo", now=game.now)
    with pytest.raises(Refused, match="names them"):
        judging.name_judge(table=game.table, by=person("Bo"), username="kim", name="Kim", now=game.now)


def test_a_dismissed_judge_rules_no_longer(game: Game) -> None:
    judge = TableJudge.objects.get(name="Jo")
    judging.dismiss_judge_of_table(table=game.table, by=person("Ana"), judge_id=judge.pk, now=game.now)
    with pytest.raises(Refused, match="Only the judges"):
        rule(game)


def test_a_ruling_is_carried_out_and_stands_in_the_log_with_its_citation_and_reason(game: Game) -> None:
    before = len(game.view("Ana").view["zones"]["A.hand"])
    entry = rule(game)
    assert len(game.view("Ana").view["zones"]["A.hand"]) == before + 1
    assert (entry.by, entry.args["cites"], entry.args["reason"]) == ("judge", "K42", "The text says so.")
    assert game.view().log()[0].reason == "The text says so."
    assert TableRuling.objects.get().card == "Old Pact"


def test_a_trial_shows_what_would_happen_and_changes_nothing(game: Game) -> None:
    head = game.row().head
    tried = judging.trial(table=game.row(), verdict=VERDICT)
    assert "drawn" in {event["kind"] for event in tried}
    assert not any(event["card"] for event in tried)
    assert game.row().head == head


def test_a_ruling_that_means_nothing_at_the_table_is_refused(game: Game) -> None:
    with pytest.raises(Refused):
        rule(game, verdict=TableVerdict("#999 dies", "K42", "It does."))
    with pytest.raises(Refused, match="by which rule"):
        rule(game, verdict=TableVerdict("A draws 1", "", "It does."))


def test_the_same_ruling_sent_twice_is_one_and_a_stale_one_is_told(game: Game) -> None:
    head = game.row().head
    assert rule(game).pk == rule(game, on=head).pk
    with pytest.raises(Refused, match="Something has happened"):
        rule(game, on=head, token="two")


def test_nobody_but_its_judges_rules_at_a_table(game: Game) -> None:
    for name in ("Ana", "Bo", "Cy"):
        with pytest.raises(Refused, match="Only the judges"):
            rule(game, name)


def test_a_question_stops_the_table_and_its_clocks_until_it_is_answered(game: Game) -> None:
    waited = game.waited()
    asked = game.seat(waited).asked_at
    judging.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)
    assert game.row().due_at is None
    with pytest.raises(Refused, match="stands still"):
        game.post(waited, "pass")
    game.now += timedelta(hours=30)
    rule(game, verdict=TableVerdict("nothing happens", "K42", "It means nothing."))
    row = game.row()
    assert not row.question
    assert row.stopped_at is None
    moved = game.seat(waited).asked_at
    assert asked is not None
    assert moved is not None
    assert moved - asked >= timedelta(hours=29)


def test_who_asked_may_take_his_question_back(game: Game) -> None:
    judging.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)
    with pytest.raises(Refused, match="Only who asked"):
        judging.take_question_back(table=game.table, user=person("Ana"), now=game.now)
    judging.take_question_back(table=game.table, user=person("Bo"), now=game.now)
    assert not Table.objects.get().question
    assert Table.objects.get().due_at is not None


def test_a_ruling_is_found_again_by_its_card(game: Game) -> None:
    rule(game)
    assert [one.program for one in reads.rulings_on("kryptik", "old pact")] == ["A draws 1"]
    assert reads.rulings_on("kryptik", "Another") == ()


def test_a_standing_order_is_its_seats_own(game: Game) -> None:
    entry = game.post("Bo", "pass until my turn unless attacked", order=True)
    assert "lines" not in entry.args
    assert [order.text for order in game.view("Bo").orders] == ["pass until my turn unless attacked"]
    assert game.view("Ana").orders == ()
    assert game.view("Ana").log()[0].is_hidden
