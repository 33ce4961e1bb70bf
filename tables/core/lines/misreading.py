"""T9.1: what is wrong with a line that can't be read: its column, what would fit there, and the nearest form.

Apart from `notation`, because a line that can be read never comes here: it is all about people's errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from tables.core.lines.actions import Unreadable
from tables.core.lines.forms import Form
from tables.core.lines.matching import Text
from tables.core.lists.faults import quote
from wargame.rules.core.saying import said

MOST_EXPECTED = 8
PASS = "pass"
"""What one does most often, and so is told first where nothing of a line fits."""
_LIKELY = 0.6


def overlong(signs: int, most: int) -> Unreadable:
    """R8: a line that is too long to be read; nothing of it is looked at."""
    return Unreadable(
        most + 1,
        said("The line has %(signs)s characters; the limit is %(most)s.", signs=signs, most=most),
        (said("a shorter line"),),
    )


def explain(text: Text, forms: Sequence[Form]) -> Unreadable:
    """T9.1: why no form fits: the furthest place to which one came, and what it expected there."""
    far, start = text.far, text.skip(0)
    place = text.skip(far.place)
    rest = text.line[place : text.end].split(" ", 1)[0]
    wrong = far.wrong or (
        said("%(word)s does not fit here.", word=quote(rest)) if rest else said("The line ends too early.")
    )
    typed = text.line[start : text.end].casefold()
    if place > start:
        return Unreadable(place + 1, wrong, tuple(far.expected[:MOST_EXPECTED]), far.form)
    firsts = list(dict.fromkeys(form.pattern.split(" ")[0].split("|")[0].strip("{}[]") for form in forms))
    firsts.sort(key=lambda first: first != PASS)
    word = typed.split(" ", 1)[0]
    near = sorted(firsts, key=lambda first: -_alike(word, first))
    nearest = [first for first in near if _alike(word, first) >= _LIKELY]
    shown = next((form.shown for first in nearest for form in forms if form.pattern.startswith(first)), "")
    return Unreadable(place + 1, wrong, tuple(nearest[:3] or firsts[:MOST_EXPECTED]), shown)


def _alike(left: str, right: str) -> float:
    return SequenceMatcher(None, left[:40], right.casefold()).ratio()
