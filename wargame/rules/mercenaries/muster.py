"""2.5.3, 6.1 to 6.3: the mercenaries with which a round begins: their names (bands and hosts, never persons), their
troops, and their squares."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from wargame.rules.armies.army_names import free_name, name_faults
from wargame.rules.armies.creatures import Creature
from wargame.rules.armies.muster import MusterEntry
from wargame.rules.armies.recruiting import PHYREXIAN, Allowed, Barracks, Recruit, draw_legend, draw_troops
from wargame.rules.core.board import RANGE, Board, Square, Town, all_squares
from wargame.rules.core.dice import Dice
from wargame.rules.core.phrases import Phrases, phrase_in
from wargame.rules.core.sides import Faction

_DEFENDERS = "Gatekeepers Militia Rampart Walls Wardens Watch"
_TOWNSFOLK = (
    "Bell Tower Militia", "Bridge Wardens", "Ferry Watch", "Granary Guard", "Market Watch", "Mill Street Militia",
    "Night Bell Watch", "Old Wall Wardens", "Palisade Guard", "Toll House Guard",
)  # fmt: skip

THEME_NAMES = {
    "ocean": (
        "Court of the Long Tide", "Deep That Listens", "Drowned Procession", "Host of the Sunken Bell",
        "Leviathan Choir", "Salt Sovereigns", "Throng of the Trench", "Wrack and Undertow",
    ),
    "islands": (
        "Gulls of the Outer Skerries", "Keepers of the Low Water", "Moot of the Sandbars", "Reef Kingdom",
        "Storm Petrel Court", "Tide Pool Parliament",
    ),
    "plains": (
        "Griffin Pastures", "Herd of the Open Grass", "Kites over the Downs", "Lords of the Long Grass",
        "Muster of the Wide Field", "Wind-Walker Clans",
    ),
    "mountain": (
        "Crag Tyrants", "Council of the High Caves", "Giants of the Broken Range", "Kin of the Landslide",
        "Thunder Ledge Clans", "Wyrms of the Scree",
    ),
    "forest": (
        "Court of the Hollow Oak", "Grove That Walks", "Moss Crown Circle", "Old Wood Awake", "People of the Canopy",
        "Thorn Hedge Kingdom",
    ),
    "swamp": (
        "Bog Candle Court", "Feast of the Low Mire", "Lanterns under the Reeds", "Peat Cutters Unquiet",
        "Rot Garden Parliament", "Wake of the Black Pools",
    ),
}  # fmt: skip
"""6.2: by the terrain of an army's territory."""

RAIDER_NAMES = (
    "Ash Road Company", "Broken Wheel Gang", "Crows of the Milestone", "Empty Purse Reavers", "Gallows Cheaters",
    "Half Pay Free Company", "Knives of the Back Road", "Last Coin Riders", "Loose Saddle Band", "Magpie Company",
    "Quick Ladder Reavers", "Red Rag Riders", "Rust and Plunder", "Three Thumb Crew", "Torn Sail Pirates",
    "Wolfshead Stragglers",
)  # fmt: skip
"""6.3: no two of a round have the same, and there are more than will ever be in play at once."""


def defender_names(town: str) -> tuple[str, ...]:
    """6.1, 3.2.2.5: names with the town's in them, if every order can name such an army."""
    names = tuple(f"{town} {noun}" for noun in _DEFENDERS.split()) if town else ()
    return tuple(name for name in names if not name_faults(name, ())) or _TOWNSFOLK


RAIDER_TIERS = (6, 6, 5)
"""6.3: two raiders of 1/1 rank and one of 2/2 rank begin on the map."""

LAND_THEMES = 3
"""6.2: the theme armies whose territory is a single area; one more has the ocean."""

DEFENDERS = 3
"""6.1: one a town."""

NEAR = 4
"""6.2, 6.3: the steps within which a square counts as near a base or portal, and a territory as near another."""

