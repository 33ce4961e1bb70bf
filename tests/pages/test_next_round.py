"""2.5: a round that is begun from an earlier one, and the players who are invited to it."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse
from django.utils import translation

from judging.accounts.models import Account
from judging.armies.models import Muster
from judging.armies.musters.services import begin_muster
from judging.battles.models import Criterion
from judging.command.models import Admission, Invitation
from judging.command.people.admission import accept_invitation, admit_invited, invite_players
from judging.common.errors import Refused
from judging.email.models import Letter
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.services import Begun, begin_from
from tests.pages.playing import Game, game, said
from tests.pages.setting_up import MONDAY, SQUARES, Foundation, foundation
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import UNLOCK, World
from wargame.models import Army, Judge, Player, Round

__all__ = ["foundation", "game"]

NEW = reverse("round-new")


@pytest.fixture
def over(game: Game) -> Game:
    """A round that is over, and its battle judge may start another one."""
    Round.objects.update(state="over", winner="coalition", turn_length=3 * (game.world.turn.lock_at - UNLOCK))
    game.world.judges["battle"].user.user_permissions.add(Permission.objects.get(codename="add_round"))
    Player.objects.filter(name="Ana").update(factions=["red"])
    Account.objects.create(user=game.world.players["Ana"].user, key="ana", mail="ana@example.org", confirmed_at=UNLOCK)
    return game


def begun(over: Game, *, invites: bool = True, token: str = "a form") -> Begun:
    world = over.world
    user = User.objects.get(pk=world.judges["battle"].user_id)
    earlier = Round.objects.get(pk=world.round.pk)
    return begin_from(user=user, name="The Next", token=token, earlier=earlier, invites=invites, now=MONDAY)


def invitation(over: Game, who: str) -> Invitation:
    return Invitation.objects.get(user=over.world.players[who].user)


def accept(over: Game, *names: str) -> None:
    for name in names:
        accept_invitation(invitation=invitation(over, name), user=over.world.players[name].user, now=MONDAY)


def test_the_map_the_calendar_and_the_judges_are_taken_over(over: Game) -> None:
    Criterion.objects.create(judge=over.world.judges["battle"], name="Terrain")
    Criterion.objects.create(judge=over.world.judges["battle"], name="Old", retired=True)
    made = begun(over).round
    earlier = Round.objects.get(pk=over.world.round.pk)
    assert (made.state, made.name) == ("setup", "The Next")
    assert (made.terrain, made.turn_length) == (earlier.terrain, earlier.turn_length)
    judges = {judge.role: (judge.user_id, judge.is_head) for judge in Judge.objects.filter(round=made)}
    assert judges == {role: (judge.user_id, True) for role, judge in over.world.judges.items()}
    assert RoundSetup.objects.get(round=made).armies == [0, 0, 1, 0, 0, 1]
    assert list(Criterion.objects.filter(judge__round=made).values_list("name", flat=True)) == ["Terrain"]


def test_bases_towns_and_numbers_of_a_round_that_was_set_up_here_are_taken_over(foundation: Foundation) -> None:
    foundation.place()
    foundation.place("towns")
    RoundSetup.objects.update(armies=[1, 2, 3, 4, 5, 6], weekday=2, versions={"name": 1, "calendar": 1})
    user = User.objects.get(username="judy")
    made = begin_from(user=user, name="Next", token="b", earlier=foundation.round, invites=False, now=MONDAY)
    sites = PlannedSite.objects.filter(round=made.round)
    assert {site.name: site.at for site in sites if site.kind != "town"} == SQUARES
    assert not any(site.is_win for site in sites), "win conditions are chosen anew"
    setup = RoundSetup.objects.get(round=made.round)
    assert (setup.armies, setup.weekday) == ([1, 2, 3, 4, 5, 6], 2)
    assert set(setup.versions) == {"name", "calendar"}, "what was not decided there is not decided here"
    assert made.left_out == ()


def test_what_can_not_be_taken_over_is_said(over: Game) -> None:
    User.objects.filter(pk=over.world.judges["movement"].user_id).update(is_active=False)
    told = begun(over).left_out
    assert "White Base had no square in that round." in told
    assert "Judge movement (movement judge) no longer has an account." in told


def test_everything_stays_editable_and_the_form_offers_the_rounds(over: Game) -> None:
    client = over.client("battle")
    assert "Trial (finished)" in said(client.get(NEW))
    answer = client.post(NEW, {"name": "Next", "token": "c", "earlier": "trial", "invites": "on"}, follow=True)
    assert "The set-up was copied from Trial. You can change it in each step. Invited players: 5." in said(answer)
    assert client.get(reverse("setup-terrain", args=["next"])).status_code == 200


def test_a_running_round_of_somebody_else_is_no_beginning(over: Game) -> None:
    Round.objects.update(state="running")
    Judge.objects.filter(role="battle").update(role="movement", is_head=False)
    client = over.client("battle")
    assert "Trial" not in said(client.get(NEW)).split("Start a round")[-1]
    answer = client.post(NEW, {"name": "Next", "token": "c", "earlier": "trial"})
    assert answer.status_code == 422
    assert "Choose a finished round, or one whose battles you judged" in said(answer)
    with pytest.raises(Refused, match=r"2\.5"):
        begun(over)


def test_the_same_form_twice_begins_one_round(over: Game) -> None:
    assert begun(over).round == begun(over).round
    assert Invitation.objects.count() == 5


@pytest.mark.django_db(transaction=True)
def test_two_clicks_at_once_begin_one_round(over: Game) -> None:
    given = at_once(lambda: begun(over), lambda: begun(over))
    assert {each.round.pk for each in given if isinstance(each, Begun)} == {Round.objects.get(name="The Next").pk}
    assert Invitation.objects.count() == 5


def test_players_are_invited_once_but_not_who_left_or_judges(over: Game) -> None:
    Player.objects.filter(name="Ben").update(left_at=UNLOCK)
    made = begun(over, invites=False).round
    gaz = over.world.players["Gaz"].user
    Judge.objects.create(round=made, user=gaz, name="Gaz", role="battle", is_head=False)
    user = over.world.judges["battle"].user
    for number in (3, 0):
        assert invite_players(round=made, earlier=over.world.round, by=user, now=MONDAY) == number
    assert set(Invitation.objects.values_list("name", flat=True)) == {"Ana", "Cay", "Hex"}


def test_who_has_confirmed_an_address_gets_a_letter(over: Game, settings: object) -> None:
    begun(over)
    assert [letter.to for letter in Letter.objects.filter(kind="invited")] == ["ana@example.org"]


def test_an_invitation_is_on_the_rounds_page_and_the_account_page_of_its_owner_alone(over: Game) -> None:
    begun(over)
    for name in ("rounds", "account"):
        told = said(over.client("Ana").get(reverse(name)))
        assert "You are invited to play for the Coalition again as Ana, in The Next" in told.replace(
            "The Next.", "The Next ."
        )
        assert "invited" not in said(over.client("battle").get(reverse(name)))
    assert "invited" not in said(over.client().get(reverse("rounds")))


def test_one_click_asks_the_same_team_for_admission(over: Game) -> None:
    made = begun(over).round
    address = reverse("invitation", args=[made.slug])
    answer = over.client("Ana").post(address, {"act": "accept"}, follow=True)
    assert "The Coalition has your request for admission." in said(answer)
    asked = Admission.objects.get()
    assert (asked.name, asked.side, asked.user) == ("Ana", "coalition", over.world.players["Ana"].user)
    with translation.override("de"):
        assert asked.words.startswith("Ich habe in ")
    over.client("Ana").post(address, {"act": "accept"})
    assert Admission.objects.count() == 1
    assert "You are invited" not in said(over.client("Ana").get(reverse("rounds")))


def test_who_declines_is_not_asked_again_and_strangers_have_no_invitation(over: Game) -> None:
    made = begun(over).round
    address = reverse("invitation", args=[made.slug])
    assert "You have declined." in said(over.client("Hex").post(address, {"act": "decline"}, follow=True))
    assert "You are invited" not in said(over.client("Hex").get(reverse("rounds")))
    assert not Admission.objects.exists()
    assert over.client("battle").post(address, {"act": "accept"}).status_code == 404
    with pytest.raises(Refused, match="for someone else"):
        accept_invitation(invitation=invitation(over, "Hex"), user=over.world.players["Ana"].user, now=MONDAY)


def test_all_who_were_invited_are_taken_in_at_once_with_their_ranks(over: Game) -> None:
    made = begun(over).round
    accept(over, "Ana", "Ben", "Gaz")
    judge = Judge.objects.get(round=made, role="battle")
    desk = over.client("battle").get(reverse("judge:command", args=[made.pk]))
    assert "Admit all invited players" in said(desk)
    answer = over.client("battle").post(reverse("judge:command", args=[made.pk]), {"act": "invited"}, follow=True)
    assert "3 players were admitted." in said(answer)
    ranks = dict(Player.objects.filter(round=made).values_list("name", "rank"))
    assert ranks == {"Ana": "captain", "Ben": "lieutenant", "Gaz": "evincar"}
    with pytest.raises(Refused, match="No invited player is asking for admission"):
        admit_invited(round=made, by=judge, sides=["coalition"], now=MONDAY)


@pytest.mark.django_db(transaction=True)
def test_an_invitation_that_is_accepted_twice_at_once_asks_once(over: Game) -> None:
    begun(over)
    at_once(lambda: accept(over, "Ana"), lambda: accept(over, "Ana"))
    assert Admission.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_judges_who_take_in_all_at_once_take_in_each_once(over: Game) -> None:
    made = begun(over).round
    accept(over, "Ana", "Ben", "Gaz", "Hex")
    judge = Judge.objects.get(round=made, role="battle")
    both = lambda: admit_invited(round=made, by=judge, sides=["coalition", "phyrexia"], now=MONDAY)  # noqa: E731
    at_once(both, both)
    assert Player.objects.filter(round=made).count() == 4
    assert set(Admission.objects.values_list("state", flat=True)) == {"accepted"}


def test_who_can_not_be_taken_in_stays_on_the_list_and_hinders_nobody(over: Game) -> None:
    made = begun(over).round
    accept(over, "Ana", "Ben")
    Player.objects.create(round=made, user=User.objects.create_user("x"), name="Ana", side="phyrexia", joined_at=MONDAY)
    judge = Judge.objects.get(round=made, role="battle")
    taken, why_not = admit_invited(round=made, by=judge, sides=["coalition"], now=MONDAY)
    assert [player.name for player in taken] == ["Ben"]
    assert len(why_not) == 1
    assert why_not[0].startswith("Ana: ")
    assert Admission.objects.get(name="Ana").state == "asked"


def test_a_leader_takes_in_his_own_teams_alone(over: Game) -> None:
    made = begun(over).round
    accept(over, "Ana", "Gaz")
    leader = User.objects.create_user("leader")
    player = Player.objects.create(
        round=made, user=leader, name="Una", side="coalition", rank="general", joined_at=MONDAY
    )
    client = over.client()
    client.force_login(leader, backend="django.contrib.auth.backends.ModelBackend")
    address = reverse("admissions", args=[made.slug])
    assert "Admit all invited players" in said(client.get(address))
    assert "1 player was admitted." in said(client.post(address, {"act": "invited"}, follow=True))
    assert Admission.objects.get(name="Gaz").state == "asked"
    assert player.round == made


def test_the_army_that_was_handed_in_then_is_a_draft_now(over: Game) -> None:
    world: World = over.world
    Army.objects.filter(name="Ana").update(namesake=world.players["Ana"])
    given = {"author": world.players["Ben"], "rank": "lieutenant", "state": "accepted", "saved_at": UNLOCK}
    lists = ["5000 Elves", "", "", ""]
    Muster.objects.create(
        round=world.round, namesake=world.players["Ben"], name="Ben", legend="Once", lists=lists, token="m", **given
    )
    made = begun(over).round
    accept(over, "Ben", "Ana")
    found = admit_invited(round=made, by=Judge.objects.get(round=made, role="battle"), sides=["coalition"], now=MONDAY)
    assert found[1] == []
    ben, ana = (Player.objects.get(round=made, name=name) for name in ("Ben", "Ana"))
    muster = begin_muster(round=made, player=ben, rank=None, token="n", now=MONDAY)
    assert (muster.state, muster.lists, muster.legend, muster.rank) == ("draft", lists, "Once", "lieutenant")
    namesake = begin_muster(round=made, player=ana, rank=None, token="o", now=MONDAY)
    assert namesake.lists[0] == "5000 Ana 1/1", "nobody handed it in here, so it is as strong as it was last"
