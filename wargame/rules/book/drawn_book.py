"""R38, R76: the books drawn for rounds: the shape of each formula, and the numbers in it.

`docs/judge/drawn-books.md` describes the possible draws, and how to draw a book again.
"""

from itertools import accumulate
from typing import NamedTuple

from wargame.rules.book.book import Book
from wargame.rules.book.default_book import PARAMETERS, PATTERN, patterned_book
from wargame.rules.core.dice import Dice

SCHEME = "wargame-book-2"
"""R38: the context of the draws of a book: if you change a shape or a bound, change this name, and keep the old way
in `drawn_books`."""

FIRST_SCHEME = "wargame-book-1"
"""R38: the draws of the books of rules 1.1 and before: the default's shapes, with numbers near its own."""


class Number(NamedTuple):
    """R38: a number in the shapes: the bounds within which it is drawn, in units, tenths or hundredths (`parts`)."""

    least: int
    most: int
    parts: int = 1

    def written(self, value: int) -> str:
        whole, part = divmod(value, self.parts)
        decimals = f"{part:0{len(str(self.parts)) - 1}}".rstrip("0") if part else ""
        return f"{whole}.{decimals}" if decimals else str(whole)


SHAPES: dict[str, tuple[str, ...]] = {
    "creature_worth": (
        "pick(creature, {worths})",
        "{base} + {each} * creature",
        "100 * sqrt(creature + {flat})",
        "{power} * creature + {rank} * slot",
    ),
    "pair_size": ("larger + smaller * {second}%", "larger + min(smaller, larger * {beside}%)"),
    "size_bonus": (
        "steps(ratio, {ratios})",
        "min((ratio - 100) / {quick}, 10)",
        "min((ratio - 100) / {slow}, {slow_most})",
        "min({early} * sqrt(ratio - 100), {early_most})",
        "min({late} * sqrt(ratio - 100), 10)",
    ),
    "die_loss": (
        "max({die} - {slope} * ahead, {least})",
        "{die} * if(ahead > 0, {pace} / ({pace} + ahead), ({pace} - ahead) / {pace})",
    ),
    "side_loss": (
        "dice * if(won, {winner}%, {loser}%) * sqrt(enemy_size / size)",
        "dice * if(won, {winner}%, {loser}%) * 2 * enemy_size / (size + enemy_size)",
    ),
    "stratless_loss": ("loss * {stratless}%", "loss * 110% + {mauled}"),
    "running_loss": (
        "loss * ({runs}% + {chase}% * enemy_strategy)",
        "loss * max({runs}%, {hunt}% * enemy_strategy)",
    ),
    "covering_loss": ("loss * {covers}%", "loss + {cover}"),
    "pair_loss": ("loss * {pair}%", "loss + {crowd}"),
    "weather_loss": (
        "loss * (100% - {weather}% * severity)",
        "loss * (100% - {gust}% * steps(severity, 3, 6, 9))",
    ),
    "most_lost": ("{most}",),
    "slot_loss": (
        "loss * pick(slot, {slot_1}%, {slot_2}%, {slot_3}%, {slot_4}%)",
        "loss * ({low}% - {fall}% * slot)",
    ),
    "kill_edge": (
        "clamp((top - enemy_top) / {hard_top}, -{tops}, {tops}) + min(enemy_lost / {hurt}, 3) - {hard}",
        "clamp((top - enemy_top) / {easy_top}, -{tops}, {tops}) + min(enemy_lost / {hurt}, 3) - {easy}",
        "{share} * (top - enemy_top) / (top + enemy_top + 100) + min(enemy_lost / {share_hurt}, 3) - {middling}",
        "clamp((top - enemy_top) / {wide_top}, -4, 4) + min(enemy_lost / {wounds}, 10) - {unhurt}",
    ),
    "capture_edge": ("kill - {capture}", "kill - {harder} - (top < enemy_top)"),
    "risked_kept": ("if(won, {kept_won}, {kept_lost})",),
}
"""R76: the shapes of the formulas for which more than R37's numbers are drawn; the others are the default's."""

GAINS = ((100, 100), (52, 98), (46, 94), (39, 81), (39, 81), (33, 67), (33, 67), (33, 67), (26, 54))
"""R76: a creature's worth above the one below it: the default's 35 % less or more, and never more than twice as much
for a 2/2 as for a 1/1."""

