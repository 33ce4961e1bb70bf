"""The events of a turn: every outcome is a value with its citation and its sentence.

The events of a chapter are in its `events.py`. A new one is one class there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, ClassVar

from wargame.rules.core.board import Square
from wargame.rules.core.draws import told_draw
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.rulings import WhatIsRuled, WhyNothing
from wargame.rules.core.saying import said

ARMY = "army"
ArmyName = Annotated[str, ARMY]
"""The name of an army in an event, by which the event is found for that army."""

ArmyNames = tuple[ArmyName, ...]

KINDS: dict[str, type[Event]] = {}
"""The class of each kind, for the imported chapters."""


@dataclass(frozen=True, slots=True)
class Event:
    """The base of all events: a `kind`, the rule that it `cites`, and a `sentence` in the words of a judge.

    The fields are squares, names of armies, numbers, words and tuples of them, so that an event can be written as JSON
    and read again. `armies_in` and `squares_in` are the fields from which the armies and squares of an event are
    listed; a class that has none of them lists those of type ArmyName and Square, in their order. `is_doubtful`: a
    judge wants to see it first. `not_compared` are fields that the sentence leaves out. `told_as`: fields whose values
    are shown by another property.
    """

    kind: ClassVar[str]
    armies_in: ClassVar[tuple[str, ...] | None] = None
    squares_in: ClassVar[tuple[str, ...] | None] = None
    is_doubtful: ClassVar[bool] = False
    not_compared: ClassVar[tuple[str, ...]] = ()
    told_as: ClassVar[Mapping[str, str]] = {}

    if TYPE_CHECKING:
        # A property that a dataclass inherits would be taken for the default of its field of that name.
        @property
        def cites(self) -> str: ...

    def __init_subclass__(cls) -> None:
        # A dataclass with slots is made twice, and the second one counts.
        previous = KINDS.setdefault(cls.kind, cls)
        if previous.__qualname__ != cls.__qualname__:
            raise TypeError(f"{cls.__name__} and {previous.__name__} are both events of the kind “{cls.kind}”")
        KINDS[cls.kind] = cls

    @property
    def sentence(self) -> str:
        raise NotImplementedError

    @property
    def compared(self) -> tuple[object, ...]:
        """The common part of two events that say the same: their kind, and the fields in the sentence."""
        names = (field.name for field in fields(self) if field.name not in self.not_compared)
        return self.kind, *(getattr(self, name) for name in names)


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """R38: a draw from the turn's committed seed."""

    kind: ClassVar[str] = "drawn"
    cites: ClassVar[str] = "R38"
    name: str
    sides: int
    value: int

    @property
    def sentence(self) -> str:
        name = told_draw(self.name)
        return said("Drawn for “%(name)s”: %(value)s of %(sides)s.", name=name, value=self.value, sides=self.sides)


@dataclass(frozen=True, slots=True)
class Damaged(Event):
    """R38: a stored event that is no longer readable: its place in the report, from 1, and its claimed kind. It
    stands for itself alone: the original event did happen, and the map has it."""

    kind: ClassVar[str] = "damaged"
    cites: ClassVar[str] = "R38"
    is_doubtful: ClassVar[bool] = True
    place: int
    was: str

    @property
    def sentence(self) -> str:
        if not self.was:
            return said(
                "Event %(place)s of this report is damaged and can't be shown. The settled map is not affected.",
                place=self.place,
            )
        return said(
            "Event %(place)s of this report, of the kind “%(kind)s”, is damaged and can't be shown. The settled "
            "map is not affected.",
            place=self.place,
            kind=self.was,
        )


_ENDS = (".", "!", "?", "…", ")", "”")
"""The possible ends of a sentence written by a person."""


@dataclass(frozen=True, slots=True)
class Ruled(Event):
    """3.3.3: a judge's ruling: the decision, citing their rule, and their reason; `why_not`: why it changes nothing."""

    kind: ClassVar[str] = "ruled"
    is_doubtful: ClassVar[bool] = True
    not_compared: ClassVar[tuple[str, ...]] = ("start", "to")
    army: ArmyName
    number: int
    cites: str
    what: Annotated[Phrase, WhatIsRuled]
    reason: str
    why_not: Annotated[Phrase, WhyNothing] | None = None
    start: Square | None = None
    to: Square | None = None

    @property
    def sentence(self) -> str:
        text = said("Ruling %(number)s: %(what)s. %(reason)s", number=self.number, what=self.what, reason=self.reason)
        if self.why_not is None:
            return text
        nothing = said("It changes nothing: %(why)s.", why=self.why_not)
        return f"{text}{'' if text.endswith(_ENDS) else '.'} {nothing}"
