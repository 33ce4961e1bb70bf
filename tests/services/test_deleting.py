"""1.6: accounts are deleted: what is known of a person goes, what he did stays under a neutral name."""

from datetime import datetime, timedelta

import pytest
from axes.models import AccessAttempt
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.db.models import PROTECT, Field
from django.test import Client
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.models import Account, AdminEntry, Deletion
from judging.accounts.names import account_for
from judging.accounts.sessions.models import BrowserSession
from judging.accounts.tokens.models import AccessToken
from judging.accounts.tokens.services import make_token
from judging.accounts.two_factor.models import RecoveryCode
from judging.boards.models import Block, Message
from judging.boards.queries.boards import BOARDS, Readers
from judging.boards.reports import block
from judging.boards.services import write_message
from judging.command.judges.services import name_judge
from judging.command.people.roster import player_view
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.viewer import Viewer, viewer_of
from judging.discord.models import DiscordLink
from judging.email.models import Letter
from judging.feeds.models import FeedAddress
from judging.import_export.exporting import Everything, round_file
from judging.inbound_email.models import MailAddress, SeatAddress
from judging.log.queries import Log, LogFilter, NamedInLog
from judging.notifications.services import FORGOTTEN
from judging.people import deletion
from judging.people.deletion import OF_THE_ACCOUNT, TO_THINK, ask_deletion, delete_account, delete_due, keep_account
from judging.people.services import bar, name_head
from judging.rounds.people import users_called
from judging.webhooks.models import Hook, HookMessage
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import LOCK, World
from wargame.models import Judge, Round
from wargame.models.choices import Role

pytestmark = pytest.mark.django_db
LATER = NOW + TO_THINK
WHY = "He asked for it by mail."


@pytest.fixture
def world(db: None) -> World:
    """Two teams in a turn that is open for long."""
    return make_teams(lock=LOCK + 3 * TO_THINK)


@pytest.fixture
def chief(db: None) -> User:
    return User.objects.create_superuser("chief")


@pytest.fixture
def dot(world: World) -> User:
    user: User = world.players["Dot"].user
    user.email = "dot@example.org"
    user.set_password("three owls on a wire")
    user.save()
    return user


def deleted(user: User, chief: User | None = None, now: datetime = NOW, renames_all: bool = False) -> str:
    return delete_account(user=user, by=chief, reason=WHY, renames_all=renames_all, now=now)


def test_nothing_that_is_known_of_a_person_is_left(world: World, dot: User, chief: User) -> None:
    old, browser = dot.username, Client()
    browser.force_login(dot, backend="django.contrib.auth.backends.ModelBackend")
    make_token(user=dot, name="bot", scopes=["read"], days=None, now=NOW)
    with locking.transaction():
        account_for(dot)
    TOTPDevice.objects.create(user=dot)
    RecoveryCode.objects.create(user=dot, digest="x")
    AccessAttempt.objects.create(username=old, ip_address="192.0.2.1", failures_since_start=1)
    name = deleted(dot, chief)
    dot.refresh_from_db()
    assert name == dot.username == dot.first_name == f"Former player {dot.pk}"
    assert (dot.email, dot.is_active, dot.has_usable_password(), dot.last_login) == ("", False, False, None)
    for rows in (AccessToken, BrowserSession, Account, TOTPDevice, RecoveryCode):
        assert not rows.objects.filter(user=dot).exists()
    assert not AccessAttempt.objects.exists()
    assert browser.get("/accounts/").status_code == 302
    assert old not in b"".join(round_file(Everything(world.round))).decode()


OF_OTHER_ROOMS = (RecoveryCode, BrowserSession, Hook, SeatAddress)
KEPT_OF_HIM = {
    "Admission": "what he asked a team for is the team's, under his new name",
    "Mention": "a message of somebody else's names him",
    "Report": "somebody decides about it",
    "TableReport": "somebody decides about it",
    "Block": "who does not want to read him; his own are gone",
    "Bar": "why and until when, for the administrators",
    "Deletion": "it tells that he is gone",
}
"""Rows that name an account and would go with it, were it not kept under another name."""


def test_no_way_in_or_out_of_the_account_is_left(world: World, dot: User, chief: User) -> None:
    """1.6: its webhooks, feeds, mail addresses and Discord tell where he is reached, or let others act for him."""
    player = world.players["Dot"]
    made = {"made_at": NOW, "user": dot}
    hook = Hook.objects.create(name="bot", url="https://his.example/secret", since=NOW, **made)
    HookMessage.objects.create(hook=hook, key="a", number="1", kind="round", told={}, created=NOW, due=NOW)
    DiscordLink.objects.create(discord="1234", **made)
    FeedAddress.objects.create(token="f" * 32, **made)
    MailAddress.objects.create(player=player, token="m", made_at=NOW)
    deleted(dot, chief)
    for rows in (Hook, HookMessage, DiscordLink, FeedAddress, MailAddress):
        assert not rows.objects.exists(), rows
    named = [model for model in apps.get_models() for field in model._meta.fields if field.related_model is User]
    left = {
        model.__name__ for model in named if model.__module__.startswith("judging.") and not model._meta.auto_created
    }
    guarded = {model.__name__ for model in named if all(_is_guarded(field) for field in model._meta.fields)}
    gone = {model.__name__ for model in (*OF_THE_ACCOUNT, *FORGOTTEN, *OF_OTHER_ROOMS)}
    assert left - guarded - gone == set(KEPT_OF_HIM)


