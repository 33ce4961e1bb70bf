"""6.1.1, R50: the guidelines of the town defenders."""

from __future__ import annotations

from wargame.rules.core.board import RANGE, Square, neighbours
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

OVERWHELMING = 3
"""R50: by how many times the armies near a town must be stronger than its defender, to be more than he can face."""

NEAR_TOWN = 2
"""R50: the steps from a town within which armies count for the odds."""

FEW_SOLDIERS = 3500
"""6.1.1: a defender that has fewer left may choose to retreat to another town."""

OURS = Faction.TOWN_DEFENDER
GUIDELINE = "6.1.1"


def decide(army: Army, view: Outlook) -> Decision:
    """6.1.1: it keeps its town, or takes it again; facing overwhelming odds it waits outside, or flees."""
    home = army.home or army.at
    odds = _odds(army, home, view)
    considered: tuple[Considered, ...] = ()
    if odds and soldiers_of(army) < FEW_SOLDIERS:
        flight = _flee(army, home, odds, view)
        if not isinstance(flight, str):
            return flight
        considered = (Considered("retreat to another town", flight),)
    town = _name(home, view)
    if army.at == home:
        return staying(army, OURS, GUIDELINE, f"{army.name} keeps {town}.", _besides(army, odds, considered))
    if odds:
        why = f"{army.name} waits outside {town}: {odds}."
        return _wait(army, home, why, (*considered, Considered(f"move to {town}", odds)), view)
    if kept_out := _kept_out(army, home, view):
        return _wait(army, home, f"{army.name} waits outside {town}: {kept_out}.", considered, view)
    return _go_home(army, home, considered, view)


def _odds(army: Army, home: Square, view: Outlook) -> str:
    """R50: overwhelming odds in words; empty where the defender can face them."""
    near = list(view.within(home, NEAR_TOWN))
    own, theirs = view.might(army), sum(map(view.might, near))
    if theirs <= OVERWHELMING * own:
        return ""
    who = " and ".join(other.name for other in near) if len(near) < 3 else f"{len(near)} armies"
    return (
        f"{who} within {NEAR_TOWN} squares of {_name(home, view)} {'has' if len(near) == 1 else 'have'} a strength of "
        f"{theirs:,}, more than {OVERWHELMING} times its {own:,}"
    )


def _flee(army: Army, home: Square, odds: str, view: Outlook) -> Decision | str:
    """6.1.1: to the nearest other town in which nobody stands; why not, if there is none or no free way to it."""
    left = f"it faces overwhelming odds with {soldiers_of(army):,} soldiers left, fewer than {FEW_SOLDIERS:,}"
    others = [town for town in view.board.towns if town.at != home]
    here = next((town for town in others if town.at == army.at), None)
    if here:
        return staying(army, OURS, GUIDELINE, f"{army.name} stays in {here.name}: {left}.", _return(home, odds, view))
    squares = view.free([town.at for town in others], army)
    free = [town for town in others if town.at in squares]
    if not free:
        return "no other town is free"
    near = min(army.at.distance(town.at) for town in free)
    refuge = view.dice.choose(f"goal of {army.name}", [town for town in free if army.at.distance(town.at) == near])
    to = view.toward(army, refuge.at)
    if not to:
        return f"no free square leads to {refuge.name}"
    why = f"{army.name} retreats to {refuge.name}: {left}."
    return moving(army, OURS, to, GUIDELINE, why, _return(home, odds, view))


def _return(home: Square, odds: str, view: Outlook) -> tuple[Considered, ...]:
    return (Considered(f"hold or retake {_name(home, view)}", odds),)


def _besides(army: Army, odds: str, considered: tuple[Considered, ...]) -> tuple[Considered, ...]:
    """6.1.1: why a defender at home does not leave, where it thinks of it."""
    if odds and not considered:
        left = f"it has {soldiers_of(army):,} soldiers left, no fewer than {FEW_SOLDIERS:,}"
        return (Considered("retreat to another town", left),)
    return considered


def _kept_out(army: Army, home: Square, view: Outlook) -> str:
    """R3, R22: what keeps a defender out of its town that could face the odds; empty if nothing does."""
    for other in view.position.by_square.get(home, ()):
        if other.side is Side.MERCENARY:
            return f"{other.name} is there, and no two mercenaries share a square (R3)"
        if why_not := view.why_not_engaged(army, other):
            return f"{other.name} holds it, but {why_not}"
    claimant = view.claims.get(home, army.name)
    return "" if claimant == army.name else f"{claimant} is bound for it (R3)"


def _wait(army: Army, home: Square, why: str, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.1.1, R64: on one of the 8 squares around its town, on one nearest to where it is."""
    around = neighbours(home)
    if army.at in around:
        return staying(army, OURS, GUIDELINE, why, considered)
    equal = nearest_to(army.at, view.free([square for square in reach(army.at) if square in around], army))
    if equal:
        return moving(army, OURS, view.dice.choose(f"way of {army.name}", equal), GUIDELINE, why, considered)
    return _approach(army, home, why, considered, view)


def _approach(army: Army, home: Square, why: str, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """Toward its town, and not into it."""
    to = view.toward(army, home, lambda square: square != home)
    if to is None:
        return staying(army, OURS, GUIDELINE, f"{why} No nearer square is free.", considered)
    return moving(army, OURS, to, GUIDELINE, why, considered)


def _go_home(army: Army, home: Square, considered: tuple[Considered, ...], view: Outlook) -> Decision:
    """6.1.1: it attacks whoever holds its town, every turn, or enters it."""
    town, holders = _name(home, view), view.position.by_square.get(home, ())
    if army.at.distance(home) > RANGE:
        why = f"{army.name} returns to {town}" + (f", which {holders[0].name} holds." if holders else ".")
        return _approach(army, home, why, considered, view)
    if holders:
        why = f"{army.name} attacks {holders[0].name}, which holds {town}."
        return engaging(army, OURS, holders[0], GUIDELINE, why, considered)
    return moving(army, OURS, home, GUIDELINE, f"{army.name} returns to {town}.", considered)


def _name(home: Square, view: Outlook) -> str:
    """2.5.1.4: the town's name; its square for a defender whose home is none."""
    town = view.board.town_by_square.get(home)
    return town.name if town else str(home)
