"""1.3, 4.1.1: the queue of the judges' desk: what waits in each running round, and for which of its judges.

No text of a strat comes through here: those are in the sheet of a battle alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from django.db.models import Prefetch
from django.utils.translation import gettext

from judging.battles.bench.reads import ready_at
from judging.battles.bench.tasks import Bench, JudgeTask, for_desk, presses
from judging.battles.mixing import Awaited, awaited
from judging.battles.models import Battle, Opinion, Strat
from judging.battles.reads import rows_of_turn, rows_to_view, views_of
from judging.battles.shapes import BattleView
from judging.battles.strats.deadlines import last_deadline
from judging.battles.strats.reads import are_sent, counting_as_read
from judging.boards.reads.reports import waiting_lately
from judging.game.judges import User, judge_of, judged_by, rounds_of
from judging.game.rounds import current_turn, turn_by_number
from judging.game.viewer import Viewer, viewer_of
from judging.turns.drafts import draft_of, may_rule, may_see_draft
from judging.turns.posts.offences import unpunished
from judging.turns.states import what_it_waits_for
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.sides import Side

Waits = Literal["strats", "score", "roll", "publish", "published"]
"""4.1.1: what a battle waits for, in the order in which it does; `published` waits for nothing more."""


@dataclass(frozen=True)
class QueueRow:
    """4.1.1: a battle on the desk. `missing` are armies of teams without a strat, `closes` is when the last strat
    is due, `step` what it waits for; `conflict` says why the viewer had better not judge it. `waits_since`: since when
    it could be scored; None before. `task` is what the viewer may do, `presses` what presses, both as codes of
    `bench.tasks`; `dice_wait` is what the dice of a scored battle wait for before they roll by themselves (R38)."""

    view: BattleView
    missing: tuple[str, ...]
    closes: datetime
    is_closed: bool
    step: Waits
    is_overdue: bool = False
    conflict: str = ""
    waits_since: datetime | None = None
    task: JudgeTask = JudgeTask()
    presses: tuple[str, ...] = ()
    dice_wait: Awaited | None = None


@dataclass(frozen=True)
class Queue:
    """1.3: the work of one running round. `waits_for` says in a sentence what its turn waits for; `correctable` is the
    key of the turn before, for those who may correct it (3.3.3). `offences` counts the orders for somebody else's army
    that have no penalty yet (R13); None for those who hand none down. `reports` wait for his decision."""

    round: Round
    turn: Turn
    roles: tuple[str, ...]
    is_battle_judge: bool
    waits_for: str
    has_draft: bool
    correctable: int | None
    waiting: tuple[QueueRow, ...]
    scored: tuple[QueueRow, ...]
    published: tuple[QueueRow, ...]
    commands_mercenaries: bool = False
    offences: int | None = None
    reports: int = 0


def queues(user: User, now: datetime) -> tuple[Queue, ...]:
    """1.3: the queue of every running round that the user judges. Each battle's strats are read for themselves."""
    rounds = []
    for round_ in (each for each in judged_by(user) if each.state == RoundState.RUNNING):
        turn = current_turn(round_)
        if turn is not None and turn.state != TurnState.SETTLED:
            rounds.append(_queue(round_, turn, viewer_of(user, round_), judge_of(user, round_, Role.BATTLE), now))
    return tuple(rounds)


def next_battle(user: User, after: Battle, now: datetime) -> int | None:
    """4.1.1: the key of the next battle that waits for this judge: of the same round first, in the order of their
    numbers, those behind `after` before the others; None if none does. Where he is party to it, it is not his."""
    found: list[tuple[bool, bool, int, int]] = []
    for queue in queues(user, now):
        if queue.is_battle_judge:
            rows = (row for row in (*queue.waiting, *queue.scored) if row.step != "strats" and not row.conflict)
            rows = (row for row in rows if row.dice_wait is None)
            for row in rows:
                is_other = queue.round.pk != after.turn.round_id
                found.append((is_other, row.view.number <= after.number, row.view.number, row.view.id))
    return next((key for *_, key in sorted(found) if key != after.pk), None)


def battle_at_desk(user: User, battle_id: int) -> Battle | None:
    """A battle of a round whose desk the user sees, by its number and round alone; None otherwise."""
    rows = Battle.objects.filter(pk=battle_id, turn__round__in=rounds_of(user)).exclude(state=Battle.State.CANCELLED)
    return rows.select_related("turn").defer("turn__position", "turn__events").first()


def battle_of(user: User, battle_id: int) -> Battle | None:
    """A battle of a round whose desk the user sees, with all that was scored, rolled and written of it, to be shown
    by `view_of`; None otherwise."""
    judged = ("score__judge", "result__judge", "second_judge", "proposal__judge", "narrative_draft__judge")
    in_play = Battle.objects.select_related("turn__round", *judged).defer("turn__position")
    opinions = Opinion.objects.select_related("judge").order_by("pk")
    rows = rows_to_view(in_play.exclude(state=Battle.State.CANCELLED))
    rows = rows.prefetch_related(Prefetch("opinions", opinions))
    return rows.filter(pk=battle_id, turn__round__in=rounds_of(user)).first()


def queue_in(turn: Turn, viewer: Viewer, judge: Judge | None, now: datetime) -> list[QueueRow]:
    """4.1.1, R59: the battles of a turn as they wait for one who sees the desk, those that are his first; `judge` is he
    as a battle judge, if he is one."""
    rows = _rows(turn, viewer, judge, now)
    return sorted(rows, key=lambda row: (row.step == "published", not row.task.is_his, row.view.number))


