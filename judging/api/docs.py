"""The documentation, and the answer to addresses that do not exist."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.cache import cache_page
from django.views.decorators.http import conditional_page
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing

KEPT = 600
"""Seconds for which the schema is kept: making it takes half a second."""

_SCHEMA = cache_page(KEPT)(SpectacularAPIView.as_view(authentication_classes=()))


@conditional_page
def schema(request: HttpRequest) -> HttpResponse:
    """The schema: its descriptions are for programmers, in English, whoever asks."""
    with translation.override("en"):
        found: Any = _SCHEMA(request)
        found.render()
    return HttpResponse(found.content, status=found.status_code, headers=found.headers)


class Docs(SpectacularSwaggerSplitView):
    """The schema as a page to try things on: its script is an own address, as inline scripts are not allowed."""

    url_name = "api-schema"
    template_name = "api/docs.html"


@extend_schema(exclude=True)
class NoAddress(ApiView):
    """Whatever else is asked for below the API."""

    permission_classes = ()

    def get(self, request: Request) -> Response:
        raise Missing(gettext("There is no such address in the API. /api/docs/ lists those that there are."))

    post = put = patch = delete = get
