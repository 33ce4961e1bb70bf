"""T5: the public data of a table of Altered besides its zones: counters, sums, pending reactions, agreements."""

from tables.core.state import State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.altered import afternoon, agreements, asking, dusk, night, paying, statuses
from tables.games.altered.flow import EXPEDITIONS, is_expedition


def number_of(state: State, name: str) -> object:
    """T13: `A.hero.region`, `A.hero.sums`, `A.mana.ready`; None for any other name."""
    seat, kind, field = (*name.split("."), "", "")[:3]
    if kind in EXPEDITIONS and field == "region":
        return dusk.region(state, seat, kind)
    if kind in EXPEDITIONS and field == "sums":
        return list(statuses.sums(state, seat, kind))
    if (kind, field) == ("mana", "ready"):
        return len(paying.ready_orbs(state, seat))
    return None


def shows(state: State, one: Thing | None) -> dict[str, object]:
    """T5: the public data of the table, or of one thing on it."""
    return _table(state) if one is None else _thing(state, one)


def _table(state: State) -> dict[str, object]:
    """T5: the day, the first player and those who have passed, expeditions, limits, waiting reactions, agreements."""
    letters = [seat.letter for seat in state.seats]
    return {
        "first": state.turn.starter,
        "passed": [seat for seat in letters if afternoon.passed(seat) in state.marks],
        "expeditions": {seat: {kind: expedition(state, seat, kind) for kind in EXPEDITIONS} for seat in letters},
        "limits": {seat: {kind: night.limit(state, seat, kind) for kind in night.LIMITED} for seat in letters},
        "orbs": {
            seat: {"ready": len(paying.ready_orbs(state, seat)), "all": len(state.zone(zone_of(seat, "mana")))}
            for seat in letters
        },
        "reactions": [{"card": wait.card, "by": wait.controller, "from": wait.giver} for wait in state.waiting],
        "agreed": {str(question.number): agreements.agreed(state, question.number)
                   for question in agreements.QUESTIONS},
        "agreeing": asking.in_view(state),
    }  # fmt: skip


def expedition(state: State, seat: str, kind: str) -> dict[str, object]:
    """1.3.2.e: its counter's region, its sums, the statistics of the next region, and what it lacks there to move."""
    own_sums = statuses.sums(state, seat, kind)
    other_sums = [statuses.sums(state, other, kind) for other in state.living if other != seat]
    places = dusk.shown(state, dusk.ahead(state, seat, kind))
    lacks = {
        str(at): max(0, max((sums[at - 1] for sums in other_sums), default=0) + 1 - own_sums[at - 1])
        for at in places
        if at <= len(own_sums)
    }
    return {"region": dusk.region(state, seat, kind), "sums": list(own_sums), "next": list(places), "lacks": lacks}


def _thing(state: State, one: Thing) -> dict[str, object]:
    """2.4, A2: statuses and counters of things in the open or face down; statistics of those in an expedition."""
    data: dict[str, object] = {
        "statuses": [*one.statuses, *(("boosted",) if statuses.boosts(one) else ())],
        "counters": dict(one.counters),
    }
    if is_expedition(kind_of(one.zone)):
        data["stats"] = list(statuses.statistics(state, one))
    return data
