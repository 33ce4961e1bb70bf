"""2.5.1: planned bases, portals and towns, and the map on which they are shown.

Their squares are secret until they are revealed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from judging.common.control import is_leader
from judging.common.positions import SeenSite
from judging.common.viewer import Viewer
from judging.setup.models import PlannedSite, RoundSetup
from judging.svg.map import building_words, draw
from judging.svg.terrain import CELL
from wargame.models import Round
from wargame.models.choices import Role
from wargame.rules.armies.sites import SiteFault, SiteFinding, forbidden_squares, position_faults, town_faults
from wargame.rules.core.board import COLUMNS, ROWS, Base, Board, Square, Town, read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Position
from wargame.rules.core.sides import OTHER_TEAM, TEAMS, Side

KINDS = PlannedSite.Kind
SIDES = {KINDS.BASE: Side.COALITION, KINDS.PORTAL: Side.PHYREXIA}
JUDGES = "judges"
LONGEST_NAME = 60
MAX_DESCRIPTION = 4_000
WIN_CONDITIONS = 5
"""2.5.1.3: the number of its bases that the Coalition chooses."""

Drawn = Json

MOST_LETTERS = 16
"""The number of letters of a name on the map."""


@dataclass(frozen=True)
class TypedSite:
    """2.5.1: the name and the square of a site as typed in a form, with all their errors."""

    row: PlannedSite
    name: str
    at: str
    faults: tuple[SiteFinding, ...] = ()

    @property
    def square(self) -> Square | None:
        """The typed square; None if it is missing or unreadable."""
        try:
            return read_square(self.at)
        except ValueError:
            return None

    @property
    def kept(self) -> tuple[str, str]:
        """R1: name and square as they are kept: `3D`."""
        return self.name, str(self.square) if self.square else ""

    @property
    def side(self) -> Side | None:
        return side_of(self.row)


@dataclass(frozen=True)
class JudgedSites:
    """2.5.1: all sites of a round, those of one step as they are typed."""

    sites: tuple[TypedSite, ...]
    bases: tuple[Base, ...]
    towns: tuple[Town, ...]

    def of(self, *kinds: str) -> tuple[TypedSite, ...]:
        return tuple(site for site in self.sites if site.row.kind in kinds)

    def faults_of(self, *kinds: str) -> tuple[SiteFinding, ...]:
        faults = {fault.sentence: fault for site in self.of(*kinds) for fault in site.faults}
        return tuple(faults.values())


def side_of(site: PlannedSite) -> Side | None:
    """1.1: the side of a site; None for a town."""
    return SIDES.get(KINDS(site.kind))


def planned_sites(round: Round, *kinds: str) -> list[PlannedSite]:
    """2.5.1: the sites of these kinds, or all: bases, portals, towns, each in its order. Secret."""
    sites = PlannedSite.objects.filter(round=round, kind__in=kinds or KINDS.values)
    order = {kind: place for place, kind in enumerate((KINDS.BASE, KINDS.PORTAL, KINDS.TOWN))}
    return sorted(sites, key=lambda site: (order[KINDS(site.kind)], site.place))


def planned_bases(sites: Iterable[PlannedSite]) -> tuple[Base, ...]:
    """1.1, 2.5.1.3: the bases and portals among the sites that have a square, in the rules' form."""
    return tuple(
        Base(site.name, read_square(site.at), side, site.color or None, site.is_win or site.kind == KINDS.PORTAL)
        for site in sites
        if site.at and (side := side_of(site))
    )


def planned_towns(sites: Iterable[PlannedSite]) -> tuple[Town, ...]:
    """2.5.1.4: the towns among the sites that have a square."""
    return tuple(Town(site.name, read_square(site.at)) for site in sites if site.at and site.kind == KINDS.TOWN)


def unplaced(sites: Iterable[PlannedSite]) -> list[str]:
    """2.5.1: the names of the sites without a square."""
    return [site.name for site in sites if not site.at]


def is_revealed(setup: RoundSetup) -> bool:
    """2.5.1.3: whether the places of the bases are public."""
    return setup.revealed_at is not None


def judged_sites(rows: Sequence[PlannedSite], typed: Mapping[int, tuple[str, str]]) -> JudgedSites:
    """2.5.1.1, 2.5.1.4: all sites of a round with all their errors.

    `typed` are names and squares by the row's key; the other rows count as they are saved.
    """
    typed_sites = [TypedSite(row, *typed.get(row.pk, (row.name, row.at))) for row in rows]
    placed = [(site, square) for site in typed_sites if (square := site.square)]
    bases = tuple(Base(s.name, at, s.side, s.row.color or None, s.row.is_win) for s, at in placed if s.side)
    towns = tuple(Town(s.name, at) for s, at in placed if s.side is None)
    faults = (
        *_name_faults(typed_sites),
        *_square_faults(typed_sites),
        *position_faults(bases),
        *town_faults(towns, bases),
    )
    sites = tuple(
        TypedSite(s.row, s.name, s.at, tuple(fault for fault in faults if s.name in fault.names)) for s in typed_sites
    )
    return JudgedSites(sites, bases, towns)


