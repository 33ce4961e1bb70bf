"""11: judges of tables: who may be one, questions that stop the clocks, rulings with their trial and precedents."""

from datetime import timedelta

import pytest

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.tables import queries
from judging.tables.models import Entry, JudgeProposal, Table, TableJudge, TableRuling
from judging.tables.queries import table_view
from judging.tables.services import judges
from judging.tables.services.judges import TableVerdict
from tests.services.tables_of_tests import OPENED, Game, appoint, opened, person, running, sit

pytestmark = pytest.mark.django_db

VERDICT = TableVerdict("A draws 1", "K42", "The text says so.", "Old Pact")


@pytest.fixture
def game() -> Game:
    """A running table in its first main phase, with Jo as its head judge."""
    made = running()
    person("Jo")
    appoint(made.table, "Jo", made.now)
    made.go_on("first")
    return made


def rule(game: Game, who: str = "Jo", verdict: TableVerdict = VERDICT, token: str = "one", on: str = "") -> Entry:
    """Somebody rules."""
    made = judges.rule(
        table=game.table, user=person(who), verdict=verdict, on=on or game.row().head, token=token, now=game.now
    )
    assert isinstance(made, Entry)
    return made


def proposed(game: Game, by: str, name: str) -> JudgeProposal:
    """Somebody proposes a judge."""
    person(name)
    made = judges.name_judge(table=game.table, by=person(by), username=name.lower(), name=name, now=game.now)
    assert isinstance(made, JudgeProposal)
    return made


def answered(game: Game, by: str, row: JudgeProposal, *, agrees: bool = True) -> None:
    """A player answers it."""
    judges.answer_proposal(table=game.table, by=person(by), proposal_id=row.pk, agrees=agrees, now=game.now)


def in_office(game: Game) -> list[str]:
    """The judges of the table."""
    return [judge.name for judge in game.table.judges.filter(dismissed_at=None)]


def test_a_judge_named_before_anybody_else_sits_down_judges_at_once_and_is_shown_to_who_sits_down() -> None:
    table = opened()
    sit(table, "Ana")
    person("Jo")
    judge = judges.name_judge(table=table, by=person("Ana"), username="jo", name="Jo", now=OPENED)
    assert isinstance(judge, TableJudge)
    assert judge.is_head
    sit(table, "Bo")
    assert [each.name for each in table_view(Table.objects.get(), person("Bo"), OPENED).judges] == ["Jo"]


def test_once_somebody_else_sits_a_judge_needs_every_seat_and_the_openers_word_alone_does_nothing(game: Game) -> None:
    row = proposed(game, "Ana", "Kim")
    assert in_office(game) == ["Jo"]
    assert Notification.objects.filter(user=person("Bo"), kind="table.judge_proposed", read_at=None).exists()
    with pytest.raises(Refused, match="Only the players"):
        answered(game, "Jo", row)
    answered(game, "Bo", row)
    assert in_office(game) == ["Jo", "Kim"]
    assert not Notification.objects.filter(kind="table.judge_proposed", read_at=None).exists()
    assert Notification.objects.filter(user=person("Kim"), kind="table.judge_named").exists()


def test_the_head_judge_proposes_too_and_one_refusal_or_its_proposer_closes_it(game: Game) -> None:
    row = proposed(game, "Jo", "Kim")
    answered(game, "Ana", row)
    answered(game, "Bo", row, agrees=False)
    with pytest.raises(Refused, match="closed"):
        answered(game, "Ana", row)
    again = proposed(game, "Jo", "Kim")
    answered(game, "Jo", again, agrees=False)
    assert in_office(game) == ["Jo"]


def test_players_are_no_judges_of_their_table_and_strangers_propose_none(game: Game) -> None:
    with pytest.raises(Refused, match="can't judge"):
        judges.name_judge(table=game.table, by=person("Jo"), username="bo", name="Bo", now=game.now)
    with pytest.raises(Refused, match="can name or dismiss"):
        judges.name_judge(table=game.table, by=person("Cy"), username="kim", name="Kim", now=game.now)


def test_a_player_alone_dismisses_no_judge_but_all_do_and_a_judge_resigns(game: Game) -> None:
    judge = TableJudge.objects.get(name="Jo")
    row = judges.dismiss_judge_of_table(table=game.table, by=person("Ana"), judge_id=judge.pk, now=game.now)
    assert row is not None
    rule(game)
    answered(game, "Bo", row)
    with pytest.raises(Refused, match="Only the judges"):
        rule(game, token="two")
    appoint(game.table, "Kim", game.now)
    kim = TableJudge.objects.get(name="Kim")
    judges.dismiss_judge_of_table(table=game.table, by=person("Kim"), judge_id=kim.pk, now=game.now)
    assert in_office(game) == []


