"""Markdown as HTML that is safe to show: what people wrote, and pages of our own documents."""

import markdown
import nh3
from django.utils.safestring import SafeString, mark_safe

TAGS = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
LARGER = {"h1": "h3", "h2": "h4"}


HEADINGS = {"h1", "h2"}


def document(text: str) -> SafeString:
    """A document of our own: its lines flow together, and its headings are those of the page."""
    html = markdown.markdown(text, extensions=["tables", "fenced_code", "sane_lists"])
    return mark_safe(nh3.clean(html, tags=TAGS | HEADINGS, attributes={"a": {"href"}}, url_schemes={"http", "https"}))


def to_html(text: str) -> SafeString:
    """Markdown with tables and single line breaks kept; everything but plain formatting and links is cut."""
    html = markdown.markdown(text, extensions=["tables", "fenced_code", "nl2br", "sane_lists"])
    for large, small in LARGER.items():
        html = html.replace(f"<{large}>", f"<{small}>").replace(f"</{large}>", f"</{small}>")
    return mark_safe(nh3.clean(html, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https", "mailto"}))
