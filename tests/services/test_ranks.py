"""1.1, 2.5.2.1, R45: ranks are given, and armies are freed."""

from importlib import import_module

import pytest
from django.apps import apps
from django.utils import translation

from judging.announcements.models import Notice
from judging.command.control.services import control_lists
from judging.command.people.admission import leave_team
from judging.command.people.ranks import claim_factions, end_all_excesses, give_rank
from judging.command.people.roster import player_view, rank_choices, teams
from judging.common.errors import Refused
from judging.common.models import LogEntry
from tests.services.teams import DAY, NOW, ask, make_teams, player, who
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_player
from wargame.models import Army, RankChange
from wargame.rules.command.control import Demotion
from wargame.rules.core.sides import Rank, Side

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


def give(world: World, by: str, name: str, rank: Rank | None, **more: object) -> Demotion:
    giver = world.judges[by] if by in world.judges else player(world, by)
    target = player(world, name)
    return give_rank(round=world.round, by=giver, player=target, rank=rank, now=NOW, **more)  # type: ignore[arg-type]


def test_a_leader_promotes_somebody_and_the_history_keeps_it(world: World) -> None:
    outcome = give(world, "Ana", "Dot", Rank.COMMANDER)
    assert outcome.freed == ()
    assert player(world, "Dot").rank == "commander"
    change = RankChange.objects.get()
    assert (change.before, change.after, change.by) == ("lieutenant", "commander", "Ana")
    assert LogEntry.objects.get(action="player.rank").data["after"] == "commander"


def test_a_demotion_frees_the_armies_above_the_new_rank_at_once(world: World) -> None:
    """5.3.1, R45: in the log and in the Proxy List thread."""
    ask(world, "Ana", {"Fir": ("Bo",)})
    outcome = give(world, "Ana", "Bo", Rank.LIEUTENANT)
    assert outcome.freed == ("Bo", "Fir")
    assert (who(world, "Bo"), who(world, "Fir")) == ([], [])
    assert LogEntry.objects.get(action="control.freed").data["armies"] == ["Bo", "Fir"]
    notice = Notice.objects.get(kind="freed")
    assert notice.text == ("Bo is now Lieutenant and no longer controls Bo and Fir. They need a new army.")


def test_who_shares_a_freed_army_keeps_it(world: World) -> None:
    ask(world, "Ana", {"Fir": ("Ana", "Bo")})
    give(world, "Ana", "Bo", Rank.COMMANDER)
    assert who(world, "Fir") == ["Ana"]


def test_a_demoted_player_without_an_army_is_on_the_list_of_those_who_need_one(world: World) -> None:
    """5.3.4."""
    give(world, "Ana", "Bo", Rank.COMMANDER)
    ask(world, "Ana", {"Cem": ("Cem", "Ana")})
    (coalition, _) = teams(world.round, NOW + HOUR)
    assert [member.player.name for member in coalition.members if member.needs_army] == ["Bo"]


def test_for_who_is_not_active_no_army_must_be_found_after_his_demotion(world: World) -> None:
    """5.1, 5.3.4."""
    late = UNLOCK + 8 * DAY
    outcome = give_rank(round=world.round, by=player(world, "Ana"), player=player(world, "Cem"), rank=None, now=late)
    assert (outcome.freed, outcome.needs_army) == (("Cem",), False)
    assert "need a new army" not in Notice.objects.get(kind="freed").text


@pytest.fixture
def crowded(world: World) -> World:
    """Three Lieutenants with the three Lieutenants' armies, and Cem, who was a Commander, demoted to be the fourth."""
    for name, army in (("Eve", "Elk"), ("Fay", "Gum")):
        world.players[name] = add_player(world.round, name, "coalition", "lieutenant")
        ask(world, "Ana", {army: (name,)})
    assert not give(world, "Ana", "Cem", Rank.LIEUTENANT).needs_army
    assert player(world, "Cem").made_excess
    return world


def test_a_demotion_that_makes_too_few_armies_takes_one_last_army(crowded: World) -> None:
    """5.3.4: the rule's own example."""
    ask(crowded, "Ana", {"Elk": ("Cem",)})
    assert who(crowded, "Elk") == ["Cem"]
    with pytest.raises(Refused, match="Fay is active, so you can.t take away their last army") as caught:
        ask(crowded, "Ana", {"Gum": ("Ana",)})
    assert caught.value.cites == "5.3.4"


@pytest.mark.parametrize("how", ["somebody leaves", "somebody is promoted", "an army is captured"])
def test_once_there_are_enough_armies_again_that_demotion_excuses_nobody(crowded: World, how: str) -> None:
    """5.3.4: though armies are killed later."""
    if how == "somebody leaves":
        leave_team(player=player(crowded, "Fay"), now=NOW)
    elif how == "somebody is promoted":
        give(crowded, "Ana", "Dot", Rank.COMMANDER)
    else:
        Army.objects.create(round=crowded.round, name="Hue", side="coalition", at="26D", rank="lieutenant")
        end_all_excesses(NOW)
    assert not player(crowded, "Cem").made_excess
    Army.objects.filter(name__in=("Gum", "Hue")).update(died_in=1, at="")
    with pytest.raises(Refused, match="Eve is active, so you can.t take away their last army") as caught:
        ask(crowded, "Ana", {"Elk": ("Cem",)})
    assert caught.value.cites == "5.3.4"


