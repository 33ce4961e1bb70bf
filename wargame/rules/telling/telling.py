"""Events as JSON: their stored form, as codes and fields, and the form for pages and programs, as sentences."""

import logging
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from functools import cache, lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from wargame.rules.armies.findings import MusterFinding, muster_finding_from_json
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.events import ARMY, KINDS, Damaged, Event, Ruled
from wargame.rules.core.faults import Finding, finding_to_json
from wargame.rules.core.phrases import Phrase, Phrases, phrase_from_json, phrase_to_json
from wargame.rules.core.saying import said
from wargame.rules.mercenaries import events as of_mercenaries
from wargame.rules.moves import events as of_moves
from wargame.rules.settling import events as of_settling

_REASONS = {
    "joint_ignored": (
        ("joint_alone", re.compile("no second army posted one for this square")),
        ("joint_crowd", re.compile(r"(?P<armies>\d+) armies posted one for this square, and it must be exactly two")),
        ("joint_friends", re.compile("(?P<friends>.+) stays on that square or moves there too")),
    ),
    "after_lock_avoids": (
        ("after_lock_mercenary", re.compile("is a mercenary too")),
        ("after_lock_fights", re.compile("is fighting, and nobody else may join that battle")),
        ("after_lock_leaves", re.compile("is ordered to (?P<ordered>.+)")),
        ("after_lock_elsewhere", re.compile("stands on (?P<at>.+)")),
    ),
}
"""For reasons that had a part of their sentence among their facts, as `why`: the current reasons, by that part."""

_SETS_OUT = {
    "attacks": "set out to attack",
    "retreats to": "headed for",
    "returns to": "headed back to",
    "moves on to": "set out for",
    "disbands:": "had to disband:",
    "goes where": "made for a square where",
}
"""A mercenary's intentions, whose old words read like results."""

_PARTS = {
    "nobody else may join that battle": "no one else could join that battle",
    " its enemies": " their enemies",
    " its territory": " their territory",
    ", where it began": ", the starting square",
}
"""Parts of a mercenary's words that have changed since."""

_AT_WAR = re.compile("(.+) is at war with (.+) and (attacks|advances towards) (.+)")


def as_of_now(data: Mapping[str, Any]) -> Mapping[str, object]:
    """A stored event in its current stored form. Its phrases (`wargame/rules/core/phrases.py`) are also read from
    words, and are unchanged unless their words have changed. ValueError for words that no version stored."""
    if data.get("kind") == "mercenary_decided" and isinstance(data.get("why"), str):
        return {**data, "why": _reworded(data["why"])}
    if data.get("why_not") == "" and data.get("kind") in ("ruled", "penalised"):
        return {**data, "why_not": None}
    if data.get("kind") == "change_refused" and isinstance(data.get("why"), str):
        return {**data, "why": [{"fault": "AS_WRITTEN", "facts": {"cites": data.get("cites"), "text": data["why"]}}]}
    if data.get("kind") == "refused" and data.get("reason") in _REASONS:
        return {**data, **_reason(data["reason"], dict(data["facts"]))}
    return data


def _reason(former: str, facts: dict[str, str]) -> dict[str, object]:
    why = facts.get("why", "")
    for reason, pattern in _REASONS[former]:
        if reason_match := pattern.fullmatch(why):
            # What the words told stands where they stood, as it is written now.
            parts = [reason_match.groupdict() if key == "why" else {key: value} for key, value in facts.items()]
            return {"reason": reason, "facts": [[key, value] for part in parts for key, value in part.items()]}
    raise ValueError(f"“{why}” is no part of a reason “{former}”")


def _reworded(why: str) -> str:
    for was, now in _PARTS.items():
        why = why.replace(was, now)
    if at_war := _AT_WAR.fullmatch(why):
        army, teams, does, rest = at_war.groups()
        return f"{army}, at war with {teams}, {'set out to attack' if does == 'attacks' else 'advanced towards'} {rest}"
    phrase = next((was for was in _SETS_OUT if f" {was} " in why), "")
    return why.replace(f" {phrase} ", f" {_SETS_OUT[phrase]} ", 1) if phrase else why


logger = logging.getLogger(__name__)

Reader = Callable[[Any], Any]

CHAPTERS = (of_moves, of_settling, of_mercenaries)
"""The modules of events besides the core's own; the import registers their kinds."""

_ALWAYS = ("kind", "cites", "text", "armies", "squares", "important")
"""The common keys of every event, in this order."""

_PLAIN = (str, int, bool, type(None))


def event_to_json(event: Event) -> Json:
    """An event in its stored form: its kind and its fields, from which all other values follow."""
    kind: object = type(event)
    return {"kind": event.kind, **{key: _plain(getattr(event, name)) for key, name in _shape(kind).keys.items()}}


