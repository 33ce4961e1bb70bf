"""S15: the lines that a holder of priority may post now; the page offers them, and random play chooses among them."""

from __future__ import annotations

from itertools import islice, product

from tables.core import pile
from tables.core.lines import naming
from tables.core.lists.cards import Ability, Card, Number, Price, Selector
from tables.core.state import Aim, Scope, State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.seize import moving, paying, playing, rallying, reach, stats
from tables.games.seize.flow import MERCENARIES, MOVES, TREASURES

MOST_AIMS = 12
"""So many ways to aim one effect are offered."""


def lines(state: State, seat: str) -> tuple[str, ...]:
    """S15: `pass` first; then what seems legal. What isn't (a further cost) is refused when it is posted."""
    found = ["pass"]
    if seat in stats.turn_seats(state) and not state.pile:
        phase = state.turn.at
        if phase == "rally":
            found += [*_treasures(state, seat), *_mercenaries(state, seat), *_specials(state, seat)]
        if phase in MOVES:
            found += _moves(state, seat)
        if phase == "attack":
            found += [*_attacks(state, seat), *_cards(state, seat, "attack")]
        if phase in ("rally", *MOVES):
            found += _cards(state, seat, "event")
    found += [*_cards(state, seat, "instant"), *_uses(state, seat)]
    return tuple(dict.fromkeys(found))


def _hand(state: State, seat: str, type_: str) -> list[Thing]:
    """2: one card of each name of a type in the hand."""
    hand = state.zone(zone_of(seat, "hand"))
    return list({thing.card: thing for thing in hand if state.cards[thing.card].type == type_}.values())


def _treasures(state: State, seat: str) -> list[str]:
    if state.marks.count(f"treasure {seat}") >= TREASURES:
        return []
    return [
        *(f"treasure {thing.card}" for thing in _hand(state, seat, "treasure")),
        *(f"treasure face down {thing.card}" for thing in _hand(state, seat, "mercenary")),
    ]


def _mercenaries(state: State, seat: str) -> list[str]:
    if stats.arena(state) or rallying.held(state, seat) >= MERCENARIES:
        return []
    tiles = [tile for tile in reach.board(state).back(seat) if reach.entry_refused(state, seat, tile) is None]
    hall = reach.board(state).hall(seat)
    worn = _hand(state, seat, "treasure")[:2]
    found = []
    for thing in _hand(state, seat, "mercenary"):
        found += [f"play {thing.card} to {tile}" for tile in tiles]
        found += [f"play {thing.card} to {tile} with {one.card}" for tile in tiles if tile in hall for one in worn]
    for thing in state.zone(zone_of(seat, "quarters")):
        found += [f"play {thing.card} to {tile} from quarters" for tile in tiles]
    return found


def _specials(state: State, seat: str) -> list[str]:
    found = []
    hall = reach.board(state).hall(seat)
    ready = [one for one in paying.ready(state, seat) if not one.face_down]
    for thing in stats.mercenaries(state, seat):
        if thing.at not in hall:
            continue
        if not stats.arena(state) and not stats.count(thing, "guild master"):
            found.append(f"exit #{thing.number}")
        if not stats.did(state, "equipped", thing) and f"unequipped {seat}" not in state.marks:
            found += [f"equip #{thing.number} with #{one.number}" for one in ready]
        found += [f"unequip #{thing.number}: #{one.number}" for one in state.beneath(thing.key)]
    return found


def _moves(state: State, seat: str) -> list[str]:
    found = []
    for thing in stats.mercenaries(state, seat):
        found += [f"move #{thing.number}: {'-'.join(path)}" for path in reach.ways(state, thing).values()]
        for other in stats.mercenaries(state):
            if moving.unveil_refused(state, thing, other) is None:
                found.append(f"unveil #{other.number} with #{thing.number}")
    return found


def _attacks(state: State, seat: str) -> list[str]:
    found = []
    for thing in stats.mercenaries(state, seat):
        if reach.idle(state, thing) is None:
            found += [f"attack #{thing.number} > #{one.number} {stat}" for one, stat in reach.targets(state, thing)]
        if reach.plunder_refused(state, thing) is None:
            found.append(f"plunder with #{thing.number}")
    return found


