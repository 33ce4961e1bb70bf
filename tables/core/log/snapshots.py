"""T6: a dealt table as canonical JSON and back, and its hash, which accompanies each entry.

A snapshot is only a cache: the log has everything. It omits the base of the table (`Given`: cards and seed). The type
of a value is beside it, in `_`: the module and name of a frozen class of `tables`.
"""

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from functools import lru_cache
from typing import TypeAlias

from tables.core import state
from tables.core.log.opening import Given
from tables.core.proof.codec import Plain, canonical
from tables.core.proof.draws import Draws
from tables.core.state import State, version_of

FORM = 1
"""The form of snapshots: one of another form is discarded, and the log is folded again."""

_STOOD_ON = frozenset({"cards", "draws", "things", "back", "version"})
_MOST_KEPT = 20_000

_texts: dict[int, tuple[object, str]] = {}
"""The canonical text of frozen values by their `id`; each value is stored here, so that no other gets its `id`."""

Class: TypeAlias = type

_field_lists: dict[Class, tuple[tuple[str, object], ...]] = {}
_named: dict[str, Class] = {}


# --------------------------------------------------------------------------------------------- what is written


def kept(table: State) -> str:
    """T6: the snapshot of a dealt table, as canonical JSON."""
    return _whole(table, with_back=True)


def state_hash(table: State) -> str:
    """T8: the SHA-256 of the table's seed, in hexadecimal digits, `|` and its snapshot without the rewindable states.

    The seed is part of it so that nobody can guess a hand until the hash fits; after the end everybody can recompute
    it.
    """
    return hashlib.sha256(f"{table.draws.seed.hex()}|{_whole(table, with_back=False)}".encode()).hexdigest()


def _whole(table: State, *, with_back: bool) -> str:
    """The parts of a state in the order of their names; things in their own order, which is that of triggers."""
    names = [one.name for one in fields(table) if one.name not in _STOOD_ON]
    parts = {name: _text(getattr(table, name)) for name in names}
    parts["form"] = str(FORM)
    parts["fresh"] = str(table.draws.fresh)
    parts["things"] = _things(table)
    if with_back and table.back is not None:
        before = canonical(_whole(table.back.before, with_back=False))
        parts["back"] = f"[{canonical(table.back.by)},{table.back.at},{before}]"
    return "{" + ",".join(f'"{name}":{parts[name]}' for name in sorted(parts)) + "}"


def _things(table: State) -> str:
    """All things, most of which are unchanged since the last entry: these cost one look-up."""
    lookup, texts = _texts.get, []
    for thing in table.things.values():
        text = lookup(id(thing))
        texts.append(text[1] if text is not None and text[0] is thing else _kept_text(thing))
    return "[" + ",".join(texts) + "]"


def _text(value: object) -> str:
    """A value's canonical text; words, and frozen classes and tuples by their `id`, are remembered."""
    kind = type(value)
    if kind is str:
        return _word(value)
    if kind is tuple:
        return _kept_text(value) if value else "[]"
    if value is None or kind is bool or kind is int:
        return _number(value)
    if isinstance(value, frozenset):
        return '{"_":"set","of":[' + ",".join(sorted(_text(one) for one in value)) + "]}"
    if isinstance(value, Mapping):
        if not value:
            return '{"_":"map","of":[]}'
        if all(isinstance(key, str) for key in value):
            pairs = [f"[{_word(key)},{_text(inner)}]" for key, inner in sorted(value.items())]
        else:
            pairs = [f"[{_text(key)},{_text(inner)}]" for key, inner in value.items()]
        return '{"_":"map","of":[' + ",".join(pairs) + "]}"
    return canonical(value) if isinstance(value, (str, int)) else _kept_text(value)


@lru_cache(maxsize=20_000)
def _word(text: str) -> str:
    return canonical(text)


@lru_cache(maxsize=20_000, typed=True)
def _number(value: int | bool | None) -> str:
    return canonical(value)


