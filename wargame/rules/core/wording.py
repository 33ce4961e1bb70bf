"""How sentences for players are put together: lists of names, numbers with their things."""

from __future__ import annotations

from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """Names as a person lists them: “A”, “A and B”, “A, B and C”."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def listed_with(names: Sequence[str], one: str, many: str) -> str:
    """Names with the verb that follows them, which is `one` for a single name: “A moves”, “A and B move”."""
    return f"{listed(names)} {one if len(names) == 1 else many}"


def count(number: int, thing: str) -> str:
    """A number with its thing: “1 day”, “3 days”."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def troops_by_creature(troops: Sequence[tuple[int, str, int]]) -> str:
    """Troops as (slot, creature, number): “600 Kris Mage and 10 of slot 4”."""
    return listed([f"{number} {creature or f'of slot {slot}'}" for slot, creature, number in troops])


def headline(first: Sequence[str], second: Sequence[str], defends: int | None) -> str:
    """4.1.2.3, R25: `X attacks Y`, or `X meets Y` if nobody attacks."""
    if defends == 0:
        first, second = second, first
    verb = "meet" if defends is None else "attack"
    return f"{' and '.join(first)} {verb}{'s' if len(first) == 1 else ''} {' and '.join(second)}"


FULL = "no square of the map is free"
"""Why an army stays where it may not."""
