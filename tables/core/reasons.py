"""Why something is refused, always with the number that says so."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reason:
    """A refusal: the citations (the most special first), and what is wrong in words."""

    cites: tuple[str, ...]
    told: str
    column: int = 0
    """Where in the line, from 1; 0 where it isn't a matter of the line."""


class Refused(Exception):
    """Raised while an action is tried: the state before it stands."""

    def __init__(self, cites: str | tuple[str, ...], told: str, column: int = 0) -> None:
        self.reason = Reason((cites,) if isinstance(cites, str) else cites, told, column)
        super().__init__(f"{', '.join(self.reason.cites)}: {told}")


def ambiguous(column: int, told: str) -> Refused:
    """T9.1: a name that fits several things of different players."""
    return Refused("ambiguous", told, column)
