"""1.3, 1.6: Administrators' acts: ban people, log them out, help with passwords, invite, and appoint head judges."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from axes.utils import reset
from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext, gettext_noop

from judging.accounts import trusted_browsers
from judging.accounts.bans import BARRED, Action, barred_sentence, enter, is_deleted
from judging.accounts.models import AdminEntry, Bar, SignUpLink
from judging.accounts.queries import open_links, speaking_to
from judging.accounts.services import checked_account_name, create_account
from judging.accounts.sessions.services import end_sessions
from judging.accounts.tokens.models import AccessToken
from judging.accounts.two_factor.services import remove_second
from judging.appeals.queries import waiting_for_independent
from judging.battles.assignments.models import StandIn
from judging.command.judges.services import checked_no_player, checked_user, end_offers
from judging.command.models import Handover
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import LONGEST_JUDGE_NAME, is_administrator
from judging.common.log_entry import record
from judging.common.texts import check_storable, checked_text
from judging.email.models import Letter
from judging.email.services import write_letter
from judging.setup.services import may_create_round
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.screen_names import RULE
from wargame.rules.core.saying import grouped

LONGEST_REASON = 2_000
LONGEST_BAR = 3_650
"""Days; longer bars are permanent."""


@locking.writes
def bar(*, user: User, by: User | None, reason: str, days: int | None, now: datetime) -> Bar:
    """1.6: bar a person from logging in for that many days, or permanently: their sessions end, their tokens stop
    working. A bar in force is replaced.

    Their running rounds are notified with the reason, which is public; their armies stay theirs until their leaders
    give them to others, as for any player who is away (5.1). Refused for oneself, and for administrators except by the
    command line.
    """
    check_administrator(by)
    reason = checked_reason(reason)
    if days is not None and not 0 < days <= LONGEST_BAR:
        raise Refused(
            gettext("A ban must last 1 to %(days)s days, or be permanent.") % {"days": grouped(LONGEST_BAR)},
            RULE,
            "days",
        )
    locked_user = held_account(user)
    if by is not None and (locked_user.pk == by.pk or locked_user.is_superuser):
        raise Refused(gettext("You can only ban an administrator on the command line."), RULE)
    if not _close(locked_user, now) and not locked_user.is_active:
        raise Refused(
            gettext("%(name)s can't log in anyway: the account is closed.") % {"name": locked_user.username}, RULE
        )
    until = (now + timedelta(days=days)).replace(second=0, microsecond=0) if days else None
    new_bar = Bar.objects.create(user=locked_user, by=by, reason=reason, since=now, until=until)
    User.objects.filter(pk=locked_user.pk).update(is_active=False)
    end_sessions(user=locked_user, now=now, leaving={BARRED: new_bar.pk})
    facts = {"reason": reason, "until": until.isoformat() if until else ""}
    enter(by, Action.BARRED, locked_user, facts, now)
    for round_, name in running_seats(locked_user):
        record(round_, by, "person.barred", {"player": name, **facts}, now)
    write_about_account(
        locked_user.pk, locked_user.email, gettext_noop("you can't log in"), partial(barred_sentence, new_bar), now
    )
    return new_bar


@locking.writes
def unbar(*, user: User, by: User | None, reason: str, now: datetime) -> None:
    """1.6: lift a person's bar. Refused for one who is not barred."""
    check_administrator(by)
    reason = checked_reason(reason)
    locked_user = held_account(user)
    if not _close(locked_user, now):
        raise Refused(gettext("%(name)s is not banned.") % {"name": locked_user.username}, RULE)
    User.objects.filter(pk=locked_user.pk).update(is_active=True)
    enter(by, Action.UNBARRED, locked_user, {"reason": reason}, now)
    for round_, name in running_seats(locked_user):
        record(round_, by, "person.let_in", {"player": name, "reason": reason}, now)
    message = gettext_noop("The ban on your account was lifted. You can log in again.")
    write_about_account(locked_user.pk, locked_user.email, gettext_noop("you can log in again"), message, now)


@locking.writes
def end_bars(now: datetime) -> None:
    """1.6: by the clock: end expired bars. The person is notified, and so are their running rounds."""
    over = Bar.objects.filter(ended_at__isnull=True, until__lte=now)
    for user_id in list(over.order_by("user_id").values_list("user_id", flat=True)):
        locked_user = locking.hold(User.objects, pk=user_id)
        if over.filter(user=locked_user).update(ended_at=now):
            User.objects.filter(pk=locked_user.pk).update(is_active=True)
            enter(None, Action.BAR_OVER, locked_user, {}, now)
            for round_, name in running_seats(locked_user):
                record(round_, None, "person.bar_over", {"player": name}, now)
            message = gettext_noop("The ban on your account has ended. You can log in again.")
            write_about_account(locked_user.pk, locked_user.email, gettext_noop("you can log in again"), message, now)


