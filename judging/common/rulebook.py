"""The rules and the rulings: the text cut into numbered sections, each with an anchor, and the pages that show it.

The rule text is shown word for word; only its layout (bullets, indents) is read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from judging.common.markup import document

FOLDER = Path(settings.BASE_DIR) / "fixtures" / "rules"
RULES, RULINGS = FOLDER / "coalition-wargame.txt", FOLDER / "rulings.md"

LONGEST_TITLE = 70
_NUMBERED = re.compile(r"(?P<number>\d+(?:\.\d+)+)\b[ \t]*(?P<rest>.*)")
_CHAPTER = re.compile(r"Chapter (?P<number>\d+): (?P<rest>.*)")
_REFERENCE = re.compile(r"\b(?P<rule>\d+(?:\.\d+)+)\b|\b(?P<ruling>R\d+)\b")
_TAG_OR_CODE = re.compile(r"(<pre>.*?</pre>|<code>.*?</code>|<[^>]*>)", re.DOTALL)


@dataclass(frozen=True)
class Section:
    """A numbered paragraph of the rules, `3.2.2.1`, or a chapter, `3`. `lines` are (kind, text) with the kinds `p` and
    `li`; a section whose text begins on its heading line has no title."""

    number: str
    title: str
    lines: tuple[tuple[str, SafeString], ...]

    @property
    def level(self) -> int:
        """1 for a chapter, 2 for `3.2`, and so on."""
        return self.number.count(".") + 1

    @property
    def anchor(self) -> str:
        return f"r{self.number}"


class Block(NamedTuple):
    number: str
    title: str
    lines: list[tuple[str, str]]


@dataclass(frozen=True)
class Chapter:
    """A chapter of the rules with its sections, in the book's order."""

    heading: Section
    sections: tuple[Section, ...]


@cache
def chapters() -> tuple[Chapter, ...]:
    blocks = list(_blocks(RULES.read_text(encoding="utf-8")))
    numbers = frozenset(block.number for block in blocks)
    result: list[Chapter] = []
    for number, title, lines in blocks:
        section = Section(number, title, tuple((kind, _linked(line, numbers)) for kind, line in lines))
        if section.level == 1:
            result.append(Chapter(section, ()))
        else:
            result[-1] = Chapter(result[-1].heading, (*result[-1].sections, section))
    return tuple(result)


@cache
def titles() -> dict[str, str]:
    """The title of every number that can be cited, rules and rulings alike; empty where it has none."""
    rules = {s.number: s.title for chapter in chapters() for s in (chapter.heading, *chapter.sections)}
    text = RULINGS.read_text(encoding="utf-8")
    rulings = re.findall(r"^\*\*(R\d+)\.(?: ([^*]+?)(?: \([^)]*\))?\.)?\*\*", text, re.MULTILINE)
    return rules | dict(rulings)


@cache
def rulings() -> SafeString:
    """The rulings as HTML, `id="R20"` at each, their citations linked."""
    html: str = document(RULINGS.read_text(encoding="utf-8"))
    html = re.sub(r"^<h1>.*?</h1>\s*", "", html)
    html = re.sub(r"<p><strong>(R\d+)\.", r'<p id="\1"><strong>\1.', html)
    parts = _TAG_OR_CODE.split(html)
    linked = (part if place % 2 else _link(part, frozenset(titles())) for place, part in enumerate(parts))
    return mark_safe("".join(linked))


def anchor_of(number: str) -> str | None:
    """`r3.2.2.1` for a rule, `R20` for a ruling, None for an unknown number."""
    if number not in titles():
        return None
    return number if number.startswith("R") else f"r{number}"


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The whole rule text, then the rulings, each number with its anchor."""
    return render(request, "rules/rules.html", {"chapters": chapters(), "rulings": rulings()})


@require_safe
def rule(request: HttpRequest, number: str) -> HttpResponse:
    """Redirect `/rules/3.2.2.1/` to that number's place on the page."""
    anchor = anchor_of(number)
    if anchor is None:
        raise Http404(gettext("The rulebook has no rule “%(number)s”.") % {"number": number})
    return redirect(f"{reverse('rules')}#{anchor}")


def _blocks(text: str) -> Iterator[Block]:
    """Every section; the text before the second `Chapter 1` is the summary."""
    number, title = "", ""
    lines: list[tuple[str, str]] = []
    for raw in text.split("Chapter 6: Mercenaries", 1)[1].splitlines():
        line = raw.strip().removeprefix("•").strip()
        match = _CHAPTER.fullmatch(line) or _NUMBERED.fullmatch(line)
        if match:
            if number:
                yield Block(number, title, lines)
            number, rest = match["number"], match["rest"]
            title, lines = (rest, []) if _is_title(rest) else ("", [("p", rest)] if rest else [])
        elif line:
            lines.append(("li", line[1:].strip()) if line.startswith("-") else ("p", line))
    yield Block(number, title, lines)


def _is_title(rest: str) -> bool:
    return 0 < len(rest) <= LONGEST_TITLE and not rest.endswith((".", ":"))


def _linked(line: str, numbers: frozenset[str]) -> SafeString:
    return mark_safe(_link(escape(line, quote=False), numbers))


def _link(html: str, known_numbers: frozenset[str]) -> str:
    def link(match: re.Match[str]) -> str:
        number = match[0]
        if number not in known_numbers:
            return number
        return f'<a href="#{number if match["ruling"] else f"r{number}"}">{number}</a>'

    return _REFERENCE.sub(link, html)
