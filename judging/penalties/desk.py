"""5.4.1, 1.3: the judges' desk for penalties: past events, penalties in force, and the effect of a new one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext

from judging.common.control import last_moment
from judging.common.errors import Refused
from judging.common.judges import User, rounds_of
from judging.common.positions import position_of
from judging.common.rounds import current_turn
from judging.common.texts import utc
from judging.common.viewer import viewer_of
from judging.penalties.models import Penalty
from judging.penalties.queries import (
    ACTING,
    PenaltyView,
    answers_appeal,
    may_lift,
    penalty_rows,
    penalty_view,
    what_it_does,
)
from judging.penalties.services import NewPenalty, entry_of, extended_deadline, hand_down, lift
from judging.turns.posts.queries import Offence, offences_for
from judging.turns.rulings.desk import judges_who_rule
from wargame.models import Control, Judge, Player, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot
from wargame.rules.core.wording import listed

SHOWN = 30
"""The number of recent penalties on the desk."""


@dataclass(frozen=True)
class PenaltyDesk:
    """5.4.1: one round. `turn` is the one that is played, or None; `players` and `armies` are the names that the
    form offers. `plays_for`: the side for which a movement judge plays (1.3)."""

    round: Round
    turn: Turn | None
    judges: tuple[Judge, ...]
    offences: tuple[Offence, ...]
    penalties: tuple[PenaltyView, ...]
    players: tuple[str, ...]
    armies: tuple[str, ...]
    plays_for: str

    @property
    def judge(self) -> Judge:
        """1.3: the seat in which the viewer acts: that of a battle judge, whose word is law, if they have several."""
        return next((judge for judge in self.judges if judge.role == Role.BATTLE), self.judges[0])


class Remark(NamedTuple):
    """5.4.1: a remark that a judge may want to know before imposing a penalty, and the rules behind it."""

    sentence: str
    cites: str


@dataclass(frozen=True)
class Foreseen:
    """5.4.1: the effect of a penalty, before its die is rolled, the troops that the army `has`, and reasons for a
    second thought."""

    penalty: Penalty
    what: str
    has: str
    remarks: tuple[Remark, ...]


def penalty_desk(user: User, round_id: int, now: datetime) -> PenaltyDesk | None:
    """5.4.1: the desk of a round for its movement and battle judges; None for anybody else."""
    round_ = rounds_of(user).filter(pk=round_id).first()
    judges = judges_who_rule(user, round_) if round_ else []
    if round_ is None or not judges:
        return None
    viewer, turn = viewer_of(user, round_), played_turn(round_)
    rows = penalty_rows(round_)[:SHOWN]
    return PenaltyDesk(
        round=round_,
        turn=turn,
        judges=tuple(judges),
        offences=offences_for(turn, viewer, now) if turn else (),
        penalties=tuple(penalty_view(row, judges if _can_be_lifted(row) else ()) for row in rows),
        players=tuple(Player.objects.filter(round=round_).order_by("name").values_list("name", flat=True)),
        armies=tuple(position_of(turn).by_name) if turn else (),
        plays_for=viewer.player.side if viewer.player else "",
    )


def played_turn(round_: Round) -> Turn | None:
    """5.4.1: the turn in which a penalty would count; None if none is played."""
    turn = current_turn(round_) if round_.state == RoundState.RUNNING else None
    return turn if turn and turn.state != TurnState.SETTLED else None


def penalty_of(desk: PenaltyDesk, key: int) -> Penalty | None:
    return penalty_rows(desk.round).filter(pk=key).first()


def checked_turn(desk: PenaltyDesk) -> Turn:
    """5.4.1: the turn in which a penalty counts. Refused if none is played."""
    if desk.turn is None:
        raise Refused(gettext("No turn is being played, so you can't impose a penalty."), "5.4.1")
    return desk.turn


def impose(desk: PenaltyDesk, new: NewPenalty, token: str, now: datetime) -> str:
    """5.4.1: impose a penalty, and return a sentence with its effect."""
    row = hand_down(turn=checked_turn(desk), judge=desk.judge, new=new, token=token, now=now)
    return gettext("Penalty %(number)s imposed: %(what_it_does)s.") % {
        "number": row.number,
        "what_it_does": what_it_does(row),
    }


def lift_penalty(desk: PenaltyDesk, row: Penalty, reason: str, now: datetime) -> str:
    """1.3: lifts a penalty of the desk's round."""
    lift(penalty=row, judge=_judge_who_lifts(desk, row), reason=reason, now=now)
    return gettext("Penalty %(number)s of turn %(number2)s was lifted. It stays on record.") % {
        "number": row.number,
        "number2": row.turn.number,
    }