def test_nothing_is_asked_where_nobody_judges_and_a_question_goes_with_the_last_judge(game: Game) -> None:
    judges.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)
    jo = TableJudge.objects.get(name="Jo")
    judges.dismiss_judge_of_table(table=game.table, by=person("Jo"), judge_id=jo.pk, now=game.now)
    assert (game.row().question, game.row().still_until) == ("", None)
    assert game.row().due_at is not None
    with pytest.raises(Refused, match="has no judge"):
        judges.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)


def test_a_question_that_no_judge_answers_lapses_after_the_appeal_time_and_all_are_notified(game: Game) -> None:
    judges.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)
    until = game.row().still_until
    assert until == game.now + game.row().appeal_within
    assert judges.silent_tables(until - timedelta(minutes=1)) == []
    assert judges.silent_tables(until) == [game.table.pk]
    judges.lapse_question(table_id=game.table.pk, now=until)
    assert judges.lapse_question(table_id=game.table.pk, now=until) is None
    assert not game.row().question
    assert game.row().due_at is not None
    assert {row.user.username for row in Notification.objects.filter(kind="table.lapsed")} == {"ana", "bo", "jo"}
    game.now = until
    game.post(game.waited(), game.view(game.waited()).legal[0])


def test_the_log_names_who_ruled(game: Game) -> None:
    rule(game)
    assert game.view().log()[0].who == "Jo"


def test_a_ruling_is_carried_out_and_stands_in_the_log_with_its_citation_and_reason(game: Game) -> None:
    before = len(game.view("Ana").view["zones"]["A.hand"])
    entry = rule(game)
    assert len(game.view("Ana").view["zones"]["A.hand"]) == before + 1
    assert (entry.by, entry.args["cites"], entry.args["reason"]) == ("judge", "K42", "The text says so.")
    assert game.view().log()[0].reason == "The text says so."
    assert TableRuling.objects.get().card == "Old Pact"


def test_a_trial_shows_what_would_happen_and_changes_nothing(game: Game) -> None:
    head = game.row().head
    tried = judges.trial(table=game.row(), verdict=VERDICT)
    assert "drawn" in {event["kind"] for event in tried}
    assert not any(event["card"] for event in tried)
    assert game.row().head == head


def test_a_ruling_that_means_nothing_at_the_table_is_refused(game: Game) -> None:
    with pytest.raises(Refused):
        rule(game, verdict=TableVerdict("#999 dies", "K42", "It does."))
    with pytest.raises(Refused, match="Name the rule, ruling or text behind your decision"):
        rule(game, verdict=TableVerdict("A draws 1", "", "It does."))


def test_the_same_ruling_sent_twice_is_one_and_a_stale_one_is_told(game: Game) -> None:
    head = game.row().head
    assert rule(game).pk == rule(game, on=head).pk
    with pytest.raises(Refused, match="The table has changed since you loaded it"):
        rule(game, on=head, token="two")


def test_nobody_but_its_judges_rules_at_a_table(game: Game) -> None:
    for name in ("Ana", "Bo", "Cy"):
        with pytest.raises(Refused, match="Only the judges"):
            rule(game, name)


def test_a_question_stops_the_table_and_its_clocks_until_it_is_answered(game: Game) -> None:
    waited = game.waited()
    asked = game.seat(waited).asked_at
    judges.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)
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
    judges.ask(table=game.table, user=person("Bo"), question="What does it mean?", now=game.now)
    with pytest.raises(Refused, match="Only the player who asked, or a judge, can take a question back"):
        judges.take_question_back(table=game.table, user=person("Ana"), now=game.now)
    judges.take_question_back(table=game.table, user=person("Bo"), now=game.now)
    assert not Table.objects.get().question
    assert Table.objects.get().due_at is not None


def test_a_ruling_is_found_again_by_its_card(game: Game) -> None:
    rule(game)
    assert [one.program for one in queries.rulings_on("kryptik", "old pact")] == ["A draws 1"]
    assert queries.rulings_on("kryptik", "Another") == ()


def test_a_standing_order_is_its_seats_own(game: Game) -> None:
    entry = game.post("Bo", "pass until my turn unless attacked", order=True)
    assert "lines" not in entry.args
    assert [order.text for order in game.view("Bo").orders] == ["pass until my turn unless attacked"]
    assert game.view("Ana").orders == ()
    assert game.view("Ana").log()[0].is_hidden


def test_an_order_that_can_not_be_read_is_answered_with_the_nearest_one_of_its_game(game: Game) -> None:
    for typed, meant in (
        ("if #3 atacks block with #7", "if #12 attacks: block with #5"),
        ("always agree to #7", "always yes to #7"),
        ("xyzzy", "pass until my turn"),
    ):
        with pytest.raises(Refused, match=f"Try `{meant}`") as refused:
            game.post("Bo", typed, order=True)
        assert refused.value.sentence.count("`") == 2
