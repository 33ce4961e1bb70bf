"""Forms sent empty on purpose: what a refusal shows must be readable too."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from django.urls import Resolver404, resolve
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from tests.accessibility.choosing import Place
from tests.accessibility.finding import AXE, EVERYTHING, OPEN_ALL, WIDE, Finding, found_by_axe
from tests.accessibility.walking import NewContext, log_in
from tests.secrecy.scene import Scene

REFUSED = (400, 403, 409, 422)
FORMS = """() => [...document.forms].map((form, place) => ({
    place,
    action: new URL(form.getAttribute("action") || "", location.href).pathname,
    isTyped: form.method === "post" && form.querySelector("textarea, input[type=text], input:not([type])") !== null,
})).filter((form) => form.isTyped)"""
SEND_EMPTY = """(place) => {
    const form = document.forms[place];
    for (const each of form.querySelectorAll("textarea, input[type=text], input:not([type]), input[type=number]"))
        each.value = "";
    const button = form.querySelector("button[name]");
    if (button) {
        const named = Object.assign(document.createElement("input"), {type: "hidden"});
        [named.name, named.value] = [button.name, button.value];
        form.append(named);
    }
    HTMLFormElement.prototype.submit.call(form);
}"""
"""By the form's own method, so that neither the browser's checks nor a script keep it back."""


Forms = dict[Place, list[dict[str, str]]]
"""The forms of pages in which something is typed, with their place on the page and their address."""


def found_when_refused(
    forms: Mapping[Place, list[dict[str, str]]],
    scene: Scene,
    server: LiveServer,
    new_context: NewContext,
    refused: set[str],
) -> Iterator[Finding]:
    """What is wrong with the answers to forms that lack what they ask for, each form once; the names of the addresses
    that refused one are added to `refused`. What such a form does all the same is done to the round of the test."""
    context = new_context(base_url=server.url, reduced_motion="reduce")
    page, sent = context.new_page(), set[str]()
    page.set_viewport_size(WIDE)
    for place, there in forms.items():
        context.clear_cookies()
        log_in(context, place.viewer, scene, server)
        for form in there:
            name = _name_of(form["action"])
            if name in sent:
                continue
            sent.add(name)
            if _is_refused(page, place, name):
                refused.add(name)
                page.evaluate(OPEN_ALL)
                page.evaluate(AXE.axe_script)
                yield from found_by_axe(page, f"{form['action']} refused, as {place.viewer}", EVERYTHING)


def forms_of(page: Page) -> list[dict[str, str]]:
    """The forms of the open page."""
    forms: list[dict[str, str]] = page.evaluate(FORMS)
    return forms


def _name_of(address: str) -> str:
    """The name of the address that takes a form."""
    try:
        return resolve(urlsplit(address).path).view_name
    except Resolver404:
        return address


def _is_refused(page: Page, place: Place, name: str) -> bool:
    """Whether this page's form for that address, sent empty, is refused on a page. A form that was sent before may have
    taken it away."""
    page.goto(place.address)
    number = next((form["place"] for form in forms_of(page) if _name_of(form["action"]) == name), None)
    if number is None:
        return False
    with page.expect_navigation() as navigation:
        page.evaluate(SEND_EMPTY, number)
    response = navigation.value
    return response.status in REFUSED and response.headers.get("content-type", "").startswith("text/html")
