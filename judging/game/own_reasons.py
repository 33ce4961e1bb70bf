"""Reasons that the service gives where nobody wrote one: codes with fields, told to each reader in his language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wargame.rules.core.phrases import Json, Phrase, Phrases, phrase_from_json, phrase_to_json


class OwnReason(Phrases):
    """What is given as the reason of an act that follows from another one."""

    ACCOUNT_DELETED = "Their account was deleted."
    PENALTY_TOOK = "Penalty {number:d} took troops from it (5.4.1)."


def kept(reason: str | Phrase) -> str | Json:
    """A reason as the data of an act keep it: as somebody wrote it, or as a code with its fields."""
    return phrase_to_json(reason) if isinstance(reason, Phrase) else reason


def reason_in(data: Mapping[str, Any]) -> str:
    """The reason among the data of an act, in words: as somebody wrote it, or the service's own, which earlier versions
    stored in English; empty for none."""
    given = data.get("reason")
    try:
        return str(phrase_from_json(OwnReason, given)) if given else ""
    except ValueError:
        return ""
