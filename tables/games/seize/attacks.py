"""7.1, 7.3, 11.6: standard attacks and plunder: declared, put on the stack, checked again as they resolve."""

from tables.core import pile, query
from tables.core.engine import hand_over
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Item, Scope, State, Thing
from tables.games.seize import damage, reach, stats, statuses
from tables.games.seize.moving import own, timely
from wargame.rules.core.saying import said

KINDS = {"crossbow": "physical", "staff": "magic"}
"""6.H.1: the kind of damage of a ranged attack; melee is physical (6.G)."""


def attack(play: Play, seat: str, action: Action) -> None:
    """7.1, S20, S63: one standard attack on one enemy; the attacker exhausts, a blinded one flips a coin (13.7.3).

    S72: this attack remembers that it came out of stealth.
    """
    timely(play.state, seat, ("attack",), ("7.1", "11.6"))
    thing = own(play.state, seat, action)
    if (refused := reach.idle(play.state, thing)) is not None:
        raise refused
    target = _target(play.state, seat, action, thing)
    stat = action.stat or _fitting(play.state, thing, target)
    if (refused := reach.target_refused(play.state, thing, target, stat)) is not None:
        raise refused
    play.mark(stats.mark("attacked", thing))
    unseen = statuses.reveal(play, thing)
    play.emit(Event("attacks", ("7.1", "11.6"), seat, play.state.things[thing.key], target))
    play.emit(Event("is attacked", (), target.controller, target, thing))
    statuses.exhaust(play, play.state.things[thing.key], own=True)
    if not sees(play, play.state.things[thing.key]):
        hand_over(play, seat)
        return
    scope = Scope(thing.ref, thing.card, seat, targets=((target.ref,),), unseen=unseen)
    pile.put(play, Item(play.count("item"), "attack", seat, thing.ref, thing.card, scope, detail=stat), ("12",))
    hand_over(play, seat)


def _target(state: State, seat: str, action: Action, thing: Thing) -> Thing:
    among = tuple(one.ref for one in stats.mercenaries(state) if stats.enemies(state, seat, one.controller))
    names = action.targets or ()
    if len(names) != 1:
        raise Refused("S20", said("name one enemy mercenary to attack"))
    target = state.thing(naming.find(state, seat, action, names[0], among))
    if target is None:
        raise Refused("S20", said("you can only attack mercenaries"))
    return target


def _fitting(state: State, thing: Thing, target: Thing) -> str:
    """S63: the attack that is meant if the line doesn't say: the one that reaches."""
    fits = [stat for stat in reach.STATS if reach.target_refused(state, thing, target, stat) is None]
    return fits[0] if fits else "melee" if stats.reach(state, thing, "ranged") is None else "ranged"


def sees(play: Play, thing: Thing) -> bool:
    """13.7.3, 13.8.1: a blinded mercenary's declaration counts if its controller wins a committed coin."""
    if not stats.blinded(play.state, thing):
        return True
    won = play.draw("coin", play.count("coin"), 2) == 1
    play.emit(Event("coin", ("13.7.3",), thing.controller, thing, amount=1 if won else 2))
    if not won:
        play.emit(Event("fails", ("13.7.3",), thing.controller, thing))
    return won


def resolve_attack(play: Play, item: Item) -> None:
    """S21: check target, direction, range and line of sight again; an attack that no longer fits fails."""
    pile.take_off(play, item.id)
    thing, target = play.state.thing(item.source), play.state.thing(item.scope.targets[0][0])
    if thing is None or target is None or reach.target_refused(play.state, thing, target, item.detail) is not None:
        play.emit(Event("fails", ("S21",), item.controller, play.state.things.get(item.source.key)))
        return
    attack_reach = stats.reach(play.state, thing, item.detail)
    kind = "physical" if item.detail == "melee" or attack_reach is None else KINDS.get(attack_reach.kind, "physical")
    number = query.statistic(play.state, thing, item.detail)
    play.emit(Event("hits", ("7.1",), item.controller, thing, target, number))
    damage.deal(play, thing, target, number, kind, unseen=item.scope.unseen)


def plunder(play: Play, seat: str, action: Action) -> None:
    """7.3, S23: from an opponent's Guild Hall, instead of an attack, once a turn; declared like one."""
    if stats.arena(play.state):
        raise Refused("5.3", said("you can't plunder in the Arena"))
    timely(play.state, seat, ("attack",), ("7.3", "11.6"))
    thing = own(play.state, seat, action)
    if (refused := reach.plunder_refused(play.state, thing)) is not None:
        raise refused
    play.mark(f"plunder {seat}")
    play.mark(stats.mark("attacked", thing))
    play.emit(Event("plunders", ("7.3", "S23"), seat, thing))
    statuses.reveal(play, thing)
    statuses.exhaust(play, play.state.things[thing.key], own=True)
    if not sees(play, play.state.things[thing.key]):
        hand_over(play, seat)
        return
    owner = reach.plundered(play.state, thing)
    scope = Scope(thing.ref, thing.card, seat)
    pile.put(play, Item(play.count("item"), "plunder", seat, thing.ref, thing.card, scope, detail=owner), ("12",))
    hand_over(play, seat)


def resolve_plunder(play: Play, item: Item) -> None:
    """7.3, S22, S70: if it is still in that hall, its opponent loses the bounty."""
    pile.take_off(play, item.id)
    thing = play.state.thing(item.source)
    if thing is None or reach.plundered(play.state, thing) != item.detail:
        play.emit(Event("fails", ("S70", "S21"), item.controller, play.state.things.get(item.source.key)))
        return
    take_loot(play, thing, item.detail)


def take_loot(play: Play, thing: Thing, of: str) -> None:
    """7.3, 6.I: a mercenary's bounty goes from a Vault; S22: its side gains it only if the table agreed on that."""
    bounty = min(query.statistic(play.state, thing, "bounty"), play.state.number(of, "vault"))
    play.add_number(of, "vault", -bounty)
    play.emit(Event("plundered", ("7.3", "6.I"), of, thing, amount=bounty))
    if dict(play.state.options.rulings).get("S22") == "gains":
        play.add_number(thing.controller, "vault", bounty)
        play.emit(Event("gains", ("7.3", "S22"), thing.controller, amount=bounty))
