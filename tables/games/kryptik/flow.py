"""4, 5: the phases, steps and zones of Kryptik as data, and the current step."""

from tables.core.play import Step
from tables.core.state import State
from tables.core.zones import ZoneKind

STEPS = (
    Step("setup", "2", "disengage", priority=False),
    Step("disengage", "4.1", "draw", priority=False),
    Step("draw", "4.2", "first", priority=False),
    Step("first", "4.3", "combat.begin", main=True, words=("1st phase", "first phase")),
    Step("combat.begin", "4.4.1", "attack", words=("combat", "beginning of combat")),
    Step("attack", "4.4.2", "block"),
    Step("block", "4.4.3", "damage"),
    Step("damage", "4.4.4", "attack"),
    Step("combat.end", "4.4.5", "second", words=("end of combat",)),
    Step("second", "4.5", "end", main=True, words=("2nd phase", "second phase")),
    Step("end", "4.6", "disengage", words=("end of turn",)),
)
"""4, 4.4.1, 4.4.4.4, 4.4.5: the beginning of a step (K9) comes first, then priority."""

PHASES = {
    "disengage": ("disengage", "draw"),
    "draw": ("draw", "first"),
    "first": ("first", "combat.begin"),
    "combat": ("combat.begin", "second"),
    "second": ("second", "end"),
}
"""4: the phases that a card can skip or end, each with its first step and the step after it."""
FOLLOWING = {"damage": "combat.end"}
"""4.4.4.4: after the damage of the last attacker comes 4.4.5."""

ZONES = (
    ZoneKind("hand", "5.1", "seat", "owner"),
    ZoneKind("deck", "5.2", "seat", "nobody", ordered=True),
    ZoneKind("island", "5.3", "seat", "all", play=True),
    ZoneKind("eleven", "5.4", "seat", "nobody", ordered=True),
    ZoneKind("soul", "5.5", "seat", "all", ordered=True),
    ZoneKind("limbo", "5.6", "seat", "all", ordered=True),
    ZoneKind("abolished", "5.7", "seat", "all", ordered=True),
    ZoneKind("revealed", "6.1", "seat", "all", ordered=True),
    ZoneKind("left", "K34", "seat", "all"),
    ZoneKind("pile", "8.4", "shared", "all", ordered=True),
)
"""5: 5.1 hand, 5.2 deck, 5.3 island, 5.4 row, 5.5 soul row, 5.6 limbo pile, 5.7 abolished zone. K21: `revealed` is
the place of a destroyed 11 year card while its owner chooses."""

HAND = 6
ROW = 6
"""2.3, 2.4: the number of cards drawn, and placed in the 11 year row."""
HAND_LIMIT = 7
"""4.6, 5.1: the hand size to which the turn player discards."""
DRAWN = 1
SOUL_CARDS = 1
"""4.2, 5.5: drawn in a turn, and placed in the soul row in a turn."""


BY_NAME = {step.name: step for step in STEPS}


def step_of(state: State) -> Step:
    """4: the current phase or step."""
    return BY_NAME[state.turn.at]
