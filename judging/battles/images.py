"""4.2.5: A published result as a picture for sharing: who fought where, dice, losses, and the start of the narrative.

It does not depend on the viewer, so it has only public facts; a battle without a result has none.
"""

from collections.abc import Iterator, Sequence
from html import unescape
from textwrap import shorten, wrap
from typing import TypedDict

from django.template.loader import render_to_string
from django.utils.html import strip_tags
from django.utils.translation import gettext, ngettext, pgettext

from judging.battles.results import ResultView
from judging.battles.shapes import BattleView, FighterView
from judging.svg.map import COLORS, terrain_word
from wargame.models import Round
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import listed

HEADLINE, NAME, TALE, WHERE = 42, 26, 74, 80
"""How many characters fit in a line."""

TALE_LINES, NAMES = 4, 2

CRESTS = {
    Side.COALITION: "M16 2c4 2.6 8 3 12 3v11c0 7-5 11-12 14.500c-7-3.5-12-7.5-12-14.500v-11c4 0 8-.4 12-3z",
    Side.PHYREXIA: "M16 1l4.5 6l9.5-3l-3 10l3 8.500l-8.5 1l-5.5 7.500l-5.5-7.500l-8.5-1l3-8.500l-3-10l9.5 3z",
    Side.MERCENARY: "M16 .5l15.5 15.500l-15.5 15.500l-15.5-15.500z",
}
"""The shapes of `partials/crests.html`, whose colours come from a style sheet that does not apply to images."""


class TextLine(TypedDict):
    text: str
    y: int


def summary_of(view: BattleView) -> str:
    """A battle in one line: its result, or where it will be fought."""
    place = f"{view.at}, {terrain_word(view.terrain)}" + (f", {view.place}" if view.place else "")
    if view.result is None:
        return gettext("Turn %(turn)s, at %(place)s.") % {"turn": view.turn, "place": place}
    message = ngettext(
        "Turn %(turn)s, at %(place)s. %(armies)s won. %(tale)s",
        "Turn %(turn)s, at %(place)s. %(armies)s won. %(tale)s",
        len(view.result.winners),
    )
    fields = {"turn": view.turn, "place": place, "armies": listed(view.result.winners)}
    return message % {**fields, "tale": " ".join(_tale(view.result, 200))}


def card_of(round_: Round, view: BattleView, result: ResultView) -> str:
    """The picture of a published battle as SVG, 1200 by 630."""
    place = f"{view.at}, {view.place or terrain_word(view.terrain)}"
    where = gettext("%(round)s · turn %(turn)s · %(place)s")
    card = {
        "where": shorten(where % {"round": round_.name, "turn": view.turn, "place": place}, WHERE, placeholder="…"),
        "headline": _lines(_wrapped(view.headline, HEADLINE, 2), 138, 54),
        "sides": [_side(view, result, side) for side in (0, 1)],
        "tale": _lines(_wrapped(" ".join(_tale(result, TALE * TALE_LINES * 2)), TALE, TALE_LINES), 448, 34),
    }
    return render_to_string("battles/card.svg", {"card": card})


def _side(view: BattleView, result: ResultView, side: int) -> dict[str, object]:
    fighters: Sequence[FighterView] = view.sides[side]
    names = {fighter.name for fighter in fighters}
    first = Side(fighters[0].side)
    toll = sum(losses.total for losses in result.losses if losses.army in names)
    ended = pgettext("a side", "won") if result.winner == side else pgettext("a side", "lost")
    more = ""
    if len(fighters) > NAMES:
        more = " " + gettext("and %(number)s more") % {"number": len(fighters) - NAMES + 1}
    full_names = [fighter.name for fighter in fighters[: NAMES - 1 if more else NAMES]]
    labels = [shorten(name, NAME, placeholder="…") for name in full_names]
    if more:
        labels[-1] += more
    return {
        "x": 60 if side == 0 else 620,
        "color": COLORS[first],
        "shape": CRESTS[first],
        "names": _lines(labels, 28 if len(labels) > 1 else 42, 32),
        "won": result.winner == side,
        "told": gettext("%(ended)s, %(number)s dead") % {"ended": ended, "number": grouped(toll)} if toll else ended,
        "dice": list(_dice(result, side)),
    }


def _dice(result: ResultView, side: int) -> Iterator[dict[str, object]]:
    for place, pair in enumerate(result.rounds[-1] if result.rounds else ()):
        x = 100 + 70 * place
        yield {"x": x, "middle": x + 28, "total": pair.total[side], "won": pair.who == side}


def _tale(result: ResultView, most: int) -> Iterator[str]:
    """The start of the judge's narrative, as plain text."""
    text = unescape(strip_tags(result.narrative))
    if tale := " ".join(text.split()):
        yield shorten(tale, most, placeholder=" …")


def _wrapped(text: str, width: int, most: int) -> list[str]:
    """Lines of `width` characters, longer words cut in two; the last one ends in dots if there is more."""
    return wrap(text, width, max_lines=most, placeholder=" …")


def _lines(texts: Sequence[str], top: int, height: int) -> list[TextLine]:
    return [{"text": text, "y": top + height * place} for place, text in enumerate(texts)]
