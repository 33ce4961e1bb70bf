"""Markdown as HTML that is safe to show: what people wrote, and pages of our own documents."""

import re

import markdown
import nh3
from django.utils.html import linebreaks
from django.utils.safestring import SafeString, mark_safe
from markdown.extensions import Extension
from markdown.extensions.tables import TableExtension
from markdown.preprocessors import Preprocessor

TAGS = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
LARGER = {"h1": "h3", "h2": "h4"}
HEADINGS = {"h1", "h2"}
ATTRIBUTES = {"a": {"href"}, "th": {"align"}, "td": {"align"}}

ITEM = re.compile(r" {0,3}(?:[-*+]|1\.)[ \t]+\S")
"""A line that begins a list."""

RULE = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
"""The line between a table's head and its rows."""

MOST_BRACKETS = 400
"""How many `[` or `<` are looked at: with the square of their number it takes longer."""

AFTER_FENCES = 22
"""The priority by which code between fences is out of the way already."""


class Breathing(Preprocessor):
    """Markdown wants a blank line before a table or a list; people write it under its text at once."""

    def run(self, lines: list[str]) -> list[str]:
        shown: list[str] = []
        is_list = False
        for line, before, after in zip(lines, ["", *lines], [*lines[1:], ""], strict=False):
            begins_list = not is_list and ITEM.match(line) is not None
            if before.strip() and (begins_list or _begins_table(line, after)):
                shown.append("")
            shown.append(line)
            is_list = bool(line.strip()) and (is_list or begins_list)
        return shown


class Breath(Extension):
    """`Breathing` as an extension of markdown."""

    def extendMarkdown(self, md: markdown.Markdown) -> None:
        md.preprocessors.register(Breathing(md), "breathing", AFTER_FENCES)


def document(text: str) -> SafeString:
    """A document of our own: its lines flow together, and its headings are those of the page."""
    html = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists"])
    return mark_safe(nh3.clean(html, tags=TAGS | HEADINGS, attributes={"a": {"href"}}, url_schemes={"http", "https"}))


def to_html(text: str, *more: Extension) -> SafeString:
    """Markdown with tables and single line breaks kept; everything but plain formatting and links is cut, whatever
    `more` extensions add. What nests deeper than anybody means, or would take seconds, stays as it was typed."""
    tables = TableExtension(use_align_attribute=True)
    if max(text.count("["), text.count("<")) > MOST_BRACKETS:
        return mark_safe(linebreaks(text, autoescape=True))
    # Half a sign, which JSON can bring (\ud800), is in no UTF-8, and the cleaner takes nothing else.
    text = text.encode("utf-8", "replace").decode()
    try:
        html = markdown.markdown(text, extensions=[tables, Breath(), "fenced_code", "nl2br", "sane_lists", *more])
    except RecursionError:
        return mark_safe(linebreaks(text, autoescape=True))
    for large, small in LARGER.items():
        html = html.replace(f"<{large}>", f"<{small}>").replace(f"</{large}>", f"</{small}>")
    return mark_safe(nh3.clean(html, tags=TAGS, attributes=ATTRIBUTES, url_schemes={"http", "https", "mailto"}))


def _begins_table(line: str, after: str) -> bool:
    return "|" in line and "|" in after and not line.startswith(("    ", "\t")) and RULE.match(after) is not None
