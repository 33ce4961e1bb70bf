"""6.3, 6.3.2: raiders that appear during a round, with their names and bands, and raiders that leave it.

Old turns are recomputed from the tables of names and bands: never change their entries, and only add at the end.
"""

from collections.abc import Sequence

from wargame.rules.armies.army_names import free_name
from wargame.rules.core.board import Square, all_squares
from wargame.rules.core.names import key
from wargame.rules.core.orders import Disband
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, Troop
from wargame.rules.core.turn import SpawningOrder, TurnInput
from wargame.rules.mercenaries.events import (
    Disbanded,
    NotDisbanded,
    NotSpawned,
    Spawned,
    SpawningRolled,
    WhyNotSpawned,
)
from wargame.rules.moves.commands import Commands
from wargame.rules.settling.scene import Scene

NAMES = (
    "Ditchwater Company", "Sons of the Empty Granary", "Coin and Cudgel", "Weasel Hill Free Lances",
    "Burnt Mill Riders", "Fellowship of the Hook", "Lantern Thieves", "Nine Day Knights", "Oxbow Cutthroats",
    "Penny Dreadful Band", "Sawtooth Highwaymen", "Sparrowhawk Irregulars", "Tinker's Damnation",
    "Two Crowns a Day", "Vulture Mile Company", "Widow Lane Reavers", "Blackthorn Bandits", "Cold Hearth Gang",
    "Dead Letter Couriers", "Foul Weather Friends", "Gravel Pit Boys", "Hollow Barrel Crew", "Idle Hands",
    "Mud River Pirates", "Old Debt Collectors", "Rag and Bone Company", "Salt Road Wreckers", "Turncoat Regiment",
)  # fmt: skip

Kind = tuple[str, str, tuple[str, ...]]
"""A creature: name, size, colours."""

Band = tuple[tuple[Kind, ...], ...]
"""The creatures of the slots 1 to 4; two in one slot share it."""

_GOBLINS: Band = (
    (("Raging Goblin", "1/1", ("red",)), ("Festering Goblin", "1/1", ("black",))),
    (("Goblin Raider", "2/2", ("red",)),),
    (("Hill Giant", "3/3", ("red",)),),
    (("Two-Headed Giant of Foriys", "4/4", ("red",)),),
)
_GRAVE_ROBBERS: Band = (
    (("Drudge Skeletons", "1/1", ("black",)), ("Bog Rats", "1/1", ("black",))),
    (("Scathe Zombies", "2/2", ("black",)), ("Black Knight", "2/2", ("black",))),
    (("Gluttonous Zombie", "3/3", ("black",)),),
    (("Sengir Vampire", "4/4", ("black",)),),
)
_PIRATES: Band = (
    (("Merfolk of the Pearl Trident", "1/1", ("blue",)), ("Cloud Sprite", "1/1", ("blue",))),
    (("Phantom Warrior", "2/2", ("blue",)),),
    (("Giant Octopus", "3/3", ("blue",)), ("Aven Windreader", "3/3", ("blue",))),
    (("Air Elemental", "4/4", ("blue",)),),
)
_POACHERS: Band = (
    (("Elvish Herder", "1/1", ("green",)), ("Mogg Fanatic", "1/1", ("red",))),
    (("Wild Mongrel", "2/2", ("green",)), ("Rip-Clan Crasher", "2/2", ("red", "green"))),
    (("Gorilla Chieftain", "3/3", ("green",)),),
    (("Durkwood Boars", "4/4", ("green",)),),
)
_OGRES: Band = (
    (("Gray Ogre", "2/2", ("red",)), ("Ironclaw Orcs", "2/2", ("red",))),
    (("Talruum Minotaur", "3/3", ("red",)), ("Hill Giant", "3/3", ("red",))),
    (("Volcanic Dragon", "4/4", ("red",)),),
    (("Balduvian Horde", "5/5", ("red",)),),
)
_NIGHT_RIDERS: Band = (
    (("Black Knight", "2/2", ("black",)), ("Hypnotic Specter", "2/2", ("black",))),
    (("Fallen Angel", "3/3", ("black",)), ("Bog Wraith", "3/3", ("black",))),
    (("Sengir Vampire", "4/4", ("black",)),),
    (("Juzam Djinn", "5/5", ("black",)),),
)
_CORSAIRS: Band = (
    (("Wind Drake", "2/2", ("blue",)), ("Phantom Warrior", "2/2", ("blue",))),
    (("Phantom Monster", "3/3", ("blue",)),),
    (("Air Elemental", "4/4", ("blue",)),),
    (("Quicksilver Dragon", "5/5", ("blue",)), ("Sea Serpent", "5/5", ("blue",))),
)

BANDS: dict[int, tuple[Band, ...]] = {
    6: (_GOBLINS, _GRAVE_ROBBERS, _PIRATES, _POACHERS),
    5: (_OGRES, _NIGHT_RIDERS, _CORSAIRS),
}
"""6.3: by tier: 6 is 1/1 to 4/4, 5 is 2/2 to 5/5."""