def seen_sites(viewer: Viewer, setup: RoundSetup, sites: Iterable[PlannedSite]) -> list[SeenSite]:
    """2.5.1.3: the sites that the viewer may know of, in order; those whose place is hidden from them are left out."""
    return [_seen_site(site, setup) for site in sites if may_see(viewer, setup, site)]


def may_see(viewer: Viewer, setup: RoundSetup, site: PlannedSite) -> bool:
    """2.5.1.3: before the reveal a site is visible to the battle judges and to those whom they choose.

    These are the leaders of a side, for its own bases, and the other judges.
    """
    if is_revealed(setup) or viewer.is_judge(Role.BATTLE):
        return True
    side = side_of(site)
    if side and is_leader(viewer.player) and viewer.side is side:
        return side.value in setup.shown_to
    return viewer.player is None and bool(viewer.roles) and JUDGES in setup.shown_to


def _seen_site(site: PlannedSite, setup: RoundSetup) -> SeenSite:
    """The choice of win conditions and the descriptions are public with the places, and not before (2.5.1.3)."""
    is_public = is_revealed(setup)
    text = site.description if is_public and (site.state == "accepted" or site.kind == KINDS.TOWN) else ""
    wins = is_public and (site.is_win or site.kind == KINDS.PORTAL)
    return SeenSite(site.name, site.kind, site.color, site.at, wins, text)


def _name_faults(sites: Sequence[TypedSite]) -> Iterable[SiteFinding]:
    """2.5.1: sites without a name, and two of one name."""
    first: dict[str, TypedSite] = {}
    for site in sites:
        facts = {"name": site.name, "site": site.row.name, "most": LONGEST_NAME}
        facts["rule"] = "2.5.1.1" if site.side else "2.5.1.4"
        if not site.name:
            yield SiteFinding(SiteFault.NO_NAME, facts)
        elif len(site.name) > LONGEST_NAME:
            yield SiteFinding(SiteFault.LONG_NAME, facts)
        elif site.name.casefold() in first:
            yield SiteFinding(SiteFault.NAME_TWICE, facts)
        first.setdefault(site.name.casefold(), site)


def _square_faults(sites: Sequence[TypedSite]) -> Iterable[SiteFinding]:
    """R1: squares that can't be read."""
    for site in sites:
        if site.at.strip() and site.square is None:
            yield SiteFinding(SiteFault.NO_SQUARE, {"name": site.name, "at": site.at})


def draw_land(terrain: tuple[str, ...]) -> Drawn:
    """The context of `map/svg.html` for a land without anything on it."""
    return draw(Position(Board(terrain)))


def draw_overlay(bases: Sequence[Base], towns: Sequence[Town], *, forbids: bool = False) -> Drawn:
    """The context of `setup/_overlay.html`: sites and, where it `forbids`, the squares that 2.5.1.1 closes to each
    side.

    Sites off the map are left out.
    """
    board = Board((), tuple(b for b in bases if b.at.on_map), tuple(t for t in towns if t.at.on_map))
    sites = [
        {
            **_place(base.at),
            "label": _label(base.name, base.at),
            "name": base.name,
            "kind": base.color or base.side.value,
            "what": building_words(board, base.at),
            "win": base.win,
        }
        for base in board.bases
    ]
    sites += [
        {
            **_place(town.at),
            "label": _label(town.name, town.at),
            "name": town.name,
            "kind": "town",
            "what": gettext("Neutral town"),
        }
        for town in board.towns
    ]
    zones = [_zone(side, board.bases) for side in TEAMS] if forbids else []
    return {"sites": sites, "zones": zones}


def draw_seen(sites: Iterable[SeenSite]) -> Drawn:
    """2.5.1.3: the sites that a viewer may see, for `setup/_overlay.html`."""
    sites = [site for site in sites if site.at]
    bases = [
        Base(site.name, read_square(site.at), side, site.color or None, site.is_win)
        for site in sites
        if (side := SIDES.get(PlannedSite.Kind(site.kind)))
    ]
    towns = [Town(site.name, read_square(site.at)) for site in sites if site.kind == PlannedSite.Kind.TOWN]
    return draw_overlay(bases, towns)


def _zone(side: Side, bases: Iterable[Base]) -> Drawn:
    """2.5.1.1: the squares where the side can't build, as a path, and their names."""
    enemy = OTHER_TEAM[side]
    squares = forbidden_squares(base for base in bases if base.side is enemy)
    path = "".join(f"M{(s.column - 1) * CELL} {s.row * CELL}h{CELL}v{CELL}h-{CELL}z" for s in squares)
    return {"side": side.value, "path": path, "squares": " ".join(map(str, squares))}


def _label(name: str, square: Square) -> Drawn:
    """A site's name below its square, or above it in the last row; near the edges it is aligned inwards."""
    short = name if len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1].rstrip()}…"
    place = _place(square)
    anchor = "start" if square.column <= 2 else "end" if square.column >= COLUMNS - 1 else "middle"
    x = {"start": 1, "middle": CELL // 2, "end": CELL - 1}[anchor]
    y = -3 if square.row == len(ROWS) - 1 else CELL + 11
    return {"text": short, "x": place["x"] + x, "y": place["y"] + y, "anchor": anchor}


def _place(square: Square) -> Drawn:
    return {"at": str(square), "x": (square.column - 1) * CELL, "y": square.row * CELL}