def event_from_json(data: Mapping[str, Any]) -> Event:
    """The stored event. ValueError if it is invalid: an unknown kind, a field that is missing or wrong, or one that
    the kind doesn't have; the derived values are ignored. Events of versions that stored words where codes are now
    are read too."""
    data = as_of_now(data)
    kind: Any = KINDS.get(str(data.get("kind")))
    if kind is None:
        raise ValueError(f"there are no events of the kind “{data.get('kind')}”")
    read = _shape(kind).readers
    if strange := [key for key in data if key not in read and key not in _ALWAYS]:
        raise ValueError(f"an event of the kind “{kind.kind}” has no “{strange[0]}”")
    try:
        event: Event = kind(**{name: reader(data[key]) for key, (name, reader) in read.items()})
    except KeyError as error:
        raise ValueError(f"an event of the kind “{kind.kind}” has no {error}") from None
    return event


def tell(event: Event) -> Json:
    """An event for output: its kind, citation, sentence, the armies and squares in it, and all its fields."""
    kind: Any = type(event)
    shape = _shape(kind)
    data: Json = {"kind": event.kind, "cites": event.cites, "text": event.sentence}
    data["armies"] = _armies_in(event)
    data["squares"] = _squares(event, shape.squares)
    data["important"] = event.is_doubtful
    names = {key: kind.told_as.get(name, name) for key, name in shape.keys.items() if key not in _ALWAYS}
    fields = {key: _in_words(getattr(event, name)) for key, name in names.items()}
    return data | {key: "" if value is None and key in shape.said else value for key, value in fields.items()}


def _armies_in(event: Event) -> list[str]:
    kind: Any = type(event)
    return _names_in([getattr(event, name) for name in _shape(kind).armies])


def read_all(stored: Iterable[Mapping[str, object]]) -> list[Event]:
    return [event_from_json(data) for data in stored]


def readable(stored: object) -> list[Json]:
    """Stored events, with each unreadable one replaced by one that says so (`Damaged`), which is logged.

    A damaged row must not break a whole round's pages. 4 microseconds an event.
    """
    if not isinstance(stored, list):
        logger.error("A report is not a list of events.")
        return [event_to_json(Damaged(1, ""))]
    return [data if _is_readable(data) else event_to_json(_damaged(data, n)) for n, data in enumerate(stored, 1)]


def _is_readable(data: object) -> bool:
    try:
        event_from_json(data)  # type: ignore[arg-type]
    except (AttributeError, TypeError, ValueError):
        return False
    return True


def _damaged(data: object, place: int) -> Damaged:
    logger.error("Event %d of a report can't be read.", place)
    kind = data.get("kind") if isinstance(data, dict) else ""
    return Damaged(place, kind if isinstance(kind, str) and kind in KINDS else "")


def tell_all(stored: Iterable[Mapping[str, object]], among: Iterable[Mapping[str, object]] | None = None) -> list[Json]:
    """Stored events for output. If they are only some events of a turn, `among` are all of them."""
    events = read_all(stored)
    has_decisions = any(isinstance(event, of_mercenaries.MercenaryDecided) for event in events)
    return tell_events(events, read_all(among) if among is not None and has_decisions else events)


def tell_events(events: Sequence[Event], among: Sequence[Event] | None = None) -> list[Json]:
    """Events for output: a mercenary that set out to attack also says if it did not meet its target (R48)."""
    rows = []
    for event in events:
        data = tell(event)
        if isinstance(event, of_mercenaries.MercenaryDecided):
            data["text"] = f"{data['text']} {_in_vain(event, among or events)}".rstrip()
        rows.append(data)
    return rows


def _in_vain(decision: of_mercenaries.MercenaryDecided, events: Sequence[Event]) -> str:
    """R48: how a mercenary missed the army that it set out to attack. Empty if it met it, or had no such intention.

    The army was on the mercenary's destination. They meet if the moves leave both on one square.
    """
    name, target = decision.army, decision.target
    changed = any(isinstance(event, of_mercenaries.OrderedAfterLock) and event.army == name for event in events)
    if not target or decision.judge or changed:
        return ""
    ends = {name: decision.at, target: decision.to}
    for event in events:
        if isinstance(event, of_moves.Intercepted) and event.army in ends:
            ends[event.army] = event.at
        elif isinstance(event, _WENT) and event.army in ends:
            ends[event.army] = event.to or ends[event.army]
    if ends[name] == ends[target]:
        return ""
    if ends[name] == decision.to:
        return said("But %(army)s had left %(at)s.", army=target, at=decision.to)
    return said("But the two did not meet.")


_WENT = (of_moves.Moved, of_moves.MovedPartially, of_moves.Pushed, Ruled)
"""The events besides `Intercepted` that show the end of an army's move; they are in the order of the moves."""


