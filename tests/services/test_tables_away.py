"""10, R59: nights and leave in which clocks rest, and what becomes of the seat of somebody who stays away."""

from datetime import UTC, datetime, timedelta

import pytest

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.tables import clocks, game_state
from judging.tables.away.models import Substitution
from judging.tables.away.services import (
    announce_leave,
    away_from,
    choose_after_misses,
    end_leave,
    end_searches,
    give_time,
    keep_hours,
    people_page,
    take_seat_over,
)
from judging.tables.clocks import resting
from judging.tables.conduct.record import record_of
from judging.tables.models import Seat, Table, TableState
from judging.tables.notify import notify
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of
from judging.tables.services import judges, opening, posting
from judging.tables.services.draw_offers import act_on_draw
from judging.tables.services.judges import name_judge
from tests.services.tables_of_tests import OPENED, Game, appoint, opened, person, running, sit

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def game() -> Game:
    """Both have to say whether they keep their hands; each has a day, and a bank of three."""
    return running()


def kinds(name: str) -> list[str]:
    """What somebody was told, the oldest first."""
    return list(Notification.objects.filter(user=person(name)).order_by("pk").values_list("kind", flat=True))


def due(game: Game, name: str) -> datetime:
    """When somebody's time runs out."""
    found = clocks.due_of(game.row(), game.seat(name))
    assert found is not None
    return found


def run_out(game: Game, name: str, times: int = 3) -> None:
    """Somebody's time runs out so often in a row, while the other answers at once."""
    other = "Bo" if name == "Ana" else "Ana"
    while game.seat(name).missed < times:
        while game.seat(other).asked_at is not None:
            seen = game.view(other)
            game.post(other, seen.legal[0])
        at = game.row().due_at
        assert at is not None
        game.now = at
        posting.tick(table_id=game.table.pk, now=game.now)


def choose(game: Game, who: str, way: str, of: str = "Bo") -> Table:
    """Somebody says how it goes on."""
    letter = game.seat(of).letter
    return choose_after_misses(table=game.table, user=person(who), letter=letter, way=way, now=game.now)


# ------------------------------------------------------------------------------------------------ nights


def test_a_clock_rests_eight_hours_a_night_by_its_players_own_zone() -> None:
    table = opened()
    sit(table, "Ana")
    keep_hours(table=table, user=person("Ana"), hour="22", zone="Europe/Berlin", now=OPENED)
    sit(table, "Bo")
    game = Game(Table.objects.get(pk=table.pk), OPENED)
    assert due(game, "Bo") == OPENED + 4 * DAY
    # From noon on, four days of her own time: six nights of eight hours lie between.
    assert due(game, "Ana") == OPENED + 4 * DAY + timedelta(hours=6 * 8)
    assert resting(game.row(), game.seat("Ana"), datetime(2026, 3, 1, 21, tzinfo=UTC))
    assert not resting(game.row(), game.seat("Ana"), datetime(2026, 3, 1, 20, 59, tzinfo=UTC))
    assert not resting(game.row(), game.seat("Ana"), datetime(2026, 3, 2, 5, tzinfo=UTC))


def test_hours_that_are_said_during_a_game_count_a_day_later_and_stand_for_a_week(game: Game) -> None:
    keep_hours(table=game.table, user=person("Bo"), hour="12", zone="UTC", now=game.now)
    assert not resting(game.row(), game.seat("Bo"), OPENED + timedelta(hours=1))
    assert resting(game.row(), game.seat("Bo"), OPENED + DAY + timedelta(hours=1))
    with pytest.raises(Refused, match="once a week"):
        keep_hours(table=game.table, user=person("Bo"), hour="13", zone="UTC", now=game.now + 6 * DAY)
    keep_hours(table=game.table, user=person("Bo"), hour="", zone="UTC", now=game.now + 7 * DAY)
    assert not resting(game.row(), game.seat("Bo"), OPENED + 9 * DAY + timedelta(hours=1))


