"""6.1 to 6.3: whether a mercenary army may begin a round in its state, and on its square."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from wargame.rules.armies.findings import MusterFault, MusterFinding, MusterWords
from wargame.rules.armies.muster import Muster, Surroundings, judge_muster
from wargame.rules.armies.placement import PlacedArmy, PlaceFault, PlaceFinding, StartingArmy, shared_squares
from wargame.rules.core.board import Board, Square, neighbours
from wargame.rules.core.faults import Fault
from wargame.rules.core.saying import said
from wargame.rules.core.sides import COALITION_RANKS, Faction, Rank, Side
from wargame.rules.core.wording import count
from wargame.rules.mercenaries.muster import NEAR, OCEAN, Post, told_lot

OF_THE_TEAMS = (
    MusterFault.NO_COLORS,
    MusterFault.TOO_MANY_COLORS,
    MusterFault.FOREIGN_COLOR,
    MusterFault.NOT_FIVE_COLOR,
    MusterFault.NOT_PHYREXIAN,
    MusterFault.ASK_COLORLESS,
)
"""2.2.1: the faults that only apply to the armies of the teams: of their colours."""


class MercenaryFault(Fault):
    """6.1 to 6.3: the faults of a mercenary's square; `{rule}` stands for the paragraph of its faction."""

    IN_BASE = "{rule}", "{name} would start on {base}."
    NO_TOWN = "{rule}", "{name} would start on {at}, which is not a town; a town defender must start in one."
    NO_OCEAN = "{rule}", "{name} would start on {at}, which is {terrain}; its territory is the ocean."
    BY_BUILT = "6.3.1", "{name} would start next to {built}; raiders must keep away from built squares."
    BY_BASE = "{rule}", "{name} would start next to a base or portal; theme armies can't start near one."
    NEAR_BASE = "{rule}", "{name} would start {steps} from {base}; up to {near} counts as near.", False


@dataclass(frozen=True, slots=True)
class Planned:
    """6.1 to 6.3: a mercenary army and its starting square; None: it has none yet."""

    post: Post
    name: str
    at: Square | None


def rank_of(post: Post) -> Rank:
    """6.1 to 6.3: the rank of the teams whose sizes the army has."""
    return COALITION_RANKS[post.tier - 1]


def judge_mercenary(post: Post, muster: Muster, given: Surroundings) -> tuple[MusterFinding, ...]:
    """2.1, 2.2, 6.1 to 6.3: the faults of a mercenary army, given with the rank of `rank_of`: its sizes are those of
    its faction, and it may have creatures of all colours."""
    findings = (finding for finding in judge_muster(muster, given) if finding.fault not in OF_THE_TEAMS)
    return tuple(_in_its_words(finding, post) for finding in findings)


def mercenary_faults(board: Board, planned: Sequence[Planned]) -> tuple[PlaceFinding, ...]:
    """2.5.3, 6.1 to 6.3: the faults of the mercenaries' squares, by the posts' order. A collision with an army of a
    team is reported with that army."""
    faults = [fault for army in planned for fault in _faults(board, army)]
    return (*faults, *shared_squares([standing_of(army) for army in planned]))


def standing_of(army: Planned) -> PlacedArmy:
    """A mercenary in the form for the placement of others (2.5.2.3)."""
    return PlacedArmy(StartingArmy(called(army), Side.MERCENARY, army.post.tier), army.at)


def called(army: Planned) -> str:
    """Its name, or a description of the army that it is to be."""
    lot = told_lot(army.post.lot)
    return army.name or lot[:1].upper() + lot[1:]


_OF_FACTION = {
    Faction.TOWN_DEFENDER: MusterWords.A_TOWN_DEFENDER,
    Faction.THEME: MusterWords.A_THEME,
    Faction.OCEAN_THEME: MusterWords.AN_OCEAN_THEME,
    Faction.RAIDER: MusterWords.A_RAIDER,
}


def _in_its_words(finding: MusterFinding, post: Post) -> MusterFinding:
    return replace(finding, facts={**finding.facts, "rank": _OF_FACTION[post.faction]()})


def _faults(board: Board, army: Planned) -> Iterator[PlaceFinding]:
    name, at, faction = called(army), army.at, army.post.faction
    facts = {"name": name, "at": at, "rule": _CITES[faction]}
    if at is None:
        yield PlaceFinding(PlaceFault.NO_SQUARE, facts)
    elif not at.on_map:
        yield PlaceFinding(PlaceFault.OFF_MAP, facts)
    elif at in board.base_by_square:
        yield PlaceFinding(MercenaryFault.IN_BASE, {**facts, "base": board.base_by_square[at].name})
    elif faction is Faction.TOWN_DEFENDER:
        if at not in board.town_by_square:
            yield PlaceFinding(MercenaryFault.NO_TOWN, facts)
    else:
        yield from _of_the_field(board, at, faction, facts)


def _of_the_field(board: Board, at: Square, faction: Faction, facts: Mapping[str, object]) -> Iterator[PlaceFinding]:
    """6.2, 6.3.1: theme armies and raiders, which keep away from buildings."""
    if town := board.town_by_square.get(at):
        yield PlaceFinding(PlaceFault.IN_TOWN, {**facts, "town": town.name})
    if faction is Faction.OCEAN_THEME and board.terrain_at(at) != OCEAN:
        yield PlaceFinding(MercenaryFault.NO_OCEAN, {**facts, "terrain": said(board.terrain_at(at))})
    built = next((square for square in neighbours(at) if board.is_built(square)), None)
    if faction is Faction.RAIDER and built is not None:
        yield PlaceFinding(MercenaryFault.BY_BUILT, {**facts, "built": built})
    if faction is not Faction.RAIDER and any(square in board.base_by_square for square in neighbours(at)):
        yield PlaceFinding(MercenaryFault.BY_BASE, facts)
    nearest_base = min(board.bases, key=lambda base: base.at.distance(at), default=None)
    if nearest_base is not None and nearest_base.at.distance(at) <= NEAR:
        away = count(nearest_base.at.distance(at), "step")
        yield PlaceFinding(MercenaryFault.NEAR_BASE, {**facts, "steps": away, "base": nearest_base.name, "near": NEAR})


_CITES = {
    Faction.TOWN_DEFENDER: "6.1",
    Faction.THEME: "6.2",
    Faction.OCEAN_THEME: "6.2",
    Faction.RAIDER: "6.3",
}
