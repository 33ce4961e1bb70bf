"""What every address of the API begins with: the round, who looks, the turn, and how lists are cut."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import quote_etag
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import ParseError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.views import APIView

from judging.api.authentication import Password
from judging.api.errors import Missing, TooLong, answer
from judging.api.scopes import MayByToken, may_judge
from judging.api.throttles import BeforeLogIn
from judging.game.rounds import current_turn, round_by_slug, turn_by_number, why_no_round
from judging.game.viewer import Viewer, viewer_of
from wargame.models import Round, Turn

LARGEST_BODY = 500_000
"""Bytes of a request: twice the longest strat in the widest letters."""

LARGEST_NUMBER = 2**31 - 1
"""The largest number that the database has for turns and rows."""


class BoundedParser(JSONParser):
    """JSON that is not nested without end."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().parse(*args, **kwargs)
        except RecursionError:
            raise ParseError("The body is nested too deeply.") from None


class Pages(LimitOffsetPagination):
    """Lists come as `count`, `next`, `previous` and `results`, 100 at a time unless `limit` says otherwise."""

    default_limit = 100
    max_limit = 200


class ApiView(APIView):
    """A view of the API."""

    parser_classes = (BoundedParser,)

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return answer

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Passwords only where the host allows them."""
        return [*super().get_authenticators(), *([Password()] if settings.API_PASSWORDS else [])]

    def get_permissions(self) -> list[Any]:
        """What the view asks for, and the scopes of a token, which no view can leave out."""
        return [*super().get_permissions(), MayByToken()]

    def perform_authentication(self, request: Request) -> None:
        """Who asks; how often this address has asked is counted first, so that checking costs nobody else."""
        before = BeforeLogIn()
        if not before.allow_request(request, self):
            self.throttled(request, before.wait() or 0.0)
        super().perform_authentication(request)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        size = request.META.get("CONTENT_LENGTH") or "0"
        if not size.isdecimal() or int(size) > LARGEST_BODY:
            raise TooLong(f"The request has {size} bytes; {LARGEST_BODY:,} is the limit. Nothing was stored.")

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        done = super().finalize_response(request, response, *args, **kwargs)
        patch_cache_control(done, private=True, no_cache=True)
        return done

    def viewer(self, slug: str) -> Viewer:
        """Who looks at the round of that slug, without his roles if his token has not the scope `judge`. Raises
        Missing if there is none."""
        viewer = viewer_of(self.request.user, self.round(slug))
        return viewer if may_judge(self.request) else replace(viewer, roles=frozenset())

    def round(self, slug: str) -> Round:
        """The round of that slug. Raises Missing."""
        found = round_by_slug(slug)
        if found is None:
            raise Missing(why_no_round(slug))
        return found

    def turn(self, round_: Round, number: int | None = None) -> Turn:
        """The turn of that number, or the present one. Raises Missing."""
        if number is not None and number > LARGEST_NUMBER:
            raise Missing("There is no turn of that number.")
        found = current_turn(round_) if number is None else turn_by_number(round_, number)
        if found is None:
            raise Missing("The round has not begun." if number is None else f"There is no turn {number} yet.")
        found.round = round_
        return found

    def read(self, serializer: type[BaseSerializer[Any]], data: Any) -> dict[str, Any]:
        """What was sent, checked. Raises ValidationError with the fields that are wrong."""
        given = serializer(data=data)
        given.is_valid(raise_exception=True)
        return dict(given.validated_data)

    def page(self, rows: Sequence[Any], serializer: type[BaseSerializer[Any]]) -> Response:
        """A part of a list, as `limit` and `offset` ask for it."""
        pages = Pages()
        part = pages.paginate_queryset(rows, self.request, view=self)
        return pages.get_paginated_response(serializer(part, many=True).data)


class ListView(ApiView):
    """A view whose GET gives a list; the schema shows it as `Pages` gives it."""

    pagination_class = Pages


def unchanged(request: HttpRequest | Request, tag: str) -> HttpResponse | None:
    """The answer 304 if the client has the version `tag` already, else None."""
    return get_conditional_response(request, etag=quote_etag(tag))