def troops_of(band: Band) -> tuple[Troop, ...]:
    """2.1: a band at full strength; of two creatures in a slot each has half of it."""
    return tuple(
        Troop(slot, name, most // len(kinds), most // len(kinds), colors, size)
        for slot, (kinds, most) in enumerate(zip(band, SLOT_MAXIMUM, strict=True), 1)
        for name, size, colors in kinds
    )


MOST_RAIDERS = 5
"""6.3: the maximum number of raiders on the map."""

D20 = 20
UPTO = (3, 3, 2, 1, 1)
"""6.3.2: the highest number of the d20 with which a raider appears, with 0, 1, 2, 3 and 4 raiders on the map."""

STRONGER_UPTO = 7
"""6.3.2: the highest number of a d20 with which it is of 2/2 rank."""

STRONGER_TIER, TIER = 5, 6
WHO = "spawned raider"
"""The name of the draws of a raider that appears."""


def spawn(scene: Scene, given: TurnInput) -> None:
    """6.3.2: at most one raider by the turn's d20, then those ordered by the mercenary judge."""
    if given.guidelines:
        _spawn_by_the_dice(scene, given)
    orders = [act for act in given.mercenaries if isinstance(act, SpawningOrder)]
    for number, act in enumerate(orders, 2):
        _spawn_by_hand(scene, given, act, number)


def disband(scene: Scene, commands: Commands) -> None:
    """6.3.2: the raiders that spent their turn on disbanding leave the map; one that is attacked has to fight first."""
    for name, command in commands.items():
        army = scene.armies.get(name)
        if army is None or not isinstance(command.order, Disband):
            continue
        attackers = _attackers(scene, name)
        if attackers:
            scene.events.append(NotDisbanded(name, army.at, attackers))
        else:
            scene.remove(name)
            survivors = tuple([(troop.slot, troop.creature, troop.alive) for troop in army.troops])
            scene.events.append(Disbanded(name, army.at, survivors, command.order.by, command.order.reason))


def squares_for_raiders(scene: Scene) -> list[Square]:
    """6.3, 6.3.1: the squares where a raider can appear: empty, and not in or next to a base, portal or town."""
    keep_away = scene.before.board.near_built
    return [square for square in all_squares() if square not in scene.squares and square not in keep_away]


def _spawn_by_the_dice(scene: Scene, turn_input: TurnInput) -> None:
    raiders = _raiders(scene)
    if raiders >= MOST_RAIDERS:
        return
    roll = scene.dice.roll("spawning", D20)
    scene.events.append(SpawningRolled(raiders, roll, UPTO[raiders]))
    squares = squares_for_raiders(scene) if roll <= UPTO[raiders] else []
    if not squares:
        return
    kind = scene.dice.roll(f"rank of the {WHO}", D20)
    at = scene.dice.choose(f"where the {WHO} appears", squares)
    army = _raise(scene, turn_input, at, STRONGER_TIER if kind <= STRONGER_UPTO else TIER)
    scene.events.append(Spawned(army.name, at, army.mercenary_tier, kind, len(squares)))


def _spawn_by_hand(scene: Scene, turn_input: TurnInput, act: SpawningOrder, number: int) -> None:
    """6.3.2: on the judge's square, or the nearest free one; there are never more than five raiders."""
    squares = squares_for_raiders(scene)
    if _raiders(scene) >= MOST_RAIDERS or not squares:
        why = WhyNotSpawned.ENOUGH(raiders=MOST_RAIDERS) if squares else WhyNotSpawned.NO_SQUARE()
        scene.events.append(NotSpawned(act.at, act.by, why))
        return
    distance = min(act.at.distance(square) for square in squares)
    nearest = [square for square in squares if act.at.distance(square) == distance]
    at = scene.dice.choose(f"where the {WHO} appears", nearest, number)
    army = _raise(scene, turn_input, at, act.tier, number)
    scene.events.append(Spawned(army.name, at, act.tier, 0, len(nearest), act.by, act.reason))


def _raise(scene: Scene, turn_input: TurnInput, at: Square, tier: int, number: int = 1) -> Army:
    """6.3: a raider with a name that no army of the round has or had, and the troops of a band."""
    name = free_name(NAMES, (*_names(scene), *turn_input.buried), scene.dice, WHO, number)
    band = scene.dice.choose(f"band of the {WHO}", BANDS[tier], number)
    army = Army(name, Side.MERCENARY, at, None, Faction.RAIDER, tier, troops=troops_of(band))
    scene.add(army)
    return army


def _names(scene: Scene) -> Sequence[str]:
    """3.2.2.5, 2.6: the armies' names: current, former, and new in this settlement."""
    former = [name for army in scene.before.armies for name in army.former]
    names = (*scene.before.by_name, *scene.armies, *former, *scene.new_names.values())
    return tuple({key(name): name for name in names}.values())


def _raiders(scene: Scene) -> int:
    return sum(army.faction is Faction.RAIDER for army in scene.armies.values())


def _attackers(scene: Scene, name: str) -> tuple[str, ...]:
    for battle in scene.battles:
        for side, enemies in (battle.sides, battle.sides[::-1]):
            if name in side:
                return enemies
    return ()
