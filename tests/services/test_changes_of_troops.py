"""2.3.2, 2.6: accepted changes are inputs of the settlement, which carries them out or says why not."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from judging.armies.models import ChangeRequest
from judging.battles.models import Battle
from judging.common.control import armies_of
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns import stages
from judging.turns.rulings.corrections import apply_correction
from judging.turns.rulings.differences import difference_of
from judging.turns.stages import advance
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import verify_round, verify_turn
from tests.pages.catalogue import fill_catalogue
from tests.services.changing import ACCEPTED, DRAGONS, GOBLINS, accept, asks, change, make_war, offer, states
from tests.services.ruling import moved, new, propose
from tests.services.test_statements import statements
from tests.services.world_of_tests import HOUR, World
from wargame import world as rows
from wargame.models import Army, Control, Troop, Turn
from wargame.rules.core import codec
from wargame.rules.telling.telling import tell_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def war() -> World:
    fill_catalogue()
    return make_war()


def told(world: World, number: int = 1) -> list[dict[str, Any]]:
    """What is told of changes in a settled turn."""
    events = Turn.objects.get(round=world.round, number=number).events
    return [
        event for event in tell_all(events) if event["kind"] in ("troops_changed", "personalised", "change_refused")
    ]


def is_sound(world: World) -> bool:
    """Every turn is recomputed to the same bytes, and the rows are the map of the open turn."""
    same = all(not verdict.differences for verdict in verify_round(world.round))
    return same and rows.load_position(world.round) == rows.position_of_turn(world.turn)


def test_an_accepted_change_is_carried_out_by_the_settlement(war: World) -> None:
    request = change(war)
    assert request.for_turn == 1
    assert Troop.objects.get(army__name="Ana", slot=1).creature == "Ana 1/1"

    assert war.settle() == "settled"

    (event,) = told(war)
    assert (event["kind"], event["cites"], event["army"]) == ("troops_changed", "2.3.2", "Ana")
    assert "5,000 of 5,000 Lightning Dragon" in event["text"]
    kept = Troop.objects.filter(army__name="Ana").values_list("creature", "alive", "of", "size")
    assert list(kept)[0] == ("Lightning Dragon", 5000, 5000, "4/4")
    assert states(war) == [("Ana", ACCEPTED, 1, 1)]
    assert is_sound(war)


def test_fewer_creatures_than_before_leave_no_rows_behind(war: World) -> None:
    change(war, lists=("5000 Lightning Dragon", "", "", ""))
    war.settle()

    assert Troop.objects.filter(army__name="Ana").count() == 1
    assert is_sound(war)


def test_it_is_carried_out_once(war: World) -> None:
    change(war)
    war.settle()
    war.settle()

    assert told(war, 2) == []
    assert states(war) == [("Ana", ACCEPTED, 1, 1)]
    assert is_sound(war)


def test_what_can_not_be_carried_out_any_more_is_told_with_its_reason(war: World) -> None:
    """The army left the base after the judge had accepted."""
    change(war)
    war.post("Ana", "3D > 4D", at=war.turn.opened_at + 2 * HOUR)
    war.settle()

    (event,) = told(war)
    assert (event["kind"], event["cites"]) == ("change_refused", "2.3.2")
    assert "it is on 4D" in event["why"]
    (request,) = ChangeRequest.objects.all()
    assert (request.applied_in, request.reasons) == (None, event["why"])
    with translation.override("de"):
        assert "sie steht auf 4D" in request.reasons
    request.why_not = "It stood elsewhere, said an earlier version."
    assert request.reasons == request.why_not


def test_a_turn_with_a_refused_change_is_the_same_for_whoever_recomputes_it_and_whatever_version_told_it(
    war: World,
) -> None:
    """R38: its reasons were words once, in English; they are codes."""
    change(war)
    war.post("Ana", "3D > 4D", at=war.turn.opened_at + 2 * HOUR)
    war.settle()
    with translation.override("de"):
        assert is_sound(war)
    turn = Turn.objects.get(round=war.round, number=1)
    (event,) = told(war)
    place = [stored["kind"] for stored in turn.events].index("change_refused")
    turn.events[place]["why"] = event["why"]
    assert not verify_turn(turn).differences
    turn.events[place]["why"] = "It stands on 5D."
    assert verify_turn(turn).differences
    assert is_sound(war)


def test_it_is_asked_for_in_the_turn_in_which_the_second_day_is_counted() -> None:
    fill_catalogue()
    war = make_war(days=0)
    with pytest.raises(Refused, match="it has 1 mistake"):
        change(war)
    ChangeRequest.objects.all().delete()
    war.settle()

    change(war)
    war.settle()

    assert [event["kind"] for event in told(war, 2)] == ["troops_changed"]


def test_the_judge_may_accept_until_the_settlement(war: World) -> None:
    request = asks(war, "Ana", "Ana", DRAGONS, at=war.turn.opened_at + HOUR)
    moved(war)
    late = war.turn.lock_at + 3 * HOUR
    accept(war, request, late)
    war.round.publish_after = timedelta(0)
    war.round.save()
    war.turn.draft.__class__.objects.update(publish_at=late)

    assert war.settle(late + HOUR) == "settled"

    assert [event["kind"] for event in told(war)] == ["troops_changed"]
    assert is_sound(war)


def test_a_request_that_is_accepted_in_the_next_turn_is_given_to_the_next_settlement(war: World) -> None:
    request = asks(war, "Ana", "Ana", DRAGONS, at=war.turn.opened_at + HOUR)
    war.settle()
    accept(war, request, war.turn.opened_at + HOUR)
    war.settle()

    assert told(war) == []
    assert [event["kind"] for event in told(war, 2)] == ["troops_changed"]
    assert states(war) == [("Ana", ACCEPTED, 2, 2)]


def test_a_change_that_is_accepted_while_the_settlement_is_worked_out_is_not_lost(
    war: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The settlement without it comes to nothing, and the next look at the turn settles it with it."""
    request = asks(war, "Ana", "Ana", DRAGONS, at=war.turn.opened_at + HOUR)
    settle, after = stages.settle, war.turn.lock_at + timedelta(minutes=1)

    def meanwhile(*args: Any) -> bool:
        accept(war, request, after)
        return settle(*args)

    with monkeypatch.context() as patched:
        patched.setattr(stages, "settle", meanwhile)
        assert advance(war.turn.pk, after) != "settled"
    assert war.settle() == "settled"
    assert [event["kind"] for event in told(war)] == ["troops_changed"]
    assert is_sound(war)