def _judge_who_lifts(desk: PenaltyDesk, penalty: Penalty) -> Judge:
    """1.3: the seat in which the user lifts a penalty; their other seat, if they can't."""
    able = (one for one in desk.judges if may_lift(penalty, one) or answers_appeal(penalty, one))
    return next(able, desk.judge)


def foreseen(row: Penalty, now: datetime) -> Foreseen:
    """5.4.1: a penalty that is not imposed yet. Its remarks have the rules behind them."""
    entry = entry_of(row)
    until = extended_deadline(entry, now) if entry else None
    remarks = list(_remarks(row, now))
    if until:
        text = gettext("The strat deadline for %(army)s will move to %(until)s.")
        remarks.append(Remark(text % {"army": _army(row), "until": utc(until)}, "5.4.1 R47"))
    elif entry and not row.after_battle:
        remarks.append(
            Remark(gettext("%(army)s will fight the battle with the remaining troops.") % {"army": _army(row)}, "5.4.1")
        )
    effect = what_it_does(row)
    return Foreseen(row, effect[0].upper() + effect[1:], _troops_of(row), tuple(remarks))


def _troops_of(row: Penalty) -> str:
    army = position_of(row.turn).called(row.army.name) if row.army else None
    if army is None:
        return ""
    return gettext("Troops of %(army)s in slots 1 to 4: %(listed)s.") % {
        "army": army.name,
        "listed": listed([grouped(number) for number in alive_by_slot(army.troops)]),
    }


def _remarks(row: Penalty, now: datetime) -> Iterator[Remark]:
    if row.army is None:
        return
    name, side = row.player.name, Side(row.army.side)
    if side != row.player.side:
        player_side = Side(row.player.side).title
        yield Remark(
            gettext("The army %(army)s belongs to %(side)s, but %(name)s plays for %(theirs)s.")
            % {"army": row.army.name, "side": side.title, "name": name, "theirs": player_side},
            "5.4.1",
        )
    if _controlled_it(row, now):
        yield Remark(
            gettext(
                "%(name)s controlled %(army)s in this turn. A player who posted for an army before losing "
                "control of it shouldn't be penalised."
            )
            % {"name": name, "army": row.army.name},
            "5.4.2",
        )
    elif row.cites == ACTING and side == row.player.side and clock.is_in_time(now, row.turn.lock_at):
        text = gettext(
            "%(name)s might still get control of %(army)s before the lock. Then everything done with the army "
            "this turn would be valid."
        )
        yield Remark(text % {"name": name, "army": row.army.name}, "5.4.2")


def _controlled_it(row: Penalty, now: datetime) -> bool:
    spans = Control.objects.filter(army=row.army, player=row.player, since__lte=min(now, last_moment(row.turn.lock_at)))
    return spans.exclude(until__lt=row.turn.opened_at).exists()


def _army(row: Penalty) -> str:
    return row.army.name if row.army else ""


def _can_be_lifted(row: Penalty) -> bool:
    """5.4.1: whether its troops could still be given back; a battle may have been judged without them (R38)."""
    return not row.takes_troops or row.turn.state != TurnState.SETTLED
