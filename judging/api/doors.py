"""What people do by a form of the site, done by a program: the page's own view carries it out.

An operation names the page and the fields of its form. What was sent becomes the form; the view checks, refuses and
writes as it does for a browser, under the same eyes. Its sentence is the answer, its refusal a problem with its rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote, urlsplit

from django.contrib.messages import constants
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import Resolver404, get_resolver, resolve, reverse
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Forbidden, NotNow
from judging.api.fields import ActedOut, form_of
from judging.api.models import Scope
from judging.api.schema import BUTTON, WRITING, describe
from judging.api.scopes import may_judge
from judging.api.shapes import Body
from judging.game.acting import Misfit
from judging.game.forms import new_token

Sent = dict[str, Any]
"""What a body's serializer read of a request, or the parameters of its address, by their names."""


class PageMessage:
    """What a page says of an act, in the place of the messages of a browser's session."""

    def __init__(self) -> None:
        self.found: list[tuple[int, str]] = []

    def add(self, level: int, message: object, extra_tags: str = "") -> None:
        """Takes a message, as Django's storage of messages does."""
        self.found.append((level, str(message)))

    def __iter__(self) -> Iterator[object]:
        return iter(())

    def __len__(self) -> int:
        return 0


def door(
    name: str,
    tag: str,
    summary: str,
    page: str,
    *,
    takes: type[Body] | None = None,
    scope: str = Scope.POST,
    presses: Mapping[str, str] | None = None,
    description: str = "",
    form: Callable[[ApiView, Sent, Sent], Mapping[str, object]] | None = None,
    asks: Callable[[Sent], Mapping[str, str]] | None = None,
) -> object:
    """A method of a view: the operation `name` that sends the form of `page`.

    `takes` has the form's fields by their names; `presses` are fields that are always sent, like the button; `form`
    makes the form of what was sent and of the parameters of the address where the two differ; `asks` is what the page
    wants in its address.
    """

    def act(self: ApiView, request: Request, **where: Any) -> Response:
        if not request.user.is_authenticated:
            raise Forbidden(gettext("Log in, or send a token."), "1.6")
        given = self.read(takes, request.data) if takes else {}
        if takes and "token" in takes().get_fields() and not given.get("token"):
            given["token"] = new_token()  # whoever names no form sends another one each time
        sent = {**(form(self, given, where) if form else given), **(presses or {})}
        query = asks(given) if asks else {}
        return Response(ActedOut(carried_out(self, request, page, where, sent, query)).data)

    problems = WRITING if takes else BUTTON
    told = describe(
        name,
        tag,
        summary,
        out=ActedOut,
        takes=takes,
        problems=problems,
        description=description,
        scope=scope,
        page=page,
    )
    return told(act)


def carried_out(
    view: ApiView,
    request: Request,
    page: str,
    where: Sent,
    sent: Mapping[str, object],
    query: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """What a page's view says of a form and where it leads. Raises NotNow, or what the view raises."""
    asked = _request_of_page(request, page, sent, query or {})
    path = unquote(reverse(page, kwargs=_parameters(view, page, where)))
    asked.path = asked.path_info = path
    match = resolve(path)
    asked.resolver_match = match
    answer = match.func(asked, *match.args, **match.kwargs)
    said = getattr(asked, "_messages").found  # noqa: B009
    wrong = [message for level, message in said if level >= constants.ERROR]
    if _is_log_in(answer.get("Location", "")):
        raise Forbidden(gettext("You don't have the role for this. Nothing was saved."), "1.3")
    if answer.status_code >= 400 or wrong:
        raise NotNow(" ".join(wrong) or _why(answer))
    if answer.status_code == 200:
        raise NotNow(gettext("You can't do that here. Nothing was saved."))
    return {"said": " ".join(message for _, message in said), "next": answer.get("Location", "")}


def _is_log_in(location: str) -> bool:
    """Whether a page sends its reader to a log-in: how Django's decorators and the desk refuse."""
    return urlsplit(location).path in (reverse("login"), reverse("judge:login"), reverse("second-set-up"))


def _request_of_page(request: Request, page: str, sent: Mapping[str, object], query: Mapping[str, str]) -> HttpRequest:
    outer = request._request
    asked = HttpRequest()
    asked.META = {**outer.META, "HTTP_ACCEPT": "text/html"}
    asked.method, asked.user = "POST", request.user
    asked.COOKIES, asked.session = outer.COOKIES, outer.session
    asked.POST, asked.GET = form_of(sent), form_of(query)  # type: ignore[assignment]
    more = {"_messages": PageMessage(), "_dont_enforce_csrf_checks": True, "is_program": True, "htmx": False}
    for name, value in {**more, "without_roles": not may_judge(request)}.items():
        setattr(asked, name, value)
    return asked


def _parameters(view: ApiView, page: str, where: Sent) -> dict[str, object]:
    """What the page's address needs: of what the operation's has, with the keys of its round and turn."""
    wanted = _wanted(page)
    found = {name: value for name, value in where.items() if name in wanted}
    if "round_id" in wanted:
        found["round_id"] = view.round(where["slug"]).pk
    if "turn_id" in wanted:
        found["turn_id"] = view.turn(view.round(where["slug"]), where["number"]).pk
    return found


def _wanted(page: str) -> set[str]:
    resolver, name = get_resolver(), page
    while ":" in name:
        space, _, name = name.partition(":")
        resolver = resolver.namespace_dict[space][1]
    entries = resolver.reverse_dict.getlist(name)
    if not entries:
        raise Resolver404(page)
    return set(entries[0][0][0][1])


def _why(answer: HttpResponse) -> str:
    """Why a page did not do it, from what it shows beside the form."""
    shown = answer.context_data or {} if isinstance(answer, TemplateResponse) else {}
    form = shown.get("form")
    if errors := getattr(form, "errors", None):
        raise Misfit({name: [str(each) for each in found] for name, found in errors.items()})
    for found in (shown.get("refused"), shown.get("error"), shown.get("typed"), shown.get("withdrawing")):
        sentence = found.get("error", "") if isinstance(found, dict) else found
        if sentence and sentence is not True:
            return str(sentence)
    return gettext("You can't do this now. Nothing was saved.")