def _kept_text(value: object) -> str:
    cached = _texts.get(id(value))
    if cached is not None and cached[0] is value:
        return cached[1]
    text = "[" + ",".join([_text(one) for one in value]) + "]" if isinstance(value, tuple) else _class_text(value)
    if len(_texts) >= _MOST_KEPT:
        _texts.clear()
    _texts[id(value)] = (value, text)
    return text


def _class_text(value: object) -> str:
    """A frozen class: its name, and each field that differs from its default."""
    kind = type(value)
    if not _is_ours(kind):
        raise TypeError(f"a snapshot knows no {kind.__name__}")
    parts = [f'"_":{_word(_name(kind))}']
    for name, default in _fields(kind):
        field_value = getattr(value, name)
        if field_value is not default and (default is MISSING or field_value != default):
            parts.append(f'"{name}":{_text(field_value)}')
    return "{" + ",".join(parts) + "}"


def _fields(kind: Class) -> tuple[tuple[str, object], ...]:
    """The names of a class's fields in their order, each with its default."""
    if kind not in _field_lists:
        _field_lists[kind] = tuple(sorted((one.name, one.default) for one in fields(kind)))
    return _field_lists[kind]


def _name(kind: Class) -> str:
    return f"{kind.__module__.removeprefix('tables.')}.{kind.__qualname__}"


# --------------------------------------------------------------------------------------------- what is read


def named(name: str) -> Class:
    """T6: the frozen class of a snapshot's value by its name: data of the core or of a game, tasks and decisions. It
    is one of those that the table's game has loaded. Raises ValueError if there is none of that name."""
    if name not in _named:
        module, _, class_name = name.rpartition(".")
        kind = getattr(sys.modules.get(f"tables.{module}"), class_name, None)
        if not isinstance(kind, type) or not _is_ours(kind):
            raise ValueError(f"a snapshot knows no {name[:60]}")
        _named[name] = kind
    return _named[name]


def _is_ours(kind: Class) -> bool:
    return kind.__module__.startswith(("tables.core.", "tables.games.")) and hasattr(kind, "__dataclass_fields__")


def read(given: Given, table: str, cuts: tuple[str, ...], data: Plain) -> State:
    """T6: the table of a snapshot. `table`, `cuts`: its name and cut values, which are used for draws. Raises
    ValueError if the snapshot is of another form, or isn't one."""
    if not isinstance(data, Mapping) or data.get("form") != FORM:
        raise ValueError("a snapshot of another form")
    try:
        return _state(given, Draws(given.seed, table, cuts), data)
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no snapshot: {error}") from error


def _state(setup: Given, draws: Draws, data: Mapping[str, Plain]) -> State:
    names = {one.name for one in fields(State)} - _STOOD_ON
    values = {name: _value(data[name]) for name in names}
    things = _value(data["things"])
    fresh = data["fresh"]
    new_state = State(
        cards=setup.cards,
        draws=replace(draws, fresh=fresh if isinstance(fresh, int) else 0),
        things={thing.key: thing for thing in things},  # type: ignore[attr-defined]
        version=version_of(setup.rules_version),
        **values,  # type: ignore[arg-type]
    )
    back = data.get("back")
    if not isinstance(back, (list, tuple)):
        return new_state
    before = _state(setup, draws, json.loads(str(back[2])))
    return replace(new_state, back=state.Back(str(back[0]), int(str(back[1])), before))


def _value(data: Plain) -> object:
    if isinstance(data, (list, tuple)):
        return tuple(_value(one) for one in data)
    if not isinstance(data, Mapping):
        return data
    kind = str(data["_"])
    if kind == "set":
        return frozenset(_value(data["of"]))  # type: ignore[call-overload]
    if kind == "map":
        return dict(_value(data["of"]))  # type: ignore[call-overload]
    return named(kind)(**{name: _value(inner) for name, inner in data.items() if name != "_"})
