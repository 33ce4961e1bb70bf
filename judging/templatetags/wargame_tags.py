"""Tags and filters of all pages: citations, times, crests, badges, bars, hashes."""

import math
import re
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import dateformat, timezone
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_noop, ngettext

from judging.common.markup import harmless
from judging.svg import map as drawn
from judging.svg.crests import crest_of, field, short_side, tier_of, title_of
from judging.turns.posts.parsing import ThreadLine
from judging.turns.states import state_words
from wargame.models import Turn
from wargame.models.choices import RoundState
from wargame.rules.core import clock
from wargame.rules.core.draws import told_draw
from wargame.rules.core.sides import Side
from wargame.web import languages

register = template.Library()

_CITE = re.compile(r"[^\s,;]+")
_UNITS = {"day": 86400, "hour": 3600, "minute": 60, "second": 1}
_LENGTHS = (("day", 86400, 172800), ("hour", 3600, 3600), ("minute", 60, 60), ("second", 1, 0))
"""Names and lengths of units, and the seconds from which each is used: a day is 24 hours."""

SHOWN_OF_A_HASH = 12

FORMATS = (
    # Translators: days, as Django's filter "date" writes them.
    *(gettext_noop("D j M Y"), gettext_noop("j M Y"), gettext_noop("j M Y, H:00")),
    *(gettext_noop("j F Y"), gettext_noop("j M, H:i")),
)
"""Date formats of pages: a template says `date:_("j M Y")`, and each language has its own order and punctuation."""


COLOR_WORDS = (
    *(gettext_noop("white"), gettext_noop("blue"), gettext_noop("black"), gettext_noop("red"), gettext_noop("green")),
    *(gettext_noop("multicolor"), gettext_noop("colorless")),
)


@register.simple_tag
def cite(numbers: object) -> SafeString:
    """`3.2.2.1` or `R20` (or several, with commas) as links to the page of the rules."""
    links = (
        (reverse("rules"), number if number.startswith("R") else f"r{number}", number)
        for number in _CITE.findall(str(numbers or ""))
    )
    return format_html_join(" ", '<a class="cite" href="{}#{}">{}</a>', links)


register.filter("told_draw", told_draw)


@register.filter
def utc(when: datetime | None) -> SafeString:
    """A time to the minute as a `<time>` in UTC; empty for None. times.js shows it in the reader's own zone."""
    return _time(when, "short", "H:i")


@register.filter
def utc_exact(when: datetime | None) -> SafeString:
    """The same to the second, for receipts."""
    return _time(when, "exact", "H:i:s")


def _time(when: datetime | None, form: str, hours: str) -> SafeString:
    if when is None:
        return SafeString("")
    moment = when.astimezone(UTC)
    text = f"{dateformat.format(moment, gettext(FORMATS[0]))}, {dateformat.format(moment, hours)} UTC"
    return format_html('<time datetime="{}" data-utc="{}">{}</time>', _iso(moment), form, text)


@register.filter
def utc_short(when: datetime | None) -> SafeString:
    """The same with only day and minute, for a line with other content."""
    if when is None:
        return SafeString("")
    moment = when.astimezone(UTC)
    text = dateformat.format(moment, gettext("j M, H:i"))
    return format_html('<time datetime="{}" data-utc="short">{} UTC</time>', _iso(moment), text)


@register.simple_tag
def countdown(deadline: datetime | None) -> SafeString:
    """R4: the time left until a deadline has passed, its own minute included; empty for None.

    times.js keeps the text running, until the time in `datetime`.
    """
    if deadline is None:
        return SafeString("")
    return running(clock.closes(deadline))


