"""3.1, 4.1.1: what the subject of a mail asks for. What isn't certain is nothing, so that no secret is published.

Apart from `orders`, because it knows words alone, and no round.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Literal

from wargame.rules.core.names import key
from wargame.rules.core.typography import plain

Asked = Literal["post", "talk", "sealed", "strat", "unknown"]

STRAT = re.compile(r"strat|(?:schlacht|kampf|gefechts|angriffs|battle|war) ?-?plan")
SEALED = re.compile(
    r"\b(?:seal(?:ed|ing)?|secret(?:ly|s)?|versiegel(?:t|te|ten|ter|tes|n)|geheim(?:e|en|em|er|es|nis|nisse)?)\b|[🔏🔐🔒🤐🤫]"
)
NOT_SEALED = re.compile(r"\b(?:not?|nicht|kein\w*|un\w+)\b")
TALK = ("talk", "gesprach")
PREFIXES = (
    *("re", "aw", "antw", "antwort", "sv", "vs", "res", "rif", "ref", "r", "tr", "fw", "fwd", "wg", "enc", "i", "odp"),
    *(
        "pd",
        "ynt",
        "ilt",
        "rv",
        "bls",
        "vl",
        "vb",
        "回复",
        "答复",
        "回覆",
        "转发",
        "返信",
        "답장",
        "external",
        "ext",
        "extern",
    ),
    *("externe", "mail", "email", "spam"),
)
PLAIN = frozenset(
    (
        *("order", "orders", "move", "moves", "movement", "movements", "march", "marches", "post", "turn", "round"),
        *("open", "my", "our", "for", "of", "the", "to", "and", "from", "in", "on", "s", "new", "update", "updated"),
        *("correct", "corrected", "correction", "revised", "final", "next", "all", "army", "armies", "please"),
        *("befehl", "befehle", "zug", "zuge", "runde", "meine", "mein", "unsere", "fur", "der", "die", "das", "den"),
        *("von", "und", "an", "im", "am", "neu", "neue", "neuer", "korrigiert", "korrektur", "alle", "armee"),
        *("armeen", "marsch", "marsche", "marschbefehl", "marschbefehle", "bewegung", "bewegungen", "offen", "bitte"),
    )
)


def asked_in(subject: str, round_name: str = "", names: Iterable[str] = ()) -> Asked:
    """What a subject asks for. A strat wherever it says so; sealed by a word for it; a plain post if it is empty,
    begins with the round's name as this service's mails do, or has nothing but words of orders and `names`; all else
    is unknown, and so is what only a name says."""
    said = folded(subject)
    bare = _remove_names(said, (round_name, *names))
    if hint(said) != hint(bare):
        return "unknown"
    if found := hint(said):
        return "unknown" if found == "sealed" and NOT_SEALED.search(said) else found
    if said and not re.search(r"\w", said):
        return "unknown"
    words = re.findall(r"\w+", bare)
    while words and words[0] in PREFIXES:
        words.pop(0)
    if words and words[0] in TALK:
        return "talk"
    starts = re.sub(rf"^(?:\W*\b(?:{'|'.join(PREFIXES)})\b\W+)*", "", said)
    if round_name and re.match(rf"{re.escape(folded(round_name))}(?!\w)", starts):
        return "post"
    return "post" if all(word in PLAIN or word in PREFIXES or word[0].isdecimal() for word in words) else "unknown"


def hint(text: str) -> Literal["strat", "sealed", ""]:
    """What some words say of a secret: that they are, or are about, a strat; that they are to be sealed."""
    said = folded(text)
    if STRAT.search(said):
        return "strat"
    return "sealed" if SEALED.search(said) else ""


def hint_outside_names(text: str, names: Iterable[str]) -> str:
    """As `hint`, but for words that are part of a name."""
    return hint(_remove_names(folded(text), names))


def names_in(subject: str, names: Iterable[str]) -> list[str]:
    """The names that a subject names, each once; of one within another the longer one."""
    said, found = folded(subject), []
    for name in sorted(names, key=len, reverse=True):
        rest = _remove_names(said, [name])
        if rest != said:
            found.append(name)
            said = rest
    return found


def folded(text: str) -> str:
    """Without case, accents and signs that nobody sees."""
    letters = unicodedata.normalize("NFKD", key(plain(text)))
    return " ".join("".join(sign for sign in letters if not unicodedata.combining(sign)).split())


def _remove_names(said: str, names: Iterable[str]) -> str:
    for name in sorted(map(folded, filter(None, names)), key=len, reverse=True):
        if name:
            said = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " | ", said)
    return said
