"""8.3: the lines that a holder of priority may post now; the page offers them, and random play chooses among them."""

from __future__ import annotations

from itertools import islice, product

from tables.core import costs, lasting, pile
from tables.core.lines import naming
from tables.core.lists.cards import Ability, Card, Number, Price, Selector
from tables.core.state import Aim, Scope, State, Thing
from tables.core.zones import zone_of
from tables.games.kryptik import casting
from tables.games.kryptik.steps import step_of

MOST_AIMS = 12
"""So many ways to aim one effect are offered."""


def lines(state: State, seat: str) -> tuple[str, ...]:
    """8.3: `pass` first; then what seems legal. What isn't (a cost of another kind) is refused when it is posted."""
    found = ["pass", *_souls(state, seat), *_energies(state, seat), *_casts(state, seat), *_uses(state, seat)]
    return tuple(dict.fromkeys(found))


def _souls(state: State, seat: str) -> list[str]:
    if state.turn.of != seat or not step_of(state).main or "soul" in state.marks:
        return []
    return [f"soul {thing.card}" for thing in state.zone(zone_of(seat, "hand"))]


def _energies(state: State, seat: str) -> list[str]:
    row = [thing for thing in state.zone(zone_of(seat, "soul")) if not thing.engaged]
    return [
        f"energy {colour} from #{thing.number}"
        for thing in row
        for colour in state.cards[thing.card].soul or (costs.GENERIC,)
    ]


def _casts(state: State, seat: str) -> list[str]:
    timely = casting.main_and_empty(state, seat)
    found = []
    for thing in {thing.card: thing for thing in state.zone(zone_of(seat, "hand"))}.values():
        card = state.cards[thing.card]
        if not timely and (card.type == "citizen" or "focused" in card.keywords):
            continue
        if not _affordable(state, seat, thing, card):
            continue
        scope = Scope(thing.ref, thing.card, seat)
        ways = [_aims(state, ability, scope) for ability in casting.paragraphs(card)]
        x = "; X = 0" if _has_x(card.cost) else ""
        for way in islice(product(*ways), MOST_AIMS):
            aims = [aim for part in way for aim in part]
            target = "; target " + ", ".join(naming.call(state, aim) for aim in aims) if aims else ""
            found.append(f"cast {thing.card}{target}{x}")
    return found


def _has_x(price: Price) -> bool:
    return any(not isinstance(stone.n, Number) for stone in price.stones)


def _affordable(state: State, seat: str, thing: Thing, card: Card) -> bool:
    specific, generic = costs.stones(card.cost, 0, lasting.cost_change(state, seat, thing))
    return costs.payment(costs.sources(state, seat), specific, generic) is not None


def _aims(state: State, ability: Ability, scope: Scope) -> list[tuple[Aim, ...]]:
    """8.5: some ways to aim an effect: each fixed target at each legal thing, an "up to" at one."""
    each = []
    for target in ability.targets:
        legal = pile.legal_targets(state, target, scope)
        number = target.least or min(1, len(legal))
        if number > len(legal):
            return []
        each.append([legal[at : at + number] for at in range(len(legal) - number + 1)] if number else [()])
    return [tuple(aim for part in way for aim in part) for way in islice(product(*each), MOST_AIMS)]


def _may_engage(state: State, thing: Thing, ability: Ability) -> bool:
    """8.1, G: Engage, G: Weary: whether a citizen that engages to pay is neither engaged nor weary."""
    engages = any(act.word == "engage" and act.selector("engage") == Selector("self") for act in ability.cost.acts)
    return not engages or not (thing.engaged or (thing.weary and not lasting.has(state, thing, "eager")))


def _uses(state: State, seat: str) -> list[str]:
    found = []
    for thing in state.zone(zone_of(seat, "island")):
        active = [ability for ability in lasting.abilities(state, thing) if ability.kind == "active"]
        for number, ability in enumerate(active, 1):
            specific, generic = costs.stones(ability.cost, 0)
            if costs.payment(costs.sources(state, seat), specific, generic) is None:
                continue
            if state.version >= 4 and not _may_engage(state, thing, ability):
                continue
            which = f" {('first', 'second', 'third', 'fourth')[number - 1]} ability" if 1 < len(active) <= 4 else ""
            x = "; X = 0" if _has_x(ability.cost) else ""
            for aims in _aims(state, ability, Scope(thing.ref, thing.card, seat)):
                target = "; target " + ", ".join(naming.call(state, aim) for aim in aims) if aims else ""
                found.append(f"use #{thing.number}{which}{target}{x}")
    return found
