"""What a walk goes through: a round at one moment, its people, and the markers that were planted in its secrets."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from django.contrib.auth.models import User

from wargame.models import Round

SIGN = "zqx"
"""Every planted text begins with it and is small letters and numbers alone, which no page writes otherwise."""

PLANTED = re.compile(rf"{SIGN}[a-z]+\d+z")
"""A planted text: the sign, its kind, its number."""


def planted_in(text: str) -> Iterator[str]:
    """The planted texts in a text: wherever one begins, in another, too."""
    place = text.find(SIGN)
    while place >= 0:
        if found := PLANTED.match(text, place):
            yield found[0]
        place = text.find(SIGN, place + 1)


@dataclass(frozen=True)
class Marker:
    """A text that stands in one secret. `kind` is a row of `allowed.TABLE`, `author` the viewer whose secret it is,
    empty for nobody's."""

    text: str
    kind: str
    author: str = ""

    @cached_property
    def is_planted(self) -> bool:
        """Whether all of it is the sign, a kind and a number, as `PLANTED` finds it."""
        return [*planted_in(self.text)] == [self.text]


@dataclass
class Scene:
    """A round at a moment: `phase` is one of `allowed.PHASES`; `users` are the viewers by their names; `language` is
    what their browsers ask for."""

    phase: str
    round: Round
    users: dict[str, User]
    markers: list[Marker] = field(default_factory=list)
    language: str = ""

    @property
    def is_open(self) -> bool:
        """Whether the turn that is looked at is not settled."""
        return self.phase not in ("settled", "over")

    def mark(self, kind: str, author: str = "") -> str:
        """A new text to be planted in a secret."""
        text = f"{SIGN}{kind.replace(' ', '')}{len(self.markers)}z"
        assert [*planted_in(text)] == [text]
        self.markers.append(Marker(text, kind, author))
        return text

    def note(self, text: str, kind: str, author: str = "") -> None:
        """A secret that is its own marker, like a seed."""
        self.markers.append(Marker(text.lower(), kind, author))

    def found_in(self, text: str) -> Iterator[Marker]:
        """The markers that stand in a text."""
        lowered = text.lower()
        planted = set(planted_in(lowered))
        for marker in self.markers:
            if marker.text in planted or (not marker.is_planted and marker.text in lowered):
                yield marker
