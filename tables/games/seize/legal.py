"""S15: what a holder of priority may do now, and what may be filled in; the page offers them, and random
play chooses among them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tables.core import pile, query
from tables.core.blanks import GOES_ON, TARGET, Blank, OpenLine, X
from tables.core.lines import naming
from tables.core.lines.actions import PASS, Action
from tables.core.lines.forms import ORDINALS
from tables.core.lists.cards import Ability, Card, Number, Price, Selector
from tables.core.play import Play
from tables.core.state import Aim, Scope, State, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.seize import moving, paying, playing, rallying, reach, stats
from tables.games.seize.flow import MERCENARIES, MOVES, TREASURES

MOST_AIMS = 12
"""The most combinations of earlier targets to try when listing later ones."""


def actions(state: State, seat: str) -> tuple[Action, ...]:
    """S15: `pass` first; then treasures, mercenaries, special actions, moves and attacks."""
    found = [PASS]
    if seat in stats.turn_seats(state) and not state.pile:
        phase = state.turn.at
        if phase == "rally":
            found += [*_treasures(state, seat), *_mercenaries(state, seat), *_specials(state, seat)]
        if phase in MOVES:
            found += _moves(state, seat)
        if phase == "attack":
            found += _attacks(state, seat)
    return tuple(dict.fromkeys(found))


def open_lines(play: Play, seat: str) -> Iterator[OpenLine]:
    """9, S15: ability cards and active abilities, with their targets, X and costs."""
    state = play.state
    if seat in stats.turn_seats(state) and not state.pile:
        if state.turn.at == "attack":
            yield from _cards(play, seat, "attack")
        if state.turn.at in ("rally", *MOVES):
            yield from _cards(play, seat, "event")
        if state.turn.at == "rally":
            yield from _unequips(state, seat)
    yield from _cards(play, seat, "instant")
    yield from _uses(play, seat)


def _hand(state: State, seat: str, type_: str) -> list[Thing]:
    """2: one card of each name of a type in the hand."""
    hand = state.zone(zone_of(seat, "hand"))
    return list({thing.card: thing for thing in hand if state.cards[thing.card].type == type_}.values())


def _treasures(state: State, seat: str) -> list[Action]:
    if state.marks.count(f"treasure {seat}") >= TREASURES:
        return []
    return [
        *(Action("treasure", card=thing.card) for thing in _hand(state, seat, "treasure")),
        *(Action("treasure", card=thing.card, do="face down") for thing in _hand(state, seat, "mercenary")),
    ]


def _mercenaries(state: State, seat: str) -> list[Action]:
    if stats.arena(state) or rallying.held(state, seat) >= MERCENARIES:
        return []
    tiles = [tile for tile in reach.board(state).back(seat) if reach.entry_refused(state, seat, tile) is None]
    hall = reach.board(state).hall(seat)
    worn = _hand(state, seat, "treasure")
    options = []
    for thing in _hand(state, seat, "mercenary"):
        options += [Action("play", card=thing.card, to=tile) for tile in tiles]
        options += [
            Action("play", card=thing.card, to=tile, equip=one.card) for tile in tiles if tile in hall for one in worn
        ]
    for thing in state.zone(zone_of(seat, "quarters")):
        options += [Action("play", card=thing.card, to=tile, origin="quarters") for tile in tiles]
    return options


def _specials(state: State, seat: str) -> list[Action]:
    options = []
    hall = reach.board(state).hall(seat)
    ready = [one for one in paying.ready(state, seat) if not one.face_down]
    for thing in stats.mercenaries(state, seat):
        number = thing.number or 0
        if thing.at not in hall:
            continue
        if not stats.arena(state) and not stats.count(thing, "guild master"):
            options.append(Action("exit", thing=number))
        if not stats.did(state, "equipped", thing) and f"unequipped {seat}" not in state.marks:
            options += [Action("equip", thing=number, things=(one.number or 0,)) for one in ready]
    return options


def _moves(state: State, seat: str) -> list[Action]:
    options = []
    for thing in stats.mercenaries(state, seat):
        number = thing.number or 0
        options += [Action("move", thing=number, path=tuple(path)) for path in reach.ways(state, thing).values()]
        for other in stats.mercenaries(state):
            if moving.unveil_refused(state, thing, other) is None:
                options.append(Action("unveil", thing=number, targets=(other.number or 0,)))
    return options


def _attacks(state: State, seat: str) -> list[Action]:
    options = []
    for thing in stats.mercenaries(state, seat):
        number = thing.number or 0
        if reach.idle(state, thing) is None:
            options += [
                Action("attack", thing=number, targets=(one.number or 0,), stat=stat)
                for one, stat in reach.targets(state, thing)
            ]
        if reach.plunder_refused(state, thing) is None:
            options.append(Action("plunder", thing=number))
    return options


def _cards(play: Play, seat: str, kind: str) -> Iterator[OpenLine]:
    state = play.state
    for thing in _hand(state, seat, "ability"):
        card = state.cards[thing.card]
        if (card.kind or "instant") != kind or not paying.affordable(state, seat, card.cost, thing):
            continue
        if kind == "attack":
            for by in stats.mercenaries(state, seat):
                scope = Scope(thing.ref, thing.card, seat, by=by.ref)
                head = Action("attack card", card=card.name, thing=by.number or 0)
                yield from _filled_in(play, head, card, scope, GOES_ON)
        elif playing.class_refused(state, seat, card) is None:
            verb = "event" if kind == "event" else "play"
            head = Action(verb, card=card.name)
            yield from _filled_in(play, head, card, Scope(thing.ref, thing.card, seat), TARGET)


def _filled_in(play: Play, head: Action, card: Card, scope: Scope, label: str) -> Iterator[OpenLine]:
    aims = _targets(play.state, playing.paragraphs(card), scope, label)
    if aims is not None and (aims or label == TARGET):
        cost_blanks = paying.blanks(play, scope.controller, card.cost, scope)
        more = query.cost_change(play.state, scope.controller, play.state.things[scope.source.key])
        yield OpenLine(head, (*aims, *cost_blanks, *_x(play.state, scope.controller, card.cost, more)))


def _x(state: State, seat: str, price: Price, more: int = 0) -> tuple[Blank, ...]:
    """9.C: the possible values of X, as far as the Warchest goes."""
    if all(isinstance(stone.n, Number) for stone in price.stones):
        return ()
    ready = paying.ready(state, seat)
    paid = [x for x in range(len(ready) + 1) if paying.payment(state, ready, paying.stones(price, x, more)) is not None]
    return (Blank(X, tuple(map(str, paid))),)


def _targets(state: State, abilities: Sequence[Ability], scope: Scope, label: str) -> list[Blank] | None:
    """12: the possible targets of each effect; None if one of them has no legal target. The candidates for a later
    target depend on the ones before it: all that any of these allows are offered."""
    blanks = []
    for ability in abilities:
        ways: list[tuple[tuple[Aim, ...], ...]] = [()]
        for target in ability.targets:
            legal: dict[Aim, None] = {}
            longer = []
            for chain in ways:
                aims = pile.legal_targets(state, target, replace(scope, targets=chain))
                legal |= dict.fromkeys(aims)
                longer += [(*chain, aims[at : at + target.least]) for at in range(len(aims) - target.least + 1)]
            if not longer:
                return None
            ways = longer[:MOST_AIMS]
            names = tuple(naming.call(state, aim) for aim in legal)
            blanks.append(Blank(label, names, target.least, min(target.most, len(names))))
    return blanks


def _unequips(state: State, seat: str) -> Iterator[OpenLine]:
    """11.4.4: any number of treasures worn by a mercenary in the hall."""
    for thing in stats.mercenaries(state, seat):
        worn = tuple(f"#{one.number}" for one in state.beneath(thing.key))
        if worn and thing.at in reach.board(state).hall(seat):
            yield OpenLine(Action("unequip", thing=thing.number or 0), (Blank(GOES_ON, worn, 1, len(worn)),))


def _may_exhaust(thing: Thing, ability: Ability) -> bool:
    """9.C, 13.7.1: whether a thing that exhausts itself to pay is ready."""
    acts = ability.cost.acts
    exhausts = any(act.word == "exhaust" and act.selector("exhaust") == Selector("self") for act in acts)
    return not exhausts or not (thing.engaged or stats.count(thing, "exhaust"))


def _uses(play: Play, seat: str) -> Iterator[OpenLine]:
    state = play.state
    for thing in state.things.values():
        if thing.controller != seat or kind_of(thing.zone) not in ("battlefield", "events"):
            continue
        every = enumerate(query.abilities(state, thing))
        active = [(at, one) for at, one in every if one.kind == "active"]
        for index, (number, ability) in enumerate(active):
            if playing.use_refused(state, thing, ability, number) is not None:
                continue
            if not paying.affordable(state, seat, ability.cost):
                continue
            if state.version >= 4 and not _may_exhaust(thing, ability):
                continue
            nth = index + 1 if 1 < len(active) <= len(ORDINALS) else 0
            scope = Scope(thing.ref, thing.card, seat)
            aims = _targets(state, (ability,), scope, TARGET)
            if aims is None:
                continue
            cost_blanks = paying.blanks(play, seat, ability.cost, scope)
            use = Action("use", thing=thing.number or 0, ability=nth)
            yield OpenLine(use, (*aims, *cost_blanks, *_x(state, seat, ability.cost)))
