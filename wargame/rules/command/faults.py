"""1.1, 5.2, 5.3: the possible faults of a rank, a claim or a control request, each with its rule and a sentence."""

from wargame.rules.core.faults import Fault


class CommandFault(Fault):
    """1.1, 5.2, 5.3: the faults of ranks and of control; `{team}` stands for the side's own paragraph of 1.1. The facts
    are texts."""

    NOT_AUTHORISED = "5.2.2.1", "{by} can't ask for changes to this control list; {holders} can."
    NOBODY_ASKS = "5.2.2.1", "{by} can't ask for changes to this control list; at the moment, no one can."
    FOREIGN_ARMY = "1.1", "This control list only has living armies of {side}, not {army}."
    FOREIGN_PLAYER = "1.1", "{player} doesn't play for {side}."
    RANKLESS = "{team}", "{player} is a {title}, and a {title} can't control any armies."
    TOO_HIGH = "5.3.1", "The rank of {army} ({army_rank}) is higher than {player}'s ({rank})."
    NAMESAKE = "5.3.2", "The army {army} is named after {player}, who hasn't allowed it to be taken away."
    LAST_ARMY = "5.3.4", "{player} is active, so you can't take away their last army, {army}."
    LAST_ARMIES = (
        "5.3.4",
        "{player} is active, so you can't take away all their armies: {armies}.",
    )
    EXCEPTION_OVER = "5.2.2.2", "An exception expired with turn {turn}, so the list must become legal first. {what}"
    UNEVEN = (
        "5.3.3",
        ("{player} would control {count} armies and {other} would control {least}; the difference can be at most 2."),
    )

    NOT_LEADER = "{team}", "{by} is not one of the three leaders of {side}; only those leaders can give ranks."
    OWN_RANK = "{team}", "Leaders can give ranks to other members, but not to themselves."
    CHIEF_RANK = "{team}", "Only the battle judge can decide who is {title}. Ask them."
    FOREIGN_RANK = "1.1", "{rank} is not a rank of {side}."
    RANK_FULL = (
        "2.5.2.1",
        ("No more players can have the rank {rank}: the count is already {count}, and the limit is {most}."),
    )
    SECOND_CAPTAIN = "1.1.2", "{captain} is the Captain of the {faction} faction, and each faction can only have one."
    CAPTAIN_OF_NONE = "1.1.2", "A Captain runs a faction, but {player} isn't in one."
    MANY_FACTIONS = "1.1.2", "A player can claim up to 3 factions, not {count}."
    NO_FACTION = "1.1.2", "“{faction}” is not one of the seven factions of the Coalition."
    NO_FACTIONS = "1.1.2", "Only the Coalition has factions."

    OWN_CONTINGENCY = "5.2.3", "A contingency must be another player; {player} can't be their own."


EXCEPTABLE = (CommandFault.TOO_HIGH, CommandFault.NAMESAKE, CommandFault.LAST_ARMY, CommandFault.LAST_ARMIES)
"""5.2.2.2: a judge may accept what does not comply with 5.3, and nothing else."""
