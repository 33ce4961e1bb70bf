"""5.2: who controls which army at a given moment, and who leads a side."""

from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet

from judging.common.request_cache import request_cached
from wargame.models import Army, Control, Player, Round, Turn
from wargame.models.people import name_when
from wargame.rules.core import clock
from wargame.rules.core.sides import Rank
from wargame.world.controlling import control_at_each

Spans = dict[str, list[tuple[str, datetime, datetime | None]]]
"""The controllers of an army with start and end (None: now), by the army's name."""

LEADERS = 2
"""1.1.1, 1.1.2: the tiers of the three leaders of a side."""


def last_moment(deadline: datetime) -> datetime:
    """R4, R13: the last moment before a deadline, at which control is read."""
    return clock.closes(deadline) - timedelta(microseconds=1)


@request_cached
def control_then(round: Round, when: datetime) -> dict[str, tuple[str, ...]]:
    """5.2: `control_at`, cached for all parts of a page."""
    return control_then_each(round, (when,))[when]


@request_cached
def control_then_each(round: Round, moments: tuple[datetime, ...]) -> dict[datetime, dict[str, tuple[str, ...]]]:
    """5.2: `control_at_each`, cached for all parts of a page; no query for no moments."""
    return control_at_each(round, moments) if moments else {}


def controllers_of(army: Army, when: datetime) -> tuple[Player, ...]:
    """5.2.1: the players who controlled an army at a moment, by name."""
    rows = _in_force_at(when).filter(army=army).select_related("player").order_by("player__name")
    return tuple(row.player for row in rows)


def armies_of(player: Player, when: datetime) -> tuple[str, ...]:
    """5.2.1: the names of the living armies that a player controlled at a moment, sorted."""
    rows = _in_force_at(when).filter(player=player, army__died_in__isnull=True)
    return tuple(rows.order_by("army__name").values_list("army__name", flat=True))


def controls(player: Player, army: Army, when: datetime) -> bool:
    """5.2.1: whether a player controlled an army at a moment."""
    return _in_force_at(when).filter(player=player, army=army).exists()


def spans_of_turn(turn: Turn) -> Spans:
    """5.4.2: the control spans of each army since the turn opened, by its current and former names.

    Players have the names that they have in that turn (1.6).
    """
    lock = last_moment(turn.lock_at)
    spans: Spans = {}
    for span in held_in(turn):
        for name in (span.army, *span.former):
            spans.setdefault(name, []).append((name_when(span.player, span.names, lock), span.since, span.until))
    return spans


class ControlSpan(NamedTuple):
    """5.2: a player's control of an army from start to end (None: still); both with their keys and former names."""

    army_id: int
    army: str
    former: list[str]
    player_id: int
    player: str
    names: list[list[str]]
    since: datetime
    until: datetime | None


SPANS = Control.objects.order_by("player__name").values_list(
    *("army_id", "army__name", "army__former", "player_id", "player__name", "player__former_names", "since", "until")
)


@request_cached
def held_in(turn: Turn) -> tuple[ControlSpan, ...]:
    """5.2: all control since a turn opened, by the player's name."""
    active = Q(until__isnull=True) | Q(until__gte=turn.opened_at)
    return tuple(ControlSpan(*row) for row in SPANS.filter(active, round=turn.round_id))


def control_in(turn: Turn, when: datetime) -> dict[str, tuple[str, ...]]:
    """5.2: `control_then` for a moment since the turn opened; all that a page needs of a turn is read once."""
    control: dict[str, tuple[str, ...]] = {}
    for span in held_in(turn):
        if span.since <= when and (span.until is None or span.until > when):
            for name in (span.army, *span.former):
                control[name] = (*control.get(name, ()), span.player)
    return control


def controllers_at(spans: Spans, army: str, when: datetime) -> tuple[str, ...]:
    """5.2.1: the names of those who controlled an army at a moment within the spans, sorted."""
    return tuple(by for by, since, until in spans.get(army, ()) if since <= when and (until is None or until > when))


def own_army(player: Player, names: tuple[str, ...], when: datetime) -> str:
    """R10: the army that a line without a name means: the player's namesake, else the only one they control.

    `names` are those on the map. Empty if there is no such army. A player who has changed their screen name keeps their
    namesake (1.6).
    """
    namesake = next((name for name in names if name.casefold() == player.name.casefold()), "")
    if not namesake and player.former_names:
        armies = Army.objects.filter(namesake=player, side=player.side, name__in=names).values_list("name", flat=True)
        namesake = armies.first() or ""
    if namesake:
        return namesake
    controlled = armies_of(player, when)
    return controlled[0] if len(controlled) == 1 else ""


def _in_force_at(when: datetime) -> QuerySet[Control]:
    return Control.objects.filter(Q(until__isnull=True) | Q(until__gt=when), since__lte=when)


def is_leader(player: Player | None) -> bool:
    """1.1.1, 1.1.2: the General and Admirals, the Chief Praetor and Praetors."""
    return player is not None and bool(player.rank) and Rank(player.rank).tier <= LEADERS
