"""T6: the working copy of a state while one entry is carried out: it changes, records events and asks.

Every change of a table goes through a `Play`. It has a frozen `State` and replaces it; a game's additions are in its
`Rules`. Remaining work is in the state as tasks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypedDict, Unpack

from tables.core.events import Event, SilentEvent
from tables.core.grid import Ground
from tables.core.lists.vocabulary import EVENTS
from tables.core.query import last_seen
from tables.core.reacting.replacing import BEFORE, instead
from tables.core.reacting.triggers import watch
from tables.core.state import Gone, Options, Priority, Result, Seat, State, Task, Thing
from tables.core.zones import ZoneKind, kind_of, zone_of

if TYPE_CHECKING:
    from tables.core.blanks import Blank, OpenLine
    from tables.core.decisions import Decision
    from tables.core.lines.actions import Action
    from tables.core.lists.cards import Ability, Card, Effect, Price
    from tables.core.lists.decks import Deck
    from tables.core.state import Item, Scope


@dataclass(frozen=True, slots=True)
class Step:
    """4: one phase or step. `then`: the next one; `priority`: whether anybody has it here (8.3)."""

    name: str
    cites: str
    then: str
    priority: bool = True
    main: bool = False
    """4.3, 4.5: citizens are cast and soul cards placed here; 10: the turn player is usually asked here."""
    words: tuple[str, ...] = ()
    """Its names in a line."""


Primitive = Callable[["Play", "Effect", "Scope"], None]
Act = Callable[["Play", str, "Action"], None]


@dataclass(frozen=True)
class Rules:
    """T4.1: a game's additions to the core: data, and procedures by name."""

    name: str
    zones: Mapping[str, ZoneKind]
    steps: Mapping[str, Step]
    entering: Mapping[str, Callable[[Play], None]]
    """By step: the procedure on entering it."""
    leaving: Mapping[str, Callable[[Play], None]]
    check: Callable[[Play], bool]
    """K16: the checks before anybody gets priority; whether anything changed."""
    acts: Mapping[str, Act]
    """By an action's kind: the actions of a holder of priority."""
    anytime: Mapping[str, Act]
    """By an action's kind: actions that are allowed whoever is asked."""
    unasked: Mapping[str, str]
    """By an action's kind: the citation, if it isn't asked for now."""
    resolve: Callable[[Play, Item], None]
    """8.4: the procedure when the top of the pile resolves."""
    moved: Callable[[Play, Thing, Thing, bool], None]
    """Called after a thing changed its zone: with the old thing, the new one, and whether it entered."""
    primitives: Mapping[str, Primitive]
    legal: Callable[[State, str], tuple[Action, ...]]
    """What a holder of priority may do now, `pass` first, where nothing has to be filled in."""
    open_lines: Callable[[Play, str], Iterable[OpenLine]]
    """Further lines that they may post, with blanks: targets, X, the parts of a cost."""
    discard: str
    """5.6: the kind of zone for used cards."""
    outside_pile: Callable[[Ability], bool]
    """8.2.1, K45: whether an ability makes energy, and so doesn't use the pile."""
    can_pay: Callable[[Play, str, Price, Scope], bool]
    pay: Callable[[Play, str, Price, Scope, Action], None]
    """8.1: in full, with what the action names for it."""
    blanks: Callable[[Play, str, Price, Scope], Sequence[Blank]]
    """8.1: the blanks that a cost leaves to fill in."""
    idle: frozenset[str] | None = None
    """Kinds of lines that do nothing by themselves: a player who has no others has nothing to decide (10). None: the
    legal lines don't include all possible actions, so no player passes automatically for lack of them."""
    phases: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """By a phase's name on cards (`skip`, `end`): its first step, and the step that follows it."""
    following: Mapping[str, str] = field(default_factory=dict)
    """By a step from which the flow may go several ways: the next step when nothing more happens in it."""
    last: str = ""
    """The step to which a turn goes on when it is ended."""
    setup: str = "setup"
    """The step with which a dealt table begins."""
    shuffled: tuple[str, ...] = ("8",)
    """The citation for the shuffling of the decks before the set-up."""
    dealt: Callable[[Play, Mapping[str, Deck]], None] | None = None
    """Lays out what there is besides the shuffled decks, by seat: cards beside them, shared zones, numbers."""
    format: str = "constructed"
    """The format of a table that names none."""
    numbers: tuple[str, ...] = ()
    """1: the further numbers that a seat has: `vault`."""
    quiet: frozenset[str] = frozenset()
    """T13: the kinds of actions that need an empty pile: a case waits for it before it tries them."""
    cites: Mapping[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)
    """This game's names for the numbers that the core cites."""
    unasked_now: Callable[[State], str] | None = None
    """The citation for an action that isn't asked for now, if it depends on the phase."""
    shows: Callable[[State, Thing | None], Mapping[str, object]] | None = None
    """T5: this game's public knowledge besides that of every table, as plain data: of a thing with a number, whether
    its face is seen or not; or (None) of the table."""
    lay: Callable[[Card, Mapping[str, object]], ThingChange] | None = None
    """T13: the properties of a thing in a case's position, in this game's words; ValueError if they can't be read."""
    ground: Callable[[Sequence[str], Options], Ground] | None = None
    """2: the tiles for these seats."""
    set_number: Callable[[Play, Thing, str, int], None] | None = None
    """T11.3: set a number of a thing by agreement or ruling: `#9 health 5`."""
    asked: frozenset[str] = frozenset({"priority"})
    """T10.3: what a seat is asked for, of what orders can answer."""
    heard: tuple[str, ...] = ()
    """T10.3: the kinds of cards that an order may wait for; none: no rule lets anybody answer what others do."""
    energy: tuple[str, ...] = ()
    """T11.1: the colours of energy that a player may be given."""
    has_rules: bool = True
    """T11.7: False: what happens is agreed on or done by hand, with any deck, and players count whatever they name."""
    places: tuple[int, int] = (2, 6)
    """T12.1: how few and how many may play."""
    floor: str = "K42"
    """T11: the citation if the players agree on something that no rule covers."""
    number_of: Callable[[State, str], object] | None = None
    """T13: a number of the game by its name (`A.hero.region`); None where it has none of that name."""
    sittings: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """T12.5: by format, the seats that a table may have, in turn order; A, B and so on if it is not named."""
    best_of: Mapping[str, int] = field(default_factory=dict)
    """T12.10: by format, the games of a match; one if it is not named."""
    reaches: Callable[[State], Mapping[int, Mapping[str, object]]] | None = None
    """T12.6: what each thing on a ground can reach from its tile, and why not the rest; only from public knowledge."""


