"""T12: beginning a match, and its standing: its games and their winners."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.tables.matches.models import MatchGame
from judging.tables.models import Table, TableState
from tables.core.matches import Match
from wargame.rules.core.wording import listed


@dataclass(frozen=True)
class GameRow:
    """T12: one game of a match, with its winner in words; empty while it is played, and for a draw."""

    number: int
    table: Table
    winner: str
    is_here: bool

    @property
    def told(self) -> str:
        """The state of this game of the match, in words."""
        if self.table.state == TableState.OVER:
            return gettext("won by %(winner)s") % {"winner": self.winner} if self.winner else gettext("a draw")
        return {"cutting": gettext("waiting for cut words"), "running": gettext("in progress")}.get(
            self.table.state, self.table.state
        )


@dataclass(frozen=True)
class MatchView:
    """T12: a match as everybody sees it. `score`: each side by name, with the games it has won."""

    best_of: int
    number: int
    games: tuple[GameRow, ...]
    score: tuple[tuple[str, int], ...]
    winner: str

    @property
    def next_game(self) -> Table | None:
        """The game after the current one, if there is one."""
        return next((game.table for game in self.games if game.number == self.number + 1), None)


def side_of(letter: str) -> str:
    """S47: the side of a seat: `A2` plays for A, and `A` for itself."""
    return letter[:1]


def sides(seats: Sequence[tuple[str, str]]) -> dict[str, str]:
    """S47: each side with the names of its players, from the letters and names of the seats."""
    names_by_side: dict[str, list[str]] = {}
    for letter, name in seats:
        names_by_side.setdefault(side_of(letter), []).append(name)
    return {side: listed(names) for side, names in names_by_side.items()}


def rows_of(table: Table) -> list[MatchGame]:
    """T12: all games of the match that a table belongs to, in order; none if there is no match."""
    first_games = MatchGame.objects.filter(table=table).values("first")
    return list(MatchGame.objects.filter(first__in=first_games).select_related("table").defer("table__seed"))


def standing(rows: Sequence[MatchGame]) -> Match:
    """T12: the match after the games that are over; one that was given up counts for nobody."""
    over = [row.table.winner for row in rows if row.table.state == TableState.OVER]
    return Match(rows[0].best_of, tuple(side_of(winner) for winner in over))


def match_of(table: Table, seats: Sequence[tuple[str, str]]) -> MatchView | None:
    """T12: the match of a table, with its seats by letter and name; None if it is not part of one."""
    rows = rows_of(table)
    if not rows:
        return None
    match, names = standing(rows), sides(seats)
    here = next(row for row in rows if row.table_id == table.pk)
    games = tuple(
        GameRow(row.number, row.table, names.get(side_of(row.table.winner), "") if row.table.winner else "",
                row.pk == here.pk)
        for row in rows
    )  # fmt: skip
    score = tuple((name, match.games.count(side)) for side, name in names.items())
    return MatchView(match.best_of, here.number, games, score, names.get(match.winner, ""))


MOST_GAMES = 9


def check_best_of(best_of: int) -> None:
    """T12: Refused for a number of games without a majority, such as an even one."""
    if not 1 <= best_of <= MOST_GAMES or best_of % 2 == 0:
        raise Refused(
            gettext("A match is the best of 1, 3, 5, 7 or %(most)s games.") % {"most": MOST_GAMES},
            "T12.10",
            "best_of",
        )


def begin_match(table: Table, best_of: int) -> None:
    """T12: make a newly opened table the first game of a match; a single game is not a match."""
    if best_of > 1:
        MatchGame.objects.create(first=table, table=table, number=1, best_of=best_of)
