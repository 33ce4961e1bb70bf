"""1.6: administrators bar people and let them in again, log them out, unlock them, and help to another password.

`by` is the administrator; None is who has the command line. Each act is an entry of the administrators' log.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from axes.utils import reset
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext, gettext_noop

from judging.accounts import guarding
from judging.accounts.bars import BARRED, Action, barred_sentence, enter, is_deleted
from judging.accounts.models import Bar
from judging.accounts.reads import speaking_to
from judging.accounts.second.writes import remove_second
from judging.accounts.sessions.writes import end_sessions
from judging.accounts.tokens.models import AccessToken
from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import is_administrator
from judging.game.log_entry import record
from judging.game.texts import checked_text
from judging.letters.models import Letter
from judging.letters.writes import write_letter
from wargame.models import Judge, Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.screen_names import RULE
from wargame.rules.core.saying import grouped

LONGEST_REASON = 2_000
LONGEST_BAR = 3_650
"""Days; for longer somebody is barred for good."""


@locking.writes
def bar(*, user: User, by: User | None, reason: str, days: int | None, now: datetime) -> Bar:
    """1.6: somebody can't log in for so many days, or for good: his sessions end, his tokens don't work. A bar that
    holds already is replaced.

    His running rounds are told with the reason, which is public; his armies stay his until his leaders give them to
    others, as for any player who is away (5.1). Refused for oneself, and for administrators but by the command line.
    """
    check_administrator(by)
    reason = checked_reason(reason)
    if days is not None and not 0 < days <= LONGEST_BAR:
        raise Refused(
            gettext("A ban must last 1 to %(days)s days, or be permanent.") % {"days": grouped(LONGEST_BAR)},
            RULE,
            "days",
        )
    held = held_account(user)
    if by is not None and (held.pk == by.pk or held.is_superuser):
        raise Refused(gettext("You can only ban an administrator on the command line."), RULE)
    if not _close(held, now) and not held.is_active:
        raise Refused(gettext("%(name)s can't log in anyway: the account is closed.") % {"name": held.username}, RULE)
    until = (now + timedelta(days=days)).replace(second=0, microsecond=0) if days else None
    made = Bar.objects.create(user=held, by=by, reason=reason, since=now, until=until)
    User.objects.filter(pk=held.pk).update(is_active=False)
    end_sessions(user=held, now=now, leaving={BARRED: made.pk})
    facts = {"reason": reason, "until": until.isoformat() if until else ""}
    enter(by, Action.BARRED, held, facts, now)
    for round_, name in running_seats(held):
        record(round_, by, "person.barred", {"player": name, **facts}, now)
    write_about_account(held.pk, held.email, gettext_noop("you can't log in"), partial(barred_sentence, made), now)
    return made


@locking.writes
def unbar(*, user: User, by: User | None, reason: str, now: datetime) -> None:
    """1.6: a barred person may log in again. Refused for one who is not barred."""
    check_administrator(by)
    reason = checked_reason(reason)
    held = held_account(user)
    if not _close(held, now):
        raise Refused(gettext("%(name)s is not banned.") % {"name": held.username}, RULE)
    User.objects.filter(pk=held.pk).update(is_active=True)
    enter(by, Action.UNBARRED, held, {"reason": reason}, now)
    for round_, name in running_seats(held):
        record(round_, by, "person.let_in", {"player": name, "reason": reason}, now)
    told = gettext_noop("The ban on your account was lifted. You can log in again.")
    write_about_account(held.pk, held.email, gettext_noop("you can log in again"), told, now)


@locking.writes
def end_bars(now: datetime) -> None:
    """1.6: by the clock: who was barred until now may log in again. He is told, and his running rounds are."""
    over = Bar.objects.filter(ended_at__isnull=True, until__lte=now)
    for user_id in list(over.order_by("user_id").values_list("user_id", flat=True)):
        held = locking.hold(User.objects, pk=user_id)
        if over.filter(user=held).update(ended_at=now):
            User.objects.filter(pk=held.pk).update(is_active=True)
            enter(None, Action.BAR_OVER, held, {}, now)
            for round_, name in running_seats(held):
                record(round_, None, "person.bar_over", {"player": name}, now)
            told = gettext_noop("The ban on your account has ended. You can log in again.")
            write_about_account(held.pk, held.email, gettext_noop("you can log in again"), told, now)


@locking.writes
def log_out(*, user: User, by: User | None, reason: str, now: datetime) -> int:
    """1.6: all of somebody's sessions end at once, and his tokens are good no more; how many sessions."""
    check_administrator(by)
    reason = checked_reason(reason)
    ended = end_sessions(user=held_account(user), now=now)
    AccessToken.objects.filter(user=user, revoked_at__isnull=True).update(revoked_at=now)
    enter(by, Action.LOGGED_OUT, user, {"reason": reason, "sessions": ended}, now)
    return ended


