"""R10: the names of armies in the text of an order."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property, lru_cache

from wargame.rules.core.typography import plain

SHORTEST_START = 3
"""R10: the minimum number of letters of a name's start that is offered as a suggestion."""

QUOTES = ("'", '"')

_LONGEST_GUESS = 60
_LIKE = 0.65


def key(text: str) -> str:
    """R10: the common form of two spellings of one name: letters without case, plain characters, single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", plain(text))
    return " ".join(text.casefold().split())


class Names:
    """R10: the names on the map. Built once for many lines; `get`, `at` and `like` never guess.

    `former` are earlier names of armies, with the current ones, and are accepted too (2.6).
    """

    def __init__(self, names: Iterable[str], former: Mapping[str, str] | None = None) -> None:
        self.all = tuple(sorted(set(names)))
        self._exact = frozenset(self.all)
        self._former = former or {}
        self._longest = max(map(len, (*self.all, *self._former)), default=0) + 10

    def __iter__(self) -> Iterator[str]:
        return iter(self.all)

    @cached_property
    def _by_key(self) -> dict[str, list[str]]:
        """Computed for the first name that is not spelled exactly."""
        names: dict[str, list[str]] = {}
        for name in self.all:
            names.setdefault(key(name), []).append(name)
        for old, name in self._former.items():
            names.setdefault(key(old), [name])
        return names

    def get(self, text: str) -> str | None:
        """The name that the whole text spells; None if none does, or several that differ only in case."""
        if text in self._exact:
            return text
        names = self._by_key.get(key(text), ())
        return names[0] if len(names) == 1 else None

    def at(self, text: str, start: int, after: re.Pattern[str]) -> tuple[str, int] | None:
        """The longest name that begins at `start`, in quotation marks or not, and where it ends.

        `after` must match what follows it.
        """
        for end in range(min(len(text), start + self._longest), start, -1):
            may_end = text[end - 1] != " " and after.match(text, end)
            if may_end and (name := self.get(text[start:end])) is not None:
                return name, end
        quote = text[start : start + 1]
        close = text.find(quote, start + 1) if quote in QUOTES else -1
        if close > 0 and after.match(text, close + 1) and (name := self.get(text[start + 1 : close])) is not None:
            return name, close + 1
        return None

    def before_colon(self, text: str, start: int) -> tuple[str, int] | None:
        """The longest name that runs from `start` to a colon, and where it ends."""
        for colon in _backwards(text, ":", start):
            head = text[start:colon].rstrip(" ")
            if (name := self.get(head) or self.get(_unquoted(head))) is not None:
                return name, start + len(head)
        return None

    def like(self, text: str) -> tuple[str, ...]:
        """R10: names that may have been meant: the one that starts with it, then close ones; at most three."""
        query = key(_unquoted(text))
        if len(query) > _LONGEST_GUESS:
            return ()
        starts = [k for k in self._by_key if k.startswith(query)] if len(query) >= SHORTEST_START else []
        keys = starts if len(starts) == 1 else []
        keys += [k for k in get_close_matches(query, self._by_key, cutoff=_LIKE) if k not in keys]
        return tuple(name for k in keys for name in self._by_key[k])[:3]


def names_of(names: Iterable[str]) -> Names:
    """R10: an index of the names; the latest few are cached."""
    return names if isinstance(names, Names) else _names_of(tuple(names))


@lru_cache(maxsize=16)
def _names_of(names: tuple[str, ...]) -> Names:
    return Names(names)


def _backwards(text: str, sign: str, start: int) -> Iterator[int]:
    place = text.rfind(sign, start)
    while place > start:
        yield place
        place = text.rfind(sign, start, place)


def _unquoted(text: str) -> str:
    quoted = len(text) > 1 and text[0] == text[-1] and text[0] in QUOTES
    return text[1:-1] if quoted else text