def running(out: datetime, ahead: str = "", over: str = "") -> SafeString:
    """The time left until a given time, in a sentence: `ahead` precedes it, `over` replaces it when nothing is left,
    or the default. times.js continues with the same words."""
    seconds = math.ceil((out - timezone.now()).total_seconds())
    return format_html(
        '<time class="countdown{}" datetime="{}" data-countdown{}{}>{}</time>',
        " countdown--past" if seconds <= 0 else "",
        _iso(out),
        format_html(' data-ahead="{}"', ahead) if ahead else "",
        format_html(' data-over="{}"', over) if over else "",
        over or gettext("passed") if seconds <= 0 else f"{ahead} {in_words(seconds)}".strip(),
    )


@register.filter
def unturned(text: str) -> str:
    """Typed text without characters that reverse the rest of its line. The stored text keeps them."""
    return harmless(text)


@register.filter
def state_of(turn: Turn) -> str:
    """3.1: the state of a turn in words."""
    return state_words(turn, timezone.now())


@register.filter
def has_illegal(lines: Iterable[ThreadLine]) -> bool:
    """R12: whether a post has an illegal order among its lines."""
    return any(entry.look == "illegal" for entry in lines)


@register.filter
def span(length: timedelta) -> str:
    """A length of time in the largest unit that divides it: `7 days`, `24 hours`, `90 seconds`."""
    seconds = round(length.total_seconds())
    name, unit = next((name, unit) for name, unit, least in _LENGTHS if seconds % unit == 0 and seconds >= least)
    return _counted(seconds // unit, name)


def in_words(seconds: int) -> str:
    """`in 2 days 3 hours`, `in 4 minutes 10 seconds`: the two largest units left; `passed` at zero."""
    if seconds <= 0:
        return gettext("passed")
    parts = []
    for unit, length in _UNITS.items():
        number, seconds = divmod(seconds, length)
        parts.append((number, unit))
    first = next(place for place, (number, _) in enumerate(parts) if number)
    texts = [_counted(number, unit) for number, unit in parts[first : first + 2] if number]
    return gettext("in %(time)s") % {"time": " ".join(texts)}


def _counted(number: int, unit: str) -> str:
    texts = {
        "day": ngettext("%(number)s day", "%(number)s days", number),
        "hour": ngettext("%(number)s hour", "%(number)s hours", number),
        "minute": ngettext("%(number)s minute", "%(number)s minutes", number),
        "second": ngettext("%(number)s second", "%(number)s seconds", number),
    }
    return texts[unit] % {"number": number}


@register.filter
def crest(army: object) -> SafeString:
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
def creature_link(name: str) -> SafeString:
    """2.2.3: a creature's name, linked to its card; `cards.js` shows the card at the name. An empty name, as of
    troops without creatures, stays empty."""
    if not name:
        return SafeString("")
    return format_html('<a class="creature" href="{}">{}</a>', reverse("creature", args=[name]), name)


@register.filter
def side_badge(side: str) -> SafeString:
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
    """Colours of 1.1.2 as small swatches with their names."""
    swatch = '<span class="nowrap"><span class="swatch swatch--{}"></span> {}</span>'
    return format_html_join(", ", swatch, ((color, color_word(color)) for color in colors or ()))


@register.filter
def color_word(color: str) -> str:
    """A colour of 1.1.2 in words: `white`."""
    return gettext(color) if color in COLOR_WORDS else color


@register.filter
def terrain_word(terrain: str) -> str:
    """4.1.2.4: a terrain in words: `plains`."""
    return drawn.terrain_word(terrain)


@register.filter
def listed_colors(colors: Any) -> str:
    """Colours of 1.1.2 in words, with commas: `white, blue`."""
    return ", ".join(color_word(color) for color in colors or ())


@register.filter
def permille(value: int) -> str:
    """`63%` of 634, `0.4%` of 4."""
    return f"{value / 10:.0f}%" if 20 <= value <= 980 else f"{value / 10:.1f}%"


@register.filter
def short_hash(value: str | None) -> SafeString:
    """The first letters of a hash, with the whole one as a tooltip."""
    if not value:
        return SafeString("")
    return format_html('<code class="hash" title="{}">{}…</code>', value, value[:SHOWN_OF_A_HASH])


@register.simple_tag
def bar(alive: int, of: int, side: str = "") -> SafeString:
    """The living share of a number of troops, as a small bar."""
    share = round(100 * alive / of, 1) if of else 0
    return format_html(
        '<svg class="bar bar--{}" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="bar__of" width="100" height="10"/><rect class="bar__alive" width="{}" height="10"/></svg>',
        side or "plain",
        gettext("%(alive)s of %(of)s") % {"alive": alive, "of": of},
        share,
    )


def _iso(when: datetime) -> str:
    return f"{when.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


@register.inclusion_tag("partials/pager.html", takes_context=True)
def pager(
    context: template.Context, page: int, pages: int, before: str, after: str, label: str = ""
) -> dict[str, object]:
    """Links to the previous and next page, keeping the query; empty for a single page. `pages` is 0 if they were not
    counted and there is another one."""
    params = context["request"].GET.copy()
    params.pop("page", None)
    query = f"{params.urlencode()}&" if params else ""
    fields = {"page": page, "pages": pages or page + 1, "is_counted": bool(pages)}
    return {**fields, "before": before, "after": after, "label": label or gettext("Pages"), "asked": query}


@register.simple_tag
def page_language() -> str:
    return languages.tag()


@register.simple_tag
def site_name() -> str:
    """The host's name for the site, also on pages without the frame's context."""
    return str(settings.SITE_NAME)


@register.inclusion_tag("partials/say.html")
def scripts_speak() -> dict[str, str]:
    """The catalogue for the scripts' sentences: an English page needs none."""
    code = get_language() or ""
    return {"spoken": "" if code.startswith("en") else code}


@register.inclusion_tag("partials/languages.html", takes_context=True)
def language_switch(context: template.Context) -> dict[str, object]:
    """A button for each language; empty if there is only one, or if nothing can be sent."""
    request = context.get("request")
    if request is None or not languages.is_choice():
        return {"languages": ()}
    fields = {"languages": languages.choices(), "now": get_language(), "next": request.get_full_path()}
    return {**fields, "csrf_token": context.get("csrf_token")}


ABOUT = gettext_noop(
    "A war between two teams, played by post: orders once a turn, battles judged by people, dice anyone can check."
)


@register.simple_tag(takes_context=True)
def open_graph(context: template.Context, title: str = "", about: str = "", picture: str = "") -> SafeString:
    """The preview of this page's link on other sites: public content, and a picture by its path. Without any it is
    the round's name and card."""
    request, round_ = context.get("request"), context["site"].round if "site" in context else None
    oembed = SafeString("")
    if not picture and round_ is not None and round_.state in (RoundState.RUNNING, RoundState.OVER):
        picture = reverse("round-card", args=[round_.slug])
    home = settings.PUBLIC_URL.rstrip("/")
    properties = [
        ("og:site_name", settings.SITE_NAME),
        ("og:type", "website"),
        ("og:title", title or (round_.name if round_ else settings.SITE_NAME)),
        ("og:description", about or gettext(ABOUT)),
        ("og:url", home + request.path if request else home),
    ]
    if picture:
        properties += [("og:image", home + picture), ("og:image:width", "1200"), ("og:image:height", "630")]
    where = request.resolver_match.kwargs if request and request.resolver_match else {}
    if round_ is not None and request and "slug" in where:
        page = urlencode({"url": home + request.path})
        pattern = '<link rel="alternate" type="application/json+oembed" title="{}" href="{}">'
        oembed = format_html(pattern, dict(properties)["og:title"], f"{home}{reverse('oembed')}?{page}")
    card = format_html('<meta name="twitter:card" content="{}">', "summary_large_image" if picture else "summary")
    return format_html_join("", '<meta property="{}" content="{}">', properties) + card + oembed
