"""All addresses of the service, as the URLconf has them; a new one is found by itself."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


@dataclass(frozen=True)
class Route:
    """An address with its parameters, like `rounds/<slug:slug>/export/`. `name` is with its namespace, or empty."""

    name: str
    pattern: str
    view: Callable[..., Any]

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(PARAMETER.findall(self.pattern))

    def address(self, values: dict[str, str]) -> str:
        return "/" + PARAMETER.sub(lambda found: values[found[1]], self.pattern)


def every_route() -> list[Route]:
    """Each address once."""
    return list({route.pattern: route for route in _routes(get_resolver(), "", "")}.values())


def _routes(resolver: URLResolver, before: str, space: str) -> Iterator[Route]:
    for entry in resolver.url_patterns:
        pattern = before + _written(entry)
        if isinstance(entry, URLResolver):
            yield from _routes(entry, pattern, f"{space}{entry.namespace}:" if entry.namespace else space)
        else:
            yield Route(space + (entry.name or ""), pattern, entry.callback)


def _written(entry: URLPattern | URLResolver) -> str:
    """The pattern with its parameters in angle brackets, also where it is a regular expression."""
    pattern = entry.pattern
    return str(pattern) if isinstance(pattern, RoutePattern) else simplify_regex(str(pattern)).lstrip("/")
