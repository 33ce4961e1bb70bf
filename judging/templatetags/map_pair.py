"""1.2: two maps on one page, before and after, each with its own ids."""

import re

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

_ID = re.compile(r'\bid="([^"]+)"')
_USE = re.compile(r'(\bid="|href="#|url\(#)([^")]+)')


@register.simple_tag(takes_context=True)
def small_map(context: template.Context, drawing: dict[str, object], prefix: str) -> SafeString:
    """The map of `map/svg.html`, its ids beginning with `prefix`; those of the crests are the page's."""
    svg = render_to_string("map/svg.html", {"map": drawing, "round": context["round"], "turn": context["turn"]})
    return with_prefix(svg, prefix)


def with_prefix(svg: str, prefix: str) -> SafeString:
    """A drawing whose own ids, and what refers to them, begin with `prefix`."""
    ids = set(_ID.findall(svg))

    def named(match: re.Match[str]) -> str:
        return f"{match[1]}{prefix}-{match[2]}" if match[2] in ids else match[0]

    return mark_safe(_USE.sub(named, svg))
