"""How the list of armies is narrowed and ordered, from the page's address."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.http import urlencode

from judging.armies.reads import ArmyLine
from judging.drawing.crests import SHORT
from wargame.rules.core.sides import COALITION_RANKS, PHYREXIAN_RANKS, Faction

SORTS: dict[str, tuple[str, Callable[[ArmyLine], Any]]] = {
    "name": ("Name", lambda line: line.name.casefold()),
    "rank": ("Rank", lambda line: (line.tier, line.side, line.name.casefold())),
    "square": ("Square", lambda line: (line.at[-1:] or "~", int(line.at[:-1] or 0))),
    "troops": ("Troops", lambda line: (-line.alive, line.name.casefold())),
    "controller": ("Controller", lambda line: (not line.controllers, line.controllers, line.name.casefold())),
}
RANKS = [(rank.value, rank.title) for rank in (*COALITION_RANKS, *PHYREXIAN_RANKS)]
FACTIONS = [(faction.value, faction.title) for faction in Faction]
STATES = {"living": "on the map", "fighting": "in battle", "dead": "dead"}


@dataclass(frozen=True)
class ArmyFilters:
    """What was asked for; unknown values count as not given."""

    side: str = ""
    rank: str = ""
    state: str = ""
    q: str = ""
    sort: str = "name"

    @classmethod
    def of(cls, query: Mapping[str, Any]) -> ArmyFilters:
        """From the parameters of an address."""
        known_ranks = {value for value, _ in (*RANKS, *FACTIONS)}
        return cls(
            side=_one_of(query.get("side"), set(SHORT)),
            rank=_one_of(query.get("rank"), known_ranks),
            state=_one_of(query.get("state"), STATES),
            q=str(query.get("q", "")).strip()[:40],
            sort=_one_of(query.get("sort"), SORTS) or "name",
        )

    def apply(self, lines: Sequence[ArmyLine]) -> list[ArmyLine]:
        """The lines that fit, in order; the dead last."""
        key = SORTS[self.sort][1]
        return sorted(filter(self._fits, lines), key=lambda line: (line.died_in is not None, key(line)))

    @property
    def any(self) -> bool:
        """Whether anything was narrowed."""
        return bool(self.side or self.rank or self.state or self.q)

    @property
    def columns(self) -> list[dict[str, Any]]:
        """The columns' heads: `key`, `title`, `address` of the list ordered by it, `sorted`."""
        return [
            {"key": key, "title": title, "address": self._address(key), "sorted": key == self.sort}
            for key, (title, _) in SORTS.items()
        ]

    @property
    def choices(self) -> dict[str, list[tuple[str, str]]]:
        """What the form offers."""
        sides = [(side.value, name) for side, name in SHORT.items()]
        return {"sides": sides, "ranks": RANKS, "factions": FACTIONS, "states": list(STATES.items())}

    def _fits(self, line: ArmyLine) -> bool:
        fits_state = {
            "": True,
            "living": line.died_in is None,
            "dead": line.died_in is not None,
            "fighting": bool(line.battle),
        }[self.state]
        words = [line.name, *line.controllers, line.place]
        return (
            fits_state
            and self.side in ("", line.side)
            and self.rank in ("", line.rank, line.faction)
            and any(self.q.casefold() in word.casefold() for word in words)
        )

    def _address(self, sort: str) -> str:
        asked = {"side": self.side, "rank": self.rank, "state": self.state, "q": self.q, "sort": sort}
        return "?" + urlencode({key: value for key, value in asked.items() if value})


def _one_of(value: Any, known: Any) -> str:
    return str(value) if value in known else ""
