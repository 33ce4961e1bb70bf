"""1.1, 2.1: the sides of the war and the ranks of their armies."""

from enum import StrEnum

from wargame.rules.core.saying import marked, said


class Side(StrEnum):
    """1.1, R3: the two teams, and the mercenaries as one side."""

    COALITION = "coalition"
    PHYREXIA = "phyrexia"
    MERCENARY = "mercenary"

    @property
    def is_team(self) -> bool:
        return self is not Side.MERCENARY

    @property
    def title(self) -> str:  # type: ignore[override]
        """The side in a sentence, in the reader's language; stored data uses `SIDE_TITLES`."""
        return said(SIDE_TITLES[self])


TEAMS = (Side.COALITION, Side.PHYREXIA)
OTHER_TEAM = {Side.COALITION: Side.PHYREXIA, Side.PHYREXIA: Side.COALITION}
"""1.1: each team's enemy."""


class Rank(StrEnum):
    """1.1.1, 1.1.2: the ranks that can control armies, highest first within a team."""

    GENERAL = "general"
    ADMIRAL = "admiral"
    CAPTAIN = "captain"
    COMMANDER = "commander"
    LT_COMMANDER = "lt_commander"
    LIEUTENANT = "lieutenant"
    CHIEF_PRAETOR = "chief_praetor"
    PRAETOR = "praetor"
    EVINCAR = "evincar"
    PLAGUELORD = "plaguelord"
    CPL = "cpl"
    CENTURION = "centurion"

    @property
    def tier(self) -> int:
        """2.1.1 to 2.1.6: 1 for the highest rank of a team, 6 for the lowest."""
        return _TIERS[self]

    @property
    def side(self) -> Side:
        return Side.COALITION if self in COALITION_RANKS else Side.PHYREXIA

    @property
    def title(self) -> str:  # type: ignore[override]
        return _RANK_TITLES[self]


class Faction(StrEnum):
    """6.1, 6.2, 6.3: the factions of the mercenaries."""

    TOWN_DEFENDER = "town_defender"
    THEME = "theme"
    OCEAN_THEME = "ocean_theme"
    RAIDER = "raider"

    @property
    def tier(self) -> int:
        """6.1 to 6.3: the tier whose sizes the faction's armies have (1/1 is 6, 2/2 is 5, 3/3 is 4)."""
        return _FACTION_TIERS[self]

    @property
    def title(self) -> str:  # type: ignore[override]
        return said(FACTION_TITLES[self])


COALITION_RANKS = tuple(Rank)[:6]
PHYREXIAN_RANKS = tuple(Rank)[6:]
RANKS = {Side.COALITION: COALITION_RANKS, Side.PHYREXIA: PHYREXIAN_RANKS}

LEADING_TIER = 3
"""3.2.5.4, 5.3.1, 1.7.3: Captain/Evincar; smaller tiers are above it."""

LOWEST_TWO_TIERS = (5, 6)
"""2.3.1.3, 4.5: Lt Cmdr/CPL and Lt/Centurion."""

SIDE_TITLES = {
    Side.COALITION: marked("the Coalition"),
    Side.PHYREXIA: marked("Phyrexia"),
    Side.MERCENARY: marked("the mercenaries"),
}
_TIERS: dict[Rank, int] = {rank: 1 + place for ranks in RANKS.values() for place, rank in enumerate(ranks)}
_RANK_TITLES: dict[Rank, str] = {
    Rank.LT_COMMANDER: "Lt. Commander",
    Rank.CPL: "CPL",
    **{r: r.value.replace("_", " ").title() for r in Rank if r not in (Rank.LT_COMMANDER, Rank.CPL)},
}
_FACTION_TIERS = {Faction.TOWN_DEFENDER: 5, Faction.THEME: 4, Faction.OCEAN_THEME: 4, Faction.RAIDER: 6}
FACTION_TITLES = {
    Faction.TOWN_DEFENDER: marked("Town defender"),
    Faction.THEME: marked("Theme"),
    Faction.OCEAN_THEME: marked("Ocean theme"),
    Faction.RAIDER: marked("Raider"),
}