def _is_guarded(field: Field) -> bool:
    """Whether an account can't be removed while a row of this field names it: what he did, which is kept."""
    return field.related_model is not User or field.remote_field.on_delete is PROTECT


def test_his_seats_are_left_and_his_armies_are_his_leaders_business(world: World, dot: User, chief: User) -> None:
    name = deleted(dot, chief)
    player = dot.players.get()
    assert (player.name, player.left_at) == (name, NOW)
    assert not player.controls.filter(until__isnull=True).exists()
    told = [line.what for line in Log(Viewer(None, world.round), NOW + timedelta(hours=1), LogFilter())]
    assert any(what.startswith("left ") for what in told), told


def test_a_round_that_is_over_keeps_the_screen_name_unless_he_wants_otherwise(
    world: World, dot: User, chief: User
) -> None:
    Round.objects.filter(pk=world.round.pk).update(state="over")
    cem: User = world.players["Cem"].user
    deleted(dot, chief)
    name = deleted(cem, chief, renames_all=True)
    assert (dot.players.get().name, dot.players.get().left_at) == ("Dot", None)
    assert users_called("Dot") == [], "his page over all rounds is gone all the same"
    assert cem.players.get().name == name
    assert cem.players.get().former_names[-1][0] == "Cem"


def test_what_he_did_is_a_former_players(world: World, dot: User, chief: User) -> None:
    onlooker = User.objects.create_user("fencesitter")
    for user, number in ((dot, 1), (onlooker, 2)):
        viewer = viewer_of(user, world.round)
        write_message(viewer=viewer, board=BOARDS["talk"], text="Hello.", token=f"t{number}", now=NOW)
    record(world.round, dot, "player.back", {}, NOW)
    block(viewer=viewer_of(onlooker, world.round), name="Dot", now=NOW)
    own = block(viewer=viewer_of(world.players["Cem"].user, world.round), name="Dot", now=NOW)
    names = [deleted(dot, chief), deleted(onlooker, chief)]
    assert list(Message.objects.order_by("number").values_list("name", flat=True)) == names
    assert list(Block.objects.values_list("pk", "name")) == [(own.pk, names[0])]
    who = {line.who for line in Log(Viewer(None, world.round), NOW + timedelta(hours=1), LogFilter())}
    assert names[0] in who
    assert "Dot" not in who
    found = player_view(world.round, names[0], NOW)
    assert found is not None
    assert found.former == ()


def test_his_old_name_leads_nowhere(world: World, dot: User, chief: User) -> None:
    Round.objects.filter(pk=world.round.pk).update(state="over")
    name = deleted(dot, chief, renames_all=True)
    assert player_view(world.round, "Dot", NOW) is None
    people = Readers(world.round, BOARDS["talk"])
    assert name in people.by_name
    assert "Dot" not in people.by_name
    cast = NamedInLog(Viewer(None, world.round), NOW)
    assert cast.called("Dot") == []
    assert cast.called(name) == [dot.pk]


def test_turns_are_recomputed_with_the_names_of_their_time(world: World, dot: User, chief: User) -> None:
    deleted(dot, chief)
    assert dot.players.get().former_names == [["Dot", NOW.isoformat()]]
    assert dot.players.get().name_at(NOW - timedelta(hours=1)) == "Dot"


def test_who_asked_has_a_week_to_take_it_back(world: World, dot: User) -> None:
    ask_deletion(user=dot, renames_all=False, now=NOW)
    delete_due(LATER - timedelta(seconds=1))
    keep_account(user=dot, now=LATER - timedelta(seconds=1))
    delete_due(LATER)
    dot.refresh_from_db()
    assert dot.is_active
    ask_deletion(user=dot, renames_all=False, now=NOW)
    ask_deletion(user=dot, renames_all=True, now=NOW + TO_THINK / 2)
    delete_due(LATER)
    delete_due(LATER)
    dot.refresh_from_db()
    assert not dot.is_active
    actions = list(AdminEntry.objects.order_by("pk").values_list("action", flat=True))
    assert actions == ["deletion_asked", "deletion_dropped", "deletion_asked", "deleted"]


def test_a_request_that_is_taken_back_while_the_job_runs_counts(world: World, dot: User) -> None:
    ask_deletion(user=dot, renames_all=False, now=NOW)
    keep_account(user=dot, now=NOW)
    with pytest.raises(Refused, match="The owner has withdrawn the request"):
        delete_account(user=dot, by=None, reason="", renames_all=False, now=LATER)


