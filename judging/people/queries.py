"""1.6: a person's own account; and people as administrators see them: their roles, whether they can log in, and past
acts on their account.

A mail address can be searched for but is never shown: only its owner sees it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from axes.models import AccessAttempt
from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext, pgettext

from judging.accounts.models import AdminEntry, Bar, Deletion
from judging.accounts.queries import account_of
from judging.command.models import Admission
from judging.common.pagination import Paged, paged
from judging.common.texts import utc
from wargame.models import Judge, Player
from wargame.models.choices import RoundState

PAGE = 30


@dataclass(frozen=True)
class SeatView:
    """1.1, 1.3: a person's role in a round: a player of a side, or a judge, in words. `is_head`: head of the role."""

    slug: str
    round: str
    state: str
    name: str
    words: str
    is_player: bool
    is_over: bool
    is_head: bool = False


@dataclass(frozen=True)
class PersonView:
    """1.6: a person with an account. `state` is in words; `bar` the one in force."""

    user: User
    seats: tuple[SeatView, ...]
    bar: Bar | None
    is_locked: bool
    has_mail: bool
    deletion: Deletion | None = None

    @property
    def is_deleted(self) -> bool:
        return self.deletion is not None and self.deletion.done_at is not None

    @property
    def state(self) -> str:
        """Whether they can log in, in words."""
        if self.is_deleted:
            return pgettext("an account", "deleted")
        if self.bar is not None:
            until = self.bar.until
            return gettext("banned until %(day)s") % {"day": utc(until)} if until else gettext("banned permanently")
        if not self.user.is_active:
            return pgettext("an account", "closed")
        if self.is_locked:
            return gettext("locked out for ten minutes")
        return pgettext("an account", "open") if self.user.has_usable_password() else gettext("has no password yet")


@dataclass(frozen=True)
class AdministrationEntry:
    """1.6: a line of the administrators' log; `by` is empty for the service itself."""

    at: datetime
    by: str
    user_id: int | None
    about: str
    words: str
    reason: str


def find(*, words: str, round_slug: str, page: int, now: datetime) -> Paged[PersonView]:
    """1.6: the people whose log-in, or name in a round, contains the words, or whose mail address they are; of one
    round with `round_slug`. By name, PAGE to a page."""
    users = User.objects.all()
    words = words.strip()[:150].replace("\0", "")
    if words:
        by_seat = Q(players__name__icontains=words) | Q(judgeships__name__icontains=words)
        by_mail = Q(account__mail__iexact=words) | Q(email__iexact=words)
        users = users.filter(Q(username__icontains=words) | by_seat | (by_mail if "@" in words else Q()))
    if round_slug:
        users = users.filter(Q(players__round__slug=round_slug) | Q(judgeships__round__slug=round_slug))
    keys = users.order_by().values("pk").distinct()
    rows = User.objects.filter(pk__in=keys).order_by("username", "pk").select_related("account")
    return paged(rows, PAGE, max(1, page), lambda people: _views(people, now))


def person(pk: int, now: datetime) -> PersonView | None:
    """1.6: one person as administrators see them; None for an unknown key."""
    views = _views(User.objects.filter(pk=pk).select_related("account"), now)
    return views[0] if views else None


def entries(*, page: int, user: User | None = None) -> tuple[tuple[AdministrationEntry, ...], bool]:
    """1.6: the administrators' log, newest first, of one person with `user`; and whether there are older entries."""
    rows = AdminEntry.objects.select_related("actor", "user")
    rows = rows.filter(user=user) if user else rows
    start = (max(1, page) - 1) * PAGE
    results = list(rows[start : start + PAGE + 1])
    return tuple(map(_entry, results[:PAGE])), len(results) > PAGE


