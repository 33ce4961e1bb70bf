"""R37, R38: before a book is stored, it is tried over battles of armies of all kinds, with dice at their best and
worst and every special case. A forbidden result is reported with an example."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import product

from wargame.rules.battle.battle import BattleSide, Fighter, fight
from wargame.rules.battle.four_dice import DIE_SIDES, Round
from wargame.rules.battle.kills_and_captures import capture_edge, kill_edge
from wargame.rules.book.book import Book, BookError, BookFault, BookFinding, book_of, read_formula
from wargame.rules.book.expressions import Env, Expression, FormulaError, Run
from wargame.rules.book.formulas import BY_NAME, FORMULAS, Formula
from wargame.rules.book.ratios import Number, Ratio, as_number
from wargame.rules.book.risked_troops import Slots
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army
from wargame.rules.core.saying import grouped, language, marked, said, said_as
from wargame.rules.core.sides import COALITION_RANKS, PHYREXIAN_RANKS, Rank
from wargame.rules.core.troops import Troop

Sides = tuple[BattleSide, BattleSide]


@dataclass(frozen=True, slots=True)
class Trial:
    """R37: a battle with its dice, and its description in words."""

    sides: Sides
    defends: int | None
    rolls: Round
    severity: int
    first: tuple[str, Rank | None]
    second: tuple[str, Rank | None]
    words: str
    bonus: int

    @property
    def told(self) -> str:
        """The opponents, the dice, and the bonus, in words."""
        first_faces, second_faces = (" ".join(str(face) for face in faces) for faces in self.rolls)
        first, second = (said(label, rank=rank.title if rank else "") for label, rank in (self.first, self.second))
        text = said(self.words, first=first, second=second, ours=first_faces, theirs=second_faces)
        if not self.bonus:
            return text
        return said("%(told)s, with a strategy bonus of %(bonus)s for the first side", told=text, bonus=self.bonus)


HOSTS: tuple[tuple[str, int, Slots], ...] = (
    (marked("a full army of rank %(rank)s"), 0, (5000, 2500, 1500, 1000)),
    (marked("a full army of rank %(rank)s"), 2, (5000, 2500, 1500, 1000)),
    (marked("half an army of rank %(rank)s"), 3, (2500, 1250, 750, 500)),
    (marked("a full army of rank %(rank)s"), 5, (5000, 2500, 1500, 1000)),
    (marked("one top creature of an army of rank %(rank)s"), 0, (0, 0, 0, 1)),
    (marked("one low creature of an army of rank %(rank)s"), 5, (1, 0, 0, 0)),
)
"""R37: the armies: in words, the rank's place within the team, the living troops by slot."""

ROLLS: tuple[tuple[Round, int], ...] = (
    (((10, 10, 10, 10), (10, 10, 10, 10)), 0),
    (((20, 20, 20, 20), (1, 1, 1, 1)), 10),
    (((20, 20, 1, 1), (1, 1, 20, 20)), 0),
    (((1, 1, 1, 1), (20, 20, 20, 20)), 0),
    (((1, 1, 1, 1), (20, 20, 20, 20)), 10),
)
"""R37: rounds of dice, each with the strategy bonus of the first side."""


def _plain(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one),), bonus), BattleSide((Fighter(other),))


def _stratless(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one),)), BattleSide((Fighter(other, has_strat=False),))


def _runs(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one),), bonus), BattleSide((Fighter(other, runs=True),))


def _pair(one: Army, other: Army, bonus: int) -> Sides:
    return BattleSide((Fighter(one), Fighter(_partner(one))), bonus), BattleSide((Fighter(other),))


def _covers(one: Army, other: Army, bonus: int) -> Sides:
    covering = (Fighter(other, runs=True), Fighter(_partner(other), has_strat=False))
    return BattleSide((Fighter(one),), bonus), BattleSide(covering)


