"""3.1, R18, 4.1.2.5: the stages of a turn, from its opening to its settlement. The database decides what is due."""

import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.armies.changes.settlement import note_changes
from judging.chain import services as chain
from judging.chain.queries import head_of
from judging.command.control.services import enlist
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import entry_of, record
from judging.common.models import LogEntry
from judging.common.texts import utc
from judging.formula_books.services import announce_book, open_book
from judging.turns.battles import BattleToOpen, announced, open_battles, results_since, unfought_battles
from judging.turns.drafts import work_out
from judging.turns.failures import is_put_off
from judging.turns.models import Draft
from judging.turns.states import waits_for_edit, window_at_lock, with_mercenary_judge
from judging.turns.turn_input import InputOfTurn
from wargame import world
from wargame.models import Army, Round, Turn
from wargame.models.choices import OverduePolicy, RoundState, TurnState
from wargame.rules import settlement
from wargame.rules.battle import weather
from wargame.rules.command.holidays import free_lock, read_holidays
from wargame.rules.core import clock, codec
from wargame.rules.core.dice import commitment, turn_dice
from wargame.rules.core.position import Position
from wargame.rules.core.turn import TurnInput
from wargame.rules.settling.punishing import punished
from wargame.rules.telling.telling import event_to_json
from wargame.version import RULES
from wargame.web import metrics


@locking.writes
def open_round(*, round: Round, now: datetime, first_lock: datetime) -> Turn:
    """1.5, R38: open turn 1 on the map of the rows, and publish the commitment to the formula book.

    Chapter 6 is played if there are mercenaries on the map (2.5.3). An army that is not on the control list is its
    namesake's (5.2.1).

    Refused if the round has begun, or no time is left (R5).
    """
    if not Round.objects.filter(pk=round.pk, state=RoundState.SETUP).update(state=RoundState.RUNNING):
        raise Refused(gettext("%(name)s has already begun.") % {"name": round.name}, "1.5")
    if first_lock - round.deadline_before_lock <= now:
        raise Refused(
            gettext("A lock on %(time)s leaves no time before the first battle deadline.") % {"time": utc(first_lock)},
            "R5",
        )
    round.state = RoundState.RUNNING
    position = world.load_position(round)
    round.has_mercenaries = any(army.faction for army in position.armies)
    Round.objects.filter(pk=round.pk).update(has_mercenaries=round.has_mercenaries)
    ids = dict(Army.objects.filter(round=round, died_in__isnull=True).values_list("name", "pk"))
    as_json = codec.written_position(position)
    turn = open_turn(round, 1, position, as_json, codec.digest(as_json), first_lock, ids, now)
    enlist(round, now)
    announce_book(turn, open_book(round, now))
    Notice.objects.bulk_create(announcements(turn, position))
    record(round, None, "round.opened", {"lock_at": first_lock.isoformat()}, now)
    chain.begin(round)
    return turn


def open_turn(
    round: Round,
    number: int,
    position: Position,
    as_json: codec.Json,
    position_hash: str,
    lock_at: datetime,
    ids: dict[str, int],
    now: datetime,
    sky_before: weather.SkyJson = (),
) -> Turn:
    """3.1: the turn and its battles, each with a secret seed and the commitment to it (R38).

    `as_json` is the position as stored, `position_hash` its SHA-256, `ids` are the armies' keys by name, `sky_before`
    is the air over the turn before (4.1.2.5). Three queries, however many battles there are.
    """
    seed = secrets.token_hex(32)
    sky = sky_of(round, number, seed, sky_before)
    turn = Turn.objects.create(
        round=round,
        number=number,
        opened_at=now,
        deadline=lock_at - round.deadline_before_lock,
        lock_at=lock_at,
        seed=seed,
        commitment=commitment(bytes.fromhex(seed)),
        position=as_json,
        position_hash=position_hash,
        sky=weather.sky_to_json(sky),
    )
    open_battles(turn, position, [BattleToOpen(*pair) for pair in enumerate(position.battles, 1)], ids)
    return turn


def announcements(turn: Turn, position: Position) -> list[Notice]:
    """3.1, R25: the post in the Battle Announcements thread, unsaved; none without battles."""
    if not position.battles:
        return []
    data = {"turn": turn.number, "deadline": turn.deadline.isoformat(), "announced": announced(turn, position)}
    thread = Notice.Thread.ANNOUNCEMENTS
    return [Notice(turn=turn, thread=thread, kind="battles", at=turn.opened_at, data=data)]


def sky_of(round: Round, number: int, seed: str, before: weather.SkyJson) -> weather.Sky:
    """4.1.2.5: the air over the turn before, moved on by the turn's own dice; without one, the first."""
    dice = turn_dice(bytes.fromhex(seed), round.dice_name, number)
    return weather.next_sky(weather.sky_from_json(before), dice) if before else weather.first_sky(dice)


