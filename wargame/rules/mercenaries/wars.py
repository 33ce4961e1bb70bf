"""6.2.2: theme armies that go to war; 6.2.1: the last opponent of the ocean's army."""

from collections.abc import Iterator
from dataclasses import replace

from wargame.rules.core.board import Square
from wargame.rules.core.position import Army, Campaign
from wargame.rules.core.sides import OTHER_TEAM, TEAMS, Faction, Side
from wargame.rules.core.troops import SLOTS, Troop, strength_by_slot
from wargame.rules.mercenaries.events import WentToWar
from wargame.rules.mercenaries.oceans import area_at
from wargame.rules.settling.events import Healed, Killed
from wargame.rules.settling.scene import Scene

A_QUARTER = 4
"""6.2.2: a theme army that first declares war heals this part of each rank: 25 %."""


def go_to_war(scene: Scene) -> None:
    """6.2.2: for each town defender that a team killed, a random theme army, not the ocean's, goes to war with the
    other team. One that is already at war with it is not drawn again."""
    for killed, enemy in _killed_defenders(scene):
        options = [army for army in scene.armies.values() if _may_go_to_war(army, enemy)]
        if not options:
            continue
        army = scene.dice.choose(f"war over {killed.army}", options)
        campaign = army.campaign or Campaign()
        at_war = (*campaign.at_war, enemy)
        scene.events.append(WentToWar(army.name, army.at, enemy, killed.army, len(options)))
        if not campaign.has_healed:
            _heal_a_quarter(scene, army)
        scene.change(army.name, campaign=replace(campaign, at_war=at_war, has_healed=True))


def remember_battles(scene: Scene) -> None:
    """6.2.1: the ocean's army remembers its last opponent, and the number of battles it fought in an ocean area."""
    for battle in scene.before.battles:
        for side, enemies in (battle.sides, battle.sides[::-1]):
            for name in side:
                army = scene.armies.get(name)
                if army and army.faction is Faction.OCEAN_THEME:
                    scene.change(name, campaign=_after_battle(army, area_at(scene.before.board, battle.at), enemies))


def _after_battle(army: Army, area: Square | None, enemies: tuple[str, ...]) -> Campaign:
    campaign = army.campaign or Campaign()
    battles = 0 if area is None else campaign.battles + 1 if area == campaign.area else 1
    return replace(campaign, fought=enemies, area=area, battles=battles)


def _killed_defenders(scene: Scene) -> Iterator[tuple[Killed, Side]]:
    """6.2.2: each town defender that a team killed, with the other team, on which the war is declared."""
    for event in scene.events:
        if not isinstance(event, Killed) or scene.fallen[event.army].faction is not Faction.TOWN_DEFENDER:
            continue
        killers = {scene.before.by_name[name].side for name in event.by}
        for side in TEAMS:
            if side in killers:
                yield event, OTHER_TEAM[side]


def _may_go_to_war(army: Army, enemy: Side) -> bool:
    return army.faction is Faction.THEME and (army.campaign is None or enemy not in army.campaign.at_war)


def _heal_a_quarter(scene: Scene, army: Army) -> None:
    """6.2.2: 25 % of each rank's strength, in the order of the list; once in its life."""
    strength = strength_by_slot(army.troops)
    quotas = [strength[slot - 1] // A_QUARTER for slot in SLOTS]
    troops: list[Troop] = []
    back = []
    for troop in army.troops:
        raised = min(troop.missing, quotas[troop.slot - 1])
        quotas[troop.slot - 1] -= raised
        troops.append(troop._replace(alive=troop.alive + raised) if raised else troop)
        if raised:
            back.append((troop.slot, troop.creature, raised))
    if back:
        scene.change(army.name, troops=tuple(troops))
        scene.events.append(Healed(army.name, army.at, tuple(back), "6.2.2"))
