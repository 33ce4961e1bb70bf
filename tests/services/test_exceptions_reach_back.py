"""R44, R74: an exception of control counts from the moment at which it was asked for; a strat stays where it was."""

from datetime import datetime, timedelta

import pytest

from judging.announcements.models import Notice
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle
from judging.battles.strats.queries import counting_strats
from judging.command.control.requests import decide_request, requests_for
from judging.command.control.services import assign
from judging.command.models import ControlRequest
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import viewer_of
from judging.notifications.from_log import news_of_log
from judging.turns.models import Draft
from judging.turns.stages import STAGES, advance
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import verify_turn
from tests.services.teams import ask, make_teams, who
from tests.services.world_of_tests import HOUR, LOCKED, REASONS, UNLOCK, World
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core.position import Position

pytestmark = pytest.mark.django_db
ASKED = UNLOCK + 25 * HOUR


@pytest.fixture
def teams(db: None) -> World:
    """Ana and Cem both order Fir, which is Ana's; in between she asks that Cem, a Commander, gets it (5.3.1)."""
    world = make_teams()
    Round.objects.update(publish_after=timedelta(hours=2))
    world.round.refresh_from_db()
    world.post("Ana", "Fir: 18D > 18B", at=UNLOCK + 20 * HOUR)
    world.post("Cem", "Fir: 18D > 18F", at=UNLOCK + 30 * HOUR)
    return world


def exception(teams: World) -> ControlRequest:
    return ask(teams, "Ana", {"Fir": ("Cem",)}, as_exception=True, why="Ana is at sea.", now=ASKED)


def grant(teams: World, request: ControlRequest, now: datetime) -> None:
    decide_request(request=request, judge=teams.judges["movement"], grant=True, reason="Be it so.", now=now)


def counts_from(teams: World) -> datetime | object:
    (view,) = requests_for(viewer_of(teams.players["Vorn"].user, teams.round))
    return view.changes[0]["since"]


def test_one_that_is_accepted_before_the_lock_counts_from_its_request(teams: World) -> None:
    request = exception(teams)
    grant(teams, request, ASKED + 5 * HOUR)
    assert counts_from(teams) == ASKED
    assert InputOfTurn(teams.turn).lines[1].controlled
    turn = teams.turn
    teams.settle(LOCKED)
    teams.settle(LOCKED + 3 * HOUR)
    assert Turn.objects.get(pk=turn.pk).state == TurnState.SETTLED
    assert teams.army("Fir").at == "18F"


@pytest.mark.parametrize("state", [TurnState.LOCKED, TurnState.MOVED, TurnState.FOUGHT])
def test_one_that_is_accepted_between_lock_and_settlement_decides_whose_orders_count(
    teams: World, state: TurnState
) -> None:
    """5.2.1, 5.4.2: whatever of the turn is worked out already is worked out again."""
    request, turn = exception(teams), teams.turn
    if state == TurnState.LOCKED:
        Turn.objects.filter(pk=turn.pk).update(state=state, locked_at=LOCKED)
    else:
        assert teams.settle(LOCKED) == TurnState.MOVED
        assert Draft.objects.get(turn=turn).places["Fir"] == "18B"
        Turn.objects.filter(pk=turn.pk).update(state=state)
    grant(teams, request, LOCKED + HOUR)
    assert counts_from(teams) == ASKED
    if state != TurnState.LOCKED:
        assert Draft.objects.get(turn=turn).places["Fir"] == "18F"
    for hours in (4, 8):
        advance(turn.pk, LOCKED + hours * HOUR)
    assert teams.army("Fir").at == "18F"
    assert not verify_turn(Turn.objects.select_related("round").get(pk=turn.pk)).differences