def _views(rows: Iterable[User], now: datetime) -> tuple[PersonView, ...]:
    users = list(rows)
    seats: dict[int, list[SeatView]] = {user.pk: [] for user in users}
    for player in Player.objects.filter(user__in=users).select_related("round").order_by("-round__created_at"):
        label = f"{player.get_side_display()}, {player.get_rank_display() or gettext('no rank')}"
        seats[player.user_id].append(_seat(player, gettext("left") if player.left_at else label, is_player=True))
    for judge in Judge.objects.filter(user__in=users).select_related("round").order_by("-round__created_at"):
        label = judge.get_role_display()
        label = gettext("head %(role)s") % {"role": label} if judge.is_head else label
        seats[judge.user_id].append(_seat(judge, label, is_player=False, is_head=judge.is_head))
    deletions = {each.user_id: each for each in Deletion.objects.filter(user__in=users)}
    bars = {bar.user_id: bar for bar in Bar.objects.filter(user__in=users, ended_at__isnull=True)}
    tries = AccessAttempt.objects.filter(
        username__in=[user.username for user in users],
        failures_since_start__gte=settings.AXES_FAILURE_LIMIT,
        attempt_time__gt=now - settings.AXES_COOLOFF_TIME,
    )
    locked = set(tries.values_list("username", flat=True))
    return tuple(
        PersonView(
            user=user,
            seats=tuple(seats[user.pk]),
            bar=bars.get(user.pk),
            is_locked=user.username in locked,
            has_mail=bool(user.email),
            deletion=deletions.get(user.pk),
        )
        for user in users
    )


def _seat(seat: Player | Judge, words: str, *, is_player: bool, is_head: bool = False) -> SeatView:
    return SeatView(
        slug=seat.round.slug,
        round=seat.round.name,
        state=seat.round.state,
        name=seat.name,
        words=words,
        is_player=is_player,
        is_over=seat.round.state not in (RoundState.RUNNING, RoundState.SETUP),
        is_head=is_head,
    )


def _entry(row: AdminEntry) -> AdministrationEntry:
    description = str(AdminEntry.Action(row.action).label) if row.action in AdminEntry.Action.values else row.action
    if row.action == AdminEntry.Action.BARRED:
        until = row.data.get("until")
        description = gettext("banned permanently")
        if until:
            description = gettext("banned until %(time)s") % {"time": utc(datetime.fromisoformat(until))}
    if row.action == AdminEntry.Action.HEAD:
        text = gettext("named head judge (%(role)s) of %(round)s")
        description = text % {"role": row.data.get("role", "…"), "round": row.data.get("round", "…")}
    if "link" in row.data:
        description += f" ({row.data['link']})"
    if row.action in (AdminEntry.Action.LIST, AdminEntry.Action.LIST_NOT):
        description += f": {row.data.get('list', '…')}"
    return AdministrationEntry(
        at=row.at,
        by=row.actor.username if row.actor else "",
        user_id=row.user_id,
        about=row.user.username if row.user else "",
        words=description,
        reason=str(row.data.get("reason", "")),
    )


@dataclass(frozen=True)
class AccountView:
    """1.6: a person's own account page. `waiting`: the mail address that is not confirmed yet; `bounced_at`: since
    when it has been bouncing."""

    user: User
    mail: str
    waiting: str
    bounced_at: datetime | None
    hides_record: bool
    players: tuple[Player, ...]
    judgeships: tuple[Judge, ...]
    admissions: tuple[Admission, ...]


def account_view(user: User) -> AccountView:
    """1.6: the account of the logged-in user. Nobody sees another's."""
    account = account_of(user)
    condition = Q(user=user) & ~Q(round__state=RoundState.GIVEN_UP)
    admissions = Admission.objects.filter(condition, state=Admission.State.ASKED)
    return AccountView(
        user=user,
        mail=account.mail if account else "",
        waiting=account.unconfirmed if account else "",
        bounced_at=account.bounced_at if account else None,
        hides_record=bool(account and account.hides_record),
        players=tuple(Player.objects.filter(condition).select_related("round").order_by("-round__created_at")),
        judgeships=tuple(Judge.objects.filter(condition).select_related("round").order_by("-round__created_at")),
        admissions=tuple(admissions.select_related("round").order_by("-pk")),
    )
