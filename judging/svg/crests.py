"""How every page names and marks an army: its side by shape and colour, its rank by a mark."""

from typing import Any

from django.utils.translation import gettext, gettext_noop

from wargame.rules.core.sides import Faction, Rank, Side

SHORT = {
    Side.COALITION: gettext_noop("Coalition"),
    Side.PHYREXIA: gettext_noop("Phyrexia"),
    Side.MERCENARY: gettext_noop("Mercenaries"),
}
LOWEST_TIER = 6


def short_side(side: str) -> str:
    """A side's name as a label: `Coalition`."""
    return gettext(SHORT[Side(side)])


def tier_of(army: object) -> int:
    """2.1.1 to 2.1.6: 1 to 6. Takes the rules' army, a database row or a dict with the same names."""
    if rank := field(army, "rank"):
        return Rank(rank).tier
    faction = field(army, "faction")
    return field(army, "mercenary_tier") or (Faction(faction).tier if faction else LOWEST_TIER)


def title_of(army: object) -> str:
    """The rank or the faction in words: `Lt. Commander`, `Town defender`."""
    if rank := field(army, "rank"):
        return Rank(rank).title
    faction = field(army, "faction")
    return Faction(faction).title if faction else gettext("Mercenary")


def crest_of(side: str, tier: int) -> str:
    """The id of the symbol in `partials/crests.html`: `c1` is a General's."""
    return f"{Side(side).value[0]}{tier}"


def field(army: Any, name: str) -> Any:
    return army[name] if isinstance(army, dict) else getattr(army, name)
