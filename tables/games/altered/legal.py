"""1.3.2.d: what a player may do in their turn, and what may be filled in; the page offers them, and random
play chooses among them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tables.core import pile, query
from tables.core.blanks import TARGET, Blank, OpenLine, X
from tables.core.lines import naming
from tables.core.lines.actions import PASS, Action
from tables.core.lists.cards import Ability, Number, Price
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Scope, State, Thing
from tables.core.zones import zone_of
from tables.games.altered import finding, paying, statuses
from tables.games.altered.flow import EXPEDITIONS, MOST_A_DAY


def actions(state: State, seat: str) -> tuple[Action, ...]:
    """1.3.2.d: to pass; nobody ever holds priority here."""
    return (PASS,)


def open_lines(play: Play, seat: str) -> Iterator[OpenLine]:
    """1.3.2.d: cards that may be played and the quick actions, with their targets and costs."""
    yield from _plays(play.state, seat)
    yield from _quicks(play, seat)


def _plays(state: State, seat: str) -> Iterator[OpenLine]:
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
            if price > have or query.forbids(state, "play", thing):
                continue
            head = Action("play", card=thing.card, origin=origin if origin == "reserve" else "")
            if card.type == "character":
                yield from (OpenLine(replace(head, to=kind)) for kind in EXPEDITIONS)
            else:
                aims = _targets(state, finding.spells(card), Scope(thing.ref, thing.card, seat))
                yield OpenLine(head, aims)


def _targets(state: State, abilities: Sequence[Ability], scope: Scope) -> tuple[Blank, ...]:
    """A8, 1.4.1.c: the possible targets of each effect: as many as there are."""
    blanks = []
    for target in [target for ability in abilities for target in ability.targets]:
        names = tuple(naming.call(state, aim) for aim in pile.legal_targets(state, target, scope))
        if names:
            blanks.append(Blank(TARGET, names, min(target.least, len(names)), min(target.most, len(names))))
    return tuple(blanks)


def _quicks(play: Play, seat: str) -> Iterator[OpenLine]:
    state = play.state
    for kind in ("hero", "companion", "landmark", "herozone"):
        for thing in state.zone(zone_of(seat, kind)):
            abilities = finding.quick_actions(state, thing)
            for number, ability in enumerate(abilities):
                if not _payable(state, seat, thing, ability.cost):
                    continue
                if state.counts.get(finding.mark(thing, number), 0) >= MOST_A_DAY:
                    continue
                head = Action("quick", thing=thing.number or 0, ability=number + 1 if len(abilities) > 1 else 0)
                scope = Scope(thing.ref, thing.card, seat)
                cost_blanks = paying.blanks(play, seat, ability.cost, scope)
                blanks = (*_targets(state, (ability,), scope), *cost_blanks, *_x(state, seat, ability.cost))
                yield OpenLine(head, blanks)


def _x(state: State, seat: str, price: Price) -> tuple[Blank, ...]:
    """3.2.9.f: the possible values of X, as far as Orbs go."""
    if all(isinstance(stone.n, Number) for stone in price.stones):
        return ()
    have = len(paying.ready_orbs(state, seat))
    return (Blank(X, tuple(str(x) for x in range(have + 1) if paying.mana(price, x) <= have)),)


def _payable(state: State, seat: str, thing: Thing, price: Price) -> bool:
    exhausts = any(act.word == "exhaust" for act in price.acts)
    if exhausts and statuses.has(thing, statuses.EXHAUSTED):
        return False
    if any(act.word == "sacrifice" for act in price.acts) and query.forbids(state, "sacrifice", thing):
        return False
    return paying.mana(price) <= len(paying.ready_orbs(state, seat))