log = logging.getLogger(__name__)

Events = list[codec.Json]
"""The events of a settlement, as written by `wargame.rules.telling`."""

AT_ONCE = timedelta(0)
"""R18: the waiting time of a draft in a round that publishes its moves unseen."""


def due_turns(now: datetime) -> list[tuple[int, str]]:
    """The turns of running rounds that have a stage due: their keys, and the state it leads to. Oldest lock first.

    Without those whose stage failed and waits for its next try.
    """
    rows = Turn.objects.filter(_may_be_due(now), ~is_put_off(now), round__state=RoundState.RUNNING)
    rows = rows.order_by("lock_at", "pk")
    return [
        (pk, STAGES[TurnState(state)].leads_to.value)
        for pk, state, lock_at in rows.values_list("pk", "state", "lock_at")
        if state != TurnState.OPEN or not clock.is_in_time(now, lock_at)
    ]


def coming_moments(now: datetime, until: datetime) -> list[datetime]:
    """The times after now, until then, from which on a turn of a running round may have a stage due because of the
    clock: locks, ends of windows (R48), publications of moves (R18) and the ends of delays of turns (R57).

    `due_turns`, and the stage itself, decide whether anything is due then: these times may change.
    """
    columns = ("lock_at", "after_lock_until", "draft__publish_at", "held_until")
    condition = Q(*(Q((f"{column}__range", (now - clock.MINUTE, until))) for column in columns), _connector=Q.OR)
    rows = Turn.objects.filter(condition, round__state=RoundState.RUNNING).exclude(state=TurnState.SETTLED)
    moments = set()
    for lock_at, window, published, held_until in rows.values_list(*columns):
        moments |= {clock.closes(each) for each in (lock_at, window) if each} | {published, held_until}
    return sorted(moment for moment in moments if moment and now < moment <= until)


def number_late(moment: datetime) -> int:
    """The number of turns of running rounds that have had a stage due since that time, including postponed ones."""
    turn = OuterRef("pk")
    is_ready = (
        Exists(_published_draft(turn, moment)) & ~Exists(unfought_battles(turn)) & ~Exists(results_since(turn, moment))
    )
    edited = Q(after_lock_until=None) | Q(after_lock_until__lte=moment) | Q(after_lock_done=True)
    late = (
        Q(state=TurnState.OPEN, lock_at__lte=moment - clock.MINUTE)
        | Q(edited, state=TurnState.LOCKED, locked_at__lte=moment)
        | Q(is_ready, _not_held(moment), state__in=[TurnState.MOVED, TurnState.FOUGHT])
    )
    return Turn.objects.filter(late, round__state=RoundState.RUNNING).count()


def advance(turn_id: int, now: datetime) -> str:
    """3.1: carry out every due stage of a turn, and return the state in which it leaves the turn.

    Harmless when nothing is due, another worker is at it, or the turn is gone (then the state is empty).
    """
    turns = with_mercenary_judge(world.with_maps_as_text(Turn.objects.select_related("round").defer("events")))
    turn = turns.filter(pk=turn_id).first()
    if turn is None:
        return ""
    turn_input = InputOfTurn(turn)
    while turn.round.state == RoundState.RUNNING and turn.state in STAGES:
        stage = STAGES[TurnState(turn.state)]
        with metrics.stages.labels(stage.leads_to.value).time():
            reached = stage.carry_out(turn_input, now)
        if reached is None:
            log.info("%s, turn %d: nothing due, or another worker is on it", turn.round.slug, turn.number)
            break
        log.info("%s, turn %d: %s", turn.round.slug, turn.number, reached.value)
        turn.state = reached
    return turn.state


@locking.writes
def _lock(turn_input: InputOfTurn, now: datetime) -> TurnState | None:
    """R4: lock the thread, once the clock allows it. A map corrected since it was read is read again (3.3.3)."""
    turn = turn_input.turn
    if clock.is_in_time(now, turn.lock_at):
        return None
    claim = _claim(turn, lock_at=turn.lock_at, position_hash=turn.position_hash)
    until = window_at_lock(turn, world.position_of_turn(turn))
    if not claim.update(state=TurnState.LOCKED, locked_at=now, after_lock_until=until):
        return None
    turn.locked_at, turn.after_lock_until = now, until
    return TurnState.LOCKED