def _cards(state: State, seat: str, kind: str) -> list[str]:
    found = []
    for thing in _hand(state, seat, "ability"):
        card = state.cards[thing.card]
        if (card.kind or "instant") != kind or not paying.affordable(state, seat, card.cost, thing):
            continue
        if kind == "attack":
            for by in stats.mercenaries(state, seat):
                found += _attack_lines(state, seat, thing, card, by)
        elif playing.class_refused(state, seat, card) is None:
            word = "event" if kind == "event" else "play"
            scope = Scope(thing.ref, thing.card, seat)
            found += [f"{word} {card.name}{_target(state, aims)}{_x(card.cost)}" for aims in _ways(state, card, scope)]
    return found


def _attack_lines(state: State, seat: str, thing: Thing, card: Card, by: Thing) -> list[str]:
    scope = Scope(thing.ref, thing.card, seat, by=by.ref)
    found = []
    for aims in _ways(state, card, scope):
        if aims and playing.sight_refused(state, Scope(thing.ref, thing.card, seat, (aims,), by=by.ref)) is None:
            names = ", ".join(naming.call(state, aim) for aim in aims)
            found.append(f"attack card {card.name} by #{by.number} > {names}{_x(card.cost)}")
    return found


def _x(price: Price) -> str:
    return "; X = 0" if any(not isinstance(stone.n, Number) for stone in price.stones) else ""


def _target(state: State, aims: tuple[Aim, ...]) -> str:
    return "; target " + ", ".join(naming.call(state, aim) for aim in aims) if aims else ""


def _ways(state: State, card: Card, scope: Scope) -> list[tuple[Aim, ...]]:
    ways = [_aims(state, ability, scope) for ability in playing.paragraphs(card)]
    return [tuple(aim for part in way for aim in part) for way in islice(product(*ways), MOST_AIMS)]


def _aims(state: State, ability: Ability, scope: Scope) -> list[tuple[Aim, ...]]:
    """12: some ways to aim an effect; what a later target may be hangs on the ones before it."""
    ways: list[tuple[tuple[Aim, ...], ...]] = [()]
    for target in ability.targets:
        longer: list[tuple[tuple[Aim, ...], ...]] = []
        for way in ways:
            here = Scope(scope.source, scope.card, scope.controller, targets=way, by=scope.by)
            legal = pile.legal_targets(state, target, here)
            number = target.least or min(1, len(legal))
            if number > len(legal):
                continue
            longer += [(*way, legal[at : at + number]) for at in range(max(1, len(legal) - number + 1))]
        ways = longer[:MOST_AIMS]
    return [tuple(aim for part in way for aim in part) for way in ways]


def _may_exhaust(thing: Thing, ability: Ability) -> bool:
    """9.C, 13.7.1: whether what exhausts itself to pay is ready."""
    acts = ability.cost.acts
    exhausts = any(act.word == "exhaust" and act.selector("exhaust") == Selector("self") for act in acts)
    return not exhausts or not (thing.engaged or stats.count(thing, "exhaust"))


def _uses(state: State, seat: str) -> list[str]:
    found = []
    for thing in state.things.values():
        if thing.controller != seat or kind_of(thing.zone) not in ("battlefield", "events"):
            continue
        active = [(at, one) for at, one in enumerate(state.cards[thing.card].abilities) if one.kind == "active"]
        for which, (number, ability) in enumerate(active, 1):
            if playing.use_refused(state, thing, ability, number) is not None:
                continue
            if not paying.affordable(state, seat, ability.cost):
                continue
            if state.version >= 4 and not _may_exhaust(thing, ability):
                continue
            word = f" {('first', 'second', 'third', 'fourth')[which - 1]} ability" if 1 < len(active) <= 4 else ""
            for aims in _aims(state, ability, Scope(thing.ref, thing.card, seat)):
                found.append(f"use #{thing.number}{word}{_target(state, aims)}{_x(ability.cost)}")
    return found
