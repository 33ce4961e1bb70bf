"""1.1, 5.2, 5.3: what can be wrong with a rank, a claim or a control request, each with its rule and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class CommandFault(Enum):
    """A reason is a value: `cites` is the rule (`{team}` stands for the side's own paragraph of 1.1); `sentence` is a
    template over the facts."""

    NOT_AUTHORISED = "5.2.2.1", "{by} may not ask for changes of this control list; {holders} may."
    FOREIGN_ARMY = "1.1", "{army} is no living army of {side}, so it is not on this control list."
    FOREIGN_PLAYER = "1.1", "{player} does not play for {side}."
    RANKLESS = "{team}", "{player} is a {title}, and a {title} can't control any armies."
    TOO_HIGH = "5.3.1", "{army}'s rank is {army_rank}, {player}'s is {rank}: the army's is the higher one."
    NAMESAKE = "5.3.2", "{army} is the army of {player}'s own name, and he has not permitted that it is taken from him."
    LAST_ARMY = "5.3.4", "{army} is the last army of {player}, who is active; it can't be taken away from him."
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

    def __init__(self, cites: str, sentence: str) -> None:
        self.cites = cites
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Breach:
    """A fault with its facts, all of them texts."""

    fault: CommandFault
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def cites(self) -> str:
        """The rule's number, like `5.3.1`."""
        return self.fault.cites.format_map(self.facts)

    @property
    def sentence(self) -> str:
        """What is wrong, for players."""
        return self.fault.sentence.format_map(self.facts)

    @property
    def may_be_excepted(self) -> bool:
        """5.2.2.2: a judge may accept what does not comply with 5.3, and nothing else."""
        return self.fault in (CommandFault.TOO_HIGH, CommandFault.NAMESAKE, CommandFault.LAST_ARMY)


def breach_to_json(breach: Breach) -> dict[str, Any]:
    """A breach as JSON, from which `breach_from_json` makes it again."""
    return {"fault": breach.fault.name, "facts": dict(breach.facts)}


def breach_from_json(data: Mapping[str, Any]) -> Breach:
    """The breach that `breach_to_json` wrote."""
    return Breach(CommandFault[data["fault"]], dict(data["facts"]))
