"""T7: a card as frozen data: the content of its list, checked by `vocabulary` and read by the engine.

Nothing here knows a zone's cards or a table's state: a selector says *which* things are meant, the engine finds them.
`text` always accompanies the data, and is what a judge rules by. Cards are made by `cardlist.read_card`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Game: TypeAlias = Literal["kryptik", "seize", "altered", "free"]
GAMES: tuple[Game, ...] = ("kryptik", "seize", "altered", "free")

AbilityKind: TypeAlias = Literal["when", "active", "quick", "passive", "spell", "eleven"]


# ----------------------------------------------------------------------------------------------- values


@dataclass(frozen=True, slots=True)
class Number:
    """T7: a whole number."""

    n: int


@dataclass(frozen=True, slots=True)
class Name:
    """T7: a number that is known when the effect resolves: `X`, or `that many` (what the step before did)."""

    word: Literal["X", "that many"]


@dataclass(frozen=True, slots=True)
class Stat:
    """T7: a number of a thing or player: `attack of self`, `counters(frost) of it`, `eleven of opponent`.

    For a player, `stat` names a number (`vault`, `energy`) or a zone, whose cards are counted.
    """

    stat: str
    of: Selector
    kind: str = ""
    """The kind of counters, for `counters(frost)`; else empty."""


@dataclass(frozen=True, slots=True)
class Count:
    """T7: the number of things that a selector means: `{count: {all: {type: citizen}}}`."""

    what: Selector


@dataclass(frozen=True, slots=True)
class Sum:
    """T7: arithmetic over values: `+ - * min max`, and `half up`, `half down` (of `left` alone)."""

    op: Literal["+", "-", "*", "min", "max", "half up", "half down"]
    left: Value
    right: Value


Value: TypeAlias = Number | Name | Stat | Count | Sum


@dataclass(frozen=True, slots=True)
class Change:
    """T7: a change to a statistic: `+2`, `-1` (added), or a plain number, to which it is set."""

    how: Literal["add", "set"]
    by: Value


@dataclass(frozen=True, slots=True)
class Compare:
    """T7: a test of a number: `{cost: ">= 4"}`; a plain number means equal."""

    op: Literal["=", "!=", "<", "<=", ">", ">="]
    to: Value


# ----------------------------------------------------------------------------------------------- selectors


@dataclass(frozen=True, slots=True)
class Filter:
    """T7: conditions on a thing; an empty field requires nothing, all others must be met."""

    zone: str = ""
    """Its location: a zone of the game, or `pile` (written `"on": pile`). Empty: wherever its type is in play."""
    whose: str = ""
    """Its controller: `you`, `opponent`, `they` (the player of `each`), `turn player`, `owner`, ..."""
    type: str = ""
    item: str = ""
    """On the pile (written `is`): `card`, `ability` (activated), `trigger`, `choice` (of an 11 year card)."""
    class_: str = ""
    faction: str = ""
    colour: str = ""
    name: str = ""
    kind: str = ""
    keyword: str = ""
    status: str = ""
    counters: tuple[tuple[str, Compare], ...] = ()
    numbers: tuple[tuple[str, Compare], ...] = ()
    """Tests of `cost`, `attack`, `defense`, `health`, ...: (name, test)."""
    states: tuple[tuple[str, bool], ...] = ()
    """States that it must have or not have: (`engaged`, true), (`fleeting`, false), ..."""
    tile: str = ""
    """`adjacent`, `in line`, `hall`, `behind`, `same`, `distance`, `free` (Seize)."""
    to: Selector | None = None
    """The reference for `tile`: adjacent to it, in line with it, ..."""
    distance: int = 0
    free: bool | None = None
    expedition: str = ""
    place: int = 0
    not_: Selector | None = None
    """An exception though all else fits: `not: self`, `not: {name: Gull}`."""


@dataclass(frozen=True, slots=True)
class Selector:
    """T7: a description of things or players.

    Things: `self it chosen target that card attacker blockers bearer done` (`target` with its number `n`), `top` and
    `bottom` (the `n` upper or lower cards of `zone`), `place` (place `n` of `zone`). Players: `you opponent they player
    each player each opponent turn player owner controller first player`. By `where`: `all`, `one`, `up to` and `random`
    (`n` of them), and `any` (whatever fits: in triggers, passives and tests).
    """

    word: str
    n: int = 0
    zone: str = ""
    where: Filter | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """8.5: one declared target of an effect: the legal things, and how many may be chosen (`up to: 2`: 0 to 2)."""

    where: Filter
    least: int = 1
    most: int = 1


# ----------------------------------------------------------------------------------------------- effects


@dataclass(frozen=True, slots=True)
class Test:
    """T7: a condition.

    `short time` (an opponent has at most `n` 11 year cards), `done` (the step before was carried out), `is` (`what`
    fits `where`), `number` (`value` compared by `compare`), `not`, `all`, `some` (of `parts`).
    """

    word: str
    n: int = 0
    what: Selector | None = None
    where: Filter | None = None
    value: Value | None = None
    compare: Compare | None = None
    parts: tuple[Test, ...] = ()


@dataclass(frozen=True, slots=True)
class Effect:
    """T7: one primitive: its word, and its arguments by key; the argument of the word itself has the word as key.

    `{damage: 3, to: target 1}` is `Effect("damage", (("damage", Number(3)), ("to", Selector("target", 1))))`. The keys
    of a word and their kinds are in `vocabulary.PRIMITIVES`. The readers below return one argument in its kind, or None
    if the card does not name it; an argument of another kind is a defect (TypeError).
    """

    word: str
    args: tuple[tuple[str, Argument], ...] = ()

    def get(self, key: str) -> Argument | None:
        """T7: the raw argument, or None."""
        for name, value in self.args:
            if name == key:
                return value
        return None

    def value(self, key: str) -> Value | None:
        """T7: a number that may have to be computed."""
        argument = self.get(key)
        if argument is None or isinstance(argument, (Number, Name, Stat, Count, Sum)):
            return argument
        raise TypeError(f"{self.word}: {key} is no value")

    def selector(self, key: str) -> Selector | None:
        """T7: a selector of things or players."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Selector):
            return argument
        raise TypeError(f"{self.word}: {key} is no selector")

    def filter(self, key: str) -> Filter | None:
        """T7: the filter that must fit (`search: deck, for: ...`)."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Filter):
            return argument
        raise TypeError(f"{self.word}: {key} is no filter")

    def change(self, key: str) -> Change | None:
        """T7: a change to a statistic."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Change):
            return argument
        raise TypeError(f"{self.word}: {key} is no change")

    def text(self, key: str) -> str:
        """T7: a word (a zone, status, colour, duration); empty if it is not named."""
        argument = self.get(key)
        if argument is None:
            return ""
        if isinstance(argument, str):
            return argument
        raise TypeError(f"{self.word}: {key} is no word")

    def flag(self, key: str) -> bool | None:
        """T7: true, false, or None if the card says nothing."""
        argument = self.get(key)
        if argument is None or isinstance(argument, bool):
            return argument
        raise TypeError(f"{self.word}: {key} is neither true nor false")

    def test(self, key: str) -> Test | None:
        """T7: the condition of `if`."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Test):
            return argument
        raise TypeError(f"{self.word}: {key} is no condition")

    def trigger(self, key: str) -> Trigger | None:
        """T7: the event of `later` and `instead of`."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Trigger):
            return argument
        raise TypeError(f"{self.word}: {key} is no event")

    def price(self, key: str) -> Price | None:
        """T7: the cost of `pay`."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Price):
            return argument
        raise TypeError(f"{self.word}: {key} is no cost")

    def ability(self, key: str) -> Ability | None:
        """T7: an ability that a passive gives (`reaction`)."""
        argument = self.get(key)
        if argument is None or isinstance(argument, Ability):
            return argument
        raise TypeError(f"{self.word}: {key} is no ability")

    def effects(self, key: str = "do") -> tuple[Effect, ...]:
        """T7: the steps within it, empty if there are none."""
        argument = self.get(key)
        if argument is None:
            return ()
        if isinstance(argument, tuple):
            return argument
        raise TypeError(f"{self.word}: {key} is no list of effects")


@dataclass(frozen=True, slots=True)
class Stone:
    """8.1.1.1: a part of a cost: a colour (`w`), two halves (`w/u`), `any`, a treasure's kind; how many, or `X`."""

    colour: str
    n: Number | Name


