"""Kryptik as the core plays it: its data and procedures, put together."""

from tables.core import agreeing, pile
from tables.core.engine import pass_priority
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lists.vocabulary import COLOURS
from tables.core.play import Play, Rules
from tables.core.state import Item
from tables.games.kryptik import casting, citizens, combat, legal, paying, setup, turns
from tables.games.kryptik.eleven import AskEleven
from tables.games.kryptik.flow import FOLLOWING, PHASES, STEPS, ZONES
from tables.games.kryptik.words import PRIMITIVES


def resolve(play: Play, item: Item) -> None:
    """8.4: the top of the pile: a citizen enters, an 11 year choice is asked, an effect is carried out."""
    play.emit(Event("resolves", ("8.4",), item.controller, play.state.things.get(item.source.key), told=item.what))
    if item.what == "choice":
        play.push(pile.Finish(item.id))
        play.ask(AskEleven((item.controller,), item))
    elif item.what == "card" and play.state.cards[item.card].type == "citizen":
        casting.resolve_citizen(play, item)
    else:
        pile.resolve(play, item)


def check(play: Play) -> bool:
    """K16: before anybody gets priority, again until nothing changes."""
    return citizens.check(play) or combat.lost_ravenous(play)


def concede(play: Play, seat: str, action: Action) -> None:
    """3.2, K47: at any time; it counts at once. A player who concedes while first hands are chosen (2.3.1) keeps
    theirs, so that the others choose theirs."""
    agreeing.concession(play, seat)
    decision = play.state.decision
    if play.state.turn.at == "setup" and decision is not None and seat in decision.of and play.state.version >= 4:
        decision.leaves(play, seat)
    citizens.lose(play, seat, "3.2")
    citizens.players_left(play)


KRYPTIK = Rules(
    name="kryptik",
    zones={zone.name: zone for zone in ZONES},
    steps={step.name: step for step in STEPS},
    entering={
        "setup": setup.begin,
        "disengage": turns.disengage,
        "draw": turns.draw,
        "first": turns.first,
        "attack": combat.attack_begins,
        "block": combat.block_begins,
        "damage": combat.damage_begins,
        "end": turns.end,
    },
    leaving={"end": turns.end_is_over},
    check=check,
    acts={
        "pass": pass_priority,
        "cast": casting.cast,
        "use": casting.use,
        "soul": casting.soul,
        "energy": casting.energy,
    },
    anytime={"concede": concede, "propose": agreeing.propose, "accept": agreeing.accept, "refuse": agreeing.refuse},
    unasked={
        "recursion": "2.3.1",
        "attack": "4.4.2",
        "block": "4.4.3",
        "order": "4.4.4.1",
        "eleven": "6.1",
        "triggers": "8.4",
        "discard": "4.6",
        "abolish": "7.1.2",
        "sacrifice": "G: Sacrifice",
        "choose": "10.4",
        "target": "8.5",
        "yes": "9.3",
        "no": "9.3",
        "soul": "8.3",
    },
    resolve=resolve,
    moved=casting.moved,
    primitives=PRIMITIVES,
    legal=legal.actions,
    open_lines=legal.open_lines,
    discard="limbo",
    outside_pile=casting.outside_pile,
    can_pay=casting.can_pay,
    pay=casting.pay,
    blanks=paying.blanks,
    phases=PHASES,
    following=FOLLOWING,
    last="end",
    idle=frozenset({"energy"}),
    asked=frozenset({"priority", "attack", "block", "may", "triggers", "discard"}),
    heard=("spell", "citizen"),
    energy=COLOURS,
    shuffled=("2.2", "G: Shuffle"),
    cites={("2.1.b",): ("K63",), ("T10.2",): ("K58",)},
)
