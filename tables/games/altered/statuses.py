"""2.4: statuses, boosts, and the sums of an expedition's statistics."""

from collections.abc import Sequence

from tables.core import query
from tables.core.events import Event
from tables.core.lists.cards import Filter
from tables.core.play import Play
from tables.core.state import Aim, State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.altered import agreements
from tables.games.altered.flow import STATISTICS, is_expedition

EXHAUSTED, FLEETING, ANCHORED, ASLEEP = "exhausted", "fleeting", "anchored", "asleep"
STATUSES = (EXHAUSTED, FLEETING, ANCHORED, ASLEEP)
"""2.4: Boosted is not among them: it follows from boosts (2.4.4)."""
BOOST = "boost"


def has(thing: Thing, status: str) -> bool:
    """2.4.1.a, 2.4.4.a: whether an object has a status now."""
    return boosts(thing) > 0 if status == "boosted" else status in thing.statuses


def knowing(play: Play, thing: Thing) -> frozenset[str] | None:
    """3.1.3.c, 3.2.9.d: the seats that may know which card it is: its owner, if it is face down; None: all."""
    face_up = thing.revealed or play.rules.zones[kind_of(thing.zone)].sees == "all"
    return None if face_up else frozenset({thing.owner})


def show_used(play: Play, aims: Sequence[Aim], where: Filter | None) -> None:
    """3.1.3.f: a cost or an effect that uses characteristics of a card in a hidden zone reveals that card first."""
    if where is None or play.state.version < 5 or not uses_characteristics(where):
        return
    for thing in [thing for aim in aims if (thing := play.state.thing(aim)) is not None]:
        if knowing(play, thing) is not None:
            new_thing = play.change(thing.key, known=frozenset(seat.letter for seat in play.state.seats))
            play.emit(Event("revealed", ("3.1.3.f",), thing.owner, new_thing))


def uses_characteristics(where: Filter) -> bool:
    """3.1.3.f: whether a filter depends on the print of a card."""
    not_ = where.not_.where if where.not_ is not None else None
    return bool(
        where.type or where.class_ or where.faction or where.colour or where.name or where.kind or where.keyword
        or where.numbers or (not_ is not None and uses_characteristics(not_))
    )  # fmt: skip


def boosts(thing: Thing) -> int:
    """2.4.4: the number of boosts on an object."""
    return dict(thing.counters).get(BOOST, 0)


def gain(play: Play, thing: Thing, status: str) -> bool:
    """2.4.1.d: give it a status, unless it has it; whether it gained it."""
    if status in thing.statuses:
        return False
    play.change(thing.key, statuses=(*thing.statuses, status))
    return True


def lose(play: Play, thing: Thing, status: str) -> bool:
    """2.4.1.e: remove a status, if it has it; whether it lost it."""
    if status not in thing.statuses:
        return False
    play.change(thing.key, statuses=tuple(other for other in thing.statuses if other != status))
    return True


def is_character(state: State, thing: Thing) -> bool:
    """1.3.2.e: whether it is a Character."""
    return state.cards[thing.card].type == "character"


def characters(state: State, seat: str, kind: str = "") -> tuple[Thing, ...]:
    """3.2.4.b: the Characters of one expedition of a player's, or of both."""
    kinds = (kind,) if kind else ("hero", "companion")
    return tuple(thing for one in kinds for thing in state.zone(zone_of(seat, one)) if is_character(state, thing))


def width(state: State) -> int:
    """A21: the number of statistics in the card list."""
    return max((len(card.stats) for card in state.cards.values()), default=0) or len(STATISTICS)


def statistics(state: State, thing: Thing) -> tuple[int, ...]:
    """A20, A21: a Character's current statistics: printed, changed, and its boosts on each."""
    printed = state.cards[thing.card].stats
    worth = int(agreements.agreed(state, 7))
    more = boosts(thing) * worth if is_expedition(kind_of(thing.zone)) else 0
    numbers = []
    for at in range(width(state)):
        number = printed[at] if at < len(printed) else 0
        if at < len(STATISTICS):
            number = query.statistic(state, thing, STATISTICS[at], number)
        numbers.append(number + more)
    return tuple(numbers)


def sums(state: State, seat: str, kind: str) -> tuple[int, ...]:
    """1.3.2.e, A14: the sums of an expedition's Characters in each statistic; an empty one has none."""
    totals = [0] * width(state)
    for thing in characters(state, seat, kind):
        if has(thing, ASLEEP) and agreements.agreed(state, 6) == "does not count":
            continue
        for at, number in enumerate(statistics(state, thing)):
            totals[at] += number
    return tuple(totals)


def tough(state: State, thing: Thing) -> int:
    """5.5.c, A22: the extra cost to target it."""
    return query.statistic(state, thing, "tough", state.cards[thing.card].tough)
