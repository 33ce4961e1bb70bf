"""11.4: the Rally Phase: treasures, mercenaries, and the special actions upstage, exit, equip and unequip."""

from tables.core import pile
from tables.core.effects.cards import attach
from tables.core.engine import hand_over
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Item, Scope, State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.seize import moving, playing, reach, stats, statuses
from tables.games.seize.flow import MERCENARIES, TREASURES
from wargame.rules.core.saying import said


def treasure(play: Play, seat: str, action: Action) -> None:
    """8, 11.4, S11: one a turn from the hand to the Warchest, or a mercenary face down in its place.

    S28, S87: it uses no stack, and priority stays.
    """
    moving.timely(play.state, seat, ("rally",), ("11.4", "8"))
    thing = naming.hand_card(play.state, seat, action, action.card)
    hidden = action.do == "face down"
    if hidden and play.state.cards[thing.card].type != "mercenary":
        raise Refused(("11.4", "S11"), said("you can only play mercenaries face down"))
    if not hidden and play.state.cards[thing.card].type != "treasure":
        raise Refused(("11.4", "8"), said("%(card)s is not a treasure", card=thing.card))
    if play.state.marks.count(f"treasure {seat}") >= TREASURES:
        raise Refused(("11.4", "8"), said("you can only put one treasure a turn into the Warchest"))
    play.mark(f"treasure {seat}")
    play.move(thing.key, "warchest", cites=("11.4", "S11" if hidden else "8"), event="treasure", face_down=hidden)
    play.give_priority(seat)


def play_card(play: Play, seat: str, action: Action) -> None:
    """11.4, 9.1: a line that names a tile plays a mercenary; any other plays an ability."""
    if action.to:
        mercenary(play, seat, action)
    else:
        playing.instant(play, seat, action)


def mercenary(play: Play, seat: str, action: Action) -> None:
    """11.4, S3, S9, 5.4: a mercenary to one of the back eight tiles, in the hall with a treasure; on the stack."""
    if stats.arena(play.state):
        raise Refused(("5.3", "S43"), said("no one can enter the Arena"))
    moving.timely(play.state, seat, ("rally",), ("11.4",))
    master = action.origin == "quarters"
    if action.origin not in ("", "hand", "quarters"):
        raise Refused(("11.4", "5.4"), said("you can only play mercenaries from your hand or the Guild Quarters"))
    thing = naming.hand_card(play.state, seat, action, action.card, "quarters" if master else "hand")
    if play.state.cards[thing.card].type != "mercenary":
        raise Refused(("11.4", "6"), said("%(card)s is not a mercenary", card=thing.card))
    if held(play.state, seat) >= MERCENARIES:
        raise Refused(
            ("S8", "5.4", "S74"), said("you already have %(mercenaries)s mercenaries in play", mercenaries=MERCENARIES)
        )
    if (refused := reach.entry_refused(play.state, seat, action.to)) is not None:
        raise refused
    worn = _worn(play.state, seat, action)
    new_thing = play.move(thing.key, "pile", seat=seat, cites=("11.4", "12"), event="played")
    if worn is not None:
        beneath = play.move(worn.key, "pile", seat=seat, cites=("11.4", "S27"), event="moved")
        play.change(beneath.key, under=new_thing.key)
    detail = f"{action.to} quarters" if master else action.to
    scope = Scope(new_thing.ref, new_thing.card, seat)
    pile.put(play, Item(play.count("item"), "card", seat, new_thing.ref, new_thing.card, scope, detail=detail), ("12",))
    hand_over(play, seat)


def held(state: State, seat: str) -> int:
    """S8, S74: the mercenaries of a player on the battlefield and on the stack."""
    pending = [item for item in state.pile if item.what == "card" and item.controller == seat]
    coming = [item for item in pending if state.cards[item.card].type == "mercenary"]
    return len(stats.mercenaries(state, seat)) + len(coming)


def _worn(state: State, seat: str, action: Action) -> Thing | None:
    """11.4, S3: the treasure from the hand that a mercenary brings along, in the hall only."""
    if not action.equip:
        return None
    if action.to not in reach.board(state).hall(seat):
        raise Refused(
            ("11.4", "S3"),
            said("%(to)s is not in your Guild Hall, so you can't add a treasure", to=action.to),
        )
    thing = naming.hand_card(state, seat, action, action.equip)
    if state.cards[thing.card].type != "treasure":
        raise Refused(("11.4", "8"), said("%(card)s is not a treasure", card=thing.card))
    return thing


def enters(play: Play, item: Item) -> None:
    """11.4, 11.4.1, S74, S75: it comes onto its tile, pushing any occupant; if it can't, back to the hand."""
    pile.take_off(play, item.id)
    tile, _, origin = item.detail.partition(" ")
    thing = play.state.thing(item.source)
    if thing is None or kind_of(thing.zone) != "pile":
        return
    full = len(stats.mercenaries(play.state, item.controller)) >= MERCENARIES
    if full or reach.entry_refused(play.state, item.controller, tile) is not None:
        play.move(thing.key, origin or "hand", cites=("S75", "S74"), event="returns")
        return
    there = play.state.on_tile(tile)
    if there is not None:
        behind = reach.pushed_to(play.state, item.controller, tile)
        moving.put_on(play, there, behind, ("11.4.1", "S25"))
    put_in(play, thing, item.controller, tile, master=bool(origin))


