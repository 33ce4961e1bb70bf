"""R56, R59: what everybody reads of a round's judges: their conflicts, leaves and deputies, and who stands in."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q

from judging.battles.bench.models import Deputy, JudgeLeave, StatedConflict
from judging.battles.bench.reads import open_conflicts, standing_in, whom_in_words
from wargame.models import Judge, Round


@dataclass(frozen=True)
class ConflictView:
    """R56: a conflict that a judge states: `about` is player, faction or team, `name` whom it is with."""

    id: int
    about: str
    name: str
    why: str
    stated_at: datetime

    @property
    def whom(self) -> str:
        """With whom the judge has a conflict: a player, a faction or a team, in words."""
        return whom_in_words(self.about, self.name)


@dataclass(frozen=True)
class LeaveView:
    """R59: a leave that is not over; `until` is None where it has no end yet."""

    since: datetime
    until: datetime | None
    note: str
    has_begun: bool


@dataclass(frozen=True)
class JudgeView:
    """R56, R59: a judge who serves, as everybody reads of him. `stands_in_for` names the head in whose place he is."""

    id: int
    name: str
    role: str
    is_head: bool
    deputy: str
    stands_in_for: str
    conflicts: tuple[ConflictView, ...]
    leaves: tuple[LeaveView, ...]


def judges_in(round: Round, now: datetime) -> tuple[JudgeView, ...]:
    """R56, R59: the judges of a round, by their roles, the heads first."""
    conflicts: dict[int, list[StatedConflict]] = {}
    for row in open_conflicts(round):
        conflicts.setdefault(row.judge.user_id, []).append(row)
    left = JudgeLeave.objects.filter(Q(until__isnull=True) | Q(until__gt=now), judge__round=round)
    leaves: dict[int, list[JudgeLeave]] = {}
    for leave in left.exclude(until=F("since")).select_related("judge"):
        leaves.setdefault(leave.judge.user_id, []).append(leave)
    named = Deputy.objects.filter(judge__round=round, deputy__dismissed_at__isnull=True).select_related("deputy")
    deputies = {row.judge_id: row.deputy.name for row in named if row.deputy}
    stands = standing_in(round)
    return tuple(
        JudgeView(
            id=judge.pk,
            name=judge.name,
            role=judge.role,
            is_head=judge.is_head,
            deputy=deputies.get(judge.pk, ""),
            stands_in_for=stands.head.name if stands and stands.judge_id == judge.pk else "",
            conflicts=tuple(_conflict(row) for row in conflicts.get(judge.user_id, ())),
            leaves=tuple(
                LeaveView(row.since, row.until, row.note, row.since <= now) for row in leaves.get(judge.user_id, ())
            ),
        )
        for judge in Judge.objects.filter(round=round).order_by("role", "-is_head", "name")
    )


def _conflict(row: StatedConflict) -> ConflictView:
    return ConflictView(row.pk, row.about, row.player.name if row.player else row.code, row.why, row.stated_at)
