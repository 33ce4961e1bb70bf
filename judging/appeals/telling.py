"""R57, R58: who is told of an appeal, and of a battle that was judged anew, and what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from judging.appeals.models import Appeal
from judging.appeals.reads import RULERS
from judging.appeals.subjects import subject_of
from judging.appeals.words import about_of_row
from judging.battles.anew.models import Rejudgement
from judging.battles.anew.reads import sides_named
from judging.battles.models import Battle
from judging.game.models import LogEntry
from judging.game.telling import NewsKind
from wargame.models import Judge, Player

JOINED = (
    *("player", "judge", "against", "round", "vote", "entry"),
    *("battle__turn", "ruling__turn", "penalty__turn", "of_turn"),
)
ACTS = ("lodged", "answered", "overruled", "withdrawn", "passed_on")
"""What becomes of an appeal, as the log has it."""


class AppealNews(NamedTuple):
    """Somebody is told something: his users' keys, the kind of the notification, what its sentence names, what tells
    it from others of the same act, and by when something is to be done."""

    users: list[int]
    kind: NewsKind
    data: Mapping[str, object]
    about: str = ""
    due: datetime | None = None


def told_of_appeal(entry: LogEntry) -> Iterator[AppealNews]:
    """R57: both sides of an appeal: its player, all whom the decision concerns, who decided, who answers, and the judge
    who loses it or is overruled. Of a hidden one its player and the judges alone."""
    rows = Appeal.objects.filter(round=entry.round_id, number=entry.data.get("appeal", 0))
    row = rows.select_related(*JOINED).first()
    if row is None:
        return
    what, judge = entry.action.removeprefix("appeal.").removeprefix("hidden_"), entry.data.get("judge")
    told: dict[str, object] = {"number": row.number, "player": row.lodger.name, "judge": judge}
    told |= {"about": about_of_row(row), "outcome": row.state}
    if what in ("lodged", "passed_on") and row.judge is not None and row.judge.name == judge:
        yield AppealNews(
            [row.judge.user_id], NewsKind.JUDGE_APPEAL, {**told, "due": row.due_at.isoformat()}, "judge", row.due_at
        )
    found = None if row.is_hidden else subject_of(row, entry.at)
    concerned = Player.objects.filter(pk__in=found.concerned if found else (), left_at__isnull=True)
    users = {row.lodger.user_id, *concerned.values_list("user_id", flat=True)}
    users |= {row.against.user_id} if row.against else set()
    before = Judge.objects.filter(round=row.round_id, name=entry.data.get("before") or "", role__in=RULERS)
    users |= set(before.values_list("user_id", flat=True))
    yield AppealNews(sorted(users), NewsKind(f"appeal.{what}"), told)


def told_of_anew(battle: Battle, control: Mapping[str, set[int]]) -> Iterator[AppealNews]:
    """R58: all who fought in a battle that was judged anew. `control` are the users by the armies' names."""
    row = battle.rejudgements.filter(state=Rejudgement.State.APPLIED).order_by("decided_at").last()
    if row is None:
        return
    sides = sides_named(battle)
    won, before = row.outcome["winner"], row.outcome_before["winner"]
    users = {user for side in sides for name in side for user in control.get(name, ())}
    yield AppealNews(sorted(users), NewsKind.BATTLE_ANEW, {"won": sides[won], "as_before": won == before})
