"""The language of a page: see docs/develop/decisions/13-languages.md.

Readers choose: by a cookie that the footer's buttons set, else by their browser's preference, else the site's first
language. If one language is offered, nothing of this runs and no response varies.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import trans_real

SENTENCES = 16_384
"""The number of cached sentences of a language: more than all its catalogues have."""

KEPT = "kept_language"
"""The attribute of a request in which a log-in stores the language for the browser's cookie."""


class LanguageMiddleware:
    """Middleware: the response is in its reader's language, and its Vary header says so."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        for code, *_ in settings.LANGUAGES:
            look_up_once(code)
        if not is_choice():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with translation.override(translation.get_language_from_request(request)):
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", tag())
            if code := getattr(request, KEPT, ""):
                _keep(response, code)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        return response


def look_up_once(code: str) -> None:
    """Look each sentence up in this language only once in a process. A page has hundreds, and Django asks the
    catalogues of all apps for each, one after another: in the language of the code, where hardly one is found, that
    took a fifteenth of the time of a page."""
    catalogue = trans_real.translation(code)
    if "gettext" not in vars(catalogue):
        catalogue.gettext = lru_cache(SENTENCES)(catalogue.gettext)  # type: ignore[method-assign]


def keep(request: HttpRequest, code: str) -> None:
    """Make the response to this request set the browser's language cookie, like the footer's button."""
    setattr(request, KEPT, code)


def _keep(response: HttpResponse, code: str) -> None:
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        code,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        path=settings.LANGUAGE_COOKIE_PATH,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )


@contextmanager
def of_the_host() -> Iterator[None]:
    """Within it, or in a function that it decorates, use the host's first language: for shared data, whoever
    requests it."""
    with translation.override(settings.LANGUAGE_CODE):
        yield


def is_choice() -> bool:
    """Whether there is more than one language."""
    return len(settings.LANGUAGES) > 1


def tag() -> str:
    """The current language in the form of HTML and HTTP: `en-GB`, `de`. It is the key for cached pages."""
    return translation.to_locale(translation.get_language() or settings.LANGUAGE_CODE).replace("_", "-")


def choices() -> list[tuple[str, str, str]]:
    """Code, tag and name, in itself, of each language that is offered."""
    return [(code, translation.to_locale(code).replace("_", "-"), name) for code, name in settings.LANGUAGES]
