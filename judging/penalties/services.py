"""5.4.1, R47, 1.3: Penalties are checked and imposed while a turn is played, and lifted until it is settled."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import F, Max
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.battles.checks import held_battle
from judging.battles.models import Battle, BattleArmy, Opinion
from judging.battles.strats.extensions import extend_strats
from judging.battles.strats.queries import deadline_of
from judging.common import locking, rulebook
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.positions import position_of
from judging.common.stored_messages import OwnReason
from judging.common.texts import check_storable, checked_token, utc, whole_number
from judging.penalties.models import Penalty
from judging.penalties.queries import ACTING, answers_appeal, may_lift, what_of
from judging.turns.drafts import work_out, work_out_anew
from judging.turns.models import Draft
from judging.turns.rulings.services import held_turn
from judging.turns.turn_input import InputOfTurn
from wargame import world
from wargame.models import Army, Judge, Player, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Position
from wargame.rules.core.saying import grouped
from wargame.rules.core.troops import SLOT_MAXIMUM, alive_by_slot
from wargame.rules.core.turn import DIE, SEVERITIES, draw_name


def next_number(turn: Turn) -> int:
    """R38: the number of the next penalty in a turn; lifted ones keep theirs."""
    return (Penalty.objects.filter(turn=turn).aggregate(last=Max("number"))["last"] or 0) + 1


def lifted_roll(row: Penalty) -> Penalty | None:
    """R47: the penalty of this turn, lifted, that was rolled for the same player and army."""
    rows = Penalty.objects.filter(turn=row.turn, player=row.player, army=row.army, kind=Penalty.Kind.DICE)
    return rows.filter(lifted_at__isnull=False).first()


TO_REWRITE = timedelta(hours=24)
"""5.4.1: in this time before its deadline a strat gets as much more."""


def entry_of(row: Penalty) -> BattleArmy | None:
    """5.4.1: the army in its battle of the turn, if the penalty takes troops from one that fights."""
    if row.army_id is None or not row.takes_troops:
        return None
    entries = BattleArmy.objects.filter(battle__turn=row.turn, army=row.army_id).select_related("battle")
    return entries.exclude(battle__state=Battle.State.CANCELLED).first()


def is_judged(battle: Battle) -> bool:
    """R38: whether a score of the battle is locked, so that none of its inputs can change any more."""
    return battle.state != Battle.State.WAITING or Opinion.objects.filter(battle=battle).exists()


def extended_deadline(entry: BattleArmy, now: datetime) -> datetime | None:
    """5.4.1, R47: the deadline of the army's strat if it is penalised now; None if that does not extend it."""
    due = deadline_of(entry, entry.battle)
    if is_judged(entry.battle) or not due - TO_REWRITE <= now < clock.closes(due):
        return None
    return due + TO_REWRITE


MAX_REASON = 2_000
Kind = Penalty.Kind


@dataclass(frozen=True)
class NewPenalty:
    """5.4.1: a penalty as typed: every part as text; `troops` are those of slots 1 to 4."""

    kind: str
    player: str
    army: str
    severity: str
    troops: tuple[str, str, str, str]
    cites: str
    reason: str


def checked_penalty(turn: Turn, judge: Judge, new: NewPenalty) -> Penalty:
    """The row, unsaved and without number, die and time. Refused, with the field that is wrong."""
    if new.kind not in Kind.values:
        raise Refused(gettext("Choose a kind of penalty."), "5.4.1", "kind")
    row = Penalty(turn=turn, judge=judge, kind=new.kind)
    row.player = _checked_player(turn, new.player)
    if new.kind != Kind.REPRIMAND or new.army.strip():
        row.army = _checked_army(turn, new.army)
    if new.kind == Kind.DICE:
        row.severity = _checked_severity(new.severity)
        _check_not_rolled(row)
    elif new.kind == Kind.STATED:
        row.stated = _checked_troops(new.troops)
    row.cites = _checked_cites(new, judge)
    row.reason = checked_reason(new.reason)
    return row


