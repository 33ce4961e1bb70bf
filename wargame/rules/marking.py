"""3.2.2.5, R10: which parts of a line are names. Marks stand for them in the grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .naming import Names
from .typography import NAME_MARK, UNKNOWN_MARK

_NAME_FOLLOWS = re.compile(r"\b(?:engage|replace|intercept|(?P<transfer>transfer +to))\b *", re.IGNORECASE)
_NO_NAME = re.compile(r"[-=]*>|[;,.:()]|$")
_ENDS = r" *(?:[-=]*>|[;,(]|\.? *$"
_NO_WORD = r"(?!['-]\w) *+(?!\w)"


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where a name may stand: what follows a known name, best first, and what ends an unknown one."""

    after: tuple[re.Pattern[str], ...]
    ends: re.Pattern[str]


_TARGET = _Slot((re.compile(_NO_WORD),), re.compile(rf"{_ENDS})"))
_RECEIVER = _Slot(
    (
        re.compile(r" +at\b", re.IGNORECASE),
        re.compile(rf"{_NO_WORD}| +(?:[a-z][0-9]+|[0-9]+[a-z])\b", re.IGNORECASE),
    ),
    re.compile(rf"{_ENDS}| at\b)", re.IGNORECASE),
)


@dataclass(slots=True)
class Marked:
    """A line whose names are marks, followed by blanks so that every other sign keeps its place.

    `known` and `unknown` are the army's name and the text taken for a name, by 0-based place; `typed` is the
    line without marks.
    """

    typed: str
    text: str
    known: dict[int, str] = field(default_factory=dict)
    unknown: dict[int, str] = field(default_factory=dict)

    def name(self, start: int, end: int, name: str) -> None:
        self.known[start] = name
        self._replace(start, end, NAME_MARK)

    def stranger(self, start: int, end: int) -> None:
        self.unknown[start] = self.text[start:end]
        self._replace(start, end, UNKNOWN_MARK)

    def _replace(self, start: int, end: int, mark: str) -> None:
        self.text = self.text[:start] + mark.ljust(end - start) + self.text[end:]


def mark_names(text: str, start: int, names: Names) -> Marked:
    """3.2.2.5: the army's name before a colon, and the names after engage, replace, intercept, transfer to.

    `start` is where the line's first sign is. The first name that is not on the map is marked as a stranger;
    nothing behind it is looked at.
    """
    marked = Marked(text, text)
    place = _mark_army(marked, start, names)
    while not marked.unknown and (follows := _NAME_FOLLOWS.search(marked.text, place)):
        slot = _RECEIVER if follows["transfer"] else _TARGET
        place = _mark_target(marked, follows.end(), names, slot)
    return marked


def _mark_army(marked: Marked, start: int, names: Names) -> int:
    found = names.before_colon(marked.text, start)
    if found is not None:
        name, end = found
        marked.name(start, end, name)
        return end
    colon = marked.text.find(":", start)
    arrow = marked.text.find(">", start)
    if colon > start and (arrow < 0 or colon < arrow):
        marked.stranger(start, colon)
        return colon
    return start


def _mark_target(marked: Marked, place: int, names: Names, slot: _Slot) -> int:
    found = next(filter(None, (names.at(marked.text, place, after) for after in slot.after)), None)
    if found is not None:
        name, end = found
        marked.name(place, end, name)
        return end
    if _NO_NAME.match(marked.text, place):
        return place
    ends = slot.ends.search(marked.text, place)
    end = ends.start() if ends and ends.start() > place else len(marked.text)
    marked.stranger(place, end)
    return end
