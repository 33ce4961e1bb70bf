"""2.1 to 2.6: the possible faults of an army's muster, each with its rule and a sentence for players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wargame.rules.core.faults import Fault, Finding, finding_from_json
from wargame.rules.core.phrases import Phrase, Phrases

ASKS = False
"""A question for the judge; it breaks no rule by itself."""


class MusterFault(Fault):
    """2.1 to 2.6: the faults of a muster; `tier` stands for the rank's own paragraph of 2.1."""

    NAME_MISSING = "2.5.2.2", "The army has no name."
    NAME_SIGN = "3.2.2.5", "The name “{name}” can't contain “{sign}”: it would break orders that name the army."
    NAME_LONG = "3.2.2.5", "The name “{name}” has {length} characters; the limit is {most}."
    NAME_ORDER = "3.2.2.5", "An army can't be called “{name}”: it is a square or a word used in orders."
    NAME_TAKEN = "3.2.2.5", "Another army is called “{other}”. Capital letters don't make a difference (R10)."
    NAME_LIKE = "1.6", "“{name}” looks like “{other}”, the name of another army or a player."
    NAME_OF_PLAYER = "5.3.2", "{other} is a player; only their own army can have that name."

    TOO_MANY = "2.1.{tier}", "Slot {slot} can hold {most:,}; here it has {number:,}, which is {over:,} too many."
    NO_NUMBER = "2.1", "{creature} is listed with a number of 0; enter at least 1."
    TOO_LARGE = "2.1.{tier}", "{creature} is {size}; slot {slot} of {rank} takes creatures up to {limit}."
    TOO_LARGE_HERE = (
        "2.1.{tier}",
        "{creature} is {size}; slot {slot} of {rank} takes creatures up to {limit}. It would fit slot {fits}.",
    )
    SEVENTH = "2.1", "The army has {count} different creatures; the limit is {most}."
    LEGEND_NOT = "2.1", "{creature} is not a legend, so it can't be the army's legend."
    LEGEND_SERVES = "2.1", "{creature} already serves {other}; a legend can only be in one army at a time."

    BANNED = "{cites}", "{creature} is banned."
    LEGEND_AS_TROOPS = "2.2.1", "{creature} is a legend. An army can have one legend, but none among its troops."
    FOREIGN_COLOR = "2.2.1", "{creature} is {colors}, but the army is {own}."
    NOT_FIVE_COLOR = (
        "2.2.1",
        ("{creature} is {colors}; creatures of several colours need a member of the 5-colour faction."),
    )
    NOT_PHYREXIAN = "2.2.1", "{creature} is {colors}; Phyrexia can't have anything green or white, even partly."
    TOO_MANY_COLORS = "2.2.1.1", "The army has {count} colours; the limit is {most}."
    FOREIGN_FACTION = "2.2.1.1", "The army can't be {color}: its creator's factions determine its colours ({own})."
    NO_COLORS = "2.5.2.2", "A Coalition army must name the colours it belongs to."
    TWO_SIZES = "2.2.2", "{creature} can be any size, but only one size within an army; here it is {sizes}."
    NOT_ITS_SIZE = "{cites}", "{creature} can be used as {uses}, not as {size}."
    NOT_A_SIZE = "2.1", "“{size}” is not a size. Write power and toughness, like 4/4."

    RANK_FULL = (
        "2.5.2.1",
        ("No more armies can have the rank {rank}: the count is already {count}, and the limit is {most}."),
    )
    WRONG_BASE = (
        "2.5.2.3",
        ("The army must start near a base of one of its colours ({own}), not near one that is {base}."),
    )

    NOT_HEALING = (
        "2.3.2",
        ("{army} can only change troops after 2 days in a base or portal where it could heal; {why}."),
    )
    COLOR_LOST = (
        "2.3.2",
        ("{creature} is {color}, and the base of that colour is destroyed. Only troops the army already had can stay."),
    )
    SENT_AWAY = (
        "2.3.2",
        "Slot {slot} would have {number:,} troops; {sent:,} were sent away from it, so the limit is {most:,} (R65).",
    )
    SUPERSEDED = "2.3.2", "Replaced by a later request of the same turn (R65)."
    STRENGTH_GREW = "2.6", "Slot {slot} would have {number:,} troops, but its strength is {of:,}."
    NOT_NEW = "2.6", "{player} was here when the round began; only players who join later can personalise an army."
    FEW_BATTLES = "2.6", "{player} has fought {count} of the 2 battles that show a new player is staying."
    HIGH_RANK = "2.6", "The rank of {army} is {rank}; only Lt. Commander / CPL or lower can be personalised."
    OFFER_OVER = "2.6", "The 2 turns in which {army} could be personalised are over."
    LIVING_LEFT_OUT = (
        "2.6",
        "Slot {slot} has {alive:,} living troops and would have {number:,}; the number must stay the same.",
    )
    CONVERTED = "2.6", "The army {army} is partially converted (4.5)."
    ARMY_GONE = "{cites}", "The army is no longer on the map."
    NOT_CONTROLLED = "5.4.2", "{player} did not control the army at the lock."
    AS_WRITTEN = "{cites}", "{text}"

    ASK_SIZE = "{cites}", "{creature} is printed as {printed} and used as {size}: can it become that size?", ASKS
    ASK_UNLISTED = (
        "2.2.1",
        "{creature} is not in the catalogue; its colours and size are as the player wrote them.",
        ASKS,
    )
    ASK_NO_SIZE = "2.1", "The catalogue has no size for {creature}.", ASKS
    ASK_COLORLESS = (
        "2.2.1",
        ("{creature} is colourless and not an artifact; the rule for Phyrexia doesn't mention such creatures."),
        ASKS,
    )
    ASK_RULED = "{cites}", "{creature}: {question}", ASKS
    ASK_LEGEND = "2.1", "{creature} is not in the catalogue; is it a legend?", ASKS