def checked_reason(text: str, field: str = "reason") -> str:
    """1.3: a reason is public and required."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise Refused(gettext("Give a reason. It will be public."), "5.4.1", field)
    if len(text) > MAX_REASON:
        message = gettext("A reason can have at most %(most)s characters; yours has %(length)s.")
        raise Refused(message % {"length": grouped(len(text)), "most": grouped(MAX_REASON)}, "5.4.1", field)
    check_storable(text, what="reason", cites="5.4.1", field=field)
    return text


def _checked_player(turn: Turn, text: str) -> Player:
    name = _storable(text, "player")
    player = Player.objects.filter(round_id=turn.round_id, name__iexact=name).first() if name else None
    if player is None:
        message = (
            gettext("There is no player called “%(name)s” in this round.") % {"name": name[:40]}
            if name
            else gettext("Enter the player who acted.")
        )
        raise Refused(message, "5.4.1", "player")
    return player


def _checked_army(turn: Turn, text: str) -> Army:
    typed = _storable(text, "army")
    name = position_of(turn).names.get(typed)
    if name is None:
        said = (
            gettext("There is no army called “%(typed)s” on this turn's map.") % {"typed": typed[:40]}
            if typed
            else gettext("Enter the army that loses troops.")
        )
        raise Refused(said, "5.4.1", "army")
    return Army.objects.get(round_id=turn.round_id, name=name)


def _storable(text: str, field: str) -> str:
    check_storable(text, what=field, cites="5.4.1", field=field)
    return text.strip()


def _checked_severity(text: str) -> int:
    return whole_number(text, "severity", SEVERITIES[0], SEVERITIES[-1], "R47")


def _check_not_rolled(row: Penalty) -> None:
    """R38, R47: a die can't be rolled again until it suits a judge."""
    before = lifted_roll(row)
    if before:
        raise Refused(
            gettext(
                "Penalty %(number)s was already rolled for this player and army, then lifted. Dice are never "
                "rolled twice. Enter the loss yourself and give the reason."
            )
            % {"number": before.number},
            "R47",
            "kind",
        )


def _checked_troops(troops: tuple[str, str, str, str]) -> list[int]:
    numbers = [
        whole_number(text or "0", f"slot{slot}", 0, most, "5.4.1")
        for slot, (text, most) in enumerate(zip(troops, SLOT_MAXIMUM, strict=True), 1)
    ]
    if not any(numbers):
        raise Refused(gettext("Enter how many troops are lost, or choose a reprimand."), "5.4.1", "slot1")
    return numbers


def _checked_cites(new: NewPenalty, judge: Judge) -> str:
    """5.4.1 leaves its penalties to the judges, 1.3 every other sanction to the battle judge."""
    number = new.cites.strip().rstrip(".").upper()
    if rulebook.anchor_of(number) is None:
        message = (
            gettext("The rulebook has no rule “%(number)s”.") % {"number": new.cites.strip()[:20]}
            if number
            else gettext("Name the rule that was broken.")
        )
        raise Refused(
            gettext("%(shown)s For acting with someone else's army, enter 5.4.1.") % {"shown": message}, "1.3", "cites"
        )
    if number != ACTING and new.kind == Kind.DICE:
        raise Refused(
            gettext("You can only use severity and a die for acting with someone else's army (5.4.1)."), "R47", "cites"
        )
    if number != ACTING and judge.role != Role.BATTLE:
        raise Refused(
            gettext("Only a battle judge can impose penalties under %(number)s. You can use 5.4.1.")
            % {"number": number},
            "1.3",
            "cites",
        )
    return number


def preview(*, turn: Turn, judge: Judge, new: NewPenalty) -> Penalty:
    """5.4.1: the penalty as it would be imposed, unsaved and not rolled. Refused as `hand_down` refuses it."""
    _check_may_penalise(turn, judge)
    _check_played(turn)
    row = checked_penalty(turn, judge, new)
    entry = entry_of(row)
    row.after_battle = entry is not None and _is_over(entry.battle)
    return row


