"""T12.10: a best-of-n match: the games won by each side, and whether it is over."""

from collections import Counter
from dataclasses import dataclass, replace

from tables.core.state import Result


@dataclass(frozen=True, slots=True)
class Match:
    """T12.10: the games of a match so far. `games` are the sides that won them, in order; empty for a draw.

    A drawn game counts for nobody and is played again. Each game is a table of its own, with a starter of its own.
    """

    best_of: int = 1
    games: tuple[str, ...] = ()

    @property
    def needed(self) -> int:
        """T12.10: the number of games that win the match: more than half of `best_of`."""
        return self.best_of // 2 + 1

    @property
    def winner(self) -> str:
        """T12.10: the side that has won it; empty as long as it goes on."""
        won = Counter(side for side in self.games if side)
        return next((side for side, many in won.items() if many >= self.needed), "")

    @property
    def over(self) -> bool:
        """T12.10: whether no further game is played."""
        return bool(self.winner)


def played(match: Match, result: Result) -> Match:
    """T12.10: the match after another game. ValueError if it was already over."""
    if match.over:
        raise ValueError("the match is over")
    return replace(match, games=(*match.games, "" if result.draw else result.won))
