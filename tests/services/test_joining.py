"""1.1: asking for admission, being taken in, and leaving."""

import pytest
from django.contrib.auth.models import User

from judging.announcements.models import Notice
from judging.command.models import Admission
from judging.command.people.admission import (
    accept_admission,
    ask_admission,
    leave_team,
    refuse_admission,
    withdraw_admission,
)
from judging.command.people.roster import admissions_for
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import viewer_of
from judging.turns.posts.services import submit_post
from judging.turns.stages import open_round
from tests.services.teams import NOW, ask, make_teams, player, stranger, who
from tests.services.world_of_tests import HOUR, LOCK, UNLOCK, World, make_round, token
from wargame.models import Control, Player
from wargame.models.choices import RoundState
from wargame.rules.core.sides import Rank

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


def join(world: World, user: User, side: str = "coalition", name: str = "Nell", **more: object) -> Admission:
    given: dict[str, object] = {"text": "Let me in.", "factions": (), "token": token(), "now": NOW, **more}
    return ask_admission(round=world.round, user=user, side=side, name=name, **given)  # type: ignore[arg-type]


def accept(world: World, admission: Admission, by: str = "Ana", rank: Rank | None = Rank.LIEUTENANT) -> Player:
    actor = world.judges[by] if by in world.judges else player(world, by)
    return accept_admission(admission=admission, by=actor, rank=rank, now=NOW + HOUR)


def test_somebody_asks_is_accepted_with_a_rank_and_plays(world: World) -> None:
    user = stranger()
    asked = join(world, user, factions=("blue", "red"))
    assert viewer_of(user, world.round).player is None
    made = accept(world, asked)
    assert (made.name, made.side, made.rank, made.factions) == ("Nell", "coalition", "lieutenant", ["blue", "red"])
    asked.refresh_from_db()
    assert (asked.state, asked.decided_by, asked.player) == (Admission.State.ACCEPTED, "Ana", made)
    actions = list(LogEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions[-2:] == ["player.asked", "player.accepted"]


def test_a_newcomer_is_given_an_army_and_posts_an_order(world: World) -> None:
    """2.6: an existing one; new armies are not created mid-round."""
    made = accept(world, join(world, stranger()))
    ask(world, "Ana", {"Gum": ("Nell",)}, now=NOW + 2 * HOUR)
    submit_post(turn=world.turn, player=made, text="21D > 22D", sealed=False, token=token(), now=NOW + 3 * HOUR)
    world.settle()
    assert world.army("Gum").at == "22D"


def test_a_cadet_plays_and_controls_nothing(world: World) -> None:
    made = accept(world, join(world, stranger()), rank=None)
    assert made.rank == ""
    with pytest.raises(Refused, match="a Cadet can't control any armies"):
        ask(world, "Ana", {"Gum": ("Nell",)})


def test_a_refusal_has_a_reason_that_the_asker_reads(world: World) -> None:
    user = stranger()
    asked = join(world, user)
    with pytest.raises(Refused, match="reason is empty"):
        refuse_admission(admission=asked, by=player(world, "Ana"), reason=" ", now=NOW)
    with pytest.raises(Refused, match="three leaders"):
        refuse_admission(admission=asked, by=player(world, "Cem"), reason="No.", now=NOW)
    refuse_admission(admission=asked, by=player(world, "Ana"), reason="We are full.", now=NOW)
    (own,) = admissions_for(viewer_of(user, world.round))
    assert own.reason == "We are full."
    with pytest.raises(Refused, match="is already refused"):
        accept(world, asked)
    assert join(world, user, side="phyrexia").state == Admission.State.ASKED


@pytest.mark.parametrize(
    ("by", "cites"), [("Cem", "1.1.2"), ("Vorn", "1.1"), ("movement", "1.3"), ("mercenary", "1.3")]
)
def test_nobody_but_the_teams_leaders_and_the_battle_judge_accepts(world: World, by: str, cites: str) -> None:
    with pytest.raises(Refused) as caught:
        accept(world, join(world, stranger()), by=by)
    assert caught.value.cites == cites
    assert not Player.objects.filter(name="Nell").exists()


def test_a_leader_accepts_nobody_beyond_the_maximum_of_a_rank(world: World) -> None:
    """2.5.2.1."""
    asked = join(world, stranger(), factions=("red",))
    with pytest.raises(Refused, match="red faction"):
        accept(world, asked, rank=Rank.CAPTAIN)
    with pytest.raises(Refused, match="General"):
        accept(world, asked, by="battle", rank=Rank.GENERAL)


def test_the_battle_judge_names_the_first_leader_of_a_team(db: None) -> None:
    """1.1: a team that has nobody can accept nobody."""
    world = make_round({})
    made = accept(world, join(world, stranger()), by="battle", rank=Rank.GENERAL)
    assert (made.rank, made.may_change_control) == ("general", True)
    second = accept(world, join(world, stranger("second"), name="Otto"), by="Nell", rank=Rank.ADMIRAL)
    assert (second.rank, second.may_change_control) == ("admiral", False)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ana", "is taken"),
        ("ana", "is taken"),
        ("Gum", "is taken"),
        ("Judge battle", "is taken"),
        ("Nell: x", "can't contain “:”"),
        ("Nell > x", "can't contain “>”"),
        ("  ", "Choose a screen name"),
        ("owner", "is taken"),
    ],
)
def test_a_screen_name_is_nobody_elses(world: World, name: str, told: str) -> None:
    """1.6: no player's, no army's, no judge's, and no other account's."""
    stranger("owner")
    with pytest.raises(Refused, match=told) as caught:
        join(world, stranger(), name=name)
    assert (caught.value.cites, caught.value.field) == ("1.6", "name")


