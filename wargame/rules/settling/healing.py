"""2.3.1, 6.1.2: healing of lost troops: of armies that have counted days, and of town defenders at home; and when an
army can expect it."""

from dataclasses import replace

from wargame.rules.core.board import Base, Board
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction, Side
from wargame.rules.core.troops import DAYS_TO_HEAL, SLOTS, Troop
from wargame.rules.settling.days import counting_place, is_besieging
from wargame.rules.settling.events import Converted, Healed
from wargame.rules.settling.scene import Scene

DEFENDER_HEALS = 500
"""6.1.2: the number of troops that a town defender regains for a turn in its town."""


def heal(scene: Scene, counted: set[str]) -> None:
    """2.3.1, R31, R32, R40: the troops that a counted day heals, and captives that are converted by it."""
    for name in sorted(counted):
        army = scene.armies[name]
        _heal_army(scene, army)
        if army.is_partially_converted and army.days >= DAYS_TO_HEAL and army.captivity:
            scene.change(name, captivity=replace(army.captivity, converted=True))
            scene.events.append(Converted(name, army.side))


def heal_town_defenders(scene: Scene) -> None:
    """6.1.2: 500 for every turn in its home town, to the lowest slot first."""
    towns = scene.before.board.town_by_square
    for name, army in list(scene.armies.items()):
        if army.faction is not Faction.TOWN_DEFENDER or army.home != army.at or army.at not in towns:
            continue
        remaining, troops, back = DEFENDER_HEALS, list(army.troops), []
        for slot in SLOTS:
            for place, troop in enumerate(troops):
                raised = min(troop.missing, remaining) if troop.slot == slot else 0
                if raised:
                    troops[place] = troop._replace(alive=troop.alive + raised)
                    back.append((slot, troop.creature, raised))
                    remaining -= raised
        if back:
            scene.change(name, troops=tuple(troops))
            scene.events.append(Healed(name, army.at, tuple(back), "6.1.2"))


def _heal_army(scene: Scene, army: Army) -> None:
    board = scene.before.board
    if not heals_here(army, board):
        return
    base = board.base_by_square.get(army.at)
    after, back = [], []
    for troop, fell in zip(army.troops, _fell_in_this_day(scene, army), strict=True):
        raised = _raised_by_twos(army, troop, fell) if heals_by_twos(army) else _raised(troop, base, fell)
        missing = troop.missing - raised
        rested = missing if heals_by_twos(army) else missing - min(fell, missing)
        after.append(troop._replace(alive=troop.alive + raised, rested=rested))
        if raised:
            back.append((troop.slot, troop.creature, raised))
    scene.change(army.name, troops=tuple(after))
    if back:
        scene.events.append(Healed(army.name, army.at, tuple(back), _rule(army, board)))


def remember_losses(scene: Scene, counted: set[str]) -> None:
    """R69: where an army heals, its losses in a turn without a counted day belong to the next counted one."""
    for name, army in list(scene.armies.items()):
        if name not in scene.fresh_losses and not any(troop.lost_in_day for troop in army.troops):
            continue
        is_over = name in counted or not heals_here(army, scene.before.board)
        fell = [0] * len(army.troops) if is_over else _fell_in_this_day(scene, army)
        troops = (troop._replace(lost_in_day=loss) for troop, loss in zip(army.troops, fell, strict=True))
        scene.change(name, troops=tuple(troops))


def heals_here(army: Army, board: Board) -> bool:
    """2.3.1: in its own base or portal, or in a town; for a captive also where it counts its conversion (4.5)."""
    if not board.is_built(army.at) or is_besieging(army, board):
        return False
    return army.is_partially_converted or counting_place(army, board) is not None


def heals_by_twos(army: Army) -> bool:
    """2.3.1.1, 4.5: Phyrexian armies and captives are healed with every second day, all at once."""
    return army.side is Side.PHYREXIA or army.is_partially_converted


def _fell_in_this_day(scene: Scene, army: Army) -> list[int]:
    """R31, R32, R69: how many of each troop that are still missing were lost in the army's current day, in any way:
    in a battle, by a penalty or a ruling; in this turn, and in earlier turns that counted no day."""
    losses = scene.fresh_losses.get(army.name, ())
    received_since = (0 for _ in army.troops[len(losses) :])
    both = zip(army.troops, (*losses, *received_since), strict=False)
    return [max(0, min(troop.lost_in_day + fell, troop.missing)) for troop, fell in both]


def _raised_by_twos(army: Army, troop: Troop, fell: int) -> int:
    """2.3.1.1, R31: on every second day all except those lost during it."""
    if army.days % DAYS_TO_HEAL:
        return 0
    return min(troop.rested, troop.missing - fell)


def _raised(troop: Troop, base: Base | None, fell: int) -> int:
    """2.3.1.2, R32: in a base of their colour all except those lost in this day; else those who waited a day."""
    earlier = troop.missing - fell
    return earlier if base is not None and has_color(troop, base) else min(troop.rested, earlier)


def has_color(troop: Troop, base: Base) -> bool:
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


def days_to_healing(army: Army, board: Board) -> int | None:
    """2.3.1.1, 2.3.1.2, 2.3.1.3: the number of further counted days, none of them won in battle, until troops are
    healed; the losses of the current day wait for one more (R69).

    None if no troops are missing, or if the army can't be healed on its square.
    """
    missing = [troop for troop in army.troops if troop.missing]
    if not missing or counting_place(army, board) is None or not heals_here(army, board):
        return None
    rested = any(troop.rested for troop in missing)
    if heals_by_twos(army):
        ahead = DAYS_TO_HEAL - army.days % DAYS_TO_HEAL
        return ahead if ahead > 1 or rested else ahead + DAYS_TO_HEAL
    base = board.base_by_square.get(army.at)
    return 1 if rested else min(_days_of(troop, base) for troop in missing)


def _days_of(troop: Troop, base: Base | None) -> int:
    """R32, R69: the number of days for the first of a troop's missing that has not waited yet."""
    days = 1 if base is not None and has_color(troop, base) else DAYS_TO_HEAL
    return days if troop.missing > troop.lost_in_day else days + 1