@pytest.mark.parametrize(("hour", "zone"), [("24", "UTC"), ("-1", "UTC"), ("²", "UTC"), ("3", "No/Where")])
def test_an_hour_or_a_zone_that_there_is_not_is_refused(game: Game, hour: str, zone: str) -> None:
    with pytest.raises(Refused):
        keep_hours(table=game.table, user=person("Bo"), hour=hour, zone=zone, now=game.now)


def test_a_table_may_have_no_nights_and_no_leave() -> None:
    game = running(nights=False, leave_days=0)
    with pytest.raises(Refused, match="stop at night at this table, as announced when it opened"):
        keep_hours(table=game.table, user=person("Bo"), hour="3", zone="UTC", now=game.now)
    with pytest.raises(Refused, match="0 days of absence"):
        announce_leave(table=game.table, user=person("Bo"), first="2026-03-02", last="2026-03-02", now=game.now)


def test_what_an_answer_costs_leaves_the_nights_out(game: Game) -> None:
    keep_hours(table=game.table, user=person("Bo"), hour="20", zone="UTC", now=game.now - DAY)
    game.now = OPENED + timedelta(hours=40)
    game.post("Bo", "keep hand")
    # 40 hours less two nights are 24: the bank is whole.
    assert game.seat("Bo").bank == timedelta(days=3) - timedelta(minutes=1)


# ------------------------------------------------------------------------------------------------ leave


def test_a_leave_is_announced_beforehand_and_the_clock_rests_then(game: Game) -> None:
    announce_leave(table=game.table, user=person("Bo"), first="2026-03-03", last="2026-03-05", now=game.now)
    assert due(game, "Bo") == OPENED + 7 * DAY
    assert game.row().due_at == OPENED + 4 * DAY, "Ana has no leave"
    with pytest.raises(Refused, match="in advance"):
        announce_leave(table=game.table, user=person("Bo"), first="2026-03-01", last="2026-03-01", now=game.now)
    with pytest.raises(Refused, match="You have already announced an absence for that time"):
        announce_leave(table=game.table, user=person("Bo"), first="2026-03-05", last="2026-03-06", now=game.now)
    with pytest.raises(Refused, match="can't end before it begins"):
        announce_leave(table=game.table, user=person("Bo"), first="2026-03-09", last="2026-03-08", now=game.now)


def test_all_leave_together_is_bounded_and_what_is_not_used_comes_back(game: Game) -> None:
    long = announce_leave(table=game.table, user=person("Bo"), first="2026-03-03", last="2026-03-14", now=game.now)
    with pytest.raises(Refused, match="you have 2 left"):
        announce_leave(table=game.table, user=person("Bo"), first="2026-04-01", last="2026-04-03", now=game.now)
    end_leave(table=game.table, user=person("Bo"), leave_id=long.pk, now=OPENED + 3 * DAY)
    announce_leave(table=game.table, user=person("Bo"), first="2026-04-01", last="2026-04-12", now=OPENED + 3 * DAY)
    with pytest.raises(Refused, match="You have no such absence"):
        end_leave(table=game.table, user=person("Ana"), leave_id=long.pk, now=game.now)


# ------------------------------------------------------------------------------------------------ staying away


def test_after_an_empty_bank_the_others_may_choose_and_are_told(game: Game) -> None:
    person("Jo")
    appoint(game.table, "Jo", game.now)
    run_out(game, "Bo", 1)
    notify(game.now)
    notify(game.now)
    assert "table.missed" in kinds("Bo")
    assert kinds("Ana").count("table.away") == kinds("Jo").count("table.away") == 1
    (away,) = away_from(game.row(), list(game.row().seats.all()), person("Ana").pk, False)
    assert [way for way, _ in away.ways] == ["wait", "win", "played", "sought"]
    (away,) = away_from(game.row(), list(game.row().seats.all()), person("Jo").pk, True)
    assert "win" not in [way for way, _ in away.ways]
    for nobody in (None, person("Cy").pk):
        (away,) = away_from(game.row(), list(game.row().seats.all()), nobody, False)
        assert away.ways == ()


