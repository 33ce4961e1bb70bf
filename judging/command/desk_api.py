"""1.3, 5: what judges decide about control, ranks, names and admission, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door, line, one_of, text
from judging.api.models import Scope
from judging.api.shapes import Body


class CommandIn(Body):
    """1.3, 5: one act of a judge, with its reason. People and armies are named by their ids."""

    act = one_of(
        "Answers a request for an exception, changes a list, says who may ask, gives a rank, answers a request for a "
        "name, rejects a declaration, answers one for admission, takes in all who were invited, or overrules one.",
        *("request", "list", "power", "rank", "name", "declaration", "admission", "invited", "overrule"),
    )
    side = line("`coalition` or `phyrexia`.")
    answer = line("`yes` grants what was asked for.")
    reason = text("Why.")
    request = line("The request for control.")
    army = line("The army.")
    to = line("The player who is to control it, or `nobody`.")
    first = line("Who may ask for changes.")
    second = line("Who may ask for them, too.")
    player = line("The player who gets a rank.")
    rank = line("The code of the rank; `none` for a Drudge or Cadet.")
    change = line("The request for a name.")
    declaration = line("The declaration.")
    admission = line("The request for admission.")
    taken = line("The player who was taken in.")
    token = line("Once more with the same one changes no second time.")


class Command(ApiView):
    """1.3, 5: the command of both teams, for judges."""

    post = door(
        *("command_decide", "judges", "Decide about control, ranks, names and admission", "judge:command"),
        takes=CommandIn,
        scope=Scope.JUDGE,
    )
