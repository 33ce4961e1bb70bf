"""3.3.3: rulings on troops and days, at steps 7 and 10 of R18."""

from collections.abc import Iterable
from typing import Any

from wargame.rules.core.events import Ruled
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army
from wargame.rules.core.rulings import DaysSet, Ruling, TroopsSet, WhyNothing
from wargame.rules.core.troops import Troop
from wargame.rules.moves.ruled import counting, ruled
from wargame.rules.settling.days import SIEGE_DAYS, counting_place, is_besieging
from wargame.rules.settling.scene import Scene

MOST_DAYS = 99


def set_troops(scene: Scene, rulings: Iterable[Ruling]) -> None:
    """4.3.1: after the battles and before the new ones, so that an army emptied by a ruling dies like any other."""
    decided, beaten = counting([r for r in rulings if isinstance(r, TroopsSet)])
    scene.events.extend(beaten)
    for ruling in decided:
        scene.events.append(_set_troops(scene, ruling))


def set_days(scene: Scene, rulings: Iterable[Ruling], counted: set[str]) -> None:
    """1.5: after the days are counted and before healing, which follows from the ruling.

    An army with more days than before has counted one, any other has not; `counted` is changed.
    """
    decided, beaten = counting([r for r in rulings if isinstance(r, DaysSet)])
    scene.events.extend(beaten)
    for ruling in decided:
        scene.events.append(_set_days(scene, ruling, counted))


def _set_days(scene: Scene, ruling: DaysSet, names: set[str]) -> Ruled:
    army = scene.armies.get(ruling.army)
    why_not = _why_no_days(scene, army, ruling.days)
    if army is None or why_not:
        return ruled(ruling, why_not, to=army.at if army else None)
    before = scene.before.by_name[army.name]
    counts = ruling.days > (before.days if before.at == army.at else 0)
    rested = army.troops if ruling.days else tuple(troop._replace(rested=0) for troop in army.troops)
    winning_days = min(army.winning_days, ruling.days)
    changes: dict[str, Any] = {"days": ruling.days, "winning_days": winning_days, "troops": rested}
    if counts == (army.name in names) and army._replace(**changes) == army:
        return ruled(ruling, WhyNothing.DAYS_SO_ANYWAY(), to=army.at)
    (names.add if counts else names.discard)(army.name)
    scene.change(army.name, **changes)
    return ruled(ruling, to=army.at)


def _set_troops(scene: Scene, ruling: TroopsSet) -> Ruled:
    army = scene.armies.get(ruling.army)
    if army is None:
        return ruled(ruling, _gone(scene, ruling.army))
    fitting = [t for t in army.troops if t.slot == ruling.slot and ruling.creature in (None, t.creature)]
    why_not = _why_no_troops(fitting, ruling)
    if why_not:
        return ruled(ruling, why_not, to=army.at)
    troop = fitting[0]
    after = troop.with_numbers(ruling.alive, troop.of)
    if after == troop:
        return ruled(ruling, WhyNothing.TROOPS_SO_ANYWAY(), to=army.at)
    # Troops that are given back make up for some that were lost in this day (R31).
    scene.lose(army.name, [t.alive - after.alive if t is troop else 0 for t in army.troops])
    scene.change(army.name, troops=tuple(after if t is troop else t for t in army.troops))
    return ruled(ruling, to=army.at)


def _why_no_troops(fitting: list[Troop], ruling: TroopsSet) -> Phrase | None:
    """2.3.1: troops are never below zero and never above strength."""
    if not fitting:
        return WhyNothing.NO_SUCH_TROOPS(slot=ruling.slot)
    if len(fitting) > 1:
        names = ", ".join(troop.creature for troop in fitting)
        return WhyNothing.SEVERAL_CREATURES(slot=ruling.slot, creatures=names)
    if not 0 <= ruling.alive <= fitting[0].of:
        return WhyNothing.ABOVE_STRENGTH(of=fitting[0].of)
    return None


def _why_no_days(scene: Scene, army: Army | None, days: int) -> Phrase | None:
    """1.5, R30, R33: days are counted in few places, and a besieger's end at four."""
    if army is None:
        return WhyNothing.ARMY_GONE()
    if not 0 <= days <= MOST_DAYS:
        return WhyNothing.DAYS_OUT_OF_RANGE(most=MOST_DAYS)
    if days and counting_place(army, scene.before.board) is None:
        return WhyNothing.NO_DAYS_THERE(at=str(army.at))
    if days > SIEGE_DAYS and is_besieging(army, scene.before.board):
        return WhyNothing.SIEGE_IS_OVER(days=SIEGE_DAYS)
    return None


def _gone(scene: Scene, name: str) -> Phrase:
    return WhyNothing.KILLED() if name in scene.before.by_name else WhyNothing.NO_ARMY(army=name)