OCEAN = "ocean"
TERRAIN_COLORS = {
    "ocean": ("blue",),
    "islands": ("blue", "white"),
    "plains": ("white", "green"),
    "mountain": ("red",),
    "forest": ("green",),
    "swamp": ("black",),
}
"""R2: the colours of an army's creatures by the terrain of its territory."""

RAIDER_COLORS = ("red", "black", "blue")


@dataclass(frozen=True, slots=True)
class Post:
    """6.1 to 6.3: one of the mercenaries' places in a new round, like `raider 2`, which names its draws."""

    lot: str
    faction: Faction
    tier: int


@dataclass(frozen=True, slots=True)
class Hired:
    """6.1 to 6.3: a mercenary army that is to begin. `theme` is the terrain from which it was made."""

    post: Post
    at: Square | None
    name: str
    theme: str
    entries: tuple[MusterEntry, ...]
    legend: Creature | None = None


POSTS = (
    *(Post(f"town defender {n}", Faction.TOWN_DEFENDER, Faction.TOWN_DEFENDER.tier) for n in range(1, DEFENDERS + 1)),
    *(Post(f"theme army {n}", Faction.THEME, Faction.THEME.tier) for n in range(1, LAND_THEMES + 1)),
    Post("ocean theme army", Faction.OCEAN_THEME, Faction.OCEAN_THEME.tier),
    *(Post(f"raider {n}", Faction.RAIDER, tier) for n, tier in enumerate(RAIDER_TIERS, 1)),
)
"""6.1 to 6.3: all mercenaries at the beginning of a round, in the order in which they are drawn."""

POST_OF = {post.lot: post for post in POSTS}


class Lot(Phrases):
    """The names of the lots in posts. They name draws (docs/play/verify/dice.md), so they aren't translated there."""

    TOWN_DEFENDER = "town defender {number:d}"
    THEME = "theme army {number:d}"
    OCEAN_THEME = "ocean theme army"
    RAIDER = "raider {number:d}"


def told_lot(lot: str) -> str:
    """2.5.3: which mercenary army it is, in words."""
    return phrase_in(Lot, lot).text


def place_mercenaries(
    board: Board,
    occupied: Iterable[Square],
    dice: Dice,
    number: int = 1,
    kept: Mapping[str, Square] | None = None,
) -> dict[str, Square | None]:
    """2.5.3: a square for every post, by its lot; None where the map has no suitable one.

    The defenders in the towns; the theme armies at random, not near a base or portal, apart from each other, on other
    terrains if they can be, the ocean's on the ocean; raiders at random, away from bases and next to nothing built.
    `occupied` are the squares of all other armies, which are kept out of reach as long as there is room. `kept` are the
    posts that keep their squares.
    """
    kept = kept or {}
    map_ = _Map(board, tuple(occupied))
    for post in POSTS:
        map_.put(post, kept.get(post.lot))
    places: dict[str, Square | None] = dict(kept)
    for post in (post for post in POSTS if post.lot not in kept):
        options = map_.options(post)
        places[post.lot] = dice.choose(f"{post.lot}: square", options, number) if options else None
        map_.put(post, places[post.lot])
    return {post.lot: places[post.lot] for post in POSTS}


def hire(
    post: Post,
    at: Square | None,
    board: Board,
    barracks: Barracks,
    dice: Dice,
    *,
    names: Iterable[str],
    serving: Iterable[str],
    number: int = 1,
) -> Hired:
    """6.1 to 6.3: the army of a post: a name, troops and a legend that suit the terrain of its square.

    `names` and `serving` are those of all other armies. Raiders have no legend: they never follow a leader for long.
    """
    theme = board.terrain_at(at) if at is not None else OCEAN if post.faction is Faction.OCEAN_THEME else "plains"
    main, fits = _colors_of(post, theme, dice, number)
    entries = draw_troops(barracks, post.tier, fits, main, dice, post.lot, number)
    legend = None if post.faction is Faction.RAIDER else draw_legend(barracks, fits, serving, dice, post.lot, number)
    name = free_name(_names_for(post, at, board, theme), names, dice, post.lot, number)
    return Hired(post, at, name, theme, entries, legend)