@locking.writes
def log_out(*, user: User, by: User | None, reason: str, now: datetime) -> int:
    """1.6: end all sessions of a person at once, and revoke their tokens; returns the number of sessions."""
    check_administrator(by)
    reason = checked_reason(reason)
    ended = end_sessions(user=held_account(user), now=now)
    AccessToken.objects.filter(user=user, revoked_at__isnull=True).update(revoked_at=now)
    enter(by, Action.LOGGED_OUT, user, {"reason": reason, "sessions": ended}, now)
    return ended


@locking.writes
def unlock(*, user: User, by: User | None, now: datetime) -> None:
    """1.6: reset the count of wrong passwords for a person's name."""
    check_administrator(by)
    reset(username=user.username)
    enter(by, Action.UNLOCKED, held_account(user), {}, now)
    transaction.on_commit(partial(trusted_browsers.forget, user.username))


@locking.writes
def password_link(*, user: User, by: User | None, reason: str, now: datetime) -> str:
    """1.6: the path of the page where a person chooses another password, valid once and for three days; the
    administrator sends it to them. The old password stays until then, and nobody else knows the new one."""
    check_administrator(by)
    reason = checked_reason(reason)
    locked_user = held_account(user)
    _check_no_colleague(locked_user, by)
    enter(by, Action.LINK, locked_user, {"reason": reason}, now)
    message = gettext_noop("An administrator created a link to reset your account's password. Reason: %(reason)s")
    write_about_account(locked_user.pk, locked_user.email, gettext_noop("your password"), message, now, reason=reason)
    return password_path(locked_user)


def password_path(user: User) -> str:
    """1.6: the path of the page where the owner of an account chooses a password, valid once and for three days."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(user)])


@locking.writes
def drop_second(*, user: User, by: User | None, reason: str, now: datetime) -> None:
    """1.6: remove the second factor of a person who has lost authenticator and recovery codes; they are notified.
    Refused if there is none, and for one's own, which needs a code."""
    check_administrator(by)
    reason = checked_reason(reason)
    locked_user = held_account(user)
    if by is not None and by.pk == locked_user.pk:
        raise Refused(gettext("You can remove your own second factor on your account page."), RULE)
    _check_no_colleague(locked_user, by)
    if not remove_second(user=locked_user):
        raise Refused(gettext("%(name)s has no second factor.") % {"name": locked_user.username}, RULE)
    enter(by, Action.SECOND_REMOVED, locked_user, {"reason": reason}, now)
    message = gettext_noop(
        "An administrator removed your account's second factor. You can now log in with just your password. "
        "Reason: %(reason)s"
    )
    write_about_account(
        locked_user.pk, locked_user.email, gettext_noop("your second factor"), message, now, reason=reason
    )


def _check_no_colleague(user: User, by: User | None) -> None:
    """1.6: an attacker with an administrator's session must not get into another's account by it."""
    if by is not None and by.pk != user.pk and user.is_superuser:
        raise Refused(
            gettext("You can only change another administrator's account on the command line (manage.py people)."), RULE
        )


def running_seats(user: User) -> list[tuple[Round, str]]:
    """1.6: the rounds that are played in which a person has a seat, each with their name there."""
    by_round: dict[int, tuple[Round, str]] = {}
    played = Player.objects.filter(user=user, left_at__isnull=True, round__state=RoundState.RUNNING)
    judged = Judge.objects.filter(user=user, round__state=RoundState.RUNNING)
    seats: list[Player | Judge] = [*played.select_related("round"), *judged.select_related("round")]
    for seat in seats:
        by_round.setdefault(seat.round_id, (seat.round, seat.name))
    return [by_round[key] for key in sorted(by_round)]


def held_account(user: User) -> User:
    """1.6: a person's row, locked. Refused for an account that was deleted."""
    locked_user = locking.hold(User.objects, pk=user.pk)
    if is_deleted(locked_user):
        raise Refused(gettext("This account has been deleted, so you can't change it."), RULE)
    return locked_user


def check_administrator(by: User | None) -> None:
    """1.6: Refused for anybody but an administrator; None is the command line."""
    if by is not None and not is_administrator(by):
        raise Refused(gettext("Only administrators can do this."), RULE)


