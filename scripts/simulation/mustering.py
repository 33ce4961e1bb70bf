"""2.5: the armies and players of a new simulated round, at random, and the board of the demo round."""

from pathlib import Path
from random import Random
from typing import Any

import yaml

from scripts.simulation.judging import JUDGE
from wargame.rules.core.board import COLORS, Base, Board, Square, Town, all_squares, read_square
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import RANKS, TEAMS, Faction, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop, slot_size

ARMIES = 102
"""2.5.2.1, 6: 45 armies a team and 12 mercenaries."""

TIERS = (1,) + (2,) * 2 + (3,) * 7 + (4,) * 7 + (5,) * 14 + (6,) * 14
"""2.5.2.1: the recommended armies of a team, by tier."""

FACTIONS = (Faction.TOWN_DEFENDER,) * 3 + (Faction.THEME,) * 3 + (Faction.OCEAN_THEME,) + (Faction.RAIDER,) * 5
"""6.1 to 6.3: the mercenaries."""

PHYREXIAN_COLORS = ("blue", "red", "black", "multicolor", "colorless")
"""2.2.1: the colours of Phyrexian creatures."""

ARMIES_OF_A_PLAYER = 3


def new_round(board: Board, random: Random, armies: int = ARMIES) -> Position:
    """2.5: a position in which a round begins: both teams by their bases, mercenaries in between.

    Ranks and factions have the proportions of 102 armies, whatever their number.
    """
    mercenaries = armies * len(FACTIONS) // ARMIES
    team = (armies - mercenaries) // 2
    free = {square for square in all_squares() if not board.is_built(square)}
    all_armies = [_team_army(board, random, side, number, team, free) for side in TEAMS for number in range(team)]
    all_armies += [_mercenary(board, random, number, mercenaries, free) for number in range(mercenaries)]
    return Position(board, sorted_armies(all_armies))


def hand_out(position: Position, random: Random) -> dict[str, tuple[str, ...]]:
    """5.2: the controllers of each army. Every twentieth has two."""
    control: dict[str, tuple[str, ...]] = {}
    for side in TEAMS:
        names = [army.name for army in position.armies if army.side is side]
        players = [f"{side.value.title()} player {number}" for number in range(1 + len(names) // ARMIES_OF_A_PLAYER)]
        control |= {
            name: tuple(random.sample(players, 2 if place % 20 == 19 else 1)) for place, name in enumerate(names)
        }
    return {army.name: control.get(army.name, (JUDGE,)) for army in position.armies}


def _team_army(board: Board, random: Random, side: Side, number: int, total: int, free: set[Square]) -> Army:
    tier = TIERS[number * len(TIERS) // total]
    rank = RANKS[side][tier - 1]
    colors = tuple(random.sample(COLORS, 3)) if side is Side.COALITION else ()
    homes = [base for base in board.bases if base.side is side and (not colors or base.color in colors)]
    at = _square_near(random.choice(homes), random, free)
    troops = _troops(random, tier, colors or PHYREXIAN_COLORS)
    return Army(f"{rank.title} {_letter(side)}{number + 1}", side, at, rank, colors=colors, troops=troops)


def _mercenary(board: Board, random: Random, number: int, total: int, free: set[Square]) -> Army:
    faction = FACTIONS[number * len(FACTIONS) // total]
    if faction is Faction.TOWN_DEFENDER and number < len(board.towns):
        at = board.towns[number].at
    else:
        at = random.choice(sorted(free))
        free.discard(at)
    troops = _troops(random, faction.tier, PHYREXIAN_COLORS)
    name = f"{faction.title} {number + 1}"
    return Army(name, Side.MERCENARY, at, faction=faction, mercenary_tier=faction.tier, troops=troops, home=at)


def _square_near(base: Base, random: Random, free: set[Square]) -> Square:
    """2.5.2.3: a free square nearby the base."""
    at = min(sorted(free), key=lambda square: (square.distance(base.at) + random.randrange(5), random.random()))
    free.discard(at)
    return at


def _troops(random: Random, tier: int, colors: tuple[str, ...]) -> tuple[Troop, ...]:
    """2.1: full slots; the lowest two are shared by two creatures, so that there are six."""
    troops = []
    for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True):
        kinds = random.sample(colors, 2 if slot <= 2 else 1)
        troops += [_troop(slot, kind, slot_size(tier, slot), most // len(kinds)) for kind in kinds]
    return tuple(troops)


def _troop(slot: int, kind: str, size: int, number: int) -> Troop:
    """2.2.1: a creature of a faction's colour; `multicolor` has two and `colorless` none."""
    colors = {"multicolor": ("red", "black"), "colorless": ()}.get(kind, (kind,))
    types = ("Artifact", "Creature") if kind == "colorless" else ("Creature",)
    return Troop(slot, f"{kind.title()} {size}/{size}", number, number, colors, f"{size}/{size}", types)


def _letter(side: Side) -> str:
    return side.value[0].upper()


FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "demo"


def demo_board() -> Board:
    """The full map of `fixtures/demo`: its terrain, the seven bases, the five portals and the three towns."""
    data = yaml.safe_load((FOLDER / "round.yaml").read_text(encoding="utf-8"))
    terrain = (FOLDER / "terrain.txt").read_text(encoding="ascii").split()
    bases = tuple(_base(row) for row in (*data["bases"], *data["portals"]))
    return Board(tuple(terrain), bases, tuple(Town(row["name"], read_square(row["at"])) for row in data["towns"]))


def _base(row: dict[str, Any]) -> Base:
    return Base(row["name"], read_square(row["at"]), Side(row["team"]), row.get("color"), bool(row.get("win")))
