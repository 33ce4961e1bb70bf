"""R38, R76: the books that are drawn for rounds: secret, within all bounds, and fair."""

import re
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from math import isqrt
from pathlib import Path
from random import Random

import pytest

from wargame.rules.battle.battle import BattleSide, Fighter, fight
from wargame.rules.battle.book_checks import faults_of
from wargame.rules.battle.kills_and_captures import capture_edge, kill_edge
from wargame.rules.book.book import Book
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.drawn_book import NUMBERS, SHAPES, drawn_book, drawn_books, shaped_book
from wargame.rules.book.formulas import BY_NAME, FORMULAS
from wargame.rules.core.board import read_square
from wargame.rules.core.codec import digest
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Rank
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop, slot_size

BOOKS = 2000
A_FEW = 24
EACH = 4
"""How many pairs of armies and how many kills are tried with each book."""

Worked = Callable[..., int]
Host = tuple[int, tuple[int, ...]]


def salt(number: int) -> str:
    return f"{number:064x}"


@cache
def drawn() -> list[dict[str, Worked]]:
    """The size and kill formulas of many drawn books, as functions; `the_same_as_the_book_gives` holds them to it."""
    return [quick(drawn_book(salt(number))) for number in range(BOOKS)]


def quick(book: Book) -> dict[str, Worked]:
    """Formulas as Python's own: a hundredth of the time that reading them takes."""
    texts = book.to_json()
    return {name: _quick(name, texts[name]) for name in ("creature_worth", "size_bonus", "kill_edge", "capture_edge")}


