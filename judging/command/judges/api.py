"""1.3: the judges of a round, named and dismissed, by programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door, line, one_of, text
from judging.api.models import Scope
from judging.api.shapes import Body


class SeatIn(Body):
    """1.3: what a head judge does with the judges of his role."""

    act = one_of(
        "Names or dismisses a judge, asks one to become head, or answers or withdraws such an offer.",
        *("name", "dismiss", "head", "accept", "decline", "withdraw"),
    )
    role = line("`battle`, `movement` or `mercenary`, to name a judge, or to answer or withdraw an offer.")
    username = line("The log-in of the new judge.")
    judge = line("The id of the judge to dismiss, or to ask to become head, as in `judges_list`.")
    reason = text("Why; everybody reads it.")


class Seats(ApiView):
    """1.3: the judges' places."""

    post = door(
        *("judges_seat", "judges", "Name or dismiss a judge, or replace the head", "judges"),
        takes=SeatIn,
        scope=Scope.JUDGE,
    )
