"""1.6: another screen name: the powers stay, the old name is kept, and past turns stay as they were."""

from dataclasses import replace

import pytest

from judging.command.control.services import control_lists, history_of_army
from judging.command.models import NameChange
from judging.command.people.admission import leave_team
from judging.command.people.roster import player_view
from judging.command.people.screen_names import ask_name, decide_name, withdraw_name
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.positions import position_of
from judging.common.viewer import viewer_of
from judging.turns.posts.queries import movement_thread
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import verify_round
from tests.services.teams import NOW, make_teams, player, stranger, who
from tests.services.world_of_tests import DEADLINE, HOUR, LOCK, UNLOCK, World
from wargame.models import Army, Control, Player, Turn
from wargame.rules.core.position import Captivity
from wargame.rules.core.sides import Side
from wargame.world import store_control

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    world = make_teams()
    for army in Army.objects.filter(round=world.round):
        army.namesake = world.players.get(army.name)
        army.save()
    return world


def rename(world: World, old: str, new: str, now: object = NOW) -> NameChange:
    change = ask_name(player=player(world, old), name=new, now=now)  # type: ignore[arg-type]
    decide_name(change=change, judge=world.judges["battle"], grant=True, reason="", now=now)  # type: ignore[arg-type]
    return change


def test_the_battle_judge_grants_a_name_and_the_player_keeps_his_powers(world: World) -> None:
    rename(world, "Dot", "Dorothy")
    dot = player(world, "Dorothy")
    assert dot.former_names == [["Dot", NOW.isoformat()]]
    assert (who(world, "Dot"), who(world, "Elk")) == (["Dorothy"], ["Dorothy"])
    world.players["Dorothy"] = dot
    world.post("Dorothy", "12D > 13D", at=NOW + HOUR)
    world.settle()
    assert world.army("Dot").at == "13D", "a line without a name still means the namesake (R10)"
    assert LogEntry.objects.get(action="name.granted").data == {"old": "Dot", "new": "Dorothy", "reason": ""}


def test_the_old_name_is_kept_and_is_nobody_elses(world: World) -> None:
    rename(world, "Dot", "Dorothy")
    found = player_view(world.round, "Dot", NOW)
    assert found is not None
    assert (found.member.player.name, found.former) == ("Dorothy", (("Dot", NOW),))
    with pytest.raises(Refused, match="make a difference"):
        ask_name(player=player(world, "Cem"), name="dot", now=NOW)
    rename(world, "Dorothy", "Dot", NOW + HOUR)
    assert [old for old, _ in player(world, "Dot").former_names] == ["Dot", "Dorothy"]


def test_a_turn_that_is_settled_knows_its_players_by_their_names_of_then(world: World) -> None:
    """R18: renamed twice, the thread, the report and the recomputing of an old turn stay as they were."""
    world.post("Dot", "Elk: 15D > 16D > 17D > 18E\nFir: 18D > 19D")
    world.settle()
    world.players["Dot"].refresh_from_db()
    rename(world, "Dot", "Dorothy", world.turn.opened_at + HOUR)
    world.settle()
    assert world.army("Elk").at == "17D", "the long move goes on under the new name (3.2.2.3)"
    rename(world, "Dorothy", "Dodo", world.turn.opened_at + HOUR)
    world.settle()
    assert world.army("Elk").at == "18E"
    assert [list(verdict.differences) for verdict in verify_round(world.round)] == [[], [], []]
    first, second, third = Turn.objects.filter(round=world.round, state="settled").order_by("number")
    assert InputOfTurn(first).control["Elk"] == ("Dot",)
    assert InputOfTurn(second).control["Elk"] == ("Dorothy",)
    assert InputOfTurn(third).control["Elk"] == ("Dodo",)
    (post,) = movement_thread(first, viewer_of(player(world, "Dodo").user, world.round), world.turn.opened_at)
    assert post.by == "Dot"
    assert [entry.line.refusal.cites for entry in post.lines if entry.line.refusal] == ["5.4.1"]


def test_past_lists_show_the_names_of_their_time(world: World) -> None:
    rename(world, "Dot", "Dorothy")
    then = control_lists(world.round, UNLOCK, NOW + HOUR)
    names = [(holder.name, holder.player.name) for side in then.sides for holder in side.holders]
    assert ("Dot", "Dorothy") in names
    found = history_of_army(world.round, "Elk")
    assert found is not None
    assert [span.name for span in found[1]] == ["Dot"]


