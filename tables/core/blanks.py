"""T9: lines with blanks: what a seat may do, and what may be filled in: targets, X, what a cost asks for, an order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from math import prod
from typing import TypeAlias

from tables.core.lines.actions import Action, Ref
from tables.core.lines.forms import CHOICES, ORDINALS

Values: TypeAlias = Sequence[Sequence[str]]
"""T9: what stands in each blank of a line, in their order."""
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

    def fillings(self) -> Iterator[Values]:
        """T9: what the blanks may be, so many ways as are listed."""
        yield from islice(product(*(tuple(blank.ways()) for blank in self.blanks)), MOST)

    def line(self, values: Values) -> str:
        """T9: the whole line."""
        return filled(self.head, [blank.word for blank in self.blanks], values)

    def action(self, head: Action, values: Values) -> Action:
        """T9: what the whole line says, where `head` is what its beginning says; without reading it again."""
        for blank, value in zip(self.blanks, values, strict=True):
            refs = refs_of(value)
            if blank.word == X:
                head = replace(head, x=int(value[0]))
            elif blank.word.endswith("effect"):
                head = replace(head, effects=(*head.effects, (1 + ORDINALS.index(blank.word.split(" ")[0]), refs)))
            elif blank.word == TARGET and refs:
                head = replace(head, targets=(*(head.targets or ()), *refs))
            elif blank.word == "order" and value:
                head = replace(head, order=tuple(int(number) for number in value[0].split(", ")))
            elif refs and blank.word in CHOICES:
                head = replace(head, choices=(*head.choices, (blank.word, refs)))
        return head


def first_ways(blanks: Sequence[Blank]) -> Action:
    """8.1: an action that names the first that would do for each, to see whether a cost can be paid."""
    return Action("none", choices=tuple((blank.word, refs_of(blank.among[: blank.least])) for blank in blanks))


def refs_of(names: Sequence[str]) -> tuple[Ref, ...]:
    """T9.1: things as an action has them: `#12` is 12, a name is itself."""
    return tuple(int(name[1:]) if name[:1] == "#" else name for name in names)


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