@locking.writes
def hand_down(*, turn: Turn, judge: Judge, new: NewPenalty, token: str, now: datetime) -> Penalty:
    """5.4.1, R47: impose a penalty and draw its die; the same form sent twice makes one.

    Refused if the judge is no movement or battle judge of the round, or no battle judge where the rule is another than
    5.4.1 (1.3), if no turn is played, while the army's battle has a score and no result (R38), and if it names
    something that does not exist or was rolled for already.
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
        row.roll = _rolled(row)
    before_it = position_of(turn)
    row.save(force_insert=True)
    _put_into_force(row, before_it, now)
    if entry:
        _extend(row, entry, now)
    _tell(row, {**what_of(row), "cites": row.cites, "reason": row.reason, "left": _troops_left(row)}, now)
    _record(row, judge, "penalty.handed_down", row.reason, now)
    return row


@locking.writes
def lift(*, penalty: Penalty, judge: Judge, reason: str, now: datetime) -> Penalty:
    """1.3, 5.4.1: lift a penalty: its judge can, the head battle judge can overrule any, and a judge who answers an
    appeal against it can correct it (R57). It stays on record, its number is not used again, and a strat keeps its
    time.

    The same judge's second request changes nothing. Refused for anybody else; where troops were taken also once the
    turn is settled, or the army's battle was judged without them (R38).
    """
    turn = held_turn(penalty.turn_id)
    row = Penalty.objects.select_related("judge", "lifted_by", "player", "army").get(pk=penalty.pk)
    row.turn = turn
    _check_may_penalise(turn, judge)
    if not may_lift(row, judge) and not answers_appeal(row, judge):
        raise Refused(
            gettext("Only %(name)s or the head battle judge can lift this penalty.") % {"name": row.judge.name}, "1.3"
        )
    if row.lifted_by and row.lifted_by_id == judge.pk:
        return row
    if row.lifted_by and row.lifted_at:
        raise Refused(
            gettext("%(name)s already lifted this penalty, on %(utc)s.")
            % {"name": row.lifted_by.name, "utc": utc(row.lifted_at)},
            "5.4.1",
        )
    if row.takes_troops:
        _check_untaken(turn, row)
    row.lifted_reason = checked_reason(reason, "lifted_reason")
    row.lifted_at, row.lifted_by = now, judge
    with_it = position_of(turn)
    row.save(update_fields=["lifted_at", "lifted_by", "lifted_reason"])
    _put_into_force(row, with_it, now)
    _tell(row, {"is_lifted": True, "reason": row.lifted_reason}, now)
    _record(row, judge, "penalty.lifted", row.lifted_reason, now)
    return row


def _check_may_penalise(turn: Turn, judge: Judge) -> None:
    """1.3, 5.4.1: movement and battle judges of the round."""
    if judge.role not in (Role.MOVEMENT, Role.BATTLE) or judge.round_id != turn.round_id:
        raise Refused(gettext("Only this round's movement and battle judges can impose penalties."), "1.3")


def _check_played(turn: Turn) -> None:
    if turn.state == TurnState.SETTLED or turn.round.state != RoundState.RUNNING:
        raise Refused(
            gettext("Turn %(number)s is no longer being played. You can only impose a penalty in the current turn.")
            % {"number": turn.number},
            "5.4.1",
        )


def _check_untaken(turn: Turn, row: Penalty) -> None:
    """R38: whether the troops can still be given back."""
    if turn.state == TurnState.SETTLED:
        raise Refused(
            gettext("Turn %(number)s is settled, so the troops that the penalty took can't be given back.")
            % {"number": turn.number},
            "5.4.1",
        )
    entry = None if row.after_battle else _held_entry(row)
    if entry and is_judged(entry.battle):
        raise Refused(
            gettext(
                "You can't lift this penalty: a score for the army's battle is locked, based on the reduced troops."
            ),
            "R38",
        )


def _held_entry(row: Penalty) -> BattleArmy | None:
    """5.4.1: the army in its battle, locked against scores and strats until the transaction ends."""
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
            gettext(
                "A score for the army's battle is locked, so the army's troops can't change until the result is "
                "published. Impose the penalty then or in the next turn, or impose a reprimand now."
            ),
            "R38",
            "army",
        )
    return False


def _rolled(row: Penalty) -> int:
    """R38: the die, from the seed that the turn was committed to."""
    dice = turn_dice(bytes.fromhex(row.turn.seed), row.turn.round.dice_name, row.turn.number)
    return dice.roll(draw_name(row.number), DIE)


def _put_into_force(row: Penalty, before: Position, now: datetime) -> None:
    """5.4.1: update the rows to the turn's new map, and work out a draft of its moves again if it would change.

    `before` is the map until now. Every stage of the turn reads the penalties again (R18).
    """
    turn = row.turn
    Turn.objects.filter(pk=turn.pk).update(penalties=F("penalties") + 1)
    turn.penalties += 1
    if row.army is None or not row.takes_troops:
        return
    was, remaining = before.called(row.army.name), position_of(turn).called(row.army.name)
    if was and remaining:
        world.store_troops(turn, row.army.pk, was, remaining)
    draft = Draft.objects.filter(turn=turn).first()
    if draft and work_out(InputOfTurn(turn))["digest"] != draft.digest:
        work_out_anew(turn, now)


def _troops_left(row: Penalty) -> list[int]:
    """5.4.1: the army's remaining troops of slots 1 to 4, if they are already fewer; else nothing."""
    army = position_of(row.turn).called(row.army.name) if row.army else None
    if army is None or not row.takes_troops or row.after_battle:
        return []
    return list(alive_by_slot(army.troops))


def _extend(row: Penalty, entry: BattleArmy, now: datetime) -> None:
    """5.4.1, R47: in the last 24 hours before the deadline, 24 hours more for this army's strat."""
    until = extended_deadline(entry, now)
    if row.army is None or until is None:
        return
    why = OwnReason.PENALTY_TOOK(number=row.number)
    extend_strats(battle=entry.battle, judge=row.judge, until=until, reason=why, now=now, army=row.army, is_due=True)
    row.extended_to = until
    row.save(update_fields=["extended_to"])


def _tell(row: Penalty, told: dict[str, object], now: datetime) -> None:
    """1.3: penalties are public."""
    data = {"turn": row.turn.number, "penalty": row.number, "player": row.player.name, "is_lifted": False, **told}
    Notice.objects.create(turn=row.turn, thread=Notice.Thread.MOVEMENT, kind="penalty", at=now, data=data)


def _record(row: Penalty, judge: Judge, action: str, reason: str, now: datetime) -> None:
    data = {"turn": row.turn.number, "penalty": row.number, "player": row.player.name, "reason": reason}
    record(row.turn.round, judge.user, action, data, now)