CASES: tuple[tuple[str, Callable[[Army, Army, int], Sides], int | None, int], ...] = (
    (marked("%(first)s fights %(second)s; the dice are %(ours)s against %(theirs)s"), _plain, 1, 0),
    (
        marked("%(first)s fights %(second)s and no one attacks; the dice are %(ours)s against %(theirs)s"),
        _plain,
        None,
        0,
    ),
    (
        marked("%(first)s fights %(second)s in the foulest weather; the dice are %(ours)s against %(theirs)s"),
        _plain,
        0,
        10,
    ),
    (
        marked("%(first)s fights %(second)s, which sent no strat; the dice are %(ours)s against %(theirs)s"),
        _stratless,
        0,
        0,
    ),
    (marked("%(first)s fights %(second)s, which runs away; the dice are %(ours)s against %(theirs)s"), _runs, 1, 0),
    (
        marked("%(first)s, with an identical partner, fights %(second)s; the dice are %(ours)s against %(theirs)s"),
        _pair,
        1,
        0,
    ),
    (
        marked(
            "%(first)s fights %(second)s, which runs away while its identical partner sent no strat; the dice "
            "are %(ours)s against %(theirs)s"
        ),
        _covers,
        1,
        0,
    ),
)
"""R37: the special cases: in words, who sends and runs, who defends, how foul the weather is."""


@cache
def trial_battles() -> tuple[Trial, ...]:
    """R37: every pair of armies in every case with every round of dice."""
    hosts = [(_army("First", COALITION_RANKS, *host), _army("Second", PHYREXIAN_RANKS, *host)) for host in HOSTS]
    return tuple(
        _trial(first[0], second[1], case, rolls, bonus)
        for first, second, case, (rolls, bonus) in product(hosts, hosts, CASES, ROLLS)
    )


def _trial(
    first: tuple[str, Army],
    second: tuple[str, Army],
    case: tuple[str, Callable[[Army, Army, int], Sides], int | None, int],
    rolls: Round,
    bonus: int,
) -> Trial:
    label, make, defends, severity = case
    (left_text, one), (right_text, other) = first, second
    return Trial(
        make(one, other, bonus), defends, rolls, severity, (left_text, one.rank), (right_text, other.rank), label, bonus
    )


def _army(name: str, ranks: tuple[Rank, ...], text: str, place: int, alive: Slots) -> tuple[str, Army]:
    rank = ranks[place]
    troops = tuple(Troop(slot, "", number, number, anonymous=True) for slot, number in enumerate(alive, 1))
    return text, Army(name, rank.side, read_square("1A"), rank=rank, troops=troops)


def _partner(army: Army) -> Army:
    return Army(f"{army.name}'s partner", army.side, army.at, rank=army.rank, troops=army.troops)


TIERS = range(1, 7)
SIZES = (0, 1, 99, 100, 101, 10**3, 10**4, *range(2 * 10**5, 21 * 10**5, 2 * 10**5), 10**7)
BONUSES = ((0, 0), (1, 1), (5, 0), (0, 5), (10, 11), (11, 10), (21, 0), (0, 21))
TOPS = (0, 1, 50, *range(100, 1001, 100))
LOST = range(0, 101, 10)
"""The formulas' test values, outside of battles: sizes, bonuses of both sides, top troops left, percent lost."""


UNTOLD = 10**15


class Broken(Exception):
    """R37: a trial gave a forbidden result."""

    def __init__(self, fault: BookFinding) -> None:
        super().__init__(fault.sentence)
        self.fault = fault


class TriedBook(Book):
    """R37: a book whose formulas are checked for their bounds: Broken, with the example, where one leaves them."""

    def ready(self, formula: Formula, expression: Expression) -> Run:
        work_out = super().ready(formula, expression)

        def tried(env: Env) -> Ratio:
            try:
                value = as_number(expression.run(env))
            except FormulaError as error:
                facts = {"wrong": error.sentence}
                used = self._used(formula, env)
                raise Broken(BookFinding(BookFault.FORMULA, facts, formula.name, error.column, used)) from None
            if formula.least <= value <= formula.most:
                return work_out(env)
            facts = {
                "value": _number_in_words(value),
                "least": _number_in_words(formula.least),
                "most": _number_in_words(formula.most),
            }
            facts["demand"] = formula.demand
            used = self._used(formula, env)
            raise Broken(BookFinding(BookFault.OUT_OF_BOUNDS, facts, formula.name, used=used))

        return tried

    def _used(self, formula: Formula, env: Env) -> str:
        """The numbers that the formula used, or empty."""
        text = self.texts[FORMULAS.index(formula)]
        names = sorted(read_formula(formula.name, text).names, key=formula.names.index)
        return ", ".join(f"{name} = {_number_in_words(as_number(env[name]))}" for name in names)