def checked_reason(reason: str) -> str:
    """1.6: the reason for an act, as stored."""
    return checked_text(reason, what="reason", most=LONGEST_REASON, cites=RULE, field="reason").strip()


def _close(user: User, now: datetime) -> int:
    """End the bar in force; returns the number of ended bars."""
    return Bar.objects.filter(user=user, ended_at__isnull=True).update(ended_at=now)


def write_about_account(
    user_id: int, mail: str, about: str, told: str | Callable[[], str], now: datetime, **fields: str
) -> None:
    """1.6: write to the owner of an account, if they have an address and the site sends mail: `told` with its
    fields, in their language."""
    with speaking_to(user_id):
        text = told() if callable(told) else gettext(told) % fields if fields else gettext(told)
        subject = f"{settings.SITE_NAME}: {gettext(about)}"
    write_letter(to=mail, kind=Letter.Kind.ACCOUNT, now=now, subject=subject, body=text)


MOST_PLACES, MOST_LINKS, LASTS = 100, 20, (7, 30, 90)
"""The maximum of people per link, of links per person at a time, and the choices of its lifetime in days."""

SHOWN_AFTER = timedelta(days=30)
"""How long an expired link stays in the list."""


def may_invite(user: User | AnonymousUser) -> bool:
    """1.6: where sign-up needs an invitation, administrators and hosts, who can start rounds, make links."""
    return bool(settings.SIGN_UP == "invitation" and may_create_round(user))


def links_for(user: User, now: datetime) -> Sequence[tuple[SignUpLink, bool]]:
    """1.6: the user's own links, and for administrators all, each with whether it works, newest first."""
    links = SignUpLink.objects.filter(expires_at__gt=now - SHOWN_AFTER).select_related("by")
    good = set(links.filter(open_links(now), by__is_active=True).values_list("pk", flat=True))
    rows = links if is_administrator(user) else links.filter(by=user)
    return [(link, link.pk in good) for link in rows]


@locking.writes
def make_link(*, by: User, note: str, places: int, days: int, now: datetime) -> SignUpLink:
    """1.6: a new invitation link. Refused for users who can't make any, and for too many."""
    if not may_invite(by):
        raise Refused(gettext("Only administrators and hosts of rounds can make invitation links."), RULE)
    note = " ".join(note.split())
    check_storable(note, what="note", cites="", field="note")
    if len(note) > 60:
        raise Refused(gettext("Use up to 60 characters to say who the link is for."), "", "note")
    if not 1 <= places <= MOST_PLACES:
        raise Refused(gettext("A link can be for 1 to %(most)s people.") % {"most": MOST_PLACES}, "", "places")
    if days not in LASTS:
        raise Refused(gettext("Choose how long the link stays valid."), "", "days")
    locking.hold(User.objects, pk=by.pk)  # two forms at once do not make more than the most
    if SignUpLink.objects.filter(open_links(now), by=by).count() >= MOST_LINKS:
        raise Refused(gettext("You have %(most)s open links. Revoke one first.") % {"most": MOST_LINKS}, RULE)
    link = SignUpLink.objects.create(
        secret=secrets.token_urlsafe(16), by=by, note=note, places=places, made_at=now,
        expires_at=now + timedelta(days=days),
    )  # fmt: skip
    enter(by, Action.LINK_MADE, None, {"link": link.pk}, now)
    return link


@locking.writes
def revoke_link(*, by: User, link_id: int, now: datetime) -> SignUpLink:
    """1.6: revoke a link; idempotent. Administrators can revoke all."""
    links = SignUpLink.objects.filter(pk=link_id)
    link = locking.hold_first(links if is_administrator(by) else links.filter(by=by))
    if link is None:
        raise Refused(gettext("This isn't one of your invitation links."), RULE)
    if link.revoked_at is None:
        link.revoked_at = now
        link.save(update_fields=["revoked_at"])
        enter(by, Action.LINK_REVOKED, None, {"link": link.pk}, now)
    return link


@locking.writes
def make_account(*, name: str, by: User, now: datetime) -> User:
    """1.6: an account for another person, without a password: its owner chooses one by a link."""
    check_administrator(by)
    name = checked_account_name(name)
    user = User(username=name, first_name=name)
    user.set_unusable_password()
    try:
        with locking.transaction():
            create_account(user)
    except IntegrityError:
        raise Refused(gettext("This name was taken a moment ago."), RULE, "name") from None
    enter(by, Action.MADE, user, {}, now)
    return user


OPEN = (RoundState.RUNNING, RoundState.SETUP)


