"""7, 8, 9: casting cards, using abilities, their costs and targets, soul cards and soul energy."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tables.core import costs, pile, query
from tables.core.blanks import first_ways
from tables.core.decisions import AskChoice, Then
from tables.core.engine import hand_over
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lines.actions import Ref as Word
from tables.core.lists.cards import Ability, Card, Effect, Number, Price, Target
from tables.core.play import Play
from tables.core.reacting import replacing
from tables.core.reasons import Refused
from tables.core.state import Aim, Item, Ref, Scope, State, Task, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.kryptik import paying
from tables.games.kryptik.flow import SOUL_CARDS, step_of
from wargame.rules.core.saying import said

NO_ACTION = Action("none")


def outside_pile(ability: Ability) -> bool:
    """8.2.1, K45: an ability that only produces soul energy does not use the pile."""
    return bool(ability.do) and not ability.targets and all(effect.word == "energy" for effect in ability.do)


def main_and_empty(state: State, seat: str) -> bool:
    """7.1, G: Focused, K52: one's own 1st or 2nd phase, on an empty pile."""
    return state.turn.of == seat and step_of(state).main and not state.pile


def chosen_x(price: Price, action: Action) -> int:
    """10.4: an X is an integer of at least 0."""
    has_x = any(not isinstance(stone.n, Number) for stone in price.stones)
    if action.x is None and has_x:
        raise Refused("10.4", said("give a value for X"))
    if action.x is not None and action.x < 0:
        raise Refused("10.4", said("X must be a whole number, 0 or more"))
    return action.x or 0


# --------------------------------------------------------------------------------------------- targets


def declare(
    play: Play, seat: str, action: Action, abilities: Sequence[Ability], scope: Scope
) -> list[tuple[tuple[Aim, ...], ...]]:
    """8.5: the declared targets of each effect; Refused if one is missing or not legal."""
    names = list(action.targets or ())
    numbered = dict(action.effects)
    declared = []
    for number, ability in enumerate(abilities, 1):
        own_names = list(numbered[number]) if number in numbered else names
        declared.append(_declare(play, seat, action, ability, scope, [name for name in own_names if name != "none"]))
        if number not in numbered:
            names = names[sum(len(aims) for aims in declared[-1]) :]
    if names:
        raise Refused("8.5", said("“%(word)s” is one target too many", word=names[0]), action.column(names[0]))
    return declared


def _declare(
    play: Play, seat: str, action: Action, ability: Ability, scope: Scope, names: list[Word]
) -> tuple[tuple[Aim, ...], ...]:
    targets: list[tuple[Aim, ...]] = []
    for at, target in enumerate(ability.targets, 1):
        later = sum(other.least for other in ability.targets[at:])
        own_names = names[: max(0, min(target.most, len(names) - later))]
        names = names[len(own_names) :]
        legal = tuple(
            aim
            for aim in pile.legal_targets(play.state, target, scope)
            if not _taboo(play.state, ability, at, aim, scope)
        )
        aims: list[Aim] = []
        for name in own_names:
            aim = naming.find(play.state, seat, action, name, legal, aims)
            if aim not in legal:
                raise _illegal(play.state, ability, at, aim, target, scope)
            if aim in aims:
                raise Refused("8.5", said("name each target once"))
            aims.append(aim)
        if len(aims) < target.least:
            raise Refused("8.5", said("name a legal target"))
        targets.append(tuple(aims))
    return tuple(targets)


def _illegal(state: State, ability: Ability, at: int, aim: Aim, target: Target, scope: Scope) -> Refused:
    """8.5: the most specific number that forbids this target."""
    thing = state.thing(aim)
    if thing is not None and thing.under:
        return Refused("5.3.1", said("you can't target a card beneath a citizen"))
    if thing is not None and _taboo(state, ability, at, aim, scope):
        return Refused("7.1.2", said("you can control only one overlord of each name"))
    if (
        thing is not None
        and query.forbids(state, "be targeted", thing)
        and aim in pile.candidates(state, target, scope)
    ):
        return Refused("10.2", said("it can't be targeted"))
    return Refused("8.5", said("this is not a legal target"))


