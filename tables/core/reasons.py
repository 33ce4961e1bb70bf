"""Reasons for refusals, always with the number of the rule."""

from dataclasses import dataclass

from tables.core.lines.actions import in_column


@dataclass(frozen=True, slots=True)
class Reason:
    """A refusal: the citations (the most specific first), and the fault in words."""

    cites: tuple[str, ...]
    told: str
    column: int = 0
    """The position in the line, from 1; 0 if it isn't about the line."""

    @property
    def is_unread(self) -> bool:
        """T9.1: whether the line can't be read, where the core has no number to cite."""
        return self.cites in (("unreadable",), ("ambiguous",))

    @property
    def in_words(self) -> str:
        """T9.1: what is wrong; where the line can't be read, behind its column."""
        return in_column(self.column, self.told) if self.is_unread and self.column else self.told


class Refused(Exception):
    """Raised while an action is tried: the previous state remains."""

    def __init__(self, cites: str | tuple[str, ...], told: str, column: int = 0) -> None:
        self.reason = Reason((cites,) if isinstance(cites, str) else cites, told, column)
        super().__init__(f"{', '.join(self.reason.cites)}: {told}")


class AmbiguousName(Refused):
    """T9.1: a name that fits several things of different players."""

    def __init__(self, told: str, column: int) -> None:
        super().__init__("ambiguous", told, column)


class NotFound(Refused):
    """8.5: nothing on the table is called so."""

    def __init__(self, told: str, column: int = 0) -> None:
        super().__init__("8.5", told, column)


class NotOffered(Refused):
    """10.4: something that can't be chosen here."""

    def __init__(self, told: str, column: int) -> None:
        super().__init__("10.4", told, column)
