"""R34: a win by the rules, until the battle judge has confirmed it."""

from __future__ import annotations

from dataclasses import dataclass

from judging.game.judges import User, judge_of, rounds_of
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core.sides import Side
from wargame.rules.telling.telling import tell_all


@dataclass(frozen=True, slots=True)
class Proposal:
    """1.7.2, 1.7.3: what the last settlement of a round proposes: the winning sides and why; `judge` may confirm."""

    round: Round
    turn: Turn
    sides: tuple[Side, ...]
    reasons: tuple[dict[str, str], ...]
    judge: Judge | None


def proposal_of(round_: Round) -> tuple[Turn, list[dict[str, str]]] | None:
    """R34: the last turn of a running round and its `won` events, if it won the round and no turn followed it."""
    last = Turn.objects.filter(round=round_).defer("position").order_by("-number").first()
    if last is None or last.state != TurnState.SETTLED or round_.state != RoundState.RUNNING:
        return None
    won = tell_all(event for event in last.events if event["kind"] == "won")
    return (last, won) if won else None


def proposals_for(user: User) -> tuple[Proposal, ...]:
    """R34: the wins that wait in the rounds that the user judges."""
    return tuple(proposal for round_ in rounds_of(user) if (proposal := _proposal(user, round_)))


def _proposal(user: User, round_: Round) -> Proposal | None:
    found = proposal_of(round_)
    if found is None:
        return None
    turn, won = found
    sides = tuple(Side(event["side"]) for event in won)
    return Proposal(round_, turn, sides, tuple(won), judge_of(user, round_, Role.BATTLE))
