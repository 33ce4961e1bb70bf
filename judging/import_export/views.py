"""A whole round as one file: its public part at one moment, for everybody, and the import of files."""

import gzip
import hashlib
import io
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import IO, Any, cast

from django.contrib.auth.models import User
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.db.models import Count, Max, QuerySet
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.accounts.throttling import Crowded, one_at_a_time
from judging.announcements.models import Notice
from judging.battles.models import Battle, Strat
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form
from judging.common.judges import is_administrator, rounds_of
from judging.common.models import LogEntry
from judging.common.rounds import current_turn
from judging.common.shortcuts import viewer_for
from judging.import_export.exporting import Public, is_shown, round_file
from judging.import_export.importing import import_round
from judging.tables.archive.importing import import_table, is_table_file
from judging.turns.models import Draft, Post, PostVersion
from wargame.models import Control, Player, Round
from wargame.models.choices import RoundState
from wargame.rules.core import clock
from wargame.rules.core.saying import grouped
from wargame.web.uploads import LARGEST_UPLOAD

KIND = "export"
IN_MEMORY = 2_000_000
"""Bytes of a file above which it is on the disk."""

TRIES = 3
"""How often a file is generated again because something changed in the meantime."""

RETRY_SECONDS = 5

KEPT_SECONDS, MOST_KEPT = 7 * 24 * 3600, 32_000_000
"""How long, and up to how many bytes, the file of a finished round is cached, packed. A larger one is generated
again each time, and never wholly in memory."""


def public_stamp(round: Round, now: datetime) -> str:
    """The ETag of the public file: it changes whenever the file does."""
    turn = current_turn(round)
    parts: list[object] = [round.pk, round.state, round.name, round.slug]
    if turn:
        versions = PostVersion.objects.filter(post__turn=turn).aggregate(last=Max("pk"))["last"]
        withdrawn = Post.objects.filter(turn=turn, withdrawn_at__isnull=False).count()
        drafts = Draft.objects.filter(turn=turn, publish_at__lte=now).values_list("digest", flat=True).first()
        battles = Battle.objects.filter(turn=turn).order_by("state").values_list("state").annotate(Count("pk"))
        strats = Strat.objects.filter(entry__battle__turn=turn).aggregate(last=Max("pk"))["last"]
        in_time = clock.is_in_time(now, turn.lock_at)
        parts += [turn.number, turn.state, turn.position_hash, turn.deadline, turn.lock_at, in_time, drafts]
        parts += [versions, withdrawn, [*battles], strats]
    parts += [_last(LogEntry.objects.filter(round=round)), _last(Notice.objects.filter(turn__round=round))]
    parts += [*Player.objects.filter(round=round).order_by("pk").values_list("name", flat=True)]
    parts += [_last(Control.objects.filter(round=round)), _last(Player.objects.filter(round=round))]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:32]


def public_file(round: Round, now: datetime) -> IO[bytes]:
    """The file, open at its start and deleted when it is closed.

    Nothing is locked in the meantime: if something changes, it is generated again.
    """
    for _ in range(TRIES):
        before = public_stamp(round, now)
        file = _written(round_file(Public(round, now)))
        if public_stamp(round, now) == before:
            break
    return file


def _written(parts: Iterable[bytes]) -> IO[bytes]:
    file = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  whoever reads it closes it
    for part in parts:
        file.write(part)
    file.seek(0)
    return file


def _last(rows: QuerySet[Any]) -> int | None:
    last: int | None = rows.aggregate(last=Max("pk"))["last"]
    return last


