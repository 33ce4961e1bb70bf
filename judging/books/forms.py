"""R37: the form in which a judge writes a formula book. Nothing typed is lost, whatever is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from django.http import QueryDict

from wargame.rules.book.book import Fault
from wargame.rules.book.formulas import BY_NAME, FORMULAS, NAMES, Formula

WORD = re.compile(r"\w+|.", re.DOTALL)
MOST_SHOWN = 2_000


@dataclass(frozen=True)
class FaultView:
    """R37: what is wrong with a formula; where it has a place, the text before it, there and after it."""

    sentence: str
    column: int | None = None
    before: str = ""
    wrong: str = ""
    after: str = ""


@dataclass(frozen=True)
class FormulaView:
    """R37: a formula in the form: what it is, the numbers that it may use, what was typed, and what is wrong."""

    formula: Formula
    text: str
    fault: FaultView | None

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, NAMES[name]) for name in self.formula.names)

    @property
    def rows(self) -> int:
        return min(8, 1 + len(self.text) // 70 + self.text.count("\n"))


@dataclass(frozen=True)
class PartView:
    """R37: a part of the book: size, dice, losses, kill and capture."""

    title: str
    formulas: tuple[FormulaView, ...]


def typed_formulas(data: QueryDict) -> dict[str, str]:
    """What was typed for each formula, without what a browser changes in line ends; empty where nothing was."""
    return {name: data.get(name, "").replace("\r\n", "\n").strip() for name in BY_NAME}


def parts_of(texts: Mapping[str, str], faults: Iterable[Fault] = ()) -> tuple[PartView, ...]:
    """The whole form: every formula in the book's order, with its fault."""
    wrong = {fault.formula: fault for fault in faults}
    grouped = groupby(_formulas(texts, wrong), key=lambda view: view.formula.part)
    return tuple(PartView(part, tuple(views)) for part, views in grouped)


def _formulas(texts: Mapping[str, str], wrong: Mapping[str, Fault]) -> Iterator[FormulaView]:
    for formula in FORMULAS:
        text, fault = texts.get(formula.name, ""), wrong.get(formula.name)
        yield FormulaView(formula, text, _fault(text, fault) if fault else None)


def _fault(text: str, fault: Fault) -> FaultView:
    if fault.column is None or len(text) > MOST_SHOWN:
        return FaultView(fault.sentence)
    start = fault.column - 1
    word = WORD.match(text, start)
    end = word.end() if word else start
    return FaultView(fault.sentence, fault.column, text[:start], text[start:end], text[end:])
