"""13.3, 13.4: damage, its kinds and order (S31); 1, 5, 6.C, 6.I: destruction, its cost, and defeat."""

from collections.abc import Sequence
from dataclasses import replace

from tables.core import pile, query
from tables.core.effects.cards import left
from tables.core.effects.lasting import prevented
from tables.core.engine import next_turn
from tables.core.events import Event
from tables.core.play import Play
from tables.core.query import last_seen, statistic
from tables.core.reacting import replacing
from tables.core.state import State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.seize import stats, statuses

GENERIC = ("", "generic")
"""9.A: the classes that fit everybody."""


def destroy(play: Play, things: Sequence[Thing], cites: tuple[str, ...], event: str = "dies") -> list[Thing]:
    """6.C, S26: to its owner's discard, a mercenary with its treasures; its controller loses the bounty (6.I). Returns
    those that went: 9.F, one stays if a card forbids or replaces it. `event`: `sacrificed`, if it is that.

    S82: a face-down card is face up there.
    """
    targets = [thing for thing in things if play.state.thing(thing.ref) is not None]
    if play.state.version >= 5:
        targets = [thing for thing in targets if not _stays(play, thing, event)]
    mercenaries = [thing for thing in targets if stats.on_battlefield(play.state, thing)]
    worth = {thing.key: statistic(play.state, thing, "bounty") for thing in mercenaries}
    for thing in mercenaries:
        play.leaving[thing.key] = last_seen(play.state, play.state.things[thing.key])
    for thing in targets:
        falls = thing.key in worth
        play.move(
            thing.key, "discard", cites=("6.C", *cites) if falls else cites, event="dies" if falls else "destroyed"
        )
        if falls and (play.state.version < 5 or play.state.thing(thing.ref) is None):
            _pay_bounty(play, thing, worth[thing.key])
    return left(play, targets)


def may_die(state: State, thing: Thing) -> bool:
    """9.F: whether it can be destroyed, as far as cards say."""
    return state.version < 5 or not query.forbids(state, "be destroyed", thing)


def _stays(play: Play, thing: Thing, event: str) -> bool:
    """9.F: whether a card forbids its destruction or sacrifice, or does something else instead."""
    if query.forbids(play.state, "sacrifice" if event == "sacrificed" else "be destroyed", thing):
        play.emit(Event("impossible", ("9.F",), thing.controller, thing))
        return True
    if not stats.on_battlefield(play.state, thing):
        return False
    kinds = ("sacrificed", "dies") if event == "sacrificed" else ("dies",)
    return any(replacing.of_thing(play, kind, thing) for kind in kinds)


def _pay_bounty(play: Play, thing: Thing, bounty: int) -> None:
    """6.I, S26, S48: the price of a destroyed mercenary for its controller; a Guild Master costs them the game."""
    if "vault" in dict(play.state.seat(thing.controller).numbers) and bounty:
        play.add_number(thing.controller, "vault", -bounty)
        play.emit(Event("bounty", ("6.I", "S26"), thing.controller, thing, amount=bounty))
    if stats.count(thing, "guild master"):
        lose(play, thing.owner, "5.4")


def check(play: Play) -> bool:
    """6.C, 9.3, 1, 5.3: the checks before anybody gets priority; whether anything changed."""
    state = play.state
    if state.turn.at == "setup":
        return len(state.living) < len(state.seats) and players_left(play)
    for thing in stats.mercenaries(state):
        statuses.see_top(play, thing)
    dead = [
        thing for thing in stats.mercenaries(play.state)
        if stats.health(play.state, thing) <= 0 and may_die(play.state, thing)
    ]  # fmt: skip
    if dead:
        destroy(play, dead, ())
        return True
    if orphans := _orphaned_events(play):
        destroy(play, orphans, ("9.3", "S59"))
        return True
    _lost(play)
    return players_left(play)


def _orphaned_events(play: Play) -> list[Thing]:
    """9.3, S59: events whose player controls no mercenary of their class."""
    events = []
    for seat in play.state.living:
        classes = {play.state.cards[thing.card].class_ for thing in stats.mercenaries(play.state, seat)}
        for thing in play.state.zone(zone_of(seat, "events")):
            class_ = play.state.cards[thing.card].class_
            if class_ not in GENERIC and class_ not in classes:
                events.append(thing)
    return events


def _lost(play: Play) -> None:
    """1: a Vault at 0; 5.3, S43: in the Arena a side without a mercenary."""
    for seat in play.state.living:
        numbers = dict(play.state.seat(seat).numbers)
        if numbers.get("vault", 1) <= 0:
            lose(play, seat, "1")
    if not stats.arena(play.state):
        return
    sides = {play.state.side(thing.controller) for thing in stats.mercenaries(play.state)}
    for seat in play.state.living:
        if play.state.side(seat) not in sides:
            lose(play, seat, "5.3")


def lose(play: Play, seat: str, cites: str) -> None:
    """5: a player has lost; S52: those who lose at the same time lose together."""
    if seat in play.state.living:
        play.change_seat(replace(play.state.seat(seat), out=cites))
        play.emit(Event("lost", (cites, "5"), seat))


def players_left(play: Play) -> bool:
    """5, S47, S52: the last side wins, none is a draw; players who have lost take their cards and effects along."""
    sides = list(dict.fromkeys(play.state.side(seat) for seat in play.state.living))
    if len(sides) <= 1:
        play.end(sides[0] if sides else "", "5", draw=not sides)
        return True
    letters = [seat.letter for seat in play.state.seats if seat.out and f"left {seat.letter}" not in play.state.counts]
    for letter in letters:
        _leave(play, letter)
    return bool(letters)


