"""R37, R38: the formula book by which the battle judge decides battles: a text for each formula."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from operator import mul

from wargame.rules.book.expressions import Env, Expression, FormulaError, Run, read_expression
from wargame.rules.book.formulas import BY_NAME, FORMULAS, MOST_RATIO, PERCENT, Formula
from wargame.rules.book.ratios import Ratio
from wargame.rules.book.risked_troops import Slots
from wargame.rules.core.codec import Json, digest
from wargame.rules.core.faults import Fault, Finding
from wargame.rules.core.saying import said
from wargame.rules.core.troops import SLOTS, slot_size

MOST_BONUSES = 1000
"""The number of size bonuses that are cached; a trial asks for those of a battle again and again."""


class BookFault(Fault):
    """R37: the faults of a book. `{wrong}` is the message of a formula's parsing or evaluation."""

    UNKNOWN = "R37", "The book has no such formula."
    FORMULA = "R37", "{wrong}"
    OUT_OF_BOUNDS = "R37", "The result is {value} but must be between {least} and {most}. {demand}"
    CAPTURE_AS_LIKELY = (
        "4.5",
        "With top = {top}, enemy_top = {enemy_top} and enemy_lost = {enemy_lost}, a capture has an edge of "
        "{capture} and a kill has an edge of {kill}. A capture must be less likely than a kill (4.5).",
    )


@dataclass(frozen=True, slots=True)
class BookFinding(Finding):
    """A fault of a formula, and its column, if it has one. `used` are the numbers with which it occurred, `trial` is
    the battle in which it did."""

    formula: str = ""
    column: int | None = None
    used: str = ""
    trial: str = ""

    @property
    def sentence(self) -> str:
        wrong = super(BookFinding, self).sentence
        if self.used:
            wrong = said("With %(used)s: %(wrong)s", used=self.used, wrong=f"{wrong[0].lower()}{wrong[1:]}")
        came_up = said("This happens when %(trial)s.", trial=self.trial)
        return f"{wrong} {came_up}" if self.trial else wrong


class BookError(ValueError):
    """R37: texts that are no book; `faults` has all faults."""

    def __init__(self, faults: tuple[BookFinding, ...]) -> None:
        super().__init__("; ".join(f"{fault.formula}: {fault.sentence}" for fault in faults))
        self.faults = faults


