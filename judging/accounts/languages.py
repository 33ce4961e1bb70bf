"""1.6: the language in which a person is written to (docs/develop/decisions/13-languages.md).

Pages follow their browser's cookie; letters and push have none, so an account knows its owner's language. It is what he
chose last by the footer's button; until he chose one, what he was spoken to in when he signed up or first logged in.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.auth.signals import user_logged_in
from django.http import HttpRequest
from django.utils import translation

from judging.accounts.reads import language_chosen
from judging.accounts.writes import choose_language
from wargame.web import languages


def watch() -> None:
    """Hears of every log-in."""
    user_logged_in.connect(_logged_in, dispatch_uid="judging.accounts.languages")


def _logged_in(request: HttpRequest | None = None, user: AbstractBaseUser | None = None, **_: object) -> None:
    """A browser that has no language yet speaks its owner's; an account that has none takes the browser's."""
    if request is None or not isinstance(user, User) or not languages.is_choice():
        return
    known = language_chosen(user)
    if not known:
        choose_language(user=user, code=translation.get_language() or "")
    elif settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
        languages.keep(request, known)
