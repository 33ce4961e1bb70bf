"""8.3: what a holder of priority may do now, and what may be filled in; the page offers them, and random
play chooses among them."""

from collections.abc import Iterator, Sequence

from tables.core import costs, pile, query
from tables.core.blanks import TARGET, Blank, OpenLine, X
from tables.core.lines import naming
from tables.core.lines.actions import PASS, Action
from tables.core.lines.forms import ORDINALS
from tables.core.lists.cards import Ability, Card, Number, Price, Selector
from tables.core.play import Play
from tables.core.state import Scope, State, Thing
from tables.core.zones import zone_of
from tables.games.kryptik import casting, paying
from tables.games.kryptik.flow import step_of


def actions(state: State, seat: str) -> tuple[Action, ...]:
    """8.3: `pass` first; a card for the soul row, and soul energy."""
    return tuple(dict.fromkeys((PASS, *_souls(state, seat), *_energies(state, seat))))


def open_lines(play: Play, seat: str) -> Iterator[OpenLine]:
    """8.3: cards that may be cast and abilities that may be used, with their targets, X and costs."""
    yield from _casts(play, seat)
    yield from _uses(play, seat)


def _souls(state: State, seat: str) -> list[Action]:
    if state.turn.of != seat or not step_of(state).main or "soul" in state.marks:
        return []
    return [Action("soul", card=thing.card) for thing in state.zone(zone_of(seat, "hand"))]


def _energies(state: State, seat: str) -> list[Action]:
    row = [thing for thing in state.zone(zone_of(seat, "soul")) if not thing.engaged]
    return [
        Action("energy", do=colour, thing=thing.number or 0)
        for thing in row
        for colour in state.cards[thing.card].soul or (costs.GENERIC,)
    ]


def _casts(play: Play, seat: str) -> Iterator[OpenLine]:
    state = play.state
    timely = casting.main_and_empty(state, seat)
    for thing in {thing.card: thing for thing in state.zone(zone_of(seat, "hand"))}.values():
        card = state.cards[thing.card]
        if not timely and (card.type == "citizen" or "focused" in card.keywords):
            continue
        more = query.cost_change(state, seat, thing)
        if not _affordable(state, seat, card.cost, more):
            continue
        scope = Scope(thing.ref, thing.card, seat)
        aims = targets(state, casting.paragraphs(card), scope)
        if aims is None:
            continue
        blanks = [*paying.blanks(play, seat, card.cost, scope), *paying.blanks(play, seat, card.additional, scope)]
        yield OpenLine(
            Action("cast", card=thing.card), (*aims, *blanks, *x_of(state, seat, card.cost, more), *_order(card))
        )


def _order(card: Card) -> tuple[Blank, ...]:
    """8.4.1: of several effects the first named goes on the pile first."""
    many = len(casting.paragraphs(card))
    numbers = tuple(str(at + 1) for at in range(many))
    return (Blank("order", (", ".join(reversed(numbers)),), 0, 1),) if many > 1 else ()


def x_of(state: State, seat: str, price: Price, more: int = 0) -> tuple[Blank, ...]:
    """10.4: the possible values of X, as far as soul energy goes."""
    if not hasx_of(price):
        return ()
    most = len(costs.sources(state, seat))
    paid = [x for x in range(most + 1) if _affordable(state, seat, price, more, x)]
    return (Blank(X, tuple(map(str, paid))),)


def hasx_of(price: Price) -> bool:
    """10.4: whether a cost contains X."""
    return any(not isinstance(stone.n, Number) for stone in price.stones)


def _affordable(state: State, seat: str, price: Price, more: int = 0, x: int = 0) -> bool:
    specific, generic = costs.stones(price, x, more)
    return costs.payment(costs.sources(state, seat), specific, generic) is not None


def targets(state: State, abilities: Sequence[Ability], scope: Scope) -> list[Blank] | None:
    """8.5: the possible targets of each effect; None if one of them has no legal target. Of several effects each is
    named (8.4.1)."""
    aimed = [at for at, ability in enumerate(abilities) if ability.targets]
    blanks = []
    for at in aimed:
        for target in abilities[at].targets:
            legal = pile.legal_targets(state, target, scope)
            if len(legal) < target.least:
                return None
            label = f"{ORDINALS[at]} effect" if len(aimed) > 1 else TARGET
            names = tuple(naming.call(state, aim) for aim in legal)
            blanks.append(Blank(label, names, target.least, min(target.most, len(names))))
    return blanks


def _may_engage(state: State, thing: Thing, ability: Ability) -> bool:
    """8.1, G: Engage, G: Weary: whether a citizen that engages to pay is neither engaged nor weary."""
    engages = any(act.word == "engage" and act.selector("engage") == Selector("self") for act in ability.cost.acts)
    return not engages or not (thing.engaged or (thing.weary and not query.has(state, thing, "eager")))


def _uses(play: Play, seat: str) -> Iterator[OpenLine]:
    state = play.state
    for thing in state.zone(zone_of(seat, "island")):
        active = [ability for ability in query.abilities(state, thing) if ability.kind == "active"]
        for number, ability in enumerate(active):
            if not _affordable(state, seat, ability.cost):
                continue
            if state.version >= 4 and not _may_engage(state, thing, ability):
                continue
            scope = Scope(thing.ref, thing.card, seat)
            aims = targets(state, (ability,), scope)
            if aims is None:
                continue
            nth = number + 1 if 1 < len(active) <= len(ORDINALS) else 0
            blanks = paying.blanks(play, seat, ability.cost, scope)
            use = Action("use", thing=thing.number or 0, ability=nth)
            yield OpenLine(use, (*aims, *blanks, *x_of(state, seat, ability.cost)))
