"""3.3.3, 1.3: rulings on a turn between its lock and its settlement. Each works the draft of the moves out anew."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db import transaction

from judging.battles.models import Draft
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.seniority import is_bound_by
from judging.game.texts import checked_token, utc
from judging.notices.models import Notice
from judging.turns.models import Ruling
from judging.turns.rulings.draft_writes import work_out_anew
from judging.turns.rulings.new import NewRuling, checked_reason, checked_ruling
from judging.turns.rulings.reads import may_withdraw, next_number, rows_of_turn
from wargame import world
from wargame.models import Judge, Turn
from wargame.models.choices import Role, TurnState


@transaction.atomic
def add_ruling(*, turn: Turn, judge: Judge, ruling: NewRuling, token: str, now: datetime) -> Ruling:
    """3.3.3: a ruling on a turn whose moves are worked out; the same form sent twice makes one.

    Refused if the judge is no movement or battle judge of the round (1.3), the turn is not at that stage, or the
    ruling names what is not there.
    """
    token = checked_token(token)
    check_may_rule(turn, judge)
    turn = held_turn(turn.pk)
    before = Ruling.objects.filter(turn=turn, judge=judge, token=token, correction=None).first()
    if before:
        return before
    _check_stage(turn)
    row = checked_ruling(ruling, world.position_of_turn(turn), Draft.objects.get(turn=turn).events)
    check_not_bound(row, judge, rows_of_turn(turn))
    row.turn, row.judge, row.made_at, row.token = turn, judge, now, token
    row.number = next_number(turn)
    row.save()
    Turn.objects.filter(pk=turn.pk).update(is_ruled=True)
    turn.is_ruled = True
    draft = work_out_anew(turn, now)
    told = {"kind": row.kind, "army": row.army, "square": row.square, "data": row.data, "cites": row.cites}
    _tell(turn, draft, {**told, "reason": row.reason}, row, now)
    record(turn.round, judge.user, "ruling.made", {"turn": turn.number, "ruling": row.number, "kind": row.kind}, now)
    return row


@transaction.atomic
def withdraw_ruling(*, ruling: Ruling, judge: Judge, reason: str, now: datetime) -> Ruling:
    """1.3, 3.3.3: takes a ruling back: its judge may; the head of his role overrules it, and the head battle judge any.
    It stays on record.

    The same judge's second request changes nothing. Refused for anybody else, and once the turn is settled.
    """
    turn = held_turn(ruling.turn_id)
    ruling = Ruling.objects.select_related("judge", "withdrawn_by").get(pk=ruling.pk)
    check_may_rule(turn, judge)
    if not may_withdraw(ruling, judge):
        who = ruling.judge.name if ruling.judge.is_head else f"{ruling.judge.name}, his head"
        raise Refused(f"Only {who} or the head battle judge takes this ruling back.", "1.3")
    if ruling.withdrawn_by and ruling.withdrawn_by_id == judge.pk:
        return ruling
    if ruling.withdrawn_by and ruling.withdrawn_at:
        by, when = ruling.withdrawn_by.name, utc(ruling.withdrawn_at)
        raise Refused(f"{by} took this ruling back already, at {when}.", "3.3.3")
    _check_stage(turn)
    ruling.withdrawn_reason = checked_reason(reason, "withdrawn_reason")
    ruling.withdrawn_at, ruling.withdrawn_by = now, judge
    ruling.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    draft = work_out_anew(turn, now)
    is_own = ruling.judge.user_id == judge.user_id
    withdrawn = {"by": "" if is_own else judge.name}
    _tell(turn, draft, {"withdrawn": withdrawn, "reason": ruling.withdrawn_reason}, ruling, now)
    data = {"turn": turn.number, "ruling": ruling.number, "of": ruling.judge.name}
    record(turn.round, judge.user, "ruling.withdrawn" if is_own else "ruling.overruled", data, now)
    return ruling


def check_not_bound(row: Ruling, judge: Judge, standing: Iterable[Ruling]) -> None:
    """1.3: refused for an assistant where his head, or the head battle judge, has ruled on the same of an army."""
    for other in standing:
        same = other.army == row.army and _subject(other) == _subject(row)
        if same and other.withdrawn_at is None and is_bound_by(judge, other.judge):
            raise Refused(
                f"{other.judge.name} has ruled on that of {row.army} already (ruling {other.number}), and you can't "
                "overrule him. Ask him to take it back.",
                "1.3",
                "army",
            )


def _subject(row: Ruling) -> tuple[object, ...]:
    """What a ruling is about: days, the troops of a slot, or the move."""
    if row.kind == Ruling.Kind.TROOPS:
        return row.kind, row.data.get("slot")
    return (row.kind,) if row.kind == Ruling.Kind.DAYS else ("move",)


def check_may_rule(turn: Turn, judge: Judge) -> None:
    """1.3, 3.3.3: movement and battle judges of the round."""
    if judge.role not in (Role.MOVEMENT, Role.BATTLE) or judge.round_id != turn.round_id:
        raise Refused("Only the movement and battle judges of this round rule on its turns.", "1.3")


def held_turn(turn_id: int) -> Turn:
    """The turn, held against its next stage and against other rulings until the transaction ends."""
    return Turn.objects.select_related("round").select_for_update(of=("self",)).get(pk=turn_id)


def _check_stage(turn: Turn) -> None:
    if turn.state == TurnState.MOVED:
        return
    if turn.state in (TurnState.OPEN, TurnState.LOCKED):
        raise Refused(f"The moves of turn {turn.number} are not worked out yet; rule on them after its lock.", "3.1")
    raise Refused(f"Turn {turn.number} is settled. What is wrong with it is mended by a correction.", "3.3.3")


def _tell(turn: Turn, draft: Draft, told: dict[str, Any], row: Ruling, now: datetime) -> None:
    """What changes moves that everybody can see already is posted in their thread."""
    if draft.publish_at is None or draft.publish_at > now:
        return
    data = {"turn": turn.number, "ruling": row.number, **told}
    Notice.objects.create(turn=turn, thread=Notice.Thread.MOVEMENT, kind="ruling", at=now, data=data)
