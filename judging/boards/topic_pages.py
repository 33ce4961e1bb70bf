"""3.1: the topics of a board: their list, a new one, and their moderation (1.3)."""

from __future__ import annotations

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from judging.boards.pages import (
    LARGEST,
    TypedMessage,
    address_of,
    board_or_404,
    board_or_log_in,
    preview_of,
    to_message,
)
from judging.boards.reads.boards import may_moderate, why_not_write
from judging.boards.reads.topics import topic_for, topics_on
from judging.boards.writes import MAX_MESSAGE, MAX_TITLE, begin_topic, change_topic
from judging.game.acting import Done, answer, asks_or_acts
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.game.pages import ask_to_log_in, viewer_for, waiting_text
from judging.game.unsent import drop_unsent

TOPICS_A_PAGE = 30


@require_safe
def topics(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """3.1: all topics of a board: pinned ones first, then by their last messages."""
    viewer = viewer_for(request, slug)
    found = board_or_log_in(request, viewer, board)
    if isinstance(found, HttpResponse):
        return found
    page = Paginator(topics_on(viewer, found), TOPICS_A_PAGE).get_page(request.GET.get("page", ""))
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "board": found,
        "page": page,
        "why_not": why_not_write(viewer, found)[0],
    }
    return render(request, "boards/topics.html", context)


@asks_or_acts
def new(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """3.1: a new topic with its first message. What was typed and not sent is there again."""
    viewer, key = viewer_for(request, slug), f"topic:{slug}:{board}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path, also=["title"])
    found = board_or_404(viewer, board)
    if found.is_press:
        raise Http404(gettext("Conversations have no topics."))
    place, title = f"topic:{found.key}", request.POST.get("title", "")
    typed = TypedMessage(request.POST.get("text", ""), request.POST.get("token", "") or new_token())
    if request.method != "POST":
        text, unsent = waiting_text(request, viewer, key, place)
        typed = replace(typed, text=text, unsent=unsent)
        title = request.GET.get("title", "") or typed.also("title")
    if request.POST.get("act") == "check":
        typed = replace(typed, html=preview_of(viewer, found, typed))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        why_not, cites = why_not_write(viewer, found)
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "board": found,
            "place": place,
            "typed": typed,
            "title": title,
            "refused": refused,
            "most": MAX_MESSAGE,
            "longest": MAX_TITLE,
            "why_not": why_not,
            "cites": cites,
        }
        return render(request, "boards/topic_new.html", context)

    def act() -> Done:
        text, token, now = typed.text, typed.token, timezone.now()
        made = begin_topic(viewer=viewer, board=found, title=title, text=text, token=token, now=now)
        drop_unsent(viewer=viewer, place=place, form=token, now=now)
        return to_message(slug, board, made.number)

    return answer(request, page, None if request.POST.get("act") == "check" else act)


@asks_or_acts
@login_required
def moderate(request: HttpRequest, slug: str, board: str, topic: int) -> HttpResponse:
    """1.3: a moderator pins or closes a topic, or gives it another title."""
    viewer = viewer_for(request, slug)
    found = board_or_404(viewer, board)
    row = topic_for(viewer, found, topic) if topic <= LARGEST else None
    if row is None or row.is_general:
        raise Http404(gettext("There is no such topic on this board."))
    title = request.POST.get("title", row.title)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "board": found,
            "topic": row,
            "title": title,
            "longest": MAX_TITLE,
            "may": may_moderate(viewer, found),
            "refused": refused,
        }
        return render(request, "boards/topic_moderate.html", context)

    def act() -> Done:
        does = request.POST.get("act", "")
        if does not in SAID:
            raise Refused(gettext("You can pin, unpin, close, reopen or rename a topic."), "1.3")
        change_topic(
            viewer=viewer,
            board=found,
            number=topic,
            now=timezone.now(),
            is_pinned={"pin": True, "unpin": False}.get(does),
            is_closed={"close": True, "open": False}.get(does),
            title=title if does == "title" else None,
        )
        return Done(gettext(SAID[does]), address_of(slug, board, topic))

    return answer(request, page, act)


SAID = {
    "pin": gettext_noop("The topic is pinned above the others."),
    "unpin": gettext_noop("The topic is no longer pinned."),
    "close": gettext_noop("The topic is closed."),
    "open": gettext_noop("The topic is open again."),
    "title": gettext_noop("The topic has a new title."),
}
