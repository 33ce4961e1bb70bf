"""1.6: Private press: a user's conversations, a new one, and leaving. A conversation is read as a board."""

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.boards.queries.boards import PRESS
from judging.boards.queries.messages import conversations_of, who_may_be_written_to
from judging.boards.services import MAX_MESSAGE, MAX_TITLE, begin_conversation, leave_conversation
from judging.boards.views import MessageDraft, board_or_404, to_message
from judging.common.autosave import drop_unsent
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.forms import new_token
from judging.common.markup import to_html
from judging.common.shortcuts import ask_to_log_in, viewer_for, waiting_text

A_PAGE = 30
PLACE = "press"
"""The storage key of an unsent first message."""


@require_safe
@login_required
def press(request: HttpRequest, slug: str) -> HttpResponse:
    """1.6: The viewer's conversations, latest first."""
    viewer = viewer_for(request, slug)
    page = Paginator(conversations_of(viewer), A_PAGE).get_page(request.GET.get("page", ""))
    may_write, why_not = who_may_be_written_to(viewer)
    context = {"round": viewer.round, "viewer": viewer, "page": page, "why_not": why_not, "may_write": may_write}
    return render(request, "press/press.html", context)


@get_or_post
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """1.6: A new conversation with its first message, which is stored until it is sent. `?to=Vorn` selects a player."""
    viewer, key = viewer_for(request, slug), f"press:{slug}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path, also=["to", "title"])
    data = request.POST if request.method == "POST" else request.GET
    names, title = data.getlist("to"), data.get("title", "")
    draft = MessageDraft(request.POST.get("text", ""), request.POST.get("token", "") or new_token())
    is_checked = request.POST.get("act") == "check"
    if request.method != "POST":
        text, unsent = waiting_text(request, viewer, key, PLACE)
        draft = replace(draft, text=text, unsent=unsent)
        names, title = names or draft.all_of("to"), title or draft.also("title")
    if is_checked:
        draft = replace(draft, html=to_html(draft.text[:MAX_MESSAGE].replace("\0", "")))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        people, why_not = who_may_be_written_to(viewer)
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "people": sorted(people, key=lambda player: player.name not in names),
            "why_not": why_not,
            "place": PLACE,
            "names": names,
            "title": title,
            "typed": draft,
            "refused": refused,
            "most": MAX_MESSAGE,
            "longest": MAX_TITLE,
        }
        return render(request, "press/new.html", context)

    def act() -> Success:
        text, token, now = draft.text, draft.token, timezone.now()
        message = begin_conversation(viewer=viewer, names=names, title=title, text=text, token=token, now=now)
        drop_unsent(viewer=viewer, place=PLACE, form=token, now=now)
        return to_message(slug, message.thread.key, message.number)

    return handle_form(request, page, None if is_checked else act)


@get_or_post
@login_required
def leave(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """1.6: Leave a conversation, after a confirmation."""
    viewer = viewer_for(request, slug)
    board_ = board_or_404(viewer, board)
    if not board.startswith(PRESS):
        raise Http404(gettext("You can't leave a board."))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"round": viewer.round, "viewer": viewer, "board": board_, "refused": refused}
        return render(request, "press/leave.html", context)

    def act() -> Success:
        leave_conversation(viewer=viewer, board=board_, now=timezone.now())
        return Success(gettext("You have left the conversation."), reverse("press", args=[slug]))

    return handle_form(request, page, act)
