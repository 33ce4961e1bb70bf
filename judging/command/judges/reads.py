"""1.3, 6: who judges a round, since when, and who may name and dismiss them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judging.game.judges import is_supreme, may_manage
from judging.game.viewer import Viewer
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState

RULES = {Role.BATTLE: "1.3", Role.MOVEMENT: "1.3", Role.MERCENARY: "6"}
"""The rules that speak of a role."""
ORDER = tuple(RULES)


@dataclass(frozen=True)
class Seat:
    """1.3: a judge. `until` is when he was dismissed. `may_dismiss`, `may_lead`: by the viewer, who `is_self`."""

    id: int
    name: str
    is_head: bool
    since: datetime
    until: datetime | None
    is_self: bool
    may_dismiss: bool
    may_lead: bool


@dataclass(frozen=True)
class Bench:
    """1.3: the judges of a role, the head first, and those who were. `may_name`: by the viewer."""

    role: Role
    cites: str
    seats: tuple[Seat, ...]
    former: tuple[Seat, ...]
    may_name: bool


def benches_for(viewer: Viewer) -> tuple[Bench, ...]:
    """1.3, 6: the judges of all roles, as the viewer may see and change them."""
    judges = list(Judge.everybody.filter(round=viewer.round))
    own = [judge for judge in judges if judge.user_id == viewer.user_id and judge.dismissed_at is None]
    return tuple(_bench(viewer, role, [judge for judge in judges if judge.role == role], own) for role in ORDER)


def manager_of(viewer: Viewer, role: str) -> Judge | None:
    """1.3: the viewer's seat in which he names and dismisses the judges of a role; None if he may not."""
    own = Judge.objects.filter(round=viewer.round, user_id=viewer.user_id or 0)
    return next((judge for judge in own if may_manage(judge, role)), None)


def _bench(viewer: Viewer, role: Role, judges: list[Judge], own: list[Judge]) -> Bench:
    is_open = viewer.round.state == RoundState.RUNNING
    manages = is_open and any(may_manage(judge, role) for judge in own)
    hands_over = manages and (role != Role.BATTLE or any(is_supreme(judge) for judge in own))
    seats = [_seat(viewer, judge, manages, hands_over, is_open) for judge in judges]
    seats.sort(key=lambda seat: (not seat.is_head, seat.since, seat.name.casefold()))
    serving = tuple(seat for seat in seats if seat.until is None)
    return Bench(role, RULES[role], serving, tuple(seat for seat in seats if seat.until), manages)


def _seat(viewer: Viewer, judge: Judge, manages: bool, hands_over: bool, is_open: bool) -> Seat:
    is_self = judge.user_id == viewer.user_id
    serves = judge.dismissed_at is None
    return Seat(
        id=judge.pk,
        name=judge.name,
        is_head=judge.is_head,
        since=since(judge, viewer.round),
        until=judge.dismissed_at,
        is_self=is_self,
        may_dismiss=is_open and serves and not judge.is_head and (manages or is_self),
        may_lead=hands_over and serves and not judge.is_head,
    )


def since(judge: Judge, round: Round) -> datetime:
    """1.3: since when he has the place that he has."""
    named = judge.named_at or round.created_at
    return judge.head_since or named if judge.is_head else named
