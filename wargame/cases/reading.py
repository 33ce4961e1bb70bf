"""docs/develop/cases.md: read a case file into tables. Nothing is guessed.

A table is a NamedTuple or a dataclass. Its fields are the keys (`from_` stands for `from`), their types say what
belongs there, and a key without a default is required. A list in a file is a `list` or, where a single value needs no
brackets, a `tuple`. A type that needs more than that is `Annotated` with the function that reads it.
"""

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Protocol, TypeVar, Union, get_args, get_origin, get_type_hints

from wargame.rules.core.board import COLORS, Square, read_square
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOTS

T = TypeVar("T")
Made = TypeVar("Made")
Document = dict[str, Any]
"""A case as parsed from YAML, before a table reads it."""
Reader = Callable[[object, str], T]
"""Reads a value; the text is its place, for the CaseError of a wrong value."""


class Expectations(Protocol):
    """A NamedTuple of expectations."""

    def _asdict(self) -> dict[str, Any]: ...


class CaseError(ValueError):
    """A case that can't be read; the text names the case and the key, and says what would be accepted."""


def read_case(table: type[T], document: object) -> T:
    """A case in the form of its table. CaseError names every key that is unknown, missing, or wrong."""
    name = document.get("case") if isinstance(document, Mapping) else None
    return read(table, document, f"“{name}”" if isinstance(name, str) else "case")


def read(kind: type[T], value: object, where: str) -> T:
    """A value as a type; `where` is its place in the case. CaseError says what is accepted there."""
    fitting: T = _read(kind, value, where)
    return fitting


