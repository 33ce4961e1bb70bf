"""T12: when a game of a match is over, open the table of the next one for the same people."""

from datetime import datetime

from judging.tables.conduct.people import called
from judging.tables.matches.models import MatchGame
from judging.tables.matches.services import rows_of, standing
from judging.tables.models import Table, TableJudge, TableState
from judging.tables.services import opening
from judging.tables.services.chain import By, Link, append_link


def next_game(table: Table, now: datetime) -> Table | None:
    """T12: the table of the next game after one that is over, if the match continues.

    It has its own seed, committed to before anybody hands in another cut. Everyone keeps their seat and deck; a
    substitute plays on under their own name, and the judges stay. A drawn game is played again. Idempotent.
    """
    if table.state != TableState.OVER:
        return None
    rows = rows_of(table)
    if not rows or rows[-1].table_id != table.pk or standing(rows).over:
        return None
    first, number = rows[0].first, rows[-1].number + 1
    following = opening.lay_out(opening.plan_of(first, f"{first.name[:48]}, game {number}"), first.opened_by, now)
    MatchGame.objects.create(first=first, table=following, number=number, best_of=rows[0].best_of)
    for seat in table.seats.select_related("deck", "user").prefetch_related("substitutions").order_by("letter"):
        coming = opening.Coming(called(seat), seat.deck)
        new_seat = opening.seat_at(following, seat.letter, seat.user, coming, now)
        by = By(new_seat.letter, seat.user_id)
        append_link(following, by, Link("seat", {"name": new_seat.name}), now)
        append_link(following, by, Link("deck", hidden=seat.deck.data, salt=new_seat.salt), now)
    for judge in table.judges.filter(dismissed_at__isnull=True).select_related("user"):
        TableJudge.objects.create(
            table=following, user=judge.user, name=judge.name, is_head=judge.is_head, named_at=now
        )
    following.state = TableState.CUTTING
    following.save()
    return following
