"""1.3: the judges of a round, named and dismissed, by programs."""

from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.fields import ActedOut, line, one_of, text
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.command.judges.forms import SeatForm


class SeatIn(Body):
    """1.3: what a head judge does with the judges of their role."""

    act = one_of(
        "Names or dismisses a judge, offers a judge the role of head, or answers or withdraws such an offer.",
        *("name", "dismiss", "head", "accept", "decline", "withdraw"),
    )
    role = line("`battle`, `movement` or `mercenary`, when you name a judge or answer or withdraw an offer.")
    username = line("Log-in of the new judge.")
    judge = line("Id of the judge to dismiss or offer the role of head, as in `judges_list`.")
    reason = text("The reason; public.")


class Seats(ApiView):
    """1.3: the judges' places."""

    writes_by = Scope.JUDGE

    @describe(
        "judges_seat",
        "judges",
        "Name or dismiss a judge, or replace the head judge",
        out=ActedOut,
        takes=SeatIn,
        problems=WRITING,
        page="judges",
    )
    def post(self, request: Request, slug: str) -> Response:
        form = SeatForm(self.read_as_user(SeatIn))
        return self.done(form.do(self.viewer(slug), timezone.now()), reverse("judges", args=[slug]))
