"""1.7, R34: a win by the rules, proposed by a settlement; the battle judge's confirmation ends the round."""

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import Http404
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import User, judge_of, judged_by, rounds_of
from judging.common.log_entry import record
from judging.common.rounds import current_turn
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core.sides import Side
from wargame.rules.telling.telling import tell_all


@dataclass(frozen=True, slots=True)
class VictoryProposal:
    """1.7.2, 1.7.3: the proposal of a round's last settlement: the winning sides and why; `judge` may confirm."""

    round: Round
    turn: Turn
    sides: tuple[Side, ...]
    reasons: tuple[dict[str, str], ...]
    judge: Judge | None


class Win(NamedTuple):
    """1.7: a settled turn, and its events that say who won."""

    turn: Turn
    events: list[dict[str, str]]


def proposal_of(round_: Round) -> Win | None:
    """R34: the last turn of a running round and its `won` events, if it won the round and no turn followed it."""
    last = current_turn(round_)
    if last is None or last.state != TurnState.SETTLED or round_.state != RoundState.RUNNING:
        return None
    won = tell_all(event for event in last.events if event["kind"] == "won")
    return Win(last, won) if won else None


def proposals_for(user: User) -> tuple[VictoryProposal, ...]:
    """R34: the pending wins in the rounds that the user judges."""
    return tuple(proposal for round_ in judged_by(user) if (proposal := _proposal(user, round_)))


def _proposal(user: User, round_: Round) -> VictoryProposal | None:
    proposal = proposal_of(round_)
    if proposal is None:
        return None
    turn, won = proposal
    sides = tuple(Side(event["side"]) for event in won)
    return VictoryProposal(round_, turn, sides, tuple(won), judge_of(user, round_, Role.BATTLE))


@locking.writes
def confirm_victory(*, round: Round, judge: Judge, winner: str, now: datetime) -> Round:
    """R34: end a round that was won by the rules; if both teams won at once the judge decides which one has it.

    The same decision again changes nothing. Refused for anyone but a battle judge of the round (1.3), or if that side
    has not won by the rules (1.7).
    """
    if judge.role != Role.BATTLE or judge.round_id != round.pk:
        raise Refused(gettext("Only a battle judge of this round can confirm its winner."), "1.3")
    locked_round = locking.hold(Round.objects, pk=round.pk)
    if locked_round.state == RoundState.OVER and locked_round.winner == winner:
        return locked_round
    proposal = proposal_of(locked_round)
    if proposal is None:
        raise Refused(gettext("This round is already finished, or no side has won it by the rules."), "1.7")
    turn, won = proposal
    if winner not in [event["side"] for event in won]:
        raise Refused(gettext("That side has not won by the rules."), "1.7")
    locked_round.state, locked_round.winner = RoundState.OVER, winner
    locked_round.save(update_fields=["state", "winner"])
    data = {"winner": winner, "judge": judge.name}
    Notice.objects.create(turn=turn, thread=Notice.Thread.MOVEMENT, kind="round_over", at=now, data=data)
    record(locked_round, judge.user, "round.won", {"turn": turn.number, "winner": winner}, now)
    return locked_round


def confirm_on_desk(user: User, round_id: int, winner: str, now: datetime) -> str:
    """R34: the user, a battle judge of the round, confirms who has won it. Raises Http404 for anybody else."""
    round_ = rounds_of(user).filter(pk=round_id).first()
    judge = judge_of(user, round_, Role.BATTLE) if round_ else None
    if round_ is None or judge is None:
        raise Http404(gettext("You aren't a battle judge of that round."))
    confirm_victory(round=round_, judge=judge, winner=winner, now=now)
    return gettext("%(round)s is finished.") % {"round": round_}
