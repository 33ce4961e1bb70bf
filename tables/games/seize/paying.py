"""8, 9.C, S10: the costs of abilities: treasures of the Warchest that exhaust, and acts done to pay."""

from collections.abc import Sequence
from dataclasses import replace

from tables.core import query
from tables.core.blanks import Blank, first_ways
from tables.core.effects.cards import things_meant
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lines.actions import Ref as Word
from tables.core.lines.forms import CHOICES
from tables.core.lists.cards import Effect, Filter, Name, Price, Selector
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, Scope, State, Thing
from tables.core.zones import zone_of
from tables.games.seize import damage, stats, statuses
from wargame.rules.core.saying import said

NO_ACTION = Action("none")
GENERIC = "any"
CITES = ("9.C", "9.1", "S10", "8")


def ready(state: State, seat: str) -> list[Thing]:
    """S10: the treasures of a Warchest that can still pay, including face-down mercenaries (S11)."""
    return [thing for thing in state.zone(zone_of(seat, "warchest")) if not thing.engaged]


def stones(price: Price, x: int, more: int = 0) -> dict[str, int]:
    """S10: the number of treasures of each kind in a cost; `any` for what any treasure pays."""
    amounts: dict[str, int] = {GENERIC: more}
    for stone in price.stones:
        amounts[stone.colour] = amounts.get(stone.colour, 0) + query.number_of(stone.n, x)
    amounts[GENERIC] = max(0, amounts[GENERIC])
    return amounts


def payment(
    state: State, have: Sequence[Thing], asked: dict[str, int], named: Sequence[str] = ()
) -> list[Thing] | None:
    """S10: the treasures to exhaust: the named ones first, then those of a kind; None if it can't be paid.

    For what any treasure pays, face-down cards and treasures without a kind go first.
    """
    remaining = sorted(have, key=lambda thing: (thing.key not in named, not thing.face_down, bool(_kind(state, thing))))
    spent: list[Thing] = []
    for kind, number in sorted(asked.items(), key=lambda one: one[0] == GENERIC):
        fits = [thing for thing in remaining if kind == GENERIC or _kind(state, thing) == kind]
        if len(fits) < number:
            return None
        spent += fits[:number]
        remaining = [thing for thing in remaining if thing not in spent]
    return spent if all(key in {thing.key for thing in spent} for key in named) else None


def _kind(state: State, thing: Thing) -> str:
    """S11: a face-down mercenary is a treasure without a kind."""
    return "" if thing.face_down else state.cards[thing.card].kind


def pay(play: Play, seat: str, price: Price, scope: Scope, action: Action = NO_ACTION, more: int = 0) -> None:
    """9.C, 9.1: pay in full as it is played; Refused if something can't be paid."""
    for act in price.acts:
        _act(play, seat, act, scope, action)
    keys = [_treasure_named(play.state, seat, action, name) for name in action.pay]
    amounts = stones(price, scope.x, more)
    if not any(amounts.values()):
        return
    spent = payment(play.state, ready(play.state, seat), amounts, keys)
    if spent is None:
        raise Refused(CITES, said("you can't pay the full cost from the Warchest"))
    for thing in spent:
        play.change(thing.key, engaged=True)
    play.emit(Event("paid", ("9.C", "S10"), seat, amount=len(spent)))


def _treasure_named(state: State, seat: str, action: Action, word: Word) -> str:
    refs = tuple(thing.ref for thing in ready(state, seat))
    thing = state.thing(naming.find(state, seat, action, word, refs))
    if thing is None or thing.ref not in refs:
        raise Refused(CITES, said("“%(word)s” can't pay", word=word))
    return thing.key


def affordable(state: State, seat: str, price: Price, thing: Thing | None = None) -> bool:
    """9.C: whether the Warchest can pay a cost now, X as 0; further acts aren't checked."""
    more = query.cost_change(state, seat, thing) if thing is not None else 0
    return payment(state, ready(state, seat), stones(price, 0, more)) is not None


def can_pay(play: Play, seat: str, price: Price, scope: Scope) -> bool:
    """9.C: whether a cost could be paid now."""
    action = first_ways(blanks(play, seat, price, scope)) if play.state.version >= 5 else NO_ACTION
    try:
        pay(Play(play.rules, play.state), seat, price, scope, action)
    except Refused:
        return False
    return True