def test_nobody_chooses_for_who_is_there_nor_does_who_stays_away(game: Game) -> None:
    with pytest.raises(Refused, match="away, or is back already"):
        choose(game, "Ana", "win")
    run_out(game, "Bo", 1)
    for who in ("Bo", "Cy"):
        with pytest.raises(Refused):
            choose(game, who, "wait")


def test_the_win_is_an_entry_of_the_log_that_every_process_reads_alike(game: Game) -> None:
    run_out(game, "Bo", 1)
    choose(game, "Ana", "win")
    row = game.row()
    assert (row.state, row.winner) == (TableState.OVER, game.seat("Ana").letter)
    last = game.view().log()[0]
    assert (last.kind, last.reason) == ("end", "The remaining players claimed the win because the others stayed away.")
    game_state.forget()
    result = game.state().result
    assert result is not None
    assert result.won == game.seat("Ana").letter
    checks = checks_of(proof_of(game.row()))
    assert [check.what for check in checks if check.wrong] == []


def test_the_next_game_of_a_match_has_the_same_nights_leave_and_time_for_appeals() -> None:
    table = opened(nights=False, leave_days=3, appeal_within=DAY)
    plan = opening.plan_of(table, "Game 2")
    assert (plan.nights, plan.leave_days, plan.appeal_within) == (False, 3, DAY)


def test_who_waits_on_gives_a_decisions_time_anew(game: Game) -> None:
    run_out(game, "Bo", 1)
    choose(game, "Ana", "wait")
    seat = game.seat("Bo")
    assert seat.missed == 0
    if seat.asked_at is not None:
        assert due(game, "Bo") == game.now + DAY


def test_the_service_plays_on_at_once_until_he_is_back(game: Game) -> None:
    run_out(game, "Bo", 1)
    choose(game, "Ana", "played")
    for _ in range(20):
        if game.seat("Bo").asked_at is not None:
            break
        game.post("Ana", game.view("Ana").legal[0])
    assert game.row().due_at is not None
    assert posting.due_tables(game.now + timedelta(minutes=1)) == [game.table.pk]
    seen = game.view("Bo")
    game.post("Bo", seen.legal[0])
    assert not game.seat("Bo").is_played
    assert game.seat("Bo").missed == 0


def test_somebody_else_takes_the_seat_with_its_cards_and_a_bank_anew(game: Game) -> None:
    run_out(game, "Bo", 1)
    with pytest.raises(Refused, match="No substitute is wanted for this seat"):
        take_seat_over(table=game.table, user=person("Cy"), letter=game.seat("Bo").letter, name="Cy", now=game.now)
    choose(game, "Ana", "sought")
    letter, hand = game.seat("Bo").letter, game.view("Bo").view["zones"][f"{game.seat('Bo').letter}.hand"]
    for who, name in (("Ana", "Ann"), ("Cy", "Ana"), ("Cy", "")):
        with pytest.raises(Refused):
            take_seat_over(table=game.table, user=person(who), letter=letter, name=name, now=game.now)
    take_seat_over(table=game.table, user=person("Cy"), letter=letter, name="Cy", now=game.now)
    seat = Seat.objects.get(table=game.table, letter=letter)
    assert (seat.user, seat.name, seat.bank) == (person("Cy"), "Bo", timedelta(days=3))
    assert game.view("Cy").view["zones"][f"{letter}.hand"] == hand
    assert game.view("Bo").letter == "spectator"
    notify(game.now)
    assert kinds("Bo")[-1] == "table.replaced"
    game_state.forget()
    assert game.state().seat(letter).name == "Bo", "the log has the name that it had"


