"""2.3.1: healing; 6.1.2: the town defenders'."""

from __future__ import annotations

from dataclasses import replace

from .board import Base, Board
from .days import counting_place, is_besieging
from .events import Converted, Healed
from .position import Army
from .scene import Scene
from .sides import Faction, Side
from .troops import SLOTS, Troop

DEFENDER_HEALS = 500
"""6.1.2: how many troops a town defender regains for a turn in its town."""

DAYS_TO_HEAL = 2
"""2.3.1.1, 2.3.1.2, 4.5: days after which all lost troops are healed, or a captive converted."""


def heal(scene: Scene, counted: set[str]) -> None:
    """2.3.1, R31, R32, R40: what a counted day gives back, and captives that are converted by it."""
    for name in sorted(counted):
        army = scene.armies[name]
        losses = scene.fresh_losses.get(name, ()) if name in scene.won else ()
        _heal_army(scene, army, losses)
        if army.is_partially_converted and army.days >= DAYS_TO_HEAL and army.captivity:
            scene.change(name, captivity=replace(army.captivity, converted=True))
            scene.events.append(Converted(name, army.side))


def forget_waiting(scene: Scene) -> None:
    """R32: leaving, or losing, starts the waiting of the missing troops anew."""
    for name, army in list(scene.armies.items()):
        if army.days == 0 and any(troop.rested for troop in army.troops):
            scene.change(name, troops=tuple(replace(troop, rested=0) for troop in army.troops))


def heal_town_defenders(scene: Scene) -> None:
    """6.1.2: 500 for every turn in its home town, to the lowest slot first."""
    for name, army in list(scene.armies.items()):
        if army.faction is not Faction.TOWN_DEFENDER or army.home != army.at:
            continue
        left, troops, back = DEFENDER_HEALS, list(army.troops), []
        for slot in SLOTS:
            for place, troop in enumerate(troops):
                raised = min(troop.missing, left) if troop.slot == slot else 0
                if raised:
                    troops[place] = replace(troop, alive=troop.alive + raised)
                    back.append((slot, troop.creature, raised))
                    left -= raised
        if back:
            scene.change(name, troops=tuple(troops))
            scene.events.append(Healed(name, army.at, tuple(back), "6.1.2"))


def _heal_army(scene: Scene, army: Army, losses: tuple[int, ...]) -> None:
    board = scene.before.board
    if not _heals_here(army, board):
        return
    after, back = [], []
    for place, troop in enumerate(army.troops):
        in_battle = losses[place] if place < len(losses) else 0
        raised = _raised(army, troop, board.base_by_square.get(army.at), in_battle)
        alive = troop.alive + raised
        after.append(replace(troop, alive=alive, rested=troop.of - alive - min(in_battle, troop.of - alive)))
        if raised:
            back.append((troop.slot, troop.creature, raised))
    scene.change(army.name, troops=tuple(after))
    if back:
        scene.events.append(Healed(army.name, army.at, tuple(back), _rule(army, board)))


def _heals_here(army: Army, board: Board) -> bool:
    """2.3.1: in its own base or portal, or in a town; a captive also there, as a part of its conversion (4.5)."""
    if not board.is_built(army.at) or is_besieging(army, board):
        return False
    return army.is_partially_converted or counting_place(army, board) is not None


def _raised(army: Army, troop: Troop, base: Base | None, in_battle: int) -> int:
    """R31, R32: how many of a troop's missing come back with this day; `in_battle` fell in its winning."""
    earlier = troop.missing - in_battle
    if army.side is Side.PHYREXIA or army.is_partially_converted:
        if army.days % DAYS_TO_HEAL:
            return 0
        return earlier if in_battle else min(troop.rested, earlier)
    if base is not None and _has_color(troop, base):
        return earlier
    return min(troop.rested, earlier)


def _has_color(troop: Troop, base: Base) -> bool:
    """R32: the colour of a 5-colour base is the multicoloured creatures', a colourless one's the artifacts'."""
    if base.color == "multicolor":
        return len(troop.colors) > 1
    if base.color == "colorless":
        return troop.is_artifact or not troop.colors
    return base.color in troop.colors


def _rule(army: Army, board: Board) -> str:
    if army.is_partially_converted:
        return "4.5"
    if army.at in board.town_by_square:
        return "2.3.1.3"
    return "2.3.1.1" if army.side is Side.PHYREXIA else "2.3.1.2"
