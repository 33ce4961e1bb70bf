"""1.2: a person's notifications, as they may read them now: each is filtered by their present rights."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, partial
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import cache
from django.db.models import F, Q, QuerySet
from django.db.models.lookups import IsNull
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext, gettext_noop

from judging.boards.models import Participant
from judging.boards.queries.boards import BOARDS, PRESS, may_read
from judging.common.control import is_leader
from judging.notifications.kinds import KINDS, Group, Kind, Reader, Urgency
from judging.notifications.models import MutedRound, Notification, Preference, PushSubscription
from judging.notifications.preferences import Channels, channels_of, in_words, zone_of
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, RoundState

UNSEEN = gettext_noop("Something you could read at the time, but can't any more.")
"""The rest of a notification that its reader may no longer see: of a board that they have left, or a desk."""

ON_A_PAGE = 50
BELL_SECONDS = 5
MOST_TOLD = 99
"""The maximum that the bell shows."""


@dataclass(frozen=True)
class NotificationView:
    """A notification as its owner reads it. `link` leads to its subject, empty where there is nothing more to see;
    `round` is the name of its round, empty for none."""

    id: int
    kind: str
    group: str
    urgency: str
    sentence: str
    cites: str
    link: str
    round: str
    slug: str
    turn: int | None
    at: datetime
    due_at: datetime | None
    is_read: bool

    @property
    def is_of_a_table(self) -> bool:
        """10: whether its time is meant to the second, as at card tables, and not to the end of a minute (R4)."""
        return self.kind.startswith("table.")


class Bell(NamedTuple):
    """The number of unread notifications, and whether the user's time zone is known."""

    unread: int
    has_zone: bool

    @property
    def words(self) -> str:
        return f"{MOST_TOLD}+" if self.unread > MOST_TOLD else str(self.unread)


def bell_now(user: AbstractBaseUser | AnonymousUser) -> Bell:
    """The bell of the masthead, at most BELL_SECONDS old: most pages need no query for it."""
    bell: Bell | None = cache.get(f"bell:{user.pk}")
    return bell if bell is not None else bell_of(user)


def bell_of(user: AbstractBaseUser | AnonymousUser) -> Bell:
    """What the masthead tells, as it is now. Two statements; none for a visitor."""
    bell = Bell(0, True)
    if user.pk is not None:
        unread = Notification.objects.filter(user=user.pk, read_at__isnull=True).count()
        bell = Bell(unread, Preference.objects.filter(user=user.pk).exclude(time_zone="").exists())
    cache.set(f"bell:{user.pk}", bell, BELL_SECONDS)
    return bell


def preference_of(user_id: int) -> Preference:
    """A person's preferences; the preset "mine", unsaved, without a choice."""
    return Preference.objects.filter(user_id=user_id).first() or Preference(user_id=user_id)


def own_rows(user_id: int) -> QuerySet[Notification]:
    """All notifications of a person, unread first, then newest."""
    rows = Notification.objects.filter(user_id=user_id).select_related("round")
    return rows.order_by(IsNull(F("read_at"), False).asc(), "-at", "-pk")


def views_for(
    user_id: int, rows: Iterable[Notification], preference: Preference | None = None
) -> list[NotificationView]:
    """Notifications of one person as they may read them, in their order. Times are in UTC; with `preference` their
    local times are added, as in mails. Three statements at most."""
    rights = _Rights(user_id)
    moment = partial(in_words, zone=zone_of(preference))
    return [_view(row, rights, moment) for row in rows if row.user_id == user_id]


def _view(row: Notification, rights: _Rights, moment: partial[str]) -> NotificationView:
    kind = KINDS.get(row.kind)
    if kind is None:
        sentence, link = gettext("Something this version of the service doesn't recognise any more."), ""
    elif rights.may_see(kind, row):
        sentence, link = kind.sentence(row.data, moment), link_of(kind, row)
    else:
        sentence, link = gettext(UNSEEN), ""
    return NotificationView(
        id=row.pk,
        kind=row.kind,
        group=kind.group.code if kind else "",
        urgency=(kind.urgency if kind else Urgency.ORDINARY).value,
        sentence=sentence,
        cites=kind.cites if kind and link else "",
        link=link,
        round=row.round.name if row.round else "",
        slug=row.round.slug if row.round else "",
        turn=row.turn,
        at=row.at,
        due_at=row.due_at,
        is_read=row.read_at is not None,
    )