def _taboo(state: State, ability: Ability, at: int, aim: Aim, scope: Scope) -> bool:
    """7.1.2, K26: nobody may choose to gain control of a second overlord of a name."""
    thing = state.thing(aim)
    if thing is None or not _gains(ability.do, at):
        return False
    return (
        state.cards[thing.card].overlord
        and thing.controller != scope.controller
        and _has_overlord(state, scope.controller, thing.card)
    )


def _gains(effects: Sequence[Effect], at: int) -> bool:
    for effect in effects:
        if effect.word == "control":
            selector, by = effect.selector("control"), effect.selector("by")
            if selector and selector.word == "target" and selector.n == at and by and by.word == "you":
                return True
    return False


def _has_overlord(state: State, seat: str, card: str) -> bool:
    return any(thing.card == card and state.cards[thing.card].overlord for thing in state.zone(zone_of(seat, "island")))


# --------------------------------------------------------------------------------------------- costs


def pay(play: Play, seat: str, price: Price, scope: Scope, action: Action = NO_ACTION, more: int = 0) -> None:
    """8.1: pay energy and acts, in full; Refused (8.1) if something can't be paid."""
    paying.pay_acts(play, seat, price.acts, scope, action)
    keys = [_soul_named(play.state, seat, action, name) for name in action.pay]
    costs.pay_stones(play, seat, price, scope.x, keys, more)


def _soul_named(state: State, seat: str, action: Action, word: Word) -> str:
    thing = state.thing(
        naming.find(state, seat, action, word, tuple(one.ref for one in state.zone(zone_of(seat, "soul"))))
    )
    if thing is None or thing.zone != zone_of(seat, "soul") or thing.engaged:
        raise Refused("8.1", said("“%(word)s” can't pay", word=word))
    return thing.key


def can_pay(play: Play, seat: str, price: Price, scope: Scope) -> bool:
    """8.1: whether a cost could be paid now."""
    action = first_ways(paying.blanks(play, seat, price, scope)) if play.state.version >= 5 else NO_ACTION
    try:
        pay(Play(play.rules, play.state), seat, price, scope, action)
    except Refused:
        return False
    return True


# --------------------------------------------------------------------------------------------- casting


def cast(play: Play, seat: str, action: Action) -> None:
    """8: cast a card from the hand; priority passes to the next player (8.3.2)."""
    thing = naming.hand_card(play.state, seat, action, action.card)
    card = play.state.cards[thing.card]
    timely = main_and_empty(play.state, seat)
    if card.type == "citizen" and not timely:
        raise Refused("7.1", said("you can only cast citizens in your own 1st or 2nd phase, when the pile is empty"))
    if _focused(card) and not timely:
        raise Refused("G: Focused", said("only in your own 1st or 2nd phase, when the pile is empty"))
    put_on_pile(play, seat, action, thing, card.cost)
    hand_over(play, seat)


def _focused(card: Card) -> bool:
    return "focused" in card.keywords or any(ability.focused for ability in card.abilities if ability.kind == "spell")


def put_on_pile(
    play: Play, seat: str, action: Action, thing: Thing, price: Price, *, by_eleven: bool = False, free: bool = False
) -> None:
    """8.1, 8.4, 8.4.1: targets, costs, then each effect on the pile in the caster's order."""
    card = play.state.cards[thing.card]
    if card.type == "citizen" and card.overlord and _has_overlord(play.state, seat, card.name):
        raise Refused("7.1.2", said("you already control an overlord of that name"))
    if taboo := query.forbids(play.state, "cast", seat) or _cast_forbidden(play.state, thing):
        raise Refused("10.2", said("%(taboo)s forbids it", taboo=taboo))
    more = 0 if free else query.cost_change(play.state, seat, thing)
    x = 0 if free else chosen_x(price, action)
    effects = paragraphs(card)
    before = Scope(thing.ref, thing.card, seat, x=x)
    declared = declare(play, seat, action, effects, before)
    after = play.move(thing.key, "pile", seat=seat, cites=("8",), event="cast")
    if after.zone == thing.zone:
        return
    scope = replace(before, source=after.ref)
    pay(play, seat, Price() if free else price, scope, action, more)
    if not card.additional.free:
        pay(play, seat, card.additional, scope, replace(action, pay=()))
    if not effects:
        pile.put(play, Item(play.count("item"), "card", seat, after.ref, card.name, scope, None, by_eleven))
    for at in _order(action, len(effects)):
        new_scope = replace(scope, targets=declared[at])
        if outside_pile(effects[at]):
            play.push(pile.Do(effects[at].do, new_scope))
            continue
        pile.put(play, Item(play.count("item"), "card", seat, after.ref, card.name, new_scope, effects[at], by_eleven))
    if effects and all(outside_pile(effect) for effect in effects):
        play.move(after.key, "limbo", cites=("8.2.1", "5.6"), event="done")


