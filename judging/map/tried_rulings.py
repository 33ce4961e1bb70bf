"""3.3.3: the rulings that a judge tries in a rehearsal, one a row: its kind, its army, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict

from judging.turns.models import Ruling
from judging.turns.rulings.new import NewRuling

MOST = 8
"""Rows: they are kept in the address of the rehearsal, and nowhere else."""

LONGEST = 200
RULE, REASON = "3.3.3", "A rehearsal."
"""What a ruling must have to be checked, and a rehearsed one has not."""

FIELD_OF = {
    Ruling.Kind.ORDER: "order",
    Ruling.Kind.SQUARE: "square",
    Ruling.Kind.WINNER: "square",
    Ruling.Kind.DAYS: "days",
}
"""What the row says, by the kinds that need one thing; one on troops says slot, creature and living troops."""


@dataclass(frozen=True)
class TriedRuling:
    """A row as it was typed; `wrong` says what is wrong with it."""

    kind: str = ""
    army: str = ""
    says: str = ""
    wrong: str = ""

    @property
    def parts(self) -> dict[str, str]:
        """The fields of the desk's form for it: `4 Orgg 300` is 300 living Orggs in slot 4."""
        if self.kind == Ruling.Kind.TROOPS:
            slot, _, rest = self.says.strip().partition(" ")
            creature, _, alive = rest.strip().rpartition(" ")
            return {"slot": slot, "creature": creature.strip(), "alive": alive}
        field = FIELD_OF.get(Ruling.Kind(self.kind)) if self.kind in Ruling.Kind.values else None
        return {field: self.says} if field else {}

    def as_typed(self) -> NewRuling:
        """As the service checks it."""
        return NewRuling(self.kind, self.army, RULE, REASON, **self.parts)

    def for_the_desk(self) -> str:
        """The address of the desk's form, begun with it: what comes behind the `?`."""
        return urlencode({"kind": self.kind, "army": self.army, **self.parts})


def tried_rulings(asked: QueryDict) -> list[TriedRuling]:
    """The rows of an address with anything in them, at most as many as fit."""
    kinds, armies, says = (asked.getlist(name) for name in ("kind", "army", "says"))
    rows = [
        TriedRuling(kind[:LONGEST], _at(armies, place), _at(says, place))
        for place, kind in enumerate(kinds[: MOST + 1])
    ]
    return [row for row in rows if row.kind or row.army.strip() or row.says.strip()][:MOST]


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place][:LONGEST] if place < len(texts) else ""
