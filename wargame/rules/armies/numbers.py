"""2.5.2: the number of armies of each rank, their starting base, and whether the numbers fit the players."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wargame.rules.armies.findings import MusterFault, MusterFinding, MusterWords, colors_in_words
from wargame.rules.armies.sites import BASES, PORTALS
from wargame.rules.core.board import COLUMNS, ROWS
from wargame.rules.core.faults import Fault, Finding
from wargame.rules.core.sides import RANKS, TEAMS, Rank, Side
from wargame.rules.core.wording import listed

RECOMMENDED = (1, 2, 7, 7, 14, 14)
"""2.5.2.1: the recommended numbers, the highest rank first: 45 armies a side."""

MAXIMUM: tuple[int | None, ...] = (1, 2, 7, 7, 14, None)
"""2.5.2.1: the maximum number of a side's armies of a rank, and of its players with the rank, the highest rank
first; None: no limit."""

MOST_MERCENARIES = 12
"""6.1 to 6.3: 3 town defenders, 4 theme armies and up to 5 raiders."""


class NumberFault(Fault):
    """2.5.2.1: the faults of the numbers of armies."""

    OTHER_RANKS = "2.5.2.1", "There are {ranks} ranks, so enter {ranks} numbers."
    NO_ROOM = (
        "2.5.2.1",
        "With the mercenaries there are {armies} armies, but the map has {squares} squares without a base.",
    )
    NO_ARMY = "2.5.2.1", "Each side needs at least one army."
    NEGATIVE = "2.5.2.1", "{rank}: the number of armies can't be negative."
    TOO_MANY = "2.5.2.1", "{rank}: {number} is too many; the limit is {most}."
    TOO_FEW = "2.5.2.1", "{rank}: one player holds this rank ({players}), so enter at least {least}."
    TOO_FEW_FOR_ALL = "2.5.2.1", "{rank}: {least} players hold this rank ({players}), so enter at least {least}."


@dataclass(frozen=True, slots=True)
class NumberFinding(Finding):
    """A fault of the number of a rank; `tier` 0: of all of them together."""

    tier: int = 0


def number_faults(numbers: Sequence[int], holders: Sequence[tuple[str, Rank]] = ()) -> tuple[NumberFinding, ...]:
    """2.5.2.1: the faults of the numbers of armies of a side, the highest rank first.

    `holders` are the players with a rank, by name: each must get an army. The same numbers apply to both sides.
    """
    if len(numbers) != len(MAXIMUM):
        return (NumberFinding(NumberFault.OTHER_RANKS, {"ranks": len(MAXIMUM)}),)
    faults = [fault for tier, number in enumerate(numbers, 1) for fault in _rank_faults(tier, number, holders)]
    squares, armies = len(ROWS) * COLUMNS - BASES - PORTALS, 2 * sum(numbers) + MOST_MERCENARIES
    if not faults and armies > squares:
        faults.append(NumberFinding(NumberFault.NO_ROOM, {"armies": armies, "squares": squares}))
    if not faults and not any(numbers):
        faults.append(NumberFinding(NumberFault.NO_ARMY))
    return tuple(faults)


def most_of(rank: Rank) -> int | None:
    """2.5.2.1: the maximum number of a side's armies of a rank, and of its players with it; None: no limit."""
    return MAXIMUM[rank.tier - 1]


def rank_names(tier: int) -> str:
    """2.5.2.1: `CP/General` in full words: `General and Chief Praetor`."""
    return listed([RANKS[side][tier - 1].title for side in TEAMS])


def _rank_faults(tier: int, number: int, holders: Sequence[tuple[str, Rank]]) -> list[NumberFinding]:
    most = MAXIMUM[tier - 1]
    if number < 0:
        return [NumberFinding(NumberFault.NEGATIVE, {"rank": rank_names(tier)}, tier)]
    if most is not None and number > most:
        facts = {"rank": rank_names(tier), "most": most, "number": number}
        return [NumberFinding(NumberFault.TOO_MANY, facts, tier)]
    faults = []
    for side in TEAMS:
        rank = RANKS[side][tier - 1]
        names = [name for name, own_rank in holders if own_rank is rank]
        if len(names) > number:
            fault = NumberFault.TOO_FEW_FOR_ALL if len(names) > 1 else NumberFault.TOO_FEW
            facts = {"rank": rank.title, "players": ", ".join(sorted(names)), "least": len(names)}
            faults.append(NumberFinding(fault, facts, tier))
    return faults


def rank_faults(rank: Rank, others: int) -> list[MusterFinding]:
    """2.5.2.1: whether a side with `others` of a rank may have one more."""
    most = most_of(rank)
    if most is None or others < most:
        return []
    return [MusterFinding(MusterFault.RANK_FULL, {"count": others, "rank": rank.title, "most": most})]


def base_faults(side: Side, colors: Iterable[str], base: str | None) -> list[MusterFinding]:
    """2.5.2.3: whether an army may start by a base of that colour; None for a portal, where Phyrexia's start."""
    army_colors = tuple(colors)
    if (base is None) == (side is Side.PHYREXIA) and (base is None or base in army_colors):
        return []
    by = colors_in_words((base,)) if base else MusterWords.A_PORTAL()
    facts = {"own": colors_in_words(army_colors, MusterWords.NO_COLORS), "base": by}
    return [MusterFinding(MusterFault.WRONG_BASE, facts)]
