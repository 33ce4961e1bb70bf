"""What a strict policy forbids in a page: scripts and styles that stand in it."""

import re
from html.parser import HTMLParser

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
