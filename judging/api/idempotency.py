"""Requests that may be sent again: one with the same `Idempotency-Key` is answered as the first was, and done once."""

import hashlib
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.http.request import RawPostDataException
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.errors import NotNow, Repeated, Unavailable
from judging.api.models import SentRequest
from judging.common import locking

KEPT = timedelta(hours=24)
LEASE = timedelta(minutes=1)
"""How long whoever carries a request out has for it; then another one may."""

LONGEST_KEY = 80
PASSING = (429, 503)
"""Answers after which the same request is to be tried again."""


def claim_request(request: Request, now: datetime) -> SentRequest | None:
    """The row of a request with a key, if it is to be carried out; None for one without a key.

    Raises Repeated with the answer that it had, NotNow for a key that was used for another request, Unavailable while
    it is being carried out.
    """
    key = request.headers.get("Idempotency-Key", "").strip().strip('"')
    if not key or not request.user.is_authenticated:
        return None
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise NotNow(
            gettext("Idempotency-Keys can have up to %(longest_key)s printable characters.")
            % {"longest_key": LONGEST_KEY}
        )
    try:
        body = request._request.body
    except RawPostDataException:
        return None  # a form, which no address takes
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode() + body).hexdigest()
    user = User.objects.get(username=request.user.get_username())
    try:
        with locking.transaction():
            return SentRequest.objects.create(user=user, key=key, digest=digest, at=now)
    except IntegrityError:
        return _again(SentRequest.objects.get(user=user, key=key), digest, now)


def keep_answer(row: SentRequest, response: Response, *, keeps: bool) -> None:
    """Keeps the answer; `keeps` is False for one that is shown once. What passes may be tried again."""
    if response.status_code >= 500 or response.status_code in PASSING:
        row.delete()
        return
    answer: object = response.data if keeps else None
    SentRequest.objects.filter(pk=row.pk).update(status=response.status_code, answer=answer)


def prune_requests(now: datetime) -> None:
    """Answers of long ago are forgotten."""
    SentRequest.objects.filter(at__lt=now - KEPT).delete()


def _again(row: SentRequest, digest: str, now: datetime) -> SentRequest:
    if row.digest != digest:
        raise NotNow(gettext("This Idempotency-Key was already used for another request. Nothing was saved."))
    if row.status is not None:
        if row.answer is None:
            raise NotNow(gettext("This request was already carried out. Its answer is only shown once."))
        raise Repeated(row.status, row.answer)
    if not SentRequest.objects.filter(pk=row.pk, at=row.at, at__lt=now - LEASE).update(at=now):
        raise Unavailable(gettext("The same request is already being processed."))
    return row
