"""The player's start page: their tasks, the results of their last turn, and their armies."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from judging.armies.changes.services import changes_of
from judging.command.badges import waiting_lately
from judging.command.control.services import players_of
from judging.command.models import Admission
from judging.command.people.roster import own_admission
from judging.common.control import control_in, is_leader
from judging.common.shortcuts import turn_for, viewer_for
from judging.common.viewer import Viewer
from judging.my_turn.queries import former_armies, is_first, mine_of, tasks_of
from judging.my_turn.report import last_report, of_player, spans_of
from judging.polling.views import live_now
from judging.turns.done.services import done_view
from judging.turns.posts.queries import posting_state
from wargame.rules.core.sides import Side


@require_safe
@login_required
def my_turn(request: HttpRequest, slug: str) -> HttpResponse:
    """The viewer's tasks, most urgent first; their last turn; their posts; their armies, present and former.

    A viewer without an army gets directions.
    """
    viewer, now = viewer_for(request, slug), timezone.now()
    turn, player = turn_for(viewer.round), viewer.player
    spans = spans_of(player) if player else []
    overview = mine_of(turn, viewer, spans, now)
    changes = changes_of(viewer, turn, [each.army for each in overview.armies])
    turn_report, army_names = last_report(turn, now) if player else None, {each.army.name for each in overview.armies}
    report = of_player(turn_report, spans) if turn_report else None
    context = {
        "viewer": viewer,
        "round": viewer.round,
        "turn": turn,
        "live": live_now(turn, now),
        "state": posting_state(turn, viewer, now),
        "done": done_view(turn, viewer, now) if player else None,
        "mine": overview,
        "tasks": tasks_of(turn, viewer, overview, changes, waiting_lately(viewer), now),
        "report": report,
        "is_first": not report and is_first(overview, spans),
        "former": former_armies(spans, army_names, control_in(turn, now)),
        "changes": changes,
        "spans": spans,
        "asked": _waiting_admission(viewer),
    }
    return render(request, "my_turn/my_turn.html", context)


def _waiting_admission(viewer: Viewer) -> dict[str, object] | None:
    """1.1: the viewer's request for admission while it waits, with its leaders' names: none where the judge decides."""
    admission = None if viewer.player else own_admission(viewer)
    if admission is None or admission.state != Admission.State.ASKED:
        return None
    leaders = [player.name for player in players_of(viewer.round, Side(admission.side)) if is_leader(player)]
    return {"row": admission, "leaders": leaders}


@require_safe
def before(request: HttpRequest, slug: str) -> HttpResponse:
    """The page's URL until version 1.0."""
    return redirect("mine", slug, permanent=True)
