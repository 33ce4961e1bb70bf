"""T11.7: manual actions with cards, as sentences of a proposal, a ruling or of a free table's own lines: shuffle,
roll, put, deal, look, show and count. Chance is committed, and secrecy applies as ever."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.reasons import Refused
from tables.core.state import Aim, Player, Ref, Task, Thing
from tables.core.zones import kind_of, zone_of
from wargame.rules.core.saying import said

if TYPE_CHECKING:
    from tables.core.play import Play


LEAST_SIDES, MOST_SIDES = 2, 1000
MOST_COUNTED = 9999


@dataclass(frozen=True, slots=True)
class ByHand(Task):
    """T11.7: one valid sentence: its owner, its object, and its number."""

    change: Action
    seat: str
    aim: Aim | None
    cites: tuple[str, ...]

    def run(self, play: Play) -> None:
        """T11.7: do it, with what there is."""
        _HANDS[self.change.kind](play, self)


def task(play: Play, seat: str, change: Action, cites: tuple[str, ...]) -> ByHand:
    """T11.7: a sentence as a task. Refused if it means nothing on this table."""
    floor = play.rules.floor
    if change.kind == "bottom" or (change.kind == "counts" and change.thing):
        aim = naming.find(play.state, seat, change, change.thing)
        if change.kind == "bottom" and play.state.thing(aim) is None:
            raise Refused(floor, said("only cards can go under a deck"), change.column(change.thing))
        return ByHand(_counted(play, change, aim), seat, aim, cites)
    owner = naming.seat_called(play.state, change.to)
    if not owner:
        raise Refused(floor, said("no one sits at %(to)s", to=change.to))
    if change.kind == "counts":
        return ByHand(_counted(play, change, Player(owner)), owner, Player(owner), cites)
    if change.kind == "rolls" and not LEAST_SIDES <= change.n <= MOST_SIDES:
        raise Refused(
            floor,
            said("a die has %(least)s to %(most)s sides", least=LEAST_SIDES, most=MOST_SIDES),
        )
    if change.kind in ("shuffles", "puts", "deals", "shows"):
        _check_zone(play, change)
    if change.kind in ("puts", "reveals"):
        return ByHand(change, owner, _own_card(play, owner, change).ref, cites)
    return ByHand(change, owner, None, cites)


def whose(play: Play, seat: str, change: Action) -> str:
    """T11.7: the only player that a sentence is about; empty if there is none, or if others are concerned."""
    if change.kind in OWN:
        return naming.seat_called(play.state, change.to)
    if (change.kind == "counts" and not change.thing) or (change.kind in ("gains", "loses") and change.stat):
        return naming.seat_called(play.state, change.to)
    if change.kind in OF_A_THING:
        aim = naming.find(play.state, seat, change, change.thing)
        thing = play.state.thing(aim)
        if isinstance(aim, Player):
            return aim.seat
        return thing.owner if thing is not None and thing.owner == thing.controller else ""
    return ""


OWN = frozenset({"draws", "discards", "shuffles", "rolls", "puts", "deals", "looks", "shows", "reveals"})
"""Sentences about a player and their cards."""
OF_A_THING = frozenset({"moves", "bottom", "engages", "disengages", "counts"})
"""Sentences about a card."""


def _counted(play: Play, change: Action, aim: Aim) -> Action:
    if change.kind != "counts":
        return change
    if change.n > MOST_COUNTED:
        raise Refused(play.rules.floor, said("the maximum is %(most)s", most=MOST_COUNTED))
    if isinstance(aim, Player) and play.rules.has_rules:
        raise Refused(play.rules.floor, said("write: %(seat)s gains 2 %(do)s", seat=aim.seat, do=change.do))
    if not isinstance(aim, Player) and play.state.thing(aim) is None:
        raise Refused(play.rules.floor, said("counters can only go on a card"), change.column(change.thing))
    return change


def _check_zone(play: Play, change: Action) -> None:
    name = change.origin or "deck"
    zone = play.rules.zones.get(name)
    if zone is None or zone.whose != "seat":
        raise Refused(play.rules.floor, said("players have no zone %(name)s here", name=name))
    if change.kind == "shuffles" and zone.play:
        raise Refused(play.rules.floor, said("cards in play can't be shuffled"))


def _own_card(play: Play, seat: str, change: Action) -> Thing:
    """5.1: a card of a player's hand by its name, or one of their deck that they know because they looked."""
    for thing in play.state.zone(zone_of(seat, "deck")):
        if seat in thing.known and thing.card.casefold() == change.card.casefold():
            in_hand = [one for one in play.state.zone(zone_of(seat, "hand")) if one.card == thing.card]
            if not in_hand:
                return thing
    return naming.hand_card(play.state, seat, change, change.card)


