"""1.1, 5.2, 5.3: what can be wrong with a rank, a claim or a control request, each with its rule and a sentence."""

from __future__ import annotations

from wargame.rules.core.faults import Fault


class CommandFault(Fault):
    """1.1, 5.2, 5.3: the faults of ranks and of control; `{team}` stands for the side's own paragraph of 1.1. The facts
    are texts."""

    NOT_AUTHORISED = "5.2.2.1", "{by} may not ask for changes of this control list; {holders} may."
    NOBODY_ASKS = "5.2.2.1", "{by} may not ask for changes of this control list; at present nobody may."
    FOREIGN_ARMY = "1.1", "{army} is no living army of {side}, so it is not on this control list."
    FOREIGN_PLAYER = "1.1", "{player} does not play for {side}."
    RANKLESS = "{team}", "{player} is a {title}, and a {title} can't control any armies."
    TOO_HIGH = "5.3.1", "{army}'s rank is {army_rank}, {player}'s is {rank}: the army's is the higher one."
    NAMESAKE = "5.3.2", "{army} is the army of {player}'s own name, and he has not permitted that it is taken from him."
    LAST_ARMY = "5.3.4", "{army} is the last army of {player}, who is active; it can't be taken away from him."
    LAST_ARMIES = (
        "5.3.4",
        "{armies} are the last armies of {player}, who is active; they can't all be taken away from him.",
    )
    EXCEPTION_OVER = "5.2.2.2", "An exception ran out with turn {turn}, and the list must become legal first. {what}"
    UNEVEN = "5.3.3", "{player} would control {count} armies, and {other} {least}; 2 more would be the most."

    NOT_LEADER = "{team}", "{by} is none of the three leaders of {side}; only they give ranks."
    OWN_RANK = "{team}", "Leaders give ranks to other members, and nobody gives one to himself."
    CHIEF_RANK = "{team}", "Who is {title} is for the battle judge to say; ask him."
    FOREIGN_RANK = "1.1", "{rank} is no rank of {side}."
    RANK_FULL = "2.5.2.1", "Players of the rank {rank}: {count} already, and {most} is the most."
    SECOND_CAPTAIN = "1.1.2", "{captain} is the Captain of the {faction} faction, and each faction has one."
    CAPTAIN_OF_NONE = "1.1.2", "A Captain runs a faction, and {player} is a member of none."
    MANY_FACTIONS = "1.1.2", "A player claims up to 3 factions, and these are {count}."
    NO_FACTION = "1.1.2", "“{faction}” is none of the seven factions of the Coalition."
    NO_FACTIONS = "1.1.2", "The Coalition alone has factions."

    OWN_CONTINGENCY = "5.2.3", "A contingency is another player; {player} can't be his own."


EXCEPTABLE = (CommandFault.TOO_HIGH, CommandFault.NAMESAKE, CommandFault.LAST_ARMY, CommandFault.LAST_ARMIES)
"""5.2.2.2: a judge may accept what does not comply with 5.3, and nothing else."""
