"""R7, R8: the lines of a post as the pages show them: marks on what is wrong, times, and which line counts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judging.turns.posts.reading import LineView

_NAME_TYPED = re.compile(r"[^:;>,]+?(?=\s*(?:[:;>,]|$))")
_PIECE = re.compile(r"\w+|\S")
_BLANKS_AND_CASE = re.compile(r"\s+")


@dataclass(frozen=True)
class ThreadLine:
    """A line with its time and its author. `is_replaced`: a later line of the same author is the one that counts."""

    line: LineView
    by: str = ""
    at: datetime | None = None
    is_replaced: bool = False

    @property
    def look(self) -> str:
        """The state of a line in one word: talk, unreadable, illegal, remark or legal."""
        if self.line.kind != "order":
            return self.line.kind
        if self.line.refusal:
            return "illegal"
        return "remark" if self.line.remark else "legal"

    @property
    def is_order(self) -> bool:
        """R12, R14: whether the line counts as an order for its army; mentioning a battle does not."""
        return self.line.kind == "order" and not self.line.order_text.endswith(": in battle")

    @property
    def is_respelled(self) -> bool:
        """Whether the order is written otherwise than in its canonical form, blanks and case aside."""
        return _bare(self.line.text) != _bare(self.line.order_text)

    @property
    def wrong(self) -> str:
        """The piece of an unreadable line that is wrong; empty if the line stopped too early."""
        found = (_NAME_TYPED if self.line.suggestions else _PIECE).match(self.line.text, self._place)
        return found[0] if found else ""

    @property
    def before(self) -> str:
        return self.line.text[: self._place]

    @property
    def after(self) -> str:
        return self.line.text[self._place + len(self.wrong) :]

    @property
    def _place(self) -> int:
        return max(self.line.column - 1, 0)


def marked_lines(lines: Sequence[LineView], by: str, stamps: Sequence[str] = ()) -> tuple[ThreadLine, ...]:
    """R7: the lines of one version; `stamps` are ISO times, one a line."""
    times: list[datetime | None] = [datetime.fromisoformat(stamp) for stamp in stamps] or [None] * len(lines)
    return tuple(ThreadLine(line, by, times[line.number - 1]) for line in lines)


def with_the_last_counting(posts: Iterable[tuple[ThreadLine, ...]]) -> list[tuple[ThreadLine, ...]]:
    """R12: of the orders of one author for one army the last one counts: the latest, then the one farthest down.

    `posts` are in the order of the thread. `in battle` is no order here (R14).
    """
    posts = list(posts)
    last: dict[tuple[str, str], tuple[datetime, int, int]] = {}
    for place, lines in enumerate(posts):
        for entry in (entry for entry in lines if entry.is_order):
            when = _when(entry, place)
            last[entry.by, entry.line.army] = max(when, last.get((entry.by, entry.line.army), when))
    return [
        tuple(
            replace(entry, is_replaced=True)
            if entry.is_order and _when(entry, place) != last[entry.by, entry.line.army]
            else entry
            for entry in lines
        )
        for place, lines in enumerate(posts)
    ]


def _when(entry: ThreadLine, place: int) -> tuple[datetime, int, int]:
    return entry.at.replace(microsecond=0) if entry.at else datetime.min, place, entry.line.number


def _bare(text: str) -> str:
    return _BLANKS_AND_CASE.sub("", text).casefold()
