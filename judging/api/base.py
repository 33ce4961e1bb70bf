"""What all views of the API share: throttling, the round and viewer, paging, and conditional requests (ETag, If-
Match)."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import ceil, isfinite
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import parse_etags, quote_etag
from django.utils.translation import gettext
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import MethodNotAllowed, ParseError, ValidationError
from rest_framework.pagination import LimitOffsetPagination
from rest_framework.parsers import JSONParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.throttling import BaseThrottle, SimpleRateThrottle
from rest_framework.views import APIView

from judging.api import idempotency
from judging.api.errors import Changed, Forbidden, Missing, TooLong, answer
from judging.api.fields import ActedOut
from judging.api.models import SentRequest
from judging.api.permissions import MayByToken, may_judge
from judging.api.shapes import Body
from judging.common.form_views import Success
from judging.common.forms import new_token
from judging.common.judges import may_enter
from judging.common.rounds import current_turn, round_by_slug, turn_by_number, why_no_round
from judging.common.viewer import Viewer, viewer_of
from wargame.models import Round, Turn
from wargame.rules.core.saying import grouped
from wargame.web.client_ip import network


def tag_of(content: bytes) -> str:
    """The tag of an answer: another one whenever its bytes are others."""
    return quote_etag(hashlib.sha256(content).hexdigest()[:32])


def check_unchanged(view: APIView, request: Request, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
    """Raises Changed where `If-Match` has not the tag that a GET of the same address would answer with now."""
    if_match = request.headers.get("If-Match", "")
    if not if_match:
        return
    read = getattr(view, "get", None)
    if read is None:
        raise Changed(gettext("This address has no version, so “If-Match” doesn't work here. Nothing was done."))
    answer = read(request, *args, **kwargs)
    if not isinstance(answer, Response) or "*" in parse_etags(if_match):
        return
    renderer: Any = request.accepted_renderer
    content = renderer.render(answer.data, request.accepted_media_type, view.get_renderer_context())
    if tag_of(content) not in parse_etags(if_match):
        raise Changed(gettext("This has changed since you read it. Nothing was done. Read it again."))


LARGEST_BODY = 500_000
"""Bytes of a request: twice the longest strat in the widest letters."""

WRITES = ("post", "put", "patch", "delete")

LARGEST_NUMBER = 2**31 - 1
"""The largest number that the database has for turns and rows."""


class BoundedParser(JSONParser):
    """JSON that is not nested without end, with numbers that a database can store."""

    def parse(self, *args: Any, **kwargs: Any) -> Any:
        try:
            data = super().parse(*args, **kwargs)
            if not _is_finite(data):
                raise ParseError(gettext("A number is too large."))
        except RecursionError:
            raise ParseError(gettext("The body is nested too deeply.")) from None
        return data


def _is_finite(value: object) -> bool:
    """Whether no number in it became infinite, as 1e999 does."""
    if isinstance(value, float):
        return isfinite(value)
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return all(map(_is_finite, parts))


class Pages(LimitOffsetPagination):
    """Lists come as `count`, `next`, `previous` and `results`, 100 at a time unless `limit` says otherwise."""

    default_limit = 100
    max_limit = 200

    def get_limit(self, request: Request) -> int | None:
        """Raises ValidationError for what is no number from 1 on; more than the most gives the most."""
        _check_number(request, self.limit_query_param, 1)
        return super().get_limit(request)

    def get_offset(self, request: Request) -> int:
        """Raises ValidationError for what is no number."""
        _check_number(request, self.offset_query_param, 0)
        return super().get_offset(request)

    def get_schema_operation_parameters(self, view: object) -> list[dict[str, object]]:
        """How `limit` and `offset` are described, with their bounds."""
        limit = {"type": "integer", "minimum": 1, "maximum": LARGEST_NUMBER, "default": self.default_limit}
        offset = {"type": "integer", "minimum": 0, "maximum": LARGEST_NUMBER, "default": 0}
        return [
            _query_parameter(self.limit_query_param, limit, f"Number of results per page, at most {self.max_limit}."),
            _query_parameter(self.offset_query_param, offset, "Number of results to skip."),
        ]


PASSWORDS = "60/minute"
"""A password costs 30 ms and 19 MiB each time: at this rate one address takes 3 % of a processor."""


class BeforeLogIn(SimpleRateThrottle):
    """Counts the requests with an `Authorization` by address: those with a token by API_RATE, passwords by less."""

    rate = settings.API_RATE

    def allow_request(self, request: Request, view: APIView) -> bool:
        self.is_password = request.META.get("HTTP_AUTHORIZATION", "").lower().startswith("basic")
        if self.is_password:
            self.rate = PASSWORDS
            self.num_requests, self.duration = self.parse_rate(self.rate)
        return super().allow_request(request, view)

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """None, so never stopped, for a request without."""
        if not request.META.get("HTTP_AUTHORIZATION"):
            return None
        kind = "password" if self.is_password else "token"
        return f"throttle_before_log_in_{kind}_{network(request)}"


class ApiView(APIView):
    """A view of the API."""

    parser_classes = (BoundedParser,)
    is_shown_once = False
    largest_body = LARGEST_BODY
    takes_keys = True
    sent: SentRequest | None = None
    throttles: Sequence[BaseThrottle] = ()
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    @property
    def allowed_methods(self) -> list[str]:
        """What `Allow` says: the methods that the description names; HEAD goes with GET."""
        return [name.upper() for name in self.http_method_names if name != "head" and hasattr(self, name)]

    def get_exception_handler(self) -> Callable[[Exception, dict[str, object]], Response | None]:
        return answer

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Those of the settings that the host takes: passwords only where it allows them."""
        return [each for each in super().get_authenticators() if getattr(each, "is_taken", True)]

    def get_throttles(self) -> list[BaseThrottle]:
        """The throttles of this request. They are kept, as the answer's headers tell how much they leave."""
        throttles = super().get_throttles()
        self.throttles = [*self.throttles, *throttles]
        return throttles

    def get_permissions(self) -> list[Any]:
        """What the view asks for, and the scopes of a token, which no view can leave out."""
        return [*super().get_permissions(), MayByToken()]

    def perform_authentication(self, request: Request) -> None:
        """Who asks; how often this address has asked is counted first, so that checking costs nobody else."""
        before = BeforeLogIn()
        self.throttles = [before]
        if not before.allow_request(request, self):
            self.throttled(request, before.wait() or 0.0)
        super().perform_authentication(request)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        method = (request.method or "").lower()
        if method not in self.http_method_names or not hasattr(self, method):
            raise MethodNotAllowed(request.method or "")  # before who asks: nobody may
        super().initial(request, *args, **kwargs)
        size = request.META.get("CONTENT_LENGTH") or "0"
        if not size.isdecimal() or int(size) > self.largest_body:
            raise TooLong(
                gettext("The request has %(size)s bytes; the limit is %(most)s. Nothing was saved.")
                % {"size": size, "most": grouped(self.largest_body)}
            )
        if method not in WRITES:
            return
        check_unchanged(self, request, args, kwargs)
        self.sent = idempotency.claim_request(request, timezone.now()) if self.takes_keys else None

    def finalize_response(self, request: Request, response: Response, *args: object, **kwargs: object) -> Response:
        result = super().finalize_response(request, response, *args, **kwargs)
        if self.sent is not None:
            idempotency.keep_answer(self.sent, response, keeps=not self.is_shown_once)
        for name, value in rate_heads(self.throttles).items():
            result[name] = value
        if request.method in ("GET", "HEAD") and result.status_code == 200 and not result.has_header("ETag"):
            result.add_post_render_callback(partial(_tagged, request))
        patch_cache_control(result, private=True, no_cache=True)
        return result

    def viewer(self, slug: str) -> Viewer:
        """The viewer of the round with that slug, without their roles if their token lacks the scope `judge`. Raises
        Missing if there is none."""
        viewer = viewer_of(self.request.user, self.round(slug))
        return viewer if may_judge(self.request) else replace(viewer, roles=frozenset())

    def round(self, slug: str) -> Round:
        """The round of that slug. Raises Missing."""
        round_ = round_by_slug(slug)
        if round_ is None:
            raise Missing(why_no_round(slug))
        return round_

    def turn(self, round_: Round, number: int | None = None) -> Turn:
        """The turn of that number, or the present one. Raises Missing."""
        if number is not None and number > LARGEST_NUMBER:
            raise Missing(gettext("There is no turn with that number."))
        found = current_turn(round_) if number is None else turn_by_number(round_, number)
        if found is None:
            if number is None:
                raise Missing(gettext("The round hasn't begun."))
            raise Missing(gettext("There is no turn %(number)s yet.") % {"number": number})
        found.round = round_
        return found

    def read(self, serializer: type[BaseSerializer[Any]], data: Any) -> dict[str, Any]:
        """What was sent, checked; of a query that names a thing twice, the last. Raises ValidationError with the fields
        that are wrong: in a query, an empty one is."""
        data = data.dict() if isinstance(data, QueryDict) else data
        instance = serializer(data=data)
        instance.is_valid(raise_exception=True)
        return dict(instance.validated_data)

    def read_as_user(self, body: type[Body] | None = None) -> dict[str, Any]:
        """What was sent, by somebody who is logged in. A body that may carry an idempotency key and has none gets one
        of its own: it is another request each time. Raises Forbidden, or ValidationError with the fields."""
        if not self.request.user.is_authenticated:
            raise Forbidden(gettext("Log in, or send a token."), "1.6")
        values = self.read(body, self.request.data) if body else {}
        if body and "token" in body().get_fields() and not values.get("token"):
            values["token"] = new_token()
        return values

    def read_as_judge(self, body: type[Body] | None = None) -> dict[str, Any]:
        """1.3: `read_as_user` by somebody who may open the judges' dashboard."""
        values = self.read_as_user(body)
        if not may_enter(self.request.user):
            raise Forbidden(gettext("You don't have the role for this. Nothing was saved."), "1.3")
        return values

    def done(self, done: Success | str, next_page: str = "") -> Response:
        """The answer of an operation that does what a page's button does: its message, and the page that follows."""
        if isinstance(done, str):
            done = Success(done)
        return Response(ActedOut({"said": done.said, "next": done.to or next_page}).data)

    def page(
        self,
        rows: Sequence[Any] | QuerySet[Any],
        serializer: type[BaseSerializer[Any]],
        data: Callable[[list[Any]], list[Any]] | None = None,
    ) -> Response:
        """A part of a list, as `limit` and `offset` ask for it. `data` is made of the rows of this part alone."""
        pages = Pages()
        part = pages.paginate_queryset(rows, self.request, view=self)
        if data is not None and part is not None:
            part = data(list(part))
        return pages.get_paginated_response(serializer(part, many=True).data)


