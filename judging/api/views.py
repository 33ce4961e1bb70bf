"""The entry point of the API, its documentation, and the answer to unknown addresses."""

from functools import cache

from django.http import HttpResponse
from django.urls import reverse
from django.utils import translation
from django.utils.decorators import method_decorator
from django.utils.translation import gettext
from django.views.decorators.http import conditional_page
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import Body
from judging.common.rounds import current_turn, running_round


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


class IndexOut(Body):
    """Addresses. Those of the running round are null if no round is running."""

    rounds = serializers.URLField(help_text="All rounds.")
    docs = serializers.URLField(help_text="This description as a page.")
    schema = serializers.URLField(help_text="This description as OpenAPI.")
    round = serializers.URLField(allow_null=True, help_text="The running round.")
    map = serializers.URLField(allow_null=True, help_text="Its map.")
    armies = serializers.URLField(allow_null=True, help_text="Its armies.")
    control = serializers.URLField(allow_null=True, help_text="Its control list.")
    turns = serializers.URLField(allow_null=True, help_text="Its turns.")
    results = serializers.URLField(allow_null=True, help_text="Its battle results.")
    posts = serializers.URLField(allow_null=True, help_text="The Orders thread of the current turn; post here.")
    battles = serializers.URLField(allow_null=True, help_text="The battles of the current turn.")


OF_ALL = {"rounds": "api-rounds", "docs": "api-docs", "schema": "api-schema"}
OF_A_ROUND = {name: f"api-{name}" for name in ("round", "map", "armies", "control", "turns", "results")}
OF_A_TURN = {name: f"api-{name}" for name in ("posts", "battles")}


class Index(ApiView):
    """The addresses to go on from."""

    @describe(
        "index_read",
        "rounds",
        "List the main addresses of the API",
        out=IndexOut,
        problems=(),
        description="Round addresses are for the running round and its current turn; null if no round is running.",
    )
    def get(self, request: Request) -> Response:
        round_ = running_round(request.user)
        turn = current_turn(round_) if round_ else None
        links: dict[str, str | None] = dict.fromkeys((*OF_A_ROUND, *OF_A_TURN))
        links |= {name: reverse(address) for name, address in OF_ALL.items()}
        if round_:
            links |= {name: reverse(address, args=[round_.slug]) for name, address in OF_A_ROUND.items()}
        if round_ and turn:
            links |= {name: reverse(address, args=[round_.slug, turn.number]) for name, address in OF_A_TURN.items()}
        whole = {name: path and request.build_absolute_uri(path) for name, path in links.items()}
        return Response(IndexOut(whole).data)
