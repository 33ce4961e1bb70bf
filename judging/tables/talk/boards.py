"""3.1, T12.7: the boards of a table, and who reads and writes on which.

The table's talk is its players' and judges', and everybody reads it. Who only watches has a board of his own, which no
player reads until the table is over: what others see in the game would be help. Where several play for one side, they
have a board that nobody else ever reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils.translation import gettext

from judging.boards.models import Block
from judging.game.judges import is_administrator
from judging.tables import world
from judging.tables.conduct.standing import is_barred
from judging.tables.models import Seat, Table, TableJudge, TableState

User = AbstractBaseUser | AnonymousUser
TALK, WATCHERS, SIDE = "talk", "watchers", "side"
ENDED = (TableState.OVER, TableState.GIVEN_UP)


@dataclass(frozen=True)
class TableBoard:
    """3.1: a board as its viewer may use it. `why_not` says why he does not write there; empty: he does."""

    key: str
    title: str
    about: str
    why_not: str = ""

    @property
    def may_write(self) -> bool:
        """Whether the viewer writes there."""
        return not self.why_not


@dataclass(frozen=True)
class Talker:
    """1.6: somebody at a table: his seat, or his office as its judge. `sides`: for which side each seat plays."""

    table: Table
    user: User
    seats: tuple[Seat, ...]
    judges: tuple[TableJudge, ...]
    now: datetime
    sides: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def seat(self) -> Seat | None:
        """His seat."""
        return next((seat for seat in self.seats if self.user.pk and seat.user_id == self.user.pk), None)

    @cached_property
    def judge(self) -> TableJudge | None:
        """His office."""
        return next((judge for judge in self.judges if self.user.pk and judge.user_id == self.user.pk), None)

    @cached_property
    def is_barred(self) -> bool:
        """1.3: whether a judge has barred him from the table."""
        return is_barred(self.table, self.user.pk, self.now)

    @cached_property
    def moderates(self) -> bool:
        """1.3: whether he hides messages and decides about reports: the table's judges, and administrators who don't
        sit there."""
        return self.judge is not None or (is_administrator(self.user) and self.seat is None)

    @cached_property
    def blocked(self) -> frozenset[int]:
        """1.6: whom he blocks."""
        return frozenset(Block.objects.filter(user_id=self.user.pk or 0).values_list("blocked_id", flat=True))

    @cached_property
    def boards(self) -> Mapping[str, TableBoard]:
        """3.1: the boards that he reads, by their keys."""
        found = [self._talk()]
        if mine := self._side():
            found.append(mine)
        if self.user.pk and (self.seat is None or self.table.state in ENDED):
            found.append(self._watchers())
        return {board.key: board for board in found}

    def _talk(self) -> TableBoard:
        about = gettext("Players and judges can write here. Everyone can read it.")
        why = self._why_nobody()
        if not why and self.seat is None and self.judge is None:
            why = gettext("Players and judges write here. You can write to the spectators.")
        return TableBoard(TALK, gettext("At the table"), about, why)

    def _watchers(self) -> TableBoard:
        about = gettext("For spectators. Players can’t read it until the table is finished.")
        return TableBoard(WATCHERS, gettext("Spectators"), about, self._why_nobody())

    def _side(self) -> TableBoard | None:
        side = self.sides.get(self.seat.letter, "") if self.seat else ""
        if not side or list(self.sides.values()).count(side) < 2:
            return None
        key = f"{SIDE} {side}"[:12]
        return TableBoard(
            key, gettext("Your side only"), gettext("Only players on your side can read it."), self._why_nobody()
        )

    def _why_nobody(self) -> str:
        if not self.user.pk:
            return gettext("Log in to write.")
        if self.is_barred:
            return gettext("A judge has banned you from this table.")
        return gettext("This table was cancelled.") if self.table.state == TableState.GIVEN_UP else ""

    def readers(self, board: str) -> frozenset[int] | None:
        """3.1: the keys of the users who read a board; None where everybody does who may see the table."""
        if board.startswith(SIDE):
            letters = [letter for letter, side in self.sides.items() if f"{SIDE} {side}"[:12] == board]
            return frozenset(seat.user_id for seat in self.seats if seat.letter in letters)
        return None

    def keeps_from(self, board: str) -> frozenset[int]:
        """T12.7: the keys of the users who don't read a board that others do: the players, what watchers say."""
        if board == WATCHERS and self.table.state not in ENDED:
            return frozenset(seat.user_id for seat in self.seats)
        return frozenset()


def talker_of(table: Table, user: User, now: datetime, *, seats: tuple[Seat, ...] | None = None) -> Talker:
    """3.1: somebody at a table as he talks there."""
    seats = tuple(table.seats.order_by("letter")) if seats is None else seats
    judges = tuple(table.judges.filter(dismissed_at__isnull=True))
    return Talker(table, user, seats, judges, now, _sides(table, seats))


def _sides(table: Table, seats: tuple[Seat, ...]) -> Mapping[str, str]:
    """5.1: who plays with whom, once the cards are dealt; only where more than two play does anybody have a partner."""
    if len(seats) < 3 or table.state not in (TableState.RUNNING, TableState.OVER):
        return {}
    state: Any = world.state_of(table)
    return {seat.letter: state.seat(seat.letter).side for seat in seats}