@locking.writes
def unlock(*, user: User, by: User | None, now: datetime) -> None:
    """1.6: wrong passwords that were tried for somebody's name don't count any more."""
    check_administrator(by)
    reset(username=user.username)
    enter(by, Action.UNLOCKED, held_account(user), {}, now)
    transaction.on_commit(partial(guarding.forget, user.username))


@locking.writes
def password_link(*, user: User, by: User | None, reason: str, now: datetime) -> str:
    """1.6: the path of the page where somebody chooses another password, good once and for three days; the
    administrator sends it to him. The old password stays until then, and nobody learns the new one."""
    check_administrator(by)
    reason = checked_reason(reason)
    held = held_account(user)
    _check_no_colleague(held, by)
    enter(by, Action.LINK, held, {"reason": reason}, now)
    told = gettext_noop("An administrator created a link to reset your account's password. Reason: %(reason)s")
    write_about_account(held.pk, held.email, gettext_noop("your password"), told, now, reason=reason)
    return password_path(held)


def password_path(user: User) -> str:
    """1.6: the path of the page where the owner of an account chooses a password, good once and for three days."""
    uid = urlsafe_base64_encode(force_bytes(user.pk))
    return reverse("password_reset_confirm", args=[uid, default_token_generator.make_token(user)])


@locking.writes
def drop_second(*, user: User, by: User | None, reason: str, now: datetime) -> None:
    """1.6: removes the second factor of somebody who has lost authenticator and recovery codes; he is told. Refused for
    who has none, and for one's own, which goes with a code."""
    check_administrator(by)
    reason = checked_reason(reason)
    held = held_account(user)
    if by is not None and by.pk == held.pk:
        raise Refused(gettext("You can remove your own second factor on your account page."), RULE)
    _check_no_colleague(held, by)
    if not remove_second(user=held):
        raise Refused(gettext("%(name)s has no second factor.") % {"name": held.username}, RULE)
    enter(by, Action.SECOND_REMOVED, held, {"reason": reason}, now)
    told = gettext_noop(
        "An administrator removed your account's second factor. You can now log in with just your password. "
        "Reason: %(reason)s"
    )
    write_about_account(held.pk, held.email, gettext_noop("your second factor"), told, now, reason=reason)


def _check_no_colleague(held: User, by: User | None) -> None:
    """1.6: whoever has taken over an administrator's session does not get into another's account by it."""
    if by is not None and by.pk != held.pk and held.is_superuser:
        raise Refused(
            gettext("You can only change another administrator's account on the command line (manage.py people)."), RULE
        )


def running_seats(user: User) -> list[tuple[Round, str]]:
    """1.6: the rounds that are played in which somebody has a seat, each with his name there."""
    found: dict[int, tuple[Round, str]] = {}
    played = Player.objects.filter(user=user, left_at__isnull=True, round__state=RoundState.RUNNING)
    judged = Judge.objects.filter(user=user, round__state=RoundState.RUNNING)
    seats: list[Player | Judge] = [*played.select_related("round"), *judged.select_related("round")]
    for seat in seats:
        found.setdefault(seat.round_id, (seat.round, seat.name))
    return [found[key] for key in sorted(found)]


def held_account(user: User) -> User:
    """1.6: somebody's row, held. Refused for an account that was deleted."""
    held = locking.hold(User.objects, pk=user.pk)
    if is_deleted(held):
        raise Refused(gettext("This account has been deleted, so you can't change it."), RULE)
    return held


def check_administrator(by: User | None) -> None:
    """1.6: Refused for anybody but an administrator; None is the command line."""
    if by is not None and not is_administrator(by):
        raise Refused(gettext("Only administrators can do this."), RULE)


def checked_reason(reason: str) -> str:
    """1.6: why something is done, as it is kept."""
    return checked_text(reason, what="reason", most=LONGEST_REASON, cites=RULE, field="reason").strip()


def _close(user: User, now: datetime) -> int:
    """Ends the bar that holds; how many there were."""
    return Bar.objects.filter(user=user, ended_at__isnull=True).update(ended_at=now)


def write_about_account(
    user_id: int, mail: str, about: str, told: str | Callable[[], str], now: datetime, **fields: str
) -> None:
    """1.6: a letter to the owner of an account, if he has an address and mail is sent here: `told` with its fields, in
    his language."""
    with speaking_to(user_id):
        text = told() if callable(told) else gettext(told) % fields if fields else gettext(told)
        subject = f"{settings.SITE_NAME}: {gettext(about)}"
    write_letter(to=mail, kind=Letter.Kind.ACCOUNT, now=now, subject=subject, body=text)