def test_a_head_judge_goes_when_another_one_is_named(world: World, chief: User) -> None:
    judge = world.judges["battle"]
    with pytest.raises(Refused, match="Appoint another head judge first"):
        ask_deletion(user=judge.user, renames_all=False, now=NOW)
    with pytest.raises(Refused, match="Appoint another head judge first"):
        deleted(judge.user, chief)
    User.objects.create_user("nora", first_name="Nora")
    name_head(round=world.round, role=Role.BATTLE, username="nora", reason="He is gone.", by=chief, now=NOW)
    name = deleted(judge.user, chief)
    judge = Judge.everybody.get(pk=judge.pk)
    assert (judge.name, judge.dismissed_at) == (name, NOW)


def test_while_a_turn_is_settled_nobody_goes(dot: User, chief: User) -> None:
    with pytest.raises(Refused, match="is being settled"):
        deleted(dot, chief, now=LOCK + 4 * TO_THINK)
    ask_deletion(user=dot, renames_all=False, now=NOW)
    delete_due(LOCK + 4 * TO_THINK)
    assert Deletion.objects.filter(user=dot).exists(), "it is tried again"


def test_nothing_can_be_done_about_an_account_that_is_gone(world: World, dot: User, chief: User) -> None:
    deleted(dot, chief)
    with pytest.raises(Refused, match="This account has been deleted"):
        bar(user=dot, by=chief, reason=WHY, days=None, now=NOW)
    with pytest.raises(Refused, match="This account has been deleted"):
        deleted(dot, chief)


def test_administrators_are_not_deleted(world: World, chief: User) -> None:
    with pytest.raises(Refused, match="administrator"):
        ask_deletion(user=chief, renames_all=False, now=NOW)
    with pytest.raises(Refused, match="Only administrators"):
        deleted(chief, world.players["Ana"].user)


def test_a_letter_tells_that_it_was_asked_and_that_it_is_done(world: World, dot: User) -> None:
    ask_deletion(user=dot, renames_all=False, now=NOW)
    delete_due(LATER)
    assert [letter.to for letter in mail.outbox] == [["dot@example.org"]] * 2
    assert "will be deleted on" in mail.outbox[0].body
    assert "has been deleted" in mail.outbox[1].body
    assert Letter.objects.count() == 1, "the last one; what was written to him before is gone"


# Head judges


def test_a_vanished_head_is_replaced_with_a_public_reason(world: World, chief: User) -> None:
    nora = User.objects.create_user("nora", first_name="Nora")
    made = name_head(round=world.round, role=Role.BATTLE, username="nora", reason="He is gone.", by=chief, now=NOW)
    heads = Judge.objects.filter(round=world.round, role="battle", is_head=True)
    assert [judge.user for judge in heads] == [nora] == [made.user]
    assert not Judge.objects.get(pk=world.judges["battle"].pk).is_head
    newest = Log(Viewer(None, world.round), NOW + timedelta(hours=1), LogFilter())[0]
    assert newest.who == "An administrator"
    assert newest.what == "made Nora the head battle judge, in place of Judge battle."
    assert newest.why == "He is gone."
    assert AdminEntry.objects.get().data == {"round": world.round.slug, "role": "battle", "reason": "He is gone."}


def test_an_assistant_is_made_the_head_and_a_dismissed_one_comes_back(world: World, chief: User) -> None:
    for username in ("nora", "otto"):
        User.objects.create_user(username)
    head = world.judges["battle"]
    assistant = name_judge(round=world.round, by=head, username="nora", role=Role.BATTLE, reason="", now=NOW)
    Judge.objects.filter(pk=assistant.pk).update(dismissed_at=NOW)
    name_head(round=world.round, role=Role.BATTLE, username="nora", reason="He is gone.", by=None, now=NOW)
    again = Judge.objects.get(pk=assistant.pk)
    assert (again.is_head, again.dismissed_at, again.head_since) == (True, None, NOW)


def test_no_player_and_nobody_else_becomes_head_battle_judge(world: World, chief: User) -> None:
    for username, told in (
        ("nobody", "The log-in “nobody” doesn't exist"),
        (world.players["Ana"].user.username, "plays or has played in this round"),
    ):
        with pytest.raises(Refused, match=told):
            name_head(round=world.round, role=Role.BATTLE, username=username, reason="Gone.", by=chief, now=NOW)
    username = world.judges["battle"].user.username
    with pytest.raises(Refused, match="already"):
        name_head(round=world.round, role=Role.BATTLE, username=username, reason="Gone.", by=chief, now=NOW)
    Round.objects.filter(pk=world.round.pk).update(state="over")
    with pytest.raises(Refused, match="its judges can't change"):
        name_head(round=world.round, role=Role.BATTLE, username="chief", reason="Gone.", by=chief, now=NOW)
    assert timedelta(days=7) == deletion.TO_THINK
