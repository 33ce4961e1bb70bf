"""The objects of a huge JSON, one by one, with only the wanted keys: all else is skipped while streaming."""

from collections.abc import Callable, Iterator
from typing import Any

import ijson

from wargame.rules.core.codec import Json

Path = list[str | None]

_STARTS = ("start_map", "start_array")
_ENDS = ("end_map", "end_array")


class Objects:
    """Feed it the bytes of a JSON; it yields the objects whose path `is_wanted`, as dicts with the wanted `keys`.

    A path has the key for each object around it and None for each list. Raises ijson.JSONError.
    """

    def __init__(self, is_wanted: Callable[[Path], bool], keys: frozenset[str]) -> None:
        self._is_wanted, self._keys = is_wanted, keys
        self._events: list[tuple[str, Any]] = ijson.sendable_list()
        self._parser = ijson.basic_parse_coro(self._events, use_float=True)
        self._path: Path = []
        self._row: Json | None = None
        self._key = ""
        self._depth = 0
        self._builder: Any = None
        self.last_name = ""

    def feed(self, chunk: bytes) -> Iterator[Json]:
        """The objects that end within these bytes. Raises ijson.JSONError, also for half a surrogate pair."""
        try:
            self._parser.send(chunk)
        except UnicodeDecodeError as error:
            raise ijson.JSONError(str(error)) from error
        for event, value in self._events:
            if self._row is None:
                self._outside(event, value)
            elif (row := self._inside(event, value)) is not None:
                yield row
        del self._events[:]

    def close(self) -> None:
        """End the JSON. Raises ijson.JSONError if it was incomplete."""
        self._parser.close()

    def _outside(self, event: str, value: Any) -> None:
        if event == "map_key":
            self._path[-1] = value
        elif event == "start_map":
            if self._is_wanted(self._path):
                self._row, self._depth = {}, 1
            else:
                self._path.append("")
        elif event == "start_array":
            self._path.append(None)
        elif event in _ENDS:
            self._path.pop()

    def _inside(self, event: str, value: Any) -> Json | None:
        """The wanted object itself when it ends; `_depth` is 1 directly inside it, more in nested values."""
        if event == "map_key" and self._depth == 1:
            self._key = value
            return None
        if event in _ENDS:
            self._depth -= 1
            if self._depth == 0:
                row, self._row = self._row, None
                self.last_name = str((row or {}).get("name", ""))[:60]
                return row
        if self._key in self._keys:
            self._keep(event, value)
        if event in _STARTS:
            self._depth += 1
        return None

    def _keep(self, event: str, value: Any) -> None:
        assert self._row is not None
        if self._builder is None:
            if event not in _STARTS:
                self._row[self._key] = value
                return
            self._builder = ijson.ObjectBuilder()
        self._builder.event(event, value)
        if event in _ENDS and self._depth == 1:
            self._row[self._key] = self._builder.value
            self._builder = None
