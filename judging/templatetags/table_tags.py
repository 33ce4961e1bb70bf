"""Tags for the pages of card tables: citations as links, the rulings on a card, and the input of one of several
forms."""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, cast

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.rulebooks import books, documents
from judging.tables.board.shapes import HandForm, sent
from judging.tables.models import Table
from judging.tables.sentences import kind_of_entry
from judging.templatetags.wargame_tags import running
from tables.core.lines.actions import Action

register = template.Library()
register.filter("kind_of_entry", kind_of_entry)

_AGREED = re.compile(r"agreed (\d{1,3})")
_RULING = re.compile(r"[KSA]\d{1,3}")


@register.filter
def of_card(ruled: object, name: object) -> Sequence[object]:
    """T11.5: the rulings on a card, the newest first; none if the page has not loaded any."""
    return ruled.get(str(name).casefold(), ()) if isinstance(ruled, Mapping) else ()


@register.filter
def fills(board: Any, tile: Any) -> Sequence[tuple[int, str]]:
    """T9: the forms for a card's acts with blanks, by their numbers on the page."""
    forms = []
    for number, one in enumerate(getattr(board, "pickings", ()), 1):
        by_name = one.actor == tile.name and one.is_in_hand is (tile.number is None)
        if one.actor and (by_name or one.actor == f"#{tile.number}"):
            forms.append((number, one.title))
    return forms


@register.simple_tag
def action(kind: str, **more: Any) -> str:
    """T9: an action as a button sends it."""
    return sent(Action(kind, **more))


@register.simple_tag
def picks(typed: Any, picking: Any, at: int) -> Sequence[str]:
    """T9: the choices for a blank of a refused form; none for any other form."""
    if not hasattr(typed, "getlist") or typed.get("pick_for") != picking.sent:
        return ()
    return cast("Sequence[str]", typed.getlist(f"pick-{at}"))


@register.filter
def as_typed(precedent: Any) -> str:
    """T11.5: a ruling as the query string that prefills the judge's form."""
    about = gettext("As ruled at %(table)s: %(reason)s") % {"table": precedent.table, "reason": precedent.reason}
    return urlencode({"program": precedent.program, "cites": precedent.cites, "card": precedent.card, "reason": about})


@register.filter
def typed_in(typed: Mapping[str, str] | None, form: HandForm) -> Mapping[str, str]:
    """T11.7: the input, if it was typed into this form."""
    return typed if typed and typed.get("hand") == form.hand else {}


@register.filter
def of(typed: Mapping[str, str], name: str) -> str:
    """The input of a field; empty without one."""
    return typed.get(name, "")


@register.simple_tag
def time_left(due: datetime | None, ahead: str = "", over: str = "over") -> SafeString:
    """10: the time left until a player's time at a table runs out, to the second; empty for None. `ahead` precedes
    it (`Time runs out`), `over` replaces it afterwards (`Time ran out`)."""
    return running(due, ahead, over) if due is not None else SafeString("")


@register.simple_tag
def cite_at(table: object, numbers: object, game: str = "") -> SafeString:
    """`agreed 3` and `A34` (or several) as links to the rules this table plays by, other numbers as links to the
    book of its game (`game`, without a table) or to our own sections. Numbers without a target are shown without a
    link."""
    at = table if isinstance(table, Table) else None
    game = at.game if at is not None else game
    every = numbers if isinstance(numbers, list | tuple) else str(numbers or "").split(", ")
    cites = dict.fromkeys(documents.numbered(game, str(number)) for number in every if number)
    return format_html_join(" ", "{}", ((_linked(_address(at, game, number), number),) for number in cites))


def _address(table: Table | None, game: str, number: str) -> str:
    if table is not None and (agreed_match := _AGREED.fullmatch(number)):
        return f"{reverse('table-plays-by', args=[table.slug])}#agreed-{agreed_match[1]}"
    if table is not None and _RULING.fullmatch(number):
        return f"{reverse('table-plays-by', args=[table.slug])}#{number}"
    return books.address_of(game, number)


def _linked(address: str, number: str) -> SafeString:
    if not address:
        return format_html('<span class="cite">{}</span>', number)
    return format_html('<a class="cite" href="{}">{}</a>', address, number)
