"""1.3.2.d: the Afternoon: turns alternate; in one, any number of quick actions, then a card or a pass. (A8, A17)"""

from dataclasses import dataclass, replace

from tables.core import query
from tables.core.blanks import OpenLine
from tables.core.decisions import Decision
from tables.core.engine import go_to
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import PASS, Action
from tables.core.lists.cards import Ability, Card, Number
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Ref, Scope, State, Task, Thing
from tables.core.zones import zone_of
from tables.games.altered import agreements, finding, legal, moving, paying, reactions, statuses
from tables.games.altered.flow import EXPEDITIONS, MOST_A_DAY
from wargame.rules.core.saying import said

TURN_OVER = "turn over"


def begin(play: Play) -> None:
    """1.3.2.d: the first player has the first turn."""
    if not play.state.turn.of:
        play.state = replace(play.state, turn=replace(play.state.turn, of=play.state.turn.starter))


def go_on(play: Play) -> None:
    """1.3.2.d: the next turn; a player who has passed has none; when both have, it is Dusk."""
    state = play.state
    order = state.clockwise(state.turn.of)
    if TURN_OVER in state.marks:
        play.state = replace(state, marks=tuple(mark for mark in state.marks if mark != TURN_OVER))
        order = (*order[1:], *order[:1])
    remaining = [seat for seat in order if passed(seat) not in play.state.marks]
    if not remaining:
        go_to(play, "dusk")
        return
    play.state = replace(play.state, turn=replace(play.state.turn, of=remaining[0]))
    play.ask(AskTurn((remaining[0],)))


def passed(seat: str) -> str:
    """1.3.2.d: the mark of a player who has passed this day."""
    return f"passed {seat}"


