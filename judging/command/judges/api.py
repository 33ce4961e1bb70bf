"""1.3: the judges of a round, named and dismissed, by programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door, line, one_of, text
from judging.api.models import Scope
from judging.api.shapes import Body


class SeatIn(Body):
    """1.3: what a head judge does with the judges of his role."""

    act = one_of(
        "Names a judge, dismisses one, offers one the place of the head, or decides about such an offer.",
        *("name", "dismiss", "head", "accept", "decline", "withdraw"),
    )
    role = line("`battle`, `movement` or `mercenary`, to name one, or to decide about an offer.")
    username = line("The log-in of the new judge.")
    judge = line("The id of the judge to dismiss, or to offer the place to, as `judges_list` has it.")
    reason = text("Why; everybody reads it.")


class Seats(ApiView):
    """1.3: the judges' places."""

    post = door(
        *("judges_seat", "judges", "Name or dismiss a judge, or hand over the head's place", "judges"),
        takes=SeatIn,
        scope=Scope.JUDGE,
    )