def armies_of(stored: Mapping[str, Any]) -> list[str]:
    """The armies in a stored event, without building its sentence."""
    kind: Any = KINDS[stored["kind"]]
    shape = _shape(kind)
    return _names_in([stored[key] for key, name in shape.keys.items() if name in shape.armies])


class _Shape(NamedTuple):
    """For a kind of events: the fields that name armies, those that are squares, and those that may have a phrase,
    all by their keys in JSON; for each key its field, and its reader."""

    armies: tuple[str, ...]
    squares: tuple[str, ...]
    said: frozenset[str]
    keys: dict[str, str]
    readers: dict[str, tuple[str, Reader]]


@cache
def _shape(kind: Any) -> _Shape:
    types = get_type_hints(kind, include_extras=True)
    names = {("from" if field.name == "start" else field.name): field.name for field in fields(kind)}
    armies = [name for name in names.values() if _names_armies(types[name])]
    squares = [name for name in names.values() if types[name] in (Square, Square | None)]
    return _Shape(
        tuple(armies) if kind.armies_in is None else kind.armies_in,
        tuple(squares) if kind.squares_in is None else kind.squares_in,
        frozenset(name for name, hint in types.items() if Phrase in map(_bare, get_args(hint))),
        names,
        {key: (name, _reader(types[name])) for key, name in names.items()},
    )


def _names_armies(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return ARMY in hint.__metadata__
    return any(map(_names_armies, get_args(hint)))


def _bare(hint: object) -> object:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _names_in(values: Iterable[Any]) -> list[str]:
    """The names in values of fields that name armies, each once."""
    names: dict[str, None] = {}
    for value in values:
        _collect(value, names)
    return list(names)


def _collect(value: Any, names: dict[str, None]) -> None:
    if isinstance(value, str):
        names[value] = None
        return
    for item in value or ():
        _collect(item, names)


def _squares(event: Event, names: tuple[str, ...]) -> list[str]:
    squares = [getattr(event, name) for name in names]
    return list(dict.fromkeys([str(square) for square in squares if square is not None]))


def _plain(value: object) -> object:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Square):
        return str(value)
    if isinstance(value, Enum):
        return value.name.lower()
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Finding):
        return finding_to_json(value)
    return phrase_to_json(value) if isinstance(value, Phrase) else value


def _in_words(value: object) -> object:
    """A field's value for output: phrases in their words."""
    if isinstance(value, Phrase):
        return value.text
    if isinstance(value, tuple) and not isinstance(value, Square):
        return [_in_words(item) for item in value]
    return _plain(value)


@cache
def _reader(hint: Any) -> Reader:
    """The reader of a field of that type from JSON; ValueError for an invalid value."""
    origin, args = get_origin(hint), get_args(hint)
    if origin is Annotated:
        phrases = hint.__metadata__[0]
        return _phrase(phrases) if args[0] is Phrase else _reader(args[0])
    if origin is tuple:
        return _each_of(args[0]) if args[-1] is Ellipsis else _one_of_each(args)
    if origin in (Union, UnionType):
        return _or_none(*(arg for arg in args if arg is not type(None)))
    if origin is Literal:
        return _one_of({value: value for value in args})
    if issubclass(hint, Enum):
        return _one_of({member.name.lower(): member for member in hint})
    if hint is MusterFinding:
        return _muster_finding
    return _square if hint is Square else _exactly(hint)


def _phrase(phrases: type[Phrases]) -> Reader:
    return lambda value: phrase_from_json(phrases, value)


def _square(value: object) -> Square:
    return _square_of(_text(value))


_square_of = lru_cache(maxsize=2048)(read_square)


def _muster_finding(value: Any) -> MusterFinding:
    try:
        return muster_finding_from_json(value)
    except (AttributeError, KeyError, TypeError):
        raise ValueError(f"“{value}” is no fault of a muster") from None


def _exactly(kind: type) -> Reader:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise ValueError(f"“{value}” is no {kind.__name__}")
        return value

    return read


_list, _text = _exactly(list), _exactly(str)


def _one_of(values: dict[Any, Any]) -> Reader:
    def read(value: Any) -> Any:
        if not isinstance(value, str) or value not in values:
            raise ValueError(f"“{value}” is none of {', '.join(values)}")
        return values[value]

    return read


def _or_none(hint: object) -> Reader:
    reader = _reader(hint)
    return lambda value: None if value is None else reader(value)


def _each_of(hint: Any) -> Reader:
    reader = _reader(hint)
    return lambda value: tuple([reader(item) for item in _list(value)])


def _one_of_each(hints: tuple[object, ...]) -> Reader:
    readers = tuple(_reader(hint) for hint in hints)

    def read(value: Any) -> tuple[Any, ...]:
        items = _list(value)
        if len(items) != len(readers):
            raise ValueError(f"{len(items)} values stand where {len(readers)} belong")
        return tuple([reader(item) for reader, item in zip(readers, items, strict=True)])

    return read