def link_of(kind: Kind, row: Notification) -> str:
    """The page of a notification's subject; empty if its data no longer lead there."""
    name, *keys = kind.link
    values = [row.data.get(key) for key in keys]
    round_ = [row.round.slug] if row.round and not name.startswith("judge:") else []
    try:
        return reverse(name, args=[*round_, *values])
    except NoReverseMatch:
        return ""


class _Rights:
    """A person's present roles in the rounds, queried once for all notifications."""

    def __init__(self, user_id: int) -> None:
        self._user_id = user_id

    @cached_property
    def _players(self) -> dict[int, Player]:
        rows = Player.objects.filter(user_id=self._user_id, left_at__isnull=True)
        return {player.round_id: player for player in rows}

    @cached_property
    def _seats(self) -> set[tuple[int, str]]:
        return set(Judge.objects.filter(user_id=self._user_id).values_list("round_id", "role"))

    @cached_property
    def _conversations(self) -> set[tuple[int, str]]:
        rows = Participant.objects.filter(player__user_id=self._user_id, player__left_at__isnull=True)
        participants = rows.filter(left_at__isnull=True).select_related("conversation__thread")
        return {(row.conversation.thread.round_id, row.conversation.thread.key) for row in participants}

    def may_see(self, kind: Kind, row: Notification) -> bool:
        if kind.reader is Reader.ANYBODY:
            return True
        if row.round_id is None:
            return False
        player = self._players.get(row.round_id)
        if kind.reader is Reader.BOARD:
            key = str(row.data.get("board"))
            if key.startswith(PRESS):
                return (row.round_id, key) in self._conversations
            board = BOARDS.get(key)
            return board is not None and may_read(player, board)
        if kind.reader is Reader.JUDGE:
            return any((row.round_id, role.value) in self._seats for role in kind.roles)
        side = row.data.get("side")
        if kind.reader is Reader.LEADER:
            leads = player is not None and is_leader(player) and player.side == side
            return leads or (row.round_id, Role.BATTLE.value) in self._seats
        return not side or (player is not None and player.side == side)


@dataclass(frozen=True)
class SettingsView:
    """The page of a person's preferences. `rounds` are their current ones, with whether each is muted."""

    preference: Preference
    channels: Channels
    mail: str
    is_bouncing: bool
    rounds: tuple[tuple[Round, bool], ...]
    devices: tuple[PushSubscription, ...]

    @property
    def rows(self) -> tuple[tuple[Group, str, bool], ...]:
        return tuple((group, self.channels[group.code].mail, self.channels[group.code].push) for group in Group)


def settings_of(user: User) -> SettingsView:
    preference = preference_of(user.pk)
    muted = set(MutedRound.objects.filter(user=user).values_list("round_id", flat=True))
    account = getattr(user, "account", None)
    return SettingsView(
        preference=preference,
        channels=channels_of(preference),
        mail=user.email,
        is_bouncing=bool(account and account.bounced_at),
        rounds=tuple((round_, round_.pk in muted) for round_ in rounds_of(user)),
        devices=tuple(PushSubscription.objects.filter(user=user)),
    )


def rounds_of(user: User) -> list[Round]:
    """The current rounds in which a person plays or judges, newest first."""
    condition = Q(players__user=user, players__left_at__isnull=True)
    condition |= Q(judges__user=user, judges__dismissed_at__isnull=True)
    rows = Round.objects.filter(condition, state__in=[RoundState.SETUP, RoundState.RUNNING])
    return list(rows.distinct().order_by("-created_at"))


def may_be_told(user_ids: Iterable[int]) -> set[int]:
    """Those of these people who have a usable account: not the barred, and not the deleted."""
    return set(User.objects.filter(pk__in=set(user_ids), is_active=True).values_list("pk", flat=True))


def told_of(views: Sequence[NotificationView]) -> str:
    """A subject line for several notifications: their round and turn, if they have one in common."""
    rounds, turns = {view.round for view in views}, {view.turn for view in views}
    where = rounds.pop() if len(rounds) == 1 else ""
    turn = turns.pop() if len(turns) == 1 and where else None
    turn_text = gettext("turn %(number)s") % {"number": turn} if turn else ""
    return ", ".join(filter(None, (where, turn_text))) or settings.SITE_NAME