class _Map:
    """2.5.3: the remaining squares while mercenaries are placed."""

    def __init__(self, board: Board, occupied: tuple[Square, ...]) -> None:
        self._board = board
        self._occupied = occupied
        self._taken = {*occupied, *board.base_by_square, *board.town_by_square}
        self._territories: list[Square] = []
        self._raiders: list[Square] = []
        self._towns: list[Town] = sorted(board.towns, key=lambda town: town.name)

    def options(self, post: Post) -> Sequence[Square]:
        """The possible squares of an army, all equally likely."""
        if post.faction is Faction.TOWN_DEFENDER:
            return [self._towns[0].at] if self._towns else []
        free = [square for square in all_squares() if square not in self._taken and self._suits(post, square)]
        return _strictest(free, self._wishes(post))

    def put(self, post: Post, at: Square | None) -> None:
        if at is None:
            return
        self._taken.add(at)
        if post.faction is Faction.TOWN_DEFENDER:
            self._towns = [town for town in self._towns if town.at != at]
        elif post.faction is Faction.RAIDER:
            self._raiders.append(at)
        else:
            self._territories.append(at)

    def _suits(self, post: Post, square: Square) -> bool:
        """6.2, 6.3.1: the conditions that always apply."""
        if post.faction is Faction.RAIDER:
            return square not in self._board.near_built
        return (self._board.terrain_at(square) == OCEAN) is (post.faction is Faction.OCEAN_THEME)

    def _wishes(self, post: Post) -> list[Callable[[Square], bool]]:
        """The additional wishes for a square, the most important first: that is given up last."""
        bases = [base.at for base in self._board.bases]
        lands = {self._board.terrain_at(square) for square in self._territories}
        wishes = [lambda s: s not in self._board.near_bases, lambda s: _is_away(s, bases, NEAR)]
        wishes.append(lambda s: _is_away(s, self._occupied, RANGE))
        if post.faction is Faction.RAIDER:
            return [*wishes, lambda s: _is_away(s, [*self._raiders, *self._territories], RANGE)]
        wishes.append(lambda s: _is_away(s, self._territories, 2 * RANGE))
        if post.faction is Faction.THEME:
            wishes.append(lambda s: self._board.terrain_at(s) not in lands)
        return wishes


def _is_away(square: Square, squares: Iterable[Square], steps: int) -> bool:
    return all(square.distance(other) > steps for other in squares)


def _strictest(squares: list[Square], wishes: list[Callable[[Square], bool]]) -> list[Square]:
    """The squares that meet as many wishes as can be met, the first ones before the others."""
    for wish in wishes:
        squares = [square for square in squares if wish(square)] or squares
    return squares


def _colors_of(post: Post, theme: str, dice: Dice, number: int) -> tuple[str, Allowed]:
    """The colour of most of an army's creatures, and the creatures that it may have at all."""
    colors = RAIDER_COLORS if post.faction is Faction.RAIDER else TERRAIN_COLORS[theme]
    if post.faction is Faction.TOWN_DEFENDER:
        colors = tuple(dict.fromkeys((*colors, "white")))
    main = dice.choose(f"{post.lot}: main colour", colors, number)

    def may_have(recruit: Recruit) -> bool:
        has = recruit.creature.colors
        return PHYREXIAN not in recruit.kinds and bool(has) and all(color in colors for color in has)

    return main, may_have


def _names_for(post: Post, at: Square | None, board: Board, theme: str) -> tuple[str, ...]:
    if post.faction is Faction.TOWN_DEFENDER:
        town = board.town_by_square.get(at) if at is not None else None
        return defender_names(town.name if town else "")
    return RAIDER_NAMES if post.faction is Faction.RAIDER else THEME_NAMES[theme]
