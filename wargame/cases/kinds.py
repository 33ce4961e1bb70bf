"""The common base of all kinds of cases (docs/develop/cases.md): each is read, run, then checked or shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Generic, NamedTuple, Protocol, TypeVar

from wargame.cases.reading import CaseError, Document, read_case


class Case(Protocol):
    """A case of any kind has a name."""

    @property
    def case(self) -> str: ...


C = TypeVar("C", bound=Case)
Outcome = TypeVar("Outcome")


class Part(NamedTuple):
    """A part of a case's story: sentences as a judge would post them, and `more` of it for programs."""

    title: str
    told: list[str]
    more: Mapping[str, object] = {}


@dataclass(frozen=True)
class Kind(Generic[C, Outcome]):
    """A kind of cases: the table that it is read into, how it is carried out, the differences from its `expect` (in
    words; empty if there are none), and the parts in which it is shown. A CaseError of these three names the place
    within the case; the case itself is named here."""

    table: type[C]
    carry_out: Callable[[C], Outcome]
    differences: Callable[[C, Outcome], Iterable[str]]
    parts: Callable[[C, Outcome], Iterable[Part]]

    def read(self, document: Document) -> C:
        """The case. CaseError names the key that can't be read."""
        return read_case(self.table, document)

    def outcome(self, document: Document) -> Outcome:
        """The outcome of the case. CaseError where it can't be read."""
        case = self.read(document)
        with _naming_the_case(case):
            return self.carry_out(case)

    def check(self, document: Document) -> list[str]:
        """The differences from the case's `expect`, in words; empty if there are none. CaseError where it can't be
        read."""
        case = self.read(document)
        with _naming_the_case(case):
            return list(self.differences(case, self.carry_out(case)))

    def show(self, document: Document) -> list[Document]:
        """The story of the case: parts, each with `title` and `told`. CaseError where it can't be read."""
        case = self.read(document)
        with _naming_the_case(case):
            parts = list(self.parts(case, self.carry_out(case)))
        return [{"title": part.title, "told": part.told, **part.more} for part in parts]


@contextmanager
def _naming_the_case(case: Case) -> Iterator[None]:
    try:
        yield
    except CaseError as error:
        raise CaseError(f"“{case.case}”: {error}") from error
