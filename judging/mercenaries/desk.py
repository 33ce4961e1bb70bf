"""R48, 6.3.2: the mercenary judge's desk: each mercenary's next order, and why. For mercenary judges alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.contrib import messages
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from judging.armies.queries import TroopsView, troops_view
from judging.battles.desk.sheet import Sheet, sheet_of
from judging.battles.models import Battle, Strat
from judging.battles.queries import rows_for_strat
from judging.battles.shapes import FighterView
from judging.battles.strats.services import send_mercenary_strat
from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.judges import User, judge_of, rounds_of
from judging.common.positions import position_of
from judging.mercenaries import services
from judging.mercenaries.models import MercenaryOrder
from judging.mercenaries.turn_input import acts_for, counting
from judging.svg.map import draw
from judging.turns.states import editable_raiders, window_closes
from wargame.models import Judge, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.codec import Json
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Faction, Side
from wargame.rules.core.turn import TurnInput
from wargame.rules.mercenaries.events import MercenaryDecided
from wargame.rules.mercenaries.guidelines import against_the_guidelines
from wargame.rules.mercenaries.outlook import might_of
from wargame.rules.mercenaries.spawning import MOST_RAIDERS
from wargame.rules.posts.notation import read_line
from wargame.rules.settlement import commands_as_ruled

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise


Kind = MercenaryOrder.Kind


@dataclass(frozen=True)
class MercenaryLine:
    """R48: a mercenary with its guideline's proposal; `row` is its judge's decision instead, with a `remark` on an
    order that the guidelines would never give. `battle` is the key of its battle, and `strat` when its last strat
    for that was sent (R49)."""

    army: Army
    troops: TroopsView
    strength: int
    proposal: MercenaryDecided
    row: MercenaryOrder | None
    remark: str
    battle: int | None
    strat: datetime | None

    @property
    def is_raider(self) -> bool:
        return self.army.faction is Faction.RAIDER

    @property
    def ordered(self) -> str:
        """The judge's order without the army's name; empty if the guideline's counts."""
        if self.row is None:
            return ""
        return "disband" if self.row.kind == Kind.DISBAND else self.row.order.removeprefix(f"{self.army.name}: ")

    @property
    def counts(self) -> str:
        """The order that counts at present."""
        return self.ordered or self.proposal.order


@dataclass(frozen=True)
class MercenaryDesk:
    """R48: the mercenaries of a turn that is not settled. `window` is the state of the order after the lock:
    `before` the lock, `open`, `used`, `done`, `none` where nobody could be sent, or `closed`."""

    turn: Turn
    judge: Judge
    lines: tuple[MercenaryLine, ...]
    called_up: tuple[MercenaryOrder, ...]
    is_open: bool
    window: str
    until: datetime
    after_lock: MercenaryOrder | None
    editable: tuple[str, ...]
    map: dict[str, object]

    @property
    def raiders(self) -> int:
        return sum(line.is_raider for line in self.lines)

    @property
    def has_room(self) -> bool:
        """6.3: whether another raider can be called up."""
        return self.raiders + len(self.called_up) < MOST_RAIDERS


def mercenary_desk(user: User, turn_id: int, now: datetime) -> MercenaryDesk:
    """R48: the desk of a turn for a mercenary judge of its round. Raises Http404 for anybody else, and once it is
    settled."""
    turns = Turn.objects.select_related("round").filter(pk=turn_id, round__in=rounds_of(user))
    turn = turns.exclude(state=TurnState.SETTLED).first()
    judge = judge_of(user, turn.round, Role.MERCENARY) if turn else None
    if turn is None or judge is None:
        raise Http404(gettext("You don't command any mercenaries in that turn."))
    position = position_of(turn)
    rows = counting(MercenaryOrder.objects.filter(turn=turn).order_by("pk"))
    after_lock = next((row for row in rows if row.kind == Kind.AFTER), None)
    is_open = _is_open(turn, now)
    lines = _lines(turn, position, rows)
    return MercenaryDesk(
        turn=turn,
        judge=judge,
        lines=lines,
        called_up=tuple(row for row in rows if row.kind == Kind.SPAWN),
        is_open=is_open,
        window=_window(turn, position, after_lock, is_open, now),
        until=window_closes(turn),
        after_lock=after_lock,
        editable=tuple(army.name for army in editable_raiders(turn.round, position)),
        map=draw(position, _arrows(lines, after_lock, position)),
    )


