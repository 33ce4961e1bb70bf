"""T11.9: a draw is offered, and ends the game once everybody who still plays agrees. The offer lapses with the next
move of anybody else, or when it is withdrawn or refused."""

import re
from collections.abc import Sequence
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.notify import News
from judging.notifications.services import tell
from judging.tables import game_state
from judging.tables.conduct.record import keep_act
from judging.tables.models import Seat, Table
from judging.tables.sentences import Ending
from judging.tables.services.chain import SERVICE
from judging.tables.services.posting import carry_out, check_moves, check_running, close_draw, draw_key, held_table
from tables.core.entries import Entry as Said

RULE = "T11.9"
_LINE = re.compile(r"(?P<does>offer|propose|accept|agree to|refuse|decline|withdraw)\s*:?\s*(?:(?:a|the)\s+)?draw!?")
ANSWERS = ("offer", "accept", "refuse")
_DOES = {"propose": "offer", "agree to": "accept", "decline": "refuse", "withdraw": "refuse"}


def draw_line(lines: Sequence[str]) -> str:
    """T11.9: the part of a post about a draw: `offer`, `accept` or `refuse`; empty for every other post."""
    line_match = _LINE.fullmatch(" ".join(lines[0].split()).casefold()) if len(lines) == 1 else None
    return _DOES.get(line_match["does"], line_match["does"]) if line_match else ""


@locking.writes
def act_on_draw(*, table: Table, user: User, does: str, now: datetime) -> str:
    """T11.9: a player offers a draw, agrees to one, refuses it or withdraws it; returns the result as a sentence. An
    offer while another one is open is an agreement.

    Refused for others, while the table is stopped for its end, and for a second offer before the next entry.
    """
    locked_table = held_table(table)
    seats = list(locked_table.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise Refused(gettext("You don't sit at this table."), RULE)
    check_running(locked_table)
    check_moves(locked_table, ("accept",))
    living = game_state.state_of(locked_table).living
    if seat.letter not in living:
        raise Refused(gettext("You are out of this game, so you can't agree to a draw."), RULE)
    is_open, agreed = bool(locked_table.draw.get("open")), list(locked_table.draw.get("agreed", ()))
    if does == "refuse" or not is_open:
        if does != "offer" and not is_open:
            raise Refused(gettext("There is no open offer of a draw."), RULE, "lines")
        return (
            _refused(locked_table, seat, now) if does == "refuse" else _offered(locked_table, seats, seat, living, now)
        )
    if seat.letter in agreed:
        return gettext("Your offer of a draw is open until another player moves.")
    locked_table.draw = {**locked_table.draw, "agreed": [*agreed, seat.letter]}
    keep_act(locked_table, "draw accepted", user.pk, now, name=seat.name)
    if set(living) - set(locked_table.draw["agreed"]):
        locked_table.save()
        return gettext("You agreed to a draw. Some players haven't agreed yet.")
    close_draw(locked_table, now)
    end = Said("end", "service", cites=RULE, reason=Ending.DRAW_AGREED.code, what="draw")
    carry_out(locked_table, seats, SERVICE, end, now)
    return gettext("The game is a draw.")


def _offered(table: Table, seats: Sequence[Seat], seat: Seat, living: Sequence[str], now: datetime) -> str:
    if table.draw.get("n") == table.entries and table.draw.get("by") == seat.letter:
        raise Refused(gettext("You can offer a draw again after the next move."), RULE, "lines")
    table.draw = {"by": seat.letter, "agreed": [seat.letter], "n": table.entries, "open": True}
    table.save()
    keep_act(table, "draw offered", seat.user_id, now, name=seat.name)
    data = {"slug": table.slug, "table": table.name, "by": seat.name}
    user_ids = [each.user_id for each in seats if each.letter in living and each.pk != seat.pk]
    tell([News(user, "table.draw", draw_key(table), now, data=data) for user in user_ids], now)
    return gettext("You offered a draw. The offer expires when another player moves.")


def _refused(table: Table, seat: Seat, now: datetime) -> str:
    is_own = table.draw["by"] == seat.letter
    close_draw(table, now)
    table.draw = {**table.draw, "n": table.entries}
    table.save()
    keep_act(table, "draw withdrawn" if is_own else "draw refused", seat.user_id, now, name=seat.name)
    return gettext("You withdrew the offer of a draw.") if is_own else gettext("You refused the draw.")
