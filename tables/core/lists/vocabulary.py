"""T7: the words that a card may use: primitives with their arguments, events, selectors, states, by game.

Data only. `paragraphs` reads cards by these tables, a test compares docs/play/cards/decks.md with them, and the
engine's handlers are named after `PRIMITIVES`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from wargame.rules.core.saying import marked


class Kind(Enum):
    """T7: the kinds of arguments; `cards.Effect` has a reader for each."""

    NONE = "nothing"
    VALUE = marked("a number, X, or a value such as `attack of self`")
    CHANGE = marked("a change such as `+2` or `-1`, or the new number")
    SELECTOR = marked("a player or card, such as `self`, `target 1`, `opponent` or `{all: {type: citizen}}`")
    NUMBER_OR_SELECTOR = marked("a number, or a selection of cards")
    SELECTOR_OR_CHANGE = marked("the thing to move, or a change to the move, such as `+1`")
    CHOICE = marked("the kind of choice: a filter, or `number`, `player`, `colour`, `tile`, `name`")
    FILTER = marked("a filter, such as `{type: citizen}`")
    PLACE = marked("a zone, or `target 2`")
    WORD = marked("a word")
    FLAG = marked("true or false")
    EFFECTS = marked("a list of effects")
    TEST = marked("a condition, such as `{short time: 2}`")
    TRIGGER = marked("an event, such as `{dies: self}`")
    PRICE = marked("a cost, such as `{any: 2, engage: self}`")
    ABILITY = marked("an ability, such as `{when: {enters: self}, do: [..]}`")
    ACTION = marked("the action to allow or forbid, such as `attack`, or a list of effects")


@dataclass(frozen=True, slots=True)
class Arg:
    """T7: one argument: its kind, whether it is required, and the allowed words (empty: any)."""

    kind: Kind
    needed: bool = False
    among: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Primitive:
    """T7: a word that does something: the kind of its own argument, and its further keys."""

    main: Arg
    keys: Mapping[str, Arg]


_WHO = Arg(Kind.SELECTOR)
_SEL = Arg(Kind.SELECTOR, needed=True)
_VALUE = Arg(Kind.VALUE)
_FLAG = Arg(Kind.FLAG)
_FILTER = Arg(Kind.FILTER)
_WORD = Arg(Kind.WORD)
_DO = Arg(Kind.EFFECTS, needed=True)
_STEPS = Arg(Kind.EFFECTS)
_UNTIL = Arg(Kind.WORD, among=("turn", "my next turn", "source", "next damage", "step", "phase", "day"))
_TO_ZONE = Arg(Kind.PLACE, needed=True)
DAMAGE_TYPES = ("physical", "magic", "true", "pure", "lethal", "combat")
COLOURS = ("w", "u", "b", "r", "g", "any")
ACTIONS = ("attack", "block", "be blocked", "be targeted", "cast", "draw", "gain", "move", "play", "plunder",
           "ready", "sacrifice",
           "use", "disengage", "be destroyed", "discard", "search")  # fmt: skip


def _of(kind: Kind, *, among: tuple[str, ...] = (), **keys: Arg) -> Primitive:
    """A primitive; in keys `on_` means `on`, `from_` means `from`, and `_` means a blank."""
    arguments = {key.rstrip("_").replace("_", " "): arg for key, arg in keys.items()}
    return Primitive(Arg(kind, needed=True, among=among), MappingProxyType(arguments))


_STAT = _of(Kind.CHANGE, on_=Arg(Kind.SELECTOR), until=_UNTIL, who=_WHO)
STATS = (
    "attack",
    "defense",
    "health",
    "melee",
    "ranged",
    "armor",
    "magic armor",
    "bounty",
    "forest",
    "mountain",
    "water",
    "tough",
)
"""Statistics that a change can apply to, besides `move`."""

PRIMITIVES: Mapping[str, Primitive] = MappingProxyType({
    # cards and zones
    "draw": _of(Kind.VALUE, who=_WHO),
    "discard": _of(Kind.NUMBER_OR_SELECTOR, who=_WHO, random=_FLAG, of=_FILTER),
    "move": _of(Kind.SELECTOR_OR_CHANGE, to=Arg(Kind.PLACE), at=Arg(Kind.WORD, among=("top", "bottom")), place=_VALUE,
                face_down=_FLAG, exhausted=_FLAG, on_=_WHO, until=_UNTIL, who=_WHO),
    "return": _of(Kind.SELECTOR, to=_TO_ZONE, exhausted=_FLAG),
    "destroy": _of(Kind.SELECTOR),
    "sacrifice": _of(Kind.SELECTOR, who=_WHO, n=_VALUE),
    "abolish": _of(Kind.SELECTOR),
    "attach": _of(Kind.SELECTOR, to=_SEL),
    "detach": _of(Kind.SELECTOR, from_=_WHO),
    "shuffle": _of(Kind.WORD, who=_WHO),
    "search": _of(Kind.WORD, for_=Arg(Kind.FILTER, needed=True), n=_VALUE, to=_TO_ZONE, reveal=_FLAG, who=_WHO),
    "look at": _of(Kind.SELECTOR, who=_WHO),
    "reveal": _of(Kind.SELECTOR),
    "rearrange": _of(Kind.SELECTOR, who=_WHO),
    "create": _of(Kind.WORD, in_=Arg(Kind.PLACE), n=_VALUE, who=_WHO),
    "control": _of(Kind.SELECTOR, by=_SEL, until=_UNTIL),
    "swap": _of(Kind.SELECTOR, with_=_SEL),
    "cast": _of(Kind.SELECTOR, free=_FLAG, cost=Arg(Kind.PRICE)),
    "play": _of(Kind.SELECTOR, free=_FLAG, cost=Arg(Kind.PRICE)),
    "probe": _of(Kind.VALUE, who=_WHO),
    "plunder": _of(Kind.VALUE, of=_FILTER, who=_WHO),
    "resupply": _of(Kind.NONE, who=_WHO),
    # numbers
    "damage": _of(Kind.VALUE, to=_SEL, type=Arg(Kind.WORD, among=DAMAGE_TYPES)),
    "heal": _of(Kind.VALUE, to=_SEL),
    "gain": _of(Kind.VALUE, of=_WORD, who=_WHO),
    "lose": _of(Kind.VALUE, of=_WORD, who=_WHO),
    "take": _of(Kind.VALUE, of=_WORD, from_=_SEL, who=_WHO),
    "counters": _of(Kind.WORD, n=_VALUE, set=_VALUE, on_=_SEL),
    "move counters": _of(Kind.WORD, n=_VALUE, from_=_SEL, to=_SEL),
    "energy": _of(Kind.WORD, among=COLOURS, n=_VALUE, who=_WHO),
    # statuses and statistics
    "give": _of(Kind.WORD, n=_VALUE, to=_SEL),
    "remove": _of(Kind.WORD, n=_VALUE, from_=_SEL),
    "engage": _of(Kind.SELECTOR),
    "disengage": _of(Kind.SELECTOR),
    "exhaust": _of(Kind.SELECTOR),
    "ready": _of(Kind.SELECTOR),
    "keyword": _of(Kind.WORD, on_=_WHO, until=_UNTIL),
    **dict.fromkeys(STATS, _STAT),
    # the pile
    "counter": _of(Kind.SELECTOR),
    "new targets": _of(Kind.SELECTOR),
    "copy": _of(Kind.SELECTOR),
    "end": _of(Kind.WORD, among=("step", "phase", "turn")),
    # fight and ground
    "out of combat": _of(Kind.SELECTOR),
    "attack again": _of(Kind.SELECTOR),
    "push": _of(Kind.SELECTOR, n=_VALUE, direction=_WORD),
    "tile": _of(Kind.WORD, n=_VALUE, at=_SEL),
    "pillar": _of(Kind.SELECTOR),
    "plunder with": _of(Kind.SELECTOR),
    "expedition": _of(Kind.CHANGE, which=Arg(Kind.WORD, among=("hero", "companion", "both")), who=_WHO),
    # players and flow
    "extra": _of(Kind.WORD, among=("turn", "phase"), who=_WHO),
    "skip": _of(Kind.WORD, who=_WHO),
    "becomes first": _of(Kind.SELECTOR),
    "wins": _of(Kind.SELECTOR),
    "loses": _of(Kind.SELECTOR),
    "each": _of(Kind.SELECTOR, do=_DO),
    # choices
    "choose": _of(Kind.CHOICE, who=_WHO, do=_STEPS, most=_VALUE, least=_VALUE, secretly=_FLAG),
    "mode": _of(Kind.VALUE, of=_DO),
    "may": _of(Kind.ACTION, on_=_WHO, who=_WHO, until=_UNTIL),
    "pay": _of(Kind.PRICE, who=_WHO, do=_STEPS, or_=_STEPS),
    "roll": _of(Kind.WORD, among=("d4", "d6", "d8", "d10", "d12", "d20")),
    "coin": _of(Kind.NONE, won=_STEPS, lost=_STEPS),
    # form
    "in order": _of(Kind.EFFECTS),
    "if": _of(Kind.TEST, do=_DO, else_=_STEPS),
    "for each": _of(Kind.SELECTOR, do=_DO, most=_VALUE),
    "remember": _of(Kind.SELECTOR),
    "later": _of(Kind.TRIGGER, do=_DO),
    # lasting
    "passive": _of(Kind.EFFECTS, on_=_WHO, who=_WHO, until=_UNTIL),
    "can't": _of(Kind.WORD, among=ACTIONS, on_=_WHO, who=_WHO, until=_UNTIL),
    "costs": _of(Kind.CHANGE, of=_FILTER, who=_WHO, until=_UNTIL),
    "instead of": _of(Kind.TRIGGER, do=_DO, on_=_WHO, until=_UNTIL),
    "prevent": _of(Kind.VALUE, to=_SEL, type=Arg(Kind.WORD, among=DAMAGE_TYPES), until=_UNTIL),
    "limit": _of(Kind.VALUE, of=_WORD, who=_WHO),
    "reaction": _of(Kind.ABILITY, on_=_WHO),
    # the floor
    "manual": _of(Kind.WORD),
})  # fmt: skip

_OF_SEIZE = (
    "heal",
    "health",
    "melee",
    "ranged",
    "armor",
    "magic armor",
    "bounty",
    "push",
    "tile",
    "pillar",
    "plunder with",
)
_OF_ALTERED = ("resupply", "expedition", "becomes first", "forest", "mountain", "water", "tough", "reaction")
_OF_BOTH = ("play", "gain", "lose", "take", "give", "remove", "exhaust", "ready")
_OF_KRYPTIK = ("probe", "energy", "engage", "disengage", "abolish", "attach", "detach")
FOREIGN: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "kryptik": (*_OF_SEIZE, *_OF_ALTERED, *_OF_BOTH),
    "seize": (*_OF_ALTERED, *_OF_KRYPTIK),
    "altered": (*_OF_SEIZE, *_OF_KRYPTIK),
    "free": (),
})  # fmt: skip
"""The words that a game does not have."""

ALONE = tuple(word for word, primitive in PRIMITIVES.items() if primitive.main.kind is Kind.NONE)
"""Primitives that can be a word alone: `resupply`."""

ACTS = (
    "engage",
    "exhaust",
    "sacrifice",
    "discard",
    "plunder",
    "abolish",
    "destroy",
    "lose",
    "counters",
    "remove",
    "move",
)
"""Acts of a cost; the other keys in the cost belong to the act."""

EVENTS = (
    "enters", "leaves", "dies", "sacrificed", "attacks", "is attacked", "blocks", "is blocked", "deals damage",
    "is dealt damage",
    "cast", "used", "countered", "drawn", "draws", "discarded", "played", "start of turn", "end of turn",
    "start of phase", "noon",
    "status given", "status gone", "eleven destroyed", "plundered", "moved", "shuffled", "targeted", "engaged",
    "attached",
)  # fmt: skip
ONCE = ("turn", "first", "together")

THINGS = (
    "self",
    "it",
    "chosen",
    "that card",
    "attacker",
    "blocker",
    "blockers",
    "bearer",
    "remembered",
    "attached",
    "source",
)
PLAYERS = (
    "you",
    "opponent",
    "they",
    "player",
    "each player",
    "each opponent",
    "turn player",
    "owner",
    "controller",
    "first player",
)

STATES = ("engaged", "weary", "exhausted", "fleeting", "anchored", "asleep", "boosted", "blind", "silence",
          "stealth", "leech",
          "face down", "attached", "token", "overlord", "attacking", "blocking", "blocked", "damaged",
          "guild master", "face up",
          "attacked")  # fmt: skip
NUMBERS = (
    "cost",
    "attack",
    "defense",
    "health",
    "melee",
    "ranged",
    "move",
    "bounty",
    "stars",
    "damage",
    "eleven cost",
    "regions",
)
TILES = ("adjacent", "in line", "hall", "behind", "same", "distance", "free")
ITEMS = ("card", "ability", "trigger", "choice")

TYPES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "kryptik": ("citizen", "spell"),
    "seize": ("mercenary", "treasure", "ability"),
    "altered": ("hero", "character", "spell", "landmark", "tumult"),
    "free": ("card",),
})  # fmt: skip
ZONES: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "kryptik": ("hand", "deck", "island", "eleven", "soul", "limbo", "abolished", "pile"),
    "seize": ("hand", "deck", "warchest", "battlefield", "discard", "events", "quarters", "pile", "tile"),
    "altered": ("hand", "deck", "mana", "reserve", "discard", "landmark", "hero", "companion", "herozone", "limbo",
                "adventure",
                "expedition", "expeditions", "other expedition", "pile"),
    "free": ("hand", "deck", "table", "discard"),
})  # fmt: skip
IN_PLAY: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "kryptik": ("island",),
    "seize": ("battlefield",),
    "altered": ("hero", "companion", "landmark", "herozone"),
    "free": ("table",),
})  # fmt: skip
"""The zones in which a card's abilities work, and which a filter means if it names none."""
MEANT: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "seize": {"": ("battlefield",), "treasure": ("warchest",), "ability": ("events",)},
})  # fmt: skip
"""By game and type: the zones that a filter means if it names none, where they depend on the type."""
KEYWORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "kryptik": ("eager", "focused", "ravenous", "sidestep", "steadfast", "tenacious", "toxic"),
    "seize": ("stealth", "leech"),
    "altered": ("eternal", "fleeting", "anchored", "asleep", "tough"),
    "free": (),
})  # fmt: skip
DIRECTIONS = ("F", "FL", "FR", "L", "R", "B", "BL", "BR")

