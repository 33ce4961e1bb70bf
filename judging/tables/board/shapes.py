"""Plain shapes for the templates of a card table, with every word and number already decided."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tables.core.blanks import GOES_ON
from tables.core.lines.actions import Action, to_plain


def sent(action: Action) -> str:
    """T9: an action as a button sends it."""
    return json.dumps(to_plain(action), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Stone:
    """A part of a cost, or a colour: `code` (`w`, `w/u`, `any`) for its shape, `shown` on it, `word` for reading."""

    code: str
    shown: str
    word: str


@dataclass(frozen=True, slots=True)
class Bit:
    """A piece of a card's text: words, or a stone drawn among them."""

    text: str = ""
    stone: Stone | None = None


@dataclass(frozen=True, slots=True)
class Stat:
    """A current number of a card; `printed` is the one on the card, empty where they agree; `most` is the maximum,
    where that is shown."""

    code: str
    word: str
    now: str
    printed: str = ""
    change: str = ""
    """`up`, `down` or empty, compared with the printed number."""
    most: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A state of a thing: `code` for its shape, `word` for readers."""

    code: str
    word: str


@dataclass(frozen=True, slots=True)
class Act:
    """Something that may be done, as a button: the `line` that stands for it, and what the button sends. `label` says
    it in words, `short` what is left of it beneath its actor's name."""

    line: str
    action: Action | None
    label: str
    kind: str
    actor: str = ""
    short: str = ""
    things: tuple[int, ...] = ()
    """The numbers of the things that it names, lit on hover or focus."""
    tiles: tuple[str, ...] = ()
    """The squares of a grid that it names."""
    asks: str = ""
    """The confirmation question; empty where it can be taken back."""

    @property
    def sent(self) -> str:
        """What the button sends."""
        return sent(self.action) if self.action is not None else self.actor


