"""1.4, R46: the count of a vote: voting points by option, who is missing, and what has won."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple


class Cast(NamedTuple):
    """R46: the ballot of somebody who was asked. `points` are 0 for who has no vote any more; `choice` is the number of
    an option from 0 on, or None: without one he abstains if he `has_voted`, and is missing if not."""

    voter: str
    points: int
    choice: int | None = None
    has_voted: bool = False


class Line(NamedTuple):
    """1.4: what an option got, and from whom."""

    option: str
    points: int
    voters: tuple[str, ...]

    @property
    def votes(self) -> int:
        return len(self.voters)


@dataclass(frozen=True)
class Count:
    """1.4: the result: a line an option, in their order. `ahead` are the options with the most points; none if none has
    any. `of_points` are the points of all who may vote."""

    lines: tuple[Line, ...]
    abstained: tuple[str, ...]
    missing: tuple[str, ...]
    ahead: tuple[str, ...]
    of_points: int

    @property
    def points(self) -> int:
        """The points that were given to options."""
        return sum(line.points for line in self.lines)

    @property
    def voted(self) -> int:
        """How many voted, abstentions included."""
        return sum(line.votes for line in self.lines) + len(self.abstained)

    @property
    def may_vote(self) -> int:
        """How many have a vote."""
        return self.voted + len(self.missing)

    @property
    def winner(self) -> str:
        """The option that has more points than any other; empty if there is none."""
        return self.ahead[0] if len(self.ahead) == 1 else ""

    @property
    def tie(self) -> tuple[str, ...]:
        """The options that have the most points, if there are several."""
        return self.ahead if self.is_tie else ()

    @property
    def is_tie(self) -> bool:
        """Several options have the most points: nothing is decided."""
        return len(self.ahead) > 1


def count(options: tuple[str, ...], ballots: Iterable[Cast]) -> Count:
    """1.4, R46: the count of ballots, of which each player has one. Who has no vote any more is left out.

    Names come sorted, whatever the order of the ballots. ValueError for two of one player, and for no such option.
    """
    cast = sorted((ballot for ballot in ballots if ballot.points), key=lambda ballot: ballot.voter)
    names = [ballot.voter for ballot in cast]
    if len(set(names)) < len(names):
        raise ValueError("a player has one ballot (R46)")
    if any(ballot.choice is not None and not 0 <= ballot.choice < len(options) for ballot in cast):
        raise ValueError("a ballot is for one of the options, or for none")
    lines = tuple(_line(option, [b for b in cast if b.choice == place]) for place, option in enumerate(options))
    most = max((line.points for line in lines), default=0)
    without = [ballot for ballot in cast if ballot.choice is None]
    return Count(
        lines=lines,
        abstained=tuple(ballot.voter for ballot in without if ballot.has_voted),
        missing=tuple(ballot.voter for ballot in without if not ballot.has_voted),
        ahead=tuple(line.option for line in lines if most and line.points == most),
        of_points=sum(ballot.points for ballot in cast),
    )


def _line(option: str, ballots: list[Cast]) -> Line:
    return Line(option, sum(ballot.points for ballot in ballots), tuple(ballot.voter for ballot in ballots))
