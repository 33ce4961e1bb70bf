"""1.3: what leaders and judges of the demo round decided, at its time, so that its log has something to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from judging.battles.models import Battle
from judging.battles.strats.extensions import LONGEST, extend_strats
from judging.command.control.powers import set_contingencies
from judging.command.models import Declaration, Leave
from judging.command.people.absence import declare_inactive, end_leave, reject_declaration, state_leave
from judging.command.people.ranks import give_rank
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role
from wargame.rules.core.sides import RANKS, Rank, Side

Decided = tuple[float, Callable[[datetime], object]]
"""A part of a turn, and what is decided then."""

AWAY = "Tiny Atrocity"
PROMOTED, LEADER = "Tinker's Apprentice", "Auric Thorn"
QUIET, ACCUSER = "Hex Machina", "Xarthul"


def decisions_of(round_: Round, turn: int) -> Iterator[Decided]:
    """What was decided in a turn."""
    if turn == 1:
        yield 0.3, partial(_leave, round_)
    if turn == 2:
        yield 0.1, partial(_come_back, round_)
        yield 0.25, partial(_promote, round_)
        yield 0.35, partial(_declare, round_)
        yield 0.45, partial(_reject, round_)
    if turn == 3:
        yield 0.2, partial(_give_time, round_)
        yield 0.6, partial(_name_contingency, round_)


def _player(round_: Round, name: str) -> Player:
    return Player.objects.select_related("round", "user").get(round=round_, name=name)


def _judge(round_: Round, role: Role) -> Judge:
    return Judge.objects.select_related("user").get(round=round_, role=role)


def _leave(round_: Round, now: datetime) -> None:
    """5.1: until he says that he is back."""
    state_leave(player=_player(round_, AWAY), since=now, until=None, note="A wedding, not mine.", now=now)


def _come_back(round_: Round, now: datetime) -> None:
    leave = Leave.objects.get(player__round=round_, player__name=AWAY)
    end_leave(leave=leave, player=_player(round_, AWAY), now=now)


def _promote(round_: Round, now: datetime) -> None:
    """1.1.2: to the rank above his own."""
    by, player = _player(round_, LEADER), _player(round_, PROMOTED)
    ranks = RANKS[Side(player.side)]
    above = ranks[ranks.index(Rank(player.rank)) - 1]
    give_rank(
        round=round_, by=by, player=player, rank=above, now=now, reason="Not one illegal order since the round began."
    )


def _declare(round_: Round, now: datetime) -> None:
    by, player = _player(round_, ACCUSER), _player(round_, QUIET)
    declare_inactive(player=player, by=by, reason="The Machine has gone quiet, and its armies stand still.", now=now)


def _reject(round_: Round, now: datetime) -> None:
    """5.1."""
    declaration = Declaration.objects.get(player__round=round_, player__name=QUIET)
    reason = "Who writes three messages a day on the Open board is not away. Talk to him before you take his armies."
    reject_declaration(declaration=declaration, judge=_judge(round_, Role.BATTLE), reason=reason, now=now)


def _give_time(round_: Round, now: datetime) -> None:
    """R5: a quarter of the time from the deadline to the lock, for one army of the turn's first battle."""
    battle = Battle.objects.filter(turn__round=round_).select_related("turn").order_by("-turn__number", "number")[0]
    army = battle.entries.select_related("army").order_by("pk")[0].army
    until = min(battle.deadline + (battle.turn.lock_at - battle.deadline) / 4, now + LONGEST - timedelta(seconds=1))
    if until > battle.deadline:
        why = "His connection is down until the weekend. He told me before the deadline, and asked for no more."
        extend_strats(battle=battle, judge=_judge(round_, Role.MOVEMENT), until=until, reason=why, now=now, army=army)


def _name_contingency(round_: Round, now: datetime) -> None:
    """5.2.3."""
    wanted = {"Gravelpit Gus": "Brassmonger"}
    set_contingencies(round=round_, player=_player(round_, LEADER), wanted=wanted, now=now)
