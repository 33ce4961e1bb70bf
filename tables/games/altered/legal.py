"""1.3.2.d: the lines that a player may post in his turn; the page offers them, and random play chooses among them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

from tables.core import lasting, pile
from tables.core.lines import naming
from tables.core.lines.forms import ORDINALS
from tables.core.lists.cards import Ability, Price
from tables.core.reasons import Refused
from tables.core.state import Aim, Scope, State, Thing
from tables.core.zones import zone_of
from tables.games.altered import finding, paying, statuses
from tables.games.altered.flow import EXPEDITIONS, MOST_A_DAY

MOST_AIMS = 12
"""So many ways to aim one effect are offered."""


def lines(state: State, seat: str) -> tuple[str, ...]:
    """1.3.2.d: `pass` first; then what seems legal. What isn't (a choice in a cost) is refused when it is posted."""
    return tuple(dict.fromkeys(("pass", *_plays(state, seat), *_quicks(state, seat))))


def _plays(state: State, seat: str) -> Iterator[str]:
    have = len(paying.ready_orbs(state, seat))
    for origin in ("hand", "reserve"):
        for thing in {thing.card: thing for thing in state.zone(zone_of(seat, origin))}.values():
            card = state.cards[thing.card]
            if card.type not in ("character", "landmark", "spell"):
                continue
            try:
                price = paying.cost(state, seat, thing)
            except Refused:
                continue
            if price > have or lasting.forbids(state, "play", thing):
                continue
            source = " from reserve" if origin == "reserve" else ""
            if card.type == "character":
                yield from (f"play {thing.card} to {kind}{source}" for kind in EXPEDITIONS)
                continue
            scope = Scope(thing.ref, thing.card, seat)
            ways = [_aims(state, ability, scope) for ability in finding.spells(card)]
            for way in islice(product(*ways), MOST_AIMS):
                yield f"play {thing.card}{source}{_target(state, [aim for part in way for aim in part])}"


def _target(state: State, aims: list[Aim]) -> str:
    return "; target " + ", ".join(naming.call(state, aim) for aim in aims) if aims else ""


def _aims(state: State, ability: Ability, scope: Scope) -> list[tuple[Aim, ...]]:
    """A8: some ways to aim an effect."""
    each: list[list[tuple[Aim, ...]]] = []
    for target in ability.targets:
        legal = pile.legal_targets(state, target, scope)
        number = min(max(target.least, 1), len(legal))
        each.append([legal[at : at + number] for at in range(len(legal) - number + 1)] if number else [()])
    return [tuple(aim for part in way for aim in part) for way in islice(product(*each), MOST_AIMS)]


def _quicks(state: State, seat: str) -> Iterator[str]:
    for kind in ("hero", "companion", "landmark", "herozone"):
        for thing in state.zone(zone_of(seat, kind)):
            found = finding.quick_actions(state, thing)
            for number, ability in enumerate(found):
                if not _payable(state, seat, thing, ability.cost):
                    continue
                if state.counts.get(finding.mark(thing, number), 0) >= MOST_A_DAY:
                    continue
                which = f" {ORDINALS[number]} ability" if len(found) > 1 else ""
                for aims in _aims(state, ability, Scope(thing.ref, thing.card, seat)):
                    yield f"quick #{thing.number}{which}{_target(state, list(aims))}"


def _payable(state: State, seat: str, thing: Thing, price: Price) -> bool:
    exhausts = any(act.word == "exhaust" for act in price.acts)
    if exhausts and statuses.has(thing, statuses.EXHAUSTED):
        return False
    if any(act.word == "sacrifice" for act in price.acts) and lasting.forbids(state, "sacrifice", thing):
        return False
    return paying.mana(price) <= len(paying.ready_orbs(state, seat))