def _put(play: Play, thing: Thing, kind: str, by: ByHand, *, under: bool = False) -> None:
    place = 0 if kind == "deck" and not under else None
    play.move(thing.key, kind, seat=thing.owner, cites=by.cites, place=place)


def _shuffles(play: Play, by: ByHand) -> None:
    play.shuffle(by.seat, by.change.origin or "deck", (*by.cites, "T8.4"))


def _rolls(play: Play, by: ByHand) -> None:
    value = play.draw("die", play.count("die"), by.change.n)
    play.emit(Event("rolled", (*by.cites, "T8.4"), by.seat, amount=value))


def _puts(play: Play, by: ByHand) -> None:
    if isinstance(by.aim, Ref) and (thing := play.state.thing(by.aim)) is not None:
        _put(play, thing, by.change.origin or "deck", by, under=by.change.do == "bottom")


def _deals(play: Play, by: ByHand) -> None:
    for thing in play.state.zone(zone_of(by.seat, "deck"))[: by.change.n]:
        _put(play, thing, by.change.origin, by)


def _looks(play: Play, by: ByHand) -> None:
    top = play.state.zone(zone_of(by.seat, "deck"))[: by.change.n]
    for thing in top:
        play.change(thing.key, known=thing.known | {by.seat})
    play.emit(Event("looked", by.cites, by.seat, amount=len(top)))


def _show(play: Play, thing: Thing, by: ByHand) -> None:
    play.change(thing.key, known=frozenset(seat.letter for seat in play.state.seats))
    play.emit(Event("revealed", by.cites, thing.owner, thing))


def _shows(play: Play, by: ByHand) -> None:
    for thing in play.state.zone(zone_of(by.seat, by.change.origin)):
        _show(play, thing, by)


def _reveals(play: Play, by: ByHand) -> None:
    if isinstance(by.aim, Ref) and (thing := play.state.thing(by.aim)) is not None:
        _show(play, thing, by)


def _counts(play: Play, by: ByHand) -> None:
    kind, number, text = by.change.do, by.change.n, f"{by.change.n} {by.change.do}"
    if isinstance(by.aim, Player):
        seat = play.state.seat(by.aim.seat)
        rest = {**dict(seat.numbers), kind: number}
        play.change_seat(replace(seat, numbers=tuple((name, have) for name, have in rest.items() if have)))
        play.emit(Event("counted", by.cites, seat.letter, told=text))
    elif by.aim is not None and (thing := play.state.thing(by.aim)) is not None:
        have = {**dict(thing.counters), kind: number}
        play.change(thing.key, counters=tuple((name, many) for name, many in have.items() if many))
        play.emit(Event("counters", by.cites, by.seat, play.state.things[thing.key], told=text))


def _gains(play: Play, by: ByHand) -> None:
    """T11.7: a player's number grows or shrinks, never below zero."""
    have = play.state.number(by.seat, by.change.do)
    number = have + (by.change.n if by.change.kind == "gains" else -by.change.n)
    _counts(play, replace(by, change=replace(by.change, n=min(MOST_COUNTED, max(0, number)))))


def _bottom(play: Play, by: ByHand) -> None:
    thing = play.state.thing(by.aim) if by.aim is not None else None
    if thing is not None and kind_of(thing.zone) != "deck":
        _put(play, thing, "deck", by, under=True)


_HANDS: Mapping[str, Callable[[Play, ByHand], None]] = {
    "shuffles": _shuffles, "rolls": _rolls, "puts": _puts, "deals": _deals, "looks": _looks, "shows": _shows,
    "reveals": _reveals, "counts": _counts, "bottom": _bottom, "gains": _gains, "loses": _gains,
}  # fmt: skip
KINDS = frozenset(_HANDS) - {"gains", "loses"}
"""T11.7: the sentences that are carried out here."""
