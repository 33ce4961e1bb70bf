"""The documentation, and the answer to addresses that do not exist."""

from __future__ import annotations

from functools import cache

from django.http import HttpResponse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing


@method_decorator(conditional_page, name="dispatch")
class Schema(SpectacularAPIView):
    """The schema, in YAML or JSON."""

    authentication_classes = ()

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        renderer = request.accepted_renderer
        return HttpResponse(schema_as(renderer.format), content_type=renderer.media_type)


@cache
def schema_as(format: str) -> bytes:
    """The schema in a format, which takes a second to write; kept by format alone, so that no address or header of a
    request adds to what is kept. Its descriptions are for programmers, in English."""
    renderer = OpenApiJsonRenderer() if format == OpenApiJsonRenderer.format else OpenApiYamlRenderer()
    with translation.override("en"):
        schema = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
        return renderer.render(schema, renderer_context={})


class Docs(SpectacularSwaggerSplitView):
    """The schema as a page to try things on: its script is an own address, as inline scripts are not allowed."""

    url_name = "api-schema"
    template_name = "api/docs.html"


@extend_schema(exclude=True)
class NoAddress(ApiView):
    """Whatever else is asked for below the API."""

    permission_classes = ()

    def get(self, request: Request) -> Response:
        raise Missing(gettext("The API has no such address. See /api/docs/ for the full list."))

    post = put = patch = delete = get
