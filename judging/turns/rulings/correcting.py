"""3.3.3: what a correction changes when it is applied: the report, the map, the rows, control and the battles."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db.models import Max

from judging.armies.changes.carried_out import note_changes
from judging.battles.models import Battle, Opinion
from judging.game.errors import Refused
from judging.game.texts import utc
from judging.notices.models import Notice
from judging.penalties.given import penalties_for
from judging.turns.given import GivenTurn
from judging.turns.models import Correction
from judging.turns.opening import add_battles
from judging.turns.positions import position_of
from judging.turns.rulings.differences import battles_that_differ, difference_of, opponents
from wargame import world
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock, codec
from wargame.rules.core import position as rules
from wargame.rules.core.position import Position
from wargame.rules.settling.accepted_changes import otherwise_called
from wargame.rules.settling.punishing import punished

Kept = list[tuple[Battle, rules.Battle]]


def check_open(turn: Turn, now: datetime) -> Turn:
    """3.3.3: the next turn, held, if it is still open; only the last settled turn can be corrected."""
    if turn.state != TurnState.SETTLED:
        raise Refused(f"Turn {turn.number} is not settled yet: rule on its draft instead.", "3.3.3")
    rows = Turn.objects.select_related("round").select_for_update(of=("self",))
    following = rows.filter(round_id=turn.round_id, number=turn.number + 1).first()
    if following is None:
        raise Refused(f"No turn followed turn {turn.number}, so nothing can be corrected in it.", "3.3.3")
    if following.state != TurnState.OPEN or not clock.is_in_time(now, following.lock_at):
        raise Refused(
            f"Turn {following.number} locked at {utc(following.lock_at)}; turn {turn.number} can't be corrected any "
            f"more. Rule on turn {following.number} instead.",
            "3.3.3",
        )
    return following


def carry_out_correction(correction: Correction, turn: Turn, following: Turn, now: datetime) -> None:
    """Everything but the correction's own row. Both turns must be held. Refused for a battle that was judged.

    The rows have the maps without what penalties took (5.4.1); the next turn's take it from the corrected map too.
    """
    opened = codec.position_from_json(correction.position)
    before, old = position_of(turn), position_of(following)
    new = punished(opened, penalties_for(following, opened))
    ids = GivenTurn(turn).army_ids
    new_ids = world.keys_after(new, ids)
    kept, gone = _compared(following, new, new_ids)
    called = otherwise_called(new, old)
    _check_unjudged(kept, gone, old, new, called)
    report = {"events": correction.events, "next_hash": correction.next_hash, "is_ruled": True}
    Turn.objects.filter(pk=turn.pk).update(**report)
    Turn.objects.filter(pk=following.pk).update(position=correction.position, position_hash=correction.next_hash)
    world.store_correction(turn, before, old, new, ids)
    world.correct_control(turn, before, old, new, ids, now)
    note_changes(turn, correction.events)
    _change_battles(correction, following, new, kept, gone, new_ids, called, now)
    Notice.objects.bulk_create(_notices(correction, turn, following, now))
    world.remember(correction.next_hash, opened)


def _compared(following: Turn, new: Position, ids: dict[str, int]) -> tuple[Kept, list[Battle]]:
    """The battles of the next turn that are still there, each as it is to be, and those that are gone.

    `ids` are the armies' keys: an army is the same by whatever name it goes (2.6).
    """
    rows = Battle.objects.select_for_update().filter(turn=following).exclude(state=Battle.State.CANCELLED)
    wanted = {(str(battle.at), frozenset(ids[name] for name in battle.armies)): battle for battle in new.battles}
    kept: Kept = []
    gone = []
    for row in rows.order_by("number"):
        fighters = frozenset(row.entries.values_list("army_id", flat=True))
        battle = wanted.get((row.at, fighters))
        if battle:
            kept.append((row, battle))
        else:
            gone.append(row)
    return kept, gone


def _check_unjudged(kept: Kept, gone: list[Battle], old: Position, new: Position, called: Mapping[str, str]) -> None:
    """R38: a locked score stands. The battle that it is of must not vanish, nor be fought by other troops.

    `called` are the armies' names in `old` by those in `new`, where they differ (2.6).
    """
    for row in gone:
        if _is_judged(row):
            raise Refused(f"The battle on {row.at} would be gone, and it has been scored already.", "R38")
    for row, battle in kept:
        pairs = [(_strength(old, called.get(name, name)), _strength(new, name)) for name in battle.armies]
        changed = row.defends != battle.defends or any(was != now for was, now in pairs)
        if changed and _is_judged(row):
            raise Refused(f"The battle on {row.at} has been scored, and its armies would be others.", "R38")


def _is_judged(row: Battle) -> bool:
    return row.state != Battle.State.WAITING or Opinion.objects.filter(battle=row).exists()


def _strength(position: Position, name: str) -> tuple[object, ...]:
    army = position.by_name[name]
    return army.side, army.rank, army.colors, army.troops


def _change_battles(
    correction: Correction,
    following: Turn,
    new: Position,
    kept: Kept,
    gone: list[Battle],
    ids: dict[str, int],
    called: Mapping[str, str],
    now: datetime,
) -> None:
    """R25, R38: a battle that is still there keeps its row, seed and strats; a new one gets a fresh seed and time."""
    cancelled = {"state": Battle.State.CANCELLED, "cancelled_by": correction}
    Battle.objects.filter(pk__in=[row.pk for row in gone]).update(**cancelled)
    for row, battle in kept:
        if row.defends != battle.defends:
            Battle.objects.filter(pk=row.pk).update(defends=battle.defends)
        for name in battle.armies:
            if name in called:
                row.entries.filter(army=ids[name]).update(name=name)
    still = {opponents(battle) for _, battle in kept}
    last = Battle.objects.filter(turn=following).aggregate(last=Max("number"))["last"] or 0
    fresh = list(enumerate((battle for battle in new.battles if opponents(battle) not in still), last + 1))
    add_battles(following, new, fresh, ids)
    added = Battle.objects.filter(turn=following, number__gt=last)
    added.update(announced_at=now, deadline=_deadline(following, now))


def _notices(correction: Correction, turn: Turn, following: Turn, now: datetime) -> list[Notice]:
    """3.1: what everybody is told: in the thread of the corrected turn, and with the battles of the next one."""
    kinds = ("moved", "refused", "engaged")
    counts = {kind: sum(event["kind"] == kind for event in correction.events) for kind in kinds}
    difference = difference_of(correction)
    rulings = list(correction.rulings.order_by("number").values("number", "cites", "reason"))
    data = {"turn": turn.number, "correction": correction.pk, **counts}
    told = {**data, "armies": [army["army"] for army in difference["armies"]], "rulings": rulings}
    notices = [_notice(turn, Notice.Thread.MOVEMENT, told, now)]
    if any(difference["battles"].values()):
        told = {**data, "following": following.number, "deadline": _deadline(following, now).isoformat()}
        told["battles"] = battles_that_differ(correction)
        notices.append(_notice(following, Notice.Thread.ANNOUNCEMENTS, told, now))
    return notices


def _notice(turn: Turn, thread: Notice.Thread, data: codec.Json, now: datetime) -> Notice:
    return Notice(turn=turn, thread=thread, kind="correction", at=now, data=data)


def _deadline(following: Turn, now: datetime) -> datetime:
    """R5: whoever finds himself in a battle late has as long for his strat as lies between deadline and lock."""
    return max(following.deadline, now + following.round.deadline_before_lock)
