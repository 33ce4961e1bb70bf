"""3.1, 1.3: one message of a board: its history, its author's second thoughts, and its moderation."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from judging.boards.pages import Typed, board_or_404, board_or_log_in, message_or_404, preview_of
from judging.boards.reads.boards import Board
from judging.boards.reads.messages import MessageView, history_of
from judging.boards.writes import MAX_MESSAGE, edit_message, hide_message, show_message, withdraw_message
from judging.game.errors import Refused
from judging.game.pages import ask_to_log_in, take_kept, viewer_for
from judging.game.viewer import Viewer


@require_safe
def history(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: every text that a message had."""
    viewer = viewer_for(request, slug)
    found = board_or_log_in(request, viewer, board)
    if isinstance(found, HttpResponse):
        return found
    message = message_or_404(viewer, found, number)
    versions = history_of(viewer, found, message)
    return _page(request, "boards/history.html", viewer, found, message, versions=versions)


@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: another text for one's own message."""
    viewer, key = viewer_for(request, slug), f"message:{slug}:{board}:{number}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path)
    found = board_or_404(viewer, board)
    message = message_or_404(viewer, found, number)
    if request.method != "POST":
        typed = Typed(take_kept(request, key) or message.text, version=message.row.version)
        return _edit(request, viewer, found, message, typed)
    typed = Typed(request.POST.get("text", ""), version=_version(request.POST.get("base_version", "")))
    if request.POST.get("act") == "check":
        typed = Typed(typed.text, "", typed.version, preview_of(viewer, found, typed))
        return _edit(request, viewer, found, message, typed)
    try:
        edit_message(
            viewer=viewer,
            board=found,
            message=message.row,
            text=typed.text,
            base_version=typed.version,
            now=timezone.now(),
        )
    except Refused as error:
        now_there = message_or_404(viewer, found, number)
        typed = Typed(typed.text, version=now_there.row.version)
        return _edit(request, viewer, found, now_there, typed, error)
    return redirect("board-message", slug, board, number)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def withdraw(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: takes one's own message back."""
    viewer = viewer_for(request, slug)
    found = board_or_404(viewer, board)
    message = message_or_404(viewer, found, number)
    refused = None
    if request.method == "POST":
        try:
            withdraw_message(viewer=viewer, board=found, message=message.row, now=timezone.now())
            return redirect("board-message", slug, board, number)
        except Refused as error:
            refused = error
    return _page(request, "boards/withdraw.html", viewer, found, message, refused=refused)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def moderate(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """1.3: a moderator hides a message, or shows it again, with a reason."""
    viewer = viewer_for(request, slug)
    found = board_or_404(viewer, board)
    message = message_or_404(viewer, found, number)
    reason, refused = request.POST.get("reason", ""), None
    if request.method == "POST":
        act, said = (show_message, "shown again") if request.POST.get("act") == "show" else (hide_message, "hidden")
        try:
            act(viewer=viewer, board=found, message=message.row, reason=reason, now=timezone.now())
            messages.success(request, f"Message {number} is {said}.")
            return redirect("board-message", slug, board, number)
        except Refused as error:
            refused = error
    return _page(request, "boards/moderate.html", viewer, found, message, refused=refused, reason=reason)


def _edit(
    request: HttpRequest,
    viewer: Viewer,
    board: Board,
    message: MessageView,
    typed: Typed,
    refused: Refused | None = None,
) -> HttpResponse:
    return _page(request, "boards/edit.html", viewer, board, message, refused=refused, typed=typed, most=MAX_MESSAGE)


def _page(
    request: HttpRequest, template: str, viewer: Viewer, board: Board, message: MessageView, **more: object
) -> HttpResponse:
    context = {"round": viewer.round, "viewer": viewer, "board": board, "message": message, **more}
    return render(request, template, context, status=422 if more.get("refused") else 200)


def _version(typed: str) -> int:
    return int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else 0
