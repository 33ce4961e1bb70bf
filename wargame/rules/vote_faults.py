"""1.4: what can be wrong with calling a vote, or with somebody's voting, each with its rule and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class VoteFault(Enum):
    """A reason is a value: `cites` is the rule (`{rule}` stands for the paragraph of the vote's kind); `sentence` is a
    template over the facts."""

    NO_CALLER = "1.4", "{by} neither plays nor judges here; players and judges call votes."
    NOT_A_LEADER = (
        "1.4.2",
        "{by} is no leader of a team; one of them, or a judge, calls a vote of the leaders.",
    )
    OTHER_TEAM = "1.4.3", "A vote of {side} alone is called by its own players, or by a judge who does not play."
    NOT_OF_FACTION = "1.4.3", "{by} is no member of the {faction} faction, and no leader of the Coalition."
    NO_FACTION = "1.1.2", "“{faction}” is none of the seven factions of the Coalition."
    NO_FACTIONS = "1.1.2", "The Coalition alone has factions."
    NOT_SPECIAL = "{rule}", "Who votes and what a vote weighs is chosen for special votes alone."
    NO_GROUP = "1.1", "There is no group of ranks {group}; they are 1 (General, Chief Praetor) to 7 (Cadet, Drudge)."
    BAD_WEIGHT = "1.4.3", "A vote weighs 1 to {most} voting points, not {points}."
    NOT_AMONG = "1.4.3", "{player} is not among those to whom the rest of the choice leads."
    NOBODY = "{rule}", "Nobody could vote."

    NOT_ASKED = "{rule}", "{player} is not among those who were asked when the vote was called."
    HAS_LEFT = "{rule}", "{player} does not play any more."
    LEADS_NO_MORE = "1.4.2", "{player} is no leader any more, and only leaders vote here."

    def __init__(self, cites: str, sentence: str) -> None:
        self.cites = cites
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Objection:
    """A fault with its facts, all of them texts."""

    fault: VoteFault
    facts: Mapping[str, str] = field(default_factory=dict)

    @property
    def cites(self) -> str:
        """The rule's number, like `1.4.2`."""
        return self.fault.cites.format_map(self.facts)

    @property
    def sentence(self) -> str:
        """What is wrong, for people."""
        return self.fault.sentence.format_map(self.facts)