def liberated(world: World, *controllers: str) -> list[str]:
    """4.5: who controls Elk after Phyrexia, which had captured it from these, lost it again."""
    turn, elk = world.turn, world.army("Elk")
    freed = position_of(turn).by_name["Elk"]
    captive = freed._replace(side=Side.PHYREXIA, captivity=Captivity(Side.COALITION, (), (), controllers))
    before, after = (replace(position_of(turn), armies=(army,)) for army in (captive, freed))
    store_control(turn, before, after, {"Elk": elk.pk}, NOW + HOUR)
    return who(world, "Elk")


def test_a_liberated_army_returns_to_its_controller_under_his_new_name(world: World) -> None:
    """4.5: R40."""
    rename(world, "Dot", "Dorothy")
    assert liberated(world, "Cem", "Dot") == ["Cem", "Dorothy"]


def test_a_liberated_army_returns_to_nobody_who_has_left_or_may_not_control_it(world: World) -> None:
    """5.3.1, 1.1.2."""
    leave_team(player=player(world, "Cem"), now=NOW)
    cadet = player(world, "Dot")
    cadet.rank = ""
    cadet.save()
    assert liberated(world, "Cem", "Dot") == []


def test_a_refusal_has_a_reason_and_changes_nothing(world: World) -> None:
    change = ask_name(player=player(world, "Dot"), name="Dorothy", now=NOW)
    with pytest.raises(Refused, match="reason is empty"):
        decide_name(change=change, judge=world.judges["battle"], grant=False, reason="", now=NOW)
    with pytest.raises(Refused, match="Only battle judges of this round"):
        decide_name(change=change, judge=world.judges["movement"], grant=True, reason="", now=NOW)
    decide_name(change=change, judge=world.judges["battle"], grant=False, reason="Too like Dora.", now=NOW)
    assert Player.objects.filter(name="Dot").exists()
    with pytest.raises(Refused, match="already refused"):
        decide_name(change=change, judge=world.judges["battle"], grant=True, reason="", now=NOW)


def test_one_asks_for_one_name_at_a_time_and_takes_it_back(world: World) -> None:
    change = ask_name(player=player(world, "Dot"), name="Dorothy", now=NOW)
    with pytest.raises(Refused, match="You have already asked for another name"):
        ask_name(player=player(world, "Dot"), name="Dodo", now=NOW)
    with pytest.raises(Refused, match="Only the person asking for a name can withdraw it"):
        withdraw_name(change=change, player=player(world, "Cem"), now=NOW)
    withdraw_name(change=change, player=player(world, "Dot"), now=NOW)
    ask_name(player=player(world, "Dot"), name="Dodo", now=NOW)


@pytest.mark.parametrize("name", ["Dot", "Ana", "Elk", "Do:t", "Do>t", "", "9A"])
def test_a_name_that_cannot_be_is_refused(world: World, name: str) -> None:
    with pytest.raises(Refused) as caught:
        ask_name(player=player(world, "Dot"), name=name, now=NOW)
    assert caught.value.cites == "1.6"


@pytest.mark.parametrize("name", ["\U0001f409", "\U0001f409\U0001f525", "\u2764", "!?*", "--"])
def test_a_name_that_nobody_can_say_is_refused_with_what_would_do(world: World, name: str) -> None:
    """1.6: pictures or signs alone."""
    with pytest.raises(Refused, match="needs a letter or a digit") as caught:
        ask_name(player=player(world, "Dot"), name=name, now=NOW)
    assert (caught.value.cites, caught.value.field) == ("1.6", "name")
    ask_name(player=player(world, "Dot"), name=f"Dot {name[:1]} II" if name[0] in "!-" else "Dorothy", now=NOW)


def test_a_name_that_was_taken_while_the_judge_thought_is_refused(world: World) -> None:
    change = ask_name(player=player(world, "Dot"), name="Dorothy", now=NOW)
    stranger("dorothy")
    with pytest.raises(Refused, match="make a difference"):
        decide_name(change=change, judge=world.judges["battle"], grant=True, reason="", now=NOW)


def test_no_name_changes_while_a_turn_is_being_settled(world: World) -> None:
    change = ask_name(player=player(world, "Dot"), name="Dorothy", now=DEADLINE)
    with pytest.raises(Refused, match="is being settled"):
        decide_name(change=change, judge=world.judges["battle"], grant=True, reason="", now=LOCK + HOUR)


def test_control_rows_stay_the_players(world: World) -> None:
    before = list(Control.objects.order_by("pk").values_list("army", "player", "since", "until"))
    rename(world, "Dot", "Dorothy")
    assert list(Control.objects.order_by("pk").values_list("army", "player", "since", "until")) == before
