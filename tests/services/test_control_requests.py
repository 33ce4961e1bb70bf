"""5.2.1, R44: requests of the two authorised players, and the judge's exceptions (5.2.2.2)."""

import pytest

from judging.announcements.models import Notice
from judging.command.control.requests import (
    AskedControl,
    IllegalControl,
    change_list,
    decide_request,
    flag_run_out,
    requests_for,
    withdraw_request,
)
from judging.command.control.services import list_state, overdue_exceptions, standing_exceptions
from judging.command.models import ControlRequest
from judging.command.people.screen_names import ask_name, decide_name
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import viewer_of
from judging.turns.turn_input import InputOfTurn
from tests.services.teams import NOW, WEEK, ask, make_teams, player, who
from tests.services.world_of_tests import HOUR, LAST_SECOND, LOCK, LOCKED, World, token
from wargame.models import Control, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.command.control_list import Wish
from wargame.rules.core.sides import Side
from wargame.rules.telling.telling import tell_all
from wargame.world import control_at

pytestmark = pytest.mark.django_db
State = ControlRequest.State


@pytest.fixture
def teams(db: None) -> World:
    return make_teams()


def wait_for_judge(teams: World, to: str = "Cem") -> ControlRequest:
    """A request that only a judge can accept: a Captain's army for a Commander."""
    return ask(teams, "Ana", {"Fir": (to,)}, as_exception=True, why="Ana is at sea.")


def granted(teams: World, to: str = "Cem") -> ControlRequest:
    request = wait_for_judge(teams, to)
    decide_request(request=request, judge=teams.judges["movement"], grant=True, reason="Until Ana is back.", now=NOW)
    request.refresh_from_db()
    return request


def test_a_legal_request_takes_effect_at_the_moment_at_which_it_is_made(teams: World) -> None:
    """R44."""
    made = ask(teams, "Bo", {"Elk": ("Cem",), "Gum": ("Dot",)})
    assert made.state == State.APPLIED
    assert (who(teams, "Elk"), who(teams, "Gum")) == (["Cem"], ["Dot"])
    assert control_at(teams.round, NOW)["Elk"] == ("Cem",)
    assert control_at(teams.round, NOW - HOUR / 2)["Elk"] == ("Dot",)


def test_a_request_is_told_in_the_proxy_list_thread_and_the_log(teams: World) -> None:
    """5.2.1."""
    made = ask(teams, "Bo", {"Elk": ("Cem",), "Gum": ("Dot", "Cem")})
    (notice,) = Notice.objects.filter(thread=Notice.Thread.PROXY)
    assert (
        notice.text
        == "Control list of the Coalition: Elk from Dot to Cem; Gum from no one to Dot and Cem (requested by Bo)."
    )
    assert notice.data["request"] == made.pk
    entry = LogEntry.objects.get(action="control.changed")
    assert (entry.actor, entry.data["changes"]) == (
        teams.players["Bo"].user,
        [{"army": "Elk", "before": ["Dot"], "to": ["Cem"]}, {"army": "Gum", "before": [], "to": ["Dot", "Cem"]}],
    )


def test_the_same_form_sent_twice_asks_once(teams: World) -> None:
    first = ask(teams, "Ana", {"Gum": ("Dot",)}, form="same")
    assert ask(teams, "Ana", {"Gum": ("Dot",)}, form="same") == first
    assert Control.objects.filter(army__name="Gum").count() == 1


@pytest.mark.parametrize(
    ("by", "wishes", "cites"),
    [
        ("Cem", {"Gum": ("Cem",)}, "5.2.2.1"),
        ("Ana", {"Oil": ("Ana",)}, "1.1"),
        ("Vorn", {"Elk": ("Vorn",)}, "1.1"),
        ("Ana", {"Gum": ("Skar",)}, "1.1"),
        ("Ana", {"Fir": ("Dot",)}, "5.3.1"),
        ("Ana", {"Cem": ("Ana",)}, "5.3.2, 5.3.4"),
        ("Ana", {"Dot": ("Ana",)}, "5.3.2"),
    ],
)
def test_an_illegal_request_changes_nothing_and_is_logged(
    teams: World, by: str, wishes: dict[str, tuple[str, ...]], cites: str
) -> None:
    before = control_at(teams.round, NOW)
    with pytest.raises(IllegalControl) as caught:
        ask(teams, by, wishes)
    assert caught.value.cites == cites
    assert control_at(teams.round, NOW) == before
    assert not ControlRequest.objects.exists()
    entry = LogEntry.objects.get(action="control.refused")
    assert (entry.actor, entry.data["cites"]) == (teams.players[by].user, cites)


