"""T9: actions with blanks: what a seat may do, and what may be filled in: targets, X, costs, an order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from math import prod
from typing import TypeAlias

from tables.core.lines.actions import Action, Ref
from tables.core.lines.forms import CHOICES, ORDINALS

Values: TypeAlias = Sequence[Sequence[str]]
"""T9: the contents of each blank of a line, in their order."""
MOST = 40
"""The most ways to fill a line that are listed one by one."""
GOES_ON, X, TARGET = "", "X", "target"
OF_CARDS = ("discard", "mana", "recursion")
"""Kinds of actions that go on with names of cards."""
_NUMBER = re.compile(r"#\d{1,6}")


@dataclass(frozen=True, slots=True)
class Blank:
    """T9: one thing to fill in. `word`: the clause for it (`target`, `X`, `sacrifice`, `first effect`), empty where
    the line goes on with it; `among`: what it can be, as a line calls it; for `X` the numbers."""

    word: str
    among: tuple[str, ...]
    least: int = 1
    most: int = 1
    ordered: bool = False
    """Whether all are named, and their order counts."""

    def ways(self) -> Iterator[tuple[str, ...]]:
        """T9: the fillings that are listed: each alone, the empty one where nothing is required; of several,
        neighbours."""
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
    """T9: an action that is begun, and its blanks."""

    head: Action
    blanks: tuple[Blank, ...] = ()

    @property
    def is_listed(self) -> bool:
        """T9: whether its listed ways are complete."""
        single = all(blank.least == blank.most == 1 and blank.word != X for blank in self.blanks)
        return single and prod(len(blank.among) for blank in self.blanks) <= MOST

    def fillings(self) -> Iterator[Values]:
        """T9: what the blanks may be, so many ways as are listed; a line that goes on names something."""
        for values in islice(product(*(tuple(blank.ways()) for blank in self.blanks)), MOST):
            going_on = [value for blank, value in zip(self.blanks, values, strict=True) if blank.word == GOES_ON]
            if not going_on or any(going_on):
                yield values

    def action(self, values: Values) -> Action:
        """T9: the whole action."""
        return filled(self.head, [blank.word for blank in self.blanks], values)


def first_ways(blanks: Sequence[Blank]) -> Action:
    """8.1: an action that names the first possibility for each, to see whether a cost can be paid."""
    return Action("none", choices=tuple((blank.word, refs_of(blank.among[: blank.least])) for blank in blanks))


def refs_of(names: Sequence[str]) -> tuple[Ref, ...]:
    """T9.1: things as an action has them: `#12` is 12, a name is itself."""
    return tuple(int(name[1:]) if _NUMBER.fullmatch(name) else name for name in names)


def filled(head: Action, words: Sequence[str], values: Values) -> Action:
    """T9: an action with its blanks filled in; clauses of one word that follow each other are one. ValueError for a
    number that is none."""
    action = head
    for label, pairs in groupby(zip(words, values, strict=True), key=lambda pair: pair[0]):
        text = [value for _, some in pairs for value in some]
        refs = refs_of(text)
        if label.endswith("effect"):
            nth = 1 + ORDINALS.index(label.removesuffix(" effect"))
            action = replace(action, effects=(*action.effects, (nth, refs)))
        elif not text:
            continue
        elif label == GOES_ON:
            action = with_names(action, text)
        elif label == X:
            action = replace(action, x=int(text[0]))
        elif label == TARGET:
            action = replace(action, targets=(*(action.targets or ()), *refs))
        elif label == "order":
            action = replace(action, order=tuple(int(number) for number in text[0].split(", ")))
        elif label in CHOICES:
            action = replace(action, choices=(*action.choices, (label, refs)))
    return action


def with_names(action: Action, names: Sequence[str]) -> Action:
    """T9: an action that goes on with what it is about, where its kind has that: targets, cards, an order, things."""
    if action.kind in ("attack", "attack card", "target"):
        return replace(action, targets=refs_of(names))
    if action.kind in ("order", "triggers"):
        return replace(action, order=refs_of(names))
    if action.kind in OF_CARDS:
        return replace(action, cards=tuple(names), card=names[0] if len(names) == 1 else "")
    if action.kind == "choose" and len(names) == 1 and names[0].isdecimal():
        return replace(action, do="number", n=int(names[0]))
    return replace(action, things=refs_of(names))


def unfilled(action: Action) -> Action:
    """T9: what an action begins with: without whatever blanks may say."""
    card = "" if action.kind in OF_CARDS else action.card
    is_number = action.kind == "choose" and action.do == "number"
    do, n = ("", 0) if is_number else (action.do, action.n)
    return replace(
        action, card=card, cards=(), things=(), targets=None, order=(), effects=(), choices=(), x=None, do=do, n=n
    )
