"""2.1, 2.2.2, 2.2.6: power and toughness as printed, and whether a slot has room for them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import ceil

_FIXED = re.compile(r"-?\d{0,3}(?:\.\d)?", re.ASCII)
_VARIABLE = re.compile(r"(?:(\d{1,2})\+\*|\*\+(\d{1,2})|\*(?:²|2)?|\d{1,2}-\*)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Size:
    """2.1: a size as written. `power` and `toughness` are their minimum values, rounded up.

    `varies`: with a `*`, which any number replaces (2.2.2). `grows`: with any number of +1/+1 counters on top
    (2.2.3.2), written with a `+` behind.
    """

    text: str
    power: int
    toughness: int
    varies: bool = False
    grows: bool = False

    @property
    def least(self) -> int:
        """2.1: the smallest slot that it fits, as the 3 of 3/3: 2/3 fits a 3/3 slot and 2/4 does not."""
        return max(self.power, self.toughness, 0)

    def covers(self, other: Size) -> bool:
        """2.2.2, 2.2.3.2: whether the `other` size is a valid use of this one."""
        if other.varies or other.grows:
            return other.text == self.text
        if self.grows:
            more = other.power - self.power
            return more >= 0 and more == other.toughness - self.toughness
        if self.varies:
            return _may_be(self.text, other.text)
        return (self.power, self.toughness) == (other.power, other.toughness)


def read_size(text: str) -> Size | None:
    """2.1: `2/3`, `*/*`, `1+*/4`, `3.5/3.5` or, with counters, `4/4+`; None for anything else."""
    text = text.strip().replace("★", "*")
    grows = text.endswith("+")
    power, slash, toughness = text.removesuffix("+").partition("/")
    parts = [_part(part.strip()) for part in (power, toughness)]
    if not slash or parts[0] is None or parts[1] is None:
        return None
    return Size(text, parts[0][0], parts[1][0], parts[0][1] or parts[1][1], grows)


def square_size(number: int) -> str:
    """2.1: a slot's size as the rulebook writes it: 3 is `3/3`."""
    return f"{number}/{number}"


def _part(text: str) -> tuple[int, bool] | None:
    """The minimum of one half, and whether it varies."""
    if size_match := _VARIABLE.fullmatch(text):
        return int(size_match[1] or size_match[2] or 0), True
    if _FIXED.fullmatch(text) and any(sign.isdigit() for sign in text):
        return ceil(float(text)), False
    return None


def _may_be(varying: str, fixed: str) -> bool:
    """2.2.2: the halves without a `*` are as printed; the others can have any value."""
    halves = zip(varying.split("/"), fixed.split("/"), strict=True)
    return all("*" in pattern or pattern.strip() == half.strip() for pattern, half in halves)
