"""T11.9: draws: offered, agreed to, refused, withdrawn, and lapsed with the next move."""

from datetime import timedelta

import pytest

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.tables.models import Table, TableState
from judging.tables.services import judges
from judging.tables.services.draw_offers import act_on_draw, draw_line
from tests.services.tables_of_tests import Game, appoint, opened, person, running, sit

pytestmark = pytest.mark.django_db


def say(game: Game, who: str, does: str) -> str:
    """Somebody says something of a draw, a minute later."""
    game.now += timedelta(minutes=1)
    return act_on_draw(table=game.table, user=person(who), does=does, now=game.now)


@pytest.mark.parametrize(
    ("line", "does"),
    [
        ("offer draw", "offer"),
        ("Offer a draw", "offer"),
        ("propose: draw", "offer"),
        ("accept draw", "accept"),
        ("decline the draw!", "refuse"),
        ("withdraw draw", "refuse"),
        ("draw", ""),
        ("do: A draws 1", ""),
        ("accept 3", ""),
    ],
)
def test_a_line_of_a_draw_is_told_from_all_others(line: str, does: str) -> None:
    assert draw_line([line]) == does


def test_a_draw_that_is_agreed_to_ends_the_game_and_nobody_wins() -> None:
    game = running()
    say(game, "Bo", "offer")
    assert game.view("Ana").draw_offer == ("B",)
    assert Notification.objects.filter(user=person("Ana"), kind="table.draw", read_at=None).exists()
    say(game, "Ana", "accept")
    row = game.row()
    assert (row.state, row.winner, game.view().view["result"]["draw"]) == (TableState.OVER, "", True)
    assert game.view().log()[0].reason == "The players agreed on a draw."
    assert not Notification.objects.filter(kind="table.draw", read_at=None).exists()


def test_all_who_still_play_must_agree() -> None:
    table = opened(places=3)
    for name in ("Ana", "Bo", "Cy"):
        sit(table, name)
    game = Game(Table.objects.get(pk=table.pk), table.opened_at)
    game.post("Cy", "concede!")
    with pytest.raises(Refused, match="out of this game"):
        say(game, "Cy", "offer")
    say(game, "Ana", "offer")
    say(game, "Bo", "offer")
    assert game.row().state == TableState.OVER


def test_an_offer_lapses_when_somebody_is_out_so_that_nobody_waits_for_them() -> None:
    table = opened(places=3)
    for name in ("Ana", "Bo", "Cy"):
        sit(table, name)
    game = Game(Table.objects.get(pk=table.pk), table.opened_at)
    say(game, "Ana", "offer")
    say(game, "Bo", "accept")
    game.post("Cy", "concede!")
    assert not game.view("Ana").draw_offer
    say(game, "Ana", "offer")
    say(game, "Bo", "accept")
    assert game.row().state == TableState.OVER


def test_an_offer_lapses_with_the_next_move_of_the_other_and_not_with_ones_own() -> None:
    game = running()
    game.go_on("first")
    mover = game.waited()
    other = "Bo" if mover == "Ana" else "Ana"
    say(game, mover, "offer")
    game.post(mover, "pass")
    assert game.view(other).draw_offer
    while game.waited() != other:
        game.post(mover, game.view(mover).legal[0])
    game.post(other, game.view(other).legal[0])
    assert not game.view(other).draw_offer
    with pytest.raises(Refused, match="no open offer"):
        say(game, other, "accept")


def test_who_was_refused_offers_again_after_the_next_move_only() -> None:
    game = running()
    say(game, "Ana", "offer")
    say(game, "Bo", "refuse")
    with pytest.raises(Refused, match="after the next move"):
        say(game, "Ana", "offer")
    game.post(game.waited(), game.view(game.waited()).legal[0])
    say(game, "Ana", "offer")
    assert "withdrew" in say(game, "Ana", "refuse")
    assert game.row().state == TableState.RUNNING


def test_a_draw_may_be_agreed_on_while_a_judge_is_asked_but_not_against_a_ruling_that_ends_the_game() -> None:
    game = running()
    appoint(game.table, "Jo", game.now)
    judges.ask(table=game.table, user=person("Bo"), question="What?", now=game.now)
    say(game, "Ana", "offer")
    verdict = judges.TableVerdict("A wins", "3", "It is over.")
    judges.rule(table=game.table, user=person("Jo"), verdict=verdict, on=game.row().head, token="ends", now=game.now)
    with pytest.raises(Refused, match="stands still"):
        say(game, "Bo", "accept")
