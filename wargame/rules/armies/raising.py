"""2.5.2: how many armies of each rank there are, and by which base an army starts."""

from __future__ import annotations

from collections.abc import Iterable

from wargame.rules.armies.findings import MusterFault, MusterFinding
from wargame.rules.core.sides import Rank, Side

MOST_ARMIES = {1: 1, 2: 2, 3: 7, 4: 7, 5: 14}
"""2.5.2.1: the most armies of a rank that a side can create, by tier; the lowest rank has no limit."""

USUAL_ARMIES = {1: 1, 2: 2, 3: 7, 4: 7, 5: 14, 6: 14}
"""2.5.2.1: the recommended numbers, 45 armies a side."""


def rank_faults(rank: Rank, others: int) -> list[MusterFinding]:
    """2.5.2.1: whether a side with so many `others` of a rank may have one more."""
    most = MOST_ARMIES.get(rank.tier)
    if most is None or others < most:
        return []
    return [MusterFinding(MusterFault.RANK_FULL, {"count": others, "rank": rank.title, "most": most})]


def base_faults(side: Side, colors: Iterable[str], base: str | None) -> list[MusterFinding]:
    """2.5.2.3: whether an army may start by a base of that colour; None for a portal, where Phyrexia's start."""
    own = tuple(colors)
    if (base is None) == (side is Side.PHYREXIA) and (base is None or base in own):
        return []
    return [MusterFinding(MusterFault.WRONG_BASE, {"own": ", ".join(own) or "none", "base": base or "a portal"})]
