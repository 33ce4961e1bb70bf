"""R48, 6.3.2: the mercenary judge's acts in a turn: orders in the place of the guidelines', raiders that disband or are
called up, the order after the lock, and the end of its window. Typed values are checked before they are stored.

Each act locks the turn's row, against the turn's lock and against other acts, and increments `mercenary_orders` in it:
a stage that was worked out without the act finds the row changed, and is worked out again.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db.models import F
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_bound_by
from judging.common.log_entry import record
from judging.common.texts import checked_text, checked_token, utc
from judging.mercenaries.models import MercenaryOrder
from judging.mercenaries.turn_input import counting
from judging.turns.rulings.services import checked_order, held_turn
from judging.turns.states import editable_raiders, window_closes
from judging.turns.turn_input import InputOfTurn
from wargame import world
from wargame.models import Judge, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.orders import InBattle, Move, ReadOrder, Transfer
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction
from wargame.rules.mercenaries.mercenary_orders import refusal_after_lock
from wargame.rules.mercenaries.spawning import MOST_RAIDERS, STRONGER_TIER, TIER
from wargame.rules.moves.legality import Refusal, refusal_of_order
from wargame.rules.moves.reach import with_nearest
from wargame.rules.posts.notation import read_line
from wargame.rules.settlement import commands_as_ruled
from wargame.rules.settling.punishing import punished

MAX_REASON = 2_000
TIERS = {"1/1": TIER, "2/2": STRONGER_TIER}
"""6.3: the ranks of raiders, and their tiers."""


def checked_army(name: str, position: Position) -> Army:
    """6: a mercenary on the map."""
    army = position.by_name.get(name)
    if army is None or army.faction is None:
        raise Refused(
            gettext("There is no mercenary “%(name)s” on this turn's map.") % {"name": name[:40]}, "6", "army"
        )
    return army


def checked_raider(name: str, position: Position) -> Army:
    """6.3.2: a raider that can disband."""
    army = checked_army(name, position)
    if army.faction is not Faction.RAIDER:
        raise Refused(gettext("Only raiders can disband, so not %(name)s.") % {"name": army.name}, "6.3.2", "army")
    if army.name in position.battle_of:
        raise Refused(
            gettext("With a battle to fight this turn, %(name)s can't do anything else.") % {"name": army.name},
            "3.2.1",
            "army",
        )
    return army


def checked_legal(position: Position, army: Army, text: str) -> None:
    """R48, R14: an order, in its canonical form, that the army can get for one turn. Refused with the nearest one
    that is legal."""
    line = read_line(text, position.names, army.name)
    assert isinstance(line, ReadOrder)
    order = line.order
    if isinstance(order, InBattle):
        raise Refused(
            gettext("Write a move, intercept or hold. A mercenary in battle needs no order."), "3.2.1", "order"
        )
    if isinstance(order, Transfer):
        raise Refused(
            gettext("Mercenaries can't submit manifests, so a transfer would have no effect."), "3.2.4.2", "order"
        )
    if isinstance(order, Move) and len(order.steps) > 1:
        raise Refused(
            gettext("Mercenaries get their orders turn by turn. Write only this turn's step."), "R48", "order"
        )
    if isinstance(order, Move) and order.steps[0].suffix == "joint engage":
        raise Refused(
            gettext("Two mercenaries never share a square, so they can't joint engage. Use engage."), "R3", "order"
        )
    target = position.by_name.get(order.steps[0].target or "") if isinstance(order, Move) else None
    if isinstance(order, Move) and order.steps[0].suffix == "engage" and target and not target.is_enemy(army):
        raise Refused(
            gettext("Mercenaries never attack each other, so you can't choose %(name)s.") % {"name": target.name},
            "R3",
            "order",
        )
    refusal = refusal_of_order(position, army, order)
    if refusal:
        refusal = with_nearest(position, army, order, refusal)
        raise Refused(refusal.sentence, refusal.cites, "order")


def checked_reason(text: str) -> str:
    """6.3.2: the reason, which is public after the settlement."""
    try:
        return checked_text(text, what="reason", most=MAX_REASON, cites="6.3.2").strip()
    except Refused as error:
        raise Refused(error.sentence, error.cites, "reason") from None


def checked_tier(rank: str) -> int:
    """6.3: the tier that was typed as `1/1` or `2/2`. Refused for anything else."""
    if rank not in TIERS:
        raise Refused(gettext("Choose the raider's rank: 1/1 or 2/2."), "6.3", "rank")
    return TIERS[rank]


def checked_site(text: str, position: Position, planned: Sequence[MercenaryOrder]) -> Square:
    """6.3, 6.3.1: a square on which one more raider can appear besides those that are `planned`."""
    raiders = sum(army.faction is Faction.RAIDER for army in position.armies)
    if raiders + len(planned) >= MOST_RAIDERS:
        raise Refused(
            gettext("There can be at most %(most_raiders)s raiders.") % {"most_raiders": MOST_RAIDERS}, "6.3", "square"
        )
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{error}.", "", "square") from None
    if not square.on_map:
        raise Refused(
            gettext("%(square)s isn't on the map. Squares run from 1A to 38N.") % {"square": square}, "1.2", "square"
        )
    if square in position.board.near_built:
        raise Refused(
            gettext("%(square)s is in or next to a base, portal or town. Raiders can't appear there.")
            % {"square": square},
            "6.3.1",
            "square",
        )
    if square in position.by_square or any(row.square == str(square) for row in planned):
        raise Refused(
            gettext("%(square)s is taken. A raider can only appear on an empty square.") % {"square": square},
            "6.3",
            "square",
        )
    return square


Kind = MercenaryOrder.Kind


@locking.writes
def replace_order(*, turn: Turn, judge: Judge, army: str, order: str, token: str, now: datetime) -> MercenaryOrder:
    """R48: an order in the place of the guideline's, checked like a player's; the same form sent twice makes one.

    Refused for anybody but a mercenary judge of the round, after the lock, and for an order that is illegal.
    """
    turn, before = _begin(turn, judge, token)
    if before:
        return before
    _check_open(turn, now)
    position = world.position_of_turn(turn)
    mercenary = checked_army(army, position)
    text = checked_order(order, mercenary, position)
    checked_legal(position, mercenary, text)
    return _save(turn, judge, now, kind=Kind.ORDER, army=mercenary.name, order=text, token=token)


@locking.writes
def follow_guideline(*, turn: Turn, judge: Judge, army: str, token: str, now: datetime) -> MercenaryOrder:
    """R48: take back an order or a disbanding: the guideline's order counts again."""
    turn, before = _begin(turn, judge, token)
    if before:
        return before
    _check_open(turn, now)
    mercenary = checked_army(army, world.position_of_turn(turn))
    return _save(turn, judge, now, kind=Kind.GUIDELINE, army=mercenary.name, token=token)