@require_safe
@gzip_page
def export(request: HttpRequest, slug: str) -> HttpResponseBase:
    viewer, now = viewer_for(request, slug), timezone.now()
    if not is_shown(viewer.round):
        raise Http404(gettext("This round is being set up. Nothing in it is public yet."))
    etag = f'W/"{public_stamp(viewer.round, now)}"'
    if etag in request.headers.get("If-None-Match", ""):
        return HttpResponse(status=304, headers={"ETag": etag})
    file: Packed | IO[bytes] | None = _kept_archive(etag)
    if file is None:
        try:
            with one_at_a_time(request, KIND):
                file = public_file(viewer.round, now)
        except Crowded as crowded:
            context = {"round": viewer.round, "viewer": viewer, "crowded": crowded}
            response = render(request, "exchange/busy.html", context, status=crowded.status_code)
            response["Retry-After"] = str(RETRY_SECONDS)
            return response
    if viewer.round.state == RoundState.OVER and not isinstance(file, Packed):
        file = _keep(etag, file)
    name = f"{viewer.round.slug}.json"
    answer: HttpResponseBase
    if isinstance(file, Packed) and "gzip" in request.headers.get("Accept-Encoding", ""):
        headers = {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
        answer = HttpResponse(file.packed, content_type="application/json", headers=headers)
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    else:
        plain = gzip.GzipFile(fileobj=io.BytesIO(file.packed)) if isinstance(file, Packed) else file
        answer = FileResponse(plain, as_attachment=True, filename=name, content_type="application/json")
    answer["ETag"], answer["Cache-Control"] = etag, "no-cache"
    return answer


@dataclass(frozen=True)
class Packed:
    """The gzipped file of a round that is over: generated once, and not for each request."""

    packed: bytes


def _kept_archive(etag: str) -> Packed | None:
    packed: bytes | None = cache.get(_key(etag))
    return Packed(packed) if packed else None


def _keep(etag: str, file: IO[bytes]) -> Packed | IO[bytes]:
    size = file.seek(0, io.SEEK_END)
    file.seek(0)
    if size > MOST_KEPT:
        return file
    with file:
        packed = gzip.compress(file.read(), mtime=0)
    cache.set(_key(etag), packed, KEPT_SECONDS)
    return Packed(packed)


def _key(etag: str) -> str:
    return f"export:packed:{hashlib.sha256(etag.encode()).hexdigest()[:32]}"


@get_or_post
def files(request: HttpRequest) -> HttpResponse:
    """The judges' desk: the rounds as files, and for administrators the form that imports one."""
    user = cast(User, request.user)
    if request.method == "POST" and not is_administrator(user):
        raise PermissionDenied(gettext("Only administrators can import a round."))

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context: dict[str, object] = {
            **site.each_context(request),
            "title": gettext("Rounds as files"),
            "subtitle": None,
            "rounds": [round for round in rounds_of(user) if is_shown(round)],
            "may_import": is_administrator(user),
            "refused": refused,
            "slug": request.POST.get("slug", ""),
            "link": request.POST.get("link", ""),
            "play": request.POST.get("play", ""),
        }
        return TemplateResponse(request, "exchange/files.html", context)

    return handle_form(request, page, partial(_take_in, request))


def _take_in(request: HttpRequest) -> Success:
    upload = request.FILES.get("file")
    if not isinstance(upload, UploadedFile) or not upload.size:
        raise Refused(gettext("Choose a file written by export_round."))
    if upload.size > LARGEST_UPLOAD:
        raise Refused(
            gettext("The file has %(size)s bytes. Import files this large with manage.py import_round.")
            % {"size": grouped(upload.size)}
        )
    data = upload.read()
    if is_table_file(data):
        imported_table = import_table(data, play=bool(request.POST.get("play")), link=bool(request.POST.get("link")))
        message = gettext(
            "The card table %(table)s was imported as “%(slug)s”. Accounts created: %(number)s. No one can log "
            "in to them yet."
        )
        facts = {
            "table": imported_table.table,
            "slug": imported_table.table.slug,
            "number": len(imported_table.people.made),
        }
        return Success(message % facts)
    imported_round = import_round(
        data,
        slug=request.POST.get("slug", "").strip(),
        play=bool(request.POST.get("play")),
        link=bool(request.POST.get("link")),
    )
    count = len(imported_round.people.made)
    message = gettext(
        "%(round)s was imported as “%(slug)s”. Accounts created: %(made)s. No one can log in to them yet."
    ) % {
        "round": imported_round.round,
        "slug": imported_round.round.slug,
        "made": count,
    }
    return Success(message)
