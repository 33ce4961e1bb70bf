"""R48: what a mercenary says of its decision: why it does what it does, what else it thought of, and why not that.

A decision is made before anybody moves, so that its words tell what a mercenary sets out to do, not that it did."""

from __future__ import annotations

from wargame.rules.core.phrases import Phrases


class Why(Phrases):
    """R48: why a mercenary does what it does, as a sentence for everybody, and why it does nothing else."""

    FIGHTS = "{army} fights on {at}."

    # 6.1.1, R50: town defenders
    KEEPS = "{army} keeps {town}."
    WAITS = "{army} waits outside {town}: {because:phrase}."
    TAKES_REFUGE = "{army} stays in {town}: {because:phrase}."
    RETREATS = "{army} headed for {town}: {because:phrase}."
    RETURNS = "{army} headed back to {town}."
    RETURNS_TO_HELD = "{army} headed back to {town}, which {holder} holds."
    BLOCKED = "{because:phrase} No nearer square is free."
    RETAKES = "{army} set out to attack {holder}, which holds {town}."
    FEW_LEFT = "it faces overwhelming odds with {left:,} soldiers left, fewer than {few:,}"
    ODDS_OF_ONE = (
        "{who:listed} within {steps:d} squares of {town} has a strength of {theirs:,}, more than {times:d} times its "
        "{own:,}"
    )
    ODDS = (
        "{who:listed} within {steps:d} squares of {town} have a strength of {theirs:,}, more than {times:d} times its "
        "{own:,}"
    )
    ODDS_OF_MANY = (
        "{armies:d} armies within {steps:d} squares of {town} have a strength of {theirs:,}, more than {times:d} times "
        "its {own:,}"
    )
    MERCENARY_THERE = "{other} is there, and no two mercenaries share a square (R3)"
    HELD_BUT = "{other} holds it, but {because:phrase}"
    TOWN_CLAIMED = "{claimant} is bound for it (R3)"

    # 6.2.1, 6.2.3, R51: theme armies
    MAKES_FOR = "{army} headed for {enemy} on {at}, the nearest army that came within a move of {home}, where it began."
    CAN_NOT_APPROACH = (
        "{army} stays: no free square is nearer to {enemy} on {at}, the nearest army that came within a move of "
        "{home}, where it began."
    )
    DEFENDS_TERRITORY = (
        "{army} set out to attack {enemy}, the nearest army that came within a move of {home}, where it began."
    )
    PATROLS = "{army} patrols its territory, the squares within {steps:d} of {home}."
    RETURNS_TO_TERRITORY = "{army} headed back to its territory around {home}."
    STAYS_AT_HOME = "{army} stays: no square of its territory is free."
    ATTACKS_ITS_ENEMY = (
        "{army}, at war with {teams:listed}, set out to attack {enemy}, the nearest of its enemies in range."
    )
    ATTACKS_ANOTHER = (
        "{army}, at war with {teams:listed}, set out to attack {enemy}, the nearest army in range, none of its enemies."
    )
    ADVANCES = "{army}, at war with {teams:listed}, advanced towards {enemy} on {at}, the nearest of its enemies."
    CAN_NOT_ADVANCE = (
        "{army} is at war with {teams:listed} and stays: no free square nearer to {enemy} on {at} is away from bases "
        "and portals."
    )

    # 6.2.1, R51: the ocean's theme army
    ATTACKS_ON_OCEAN = "{army} set out to attack {enemy}, an army in range on the ocean."
    MOVES_ON = "{army} set out for another ocean area, after {battles:d} battles in this one."
    PATROLS_OCEAN = "{army} patrols the ocean."
    RETURNS_TO_OCEAN = "{army} headed back to the ocean."
    STAYS_ON_OCEAN = "{army} stays: no ocean square in reach is free."

    # 6.3.1, 6.3.2, R52: raiders
    DISBANDS = "{army} is to disband: {left:,} soldiers are below a tenth of its strength."
    RAIDS = "{army} set out to attack {enemy}, the weakest army in range: {theirs:,} to {own:,}."
    CAN_NOT_LURK = "{army} stays: no free square in reach is away from bases, portals and towns."
    STAYS_ALONE = "{army} stays where {crowd:phrase} within {steps:d} steps."
    STAYS_NEAR_PREY = "{army} stays where {crowd:phrase} within {steps:d} steps, in search of {enemy}."
    GOES_ALONE = "{army} made for a square where {crowd:phrase} within {steps:d} steps."
    GOES_NEAR_PREY = "{army} made for a square where {crowd:phrase} within {steps:d} steps, in search of {enemy}."
    NO_OTHER = "no other army is"
    ONE_OTHER = "only 1 other army is"
    OTHERS = "only {others:d} other armies are"

    # what is not done
    FIGHTING = "it is fighting, and no one else can join that battle (3.3.5, R3)"
    CLAIMED = "{claimant} is bound for that square (R3)"
    DRAWN_ANOTHER = "the draw chose another"
    DRAWN_ONE = "one of them was drawn"
    DRAWN_OTHER_SQUARE = "another one was drawn"
    FARTHER = "farther"
    NO_TOWN_FREE = "no other town is free"
    NO_WAY = "no free square leads to {town}"
    ENOUGH_LEFT = "it has {left:,} soldiers left, no fewer than {few:,}"
    NOT_IN_TERRITORY = "{at} is not within {steps:d} of {home}"
    BY_BASE = "it is in or next to a base or portal"
    BY_BUILT = "it is in or next to a base, portal or town"
    ENEMIES_FIRST = "its enemies come first"
    NO_OCEAN = "{at} is {terrain}"
    FOUGHT_LAST = "it fought that army last, and another is in range"
    NOT_NEAREST = "not the nearest"  # by rules 1.1, the ocean's army
    LEAVES_AREA = "it leaves the armies of this area"
    NOT_WEAKER = "it is not weaker: {theirs:,} to {own:,}"
    NOT_WEAKEST = "not the weakest: {theirs:,}"
    MORE_AROUND = "more armies are within {steps:d} steps"
    FARTHER_FROM_PREY = "farther from {enemy}"


class Course(Phrases):
    """R48: what else a mercenary might have done."""

    ENGAGE = "engage {army}"
    MOVE_TO = "move to {town}"
    RETREAT = "retreat to another town"
    HOLD = "hold or retake {town}"
    FREE_SQUARES = "{squares:count free square} in reach"
    OCEAN_SQUARES = "{squares:d} free ocean squares in reach"
    OTHER_SQUARES = "{squares:count other square} in reach"
    EMPTY_SQUARES = "{squares:count equally empty square} in reach"
    EQUAL_SQUARES = "{squares:count equal square} in reach"
