"""1.3, 5: what judges decide about control, ranks, names and admission, for programs."""

from typing import cast

from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.fields import ActedOut, line, one_of, text
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.command.desk_forms import DecisionForm, desk_for
from judging.common.judges import User


class CommandIn(Body):
    """1.3, 5: one act of a judge, with its reason. People and armies are named by their ids."""

    act = one_of(
        "Answers a request for an exception, changes a list, sets who can ask for changes, gives a rank, answers "
        "a request for a name, rejects a declaration, answers a request for admission, admits all invited "
        "players, or overrules an admission.",
        *("request", "list", "power", "rank", "name", "declaration", "admission", "invited", "overrule"),
    )
    side = line("`coalition` or `phyrexia`.")
    answer = line("`yes` grants the request.")
    reason = text("Why.")
    request = line("Id of the control request.")
    army = line("The army.")
    to = line("The player who will control it, or `nobody`.")
    first = line("First player who can ask for changes.")
    second = line("Second player who can ask for changes.")
    player = line("The player who receives a rank.")
    rank = line("Code of the rank; `none` for a Drudge or Cadet.")
    change = line("Id of the name request.")
    declaration = line("The declaration.")
    admission = line("Id of the admission request.")
    taken = line("The admitted player.")
    token = line("Idempotency key: repeating it won't make a second change.")


class Command(ApiView):
    """1.3, 5: the command of both teams, for judges."""

    writes_by = Scope.JUDGE

    @describe(
        "command_decide",
        "judges",
        "Decide on control, ranks, names and admission",
        out=ActedOut,
        takes=CommandIn,
        problems=WRITING,
        page="judge:command",
    )
    def post(self, request: Request, slug: str) -> Response:
        given, now = self.read_as_judge(CommandIn), timezone.now()
        user, round_ = cast(User, request.user), self.round(slug)
        form = DecisionForm(user, desk_for(user, round_.pk, now), given)
        return self.done(form.do(now), reverse("judge:command", args=[round_.pk]))
