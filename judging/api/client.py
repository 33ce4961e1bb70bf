"""A Python client, made from the description of the API: a file without dependencies, a method for each operation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from keyword import iskeyword
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import conditional_page, require_safe
from drf_spectacular.generators import SchemaGenerator

METHODS = ("get", "post", "put", "patch", "delete")
PARAMETER = re.compile(r"{(\w+)}")
TYPES = {"integer": "int", "number": "float", "boolean": "bool"}

HEAD = '''"""A client of a war game's API, made from the site's own description of it. It needs Python alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class Problem(Exception):
    """What was not done: a sentence, the rule that it follows from, a code, and sentences by the field."""

    def __init__(self, status: int, told: Mapping[str, Any]) -> None:
        super().__init__(told.get("detail") or f"status {status}")
        self.status = status
        self.code, self.cites = str(told.get("code", "")), str(told.get("cites", ""))
        self.fields = told.get("fields") or {}


class Client:
    """All that a token may do. Each method raises Problem; with a name in `once` it is carried out once."""

    def __init__(self, site: str, token: str = "", timeout: float = 30.0) -> None:
        self.site, self.token, self.timeout = site.rstrip("/"), token, timeout

    def ask(self, method: str, path: str, query: Mapping[str, Any], body: Any = None, once: str = "") -> Any:
        """The answer to a request; None where there is nothing."""
        asked = {name: value for name, value in query.items() if value is not None}
        heads = {"Accept": "application/json"}
        if self.token:
            heads["Authorization"] = f"Bearer {self.token}"
        if once:
            heads["Idempotency-Key"] = once
        data = None
        if body is not None:
            data, heads["Content-Type"] = json.dumps(body).encode(), "application/json"
        address = f"{self.site}{path}?{urlencode(asked)}" if asked else f"{self.site}{path}"
        try:
            with urlopen(Request(address, data, heads, method=method), timeout=self.timeout) as answer:
                found = answer.read()
        except HTTPError as error:
            with error:
                raise Problem(error.code, _told(error.read())) from None
        return json.loads(found) if found else None

    def all_of(self, method: Callable[..., Any], *where: Any, **query: Any) -> Iterator[Any]:
        """Each thing of a list, page after page."""
        offset = 0
        while True:
            page = method(*where, **query, limit=200, offset=offset)
            yield from page["results"]
            offset += len(page["results"])
            if not page["next"] or not page["results"]:
                return
'''
FOOT = """

def _told(found: bytes) -> Mapping[str, Any]:
    try:
        told = json.loads(found)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _part(value: Any) -> str:
    return quote(str(value), safe="")
"""


def client_source(schema: Mapping[str, Any]) -> str:
    """The file, of a description."""
    shapes = schema["components"]["schemas"]
    methods = [
        _method(path, method, found, shapes)
        for path, methods in schema["paths"].items()
        for method, found in methods.items()
        if method in METHODS
    ]
    return f"{HEAD}{''.join(sorted(methods))}{FOOT}"


def _method(path: str, method: str, found: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    given = {each["name"]: each for each in found.get("parameters", ())}
    where = [f"{_safe(name)}: {_type(given[name])}" for name in PARAMETER.findall(path)]
    asked = [name for name, each in given.items() if each["in"] == "query"]
    more = [f"{_safe(name)}: Any = None" for name in asked]
    more += ["body: Any = None"] if "requestBody" in found else []
    more += ['once: str = ""'] if method != "get" else ["**more: Any"]
    signature = ", ".join(["self", *where, *(["*"] if len(more) > 1 or method != "get" else []), *more])
    address = PARAMETER.sub(lambda name: f"{{_part({_safe(name[1])})}}", path)
    told = [f'"{name}": {_safe(name)}' for name in asked] + (["**more"] if method == "get" else [])
    query = ", ".join(told)
    rest, summary = "".join(_rest(found, method)), f"{found['summary']}.{_body_told(found, shapes)}"
    return (
        f"\n    def {_safe(found['operationId'])}({signature}) -> Any:\n"
        f"        {summary!r}\n"
        f'        return self.ask("{method.upper()}", f"{address}", {{{query}}}{rest})\n'
    )


def _body_told(found: Mapping[str, Any], shapes: Mapping[str, Any]) -> str:
    """The fields of a body, those that are needed first, for whoever asks Python's help; empty if it has none."""
    content = found.get("requestBody", {}).get("content", {}).get("application/json", {})
    shape = shapes.get(content.get("schema", {}).get("$ref", "").rpartition("/")[2], {})
    needed = shape.get("required", [])
    names = [*needed, *(f"{name}?" for name in shape.get("properties", {}) if name not in needed)]
    return f" Body: {', '.join(names)}." if names else ""


def _rest(found: Mapping[str, Any], method: str) -> Iterator[str]:
    if "requestBody" in found:
        yield ", body"
    elif method != "get":
        yield ", None"
    if method != "get":
        yield ", once"


def _type(parameter: Mapping[str, Any]) -> str:
    return TYPES.get(parameter["schema"].get("type", ""), "str")


def _safe(name: str) -> str:
    return f"{name}_" if iskeyword(name) or name == "self" else name


@cache
def _source_made_once() -> bytes:
    """The same for everybody, so it is made once."""
    made: Any = SchemaGenerator
    return client_source(made().get_schema(public=True)).encode()


@require_safe
@conditional_page
def client(request: HttpRequest) -> HttpResponse:
    """The client of this site, as a file."""
    heads = {"Content-Disposition": 'inline; filename="wargame_client.py"'}
    return HttpResponse(_source_made_once(), content_type="text/x-python; charset=utf-8", headers=heads)
