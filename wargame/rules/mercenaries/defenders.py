"""6.1.1, R50: the guidelines of the town defenders."""

from wargame.rules.core.board import RANGE, Square, neighbours
from wargame.rules.core.phrases import Fact, Phrase
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction, Side
from wargame.rules.mercenaries.outlook import (
    Considered,
    Decision,
    Outlook,
    engaging,
    moving,
    nearest_to,
    reach,
    soldiers_of,
    staying,
)
from wargame.rules.mercenaries.reasoning import Course, Why

OVERWHELMING = 3
"""R50: how many times stronger than its defender the armies near a town must be to be overwhelming."""

NEAR_TOWN = 2
"""R50: the steps from a town within which armies count for the odds."""

FEW_SOLDIERS = 3500
"""6.1.1: a defender that has fewer left may choose to retreat to another town."""

OURS = Faction.TOWN_DEFENDER
GUIDELINE = "6.1.1"


def decide(army: Army, view: Outlook) -> Decision:
    """6.1.1: it keeps its town, or retakes it; facing overwhelming odds it waits outside, or flees."""
    home = army.home or army.at
    odds = _odds(army, home, view)
    considered: tuple[Considered, ...] = ()
    if odds and soldiers_of(army) < FEW_SOLDIERS:
        flight = _flee(army, home, odds, view)
        if isinstance(flight, Decision):
            return flight
        considered = (Considered(Course.RETREAT(), flight),)
    town = _name(home, view)
    if army.at == home:
        return staying(army, OURS, GUIDELINE, Why.KEEPS(army=army.name, town=town), _besides(army, odds, considered))
    if odds:
        why = Why.WAITS(army=army.name, town=town, because=odds)
        return _wait(army, home, why, (*considered, Considered(Course.MOVE_TO(town=town), odds)), view)
    if kept_out := _kept_out(army, home, view):
        why = Why.WAITS(army=army.name, town=town, because=kept_out)
        return _wait(army, home, why, considered, view)
    return _go_home(army, home, considered, view)


def _odds(army: Army, home: Square, view: Outlook) -> Phrase | None:
    """R50: overwhelming odds; None if the defender can face them."""
    enemies = list(view.within(home, NEAR_TOWN))
    strength, enemy_strength = view.might(army), sum(map(view.might, enemies))
    if enemy_strength <= OVERWHELMING * strength:
        return None
    facts: dict[str, Fact] = {
        "steps": NEAR_TOWN,
        "town": _name(home, view),
        "theirs": enemy_strength,
        "times": OVERWHELMING,
        "own": strength,
    }
    if len(enemies) > 2:
        return Why.ODDS_OF_MANY(armies=len(enemies), **facts)
    odds = Why.ODDS_OF_ONE if len(enemies) == 1 else Why.ODDS
    return odds(who=tuple(other.name for other in enemies), **facts)


def _flee(army: Army, home: Square, odds: Phrase, view: Outlook) -> Decision | Phrase:
    """6.1.1: to the nearest empty other town; the reason against it, if there is none or no free way to it."""
    reason = Why.FEW_LEFT(left=soldiers_of(army), few=FEW_SOLDIERS)
    towns = [town for town in view.board.towns if town.at != home]
    here = next((town for town in towns if town.at == army.at), None)
    if here:
        why = Why.TAKES_REFUGE(army=army.name, town=here.name, because=reason)
        return staying(army, OURS, GUIDELINE, why, _return(home, odds, view))
    squares = view.free([town.at for town in towns], army)
    free = [town for town in towns if town.at in squares]
    if not free:
        return Why.NO_TOWN_FREE()
    distance = min(army.at.distance(town.at) for town in free)
    refuge = view.dice.choose(f"goal of {army.name}", [town for town in free if army.at.distance(town.at) == distance])
    to = view.toward(army, refuge.at)
    if not to:
        return Why.NO_WAY(town=refuge.name)
    why = Why.RETREATS(army=army.name, town=refuge.name, because=reason)
    return moving(army, OURS, to, GUIDELINE, why, _return(home, odds, view))


def _return(home: Square, odds: Phrase, view: Outlook) -> tuple[Considered, ...]:
    return (Considered(Course.HOLD(town=_name(home, view)), odds),)


def _besides(army: Army, odds: Phrase | None, considered: tuple[Considered, ...]) -> tuple[Considered, ...]:
    """6.1.1: why a defender at home does not leave, if it considers that."""
    if odds and not considered:
        return (Considered(Course.RETREAT(), Why.ENOUGH_LEFT(left=soldiers_of(army), few=FEW_SOLDIERS)),)
    return considered


def _kept_out(army: Army, home: Square, view: Outlook) -> Phrase | None:
    """R3, R22: the obstacle for a defender outside its town that could face the odds; None if there is none."""
    for other in view.position.by_square.get(home, ()):
        if other.side is Side.MERCENARY:
            return Why.MERCENARY_THERE(other=other.name)
        if why_not := view.why_not_engaged(army, other):
            return Why.HELD_BUT(other=other.name, because=why_not)
    claimant = view.claims.get(home, army.name)
    return None if claimant == army.name else Why.TOWN_CLAIMED(claimant=claimant)


def _wait(army: Army, home: Square, why: Phrase, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.1.1, R64: on one of the 8 squares around its town, one nearest to its current square."""
    around = neighbours(home)
    if army.at in around:
        return staying(army, OURS, GUIDELINE, why, considered)
    equal = nearest_to(army.at, view.free([square for square in reach(army.at) if square in around], army))
    if equal:
        return moving(army, OURS, view.dice.choose(f"way of {army.name}", equal), GUIDELINE, why, considered)
    return _approach(army, home, why, considered, view)


def _approach(army: Army, home: Square, why: Phrase, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """Toward its town, but not into it."""
    to = view.toward(army, home, lambda square: square != home)
    if to is None:
        return staying(army, OURS, GUIDELINE, Why.BLOCKED(because=why), considered)
    return moving(army, OURS, to, GUIDELINE, why, considered)


def _go_home(army: Army, home: Square, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.1.1: it attacks the army in its town, every turn, or enters it."""
    town, holders = _name(home, view), view.position.by_square.get(home, ())
    if army.at.distance(home) > RANGE:
        why = Why.RETURNS(army=army.name, town=town)
        if holders:
            why = Why.RETURNS_TO_HELD(army=army.name, town=town, holder=holders[0].name)
        return _approach(army, home, why, considered, view)
    if holders:
        why = Why.RETAKES(army=army.name, holder=holders[0].name, town=town)
        return engaging(army, OURS, holders[0], GUIDELINE, why, considered)
    return moving(army, OURS, home, GUIDELINE, Why.RETURNS(army=army.name, town=town), considered)


def _name(home: Square, view: Outlook) -> str:
    """2.5.1.4: the town's name; the square for a defender whose home is no town."""
    town = view.board.town_by_square.get(home)
    return town.name if town else str(home)
