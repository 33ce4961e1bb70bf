"""A whole round as one file, taken in by a program."""

from typing import IO, Any

from django.utils.translation import gettext
from rest_framework import permissions, serializers
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Forbidden
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.common.judges import is_administrator
from judging.import_export.importing import import_round
from wargame.web.uploads import LARGEST_UPLOAD


class RoundFileParser(BaseParser):
    """The file to the byte: what is in it is checked where it is taken in."""

    media_type = "application/json"

    def parse(self, stream: IO[bytes], *args: object, **kwargs: object) -> dict[str, bytes]:
        return {"file": stream.read(LARGEST_UPLOAD + 1)}


class RoundFileAsks(Body):
    """How a round is taken in."""

    slug = serializers.CharField(required=False, max_length=80, help_text="Slug to use instead of the one in the file.")
    play = serializers.BooleanField(
        default=False, help_text="True: the round continues here. False: it is imported as an archive."
    )
    link = serializers.BooleanField(default=False, help_text="Whether users with the same log-ins get their seats.")


class RoundFileIn(Body):
    """A file as `manage.py export_round` writes it, of which this is the head."""

    format = serializers.CharField()
    version = serializers.IntegerField()


class TakenInOut(Body):
    """A round that was taken in."""

    slug = serializers.CharField()
    name = serializers.CharField()
    is_public = serializers.BooleanField(help_text="Whether the file had only public data.")
    accounts = serializers.ListField(
        child=serializers.CharField(), help_text="Accounts created for its people, which can't log in."
    )


class TakeIn(ApiView):
    """A round's file."""

    permission_classes = (permissions.IsAuthenticated,)
    parser_classes = (RoundFileParser,)  # type: ignore[assignment]
    largest_body = LARGEST_UPLOAD
    takes_keys = False
    writes_by = Scope.OPERATE

    @describe(
        "rounds_take_in",
        "rounds",
        "Import a round from a file made by export_round",
        out=TakenInOut,
        takes=RoundFileIn,
        asks=RoundFileAsks,
        status=201,
        problems=WRITING,
        description=f"For administrators. The body is the file, up to {LARGEST_UPLOAD:,} bytes.",
    )
    def post(self, request: Request) -> Response:
        if not is_administrator(request.user):
            raise Forbidden(gettext("Only administrators can import a round."), "1.3")
        data: Any = request.data
        options = self.read(RoundFileAsks, request.query_params)
        result = import_round(data.get("file", b""), **options)
        output: dict[str, object] = {
            "slug": result.round.slug,
            "name": result.round.name,
            "is_public": result.is_public,
        }
        output["accounts"] = result.people.made
        return Response(TakenInOut(output).data, status=201)
