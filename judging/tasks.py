"""3.1: the jobs. A message is only a hint: the database says what is due, so any of them may be lost or doubled."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from judging.services import exceptions, excess, heartbeats, overdue, stages, vote_ends

EXPIRES = 60
"""Seconds after which a hint is worth nothing: the sweep has sent newer ones."""


@shared_task
def sweep() -> int:
    """Sends one job for each turn that has a stage due; how many."""
    now = timezone.now()
    due = stages.due_turns(now)
    for turn_id, _ in due:
        advance_turn.apply_async((turn_id,), expires=EXPIRES)
    overdue.tell_of_overdue(now)
    exceptions.flag_run_out(now)
    excess.end_all_excesses(now)
    vote_ends.count_closed(now)
    vote_ends.remind_missing(now)
    heartbeats.beat(name="sweep", now=now)
    return len(due)


@shared_task
def advance_turn(turn_id: int) -> str:
    """Carries out what is due of one turn."""
    return stages.advance(turn_id, timezone.now())
