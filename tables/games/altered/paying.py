"""3.2.9.f, 5.3.c, 1.4.1.b: costs paid by exhausting Mana Orbs, and acts done to pay."""

from collections.abc import Sequence
from dataclasses import replace

from tables.core import query
from tables.core.blanks import Blank, first_ways
from tables.core.effects.cards import things_meant
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.cards import Effect, Filter, Price, Selector
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, Scope, State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.altered import finding, moving, statuses
from tables.games.altered.flow import is_expedition
from wargame.rules.core.saying import said

NO_ACTION = Action("none")
UNPAID = "1.4.1.b"


def ready_orbs(state: State, seat: str) -> list[Thing]:
    """3.2.9.f: the Mana Orbs that can be exhausted."""
    return [thing for thing in state.zone(zone_of(seat, "mana")) if not statuses.has(thing, statuses.EXHAUSTED)]


def cost(state: State, seat: str, thing: Thing) -> int:
    """A18, A39: the cost from the thing's zone; without a Reserve cost it isn't played from there."""
    card = state.cards[thing.card]
    printed = card.hand_cost if thing.number is None else card.reserve_cost
    if printed is None:
        raise Refused(("A18", "A39"), said("it has no Reserve cost"))
    return max(0, printed + query.cost_change(state, seat, thing))


def mana(price: Price, x: int = 0) -> int:
    """3.2.9.f: the amount of mana in a price."""
    return sum(query.number_of(stone.n, x) for stone in price.stones)


def pay_mana(play: Play, seat: str, amount: int, action: Action = NO_ACTION, cites: tuple[str, ...] = ()) -> None:
    """3.2.9.f: exhaust this many Orbs, those that the line names first. Refused (1.4.1.b) if there are too few."""
    if amount <= 0:
        return
    ready = ready_orbs(play.state, seat)
    refs: tuple[Aim, ...] = tuple(orb.ref for orb in ready)
    choices = finding.listed(play.state, seat, action, action.pay, refs, UNPAID)
    if len(ready) < amount or len(choices) > amount:
        raise Refused(
            UNPAID,
            said(
                "you must exhaust %(amount)s Mana Orbs, and you have %(number)s ready", amount=amount, number=len(ready)
            ),
        )
    first = [orb for orb in ready if orb.ref in choices]
    for orb in [*first, *(orb for orb in ready if orb.ref not in choices)][:amount]:
        statuses.gain(play, orb, statuses.EXHAUSTED)
    play.emit(Event("paid", (*cites, "3.2.9.f"), seat, amount=amount))


def pay(play: Play, seat: str, price: Price, scope: Scope, action: Action = NO_ACTION, more: int = 0) -> None:
    """A8, 1.4.1.b: pay mana and acts, in full or not at all."""
    for act in price.acts:
        _act(play, seat, act, scope, action)
    pay_mana(play, seat, mana(price, scope.x) + more, action)


def can_pay(play: Play, seat: str, price: Price, scope: Scope) -> bool:
    """1.4.1.b: whether a cost could be paid now."""
    action = first_ways(blanks(play, seat, price, scope)) if play.state.version >= 5 else NO_ACTION
    try:
        pay(Play(play.rules, play.state), seat, price, scope, action)
    except Refused:
        return False
    return True


def _act(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    match act.word:
        case "exhaust":
            for thing in _things(play, act, scope):
                if not statuses.gain(play, thing, statuses.EXHAUSTED):
                    raise Refused((UNPAID, "5.3.c"), said("it is already exhausted"))
        case "sacrifice":
            things = _things_given(play, seat, act, scope, action)
            if not all(is_expedition(kind_of(thing.zone)) for thing in things):
                raise Refused(UNPAID, said("you can only sacrifice Characters in the Expedition zone"))
            if any(query.forbids(play.state, "sacrifice", thing) for thing in things):
                raise Refused((UNPAID, "1.4.1.a"), said("it can't be sacrificed"))
            moving.sacrifice(play, things, ("A8",), scope)
        case "discard":
            for thing in _things_given(play, seat, act, scope, action):
                moving.go(play, thing, "discard", cites=("A8",), event="discarded")
        case "counters":
            _counters(play, act, scope)
        case _:
            raise Refused(UNPAID, said("you can't pay with %(word)s", word=act.word))


def blanks(play: Play, seat: str, price: Price, scope: Scope) -> list[Blank]:
    """1.4.1.b: the blanks that a cost leaves, with their candidates; a thing that gives itself is named, too."""
    cost_blanks = []
    for act in price.acts:
        if act.word not in ("sacrifice", "discard"):
            continue
        among, number = _among(play, act, scope)
        names = tuple(naming.call(play.state, aim) for aim in among)
        cost_blanks.append(Blank(act.word, names, number, number))
    return cost_blanks


def _among(play: Play, act: Effect, scope: Scope) -> tuple[tuple[Aim, ...], int]:
    """1.4.1.b: the candidates for a part of a cost, and the number to give."""
    selector = act.selector(act.word) if isinstance(act.get(act.word), Selector) else None
    if selector is None:  # 1.2.3: so many cards of one's Hand
        where = replace(act.filter("of") or Filter(), zone="hand", whose="you")
        number = query.number(play.state, act.value(act.word), scope)
        among = query.fitting(play.state, where, scope)
    elif selector.where is None:
        among = tuple(thing.ref for thing in things_meant(play, act, scope) if thing.controller == scope.controller)
        number = max(1, len(among))
    else:
        among, number = query.meant(play.state, selector, scope), max(1, selector.n)
    if act.word == "sacrifice" and play.state.version >= 5:
        things = [(aim, play.state.thing(aim)) for aim in among]
        among = tuple(aim for aim, thing in things if thing and not query.forbids(play.state, "sacrifice", thing))
    return tuple(aim for aim in among if aim != scope.source or act.word != "discard"), number


def _things(play: Play, act: Effect, scope: Scope) -> list[Thing]:
    things = [thing for thing in things_meant(play, act, scope) if thing.controller == scope.controller]
    if not things:
        raise Refused(UNPAID, said("you have nothing to pay with"))
    return things


def _things_given(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> list[Thing]:
    """1.4.1.b: the things that the line names for it (`; sacrifice #4`), or those there are if there is no choice."""
    selector = act.selector(act.word) if isinstance(act.get(act.word), Selector) else None
    if selector is not None and selector.where is None:
        return _things(play, act, scope)
    among, number = _among(play, act, scope)
    names: Sequence[int | str] = dict(action.choices).get(act.word, ())
    aims = finding.listed(play.state, seat, action, names, among, UNPAID) if names else among[:number]
    if len(aims) != number or (not names and len(among) > number):
        raise Refused(UNPAID, said("name what you %(word)s: `; %(word)s #4`", word=act.word))
    return [thing for aim in aims if (thing := play.state.thing(aim)) is not None]


def _counters(play: Play, act: Effect, scope: Scope) -> None:
    kind, number = act.text("counters"), abs(query.number(play.state, act.value("n"), scope))
    for thing in things_meant(play, act, scope, "on"):
        have = dict(thing.counters)
        if have.get(kind, 0) < number:
            raise Refused(UNPAID, said("it has too few %(kind)s counters", kind=kind))
        have[kind] -= number
        play.change(thing.key, counters=tuple((name, count) for name, count in have.items() if count))
