"""13.5 to 13.9: statuses: how they are given, how they stack, how they are removed by mending and cleansing."""

from dataclasses import replace

from tables.core.events import Event
from tables.core.play import Play
from tables.core.state import Thing
from tables.games.seize import stats

NUMBERS = {
    "exhaust": "13.7.1", "bleed": "13.7.2", "blind": "13.7.3", "poison": "13.7.4", "fog": "13.8.1", "frost": "13.8.2",
    "burn": "13.8.3", "silence": "13.8.4", "stealth": "13.8.5", "regen": "13.9.1", "fortify": "13.9.2",
    "leech": "13.9.3", "defense": "13.4.3", "armor": "13.4.1", "magic armor": "13.4.2",
}  # fmt: skip
"""13: the heading of each status."""
PHYSICAL = ("exhaust", "bleed", "blind", "poison")
"""13.7: statuses that mending removes (13.5)."""
MAGICAL = ("frost", "burn", "silence", "stealth")
"""13.8: statuses that cleansing removes (13.6); fog is on a tile."""
GROUPS = {"physical": PHYSICAL, "magical": MAGICAL}
ONE = ("blind", "silence", "stealth", "leech")
"""13: statuses without a number: two copies don't add (S35)."""
STACKS = {"bleed": 5, "poison": 3}
"""13.7.2, 13.7.4, S33: up to this many, then in multiples of it."""
MOST = {"fortify": 4}
"""13.9.2, S67: levels add, at most to this one."""


def stacked(kind: str, have: int, more: int) -> int:
    """13.7.2, 13.7.4, S33, S67: the number of counters after adding more."""
    total = have + more
    if kind in ONE:
        return 1 if total > 0 else 0
    step = STACKS.get(kind)
    if step is not None and total > step:
        total -= total % step
    return max(0, min(total, MOST.get(kind, total)))


def put(play: Play, thing: Thing, kind: str, number: int) -> Thing:
    """13: set a mercenary's counters of a kind."""
    counters = {**dict(thing.counters), kind: number}
    return play.change(thing.key, counters=tuple((name, count) for name, count in counters.items() if count > 0))


def give(play: Play, thing: Thing, kind: str, number: int = 1) -> Thing:
    """13: give a status; an event tells who now has it, or no longer has it because of that."""
    now = put(play, thing, kind, stacked(kind, stats.count(thing, kind), number))
    now = see_top(play, now)
    play.emit(Event("status given", (NUMBERS.get(kind, "13"),), now.controller, now, amount=number, told=kind))
    return now


def take(play: Play, thing: Thing, kind: str, number: int = 0, cites: tuple[str, ...] = ()) -> Thing:
    """13.5, 13.6: remove a status, with all its counters (S66) or this many of them."""
    have = stats.count(thing, kind)
    if not have:
        return thing
    now = put(play, thing, kind, max(0, have - number) if number else 0)
    if kind == "exhaust" and not stats.count(now, kind):
        own_mark = stats.mark("own", thing)
        play.state = replace(play.state, marks=tuple(mark for mark in play.state.marks if mark != own_mark))
    now = see_top(play, now)
    play.emit(Event("status gone", cites or (NUMBERS.get(kind, "13"),), now.controller, now, told=kind))
    return now


def see_top(play: Play, thing: Thing) -> Thing:
    """S41: a higher maximum raises health too; a lower one reduces health to it and no further."""
    top = stats.maximum(play.state, thing)
    if thing.top == top:
        return thing
    fallen = max(0, thing.top - top) if thing.top else 0
    return play.change(thing.key, top=top, damage=max(0, thing.damage - fallen))


def exhaust(play: Play, thing: Thing, *, own: bool = False) -> Thing:
    """13.7.1, S16: an exhaust counter; `own`: for its own attack or plunder."""
    if own:
        play.mark(stats.mark("own", thing))
    return give(play, thing, "exhaust")


def exhausted(play: Play, thing: Thing) -> bool:
    """13.7.1: whether it may neither move nor attack nor plunder."""
    return stats.count(thing, "exhaust") > 0


def reveal(play: Play, thing: Thing) -> bool:
    """13.8.5, S40, S71: attacking or using an ability ends stealth; whether it had it."""
    if not stats.count(thing, "stealth"):
        return False
    take(play, thing, "stealth", cites=("13.8.5",))
    return True


def set_tile(play: Play, tile: str, name: str, number: int) -> None:
    """13.8.1, 5.3: set the contents of a tile."""
    marks = {**dict(play.state.tiles.get(tile, ())), name: number}
    remaining = tuple((kind, count) for kind, count in marks.items() if count > 0)
    tiles = {**play.state.tiles, tile: remaining}
    play.state = replace(play.state, tiles={key: value for key, value in tiles.items() if value})
    play.emit(Event("tile", (NUMBERS.get(name, "5.3"),), amount=number, zone=tile, told=name))
