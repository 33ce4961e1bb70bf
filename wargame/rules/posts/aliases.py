"""R8: words of other languages for those of orders. An order is written in the rulebook's words (3.2.2.5), for any
reader; a player who writes it in other words is asked, and offered the order in those of the rulebook."""

import re
from collections.abc import Iterable, Mapping

from wargame.rules.core.saying import said_as


def spoken_aliases() -> dict[str, tuple[str, ...]]:
    """The aliases in the current language for each word of orders that has any."""
    texts = {
        # Translators: words that readers type for this word of orders, with commas between them
        "engage": said_as("typed for an order word", "engage"),
        "replace": said_as("typed for an order word", "replace"),
        "joint engage": said_as("typed for an order word", "joint engage"),
        "intercept": said_as("typed for an order word", "intercept"),
        "transfer to": said_as("typed for an order word", "transfer to"),
        "to": said_as("typed for an order word", "to"),
        "at": said_as("typed for an order word", "at"),
        "hold": said_as("typed for an order word", "hold"),
        "in battle": said_as("typed for an order word", "in battle"),
    }
    aliases = {keyword: tuple(filter(None, map(str.strip, value.split(",")))) for keyword, value in texts.items()}
    return {keyword: value for keyword, value in aliases.items() if value != (keyword,)}


class Aliases:
    """The aliases of words of orders: each of these with its aliases. An alias of two words is left unchanged."""

    def __init__(self, words: Mapping[str, Iterable[str]] | None = None) -> None:
        by_alias: dict[str, set[str]] = {}
        for keyword, value in (words or {}).items():
            for each in value:
                by_alias.setdefault(_same(each), set()).add(keyword)
        self._meant = {value: min(these) for value, these in by_alias.items() if len(these) == 1}
        longest = sorted(self._meant, key=len, reverse=True)
        either = "|".join(r"\s+".join(map(re.escape, value.split())) for value in longest)
        self._any = re.compile(rf"(?<![\w'-])(?:{either or '(?!)'})(?![\w'-])", re.IGNORECASE)

    def in_rulebook_words(self, line: str) -> str:
        """The line with the rulebook's words for these; unchanged if it has none of them."""
        return self._any.sub(lambda word_match: self._meant[_same(word_match[0])], line)


def _same(text: str) -> str:
    return " ".join(text.casefold().split())


NO_ALIASES = Aliases()
