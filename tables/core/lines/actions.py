"""T9.1: a line as data: one action of a player, before any check whether it is legal."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from wargame.rules.core.saying import said

Ref: TypeAlias = int | str
"""T9.1: a thing: 12 for `#12`, else a string: a name (`Gull of B`), `11y 2`, `11y 2 of B`, a seat, a tile, `soul 1`."""


@dataclass(frozen=True, slots=True)
class Action:
    """T9.1: one line. `kind` is a form's kind of `forms.FORMS`; what the line does not say is empty.

    `columns` has the position of each name (from 1), so that an ambiguous or unknown one can be shown in its place;
    comparisons of actions ignore it.
    """

    kind: str
    card: str = ""
    cards: tuple[str, ...] = ()
    thing: Ref = 0
    """The thing that acts (`with` in cases): #4 of `attack with #4 > 11y 3`; 0: none named, `none`: `no attack`."""
    things: tuple[Ref, ...] = ()
    attacker: Ref = 0
    """The blocked thing: #12 of `block #12 with #5`; 0 if the line omits it."""
    targets: tuple[Ref, ...] | None = None
    """None: not said; empty: `target none`."""
    effects: tuple[tuple[int, tuple[Ref, ...]], ...] = ()
    """8.4.1: targets by the number of a spell's effect: `first effect: target #4; second effect: none`."""
    choices: tuple[tuple[str, tuple[Ref, ...]], ...] = ()
    """Choices of a cost: (`sacrifice`, (1,)), (`discard`, ("Gull",))."""
    pay: tuple[Ref, ...] = ()
    x: int | None = None
    order: tuple[Ref, ...] = ()
    ability: int = 0
    """Which of several abilities, from 1; 0: not said."""
    do: str = ""
    to: str = ""
    origin: str = ""
    """The zone after `from`."""
    equip: str = ""
    stat: str = ""
    path: tuple[str, ...] = ()
    n: int = 0
    other: int = 0
    """The second number of `orb 2 for orb 5`."""
    text: str = ""
    """Text for people: a question to the judge, a reason."""
    changes: tuple[Action, ...] = ()
    """The sentences of a proposal or ruling, as actions of the kinds of `forms.SENTENCES`."""
    whatever: bool = False
    """`whatever comes:` - a plan's line goes on if it is still legal."""
    confirmed: bool = False
    """`!` at the end."""
    columns: tuple[tuple[str, int], ...] = field(default=(), compare=False, repr=False)

    def column(self, ref: Ref) -> int:
        """T9.1: where that thing or name stands in the line, from 1; 0 if it is not from a line."""
        name = f"#{ref}" if isinstance(ref, int) else ref
        return next((column for text, column in self.columns if text == name), 1 if self.columns else 0)


def to_plain(action: Action) -> dict[str, object]:
    """T9.1: an action as JSON has it: the fields that say something."""
    found: dict[str, object] = {}
    for one in fields(action):
        value = getattr(action, one.name)
        if one.compare and value != one.default:
            found[one.name] = [to_plain(change) for change in value] if one.name == "changes" else value
    return found


def from_plain(plain: object) -> Action:
    """T9.1: an action from JSON. ValueError for anything else."""
    if not isinstance(plain, dict) or "kind" not in plain or not plain.keys() <= _READERS.keys():
        raise ValueError("this is no action")
    return Action(**{name: _READERS[name](value) for name, value in plain.items()})


def _typed(kind: type) -> Callable[[object], Any]:
    def read(value: object) -> object:
        if type(value) is not kind:
            raise ValueError(f"{value!r} is no {kind.__name__}")
        return value

    return read


def _text(value: object) -> str:
    if not isinstance(value, str) or _NO_TEXT.search(value):
        raise ValueError(f"{value!r} is no text of a line")
    return value


def _ref(value: object) -> Ref:
    reference: Ref = _text(value) if isinstance(value, str) else _number(value)
    return reference


def _each(read: Callable[[object], Any]) -> Callable[[object], Any]:
    return lambda value: tuple(read(one) for one in _list(value))


def _pair(read: Callable[[object], Any]) -> Callable[[object], Any]:
    def pair(value: object) -> tuple[object, object]:
        first, refs = _list(value)
        return read(first), _refs(refs)

    return pair


_NO_TEXT = re.compile(r"[\0\n-\r\x1c-\x1e\x85\u2028\u2029\ud800-\udfff]")
"""NUL, line ends and lone surrogates."""
_number, _flag, _list = _typed(int), _typed(bool), _typed(list)
_refs = _each(_ref)
_READERS: Mapping[str, Callable[[object], Any]] = {
    **dict.fromkeys(("kind", "card", "do", "to", "origin", "equip", "stat", "text"), _text),
    **dict.fromkeys(("x", "n", "other", "ability"), _number),
    **dict.fromkeys(("whatever", "confirmed"), _flag),
    **dict.fromkeys(("thing", "attacker"), _ref),
    **dict.fromkeys(("things", "targets", "pay", "order"), _refs),
    **dict.fromkeys(("cards", "path"), _each(_text)),
    "effects": _each(_pair(_number)),
    "choices": _each(_pair(_text)),
    "changes": _each(from_plain),
}

PASS = Action("pass")
PROPOSE_NOTHING = Action("propose", changes=(Action("nothing"),))


def in_column(column: int, wrong: str) -> str:
    """T9.1: the fault, preceded by its column."""
    return said("Column %(column)s: %(wrong)s", column=column, wrong=wrong)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """T9.1: a line that can't be read: the first column (from 1) that fits nothing, and what would fit there."""

    column: int
    wrong: str
    expected: tuple[str, ...] = ()
    nearest: str = ""
    """The nearest legal form, as an example: `block #12 with #5, #6`."""

    def __str__(self) -> str:
        return in_column(self.column, self.told)

    @property
    def told(self) -> str:
        """T9.1: what is wrong, what would fit, and an example."""
        parts = [self.wrong]
        if self.expected:
            parts.append(said("Expected: %(expected)s.", expected=", ".join(self.expected)))
        if self.nearest:
            parts.append(said("Example: %(line)s", line=self.nearest))
        return " ".join(parts)


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """T9.1: a name that fits several cards: its position (from 1), and the cards. Nothing is guessed."""

    column: int
    name: str
    options: tuple[str, ...]

    def __str__(self) -> str:
        return in_column(self.column, self.told)

    @property
    def told(self) -> str:
        """T9.1: what the name may mean."""
        names = said(" or ").join(self.options)
        return said("“%(name)s” can mean %(names)s. Write more of the name.", name=self.name, names=names)
