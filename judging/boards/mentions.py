"""Messages on boards as HTML: Markdown in which `@` before somebody's name leads to him, and quotes of others."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from django.utils.safestring import SafeString
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.util import AtomicString

from judging.game.markup import to_html

AFTER_LINKS = 65
"""The priority by which links, code and tags are out of the way, and emphasis is not."""

_SPECIAL = re.compile(r"([\\`*_\[\]<>])")


@dataclass(frozen=True)
class Rendered:
    """A message as HTML, and whom it names, as they are called among the people, each once."""

    html: SafeString
    names: tuple[str, ...]


class Named(InlineProcessor):
    """`@Auric Thorn` as a link. In code, links and quotes nobody is named."""

    ANCESTOR_EXCLUDES = ("a", "code", "blockquote")

    def __init__(self, pattern: str, md: Markdown, people: Mapping[str, tuple[str, str]], found: list[str]) -> None:
        super().__init__(pattern, md)
        self.compiled_re = re.compile(pattern, re.IGNORECASE | re.DOTALL)
        self.people, self.found = people, found

    def handleMatch(  # type: ignore[override]
        self, m: re.Match[str], data: str
    ) -> tuple[Element, int, int]:
        name, address = self.people[m[1].casefold()]
        self.found.append(name)
        link = Element("a", {"href": address})
        link.text = AtomicString(f"@{name}")
        return link, m.start(0), m.end(0)


class Mentions(Extension):
    """`Named` as an extension of markdown. `people` are their addresses by name; `found` grows with whom it finds."""

    def __init__(self, people: Mapping[str, str]) -> None:
        super().__init__()
        self.people = {name.casefold(): (name, address) for name, address in people.items()}
        self.found: list[str] = []

    def extendMarkdown(self, md: Markdown) -> None:
        if self.people:
            names = "|".join(re.escape(name) for name in sorted(self.people, key=len, reverse=True))
            named = Named(rf"(?<![\w@])@({names})(?!\w)", md, self.people, self.found)
            md.inlinePatterns.register(named, "mentions", AFTER_LINKS)


def render(text: str, people: Mapping[str, str]) -> Rendered:
    """A message as it is shown. `people` are those who can be named with `@`, with their addresses; the longest name
    that fits counts, in capitals or not."""
    mentions = Mentions(people)
    html = to_html(text, mentions)
    return Rendered(html, tuple(dict.fromkeys(mentions.found)))


def quoted(text: str, name: str, address: str) -> str:
    """What somebody wrote, to be answered: his lines with `>` before them, without those that he quoted himself."""
    lines = text.strip("\n").split("\n")
    own = "\n".join(line for line in lines if not line.lstrip().startswith(">")).strip("\n") or "\n".join(lines)
    bare = _SPECIAL.sub(r"\\\1", name)
    head = f"> **{bare}** [wrote]({address}):\n>\n"
    return head + "\n".join(f"> {line}".rstrip() for line in own.split("\n")) + "\n\n"