@dataclass(frozen=True, slots=True)
class Actor:
    """The actor in a group of acts, and its possible acts."""

    name: str
    acts: tuple[Act, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Acts of one kind: `Cast`, with a card for each actor."""

    kind: str
    title: str
    actors: tuple[Actor, ...]
    number: int


@dataclass(frozen=True, slots=True)
class Reached:
    """A sentence about a mercenary's reach, with its heading and its rule."""

    title: str
    words: str
    cites: str = ""


@dataclass(frozen=True, slots=True)
class Lit:
    """How a square is lit for a chosen mercenary: as a `way`, a `target`, `covered`, `barred`, what `blocks`, `refused`
    or `here`; why in words; and what a press on it does, where that is legal now."""

    kinds: tuple[str, ...]
    words: str
    cites: str = ""
    act: Act | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """The chosen mercenary: its reach, and why it can't reach other squares."""

    tile: Tile
    refused: tuple[tuple[Reached, tuple[str, ...]], ...]
    """Each reason with the squares that it rules out."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A card on the board. An unknown one has no name, and nothing else of its own."""

    name: str = ""
    number: int | None = None
    place: int = 0
    """Its place, from 1, in a row whose order counts; else 0."""
    type: str = ""
    colours: tuple[Stone, ...] = ()
    cost: tuple[Stone, ...] = ()
    text: tuple[Bit, ...] = ()
    extra: tuple[tuple[str, tuple[Bit, ...]], ...] = ()
    """Further parts of the card, each with its heading, such as its effect in the 11 year row."""
    stats: tuple[Stat, ...] = ()
    marks: tuple[Mark, ...] = ()
    keywords: tuple[str, ...] = ()
    reminders: tuple[tuple[str, str, str], ...] = ()
    """The meaning of its keywords: word, meaning, citation."""
    beneath: tuple[Tile, ...] = ()
    acts: tuple[Act, ...] = ()
    turned: bool = False
    at: str = ""
    """Its place on a grid, or in a line of regions."""
    facing: str = ""
    """The direction of its forward for the viewer: `up` or `down`."""
    side: str = ""
    """On a grid: `mine` or `theirs`."""
    spoken: str = ""
    """The whole card in one line, for screen readers."""
    reaches: tuple[Reached, ...] = ()
    """Its reach from its square, in words."""
    lights: str = ""
    """The same by square, as JSON for the page's script, to light when it is chosen."""

    @property
    def known(self) -> bool:
        """Whether the viewer may know the card."""
        return bool(self.name)


@dataclass(frozen=True, slots=True)
class Row:
    """A zone laid out: `look` is `tiles` (in play), `chips` (small), `backs` (by their places), `orbs`."""

    zone: str
    title: str
    look: str
    tiles: tuple[Tile, ...]
    empty: str = ""
    note: str = ""

    @property
    def number(self) -> int:
        return len(self.tiles)


@dataclass(frozen=True, slots=True)
class Count:
    """A number of a player: `Hand 5`. `low` if it should worry them."""

    code: str
    word: str
    number: int
    low: bool = False


@dataclass(frozen=True, slots=True)
class Side:
    """A seat's part of the table."""

    letter: str
    name: str
    mine: bool
    turn: bool
    waited: bool
    out: str
    counts: tuple[Count, ...]
    energy: tuple[tuple[Stone, int], ...]
    rows: tuple[Row, ...]
    piles: tuple[Row, ...]
    badges: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A phase of the turn in the strip. `state`: `past`, `now` or `next`; `cites` its rule."""

    title: str
    short: str
    state: str
    cites: str
    allows: str = ""
    name: str = ""
    """Its name in a line; empty where nobody may act in it."""


@dataclass(frozen=True, slots=True)
class Item:
    """An item on the pile: its kind, its owner, and the card's text."""

    title: str
    what: str
    by: str
    text: tuple[Bit, ...]
    top: bool


@dataclass(frozen=True, slots=True)
class Fight:
    """The current attack in words, with the cards that fight it."""

    attacker: Tile | None
    by: str
    of: str
    aims: tuple[str, ...]
    blockers: tuple[Tile, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Waits:
    """T10: the open decisions, for the head of the page."""

    mine: bool
    kind: str
    says: str
    hint: str
    cites: str
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """T11.1: a proposal, and who has agreed to it."""

    number: int
    by: str
    mine: bool
    says: str
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Square:
    """A tile of a battlefield: `a1`, its kind, and the mercenary on it."""

    name: str
    column: int
    rank: int
    kinds: tuple[str, ...]
    words: str
    tile: Tile | None
    lit: Lit | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """The battlefield, rank by rank as the viewer sees it."""

    columns: tuple[str, ...]
    ranks: tuple[tuple[str, tuple[Square, ...]], ...]
    chosen: Chosen | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter on the line of regions: its owner and its expedition."""

    seat: str
    name: str
    kind: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the adventure, with its contents and the expeditions that have reached it."""

    number: int
    title: str
    shows: tuple[tuple[str, int], ...]
    hidden: bool
    markers: tuple[Marker, ...]


@dataclass(frozen=True, slots=True)
class Adventure:
    """The line of regions from hero to companion."""

    regions: tuple[Region, ...]


Choices = tuple[tuple[str, str], ...]
"""The choices of a form: the value sent, and the label."""


Groups = tuple[tuple[str, Choices], ...]
"""Choices under headings."""


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a form: `look` is `select`, `number` or `text`; `hint` an example of the input."""

    name: str
    label: str
    look: str = "select"
    choices: Choices = ()
    groups: Groups = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class HandForm:
    """T11.7: a form for an act by hand; `at_once`: without asking the others."""

    hand: str
    title: str
    fields: tuple[Field, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Hands:
    """T11.7: the forms of a table; `at_once`: acts with one's own things need no agreement, at a free table."""

    forms: tuple[HandForm, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Pick:
    """An option: its name in a line, and its label."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class PickPart:
    """T9: a blank of a line: the word of its clause, a heading, and the kind of choice: `one`, `many`, `ordered`
    (all, one after the other), or a `number` among these."""

    word: str
    title: str
    look: str
    picks: tuple[Pick, ...]
    least: int = 1
    most: int = 1


@dataclass(frozen=True, slots=True)
class Picking:
    """T9: an action that is filled in: `head` begins it; `actor` is the card or the thing that does it, `is_in_hand`
    whether it does so from the hand."""

    head: Action
    title: str
    actor: str
    parts: tuple[PickPart, ...]
    is_in_hand: bool = True
    is_open: bool = False
    """Whether it answers the current question, and so is expanded."""

    @property
    def goes_on(self) -> bool:
        """Whether the head goes on with what is chosen."""
        return any(part.word == GOES_ON for part in self.parts)

    @property
    def sent(self) -> str:
        """What the form sends of its head."""
        return sent(self.head)


@dataclass(frozen=True, slots=True)
class Choice:
    """A part of a planned turn: one of several lines, each in words; or a line that is always in it (`hidden`)."""

    label: str
    options: tuple[tuple[str, str], ...] = ()
    hidden: str = ""


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """T9: a turn as one post, part by part in the order of execution."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A whole table, as one viewer may see it."""

    game: str
    viewer: str
    turn: int
    whose: str
    headline: str
    strip: tuple[Step, ...]
    waits: Waits | None
    ready: tuple[Act, ...]
    """Acts that are single buttons."""
    groups: tuple[Group, ...]
    opponents: tuple[Side, ...]
    """Clockwise from the bottom side; against two partners from left to right."""
    own: Side | None
    """The bottom side: the viewer's; for a spectator, the first seat's."""
    partners: tuple[Side, ...]
    """5.1: the viewer's partners."""
    mirrored: bool
    """S1: whether the partner is on the viewer's left."""
    hand: Row | None
    pile: tuple[Item, ...]
    pile_title: str
    revealed: tuple[Tile, ...]
    fight: Fight | None
    proposals: tuple[Proposal, ...]
    result: str
    result_cites: str
    seated: bool
    grid: Grid | None = None
    plan: TurnPlan | None = None
    adventure: Adventure | None = None
    agreed: tuple[tuple[str, str], ...] = ()
    hands: Hands | None = None
    keys: tuple[tuple[str, str], ...] = ()
    middle: str = ""
    """The content between the sides, for screen readers."""
    nothing: str = ""
    order: str = ""
    """1.4.5: the order of decisions, where it matters."""
    pickings: tuple[Picking, ...] = ()
    """T9: the forms to fill in before posting."""
    plans: tuple[tuple[str, str], ...] = ()
    """T10: the possible plans for later turns: the line, and its label."""
    by: tuple[tuple[str, str], ...] = ()
    """The rules behind the offered acts: name and number."""
