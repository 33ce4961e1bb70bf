"""T9.1: the forms of all lines, as data: one row per form, from which lines are read, written and explained.

In a pattern words mean themselves (`a|b`: either, the first is written), `{slot}` is filled in, `[..]` can be left out.
`shown` is an example, offered to a player who wrote something similar.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

_EVERY = ("kryptik", "seize", "altered", "free")


@dataclass(frozen=True, slots=True)
class Form:
    """T9.1: one form of a line: its games, the action's kind, its pattern, an example, and the fields it sets."""

    games: tuple[str, ...]
    kind: str
    pattern: str
    shown: str
    fixed: tuple[tuple[str, str], ...] = ()
    clauses: bool = False
    """Whether `; target ..`, `; pay with ..` and the like may follow."""


def _of(games: str, kind: str, pattern: str, example: str, *, clauses: bool = False, **fixed: str) -> Form:
    game_names = _EVERY if games == "every" else tuple(games.split())
    return Form(game_names, kind, pattern, example, tuple(fixed.items()), clauses)


FORMS: tuple[Form, ...] = (
    # Kryptik
    _of("kryptik", "soul", "soul {card}", "soul Lantern Bearer"),
    _of("kryptik", "energy", "energy {colour} from {thing}", "energy u from #11"),
    _of("kryptik", "cast", "cast {card}", "cast Harbour Watch; target #12; pay with soul 1, soul 3", clauses=True),
    _of("kryptik seize", "use", "use {thing}[ {ability} ability]", "use #4 second ability; X = 3", clauses=True),
    _of("kryptik", "attack", "attack with {thing} > {targets}", "attack with #4 > 11y 3"),
    _of("kryptik", "attack", "attack {thing} > {targets}", "attack #4 > 11y 3"),
    _of("kryptik", "attack", "no attack", "no attack", thing="none"),
    _of("kryptik", "block", "block {attacker} with {things}", "block #12 with #5, #6"),
    _of("kryptik", "block", "block with {things}", "block with #5"),
    _of("kryptik", "block", "no block", "no block"),
    _of("kryptik", "order", "damage order {order}", "damage order #6, #5"),
    _of("kryptik", "eleven", "11y : hand", "11y: hand", do="hand"),
    _of("kryptik", "eleven", "11y : ability", "11y: ability", do="ability", clauses=True),
    _of("kryptik", "eleven", "11y : cast", "11y: cast; target #3", do="cast", clauses=True),
    _of("kryptik", "recursion", "recursion : {cards}", "recursion: Ember Rite, Ember Rite"),
    _of("kryptik", "recursion", "keep hand", "keep hand"),
    _of("kryptik", "abolish", "abolish {things}", "abolish #1"),
    # Seize
    _of("seize", "treasure", "treasure face down {card}", "treasure face down Raider", do="face down"),
    _of("seize", "treasure", "treasure {card}", "treasure Iron Sword"),
    _of("seize", "play", "play {card} to {tile}[ from {from}][ with {equip}]",
        "play Raider to b2 with Iron Sword", clauses=True),
    _of("seize", "play", "play {card}", "play Quick Roll; target #9, c5", clauses=True),
    _of("seize", "equip", "equip {thing} with {things}", "equip #3 with #21"),
    _of("seize", "unequip", "unequip {thing} : {things}", "unequip #3: #21"),
    _of("seize", "exit", "exit {thing}", "exit #3"),
    _of("seize", "acquire", "acquire {n}", "acquire 2"),
    _of("seize", "enough", "enough", "enough"),
    _of("seize", "move", "move {thing} : {path}", "move #3: b2-b3-c3"),
    _of("seize", "attack card", "attack card {card} by {thing} > {targets}", "attack card Cleave by #3 > #9",
        clauses=True),
    _of("seize", "attack", "attack {thing} > {targets}[ {stat}]", "attack #3 > #9 ranged"),
    _of("seize", "attack", "attack with {thing} > {targets}[ {stat}]", "attack with #3 > #9 ranged"),
    _of("seize", "plunder", "plunder with {thing}", "plunder with #3", clauses=True),
    _of("seize", "event", "event {card}", "event War Drums", clauses=True),
    _of("seize", "unveil", "unveil {targets} with {thing}", "unveil #9 with #1"),
    _of("seize", "pillar", "pillar {tile}", "pillar c3"),
    _of("seize", "champion", "champion {tile}", "champion b1"),
    _of("seize", "mulligan", "mulligan", "mulligan", do="mulligan"),
    _of("seize", "mulligan", "keep hand", "keep hand", do="keep"),
    _of("seize", "starter", "starter {seat}", "starter A"),
    # Altered
    _of("altered", "mana", "no mana", "no mana"),
    _of("altered", "mana", "mana {cards}", "mana Kitsune"),
    _of("altered", "play", "play {card}[ to {expedition}][ from {from}]",
        "play Kuwat to companion from reserve", clauses=True),
    _of("altered", "orb", "orb {n} for orb {other}", "orb 2 for orb 5"),
    _of("altered", "quick", "quick {thing}[ {ability} ability]", "quick #5 second ability", clauses=True),
    _of("altered", "react", "react {thing}[ {ability} ability][ first]", "react #7 first", clauses=True),
    _of("altered", "agree", "agree suggested", "agree suggested", do="suggested"),
    _of("altered", "agree", "agree {n} : {text}", "agree 1: hand 6, mana 3"),
    _of("altered", "resupply", "resupply", "resupply"),
    _of("altered", "keep", "keep nothing", "keep nothing"),
    _of("altered", "keep", "keep {things}", "keep #2, #8"),
    _of("altered", "pay", "pay", "pay", clauses=True),
    # all of them
    _of("every", "sacrifice", "sacrifice {things}", "sacrifice #4"),
    _of("every", "discard", "discard {cards}", "discard Torch, Torch"),
    _of("every", "triggers", "triggers : {order}", "triggers: Old Pact, Deep Well"),
    _of("every", "target", "target|targets none", "target none", do="none"),
    _of("every", "target", "target|targets {targets}", "target #4"),
    _of("every", "choose", "choose none", "choose none", do="none"),
    _of("every", "choose", "choose {number}", "choose 3", do="number"),
    _of("every", "choose", "choose {things}", "choose #4"),
    _of("every", "yes", "yes", "yes", clauses=True),
    _of("every", "no", "no", "no"),
    _of("every", "pass", "pass", "pass"),
    _of("kryptik seize", "pass", "pass turn", "pass turn", to="turn"),
    _of("kryptik seize", "pass", "pass to {step}", "pass to end of turn"),
    _of("every", "done", "done", "done"),
    _of("every", "concede", "concede", "concede!"),
    _of("every", "take back", "take back", "take back"),
    _of("every", "propose", "propose : {changes}[ {reason}]", "propose: #7 dies; A draws 1 (text of Old Pact)"),
    _of("free", "do", "do : {changes}[ {reason}]", "do: A draws 1; #7 engages"),
    _of("every", "accept", "accept {n}", "accept 3"),
    _of("every", "refuse", "refuse {n}[ : {text}]", "refuse 3: reason"),
    _of("every", "judge", "judge : {text}", "judge: what does “silenced” mean here?"),
)  # fmt: skip

