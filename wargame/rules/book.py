"""R37, R38: the formula book by which the battle judge decides battles: a text for each formula."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from operator import itemgetter

from .codec import Json, digest
from .expression_functions import Env, Number, Run
from .expressions import Expression, read_expression
from .formula_errors import FormulaError
from .formula_names import MOST_RATIO
from .formulas import BY_NAME, FORMULAS, PERCENT, Formula
from .risks import Slots
from .troops import slot_size

FEW = frozenset(["creature", "slot", "tier", "ratio", "pairs", "die", "enemy_die", "ahead", "defends", "won"])
"""R37: the numbers that have few values, all of them whole: what a formula of these gave is not worked out again."""


@dataclass(frozen=True, slots=True)
class Fault:
    """R37: what is wrong with a book, in words for a judge; in which formula, and at which of its characters."""

    sentence: str
    formula: str = ""
    column: int | None = None


class BookError(ValueError):
    """R37: texts that are no book; `faults` has all that is wrong."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(f"{fault.formula}: {fault.sentence}" for fault in faults))
        self.faults = faults


Key = Callable[[Env], object]

_Ready = tuple[Formula, Run, Key | None, dict[object, Number]]
"""A formula that was read, and what it gave before: by the numbers that it uses, where those are few and whole."""


@dataclass(frozen=True)
class Book:
    """R37, R38: a text for each formula, in the order of `FORMULAS`. `book_of` makes one of texts that are not known
    to be good; `book_checks.py` tries it out."""

    texts: tuple[str, ...]

    def value(self, name: str, env: Env) -> Number:
        """R37: what a formula gives. What no check foresaw stops no battle: a formula without a result gives the
        least that it may, and a result outside its bounds is moved to the nearer one."""
        formula, run, key_of, known = self._ready[name]
        if key_of is None:
            return self.worked_out(formula, run, env)
        key = key_of(env)
        if key not in known:
            known[key] = self.worked_out(formula, run, env)
        return known[key]

    def worked_out(self, formula: Formula, run: Run, env: Env) -> Number:
        """What `value` gives where it isn't known yet."""
        try:
            return bounded(formula, run(env))
        except FormulaError:
            return formula.least

    def whole(self, name: str, env: Env) -> int:
        """What a formula of whole numbers gives."""
        return int(self.value(name, env))

    def army_size(self, tier: int, troops: Slots) -> int:
        """4.2.2: number and rank of the troops of one army of a tier (2.1), by slot, in the book's worth."""
        return sum([self._worth(tier, slot) * number for slot, number in enumerate(troops, 1) if number])

    def side_size(self, sizes: list[int]) -> int:
        """4.2.2, 4.4: a side's size from those of its one or two armies."""
        if len(sizes) == 1:
            return sizes[0]
        return self.whole("pair_size", {"larger": max(sizes), "smaller": min(sizes)})

    def size_bonus(self, sizes: tuple[int, int], pairs: bool = False) -> tuple[int, int]:
        """4.2.2, R36: +0 to +10 to the larger side, nothing to the smaller one."""
        smaller, larger = sorted(sizes)
        if smaller == larger:
            return 0, 0
        ratio = min(larger * PERCENT // smaller, MOST_RATIO) if smaller else MOST_RATIO
        env = {"ratio": ratio, "larger": larger, "smaller": smaller, "pairs": int(pairs)}
        bonus = self.whole("size_bonus", env)
        return (bonus, 0) if sizes[0] > sizes[1] else (0, bonus)

    def to_json(self) -> dict[str, str]:
        """R38: the book as plain JSON, to be stored and committed to."""
        return {formula.name: text for formula, text in zip(FORMULAS, self.texts, strict=True)}

    @cached_property
    def _ready(self) -> dict[str, _Ready]:
        """The formulas by name, read."""
        return {formula.name: _ready(formula, text) for formula, text in zip(FORMULAS, self.texts, strict=True)}

    def _worth(self, tier: int, slot: int) -> int:
        return self.whole("creature_worth", {"creature": slot_size(tier, slot), "slot": slot, "tier": tier})


def _ready(formula: Formula, text: str) -> _Ready:
    expression = read_formula(formula.name, text)
    names = sorted(expression.names)
    if not FEW.issuperset(names):
        return formula, expression.run, None, {}
    return formula, expression.run, itemgetter(*names) if names else _nothing, {}


def _nothing(env: Env) -> None:
    """The key of a formula that uses no numbers."""


def bounded(formula: Formula, value: Number) -> Number:
    """R37: a formula's number within its bounds, and rounded down where it is a whole one."""
    over, under = value.numerator, value.denominator
    if over < formula.least * under:
        return formula.least
    if over > formula.most * under:
        return formula.most
    return over // under if formula.whole else value


def read_formula(name: str, text: str) -> Expression:
    """R37: the text of the formula of that name, read. FormulaError where it is none."""
    return read_expression(text, frozenset(BY_NAME[name].names))


def book_of(texts: Mapping[str, str]) -> Book:
    """R37: the book of these texts by the formulas' names. BookError, with all faults, where they are none."""
    faults = [Fault("A book has no such formula.", name) for name in sorted(set(texts) - set(BY_NAME))]
    for name in BY_NAME:
        try:
            read_formula(name, texts.get(name, ""))
        except FormulaError as error:
            faults.append(Fault(error.sentence, name, error.column))
    if faults:
        raise BookError(tuple(faults))
    return Book(tuple(texts[name] for name in BY_NAME))


def sealed(round_slug: str, number: int, from_turn: int, formulas: Mapping[str, str], salt: str) -> Json:
    """R38: what a commitment commits to: a version of a book, for which battles it is, and its salt."""
    return {
        "formulas": dict(formulas),
        "from_turn": from_turn,
        "number": number,
        "round": round_slug,
        "salt": salt,
    }


def book_commitment(round_slug: str, number: int, from_turn: int, formulas: Mapping[str, str], salt: str) -> str:
    """R38: the hash that is published before the book is: SHA-256 of the canonical JSON of what it is for."""
    return digest(sealed(round_slug, number, from_turn, formulas, salt))
