"""8.1.3, 8.1.4: acts done to pay: engage, sacrifice, discard, plunder. Each is paid in full or not at all."""

from collections.abc import Sequence
from dataclasses import replace

from tables.core import query
from tables.core.blanks import Blank
from tables.core.effects.cards import things_meant
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lines.forms import CHOICES
from tables.core.lists.cards import Effect, Filter, Name, Price, Selector
from tables.core.play import Play
from tables.core.reasons import NotFound, NotOffered, Refused
from tables.core.state import Aim, Scope, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.kryptik import citizens, piles
from tables.games.kryptik.engaging import engage
from wargame.rules.core.saying import said


def pay_acts(play: Play, seat: str, acts: Sequence[Effect], scope: Scope, action: Action) -> None:
    """8.1: each of them, without the pile; everything it triggers waits (K56)."""
    for act in acts:
        match act.word:
            case "engage" | "exhaust":
                _engage(play, act, scope)
            case "sacrifice":
                _sacrifice(play, seat, act, scope, action)
            case "discard":
                _discard(play, seat, act, scope, action)
            case "plunder":
                _plunder(play, seat, act, scope, action)
            case "abolish" | "move" | "destroy":
                _put_away(play, seat, act, scope, action)
            case "counters" | "remove" | "lose":
                _counters(play, act, scope)
            case _:
                raise Refused("8.1", said("you can't pay with %(word)s", word=act.word))


def blanks(play: Play, seat: str, price: Price, scope: Scope) -> list[Blank]:
    """8.1.3, 8.1.4: the blanks that a cost leaves, with their candidates; a thing that gives itself is named, too.
    If a number depends on X, any number of them is offered."""
    cost_blanks = []
    for act in price.acts:
        label = act.word if act.word in CHOICES else "choose"
        match act.word:
            case "sacrifice":
                among, number = _sacrificed(play, seat, act, scope)
            case "discard":
                among, number = _discarded(play, seat, act, scope)
            case "plunder":
                number = query.number(play.state, act.value("plunder"), scope)
                among = piles.plunderable(play, seat, act.filter("of"), scope)
            case "abolish" | "move" | "destroy":
                among, number = _among(play, act, scope, seat), 1
            case _:
                continue
        names = tuple(naming.call(play.state, aim) for aim in among)
        fixed = not any(isinstance(value, Name) for _, value in act.args)
        cost_blanks.append(Blank(label, names, number, number) if fixed else Blank(label, names, 0, len(names)))
    return cost_blanks


def _engage(play: Play, act: Effect, scope: Scope) -> None:
    """G: Engage, G: Weary: neither engaged nor weary citizens pay by engaging."""
    things = things_meant(play, act, scope)
    if not things:
        raise Refused("8.1", said("you have nothing to engage"))
    for thing in things:
        if kind_of(thing.zone) != "island" or thing.under or thing.engaged:
            raise Refused(("8.1", "G: Engage"), said("it is engaged, so it can't engage to pay"))
        if thing.weary and not query.has(play.state, thing, "eager"):
            raise Refused(("8.1", "G: Weary"), said("a weary citizen can't pay engage costs"))
        engage(play, thing, ("8.1.3",))


def _among(play: Play, act: Effect, scope: Scope, seat: str) -> tuple[Aim, ...]:
    """One's own things that can be given for this part of the cost."""
    selector = act.selector(act.word) or Selector("self")
    if selector.where is None:
        return tuple(thing.ref for thing in things_meant(play, act, scope) if thing.controller == seat)
    where = replace(selector.where, whose=selector.where.whose or "you")
    return query.fitting(play.state, where, replace(scope, controller=seat))


