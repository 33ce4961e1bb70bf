"""R4, R5: what is due in a round, as calendars show it. All of it is public."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from judging.battles.models import Battle, BattleArmy
from judging.battles.strats.deadlines import deadline_of
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock

MOST_TURNS = 12
"""How many turns a calendar shows."""


@dataclass(frozen=True, slots=True)
class Due:
    """R4, R5: something that is due. `key` names it for ever, whenever it is moved; `until` is when its minute ends,
    `since` when its turn opened."""

    key: str
    title: str
    at: datetime
    until: datetime
    since: datetime
    turn: int
    kind: str


def due_in(round_: Round) -> list[Due]:
    """R5: what is or was due in the last turns of a round, by time."""
    turns = Turn.objects.filter(round=round_).order_by("-number").defer("position", "events", "sky")[:MOST_TURNS]
    fighting: dict[int, list[BattleArmy]] = {}
    in_play = BattleArmy.objects.filter(battle__turn__in=[turn.pk for turn in turns])
    for entry in in_play.exclude(battle__state=Battle.State.CANCELLED).select_related("battle"):
        fighting.setdefault(entry.battle.turn_id, []).append(entry)
    found = [due for turn in turns for due in _of_turn(turn, round_, fighting.get(turn.pk, []))]
    return sorted(found, key=lambda due: (due.at, due.key))


def _of_turn(turn: Turn, round_: Round, fighting: list[BattleArmy]) -> Iterator[Due]:
    told = gettext("Turn %(number)s") % {"number": turn.number}
    yield _due(turn, "lock", gettext("%(told)s locks: orders are due") % {"told": told}, turn.lock_at)
    if turn.state != TurnState.SETTLED:
        opens = turn.lock_at - round_.sealed_before_lock
        yield _due(turn, "sealed", gettext("%(told)s: sealed orders are accepted from now on") % {"told": told}, opens)
    if fighting:
        yield _due(turn, "strats", gettext("%(told)s: strats are due") % {"told": told}, turn.deadline)
    for entry in fighting:
        at = deadline_of(entry, entry.battle)
        if at != turn.deadline:
            yield _due(
                turn,
                "strats",
                gettext("%(told)s: the strat of %(name)s is due") % {"told": told, "name": entry.name},
                at,
                f"-{entry.pk}",
            )


def _due(turn: Turn, kind: str, title: str, at: datetime, whose: str = "") -> Due:
    key = f"turn-{turn.number}-{kind}{whose}"
    return Due(key, title, at, clock.closes(at), turn.opened_at, turn.number, kind)
