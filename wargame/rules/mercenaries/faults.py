"""6.1 to 6.3: whether a mercenary army may begin a round as it is, and where it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from wargame.rules.armies.findings import Fault, Finding
from wargame.rules.armies.muster import Muster, Surroundings, judge_muster
from wargame.rules.armies.placement import PlaceFault, Standing, Starter, shared_squares
from wargame.rules.core.board import Board, Square, neighbours
from wargame.rules.core.sides import COALITION_RANKS, Faction, Rank, Side
from wargame.rules.mercenaries.muster import NEAR, OCEAN, Post

OF_THE_TEAMS = (
    Fault.NO_COLORS,
    Fault.TOO_MANY_COLORS,
    Fault.FOREIGN_COLOR,
    Fault.NOT_FIVE_COLOR,
    Fault.NOT_PHYREXIAN,
    Fault.ASK_COLORLESS,
)
"""2.2.1: what binds the armies of the teams alone: their colours."""


@dataclass(frozen=True, slots=True)
class Planned:
    """6.1 to 6.3: a mercenary army and the square on which it is to start; None: it has none yet."""

    post: Post
    name: str
    at: Square | None


def rank_of(post: Post) -> Rank:
    """6.1 to 6.3: the rank of the teams whose sizes the army has."""
    return COALITION_RANKS[post.tier - 1]


def judge_mercenary(post: Post, muster: Muster, given: Surroundings) -> tuple[Finding, ...]:
    """2.1, 2.2, 6.1 to 6.3: what is wrong with a mercenary army, given with the rank of `rank_of`: its sizes are those
    of its faction, and it may have creatures of all colours."""
    found = (finding for finding in judge_muster(muster, given) if finding.fault not in OF_THE_TEAMS)
    return tuple(_in_its_words(finding, post) for finding in found)


def mercenary_faults(board: Board, planned: Sequence[Planned]) -> tuple[PlaceFault, ...]:
    """2.5.3, 6.1 to 6.3: what is wrong with the mercenaries' squares, by the posts' order. Whether an army of a team
    stands there is told with that army."""
    faults = [fault for army in planned for fault in _faults(board, army)]
    return (*faults, *shared_squares([standing_of(army) for army in planned]))


def standing_of(army: Planned) -> Standing:
    """A mercenary as those see it who are placed (2.5.2.3)."""
    return Standing(Starter(called(army), Side.MERCENARY, army.post.tier), army.at)


def called(army: Planned) -> str:
    """Its name, or which one it is to be."""
    return army.name or army.post.lot.capitalize()


def _in_its_words(finding: Finding, post: Post) -> Finding:
    return replace(finding, facts={**finding.facts, "rank": f"a {post.faction.title.lower()}"})


def _faults(board: Board, army: Planned) -> Iterator[PlaceFault]:
    name, at, faction = called(army), army.at, army.post.faction
    cites = _CITES[faction]
    if at is None:
        yield PlaceFault(name, f"{name} has no square yet.", cites)
    elif not at.on_map:
        yield PlaceFault(name, f"{name} is on {at}, which is not on the map: it ends at 38 and at N.", "1.2")
    elif at in board.base_by_square:
        yield PlaceFault(name, f"{name} is on {board.base_by_square[at].name}.", cites)
    elif faction is Faction.TOWN_DEFENDER:
        if at not in board.town_by_square:
            yield PlaceFault(name, f"{name} is on {at}, which is no town; a town defender starts in one.", cites)
    else:
        yield from _of_the_field(board, name, at, faction)


def _of_the_field(board: Board, name: str, at: Square, faction: Faction) -> Iterator[PlaceFault]:
    """6.2, 6.3.1: theme armies and raiders, which keep away from what is built."""
    cites = _CITES[faction]
    if town := board.town_by_square.get(at):
        yield PlaceFault(name, f"{name} is in {town.name}, where a town defender starts.", "6.1")
    if faction is Faction.OCEAN_THEME and board.terrain_at(at) != OCEAN:
        yield PlaceFault(
            name, f"{name} is on {at}, which is {board.terrain_at(at)}; its territory is the ocean.", cites
        )
    built = next((square for square in neighbours(at) if board.is_built(square)), None)
    if faction is Faction.RAIDER and built is not None:
        yield PlaceFault(name, f"{name} is next to {built}; raiders keep away from what is built.", "6.3.1")
    if faction is not Faction.RAIDER and any(square in board.base_by_square for square in neighbours(at)):
        yield PlaceFault(name, f"{name} is next to a base or portal; theme armies do not start near one.", cites)
    near = min(board.bases, key=lambda base: base.at.distance(at), default=None)
    if near is not None and near.at.distance(at) <= NEAR:
        steps = near.at.distance(at)
        sentence = f"{name} is {steps} step{'s' * (steps > 1)} from {near.name}; up to {NEAR} counts as near."
        yield PlaceFault(name, sentence, cites, is_breach=False)


_CITES = {
    Faction.TOWN_DEFENDER: "6.1",
    Faction.THEME: "6.2",
    Faction.OCEAN_THEME: "6.2",
    Faction.RAIDER: "6.3",
}
