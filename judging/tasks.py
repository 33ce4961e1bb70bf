"""3.1: the jobs. A message is only a hint: the database says what is due, so any of them may be lost or doubled."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from judging.accounts.writes import compose_reset
from judging.battles.desk import overdue
from judging.command.control.request_writes import flag_run_out
from judging.command.people import ranks
from judging.game.heartbeats import beat
from judging.letters import sending
from judging.letters.models import Letter
from judging.letters.reads import are_due
from judging.people import deleting
from judging.people import writes as people
from judging.turns import failures, stages
from judging.votes import ends

EXPIRES = 60
"""Seconds after which a hint is worth nothing: the sweep has sent newer ones."""

BATCH, MAIL_TIME = 20, 240
"""Letters that one job sends, and the seconds that it may take, where its worker can end it (`-P prefork`). Less than
the lease of a letter, so that nobody takes one up that is still being sent."""

COMPOSERS = {Letter.Kind.ASKED.value: compose_reset}
"""What writes the letters that those without a body stand for."""


@shared_task
def sweep() -> int:
    """Sends one job for each turn that has a stage due, and one if letters are; how many turns.

    It only asks the database and sends hints: whatever else can go wrong does so in a task of its own.
    """
    now = timezone.now()
    due = stages.due_turns(now)
    for turn_id, _ in due:
        advance_turn.apply_async((turn_id,), expires=EXPIRES)
    if are_due(now):
        send_letters.apply_async(expires=EXPIRES)
    beat(name="sweep", now=now)
    return len(due)


@shared_task(time_limit=MAIL_TIME)
def send_letters() -> int:
    """Sends letters that are due, in the queue of its own that settings name; how many it tried."""
    tried = 0
    while tried < BATCH and sending.send_next(timezone.now(), COMPOSERS):
        tried += 1
    sending.prune(timezone.now())
    return tried


@shared_task
def advance_turn(turn_id: int) -> str:
    """Carries out what is due of one turn. A stage that breaks down is kept in mind and tried again later."""
    try:
        reached = stages.advance(turn_id, timezone.now())
    except Exception as error:
        failures.note_failure(turn_id, error, timezone.now())
        return "failed"
    failures.clear(turn_id, timezone.now())
    return reached


@shared_task
def tell_of_overdue() -> None:
    """4.1.1: battles that wait too long for their results are told of."""
    overdue.tell_of_overdue(timezone.now())
    beat(name="overdue", now=timezone.now())


@shared_task
def end_exceptions() -> None:
    """5.2.2.2: exceptions of the control list that have run out are noted."""
    flag_run_out(timezone.now())
    beat(name="exceptions", now=timezone.now())


@shared_task
def end_excesses() -> None:
    """5.3.4: demotions are no excess any more for which there are enough armies again."""
    ranks.end_all_excesses(timezone.now())
    beat(name="excesses", now=timezone.now())


@shared_task
def count_votes() -> None:
    """R46: votes that have closed are counted for good."""
    ends.count_closed(timezone.now())
    beat(name="votes", now=timezone.now())


@shared_task
def remind_voters() -> None:
    """R46: who is missing in a vote is reminded in its last day."""
    ends.remind_missing(timezone.now())
    beat(name="reminders", now=timezone.now())


@shared_task
def end_bars() -> None:
    """1.6: who was barred for a time that is over may log in again."""
    people.end_bars(timezone.now())
    beat(name="bars", now=timezone.now())


@shared_task
def delete_accounts() -> None:
    """1.6: accounts whose owners asked for it a week ago are deleted."""
    deleting.delete_due(timezone.now())
    beat(name="deletions", now=timezone.now())
