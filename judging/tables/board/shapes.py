"""What the templates of a card table draw: plain shapes, with every word and number already decided."""

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
    """A part of a cost, or a colour: `code` (`w`, `w/u`, `any`) for its shape, `shown` on it, `word` for the ear."""

    code: str
    shown: str
    word: str


@dataclass(frozen=True, slots=True)
class Bit:
    """A piece of a card's text: words, or a stone that is drawn among them."""

    text: str = ""
    stone: Stone | None = None


@dataclass(frozen=True, slots=True)
class Stat:
    """A number of a card as it is; `printed` is what stands on the card, empty where that is the same; `most` how much
    of it there can be, where that is shown."""

    code: str
    word: str
    now: str
    printed: str = ""
    change: str = ""
    """`up`, `down` or empty, against what is printed."""
    most: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A state of a thing: `code` for its shape, `word` to be read."""

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
    """The numbers that it names: they light up while one is about to press it."""
    tiles: tuple[str, ...] = ()
    """The squares of a grid that it names."""
    asks: str = ""
    """What is asked before it is posted; empty where it can be taken back."""

    @property
    def sent(self) -> str:
        """What the button sends."""
        return sent(self.action) if self.action is not None else self.actor


@dataclass(frozen=True, slots=True)
class Actor:
    """Whatever acts within a group of acts, and the ways in which it may."""

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
    """A sentence about what a mercenary reaches, with its heading and its rule."""

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
    """The mercenary that was chosen: what it reaches, and why no other square."""

    tile: Tile
    refused: tuple[tuple[Reached, tuple[str, ...]], ...]
    """Each reason with the squares that it closes."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A card as it is drawn. An unknown one has no name, and nothing else of its own."""

    name: str = ""
    number: int | None = None
    place: int = 0
    """Its place in a row whose order counts, from 1; else 0."""
    type: str = ""
    colours: tuple[Stone, ...] = ()
    cost: tuple[Stone, ...] = ()
    text: tuple[Bit, ...] = ()
    extra: tuple[tuple[str, tuple[Bit, ...]], ...] = ()
    """Further parts of the card, each with its heading: what it is worth in the 11 year row."""
    stats: tuple[Stat, ...] = ()
    marks: tuple[Mark, ...] = ()
    keywords: tuple[str, ...] = ()
    reminders: tuple[tuple[str, str, str], ...] = ()
    """What its keywords mean: word, meaning, citation."""
    beneath: tuple[Tile, ...] = ()
    acts: tuple[Act, ...] = ()
    turned: bool = False
    at: str = ""
    """Where it stands on a grid, or in a line of regions."""
    facing: str = ""
    """Where forward lies for it as its viewer looks: `up` or `down`."""
    side: str = ""
    """On a grid: `mine` or `theirs`."""
    spoken: str = ""
    """All of it in one line, for who listens."""
    reaches: tuple[Reached, ...] = ()
    """What it reaches from where it stands, in words."""
    lights: str = ""
    """The same by square, as JSON for the page's script: what is lit when it is chosen."""

    @property
    def known(self) -> bool:
        """Whether the viewer may know which card it is."""
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
        """How many cards lie here."""
        return len(self.tiles)


@dataclass(frozen=True, slots=True)
class Count:
    """A number of a player: `Hand 5`. `low` where it ought to worry him."""

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
    """What a line calls it; empty where nobody may act in it."""


@dataclass(frozen=True, slots=True)
class Item:
    """Something on the pile: what, of whom, and the card's text."""

    title: str
    what: str
    by: str
    text: tuple[Bit, ...]
    top: bool


@dataclass(frozen=True, slots=True)
class Fight:
    """The attack that is fought out, as it reads, with the cards that fight it."""

    attacker: Tile | None
    by: str
    of: str
    aims: tuple[str, ...]
    blockers: tuple[Tile, ...]
    says: str


@dataclass(frozen=True, slots=True)
class Waits:
    """T10: what is waited for, as the head of the page says it."""

    mine: bool
    kind: str
    says: str
    hint: str
    cites: str
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """T11.1: what somebody proposed, and who has agreed."""

    number: int
    by: str
    mine: bool
    says: str
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Square:
    """A tile of a battlefield: `a1`, what it is, and who stands there."""

    name: str
    column: int
    rank: int
    kinds: tuple[str, ...]
    words: str
    tile: Tile | None
    lit: Lit | None = None


@dataclass(frozen=True, slots=True)
class Grid:
    """The battlefield, rank by rank as it is looked at."""

    columns: tuple[str, ...]
    ranks: tuple[tuple[str, tuple[Square, ...]], ...]
    chosen: Chosen | None = None


@dataclass(frozen=True, slots=True)
class Marker:
    """A counter on the line of regions: whose, which expedition."""

    seat: str
    name: str
    kind: str
    mine: bool


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the adventure, with what it shows and who has come so far."""

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
"""What a form chooses among: what it sends, and the words."""


Groups = tuple[tuple[str, Choices], ...]
"""Choices under headings."""


@dataclass(frozen=True, slots=True)
class Field:
    """A part of a form: `look` is `select`, `number` or `text`; `hint` an example of what is written."""

    name: str
    label: str
    look: str = "select"
    choices: Choices = ()
    groups: Groups = ()
    hint: str = ""


@dataclass(frozen=True, slots=True)
class HandForm:
    """T11.7: a form by which something is done by hand; `at_once`: without asking anybody."""

    hand: str
    title: str
    fields: tuple[Field, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Hands:
    """T11.7: the forms of a table; `at_once`: one's own things are done without asking, at a free table."""

    forms: tuple[HandForm, ...]
    at_once: bool


@dataclass(frozen=True, slots=True)
class Pick:
    """Something that is chosen: as a line calls it, and how it reads."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class PickPart:
    """T9: a blank of a line: the word of its clause, a heading, and what is chosen from: `one`, `many`, `ordered` (all,
    one after the other), or a `number` among these."""

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
    """Whether it is what is asked for now, and so stands open."""

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
    """T9: a turn as one post, part by part in the order in which they are carried out."""

    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """All of a table as one viewer may see it."""

    game: str
    viewer: str
    turn: int
    whose: str
    headline: str
    strip: tuple[Step, ...]
    waits: Waits | None
    ready: tuple[Act, ...]
    """Acts that stand as buttons of their own."""
    groups: tuple[Group, ...]
    opponents: tuple[Side, ...]
    """Clockwise from who sits below; against two partners from left to right."""
    own: Side | None
    """Who sits below: the viewer; for who only looks on, the first seat."""
    partners: tuple[Side, ...]
    """5.1: who plays with him."""
    mirrored: bool
    """S1: whether his partner sits at his left as he looks at the mat."""
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
    """What lies between the sides, for who can't see it."""
    nothing: str = ""
    order: str = ""
    """1.4.5: in which order is decided, where that counts."""
    pickings: tuple[Picking, ...] = ()
    """T9: what is filled in before it is posted."""
    plans: tuple[tuple[str, str], ...] = ()
    """T10: what may be planned for later turns: the line, and how it reads."""
    by: tuple[tuple[str, str], ...] = ()
    """Why somebody may do what is offered: what it is called, and the number."""
