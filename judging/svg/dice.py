"""4.2.4: a round of dice as a picture: the four pairs side by side, the winner of each, and the same in words."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

LEFT, STEP = 44, 88
TOP, BETWEEN = 34, 92
WIDTH, HEIGHT = 352, 160

Pair = tuple[tuple[int, int], tuple[int, int], int | None]
"""The die of each side as rolled, each total with bonuses, and the side that won; None for neither."""


@dataclass(frozen=True)
class DrawnDie:
    """A die by its centre: its roll and its total."""

    x: int
    y: int
    bare: int
    total: int
    side: int
    has_won: bool


@dataclass(frozen=True)
class Between:
    """The mark between the two dice of a pair: `points` of the arrow to the winner, empty for a tie."""

    x: int
    y: int
    points: str


@dataclass(frozen=True)
class DicePicture:
    """A round of dice, `width` by `height`; `says` is its alternative in words."""

    dice: tuple[DrawnDie, ...]
    between: tuple[Between, ...]
    says: str
    width: int = WIDTH
    height: int = HEIGHT


def dice_picture(pairs: Sequence[Pair], names: tuple[str, str]) -> DicePicture:
    """4.2.4: the picture of a round of dice; the side of the first name is above."""
    dice, between, sentences = [], [], []
    for place, (bare, total, winner) in enumerate(pairs):
        x = LEFT + STEP * place
        for side in (0, 1):
            dice.append(DrawnDie(x, TOP + BETWEEN * side, bare[side], total[side], side, winner == side))
        between.append(_between(x, winner))
        sentences.append(_sentence_of_die(place + 1, total, None if winner is None else names[winner]))
    return DicePicture(
        tuple(dice),
        tuple(between),
        gettext("Dice of %(first)s against %(second)s. %(dice)s")
        % {"first": names[0], "second": names[1], "dice": " ".join(sentences)},
    )


def _sentence_of_die(number: int, total: tuple[int, int], winner: str | None) -> str:
    fields = {"number": number, "first": total[0], "second": total[1]}
    if winner is None:
        return gettext("Die %(number)s: %(first)s against %(second)s, won by neither.") % fields
    return gettext("Die %(number)s: %(first)s against %(second)s, won by %(winner)s.") % {**fields, "winner": winner}


def _between(x: int, winner: int | None) -> Between:
    y = TOP + BETWEEN // 2
    if winner is None:
        return Between(x, y, "")
    tip = -6 if winner == 0 else 6
    return Between(x, y, f"{x - 7},{y - tip} {x + 7},{y - tip} {x},{y + tip}")
