"""6: 11 year cards: the owner's options for one that was destroyed."""

from dataclasses import dataclass, replace

from tables.core import pile
from tables.core.blanks import OpenLine
from tables.core.decisions import Decision
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability, Number, Price, Stone
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Item, Scope, State
from tables.games.kryptik import casting, legal, paying
from wargame.rules.core.saying import said


@dataclass(frozen=True, slots=True)
class AskEleven(Decision):
    """6.1, K21: its 11 year ability, its 11 year cost, or into the hand."""

    item: Item

    kind = "eleven"
    takes = ("eleven",)
    cites = "6.1"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """6.1: an item it puts on the pile may be answered like any other."""
        thing = play.state.thing(self.item.source)
        if thing is None:
            return
        match action.do:
            case "hand":
                play.move(thing.key, "hand", cites=("6.1",), event="taken")
            case "ability":
                _ability(play, seat, action, self.item)
            case "cast":
                _cast(play, seat, action, self.item)
            case _:
                raise Refused("6.1", said("choose ability, cast or hand"))

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer takes the card into their hand."""
        return Action("eleven", do="hand")

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """6.1: its ability and its casting, if it has them, with their targets and costs."""
        card, scope = play.state.cards[self.item.card], Scope(self.item.source, self.item.card, seat)
        options: list[tuple[str, tuple[Ability, ...], Price]] = []
        if (ability := card.eleven.ability) is not None:
            options.append(("ability", (ability,), ability.cost))
        if card.eleven.cost is not None:
            options.append(("cast", casting.paragraphs(card), card.additional))
        return tuple(
            OpenLine(
                Action("eleven", do=do),
                (*aims, *paying.blanks(play, seat, price, scope), *legal.x_of(play.state, seat, price)),
            )
            for do, abilities, price in options
            if (aims := legal.targets(play.state, abilities, scope)) is not None
        )

    def says_all(self, state: State) -> bool:
        """K58: an 11 year card without ability and cost, or with one that can't be paid, goes into the hand."""
        return True

    def is_open(self, state: State) -> bool:
        """6.1: it is revealed, and so is everything that could pay for it, except cards of a hand."""
        card = state.cards[self.item.card]
        ability = card.eleven.ability
        return not card.additional.acts and (ability is None or not ability.cost.acts)

    def told(self, state: State, seat: str) -> tuple[str, ...]:
        return (self.item.card,)


def _ability(play: Play, seat: str, action: Action, item: Item) -> None:
    """6.1, 8.4: the 11 year ability goes on the pile; then the card goes to limbo (K21)."""
    ability = play.state.cards[item.card].eleven.ability
    if ability is None:
        raise Refused("6.1", said("this card has no 11 year ability"))
    scope = Scope(item.source, item.card, seat, x=casting.chosen_x(ability.cost, action))
    (targets,) = casting.declare(play, seat, action, (ability,), scope)
    scope = replace(scope, targets=targets)
    casting.pay(play, seat, ability.cost, scope, action)
    play.emit(Event("eleven ability", ("6.1",), seat, play.state.things[item.source.key]))
    if casting.outside_pile(ability):
        play.push(pile.Do(ability.do, scope))
        return
    pile.put(play, Item(play.count("item"), "ability", seat, item.source, item.card, scope, ability, True))


def _cast(play: Play, seat: str, action: Action, item: Item) -> None:
    """6.1, 8.1.2: cast at once for the 11 year cost, all of it generic, whatever phase it is (7.1, G: Focused)."""
    cost = play.state.cards[item.card].eleven.cost
    if cost is None:
        raise Refused("6.1", said("this card has no 11 year cost"))
    price = Price((Stone("any", Number(cost)),))
    thing = play.state.things[item.source.key]
    play.emit(Event("eleven cast", ("6.1", "8.1.2"), seat, thing))
    casting.put_on_pile(play, seat, action, thing, price, by_eleven=True)