@dataclass(frozen=True, slots=True)
class Price:
    """8.1: a price, paid in full or not at all: stones, and acts (`{engage: self}`, `{plunder: 2, of: ..}`)."""

    stones: tuple[Stone, ...] = ()
    acts: tuple[Effect, ...] = ()

    @property
    def free(self) -> bool:
        """8.1: whether nothing at all is due."""
        return not self.acts and all(stone.n == Number(0) for stone in self.stones)


@dataclass(frozen=True, slots=True)
class Trigger:
    """9.3: the event that triggers an ability: its word of `vocabulary.EVENTS`, and its subject and details.

    `what`: the thing or player (`self`, `any` with a filter, `you`); None: any. `phase` of `start of phase`;
    `from_zone`, `to_zone`, `status`, `by` if the card names them. `once`: "", `turn`, `first`, `together` (one or more
    at a time count as one).
    """

    event: str
    what: Selector | None = None
    phase: str = ""
    from_zone: str = ""
    to_zone: str = ""
    status: str = ""
    by: Selector | None = None
    once: str = ""


@dataclass(frozen=True, slots=True)
class Ability:
    """T9: one paragraph of a card's text: 9.1 active, 9.2 passive, 9.3 triggered (`when`), an effect of a spell.

    The fields that its kind does not use are empty. `passive` is in effect as long as it lasts, on `on` (things) or
    `who` (players). `targets` are numbered from 1; `choose` is chosen when it resolves. `limit`: uses per turn.
    """

    kind: AbilityKind
    when: Trigger | None = None
    cost: Price = Price()
    test: Test | None = None
    targets: tuple[Target, ...] = ()
    choose: Selector | None = None
    do: tuple[Effect, ...] = ()
    passive: tuple[Effect, ...] = ()
    on: Selector | None = None
    who: Selector | None = None
    each: Selector | None = None
    may: bool = False
    solo: bool = False
    focused: bool = False
    limit: int = 0
    zone: str = ""
    """The zone where it works (written `in`); empty: on the island, the Battlefield, in the Expedition zone."""
    text: str = ""


