"""T9: lines with blanks: what a seat may do, and what may be filled in: targets, X, what a cost asks for, an order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice, product
from math import prod

from tables.core.lines.actions import Action

MOST = 40
"""So many ways to fill a line are listed one by one."""
GOES_ON, X, TARGET = "", "X", "target"


@dataclass(frozen=True, slots=True)
class Blank:
    """T9: one thing to fill in. `word`: the clause that says it (`target`, `X`, `sacrifice`, `first effect`), empty
    where the line goes on with it; `among`: what it may be, as a line calls it; of `X` the numbers."""

    word: str
    among: tuple[str, ...]
    least: int = 1
    most: int = 1
    ordered: bool = False
    """Whether all are named, and their order counts."""

    def ways(self) -> Iterator[tuple[str, ...]]:
        """T9: fillings that are listed: each alone, none where nothing must be; of several, neighbours."""
        if self.ordered:
            yield self.among
            return
        sizes = dict.fromkeys((self.least, max(1, self.least), self.most))
        for size in [size for size in sizes if size <= min(self.most, len(self.among))]:
            yield from dict.fromkeys(
                self.among[at : at + size] for at in range(len(self.among) - size + 1 if size else 1)
            )


@dataclass(frozen=True, slots=True)
class OpenLine:
    """T9: what a line begins with, and its blanks."""

    head: str
    blanks: tuple[Blank, ...] = ()

    @property
    def is_listed(self) -> bool:
        """T9: whether its listed ways are all that there are."""
        single = all(blank.least == blank.most == 1 and blank.word != X for blank in self.blanks)
        return single and prod(len(blank.among) for blank in self.blanks) <= MOST

    def ways(self) -> Iterator[str]:
        """T9: whole lines, so many as are listed."""
        for values in islice(product(*(tuple(blank.ways()) for blank in self.blanks)), MOST):
            yield filled(self.head, [blank.word for blank in self.blanks], values)


def first_ways(blanks: Sequence[Blank]) -> Action:
    """8.1: an action that names the first that would do for each, to see whether a cost can be paid."""
    named = [(blank.word, blank.among[: blank.least]) for blank in blanks]
    refs = [(word, tuple(int(name[1:]) if name[:1] == "#" else name for name in names)) for word, names in named]
    return Action("none", choices=tuple(refs))


def filled(head: str, words: Sequence[str], values: Sequence[Sequence[str]]) -> str:
    """T9: a head with its blanks filled in; clauses of one word that follow each other are one."""
    line = head
    for word, pairs in groupby(zip(words, values, strict=True), key=lambda pair: pair[0]):
        named = ", ".join(value for _, some in pairs for value in some)
        if word == GOES_ON:
            line += f" {named}" if named else ""
        elif word.endswith("effect"):
            line += f"; {word}: target {named}" if named else f"; {word}: none"
        elif named:
            line += f"; X = {named}" if word == X else f"; {word} {named}"
    return line