class MusterWords(Phrases):
    """2.1 to 2.6: the words in the sentences of these faults."""

    COLORS = "{colors:said}"
    COLORLESS = "colourless"
    NO_COLOR = "of no colour"
    NO_COLORS = "none"
    A_PORTAL = "a portal"
    A_RANK = "a {rank}"
    AN_RANK = "an {rank}"
    A_TOWN_DEFENDER = "a town defender"
    A_THEME = "a theme army"
    AN_OCEAN_THEME = "an ocean theme army"
    A_RAIDER = "a raider"
    ANOTHER_ARMY = "another army"
    SIZE = "{size}"
    ANY_SIZE = "any size"
    ANY_COUNTERS = "{size} with any number of +1/+1 counters"
    EITHER = "{first:phrase} or {other:phrase}"
    EACH = "{first:phrase}, {others:phrase}"
    AS_ASKED = "{text:said}"

    CONVERTED = "it is partially converted (4.5)"
    IN_A_TOWN = "it is on {square} (towns don't count: 2.3.1.3)"
    NO_BASE = "it is on {square}"
    BASE_DESTROYED = "{name} is destroyed"
    BASE_FOREIGN = "it can't heal in {name}"
    FEW_DAYS = "it has counted {days:d} there"


def colors_in_words(colors: Sequence[str], none: MusterWords = MusterWords.COLORLESS) -> Phrase:
    """1.1.2, 2.2.1: colours, bases' kinds and factions in words; `none`: the words for no colour."""
    return MusterWords.COLORS(colors=tuple(colors)) if colors else none()


@dataclass(frozen=True, slots=True)
class MusterFinding(Finding):
    """A fault of a muster. `place` is the index of the entry that it is about, None for the whole army or slot."""

    fault: MusterFault
    place: int | None = None

    @property
    def creature(self) -> str:
        """The creature that it is about, or empty."""
        return str(self.facts.get("creature", ""))

    @property
    def slot(self) -> int | None:
        """2.1: the slot that it is about, or None."""
        slot: int | None = self.facts.get("slot")
        return slot


def muster_finding_from_json(data: Mapping[str, Any]) -> MusterFinding:
    """The finding that `finding_to_json` wrote, without its place. KeyError for an unknown fault, ValueError for
    unknown words."""
    finding = finding_from_json(MusterFault, data, MusterWords)
    return MusterFinding(MusterFault[data["fault"]], finding.facts)


def reasons_in_words(findings: Sequence[MusterFinding], cites: str) -> str:
    """Findings as sentences, each with its rule if that is not `cites`."""
    return " ".join(f.sentence if f.cites == cites else f"{f.sentence} ({f.cites})" for f in findings)


def reasons_in_english(findings: Sequence[MusterFinding], cites: str) -> str:
    """Findings as English sentences: the form in which earlier versions stored them."""
    return " ".join(f.in_english if f.cites == cites else f"{f.in_english} ({f.cites})" for f in findings)


def breaches(findings: tuple[MusterFinding, ...]) -> tuple[MusterFinding, ...]:
    """The broken rules; none: the army is legal."""
    return tuple(finding for finding in findings if finding.is_breach)


def questions(findings: tuple[MusterFinding, ...]) -> tuple[MusterFinding, ...]:
    return tuple(finding for finding in findings if not finding.is_breach)
