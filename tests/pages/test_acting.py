"""The base of pages that ask, act or refuse: which page follows, with which status, message and place."""

from typing import Any, NoReturn

import pytest
from django import forms
from django.contrib import messages
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.sessions.backends.signed_cookies import SessionStore
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory

from judging.common.errors import Refused
from judging.common.form_views import Act, ActionView, Success, get_or_post, handle_button, handle_form, number_of


class Named(forms.Form):
    name = forms.CharField()


def page(*, refused: Refused | None = None) -> HttpResponse:
    return HttpResponse(f"the page: {refused}")


def page_of_its_own_status(*, refused: Refused | None = None) -> HttpResponse:
    return HttpResponse("gone", status=410)


def saved() -> str:
    return "Saved."


def refuses() -> NoReturn:
    raise Refused("It is too late.", "R4")


def never() -> NoReturn:
    raise AssertionError("this must not be done")


def sent(method: str = "POST", **typed: str) -> HttpRequest:
    request = RequestFactory().generic(method, "/here/")
    if method == "POST":
        request = RequestFactory().post("/here/", typed)
    request.session = SessionStore()
    setattr(request, "_messages", FallbackStorage(request))  # noqa: B010
    return request


def said(request: HttpRequest) -> list[tuple[int, str]]:
    return [(message.level, message.message) for message in messages.get_messages(request)]


@pytest.mark.parametrize("method", ["GET", "HEAD"])
def test_a_page_that_is_looked_at_does_nothing(method: str) -> None:
    request = sent(method)
    response = handle_form(request, page, never)
    assert response.status_code == 200
    assert response.content == b"the page: None"
    assert said(request) == []


def test_a_button_that_only_looks_shows_the_page() -> None:
    assert handle_form(sent(), page, None).status_code == 200


def test_an_act_is_told_on_the_page_that_asked() -> None:
    request = sent()
    response = handle_form(request, page, saved)
    assert (response.status_code, response["Location"]) == (302, "/here/")
    assert said(request) == [(messages.SUCCESS, "Saved.")]


def test_an_act_leads_where_it_says_at_its_own_level() -> None:
    request = sent()
    response = handle_form(request, page, lambda: Success("Look again.", "/there/", messages.WARNING))
    assert response["Location"] == "/there/"
    assert said(request) == [(messages.WARNING, "Look again.")]


def test_an_act_without_words_says_nothing() -> None:
    request = sent()
    assert handle_form(request, page, Success).status_code == 302
    assert said(request) == []


@pytest.mark.parametrize("status", [400, 409, 422])
def test_a_refusal_is_on_the_page_with_the_status_of_that_page(status: int) -> None:
    request = sent()
    response = handle_form(request, page, refuses, status=status)
    assert (response.status_code, response.content) == (status, b"the page: It is too late. (R4)")
    assert said(request) == []


def test_a_page_keeps_the_status_that_it_chose_itself() -> None:
    assert handle_form(sent(), page_of_its_own_status, refuses).status_code == 410


def test_a_form_with_faults_is_shown_again_and_nothing_is_done() -> None:
    assert handle_form(sent(), page, never, form=Named({})).status_code == 422


def test_a_form_that_was_kept_through_the_log_in_shows_its_faults_too() -> None:
    assert handle_form(sent("GET"), page, never, form=Named({})).status_code == 422


def test_a_form_that_is_valid_is_acted_on() -> None:
    assert handle_form(sent(), page, saved, form=Named({"name": "Akroma"})).status_code == 302


def test_a_button_beside_an_unbound_form_acts() -> None:
    assert handle_form(sent(), page, saved, form=Named()).status_code == 302


def test_other_faults_are_not_swallowed() -> None:
    def breaks() -> str:
        raise KeyError("army")

    with pytest.raises(KeyError):
        handle_form(sent(), page, breaks)


@pytest.mark.parametrize(
    ("act", "place", "words"),
    [
        (saved, "/list/", (messages.SUCCESS, "Saved.")),
        (refuses, "/list/", (messages.ERROR, "It is too late. (R4)")),
        (lambda: Success("Made.", "/made/"), "/made/", (messages.SUCCESS, "Made.")),
    ],
)
def test_a_button_without_a_page_tells_in_a_message(act: Act, place: str, words: tuple[int, str]) -> None:
    request = sent()
    response = handle_button(request, act, "/list/")
    assert (response.status_code, response["Location"]) == (302, place)
    assert said(request) == [words]


def test_a_button_leads_back_to_its_own_address_where_no_place_is_given() -> None:
    assert handle_button(sent(), refuses)["Location"] == "/here/"


def test_a_page_is_asked_or_acted_on_and_nothing_else() -> None:
    view = get_or_post(page_view)
    assert [view(sent(method)).status_code for method in ("GET", "HEAD", "POST")] == [200, 200, 200]
    assert view(sent("DELETE")).status_code == 405


def page_view(request: HttpRequest) -> HttpResponse:
    return page()


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("12", 12), ("9" * 15, 10**15 - 1), ("9" * 16, -1), ("", -1), ("-1", -1), ("١", -1), ("²", -1)],
)
def test_a_damaged_number_is_one_that_nothing_has(text: str, number: int) -> None:
    assert number_of(text) == number


def test_a_damaged_number_may_be_another_one() -> None:
    assert number_of("x", 0) == 0


class NamingPage(ActionView):
    """What the template is given is the body, since these tests have no template of their own."""

    template = "setup/_field.html"
    refused_status = 409
    form: Named

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.form = Named(request.POST if request.method == "POST" else None)
        self.asked_for: list[Refused | None] = []

    @property
    def only_looks(self) -> bool:
        return self.request.POST.get("act") == "check"

    def context(self) -> dict[str, Any]:
        self.asked_for.append(self.refused)
        return {"field": self.form["name"]}

    def act(self) -> str:
        if self.form.cleaned_data["name"] == "Nobody":
            raise Refused("Nobody is no name.")
        return "Named."


@pytest.mark.parametrize(
    ("method", "typed", "status"),
    [
        ("GET", {}, 200),
        ("POST", {}, 422),
        ("POST", {"name": "Akroma"}, 302),
        ("POST", {"name": "Akroma", "act": "check"}, 200),
        ("POST", {"name": "Nobody"}, 409),
    ],
)
def test_a_page_as_an_object_is_answered_in_the_same_way(method: str, typed: dict[str, str], status: int) -> None:
    page = NamingPage(sent(method, **typed))
    assert page.answer().status_code == status
    assert len(page.asked_for) == (0 if status == 302 else 1)


def test_a_page_as_an_object_knows_its_refusal_and_keeps_what_was_typed() -> None:
    page = NamingPage(sent(name="Nobody"))
    assert b"Nobody" in page.answer().content
    assert [str(refused) for refused in page.asked_for] == ["Nobody is no name."]


def test_a_page_that_only_shows_something_refuses_every_act() -> None:
    with pytest.raises(Refused):
        ActionView(sent()).act()
