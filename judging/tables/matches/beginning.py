"""T12: a table that is opened as the first game of a match."""

from __future__ import annotations

from django.utils.translation import gettext

from judging.game.errors import Refused
from judging.tables.matches.models import MatchGame
from judging.tables.models import Table

MOST_GAMES = 9


def check_best_of(best_of: int) -> None:
    """T12: Refused for a number of games of which none is more than half."""
    if not 1 <= best_of <= MOST_GAMES or best_of % 2 == 0:
        raise Refused(
            gettext("A match is the best of 1, 3, 5, 7 or %(most)s games.") % {"most": MOST_GAMES},
            "T12.10",
            "best_of",
        )


def begin_match(table: Table, best_of: int) -> None:
    """T12: a table just opened becomes the first game of a match; one game alone is none."""
    if best_of > 1:
        MatchGame.objects.create(first=table, table=table, number=1, best_of=best_of)
