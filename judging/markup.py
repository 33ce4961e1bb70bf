"""Markdown that people wrote, as HTML that is safe to show."""

import markdown
import nh3
from django.utils.safestring import SafeString, mark_safe

TAGS = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
LARGER = {"h1": "h3", "h2": "h4"}


def to_html(text: str) -> SafeString:
    """Markdown with tables and single line breaks kept; everything but plain formatting and links is cut."""
    html = markdown.markdown(text, extensions=["tables", "fenced_code", "nl2br", "sane_lists"])
    for large, small in LARGER.items():
        html = html.replace(f"<{large}>", f"<{small}>").replace(f"</{large}>", f"</{small}>")
    return mark_safe(nh3.clean(html, tags=TAGS, attributes={"a": {"href"}}, url_schemes={"http", "https", "mailto"}))
