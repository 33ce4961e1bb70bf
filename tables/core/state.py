"""T5: the state of a table, frozen. Nothing here changes anything: `play.Play` derives the next state from one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from tables.core.grid import Ground
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability, Card, Effect, Selector
from tables.core.proof.draws import Draws

if TYPE_CHECKING:
    from tables.core.decisions import Decision
    from tables.core.pace.standing_orders import Order, Plan
    from tables.core.play import Play


LATEST = 5
"""T6: the rules version of new tables; code for earlier versions checks `State.version`."""


def version_of(text: str) -> int:
    """T6: a version as written in a log; the latest if none is written."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 4 else LATEST


@dataclass(frozen=True, slots=True)
class Ref:
    """8.5: a thing in one zone; with another stamp it has left that zone, and is another thing."""

    key: str
    stamp: int


@dataclass(frozen=True, slots=True)
class Player:
    """8.5: a player that an effect means."""

    seat: str


@dataclass(frozen=True, slots=True)
class OnPile:
    """8.5: an item of the effect pile that an effect means."""

    item: int


@dataclass(frozen=True, slots=True)
class Tile:
    """2: a tile of the ground that an effect means."""

    name: str


Aim: TypeAlias = Ref | Player | OnPile | Tile
"""Anything that a target, a choice or a selector can mean."""


@dataclass(frozen=True, slots=True)
class Thing:
    """T5: a card in a zone. `key` is secret and stays the same from the deck list to the end; `number` is public."""

    key: str
    card: str
    owner: str
    controller: str
    zone: str
    stamp: int
    number: int | None = None
    engaged: bool = False
    weary: bool = False
    damage: int = 0
    lethal: bool = False
    """G: Toxic: whether its first point of lethal damage was dealt."""
    counters: tuple[tuple[str, int], ...] = ()
    under: str = ""
    """5.3.1: the key of the citizen that it is attached to."""
    known: frozenset[str] = frozenset()
    """K40: the seats that know which card it is, though its zone doesn't show it."""
    revealed: bool = False
    at: str = ""
    """2: its tile, if its zone has tiles."""
    face_down: bool = False
    """S11: whether it is face down in public: only its owner knows which card it is."""
    top: int = 0
    """S41: its highest health so far; 0: not checked yet."""
    statuses: tuple[str, ...] = ()
    """2.4: its statuses, in games that have them, in the order in which it got them."""

    @property
    def ref(self) -> Ref:
        """This thing, as long as it stays where it is."""
        return Ref(self.key, self.stamp)


@dataclass(frozen=True, slots=True)
class Gone:
    """K38: a thing as it last was before it left its zone."""

    thing: Thing
    attack: int
    defense: int
    keywords: tuple[str, ...]
    abilities: tuple[Ability, ...]
    then: Ref | None = None
    """What it became: the same card in its new zone."""


@dataclass(frozen=True, slots=True)
class Seat:
    """T5: a player's place at the table. `out` is the citation of what destroyed them, or empty."""

    letter: str
    name: str = ""
    energy: tuple[tuple[str, int], ...] = ()
    """8.2.2: the soul pile, by colour; `any` is energy that pays generic stones only (K19)."""
    out: str = ""
    stops: tuple[str, ...] | None = None
    """T10: the windows in which they want to be asked (`pace.stops`), public; None: every window."""
    side: str = ""
    """5.1: the side that it plays for together with others; empty: every player for themselves."""
    numbers: tuple[tuple[str, int], ...] = ()
    """Further public numbers of a player: Seize's `vault`; Altered's `hero` and `companion`, the regions of their
    counters."""


@dataclass(frozen=True, slots=True)
class Scope:
    """T7: the context of an effect's words: its source, its controller, what was declared, chosen and done before."""

    source: Ref
    card: str
    controller: str
    targets: tuple[tuple[Aim, ...], ...] = ()
    x: int = 0
    it: tuple[Aim, ...] = ()
    chosen: tuple[Aim, ...] = ()
    acted: tuple[Aim, ...] = ()
    """The things that the step before did something to."""
    many: int = 0
    """`that many`: how often the step before did it."""
    done: bool = True
    they: str = ""
    """The player of `each`."""
    by: Ref | None = None
    """9.2: the mercenary that plays the card."""
    unseen: bool = False
    """13.8.5: whether it was declared out of stealth: its next damage is true."""
    instead: frozenset[str] = frozenset()
    """10.1: the cards that it replaces something for: they don't replace what it does."""


@dataclass(frozen=True, slots=True)
class Placed:
    """8.4: an effect on the pile, or waiting to be. `what`: card, ability, trigger or choice (of an 11 year card);
    `id` is 0 while it waits."""

    id: int
    what: str
    controller: str
    source: Ref
    card: str
    scope: Scope
    ability: Ability | None = None


