"""The docs for players and judges, as pages of the site."""

import posixpath
import re
from dataclasses import dataclass
from functools import cache
from html import unescape
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.utils.translation import gettext_lazy

from judging.common.markup import document

FOLDER = Path(settings.BASE_DIR) / "docs"
TITLES = {
    "tables": gettext_lazy("Card tables"),
    "lines": gettext_lazy("Lines and standing orders"),
    "card-lists": gettext_lazy("Card lists"),
    "shuffles": gettext_lazy("Shuffles, dice and coins"),
}
"""The documents with a page beside the rules, by its name."""

PATHS = {
    "tables": "play/cards/README.md",
    "lines": "play/cards/lines.md",
    "card-lists": "play/cards/decks.md",
    "shuffles": "play/verify/shuffles.md",
}
DICE = "play/verify/dice.md"
HELP = ("play", "play/verify", "play/cards", "judge")
"""The folders shown under /help/, in order."""

_HEADING = re.compile(r"<(?P<tag>h[23])>(?:(?P<number>T\d+(?:\.\d+)?)\. )?(?P<title>.*?)</h[23]>")
_LINK = re.compile(r'<a href="(?P<path>[\w./-]+\.md)(?P<place>#[^"]*)?"[^>]*>(?P<text>.*?)</a>', re.DOTALL)
_PIECE = re.compile(r"(<(?:code|pre|h[123]|a)\b.*?</(?:code|pre|h[123]|a)>|<[^>]*>)", re.DOTALL)
_NUMBER = re.compile(r"\bT\d+(?:\.\d+)?\b")
_DESIGNED = re.compile(r"DESIGN (\d+)")
_TAGS = re.compile(r"<[^>]*>")

WORDS = {
    "free": "T11.7", "table": "T6.1", "rewind": "T11.6", "beat": "T10.4", "shuffles": "T8.1", "orders": "T10.3",
    "stops": "T10.2", "stale": "T9.3", "deck": "T12.4", "end": "T6.1", "unreadable": "T9.1", "ambiguous": "T9.1",
}  # fmt: skip
"""Citations of the core for which no game has a number, and the number here that covers them."""

AT_A_FREE_TABLE = {
    "3.2": "T9.5", "8.3": "T6.4", "8.3.2": "T6.4", "4": "T6.4", "3": "T6.1", "3.1": "T6.1", "K42": "T11.1",
}  # fmt: skip
"""The core's own numbers, which are Kryptik's, with their numbers for a table without rules; others are agreed on
(T11.7)."""


@dataclass(frozen=True)
class Heading:
    """A section of a document: its anchor, its number if it has one, and its title."""

    anchor: str
    number: str
    title: str
    level: int


@dataclass(frozen=True)
class Document:
    title: str
    html: SafeString
    headings: tuple[Heading, ...]


class HelpPage(NamedTuple):
    """A page of the list under /help/: `level` is 1 for the first one of a subject."""

    url: str
    title: str
    level: int


@cache
def help_files() -> dict[str, str]:
    """The files of all pages under /help/, by their addresses there: `play/teams` for `play/teams.md`."""
    paths = [path for folder in HELP for path in sorted((FOLDER / folder).glob("*.md"), key=lambda each: each.name)]
    names = [path.relative_to(FOLDER).as_posix() for path in (*paths, FOLDER / "glossary.md")]
    return {name.removesuffix(".md").removesuffix("/README"): name for name in names}


@cache
def help_pages() -> tuple[HelpPage, ...]:
    return tuple(
        HelpPage(url_of(path), document_of(path).title, 1 if path.endswith("README.md") or "/" not in path else 2)
        for path in help_files().values()
    )


def url_of(path: str) -> str:
    """The address of a file of `FOLDER`; empty for one that is not shown."""
    if path == DICE:
        return reverse("dice")
    if name := next((name for name, each in PATHS.items() if each == path), ""):
        return reverse("document", args=[name])
    page = next((page for page, each in help_files().items() if each == path), "")
    return reverse("help-page", args=[page]) if page else ""


@cache
def document_of(path: str) -> Document:
    """A file of `FOLDER` with an anchor at each heading. Links to files that have no page here become plain text."""
    text = (FOLDER / path).read_text(encoding="utf-8")
    headings: list[Heading] = []

    def placed(match: re.Match[str]) -> str:
        number, title = match["number"] or "", match["title"]
        plain = unescape(_TAGS.sub("", title))
        heading = Heading(number or slugify(plain), number, plain, int(match["tag"][1]))
        headings.append(heading)
        link = f'<a class="rule__number" href="#{heading.anchor}">{number}</a> ' if number else ""
        return f'<{match["tag"]} id="{heading.anchor}">{link}{title}</{match["tag"]}>'

    def linked_page(match: re.Match[str]) -> str:
        url = url_of(posixpath.normpath(posixpath.join(posixpath.dirname(path), match["path"])))
        return f'<a href="{url}{match["place"] or ""}">{match["text"]}</a>' if url else match["text"]

    html = _LINK.sub(linked_page, _HEADING.sub(placed, document(text)))
    here = "" if path == PATHS["tables"] else reverse("document", args=["tables"])
    parts = _PIECE.split(html)
    linked = (part if place % 2 else _NUMBER.sub(rf'<a href="{here}#\g<0>">\g<0></a>', part)
              for place, part in enumerate(parts))  # fmt: skip
    return Document(text.partition("\n")[0].removeprefix("# "), mark_safe("".join(linked)), tuple(headings))


@cache
def numbers() -> frozenset[str]:
    """The numbers of the sections on card tables: T1, T9.2."""
    return frozenset(each.number for each in document_of(PATHS["tables"]).headings if each.number)


def numbered(game: str, cite: str) -> str:
    """A citation of the core as people look it up: a number outside of the game's own book becomes a section of this
    service."""
    if cite_match := _DESIGNED.fullmatch(cite):
        return f"T{cite_match[1]}"
    if game == "free" and not cite.startswith("T"):
        return WORDS.get(cite) or AT_A_FREE_TABLE.get(cite, "T11.7")
    if game != "kryptik" and re.fullmatch(r"K\d+", cite):
        return "T11.1"
    return WORDS.get(cite, cite)


def address(number: str) -> str:
    """The address of one of this service's numbers; empty for any other."""
    return f"{reverse('document', args=['tables'])}#{number}" if number in numbers() else ""
