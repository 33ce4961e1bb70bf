"""T7: a value that is written as a text: `2 * X + 1`, `max(attack of self, 3)`, `half up eleven of opponent`.

Apart from `words`, because it is a small grammar with signs, brackets and ranks; there, everything is a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal

from tables.core.lists.cards import Name, Number, Selector, Stat, Sum, Value

LONGEST = 120
MOST_NESTED = 8

_TOKEN = re.compile(
    r" *(?:(?P<number>[0-9]{1,4})(?![0-9])|(?P<sign>[-+*(),])"
    r"|(?P<word>(?:counters\([a-z]+(?: [a-z]+)?\)|[a-zX]+)(?: (?:[a-zX]+|[0-9]{1,2}))*))"
)
_STAT = re.compile(r"(?:counters\((?P<kind>[a-z ]+)\)|(?P<stat>[a-z ]+?)) of (?P<of>[a-z0-9 ]+)")
_OPS: Mapping[str, Literal["+", "-", "*", "min", "max"]] = MappingProxyType(
    {"+": "+", "-": "-", "*": "*", "min": "min", "max": "max"}
)


class _Unread(ValueError):
    """The text is no value."""


def read_arithmetic(text: str, selector: Callable[[str], Selector | None]) -> Value | None:
    """T7: the value that a text says, or None; `selector` reads what stands after `of`."""
    if len(text) > LONGEST:
        return None
    try:
        return _Reading(text, selector).whole()
    except _Unread:
        return None


class _Reading:
    """T7: one text, read from the left: sums of products of atoms."""

    def __init__(self, text: str, selector: Callable[[str], Selector | None]) -> None:
        self.selector, self.nested = selector, 0
        self.tokens: list[str] = []
        place = 0
        text = text.rstrip()
        while place < len(text):
            found = _TOKEN.match(text, place)
            if found is None:
                raise _Unread
            self.tokens.append(found["number"] or found["sign"] or found["word"])
            place = found.end()
        self.tokens.reverse()

    def whole(self) -> Value:
        """T7: The value of the whole text."""
        value = self.sum()
        if self.tokens:
            raise _Unread
        return value

    def sum(self) -> Value:
        """T7: Products that are added or subtracted."""
        value = self.product()
        while self.tokens and self.tokens[-1] in "+-":
            value = Sum(_OPS[self.tokens.pop()], value, self.product())
        return value

    def product(self) -> Value:
        """T7: Atoms that are multiplied."""
        value = self.atom()
        while self.tokens and self.tokens[-1] == "*":
            value = Sum(_OPS[self.tokens.pop()], value, self.atom())
        return value

    def atom(self) -> Value:
        """T7: A number, a name, a call, brackets or a number of a thing."""
        token = self.next()
        if token.isdecimal():
            return Number(int(token))
        if token == "X":
            return Name("X")
        if token == "that many":
            return Name("that many")
        self.nested += 1
        if self.nested > MOST_NESTED:
            raise _Unread
        if token in ("min", "max"):
            return self.call(token)
        if token == "(":
            value = self.sum()
            self.expect(")")
            return value
        for half in ("half up", "half down"):
            if token == half:
                return Sum("half up" if half == "half up" else "half down", self.atom(), Number(2))
            if token.startswith(half + " "):
                self.tokens.append(token.removeprefix(half + " "))
                return Sum("half up" if half == "half up" else "half down", self.atom(), Number(2))
        return self.stat(token)

    def call(self, word: str) -> Value:
        """T7: What stands in the brackets of `min` and `max`."""
        self.expect("(")
        left = self.sum()
        self.expect(",")
        right = self.sum()
        self.expect(")")
        return Sum(_OPS[word], left, right)

    def stat(self, token: str) -> Value:
        """T7: `attack of self`, `counters(frost) of it`."""
        found = _STAT.fullmatch(token)
        who = self.selector(found["of"]) if found else None
        if found is None or who is None:
            raise _Unread
        return Stat("counters" if found["kind"] else found["stat"], who, found["kind"] or "")

    def next(self) -> str:
        """T7: The next token, which is taken off."""
        if not self.tokens:
            raise _Unread
        return self.tokens.pop()

    def expect(self, sign: str) -> None:
        """T7: Takes that sign off, or the text is no value."""
        if self.next() != sign:
            raise _Unread