@locking.writes
def disband_raider(*, turn: Turn, judge: Judge, army: str, reason: str, token: str, now: datetime) -> MercenaryOrder:
    """6.3.2: disband a raider that is no longer strong enough, which takes its turn. Refused for one that fights."""
    turn, before = _begin(turn, judge, token)
    if before:
        return before
    _check_open(turn, now)
    raider = checked_raider(army, world.position_of_turn(turn))
    why = checked_reason(reason)
    return _save(turn, judge, now, kind=Kind.DISBAND, army=raider.name, reason=why, token=token)


@locking.writes
def call_up_raider(
    *, turn: Turn, judge: Judge, square: str, rank: str, reason: str, token: str, now: datetime
) -> MercenaryOrder:
    """6.3.2: a raider appears at the end of the turn, besides those by the d20. `rank` is 1/1 or 2/2.

    Refused where no raider can appear (6.3.1), and beyond five of them (6.3).
    """
    turn, before = _begin(turn, judge, token)
    if before:
        return before
    _check_open(turn, now)
    position = world.position_of_turn(turn)
    planned = [row for row in counting_acts(turn) if row.kind == Kind.SPAWN]
    at = checked_site(square, position, planned)
    tier, why = checked_tier(rank), checked_reason(reason)
    return _save(turn, judge, now, kind=Kind.SPAWN, square=str(at), tier=tier, reason=why, token=token)


@locking.writes
def call_off_raider(*, turn: Turn, judge: Judge, square: str, token: str, now: datetime) -> MercenaryOrder:
    """6.3.2: cancel the calling up of a raider on that square."""
    turn, before = _begin(turn, judge, token)
    if before:
        return before
    _check_open(turn, now)
    if not any(row.kind == Kind.SPAWN and row.square == square for row in counting_acts(turn)):
        raise Refused(
            gettext("No raider has been called up to %(square)s.") % {"square": square[:3]}, "6.3.2", "square"
        )
    return _save(turn, judge, now, kind=Kind.UNSPAWN, square=square, token=token)


@locking.writes
def order_after_lock(*, turn: Turn, judge: Judge, army: str, order: str, token: str, now: datetime) -> MercenaryOrder:
    """6.3.2: change one raider's movement after the lock, once a turn; that ends the window.

    Refused outside of the window (R48), and for an order that engages nobody or might cross an army's square.
    """
    turn, before = _begin(turn, judge, token)
    if before:
        return before
    _check_window(turn, now)
    turn_input = InputOfTurn(turn)
    raider = checked_army(army, turn_input.position)
    text = checked_order(order, raider, turn_input.position)
    refusal = _refusal_after_lock(turn_input, raider.name, text)
    if refusal:
        raise Refused(refusal.sentence, refusal.cites, "order")
    row = _save(turn, judge, now, kind=Kind.AFTER, army=raider.name, order=text, token=token)
    Turn.objects.filter(pk=turn.pk).update(after_lock_done=True)
    return row


