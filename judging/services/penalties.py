"""5.4.1, R47, 1.3: penalties are handed down while a turn is played, and lifted until it is settled.

What one takes is gone at once: from the rows here, and from the turn's map wherever `position_of` gives it. Its
settlement is given the penalty and takes the same from the map that the turn opened with.

A penalty on an army in battle counts in it until a score of it is locked (R38). Then none is handed down before the
result is published, for it would tell how far the judge is; after that the settlement takes it from what the battle
left. Movement and battle judges hand down what 5.4.1 leaves to "the judge", the battle judge alone what is a
sanction by 1.3.
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import F

from judging.models import Battle, BattleArmy, Draft, Notice, Penalty
from judging.selectors.orders import GivenTurn
from judging.selectors.penalised_battles import entry_of, extended_deadline, is_judged
from judging.selectors.penalties import may_lift, next_number, what_it_does
from judging.selectors.rounds import position_of
from judging.services.drafts import work_out, work_out_anew
from judging.services.errors import Refused
from judging.services.extensions import extend_strats
from judging.services.log import record
from judging.services.new_penalties import NewPenalty, checked_penalty, checked_reason
from judging.services.rulings import held_turn
from judging.services.strats import held_battle
from judging.services.texts import checked_token, utc
from wargame import world
from wargame.models import Judge, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Position
from wargame.rules.core.troops import alive_by_slot
from wargame.rules.core.turn import DIE, draw_name
from wargame.rules.core.wording import listed


def preview(*, turn: Turn, judge: Judge, new: NewPenalty) -> Penalty:
    """5.4.1: the penalty as it would be handed down, unsaved and not rolled. Refused as `hand_down` refuses it."""
    _check_may_penalise(turn, judge)
    _check_played(turn)
    row = checked_penalty(turn, judge, new)
    entry = entry_of(row)
    row.after_battle = entry is not None and _is_over(entry.battle)
    return row


@transaction.atomic
def hand_down(*, turn: Turn, judge: Judge, new: NewPenalty, token: str, now: datetime) -> Penalty:
    """5.4.1, R47: hands down a penalty and draws its die; the same form sent twice makes one.

    Refused if the judge is no movement or battle judge of the round, or no battle judge where the rule is another than
    5.4.1 (1.3), if no turn is played, while the army's battle has a score and no result (R38), and if it names what is
    not there or was rolled for already.
    """
    token = checked_token(token)
    _check_may_penalise(turn, judge)
    turn = held_turn(turn.pk)
    before = Penalty.objects.filter(turn=turn, judge=judge, token=token).first()
    if before:
        return before
    _check_played(turn)
    row = checked_penalty(turn, judge, new)
    entry = _held_entry(row)
    row.number, row.made_at, row.token = next_number(turn), now, token
    row.after_battle = entry is not None and _is_over(entry.battle)
    if row.kind == Penalty.Kind.DICE:
        row.roll = _drawn(row)
    before_it = position_of(turn)
    row.save(force_insert=True)
    _put_into_force(row, before_it, now)
    if entry:
        _extend(row, entry, now)
    told = f"Penalty {row.number} for {row.player.name}: {what_it_does(row)} ({row.cites}). {row.reason}"
    _tell(row, f"{told}{_left_words(row)}", now)
    _record(row, judge, "penalty.handed_down", row.reason, now)
    return row


@transaction.atomic
def lift(*, penalty: Penalty, judge: Judge, reason: str, now: datetime) -> Penalty:
    """1.3, 5.4.1: takes a penalty back: its judge may, and the head battle judge may overrule any. It stays on record,
    its number is not used again, and a strat keeps the time that it got.

    The same judge's second request changes nothing. Refused for anybody else; where troops were taken also once the
    turn is settled, or the army's battle was judged without them (R38).
    """
    turn = held_turn(penalty.turn_id)
    row = Penalty.objects.select_related("judge", "lifted_by", "player", "army").get(pk=penalty.pk)
    row.turn = turn
    _check_may_penalise(turn, judge)
    if not may_lift(row, judge):
        raise Refused(f"Only {row.judge.name} or the head battle judge lifts this penalty.", "1.3")
    if row.lifted_by and row.lifted_by_id == judge.pk:
        return row
    if row.lifted_by and row.lifted_at:
        raise Refused(f"{row.lifted_by.name} lifted this penalty already, at {utc(row.lifted_at)}.", "5.4.1")
    if row.takes_troops:
        _check_untaken(turn, row)
    row.lifted_reason = checked_reason(reason, "lifted_reason")
    row.lifted_at, row.lifted_by = now, judge
    with_it = position_of(turn)
    row.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    _put_into_force(row, with_it, now)
    _tell(row, f"Penalty {row.number} for {row.player.name} is lifted. {row.lifted_reason}", now)
    _record(row, judge, "penalty.lifted", row.lifted_reason, now)
    return row


def _check_may_penalise(turn: Turn, judge: Judge) -> None:
    """1.3, 5.4.1: movement and battle judges of the round."""
    if judge.role not in (Role.MOVEMENT, Role.BATTLE) or judge.round_id != turn.round_id:
        raise Refused("Only the movement and battle judges of this round hand down penalties.", "1.3")


def _check_played(turn: Turn) -> None:
    if turn.state == TurnState.SETTLED or turn.round.state != RoundState.RUNNING:
        raise Refused(f"Turn {turn.number} is not played any more; a penalty counts in a turn that is.", "5.4.1")


def _check_untaken(turn: Turn, row: Penalty) -> None:
    """R38: whether the troops can still be given back."""
    if turn.state == TurnState.SETTLED:
        raise Refused(f"Turn {turn.number} is settled, and what the penalty took is gone.", "5.4.1")
    entry = None if row.after_battle else _held_entry(row)
    if entry and is_judged(entry.battle):
        raise Refused("A score of the army's battle is locked, which it fights with the reduced troops.", "R38")


def _held_entry(row: Penalty) -> BattleArmy | None:
    """5.4.1: the army in its battle, which is held against scores and strats until the transaction ends."""
    entry = entry_of(row)
    if entry:
        entry.battle = held_battle(entry.battle_id)
    return entry


def _is_over(battle: Battle) -> bool:
    """R38: whether the battle's result is published. Refused while a score is locked and that is not."""
    if battle.state == Battle.State.PUBLISHED:
        return True
    if is_judged(battle):
        raise Refused(
            "A score of the army's battle is locked, so its troops stay as they are until the result is published. "
            "Hand the penalty down then, or in the next turn; or a reprimand now.",
            "R38",
            "army",
        )
    return False


