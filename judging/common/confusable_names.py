"""1.6: names that look like other names, by Unicode's UTS 39, and names that nobody can have."""

import re
import unicodedata
from functools import cache, lru_cache

from django.conf import settings

from wargame.rules.core.names import key

LONGEST = 255
"""The maximum length of a stored skeleton: one letter may become several."""

MOST_MARKS = 2
"""Accents over one letter: no language needs more, and twenty cover the lines above and below."""

RESERVED_NAMES = (
    *("admin", "administrator", "root", "system", "server", "service", "the service", "support", "help", "staff"),
    *("host", "moderator", "bot", "api", "security", "webmaster", "postmaster", "null", "none", "anonymous", "nobody"),
    *("everybody", "everyone", "deleted", "judge", "judges", "the judge", "the judges", "battle judge", "head judge"),
    *("movement judge", "mercenary judge", "assistant judge", "coalition", "the coalition", "phyrexia", "phyrexian"),
    *("phyrexians", "the phyrexians", "mercenary", "mercenaries", "neutral", "neutrals", "coalition wargame"),
    *("the coalition wargame", "wargame"),
    *("dienst", "der dienst", "betreiber", "hilfe", "niemand", "alle", "jeder", "gelöscht", "richter", "der richter"),
    *("die richter", "schlachtrichter", "bewegungsrichter", "söldnerrichter", "oberrichter", "beisitzer", "söldner"),
    *("die coalition", "die söldner", "spielleitung", "spielleiter"),
)
"""1.3: the site says who speaks for it, for the judges or for a team; a name must not."""

_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]")
"""Invisible letters and marks; format characters are found by their category."""


def composed(name: str) -> str:
    """A name as it is stored: compatible letters are unified (NFKC), blanks are single."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def hidden_sign(name: str) -> str:
    """The first character of a name that is invisible, reverses it, or is one accent too many; else empty."""
    marks = 0
    for sign in unicodedata.normalize("NFD", name):
        category = unicodedata.category(sign)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > MOST_MARKS or category in ("Cf", "Cc", "Zl", "Zp") or _UNSEEN.match(sign):
            return sign
    return ""


@lru_cache(maxsize=4096)
def skeleton(name: str) -> str:
    """The form that look-alike names share (UTS 39, 4), whatever their case; never shown."""
    bare = _prototypes(_prototypes(unicodedata.normalize("NFKC", name)).casefold())
    return " ".join(bare.split())[:LONGEST]


def look_alike(one: str, other: str) -> bool:
    """1.6: whether one name could be taken for the other."""
    return key(one) == key(other) or skeleton(one) == skeleton(other)


def is_reserved(name: str) -> bool:
    """1.3: whether the name is reserved."""
    return skeleton(name) in _reserved()


@cache
def _reserved() -> frozenset[str]:
    return frozenset(skeleton(name) for name in (*RESERVED_NAMES, settings.SITE_NAME))


def _prototypes(text: str) -> str:
    letters = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(sign if sign == " " else _prototype(sign) for sign in letters))


@lru_cache(maxsize=4096)
def _prototype(sign: str) -> str:
    """The letter that represents all letters that look like this one.

    The library lists both directions: what a letter looks like, and what looks like it. A letter with a single entry is
    the source, unless that entry's own list is as short: then the longer one wins, else the lesser of the two.
    """
    from confusable_homoglyphs.confusables import confusables_data  # 1 MB: read for the first name that is checked

    alike = [str(one["c"]) for one in confusables_data.get(sign, ())]
    if len(alike) != 1:
        return sign
    (other,) = alike
    if len(other) > 1 or len(confusables_data.get(other, ())) > 1:
        return other
    return min(sign, other)
