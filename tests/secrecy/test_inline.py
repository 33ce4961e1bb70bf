"""The policy that pages are sent with allows no script and no style in them: none has any, whoever looks."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
import time_machine

from tests.secrecy import plant
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import body_of, every_address, one_look, visit


class Inline(HTMLParser):
    """What a strict policy forbids in a page: scripts and styles in it, and handlers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        is_data = given.get("type") in ("application/json", "text/plain")
        if tag == "style" or (tag == "script" and "src" not in given and not is_data):
            self.found.append(f"<{tag}>")
        forbidden = (name for name in given if name == "style" or name.startswith(("on", "hx-on")))
        self.found += [f"<{tag} {name}>" for name in forbidden]
        self.found += [
            f"<{tag} {n}={v}>" for n, v in attrs if (v or "").lower().startswith(("javascript:", "data:text"))
        ]


@pytest.mark.parametrize("viewer", ["author", "battle", "mercenary"])
def test_no_page_has_a_script_or_a_style_in_it(viewer: str, clock: time_machine.Traveller) -> None:
    scene = plant.at_phase("open", clock)
    client, wrong = client_of(viewer, scene), {}
    with one_look():
        for address, is_fragment in every_address(scene):
            response = visit(client, address, is_fragment)
            page = Inline()
            if response.headers["Content-Type"].startswith("text/html"):
                page.feed(body_of(response))
            if page.found:
                wrong[address] = page.found
    assert wrong == {}


def test_what_stands_in_a_page_is_found() -> None:
    page = Inline()
    page.feed(
        "<p style='x'>a</p><script>b()</script><button hx-on:click='c()'>d</button><a href='javascript:e()'>f</a>"
    )
    assert page.found == ["<p style>", "<script>", "<button hx-on:click>", "<a href=javascript:e()>"]
