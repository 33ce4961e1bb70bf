"""R37, R38: formula books on the judges' desk: who writes them, and with which armies they are tried."""

from __future__ import annotations

from dataclasses import dataclass

from judging.models import BookVersion
from judging.selectors.books import newest_version
from judging.selectors.judge import User, judge_of
from judging.selectors.rounds import current_turn, position_of
from judging.selectors.viewer import Viewer, viewer_of
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.board import Square
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop


@dataclass(frozen=True)
class Desk:
    """R38: a round's formula book on the desk of one of its battle judges; `turn` is the present one's number."""

    round: Round
    judge: Judge
    viewer: Viewer
    newest: BookVersion | None
    turn: int

    @property
    def is_open(self) -> bool:
        """Whether a new version may be saved."""
        return self.round.state != RoundState.OVER


@dataclass(frozen=True)
class ArmyToTry:
    """R37: an army with which a book is tried. `key` names it in the form, `name` to people."""

    key: str
    name: str
    army: Army


@dataclass(frozen=True)
class ArmyGroup:
    """R37: armies to be picked, under one title."""

    title: str
    armies: tuple[ArmyToTry, ...]


def desk_of(user: User, round_id: int) -> Desk | None:
    """1.3: a round's book as one of its battle judges may write it; None for everybody else."""
    round_ = Round.objects.exclude(state=RoundState.GIVEN_UP).filter(pk=round_id).first()
    judge = judge_of(user, round_, Role.BATTLE) if round_ else None
    if round_ is None or judge is None:
        return None
    turn = current_turn(round_)
    return Desk(round_, judge, viewer_of(user, round_), newest_version(round_), turn.number if turn else 0)


def rounds_with_books(user: User) -> list[Round]:
    """1.3: the rounds whose formula book the user may write, the newest first."""
    judged = Round.objects.filter(judges__user_id=user.pk or 0, judges__role=Role.BATTLE)
    return list(judged.exclude(state__in=[RoundState.OVER, RoundState.GIVEN_UP]).order_by("-created_at"))


def armies_to_try(round: Round) -> tuple[ArmyGroup, ...]:
    """R37: the armies with which a book may be tried: those of each rank at full strength, and those on the map."""
    ranks = tuple(ArmyToTry(f"rank:{rank.value}", f"full {rank.title}", _full(rank)) for rank in Rank)
    turn = current_turn(round)
    living = [army for army in position_of(turn).armies if not army.is_empty] if turn else []
    groups = [ArmyGroup("At full strength", ranks)]
    for side in Side:
        own = tuple(ArmyToTry(f"army:{army.name}", army.name, army) for army in living if army.side is side)
        groups.append(ArmyGroup(f"On the map: {side.title}", own))
    return tuple(group for group in groups if group.armies)


def default_formulas() -> dict[str, str]:
    """R37: the public default book."""
    return DEFAULT.to_json()


def _full(rank: Rank) -> Army:
    """2.1: an army of that rank with all the troops that it may have, of no colour."""
    troops = tuple(Troop(slot, "", most, most, anonymous=True) for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True))
    return Army(rank.title, rank.side, Square(0, 0), rank=rank, troops=troops)
