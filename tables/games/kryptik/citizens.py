"""How citizens leave the table, and K63: tokens, which only the game creates."""

from collections.abc import Sequence
from dataclasses import replace

from tables.core import pile, query
from tables.core.effects.cards import did, left, who
from tables.core.effects.lasting import prevented
from tables.core.engine import next_turn
from tables.core.events import Event
from tables.core.lists.cards import Effect
from tables.core.play import Play
from tables.core.reacting import replacing
from tables.core.state import Aim, Player, Scope, State, Thing, Waiting
from tables.core.zones import kind_of, zone_of

MOST = 50
"""The most tokens of one effect."""


def create(play: Play, effect: Effect, scope: Scope) -> None:
    """K63: tokens enter the island, on the side of the player who creates them; one that is not a token of the list
    is settled by the players or a judge (K42)."""
    name = effect.text("create")
    card = next((one for one in play.state.cards.values() if one.name.casefold() == name.casefold()), None)
    if card is None or not card.token or card.type != "citizen":
        play.rules.primitives["manual"](play, Effect("manual", (("manual", f"Create {name}."),)), scope)
        return
    many = min(MOST, query.number(play.state, effect.value("n"), scope)) if effect.get("n") is not None else 1
    tokens = []
    for seat in who(play, effect, scope):
        for _ in range(many):
            token = play.create(card.name, "island", seat)
            play.emit(Event("enters", ("K63",), seat, token, zone=token.zone))
            play.rules.moved(play, token, token, True)
            tokens.append(play.state.things[token.key])
    did(play, scope, tokens)


def cease(play: Play) -> bool:
    """K63: a token that has left the island ceases to exist."""
    state = play.state
    if not state.counts.get("token"):
        return False
    keys = [
        key for key, thing in state.things.items()
        if state.cards[thing.card].token and thing.zone and kind_of(thing.zone) != "island"
    ]  # fmt: skip
    for key in keys:
        play.cease(key)
    return bool(keys)


def citizens(state: State) -> tuple[Thing, ...]:
    """5.3: everything on the island, starting at the turn player's side."""
    return tuple(thing for seat in state.from_turn_player() for thing in state.zone(zone_of(seat, "island")))


def dead(state: State, thing: Thing) -> bool:
    """7.1, G: Toxic: damage equal to its defense, a defense of 0, or a lethal point of damage."""
    defense = query.defense(state, thing)
    return defense == 0 or thing.damage >= defense or thing.lethal


def check(play: Play) -> bool:
    """K16: lost players leave, and the dead die, all at once; whether there were any."""
    if players_left(play) or cease(play):
        return True
    state = play.state
    as_printed = not query.in_effect(state, "defense")
    doomed = [
        thing for thing in citizens(state)
        if not (as_printed and _sound(state, thing)) and dead(state, thing) and _may_die(state, thing)
    ]  # fmt: skip
    if doomed:
        kill(play, doomed, ("7.1",))
        return True
    return False


def _sound(state: State, thing: Thing) -> bool:
    """7.1: whether a citizen whose defense nothing changes survives."""
    return not thing.lethal and thing.damage < state.cards[thing.card].defense


def _may_die(state: State, thing: Thing) -> bool:
    return not query.forbids(state, "be destroyed", thing)


def kill(play: Play, things: Sequence[Thing], cites: tuple[str, ...], event: str = "dies") -> list[Thing]:
    """G: Destroyed/Dies, K38: to their owners' limbo piles, all together; each sees the others go. Returns those
    that went: what can't be sacrificed stays (10.2)."""
    all_things = list(things)
    if event == "sacrificed" and play.state.version >= 5:
        things = [thing for thing in things if not _kept(play, thing)]
    kinds = ("sacrificed", "dies", "leaves") if event == "sacrificed" else ("dies", "leaves")
    things = [thing for thing in things if not any(replacing.of_thing(play, kind, thing) for kind in kinds)]
    for thing in things:
        play.leaving.setdefault(thing.key, query.last_seen(play.state, thing))
    for thing in things:
        if play.state.thing(thing.ref) is None or thing.under:
            continue
        if event == "sacrificed":
            play.emit(Event("sacrificed", cites, thing.controller, thing))
        play.move(thing.key, "limbo", cites=(*cites, "G: Destroyed/Dies"), event="dies")
    return left(play, all_things)


def _kept(play: Play, thing: Thing) -> bool:
    """10.2: whether a citizen can't be sacrificed."""
    if not query.forbids(play.state, "sacrifice", thing):
        return False
    play.emit(Event("impossible", ("10.2",), thing.controller, thing))
    return True


def destroy_eleven(play: Play, things: Sequence[Thing], cites: tuple[str, ...]) -> None:
    """6.1, K21: revealed to all; the choice goes on the pile when a player next gets priority (K6)."""
    for thing in things:
        if play.state.thing(thing.ref) is None:
            continue
        owner = thing.owner
        revealed = play.move(thing.key, "revealed", cites=(*cites, "6.1"), event="eleven destroyed")
        if revealed.zone == thing.zone:
            continue
        scope = Scope(revealed.ref, revealed.card, owner)
        wait = Waiting(0, "choice", owner, revealed.ref, revealed.card, scope, None, True)
        play.state = replace(play.state, waiting=(*play.state.waiting, wait))