def test_a_leader_who_is_no_captain_gives_himself_no_army_above_his_rank(teams: World) -> None:
    """5.3.1: whoever may ask is held by his own rank, too."""
    teams.players["Cem"].may_change_control = True
    teams.players["Cem"].save()
    with pytest.raises(IllegalControl, match=r"The rank of Fir \(Captain\) is higher than Cem's"):
        ask(teams, "Cem", {"Fir": ("Cem",)})


def test_the_list_of_an_archive_stays_as_it_is(teams: World) -> None:
    """1.5, 5.2.1: it changes where the round is played."""
    Round.objects.filter(pk=teams.round.pk).update(state=RoundState.ARCHIVE)
    with pytest.raises(Refused, match="Trial is an archive of a round played elsewhere"):
        ask(teams, "Ana", {"Gum": ("Dot",)})
    assert who(teams, "Gum") == []


def test_all_of_a_request_or_nothing(teams: World) -> None:
    with pytest.raises(IllegalControl):
        ask(teams, "Ana", {"Gum": ("Dot",), "Fir": ("Dot",)})
    assert who(teams, "Gum") == []


def test_a_request_that_changes_nothing_or_that_comes_too_late_is_refused_with_a_sentence(teams: World) -> None:
    with pytest.raises(Refused, match="The list is already like that"):
        ask(teams, "Ana", {"Elk": ("Dot",)})
    ask(teams, "Bo", {"Elk": ("Cem",)})
    with pytest.raises(Refused, match="Control of Elk has passed to Cem in the meantime"):
        ask(teams, "Ana", {"Elk": ("Bo",)}, seen={"Elk": ("Dot",)})


def test_an_inactive_players_armies_may_be_taken(teams: World) -> None:
    """5.1: nobody has posted for a week but Ana."""
    teams.settle()
    later = NOW + WEEK
    teams.post("Ana", "Ana: hold", at=later)
    made = ask(teams, "Ana", {"Cem": ("Bo",), "Elk": ("Bo",)}, now=later)
    assert made.state == State.APPLIED


def test_a_post_keeps_the_protection_and_a_sealed_one_does_not_give_itself_away(teams: World) -> None:
    """5.1, R6: a sealed order counts as posted once it is in the thread."""
    sealed_at = LOCK - HOUR
    teams.post("Cem", "Cem: 9D > 10D", at=sealed_at, sealed=True)
    late = LAST_SECOND
    Control.objects.update(since=NOW - WEEK)
    for name in ("Ana", "Bo", "Cem", "Dot"):
        row = player(teams, name)
        row.joined_at = NOW - 3 * WEEK
        row.save()
    ask(teams, "Ana", {"Cem": ("Ana",)}, now=late)
    assert who(teams, "Cem") == ["Ana"]
    ask(teams, "Ana", {"Cem": ("Cem",)}, now=late)
    teams.settle()
    with pytest.raises(IllegalControl, match="is named after Cem"):
        ask(teams, "Ana", {"Cem": ("Ana",)}, now=LOCKED + HOUR)


# R13: control within a turn


def test_a_change_within_the_turn_decides_whose_orders_count(teams: World) -> None:
    """5.4.2, R13: the loser's line is void, the new controller's counts, though it was posted before he had it."""
    teams.post("Dot", "Elk: 15D > 16D", at=NOW)
    teams.post("Cem", "Elk: 15D > 15E", at=NOW + HOUR)
    ask(teams, "Ana", {"Elk": ("Cem",)}, now=NOW + 2 * HOUR)
    turn = teams.turn
    teams.settle()
    events = tell_all(Turn.objects.get(pk=turn.pk).events)
    refused = [(event["army"], event["cites"]) for event in events if event["kind"] == "refused"]
    assert refused == [("Elk", "5.4.2")]
    assert teams.army("Elk").at == "15E"


