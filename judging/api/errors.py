"""Errors for people: `detail` is a sentence, `cites` its rule, `code` for programs, `fields` what is wrong."""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext, ngettext
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from judging.api.shapes import problem
from judging.common.errors import Refused
from judging.common.locking import RETRY_AFTER, Busy, busy_of
from wargame.rules.core.codec import Json

PROBLEM = "application/problem+json"

NOT_FOR_THEM = ("1.3", "1.6", "5.4.1")
"""The rules that say who may do a thing at all: judges, players under their own names, controllers. A refusal of what
a field holds cites them, too, and is no question of who sent it."""


class ApiError(exceptions.APIException):
    """An error with its rule. `detail` is a sentence, `cites` a rule or ruling or empty."""

    def __init__(self, detail: str, cites: str = "") -> None:
        super().__init__(detail)
        self.cites = cites


class Forbidden(ApiError):
    """The person may not do this."""

    status_code = status.HTTP_403_FORBIDDEN
    default_code = "forbidden"


class Missing(ApiError):
    """There is nothing at this address, or nothing that the person may see."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "not_found"


class Stale(ApiError):
    """What was sent is based on something that has changed since."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "stale"


class Changed(ApiError):
    """`If-Match` names another version than the present one."""

    status_code = status.HTTP_412_PRECONDITION_FAILED
    default_code = "changed"


class NotNow(ApiError):
    """The rules or the state of the game do not allow it."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "refused"


class NotRead(ApiError):
    """R8: a text has lines that may be meant as orders and are none; `lines` has a sentence for each."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "unread"

    def __init__(self, lines: list[str]) -> None:
        sentence = ngettext(
            "We couldn't read one line as an order; `fields` says which. Nothing was saved. Fix it, or send the "
            "text again with `confirm` to post it as it is.",
            "We couldn't read %(number)s lines as orders; `fields` says which. Nothing was saved. Fix them, or "
            "send the text again with `confirm` to post them as they are.",
            len(lines),
        )
        super().__init__(sentence % {"number": len(lines)}, "R8")
        self.lines = lines


class Unavailable(ApiError):
    """Others were in the way, or there is no room; nothing was stored. `wait` becomes `Retry-After`."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "busy"
    wait = RETRY_AFTER


class Repeated(Exception):
    """A request that was carried out before, with its answer then."""

    def __init__(self, status: int, answer: object) -> None:
        super().__init__("carried out before")
        self.status, self.answer = status, answer


class TooLong(ApiError):
    """A text or a request that is longer than what is taken."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_long"


def answer(error: Exception, context: Json) -> Response | None:
    """The exception handler of the API. What it does not know is a programmer's error and goes on."""
    if isinstance(error, Repeated):
        replayed = Response(error.answer, status=error.status, headers={"Idempotency-Replayed": "true"})
        replayed.content_type = PROBLEM if error.status >= 400 else None
        return replayed
    busy = error if isinstance(error, Busy) else busy_of(error)
    if busy is not None:
        error = Unavailable(busy.sentence)
    elif isinstance(error, Refused):
        kind = Forbidden if error.cites in NOT_FOR_THEM and not error.field else NotNow
        error = kind(error.sentence, error.cites)
    elif isinstance(error, Http404):
        error = Missing(str(error) or gettext("There's nothing here."))
    elif isinstance(error, PermissionDenied):
        error = Forbidden(str(error) or gettext("You can't do this."))
    elif isinstance(error, exceptions.ParseError):
        error = exceptions.ParseError(_unread(error.__cause__ or error.__context__))
    response = exception_handler(error, context)
    if response is not None and isinstance(error, exceptions.APIException):
        response.data, response.content_type = body(error), PROBLEM
    return response


def _unread(cause: BaseException | None) -> str:
    """Why a body can't be read."""
    if line := getattr(cause, "lineno", None):
        return gettext("Line %(line)s is not valid JSON.") % {"line": line}
    return gettext("We couldn't read this as JSON: it contains an invalid character, number or word.")


def body(error: exceptions.APIException) -> Json:
    """The JSON of an error."""
    cites = getattr(error, "cites", "")
    if isinstance(error, exceptions.ValidationError):
        detail = gettext("Some values are invalid; `fields` says which.")
        return {**problem("invalid", error.status_code, detail, cites), "fields": _fields(error.detail)}
    if isinstance(error, exceptions.Throttled):
        seconds = getattr(error, "wait", None)
        message = gettext("Too many requests.")
        if seconds is not None:
            message = gettext("Too many requests. Try again in %(seconds)s seconds.") % {"seconds": int(seconds) + 1}
        return problem("throttled", error.status_code, message, cites)
    content = problem(str(error.get_codes()), error.status_code, str(error.detail), cites)
    return {**content, "fields": {"text": error.lines}} if isinstance(error, NotRead) else content


def _fields(detail: object) -> dict[str, list[str]]:
    """Sentences by the field; those of a list of things are numbered, those of none are under `request`."""
    if not isinstance(detail, dict):
        return {"request": _sentences(detail)}
    return {
        "request" if name in ("non_field_errors", "__all__") else str(name): _sentences(d) for name, d in detail.items()
    }


def _sentences(detail: object) -> list[str]:
    if isinstance(detail, dict):
        return [f"{name}: {text}" for name, inner in detail.items() for text in _sentences(inner)]
    if isinstance(detail, list):
        return [text for inner in detail for text in _sentences(inner)]
    return [str(detail)]
