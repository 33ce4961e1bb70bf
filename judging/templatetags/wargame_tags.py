"""Tags and filters of all pages: citations, times, crests, badges, bars, hashes."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from judging.drawing.crests import crest_of, field, short_side, tier_of, title_of
from judging.game.markup import harmless
from judging.turns.posts.reading import ThreadLine
from judging.turns.states import state_words
from wargame.models import Turn
from wargame.rules.core import clock
from wargame.rules.core.sides import Side

register = template.Library()

_CITE = re.compile(r"[^\s,;]+")
_UNITS = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))
_LENGTHS = (("day", 86400, 172800), ("hour", 3600, 3600), ("minute", 60, 60), ("second", 1, 0))
"""Names and lengths of units, and from how many seconds on each is used: a day is 24 hours."""

SHOWN_OF_A_HASH = 12


@register.simple_tag
def cite(numbers: object) -> SafeString:
    """`3.2.2.1` or `R20` (or several, with commas) as links to the page of the rules."""
    links = (
        (reverse("rules"), number if number.startswith("R") else f"r{number}", number)
        for number in _CITE.findall(str(numbers or ""))
    )
    return format_html_join(" ", '<a class="cite" href="{}#{}">{}</a>', links)


@register.filter
def utc(when: datetime | None) -> SafeString:
    """A moment as a `<time>` in UTC, with its seconds unless it is a whole minute; nothing for None."""
    if when is None:
        return SafeString("")
    moment = when.astimezone(UTC)
    seconds = f"{moment:%H:%M:%S}" if moment.second or moment.microsecond else f"{moment:%H:%M}"
    shown = f"{moment:%a} {moment.day} {moment:%b %Y}, {seconds} UTC"
    return format_html('<time datetime="{}">{}</time>', _iso(moment), shown)


@register.simple_tag
def countdown(deadline: datetime | None) -> SafeString:
    """R4: the time left until a deadline has passed, its own minute included; nothing for None.

    The text is kept running by countdown.js, until the moment in `datetime`.
    """
    if deadline is None:
        return SafeString("")
    out = clock.closes(deadline)
    left = math.ceil((out - timezone.now()).total_seconds())
    return format_html(
        '<time class="countdown{}" datetime="{}" data-countdown>{}</time>',
        " countdown--past" if left <= 0 else "",
        _iso(out),
        in_words(left),
    )


@register.filter
def unturned(text: str) -> str:
    """What somebody typed, without signs that turn the rest of its line round. What is stored keeps them."""
    return harmless(text)


@register.filter
def state_of(turn: Turn) -> str:
    """3.1: what a turn does now, in words."""
    return state_words(turn, timezone.now())


@register.filter
def has_illegal(lines: Iterable[ThreadLine]) -> bool:
    """R12: whether an order among the lines of a post is illegal."""
    return any(entry.look == "illegal" for entry in lines)


@register.filter
def span(length: timedelta) -> str:
    """A length of time in the largest unit of which it is a whole number: `7 days`, `24 hours`, `90 seconds`."""
    seconds = round(length.total_seconds())
    name, unit = next((name, unit) for name, unit, least in _LENGTHS if seconds % unit == 0 and seconds >= least)
    number = seconds // unit
    return f"{number} {name}{'' if number == 1 else 's'}"


def in_words(seconds: int) -> str:
    """`in 2 d 3 h`, `in 4 min 10 s`: the two largest units that are left; `passed` when none is."""
    if seconds <= 0:
        return "passed"
    parts = []
    for unit, length in _UNITS:
        number, seconds = divmod(seconds, length)
        parts.append((number, unit))
    first = next(place for place, (number, _) in enumerate(parts) if number)
    return "in " + " ".join(f"{number} {unit}" for number, unit in parts[first : first + 2])


@register.filter
def crest(army: Any) -> SafeString:
    """An army's crest: its side by shape and colour, its rank by mark. Takes the rules' army, a row or a dict."""
    return format_html(
        '<svg class="crest" viewBox="0 0 32 32" role="img" aria-label="{}, {}"><use href="#{}"/></svg>',
        short_side(field(army, "side")),
        title_of(army),
        crest_of(field(army, "side"), tier_of(army)),
    )


@register.simple_tag(takes_context=True)
def army_link(context: template.Context, army: Any, round: Any = None) -> SafeString:
    """Crest and name of an army, linked to its page in the round given, or the one of the page."""
    slug = (round or context.get("round") or context["site"].round).slug
    name = field(army, "name")
    return format_html(
        '<a class="army-link" href="{}">{}<span>{}</span></a>', reverse("army", args=[slug, name]), crest(army), name
    )


@register.filter
def side_badge(side: str) -> SafeString:
    """A badge with a side's name in its colours."""
    return format_html('<span class="badge badge--{}">{}</span>', Side(side).value, short_side(side))


@register.filter
def side_name(side: str) -> str:
    """`Coalition`, `Phyrexia` or `Mercenaries`."""
    return short_side(side)


@register.filter
def side_title(side: str) -> str:
    """A side in a sentence: `the Coalition`, `Phyrexia`."""
    return Side(side).title


@register.filter
def color_words(colors: Any) -> SafeString:
    """Colours of 1.1.2 as small swatches with their words."""
    swatch = '<span class="nowrap"><span class="swatch swatch--{}"></span> {}</span>'
    return format_html_join(", ", swatch, ((color, color) for color in colors or ()))


@register.filter
def permille(value: int) -> str:
    """`63%` of 634, `0.4%` of 4."""
    return f"{value / 10:.0f}%" if 20 <= value <= 980 else f"{value / 10:.1f}%"


@register.filter
def short_hash(value: str | None) -> SafeString:
    """The first letters of a hash; the whole one when pointed at."""
    if not value:
        return SafeString("")
    return format_html('<code class="hash" title="{}">{}…</code>', value, value[:SHOWN_OF_A_HASH])


@register.simple_tag
def bar(alive: int, of: int, side: str = "") -> SafeString:
    """How many of a number of troops are alive, as a small bar."""
    share = round(100 * alive / of, 1) if of else 0
    return format_html(
        '<svg class="bar bar--{}" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{} of {}">'
        '<rect class="bar__of" width="100" height="10"/><rect class="bar__alive" width="{}" height="10"/></svg>',
        side or "plain",
        alive,
        of,
        share,
    )


def _iso(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