def test_a_change_in_the_locks_own_minute_counts_and_one_after_it_does_not(teams: World) -> None:
    """R4, R13."""
    ask(teams, "Ana", {"Elk": ("Cem",)}, now=LAST_SECOND)
    ask(teams, "Ana", {"Gum": ("Cem",)}, now=LOCKED)
    assert InputOfTurn(teams.turn).control["Elk"] == ("Cem",)
    assert "Gum" not in InputOfTurn(teams.turn).control


def test_a_change_cannot_reach_a_lock_that_has_read_the_list(teams: World) -> None:
    """R44: a request that was made in time, and comes after the job has locked the turn."""
    Turn.objects.filter(pk=teams.turn.pk).update(state="locked")
    with pytest.raises(Refused, match="locked while you sent this"):
        ask(teams, "Ana", {"Gum": ("Cem",)}, now=LAST_SECOND)
    ask(teams, "Ana", {"Gum": ("Cem",)}, now=LOCKED)
    assert who(teams, "Gum") == ["Cem"]


# 5.2.2.2: exceptions


def test_an_exception_waits_for_a_judge_and_changes_nothing_before(teams: World) -> None:
    request = wait_for_judge(teams)
    assert (request.state, request.why) == (State.WAITING, "Ana is at sea.")
    assert who(teams, "Fir") == ["Ana"]


def test_only_what_5_3_forbids_can_be_excepted(teams: World) -> None:
    with pytest.raises(IllegalControl):
        ask(teams, "Ana", {"Oil": ("Ana",)}, as_exception=True, why="Please.")
    with pytest.raises(Refused, match="reason for the judges is empty"):
        ask(teams, "Ana", {"Fir": ("Cem",)}, as_exception=True)


def test_a_granted_exception_is_in_force_until_the_lock_of_the_next_turn(teams: World) -> None:
    request = granted(teams)
    assert (request.state, request.runs_out_in, request.judge) == (State.GRANTED, 2, teams.judges["movement"])
    assert who(teams, "Fir") == ["Cem"]
    assert LogEntry.objects.get(action="control.granted").data["reason"] == "Until Ana is back."
    assert "an exception granted by Judge movement" in Notice.objects.get(kind="exception").text


def test_a_declined_one_changes_nothing(teams: World) -> None:
    request = wait_for_judge(teams)
    decide_request(request=request, judge=teams.judges["battle"], grant=False, reason="No.", now=NOW)
    assert who(teams, "Fir") == ["Ana"]
    with pytest.raises(Refused, match="already been decided"):
        decide_request(request=request, judge=teams.judges["battle"], grant=True, reason="Yes.", now=NOW)


def test_a_judge_decides_with_a_reason_and_the_mercenary_judge_does_not(teams: World) -> None:
    request = wait_for_judge(teams)
    with pytest.raises(Refused, match="reason is empty"):
        decide_request(request=request, judge=teams.judges["battle"], grant=True, reason=" ", now=NOW)
    with pytest.raises(Refused, match="Only movement or battle judges"):
        decide_request(request=request, judge=teams.judges["mercenary"], grant=True, reason="Yes.", now=NOW)


def test_an_exception_that_has_become_legal_meanwhile_runs_out_never(teams: World) -> None:
    request = wait_for_judge(teams)
    teams.players["Cem"].rank = "captain"
    teams.players["Cem"].save()
    decide_request(request=request, judge=teams.judges["battle"], grant=True, reason="Promoted.", now=NOW)
    request.refresh_from_db()
    assert (request.runs_out_in, request.breaches) == (None, [])


def test_an_exception_whose_army_is_gone_cannot_be_granted(teams: World) -> None:
    request = wait_for_judge(teams)
    fir = teams.army("Fir")
    fir.died_in, fir.at = 1, ""
    fir.save()
    with pytest.raises(IllegalControl, match="only has living armies of"):
        decide_request(request=request, judge=teams.judges["battle"], grant=True, reason="Yes.", now=NOW)


