"""R59: what of a battle is for which of its judges to do now."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.utils.translation import gettext

from judging.battles.bench.models import BattleSeat, StatedConflict
from judging.battles.bench.reads import conflicts_in, in_words, judges_of
from judging.battles.models import Battle, Opinion
from judging.game.viewer import Viewer
from wargame.models import Judge
from wargame.models.choices import Role

Kind = BattleSeat.Kind


class JudgeTask(NamedTuple):
    """What a judge may do: `score`, `opinion` (one of two scores), `decide` (over two), `roll`, `publish`; empty for
    nothing. `is_his`: it is his turn; otherwise somebody else is to do it, `whose` by name, where that is known."""

    does: str = ""
    is_his: bool = False
    whose: str = ""


def for_desk(user: int) -> QuerySet[Battle]:
    """R59: battles, each with whose it is and how far its judges are, for `Bench`: all read in one statement."""
    seats = BattleSeat.objects.filter(battle=OuterRef("pk"), until__isnull=True)
    scored = Opinion.objects.filter(battle=OuterRef("pk"))
    asked: dict[str, Subquery | Exists] = {
        "scored": Subquery(scored.order_by().values("battle").annotate(number=Count("pk")).values("number")),
        "second_scored": Exists(scored.filter(judge=OuterRef("second_judge"))),
        "second_name": Subquery(Judge.everybody.filter(pk=OuterRef("second_judge")).values("name")[:1]),
        "chosen": Exists(seats.filter(cause=BattleSeat.Cause.HEAD, judge__user=user)),
        "has_stated": Exists(
            StatedConflict.objects.filter(
                judge__round=OuterRef("turn__round"), judge__user=user, withdrawn_at__isnull=True
            )
        ),
    }
    for kind in (Kind.FIRST, Kind.THIRD):
        of_kind = seats.filter(kind=kind)
        asked |= {kind.value: Subquery(of_kind.values("judge")[:1])}
        asked |= {f"{kind.value}_name": Subquery(of_kind.values("judge__name")[:1])}
    return Battle.objects.annotate(**asked)


class Bench:
    """R55, R56, R59: whose the battles of a turn are, read by `for_desk`, for one who looks at the desk: he may be a
    battle `judge`. Where he neither plays nor has stated a conflict, nothing more is asked."""

    def __init__(self, battles: Collection[Battle], judge: Judge | None, viewer: Viewer) -> None:
        self._judge, self._user = judge, viewer.user_id or 0
        self._knows = viewer.is_judge(Role.BATTLE)
        plays = judge is not None and viewer.player is not None
        is_suspect = plays or any(_asked_of(battle, "has_stated") for battle in battles)
        own = judges_of(viewer.round).filter(user=self._user)[:1] if is_suspect else ()
        self._conflicts = conflicts_in(battles, own)

    def conflict(self, battle: Battle) -> str:
        """R56: the conflict with a battle, in a sentence; empty where there is none."""
        found = self._conflicts.get((battle.pk, self._user))
        return in_words(found) if found and not _asked_of(battle, "chosen") else ""

    def task(self, battle: Battle, step: str) -> JudgeTask:
        """What is to be done, where the battle waits for `step`. Whose it is, battle judges alone know before its
        result: others who see the desk may play."""
        if not self._knows or step in ("strats", "published"):
            return JudgeTask()
        first, first_name = _asked_of(battle, "first"), str(_asked_of(battle, "first_name") or "")
        if step in ("roll", "publish"):
            return self._task_of(step, first, first_name, battle)
        scored = _asked_of(battle, "scored") or 0
        if scored == 2:
            third = _asked_of(battle, "third")
            is_his = self._is(third) if third else bool(self._judge and self._judge.is_head)
            name = str(_asked_of(battle, "third_name") or "") if third else gettext("the head battle judge")
            return JudgeTask("decide" if is_his else "", is_his, name)
        second = battle.second_judge_id
        if second is None and not scored:
            return self._task_of("score", first, first_name, battle)
        return self._opinion(battle, first, first_name)

    def _opinion(self, battle: Battle, first: object, first_name: str) -> JudgeTask:
        """4.2.1: the seat of the second judge is his; the other one is for whoever scores first."""
        second, second_name = battle.second_judge_id, str(_asked_of(battle, "second_name") or "")
        has_scored = bool(_asked_of(battle, "second_scored"))
        if second is not None and not has_scored:
            if self._is(second):
                return JudgeTask("opinion", True, second_name)
            if _asked_of(battle, "scored"):
                return JudgeTask("", False, second_name)
        if second is None or self._is(second):
            return JudgeTask("", False, first_name if second else "")
        return self._task_of("opinion", first, first_name, battle)

    def _task_of(self, does: str, whose: object, name: str, battle: Battle) -> JudgeTask:
        """Any battle judge without a conflict may do it; it is his whose the battle is, and everybody's if nobody's."""
        if self._judge is None or self.conflict(battle):
            return JudgeTask("", False, name)
        return JudgeTask(does, whose is None or self._is(whose), name)

    def _is(self, key: object) -> bool:
        return self._judge is not None and self._judge.pk == key


def presses(battle: Battle, step: str, is_overdue: bool, now: datetime) -> tuple[str, ...]:
    """What presses in a battle, as codes: `late_strat` waits for a decision (R35), it is `overdue` (4.1.1), or it
    `holds_turn`, whose lock has passed."""
    strats = (strat for entry in battle.entries.all() for strat in entry.strats.all())
    late = any(s.late and s.accepted_at is None and s.declined_at is None for s in strats)
    found = []
    if late and battle.state == Battle.State.WAITING:
        found.append("late_strat")
    if is_overdue and step != "published":
        found.append("overdue")
    if step != "published" and battle.turn.lock_at <= now:
        found.append("holds_turn")
    return tuple(found)


def _asked_of(battle: Battle, name: str) -> object:
    """What `for_desk` asked of a battle."""
    value: object = getattr(battle, name)
    return value