@cache
def _quick(name: str, text: str) -> Worked:
    text = re.sub(r"\d+\.\d+", lambda number: f"({float(number[0]) * 100:.0f} / 100)", text)
    body = eval(f"lambda {', '.join(BY_NAME[name].names)}: {text}", FUNCTIONS)
    return lambda *given: int((body(*given) + EPSILON) // 1)


EPSILON = 1e-9
"""Less than any step between the values of these formulas."""

FUNCTIONS = {
    "pick": lambda place, *values: values[place - 1],
    "steps": lambda value, *steps: sum(value >= step for step in steps),
    "clamp": lambda value, least, most: max(least, min(most, value)),
    "sqrt": lambda value: isqrt(value * 10**6) / 1000,
    "min": min,
    "max": max,
}


def size(book: dict[str, Worked], host: Host) -> int:
    tier, troops = host
    return sum(
        book["creature_worth"](slot_size(tier, slot), slot, tier) * many
        for slot, many in zip(SLOTS, troops, strict=True)
    )


def bonus(book: dict[str, Worked], first: Host, second: Host) -> int:
    """The size bonus of the first army; below 0: of the second."""
    one, other = size(book, first), size(book, second)
    larger, smaller = max(one, other), min(one, other)
    found = book["size_bonus"](larger * 100 // smaller, larger, smaller, 0) if larger > smaller else 0
    return found if one > other else -found


def a_host(random: Random) -> Host:
    return random.randint(1, 6), tuple(random.randint(1, most) for most in SLOT_MAXIMUM)


@cache
def chance(edge: int) -> float:
    """4.3.3: percent: that a d20 with this edge is higher than another one."""
    return sum(max(0, min(20, face + edge - 1)) for face in range(1, 21)) / 4


def test_drawn_books_differ_from_each_other_and_from_the_default_in_most_battles() -> None:
    """R76: the size bonus in half of all pairs of armies, the chance of a kill by more than 5 points in half of all."""
    random, default = Random(1), quick(DEFAULT)
    sizes, kills, all_tried = [0, 0], [0, 0], EACH * (BOOKS - 1)
    for book, other in pairwise(drawn()):
        for _ in range(EACH):
            hosts = a_host(random), a_host(random)
            given = random.randint(500, 1000), random.randint(0, 1000), random.randint(0, 60)
            for place, against in enumerate((other, default)):
                sizes[place] += bonus(book, *hosts) != bonus(against, *hosts)
                apart = chance(book["kill_edge"](*given)) - chance(against["kill_edge"](*given))
                kills[place] += abs(apart) > 5
    assert min(sizes) > 0.7 * all_tried, sizes
    assert min(kills) > 0.65 * all_tried, kills


def test_the_size_bonus_of_every_drawn_book_keeps_its_bounds_and_grows_with_the_ratio() -> None:
    """4.2.2, R36: 0 to 10 to the larger side, nothing to equals; more and higher troops never count less."""
    ratios = (100, 101, 104, 108, 112, 118, 125, 133, 150, 170, 200, 240, 300, 400, 500, 700, 1000, 10_000)
    for book in drawn():
        worths = [book["creature_worth"](creature, 1, 3) for creature in range(1, 10)]
        assert worths == sorted(set(worths))
        assert worths[0] >= 1
        assert worths[1] <= 2 * worths[0]
        found = [book["size_bonus"](ratio, ratio, 100, 0) for ratio in ratios]
        assert found == sorted(found)
        assert (found[0], found[-1] in range(6, 11)) == (0, True)


def test_a_kill_of_every_drawn_book_grows_with_top_troops_and_wounds_and_is_likelier_than_a_capture() -> None:
    """4.3.3, 4.3.4, 4.5, R39, R40."""
    tops, wounds = (0, 250, 500, 750, 1000), (0, 15, 40, 100)
    for book in drawn():
        kill, capture = book["kill_edge"], book["capture_edge"]
        for enemy in tops:
            edges = [kill(top, enemy, 20) for top in tops]
            assert edges == sorted(edges)
            assert all(capture(edge, top, enemy, 20) < edge for top, edge in zip(tops, edges, strict=True))
        assert [kill(600, enemy, 20) for enemy in tops] == sorted((kill(600, e, 20) for e in tops), reverse=True)
        hurt = [kill(600, 600, lost) for lost in wounds]
        assert hurt == sorted(hurt)
        assert kill(0, 1000, 0) >= -18
        assert kill(1000, 0, 100) <= 20


@pytest.mark.parametrize("number", range(A_FEW))
def test_a_drawn_book_may_be_used_and_gives_what_is_tried_above(number: int) -> None:
    """R37."""
    book, random = drawn_book(salt(number)), Random(number)
    assert faults_of(book.to_json()) == ()
    for _ in range(20):
        hosts = a_host(random), a_host(random)
        sizes = [book.army_size(*host) for host in hosts]  # type: ignore[arg-type]
        ours, theirs = book.size_bonus((sizes[0], sizes[1]))
        assert ours - theirs == bonus(drawn()[number], *hosts)
        given = random.randint(0, 1000), random.randint(0, 1000), random.randint(0, 100)
        edge = drawn()[number]["kill_edge"](*given)
        assert kill_edge(book, *given) == edge
        assert capture_edge(book, *given) == drawn()[number]["capture_edge"](edge, *given)


@pytest.mark.parametrize("place", range(max(map(len, SHAPES.values()))))
@pytest.mark.parametrize("bound", ["least", "most"])
def test_every_shape_may_be_used_with_its_numbers_at_their_bounds(place: int, bound: str) -> None:
    shapes = {name: shapes[place % len(shapes)] for name, shapes in SHAPES.items()}
    book = shaped_book(shapes, {name: getattr(number, bound) for name, number in NUMBERS.items()})
    assert faults_of(book.to_json()) == ()


@pytest.mark.parametrize("number", range(A_FEW))
def test_even_armies_with_even_scores_stay_even(number: int) -> None:
    """R76: whoever has which dice; who loses the battle loses more troops; and nobody loses all."""
    book, random = drawn_book(salt(number)), Random(number)
    for _ in range(10):
        ours, theirs = (tuple(random.randint(1, 20) for _ in range(4)) for _ in range(2))
        if sum(ours) == sum(theirs):
            continue  # equal in every way, so that more dice are rolled
        one, other = (fight(SIDES, None, book, Dice(b"", "even"), rolls) for rolls in ((ours, theirs), (theirs, ours)))
        assert one.bonus[0] == one.bonus[1]
        assert one.losses["Ana"] == other.losses["Gaz"]
        assert one.losses["Gaz"] == other.losses["Ana"]
        winner, loser = SIDES[one.winner].fighters[0].army.name, SIDES[1 - one.winner].fighters[0].army.name
        assert sum(one.losses[loser]) < sum(SLOT_MAXIMUM)
        assert one.winner == 1 - other.winner
        assert sum(one.losses[winner]) > 0


def _army(name: str, rank: Rank) -> Army:
    troops = tuple(Troop(slot, "", most, most, anonymous=True) for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True))
    return Army(name, rank.side, read_square("5E"), troops=troops, rank=rank)


SIDES = (
    BattleSide((Fighter(_army("Ana", Rank.CAPTAIN)),), 0),
    BattleSide((Fighter(_army("Gaz", Rank.EVINCAR)),), 0),
)


def test_a_salt_draws_one_book_and_every_shape_and_bound_is_drawn_by_some() -> None:
    assert drawn_book("ab" * 32) == drawn_book("ab" * 32)
    books = [drawn_book(salt(number)).texts for number in range(300)]
    assert len(set(books)) == 300
    for name, shapes in SHAPES.items():
        place = [formula.name for formula in FORMULAS].index(name)
        for shape in shapes:
            pattern = re.sub(r"\\{\w+\\}", r"[\\d., ]+", re.escape(shape))
            assert any(re.fullmatch(pattern, texts[place]) for texts in books), shape
    written = " ".join(texts[[formula.name for formula in FORMULAS].index("most_lost")] for texts in books)
    assert {"800", "850"} <= set(written.split())


def test_books_of_rules_1_1_can_still_be_drawn_again() -> None:
    """R38: what was drawn and committed to before is held against the draws of its time."""
    assert digest(drawn_books("ab" * 32)[1].to_json()) == OLD
    assert drawn_books("ab" * 32)[0] == drawn_book("ab" * 32)


OLD = "77c306cff8be9e0b6dee05de5d05fbe056ff6501d2e00dc269d06d84d3179cde"


def test_the_documentation_has_every_shape_and_every_bound() -> None:
    """R38: so that anybody can draw a book again."""
    documented = (Path(__file__).parents[2] / "docs" / "judge" / "drawn-books.md").read_text(encoding="utf-8")
    for name, shapes in SHAPES.items():
        assert f"| `{name}` | {'<br>'.join(f'`{shape}`' for shape in shapes)} |" in documented
    for name, it in NUMBERS.items():
        decimals = len(str(it.parts)) - 1
        least, most = (f"{bound / it.parts:.{decimals}f}" for bound in (it.least, it.most))
        assert f"| `{name}` | {least} | {most} |" in documented
