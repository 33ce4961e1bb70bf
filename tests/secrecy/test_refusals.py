"""DESIGN, who sees what, 1.3: what is sent by the wrong people is refused, changes nothing, and tells nothing."""

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any
from urllib.parse import urlencode

import pytest
import time_machine
from django.db import connection, transaction
from django.http import HttpResponseBase

from tests.secrecy import plant
from tests.secrecy.checking import leaks, told
from tests.secrecy.filling import addresses
from tests.secrecy.routes import Route, every_route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import Sight, each_address_once, one_frame, one_page_of_nothing, told_by

FORM = {
    "text": "3D > 4D", "token": "a form", "act": "send", "version": "0", "base_version": "1", "turn": "2",
    "send": "open", "name": "Mallory", "army": "Ana", "reason": "Because.", "cites": "1.3", "key": "1", "choice": "0",
    "favours": "0", "bonus": "10", "narrative": "It was mine.", "narrative_version": "1", "confirm": "yes",
    "rank": "general", "side": "coalition", "grant": "yes", "player": "1", "winner": "coalition", "kind": "order",
}  # fmt: skip
"""A form that looks like many: a page takes of it what it asks for."""

FREE = {
    *("api-admission", "api-hooks", "hooks", "own-feeds", "discord", "account-access"),
    *("boards", "join", "sign-up", "account", "password_reset", "password_reset_confirm"),
    *("board-report", "post-report", "api-reports", "blocks", "api-blocks"),
    *("api-table-message-report", "api-table-message-block"),
    *("notifications", "api-notifications-read", "notification-settings"),
}
"""What everybody who comes, or who has a log-in, may do; so he may write on the open board, report what he reads there,
block people, and decide what he is told and has read."""

OPEN_BOARD = "/boards/talk/"
OF_ADMINISTRATORS = {
    *("round-new", "judge:letters-again", "api-round-new", "api-letters-again", "api-import-round", "api-table-judge"),
    "judge:judging_cardlist_change",
}
"""1.3, 2.5, T11.4, T7.1: what an administrator does: he begins a round (`tests/pages/test_setup.py` has who else does),
has letters sent again, dismisses a table's judge, marks a list of cards as official, and so on."""

WRITES = re.compile(r'(?:INSERT INTO|UPDATE|DELETE FROM) "?(?:judging_(?!browsersession)|wargame_)')
"""Where somebody is logged in is no row of the game."""
REFUSED = {301, 302, 400, 401, 403, 404, 405, 409, 413, 415, 422}
API = "api/"
HARMLESS = ("preview", "login", "logout", "-find", "healthz", "control-check", "judge:", "unsent")
"""What shows what a text would be, what says that it keeps nothing, and what is there for whoever is not logged in."""


@pytest.mark.parametrize("viewer", ["anonymous", "outsider", "administrator"])
def test_who_neither_plays_nor_judges_changes_nothing(viewer: str, clock: time_machine.Traveller) -> None:
    """No form, and no method of the API, writes a row of the game for him; and who is not logged in is asked
    to, or refused."""
    scene = plant.at_phase("open", clock)
    wrong, admitted = [], {}
    routes = [route for route in every_route() if route.name not in FREE | OF_ADMINISTRATORS]
    for route, call, response, written in _sent(routes, viewer, scene):
        if written:
            wrong.append(f"{call}: {sorted(written)}")
        if viewer == "anonymous" and response.status_code not in REFUSED and not route.name.endswith(HARMLESS):
            admitted[call] = response.status_code
    assert wrong == []
    assert admitted == {}


def test_nobody_who_is_not_logged_in_does_what_is_for_administrators(clock: time_machine.Traveller) -> None:
    scene = plant.at_phase("open", clock)
    routes = [route for route in every_route() if route.name in OF_ADMINISTRATORS]
    assert {response.status_code for _, _, response, _ in _sent(routes, "anonymous", scene)} <= REFUSED


@pytest.mark.parametrize("viewer", ["enemy", "movement"])
def test_what_people_send_to_the_wrong_place_tells_them_nothing(viewer: str, clock: time_machine.Traveller) -> None:
    """An error message has no secret in it, and nothing is an error of the server."""
    scene = plant.at_phase("open", clock)
    sights = [
        Sight(viewer, call, marker)
        for _, call, response, _ in _sent(every_route(), viewer, scene)
        for marker in scene.found_in(told_by(response))
    ]
    assert told(leaks(sights, scene)) == ""


def _sent(
    routes: Iterable[Route], viewer: str, scene: Scene
) -> Iterator[tuple[Route, str, HttpResponseBase, set[str]]]:
    """What a viewer sends with each method, what he is answered, and the rows of the game that it writes; nothing of it
    is kept, not even that he logged out."""
    client = client_of(viewer, scene)
    cookies = client.cookies
    with one_frame(), one_page_of_nothing(), each_address_once():
        for route in routes:
            for method, address in _methods(route, scene):
                client.cookies = deepcopy(cookies)
                with transaction.atomic(), _recorded() as written:
                    response = client.generic(method, address, **_body(address))
                    transaction.set_rollback(True)
                assert response.status_code < 500, f"{method} {address} as {viewer}: {response}"
                yield route, f"{method} {address}", response, written


def _methods(route: Route, scene: Scene) -> Iterator[tuple[str, str]]:
    methods = ("POST", "PUT", "PATCH", "DELETE") if route.pattern.startswith(API) else ("POST",)
    for address in (found for found in addresses(route, scene) if OPEN_BOARD not in found):
        for method in methods:
            yield method, address


def _body(address: str) -> dict[str, Any]:
    if address.startswith(f"/{API}"):
        return {"data": json.dumps(FORM), "content_type": "application/json"}
    return {"data": urlencode(FORM), "content_type": "application/x-www-form-urlencoded"}


@contextmanager
def _recorded() -> Iterator[set[str]]:
    """The statements that write rows of the game."""
    written: set[str] = set()

    def record(execute: Any, sql: str, *arguments: Any) -> Any:
        if found := WRITES.match(sql):
            written.add(sql[: found.end() + 30])
        return execute(sql, *arguments)

    with connection.execute_wrapper(record):
        yield written
