"""T6.1, T10.6: why the service ended a table, as a code in the entry, and in the language of who reads it."""

from __future__ import annotations

from enum import Enum

from django.utils.translation import gettext, gettext_noop

from wargame.rules.core.phrases import Phrases, phrase_in


class Ending(Enum):
    """The reason of an entry `end`: what it holds, and its sentence."""

    GIVEN_UP = "given up", gettext_noop("The table was cancelled.")
    BEFORE_AGREEMENT = (
        "given up before an agreement",
        gettext_noop("The table was cancelled before an agreement was reached."),
    )
    NO_AGREEMENT = "no agreement in time", gettext_noop("The players didn't agree in time.")
    STAYED_AWAY = "stayed away", gettext_noop("The remaining players claimed the win because the others stayed away.")
    DRAW_AGREED = "draw agreed", gettext_noop("The players agreed on a draw.")

    def __init__(self, code: str, sentence: str) -> None:
        self.code = code
        self.sentence = sentence


class FormerEnding(Phrases):
    """What earlier versions wrote into the entry in words."""

    STAYED_AWAY = "{name} stayed away, and {winner} has taken the win."
    HAS_LOST = "{name} has lost: {reason}"


_SENTENCES = {each.code: each.sentence for each in Ending}


def ending_in_words(reason: str) -> str:
    """Why a table ended: by its code, or as a judge wrote it."""
    return gettext(_SENTENCES[reason]) if reason in _SENTENCES else str(phrase_in(FormerEnding, reason))