def _read(kind: Any, value: object, where: str) -> Any:
    """Like `read`, for types only known at run time: the fields of tables, and parts of other types."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return parts[1](value, where)
    if kind in _WORDS:
        return _WORDS[kind](value, where)
    if origin in (UnionType, Union):
        kinds = [part for part in parts if part is not NoneType]
        return _read(next((part for part in kinds if _fits(part, value)), kinds[0]), value, where)
    if origin is Literal:
        return one_of(parts, value, where)
    if origin is list:
        return _each(parts[0], _list(value, where), where)
    if origin is tuple and parts[1:] == (...,):
        return tuple(_each(parts[0], value, where) if isinstance(value, list) else [_read(parts[0], value, where)])
    if origin is tuple:
        return _exactly(parts, value, where)
    if origin is not None and issubclass(origin, Mapping):
        data = _mapping(value, where)
        keys = _all([(parts[0], key, where) for key in data])
        return dict(zip(keys, _all([(parts[1], data[key], f"{where}: {key}") for key in data]), strict=True))
    if issubclass(kind, Enum):
        return one_of(kind, value, where)
    return _record(kind, _mapping(value, where), where)


def differences(expect: Expectations, came: Mapping[str, object], told: str = "") -> list[str]:
    """The differences between expectations and the outcome, in words; a key that is None is not checked."""
    expected = {key: value for key, value in expect._asdict().items() if value is not None}
    why = f" ({told})" if told else ""
    differing = {key: value for key, value in expected.items() if value != came.get(key)}
    return [f"{key}: expected {value}, came {came.get(key, 'none')}{why}" for key, value in differing.items()]


def built(table: type[T], build: Callable[[T], Made]) -> Reader[Made]:
    """A reader for objects built from a table; a CaseError raised by `build` is about that place."""

    def read_and_build(value: object, where: str) -> Made:
        entry = read(table, value, where)
        try:
            return build(entry)
        except CaseError as error:
            raise CaseError(f"{_titled(value, where)}: {error}") from None

    return read_and_build


def or_null(kind: type[T]) -> Reader[T | None]:
    """A reader that also accepts `null`."""
    return lambda value, where: None if value is None else read(kind, value, where)


def one_of(words: Iterable[T], value: object, where: str) -> T:
    """A word out of a closed list."""
    options = list(words)
    if value not in options:
        raise CaseError(f"{where}: {value!r} is not one of {', '.join(map(str, options))}")
    return next(option for option in options if option == value)


def colors(known: tuple[str, ...], none: str = "") -> Reader[tuple[str, ...]]:
    """A reader of colours out of a closed list; the word `none`, alone, gives no colours."""

    def read_colors(value: object, where: str) -> tuple[str, ...]:
        names = read(tuple[str, ...], value, where)
        return () if none and names == (none,) else tuple(one_of(known, color, where) for color in names)

    return read_colors


def of_team(rank: Rank, side: Side) -> Rank:
    """1.1: the rank, if that team has it."""
    if rank.side is not side:
        raise CaseError(f"rank: {rank} is not a rank of {side.title}")
    return rank


def among(known: Iterable[str], name: str, what: str = "army") -> str:
    """The name, if it is known."""
    if name not in known:
        raise CaseError(f"there is no {what} “{name}”")
    return name


def _text(value: object, where: str) -> str:
    """A name or a word. YAML reads a bare number, yes or no as something else: those must be quoted."""
    if not isinstance(value, str) or not value.strip():
        raise CaseError(f"{where}: expected a name (in quotes if it looks like a number), not {value!r}")
    return value


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaseError(f"{where}: expected a whole number from 0, not {value!r}")
    return value


def _flag(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise CaseError(f"{where}: expected true or false, not {value!r}")
    return value


def _square(value: object, where: str) -> Square:
    """1.2: a square of the map."""
    square = anywhere(value, where)
    if not square.on_map:
        raise CaseError(f"{where}: {square} is not on the map, which ends at 38 and N")
    return square


def anywhere(value: object, where: str) -> Square:
    """R1: a square that may lie off the map, as in the text of an order."""
    try:
        return read_square(_text(value, where))
    except CaseError:
        raise
    except ValueError as error:
        raise CaseError(f"{where}: {error}") from None


def _slot(value: object, where: str) -> int:
    slot = _whole(value, where)
    if slot not in SLOTS:
        raise CaseError(f"{where}: an army has slots 1 to 4, not {slot}")
    return slot


Free = Annotated[str, lambda value, where: str(value)]
"""Any text; what YAML reads as a number or a date is taken as printed."""
Four = tuple[int, int, int, int]
"""Values of the slots 1 to 4, or of four dice."""
Slot = Annotated[int, _slot]
Colors = Annotated[tuple[str, ...], colors(COLORS)]
CreatureColors = Annotated[tuple[str, ...], colors(COLORS[:5], "colorless")]

_WORDS: dict[object, Reader[object]] = {
    object: lambda value, where: value,
    str: _text,
    int: _whole,
    bool: _flag,
    Square: _square,
}


def _record(table: Callable[..., object], data: Mapping[str, object], where: str) -> object:
    where, fields = _titled(data, where), _fields(table)
    wrong = [f"{where}: the key “{key}” is unknown; known are {', '.join(fields)}" for key in data if key not in fields]
    wrong += [f"{where}: the key “{key}” is missing" for key, (_, must) in fields.items() if must and key not in data]
    entries = [(fields[key][0], value, f"{where}: {key}") for key, value in data.items() if key in fields]
    values = _all(entries, wrong)
    return table(
        **{key if key in signature(table).parameters else f"{key}_": v for key, v in zip(data, values, strict=True)}
    )


@cache
def _fields(table: Callable[..., object]) -> dict[str, tuple[object, bool]]:
    """The keys of a table, with the type of each and whether it is required."""
    hints = get_type_hints(table, include_extras=True)
    parameters = signature(table).parameters.values()
    return {one.name.removesuffix("_"): (hints[one.name], one.default is Parameter.empty) for one in parameters}


def _titled(value: object, where: str) -> str:
    """The place with the name of the thing in it."""
    data = value if isinstance(value, Mapping) else {}
    name = next((data[key] for key in ("name", "creature", "army") if key in data), None)
    return f"{where}: {name}" if isinstance(name, str) else where


def _all(entries: list[tuple[object, object, str]], wrong: Iterable[str] = ()) -> list[object]:
    """Types, values and places, read. CaseError has all that is `wrong`, and every wrong value."""
    read_so_far, errors = [], list(wrong)
    for kind, value, where in entries:
        try:
            read_so_far.append(_read(kind, value, where))
        except CaseError as error:
            errors.append(str(error))
    if errors:
        raise CaseError("; ".join(errors))
    return read_so_far


def _each(kind: object, values: list[object], where: str) -> list[object]:
    return _all([(kind, entry, f"{where} {place}") for place, entry in enumerate(values, 1)])


def _exactly(kinds: tuple[object, ...], value: object, where: str) -> tuple[object, ...]:
    entries = _list(value, where)
    if len(entries) != len(kinds):
        many = {2: "two", 4: "four"}[len(kinds)]
        raise CaseError(f"{where}: {many} numbers expected, not {len(entries)}")
    return tuple(_all([(kind, entry, where) for kind, entry in zip(kinds, entries, strict=True)]))


def _fits(kind: object, value: object) -> bool:
    """Whether a value has the form of a type, whatever its content."""
    origin = get_origin(kind) or kind
    if origin in (str, int, bool, list):
        return type(value) is origin
    if origin is tuple:
        return isinstance(value, list | str)
    return isinstance(value, Mapping)


def _mapping(value: object, where: str) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise CaseError(f"{where}: expected keys with values, not {value!r}")
    return value


def _list(value: object, where: str) -> list[object]:
    if not isinstance(value, list):
        raise CaseError(f"{where}: expected a list, not {value!r}")
    return value
