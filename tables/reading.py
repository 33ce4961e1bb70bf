"""T13: YAML and JSON to plain data: card lists, decks, cases. The only module of a table that opens files."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TypeAlias

import yaml

from wargame.importing.bounded_yaml import LOADER, MOST_DEPTH, load_all
from wargame.rules.core.saying import marked, said

Data: TypeAlias = str | int | float | bool | None | list["Data"] | dict[str, "Data"]
"""Parsed data: keys are text, everything else is as written."""

MOST_SIGNS = 2_000_000
"""The maximum length of a file, in characters."""
MOST_NODES = 400_000
"""The maximum number of values in a document; references (`&` and `*` of YAML) count each time."""


class UnreadableFile(ValueError):
    """T13: a file that can't be read at all; its text says why and, where known, in which line."""


def read_file(path: Path) -> list[Data]:
    """T13: the documents of a YAML or JSON file (`.json`); one of JSON. Raises UnreadableFile."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = said("We couldn't read %(name)s: %(error)s.", name=path.name, error=type(error).__name__)
        raise UnreadableFile(message) from error
    return [read_json(text)] if path.suffix == ".json" else read_yaml(text)


def read_yaml(text: str) -> list[Data]:
    """T13: the documents of a YAML text except the empty ones. A bare key `on` (true, for YAML 1.1) is `on`."""
    _refuse_long(text)
    try:
        return [_plain(document) for document in load_all(text, _Loader) if document is not None]
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        if isinstance(error, UnreadableFile):
            raise
        why = said(getattr(error, "problem", None) or marked("it can't be parsed"))
        if mark is None:
            raise UnreadableFile(said("This isn't valid YAML: %(why)s.", why=why)) from error
        place = {"line": mark.line + 1, "column": mark.column + 1}
        message = said("This isn't valid YAML (line %(line)s, column %(column)s): %(why)s.", **place, why=why)
        raise UnreadableFile(message) from error


def read_json(text: str) -> Data:
    """T13: one JSON text. Raises UnreadableFile."""
    _refuse_long(text)
    try:
        return _plain(json.loads(text))
    except (ValueError, RecursionError) as error:
        if isinstance(error, UnreadableFile):
            raise
        line = getattr(error, "lineno", None)
        message = said("Line %(line)s is not valid JSON.", line=line) if line else said("This isn't valid JSON.")
        raise UnreadableFile(message) from error


PROBLEMS = (
    *(marked("did not find expected key"), marked("did not find expected node content")),
    *(marked("did not find expected '-' indicator"), marked("did not find expected <document start>")),
    *(marked("did not find expected ',' or ']'"), marked("did not find expected ',' or '}'")),
    *(marked("could not find expected ':'"), marked("mapping values are not allowed in this context")),
    marked("mapping keys are not allowed in this context"),
    marked("block sequence entries are not allowed in this context"),
    marked("found character that cannot start any token"),
    marked("found a tab character where an indentation space is expected"),
    *(marked("found unexpected end of stream"), marked("found unexpected document indicator")),
    *(marked("found unknown escape character"), marked("found unhashable key")),
    *(marked("control characters are not allowed"), marked("did not find expected comment or line break")),
    marked("did not find expected alphabetic or numeric character"),
)
"""The parser's problems, for the catalogues; rarer ones are shown in the parser's own words."""


class _Loader(LOADER):  # type: ignore[misc]
    """A safe loader that refuses a key that is given twice (YAML itself takes the last one silently)."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[object, object]:
        """T13: a mapping, whose keys are checked first."""
        identities: set[tuple[str, str]] = set()
        for key, _ in node.value:
            identity = (key.tag, str(key.value))
            if identity in identities and key.tag != "tag:yaml.org,2002:merge":
                message = said("the key “%(key)s” appears twice", key=key.value)
                raise yaml.constructor.ConstructorError(None, None, message, key.start_mark)
            identities.add(identity)
        mapping: dict[object, object] = super().construct_mapping(node, deep)
        return mapping


def _refuse_long(text: str) -> None:
    if len(text) > MOST_SIGNS:
        message = said("The text has %(number)s characters; the limit is %(most)s.", number=len(text), most=MOST_SIGNS)
        raise UnreadableFile(message)


def _plain(value: object) -> Data:
    nodes = _counter()
    return _plain_within(value, MOST_DEPTH, nodes)


def _counter() -> Iterator[int]:
    return iter(range(MOST_NODES))


def _plain_within(value: object, depth: int, nodes: Iterator[int]) -> Data:
    if next(nodes, None) is None:
        raise UnreadableFile(said("The text expands to more than %(most)s values.", most=MOST_NODES))
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    if depth == 0:
        raise UnreadableFile(said("There are more than %(most)s nested levels.", most=MOST_DEPTH))
    if isinstance(value, dict):
        return {_key(key): _plain_within(inner, depth - 1, nodes) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_within(inner, depth - 1, nodes) for inner in value]
    return str(value)


def _key(key: object) -> str:
    if key is True:
        return "on"
    if key is False:
        return "no"
    return str(key)