def _drawn(row: Penalty) -> int:
    """R38: the die, from the seed that the turn was committed to."""
    dice = turn_dice(bytes.fromhex(row.turn.seed), row.turn.round.dice_name, row.turn.number)
    return dice.roll(draw_name(row.number), DIE)


def _put_into_force(row: Penalty, before: Position, now: datetime) -> None:
    """5.4.1: makes the rows what the turn's map is now, and works a draft of its moves out anew if it would change.

    `before` is the map as it was until now. Every stage of the turn reads what was handed down since (R18).
    """
    turn = row.turn
    Turn.objects.filter(pk=turn.pk).update(penalties=F("penalties") + 1)
    turn.penalties += 1
    if row.army is None or not row.takes_troops:
        return
    was, left = before.called(row.army.name), position_of(turn).called(row.army.name)
    if was and left:
        world.store_troops(turn, row.army.pk, was, left)
    draft = Draft.objects.filter(turn=turn).first()
    if draft and work_out(GivenTurn(turn))["digest"] != draft.digest:
        work_out_anew(turn, now)


def _left_words(row: Penalty) -> str:
    """5.4.1: with how many troops of slots 1 to 4 the army plays on, where they are fewer already."""
    army = position_of(row.turn).called(row.army.name) if row.army else None
    if army is None or not row.takes_troops or row.after_battle:
        return ""
    left = [f"{number:,}" for number in alive_by_slot(army.troops)]
    return f"\n{army.name} has {listed(left)} troops of slots 1 to 4 left."


def _extend(row: Penalty, entry: BattleArmy, now: datetime) -> None:
    """5.4.1, R47: in the last 24 hours before the deadline, 24 hours more for this army's strat."""
    until = extended_deadline(entry, now)
    if row.army is None or until is None:
        return
    why = f"Penalty {row.number} took troops from it (5.4.1)."
    extend_strats(battle=entry.battle, judge=row.judge, until=until, reason=why, now=now, army=row.army, is_due=True)
    row.extended_to = until
    row.save(update_fields=["extended_to"])


def _tell(row: Penalty, text: str, now: datetime) -> None:
    """1.3: penalties are public."""
    data = {"turn": row.turn.number, "penalty": row.number}
    thread = Notice.Thread.MOVEMENT
    Notice.objects.create(turn=row.turn, thread=thread, kind="penalty", at=now, text=text, data=data)


def _record(row: Penalty, judge: Judge, action: str, reason: str, now: datetime) -> None:
    data = {"turn": row.turn.number, "penalty": row.number, "player": row.player.name, "reason": reason}
    record(row.turn.round, judge.user, action, data, now)