def destroy(play: Play, aims: Sequence[Aim], cites: tuple[str, ...]) -> list[Thing]:
    """6.1, G: Destroyed: citizens die, 11 year cards are revealed, players are destroyed."""
    things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
    on_island = [
        thing for thing in things if kind_of(thing.zone) == "island" and not thing.under and _may_die(play.state, thing)
    ]
    row = [thing for thing in things if kind_of(thing.zone) == "eleven"]
    dead = kill(play, on_island, cites)
    destroy_eleven(play, row, cites)
    for aim in aims:
        if isinstance(aim, Player):
            lose(play, aim.seat, "3")
    return [*dead, *left(play, row)]


# --------------------------------------------------------------------------------------------- damage


def deal(
    play: Play, source: Thing | None, aim: Aim, amount: int, cites: tuple[str, ...], *, lethal: bool = False
) -> int:
    """4.4.4.3, K22: damage to a citizen or a player; damage of 0 is no damage. Returns the amount dealt."""
    amount = max(0, amount - prevented(play, aim, amount))
    if amount <= 0 or _dealt_otherwise(play, source, aim, amount):
        return 0
    if isinstance(aim, Player):
        _to_player(play, source, aim.seat, amount, cites)
        return amount
    thing = play.state.thing(aim)
    if thing is None or kind_of(thing.zone) != "island" or thing.under:
        return 0
    now = play.change(thing.key, damage=thing.damage + amount, lethal=thing.lethal or lethal)
    play.emit(Event("is dealt damage", cites, thing.controller, now, source, amount))
    if source is not None:
        play.emit(Event("deals damage", (), source.controller, source, now, amount))
    return amount


def _dealt_otherwise(play: Play, source: Thing | None, aim: Aim, amount: int) -> bool:
    """10.1: whether something else happens instead of this damage."""
    thing = play.state.thing(aim)
    if source is not None and replacing.of_thing(play, "deals damage", source, amount=amount, other=thing):
        return True
    if thing is not None:
        return replacing.of_thing(play, "is dealt damage", thing, amount=amount, other=source)
    seat = aim.seat if isinstance(aim, Player) else ""
    return replacing.instead(play, Event("is dealt damage", (), seat, None, source, amount))


def _to_player(play: Play, source: Thing | None, seat: str, amount: int, cites: tuple[str, ...]) -> None:
    play.emit(Event("damage to player", (*cites,), seat, source, amount=amount))
    if source is not None:
        play.emit(Event("deals damage", (), source.controller, source, amount=amount))
    if not play.state.zone(zone_of(seat, "eleven")):
        lose(play, seat, "3.1.2")


# --------------------------------------------------------------------------------------------- players


def lose(play: Play, seat: str, cites: str) -> None:
    """3.1: a player is destroyed; K23: those who are destroyed at the same time count together."""
    if seat in play.state.living:
        play.change_seat(replace(play.state.seat(seat), out=cites))
        play.emit(Event("destroyed", (cites, "3.1"), seat))


def players_left(play: Play) -> bool:
    """3, K23, K34: the last one wins, nobody is a draw; players who are out take their cards and effects along."""
    living = play.state.living
    if len(living) <= 1:
        play.end(living[0] if living else "", "3", draw=not living)
        return True
    letters = [seat.letter for seat in play.state.seats if seat.out and f"left {seat.letter}" not in play.state.counts]
    for letter in letters:
        _leave(play, letter)
    return bool(letters)


def _leave(play: Play, seat: str) -> None:
    """K34, K47, K59: their cards and effects leave the table; their turn ends, or before the first the next begins."""
    play.count(f"left {seat}")
    for item in [item for item in play.state.pile if item.controller == seat]:
        pile.take_off(play, item.id)
    play.state = replace(
        play.state,
        waiting=tuple(wait for wait in play.state.waiting if wait.controller != seat),
        lasting=tuple(one for one in play.state.lasting if one.scope.controller != seat),
        decision=None if play.state.decision and seat in play.state.decision.of else play.state.decision,
    )
    for thing in [thing for thing in play.state.things.values() if thing.owner != seat and thing.controller == seat]:
        if kind_of(thing.zone) == "island":
            play.move(thing.key, "limbo", cites=("K34", "5"), event="left", forced=True)
    for thing in [thing for thing in play.state.things.values() if thing.owner == seat]:
        play.move(thing.key, "left", cites=("K34",), event="left", forced=True)
    turn, after = play.state.turn, play.state.clockwise(seat)[0]
    if turn.of != seat:
        return
    if turn.at == "setup" and play.state.version >= 4:
        play.state = replace(play.state, turn=replace(turn, of=after, starter=after))
    else:
        play.state = replace(play.state, agenda=(), decision=None)
        next_turn(play, after, "disengage")