@dataclass(frozen=True)
class Heads:
    """1.3: the judges of a round that is not over, heads first, as `name (log-in), role`. `appeals` are the numbers
    of those that wait for an independent judge (R57)."""

    round: Round
    judges: tuple[Judge, ...]
    appeals: tuple[int, ...] = ()


def heads_of_rounds() -> tuple[Heads, ...]:
    """1.3: all rounds that are set up or played, newest first, with their judges."""
    rounds = list(Round.objects.filter(state__in=OPEN).order_by("-created_at", "-pk"))
    judges = list(Judge.objects.filter(round__in=rounds).select_related("user").order_by("role", "-is_head", "name"))
    appeals = waiting_for_independent(rounds)
    return tuple(
        Heads(
            each,
            tuple(judge for judge in judges if judge.round_id == each.pk),
            tuple(row.number for row in appeals if row.round_id == each.pk),
        )
        for each in rounds
    )


@locking.writes
def name_outsider(*, round: Round, username: str, reason: str, by: User | None, now: datetime) -> Judge:
    """R57: appoint the owner of a log-in as a battle judge of a round in which an appeal waits for an independent one,
    who then takes it over. The reason is public.

    For administrators. Refused if no appeal waits for one, and for players and judges of the round.
    """
    check_administrator(by)
    round = locking.hold(Round.objects, pk=round.pk)
    if round.state != RoundState.RUNNING or not waiting_for_independent([round]):
        message = gettext("No appeal in %(name)s is waiting for an independent judge.")
        raise Refused(message % {"name": round.name}, "R57")
    reason = checked_reason(reason)
    user = checked_user(username)
    checked_no_player(round, user, Role.BATTLE)
    if Judge.objects.filter(round=round, user=user).exists():
        raise Refused(gettext("%(name)s already judges this round.") % {"name": user.username}, "R57", "username")
    judge_name = (user.get_full_name() or user.get_username())[:LONGEST_JUDGE_NAME]
    judge = Judge.everybody.filter(round=round, user=user, role=Role.BATTLE).first()
    judge = judge or Judge(round=round, user=user, role=Role.BATTLE, name=judge_name)
    judge.is_head, judge.named_at, judge.dismissed_at = False, now, None
    judge.save()
    record(round, by, "judge.outsider", {"name": judge.name, "role": Role.BATTLE.value, "reason": reason}, now)
    enter(by, AdminEntry.Action.OUTSIDER, user, {"round": round.slug, "reason": reason}, now)
    return judge


@locking.writes
def name_head(*, round: Round, role: Role, username: str, reason: str, by: User | None, now: datetime) -> Judge:
    """1.3: appoint the owner of a log-in as the head of a role, whether or not they are a judge of the round; the
    former head becomes an assistant, and the new one can dismiss them. The reason is public.

    For administrators; `by` is None on the command line. Refused for present and former players, if the role is not for
    players (1.3, 6), and in a round that is over.
    """
    check_administrator(by)
    round = locking.hold(Round.objects, pk=round.pk)
    if round.state not in OPEN:
        message = gettext("%(name)s is not being played, so its judges can't change.")
        raise Refused(message % {"name": round.name}, "1.5")
    reason = checked_reason(reason)
    user = checked_user(username)
    player = checked_no_player(round, user, role)
    before = Judge.objects.filter(round=round, role=role, is_head=True).first()
    if before is not None and before.user_id == user.pk:
        message = gettext("%(name)s is already head %(label)s.")
        raise Refused(message % {"name": before.name, "label": role.label}, "1.3", "username")
    Judge.objects.filter(round=round, role=role, is_head=True).update(is_head=False, head_since=None)
    if role == Role.BATTLE:  # whoever stood in for a head, or was stood in for, has no claim any more (R59)
        StandIn.objects.filter(round=round, until__isnull=True).update(until=now)
    judge_name = player.name if player else user.get_full_name() or user.get_username()
    judge = Judge.everybody.filter(round=round, user=user, role=role).first()
    judge = judge or Judge(round=round, user=user, role=role, name=judge_name[:LONGEST_JUDGE_NAME], named_at=now)
    if judge.dismissed_at is not None:
        judge.named_at, judge.dismissed_at = now, None
    judge.is_head, judge.head_since = True, now
    judge.save()
    end_offers(Handover.objects.filter(round=round, role=role), now)
    facts = {"role": role.value, "reason": reason}
    data = {"name": judge.name, "of": before.name if before else "", **facts}
    record(round, by, "judge.replaced", data, now)
    enter(by, AdminEntry.Action.HEAD, user, {"round": round.slug, **facts}, now)
    return judge