def _act(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    """9.C: an act done to pay, without the stack."""
    match act.word:
        case "exhaust":
            _exhaust(play, act, scope)
        case "lose":
            _lose(play, seat, act, scope)
        case "discard":
            _discard(play, seat, act, scope, action)
        case "sacrifice" | "destroy":
            event = "sacrificed" if act.word == "sacrifice" else "dies"
            damage.destroy(play, _things_given(play, seat, act, scope, action), ("9.C",), event)
        case "counters" | "remove":
            _counters(play, act, scope)
        case _:
            raise Refused(CITES, said("you can't pay with %(word)s", word=act.word))


def blanks(play: Play, seat: str, price: Price, scope: Scope) -> list[Blank]:
    """9.C: the blanks that a cost leaves, with their candidates; a thing that gives itself is named, too."""
    results = []
    for act in price.acts:
        if act.word == "discard":
            among, number = _discarded(play, seat, act, scope)
        elif act.word in ("sacrifice", "destroy"):
            among, number = _given(play, seat, act, scope)
        else:
            continue
        names = tuple(naming.call(play.state, aim) for aim in among)
        verb = act.word if act.word in CHOICES else "choose"
        fixed = not any(isinstance(value, Name) for _, value in act.args)
        results.append(Blank(verb, names, number, number) if fixed else Blank(verb, names, 0, len(names)))
    return results


def _exhaust(play: Play, act: Effect, scope: Scope) -> None:
    """13.7.1: a mercenary that is not exhausted, or a treasure that is ready."""
    things = things_meant(play, act, scope)
    if not things or any(thing.engaged or stats.count(thing, "exhaust") for thing in things):
        raise Refused((*CITES, "13.7.1"), said("exhausted cards can't exhaust to pay"))
    for thing in things:
        if stats.on_battlefield(play.state, thing):
            statuses.exhaust(play, thing)
        else:
            play.change(thing.key, engaged=True)


def _lose(play: Play, seat: str, act: Effect, scope: Scope) -> None:
    """1: Loot of one's own Vault, which must have this much."""
    number, name = query.number(play.state, act.value("lose"), scope), act.text("of") or "vault"
    if play.state.number(seat, name) < number:
        raise Refused(CITES, said("you have too little Loot"))
    play.add_number(seat, name, -number)
    play.emit(Event("loses", ("9.C", "1"), seat, amount=number, told=name))


def _discard(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> None:
    """2: cards of one's own hand, those that the line names."""
    among, number = _discarded(play, seat, act, scope)
    for thing in _picked(play.state, seat, action, "discard", among, number):
        play.move(thing.key, "discard", cites=("9.C",), event="discarded")


def _discarded(play: Play, seat: str, act: Effect, scope: Scope) -> tuple[tuple[Aim, ...], int]:
    """2: the cards of the hand that may be discarded for it (not the one that is played), and the number."""
    number = query.number(play.state, act.value("discard"), scope)
    where = replace(act.filter("of") or Filter(), zone="hand", whose="")
    among: tuple[Aim, ...] = tuple(
        thing.ref for thing in play.state.zone(zone_of(seat, "hand"))
        if query.fits(play.state, thing, where, scope) and thing.ref != scope.source
    )  # fmt: skip
    return among, number


def _things_given(play: Play, seat: str, act: Effect, scope: Scope, action: Action) -> list[Thing]:
    among, number = _given(play, seat, act, scope)
    if not among:
        raise Refused(CITES, said("you have nothing to %(word)s", word=act.word))
    if play.state.version < 5 and (act.selector(act.word) or Selector("self")).where is None:
        action = NO_ACTION
    return _picked(play.state, seat, action, act.word, among, number)


def _given(play: Play, seat: str, act: Effect, scope: Scope) -> tuple[tuple[Aim, ...], int]:
    """9.C: the mercenaries that may be given for it, and the number."""
    selector = act.selector(act.word) or Selector("self")
    if selector.where is None:
        things = [thing for thing in things_meant(play, act, scope) if thing.controller == seat]
        refs = [thing.ref for thing in things if may_be_given(play.state, thing.ref, act.word)]
        return (tuple(refs), len(refs)) if len(refs) == len(things) else ((), 1)
    where = replace(selector.where, whose=selector.where.whose or "you")
    among = query.fitting(play.state, where, replace(scope, controller=seat))
    among = tuple(aim for aim in among if may_be_given(play.state, aim, act.word))
    return among, query.number(play.state, act.value("n"), scope, selector.n or 1)


def may_be_given(state: State, aim: Aim, word: str) -> bool:
    """9.F: whether it may be sacrificed (or, if a cost says so, destroyed), as far as cards say."""
    thing = state.thing(aim)
    if thing is None or state.version < 5:
        return True
    return damage.may_die(state, thing) if word == "destroy" else not query.forbids(state, "sacrifice", thing)


def _picked(
    state: State, seat: str, action: Action, word: str, among: tuple[Aim, ...], number: int
) -> list[Thing]:  # fmt: skip
    choices = dict(action.choices)
    choice = choices.get(word) or (choices.get("choose") if word not in CHOICES else None)
    alike = len({naming.call(state, aim) for aim in among}) == 1
    if choice is None and len(among) > number and not alike and state.version >= 5:
        raise Refused(CITES, said("name what you %(word)s: `; %(word)s #4`", word=word))
    if len(among) < number:
        raise Refused(CITES, said("you don't have enough to %(word)s", word=word))
    aims = among[:number] if choice is None else naming.listed(state, seat, action, choice, among)
    if len(aims) != number:
        raise Refused(CITES, said("name %(number)s, not %(given)s", number=number, given=len(aims)))
    return [thing for aim in aims if (thing := state.thing(aim)) is not None]


def _counters(play: Play, act: Effect, scope: Scope) -> None:
    """13: remove counters."""
    kind, number = act.text(act.word), abs(query.number(play.state, act.value("n"), scope))
    for thing in things_meant(play, act, scope, "on" if act.get("on") else "from"):
        if stats.count(thing, kind) < number:
            raise Refused(CITES, said("there are too few %(kind)s counters", kind=kind))
        statuses.take(play, thing, kind, number)
