"""1.3, 4.1.1, R59: The queue of each judge, what each can do now, and reminders for overdue battles. No strat's
text comes through here."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal, NamedTuple

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    ExpressionWrapper,
    F,
    OuterRef,
    Prefetch,
    QuerySet,
    Subquery,
    Value,
)
from django.utils.translation import gettext

from judging.accounts.queries import speaking_to
from judging.battles.assignments.models import BattleSeat, StatedConflict
from judging.battles.assignments.queries import conflicts_in, in_words, judges_of, ready_at
from judging.battles.models import Battle, Opinion, Strat
from judging.battles.queries import rows_of_turn, rows_to_view, views_of
from judging.battles.resolution import rules_battle
from judging.battles.seed_contributions import Awaited, awaited
from judging.battles.shapes import BattleView
from judging.battles.strats.queries import are_sent, counting_as_read, last_deadline
from judging.boards.reports import waiting_lately
from judging.common import locking
from judging.common.judges import User, judge_of, judged_by, rounds_of
from judging.common.log_entry import record
from judging.common.rounds import current_turn, turn_by_number
from judging.common.viewer import Viewer, viewer_of
from judging.email.models import Letter
from judging.email.services import write_letter
from judging.turns.drafts import draft_of, may_rule, may_see_draft
from judging.turns.posts.queries import unpunished
from judging.turns.states import what_it_waits_for
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import headline

Kind = BattleSeat.Kind


class JudgeTask(NamedTuple):
    """What a judge may do: `score`, `opinion` (one of two scores), `decide` (over two), `roll`, `publish`; empty for
    nothing. `is_his`: it is their turn; otherwise another judge must do it, `whose` by name, if known."""

    does: str = ""
    is_his: bool = False
    whose: str = ""


def for_desk(user: int) -> QuerySet[Battle]:
    """R59: Battles, each with its judges and their progress, for `Bench`: all read in one query."""
    seats = BattleSeat.objects.filter(battle=OuterRef("pk"), until__isnull=True)
    scored = Opinion.objects.filter(battle=OuterRef("pk"))
    annotations: dict[str, Subquery | Exists] = {
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
        annotations |= {kind.value: Subquery(of_kind.values("judge")[:1])}
        annotations |= {f"{kind.value}_name": Subquery(of_kind.values("judge__name")[:1])}
    return Battle.objects.annotate(**annotations)


class Bench:
    """R55, R56, R59: The judges of a turn's battles, read by `for_desk`, for a viewer of the desk, who may be a
    battle `judge`. No further query if they neither play nor have stated a conflict."""

    def __init__(self, battles: Collection[Battle], judge: Judge | None, viewer: Viewer) -> None:
        self._judge, self._user = judge, viewer.user_id or 0
        self._knows = viewer.is_judge(Role.BATTLE)
        plays = judge is not None and viewer.player is not None
        is_suspect = plays or any(_asked_of(battle, "has_stated") for battle in battles)
        judges = judges_of(viewer.round).filter(user=self._user)[:1] if is_suspect else ()
        self._conflicts = conflicts_in(battles, judges)

    def conflict(self, battle: Battle) -> str:
        """R56: The conflict with a battle, in a sentence; empty if there is none."""
        found = self._conflicts.get((battle.pk, self._user))
        return in_words(found) if found and not _asked_of(battle, "chosen") else ""

    def task(self, battle: Battle, step: str) -> JudgeTask:
        """The task, if the battle waits for `step`. Before its result, only battle judges know whose it is: other
        viewers of the desk may play."""
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
        """4.2.1: The second judge has their seat; the other one is for the first to score."""
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

    def _task_of(self, does: str, owner: object, name: str, battle: Battle) -> JudgeTask:
        """Any battle judge without a conflict may do it; it belongs to the battle's judge, and to everybody if it
        has none."""
        if self._judge is None or self.conflict(battle):
            return JudgeTask("", False, name)
        return JudgeTask(does, owner is None or self._is(owner), name)

    def _is(self, key: object) -> bool:
        return self._judge is not None and self._judge.pk == key


def presses(battle: Battle, step: str, is_overdue: bool, now: datetime) -> tuple[str, ...]:
    """Urgent points of a battle, as codes: `late_strat` waits for a decision (R35), it is `overdue` (4.1.1), or it
    `holds_turn`, whose lock has passed."""
    strats = (strat for entry in battle.entries.all() for strat in entry.strats.all())
    late = any(s.late and s.accepted_at is None and s.declined_at is None for s in strats)
    codes = []
    if late and battle.state == Battle.State.WAITING:
        codes.append("late_strat")
    if is_overdue and step != "published":
        codes.append("overdue")
    if step != "published" and battle.turn.lock_at <= now:
        codes.append("holds_turn")
    return tuple(codes)


def _asked_of(battle: Battle, name: str) -> object:
    """A value that `for_desk` annotated."""
    value: object = getattr(battle, name)
    return value


Waits = Literal["strats", "score", "roll", "publish", "published"]
"""4.1.1: What a battle waits for, in order; `published` waits for nothing more."""


@dataclass(frozen=True)
class QueueRow:
    """4.1.1: A battle on the desk. `missing` are armies of teams without a strat, `closes` is when the last strat is
    due, `step` what it waits for; `conflict` says why the viewer should not judge it. `waits_since`: since when it
    could be scored; None before. `task` is what the viewer may do, `presses` the urgent points, both as codes of
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
    """1.3: The work of one running round. `waits_for` says in a sentence what its turn waits for; `correctable` is
    the key of the previous turn, for those who may correct it (3.3.3). `offences` counts the orders for another
    player's army that have no penalty yet (R13); None for those who impose none. `reports` wait for the user's
    decision."""

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
    """1.3: The queue of every running round that the user judges. Each battle's strats are read separately."""
    rounds = []
    for round_ in (each for each in judged_by(user) if each.state == RoundState.RUNNING):
        turn = current_turn(round_)
        if turn is not None and turn.state != TurnState.SETTLED:
            rounds.append(_queue(round_, turn, viewer_of(user, round_), judge_of(user, round_, Role.BATTLE), now))
    return tuple(rounds)


