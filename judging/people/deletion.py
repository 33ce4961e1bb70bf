"""1.6: the deletion of accounts, on their owner's request or by an administrator. Their acts stay, under a name that
reveals nothing about them."""

import logging
from datetime import datetime, timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import User
from django.db.models import Model, Q
from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_noop

from judging.accounts.bans import Action, deletion_of, enter
from judging.accounts.models import Account, Bar, Deletion
from judging.accounts.queries import speaking_to
from judging.accounts.sessions.services import end_sessions
from judging.accounts.signals import renamed
from judging.accounts.tokens.models import AccessToken
from judging.accounts.two_factor.services import remove_second
from judging.api.models import SentRequest
from judging.boards.models import Block, Message
from judging.command.judges.services import dismiss_judge
from judging.command.models import Admission, Invitation
from judging.command.people.admission import leave_team, withdraw_admission
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import ReadMark, Unsent
from judging.common.rounds import current_turn
from judging.common.stored_messages import OwnReason
from judging.discord.models import DiscordLink
from judging.email.models import Letter
from judging.feeds.models import FeedAddress
from judging.notifications.services import forget, rename_in_notifications
from judging.people.services import check_administrator, checked_reason, held_account, write_about_account
from judging.turns.states import is_open
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.command.screen_names import RULE

TO_THINK = timedelta(days=7)
"""How long the owner of an account can take back their request."""

OPEN = (RoundState.RUNNING, RoundState.SETUP)

OF_THE_ACCOUNT: tuple[type[Model], ...] = (
    *(Account, AccessToken, Unsent, SentRequest, ReadMark, Invitation),
    *(DiscordLink, FeedAddress),
)
"""Rows that concern only the owner of the account: address and scripts, reading marks, addresses for acting. Apps
that this one must not import, because tables depend on them, are notified by `renamed`."""

logger = logging.getLogger(__name__)


@locking.writes
def ask_deletion(*, user: User, renames_all: bool, now: datetime) -> Deletion:
    """1.6: the owner requests the deletion of their account, TO_THINK from now; a second request changes only
    `renames_all`. Refused for administrators and for head judges, who must be replaced first."""
    locked_user = held_account(user)
    _check_may_go(locked_user)
    deletion = deletion_of(locked_user)
    if deletion is None:
        deletion = Deletion(user=locked_user, asked_at=now, due_at=now + TO_THINK)
        enter(locked_user, Action.DELETION_ASKED, locked_user, {}, now)
        message = gettext_noop("Your account “%(name)s” will be deleted on %(day)s. Until then, you can cancel this.")
        with speaking_to(locked_user.pk):
            day = date_format(deletion.due_at, gettext("d F Y"))
        write_about_account(
            locked_user.pk,
            locked_user.email,
            gettext_noop("your account"),
            message,
            now,
            name=locked_user.username,
            day=day,
        )
    deletion.renames_all = renames_all
    deletion.save()
    return deletion


@locking.writes
def keep_account(*, user: User, now: datetime) -> None:
    """1.6: the owner takes back their request; nothing happens without one."""
    if Deletion.objects.filter(user=held_account(user), done_at__isnull=True).delete()[0]:
        enter(user, Action.DELETION_DROPPED, user, {}, now)


def delete_due(now: datetime) -> None:
    """1.6: by the clock: delete the accounts that are due. One that can't be deleted yet, because a turn is being
    settled or a head judge must be replaced, is retried at the next run."""
    for deletion in (
        Deletion.objects.filter(due_at__lte=now, done_at__isnull=True).select_related("user").order_by("pk")
    ):
        try:
            delete_account(user=deletion.user, by=None, reason="", renames_all=deletion.renames_all, now=now)
        except Refused as refused:
            logger.info("Account %s can't be deleted yet: %s", deletion.user_id, refused)


@locking.writes
def delete_account(*, user: User, by: User | None, reason: str, renames_all: bool, now: datetime) -> str:
    """1.6: nobody can log in to the account any more: its mail address, password, sessions, tokens and log-in attempts
    are deleted, and its name becomes “Former player 12”, which is returned. Without a `reason` its owner has asked for
    it.

    The user leaves the teams of rounds that are not over, so that their leaders can give their armies to others, and is
    no longer a judge; they get the new name there, and with `renames_all` in past rounds, too. What was written under a
    name keeps it (1.6). Refused for administrators, for head judges, and while one of their turns is being settled.
    """
    check_administrator(by)
    reason = checked_reason(reason) if reason or by is not None else ""
    rounds = _held_rounds(user, now)
    locked_user = held_account(user)
    _check_may_go(locked_user)
    deletion = deletion_of(locked_user)
    if by is None and not reason and (deletion is None or deletion.due_at > now):
        raise Refused(gettext("The owner has withdrawn the request."), RULE)
    _give_up_seats(locked_user, rounds, now)
    name, mail = _neutral_name(locked_user), locked_user.email
    _rename_seats(locked_user, name, rounds, renames_all, now)
    _forget(locked_user, name, now)
    deletion = deletion or Deletion(user=locked_user, asked_at=now, due_at=now, renames_all=renames_all)
    deletion.done_at = now
    deletion.save()
    enter(by, Action.DELETED, locked_user, {"reason": reason} if reason else {}, now)
    message = gettext_noop("Your account has been deleted, as requested. This is the last email to this address.")
    write_about_account(locked_user.pk, mail, gettext_noop("your account"), message, now)
    return name


