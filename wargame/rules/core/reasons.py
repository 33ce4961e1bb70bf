"""R14: why an order is refused, each reason with its citation and a sentence for players."""

from collections.abc import Mapping

from wargame.rules.core.faults import Fault
from wargame.rules.core.saying import said


class Reason(Fault):
    """R14: the faults of orders."""

    NOT_YOURS = "5.4.1", "{by} doesn't control {army}."
    LOST_CONTROL = "5.4.2", "{by} no longer controlled {army} at the lock."
    TWO_CONTROLLERS = "3.3.6", "{army} got orders from more than one of its controllers: {others}."
    FIGHTING = "3.2.1", "With a battle to fight this turn, {army} can't do anything else."
    CONVERTED = "4.5", "Partially converted, {army} must stay until two days are counted."
    OFF_MAP = "1.2", "{square} isn't on the map. Squares run from 1A to 38N."
    NOT_THERE = "3.2.2.5", "This order moves {army} from {start}, but the army is on {at}."
    TOO_FAR = "3.2.2.1", "{start} to {to} is {steps} squares; an army can move 3."
    NO_STEP = "3.2.2.1", "{start} > {to} goes nowhere; a move must be 1 to 3 squares."
    ROUTE_ENDS = (
        "3.2.2.4",
        "The route runs from {route_start} to {route_end}, but the move is from {start} to {to}.",
    )
    ROUTE_LENGTH = "3.2.2.4", "The route has {steps} steps; it must have 1 to 3."
    ROUTE_BROKEN = (
        "3.2.2.4",
        "The route jumps from {before} to {after}; each step must go one square N, S, E or W.",
    )
    ROUTE_OFF_MAP = "3.2.2.4", "The route leaves the map at {square}."
    JOINT_RANK = "3.2.5.4", "Ranked Captain/Evincar or above, {army} can't joint engage."
    JOINT_BUILT = "3.2.5.4", "{place} is on {to}; you can't joint engage a base, portal or town."
    NEEDS_ENGAGE = "3.2.2.2", "With {there} already on {to}, the move needs “engage {there}”."
    NEEDS_REPLACE = "3.2.2.2", "With {there} already on {to}, the move needs “replace {there}”."
    WRONG_TARGET = "3.2.2.2", "With {there} already on {to}, the move must name {there}, not {target}."
    INTERCEPT_FRIEND = "3.2.3.1", "{army} can only intercept enemies, not {target}."
    TRANSFER_SELF = "3.2.4.1", "{army} can only transfer troops to another army."
    TRANSFER_ENEMY = "3.2.4.1", "{army} can only send troops to friends, not to {target}."
    TRANSFER_FROM_BUILT = (
        "3.2.4.1",
        "{army} can't send troops from {place}: transfers can't start in a base, portal or town.",
    )
    TRANSFER_PLACE = "3.2.4.1", "This order names {target} on {to}, but that army is on {at}."
    TRANSFER_NOT_ADJACENT = "3.2.4.1", "{target} (on {to}) and {army} (on {at}) aren't next to each other."
    NO_MANIFEST = "3.2.4.2", "No manifest says what {army} should send, so the transfer does nothing."
    AFTER_LOCK_RAIDER = "6.3.2", "After the lock, only a raider's order can be changed, not one for {army}."
    AFTER_LOCK_ENGAGE = "6.3.2", "After the lock, {army} can only make one move, which must engage an army by name."
    AFTER_LOCK_MERCENARY = "6.3.2", "{army} and {target} are both mercenaries, so {army} would engage no one on {to}."
    AFTER_LOCK_FIGHTS = (
        "6.3.2",
        "No one else can join {target}'s battle, so {army} would engage no one on {to}.",
    )
    AFTER_LOCK_LEAVES = "6.3.2", "{target} will leave for {ordered}, so {army} would engage no one on {to}."
    AFTER_LOCK_ELSEWHERE = "6.3.2", "The square of {target} is {at}, so {army} would engage no one on {to}."
    AFTER_LOCK_CROSSES = (
        "6.3.2",
        "{army} might cross {square}, the square of {there}; after the lock, that is not allowed.",
    )
    JOINT_ALONE = "3.2.5.3", "The joint engage onto {to} is ignored: no second army posted one for this square."
    JOINT_CROWD = (
        "3.2.5.3",
        "The joint engage onto {to} is ignored: {armies} armies posted one for this square; there must be exactly two.",
    )
    JOINT_FRIENDS = (
        "3.2.5.3",
        "The joint engage onto {to} is ignored: {friends} would stay there or move there too.",
    )

    def explain(self, facts: Mapping[str, str], would_do: str = "") -> str:
        """The sentence over the facts, and the nearest order that would be legal."""
        text = self.sentence.format(**facts)
        would = said("Try %(order)s.", order=would_do)
        return f"{text} {would}" if would_do else text
