"""1.2.3, 1.3.2: the zones and the phases of a day of Altered as data."""

from tables.core.play import Step
from tables.core.zones import ZoneKind

STEPS = (
    Step("setup", "4.1", "noon", priority=False),
    Step("morning", "1.3.2.b", "expand", priority=False),
    Step("expand", "1.3.2.b", "noon", priority=False),
    Step("noon", "1.3.2.c", "afternoon", priority=False),
    Step("afternoon", "1.3.2.d", "dusk", priority=False),
    Step("dusk", "1.3.2.e", "night", priority=False),
    Step("night", "4.2.5", "morning", priority=False),
)
"""1.3.2: nobody ever has priority: turns alternate, and reactions wait their turn (A7). `expand` is the end of the
Morning, in which both may put a card into the Mana zone."""

ZONES = (
    ZoneKind("hand", "1.2.3.f", "seat", "owner"),
    ZoneKind("deck", "1.2.3.f", "seat", "nobody", ordered=True),
    ZoneKind("mana", "3.2.9", "seat", "owner", numbered=True),
    ZoneKind("reserve", "1.2.3.e", "seat", "all"),
    ZoneKind("discard", "1.2.3.e", "seat", "all"),
    ZoneKind("landmark", "1.2.3.e", "seat", "all", play=True),
    ZoneKind("hero", "3.2.4.b", "seat", "all", play=True),
    ZoneKind("companion", "3.2.4.b", "seat", "all", play=True),
    ZoneKind("herozone", "1.2.3.e", "seat", "all", play=True),
    ZoneKind("limbo", "1.2.3.c", "shared", "all"),
    ZoneKind("adventure", "1.2.3.c", "shared", "nobody", ordered=True, numbered=True),
    ZoneKind("presented", "4.1.e", "seat", "nobody", shown=False),
)
"""A2: the Mana zone is visible, its faces are not. `hero` and `companion` are the two expeditions of each player in
the shared Expedition zone; `presented` is the place of a face-down Hero until 4.1.h."""

EXPEDITIONS = ("hero", "companion")
FIRST_REGION, LAST_REGION = 1, 8
"""4.1.b, 4.1.d: hero counters start in the first, companion counters in the last; between them six halves."""
TUMULTS = 3
DRAWN = 2
"""1.3.2.b: the number of cards drawn in the Morning."""
LIMIT = 2
"""4.2.5.d: the number of cards kept in Reserve and in the Landmark zone by a player without a Hero."""
MOST_A_DAY = 100
"""1.4.6: how often a given quick action can be played, and a given reaction can activate, on one day."""
STATISTICS = ("forest", "mountain", "water")
"""A21: the words by which a card may change the first, second and third statistic of the card list."""


def is_expedition(kind: str) -> bool:
    """3.2.4.b: whether a zone is an expedition."""
    return kind in EXPEDITIONS