Argument: TypeAlias = (
    bool
    | str
    | Number
    | Name
    | Stat
    | Count
    | Sum
    | Change
    | Selector
    | Filter
    | Test
    | Trigger
    | Price
    | Ability
    | tuple[Effect, ...]
)


# ----------------------------------------------------------------------------------------------- the card


@dataclass(frozen=True, slots=True)
class Eleven:
    """6.1: what a destroyed 11 year card offers: its ability, and its 11 year cost (generic, 8.1.2), if it has them."""

    cost: int | None = None
    ability: Ability | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """6.G, 6.H, 6.J: a number and the directions (S2, `F FL FR L R B BL BR`) of an attack or of the move.

    `kind`: crossbow (physical) or staff (magic), of a ranged attack; `distance`: the longest, from 1 (S18).
    """

    n: int
    directions: tuple[str, ...] = ()
    kind: str = ""
    distance: int = 1


@dataclass(frozen=True, slots=True)
class Card:
    """T7: a card of a list. Fields that a game does not print are empty, omitted ones are 0 or none.

    `manual`: part of its text is not in the vocabulary: the table waits for an agreement or a ruling (K42).
    """

    name: str
    game: Game
    type: str
    text: str = ""
    manual: bool = False
    token: bool = False
    keywords: tuple[str, ...] = ()
    abilities: tuple[Ability, ...] = ()
    faction: str = ""
    kind: str = ""
    """Seize: `instant`, `attack`, `event` of an ability; a treasure's type."""
    class_: str = ""
    stars: int = 0
    cost: Price = Price()
    additional: Price = Price()
    """8.1.4: due even if the card is cast for free."""
    # Kryptik
    attack: int = 0
    defense: int = 0
    """Kryptik: of a citizen; Seize: the shield (6.H.2)."""
    soul: tuple[str, ...] = ()
    eleven: Eleven = Eleven()
    overlord: bool = False
    # Seize
    health: int = 0
    melee: Reach | None = None
    ranged: Reach | None = None
    move: Reach | None = None
    bounty: int = 0
    # Altered
    hand_cost: int = 0
    reserve_cost: int | None = None
    """None: it can't be played from the Reserve."""
    stats: tuple[int, ...] = ()
    limits: tuple[tuple[str, int], ...] = ()
    """A Hero's limits at clean-up: (`reserve`, 2), (`landmark`, 2)."""
    halves: tuple[tuple[int, ...], ...] = ()
    """A Tumult's statistics by half, by place from 1: near, far."""
    tough: int = 0

    @property
    def mana_value(self) -> int:
        """T7: the sum of the cost, X as 0: the `cost` of a selector."""
        if self.game == "altered":
            return self.hand_cost
        return sum(stone.n.n for stone in self.cost.stones if isinstance(stone.n, Number))