STEPS = (
    *((6, 6), (12, 14), (20, 24), (30, 36), (43, 52)),
    *((59, 72), (82, 100), (114, 140), (163, 200), (260, 320)),
)
"""R76: the default's steps of the size bonus, 20 to 35 % less, so that their order is kept."""

NUMBERS: dict[str, Number] = {
    **{f"gain_{place}": Number(*bounds) for place, bounds in enumerate(GAINS, 1)},
    **{f"step_{place}": Number(*bounds) for place, bounds in enumerate(STEPS, 1)},
    "base": Number(20, 100),
    "each": Number(60, 100),
    "flat": Number(0, 3),
    "power": Number(30, 60),
    "rank": Number(60, 120),
    "second": Number(80, 95),
    "beside": Number(70, 90),
    "quick": Number(5, 8),
    "slow": Number(24, 36),
    "slow_most": Number(6, 9),
    "early": Number(90, 120, 100),
    "early_most": Number(8, 10),
    "late": Number(35, 50, 100),
    "die": Number(26, 34),
    "slope": Number(17, 23, 10),
    "least": Number(4, 8),
    "pace": Number(15, 22),
    "winner": Number(75, 88),
    "loser": Number(112, 125),
    "stratless": Number(122, 138),
    "mauled": Number(30, 60),
    "runs": Number(30, 40),
    "chase": Number(15, 25, 10),
    "hunt": Number(50, 70, 10),
    "covers": Number(135, 165),
    "cover": Number(15, 40),
    "pair": Number(106, 115),
    "crowd": Number(8, 25),
    "weather": Number(10, 20, 10),
    "gust": Number(4, 7),
    "most": Number(800, 850),
    "slot_1": Number(108, 116),
    "slot_2": Number(94, 104),
    "slot_3": Number(78, 90),
    "slot_4": Number(55, 72),
    "low": Number(118, 126),
    "fall": Number(10, 17),
    "tops": Number(4, 6),
    "hurt": Number(7, 13),
    "hard_top": Number(65, 135),
    "hard": Number(10, 12),
    "easy_top": Number(110, 200),
    "easy": Number(2, 4),
    "share": Number(6, 14),
    "share_hurt": Number(12, 20),
    "middling": Number(1, 4),
    "wide_top": Number(150, 250),
    "wounds": Number(5, 8),
    "unhurt": Number(11, 13),
    "capture": Number(1, 3),
    "harder": Number(1, 2),
    "kept_won": Number(8, 22),
    "kept_lost": Number(2, 8),
}
"""R38, R76: every number that is drawn for a book, including those that its shapes don't use."""


def drawn_book(salt: str) -> Book:
    """R38, R76: the book of a round whose judge wrote none, from the salt, which is secret until the round ends."""
    dice = Dice(bytes.fromhex(salt), SCHEME)
    values = {name: it.least - 1 + dice.roll(name, it.most - it.least + 1) for name, it in NUMBERS.items()}
    shapes = {name: dice.choose(f"shape of {name}", shapes) for name, shapes in SHAPES.items()}
    return shaped_book(shapes, values)


def shaped_book(shapes: dict[str, str], drawn: dict[str, int]) -> Book:
    """R37, R76: the book of these shapes with these values of their numbers."""
    texts = {name: it.written(drawn[name]) for name, it in NUMBERS.items()}
    texts["worths"] = ", ".join(map(str, accumulate(drawn[f"gain_{place}"] for place in range(1, len(GAINS) + 1))))
    texts["ratios"] = ", ".join(str(100 + drawn[f"step_{place}"]) for place in range(1, len(STEPS) + 1))
    return Book(tuple(shapes.get(name, text).format(**texts) for name, text in PATTERN.items()))


def drawn_books(salt: str) -> tuple[Book, ...]:
    """R38: the books that a salt draws now, and by the earlier schemes: a drawn book is one of these."""
    dice = Dice(bytes.fromhex(salt), FIRST_SCHEME)
    first = {it.name: it.least - 1 + dice.roll(it.name, it.most - it.least + 1) for it in PARAMETERS}
    return drawn_book(salt), patterned_book(first)