class DeskButton(NamedTuple):
    """R48: a button of the desk: its fields besides the token, its service, and its message."""

    fields: tuple[str, ...]
    carry_out: Callable[..., object]
    said: _StrOrPromise


ACTS = {
    "order": DeskButton(("army", "order"), services.replace_order, gettext_lazy("You gave {army} a new order.")),
    "guideline": DeskButton(
        ("army",), services.follow_guideline, gettext_lazy("{army} will follow the guideline again.")
    ),
    "disband": DeskButton(("army", "reason"), services.disband_raider, gettext_lazy("{army} will disband.")),
    "spawn": DeskButton(
        ("square", "rank", "reason"), services.call_up_raider, gettext_lazy("You called up a raider to {square}.")
    ),
    "unspawn": DeskButton(
        ("square",), services.call_off_raider, gettext_lazy("You cancelled the call-up of a raider to {square}.")
    ),
    "after": DeskButton(
        ("army", "order"),
        services.order_after_lock,
        gettext_lazy("You sent {army} on the way. The moves are being worked out."),
    ),
}


def act_on_desk(desk: MercenaryDesk, act: str, typed: Mapping[str, str], now: datetime) -> str:
    """R48: carry out the act of a button of the desk; `typed` has its fields and its token."""
    common: dict[str, Any] = {"turn": desk.turn, "judge": desk.judge, "now": now}
    if act in ("done", "wait"):
        services.set_window(**common, done=act == "done")
        return (
            gettext("The turn won't wait for an order after the lock.")
            if act == "done"
            else gettext("The window after the lock stays open.")
        )
    if act not in ACTS:
        raise Refused(gettext("Use one of the buttons to choose what to do."))
    action = ACTS[act]
    values = {name: typed.get(name, "") for name in action.fields}
    action.carry_out(**common, **values, token=typed.get("token", ""))
    return action.said.format(**values)


def way_to_ledger(user: User, turn_id: int, *, acts: bool) -> Success | None:
    """R48: the redirect of a mercenary judge to the ledger of a settled turn; None before, and for anybody else.
    `acts`: they wanted to change something."""
    turns = Turn.objects.select_related("round").filter(pk=turn_id, round__in=rounds_of(user))
    turn = turns.filter(state=TurnState.SETTLED).first()
    if turn is None or judge_of(user, turn.round, Role.MERCENARY) is None:
        return None
    suffix = gettext(" Nothing was changed.") if acts else ""
    message = gettext("Turn %(number)s is settled. Here is what its mercenaries did.%(undone)s")
    to = reverse("neutrals-turn", args=[turn.round.slug, turn.number])
    return Success(message % {"number": turn.number, "undone": suffix}, to, messages.INFO)


def fighter_on_desk(user: User, battle_id: int, army: str, now: datetime) -> tuple[Sheet, FighterView]:
    """R49: a battle and a mercenary in it, for a mercenary judge of its round. Raises Http404 for anybody else."""
    sheet = sheet_of(user, battle_id, now)
    fighter = sheet.view.fighter(army) if sheet and sheet.mercenary_judge else None
    if sheet is None or fighter is None or fighter.side != Side.MERCENARY:
        raise Http404(gettext("This mercenary isn't on your dashboard."))
    return sheet, fighter


def send_strat(sheet: Sheet, fighter: FighterView, typed: Mapping[str, Any], now: datetime) -> str:
    """R49: send the strat of a mercenary, with the values of its form."""
    battle, army = rows_for_strat(sheet.view, fighter)
    judge = cast(Judge, sheet.mercenary_judge)
    strat = send_mercenary_strat(battle=battle, army=army, judge=judge, now=now, **typed)
    late = gettext(" It arrived after the deadline, so it only counts if a battle judge accepts it (R35).")
    return f"Sent. SHA-256 {strat.sha256}.{late if strat.late else ''}"