def test_an_exception_runs_out_after_one_turn_and_stops_the_side(teams: World) -> None:
    granted(teams)
    teams.settle()
    teams.post("Ana", "Ana: hold", at=NOW + WEEK)
    teams.post("Cem", "Cem: hold", at=NOW + WEEK)
    ask(teams, "Ana", {"Gum": ("Bo",)}, now=NOW + WEEK)
    assert flag_run_out(NOW + WEEK) == 0
    lock = teams.turn.lock_at
    teams.settle()
    after = lock + HOUR
    assert [found.is_over for found in overdue_exceptions(teams.round, after)] == [True]
    with pytest.raises(IllegalControl, match="expired with turn 2"):
        ask(teams, "Ana", {"Gum": ("Cem",)}, now=after)
    with pytest.raises(IllegalControl):
        ask(teams, "Ana", {"Gum": ("Cem",)}, as_exception=True, why="Again.", now=after)
    assert flag_run_out(after) == 1
    assert flag_run_out(after) == 0
    assert LogEntry.objects.filter(action="control.exception_over", actor=None).count() == 1
    assert "expired with turn 2" in Notice.objects.get(kind="exception_over").text
    ask(teams, "Ana", {"Gum": ("Cem",), "Fir": ("Ana",)}, now=after)
    assert list(overdue_exceptions(teams.round, after)) == []


def test_an_exception_that_was_ended_in_time_is_never_flagged(teams: World) -> None:
    granted(teams)
    ask(teams, "Ana", {"Fir": ("Bo",)})
    teams.settle()
    lock = teams.turn.lock_at
    teams.settle()
    assert flag_run_out(lock + HOUR) == 0
    assert not LogEntry.objects.filter(action="control.exception_over").exists()


def test_another_screen_name_ends_no_exception(teams: World) -> None:
    """1.6, 5.2.2.2: a player keeps what he has under his old name, and what he must give back."""
    granted(teams)
    change = ask_name(player=player(teams, "Cem"), name="Cemal", now=NOW)
    decide_name(change=change, judge=teams.judges["battle"], grant=True, reason="", now=NOW)
    listed = list_state(teams.round, Side.COALITION, NOW).listed
    (found,) = standing_exceptions(teams.round, listed, NOW)
    assert "higher than Cemal's (Commander)" in found.breaches[0].sentence


def test_a_waiting_request_can_be_taken_back_by_its_side(teams: World) -> None:
    request = wait_for_judge(teams)
    with pytest.raises(Refused, match="Only players on that side who can ask for changes can withdraw this request"):
        withdraw_request(request=request, player=player(teams, "Vorn"), now=NOW)
    withdraw_request(request=request, player=player(teams, "Bo"), now=NOW)
    request.refresh_from_db()
    assert request.state == State.WITHDRAWN


def test_a_judge_changes_the_list_himself_and_what_is_illegal_is_his_exception(teams: World) -> None:
    """5.2.1: the movement judge maintains the list."""
    asked = AskedControl((Wish("Fir", ("Dot",)),), token(), {})
    given = {"round": teams.round, "judge": teams.judges["movement"], "side": Side.COALITION, "now": NOW}
    made = change_list(asked=asked, reason="They asked by mail.", **given)  # type: ignore[arg-type]
    assert (made.state, made.runs_out_in, who(teams, "Fir")) == (State.GRANTED, 2, ["Dot"])
    assert change_list(asked=asked, reason="Twice.", **given) == made  # type: ignore[arg-type]
    foreign = AskedControl((Wish("Oil", ("Dot",)),), token(), {})
    with pytest.raises(IllegalControl, match="only has living armies of the Coalition"):
        change_list(asked=foreign, reason="Why not.", **given)  # type: ignore[arg-type]


# Who sees what


def seen_by(teams: World, name: str) -> list[str]:
    person = teams.players.get(name) or teams.judges[name]
    return [view.row.state for view in requests_for(viewer_of(person.user, teams.round))]


def test_what_waits_is_seen_by_its_sides_leaders_and_the_judges_alone(teams: World) -> None:
    wait_for_judge(teams)
    ask(teams, "Bo", {"Gum": ("Dot",)})
    for name in ("Ana", "Bo", "movement", "battle"):
        assert seen_by(teams, name) == ["applied", "waiting"]
    for name in ("Cem", "Vorn", "mercenary"):
        assert seen_by(teams, name) == ["applied"]
