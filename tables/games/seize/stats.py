"""6: the current state of a mercenary: its health, attacks, move and statuses, with all their changes.

Of the print on a card (6.A to 6.L, 8.A to 8.G, 9.A to 9.H) the name (6.B) is used in lines, the class (6.A) is required
by abilities, the stars (6.E) count in decks; a treasure has a kind (8.B) that pays; symbols, numbers and credits (6.D,
6.K, 6.L) have no meaning in play.
"""

from tables.core import query
from tables.core.lists.cards import Reach
from tables.core.state import State, Thing
from tables.core.zones import kind_of, zone_of

ALL = ("F", "FL", "FR", "L", "R", "B", "BL", "BR")


def mercenaries(state: State, seat: str = "") -> tuple[Thing, ...]:
    """6: the mercenaries on the battlefield, of one seat or of all, in seat order."""
    seats = (seat,) if seat else tuple(one.letter for one in state.seats)
    return tuple(thing for one in seats for thing in state.zone(zone_of(one, "battlefield")))


def on_battlefield(state: State, thing: Thing) -> bool:
    """6: whether it is a mercenary on a tile; the cards it wears are not."""
    return kind_of(thing.zone) == "battlefield" and not thing.under


def count(thing: Thing, kind: str) -> int:
    """13: the number of counters of a kind on a thing; 1 for a status that it has."""
    return dict(thing.counters).get(kind, 0)


def maximum(state: State, thing: Thing) -> int:
    """6.C, S30, S41: the current maximum health of a mercenary: its base, Fortify and other additions."""
    return query.statistic(state, thing, "health")


def health(state: State, thing: Thing) -> int:
    """6.C: its remaining health."""
    return maximum(state, thing) - thing.damage


def reach(state: State, thing: Thing, stat: str) -> Reach | None:
    """6.G, 6.H, 6.J: an attack or the move as printed on the card; None if the card has none."""
    card = state.cards[thing.card]
    return {"melee": card.melee, "ranged": card.ranged, "move": card.move}[stat]


def has(state: State, thing: Thing, status: str) -> bool:
    """13: whether a thing has a status or the keyword of that name."""
    return count(thing, status) > 0 or query.has(state, thing, status)


def blinded(state: State, thing: Thing) -> bool:
    """13.7.3, 13.8.1: whether a coin decides its declarations: blind itself, or on a fogged tile."""
    return count(thing, "blind") > 0 or dict(state.tiles.get(thing.at, ())).get("fog", 0) > 0


def mark(name: str, thing: Thing) -> str:
    """11: the state's mark for something that a mercenary has done this turn."""
    return f"{name} {thing.key} {thing.stamp}"


def did(state: State, name: str, thing: Thing) -> int:
    """11: how often it has done so this turn."""
    return state.marks.count(mark(name, thing))


def frozen(state: State, thing: Thing) -> bool:
    """13.8.2, S37, S84, S88: three frost counters, now or as this turn's first Movement Phase began."""
    return count(thing, "frost") >= 3 or did(state, "frozen", thing) > 0


def turn_seats(state: State) -> tuple[str, ...]:
    """S78, 5.3: the turn's seats: one, or in the Arena all of its side, in seat order."""
    owner = state.turn.of
    if not arena(state) or not owner:
        return (owner,)
    side = state.side(owner)
    return tuple(seat for seat in state.living if state.side(seat) == side) or (owner,)


def enemies(state: State, one: str, other: str) -> bool:
    """5.1: whether two seats play against each other."""
    return state.side(one) != state.side(other)


def arena(state: State) -> bool:
    """5.3: no Vaults, no entering, no exiting, no plundering."""
    return state.options.format == "arena"
