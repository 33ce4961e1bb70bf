"""The policy that pages are sent with allows no script and no style in them: none has any, whoever looks."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
import time_machine

from tests.secrecy import plant
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import body_of, every_address, one_look, visit

SUSPECT = re.compile(
    r"""<style
    | <script (?![^>]*\ssrc=) (?![^>]*\stype="(?:application/json|text/plain)")
    | [\s"'/] (?:style | on\w+ | hx-on[^\s=>]*) \s*=
    | =\s*["']? (?:javascript: | data:text | [a-z:]*&(?!\#x27;|\#39;|quot;|amp;|lt;|gt;))""",
    re.IGNORECASE | re.VERBOSE,
)
"""A page without any of these has nothing inline; one with them is read tag by tag."""


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


def inline_in(html: str) -> list[str]:
    page = Inline()
    if SUSPECT.search(html):
        page.feed(html)
    return page.found


@pytest.mark.parametrize("viewer", ["author", "battle", "mercenary"])
def test_no_page_has_a_script_or_a_style_in_it(viewer: str, clock: time_machine.Traveller) -> None:
    scene = plant.at_phase("open", clock)
    client, wrong = client_of(viewer, scene), {}
    with one_look():
        for address, is_fragment in every_address(scene):
            response = visit(client, address, is_fragment)
            if response.headers["Content-Type"].startswith("text/html") and (found := inline_in(body_of(response))):
                wrong[address] = found
    assert wrong == {}


def test_what_stands_in_a_page_is_found() -> None:
    found = {
        "<p style='x'>": "<p style>",
        '<p class="x"STYLE = y>': "<p style>",
        "<style>": "<style>",
        "<script>b()</script>": "<script>",
        "<script\n type=module>b()</script>": "<script>",
        "<button hx-on:click='c()'>": "<button hx-on:click>",
        "<img/onerror=c()>": "<img onerror>",
        "<a href='JavaScript:e()'>": "<a href=JavaScript:e()>",
        "<a href='&#106;avascript:e()'>": "<a href=javascript:e()>",
        "<a href=java&#115;cript:e()>": "<a href=javascript:e()>",
        "<a href='data:text/html,e'>": "<a href=data:text/html,e>",
    }
    assert {tag: inline_in(f"<p>It stands on a page: {tag}") for tag in found} == {t: [f] for t, f in found.items()}
    assert inline_in('<script src="map.js"></script><script type="application/json">{}</script><p class="on">') == []