@locking.writes
def set_window(*, turn: Turn, judge: Judge, done: bool, now: datetime) -> Turn:
    """R48: the mercenary judge declares that they change nothing after the lock, so that nobody waits for them;
    before the lock they can take that back. Idempotent."""
    _check_judge(turn, judge)
    turn = held_turn(turn.pk)
    if turn.after_lock_done is done:
        return turn
    if not done:
        _check_open(turn, now)
    elif turn.state not in (TurnState.OPEN, TurnState.LOCKED):
        raise Refused(
            gettext("The moves of turn %(number)s have already been worked out.") % {"number": turn.number}, "R48"
        )
    Turn.objects.filter(pk=turn.pk).update(after_lock_done=done)
    turn.after_lock_done = done
    action = "mercenaries.window_ended" if done else "mercenaries.window_kept"
    record(turn.round, judge.user, action, {"turn": turn.number}, now)
    return turn


def counting_acts(turn: Turn) -> tuple[MercenaryOrder, ...]:
    """R48: the acts of a turn that count at present."""
    return counting(MercenaryOrder.objects.filter(turn=turn).order_by("pk"))


def _begin(turn: Turn, judge: Judge, token: str) -> tuple[Turn, MercenaryOrder | None]:
    """The locked turn, and the earlier act of this form, if any."""
    token = checked_token(token)
    _check_judge(turn, judge)
    turn = held_turn(turn.pk)
    return turn, MercenaryOrder.objects.filter(turn=turn, judge=judge, token=token).first()


def _check_judge(turn: Turn, judge: Judge) -> None:
    if judge.role != Role.MERCENARY or judge.round_id != turn.round_id:
        raise Refused(gettext("Only this round's mercenary judges can command its mercenaries."), "R48")
    if turn.round.state != RoundState.RUNNING:
        raise Refused(gettext("%(round)s is not being played.") % {"round": turn.round}, "1.5")


def _check_open(turn: Turn, now: datetime) -> None:
    """R48: before the lock."""
    if turn.state != TurnState.OPEN or not clock.is_in_time(now, turn.lock_at):
        raise Refused(
            gettext(
                "Turn %(number)s locked at %(utc)s. Since then, you can only change one raider's movement, while "
                "the window is open."
            )
            % {"number": turn.number, "utc": utc(turn.lock_at)},
            "R48",
        )


def _check_window(turn: Turn, now: datetime) -> None:
    """R48: after the lock, as long as the window is open; the clock decides (R4)."""
    until = window_closes(turn)
    if clock.is_in_time(now, turn.lock_at):
        raise Refused(
            gettext("Turn %(number)s is open until %(utc)s. Replace the raider's order instead.")
            % {"number": turn.number, "utc": utc(turn.lock_at)},
            "6.3.2",
        )
    if MercenaryOrder.objects.filter(turn=turn, kind=Kind.AFTER).exists():
        raise Refused(
            gettext("One raider's movement was already changed after this lock. You can do this once a turn."), "6.3.2"
        )
    if turn.after_lock_done:
        raise Refused(
            gettext("You said you won't change anything after the lock of turn %(number)s.") % {"number": turn.number},
            "R48",
        )
    is_late = turn.state not in (TurnState.OPEN, TurnState.LOCKED) or not clock.is_in_time(now, until)
    if is_late or not editable_raiders(turn.round, world.position_of_turn(turn)):
        raise Refused(
            gettext("The window after the lock of turn %(number)s is closed.") % {"number": turn.number}, "R48"
        )


def _refusal_after_lock(turn_input: InputOfTurn, army: str, text: str) -> Refusal | None:
    position = punished(turn_input.position, turn_input.penalties)
    commands, _ = commands_as_ruled(position, turn_input.for_moves(), turn_input.dice())
    line = read_line(text, position.names, army)
    assert isinstance(line, ReadOrder)
    return refusal_after_lock(position, commands, position.by_name[army], line.order)


def _check_not_bound(row: MercenaryOrder, judge: Judge) -> None:
    """1.3, 6: refused for an assistant if their head has decided about the same army or square in this turn."""
    same = MercenaryOrder.objects.filter(turn=row.turn, army=row.army, square=row.square).select_related("judge")
    last = same.order_by("pk").last()
    if last is not None and is_bound_by(judge, last.judge):
        target = row.army or row.square
        raise Refused(
            gettext("%(by)s has already decided on %(what)s this turn. An assistant can't overrule that decision.")
            % {"by": last.by, "what": target},
            "1.3",
        )


def _save(turn: Turn, judge: Judge, now: datetime, **what: object) -> MercenaryOrder:
    row = MercenaryOrder(turn=turn, judge=judge, by=judge.name, made_at=now)
    for name, value in what.items():
        setattr(row, name, value)
    _check_not_bound(row, judge)
    row.save(force_insert=True)
    Turn.objects.filter(pk=turn.pk).update(mercenary_orders=F("mercenary_orders") + 1)
    record(turn.round, judge.user, "mercenaries.ordered", {"turn": turn.number}, now)
    return row