def last_strat(battle: Battle, army: str) -> Strat | None:
    """R49: the last strat that was sent for a mercenary in an earlier battle; for mercenary judges alone."""
    strats = Strat.objects.filter(entry__army__round=battle.turn.round_id, entry__army__name=army, player=None)
    earlier = strats.filter(entry__battle__turn__number__lt=battle.turn.number)
    return earlier.select_related("entry__battle__turn").order_by("-sent_at", "-pk").first()


def _is_open(turn: Turn, now: datetime) -> bool:
    is_played = turn.round.state == RoundState.RUNNING
    return is_played and turn.state == TurnState.OPEN and clock.is_in_time(now, turn.lock_at)


def _window(turn: Turn, position: Position, after_lock: MercenaryOrder | None, is_open: bool, now: datetime) -> str:
    if after_lock:
        return "used"
    if not editable_raiders(turn.round, position):
        return "none"
    if turn.after_lock_done:
        return "done"
    if is_open:
        return "before"
    is_in_time = clock.is_in_time(now, window_closes(turn))
    return "open" if is_in_time and turn.state in (TurnState.OPEN, TurnState.LOCKED) else "closed"


def _lines(turn: Turn, position: Position, rows: Sequence[MercenaryOrder]) -> tuple[MercenaryLine, ...]:
    """The proposals, worked out as at the lock, with the current replacements."""
    acts = acts_for(turn, position.names) if turn.mercenary_orders else ()
    dice = turn_dice(bytes.fromhex(turn.seed), turn.round.dice_name, turn.number)
    _, events = commands_as_ruled(position, TurnInput(mercenaries=acts, guidelines=True), dice)
    decided = [event for event in events if isinstance(event, MercenaryDecided)]
    orders = {row.army: row for row in rows if row.kind in (Kind.ORDER, Kind.DISBAND)}
    battles = dict(Battle.objects.filter(turn=turn).exclude(state=Battle.State.CANCELLED).values_list("at", "pk"))
    strats = _strats(turn)
    return tuple(_line(position, event, orders.get(event.army), battles, strats) for event in decided)


def _strats(turn: Turn) -> dict[str, datetime]:
    """R49: when the last strat of each mercenary that fights was sent, by name."""
    rows = Strat.objects.filter(entry__battle__turn=turn, entry__army__side=Side.MERCENARY).order_by("sent_at", "pk")
    return dict(rows.values_list("entry__army__name", "sent_at"))


def _line(
    position: Position,
    proposal: MercenaryDecided,
    row: MercenaryOrder | None,
    battles: dict[str, int],
    strats: dict[str, datetime],
) -> MercenaryLine:
    army = position.by_name[proposal.army]
    return MercenaryLine(
        army=army,
        troops=troops_view(army.troops),
        strength=might_of(army),
        proposal=proposal,
        row=row,
        remark=_remark(position, army, row),
        battle=battles.get(str(army.at)) if army.name in position.battle_of else None,
        strat=strats.get(army.name),
    )


def _remark(position: Position, army: Army, row: MercenaryOrder | None) -> str:
    line = read_line(row.order, position.names, army.name) if row and row.order else None
    return against_the_guidelines(position.board, army, line.order) if isinstance(line, ReadOrder) else ""


def _arrows(lines: Sequence[MercenaryLine], after_lock: MercenaryOrder | None, position: Position) -> list[Json]:
    """The destination of each mercenary, as the map draws moves; a raider that was ordered after the lock has its
    new one."""
    orders = {line.army.name: f"{line.army.name}: {line.counts}" for line in lines}
    if after_lock:
        orders[after_lock.army] = after_lock.order
    arrows = []
    for name, text in orders.items():
        line = read_line(text, position.names, name)
        steps = getattr(line.order, "steps", ()) if isinstance(line, ReadOrder) else ()
        if steps:
            arrows.append({"kind": "moved", "armies": [name], "from": str(steps[0].start), "to": str(steps[0].to)})
    return arrows
