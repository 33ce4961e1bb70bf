"""Altered as the core plays it: its data and procedures, put together."""

from tables.core import agreeing
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability
from tables.core.play import Play, Rules
from tables.core.reasons import Refused
from tables.core.state import Item
from tables.games.altered import afternoon, day, dusk, legal, moving, night, paying, reactions, setup, showing
from tables.games.altered.flow import STEPS, ZONES
from tables.games.altered.words import PRIMITIVES
from wargame.rules.core.saying import said


def resolve(play: Play, item: Item) -> None:
    """A8: there is no pile: a played card is resolved at once."""
    raise Refused("A8", said("there is no pile here"))


def check(play: Play) -> bool:
    """A7: waiting reactions are played before anything goes on."""
    return bool(play.state.waiting) and reactions.settle(play)


def outside_pile(ability: Ability) -> bool:
    """A8: nothing uses a pile."""
    return True


def concede(play: Play, seat: str, action: Action) -> None:
    """A15: at any time."""
    if seat not in play.state.living:
        raise Refused("A15", said("you are already out of the game"))
    dusk.lose(play, seat, "A15")


ALTERED = Rules(
    name="altered",
    zones={zone.name: zone for zone in ZONES},
    steps={step.name: step for step in STEPS},
    entering={
        "morning": day.morning,
        "noon": day.noon,
        "afternoon": afternoon.begin,
        "dusk": dusk.begin,
        "night": night.rest,
    },
    leaving={
        "setup": setup.go_on,
        "expand": day.expand,
        "afternoon": afternoon.go_on,
        "dusk": dusk.go_on,
        "night": night.go_on,
    },
    check=check,
    acts={},
    anytime={
        "concede": concede,
        "propose": agreeing.propose,
        "accept": agreeing.accept,
        "refuse": agreeing.refuse,
        "orb": afternoon.orb,
    },
    unasked={
        "": "1.3.2.d",
        "over": "A15",
        "out": "A15",
        "mana": "1.3.2.b",
        "keep": "4.2.5.c",
        "react": "A7",
        "target": "A8",
        "choose": "1.4.5.a",
        "sacrifice": "1.4.5.a",
        "discard": "1.4.5.a",
        "resupply": "1.4.5.a",
        "yes": "1.4.5.a",
        "no": "1.4.5.a",
        "pay": "5.5.d",
        "done": "A33",
        "agree": "A12",
    },
    resolve=resolve,
    moved=moving.kept_boosts,
    primitives=PRIMITIVES,
    legal=legal.actions,
    open_lines=legal.open_lines,
    discard="discard",
    outside_pile=outside_pile,
    can_pay=paying.can_pay,
    pay=paying.pay,
    blanks=paying.blanks,
    cites={
        ("10",): ("1.4.2.a",),
        ("9.3",): ("1.4.5.a",),
        ("10.4",): ("1.4.5.a",),
        ("6.2",): ("3.1.3.f",),
        ("G: Search",): ("3.1.3.f",),
        ("G: Shuffle",): ("4.1.i",),
        ("3",): ("A15",),
        ("3.1",): ("A15",),
        ("3.2",): ("A15",),
        ("8.3",): ("1.3.2.d",),
        ("8.5",): ("A8",),
        ("6.3",): ("1.4.2.a",),
        ("10.1",): ("1.4.2.a",),
        ("G: Put/Place/Move",): ("1.4.2.a",),
        ("K42",): ("T11.1",),
    },
    asked=frozenset({"turn", "may", "keep"}),
    places=(2, 2),
    dealt=setup.dealt,
    floor="agreed",
    number_of=showing.number_of,
    shows=showing.shows,
)
