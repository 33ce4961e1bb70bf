"""Sentences stored as codes with fields, and shown to each reader in their language; the service's own reasons
among them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext

from wargame.rules.core.phrases import Json, Phrase, Phrases, phrase_from_json, phrase_to_json


class Words(NamedTuple):
    """A sentence or a part of one, with its fields. A verdict is cached for all readers, so it is translated for
    each."""

    sentence: str
    fields: tuple[tuple[str, object], ...] = ()

    def __str__(self) -> str:
        return gettext(self.sentence) % dict(self.fields) if self.fields else gettext(self.sentence)


def words(sentence: str, **fields: object) -> Words:
    """Words with fields; a field can be words itself."""
    return Words(sentence, tuple(fields.items()))


class Facts(dict[str, Any]):
    """The fields of a stored sentence. A missing one is shown as “…”: rows come from other versions, too."""

    def __missing__(self, key: str) -> str:
        return "…"


class OwnReason(Phrases):
    """The reason of an act that follows from another one."""

    ACCOUNT_DELETED = "Their account was deleted."
    PENALTY_TOOK = "Penalty {number:d} took troops from it (5.4.1)."


def kept(reason: str | Phrase) -> str | Json:
    """A reason as stored in the data of an act: the text that was written, or a code with its fields."""
    return phrase_to_json(reason) if isinstance(reason, Phrase) else reason


def reason_in(data: Mapping[str, Any]) -> str:
    """The reason among the data of an act, as text: what was written, or the service's own reason, which earlier
    versions stored in English; empty without one."""
    reason = data.get("reason")
    try:
        return str(phrase_from_json(OwnReason, reason)) if reason else ""
    except ValueError:
        return ""
