"""T5.3: what holds for a while: passive abilities and lasting effects, and what they make of a thing.

One order of application: set (the latest counts), add, floor at 0 (K49); keywords after that; "can't" last (10.2).
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tables.core import ability_index, selecting, values
from tables.core.lists.cards import Ability, Card, Change, Effect, Number, Reach, Selector
from tables.core.state import Aim, Gone, Lasting, Player, Ref, Scope, State, Thing
from tables.core.zones import kind_of


@dataclass(frozen=True, slots=True)
class Active:
    """9.2: one modifier that is in effect now, from a passive ability or a lasting effect."""

    effect: Effect
    scope: Scope
    stamp: int
    on: tuple[Aim, ...]
    dynamic: Selector | None
    who: Selector | None
    bound: bool
    """It says on whom it is, by name or by selector."""


def works_here(state: State, thing: Thing, ability: Ability) -> bool:
    """T9, 5.3.1: whether an ability works where its card is: on the island, and not beneath a citizen."""
    if thing.face_down:  # S11, 6.F.2: whose face nobody sees does nothing
        return False
    if ability.zone:
        return ability.zone in (kind_of(thing.zone), "any") or (ability.zone == "attached" and bool(thing.under))
    return selecting.works(state, kind_of(thing.zone), is_under=bool(thing.under))


DEEPEST = 2
"""A modifier that asks for a number or keyword gets it as it is now; what decides about *that* looks at what is
printed. So no card can ask for itself without end."""


class _Asked(threading.local):
    """How deep modifiers ask for each other, and what was in effect in the state that was asked about last."""

    depth = 0
    kept: dict[int, tuple[State, dict[str, list[Active]]]]


_asked = _Asked()


def in_effect(state: State, word: str = "") -> Sequence[Active]:
    """9.2: every modifier (of that word, if one is named) that is in effect now, lasting effects first; passives whose
    condition isn't met are left out."""
    depth = _asked.depth
    if depth >= DEEPEST:
        return ()
    kept: dict[int, tuple[State, dict[str, list[Active]]]] = _asked.__dict__.setdefault("kept", {})
    known = kept.get(depth)
    if known is None or known[0] is not state:
        found: dict[str, list[Active]] = {}
        _asked.depth = depth + 1
        try:
            for active in _modifiers(state):
                found.setdefault(active.effect.word, []).append(active)
                found.setdefault("", []).append(active)
        finally:
            _asked.depth = depth
        kept[depth] = known = (state, found)
    return known[1].get(word, ())


def _modifiers(state: State) -> Iterator[Active]:
    for lasting in state.lasting:
        if lasting.until == "source" and state.thing(lasting.scope.source) is None:
            continue
        yield Active(
            lasting.effect, lasting.scope, lasting.stamp, lasting.on, lasting.dynamic,
            lasting.effect.selector("who"), bool(lasting.on) or lasting.dynamic is not None,
        )  # fmt: skip
    names = ability_index.passive(state.cards)
    for thing in state.things.values():
        if thing.card not in names:
            continue
        for ability in state.cards[thing.card].abilities:
            if ability.kind != "passive" or not works_here(state, thing, ability):
                continue
            scope = Scope(thing.ref, thing.card, thing.controller)
            if ability.test is not None and not values.holds(state, ability.test, scope):
                continue
            on = ability.on if ability.on is not None or ability.who is not None else Selector("self")
            for effect in ability.passive:
                yield Active(effect, scope, thing.stamp, (), effect_on(effect) or on, ability.who, True)


def effect_on(effect: Effect) -> Selector | None:
    """T7: the `on` of an effect, where it has one."""
    found = effect.get("on")
    return found if isinstance(found, Selector) else None


def touches(state: State, active: Active, thing: Thing) -> bool:
    """9.2: whether a modifier is on a thing."""
    if active.on:
        return thing.ref in active.on
    if active.dynamic is None:
        return False
    _asked.depth += 1
    try:
        return selecting.is_one(state, thing, active.dynamic, active.scope)
    finally:
        _asked.depth -= 1


def _on(state: State, thing: Thing, word: str) -> list[Active]:
    found = [active for active in in_effect(state, word) if touches(state, active, thing)]
    return sorted(found, key=lambda active: active.stamp) if len(found) > 1 else found


BY_COUNTERS = {
    "health": ("fortify", (0, 1, 3, 6, 9)),
    "armor": ("armor", None),
    "magic armor": ("magic armor", None),
}
"""13.9.2, 13.4: the counters that change a statistic, and by how much for each number of them (None: by as many)."""


def printed(card: Card, word: str) -> int:
    """T6: a statistic as it stands on the card."""
    found = getattr(card, word, 0)
    return found.n if isinstance(found, Reach) else found if isinstance(found, int) else 0


def by_counters(thing: Thing, word: str) -> int:
    """13.9.2: what the counters on a thing add to a statistic."""
    kind, steps = BY_COUNTERS.get(word, ("", None))
    count = dict(thing.counters).get(kind, 0)
    return count if steps is None else steps[min(count, len(steps) - 1)]


def statistic(state: State, thing: Thing, word: str, base: int | None = None) -> int:
    """T6, 7.1, K49: any statistic of a card's as it is now: set, then added to, then never below zero. `base` is what
    it begins with, where that isn't what is printed."""
    start = printed(state.cards[thing.card], word) if base is None else base
    if not selecting.works(state, kind_of(thing.zone)):
        return start
    added = by_counters(thing, word)
    for active in _on(state, thing, word):
        change = active.effect.change(word)
        if change is None:
            continue
        by = _asked_number(state, change, active)
        if change.how == "set":
            start = by
        else:
            added += by
    return max(0, start + added)