CARD_KEYS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    "kryptik": ("name", "type", "text", "faction", "cost", "attack", "defense", "soul", "eleven", "keywords",
                "abilities", "overlord",
                "additional", "focused", "token", "manual"),
    "seize": ("name", "type", "text", "class", "kind", "stars", "cost", "health", "melee", "ranged", "defense",
              "bounty", "move",
              "keywords", "abilities", "token", "manual"),
    "altered": ("name", "type", "text", "faction", "cost", "stats", "limits", "halves", "tough", "keywords",
                "abilities", "token",
                "manual"),
    "free": ("name", "type", "text", "kind", "token", "manual"),
})  # fmt: skip
ABILITY_KEYS = ("when", "active", "quick", "passive", "spell", "cost", "if", "targets", "choose", "do",
                "on", "who", "each",
                "may", "solo", "focused", "limit", "in", "text")  # fmt: skip
STONES: Mapping[str, tuple[str, ...]] = MappingProxyType({"kryptik": COLOURS, "altered": ("any", "mana")})
"""The means of payment, for games with a fixed set; in Seize any kind of treasure is one."""
ABILITY_KINDS = ("when", "active", "quick", "passive", "spell")
FILTER_WORDS = ("class", "faction", "colour", "name", "kind", "keyword", "status", "expedition")
FILTER_KEYS = (
    *FILTER_WORDS,
    "zone",
    "on",
    "whose",
    "type",
    "is",
    "counters",
    "tile",
    "to",
    "distance",
    "free",
    "place",
    "not",
)