@dataclass(frozen=True)
class Book:
    """R37, R38: a text for each formula, in the order of `FORMULAS`. `book_of` makes one from unchecked texts;
    `book_checks.py` tries it out."""

    texts: tuple[str, ...]

    def value(self, name: str, env: Env) -> Ratio:
        """R37: the value of a formula. Nothing unforeseen stops a battle: a formula without a result gives its
        minimum, and a result outside its bounds is moved to the nearer one."""
        return self._ready[name](env)

    def formula(self, name: str) -> Run:
        """R37: a formula by itself, for repeated evaluation; it gives the same as `value`."""
        return self._ready[name]

    def whole(self, name: str, **numbers: int) -> int:
        return self.value(name, {key: (number, 1) for key, number in numbers.items()})[0]

    def ready(self, formula: Formula, expression: Expression) -> Run:
        """The function behind `value`: the formula within its bounds, and rounded down where it is a whole one."""
        run, least, most, whole = expression.run, formula.least, formula.most, formula.whole

        def work_out(env: Env) -> Ratio:
            try:
                over, under = run(env)
            except FormulaError:
                return least, 1
            if over < least * under:
                return least, 1
            if over > most * under:
                return most, 1
            return (over // under, 1) if whole else (over, under)

        if expression.names:
            return work_out
        always = work_out({})
        return lambda env: always

    @cached_property
    def die_points(self) -> Callable[[int, int, int], int]:
        """R37: a side's win by a die, from the die, the enemy's and whether it defends; cached."""
        return cache(lambda die, enemy, defends: self.whole("die_points", die=die, enemy_die=enemy, defends=defends))

    @cached_property
    def die_loss(self) -> Callable[[int, int], Ratio]:
        """4.2.5: permille that a side loses by a die, from the die and the enemy's; cached."""

        def lost(die: int, enemy: int) -> Ratio:
            return self.value("die_loss", {"die": (die, 1), "enemy_die": (enemy, 1), "ahead": (die - enemy, 1)})

        return cache(lost)

    def army_size(self, tier: int, troops: Slots) -> int:
        """4.2.2: number and rank of the troops of one army of a tier (2.1), by slot, in the book's worth."""
        return sum(map(mul, self._worths(tier), troops))

    def side_size(self, sizes: list[int]) -> int:
        """4.2.2, 4.4: a side's size from those of its one or two armies."""
        return sizes[0] if len(sizes) == 1 else self.whole("pair_size", larger=max(sizes), smaller=min(sizes))

    def size_bonus(self, sizes: tuple[int, int], pairs: bool = False) -> tuple[int, int]:
        """4.2.2, R36: +0 to +10 to the larger side, nothing to the smaller one."""
        first, second = sizes
        if first == second:
            return 0, 0
        return (self._bonus(first, second, pairs), 0) if first > second else (0, self._bonus(second, first, pairs))

    def to_json(self) -> dict[str, str]:
        """R38: the book as plain JSON, to be stored and committed to."""
        return {formula.name: text for formula, text in zip(FORMULAS, self.texts, strict=True)}

    @cached_property
    def _ready(self) -> dict[str, Run]:
        """The parsed formulas by name."""
        return {
            formula.name: self.ready(formula, read_formula(formula.name, text))
            for formula, text in zip(FORMULAS, self.texts, strict=True)
        }

    @cached_property
    def _worths(self) -> Callable[[int], list[int]]:
        """4.2.2: the worth of a creature of each slot in an army of a tier; cached."""
        return cache(
            lambda tier: [
                self.whole("creature_worth", creature=slot_size(tier, slot), slot=slot, tier=tier) for slot in SLOTS
            ]
        )

    @cached_property
    def _bonus(self) -> Callable[[int, int, bool], int]:
        """4.2.2: the bonus of the larger side, from both sizes and whether a pair fights."""

        def bonus(larger: int, smaller: int, pairs: bool) -> int:
            ratio = min(larger * PERCENT // smaller, MOST_RATIO) if smaller else MOST_RATIO
            return self.whole("size_bonus", ratio=ratio, larger=larger, smaller=smaller, pairs=int(pairs))

        return lru_cache(MOST_BONUSES)(bonus)


def read_formula(name: str, text: str) -> Expression:
    """R37: the text of the formula of that name, parsed. FormulaError where it is invalid."""
    return read_expression(text, frozenset(BY_NAME[name].names))


def _unreadable(name: str, error: FormulaError) -> BookFinding:
    return BookFinding(BookFault.FORMULA, {"wrong": error.sentence}, name, error.column)


def book_of(texts: Mapping[str, str]) -> Book:
    """R37: the book of these texts by the formulas' names. BookError, with all faults, where they are invalid."""
    faults = [BookFinding(BookFault.UNKNOWN, formula=name) for name in sorted(set(texts) - set(BY_NAME))]
    for name in BY_NAME:
        try:
            read_formula(name, texts.get(name, ""))
        except FormulaError as error:
            faults.append(_unreadable(name, error))
    if faults:
        raise BookError(tuple(faults))
    return Book(tuple(texts[name] for name in BY_NAME))


def sealed(round_slug: str, number: int, from_turn: int, formulas: Mapping[str, str], salt: str) -> Json:
    """R38: the content of a commitment: a version of a book, its battles, and its salt."""
    return {
        "formulas": dict(formulas),
        "from_turn": from_turn,
        "number": number,
        "round": round_slug,
        "salt": salt,
    }


def book_commitment(round_slug: str, number: int, from_turn: int, formulas: Mapping[str, str], salt: str) -> str:
    """R38: the hash that is published before the book is: SHA-256 of the canonical JSON of `sealed`."""
    return digest(sealed(round_slug, number, from_turn, formulas, salt))
