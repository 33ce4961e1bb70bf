"""R8, R9: undo the changes that phones, forums and word processors make to a line, without losing its columns."""

import re
from dataclasses import dataclass

NAME_MARK = "\ue000"
UNKNOWN_MARK = "\ue001"
"""Placeholders for a name in the text that the grammar reads; such characters in the input are replaced before."""

_BLANKS = "\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000"
_SPACES = "".join(map(chr, range(0x2000, 0x200B)))
_SAME = {
    " ": _BLANKS + _SPACES,
    '"': "“”„‟«»″",
    "'": "‘’‚‛´ʼ′",
    "-": "‐‑‒–—―−",
    ">": "→⇒➔➜➝➞➡⟶⟹",
    ".": "。",
    "\ufffd": NAME_MARK + UNKNOWN_MARK,
}
_UNSEEN = (0xAD, 0x61C, 0x180E, 0xFE0E, 0xFE0F, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F))
_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_SIGNS: dict[int, str] = {ord(sign): plain for plain, signs in _SAME.items() for sign in signs} | _FULL_WIDTH
_TABLE: dict[int, str | None] = {**_SIGNS, **dict.fromkeys((*_UNSEEN, *range(0x2060, 0x2070)))}

_EMPHASIS = re.compile(
    r"\[\*\]|\*+|`+|(?<!\w)_+(?=\S)|(?<=\S)_+(?!\w)|\[/?(?:b|i|u|center|color|font|size)(?:=[^\[\]]{0,40})?\]",
    re.IGNORECASE,
)
_LIST_ITEM = re.compile(r" *(?:[-+•·]|#{1,6}|\(?[0-9]{1,2}[.)]) +")


_WHOLE = re.compile(r"([0-9]{1,3}(?:([., '])[0-9]{3}(?:\2[0-9]{3})*)?|[0-9]+)(?:[.,]0{1,2})?")
_LONGEST_NUMBER = 12


def whole_number(text: str) -> int | None:
    """A whole number as people write it: `5000`, `5,000`, `5.000` and `5 000` are one, and so is `5000.0`. None for
    anything else, or if it is too long to be meant."""
    number_match = _WHOLE.fullmatch(plain(text).strip())
    digits = re.sub("[^0-9]", "", number_match[1]) if number_match else ""
    return int(digits) if 0 < len(digits) <= _LONGEST_NUMBER else None


def plain(text: str) -> str:
    """The text with plain characters for typographic ones, and without invisible ones."""
    return text.translate(_TABLE)


@dataclass(frozen=True, slots=True)
class PlainLine:
    """A line in plain characters. `places`: their places in the typed line, if some were dropped."""

    typed: str
    text: str
    places: tuple[int, ...] | None = None

    def place(self, index: int) -> int:
        """0-based, in the line as typed; the end of `text` is one past its last character there."""
        if self.places is None:
            return index
        if index < len(self.places):
            return self.places[index]
        return self.places[-1] + 1 if self.places else 0

    @property
    def start(self) -> int:
        """0-based in `text`: the first character that is not a blank, or its length."""
        return len(self.text) - len(self.text.lstrip(" "))

    @property
    def is_quoted(self) -> bool:
        """R8: a line that begins with `>` is a quotation, as in every forum; it is talk."""
        place = self.place(self.start)
        return self.typed[place : place + 1] == ">"


def plain_line(typed: str) -> PlainLine:
    """R9: a line with plain characters; each keeps its place in the line as typed."""
    text = plain(typed)
    if len(text) == len(typed):
        return PlainLine(typed, text)
    places = tuple(place for place, sign in enumerate(typed) if _TABLE.get(ord(sign), sign) is not None)
    return PlainLine(typed, text, places)


def undecorated(line: PlainLine) -> PlainLine:
    """The line with blanks for bold, italics, underlining, code, headings and list markers.

    Struck-out text keeps its markers: a struck-out order is not given.
    """
    text = _EMPHASIS.sub(_blanks, line.text)
    if item := _LIST_ITEM.match(text):
        text = _blanks(item) + text[item.end() :]
    return PlainLine(line.typed, text, line.places)


def _blanks(result: re.Match[str]) -> str:
    return " " * len(result[0])