class ThingChange(TypedDict, total=False):
    """The fields of a thing that may change while it stays where it is."""

    engaged: bool
    weary: bool
    damage: int
    lethal: bool
    counters: tuple[tuple[str, int], ...]
    under: str
    known: frozenset[str]
    revealed: bool
    controller: str
    at: str
    face_down: bool
    top: int
    statuses: tuple[str, ...]


@dataclass
class Play:
    """T6: a state that is being changed, the rules, and what has happened."""

    rules: Rules
    state: State
    events: list[Event] = field(default_factory=list)
    leaving: dict[str, Gone] = field(default_factory=dict)
    """K38: things that leave play together: each still sees the others go."""
    guard: frozenset[str] = frozenset()
    """10.1: the cards that replace nothing now, because this happens as part of their own replacement."""
    drew: bool = False
    """T9.4: whether chance has decided something."""
    answered: frozenset[str] = frozenset()
    """T9.4: the seats whose plans or orders have answered."""

    # ------------------------------------------------------------------------------------------ small changes

    def change(self, key: str, **changes: Unpack[ThingChange]) -> Thing:
        """T5: change a thing in its place."""
        thing = replace(self.state.things[key], **changes)
        self.state = self.state.but(things={**self.state.things, key: thing})
        return thing

    def relocate(self, key: str, zone: str, controller: str) -> None:
        """9.F: a thing moves to another player's side and stays the same thing; the caller sets its zones."""
        thing = replace(self.state.things[key], zone=zone, controller=controller)
        self.state = replace(self.state, things={**self.state.things, key: thing})

    def change_seat(self, seat: Seat) -> None:
        """T5: replace the seat with the same letter."""
        seats = tuple(seat if old.letter == seat.letter else old for old in self.state.seats)
        self.state = self.state.but(seats=seats)

    def add_number(self, seat: str, name: str, by: int) -> None:
        """1: one of a seat's further numbers rises or falls, never below 0; a seat without it stays without (S44)."""
        numbers = dict(self.state.seat(seat).numbers)
        if name not in numbers:
            return
        numbers[name] = max(0, numbers[name] + by)
        self.change_seat(replace(self.state.seat(seat), numbers=tuple(numbers.items())))

    def count(self, name: str) -> int:
        """The next running number of that name, from 1."""
        number = self.state.counts.get(name, 0) + 1
        self.state = self.state.but(counts={**self.state.counts, name: number})
        return number

    def mark(self, mark: str) -> None:
        """4: mark that something was done this turn."""
        self.state = self.state.but(marks=(*self.state.marks, mark))

    def push(self, *tasks: Task) -> None:
        """T6: tasks to be done next, in this order."""
        self.state = self.state.but(agenda=(*self.state.agenda, *reversed(tasks)))

    def ask(self, decision: Decision) -> None:
        """T10: wait for a decision. There can be only one."""
        if self.state.decision is not None:
            raise RuntimeError(f"{decision.kind} is asked while {self.state.decision.kind} is waited for")
        self.state = self.state.but(decision=decision)

    def give_priority(self, seat: str, passed: int = 0) -> None:
        """8.3: give priority to a seat."""
        self.state = self.state.but(priority=Priority(seat, passed), agreed=())

    def end(self, won: str, cites: str, *, draw: bool = False) -> None:
        """3: the table is over."""
        if self.state.result is None:
            self.state = self.state.but(
                result=Result(won, cites, draw), decision=None, priority=None, agenda=(), waiting=()
            )
            self.emit(Event("over", (cites,), seat=won))

    # ------------------------------------------------------------------------------------------ what happened

    def emit(self, event: Event) -> None:
        """T6: record an event; abilities triggered by it wait (9.3)."""
        if event.kind not in BEFORE and event.kind in EVENTS and instead(self, event):
            return
        if event.cites in self.rules.cites:
            event = replace(event, cites=self.rules.cites[event.cites])
        self.events.append(event)
        watch(self, event)

    # ------------------------------------------------------------------------------------------ zones

    def zone_set(self, zone: str, keys: tuple[str, ...]) -> None:
        """T5: the cards of a zone, in order."""
        self.state = self.state.but(zones={**self.state.zones, zone: keys})

    def move(
        self,
        key: str,
        kind: str,
        *,
        seat: str = "",
        cites: tuple[str, ...] = (),
        place: int | None = None,
        entered: bool = False,
        event: str = "moved",
        controller: str = "",
        at: str = "",
        face_down: bool = False,
        forced: bool = False,
    ) -> Thing:
        """T5: move a thing to a zone of its owner's, or into play on `controller`'s side; `place` from the top.

        In a new zone (on the tile `at`, or face down) it is a new thing: no states, a number where all can see it.
        Cards beneath it go to their owners' discard piles (5.3.1). If something else happens instead (10.1; never if
        `forced`), it is returned unmoved.
        """
        before = self.state.things[key]
        playing = bool(before.zone) and self.rules.zones[kind_of(before.zone)].play and not before.under
        if before.zone and not forced and self._replaced(before, kind, event, playing):
            return before
        if playing:
            self.leaving.setdefault(key, last_seen(self.state, before))
        after = self._arriving(before, kind, seat or controller or before.owner)
        after = replace(after, at=at, face_down=face_down)
        if playing:
            record = replace(self.leaving[key], then=after.ref)
            self.state = self.state.but(gone={**self.state.gone, before.ref: record})
        self._out_of(before)
        zone = list(self.state.zones.get(after.zone, ()))
        zone.insert(len(zone) if place is None else place, key)
        self.state = self.state.but(
            zones={**self.state.zones, after.zone: tuple(zone)},
            things={**self.state.things, key: after},
        )
        only = None if self._is_seen(before) or self._is_seen(after) else frozenset({before.owner})
        subject = before if playing else after
        event_class = SilentEvent if event == "leaves" else Event
        self.emit(event_class(event, cites, before.owner, subject, zone=after.zone, from_zone=before.zone, only=only))
        if playing:
            if event != "leaves":
                self.emit(SilentEvent("leaves", (), before.owner, before, zone=after.zone, from_zone=before.zone))
            self._fall(key)
        self.rules.moved(self, before, after, entered)
        return self.state.things[key]

    def _replaced(self, before: Thing, kind: str, event: str, playing: bool) -> bool:
        """10.1: whether something else happens instead of this move."""
        names = [name for name in (event, "leaves" if playing else "") if name in BEFORE and name != "dies"]
        zone = f"{before.owner}.{kind}"
        return any(instead(self, Event(name, (), before.owner, before, None, 0, zone, before.zone)) for name in names)

    def _is_seen(self, thing: Thing) -> bool:
        return thing.revealed or (self.rules.zones[kind_of(thing.zone)].sees == "all" and not thing.face_down)

    def _arriving(self, before: Thing, kind: str, seat: str) -> Thing:
        zone = self.rules.zones[kind]
        owner = seat if zone.play else before.owner
        name = zone_of(owner, kind) if zone.whose == "seat" else kind
        number = self.count("number") if zone.public else None
        return Thing(
            before.key, before.card, before.owner, owner if zone.whose == "seat" else (seat or before.owner), name,
            self.count("stamp"), number,
        )  # fmt: skip

    def create(self, card: str, kind: str, seat: str) -> Thing:
        """T7: create a token in a zone, as a thing of its own."""
        key = f"{seat}/{card}/token {self.count('token')}"
        token = self._arriving(Thing(key, card, seat, seat, "", 0), kind, seat)
        self.state = replace(self.state, things={**self.state.things, key: token})
        self.zone_set(token.zone, (*self.state.zones.get(token.zone, ()), key))
        self.emit(Event("created", ("2.1.b",), seat, token, zone=token.zone))
        return token

    def cease(self, key: str) -> None:
        """2.1.d: remove a token from the table."""
        self._out_of(self.state.things[key])
        self.state = replace(
            self.state, things={other: thing for other, thing in self.state.things.items() if other != key}
        )

    def _out_of(self, thing: Thing) -> None:
        rest = tuple(key for key in self.state.zones.get(thing.zone, ()) if key != thing.key)
        if thing.zone:
            self.zone_set(thing.zone, rest)

    def _fall(self, key: str) -> None:
        """5.3.1: drop the cards beneath a citizen that has left."""
        for beneath in self.state.beneath(key):
            self.move(beneath.key, self.rules.discard, cites=("5.3.1",), event="fallen")

    # ------------------------------------------------------------------------------------------ chance

    def draw(self, name: str, number: int, sides: int) -> int:
        """T8.4: a committed draw from 1 to `sides`; a case may have named the outcome."""
        self.drew = True
        fixed = dict(self.state.fixed)
        prefix = name.split()[0]
        if outcomes := fixed.get(prefix):
            fixed[prefix] = outcomes[1:]
            self.state = self.state.but(fixed=tuple(fixed.items()))
            return outcomes[0]
        return self.state.draws.draw(name, number, sides)

    def shuffle(self, seat: str, kind: str, cites: tuple[str, ...]) -> None:
        """T8, K29: the committed shuffle of a zone is final; nobody knows any card of it any more."""
        zone = zone_of(seat, kind)
        if instead(self, Event("shuffled", (), seat, zone=zone)):
            return
        keys = self.state.zones.get(zone, ())
        nth = self.count(f"shuffle {zone}")
        self.zone_set(zone, self.state.draws.shuffle(keys, zone, nth))
        for key in keys:
            if self.state.things[key].known:
                self.change(key, known=frozenset())
        self.emit(Event("shuffled", cites, seat, amount=nth, zone=zone))

    def refresh(self) -> None:
        """Forget which things left together: those that leave from now on leave later."""
        self.leaving = {}