def _move(turn_input: InputOfTurn, now: datetime) -> TurnState | None:
    """R18, steps 1 to 6: compute the draft of the moves; and the settlement, if there is nothing to wait for.

    Not while the mercenary judge may still change a raider's movement (6.3.2).
    """
    turn = turn_input.turn
    if waits_for_edit(turn, now):
        return None
    after = turn.round.publish_after
    if after == AT_ONCE and not is_held(turn, now):
        everything = turn_input.for_settlement()
        if len(everything.results) == len(turn_input.position.battles):
            # The claim asks once more: no settlement rests on results that were only read before it.
            passing = _claim(turn).filter(~Exists(unfought_battles(turn.pk)))
            locked = _locked(turn_input, now)
            return TurnState.SETTLED if settle(turn_input, everything, passing, now, locked) else None
    draft = Draft(turn=turn, **work_out(turn_input), computed_at=now, publish_at=None if after is None else now + after)
    with locking.transaction():
        if not _claim(turn).update(state=TurnState.MOVED):
            return None
        draft.save(force_insert=True)
        _locked(turn_input, now).save()
    return TurnState.MOVED


def _locked(turn_input: InputOfTurn, now: datetime) -> LogEntry:
    """3.1: the log entry of the turn's lock, unsaved, with the parts of its posts that the service can't read (R8).

    It reads the posts, so it comes after `for_settlement`, which has them read together with the results.
    """
    turn, unread = turn_input.turn, turn_input.unread
    data = {"turn": turn.number, **({"unread": unread} if unread else {})}
    return entry_of(turn.round, None, "turn.locked", data, turn.locked_at or now)


@locking.writes
def _fight(turn_input: InputOfTurn, now: datetime) -> TurnState | None:
    """4.1.1: let the turn pass once its moves and the results of all its battles are published.

    A turn with a ruling since it was read is read again (3.3.3).
    """
    turn = turn_input.turn
    claim = _claim(turn, is_ruled=turn.is_ruled)
    ready = claim.filter(Exists(_published_draft(turn.pk, now)), ~Exists(unfought_battles(turn.pk)))
    return TurnState.FOUGHT if ready.update(state=TurnState.FOUGHT) else None


def _settle(turn_input: InputOfTurn, now: datetime) -> TurnState | None:
    """R18, steps 7 to 11: settle the turn and open the next one; not while an appeal delays it (R57)."""
    if is_held(turn_input.turn, now):
        return None
    return TurnState.SETTLED if settle(turn_input, turn_input.for_settlement(), _claim(turn_input.turn), now) else None


def _claim(turn: Turn, **conditions: object) -> QuerySet[Turn]:
    """The turn's row, if it is still in the state in which it was read, without a further change of troops (2.3.2),
    penalty (5.4.1), act of the mercenary judge (R48), result judged again (R58) or exception of control (R44), and with
    the same delay (R57).

    Each of these increments a number of the row, so that one update can check that the computed data uses all the
    turn's input. `conditions` are further values that must be as read.
    """
    counters = {"changes": turn.changes, "penalties": turn.penalties, "mercenary_orders": turn.mercenary_orders}
    appeals = {"judged_anew": turn.judged_anew, "held_until": turn.held_until}
    return Turn.objects.filter(pk=turn.pk, state=turn.state, **counters, **appeals, **conditions)


def is_held(turn: Turn, now: datetime) -> bool:
    """R57: whether an appeal delays a turn's settlement; the clock ends the delay, whatever the appeal's result."""
    return turn.held_until is not None and now < turn.held_until


def _not_held(now: datetime) -> Q:
    return Q(held_until=None) | Q(held_until__lte=now)


def _published_draft(turn: int | OuterRef, now: datetime) -> QuerySet[Draft]:
    """R18: the draft of a turn, given by its key, if everybody may see it. For `Exists`."""
    return Draft.objects.filter(turn=turn, publish_at__lte=now)


def _may_be_due(now: datetime) -> Q:
    """3.1: the condition for a turn with a due stage. `lock_at` alone says too much: its minute is in time (R4)."""
    turn = OuterRef("pk")
    passes = Exists(_published_draft(turn, now)) & ~Exists(unfought_battles(turn))
    edited = Q(after_lock_until=None) | Q(after_lock_until__lte=now) | Q(after_lock_done=True)
    return (
        Q(state=TurnState.OPEN, lock_at__lte=now)
        | Q(edited, state=TurnState.LOCKED)
        | Q(_not_held(now), state=TurnState.FOUGHT)
        | Q(passes, state=TurnState.MOVED)
    )


class Stage(NamedTuple):
    """3.1: a stage: the state that it usually leads to, and the function that carries it out. That returns the state
    reached, or None if nothing was due or another worker did it."""

    leads_to: TurnState
    carry_out: Callable[[InputOfTurn, datetime], TurnState | None]