def _things_given(
    play: Play, seat: str, action: Action, word: str, among: tuple[Aim, ...], number: int
) -> list[Thing]:  # fmt: skip
    """8.1: the things that the line names for it, or all if there is no choice; anything else is refused."""
    choices = dict(action.choices)
    names = choices.get(word) or (choices.get("choose") if word not in CHOICES else None)
    if len(among) < number:
        raise Refused("8.1", said("you don't have enough to %(word)s", word=word))
    if names is None:
        alike = {play.state.things[aim.key].card for aim in among if hasattr(aim, "key")}
        if len(among) > number and (len(alike) > 1 or word == "sacrifice"):
            raise Refused("8.1", said("name what you %(word)s", word=word))
        aims: tuple[Aim, ...] = among[:number]
    else:
        try:
            aims = naming.listed(play.state, seat, action, names, among)
        except (NotFound, NotOffered) as refused:
            raise Refused("8.1", refused.reason.told) from None
    if len(aims) != number:
        raise Refused("8.1", said("name %(number)s, not %(given)s", number=number, given=len(aims)))
    return [thing for aim in aims if (thing := play.state.thing(aim)) is not None]


def _sacrifice(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    """G: Sacrifice: one's own only."""
    among, number = _sacrificed(play, seat, act, scope)
    things = _things_given(play, seat, action, "sacrifice", among, number)
    if any(kind_of(thing.zone) != "island" or thing.under for thing in things):
        raise Refused("8.1", said("it is not on the island"))
    citizens.kill(play, things, ("8.1.3", "G: Sacrifice"), "sacrificed")


def _sacrificed(play: Play, seat: str, act: Effect, scope: Scope) -> tuple[tuple[Aim, ...], int]:
    """G: Sacrifice: the candidates for the sacrifice, and the number."""
    among = tuple(aim for aim in _among(play, act, scope, seat) if not lasting_forbids(play, aim))
    selector = act.selector("sacrifice")
    return among, query.number(play.state, act.value("n"), scope, (selector.n if selector else 0) or 1)


def lasting_forbids(play: Play, aim: Aim) -> bool:
    """10.2: whether it can't be sacrificed."""
    thing = play.state.thing(aim)
    return thing is not None and bool(query.forbids(play.state, "sacrifice", thing))


def _discard(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    """G: Discard: from the hand."""
    among, number = _discarded(play, seat, act, scope)
    for thing in _things_given(play, seat, action, "discard", among, number):
        piles.discard(play, thing, ("8.1.3", "G: Discard"))


def _discarded(play: Play, seat: str, act: Effect, scope: Scope) -> tuple[tuple[Aim, ...], int]:
    """G: Discard: the cards of the hand that may be discarded for it (not the one that is cast), and the number."""
    where = act.filter("of") or Filter()
    if isinstance(act.get("discard"), Selector):
        selector = act.selector("discard")
        number, where = 1, (selector.where if selector and selector.where else where)
    else:
        number = query.number(play.state, act.value("discard"), scope)
    card_filter = replace(where, zone="hand", whose="")
    among: tuple[Aim, ...] = tuple(
        thing.ref for thing in play.state.zone(zone_of(seat, "hand"))
        if thing.ref != scope.source and query.fits(play.state, thing, card_filter, scope)
    )  # fmt: skip
    return among, number


def _plunder(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    """G: Plunder, K31: with fewer cards of the type it can't be paid."""
    number = query.number(play.state, act.value("plunder"), scope)
    among = piles.plunderable(play, seat, act.filter("of"), scope)
    for thing in _things_given(play, seat, action, "plunder", among, number):
        play.move(thing.key, "abolished", cites=("8.1.3", "G: Plunder", "G: Abolish"), event="plundered")


def _put_away(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    """8.1: a card of one's own goes to another zone, or is destroyed, to pay."""
    number = 1
    things = _things_given(play, seat, action, act.word, _among(play, act, scope, seat), number)
    if act.word == "destroy":
        citizens.destroy(play, [thing.ref for thing in things], ("8.1.3",))
        return
    kind = "abolished" if act.word == "abolish" else act.text("to")
    for thing in things:
        play.move(thing.key, kind, cites=("8.1.3",), event="abolished" if kind == "abolished" else "moved")


def _counters(play: Play, act: Effect, scope: Scope) -> None:
    """8.1: counters taken off."""
    kind = act.text(act.word)
    number = abs(query.number(play.state, act.value("n"), scope))
    for thing in things_meant(play, act, scope, "on" if act.get("on") else "from"):
        have = dict(thing.counters)
        if have.get(kind, 0) < number:
            raise Refused("8.1", said("there are too few %(kind)s counters", kind=kind))
        have[kind] -= number
        play.change(thing.key, counters=tuple((name, count) for name, count in have.items() if count))
