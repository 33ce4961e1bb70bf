"""Finds English on a German page: words of English sentences in what is read there.

What is cited in English on purpose says so (`lang="en"`), orders, formulas and file texts stand in `code`, `pre` or
`textarea`, and codes of acts have a dot.
"""

import html
import re

_CITED = re.compile(r'<(?:(script|style|pre|textarea|code|svg|select)\b|(\w+)\b[^>]* lang="en(?:-GB)?")[^>]*>')
_READ = re.compile(r'\b(?:title|alt|aria-label|data-confirm|data-ask|data-label)="([^"]+)"')
_INLINE = re.compile(r"</?(?:a|abbr|b|em|small|span|strong|time)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_CODE = re.compile(r"[a-z_]+\.[a-z_]+")
_WORDS = re.compile(
    r"\b(?:the|of|and|is|are|were|has|have|with|nobody|not|from|by|to|this|that|its|be|been|you|your|who|which|when"
    r"|where|head|passed|accept|refuse|turn|battle|round|days?|hours?)\b",
    re.IGNORECASE,
)


def english_in(page: str, names: tuple[str, ...] = ()) -> list[str]:
    """Each piece of text of a page, and of its attributes that are read, with an English word in it that is in none of
    these names."""
    bare = _without_cited(page)
    pieces = [*_READ.findall(bare), *_TAG.sub("\n", _INLINE.sub("", bare)).split("\n")]
    found = []
    for piece in dict.fromkeys(pieces):
        text = " ".join(html.unescape(piece).split())
        for name in names:
            text = text.replace(name, "")
        if _WORDS.search(text) and not _CODE.fullmatch(text):
            found.append(text)
    return found


def _without_cited(page: str) -> str:
    """A page without the elements that are cited, with all that is in them."""
    left: list[str] = []
    at = 0
    while start := _CITED.search(page, at):
        left.append(page[at : start.start()])
        at = _end_of(page, start[1] or start[2], start.end())
    return " ".join((*left, page[at:]))


def _end_of(page: str, name: str, at: int) -> int:
    """Behind the end of an element that began before."""
    depth = 1
    for tag in re.compile(rf"<(/?){name}\b[^>]*>").finditer(page, at):
        depth += -1 if tag[1] else 1
        if not depth:
            return tag.end()
    return len(page)
