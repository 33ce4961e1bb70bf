"""Sentences of the rules and of card tables in the language of who reads them (docs/develop/decisions/13-languages.md).

Rules are pure: what happened are codes and fields, and only what tells them makes sentences, here. Without a catalogue
every sentence is its own, which is English; the app hands one over at its start, and that one knows who reads.
"""

from collections.abc import Callable
from typing import NamedTuple


def _as_written(sentence: str) -> str:
    return sentence


def _one_or_many(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


def _whatever_it_is_for(context: str, sentence: str) -> str:
    return sentence


class Catalogue(NamedTuple):
    """What knows translations: of a sentence; of a sentence for one thing and for many; of a sentence in a context."""

    sentence: Callable[[str], str] = _as_written
    number: Callable[[str, str, int], str] = _one_or_many
    context: Callable[[str, str], str] = _whatever_it_is_for


_spoken = Catalogue()


def speak_by(catalogue: Catalogue) -> None:
    """From now on every sentence of this process is what the catalogue gives for it."""
    global _spoken
    _spoken = catalogue


def said(sentence: str, **fields: object) -> str:
    """The sentence as its reader's language has it, with its fields `%(name)s` filled in. Where there are fields, a
    per cent sign is written `%%`."""
    told = _spoken.sentence(sentence)
    return told % fields if fields else told


def counted(one: str, many: str, number: int, **fields: object) -> str:
    """The sentence for that number of things; `%(number)s` is the number."""
    return _spoken.number(one, many, number) % {"number": number, **fields}


def said_as(context: str, sentence: str, **fields: object) -> str:
    """The sentence, or word, where it stands for what the context says: two that English has alike."""
    told = _spoken.context(context, sentence)
    return told % fields if fields else told


def language() -> str:
    """What tells the language of who reads from others: its own name. What is kept of sentences is kept by it."""
    return said_as("what this language is called in itself", "English")


def marked(sentence: str) -> str:
    """The sentence as it is: a constant that `said` tells later."""
    return sentence


def forms(one: str, many: str) -> tuple[str, str]:
    """Both forms as they are: constants that `counted` tells later."""
    return one, many


def grouped(number: int) -> str:
    """A whole number with a mark between its thousands: 12,345."""
    return f"{number:,}".replace(",", said_as("between thousands", ","))
