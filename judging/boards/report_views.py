"""1.3, 1.6: Reports to the moderators, their decisions, and blocks."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from judging.boards.models import Block
from judging.boards.reports import (
    block,
    decide_report,
    report_for,
    report_message,
    report_post,
    reported_at,
    reports_for,
    see_warnings,
    unblock,
)
from judging.boards.services import MAX_REASON
from judging.boards.views import board_or_404, message_or_404
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form, number_of
from judging.common.shortcuts import viewer_for
from judging.turns.posts.queries import post_of

REPORTED = gettext_noop("Reported. The moderators will read it and answer on the reports page.")


@get_or_post
@login_required
def of_message(request: HttpRequest, slug: str, board: str, number: int) -> HttpResponse:
    """1.3: Report a message; the form says who will read it."""
    viewer = viewer_for(request, slug)
    board_ = board_or_404(viewer, board)
    message = message_or_404(viewer, board_, number)
    reason = request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "board": board_,
            "message": message,
            "reported_at": reported_at(viewer, message.row),
            "reason": reason,
            "most": MAX_REASON,
            "refused": refused,
        }
        return render(request, "reports/report_message.html", context)

    def act() -> Success:
        report_message(viewer=viewer, board=board_, message=message.row, reason=reason, now=timezone.now())
        return Success(gettext(REPORTED), reverse("reports", args=[slug]))

    return handle_form(request, page, act)


@get_or_post
@login_required
def of_post(request: HttpRequest, slug: str, post_id: int) -> HttpResponse:
    """1.3: Report a post of the movement thread."""
    viewer, now = viewer_for(request, slug), timezone.now()
    post = post_of(post_id, viewer, now) if post_id < 2**63 else None
    if post is None:
        raise Http404(gettext("There is no such post."))
    reason = request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "post": post,
            "reason": reason,
            "most": MAX_REASON,
            "refused": refused,
        }
        return render(request, "reports/report_post.html", context)

    def act() -> Success:
        report_post(viewer=viewer, post_id=post_id, reason=reason, now=now)
        return Success(gettext(REPORTED), reverse("reports", args=[slug]))

    return handle_form(request, page, act)


@require_safe
@login_required
def reports(request: HttpRequest, slug: str) -> HttpResponse:
    """1.3: Reports that wait for the viewer, those that they sent with their outcomes, and their warnings."""
    viewer = viewer_for(request, slug)
    found = reports_for(viewer)
    if request.method == "GET" and any(view.row.author_saw_at is None for view in found.warnings):
        with locking.by_the_way():
            see_warnings(viewer=viewer, now=timezone.now())
    return render(request, "reports/reports.html", {"round": viewer.round, "viewer": viewer, "reports": found})


@get_or_post
@login_required
def report(request: HttpRequest, slug: str, report_id: int) -> HttpResponse:
    """1.3: A report as its moderators see it; a POST decides."""
    viewer = viewer_for(request, slug)
    view = report_for(viewer, report_id) if report_id < 2**63 else None
    if view is None:
        raise Http404(gettext("You have no such report."))
    reason = request.POST.get("reason", "")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "report": report_for(viewer, report_id) or view,
            "reason": reason,
            "most": MAX_REASON,
            "refused": refused,
        }
        return render(request, "reports/report.html", context)

    def act() -> Success:
        does = request.POST.get("act", "")
        decide_report(viewer=viewer, report=view.row, does=does, reason=reason, now=timezone.now())
        return Success(
            gettext("The report is decided. The person who sent it can read why."), reverse("reports", args=[slug])
        )

    return handle_form(request, page, act)


@get_or_post
@login_required
def blocks(request: HttpRequest, slug: str) -> HttpResponse:
    """1.6: The viewer's blocks; a POST blocks somebody of the round, or removes a block. `?name=Vorn` preselects
    one."""
    viewer = viewer_for(request, slug)
    name = request.POST.get("name", request.GET.get("name", ""))[:150]

    def page(*, refused: Refused | None = None) -> HttpResponse:
        rows = Block.objects.filter(user_id=viewer.user_id or 0)
        context = {"round": viewer.round, "viewer": viewer, "blocks": rows, "name": name, "refused": refused}
        return render(request, "reports/blocks.html", context)

    def act() -> str:
        if request.POST.get("act") == "unblock":
            unblock(viewer=viewer, block_id=number_of(request.POST.get("block", "")))
            return gettext("You will see their posts again.")
        row = block(viewer=viewer, name=name.replace("\0", ""), now=timezone.now())
        return gettext("You will no longer see what %(name)s writes, except orders and what they write as a judge.") % {
            "name": row.name
        }

    return handle_form(request, page, act)