@pytest.mark.parametrize(
    ("by", "name", "rank", "cites"),
    [
        ("Bo", "Dot", Rank.COMMANDER, "1.1.2"),
        ("Ana", "Ana", Rank.ADMIRAL, "1.1.2"),
        ("Ana", "Skar", Rank.CPL, "1.1"),
        ("Ana", "Dot", Rank.CPL, "1.1"),
        ("Ana", "Dot", Rank.LIEUTENANT, "1.1"),
        ("Ana", "Cem", Rank.CAPTAIN, "1.1.2"),
        ("Ana", "Dot", Rank.CAPTAIN, "1.1.2"),
    ],
)
def test_a_rank_that_cannot_be_given_is_refused(world: World, by: str, name: str, rank: Rank, cites: str) -> None:
    before = player(world, name).rank
    with pytest.raises(Refused) as caught:
        give(world, by, name, rank)
    assert caught.value.cites == cites
    assert player(world, name).rank == before


def test_the_eighth_captain_is_one_too_many(world: World) -> None:
    """2.5.2.1, 1.1.2."""
    for number, faction in enumerate(("white", "blue", "green", "black", "multicolor", "colorless")):
        captain = add_player(world.round, f"Captain {number}", "coalition", "captain")
        captain.factions = [faction]
        captain.save()
    with pytest.raises(
        Refused, match="No more players can have the rank Captain: the count is already 7, and the limit is 7"
    ) as caught:
        give(world, "Ana", "Cem", Rank.CAPTAIN)
    assert caught.value.cites == "2.5.2.1, 1.1.2"
    choices = {choice.title: choice.is_full for choice in rank_choices(world.round, Side.COALITION, NOW)}
    assert (choices["General"], choices["Captain"], choices["Commander"], choices["Cadet"]) == (
        True,
        True,
        False,
        False,
    )


def test_the_battle_judge_makes_a_general_and_says_why(world: World) -> None:
    """1.3: and the General has the power to ask for changes, as one of the two (5.2.2.1)."""
    with pytest.raises(Refused, match="reason is empty"):
        give(world, "battle", "Ana", Rank.ADMIRAL)
    give(world, "battle", "Ana", Rank.ADMIRAL, reason="She asked for it.")
    for name in ("Ana", "Bo"):
        row = player(world, name)
        row.may_change_control = False
        row.save()
    give(world, "battle", "Bo", Rank.GENERAL, reason="The team chose him.")
    assert player(world, "Bo").may_change_control
    with pytest.raises(Refused, match="Only battle judges"):
        give(world, "movement", "Dot", Rank.COMMANDER, reason="No.")


def test_who_gave_a_rank_as_a_judge_is_told_in_the_readers_language(world: World) -> None:
    give(world, "battle", "Dot", Rank.COMMANDER, reason="She asked for it.")
    change = RankChange.objects.get()
    assert (change.by, change.giver) == ("Judge battle", "Judge battle, battle judge")
    with translation.override("de"):
        assert change.giver == "Judge battle, Schlachtrichter"


def test_a_judge_who_was_kept_in_words_is_kept_by_his_role(world: World) -> None:
    give(world, "battle", "Dot", Rank.COMMANDER, reason="She asked for it.")
    RankChange.objects.update(by="Judge battle, battle judge", role="")
    import_module("wargame.migrations.0009_ranks_of_judges").roles(apps, None)
    change = RankChange.objects.get()
    assert (change.by, change.role) == ("Judge battle", "battle")


def test_a_form_that_showed_another_rank_is_refused(world: World) -> None:
    give(world, "Ana", "Dot", Rank.COMMANDER, shown="lieutenant")
    with pytest.raises(Refused, match="Dot is now Commander"):
        give(world, "Ana", "Dot", Rank.LT_COMMANDER, shown="lieutenant")


def test_past_lists_show_the_ranks_of_their_time(world: World) -> None:
    give(world, "Ana", "Dot", Rank.COMMANDER)
    then = control_lists(world.round, UNLOCK, NOW + HOUR)
    titles = {holder.name: holder.title for side in then.sides for holder in side.holders}
    assert titles["Dot"] == "Lieutenant"
    now = control_lists(world.round, NOW + HOUR, NOW + HOUR)
    assert {holder.name: holder.title for side in now.sides for holder in side.holders}["Dot"] == "Commander"


def test_a_players_page_knows_his_ranks_and_armies(world: World) -> None:
    give(world, "Ana", "Dot", Rank.COMMANDER)
    found = player_view(world.round, "Dot", NOW)
    assert found is not None
    assert [change.after for change in found.ranks] == ["commander"]
    assert [span.army.name for span in found.spans] == ["Dot", "Elk"]


def test_factions_are_claimed_by_the_player_himself(world: World) -> None:
    """1.1.2: three of them, and no Captain's place that is taken."""
    claim_factions(player=player(world, "Dot"), factions=("blue", "white", "blue"), now=NOW)
    assert player(world, "Dot").factions == ["blue", "white"]
    with pytest.raises(Refused, match="up to 3"):
        claim_factions(player=player(world, "Dot"), factions=("blue", "white", "red", "green"), now=NOW)
    claim_factions(player=player(world, "Cem"), factions=("green",), now=NOW)
    give(world, "Ana", "Cem", Rank.CAPTAIN)
    with pytest.raises(Refused, match="Bo is the Captain of the red faction"):
        claim_factions(player=player(world, "Cem"), factions=("red", "green"), now=NOW)
    with pytest.raises(Refused, match="Only the Coalition has factions"):
        claim_factions(player=player(world, "Skar"), factions=("black",), now=NOW)