def test_ones_own_account_name_is_free(world: World) -> None:
    assert join(world, stranger("Newcomer"), name="newcomer").name == "newcomer"


def test_who_plays_or_judges_cannot_ask_and_the_movement_judge_may(world: World) -> None:
    """1.3, 6."""
    with pytest.raises(Refused, match="You already play for the Coalition"):
        join(world, world.players["Dot"].user)
    for role, cites in (("battle", "1.3"), ("mercenary", "6")):
        with pytest.raises(Refused, match="can't be a player") as caught:
            join(world, world.judges[role].user)
        assert caught.value.cites == cites
    assert join(world, world.judges["movement"].user).state == Admission.State.ASKED


def test_nobody_joins_a_team_in_an_archive(world: World) -> None:
    """1.5: the round is played elsewhere."""
    world.round.state = RoundState.ARCHIVE
    world.round.save()
    with pytest.raises(Refused, match="is an archive of a round played elsewhere") as refused:
        join(world, stranger())
    assert refused.value.cites == "1.5"


def test_one_asks_one_team_at_a_time_and_a_double_click_asks_once(world: World) -> None:
    user = stranger()
    first = join(world, user, token="same")
    assert join(world, user, token="same") == first
    with pytest.raises(Refused, match="You have already asked a team for admission"):
        join(world, user, side="phyrexia")
    withdraw_admission(admission=first, user=user, now=NOW)
    assert join(world, user, side="phyrexia").side == "phyrexia"


@pytest.mark.parametrize("factions", [("red", "blue", "green", "white"), ("purple",)])
def test_up_to_three_factions_are_claimed(world: World, factions: tuple[str, ...]) -> None:
    """1.1.2."""
    with pytest.raises(Refused) as caught:
        join(world, stranger(), factions=factions)
    assert caught.value.cites == "1.1.2"


def test_phyrexians_claim_no_factions(world: World) -> None:
    assert join(world, stranger(), side="phyrexia", factions=("red",)).factions == []


def test_requests_are_read_by_the_teams_leaders_the_asker_and_the_battle_judge(world: World) -> None:
    user = stranger()
    join(world, user)
    readers = [world.players["Ana"].user, world.judges["battle"].user, user]
    assert [len(admissions_for(viewer_of(reader, world.round))) for reader in readers] == [1, 1, 1]
    others = [world.players[name].user for name in ("Cem", "Vorn")] + [world.judges["movement"].user, stranger("x")]
    assert [len(admissions_for(viewer_of(other, world.round))) for other in others] == [0, 0, 0, 0]


# Leaving


def test_who_leaves_controls_nothing_and_what_he_did_stays(world: World) -> None:
    world.post("Dot", "Elk: 15D > 16D")
    leave_team(player=player(world, "Dot"), now=NOW + HOUR)
    assert (who(world, "Dot"), who(world, "Elk")) == ([], [])
    assert viewer_of(world.players["Dot"].user, world.round).player is None
    assert player(world, "Dot").posts.count() == 1
    assert "Dot has left the Coalition. No one controls Dot and Elk now." in Notice.objects.get(kind="left").text
    leave_team(player=player(world, "Dot"), now=NOW + HOUR)
    assert LogEntry.objects.filter(action="player.left").count() == 1
    with pytest.raises(Refused, match="Dot doesn't play for the Coalition"):
        ask(world, "Ana", {"Gum": ("Dot",)})


def test_who_leaves_is_nobodys_contingency_and_asks_for_no_changes(world: World) -> None:
    world.players["Ana"].contingency = world.players["Bo"]
    world.players["Ana"].save()
    leave_team(player=player(world, "Bo"), now=NOW)
    assert player(world, "Ana").contingency is None
    assert not player(world, "Bo").may_change_control
    with pytest.raises(Refused, match="Only players in this round"):
        ask(world, "Bo", {"Gum": ("Cem",)})


def test_who_left_comes_back_to_his_own_team_under_his_name_and_not_to_the_other(world: World) -> None:
    dot = player(world, "Dot")
    leave_team(player=dot, now=NOW)
    with pytest.raises(Refused, match="You have played for the Coalition in this round"):
        join(world, dot.user, side="phyrexia")
    asked = join(world, dot.user, name="Dorothy")
    assert asked.name == "Dot"
    back = accept(world, asked)
    assert (back.pk, back.rank, back.left_at) == (dot.pk, "lieutenant", None)
    assert who(world, "Dot") == []


def test_an_army_that_was_never_listed_is_its_namesakes_from_the_start(db: None) -> None:
    """5.2.1: an army that is not on the list is controlled by the player of the same name."""
    world = make_round({"Ana": ("coalition", "3D", "captain"), "Bo": ("coalition", "6D", "captain")})
    Control.objects.create(
        round=world.round, army=world.army("Bo"), player=world.players["Ana"], since=world.round.created_at
    )
    open_round(round=world.round, now=UNLOCK, first_lock=LOCK)
    assert (who(world, "Ana"), who(world, "Bo")) == (["Ana"], ["Ana"])