def _leave(play: Play, seat: str) -> None:
    """S47: a lost player's cards leave the table; their turn ends, unless a partner shares it (5.3)."""
    play.count(f"left {seat}")
    for item in [item for item in play.state.pile if item.controller == seat]:
        pile.take_off(play, item.id)
    decision = play.state.decision
    play.state = replace(
        play.state,
        waiting=tuple(wait for wait in play.state.waiting if wait.controller != seat),
        lasting=tuple(one for one in play.state.lasting if one.scope.controller != seat),
        decision=None if decision is not None and decision.of == (seat,) else decision,
    )
    for thing in [one for one in play.state.things.values() if one.owner != seat and one.controller == seat]:
        if kind_of(thing.zone) == "battlefield" and not thing.under:
            play.move(thing.key, "discard", cites=("S47",), event="leaves")
    for thing in [one for one in play.state.things.values() if one.owner == seat]:
        play.move(thing.key, "left", cites=("S47",), event="leaves")
    _pass_turn(play, seat)


def _pass_turn(play: Play, seat: str) -> None:
    turn = play.state.turn
    if turn.of == seat and turn.at == "setup" and play.state.version >= 5:
        after = play.state.clockwise(seat)[0]
        play.state = replace(play.state, turn=replace(turn, of=after, starter=after))
    if turn.of != seat or turn.at == "setup":
        return
    partners = [other for other in play.state.living if play.state.side(other) == play.state.side(seat)]
    if stats.arena(play.state) and partners:
        play.state = replace(play.state, turn=replace(turn, of=partners[0]))
        return
    play.state = replace(play.state, agenda=(), decision=None)
    next_turn(play, play.state.clockwise(seat)[0], "beginning")


KINDS = {"physical": "13.3.1", "magic": "13.3.2", "true": "13.3.4", "pure": "13.3.5", "lethal": "13.3.6"}
"""13.3: the kinds of damage."""
ARMOR = {"physical": ("armor", "13.4.1"), "magic": ("magic armor", "13.4.2")}
"""13.4.1, 13.4.2: the armor that reduces each kind."""
DEFENDED = ("physical", "magic", "pure")
"""13.4.3, S29: the kinds that Defense reduces."""


def deal(play: Play, source: Thing | None, target: Thing, amount: int, kind: str, *, unseen: bool = False) -> int:
    """13.3, S31: damage to a mercenary; returns the amount dealt (S68: even if more than it had left; S69: 0 is none).

    13.8.5: `unseen`, out of stealth, it is True. S30: Lethal above half health is physical.
    """
    if amount <= 0 or not stats.on_battlefield(play.state, target):
        return 0
    kind = "true" if unseen else kind or "true"
    play.emit(Event("struck", (KINDS[kind],), target.controller, target, source, amount, told=kind))
    if kind == "lethal":
        health = stats.health(play.state, target)
        if health * 2 <= stats.maximum(play.state, target) and may_die(play.state, target):
            _tell(play, source, target, health, "13.3.6")
            destroy(play, [play.state.things[target.key]], ("13.3.6",))
            return _leech(play, source, health)
        kind = "physical"
    dealt = _reduced(play, target, amount, kind)
    dealt -= prevented(play, target.ref, dealt)
    if dealt <= 0:
        return 0
    now = play.state.things[target.key]
    play.change(target.key, damage=now.damage + dealt)
    _tell(play, source, target, dealt, KINDS[kind])
    return _leech(play, source, dealt)


def _reduced(play: Play, target: Thing, amount: int, kind: str) -> int:
    """S31: poison adds, armor subtracts, then Defense if something is left; not below 0."""
    if poison := stats.count(target, "poison"):
        amount += poison
        play.emit(Event("poisoned", ("13.7.4",), target.controller, target, amount=poison))
    if kind in ARMOR:
        name, cites = ARMOR[kind]
        if armor := statistic(play.state, target, name):
            play.emit(Event("armor", (cites,), target.controller, target, amount=min(armor, amount)))
            amount = max(0, amount - armor)
    defense = stats.count(target, "defense")
    if kind in DEFENDED and amount > 0 and defense:
        statuses.put(play, play.state.things[target.key], "defense", 0)
        play.emit(Event("defense", ("13.4.3",), target.controller, target, amount=min(defense, amount)))
        amount = max(0, amount - defense)
    return amount


def _tell(play: Play, source: Thing | None, target: Thing, dealt: int, cites: str) -> None:
    now = play.state.things[target.key]
    play.emit(Event("is dealt damage", (cites,), target.controller, now, source, dealt))
    if source is not None:
        play.emit(Event("deals damage", (cites,), source.controller, source, now, dealt))


def _leech(play: Play, source: Thing | None, dealt: int) -> int:
    """13.9.3, S68: a leeching mercenary is healed by the damage that it dealt."""
    now = play.state.thing(source.ref) if source is not None else None
    if now is not None and stats.on_battlefield(play.state, now) and stats.has(play.state, now, "leech"):
        heal(play, now, dealt, "13.9.3")
    if source is not None:
        remaining = tuple(one for one in play.state.lasting if one.until != "next damage" or source.ref not in one.on)
        play.state = replace(play.state, lasting=remaining)
    return dealt


def heal(play: Play, thing: Thing, amount: int, cites: str) -> int:
    """13.9.1, S41: restore health, never above the maximum; returns the amount."""
    back = min(max(0, amount), thing.damage)
    if back:
        play.change(thing.key, damage=thing.damage - back)
        play.emit(Event("healed", (cites,), thing.controller, play.state.things[thing.key], amount=back))
    return back
