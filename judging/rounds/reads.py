"""1.5: all rounds of the site beside each other, with what somebody wants to know who looks for one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import Page, Paginator
from django.db.models import Case, Exists, IntegerField, Max, Min, OuterRef, Q, QuerySet, Subquery, Value, When
from django.utils.translation import gettext

from judging.command.models import Admission
from judging.setup.models import RoundSetup
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core.sides import TEAMS, Side

A_PAGE = 20
ORDER = (RoundState.RUNNING, RoundState.SETUP, RoundState.OVER, RoundState.ARCHIVE)
"""The states in which a round is listed, in the order in which they are."""


@dataclass(frozen=True)
class SideSeats:
    """2.5.2.1: how many play for a team; `of` are the armies that it is to have, None where nobody planned them."""

    side: Side
    players: int
    of: int | None

    @property
    def free(self) -> int:
        """How many more the team seeks."""
        return max((self.of or 0) - self.players, 0)


@dataclass(frozen=True)
class RoundCard:
    """1.5: a round in the list. `mine` are the viewer's parts in it, as `battle judge` or a team's title.

    `turn` is the number of its last turn, `next_lock` when that locks if it is open; `began` and `ended` are the
    opening of its first turn and the settlement of its last one. `seats` are told while it seeks players.
    """

    round: Round
    turn: int | None
    next_lock: datetime | None
    began: datetime | None
    ended: datetime | None
    seats: tuple[SideSeats, ...]
    judges: tuple[tuple[str, str], ...]
    mine: tuple[str, ...]

    @property
    def state(self) -> RoundState:
        return RoundState(self.round.state)

    @property
    def players(self) -> int:
        return sum(each.players for each in self.seats)

    @property
    def free(self) -> int:
        """2.5.2.1: the seats that are free while it is set up."""
        return sum(each.free for each in self.seats) if self.state is RoundState.SETUP else 0


@dataclass(frozen=True)
class RoundList:
    """1.5: a page of the rounds: the viewer's own first, then by state; `page` leads to the others."""

    page: Page[Round]
    own: tuple[RoundCard, ...]
    others: tuple[tuple[RoundState, tuple[RoundCard, ...]], ...]

    @property
    def is_empty(self) -> bool:
        return not (self.own or self.others)


def round_list(user: User | AnonymousUser, number: str | None) -> RoundList:
    """1.5: a page of `A_PAGE` rounds; the nearest one for a number that there is not. Eight statements."""
    page = Paginator(_listed(user), A_PAGE).get_page(number)
    cards = _cards(list(page.object_list), user)
    groups = ((state, tuple(card for card in cards if card.state is state and not card.mine)) for state in ORDER)
    others = tuple((state, found) for state, found in groups if found)
    return RoundList(page, tuple(card for card in cards if card.mine), others)


def _listed(user: User | AnonymousUser) -> QuerySet[Round]:
    """The rounds that everybody finds: those that are set up here, and all that have begun."""
    key = user.pk or 0
    seats = Player.objects.filter(round=OuterRef("pk"), user=key, left_at__isnull=True)
    desks = Judge.objects.filter(round=OuterRef("pk"), user=key)
    asked = Admission.objects.filter(round=OuterRef("pk"), user=key, state=Admission.State.ASKED)
    rows = Round.objects.filter(Q(state__in=ORDER) & (Q(setup__isnull=False) | ~Q(state=RoundState.SETUP)))
    places = [When(state=state, then=Value(place)) for place, state in enumerate(ORDER)]
    rows = rows.annotate(
        is_own=Case(When(Exists(seats) | Exists(desks) | Exists(asked), then=Value(0)), default=Value(1)),
        place=Case(*places, output_field=IntegerField()),
    )
    return rows.order_by("is_own", "place", "-created_at", "-pk").defer("terrain")


def _cards(rounds: Sequence[Round], user: User | AnonymousUser) -> list[RoundCard]:
    last = Turn.objects.filter(round=OuterRef("round")).order_by("-number")
    turns = {
        row["round"]: row
        for row in Turn.objects.filter(round__in=rounds)
        .values("round")
        .annotate(last=Max("number"), began=Min("opened_at"), ended=Max("settled_at"))
        .annotate(lock_at=Subquery(last.values("lock_at")[:1]), state=Subquery(last.values("state")[:1]))
        .order_by()
    }
    planned = dict(RoundSetup.objects.filter(round__in=rounds).values_list("round_id", "armies"))
    playing = Counter(Player.objects.filter(round__in=rounds, left_at__isnull=True).values_list("round_id", "side"))
    judges = _judges(rounds)
    mine = _parts(rounds, user, judges)
    return [
        RoundCard(
            round=each,
            turn=turns[each.pk]["last"] if each.pk in turns else None,
            next_lock=_next_lock(each, turns[each.pk]) if each.pk in turns else None,
            began=turns[each.pk]["began"] if each.pk in turns else None,
            ended=turns[each.pk]["ended"] if each.pk in turns else None,
            seats=tuple(_seats(side, playing[each.pk, side.value], planned.get(each.pk)) for side in TEAMS),
            judges=tuple((judge.name, judge.get_role_display()) for judge in judges if judge.round_id == each.pk),
            mine=tuple(mine.get(each.pk, ())),
        )
        for each in rounds
    ]


def _next_lock(round: Round, turn: Mapping[str, Any]) -> datetime | None:
    """3.1: when the present turn of a running round locks; None once its thread is locked."""
    is_open = round.state == RoundState.RUNNING and turn["state"] == TurnState.OPEN
    return turn["lock_at"] if is_open else None


def _seats(side: Side, players: int, planned: list[int] | None) -> SideSeats:
    return SideSeats(side, players, sum(planned) if planned is not None else None)


def _judges(rounds: Iterable[Round]) -> list[Judge]:
    """1.3: the judges of these rounds, battle judges first, heads first."""
    order = {role: place for place, role in enumerate((Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))}
    rows = Judge.objects.filter(round__in=list(rounds)).order_by("name")
    return sorted(rows, key=lambda judge: (order.get(Role(judge.role), 9), not judge.is_head))


def _parts(rounds: Sequence[Round], user: User | AnonymousUser, judges: Iterable[Judge]) -> dict[int, list[str]]:
    """1.1, 1.3: what the user is in each of these rounds, in words."""
    found: dict[int, list[str]] = {}
    if not user.is_authenticated:
        return found
    for judge in judges:
        if judge.user_id == user.pk:
            found.setdefault(judge.round_id, []).append(judge.get_role_display())
    players = Player.objects.filter(round__in=rounds, user=user, left_at__isnull=True)
    for round_id, side in players.values_list("round_id", "side"):
        found.setdefault(round_id, []).append(gettext("you play for %(side)s") % {"side": Side(side).title})
    asked = Admission.objects.filter(round__in=rounds, user=user, state=Admission.State.ASKED)
    for round_id, side in asked.values_list("round_id", "side"):
        found.setdefault(round_id, []).append(
            gettext("you have asked %(side)s for admission") % {"side": Side(side).title}
        )
    return found
