"""A whole round as one file: what is public of it for everybody, and the taking in of files for administrators."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from judging.exchange.downloads import public_file, public_stamp
from judging.exchange.importing import import_round
from judging.exchange.public import is_shown
from judging.game.errors import Refused
from judging.game.judge import rounds_of
from judging.game.judge_site import site
from judging.game.pages import viewer_for
from wargame.web.uploads import LARGEST_UPLOAD

RETRY_SECONDS = 5


@require_safe
@gzip_page
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    """What of a round is public now, as a file."""
    viewer, now = viewer_for(request, slug), timezone.now()
    if not is_shown(viewer.round):
        raise Http404("This round is being set up; nothing of it is public yet.")
    etag = f'W/"{public_stamp(viewer.round, now)}"'
    if etag in request.headers.get("If-None-Match", ""):
        return HttpResponse(status=304, headers={"ETag": etag})
    file = public_file(viewer.round, now)
    if file is None:
        context = {"round": viewer.round, "viewer": viewer}
        response = render(request, "exchange/busy.html", context, status=503)
        response["Retry-After"] = str(RETRY_SECONDS)
        return response
    name = f"{viewer.round.slug}.json"
    answer = FileResponse(file, as_attachment=True, filename=name, content_type="application/json")
    answer["ETag"], answer["Cache-Control"] = etag, "no-cache"
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
def files(request: HttpRequest) -> HttpResponse:
    """The judges' desk: the rounds as files, and for administrators the form that takes one in."""
    user = cast(User, request.user)
    status, refused = 200, ""
    if request.method == "POST":
        if not user.is_superuser:
            raise PermissionDenied("Only an administrator takes in a round.")
        try:
            return _taken_in(request)
        except Refused as error:
            status, refused = 422, str(error)
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": "Rounds as files",
        "subtitle": None,
        "rounds": [round for round in rounds_of(user) if is_shown(round)],
        "may_import": user.is_superuser,
        "refused": refused,
        "slug": request.POST.get("slug", ""),
        "link": request.POST.get("link", ""),
        "play": request.POST.get("play", ""),
    }
    return TemplateResponse(request, "exchange/files.html", context, status=status)


def _taken_in(request: HttpRequest) -> HttpResponse:
    given = request.FILES.get("file")
    if not isinstance(given, UploadedFile) or not given.size:
        raise Refused("Choose a file that export_round wrote.")
    if given.size > LARGEST_UPLOAD:
        raise Refused(f"The file has {given.size:,} bytes; manage.py import_round takes in what is so large.")
    done = import_round(
        given.read(),
        slug=request.POST.get("slug", "").strip(),
        play=bool(request.POST.get("play")),
        link=bool(request.POST.get("link")),
    )
    made = len(done.people.made)
    told = f"{done.round} is here as “{done.round.slug}”. {made} accounts were made, to which nobody can log in yet."
    messages.success(request, told)
    return redirect("judge:files")