def put_in(play: Play, thing: Thing, seat: str, tile: str, *, master: bool = False) -> Thing:
    """6, 8.E: put a mercenary on a tile, with its shield whole (6.H.2) and the cards it brings along."""
    worn = play.state.beneath(thing.key)
    now = play.move(thing.key, "battlefield", seat=seat, cites=("11.4",), at=tile, entered=True, event="enters")
    card = play.state.cards[now.card]
    counters = {"defense": card.defense, "guild master": int(master), **dict.fromkeys(card.keywords, 1)}
    for kind, number in counters.items():
        if number and kind in (*statuses.NUMBERS, "guild master"):
            now = statuses.put(play, now, kind, number)
    now = statuses.see_top(play, now)
    for one in worn:
        play.change(one.key, under="")
        attach(play, play.state.things[one.key], now)
        play.mark(stats.mark("equipped", now))
    return play.state.things[now.key]


def moved(play: Play, before: Thing, after: Thing, entered: bool) -> None:
    """S26, S27: a treasure that came with a mercenary follows it, if it never comes onto the battlefield."""
    if kind_of(before.zone) != "pile" or kind_of(after.zone) == "battlefield":
        return
    for beneath in play.state.beneath(before.key):
        kind = "hand" if kind_of(after.zone) in ("hand", "quarters") else "discard"
        play.move(beneath.key, kind, cites=("S27",), event="moved")


def special(play: Play, seat: str, action: Action, cites: str) -> Thing:
    """11.4, S28: a special action: in one's own Rally Phase, on an empty stack, by a mercenary in one's own hall."""
    moving.timely(play.state, seat, ("rally",), (cites, "11.4"))
    thing = moving.own(play.state, seat, action)
    if thing.at not in reach.board(play.state).hall(seat):
        raise Refused((cites, "S65") if cites == "11.4.4" else cites, said("it isn't in your own Guild Hall"))
    return thing


def exits(play: Play, seat: str, action: Action) -> None:
    """11.4.2, S26, 5.3, 5.4: discarded with its treasures, without bounty; no Guild Master, and none in the Arena."""
    if stats.arena(play.state):
        raise Refused("5.3", said("no one can exit the Arena"))
    thing = special(play, seat, action, "11.4.2")
    if stats.count(thing, "guild master"):
        raise Refused("5.4", said("a Guild Master in play can't exit"))
    play.move(thing.key, "discard", cites=("11.4.2", "S26"), event="exits")
    play.give_priority(seat)


def equip(play: Play, seat: str, action: Action) -> None:
    """11.4.3: one unexhausted treasure of the Warchest a turn for each mercenary, before any unequipping (11.4.4)."""
    thing = special(play, seat, action, "11.4.3")
    if f"unequipped {seat}" in play.state.marks:
        raise Refused(("11.4.4", "11.4.3"), said("you can't equip after unequipping in the same turn"))
    if stats.did(play.state, "equipped", thing):
        raise Refused(("11.4.3", "S27"), said("each mercenary can only equip one treasure a turn"))
    names = action.things
    if len(names) != 1:
        raise Refused("11.4.3", said("only one treasure at a time"))
    refs = tuple(one.ref for one in play.state.zone(zone_of(seat, "warchest")))
    worn = play.state.thing(naming.find(play.state, seat, action, names[0], refs))
    if worn is None or worn.ref not in refs:
        raise Refused("11.4.3", said("you can only equip treasures from your own Warchest"))
    if worn.face_down:
        raise Refused(("11.4.3", "S11"), said("you can't equip a face-down card"))
    if worn.engaged:
        raise Refused("11.4.3", said("it is exhausted"))
    play.mark(stats.mark("equipped", thing))
    attach(play, worn, thing)
    play.give_priority(seat)


def unequip(play: Play, seat: str, action: Action) -> None:
    """11.4.4: any number of its treasures go back to the Warchest, unexhausted; then equipping is over."""
    thing = special(play, seat, action, "11.4.4")
    worn = tuple(one.ref for one in play.state.beneath(thing.key))
    treasures: list[Thing] = []
    for name in action.things:
        one = play.state.thing(naming.find(play.state, seat, action, name, worn, [each.ref for each in treasures]))
        if one is None or one.ref not in worn or one in treasures:
            raise Refused("11.4.4", said("it doesn't have “%(word)s” equipped", word=name))
        treasures.append(one)
    if not treasures:
        raise Refused("11.4.4", said("name what to unequip"))
    play.mark(f"unequipped {seat}")
    for one in treasures:
        play.move(one.key, "warchest", cites=("11.4.4",), event="unequipped")
    play.emit(Event("unequips", ("11.4.4",), seat, thing, amount=len(treasures)))
    play.give_priority(seat)
