"""1.3, R57: sanctions and appeals at tables: who may, within which time, who answers, and what comes of it."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.tables.conduct import appeals
from judging.tables.conduct.appeals import Answer, answer_at_table, gone_back
from judging.tables.conduct.endings import due_endings, end_table, withdraw_ending
from judging.tables.conduct.models import EndingRuling, Sanction, TableAct, TableAppeal
from judging.tables.conduct.people import is_barred
from judging.tables.conduct.record import ACTS, record_of, sentence_of
from judging.tables.conduct.sanctions import NewSanction, lift_sanction, sanction
from judging.tables.models import Entry, Table, TableRuling, TableState
from judging.tables.notify import notify
from judging.tables.services import judges
from judging.tables.services.judges import TableVerdict
from judging.tables.services.taking_back import TakingBack, take_table_back
from judging.tables.talk.services import say_at_table
from tests.services.tables_of_tests import OPENED, Game, appoint, opened, person, running, sit

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


@pytest.fixture
def game() -> Game:
    """A running table that Jo, its head, and Kim judge."""
    made = running()
    for name in ("Jo", "Kim"):
        person(name)
        appoint(made.table, name, made.now)
    return made


def ruled(game: Game, by: str = "Jo", program: str = "A draws 1") -> Entry:
    """A judge has ruled."""
    verdict = TableVerdict(program, "K42", "The text says so.", "Old Pact")
    made = judges.rule(
        table=game.table, user=person(by), verdict=verdict, on=game.row().head, token=f"ruled {game.row().head[:9]}",
        now=game.now,
    )  # fmt: skip
    assert isinstance(made, Entry)
    return made


def lodged(
    game: Game, who: str = "Bo", kind: str = "ruling", number: int | None = None, token: str = "one", cites: str = "K42"
) -> TableAppeal:
    """Somebody appeals."""
    if number is None:
        number = Entry.objects.filter(table=game.table, kind="ruling").latest("n").n
    about = appeals.contested(game.row(), kind, number)
    assert about is not None
    return appeals.lodge_at_table(
        table=game.table, user=person(who), about=about, cites=cites, reason="It says another thing.", token=token,
        now=game.now,
    )  # fmt: skip


def imposed(game: Game, kind: str = "warning", whom: str = "Bo", by: str = "Jo", **more: str) -> Sanction:
    """A judge sanctions somebody."""
    given = NewSanction(kind, whom, "1.3", "He shouted.", **more)
    return sanction(table=game.table, user=person(by), given=given, token=f"{kind} {whom} {more}", now=game.now)


def told(name: str, kind: str) -> bool:
    """Whether somebody was told of a kind of thing."""
    return Notification.objects.filter(user=person(name), kind=kind).exists()


# ------------------------------------------------------------------------------------------------ appeals


def test_another_judge_than_the_one_appealed_against_is_drawn_and_both_sides_are_told(game: Game) -> None:
    ruled(game)
    row = lodged(game)
    assert row.judge is not None
    assert (row.against.name, row.judge.name) == ("Jo", "Kim")
    assert row.draws == [{"at": game.now.isoformat(), "name": "appeal 1 judge 1", "among": ["Kim"], "drew": "Kim"}]
    assert row.due_at == game.now + timedelta(hours=72)
    assert told("Kim", "table.appeal_yours")
    assert told("Ana", "table.appealed")
    assert told("Jo", "table.appealed")
    assert not told("Bo", "table.appealed")


def test_the_draw_of_a_judge_is_the_same_however_often_it_is_recomputed(game: Game) -> None:
    for name in ("Lu", "Mo"):
        person(name)
        appoint(game.table, name, game.now)
    ruled(game)
    row = lodged(game)
    names = ["Kim", "Lu", "Mo"]
    assert row.draws[0]["among"] == names
    assert row.judge is not None
    assert row.judge.name == names[game.state().draws.draw("appeal 1 judge 1", 1, 3) - 1]


def test_an_appeal_is_for_players_once_in_time_with_a_rule_and_at_most_two_are_open(game: Game) -> None:
    first = ruled(game)
    for who in ("Cy", "Kim"):
        with pytest.raises(Refused, match="concern you"):
            lodged(game, who)
    with pytest.raises(Refused, match="Name the rule"):
        lodged(game, cites=" ")
    made = lodged(game)
    assert lodged(game).pk == made.pk, "the same form"
    with pytest.raises(Refused, match="already appealed"):
        lodged(game, token="again")
    ruled(game)
    lodged(game, token="two")
    ruled(game)
    with pytest.raises(Refused, match="2 open appeals"):
        lodged(game, token="three")
    game.now += timedelta(hours=72, minutes=1)
    with pytest.raises(Refused, match="Appeals against this decision closed"):
        lodged(game, "Ana", number=first.n, token="four")


def test_a_table_says_how_long_rulings_may_be_appealed_against() -> None:
    game = running(appeal_within=timedelta(hours=24))
    person("Jo")
    appoint(game.table, "Jo", game.now)
    ruled(game)
    game.now += timedelta(hours=24, minutes=1)
    with pytest.raises(Refused, match="Appeals against this decision closed"):
        lodged(game)
    with pytest.raises(Refused, match="The time for appeals must be 1 hour to 14 days"):
        opened(appeal_within=timedelta(days=15))


def test_only_who_was_drawn_answers_and_a_decision_may_stand(game: Game) -> None:
    ruled(game)
    row = lodged(game)
    upheld = Answer("upheld", "K42", "It was right.")
    for who in ("Jo", "Ana", "Bo"):
        with pytest.raises(Refused, match="Only Kim can answer"):
            answer_at_table(appeal=row, user=person(who), given=upheld, now=game.now)
    for wrong in (Answer("", "K42", "So."), Answer("upheld", "", "So."), Answer("upheld", "K42", " ")):
        with pytest.raises(Refused):
            answer_at_table(appeal=row, user=person("Kim"), given=wrong, now=game.now)
    entries = game.row().entries
    done = answer_at_table(appeal=row, user=person("Kim"), given=upheld, now=game.now)
    assert done.state == "upheld"
    assert game.row().entries == entries, "nothing is carried out"
    assert told("Bo", "table.answered")
    with pytest.raises(Refused, match="was closed"):
        answer_at_table(appeal=row, user=person("Kim"), given=Answer("mended", "K42", "No."), now=game.now)


def test_a_mended_ruling_is_carried_out_at_once_and_found_with_its_card(game: Game) -> None:
    ruled(game)
    row = lodged(game)
    with pytest.raises(Refused, match="ruling is empty"):
        answer_at_table(appeal=row, user=person("Kim"), given=Answer("mended", "K43", "No."), now=game.now)
    given = Answer("mended", "K43", "He discards it again.", "A discards 1")
    done = answer_at_table(appeal=row, user=person("Kim"), given=given, now=game.now)
    assert done.mended is not None
    assert done.mended.n == game.row().entries
    assert done.mended.args["lines"] == ["A discards 1"]
    assert TableRuling.objects.get(entry=done.mended).card == "Old Pact"


def test_nothing_is_ruled_anew_before_the_table_has_gone_back(game: Game) -> None:
    ruled(game)
    row = lodged(game)
    given = Answer("anew", "K43", "It never happened.", "nothing happens")
    with pytest.raises(Refused, match="take the table back"):
        answer_at_table(appeal=row, user=person("Kim"), given=given, now=game.now)
    assert TableAppeal.objects.get().state == "open"


def test_once_the_judge_who_answers_has_taken_the_table_back_it_is_ruled_anew(game: Game) -> None:
    game.go_on("first")
    before = game.row().entries
    entry = ruled(game)
    row = lodged(game)
    said = {"table": game.table, "user": person("Kim"), "now": game.now}
    to_itself = TakingBack(entry.n, "No further.", fresh=True)
    take_table_back(**said, back=to_itself, on=game.row().head, token="no further")
    assert gone_back(row) is None
    take_table_back(**said, back=TakingBack(before, "It is ruled again.", fresh=True), on=game.row().head, token="back")
    done = answer_at_table(appeal=row, user=person("Kim"), given=Answer("anew", "K43", "Never."), now=game.now)
    assert done.mended is not None
    assert (done.mended.kind, done.mended.args["to"]) == ("rewind", before)
    assert game.state().entry == game.row().entries


def test_who_lodged_it_takes_it_back_and_nobody_else(game: Game) -> None:
    ruled(game)
    row = lodged(game)
    with pytest.raises(Refused, match="Only Bo"):
        appeals.take_back_at_table(appeal=row, user=person("Ana"), now=game.now)
    assert appeals.take_back_at_table(appeal=row, user=person("Bo"), now=game.now).state == "withdrawn"
    with pytest.raises(Refused, match="already appealed"):
        lodged(game, token="again")


def test_where_nobody_else_judges_it_waits_until_another_judge_is_named() -> None:
    game = running()
    person("Jo")
    appoint(game.table, "Jo", game.now)
    ruled(game)
    row = lodged(game)
    assert row.judge is None
    assert told("Ana", "table.no_judge")
    assert appeals.pass_on_at_tables(game.now) == 0
    person("Kim")
    appoint(game.table, "Kim", game.now)
    assert appeals.pass_on_at_tables(game.now) == 1
    row.refresh_from_db()
    assert row.judge is not None
    assert row.judge.name == "Kim"


def test_a_judge_who_is_silent_loses_it_to_the_next(game: Game) -> None:
    person("Lu")
    appoint(game.table, "Lu", game.now)
    ruled(game)
    first = lodged(game).judge
    assert first is not None
    assert appeals.pass_on_at_tables(game.now + 71 * HOUR) == 0
    assert appeals.pass_on_at_tables(game.now + 72 * HOUR) == 1
    second = TableAppeal.objects.get().judge
    assert second is not None
    assert {first.name, second.name} == {"Kim", "Lu"}


# ------------------------------------------------------------------------------------------------ sanctions


def test_a_warning_is_public_and_told_and_changes_nothing_in_the_game(game: Game) -> None:
    entries = game.row().entries
    row = imposed(game)
    assert imposed(game).pk == row.pk, "the same form"
    assert game.row().entries == entries
    assert told("Bo", "table.sanctioned")
    assert record_of(game.row())[0].sentence == "Jo sanctioned Bo: a warning (1.3). He shouted."


def test_the_loss_of_the_game_is_an_entry_of_its_log_once_nobody_can_appeal(game: Game) -> None:
    row = imposed(game, "loss")
    assert game.row().state == TableState.RUNNING
    end_table(table_id=game.table.pk, now=game.now + 73 * HOUR)
    table = game.row()
    row.refresh_from_db()
    assert (table.state, table.winner) == (TableState.OVER, game.seat("Ana").letter)
    assert row.entry is not None
    assert row.entry.args["reason"] == "He shouted."
    assert appeals.contested(table, "ruling", row.entry.n) is None, "it is contested as the sanction"
    with pytest.raises(Refused, match="isn't playing here and has no game to lose"):
        imposed(game, "loss", "Ana")


def test_who_is_barred_does_not_sit_down_and_it_ends_with_its_time() -> None:
    table = opened(places=3)
    for name in ("Jo", "Cy"):
        person(name)
    appoint(table, "Jo", OPENED)
    say_at_table(table=table, user=person("Cy"), board="watchers", text="Hm.", token="one", now=OPENED)
    imposed(Game(table, OPENED), "bar", "cy", days="3")
    with pytest.raises(Refused, match="banned"):
        sit(table, "Cy")
    assert is_barred(table, person("Cy").pk, OPENED + timedelta(days=2))
    assert not is_barred(table, person("Cy").pk, OPENED + timedelta(days=3))


def test_only_judges_sanction_and_not_each_other_nor_without_a_rule(game: Game) -> None:
    with pytest.raises(Refused, match="Only the judges"):
        imposed(game, by="Ana")
    with pytest.raises(Refused, match="sanction a judge"):
        imposed(game, whom="Kim")
    with pytest.raises(Refused, match="No one called"):
        imposed(game, whom="Nobody")
    for given in (NewSanction("fine", "Bo", "1.3", "So."), NewSanction("bar", "Bo", "1.3", "So.", "0"),
                  NewSanction("bar", "Bo", "", "So."), NewSanction("bar", "Bo", "1.3", "")):  # fmt: skip
        with pytest.raises(Refused):
            sanction(table=game.table, user=person("Jo"), given=given, token="t", now=game.now)


def test_who_was_sanctioned_appeals_and_mended_it_is_lifted(game: Game) -> None:
    imposed(game)
    with pytest.raises(Refused, match="concern you"):
        lodged(game, "Ana", "sanction", 1)
    row = lodged(game, "Bo", "sanction", 1)
    with pytest.raises(Refused, match="Choose whether the decision stands"):
        answer_at_table(appeal=row, user=person("Kim"), given=Answer("anew", "1.3", "No."), now=game.now)
    answer_at_table(appeal=row, user=person("Kim"), given=Answer("mended", "1.3", "He was not loud."), now=game.now)
    lifted = Sanction.objects.get()
    assert lifted.lifted_by is not None
    assert (lifted.lifted_by.name, lifted.lifted_because) == ("Kim", "He was not loud.")
    assert told("Bo", "table.lifted")


def test_a_sanction_is_lifted_by_its_judge_or_the_head(game: Game) -> None:
    imposed(game, by="Jo")
    for who in ("Kim", "Bo"):
        with pytest.raises(Refused):
            lift_sanction(table=game.table, user=person(who), number=1, reason="So.", now=game.now)
    assert lift_sanction(table=game.table, user=person("Jo"), number=1, reason="So.", now=game.now).lifted_at


def test_every_act_has_a_sentence_and_none_is_ever_changed(game: Game) -> None:
    imposed(game)
    row = TableAct.objects.latest("pk")
    with pytest.raises(TypeError):
        row.save()
    with pytest.raises(TypeError):
        TableAct.objects.update(action="back")
    with pytest.raises(TypeError):
        TableAct.objects.all().delete()
    for action in (*ACTS, "unknown"):
        assert sentence_of(TableAct(action=action)).endswith((".", "…"))


def test_where_more_play_the_game_goes_on_without_who_lost_it() -> None:
    table = opened(places=3)
    for name in ("Ana", "Bo", "Cy"):
        sit(table, name)
    person("Jo")
    appoint(table, "Jo", OPENED)
    game = Game(Table.objects.get(pk=table.pk), OPENED)
    imposed(game, "loss", "Bo")
    end_table(table_id=table.pk, now=game.now + 73 * HOUR)
    assert game.row().state == TableState.RUNNING
    assert game.state().living == ("A", "C")


# ------------------------------------------------------------------------------------------------ rulings that end


def ended(game: Game, by: str = "Jo", program: str = "A wins") -> EndingRuling:
    """A judge has ruled that the game ends."""
    game.go_on("first")
    verdict = TableVerdict(program, "3", "It is over.")
    made = judges.rule(
        table=game.table, user=person(by), verdict=verdict, on=game.row().head, token="ends", now=game.now
    )
    assert isinstance(made, EndingRuling)
    return made


def test_a_ruling_that_ends_the_game_waits_for_its_appeal_time_while_the_table_stands_still(game: Game) -> None:
    row = ended(game)
    table = game.row()
    assert (table.state, table.due_at, table.still_until) == (TableState.RUNNING, None, row.due_at)
    assert told("Bo", "table.ending")
    assert game.view(game.waited()).legal == ()
    with pytest.raises(Refused, match="stands still"):
        game.post(game.waited(), "pass")
    with pytest.raises(Refused, match="stands still"):
        game.stops("Ana")
    with pytest.raises(Refused, match="is pending"):
        judges.ask(table=game.table, user=person("Bo"), question="Why?", now=game.now)
    for user in ("Ana", "Jo"):
        with pytest.raises(Refused, match="is pending"):
            take_table_back(
                table=game.table, user=person(user), back=TakingBack(table.entries - 1, "So."), on=table.head,
                token=user, now=game.now,
            )  # fmt: skip
    assert due_endings(row.due_at - HOUR) == []
    entry = end_table(table_id=game.table.pk, now=row.due_at)
    assert entry is not None
    assert (game.row().state, game.row().winner) == (TableState.OVER, "A")
    assert game.view().log()[0].who == "Jo"
    assert TableRuling.objects.get().program == "A wins"
    assert end_table(table_id=game.table.pk, now=row.due_at) is None


def test_an_open_appeal_holds_up_the_end_until_another_judge_lets_it_stand(game: Game) -> None:
    row = lodged(game, "Bo", "ending", ended(game).pk)
    assert row.judge is not None
    assert row.judge.name == "Kim"
    assert end_table(table_id=game.table.pk, now=game.now + 100 * HOUR) is None
    answer_at_table(appeal=row, user=person("Kim"), given=Answer("upheld", "3", "It is."), now=game.now)
    assert game.row().state == TableState.OVER


def test_a_mended_end_never_takes_effect_and_the_game_goes_on(game: Game) -> None:
    row = lodged(game, "Bo", "ending", ended(game).pk)
    answer_at_table(appeal=row, user=person("Kim"), given=Answer("mended", "3", "Not yet."), now=game.now)
    table = game.row()
    assert (table.state, table.still_until, table.stopped_at) == (TableState.RUNNING, None, None)
    assert table.due_at is not None
    assert EndingRuling.objects.get().entry is None
    game.post(game.waited(), game.view(game.waited()).legal[0])


def test_a_lifted_loss_of_the_game_never_takes_effect(game: Game) -> None:
    imposed(game, "loss")
    row = lodged(game, "Bo", "sanction", 1)
    answer_at_table(appeal=row, user=person("Kim"), given=Answer("mended", "1.3", "No."), now=game.now)
    assert end_table(table_id=game.table.pk, now=game.now + 100 * HOUR) is None
    assert game.row().state == TableState.RUNNING


def test_the_judge_or_the_head_withdraws_an_end_and_conceding_makes_it_void(game: Game) -> None:
    ended(game, by="Kim")
    for who in ("Ana", "Bo"):
        with pytest.raises(Refused, match="withdraw this ruling"):
            withdraw_ending(table=game.table, user=person(who), now=game.now)
    notify(game.now)
    withdraw_ending(table=game.table, user=person("Jo"), now=game.now + HOUR)
    assert game.row().still_until is None
    notify(game.now + HOUR)
    assert not Notification.objects.filter(kind="table.ending", read_at=None).exists()
    assert Notification.objects.filter(kind="table.move", at=game.now + HOUR, read_at=None).exists()
    imposed(game, "loss")
    game.post("Ana", "concede!")
    assert (game.row().state, game.row().winner) == (TableState.OVER, "B")
    assert end_table(table_id=game.table.pk, now=game.now) is None
    assert not EndingRuling.objects.filter(closed_at=None).exists()


def test_an_administrator_who_is_no_party_answers_where_no_judge_can() -> None:
    game = running()
    appoint(game.table, "Jo", game.now)
    row = lodged(game, "Bo", "ending", ended(game).pk)
    assert row.judge is None
    for name in ("Ana", "Cy"):
        with pytest.raises(Refused, match="Only an administrator"):
            appeals.take_appeal_over(appeal=row, user=person(name), now=game.now)
    User.objects.create_superuser("root", "root@example.org", "a-word-for-tests")
    root = User.objects.get(username="root")
    appeals.take_appeal_over(appeal=row, user=root, now=game.now)
    answer_at_table(appeal=row, user=root, given=Answer("upheld", "3", "It is."), now=game.now)
    assert game.row().state == TableState.OVER
    assert [judge.name for judge in game.table.judges.filter(dismissed_at=None)] == ["Jo"]
