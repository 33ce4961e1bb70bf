"""Worlds that many tests begin with are built once by a process; later tests get their rows written again.

`kept` marks a step that builds one: what it writes depends on its arguments, the clock, and the rows there are. Where
a database holds the base rows alone, or exactly what kept steps wrote, another such step is known by its whole way
there. When a way is gone for the second time, the rows that its last step changes are kept; from the third time on
they are written without a line of the services being run. Whatever a test writes itself ends the way: the next step
runs as if it were not marked. How a database reads and writes its rows past Django is in `kept_rows`.
"""

import pickle
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import wraps
from random import Random
from typing import Any, ParamSpec, TypeVar

import time_machine
from django.core import mail
from django.core.mail import EmailMessage
from django.db.models import Model

from tests.kept_rows import Changes, State, Writing, rows

Given = ParamSpec("Given")
Made = TypeVar("Made")
AGAIN = 2


@dataclass(frozen=True)
class Step:
    """What the last step of a way did: its answer, the rows that went and came, all that there were then, and the mails
    it sent."""

    answer: bytes
    write: Writing
    after: State
    mails: tuple[EmailMessage, ...]


class Keeper:
    """The ways that this process knows, and where the database stands."""

    def __init__(self) -> None:
        self.draw: Random | None = None
        self.test = ""
        self.way = ""
        self.stand: tuple[Any, ...] = ()
        self.steps: dict[str, Step] = {}
        self.times: Counter[str] = Counter()

    def begin(self, test: str, draw: Random) -> None:
        """A test begins: nothing is known of the database."""
        self.test, self.draw = test, draw
        self.way, self.stand = "", ()

    def take(self, name: str, build: Callable[[], Made]) -> Made:
        """The step's answer, by its building or by its rows."""
        if self.draw is None:
            return build()
        before = self._way()
        if before is None:
            return build()
        way = f"{before}\n{name}{_frozen()}"
        self.draw.seed(way)
        answer = self._step(before, way, build)
        self.draw.seed(f"{self.test}\n{way}")
        self.way, self.stand = way, rows().stand()
        return answer

    def _way(self) -> str | None:
        """How the database got where it is; None if a test has written."""
        if self.way and self.stand == rows().stand():
            return self.way
        if rows().is_written():
            return None
        rows().begin()
        return f"base {rows().base()}"

    def _step(self, before: str, way: str, build: Callable[[], Made]) -> Made:
        if step := self.steps.get(way):
            step.write()
            mail.outbox.extend(step.mails)
            answer: Made = pickle.loads(step.answer)
            return answer
        self.times[way] += 1
        if self.times[way] < AGAIN:
            return build()
        old = self.steps[before].after if before in self.steps else rows().state()
        sent = len(mail.outbox)
        answer = build()
        new, mails = rows().state(), tuple(mail.outbox[sent:])
        write = rows().writing(_difference(old, new), _difference(new, old))
        self.steps[way] = Step(pickle.dumps(answer), write, new, mails)
        return answer


keeper = Keeper()


def kept(build: Callable[Given, Made]) -> Callable[Given, Made]:
    """A step that builds a world, or leads one on. Its arguments are plain, but for worlds: their rows are the way."""

    @wraps(build)
    def step(*args: Given.args, **kwargs: Given.kwargs) -> Made:
        given = [*map(_written, args), *(f"{name}={_written(value)}" for name, value in sorted(kwargs.items()))]
        name = f"{build.__module__}.{build.__qualname__}({', '.join(given)})"
        return keeper.take(name, lambda: build(*args, **kwargs))

    return step


def _written(value: object) -> str:
    """An argument in the name of a step."""
    if isinstance(value, time_machine.Traveller):
        return "clock"
    if isinstance(value, Model):
        return f"{value._meta.label}:{value.pk}"
    return type(value).__name__ if hasattr(value, "round") else repr(value)


def _frozen() -> str:
    """The moment at which the clock stands still."""
    return f" at {datetime.now(UTC)}" if time_machine.escape_hatch.is_travelling() else ""


def _difference(all_: State, but: State) -> Changes:
    """The rows of one state that another has not, the oldest first."""
    found = {name: sorted(theirs - but.get(name, frozenset()), key=lambda row: row[0]) for name, theirs in all_.items()}
    return {name: theirs for name, theirs in found.items() if theirs}