def _asked_number(state: State, change: Change, active: Active) -> int:
    """T10: by how much; a number that asks for others asks one deeper."""
    if isinstance(change.by, Number):
        return change.by.n
    _asked.depth += 1
    try:
        return values.number(state, change.by, active.scope)
    finally:
        _asked.depth -= 1


def attack(state: State, thing: Thing) -> int:
    """7.1: a citizen's attack as it is now."""
    return statistic(state, thing, "attack", state.cards[thing.card].attack)


def defense(state: State, thing: Thing) -> int:
    """7.1: a citizen's defense as it is now."""
    return statistic(state, thing, "defense", state.cards[thing.card].defense)


def keywords(state: State, thing: Thing) -> tuple[str, ...]:
    """T9: the keywords that a thing has now: printed, given and taken, in the order in which that happened."""
    words = list(state.cards[thing.card].keywords)
    if not selecting.works(state, kind_of(thing.zone)):
        return tuple(words)
    for active in _on_but(state, thing):
        word = active.effect.text("keyword")
        name = word.lstrip("+-")
        if word.startswith("-"):
            words = [other for other in words if other != name]
        elif name not in words:
            words.append(name)
    return tuple(words)


def _on_but(state: State, thing: Thing) -> list[Active]:
    """Keyword modifiers on a thing; who asks for a keyword to give a keyword looks at what is printed."""
    found = []
    for active in in_effect(state, "keyword"):
        where = active.dynamic.where if active.dynamic else None
        if where is not None and where.keyword:
            if where.keyword not in state.cards[thing.card].keywords:
                continue
            active = replace(active, dynamic=Selector("any", where=replace(where, keyword="")))
        if touches(state, active, thing):
            found.append(active)
    return sorted(found, key=lambda active: active.stamp)


def has(state: State, thing: Thing, keyword: str) -> bool:
    """T9: whether a thing has a keyword now."""
    return keyword in keywords(state, thing)


def abilities(state: State, thing: Thing) -> tuple[Ability, ...]:
    """T9, 2.1.c: the abilities of a thing: its own, then those that others give it."""
    return (*state.cards[thing.card].abilities, *(ability for ability, _ in given(state, thing)))


def given(state: State, thing: Thing) -> list[tuple[Ability, str]]:
    """2.1.c, A32: the reactions that passive abilities of others give to a thing, each with the card that gives it."""
    found = []
    for active in giving(state):
        ability = active.effect.ability("reaction")
        if ability is not None and touches(state, active, thing):
            found.append((ability, active.scope.card))
    return found


def giving(state: State) -> list[Active]:
    """2.1.c: what gives reactions now."""
    return [active for active in in_effect(state) if active.effect.word == "reaction"]


def last_seen(state: State, thing: Thing) -> Gone:
    """K38: a thing as it is now, to be remembered when it has left."""
    return Gone(thing, attack(state, thing), defense(state, thing), keywords(state, thing), abilities(state, thing))


def forbids(state: State, action: str, aim: Thing | str) -> str:
    """10.2: the card that forbids an action to a thing or a player (by letter); empty where none does."""
    for active in in_effect(state, "can't"):
        if active.effect.text("can't") != action:
            continue
        if _forbidden(state, active, aim):
            return active.scope.card or "ruling"
    return ""


def _forbidden(state: State, active: Active, aim: Thing | str) -> bool:
    who = active.who or active.effect.selector("who")
    if isinstance(aim, str):
        if who is not None:
            return aim in selecting.seats_meant(state, who, active.scope)
        return Player(aim) in active.on
    if who is not None and not active.on:
        return active.dynamic is None and aim.controller in selecting.seats_meant(state, who, active.scope)
    return touches(state, active, aim)


def cost_change(state: State, seat: str, thing: Thing) -> int:
    """T7: by how much a card costs its player more (or less) generic energy."""
    total = 0
    for active in in_effect(state, "costs"):
        who, where = active.who or active.effect.selector("who"), active.effect.filter("of")
        if seat not in selecting.seats_meant(state, who, active.scope):
            continue
        anywhere = replace(where, zone="any") if where is not None and not where.zone else where
        change = active.effect.change("costs")
        if change and (anywhere is None or selecting.fits(state, thing, anywhere, active.scope)):
            total += values.number(state, change.by, active.scope)
    return total


def fixed_effect(state: State, effect: Effect, scope: Scope) -> Effect:
    """T10: a lasting effect's numbers are those of the moment at which it resolved."""

    def now(value: object) -> object:
        if isinstance(value, Change):
            return Change(value.how, Number(values.number(state, value.by, scope)))
        return value

    return Effect(effect.word, tuple((key, now(value)) for key, value in effect.args))  # type: ignore[misc]


def expire(state: State, until: str, of: str = "") -> State:
    """4.6: the lasting effects without those that end now, all together."""
    kept = tuple(one for one in state.lasting if not (one.until == until and (not of or one.scope.controller == of)))
    alive = tuple(one for one in kept if _alive(state, one))
    return replace(state, lasting=alive)


def _alive(state: State, lasting: Lasting) -> bool:
    refs = [aim for aim in lasting.on if isinstance(aim, Ref)]
    return not refs or any(state.thing(ref) is not None for ref in refs) or len(refs) < len(lasting.on)