def _cast_forbidden(state: State, thing: Thing) -> str:
    for active in query.in_effect(state, "can't"):
        if active.effect.text("can't") == "cast" and active.dynamic and active.dynamic.where:
            where = replace(active.dynamic.where, zone="any")
            if query.fits(state, thing, where, active.scope):
                return active.scope.card
    return ""


def paragraphs(card: Card) -> tuple[Ability, ...]:
    """8.4.1, K42: the effects of a spell; text that is not in the vocabulary becomes one that stops the table."""
    if card.type == "citizen":
        return ()
    abilities = tuple(ability for ability in card.abilities if ability.kind == "spell")
    if not abilities and card.manual:
        return (Ability("spell", do=(Effect("manual", (("manual", card.text or card.name),)),)),)
    return abilities


def _order(action: Action, number: int) -> list[int]:
    """8.4.1: the first named goes on the pile first; else in their printed order."""
    if not action.order:
        return list(range(number))
    order = [int(entry) - 1 for entry in action.order if str(entry).isdigit()]
    if sorted(order) != list(range(number)):
        raise Refused("8.4.1", said("name each of the %(number)s effects once", number=number))
    return order


def cast_by_effect(play: Play, seat: str, thing: Thing) -> None:
    """8.1.4: an effect casts it: for free, except for an additional cost."""
    try:
        put_on_pile(play, seat, NO_ACTION, thing, Price(), free=True)
    except Refused:
        play.emit(Event("not cast", ("10.3",), seat, thing))


def resolve_citizen(play: Play, item: Item) -> None:
    """5.3, 7.1: a citizen that was cast enters the island, weary, on its caster's side."""
    play.push(pile.Finish(item.id))
    thing = play.state.thing(item.source)
    if thing is not None:
        play.move(thing.key, "island", seat=item.controller, cites=("5.3", "7.1"), entered=True, event="enters")


def moved(play: Play, before: Thing, after: Thing, entered: bool) -> None:
    """7.1, K39: a citizen is weary for the player who gains control of it; 7.1.2: one overlord of a name."""
    if kind_of(after.zone) != "island" or play.state.things[after.key].under:
        return
    now = play.change(after.key, weary=True)
    overlords(play, now)


def overlords(play: Play, thing: Thing) -> None:
    """7.1.2, K26: a player with two overlords of a name abolishes one of them, of their choice; nothing dies."""
    if not play.state.cards[thing.card].overlord:
        return
    same = [one for one in play.state.zone(zone_of(thing.controller, "island")) if one.card == thing.card]
    if len(same) > 1:
        refs = tuple(one.ref for one in sorted(same, key=lambda one: one.key != thing.key))
        play.push(_OverlordTask(thing.controller, refs))


@dataclass(frozen=True, slots=True)
class _OverlordTask(Task):
    seat: str
    refs: tuple[Ref, ...]

    def run(self, play: Play) -> None:
        """K26: ask while both are still there."""
        here = tuple(ref for ref in self.refs if play.state.thing(ref) is not None)
        if len(here) > 1:
            play.ask(AskChoice((self.seat,), here, 1, 1, OverlordThen(), "7.1.2", "overlord", "abolish"))


@dataclass(frozen=True, slots=True)
class OverlordThen(Then):
    """7.1.2: abolish the one that was named."""

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """7.1.2: this does not trigger dies effects."""
        for aim in aims:
            if (thing := play.state.thing(aim)) is not None:
                play.move(thing.key, "abolished", cites=("7.1.2", "G: Abolish"), event="abolished")


# --------------------------------------------------------------------------------------------- using