CLAUSES: tuple[Form, ...] = (
    _of("every", "target", "target|targets none", "target none"),
    _of("every", "target", "target|targets {targets}", "target #12"),
    _of("every", "effect", "{nth} effect : none", "second effect: none"),
    _of("every", "effect", "{nth} effect : [target|targets ]{targets}", "first effect: target #4"),
    _of("every", "order", "order {order}", "order 2, 1"),
    _of("every", "pay", "pay with {pay}", "pay with soul 1, soul 3"),
    _of("every", "x", "X = {number}", "X = 3"),
    *(_of("every", word, f"{word} {{things}}", f"{word} #1")
      for word in ("sacrifice", "discard", "engage", "exhaust", "plunder", "abolish", "choose")),
)  # fmt: skip
"""Clauses that may follow a line that plays or uses something, each after a `;`."""

CHOICES = ("sacrifice", "discard", "engage", "exhaust", "plunder", "abolish", "choose")

SENTENCES: tuple[Form, ...] = (
    _of("every", "draws", "{seat} draws {n}", "A draws 1"),
    _of("every", "discards", "{seat} discards {n}", "A discards 1"),
    _of("every", "gains", "{seat} gains {n} {counted}", "A gains 2 vault"),
    _of("every", "loses", "{seat} loses {n} {counted}", "A loses 2 vault"),
    _of("every", "gains", "{seat} gains {n} {named}", "A gains 5 life"),
    _of("every", "loses", "{seat} loses {n} {named}", "A loses 5 life"),
    _of("every", "wins", "{seat} wins", "A wins"),
    _of("every", "loses", "{seat} loses", "A loses"),
    _of("every", "shuffles", "{seat} shuffles {from}", "A shuffles deck"),
    _of("every", "rolls", "{seat} rolls {die}", "A rolls d6"),
    _of("every", "puts", "{seat} puts {card} to bottom", "A puts Torch to bottom", do="bottom"),
    _of("every", "puts", "{seat} puts {card} to {from}", "A puts Torch to discard"),
    _of("every", "deals", "{seat} deals {n} to {from}", "A deals 1 to discard"),
    _of("every", "looks", "{seat} looks at {n}", "A looks at 3"),
    _of("every", "shows", "{seat} shows {from}", "A shows hand"),
    _of("every", "reveals", "{seat} reveals {card}", "A reveals Torch"),
    _of("every", "dies", "{thing} dies", "#7 dies"),
    _of("every", "engages", "{thing} engages", "#7 engages"),
    _of("every", "disengages", "{thing} disengages", "#7 disengages"),
    _of("every", "exhausts", "{thing} exhausts", "#7 exhausts"),
    _of("every", "readies", "{thing} readies", "#7 readies"),
    _of("every", "bottom", "{thing} to bottom", "#7 to bottom"),
    _of("every", "moves", "{thing} to {from}", "#7 to hand"),
    _of("every", "counts", "{thing} has {n} {status}", "#7 has 3 charge"),
    _of("every", "counts", "{seat} has {n} {status}", "A has 20 life"),
    _of("every", "gains status", "{thing} gains {status}", "#5 gains asleep"),
    _of("every", "loses status", "{thing} loses {status}", "#9 loses blind"),
    _of("every", "number", "{thing} {counted} {n}", "#9 health 5"),
    _of("every", "expedition", "expedition {expedition} of {seat} forward {n}", "expedition hero of A forward 1",
        do="forward"),
    _of("every", "expedition", "expedition {expedition} of {seat} back {n}", "expedition hero of A back 1", do="back"),
    _of("altered", "end", "end dusk", "end dusk", do="dusk"),
    _of("altered", "agreement", "agreement {n} : {clause}", "agreement 2: by hand"),
    _of("every", "counter", "counter {thing}", "counter Spark"),
    _of("every", "nothing", "nothing happens", "nothing happens"),
)  # fmt: skip
"""The sentences of a proposal or a ruling, separated by `;`."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
STATS = ("melee", "ranged")
EXPEDITIONS = ("hero", "companion")
COUNTED = ("vault", "loot", "mana", "health", "damage", "attack", "defense", "melee", "ranged", "move", "armor",
           "boost", "energy",
           "poison", "bleed", "frost", "burn", "exhaust", "regen", "fortify")  # fmt: skip

STEPS: Mapping[str, Mapping[str, tuple[str, ...]]] = MappingProxyType({
    "kryptik": {
        "disengage": ("disengage phase", "disengage"),
        "draw": ("draw phase", "draw"),
        "first": ("first", "1st phase", "first phase", "1st"),
        "combat.begin": ("combat.begin", "beginning of combat", "combat begin", "combat phase", "combat"),
        "attack": ("attack", "attackers", "command attacker"),
        "block": ("block", "blockers", "command blockers"),
        "damage": ("damage", "combat resolution"),
        "combat.end": ("combat.end", "end of combat", "combat end"),
        "second": ("second", "2nd phase", "second phase", "2nd"),
        "end": ("end", "end of turn", "end of turn phase", "end phase"),
    },
    "seize": {
        "beginning": ("beginning", "beginning phase"),
        "draw": ("draw", "draw phase"),
        "acquire": ("acquire", "acquire phase"),
        "rally": ("rally", "rally phase"),
        "move1": ("move1", "first movement phase", "first movement", "1st movement phase"),
        "attack": ("attack", "attack phase"),
        "move2": ("move2", "second movement phase", "second movement", "2nd movement phase"),
        "end": ("end", "end phase", "end of turn"),
    },
})  # fmt: skip
"""The names of a step in `pass to ..`, by the key of the game's flow; the first is written."""
