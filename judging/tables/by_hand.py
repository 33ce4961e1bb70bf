"""T11.1, T11.7: the forms by which people do things by hand, and the line that each of them writes.

Apart from `pages`, because it turns what was typed into a line of the notation, and neither posts nor shows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from django.http import QueryDict
from django.utils.translation import gettext

from judging.game.errors import Refused

RULE = "T11.7"
_WORD = re.compile(r"[A-Za-z][\w'-]{0,29}")
_THING = re.compile(r"#[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,4}")


def line_of(data: QueryDict, letter: str, game: str) -> str:
    """T11.7: what a form says as a line, done at once or proposed. Refused where something of it is missing."""
    make = _FORMS.get(data.get("hand", ""))
    if make is None:
        raise Refused(gettext("Choose what to do."), RULE)
    who = data.get("who", "") or letter
    if not re.fullmatch(r"[A-H]", who):
        raise Refused(gettext("Choose a player."), RULE, "who")
    sentence = make(data, who)
    return f"{'do' if game == 'free' and data.get('how') == 'do' else 'propose'}: {sentence}"


def _number(data: QueryDict, name: str) -> str:
    typed = data.get(name, "").strip()
    if not _NUMBER.fullmatch(typed):
        raise Refused(gettext("Enter a whole number up to 9999."), RULE, name)
    return str(int(typed))


def _word(data: QueryDict, name: str) -> str:
    typed = data.get(name, "").strip()
    if not _WORD.fullmatch(typed):
        raise Refused(gettext("Name the counter in one word, using letters, digits and hyphens."), RULE, name)
    return typed.lower()


def _thing(data: QueryDict) -> str:
    card = data.get("card", "")
    if not _THING.fullmatch(card):
        raise Refused(gettext("Choose a face-up card."), RULE, "card")
    return card


def _move(data: QueryDict, who: str) -> str:
    card, to = data.get("card", ""), data.get("to", "")
    if not re.fullmatch(r"[a-z]+", to):
        raise Refused(gettext("Choose where the card goes."), RULE, "to")
    if card == "top":
        if to in ("deck", "bottom"):
            raise Refused(gettext("The top card is already on the deck. Choose another place."), RULE, "to")
        return f"{who} deals 1 to {to}"
    return f"{who} puts {card[1:]} to {to}" if card.startswith("=") else f"{_thing(data)} to {to}"


def _turn(data: QueryDict, who: str) -> str:
    return f"{_thing(data)} {'disengages' if data.get('turn') == 'back' else 'engages'}"


def _count(data: QueryDict, who: str) -> str:
    card = data.get("card", "")
    on = card if re.fullmatch(r"[A-H]", card) else _thing(data)
    return f"{on} has {_number(data, 'n')} {_word(data, 'word')}"


def _show(data: QueryDict, who: str) -> str:
    card = data.get("card", "")
    return f"{who} reveals {card[1:]}" if card.startswith("=") else f"{who} shows hand"


def _zone(data: QueryDict) -> str:
    return data.get("zone", "") if re.fullmatch(r"[a-z]+", data.get("zone", "")) else "deck"


def _sentence_typed(data: QueryDict, who: str) -> str:
    typed = " ".join(data.get("sentences", "").split())
    if not typed:
        raise Refused(gettext("Write what should happen."), "T11.1", "sentences")
    return typed


_FORMS: Mapping[str, Callable[[QueryDict, str], str]] = {
    "draw": lambda data, who: f"{who} draws {_number(data, 'n')}",
    "discard": lambda data, who: f"{who} discards {_number(data, 'n')}",
    "shuffle": lambda data, who: f"{who} shuffles {_zone(data)}",
    "roll": lambda data, who: f"{who} rolls d{_number(data, 'sides')}",
    "look": lambda data, who: f"{who} looks at {_number(data, 'n')}",
    "move": _move,
    "turn": _turn,
    "count": _count,
    "show": _show,
    "win": lambda data, who: f"{who} wins",
    "said": _sentence_typed,
}
"""By the form: its sentence, for the player whom it is about."""
