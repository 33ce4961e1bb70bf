"""Pages that ask, act, or refuse: what happens between a form that is sent and the page that follows.

A view gathers what was typed and hands three things to `answer`: the request, how its page is rendered, and the act.

    def board(request: HttpRequest, slug: str) -> HttpResponse:
        viewer, text = viewer_for(request, slug), request.POST.get("text", "")

        def act() -> str:
            post(viewer=viewer, text=text, now=timezone.now())
            return "Your message is on the board."

        return answer(request, partial(_page, request, viewer, text), act)

What was typed lives in the view and in its page; `answer` only decides whether the page is shown, with which status, or
what follows it. A button that has no page of its own uses `press`; a page whose parts share much is a `FormPage`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Protocol

from django.contrib import messages
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods

from judging.common.errors import Refused
from judging.common.locking import Busy

UNPROCESSABLE = 422

get_or_post = require_http_methods(["GET", "HEAD", "POST"])
"""Decorate a view that allows GET and POST; any other method is answered with 405."""


@dataclass(frozen=True)
class Success:
    """An act that was carried out.

    `said` is the message on the next page, if not empty. `to` is the address of that page; if empty, it is the page of
    the form. `level` is one of Django's message levels.
    """

    said: str = ""
    to: str = ""
    level: int = messages.SUCCESS


Act = Callable[[], Success | str]
"""Carry out what a form asks for and return its message; raises Refused."""


class Page(Protocol):
    """Render a page with what was typed, and with the refusal if an act was refused."""

    def __call__(self, *, refused: Refused | None = None) -> HttpResponse: ...


def handle_form(
    request: HttpRequest, page: Page, act: Act | None, *, form: BaseForm | None = None, status: int = UNPROCESSABLE
) -> HttpResponse:
    """The page, or what follows an act.

    - A `form` that is bound and invalid: the page with 422; nothing is done.
    - No POST, or `act` is None because the button only changes the form: the page with 200.
    - An act that raises Refused: `page(refused=...)` with `status`; 503 if others were in its way (`locking.Busy`).
    - An act that is carried out: its message, and a redirect to where it leads.

    A page that chose another status than 200 itself keeps it. The page is rendered after the act, so that it shows the
    state after it.
    """
    if form is not None and form.is_bound and not form.is_valid():
        return _with_status(page(), UNPROCESSABLE)
    if request.method != "POST" or act is None:
        return page()
    try:
        outcome = act()
    except Refused as error:
        return _with_status(page(refused=error), error.status(status))
    return redirect_after(request, outcome)


def handle_button(request: HttpRequest, act: Act, to: str = "") -> HttpResponse:
    """Handle a button without a page of its own: `act`, then redirect to `to`, or back if it is empty.

    A refusal becomes a message there; an act can lead elsewhere by returning `Done` with a place. Raises Busy, which
    has a page of its own.
    """
    try:
        outcome = act()
    except Busy:
        raise
    except Refused as error:
        outcome = Success(str(error), level=messages.ERROR)
    return redirect_after(request, outcome, to)


def redirect_after(request: HttpRequest, done: Success | str, to: str = "") -> HttpResponse:
    """The response after an act: its message, and a redirect to its place, else to `to`, else back."""
    if isinstance(done, str):
        done = Success(done)
    if done.said:
        messages.add_message(request, done.level, done.said)
    return HttpResponseRedirect(done.to or to or request.path)


class ActionView:
    """A page with what was typed, as an object that is made for one request and answers it.

    A subclass has a `template`, gathers what was typed in `__init__`, gives the template's `context`, and acts. `form`
    is its form, if Django checks one. `refused` is the refusal to show, and the template has it under that name.
    """

    template: ClassVar[str]
    refused_status: ClassVar[int] = UNPROCESSABLE
    form: BaseForm | None = None

    def __init__(self, request: HttpRequest) -> None:
        self.request = request
        self.refused: Refused | None = None

    @property
    def only_looks(self) -> bool:
        """Whether the pressed button only changes the form: the page is shown again, and nothing is done."""
        return False

    def context(self) -> Mapping[str, object]:
        """The template's own context; called after the act."""
        return {}

    def act(self) -> Success | str:
        """Carry out what was typed; raises Refused. A page that only shows something has no act."""
        raise Refused(gettext("You can't do anything on this page."))

    def answer(self, frame: Callable[[], Mapping[str, object]] = dict) -> HttpResponse:
        """The page or what follows its act. `frame` is the context that all pages of its kind share."""

        def page(*, refused: Refused | None = None) -> HttpResponse:
            self.refused = refused
            return render(self.request, self.template, {**frame(), "refused": refused, **self.context()})

        act = None if self.only_looks else self.act
        return handle_form(self.request, page, act, form=self.form, status=self.refused_status)


class FriendlyMethodNotAllowed:
    """Middleware: a button's address that is opened in a browser gets a page that leads on to the button. The answer
    stays 405."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        looks = request.method in ("GET", "HEAD") and not request.path.startswith("/api/")
        if not looks or not isinstance(response, HttpResponseNotAllowed):
            return response
        up = request.path.rstrip("/").rpartition("/")[0] + "/"
        page = render(request, "405.html", {"up": up}, status=response.status_code)
        page["Allow"] = response["Allow"]
        return page


def number_of(text: str, otherwise: int = -1) -> int:
    """A number from a form: a key or a version; `otherwise`, which matches nothing, if it is damaged.

    15 digits are the most, so that every database can look for it.
    """
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else otherwise


def _with_status(response: HttpResponse, status: int) -> HttpResponse:
    if response.status_code == 200:
        response.status_code = status
    return response