def next_battle(user: User, after: Battle, now: datetime) -> int | None:
    """4.1.1: The key of the next battle that waits for this judge: first of the same round, in the order of their
    numbers, those after `after` before the others; None if there is none. Battles to which they are party are left
    out."""
    candidates: list[tuple[bool, bool, int, int]] = []
    for queue in queues(user, now):
        if queue.is_battle_judge:
            rows = (row for row in (*queue.waiting, *queue.scored) if row.step != "strats" and not row.conflict)
            rows = (row for row in rows if row.dice_wait is None)
            for row in rows:
                is_other = queue.round.pk != after.turn.round_id
                candidates.append((is_other, row.view.number <= after.number, row.view.number, row.view.id))
    return next((key for *_, key in sorted(candidates) if key != after.pk), None)


def battle_at_desk(user: User, battle_id: int) -> Battle | None:
    """A battle of a round whose desk the user sees, with its number and round alone; None otherwise."""
    rows = Battle.objects.filter(pk=battle_id, turn__round__in=rounds_of(user)).exclude(state=Battle.State.CANCELLED)
    return rows.select_related("turn").defer("turn__position", "turn__events").first()


def battle_of(user: User, battle_id: int) -> Battle | None:
    """A battle of a round whose desk the user sees, with its scores, rolls and texts, for `view_of`; None otherwise."""
    judged = ("score__judge", "result__judge", "second_judge", "proposal__judge", "narrative_draft__judge")
    in_play = Battle.objects.select_related("turn__round", *judged).defer("turn__position")
    opinions = Opinion.objects.select_related("judge").order_by("pk")
    rows = rows_to_view(in_play.exclude(state=Battle.State.CANCELLED))
    rows = rows.prefetch_related(Prefetch("opinions", opinions))
    return rows.filter(pk=battle_id, turn__round__in=rounds_of(user)).first()


