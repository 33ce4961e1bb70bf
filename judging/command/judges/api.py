"""1.3: the judges of a round, named and dismissed, by programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door, line, one_of, text
from judging.api.models import Scope
from judging.api.shapes import Body


class SeatIn(Body):
    """1.3: what a head judge does with the judges of his role."""

    act = one_of("Names a judge, dismisses one, or hands his lead over to one.", "name", "dismiss", "head")
    role = line("`battle`, `movement` or `mercenary`, to name one.")
    username = line("The log-in of whom he names.")
    judge = line("The id of the judge whom he dismisses or hands over to, as `judges_list` has it.")
    reason = text("Why; everybody reads it.")


class Seats(ApiView):
    """1.3: the judges' places."""

    post = door(
        *("judges_seat", "judges", "Name or dismiss a judge, or hand your lead over", "judges"),
        takes=SeatIn,
        scope=Scope.JUDGE,
    )
