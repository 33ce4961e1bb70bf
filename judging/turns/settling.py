"""R18, steps 7 to 11: a turn is settled, told of, and the next one is opened, in one transaction.

3.1, R5: when the next turn locks. Holidays are passed over in whole turns.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet

from judging.armies.changes.carried_out import note_changes
from judging.game.log_entry import entry_of
from judging.game.models import LogEntry
from judging.notices.models import Notice
from judging.turns.given import GivenTurn
from judging.turns.opening import announcements, open_turn
from wargame import world
from wargame.models import Round, Turn
from wargame.models.choices import OverduePolicy, TurnState
from wargame.rules import settlement
from wargame.rules.command.holidays import free_lock, read_holidays
from wargame.rules.core import codec
from wargame.rules.core.position import Position
from wargame.rules.core.turn import TurnInput
from wargame.rules.settling.punishing import punished
from wargame.rules.telling.telling import event_to_json


def next_lock(round: Round, previous: datetime, now: datetime) -> datetime:
    """R5: the first lock after the previous one, in whole turns, that leaves half a turn from now.

    Its battle deadline is not before now either, where a round's last part is longer than half a turn. Where the
    battles were judged too late and the round's policy says so, the next turn has its whole length from now on. A lock
    that would fall on one of the round's holidays, or whose battle deadline would, is put off by whole turns.
    """
    length, before = round.turn_length, round.deadline_before_lock
    if round.overdue_policy == OverduePolicy.EXTEND and now > previous + round.judge_within:
        lock = now.replace(second=0, microsecond=0) + length
    else:
        turns = -((previous - now - max(length / 2, before)) // length)
        lock = previous + max(1, turns) * length
    return free_lock(lock, length, before, read_holidays(round.holidays)[0])


Events = list[codec.Json]


def settle(
    given: GivenTurn,
    everything: TurnInput,
    claim: QuerySet[Turn],
    now: datetime,
    *entries: LogEntry,
) -> bool:
    """R18: settles a turn whose battles are fought; whether this call did it.

    `claim` is the turn's row, if it may be settled. `entries` are unsaved: they are written with it.
    """
    turn, before = given.turn, punished(given.position, everything.penalties)
    settled = settlement.settle(given.position, everything, given.dice())
    after, events = settled.position, [event_to_json(event) for event in settled.events]
    as_json = codec.written_position(after)
    next_hash = codec.digest(as_json)
    with transaction.atomic():
        done = {"state": TurnState.SETTLED, "settled_at": now, "events": events, "next_hash": next_hash}
        if not claim.update(**done):
            return False
        world.store_changes(turn, before, after, given.army_ids)
        world.store_control(turn, before, after, given.army_ids, now)
        if everything.changes:
            note_changes(turn, events)
        if after.won_by:
            told = _propose_victory(turn, after, events, now)
        else:
            told = _open_next(given, after, as_json, next_hash, events, now)
        entry = entry_of(turn.round, None, "turn.settled", {"turn": turn.number, **told}, now)
        LogEntry.objects.bulk_create([*entries, entry])
    world.remember(next_hash, after)
    return True


def _open_next(
    given: GivenTurn, after: Position, as_json: codec.Json, next_hash: str, events: Events, now: datetime
) -> codec.Json:
    """3.1: the update, the announcements and the unlock; what the log says of it."""
    turn = given.turn
    lock_at = next_lock(turn.round, turn.lock_at, now)
    number, ids = turn.number + 1, world.keys_after(after, given.army_ids)
    opened = open_turn(turn.round, number, after, as_json, next_hash, lock_at, ids, now, sky_before=turn.sky)
    times = {"deadline": opened.deadline.isoformat(), "lock_at": opened.lock_at.isoformat()}
    update = _update(turn, events, now, {"opened": {"turn": opened.number, **times}})
    Notice.objects.bulk_create([update, *announcements(opened, after)])
    return {"next_hash": next_hash, "next_lock": lock_at.isoformat()}


def _propose_victory(turn: Turn, after: Position, events: Events, now: datetime) -> codec.Json:
    """R34: the win waits for the battle judge's word, and no turn is opened before it; what the log says of it."""
    won = {"won_by": [side.value for side in after.won_by]}
    Notice.objects.bulk_create([_update(turn, events, now, won), _notice(turn, "victory", now, won)])
    return won


def _update(turn: Turn, events: Events, now: datetime, ending: codec.Json) -> Notice:
    """3.1: the update in the movement thread of the turn that was settled; its page has every event. `ending`: who won
    by the rules, or which turn is open now."""
    counts = {kind: sum(event["kind"] == kind for event in events) for kind in ("moved", "refused", "engaged")}
    return _notice(turn, "update", now, {"turn": turn.number, **counts, **ending})


def _notice(turn: Turn, kind: str, now: datetime, data: codec.Json) -> Notice:
    return Notice(turn=turn, thread=Notice.Thread.MOVEMENT, kind=kind, at=now, data=data)
