"""R48: a mercenary's reasons for its decision: why it acts so, and why it rejects the alternatives.

A decision is made before the moves, so its words express a mercenary's intention, not its result.
"""

from wargame.rules.core.phrases import Phrases


class Why(Phrases):
    """R48: why a mercenary decides so, as a sentence for everybody, and why it rejects the alternatives."""

    FIGHTS = "{army} stayed to fight on {at}."

    # 6.1.1, R50: town defenders
    KEEPS = "{army} chose to keep {town}."
    WAITS = "{army} chose to wait outside {town}: {because:phrase}."
    TAKES_REFUGE = "{army} chose to stay in {town}: {because:phrase}."
    RETREATS = "{army} headed for {town}: {because:phrase}."
    RETURNS = "{army} headed back to {town}."
    RETURNS_TO_HELD = "{army} headed back to {town}, held by {holder}."
    BLOCKED = "{because:phrase} No nearer square was free."
    RETAKES = "{army} set out to drive {holder} from {town}."
    FEW_LEFT = "the odds were overwhelming, with {left:,} soldiers left, fewer than {few:,}"
    ODDS_OF_ONE = (
        "{who:listed} within {steps:d} squares of {town} had a strength of {theirs:,}, more than {times:d} times the "
        "defender's {own:,}"
    )
    ODDS = (
        "{who:listed} within {steps:d} squares of {town} had a joint strength of {theirs:,}, more than {times:d} times "
        "the defender's {own:,}"
    )
    ODDS_OF_MANY = (
        "{armies:d} armies within {steps:d} squares of {town} had a joint strength of {theirs:,}, more than {times:d} "
        "times the defender's {own:,}"
    )
    MERCENARY_THERE = "{other} stood there, and no two mercenaries share a square (R3)"
    HELD_BUT = "{other} held it, but {because:phrase}"
    TOWN_CLAIMED = "{claimant} had set out for it (R3)"

    # 6.2.1, 6.2.3, R51: theme armies
    MAKES_FOR = (
        "{army} headed for {enemy} on {at}, the nearest army that came within a move of {home}, the starting square."
    )
    CAN_NOT_APPROACH = (
        "{army} chose to stay: no free square was nearer to {enemy} on {at}, the nearest army that came within a move "
        "of {home}, the starting square."
    )
    DEFENDS_TERRITORY = (
        "{army} set out to attack {enemy}, the nearest army that came within a move of {home}, the starting square."
    )
    PATROLS = "{army} set out to patrol their territory, the squares within {steps:d} of {home}."
    RETURNS_TO_TERRITORY = "{army} headed back to their territory around {home}."
    STAYS_AT_HOME = "{army} chose to stay: no square of their territory was free."
    ATTACKS_ITS_ENEMY = (
        "{army}, at war with {teams:listed}, set out to attack {enemy}, the nearest of their enemies in range."
    )
    ATTACKS_ANOTHER = (
        "{army}, at war with {teams:listed}, set out to attack {enemy}, the nearest army in range, none of their "
        "enemies."
    )
    ADVANCES = "{army}, at war with {teams:listed}, advanced towards {enemy} on {at}, the nearest of their enemies."
    CAN_NOT_ADVANCE = (
        "{army}, at war with {teams:listed}, chose to stay: no free square nearer to {enemy} on {at} was away from "
        "bases and portals."
    )

    # 6.2.1, R51: the ocean's theme army
    ATTACKS_ON_OCEAN = "{army} set out to attack {enemy}, an army in range on the ocean."
    MOVES_ON = "{army} set out for another ocean area, after {battles:d} battles in this one."
    PATROLS_OCEAN = "{army} set out to patrol the ocean."
    RETURNS_TO_OCEAN = "{army} headed back to the ocean."
    STAYS_ON_OCEAN = "{army} chose to stay: no ocean square in reach was free."

    # 6.3.1, 6.3.2, R52: raiders
    DISBANDS = "{army} had to disband: {left:,} soldiers were below a tenth of full strength."
    RAIDS = "{army} set out to attack {enemy}, the weakest army in range: {theirs:,} to {own:,}."
    CAN_NOT_LURK = "{army} chose to stay: no free square in reach was away from bases, portals and towns."
    STAYS_ALONE = "{army} chose to stay where {crowd:phrase} within {steps:d} steps."
    STAYS_NEAR_PREY = "{army} chose to stay where {crowd:phrase} within {steps:d} steps, in search of {enemy}."
    GOES_ALONE = "{army} made for a square where {crowd:phrase} within {steps:d} steps."
    GOES_NEAR_PREY = "{army} made for a square where {crowd:phrase} within {steps:d} steps, in search of {enemy}."
    NO_OTHER = "no other army was"
    ONE_OTHER = "only 1 other army was"
    OTHERS = "only {others:d} other armies were"

    # what is not done
    FIGHTING = "it was fighting, and no one else could join that battle (3.3.5, R3)"
    CLAIMED = "{claimant} had set out for that square (R3)"
    DRAWN_ANOTHER = "the draw chose another"
    DRAWN_ONE = "one of them was drawn"
    DRAWN_OTHER_SQUARE = "another one was drawn"
    FARTHER = "farther"
    NO_TOWN_FREE = "no other town was free"
    NO_WAY = "no free square led to {town}"
    ENOUGH_LEFT = "it had {left:,} soldiers left, no fewer than {few:,}"
    NOT_IN_TERRITORY = "{at} is more than {steps:d} squares from {home}"
    BY_BASE = "it is in or next to a base or portal"
    BY_BUILT = "it is in or next to a base, portal or town"
    ENEMIES_FIRST = "its enemies come first"
    NO_OCEAN = "{at} is {terrain}"
    FOUGHT_LAST = "it fought that army last, and another was in range"
    NOT_NEAREST = "not the nearest"  # by rules 1.1, the ocean's army
    LEAVES_AREA = "it is leaving this area and its armies"
    NOT_WEAKER = "it was not weaker: {theirs:,} to {own:,}"
    NOT_WEAKEST = "not the weakest: {theirs:,}"
    MORE_AROUND = "more armies were within {steps:d} steps"
    FARTHER_FROM_PREY = "farther from {enemy}"


class Course(Phrases):
    """R48: the alternatives of a mercenary."""

    ENGAGE = "engage {army}"
    MOVE_TO = "move to {town}"
    RETREAT = "retreat to another town"
    HOLD = "hold or retake {town}"
    FREE_SQUARES = "{squares:count free square} in reach"
    OCEAN_SQUARES = "{squares:d} free ocean squares in reach"
    OTHER_SQUARES = "{squares:count other square} in reach"
    EMPTY_SQUARES = "{squares:count equally empty square} in reach"
    EQUAL_SQUARES = "{squares:count equal square} in reach"