@dataclass(frozen=True, slots=True)
class Item(Placed):
    """8.4: an effect on the pile."""

    by_eleven: bool = False
    """K21: whether it comes from an 11 year ability, or was cast for the 11 year cost."""
    detail: str = ""
    """A detail in a word: the tile entered, the attack made."""


@dataclass(frozen=True, slots=True)
class Waiting(Placed):
    """9.3, K6: a triggered ability that waits until it may be placed on the pile."""

    settled: bool = False
    """K27: whether it is settled: paid, wanted, its targets chosen."""
    giver: str = ""
    """A32: the card whose passive ability gave it, if it isn't the card's own."""
    number: int = 0
    """1.4.6: the index of the ability on the card, from 0."""


@dataclass(frozen=True, slots=True)
class Lasting:
    """T5.3: an effect that lasts for a while: a modifier, a restriction, a delayed trigger."""

    effect: Effect
    scope: Scope
    stamp: int
    on: tuple[Aim, ...] = ()
    dynamic: Selector | None = None
    """Applies to whatever fits at the time, if no things are named."""
    until: str = ""
    """`turn`, `my turn`, `source`, `damage`; empty: for good."""


@dataclass(frozen=True, slots=True)
class Fight:
    """4.4: the current attack. `at` are the attacked cards or player."""

    attacker: Ref
    by: str
    of: str
    at: tuple[Aim, ...]
    blocked: bool = False
    blockers: tuple[Ref, ...] = ()
    ravenous: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """4: the turn player, the turn's number, and its step. `entered`: whether the step's entering is done."""

    number: int
    of: str
    at: str
    entered: bool = False
    starter: str = ""


@dataclass(frozen=True, slots=True)
class Priority:
    """8.3: the holder of priority, and how many have passed in a row."""

    holder: str
    passed: int = 0


