"""R34: a round that is won by the rules ends when the battle judge says so."""

import pytest
from django.urls import reverse

from judging.announcements.models import Notice
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns.victories import confirm_victory
from tests.pages.judge_desk import Desk, desk
from tests.services.world_of_tests import HOUR, World
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState

__all__ = ["desk"]

pytestmark = pytest.mark.django_db

WON = {"kind": "won", "side": "coalition", "cites": "1.7.3", "why": "Phyrexia is gone"}


def won(world: World, *events: dict[str, str]) -> Round:
    """The round as a settlement leaves it that won it."""
    Turn.objects.filter(round=world.round).update(state=TurnState.SETTLED, events=list(events or (WON,)))
    return Round.objects.get(pk=world.round.pk)


def test_a_confirmed_win_ends_the_round(world: World) -> None:
    """1.7.3: and everybody is told who won."""
    round_, now = won(world), world.turn.opened_at + HOUR

    confirm_victory(round=round_, judge=world.judges["battle"], winner="coalition", now=now)
    again = confirm_victory(round=round_, judge=world.judges["battle"], winner="coalition", now=now)

    assert (again.state, again.winner) == (RoundState.OVER, "coalition")
    assert Notice.objects.get(kind="round_over").text.startswith("The Coalition won this round")
    assert LogEntry.objects.filter(action="round.won").count() == 1


def test_nobody_wins_but_by_the_rules(world: World) -> None:
    """1.7: neither the other side, nor a side while the round goes on."""
    judge, now = world.judges["battle"], world.turn.opened_at + HOUR
    with pytest.raises(Refused, match="no side has won it by the rules"):
        confirm_victory(round=world.round, judge=judge, winner="coalition", now=now)

    with pytest.raises(Refused, match="That side has not won"):
        confirm_victory(round=won(world), judge=judge, winner="phyrexia", now=now)


def test_of_two_sides_that_won_at_once_the_judge_names_one(world: World) -> None:
    """R34: both teams at once: the round pauses for the battle judge."""
    round_ = won(world, WON, {**WON, "side": "phyrexia"})

    over = confirm_victory(
        round=round_, judge=world.judges["battle"], winner="phyrexia", now=world.turn.opened_at + HOUR
    )

    assert over.winner == "phyrexia"


def test_only_a_battle_judge_confirms_a_win(world: World) -> None:
    """1.3."""
    with pytest.raises(Refused, match="Only a battle judge"):
        confirm_victory(
            round=won(world), judge=world.judges["movement"], winner="coalition", now=world.turn.opened_at + HOUR
        )


def test_the_desk_shows_the_win_and_confirms_it(desk: Desk) -> None:
    """R34: the movement judge sees that it waits, the battle judge ends it."""
    round_ = won(desk.world)
    index, address = reverse("judge:index"), reverse("judge:victory", args=[round_.pk])
    assert "Waiting for a battle judge" in desk.client("movement").get(index).content.decode()
    assert "Confirm that Coalition won" in desk.client("battle").get(index).content.decode()
    assert desk.client("movement").post(address, {"winner": "coalition"}).status_code == 404

    answer = desk.client("battle").post(address, {"winner": "coalition"}, follow=True)

    assert f"{round_} is finished" in answer.content.decode()
    assert Round.objects.get(pk=round_.pk).state == RoundState.OVER


def test_a_win_that_is_not_there_is_refused_in_a_sentence(desk: Desk) -> None:
    address = reverse("judge:victory", args=[desk.world.round.pk])

    answer = desk.client("battle").post(address, {"winner": "coalition"}, follow=True)

    assert "This round is already finished, or no side has won it by the rules" in answer.content.decode()