def use(play: Play, seat: str, action: Action) -> None:
    """9.1, G: Use, G: Solo, K33: an active ability: its cost is paid at once, its effect waits on the pile."""
    state = play.state
    refs = tuple(thing.ref for thing in state.zone(zone_of(seat, "island")))
    thing = state.thing(naming.find(state, seat, action, action.thing, refs))
    if thing is None:
        raise Refused("9", said("only cards have abilities"))
    number, ability = _active(state, thing, action)
    if not query.works_here(state, thing, ability):
        raise Refused("5.3.1" if thing.under else "9", said("its abilities only work on the island"))
    if thing.controller != seat:
        raise Refused(("9", "G: Controller"), said("only its controller can use it"))
    solo = f"solo {seat} {thing.card} {number}"
    scope = Scope(thing.ref, thing.card, seat)
    _may_use(state, seat, thing, ability, solo, scope)
    scope = replace(scope, x=chosen_x(ability.cost, action))
    (targets,) = declare(play, seat, action, (ability,), scope)
    scope = replace(scope, targets=targets)
    pay(play, seat, ability.cost, scope, action)
    play.mark(solo)
    if replacing.of_thing(play, "used", thing, seat):
        hand_over(play, seat)
        return
    play.emit(Event("used", ("9.1",), seat, thing, amount=number + 1))
    if outside_pile(ability):
        play.push(pile.Do(ability.do, scope))
        return
    pile.put(play, Item(play.count("item"), "ability", seat, thing.ref, thing.card, scope, ability))
    hand_over(play, seat)


def _active(state: State, thing: Thing, action: Action) -> tuple[int, Ability]:
    """9.1: the active ability that is meant, with its number among all of the card's."""
    every = query.abilities(state, thing)
    active = [(at, ability) for at, ability in enumerate(every) if ability.kind == "active"]
    if not active:
        raise Refused("9.1", said("it has no active ability"))
    if action.ability == 0 and len(active) > 1:
        raise Refused("9.1", said("name one of its abilities"))
    if 1 <= action.ability <= len(active):
        return active[action.ability - 1]
    if action.ability == 0:
        return active[0]
    if 1 <= action.ability <= len(every) and every[action.ability - 1].kind == "active":
        return action.ability - 1, every[action.ability - 1]
    raise Refused("9.1", said("it has no such ability"))


def _may_use(state: State, seat: str, thing: Thing, ability: Ability, solo: str, scope: Scope) -> None:
    if card := query.forbids(state, "use", thing) or query.forbids(state, "use", seat):
        raise Refused("10.2", said("%(card)s forbids it", card=card))
    if (ability.focused or _test_word(ability, "focused")) and not main_and_empty(state, seat):
        raise Refused("G: Focused", said("only in your own 1st or 2nd phase, when the pile is empty"))
    if (ability.solo or _test_word(ability, "solo")) and solo in state.marks:
        raise Refused("G: Solo", said("only once a turn"))
    if ability.limit and state.marks.count(solo) >= ability.limit:
        raise Refused("9.1", said("at most %(limit)s times a turn", limit=ability.limit))
    if not query.holds(state, ability.test, scope):
        raise Refused("G: Short Time" if _test_word(ability, "short time") else "9.1", said("its condition isn't met"))


def _test_word(ability: Ability, word: str) -> bool:
    test = ability.test
    return test is not None and (test.word == word or any(part.word == word for part in test.parts))


def soul(play: Play, seat: str, action: Action) -> None:
    """5.5, K7: one card a turn from the hand, disengaged; they keep priority."""
    state = play.state
    if state.turn.of != seat or not step_of(state).main:
        raise Refused("5.5", said("only in your own 1st or 2nd phase"))
    if state.marks.count("soul") >= SOUL_CARDS:
        raise Refused("5.5", said("only one card a turn"))
    thing = naming.hand_card(state, seat, action, action.card)
    play.mark("soul")
    play.move(thing.key, "soul", cites=("5.5",), event="soul")
    play.give_priority(seat)


def energy(play: Play, seat: str, action: Action) -> None:
    """8.2.1, 8.2.2: energy of a colour from a card of the soul row, without the pile; they keep priority."""
    refs = tuple(thing.ref for thing in play.state.zone(zone_of(seat, "soul")))
    thing = play.state.thing(naming.find(play.state, seat, action, action.thing, refs))
    if thing is None:
        raise Refused("8.2.1", said("only cards in the soul row can give soul energy"))
    costs.produce(play, seat, thing.key, action.do)
