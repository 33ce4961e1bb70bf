"""1.3: what the judges' desk shows, and to whom. Texts of strats come from `battles.py` alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from judging.battles.models import Battle, Draft
from judging.battles.reads import battles_of_turn
from judging.battles.strats.reads import all_sent, counting_strats, last_deadline
from judging.battles.views import BattleView
from judging.game.turn_states import what_it_waits_for
from judging.game.viewer import Viewer, viewer_of
from judging.penalties.offences import unpunished
from judging.turns.drafts import may_rule, may_see_draft
from judging.turns.models import Post
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.sides import Side

User = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True)
class QueueRow:
    """4.1.1: a battle on the desk. `missing` are armies without a strat, `step` is what it waits for."""

    view: BattleView
    missing: tuple[str, ...]
    closes: datetime
    is_closed: bool
    step: str
    is_overdue: bool = False
    conflict: str = ""


@dataclass(frozen=True)
class Queue:
    """1.3: the work of one running round. `waits_for` says in a sentence what its turn waits for; `correctable` is the
    key of the turn before, for those who may correct it (3.3.3). `offences` counts the orders for somebody else's army
    that have no penalty yet (R13); None for those who hand none down."""

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


def may_enter(user: User) -> bool:
    """1.3: the desk is open to the judges of any round and to administrators."""
    if not (user.is_authenticated and user.is_active):
        return False
    judges = Judge.objects.filter(user_id=_key(user)).exclude(round__state=RoundState.GIVEN_UP)
    return bool(getattr(user, "is_superuser", False)) or judges.exists()


def may_change_round(user: User, round_: Round) -> bool:
    """R5: a round's calendar is set by its battle and movement judges, and by administrators."""
    if round_.state == RoundState.GIVEN_UP:
        return False
    if getattr(user, "is_superuser", False):
        return True
    return Judge.objects.filter(user_id=_key(user), round=round_, role__in=[Role.BATTLE, Role.MOVEMENT]).exists()


def _key(user: User) -> int:
    """The user's key; 0, which nobody has, for a visitor."""
    return int(user.pk or 0)


def judge_of(user: User, round_: Round, role: str) -> Judge | None:
    """1.3: the user as a judge of that role in a round; None if he is none."""
    return Judge.objects.filter(user_id=_key(user), round=round_, role=role).first()


def rounds_of(user: User) -> QuerySet[Round]:
    """1.3: the rounds whose desk the user sees: where he judges; all of them for administrators."""
    rounds = Round.objects.exclude(state=RoundState.GIVEN_UP).order_by("-created_at")
    if getattr(user, "is_superuser", False):
        return rounds
    return rounds.filter(judges__in=Judge.objects.filter(user_id=_key(user))).distinct()


def posts_for_judges(posts: QuerySet[Post], now: datetime) -> QuerySet[Post]:
    """R6: sealed orders are hidden from judges too until the lock."""
    open_turns = [
        turn.pk
        for turn in Turn.objects.filter(state=TurnState.OPEN).only("lock_at")
        if clock.is_in_time(now, turn.lock_at)
    ]
    return posts.exclude(Q(sealed=True) & Q(turn__in=open_turns))


def queues(user: User, now: datetime) -> tuple[Queue, ...]:
    """1.3: the queue of every running round that the user judges."""
    found = []
    for round_ in rounds_of(user).filter(state=RoundState.RUNNING):
        turn = Turn.objects.filter(round=round_).exclude(state=TurnState.SETTLED).defer("position").first()
        if turn is not None:
            found.append(_queue(round_, turn, viewer_of(user, round_), now))
    return tuple(found)


def battle_of(user: User, battle_id: int) -> Battle | None:
    """A battle of a round whose desk the user sees; None otherwise."""
    battles = Battle.objects.select_related("turn__round", "score__judge", "result__judge", "second_judge")
    in_play = battles.exclude(state=Battle.State.CANCELLED)
    return in_play.filter(pk=battle_id, turn__round__in=rounds_of(user)).first()


def _queue(round_: Round, turn: Turn, viewer: Viewer, now: datetime) -> Queue:
    battles = Battle.objects.filter(turn=turn).in_bulk()
    views = battles_of_turn(turn, viewer, now)
    rows = [replace(queue_row(view, battles[view.id], now), conflict=conflict_of(view, viewer)) for view in views]
    draft = Draft.objects.filter(turn=turn).defer("events", "places").first()
    return Queue(
        round=round_,
        turn=turn,
        roles=tuple(sorted(Role(role).label for role in viewer.roles if role in Role.values)),
        is_battle_judge=viewer.is_judge(Role.BATTLE),
        waits_for=what_it_waits_for(turn, draft, sum(row.step != "published" for row in rows), now),
        correctable=_correctable(turn) if may_rule(viewer) else None,
        has_draft=draft is not None and may_see_draft(draft, viewer, now),
        waiting=tuple(row for row in rows if row.step in ("strats", "score")),
        scored=tuple(row for row in rows if row.step in ("roll", "publish")),
        published=tuple(row for row in rows if row.step == "published"),
        commands_mercenaries=viewer.is_judge(Role.MERCENARY) and round_.has_mercenaries,
        offences=unpunished(turn, viewer, now) if may_rule(viewer) else None,
    )


def _correctable(turn: Turn) -> int | None:
    """3.3.3: the last settled turn, while the one after it is open."""
    before = Turn.objects.filter(round=turn.round_id, number=turn.number - 1)
    return before.values_list("pk", flat=True).first() if turn.state == TurnState.OPEN else None


def queue_row(view: BattleView, battle: Battle, now: datetime) -> QueueRow:
    """4.1.1: what a battle waits for: strats, its score, its roll, its publishing, or nothing more."""
    counting = counting_strats(battle)
    missing = tuple(f.name for f in view.fighters if f.name not in counting)
    closes = last_deadline(battle)
    is_closed = not clock.is_in_time(now, closes)
    steps = {Battle.State.PUBLISHED: "published", Battle.State.ROLLED: "publish", Battle.State.SCORED: "roll"}
    is_due = is_closed or all_sent(battle)
    step = steps.get(Battle.State(battle.state), _next_step(view, missing, is_due, is_closed))
    return QueueRow(view, missing, clock.closes(closes), is_closed, step, battle.overdue_at is not None)


def _next_step(view: BattleView, missing: tuple[str, ...], is_due: bool, is_closed: bool) -> str:
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
        return "You play in this round, so you can't judge its battles (1.3)."
    fights = any(fighter.side == Side.MERCENARY for fighter in view.fighters)
    if fights and viewer.is_judge(Role.MERCENARY):
        return "You command the mercenaries that fight here (6): let another judge score it, or a second one too."
    return ""