def queue_in(turn: Turn, viewer: Viewer, judge: Judge | None, now: datetime) -> list[QueueRow]:
    """4.1.1, R59: The battles of a turn for a viewer of the desk, their own first; `judge` is the viewer as a battle
    judge, if they are one."""
    rows = _rows(turn, viewer, judge, now)
    return sorted(rows, key=lambda row: (row.step == "published", not row.task.is_his, row.view.number))


def _rows(turn: Turn, viewer: Viewer, judge: Judge | None, now: datetime) -> list[QueueRow]:
    battles = rows_of_turn(turn, for_desk(viewer.user_id or 0))
    counting = counting_as_read(battles)
    views = views_of(battles, viewer, now, in_full=False, with_notes=False)
    bench = Bench(battles, judge, viewer)
    is_judge = viewer.is_judge(Role.BATTLE)
    rows = []
    for battle, view in zip(battles, views, strict=True):
        row = queue_row(view, battle, counting[battle.pk], now)
        row = row if is_judge else unjudged(row)
        rows.append(_personal(row, battle, bench, viewer, counting[battle.pk], now))
    return rows


def unjudged(row: QueueRow) -> QueueRow:
    """R35, R55: A battle's row for all but its judges, who may play: before its result nobody else knows their
    progress. The receipts show everybody whether it can be scored."""
    return replace(row, step="score", dice_wait=None) if row.step in ("roll", "publish") else row


def _personal(
    row: QueueRow, battle: Battle, bench: Bench, viewer: Viewer, counting: Mapping[str, Strat], now: datetime
) -> QueueRow:
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
    """4.1.1: A battle's row: it waits for strats, its score, its roll, its publishing, or nothing more.

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
    """1.3, 6: The reason why the viewer should not judge a battle, in a sentence; empty if there is none."""
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


def tell_of_overdue(now: datetime) -> int:
    """4.1.1: Log each battle without a result after the round's time limit from its lock, and email its judges if
    email is set up; returns how many. The desk shows them as overdue from then on."""
    since = ExpressionWrapper(Value(now) - F("turn__round__judge_within"), DateTimeField())
    battles = Battle.objects.exclude(state__in=[Battle.State.PUBLISHED, Battle.State.CANCELLED]).filter(
        overdue_at__isnull=True, turn__round__state=RoundState.RUNNING, turn__lock_at__lt=since
    )
    return sum(_tell(pk, now) for pk in battles.values_list("pk", flat=True))


def _tell(battle_id: int, now: datetime) -> bool:
    """Whether this worker is the one to report it: of two that find the same battle, one update counts.

    The log and the emails are written with the mark; the emails go out after it is stored.
    """
    with locking.transaction():
        if not Battle.objects.filter(pk=battle_id, overdue_at__isnull=True).update(overdue_at=now):
            return False
        battle = Battle.objects.select_related("turn__round").get(pk=battle_id)
        data = {"turn": battle.turn.number, "battle": battle.number, "policy": battle.turn.round.overdue_policy}
        record(battle.turn.round, None, "battle.overdue", data, now)
        _write(battle, now)
    return True


def _write(battle: Battle, now: datetime) -> None:
    """One email each, so that nobody reads another's address. The desk and the log say the same."""
    round_, fought = battle.turn.round, rules_battle(battle)
    judges = Judge.objects.filter(round=round_, role=Role.BATTLE).select_related("user")
    people = {judge.user.email: judge.user_id for judge in judges if judge.user.email}
    for address, user_id in sorted(people.items()):
        with speaking_to(user_id):
            message = gettext(
                "%(battle)s at %(square)s in turn %(turn)s of %(round)s is still waiting for its result. The "
                "turn can't be settled until it is published (4.1.1)."
            )
            text = message % {
                "battle": headline(*fought.sides, fought.defends),
                "square": battle.at,
                "turn": battle.turn.number,
                "round": round_,
            }
            subject = gettext("%(round)s: a battle is waiting for its result") % {"round": round_}
            write_letter(to=address, kind=Letter.Kind.OVERDUE, now=now, subject=subject, body=text, about=round_)
