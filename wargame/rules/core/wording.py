"""Building sentences for players: lists of names, numbers with their things."""

import re
from collections.abc import Sequence
from functools import lru_cache

from wargame.rules.core.saying import counted, forms, marked, said


def listed(names: Sequence[str]) -> str:
    """Names as a person lists them: “A”, “A and B”, “A, B and C”."""
    if len(names) < 2:
        return "".join(names)
    return said("%(first)s and %(last)s", first=", ".join(names[:-1]), last=names[-1])


_OF = re.compile(r"[ -](?:of|from|in|on|at|with|under|behind|beyond)[ -]", re.IGNORECASE)
_LIKE_MANY = re.compile(r"(?:[bcdfghklmnpqrtvwxz]|[aeo]y|e[ae]|i[ev]e|[lr]ve|[cs]he|[xz]e|sse)s$", re.IGNORECASE)


@lru_cache(maxsize=1000)
def _is_many(name: str) -> bool:
    """Whether a name is a plural, judging by its last letters: “Red Rag Reavers”, but not “Gravelpit Gus” nor
    “Sleeve of Knives”."""
    return bool(_LIKE_MANY.search(_OF.split(name, maxsplit=1)[0][-4:]))


def how_many(names: Sequence[str]) -> int:
    """The number of these names, for languages whose verbs need it: one for a single name that is not a plural."""
    return len(names) if len(names) != 1 else 1 + _is_many(names[0])


_THINGS = {
    "day": forms("%(number)s day", "%(number)s days"),
    "step": forms("%(number)s square", "%(number)s squares"),
    "square": forms("%(number)s square", "%(number)s squares"),
    "free square": forms("%(number)s free square", "%(number)s free squares"),
    "other square": forms("%(number)s other square", "%(number)s other squares"),
    "equal square": forms("%(number)s equal square", "%(number)s equal squares"),
    "equally empty square": forms("%(number)s equally empty square", "%(number)s equally empty squares"),
}


def count(number: int, thing: str) -> str:
    """A number with its thing: “1 day”, “3 days”. KeyError for a thing without a plural here."""
    one, many = _THINGS[thing]
    return counted(one, many, number)


def troops_by_creature(troops: Sequence[tuple[int, str, int]]) -> str:
    """Troops as (slot, creature, number): “600 Kris Mage and 10 of slot 4”."""
    return listed(
        [
            f"{number} {creature}" if creature else said("%(number)s from slot %(slot)s", number=number, slot=slot)
            for slot, creature, number in troops
        ]
    )


def headline(first: Sequence[str], second: Sequence[str], defends: int | None) -> str:
    """4.1.2.3, R25: `X against Y`, the attackers first."""
    if defends == 0:
        first, second = second, first
    return said("%(first)s against %(second)s", first=_and(first), second=_and(second))


def _and(names: Sequence[str]) -> str:
    text, *rest = names
    for name in rest:
        text = said("%(first)s and %(last)s", first=text, last=name)
    return text


FULL = marked("no square on the map was free")
"""Why an army stays on a forbidden square."""