def test_one_that_is_accepted_after_the_settlement_counts_from_then_on(teams: World) -> None:
    request = exception(teams)
    teams.settle(LOCKED)
    teams.settle(LOCKED + 3 * HOUR)
    grant(teams, request, LOCKED + 4 * HOUR)
    assert counts_from(teams) == LOCKED + 4 * HOUR
    assert teams.army("Fir").at == "18B"
    assert who(teams, "Fir") == ["Cem"]


def test_a_stage_that_has_read_the_old_list_writes_nothing(teams: World) -> None:
    request, turn = exception(teams), teams.turn
    Turn.objects.filter(pk=turn.pk).update(state=TurnState.LOCKED, locked_at=LOCKED)
    read = InputOfTurn(Turn.objects.select_related("round").get(pk=turn.pk))
    assert read.control["Fir"] == ("Ana",)
    assert isinstance(read.position, Position)
    grant(teams, request, LOCKED + HOUR)
    assert STAGES[TurnState.LOCKED].carry_out(read, LOCKED + HOUR) is None


def test_an_army_that_changed_hands_after_the_request_is_not_taken_back_by_it(teams: World) -> None:
    request = exception(teams)
    ask(teams, "Ana", {"Fir": ("Bo",)}, now=ASKED + HOUR)
    with pytest.raises(Refused, match="Fir changed hands after this request was made"):
        grant(teams, request, ASKED + 2 * HOUR)
    assert who(teams, "Fir") == ["Bo"]


def test_the_list_says_from_when_it_counts_and_the_new_controller_is_told(teams: World) -> None:
    """Two days are history elsewhere: nobody is told of control that is so old."""
    request = exception(teams)
    grant(teams, request, ASKED + 3 * 24 * HOUR)
    assert "Fir from Ana to Cem, as of Tue 3 Mar 2026, 07:00 UTC" in Notice.objects.get(kind="exception").text
    entry = LogEntry.objects.get(action="control.granted")
    told = {news.user_id: news.kind for news in news_of_log([entry], entry.at)}
    assert told[teams.players["Cem"].user_id] == "army.given"


# R74: strats


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


def test_a_strat_counts_though_an_exception_from_before_its_deadline_is_accepted_after_it(
    war: World, battle: Battle
) -> None:
    """R44, R74: nobody could send another one; for its orders the army is the new controller's."""
    Round.objects.update(publish_after=timedelta(hours=2))
    ben = war.players["Ben"]
    ben.rank = "lieutenant"
    ben.save()
    war.players["Ana"].may_change_control = True
    war.players["Ana"].save()
    request = ask(war, "Ana", {"Ana": ("Ben",)}, as_exception=True, why="At sea.", now=battle.announced_at + HOUR)
    strat = war.strat(battle, "Ana", "Ana", now=battle.announced_at + 2 * HOUR)
    closes = battle.deadline + timedelta(minutes=1)
    grant(war, request, battle.deadline + 2 * HOUR)
    assert counting_strats(battle)["Ana"] == strat
    request.refresh_from_db()
    assert request.changes[0]["since"] == closes.isoformat()
    assert InputOfTurn(war.turn).control["Ana"] == ("Ben",)


def test_a_strat_counts_though_the_army_changes_hands_once_the_battle_is_scored(war: World, battle: Battle) -> None:
    """R74, 4.1.1: no strat is taken after the score, before the deadline either."""
    strats = {name: war.strat(battle, name, name) for name in ("Ana", "Gaz")}
    scored = battle.announced_at + 5 * HOUR
    lock_score(battle=battle, judge=war.judges["battle"], favours=None, bonus=0, reasons=REASONS, now=scored)
    assign(round=war.round, army=war.army("Ana"), player=war.players["Ben"], now=scored + HOUR)
    assert counting_strats(battle) == strats


def test_requests_alone_are_no_strat(war: World, battle: Battle) -> None:
    """R74."""
    with pytest.raises(Refused, match=r"The strat is empty\. Write at least one line"):
        war.strat(battle, "Ana", "Ana", " \n", risk="kill")
    assert counting_strats(battle) == {}
