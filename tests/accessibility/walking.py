"""A browser that goes to all chosen pages, each as its viewer."""

from collections.abc import Callable, Iterable, Iterator

from playwright.sync_api import BrowserContext, Page
from pytest_django.live_server_helper import LiveServer

from tests.accessibility.choosing import Place
from tests.accessibility.finding import WIDE, Finding, findings
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of

NewContext = Callable[..., BrowserContext]
Look = Callable[[Page, Place], None]
"""Somebody else who looks at each page before axe does."""


def found_on(
    places: Iterable[Place], scene: Scene, server: LiveServer, new_context: NewContext, look: Look | None = None
) -> Iterator[Finding]:
    """What is wrong with these pages."""
    context = new_context(base_url=server.url, reduced_motion="reduce")
    page, viewer = context.new_page(), ""
    for place in places:
        if place.viewer != viewer:
            viewer = place.viewer
            context.clear_cookies()
            log_in(context, viewer, scene, server)
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.set_viewport_size(WIDE)
        response = page.goto(place.address)
        assert response is not None
        assert response.status == place.status, f"{place}: {response.status}"
        if look:
            look(page, place)
        yield from findings(page, str(place))


def log_in(context: BrowserContext, viewer: str, scene: Scene, server: LiveServer) -> None:
    """By the session alone; anonymous visitors have none."""
    cookie = client_of(viewer, scene).cookies.get("sessionid")
    if cookie:
        context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": server.url}])


def told(found: Iterable[Finding]) -> str:
    """The findings, one a line."""
    return "\n".join(["", *map(str, found)])