class ListView(ApiView):
    """A view whose GET gives a list; the schema shows it as `Pages` gives it."""

    pagination_class = Pages


def rate_heads(throttles: Sequence[BaseThrottle]) -> dict[str, str]:
    """How many requests there are left, of the throttle that has the fewest."""
    candidates = [each for each in throttles if isinstance(each, SimpleRateThrottle) and hasattr(each, "history")]
    if not candidates:
        return {}
    least: Any = min(candidates, key=_requests_left)
    oldest = least.history[-1] if least.history else least.now
    return {
        "RateLimit-Limit": str(least.num_requests),
        "RateLimit-Remaining": str(max(0, _requests_left(least))),
        "RateLimit-Reset": str(max(0, ceil(oldest + least.duration - least.now))),
    }


def _requests_left(throttle: Any) -> int:
    """How many requests a throttle lets through yet."""
    return int(throttle.num_requests) - len(throttle.history)


def _tagged(request: Request, response: Response) -> HttpResponse | None:
    """The answer with its tag, or 304 for a client that has it already."""
    tag = tag_of(response.rendered_content)
    response["ETag"] = tag
    answer = get_conditional_response(request._request, etag=tag, response=response)
    if answer is not None and answer is not response:
        for name in (name for name in response.headers if name.startswith("RateLimit-")):
            answer[name] = response[name]  # a 304 carries the remaining requests, too
    return answer


def _query_parameter(name: str, schema: dict[str, object], description: str) -> dict[str, object]:
    """A parameter of a query, as the description has it."""
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}


def _check_number(request: Request, name: str, least: int) -> None:
    text = request.query_params.get(name)
    if text is not None and not (text.isascii() and text.isdigit() and len(text) < 16 and int(text) >= least):
        raise ValidationError({name: [gettext("Enter a whole number, %(least)s or more.") % {"least": least}]})


def unchanged(request: HttpRequest | Request, tag: str) -> HttpResponse | None:
    """The answer 304 if the client has the version `tag` already, else None."""
    return get_conditional_response(request, etag=quote_etag(tag))