STAGES: dict[TurnState, Stage] = {
    TurnState.OPEN: Stage(TurnState.LOCKED, _lock),
    TurnState.LOCKED: Stage(TurnState.MOVED, _move),
    TurnState.MOVED: Stage(TurnState.FOUGHT, _fight),
    TurnState.FOUGHT: Stage(TurnState.SETTLED, _settle),
}
"""The next stage, by the state of a turn."""


def next_lock(round: Round, previous: datetime, now: datetime) -> datetime:
    """R5: the first lock after the previous one, in whole turns, that leaves half a turn from now.

    Its battle deadline is not before now either, if a round's last part is longer than half a turn. If the battles were
    judged too late and the round's policy says so, the next turn has its whole length from now on. A lock on one of the
    round's holidays, or with its battle deadline on one, is postponed by whole turns.
    """
    length, before = round.turn_length, round.deadline_before_lock
    if round.overdue_policy == OverduePolicy.EXTEND and now > previous + round.judge_within:
        lock = now.replace(second=0, microsecond=0) + length
    else:
        turns = -((previous - now - max(length / 2, before)) // length)
        lock = previous + max(1, turns) * length
    return free_lock(lock, length, before, read_holidays(round.holidays)[0])


def settle(
    turn_input: InputOfTurn,
    everything: TurnInput,
    claim: QuerySet[Turn],
    now: datetime,
    *entries: LogEntry,
) -> bool:
    """R18: settle a turn whose battles are fought; return whether this call did it.

    `everything` is the turn's input. `claim` is the turn's row, if it may be settled. `entries` are unsaved: they are
    written with it.
    """
    turn, before = turn_input.turn, punished(turn_input.position, everything.penalties)
    settled = settlement.settle(turn_input.position, everything, turn_input.dice())
    after, events = settled.position, [event_to_json(event) for event in settled.events]
    as_json = codec.written_position(after)
    next_hash = codec.digest(as_json)
    with locking.transaction():
        values = {
            "state": TurnState.SETTLED,
            "settled_at": now,
            "events": events,
            "next_hash": next_hash,
            "rules": RULES,
        }
        if not claim.update(**values):
            return False
        world.store_changes(turn, before, after, turn_input.army_ids)
        world.store_control(turn, before, after, turn_input.army_ids, now)
        if everything.changes:
            note_changes(turn, events)
        if after.won_by:
            outcome = _propose_victory(turn, after, events, now)
        else:
            outcome = _open_next(turn_input, after, as_json, next_hash, events, now)
        entry = entry_of(turn.round, None, "turn.settled", {"turn": turn.number, **outcome}, now)
        LogEntry.objects.bulk_create([*entries, entry])
    world.remember(next_hash, after)
    return True


def _open_next(
    turn_input: InputOfTurn, after: Position, as_json: codec.Json, next_hash: str, events: Events, now: datetime
) -> codec.Json:
    """3.1: the update, the announcements and the unlock; returns the data for the log."""
    turn = turn_input.turn
    lock_at = next_lock(turn.round, turn.lock_at, now)
    number, ids = turn.number + 1, world.keys_after(after, turn_input.army_ids)
    opened = open_turn(turn.round, number, after, as_json, next_hash, lock_at, ids, now, sky_before=turn.sky)
    times = {"deadline": opened.deadline.isoformat(), "lock_at": opened.lock_at.isoformat()}
    update = _update(turn, events, now, {"opened": {"turn": opened.number, **times}})
    Notice.objects.bulk_create([update, *announcements(opened, after)])
    return {"next_hash": next_hash, "next_lock": lock_at.isoformat()}


def _propose_victory(turn: Turn, after: Position, events: Events, now: datetime) -> codec.Json:
    """R34: the win waits for the battle judge's confirmation, and no turn is opened before it; returns the data for
    the log."""
    won = {"won_by": [side.value for side in after.won_by]}
    Notice.objects.bulk_create([_update(turn, events, now, won), _notice(turn, "victory", now, won)])
    return won


def _update(turn: Turn, events: Events, now: datetime, ending: codec.Json) -> Notice:
    """3.1: the update in the movement thread of the settled turn; its page has every event. `ending`: who won by the
    rules, or which turn is open now. The latest hash of the round's chain is for anyone who wants to store it (R38)."""
    counts = {kind: sum(event["kind"] == kind for event in events) for kind in ("moved", "refused", "engaged")}
    head = head_of(turn.round, now)
    extra = {"head": str(head)} if head else {}
    return _notice(turn, "update", now, {"turn": turn.number, **counts, **ending, **extra})


def _notice(turn: Turn, kind: str, now: datetime, data: codec.Json) -> Notice:
    return Notice(turn=turn, thread=Notice.Thread.MOVEMENT, kind=kind, at=now, data=data)
