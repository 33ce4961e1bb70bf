"""Sentences of the rules and of card tables in the reader's language (docs/develop/decisions/13-languages.md).

Rules are pure: events are codes and fields, and sentences are only made for output, here. Without a catalogue every
sentence is its own translation, which is English; the app sets one at its start, which knows the reader.
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
    """The functions that translate: a sentence; a sentence for one thing and for many; a sentence in a context."""

    sentence: Callable[[str], str] = _as_written
    number: Callable[[str, str, int], str] = _one_or_many
    context: Callable[[str, str], str] = _whatever_it_is_for


_spoken = Catalogue()


def speak_by(catalogue: Catalogue) -> None:
    """Translate every sentence of this process by the catalogue from now on."""
    global _spoken
    _spoken = catalogue


def said(sentence: str, **fields: object) -> str:
    """The sentence in the reader's language, with its fields `%(name)s` filled in. With fields, a percent sign is
    written `%%`."""
    text = _spoken.sentence(sentence)
    return text % fields if fields else text


def counted(one: str, many: str, number: int, **fields: object) -> str:
    """The sentence for that number of things; `%(number)s` is the number."""
    return _spoken.number(one, many, number) % {"number": number, **fields}


def said_as(context: str, sentence: str, **fields: object) -> str:
    """The sentence or word in a context: for two meanings that are alike in English."""
    text = _spoken.context(context, sentence)
    return text % fields if fields else text


def language() -> str:
    """The name of the reader's language: the key for cached sentences."""
    return said_as("what this language is called in itself", "English")


def marked(sentence: str) -> str:
    """The sentence unchanged: a constant for a later `said`."""
    return sentence


def forms(one: str, many: str) -> tuple[str, str]:
    """Both forms unchanged: constants for a later `counted`."""
    return one, many


def grouped(number: int) -> str:
    """A whole number with thousands separators: 12,345."""
    return f"{number:,}".replace(",", said_as("between thousands", ","))
