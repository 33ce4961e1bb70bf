"""Seize as the core plays it: its data and procedures, put together."""

from tables.core import agreeing, pile
from tables.core.engine import pass_priority
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability
from tables.core.play import Play, Rules
from tables.core.state import Item, State
from tables.games.seize import (
    attacks,
    choosing,
    damage,
    legal,
    moving,
    paying,
    playing,
    rallying,
    setup,
    showing,
    turns,
)
from tables.games.seize.flow import FORMATS, NUMBERS, STEPS, ZONES
from tables.games.seize.words import PRIMITIVES

RESOLVED = {
    "attack": attacks.resolve_attack,
    "plunder": attacks.resolve_plunder,
    "step": moving.resolve_step,
    "unveil": moving.resolve_unveil,
}
"""12: the procedures when an action resolves."""


def resolve(play: Play, item: Item) -> None:
    """12: the top of the stack: an action, a mercenary that comes, an ability."""
    play.emit(Event("resolves", ("12",), item.controller, play.state.things.get(item.source.key), told=item.what))
    if (action := RESOLVED.get(item.what)) is not None:
        action(play, item)
    elif item.what == "card" and play.state.cards[item.card].type == "mercenary":
        rallying.enters(play, item)
    elif item.what == "card":
        playing.resolve_card(play, item)
    else:
        pile.resolve(play, item)


def concede(play: Play, seat: str, action: Action) -> None:
    """5: at any time; before the first turn their open decision gets its default, so that the others go on; the
    place of a pillar is left to their partner (5.3)."""
    agreeing.concession(play, seat)
    decision = play.state.decision
    if play.state.turn.at == "setup" and decision is not None and seat in decision.of:
        decision.leaves(play, seat)
    damage.lose(play, seat, "5")
    damage.players_left(play)


def outside_pile(ability: Ability) -> bool:
    """12: every ability uses the stack."""
    return False


def unasked(state: State) -> str:
    """11.3, S15: in the Acquire Phase no abilities at all; else because the seat doesn't have priority."""
    return {"acquire": "11.3", "setup": "3"}.get(state.turn.at, "S15")


SEIZE = Rules(
    name="seize",
    zones={zone.name: zone for zone in ZONES},
    steps={step.name: step for step in STEPS},
    entering={
        "setup": setup.begin,
        "beginning": turns.phase(turns.beginning),
        "draw": turns.phase(turns.draw),
        "acquire": turns.phase(turns.acquire),
        "rally": turns.phase(turns.rally),
        "move1": turns.phase(),
        "attack": turns.phase(turns.attack),
        "move2": turns.phase(),
        "end": turns.phase(turns.end),
    },
    leaving={"move1": turns.first_movement_ends, "attack": turns.attack_ends, "end": turns.end_is_over},
    check=damage.check,
    acts={
        "pass": pass_priority,
        "treasure": rallying.treasure,
        "play": rallying.play_card,
        "equip": rallying.equip,
        "unequip": rallying.unequip,
        "exit": rallying.exits,
        "move": moving.move,
        "unveil": moving.unveil,
        "attack": attacks.attack,
        "attack card": playing.attack_card,
        "plunder": attacks.plunder,
        "event": playing.event,
        "use": playing.use,
    },
    anytime={"concede": concede, "propose": agreeing.propose, "accept": agreeing.accept, "refuse": agreeing.refuse},
    unasked={"mulligan": "3", "starter": "3", "pillar": "5.3", "champion": "S43", "acquire": "11.3", "enough": "11.3"},
    resolve=resolve,
    moved=rallying.moved,
    primitives=PRIMITIVES,
    legal=legal.actions,
    open_lines=legal.open_lines,
    discard="discard",
    outside_pile=outside_pile,
    can_pay=paying.can_pay,
    pay=paying.pay,
    blanks=paying.blanks,
    asked=frozenset({"priority", "may", "triggers", "discard"}),
    heard=("an ability", "mercenary"),
    places=(2, 4),
    format="standard",
    numbers=("vault",),
    quiet=frozenset({
        "treasure", "play", "equip", "unequip", "exit", "move", "unveil", "attack", "attack card", "plunder", "event",
        "pass",
    }),
    cites=NUMBERS,
    unasked_now=unasked,
    shows=showing.shows,
    lay=showing.lay,
    dealt=setup.dealt,
    ground=setup.lay_ground,
    reaches=choosing.every_one,
    sittings={key: one.seats for key, one in FORMATS.items()},
    best_of={key: one.best_of for key, one in FORMATS.items()},
    set_number=showing.set_number,
)  # fmt: skip
