"""3.1: The pages of boards, messages and topics, with their moderation. Typed text is never lost."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from judging.boards.queries.board_page import BoardPage, board_page, page_of
from judging.boards.queries.boards import (
    BOARDS,
    PRESS,
    Board,
    Readers,
    board_for,
    may_moderate,
    press_for,
    why_no_press,
    why_not_write,
)
from judging.boards.queries.messages import (
    FIRST_TOPICS,
    MessageView,
    board_rows,
    history_of,
    message_for,
    quote_for,
    topic_for,
    topics_on,
)
from judging.boards.queries.read_marks import mentions_of, press_unread, unread
from judging.boards.reports import new_warnings, waiting_for
from judging.boards.services import (
    MAX_MESSAGE,
    MAX_TITLE,
    begin_topic,
    change_topic,
    edit_message,
    mark_all_read,
    mark_read,
    moderate_message,
    withdraw_message,
    write_message,
)
from judging.common import locking
from judging.common.autosave import drop_unsent
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form, number_of
from judging.common.forms import new_token
from judging.common.models import GENERAL, Unsent
from judging.common.shortcuts import ask_to_log_in, viewer_for, waiting_text
from judging.common.viewer import Viewer
from wargame.models.choices import Press

LARGEST = 2**31 - 1


@dataclass(frozen=True)
class MessageDraft:
    """What stands in a form for a message. `html`: how it will read; None: nobody asked. `unsent`: what
    waited there."""

    text: str = ""
    token: str = ""
    version: int = 0
    html: SafeString | None = None
    unsent: Unsent | None = None

    @property
    def sent(self) -> str:
        """The name of the form that was last sent from there."""
        return self.unsent.sent if self.unsent else ""

    def all_of(self, name: str) -> list[str]:
        """The values of a short field beside the stored text."""
        return list(self.unsent.also.get(name, ())) if self.unsent else []

    def also(self, name: str) -> str:
        """The value of a short field with one value; empty if there is none."""
        return next(iter(self.all_of(name)), "")


@get_or_post
def boards(request: HttpRequest, slug: str) -> HttpResponse:
    """3.1: The boards that the viewer can read, with unread counts. A POST marks all as read."""
    viewer, now = viewer_for(request, slug), timezone.now()
    if request.method == "POST":
        if viewer.user_id is not None:
            mark_all_read(viewer=viewer, now=now)
        return redirect("boards", slug)
    rows = board_rows(viewer, now)
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "public": [row for row in rows if row.board.is_public],
        "private": [row for row in rows if not row.board.is_public],
        "mentions": mentions_of(viewer) if viewer.user_id else [],
        "has_new": unread(viewer).new > 0,
        "press": len(press_for(viewer)),
        "press_unread": press_unread(viewer),
        "why_no_press": why_no_press(viewer, ()) if viewer.player and viewer.round.press == Press.NONE else "",
        "reports": waiting_for(viewer),
        "warnings": new_warnings(viewer).count() if viewer.user_id else 0,
    }
    return render(request, "boards/boards.html", context)


@get_or_post
def board(request: HttpRequest, slug: str, board: str, topic: int = GENERAL) -> HttpResponse:
    """3.1: A page of a board's general talk, or of a topic, with its form; a POST writes, or shows a preview."""
    viewer, now, key = viewer_for(request, slug), timezone.now(), f"board:{slug}:{board}:{topic}"
    if not request.user.is_authenticated and request.method == "POST":
        return ask_to_log_in(request, key, request.path)
    board_obj = board_or_log_in(request, viewer, board)
    if isinstance(board_obj, HttpResponse):
        return board_obj
    if topic > LARGEST:
        raise Http404(gettext("There is no such topic on this board."))
    page, place = partial(_page, request, viewer, board_obj, topic, now=now), _place(board_obj, topic)
    if request.method != "POST":
        text, unsent = waiting_text(request, viewer, key, place)
        quoted = quote_for(viewer, board_obj, request.GET.get("quote", "")[:20], now)
        text = "\n\n".join(filter(None, (text, quoted if quoted.strip() not in text else "")))
        return page(MessageDraft(text, new_token(), unsent=unsent))
    draft = MessageDraft(request.POST.get("text", ""), request.POST.get("token", ""))
    if request.POST.get("act") == "check":
        return page(MessageDraft(draft.text, draft.token, 0, preview_of(viewer, board_obj, draft)))

    def act() -> Success:
        text, token = draft.text, draft.token
        message = write_message(viewer=viewer, board=board_obj, text=text, token=token, now=now, topic=topic)
        drop_unsent(viewer=viewer, place=place, form=token, now=now)
        return to_message(slug, board, message.number)

    return handle_form(request, partial(page, draft), act)


