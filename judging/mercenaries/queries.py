"""R48: the public ledger of the neutrals: each decision of the mercenaries with its guideline, after the settlement."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop

from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core.codec import Json
from wargame.rules.core.sides import Faction
from wargame.rules.telling.telling import tell_all

Event = Json

DECIDED = "mercenary_decided"
OF_FACTIONS = ("went_to_war", "spawning_rolled", "spawned", "not_spawned", "disbanded", "not_disbanded")
"""The kinds of events of the factions besides their moves."""

CAME_OF_IT = ("ordered_after_lock", "refused", "intercepted", "moved_partially", "pushed")
"""The kinds of events that explain why a mercenary did not reach its goal."""

GROUPS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("town-defenders", gettext_noop("Town defenders"), (Faction.TOWN_DEFENDER,)),
    ("theme-armies", gettext_noop("Theme armies"), (Faction.THEME, Faction.OCEAN_THEME)),
    ("raiders", gettext_noop("Raiders"), (Faction.RAIDER,)),
)
"""6.1, 6.2, 6.3: key, title and factions of a part of the ledger."""


@dataclass(frozen=True)
class MercenaryEntry:
    """R48: a mercenary's decision, and what interfered with it."""

    decision: Event
    came: tuple[Event, ...]

    @property
    def army(self) -> Event:
        keys = {"name": self.decision["army"], "faction": self.decision["faction"]}
        return {**keys, "side": "mercenary", "rank": "", "mercenary_tier": 0}

    @property
    def order(self) -> str:
        return str(self.decision["ordered"] or self.decision["order"])

    @property
    def draws(self) -> tuple[Event, ...]:
        """R38: the random draws between equals."""
        return tuple({"name": name, "sides": sides, "value": value} for name, sides, value, _ in self.decision["draws"])

    @property
    def considered(self) -> tuple[Event, ...]:
        """The alternatives, and the reasons against them."""
        return tuple({"what": option, "why_not": why_not} for option, why_not in self.decision["considered"])


@dataclass(frozen=True)
class Ledger:
    """R48: a settled turn's page of the ledger."""

    turn: Turn
    entries: tuple[MercenaryEntry, ...]
    events: tuple[Event, ...]

    @property
    def groups(self) -> tuple[tuple[str, str, tuple[MercenaryEntry, ...]], ...]:
        all_groups = (
            (key, gettext(title), tuple(entry for entry in self.entries if entry.decision["faction"] in factions))
            for key, title, factions in GROUPS
        )
        return tuple(group for group in all_groups if group[2])


def ledger_of(turn: Turn) -> Ledger | None:
    """The ledger of a turn; None before it is settled: until then the orders are the mercenary judges' own."""
    if turn.state != TurnState.SETTLED:
        return None
    kinds = (DECIDED, *OF_FACTIONS, *CAME_OF_IT)
    events = tell_all([event for event in turn.events if event["kind"] in kinds], among=turn.events)
    decided = [event for event in events if event["kind"] == DECIDED]
    entries = tuple(MercenaryEntry(event, tuple(_came_of(event["army"], events))) for event in decided)
    return Ledger(turn, entries, tuple(event for event in events if event["kind"] in OF_FACTIONS))


def settled_turns(round_: Round) -> list[int]:
    """The numbers of a round's turns that have a ledger, newest first."""
    turns = Turn.objects.filter(round=round_, state=TurnState.SETTLED).order_by("-number")
    return list(turns.values_list("number", flat=True))


def _came_of(army: str, events: Iterable[Event]) -> Iterable[Event]:
    return (event for event in events if event["kind"] in CAME_OF_IT and event.get("army") == army)