def _rows(turn: Turn, viewer: Viewer, judge: Judge | None, now: datetime) -> list[QueueRow]:
    battles = rows_of_turn(turn, for_desk(viewer.user_id or 0))
    counting = counting_as_read(battles)
    views = views_of(battles, viewer, now, in_full=False, with_notes=False)
    bench = Bench(battles, judge, viewer)
    knows = viewer.is_judge(Role.BATTLE)
    found = []
    for battle, view in zip(battles, views, strict=True):
        row = queue_row(view, battle, counting[battle.pk], now)
        row = row if knows else unjudged(row)
        found.append(_personal(row, battle, bench, viewer, counting[battle.pk], now))
    return found


def unjudged(row: QueueRow) -> QueueRow:
    """R35, R55: a battle as it waits for all but its judges, who may play: before its result nobody else knows how far
    they are. That it can be scored everybody sees by the receipts."""
    return replace(row, step="score", dice_wait=None) if row.step in ("roll", "publish") else row


def _personal(
    row: QueueRow, battle: Battle, bench: Bench, viewer: Viewer, counting: Mapping[str, Strat], now: datetime
) -> QueueRow:
    """The row as one judge sees it."""
    teams = [fighter.name for fighter in row.view.fighters if fighter.side != Side.MERCENARY]
    since = ready_at(battle, counting, teams) if row.step != "strats" else None
    conflict = bench.conflict(battle) or conflict_of(row.view, viewer)
    pressing = presses(battle, row.step, row.is_overdue, now)
    task = JudgeTask() if row.dice_wait else bench.task(battle, row.step)
    return replace(row, conflict=conflict, waits_since=since, task=task, presses=pressing)


def _queue(round_: Round, turn: Turn, viewer: Viewer, judge: Judge | None, now: datetime) -> Queue:
    rows = queue_in(turn, viewer, judge, now)
    draft = draft_of(turn)
    return Queue(
        round=round_,
        turn=turn,
        roles=tuple(sorted(str(Role(role).label) for role in viewer.roles if role in Role.values)),
        is_battle_judge=viewer.is_judge(Role.BATTLE),
        waits_for=what_it_waits_for(turn, draft, sum(row.step != "published" for row in rows), now),
        correctable=_correctable(turn) if may_rule(viewer) else None,
        has_draft=draft is not None and may_see_draft(draft, viewer, now),
        waiting=tuple(row for row in rows if row.step in ("strats", "score")),
        scored=tuple(row for row in rows if row.step in ("roll", "publish")),
        published=tuple(row for row in rows if row.step == "published"),
        commands_mercenaries=viewer.is_judge(Role.MERCENARY) and round_.has_mercenaries,
        offences=unpunished(turn, viewer, now) if may_rule(viewer) else None,
        reports=waiting_lately(viewer),
    )


def _correctable(turn: Turn) -> int | None:
    """3.3.3: the last settled turn, while the one after it is open."""
    before = turn_by_number(turn.round, turn.number - 1) if turn.state == TurnState.OPEN else None
    return before.pk if before else None


def queue_row(view: BattleView, battle: Battle, counting: Mapping[str, Strat], now: datetime) -> QueueRow:
    """4.1.1: what a battle waits for: strats, its score, its roll, its publishing, or nothing more.

    `counting` are its strats that count, by army.
    """
    missing = tuple(f.name for f in view.fighters if f.name not in counting and f.side != Side.MERCENARY)
    closes = last_deadline(battle)
    is_closed = not clock.is_in_time(now, closes)
    decided: dict[str, Waits] = {
        Battle.State.PUBLISHED: "published",
        Battle.State.ROLLED: "publish",
        Battle.State.SCORED: "roll",
    }
    teams = [fighter.name for fighter in view.fighters if fighter.side != Side.MERCENARY]
    is_due = is_closed or are_sent(teams, counting)
    step = decided.get(battle.state, _next_step(view, missing, is_due, is_closed))
    is_scored = battle.state == Battle.State.SCORED
    waits = awaited(battle, counting, battle.score, now) if is_scored and hasattr(battle, "score") else None
    is_overdue = battle.overdue_at is not None
    return QueueRow(view, missing, clock.closes(closes), is_closed, step, is_overdue, dice_wait=waits)


def _next_step(view: BattleView, missing: tuple[str, ...], is_due: bool, is_closed: bool) -> Waits:
    """4.1.1, R36: a battle is scored once its strats are in; the rules score one in which a team's side sent none."""
    if not is_due:
        return "strats"
    sides = [[f.name for f in side if f.side != Side.MERCENARY] for side in view.sides]
    return "roll" if is_closed and any(names and set(names) <= set(missing) for names in sides) else "score"


def conflict_of(view: BattleView, viewer: Viewer) -> str:
    """1.3, 6: why the viewer had better not judge a battle, in a sentence; empty if nothing speaks against it."""
    if not viewer.is_judge(Role.BATTLE):
        return ""
    if viewer.player is not None:
        return gettext("You play in this round, so you can't judge its battles (1.3).")
    fights = any(fighter.side == Side.MERCENARY for fighter in view.fighters)
    if fights and viewer.is_judge(Role.MERCENARY):
        return gettext(
            "You command the mercenaries in this battle (6). Let another judge score it, or add a second judge."
        )
    return ""
