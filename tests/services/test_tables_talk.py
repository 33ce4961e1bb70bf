"""3.1, 1.3, 12: talk at a table: who reads and writes what, who is told, and what moderators do."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.tables.conduct.record import record_of
from judging.tables.conduct.sanctions import NewSanction, sanction
from judging.tables.talk.models import TableMessage, TableReport
from judging.tables.talk.services import (
    block_at_table,
    decide_at_table,
    hide_at_table,
    report_at_table,
    reports_at,
    said_on,
    say_at_table,
    talker_of,
    unblock_at_table,
    unsay_at_table,
)
from tests.services.tables_of_tests import Game, appoint, person, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """Ana plays against Bo; Jo judges, Cy and Di look on."""
    made = running()
    person("Jo")
    appoint(made.table, "Jo", made.now)
    return made


def say(game: Game, who: str, text: str, board: str = "talk", token: str = "") -> TableMessage:
    """Somebody writes."""
    game.now += timedelta(minutes=1)
    return say_at_table(
        table=game.table, user=person(who), board=board, text=text, token=token or f"{game.now}", now=game.now
    )


def reads(game: Game, who: str, board: str = "talk") -> list[str]:
    """What somebody reads of a board, as HTML, an empty line for what he may not."""
    user = person(who) if who else AnonymousUser()
    return [str(one.html) for one in said_on(talker_of(game.row(), user, game.now), board)]


def decide(game: Game, report: TableReport, does: str, reason: str, who: str = "Jo") -> TableReport:
    """Somebody decides about a report."""
    return decide_at_table(
        table=game.table, user=person(who), report_id=report.pk, does=does, reason=reason, now=game.now
    )


def told(name: str) -> list[str]:
    """What somebody was told, but of who judges."""
    rows = Notification.objects.filter(user=person(name)).exclude(kind__startswith="table.judge_")
    return list(rows.order_by("pk").values_list("kind", flat=True))


def test_players_and_judges_write_at_the_table_and_everybody_reads_it(game: Game) -> None:
    for who in ("Ana", "Bo", "Jo"):
        say(game, who, f"So says {who}.")
    with pytest.raises(Refused, match="Players and judges write here"):
        say(game, "Cy", "And I?")
    assert len(reads(game, "")) == len(reads(game, "Cy")) == 3
    assert TableMessage.objects.get(name="Jo").as_judge
    assert TableMessage.objects.get(name="Ana").letter == game.seat("Ana").letter


def test_no_player_reads_what_watchers_say_until_the_table_is_over(game: Game) -> None:
    say(game, "Cy", "Bo holds a storm.", "watchers")
    say(game, "Jo", "Quiet.", "watchers")
    for who in ("Ana", "Bo", ""):
        assert "watchers" not in talker_of(game.row(), person(who) if who else AnonymousUser(), game.now).boards
        assert reads(game, who, "watchers") == []
    with pytest.raises(Refused, match="have access to that board"):
        say(game, "Bo", "Let me in.", "watchers")
    assert len(reads(game, "Di", "watchers")) == 2
    game.post("Bo", "concede!")
    assert len(reads(game, "Ana", "watchers")) == 2


def test_the_same_form_sent_twice_is_one_message(game: Game) -> None:
    assert say(game, "Ana", "Once.", token="form").pk == say(game, "Ana", "Once.", token="form").pk


def test_whom_a_message_names_is_told_where_he_reads_it(game: Game) -> None:
    say(game, "Ana", "Well played, @Bo! Is it not so, @Jo, @Ana?")
    assert told("Bo") == told("Jo") == ["table.named"]
    assert told("Ana") == []
    say(game, "Cy", "Poor @Bo; what will @Jo say?", "watchers")
    assert told("Bo") == ["table.named"]
    assert told("Jo") == ["table.named", "table.named"]


def test_who_blocks_somebody_reads_him_no_more_and_hears_no_call_but_a_judges(game: Game) -> None:
    first = say(game, "Ana", "Hm.")
    block_at_table(table=game.table, user=person("Bo"), number=first.number, now=game.now)
    say(game, "Ana", "@Bo, answer me!")
    assert reads(game, "Bo") == ["", ""]
    assert "answer me" in reads(game, "Cy")[1]
    assert told("Bo") == []
    judges = say(game, "Jo", "Calm, @Bo.")
    block_at_table(table=game.table, user=person("Bo"), number=judges.number, now=game.now)
    assert "Calm" in reads(game, "Bo")[2]
    unblock_at_table(table=game.table, user=person("Bo"), number=first.number, now=game.now)
    assert "Hm." in reads(game, "Bo")[0]
    with pytest.raises(Refused, match="block yourself"):
        block_at_table(table=game.table, user=person("Ana"), number=first.number, now=game.now)


def test_a_message_is_withdrawn_by_its_author_alone(game: Game) -> None:
    made = say(game, "Ana", "Forget that.")
    with pytest.raises(Refused, match="Only its author"):
        unsay_at_table(table=game.table, user=person("Bo"), number=made.number, now=game.now)
    unsay_at_table(table=game.table, user=person("Ana"), number=made.number, now=game.now)
    assert reads(game, "Jo") == [""]
    assert "Forget" in reads(game, "Ana")[0]


def test_a_judge_hides_a_message_with_a_reason_that_stands_on_record(game: Game) -> None:
    made = say(game, "Ana", "You cheat!")
    with pytest.raises(Refused, match="Only judges of this table can hide"):
        hide_at_table(table=game.table, user=person("Bo"), number=made.number, reason="No.", hides=True, now=game.now)
    hide_at_table(table=game.table, user=person("Jo"), number=made.number, reason="Be kind.", hides=True, now=game.now)
    assert reads(game, "Bo") == [""]
    assert record_of(game.row())[0].sentence == "Jo hid Ana’s message: Be kind."
    hide_at_table(table=game.table, user=person("Jo"), number=made.number, reason="Well.", hides=False, now=game.now)
    assert "cheat" in reads(game, "Bo")[0]


def test_a_report_goes_to_the_tables_judges_and_its_reporter_reads_their_reason(game: Game) -> None:
    made = say(game, "Ana", "You cheat!")
    report = report_at_table(table=game.table, user=person("Bo"), number=made.number, reason="Rude.", now=game.now)
    again = report_at_table(table=game.table, user=person("Bo"), number=made.number, reason="Rude!", now=game.now)
    assert again.pk == report.pk
    assert told("Jo") == ["table.reported"]
    for who in ("Ana", "Bo", "Cy"):
        with pytest.raises(Refused, match="decide this report"):
            decide(game, report, "dismiss", "So.", who)
    decide(game, report, "warn", "Mind it.")
    assert TableReport.objects.get().state == "warned"
    assert told("Bo") == ["table.report_decided"]
    assert told("Ana") == ["table.warned"]
    assert [row.answer for row in reports_at(talker_of(game.row(), person("Bo"), game.now)).own] == ["Mind it."]
    assert [row.answer for row in reports_at(talker_of(game.row(), person("Ana"), game.now)).warned] == ["Mind it."]
    with pytest.raises(Refused, match="already decided this report"):
        decide(game, report, "hide", "So.")


def test_what_is_ones_own_or_gone_is_not_reported(game: Game) -> None:
    made = say(game, "Ana", "Hm.")
    with pytest.raises(Refused, match="your own"):
        report_at_table(table=game.table, user=person("Ana"), number=made.number, reason="So.", now=game.now)
    unsay_at_table(table=game.table, user=person("Ana"), number=made.number, now=game.now)
    with pytest.raises(Refused, match="any more"):
        report_at_table(table=game.table, user=person("Bo"), number=made.number, reason="So.", now=game.now)


def test_the_record_names_no_account_of_a_spectator(game: Game) -> None:
    made = say(game, "Cy", "He has a storm!", "watchers")
    hide_at_table(table=game.table, user=person("Jo"), number=made.number, reason="No.", hides=True, now=game.now)
    assert "a spectator" in record_of(game.row())[0].sentence
    assert "cy" not in record_of(game.row())[0].sentence.replace("spectator", "").casefold().split()


def test_who_is_barred_writes_nowhere_at_the_table(game: Game) -> None:
    say(game, "Cy", "He has a storm!", "watchers")
    given = NewSanction("bar", "cy", "1.3", "He tells hands.")
    sanction(table=game.table, user=person("Jo"), given=given, token="t", now=game.now)
    with pytest.raises(Refused, match="A judge has banned you from this table"):
        say(game, "Cy", "Still he has.", "watchers")