def faults_of(texts: Mapping[str, str]) -> tuple[BookFinding, ...]:
    """R37, R38: all faults of a book of these texts, by the formulas' names; none: it may be used.

    First the syntax of each, then the values of each by itself, then of all together in battles. Takes a fifth of a
    second for a book that was not checked yet.
    """
    try:
        book = book_of(texts)
    except BookError as error:
        return error.faults
    return _faults_of(book.texts, language())


@lru_cache(maxsize=64)
def _faults_of(texts: tuple[str, ...], language: str) -> tuple[BookFinding, ...]:
    # Their facts are words of who reads, so that they are kept for each language.
    book = TriedBook(texts)
    faults = [fault for attempt in ALONE if (fault := _fault_of(partial(attempt, book)))]
    if not faults:
        faults = [fault for trial in trial_battles() if (fault := _fault_of(partial(_fight, book, trial)))]
    return _one_each(faults)


def _one_each(faults: list[BookFinding]) -> tuple[BookFinding, ...]:
    """The first fault of each formula, in the book's order."""
    first = {fault.formula: fault for fault in reversed(faults)}
    return tuple(first[name] for name in BY_NAME if name in first)


def _fault_of(attempt: Callable[[], None]) -> BookFinding | None:
    try:
        attempt()
    except Broken as broken:
        return broken.fault
    return None


def _try_worth(book: Book) -> None:
    for tier in TIERS:
        book.army_size(tier, (1, 1, 1, 1))


def _try_pairs(book: Book) -> None:
    for first, second in product(SIZES, SIZES):
        book.side_size([first, second])


def _try_size_bonus(book: Book) -> None:
    for (first, second), pairs in product(product(SIZES, SIZES), (False, True)):
        book.size_bonus((first, second), pairs)
    for ratio in range(101, 1001):
        book.size_bonus((ratio * 1000, 100_000))


def _dice() -> Iterator[tuple[int, int]]:
    """A die and the enemy's, with the bonuses of both."""
    faces = range(1, DIE_SIDES + 1)
    for (bonus, other), face, enemy in product(BONUSES, faces, faces):
        yield face + bonus, enemy + other


def _try_die_points(book: Book) -> None:
    for (die, enemy), defends in product(_dice(), (0, 1)):
        book.die_points(die, enemy, defends)


def _try_die_loss(book: Book) -> None:
    for die, enemy in _dice():
        book.die_loss(die, enemy)


def _try_kill(book: Book) -> None:
    for top, target, loss in product(TOPS, TOPS, LOST):
        kill_edge(book, top, target, loss)


def _try_capture(book: Book) -> None:
    """4.5: and never as likely as a kill, which `capture_edge` would correct."""
    for top, target, loss in product(TOPS, TOPS, LOST):
        kill = kill_edge(book, top, target, loss)
        capture = book.whole("capture_edge", top=top, enemy_top=target, enemy_lost=loss, kill=kill)
        if capture >= kill:
            facts = {"top": top, "enemy_top": target, "enemy_lost": loss, "capture": capture, "kill": kill}
            raise Broken(BookFinding(BookFault.CAPTURE_AS_LIKELY, facts, "capture_edge"))
        capture_edge(book, top, target, loss)


def _try_risked(book: Book) -> None:
    for won in (0, 1):
        book.whole("risked_kept", won=won)


def _try_constants(book: Book) -> None:
    for name in ("most_rounds", "stratless_loses"):
        book.whole(name)


ALONE: tuple[Callable[[Book], None], ...] = (
    _try_worth,
    _try_pairs,
    _try_size_bonus,
    _try_die_points,
    _try_die_loss,
    _try_constants,
    _try_kill,
    _try_capture,
    _try_risked,
)
"""The trials outside of battles, so that each of these formulas gets its own report."""


def _fight(book: Book, trial: Trial) -> None:
    try:
        fight(trial.sides, trial.defends, book, Dice(b"", "trial"), trial.rolls, severity=trial.severity)
    except Broken as broken:
        raise Broken(replace(broken.fault, trial=trial.told)) from None


def _number_in_words(value: Number) -> str:
    """A number for people: at most three decimals, and for a very long one its length."""
    if not -UNTOLD < value < UNTOLD:
        return said("a number with %(number)s digits", number=len(str(int(value)).lstrip("-")))
    whole, _, part = f"{float(round(Fraction(value), 3)):.3f}".partition(".")
    part = part.rstrip("0")
    sign = "-" if whole.startswith("-") else ""
    text = sign + grouped(abs(int(whole)))
    return text + said_as("before decimals", ".") + part if part else text
