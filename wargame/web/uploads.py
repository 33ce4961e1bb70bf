"""Limits of forms: only administrators, who import whole rounds, may send more than texts."""

from typing import Any

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadhandler import FileUploadHandler
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.views import defaults

from wargame.rules.core.saying import grouped

LARGEST_UPLOAD = 30_000_000
"""Bytes of a form with a file; larger files are imported by the command."""

OVERHEAD = 100_000
"""Bytes of the rest of such a form."""


class LimitedUpload(FileUploadHandler):
    """The first of the upload handlers: it refuses oversized files before any part of them is stored.

    Django's own limit, DATA_UPLOAD_MAX_MEMORY_SIZE, counts no files.
    """

    def handle_raw_input(self, input_data: Any, META: dict[str, Any], content_length: int, *args: object) -> None:
        user = getattr(self.request, "user", None)
        is_administrator = bool(user and user.is_active and user.is_superuser)
        most = LARGEST_UPLOAD + OVERHEAD if is_administrator else settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if most is not None and content_length > most:
            sentence = gettext("The form has %(number)s bytes; the limit is %(most)s.")
            raise RequestDataTooBig(sentence % {"number": grouped(content_length), "most": grouped(most)})

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """The page for an unreadable request: 413 if it is too large, else 400."""
    response = defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        response.status_code = 413
    return response