@require_POST
def preview(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """The preview of a message: a fragment."""
    viewer, draft = viewer_for(request, slug), MessageDraft(request.POST.get("text", ""))
    board_obj = board_or_404(viewer, board)
    html = "" if why_not_write(viewer, board_obj)[0] else preview_of(viewer, board_obj, draft)
    return render(request, "boards/_preview.html", {"html": html})


@require_safe
def message(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: Redirect to a message on its page of the board."""
    viewer = viewer_for(request, slug)
    board_obj = board_or_log_in(request, viewer, board)
    if isinstance(board_obj, HttpResponse):
        return board_obj
    row = message_or_404(viewer, board_obj, number).row
    page = page_of(viewer, board_obj, row, timezone.now())
    return redirect(f"{address_of(slug, board, row.topic)}?page={page}#message-{number}")


def address_of(slug: str, board: str, topic: int) -> str:
    """The address of a topic's page; the general talk is on its board's."""
    if topic == GENERAL:
        return reverse("board", args=[slug, board])
    return reverse("board-topic", args=[slug, board, topic])


def board_or_404(viewer: Viewer, key: str) -> Board:
    """The board with that key, if the viewer can read it. Raises Http404."""
    board = board_for(viewer, key)
    if board is None:
        raise Http404(gettext("There is no board “%(key)s” that you can read.") % {"key": key[:40]})
    return board


def board_or_log_in(request: HttpRequest, viewer: Viewer, key: str) -> Board | HttpResponse:
    """The board; anonymous users who ask for a private one are redirected to the log-in. Raises Http404."""
    if viewer.user_id is None and (key.startswith(PRESS) or (key in BOARDS and not BOARDS[key].is_public)):
        return redirect_to_login(request.get_full_path())
    return board_or_404(viewer, key)


def message_or_404(viewer: Viewer, board: Board, number: int) -> MessageView:
    """The message with that number. Raises Http404."""
    message = message_for(viewer, board, number) if number <= LARGEST else None
    if message is None:
        raise Http404(gettext("There is no message %(number)s on this board.") % {"number": number})
    return message


def preview_of(viewer: Viewer, board: Board, typed: MessageDraft) -> SafeString:
    return Readers(viewer.round, board).render(typed.text[:MAX_MESSAGE].replace("\0", "")).html


def _page(
    request: HttpRequest,
    viewer: Viewer,
    board: Board,
    topic: int,
    typed: MessageDraft,
    *,
    now: datetime,
    refused: Refused | None = None,
) -> HttpResponse:
    page = board_page(viewer, board, _asked_page(request), now, topic)
    if page is None:
        raise Http404(gettext("This board has no such page."))
    _note_as_read(request, viewer, page, now)
    topics = topics_on(viewer, board) if page.topic.is_general and not board.is_press else []
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "board": board,
        "page": page,
        "address": address_of(viewer.round.slug, board.key, topic),
        "topics": topics[:FIRST_TOPICS],
        "more_topics": len(topics) - FIRST_TOPICS,
        "place": _place(board, topic),
        "typed": typed,
        "refused": refused,
        "most": MAX_MESSAGE,
    }
    return render(request, "boards/board.html", context)


def _place(board: Board, topic: int) -> str:
    """The storage key of unsent text: the board, or its topic."""
    return f"board:{board.key}" if topic == GENERAL else f"board:{board.key}:{topic}"


def _note_as_read(request: HttpRequest, viewer: Viewer, page: BoardPage, now: datetime) -> None:
    """3.1: Mark the shown entries as read. Writes nothing if nothing changes."""
    if request.method == "GET" and viewer.user_id is not None and page.until and page.has_new:
        topic, visible = page.topic.number, page.shown
        with locking.by_the_way():
            mark_read(viewer=viewer, board=page.board, until=page.until, shown=visible, now=now, topic=topic)


def _asked_page(request: HttpRequest) -> int | None:
    value = request.GET.get("page", "")
    if not value:
        return None
    return number_of(value, 0)


@require_safe
def history(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: All texts of a message."""
    viewer = viewer_for(request, slug)
    board_obj = board_or_log_in(request, viewer, board)
    if isinstance(board_obj, HttpResponse):
        return board_obj
    message = message_or_404(viewer, board_obj, number)
    versions = history_of(viewer, board_obj, message)
    return _message_page(request, "boards/history.html", viewer, board_obj, message, versions=versions)


@get_or_post
def edit(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: Edit one's own message."""
    viewer, key = viewer_for(request, slug), f"message:{slug}:{board}:{number}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path)
    board_obj = board_or_404(viewer, board)
    message = message_or_404(viewer, board_obj, number)
    if request.method != "POST":
        unsent_text, unsent = waiting_text(request, viewer, key, f"message:{board_obj.key}:{number}")
        draft = MessageDraft(unsent_text or message.text, version=message.row.version, unsent=unsent)
        return _edit(request, viewer, board_obj, message, draft)
    draft = MessageDraft(request.POST.get("text", ""), version=number_of(request.POST.get("base_version", ""), 0))
    if request.POST.get("act") == "check":
        draft = MessageDraft(draft.text, "", draft.version, preview_of(viewer, board_obj, draft))
        return _edit(request, viewer, board_obj, message, draft)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        now_there = message_or_404(viewer, board_obj, number)
        return _edit(
            request, viewer, board_obj, now_there, MessageDraft(draft.text, version=now_there.row.version), refused
        )

    def act() -> Success:
        text, version, now = draft.text, draft.version, timezone.now()
        row = edit_message(
            viewer=viewer, board=board_obj, message=message.row, text=text, base_version=version, now=now
        )
        form = str(version) if row.version > version else ""  # the next edit from this version is another form
        drop_unsent(viewer=viewer, place=f"message:{board_obj.key}:{number}", form=form, now=now)
        return to_message(slug, board, number)

    return handle_form(request, page, act)


@get_or_post
@login_required
def withdraw(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """3.1: Withdraw one's own message."""
    viewer = viewer_for(request, slug)
    board_obj = board_or_404(viewer, board)
    message = message_or_404(viewer, board_obj, number)

    def act() -> Success:
        withdraw_message(viewer=viewer, board=board_obj, message=message.row, now=timezone.now())
        return to_message(slug, board, number)

    return handle_form(
        request, partial(_message_page, request, "boards/withdraw.html", viewer, board_obj, message), act
    )


@get_or_post
@login_required
def moderate(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """1.3: A moderator hides a message, or shows it again, with a reason."""
    viewer = viewer_for(request, slug)
    board_obj = board_or_404(viewer, board)
    message = message_or_404(viewer, board_obj, number)
    reason, shows = request.POST.get("reason", ""), request.POST.get("act") == "show"

    def act() -> Success:
        notice = moderate_message(
            viewer=viewer, board=board_obj, message=message.row, shows=shows, reason=reason, now=timezone.now()
        )
        return to_message(slug, board, number, notice)

    page = partial(_message_page, request, "boards/moderate.html", viewer, board_obj, message, reason=reason)
    return handle_form(request, page, act)


def to_message(slug: str, board: str, number: int, said: str = "") -> Success:
    """The response after a message was written or changed."""
    return Success(said, reverse("board-message", args=[slug, board, number]))


def _edit(
    request: HttpRequest,
    viewer: Viewer,
    board: Board,
    message: MessageView,
    typed: MessageDraft,
    refused: Refused | None = None,
) -> HttpResponse:
    return _message_page(
        request, "boards/edit.html", viewer, board, message, refused=refused, typed=typed, most=MAX_MESSAGE
    )


def _message_page(
    request: HttpRequest, template: str, viewer: Viewer, board: Board, message: MessageView, **more: object
) -> HttpResponse:
    return render(
        request, template, {"round": viewer.round, "viewer": viewer, "board": board, "message": message, **more}
    )


TOPICS_A_PAGE = 30


@require_safe
def topics(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """3.1: All topics of a board: pinned ones first, then by their last messages."""
    viewer = viewer_for(request, slug)
    board_obj = board_or_log_in(request, viewer, board)
    if isinstance(board_obj, HttpResponse):
        return board_obj
    page = Paginator(topics_on(viewer, board_obj), TOPICS_A_PAGE).get_page(request.GET.get("page", ""))
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "board": board_obj,
        "page": page,
        "why_not": why_not_write(viewer, board_obj)[0],
    }
    return render(request, "boards/topics.html", context)


@get_or_post
def new_topic(request: HttpRequest, slug: str, board: str) -> HttpResponse:
    """3.1: A new topic with its first message. Unsent text is restored."""
    viewer, key = viewer_for(request, slug), f"topic:{slug}:{board}"
    if not request.user.is_authenticated:
        return ask_to_log_in(request, key, request.path, also=["title"])
    board_obj = board_or_404(viewer, board)
    if board_obj.is_press:
        raise Http404(gettext("Conversations have no topics."))
    place, title = f"topic:{board_obj.key}", request.POST.get("title", "")
    draft = MessageDraft(request.POST.get("text", ""), request.POST.get("token", "") or new_token())
    if request.method != "POST":
        text, unsent = waiting_text(request, viewer, key, place)
        draft = replace(draft, text=text, unsent=unsent)
        title = request.GET.get("title", "") or draft.also("title")
    if request.POST.get("act") == "check":
        draft = replace(draft, html=preview_of(viewer, board_obj, draft))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        why_not, cites = why_not_write(viewer, board_obj)
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "board": board_obj,
            "place": place,
            "typed": draft,
            "title": title,
            "refused": refused,
            "most": MAX_MESSAGE,
            "longest": MAX_TITLE,
            "why_not": why_not,
            "cites": cites,
        }
        return render(request, "boards/topic_new.html", context)

    def act() -> Success:
        text, token, now = draft.text, draft.token, timezone.now()
        message = begin_topic(viewer=viewer, board=board_obj, title=title, text=text, token=token, now=now)
        drop_unsent(viewer=viewer, place=place, form=token, now=now)
        return to_message(slug, board, message.number)

    return handle_form(request, page, None if request.POST.get("act") == "check" else act)


@get_or_post
@login_required
def moderate_topic(request: HttpRequest, slug: str, board: str, topic: int) -> HttpResponse:
    """1.3: A moderator pins or closes a topic, or gives it another title."""
    viewer = viewer_for(request, slug)
    board_obj = board_or_404(viewer, board)
    row = topic_for(viewer, board_obj, topic) if topic <= LARGEST else None
    if row is None or row.is_general:
        raise Http404(gettext("There is no such topic on this board."))
    title = request.POST.get("title", row.title)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "board": board_obj,
            "topic": row,
            "title": title,
            "longest": MAX_TITLE,
            "may": may_moderate(viewer, board_obj),
            "refused": refused,
        }
        return render(request, "boards/topic_moderate.html", context)

    def act() -> Success:
        does = request.POST.get("act", "")
        if does not in SAID:
            raise Refused(gettext("You can pin, unpin, close, reopen or rename a topic."), "1.3")
        change_topic(
            viewer=viewer,
            board=board_obj,
            number=topic,
            now=timezone.now(),
            is_pinned={"pin": True, "unpin": False}.get(does),
            is_closed={"close": True, "open": False}.get(does),
            title=title if does == "title" else None,
        )
        return Success(gettext(SAID[does]), address_of(slug, board, topic))

    return handle_form(request, page, act)


SAID = {
    "pin": gettext_noop("The topic is pinned above the others."),
    "unpin": gettext_noop("The topic is no longer pinned."),
    "close": gettext_noop("The topic is closed."),
    "open": gettext_noop("The topic is open again."),
    "title": gettext_noop("The topic has a new title."),
}