def test_nothing_is_accepted_for_a_turn_that_no_other_follows(war: World) -> None:
    request = asks(war, "Ana", "Ana", DRAGONS, at=war.turn.opened_at + HOUR)
    Turn.objects.filter(pk=war.turn.pk).update(state="settled")

    with pytest.raises(Refused, match="is settled"):
        accept(war, request, war.turn.lock_at + HOUR)


def test_an_accepted_change_waits_and_no_other_is_begun_beside_it(war: World) -> None:
    change(war)

    with pytest.raises(Refused, match="has been accepted. It is waiting"):
        asks(war, "Ana", "Ana", DRAGONS, at=war.turn.opened_at + HOUR)


def test_turns_without_changes_ask_the_database_for_none(war: World) -> None:
    with CaptureQueriesContext(connection) as captured:
        war.settle()

    assert not [sql for sql in statements(captured) if "changerequest" in sql]


def personalised(war: World, monkeypatch: pytest.MonkeyPatch, **more: Any) -> None:
    """New makes Ben his own, in turn 1."""
    offer(war, monkeypatch=monkeypatch)
    change(war, "Ben", "New", GOBLINS, **({"name": "New Dawn", "legend": "Nicol Bolas"} | more))


def test_a_personalised_army_has_its_new_name_from_the_unlock_on(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    personalised(war, monkeypatch)
    war.settle()

    (event,) = told(war)
    assert (event["cites"], event["army"], event["name"]) == ("2.6", "Ben", "New Dawn")
    army = Army.objects.get(name="New Dawn")
    assert (army.former, army.legend, army.at, army.colors) == (["Ben"], "Nicol Bolas", "10D", ["red"])
    assert not Army.objects.filter(name="Ben").exists()
    assert rows.position_of_turn(war.turn).by_name["New Dawn"].former == ("Ben",)
    assert "Ben" in rows.position_of_turn(Turn.objects.get(number=1)).by_name
    assert is_sound(war)


def test_its_controller_stays_and_orders_it_by_either_name(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    personalised(war, monkeypatch)
    war.settle()
    ben, now = war.players["Ben"], war.turn.opened_at + HOUR
    assert armies_of(ben, now) == ("New Dawn",)
    war.post("Ben", "ben: 10D > 9D", at=now)
    war.settle()
    assert war.army("New Dawn").at == "9D"
    war.post("Ben", "New Dawn: 9D > 8D", at=war.turn.opened_at + HOUR)
    war.settle()

    assert war.army("New Dawn").at == "8D"
    assert is_sound(war)


def test_old_turns_are_recomputed_with_the_old_name(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    war.post("Ben", "Ben: 10D > 11D")
    personalised(war, monkeypatch)
    war.settle()
    war.settle()

    turn_input = InputOfTurn(Turn.objects.get(number=1))
    assert [line.army for line in turn_input.lines] == ["Ben"]
    assert turn_input.control["Ben"] == ("Ben",)
    assert turn_input.army_ids["Ben"] == war.army("New Dawn").pk
    assert is_sound(war)


def test_its_battle_knows_it_by_the_new_name_and_the_battle_before_by_the_old(
    war: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    war.post("Gaz", "12D > 10D; engage Ben")
    war.settle()
    first = Battle.objects.get()
    war.strat(first, "Ben", "Ben")
    war.strat(first, "Gaz", "Gaz")
    war.score(first)
    offer(war, monkeypatch=monkeypatch)
    change(war, "Ben", "New", GOBLINS, name="New Dawn", legend="")
    winner = Battle.objects.get().result.winner
    at = war.army("Ben").at
    war.settle()
    entries = first.entries.order_by("side").values_list("name", flat=True)
    assert sorted(entries) == ["Ben", "Gaz"]
    assert war.army("New Dawn").former == ["Ben"]
    assert at == "10D"
    assert winner in (0, 1)
    assert is_sound(war)

    where = {name: war.army(name).at for name in ("Gaz", "New Dawn")}
    war.post("Gaz", f"{where['Gaz']} > {where['New Dawn']}; engage New Dawn", at=war.turn.opened_at + HOUR)
    war.settle()
    second = Battle.objects.latest("pk")
    assert sorted(second.entries.values_list("name", flat=True)) == ["Gaz", "New Dawn"]
    war.strat(second, "New Dawn", "Ben")
    war.score(second)
    war.settle()
    assert is_sound(war)


def test_an_army_that_gets_the_players_own_name_becomes_his_namesake(
    war: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """5.3.2."""
    Army.objects.filter(name="Ben").update(namesake=war.players["Ben"])
    personalised(war, monkeypatch, name="new")
    war.settle()

    assert war.army("new").namesake == war.players["New"]


def test_another_name_makes_it_nobodys_namesake(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    Army.objects.filter(name="Ben").update(namesake=war.players["Ben"])
    personalised(war, monkeypatch)
    war.settle()

    assert war.army("New Dawn").namesake is None


def test_a_name_that_an_army_had_is_taken_for_ever(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    personalised(war, monkeypatch)
    war.settle()
    war.players["Two"] = war.players["Lea"]
    offer(war, "Cid", "Two", monkeypatch=monkeypatch)

    with pytest.raises(Refused, match="it has 1 mistake"):
        change(war, "Cid", "Two", GOBLINS, name="BEN", legend="")


def test_two_requests_for_one_name_or_legend_are_not_both_accepted(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    war.players["Two"] = war.players["Lea"]
    offer(war, "Ben", "New", monkeypatch=monkeypatch)
    offer(war, "Cid", "Two", monkeypatch=monkeypatch)
    at = war.turn.opened_at + HOUR
    first = asks(war, "Ben", "New", GOBLINS, at=at, name="Zed", legend="Nicol Bolas")
    second = asks(war, "Cid", "Two", GOBLINS, at=at, name="zed", legend="nicol bolas")
    accept(war, first, at)

    with pytest.raises(Refused, match="it has 2 mistakes"):
        accept(war, second, at)


def test_a_judge_who_takes_his_time_does_not_cost_the_player_his_opportunity(
    war: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """2.6: it was asked for within the two turns."""
    offer(war, monkeypatch=monkeypatch)
    war.settle()
    request = asks(war, "Ben", "New", GOBLINS, at=war.turn.opened_at + HOUR, name="Zed", legend="")
    war.settle()
    accept(war, request, war.turn.opened_at + HOUR)
    war.settle()

    assert told(war, 3)[0]["kind"] == "personalised"


def test_after_two_turns_the_opportunity_is_lost(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(war, monkeypatch=monkeypatch)
    war.settle()
    war.settle()

    with pytest.raises(Refused, match="it has 1 mistake"):
        change(war, "Ben", "New", GOBLINS, name="Zed", legend="")


def test_a_correction_recomputes_the_settlement_with_its_changes(war: World) -> None:
    """3.3.3: what was carried out stays so where nothing else is ruled."""
    change(war)
    war.settle()
    correction = propose(war, new("square", "Ben", square="11D"))
    apply_correction(correction=correction, judge=war.judges["movement"], now=war.turn.opened_at + 2 * HOUR)

    assert states(war) == [("Ana", ACCEPTED, 1, 1)]
    assert Troop.objects.get(army__name="Ana", slot=1).creature == "Lightning Dragon"
    assert is_sound(war)


def test_a_correction_may_undo_a_change(war: World) -> None:
    change(war)
    war.settle()
    correction = propose(war, new("days", "Ana", days="1"))
    apply_correction(correction=correction, judge=war.judges["movement"], now=war.turn.opened_at + 2 * HOUR)

    assert told(war)[0]["kind"] == "change_refused"
    assert states(war) == [("Ana", ACCEPTED, 1, None)]
    assert Troop.objects.get(army__name="Ana", slot=1).creature == "Ana 1/1"
    assert is_sound(war)


def test_a_correction_may_undo_a_new_name_and_bring_it_back(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The army turns out to have more alive than its new list has room for, and then not."""
    Army.objects.filter(name="Ben").update(legend="Squee", namesake=war.players["Ben"])
    offer(war, monkeypatch=monkeypatch)
    Troop.objects.filter(army__name="Ben", slot=1).update(alive=10)
    turn = war.turn
    ben = next(army for army in turn.position["armies"] if army["name"] == "Ben")
    ben["troops"][0]["alive"] = 10
    Turn.objects.filter(pk=turn.pk).update(position=turn.position, position_hash=codec.digest(turn.position))
    war.post("Gaz", "12D > 10D; engage Ben")
    change(war, "Ben", "New", ("100 Mogg Fanatic", *GOBLINS[1:]), name="Zed", legend="Nicol Bolas")
    war.settle()
    battle = Battle.objects.get()
    assert sorted(battle.entries.values_list("name", flat=True)) == ["Gaz", "Zed"]
    commitment = battle.commitment

    correction = propose(war, new("troops", "Ben", slot="1", alive="200"))
    assert difference_of(correction)["battles"] == {"gone": [], "new": [], "changed": []}
    assert "now called Ben" in difference_of(correction)["armies"][0]["changes"]
    apply_correction(correction=correction, judge=war.judges["movement"], now=war.turn.opened_at + 2 * HOUR)
    army = war.army("Ben")
    assert (army.former, army.legend, army.namesake) == ([], "Squee", war.players["Ben"])
    battle = Battle.objects.get()
    assert sorted(battle.entries.values_list("name", flat=True)) == ["Ben", "Gaz"]
    assert battle.commitment == commitment
    assert Control.objects.get(army=army, until=None).player == war.players["Ben"]
    assert is_sound(war)

    again = propose(war, new("troops", "Ben", slot="1", alive="50"), at=war.turn.opened_at + 3 * HOUR)
    apply_correction(correction=again, judge=war.judges["movement"], now=war.turn.opened_at + 4 * HOUR)
    army = war.army("Zed")
    assert (army.former, army.legend, army.namesake) == (["Ben"], "Nicol Bolas", None)
    assert sorted(Battle.objects.get().entries.values_list("name", flat=True)) == ["Gaz", "Zed"]
    assert is_sound(war)


def test_the_acts_are_in_the_log(war: World) -> None:
    """1.3."""
    change(war)

    assert [entry.action for entry in LogEntry.objects.filter(action__startswith="change.")] == [
        "change.sent",
        "change.accepted",
    ]
