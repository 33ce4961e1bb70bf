"""The books of the card games in templates: anchors, and citations as links."""

import re

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from judging.rulebooks import books, documents

register = template.Library()

_CODE = re.compile(r"`([^`]+)`")


@register.filter
def rule_anchor(number: str) -> str:
    return books.anchor(number)


@register.filter
def inline_code(text: str) -> SafeString:
    """A line of a ruling, with the text between backticks as code."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", escape(text).replace("*", "")))


@register.simple_tag
def cite_of(game: str | None, numbers: object) -> SafeString:
    """`4.4.1`, `K13`, `G: Weary` (or several) as links to the page of a game's book; without a game, to our own
    sections (T9.2). Numbers without a target are shown without a link."""
    every = numbers if isinstance(numbers, list | tuple) else str(numbers or "").split(", ")
    cites = dict.fromkeys(documents.numbered(game or "", str(number)) for number in every if number)
    links = ((books.address_of(game or "", number), number) for number in cites)
    return format_html_join(" ", "{}", ((_cited(address, number),) for address, number in links))


def _cited(address: str, number: str) -> SafeString:
    if not address:
        return format_html('<span class="cite">{}</span>', number)
    return format_html('<a class="cite" href="{}">{}</a>', address, number)