@dataclass(frozen=True, slots=True)
class AskTurn(Decision):
    """1.3.2.d: a player's turn."""

    kind = "turn"
    takes = ("pass", "play", "quick")
    cites = "1.3.2.d"
    renewed = True

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """1.3.2.d: a card or a pass ends it, a quick action doesn't."""
        if action.kind == "quick":
            quick(play, seat, action)
            return
        if action.kind == "play":
            play_card(play, seat, action)
        else:
            play.mark(passed(seat))
            play.emit(Event("passed", ("1.3.2.d",), seat))
        play.mark(TURN_OVER)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer passes."""
        return PASS

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        """To pass, besides the cards that can be played."""
        return legal.actions(state, seat)

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """1.3.2.d: cards that may be played, and the quick actions."""
        return tuple(legal.open_lines(play, seat)) if seat in self.of else ()

    def says_all(self, state: State) -> bool:
        """K58: a player who can do nothing passes."""
        return True

    def is_open(self, state: State) -> bool:
        """T10.2: a player without cards in hand hides nothing that they could play."""
        return not state.zone(zone_of(self.of[0], "hand"))


# ------------------------------------------------------------------------------------------- playing a card


def play_card(play: Play, seat: str, action: Action) -> None:
    """A8: declare, move to Limbo, pay, resolve; nobody responds in between."""
    thing, origin = _card(play.state, seat, action)
    card = play.state.cards[thing.card]
    price = paying.cost(play.state, seat, thing)
    _where(card, action)
    if query.forbids(play.state, "play", thing) or query.forbids(play.state, "play", seat):
        raise Refused("1.4.1.a", said("a card forbids it"))
    effects = finding.spells(card)
    before = Scope(thing.ref, thing.card, seat, x=action.x or 0)
    scopes, names = [], list(action.targets or ())
    for ability in effects:
        own_names = names[: sum(target.most for target in ability.targets)]
        names = names[len(own_names) :]
        rest = names if ability is effects[-1] else []
        own_action = replace(action, targets=(*own_names, *rest))
        scopes.append(reactions.declare(play, seat, own_action, ability, before))
    if not effects and action.targets:
        raise Refused("A8", said("it takes no targets when it is played"))
    more = sum(reactions.tough_cost(play.state, scope) for scope in scopes)
    new_thing = moving.go(play, thing, "limbo", cites=("A8",), event="played")
    paying.pay_mana(play, seat, price + more, action, ("A8",))
    if new_thing is not None:
        play.push(Stays(new_thing.ref, origin, action.to))
        for ability, scope in reversed(list(zip(effects, scopes, strict=True))):
            play.push(Resolves(ability, replace(scope, source=new_thing.ref)))


def _card(state: State, seat: str, action: Action) -> tuple[Thing, str]:
    """A18: a card of one's hand, or of one's Reserve if the line says so."""
    origin = action.origin or "hand"
    if origin not in ("hand", "reserve"):
        raise Refused("A18", said("you can only play cards from your Hand or Reserve"))
    with finding.citing("A18"):
        return naming.hand_card(state, seat, action, action.card, origin), origin


def _where(card: Card, action: Action) -> None:
    """A17: a Character needs an expedition, no other card has one."""
    if card.type not in ("character", "landmark", "spell"):
        raise Refused("A17", said("a %(type)s can't be played", type=card.type))
    if card.type == "character" and action.to not in EXPEDITIONS:
        raise Refused("A17", said("name the expedition: `to hero` or `to companion`"))
    if card.type != "character" and action.to:
        raise Refused("A17", said("only Characters can go to an expedition"))


@dataclass(frozen=True, slots=True)
class Resolves(Task):
    """A8: an effect of a Spell."""

    ability: Ability
    scope: Scope

    def run(self, play: Play) -> None:
        """A8: carry out the effect."""
        reactions.resolve(play, self.ability, self.scope)


@dataclass(frozen=True, slots=True)
class Stays(Task):
    """A17: where a played card stays, by its type."""

    source: Ref
    origin: str
    expedition: str

    def run(self, play: Play) -> None:
        """A17, A18: from Limbo; unless an effect has moved it."""
        thing = play.state.thing(self.source)
        if thing is None:
            return
        card = play.state.cards[thing.card]
        if card.type == "spell":
            kind = "reserve" if agreements.agreed(play.state, 4) == "reserve" else "discard"
            moving.go(play, thing, kind, cites=(*agreements.cites(play.state, 4), "A17"), event="done")
        elif card.type == "landmark":
            after = moving.go(play, thing, "landmark", cites=("A17",), event="moved", origin=self.origin)
            if after is not None:
                play.emit(Event("enters", ("A17",), after.controller, after, zone=after.zone, from_zone=self.origin))
        else:
            self._enters(play, thing)

    def _enters(self, play: Play, thing: Thing) -> None:
        """A18: by agreement 5 a Character from the Reserve enters Fleeting."""
        seat = play.state.turn.of
        fleeting = self.origin == "reserve" and agreements.agreed(play.state, 5) == statuses.FLEETING
        cites = ("A17", *(agreements.cites(play.state, 5) if fleeting else ()))
        entered = (statuses.FLEETING,) if fleeting else ()
        moving.go(play, thing, self.expedition, seat=seat, cites=cites, event="moved", origin=self.origin,
                  entering=entered)  # fmt: skip


# ------------------------------------------------------------------------------------------- quick actions


def quick(play: Play, seat: str, action: Action) -> None:
    """5.3: a quick action of an object of one's own: no change of zone; a hundred times a day (5.3.d)."""
    state = play.state
    refs = tuple(thing.ref for kind in ("hero", "companion", "landmark", "herozone")
                 for thing in state.zone(zone_of(seat, kind)))  # fmt: skip
    thing = state.thing(finding.one(state, seat, action, action.thing, refs, "5.3.a"))
    if thing is None or thing.controller != seat or thing.ref not in refs:
        raise Refused("5.3.a", said("you can only play quick actions of your own objects in play"))
    number, ability = finding.which(state, thing, action)
    if state.counts.get(finding.mark(thing, number), 0) >= MOST_A_DAY:
        raise Refused(("1.4.6.b", "5.3.d"), said("you can play each quick action at most a hundred times a day"))
    if (
        action.x is None
        and any(not isinstance(stone.n, Number) for stone in ability.cost.stones)
        and state.version >= 5
    ):
        raise Refused("3.2.9.f", said("give a value for X: `; X = 2`"))
    scope = Scope(thing.ref, thing.card, seat, x=action.x or 0)
    if query.forbids(state, "use", thing) or query.forbids(state, "use", seat):
        raise Refused("1.4.1.a", said("a card forbids it"))
    if not query.holds(state, ability.test, scope):
        raise Refused("5.3.a", said("its condition isn't met"))
    scope = reactions.declare(play, seat, action, ability, scope)
    paying.pay(play, seat, ability.cost, scope, action, reactions.tough_cost(play.state, scope))
    play.count(finding.mark(thing, number))
    play.emit(Event("quick action", ("5.3",), seat, thing, amount=number + 1))
    reactions.resolve(play, ability, scope)


def orb(play: Play, seat: str, action: Action) -> None:
    """3.2.9.e, A9: one Orb is exhausted to ready another, whenever its owner could pay or decide something."""
    decision = play.state.decision
    if decision is None or not decision.hears(seat):
        raise Refused(("3.2.9.e", "A9"), said("you can only do this when you could pay or decide something"))
    orbs = {thing.number: thing for thing in play.state.zone(zone_of(seat, "mana"))}
    paid, readied = orbs.get(action.n), orbs.get(action.other)
    if paid is None or readied is None:
        raise Refused(
            "3.2.9.e", said("#%(what)s isn't one of your Mana Orbs", what=action.n if paid is None else action.other)
        )
    if paid.key == readied.key or not statuses.has(readied, statuses.EXHAUSTED):
        raise Refused("3.2.9.e", said("to ready an Orb, name a different one that is exhausted"))
    if not statuses.gain(play, paid, statuses.EXHAUSTED):
        raise Refused(("3.2.9.e", "2.4.1.d"), said("an exhausted Orb can't be exhausted again"))
    statuses.lose(play, readied, statuses.EXHAUSTED)
    play.emit(Event("orb", ("3.2.9.e",), seat, amount=1))
