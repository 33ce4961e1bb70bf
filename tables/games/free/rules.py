"""A table without rules: cards in zones, committed shuffles, turns that pass, and changes by agreement or ruling."""

from dataclasses import dataclass, replace

from tables.core import agreeing, manual_actions
from tables.core.blanks import Blank, OpenLine, with_names
from tables.core.decisions import AskChoice, Then
from tables.core.effects import SHARED
from tables.core.effects.cards import did, things_meant, who
from tables.core.engine import next_turn, pass_priority
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import PASS, Action
from tables.core.lists.cards import Ability, Effect, Price
from tables.core.play import Play, Rules, Step
from tables.core.query import number
from tables.core.reasons import Refused
from tables.core.state import Aim, Item, Scope, State, Thing
from tables.core.zones import ZoneKind, zone_of
from wargame.rules.core.saying import said

ZONES = (
    ZoneKind("hand", "free", "seat", "owner"),
    ZoneKind("deck", "free", "seat", "nobody", ordered=True),
    ZoneKind("table", "free", "seat", "all", play=True),
    ZoneKind("discard", "free", "seat", "all", ordered=True),
    ZoneKind("pile", "free", "shared", "all", ordered=True),
)
STEPS = (Step("setup", "free", "turn", priority=False), Step("turn", "free", "turn", main=True))


def _begin(play: Play) -> None:
    """T8.4: draw the seat that begins, unless the players named one."""
    turn, letters = play.state.turn, [seat.letter for seat in play.state.seats]
    starter = turn.of or play.state.options.starter or letters[play.draw("starter", 1, len(letters)) - 1]
    play.state = replace(play.state, turn=replace(turn, of=starter, starter=starter))
    play.emit(Event("starter", ("free",), starter))


def _turn_ends(play: Play) -> None:
    """All have passed: the next seat's turn."""
    order = play.state.clockwise(play.state.turn.of)
    next_turn(play, order[1 % len(order)], "turn")


def _draw(play: Play, effect: Effect, scope: Scope) -> None:
    for seat in who(play, effect, scope):
        top = play.state.zone(zone_of(seat, "deck"))[: number(play.state, effect.value("draw"), scope)]
        things = [play.move(thing.key, "hand", cites=("free",), event="drawn") for thing in top]
        did(play, scope, things)


def _engage(play: Play, effect: Effect, scope: Scope) -> None:
    """T11.7: turn cards on the table, or turn them back."""
    turned = effect.word == "engage"
    things = [thing for thing in things_meant(play, effect, scope) if thing.engaged is not turned]
    for thing in things:
        now = play.change(thing.key, engaged=turned)
        play.emit(Event(f"{effect.word}d", ("free",), thing.controller, now))
    did(play, scope, things)


def _destroy(play: Play, effect: Effect, scope: Scope) -> None:
    """T11.7: a thing that dies goes to its owner's discard pile."""
    things = things_meant(play, effect, scope)
    for thing in things:
        play.move(thing.key, "discard", cites=("free",), event="dies")
    did(play, scope, things)


@dataclass(frozen=True, slots=True)
class Discarded(Then):
    """T11.7: the chosen cards of a hand go to the discard pile."""

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """T11.7: discard the chosen cards."""
        for aim in aims:
            if (thing := play.state.thing(aim)) is not None:
                play.move(thing.key, "discard", cites=("free",), event="discarded")


def _discards(play: Play, effect: Effect, scope: Scope) -> None:
    """T11.7: a player discards a number of cards of their choice; all, if they have no more."""
    for seat in who(play, effect, scope):
        hand = tuple(thing.ref for thing in play.state.zone(zone_of(seat, "hand")))
        many = min(len(hand), number(play.state, effect.value("discard"), scope))
        if many == len(hand):
            Discarded().take(play, seat, hand)
        elif many:
            play.ask(AskChoice((seat,), hand, many, many, Discarded(), "free", "discard", "discard"))


def _discard(play: Play, seat: str, action: Action) -> None:
    """Discard cards of one's own hand, by name."""
    for name in naming.names(action):
        thing = naming.hand_card(play.state, seat, action, name)
        play.move(thing.key, "discard", cites=("free",), event="discarded")


def _by_hand(play: Play, seat: str, action: Action) -> None:
    """T11.7: a player's actions with their own cards, at once and public; those that concern others are proposed."""
    if seat not in play.state.living:
        raise Refused("3.1", said("you are out of the game"))
    for change in action.changes:
        if manual_actions.whose(play, seat, change) != seat:
            raise Refused("free", said("this affects more than your own cards: propose it to the others"))
    play.push(*agreeing.tasks_of(play, seat, action))


def _lose(play: Play, seat: str) -> None:
    play.change_seat(replace(play.state.seat(seat), out="conceded"))


def _concede(play: Play, seat: str, action: Action) -> None:
    """A player who concedes is out; the last one wins."""
    agreeing.concession(play, seat)
    _lose(play, seat)
    _check(play)


def _wins(play: Play, effect: Effect, scope: Scope) -> None:
    """Agreed: everybody else is out."""
    for seat in play.state.living:
        if (seat == scope.controller) is (effect.word == "loses"):
            _lose(play, seat)


def _check(play: Play) -> bool:
    living = play.state.living
    if len(living) <= 1 and play.state.result is None:
        play.end(living[0] if living else "", "free", draw=not living)
        return True
    return False


def _resolve(play: Play, item: Item) -> None:
    raise Refused("free", said("there is no pile here"))


def _moved(play: Play, before: Thing, after: Thing, entered: bool) -> None:
    return


def _legal(state: State, seat: str) -> tuple[Action, ...]:
    names = dict.fromkeys(thing.card for thing in state.zone(zone_of(seat, "hand")))
    return (PASS, *(with_names(Action("discard"), (name,)) for name in names))


def _nothing_open(play: Play, seat: str) -> tuple[OpenLine, ...]:
    """T11.7: manual actions have their own forms."""
    return ()


def _never(ability: Ability) -> bool:
    return False


def _cannot(play: Play, seat: str, price: Price, scope: Scope) -> bool:
    return False


def _no_blanks(play: Play, seat: str, price: Price, scope: Scope) -> tuple[Blank, ...]:
    return ()


def _no_cost(play: Play, seat: str, price: Price, scope: Scope, action: Action) -> None:
    raise Refused("free", said("you can only pay here by agreement"))


FREE = Rules(
    name="free",
    zones={zone.name: zone for zone in ZONES},
    steps={step.name: step for step in STEPS},
    entering={"setup": _begin},
    leaving={"turn": _turn_ends},
    check=_check,
    acts={"pass": pass_priority, "discard": _discard},
    anytime={
        "concede": _concede,
        "do": _by_hand,
        "propose": agreeing.propose,
        "accept": agreeing.accept,
        "refuse": agreeing.refuse,
    },
    unasked={},
    resolve=_resolve,
    moved=_moved,
    primitives={
        **SHARED,
        "draw": _draw,
        "wins": _wins,
        "loses": _wins,
        "engage": _engage,
        "disengage": _engage,
        "destroy": _destroy,
        "discard": _discards,
    },  # fmt: skip
    legal=_legal,
    open_lines=_nothing_open,
    discard="discard",
    has_rules=False,
    outside_pile=_never,
    can_pay=_cannot,
    pay=_no_cost,
    blanks=_no_blanks,
)