def test_who_takes_a_seat_over_has_agreed_to_no_draw_and_no_judge(game: Game) -> None:
    run_out(game, "Bo")
    person("Jo")
    choose(game, "Ana", "sought")
    act_on_draw(table=game.table, user=person("Bo"), does="offer", now=game.now)
    name_judge(table=game.table, by=person("Bo"), username="jo", name="Jo", now=game.now)
    take_seat_over(table=game.table, user=person("Cy"), letter="B", name="Cy", now=game.now)
    seen = game.view("Ana")
    assert not seen.draw_offer
    assert seen.judge_proposals[0].letters == ("A", "B")


def test_who_takes_a_seat_over_has_none_of_the_nights_and_leave_of_who_sat_there(game: Game) -> None:
    keep_hours(table=game.table, user=person("Bo"), hour="20", zone="UTC", now=game.now)
    announce_leave(table=game.table, user=person("Bo"), first="2026-04-10", last="2026-04-22", now=game.now)
    run_out(game, "Bo")
    choose(game, "Ana", "sought")

    seat = take_seat_over(table=game.table, user=person("Cy"), letter="B", name="Cy", now=game.now)

    assert seat.rests == {"nights": [], "leaves": []}
    page = people_page(game.row(), person("Cy").pk, game.now)
    assert page.mine is not None
    assert (page.mine.night, page.mine.leaves, page.left) == (None, (), game.table.leave_days)
    assert not resting(game.row(), game.seat("Bo"), datetime(2026, 4, 11, 12, tzinfo=UTC))
    said = [act.sentence for act in record_of(game.row())]
    assert any(one.startswith("From ") and ", Bo’s clock rests between 20:00 and " in one for one in said)
    keep_hours(table=game.table, user=person("Cy"), hour="3", zone="UTC", now=game.now)
    newest = record_of(game.row())[0].sentence
    assert newest.startswith("From ")
    assert ", Cy’s clock rests between 03:00 and " in newest


def test_nobody_is_sought_any_more_for_who_is_back(game: Game) -> None:
    run_out(game, "Bo", 1)
    choose(game, "Ana", "sought")
    assert end_searches(game.now) == 0
    person("Jo")
    appoint(game.table, "Jo", game.now)
    give_time(table=game.table, user=person("Jo"), letter=game.seat("Bo").letter, hours="10", now=game.now)
    assert end_searches(game.now) == 1
    assert Substitution.objects.get().closed_at is not None
    assert [act.action for act in record_of(game.row())][:2] == ["back", "time"]


def test_only_a_judge_gives_time_and_not_without_end(game: Game) -> None:
    person("Jo")
    appoint(game.table, "Jo", game.now)
    letter, before = game.seat("Bo").letter, due(game, "Bo")
    for who, hours in (("Ana", "5"), ("Jo", "0"), ("Jo", "337"), ("Jo", "many")):
        with pytest.raises(Refused):
            give_time(table=game.table, user=person(who), letter=letter, hours=hours, now=game.now)
    give_time(table=game.table, user=person("Jo"), letter=letter, hours="5", now=game.now)
    assert due(game, "Bo") == before + timedelta(hours=5)


# ------------------------------------------------------------------------------------------------ silent judges


def test_after_three_days_without_an_answer_anybody_goes_on() -> None:
    game = running(appeal_within=7 * DAY)
    appoint(game.table, "Jo", game.now)
    judges.ask(table=game.table, user=person("Bo"), question="What now?", now=game.now)
    with pytest.raises(Refused, match="Only the player who asked"):
        judges.take_question_back(table=game.table, user=person("Ana"), now=game.now + 2 * DAY)
    notify(game.now + 3 * DAY)
    assert "table.stands" in kinds("Bo")
    judges.take_question_back(table=game.table, user=person("Ana"), now=game.now + 3 * DAY)
    assert not game.row().question
