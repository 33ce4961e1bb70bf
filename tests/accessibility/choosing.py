"""Which pages are looked at: each address of the service once, as the viewer to whom it shows the most.

The addresses are the URLconf's, so a new page is looked at by itself. One that nobody may open in the round of a test
must be named by that test, with the reason.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.http import HttpResponse, HttpResponseBase
from django.test import Client

from tests.secrecy.filling import addresses
from tests.secrecy.routes import Route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import one_look

AT_THE_DESK = (("battle",), ("movement",), ("mercenary",), ("administrator",), ("anonymous",))
IN_THE_GAME = (("author", "leader", "battle"), ("movement", "administrator"), ("anonymous",))
"""Viewers who are asked, until a group may open the page; of a group, the one to whom it shows the most."""
MOST_PAGES = 3
"""How many pages of a route are tried, for the battle, the army or the message that shows the most."""
CLOSED = (403, 404)
LOG_IN = "/login/"
DESK, DESK_WITHOUT_NAME = "judge/", "judge:"


@dataclass(frozen=True)
class Place:
    """A page as one viewer sees it; `size` in bytes."""

    viewer: str
    address: str
    size: int = 0
    status: int = 200

    def __str__(self) -> str:
        return f"{self.address} as {self.viewer}"


@dataclass
class Choice:
    """The page of each route by the route's name; the routes that are no pages (forms' addresses, feeds, files), that
    lead elsewhere, and that were closed to somebody."""

    pages: dict[str, Place] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    leading: set[str] = field(default_factory=set)
    closed: set[str] = field(default_factory=set)

    @property
    def places(self) -> list[Place]:
        """Sorted by viewer."""
        return sorted(self.pages.values(), key=lambda place: (place.viewer, place.address))

    def closed_to_all(self) -> set[str]:
        return self.closed - self.others - self.leading - set(self.pages)


def chosen(scene: Scene, routes: Iterable[Route]) -> Choice:
    """The pages of these routes in this round."""
    choice, at_the_desk, in_the_game = Choice(), list[Route](), list[Route]()
    for route in routes:
        (at_the_desk if route.pattern.startswith(DESK) else in_the_game).append(route)
    for groups, theirs in ((AT_THE_DESK, at_the_desk), (IN_THE_GAME, in_the_game)):
        for group in groups:
            left = [route for route in theirs if name_of(route) not in {*choice.pages, *choice.others}]
            for viewer in group:
                _ask(viewer, scene, left, choice)
    return choice


def name_of(route: Route) -> str:
    """Its name, or its pattern where it has none."""
    return route.pattern if route.name in ("", DESK_WITHOUT_NAME) else route.name


def _ask(viewer: str, scene: Scene, routes: Iterable[Route], choice: Choice) -> None:
    """What this viewer is shown of these routes is chosen if it is more than what others were shown."""
    client = client_of(viewer, scene)
    with one_look():
        for route in routes:
            name = name_of(route)
            for place in islice(_pages(client, viewer, route, scene, choice), MOST_PAGES):
                choice.pages[name] = max(choice.pages.get(name, place), place, key=lambda each: each.size)


def _pages(client: Client, viewer: str, route: Route, scene: Scene, choice: Choice) -> Iterator[Place]:
    """The pages of a route that this viewer may open; what its other answers tell is kept in `choice`."""
    name = name_of(route)
    for address in addresses(route, scene):
        answer = client.get(address)
        if size := _size_of_page(answer):
            yield Place(viewer, address, size)
        elif answer.status_code in CLOSED or LOG_IN in answer.get("Location", ""):
            choice.closed.add(name)
        elif 300 <= answer.status_code < 400:
            choice.leading.add(name)
        else:
            choice.others.add(name)
            return


def _size_of_page(answer: HttpResponseBase) -> int:
    """In bytes; 0 for what is no whole page."""
    if not isinstance(answer, HttpResponse) or answer.status_code != 200:
        return 0
    is_whole = answer["Content-Type"].startswith("text/html") and b"<html" in answer.content
    return len(answer.content) if is_whole else 0