def _held_rounds(user: User, now: datetime) -> list[Round]:
    """The user's rounds that are not over, locked with their turns before anything else."""
    played = Player.objects.filter(user=user, left_at__isnull=True).values("round")
    judged = Judge.objects.filter(user=user).values("round")
    open_rounds = Round.objects.filter(state__in=OPEN)
    rounds = locking.hold_all(open_rounds.filter(pk__in=played.union(judged)))
    turns = [turn.pk for each in rounds if (turn := current_turn(each)) is not None]
    for turn in locking.hold_all(Turn.objects.filter(pk__in=turns).defer("position", "events")):
        turn.round = next(each for each in rounds if each.pk == turn.round_id)
        if not is_open(turn, now):
            raise Refused(
                gettext("Turn %(number)s of %(name)s is being settled. Try again when that is finished.")
                % {"number": turn.number, "name": turn.round.name},
                "R4",
            )
    return rounds


def _check_may_go(user: User) -> None:
    if user.is_superuser:
        raise Refused(
            gettext(
                "An administrator's account can't be deleted. Another administrator must first remove its "
                "administrator rights."
            ),
            RULE,
        )
    heads = Judge.objects.filter(user=user, is_head=True, round__state__in=OPEN).select_related("round")
    if head := heads.first():
        message = gettext("%(name)s is head %(role)s of %(round)s. Appoint another head judge first.")
        facts = {"name": head.name, "role": head.get_role_display(), "round": head.round.name}
        raise Refused(message % facts, "1.3")


def _give_up_seats(user: User, rounds: list[Round], now: datetime) -> None:
    for judge in Judge.objects.filter(user=user, round__in=rounds).select_related("round"):
        if judge.round.state == RoundState.RUNNING:
            why = OwnReason.ACCOUNT_DELETED()
            dismiss_judge(round=judge.round, by=judge, judge_id=judge.pk, reason=why, now=now)
        else:
            Judge.objects.filter(pk=judge.pk).update(dismissed_at=now)
    for admission in Admission.objects.filter(user=user, state=Admission.State.ASKED).order_by("pk"):
        withdraw_admission(admission=admission, user=user, now=now)
    players = Player.objects.filter(user=user, round__in=rounds, left_at__isnull=True)
    for player in players.select_related("round", "user").order_by("pk"):
        leave_team(player=player, now=now)


def _neutral_name(user: User) -> str:
    """“Former player 12”: the number is their row's, and so unique, unless another user has taken that name."""
    name, more = f"Former player {user.pk}", ""
    while User.objects.filter(username__iexact=name + more).exclude(pk=user.pk).exists():
        more += "'"
    return name + more


def _rename_seats(user: User, name: str, rounds: list[Round], renames_all: bool, now: datetime) -> None:
    """1.6: rename the user's seats. The old names stay in past turns, because these are recomputed with them."""
    players, judges = Player.objects.filter(user=user), Judge.everybody.filter(user=user)
    if not renames_all:
        players, judges = players.filter(round__in=rounds), judges.filter(round__in=rounds)
    old_names = {*players.values_list("round_id", "name"), *judges.values_list("round_id", "name")}
    for player in players:
        former = [*player.former_names, [player.name, now.isoformat()]]
        Player.objects.filter(pk=player.pk).update(name=name, former_names=former)
    judges.update(name=name)
    # An onlooker writes under his log-in, which goes in any case.
    condition = Q() if renames_all else Q(thread__round__in=rounds) | Q(player__isnull=True, roles=[])
    messages = Message.objects.filter(condition, author=user)
    old_names |= set(messages.values_list("thread__round_id", "name").distinct())
    messages.update(name=name)
    renamed.send(User, user=user, name=name)
    never_played = Q() if renames_all else Q(round__in=rounds) | Q(player__isnull=True)
    admissions = Admission.objects.filter(never_played, user=user)
    old_names |= set(admissions.values_list("round_id", "name"))
    admissions.update(name=name)
    rename_in_notifications({about for about in old_names if about[1] != name}, name)


def _forget(user: User, name: str, now: datetime) -> None:
    for tries in (AccessAttempt, AccessFailureLog, AccessLog):
        tries.objects.filter(username=user.username).delete()
    claimed = Account.objects.filter(user=user).values_list("mail", "wanted_mail").first() or ()
    for address in {address for address in (user.email, *claimed) if address}:
        Letter.objects.filter(to__iexact=address).delete()
    for rows in OF_THE_ACCOUNT:
        rows._default_manager.filter(user=user).delete()
    forget(user)
    end_sessions(user=user, now=now)
    remove_second(user=user)
    Bar.objects.filter(user=user, ended_at__isnull=True).update(ended_at=now)
    Block.objects.filter(user=user).delete()
    Block.objects.filter(blocked=user).update(name=name)
    user.groups.clear()
    user.user_permissions.clear()
    user.username, user.first_name, user.last_name, user.email = name, name, "", ""
    user.is_active, user.is_staff, user.last_login = False, False, None
    user.set_unusable_password()
    user.save()
