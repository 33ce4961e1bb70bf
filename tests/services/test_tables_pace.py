"""10: who is told of a table, and when; and what the sweep does of itself."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.notifications.queries import own_rows, views_for
from judging.tables.models import Seat
from judging.tables.notify import notify
from judging.tables.services import judges, posting
from tests.services.tables_of_tests import Game, appoint, person, running

pytestmark = pytest.mark.django_db


def told(name: str) -> list[str]:
    """The kinds of what somebody was told, the oldest first."""
    rows = Notification.objects.filter(user=person(name)).order_by("pk")
    return list(rows.values_list("kind", flat=True))


@pytest.fixture
def game() -> Game:
    """Both have to say whether they keep their hands."""
    return running()


def test_whoever_is_waited_for_is_told_once_then_at_half_of_his_time_and_two_hours_before_its_end(game: Game) -> None:
    for after in (0, 1, 49, 50, 95, 95.5):
        notify(game.now + timedelta(hours=after))
    assert told("Ana") == ["table.move", "table.due", "table.due"]


def test_who_has_answered_is_told_anew_when_he_is_asked_again(game: Game) -> None:
    notify(game.now)
    game.post("Ana", "keep hand")
    game.post("Bo", "keep hand")
    notify(game.now)
    assert len(told("Ana")) + len(told("Bo")) == 3


def unread(name: str) -> list[str]:
    """The kinds of what somebody has not read."""
    rows = Notification.objects.filter(user=person(name), read_at=None).order_by("pk")
    return list(rows.values_list("kind", flat=True))


def test_a_newer_notification_of_a_table_takes_the_place_of_the_older_and_a_move_ends_it(game: Game) -> None:
    for after in (0, 49, 95):
        notify(game.now + timedelta(hours=after))
    assert unread("Ana") == ["table.due"]
    game.post("Ana", "keep hand")
    assert unread("Ana") == []


def test_seeing_the_page_of_a_table_ends_its_notifications_and_none_comes_while_it_is_open(
    game: Game, client: Client
) -> None:
    notify(game.now)
    client.force_login(person("Ana"))
    client.get(f"/tables/{game.table.slug}/")
    assert unread("Ana") == []
    assert unread("Bo") == ["table.move"]
    Seat.objects.update(reminded=0)
    client.get(f"/tables/{game.table.slug}/news/")
    notify(game.now)
    assert unread("Ana") == []
    cache.clear()
    notify(game.now + timedelta(seconds=1))
    assert told("Ana") == ["table.move"], "the same move is told of once"


def test_what_is_told_leads_to_the_table_and_names_no_card(game: Game) -> None:
    notify(game.now)
    (view,) = views_for(person("Ana").pk, own_rows(person("Ana").pk))
    assert view.link == f"/tables/{game.table.slug}/"
    assert "It's your move at table “At the harbour”" in view.sentence
    assert game.row().head[:8] not in view.sentence


def test_a_judge_is_told_that_he_is_asked_and_the_players_that_the_table_is_over(game: Game) -> None:
    person("Jo")
    appoint(game.table, "Jo", game.now)
    judges.ask(table=game.table, user=person("Bo"), question="What now?", now=game.now)
    notify(game.now)
    notify(game.now)
    assert told("Jo") == ["table.judge_named", "table.asked"]
    game.post("Ana", "concede!")
    notify(game.now)
    assert told("Bo")[-1] == told("Ana")[-1] == "table.over"


def test_a_table_whose_time_is_over_is_found_by_the_sweep(game: Game) -> None:
    due = game.row().due_at
    assert due is not None
    assert posting.due_tables(due - timedelta(seconds=1)) == []
    assert posting.due_tables(due) == [game.table.pk]


def test_who_says_where_he_wants_to_be_asked_is_passed_for_elsewhere(game: Game) -> None:
    for name in ("Ana", "Bo"):
        game.post(name, "keep hand")
    other = "Bo" if game.waited() == "Ana" else "Ana"
    game.stops(other, "attacked", "my first", "my second")

    first = game.waited()
    game.post(first, "pass")

    assert game.waited() == first
    assert game.state().turn.at != "first"


def test_a_stop_that_no_game_has_is_refused_and_nothing_is_stored(game: Game) -> None:
    entries = game.row().entries

    with pytest.raises(Refused, match="“my tea” is not a stop"):
        game.stops("Ana", "my tea")

    assert game.row().entries == entries
