"""R13, 5.4.1: lines that somebody wrote for an army that he does not control, for the judges to look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import urlencode

from django.utils.translation import gettext

from judging.game.rounds import turn_by_number
from judging.game.texts import utc
from judging.game.viewer import Viewer
from judging.penalties.models import Penalty
from judging.penalties.reads import ACTING
from judging.turns.posts.reads import movement_thread
from wargame.models import Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.telling.telling import tell_all


@dataclass(frozen=True)
class Offence:
    """R13: what was written for somebody else's army. `at` is None where the report of its turn is all that tells."""

    turn: int
    player: str
    army: str
    text: str
    at: datetime | None
    is_penalised: bool

    @property
    def reason(self) -> str:
        """What a penalty for it would begin with."""
        told = gettext("%(player)s gave an order to %(army)s, an army they don't control (turn %(turn)s): “%(order)s”.")
        if self.at:
            told = gettext(
                "%(player)s gave an order to %(army)s, an army they don't control (turn %(turn)s, %(at)s): “%(order)s”."
            )
        facts = {"army": self.army, "player": self.player, "turn": self.turn, "order": self.text}
        return told % {**facts, "at": utc(self.at) if self.at else ""}

    @property
    def query(self) -> str:
        """The part of an address by which the form begins with it."""
        return urlencode({"player": self.player, "army": self.army, "reason": self.reason})


def offences_for(turn: Turn, viewer: Viewer, now: datetime) -> tuple[Offence, ...]:
    """R13: those in the present turn's thread as far as the viewer sees it (R6), and in the last report."""
    before = turn_by_number(turn.round, turn.number - 1)
    done = _penalised(turn, turn.number, turn.number - 1)
    return (
        *(_in_report(before, done) if before and before.state == TurnState.SETTLED else ()),
        *_in_thread(turn, viewer, now, done),
    )


def thread_offences(turn: Turn, now: datetime) -> tuple[Offence, ...]:
    """R13: those in the thread of a turn that is played, as its judges see it (R6)."""
    viewer = Viewer(None, turn.round, None, frozenset([Role.MOVEMENT.value]))
    return tuple(_in_thread(turn, viewer, now, _penalised(turn, turn.number)))


def report_offences(turn: Turn) -> tuple[Offence, ...]:
    """R13: the offences in the report of a settled turn."""
    return tuple(_in_report(turn, _penalised(turn, turn.number, turn.number + 1)))


def unpunished(turn: Turn, viewer: Viewer, now: datetime) -> int:
    """R13: how many of them have no penalty yet."""
    return sum(not offence.is_penalised for offence in offences_for(turn, viewer, now))


Done = set[tuple[str, str]]


def _penalised(turn: Turn, *numbers: int) -> Done:
    """R13: who was penalised for which army, in the turns of these numbers."""
    rows = Penalty.objects.filter(turn__round=turn.round_id, turn__number__in=numbers, lifted_at__isnull=True)
    return set(rows.filter(army__isnull=False).values_list("player__name", "army__name"))


def _in_report(turn: Turn, done: Done) -> Iterator[Offence]:
    for event in tell_all(turn.events):
        if event["kind"] == "refused" and event["cites"] == ACTING:
            player, army = event["by"], event["army"]
            yield Offence(turn.number, player, army, event["order"], None, (player, army) in done)


def _in_thread(turn: Turn, viewer: Viewer, now: datetime, done: Done) -> Iterator[Offence]:
    for post in movement_thread(turn, viewer, now):
        for entry in post.lines:
            line = entry.line
            if line.refusal and line.refusal.cites == ACTING and not post.is_hidden:
                is_penalised = (post.by, line.army) in done
                yield Offence(turn.number, post.by, line.army, line.text.strip(), entry.at, is_penalised)
