"""Every viewer goes to every address; what he finds that the table does not allow is a leak."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.conf import urls
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.test import Client
from django.urls import ResolverMatch, URLResolver, get_resolver
from django.utils.module_loading import import_string
from django.views.defaults import page_not_found, permission_denied

from judging.common import request_cache
from tests.secrecy.filling import addresses
from tests.secrecy.pages import FRAGMENTS, QUERIES, STEADY
from tests.secrecy.routes import Route, every_route
from tests.secrecy.scene import Marker, Scene
from tests.secrecy.viewers import client_of, viewers_of

WHOLE = ("planned", "raised", "open", "over")
"""The phases in which the pages are walked that no stage of a turn changes."""

FRAME = (
    *(
        "judging.context_processors.unread",
        "judging.context_processors.waiting_votes",
        "judging.context_processors.current_turn",
    ),
    *(
        "judging.context_processors.bell_of",
        "judging.context_processors.bell_now",
        "judging.context_processors.waiting_lately",
    ),
    *("judging.context_processors.running_round", "judging.context_processors.head_of"),
    *("judging.common.shortcuts.viewer_of", "judging.common.shortcuts.round_by_slug", "judging.api.base.round_by_slug"),
)
"""What every page asks for its frame, with the same answer for all pages that one viewer opens in a world."""

WHO_LOOKS = ("django.contrib.auth.get_user", "judging.common.judges.may_enter")
"""Who looks, and whether the desk is open to him: the same for all pages that he only reads."""

READ_BY_MANY = (
    *(f"judging.battles.{module}.battle_view" for module in ("views", "api", "strats.views")),
    *(f"judging.battles.desk.{module}.sheet_of" for module in ("views", "api")),
    *("judging.mercenaries.desk.sheet_of", "judging.sharing.views.battle_view"),
    *(f"judging.turns.posts.{module}.post_of" for module in ("views", "api")),
    *(f"judging.tables.{module}.table_called" for module in ("views", "api.base")),
    *(f"judging.tables.{module}.table_view" for module in ("views", "api.base", "history_views", "agreement_views")),
    *("judging.boards.report_views.post_of", "judging.battles.desk.sheet.battle_of"),
)
"""What several pages of one thing read, each with the same arguments: a page asks it by this name."""


@dataclass(frozen=True)
class Sight:
    """A marker that a viewer saw, and where."""

    viewer: str
    address: str
    marker: Marker

    def __str__(self) -> str:
        return f"{self.viewer} saw {self.marker.kind} of {self.marker.author or 'nobody'} at {self.address}"


def every_address(scene: Scene, routes: Iterable[Route] | None = None) -> Iterator[tuple[str, bool]]:
    """Each address of the world with its queries, and whether it is asked for as htmx asks for a fragment."""
    for route in routes or every_route():
        if route.pattern.startswith(STEADY) and scene.phase not in WHOLE:
            continue
        for address in addresses(route, scene):
            yield address, False
            if route.name in FRAGMENTS:
                yield address, True
            for query in QUERIES.get(route.name, ()):
                yield f"{address}?{query}", False


def every_page(scene: Scene) -> Iterator[tuple[str, str]]:
    """Viewers and the addresses of the whole HTML pages that they may open."""
    for viewer in viewers_of(scene):
        client = client_of(viewer, scene)
        for address, is_fragment in every_address(scene):
            if not is_fragment:
                response = client.get(address)
                if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
                    yield viewer, address


def answers_to(viewer: str, scene: Scene, places: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, HttpResponseBase]]:
    """What a viewer is answered at these places, with their addresses."""
    client = client_of(viewer, scene)
    with one_look():
        for address, is_fragment in places:
            response = visit(client, address, is_fragment)
            is_well = response.status_code < 500 or address == "/healthz"
            assert is_well, f"{viewer} at {address}: {response}"
            yield address, response


def sights_of(viewer: str, scene: Scene, places: Iterable[tuple[str, bool]]) -> Iterator[Sight]:
    """All markers that a viewer sees at these places."""
    for address, response in answers_to(viewer, scene, places):
        yield from sights_in(response, viewer, scene, address)


def sights_in(response: HttpResponseBase, viewer: str, scene: Scene, address: str) -> Iterator[Sight]:
    """All markers that stand in an answer."""
    for marker in scene.found_in(told_by(response)):
        yield Sight(viewer, address, marker)


@contextmanager
def one_look() -> Iterator[None]:
    """One viewer reads and sends nothing: who he is need not be asked again for each page, and what a page asks once
    for all of its parts (`judging.common.request_cache`) is asked once for all pages."""
    frame = one_frame((*FRAME, *WHO_LOOKS))
    with frame, _one_reading(), one_page_of_nothing(), _one_memory(), each_address_once():
        yield


_resolved: dict[str, ResolverMatch] = {}
_written: dict[Hashable, str] = {}
"""Addresses as the URLconf reads and writes them, which says the same to everybody and at all times."""


@contextmanager
def each_address_once() -> Iterator[None]:
    """Whose address is whose is looked up in the URLconf once, and so is how an address is written."""
    root = get_resolver()
    read, write = root.resolve, URLResolver._reverse_with_prefix

    def resolve(path: str) -> ResolverMatch:
        if path not in _resolved:
            _resolved[path] = read(path)
        return _resolved[path]

    def reverse(resolver: URLResolver, view: Any, prefix: str, *args: Any, **given: Any) -> str:
        told = [(name, type(value), str(value)) for name, value in (*enumerate(args), *given.items())]
        key = resolver, view, prefix, *told
        if key not in _written:
            _written[key] = write(resolver, view, prefix, *args, **given)
        return _written[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(root, "resolve", resolve)
        patch.setattr(URLResolver, "_reverse_with_prefix", reverse)
        yield


@contextmanager
def _one_memory() -> Iterator[None]:
    """What `once` keeps does not end with a request, nor is a session read anew before it is written."""
    sessions: dict[str, Session | None] = {}
    read, write = SessionStore._get_session_from_db, SessionStore.save

    def read_once(store: SessionStore) -> Session | None:
        if store.session_key not in sessions:
            sessions[store.session_key] = read(store)
        return sessions[store.session_key]

    def save(store: SessionStore, must_create: bool = False) -> None:
        sessions.clear()
        write(store, must_create)

    kept = request_cache._kept.set({})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            request_cache.RequestCacheMiddleware,
            "__call__",
            lambda middleware, request: middleware.get_response(request),
        )
        patch.setattr(SessionStore, "_get_session_from_db", read_once)
        patch.setattr(SessionStore, "save", save)
        try:
            yield
        finally:
            request_cache._kept.reset(kept)


@contextmanager
def _one_reading() -> Iterator[None]:
    """What the pages of one battle, post or table read alike is read for the first of them."""
    answers: dict[Hashable, Any] = {}
    with pytest.MonkeyPatch.context() as patch:
        for name in READ_BY_MANY:
            patch.setattr(name, _once_for_each(import_string(name), answers))
        yield


def _once_for_each(read: Callable[..., Any], answers: dict[Hashable, Any]) -> Callable[..., Any]:
    def once(*arguments: Any, **named: Any) -> Any:
        key = (read, arguments, *sorted(named.items()))
        if key not in answers:
            answers[key] = read(*arguments, **named)
        return answers[key]

    return once


@contextmanager
def one_page_of_nothing() -> Iterator[None]:
    """The pages that say that nothing is here, or that it is somebody else's, are the same wherever a viewer meets
    them, but for the reason that they give: each is laid out once for each reason."""
    pages: dict[tuple[int, str], bytes] = {}

    def laid_out(status: int, lay_out: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
        def once(request: HttpRequest, exception: Exception) -> HttpResponse:
            key = status, str(exception)
            if key not in pages:
                pages[key] = lay_out(request, exception).content
            return HttpResponse(pages[key], status=status)

        return once

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urls, "handler403", laid_out(403, permission_denied))
        patch.setattr(urls, "handler404", laid_out(404, page_not_found))
        yield


@contextmanager
def one_frame(names: Iterable[str] = FRAME) -> Iterator[None]:
    """The frame of the pages, which is the same on all that a viewer sees, is worked out for the first one alone."""
    with pytest.MonkeyPatch.context() as patch:
        for name in names:
            patch.setattr(name, _once(import_string(name)))
        yield


def _once(work_out: Callable[..., Any]) -> Callable[..., Any]:
    kept: list[Any] = []

    def once(*arguments: Any, **named: Any) -> Any:
        if not kept:
            kept.append(work_out(*arguments, **named))
        return kept[0]

    return once


def visit(client: Client, address: str, is_fragment: bool) -> HttpResponseBase:
    headers = {"HX-Request": "true"} if is_fragment else {}
    return client.get(address, headers=headers)


def told_by(response: HttpResponseBase) -> str:
    """All that an answer says: its status line's reason, its headers and its body."""
    headers = response.serialize_headers().decode("latin-1")
    return f"{response.reason_phrase} {headers} {body_of(response)}"


def body_of(response: HttpResponseBase) -> str:
    """An answer's body; one that comes piece by piece can be read again, too."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if response.streaming:
        response.streaming_content = [body]
    return body.decode("utf-8", "replace")