@dataclass(frozen=True, slots=True)
class Result:
    """3: how the table ended: the winner (empty: nobody), and the citation."""

    won: str
    cites: str
    draw: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """T11.1: a player's proposal, counted from 1 at a table."""

    number: int
    by: str
    changes: tuple[Action, ...]
    text: str = ""
    accepted: tuple[str, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Options:
    """T12.1: what was agreed before the start. `format`: constructed, limited, krucible; `rulings` that differ."""

    format: str = "constructed"
    starter: str = ""
    rulings: tuple[tuple[str, str], ...] = ()
    beat: int = 0
    """T10.4: seconds from beat to beat, when private answers are given; 0: at once."""

    def ruling(self, key: str) -> str:
        """T11.3: the table's agreement on a ruling or option; empty if it has none."""
        return dict(self.rulings).get(key, "")

    agreed: tuple[tuple[int, str], ...] = ()
    """A12: what the players have agreed on, by the number of the question."""

    @property
    def limited(self) -> bool:
        """3.1.1: draft, Booster Decks and the like."""
        return self.format in ("limited", "draft", "booster")


@dataclass(frozen=True, slots=True)
class Back:
    """T9.4: the state before a player's own last post, as long as they may take it back."""

    by: str
    at: int
    before: State


@dataclass(frozen=True, slots=True)
class Look:
    """T11.8: a judge has asked for a seat's hidden cards, by an entry that all see; from then on they see them."""

    seat: str
    entry: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """T11: how this table settled a text beyond the vocabulary: its program is offered the next time."""

    card: str
    text: str
    program: str
    cites: str = ""


@dataclass(frozen=True, slots=True)
class Task:
    """T6: a remaining task: frozen data, so that a state between two entries determines how it goes on."""

    def run(self, play: Play) -> None:
        """Do it; it may push further tasks or ask a decision."""
        raise NotImplementedError


@dataclass(frozen=True)
class State:
    """T5: a whole table. Either it has a result, or exactly one pending decision or holder of priority.

    Without slots, so that `but` is fast: an entry makes dozens of states.
    """

    game: str
    options: Options
    cards: Mapping[str, Card]
    seats: tuple[Seat, ...]
    things: Mapping[str, Thing]
    zones: Mapping[str, tuple[str, ...]]
    turn: Turn
    draws: Draws
    fixed: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """T13: outcomes that a case fixes instead of drawing them, by the draw's first word."""
    priority: Priority | None = None
    pile: tuple[Item, ...] = ()
    """8.4: the last is the top."""
    waiting: tuple[Waiting, ...] = ()
    lasting: tuple[Lasting, ...] = ()
    fight: Fight | None = None
    marks: tuple[str, ...] = ()
    """What was done this turn: `soul`, `solo ...`, `attacked ...`, `limit ...`."""
    agenda: tuple[Task, ...] = ()
    """Tasks to be done before anybody is asked again; the last comes first."""
    decision: Decision | None = None
    gone: Mapping[Ref, Gone] = field(default_factory=dict)
    result: Result | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    """Running numbers: `number`, `stamp`, `item`, and of draws by their names."""
    proposals: tuple[Proposal, ...] = ()
    plans: tuple[Plan, ...] = ()
    orders: tuple[Order, ...] = ()
    ground: Ground | None = None
    """2: the tiles of the battlefield, in games that have one."""
    tiles: Mapping[str, tuple[tuple[str, int], ...]] = field(default_factory=dict)
    """13.8.1, 5.3: by tile: its contents and how often: (`fog`, 1), (`pillar`, 1)."""
    entry: int = 0
    """The number of the entry that was carried out last."""
    shown: int = 0
    """The number of the last entry that showed somebody something new: only a fresh rewind goes further back."""
    back: Back | None = None
    looks: tuple[Look, ...] = ()
    settled: tuple[Settled, ...] = ()
    agreed: tuple[str, ...] = ()
    """9.3: the seats that have said yes since anybody last had priority (`if opponent did`)."""
    going_back: tuple[tuple[str, int, bool], ...] = ()
    """T11.6: seats that asked to go back, to which entry, and whether with fresh draws; all must ask for the same."""
    version: int = LATEST
    """T6: the rules version with which the table was opened: its log is carried out by it to its end."""

    def but(self, **changes: object) -> State:
        """T5: this state with some fields changed, like `dataclasses.replace`, in a tenth of its time."""
        new = object.__new__(State)
        new.__dict__.update(self.__dict__)
        new.__dict__.update(changes)
        return new

    def seat(self, letter: str) -> Seat:
        """T5: a seat by its letter; KeyError if there is none."""
        for seat in self.seats:
            if seat.letter == letter:
                return seat
        raise KeyError(letter)

    def side(self, letter: str) -> str:
        """5.1: the side that a seat plays for: its own if it has no partner."""
        return self.seat(letter).side or letter

    def number(self, letter: str, name: str) -> int:
        """1: one of a seat's further numbers; 0 if it has none of that name."""
        return dict(self.seat(letter).numbers).get(name, 0)

    def on_tile(self, tile: str) -> Thing | None:
        """2: the thing on a tile."""
        return next((thing for thing in self.things.values() if thing.at == tile and not thing.under), None)

    @property
    def living(self) -> tuple[str, ...]:
        """3: the letters of the players who are not destroyed, clockwise."""
        return tuple(seat.letter for seat in self.seats if not seat.out)

    def thing(self, aim: Aim) -> Thing | None:
        """8.5: the thing that is meant, if it is still the same."""
        if not isinstance(aim, Ref):
            return None
        candidate = self.things.get(aim.key)
        return candidate if candidate is not None and candidate.stamp == aim.stamp else None

    def followed(self, aim: Aim) -> Thing | None:
        """2.1.e, K38: the thing that is meant, or the same card in the zone that it went to from play."""
        if not isinstance(aim, Ref):
            return None
        record = self.gone.get(aim)
        return self.thing(aim) or (self.thing(record.then) if record is not None and record.then is not None else None)

    def known(self, aim: Aim) -> Thing | None:
        """K38: a thing as it is, or as it last was in play."""
        if not isinstance(aim, Ref):
            return None
        gone = self.gone.get(aim)
        return self.thing(aim) or (gone.thing if gone is not None else None)

    def item(self, number: int) -> Item | None:
        """8.4: an item of the pile by its number."""
        return next((item for item in self.pile if item.id == number), None)

    def zone(self, name: str) -> tuple[Thing, ...]:
        """T5: the things of a zone in order, without those beneath citizens."""
        return tuple(self.things[key] for key in self.zones.get(name, ()) if not self.things[key].under)

    def beneath(self, key: str) -> tuple[Thing, ...]:
        """5.3.1: the cards attached to a citizen."""
        return tuple(thing for thing in self.things.values() if thing.under == key)

    def is_open(self, tile: str) -> bool:
        """5.3: whether no pillar stands on a tile."""
        return not dict(self.tiles.get(tile, ())).get("pillar")

    def opponents(self, seat: str) -> tuple[str, ...]:
        """G: Opponent(s): every living player except oneself and one's partners, clockwise."""
        mine = self.side(seat)
        return tuple(letter for letter in self.clockwise(seat) if self.side(letter) != mine)

    def from_turn_player(self) -> tuple[str, ...]:
        """8.4: the living in turn order, the turn player first."""
        return self.clockwise(self.turn.of)

    def clockwise(self, first: str) -> tuple[str, ...]:
        """8.3.2: the living seats clockwise, starting at one (which may be out)."""
        letters = [seat.letter for seat in self.seats]
        at = letters.index(first) if first else 0
        return tuple(letter for letter in letters[at:] + letters[:at] if letter in self.living)
