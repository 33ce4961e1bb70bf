"""R4, R5: what is due in a round, as calendars show it. All of it is public."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext

from judging.battles.models import Battle, BattleArmy
from judging.battles.strats.deadlines import deadline_of
from judging.game.models import LogEntry
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock

MOST_TURNS = 12
"""How many turns a calendar shows."""


@dataclass(frozen=True, slots=True)
class Due:
    """R4, R5: something that is due. `key` names it for ever, whenever it is moved; `until` is when its minute ends,
    `since` when its turn opened. It was moved so many times, `changed_at` last."""

    key: str
    title: str
    at: datetime
    until: datetime
    since: datetime
    turn: int
    kind: str
    changes: int
    changed_at: datetime


MOVES = ("round.changed", "turn.early_lock", "turn.lock_restored", "battle.extended", "battle.extension_overruled")
"""The entries of the log that tell of a moment that was moved."""


class _Move(NamedTuple):
    """R5, R60: what the log says was moved: all of a turn, the strats of a battle or of one army in it; or, by a change
    of the round's calendar, when sealed orders are accepted in whatever turn was open."""

    at: datetime
    turn: int | None
    battle: int | None
    army: str | None

    def is_of(self, turn: Turn, kind: str, entry: BattleArmy | None) -> bool:
        if self.turn is None:
            return kind == "sealed" and turn.opened_at <= self.at
        if self.turn != turn.number or self.battle is None:
            return self.turn == turn.number
        return entry is not None and entry.battle.number == self.battle and self.army in (None, entry.name)


def due_in(round_: Round) -> list[Due]:
    """R5: what is or was due in the last turns of a round, by time."""
    turns = Turn.objects.filter(round=round_).order_by("-number").defer("position", "events", "sky")[:MOST_TURNS]
    fighting: dict[int, list[BattleArmy]] = {}
    in_play = BattleArmy.objects.filter(battle__turn__in=[turn.pk for turn in turns])
    for entry in in_play.exclude(battle__state=Battle.State.CANCELLED).select_related("battle"):
        fighting.setdefault(entry.battle.turn_id, []).append(entry)
    log = LogEntry.objects.filter(round=round_, action__in=MOVES).order_by("pk").values_list("at", "action", "data")
    moves = [
        _Move(at, None if action == "round.changed" else data.get("turn"), data.get("battle"), data.get("army"))
        for at, action, data in log
    ]
    found = [due for turn in turns for due in _of_turn(turn, round_, fighting.get(turn.pk, []), moves)]
    return sorted(found, key=lambda due: (due.at, due.key))


def _of_turn(turn: Turn, round_: Round, fighting: list[BattleArmy], moves: list[_Move]) -> Iterator[Due]:
    told = gettext("Turn %(number)s") % {"number": turn.number}
    yield _due(turn, "lock", gettext("%(told)s locks: orders are due") % {"told": told}, turn.lock_at, moves)
    if turn.state != TurnState.SETTLED:
        opens = turn.lock_at - round_.sealed_before_lock
        yield _due(turn, "sealed", gettext("%(told)s: you can now send sealed orders") % {"told": told}, opens, moves)
    if fighting:
        yield _due(turn, "strats", gettext("%(told)s: strats are due") % {"told": told}, turn.deadline, moves)
    for entry in fighting:
        at = deadline_of(entry, entry.battle)
        if at != turn.deadline:
            yield _due(
                turn,
                "strats",
                gettext("%(told)s: the strat for %(name)s is due") % {"told": told, "name": entry.name},
                at,
                moves,
                entry,
            )


def _due(turn: Turn, kind: str, title: str, at: datetime, moves: list[_Move], entry: BattleArmy | None = None) -> Due:
    key = f"turn-{turn.number}-{kind}" + (f"-{entry.pk}" if entry else "")
    changed = [move.at for move in moves if move.is_of(turn, kind, entry)]
    last = changed[-1] if changed else turn.opened_at
    return Due(key, title, at, clock.closes(at), turn.opened_at, turn.number, kind, len(changed), last)
