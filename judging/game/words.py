"""Sentences that are kept and told later, to each reader in his language."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.utils.translation import gettext


class Words(NamedTuple):
    """A sentence or a part of one, with its fields. A verdict is kept for all readers, so it is told in the language of
    each."""

    sentence: str
    fields: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return gettext(self.sentence) % dict(self.fields) if self.fields else gettext(self.sentence)


def words(sentence: str, **fields: object) -> Words:
    """Words over fields; a field may be words itself."""
    return Words(sentence, tuple(fields.items()))


class Facts(dict[str, Any]):
    """What a stored sentence is filled with. What is missing is told as “…”: rows come from other versions, too."""

    def __missing__(self, key: str) -> str:
        return "…"
