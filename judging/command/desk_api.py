"""1.3, 5: what judges decide about control, ranks, names and admission, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door
from judging.api.fields import line, one_of, text
from judging.api.models import Scope
from judging.api.shapes import Body


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

    post = door(
        *("command_decide", "judges", "Decide on control, ranks, names and admission", "judge:command"),
        takes=CommandIn,
        scope=Scope.JUDGE,
    )
