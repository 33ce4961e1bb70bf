"""5.2: a deck is made of what somebody picked, and he sits down with it: by the page and by the API alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.game.errors import Refused
from judging.tables.cards import decks
from judging.tables.cards.decks import Checked
from judging.tables.drafts.reads import draft_at, draft_view
from judging.tables.models import Seat, Table
from judging.tables.writes import opening

SIZE = 30
"""5.2: so many cards has a deck of a draft."""


@dataclass(frozen=True)
class Built:
    """5.2: a deck in the making, by its cards, with the cut that goes with it."""

    counts: Mapping[str, int]
    word: str = ""
    cut_hash: str = ""


def checked(table: Table, counts: Mapping[str, int], now: datetime) -> Checked:
    """5.2: what a deck of these cards breaks; nothing is stored."""
    return decks.look_at(_text(counts), "seize", "draft", table.card_list, now)


def sit_with(*, table: Table, user: User, built: Built, now: datetime) -> Seat:
    """5.2: the deck is saved and played. Refused before anything is stored where it breaks a rule."""
    draft = draft_at(table)
    if draft is None:
        raise Refused(gettext("There is no draft at this table."), "5.2")
    seen = draft_view(draft, user)
    if seen.mine is None or seen.phase != "building":
        raise Refused(gettext("You can build a deck once all cards are picked."), "5.2")
    found = checked(table, built.counts, now)
    if found.breaches or found.cards is None:
        raise Refused(" ".join([*found.faults, *(breach.text for breach in found.breaches)][:5]), "5.2", "deck")
    name = gettext("Draft at %(table)s") % {"table": table.name}
    version = decks.save_deck(
        user=user, deck=None, name=name[:80], text=_text(built.counts), game="seize",
        card_list=table.card_list, now=now,
    )  # fmt: skip
    coming = opening.Coming(seen.mine.name, version, built.word, built.cut_hash, table.invitation)
    return opening.sit_down(table=table, user=user, coming=coming, now=now)


def _text(counts: Mapping[str, int]) -> str:
    return "\n".join(f"{many} {name}" for name, many in counts.items())
