"""3.1: the jobs. A message is only a hint: the database knows what is due, so any may be lost or doubled."""

import logging
import traceback
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial

from celery import shared_task
from django.conf import settings
from django.utils import timezone

from judging.accounts.models import note_bounce
from judging.accounts.services import compose_reset
from judging.api import idempotency
from judging.appeals import services as appeals
from judging.battles import beacon
from judging.battles.assignments.seats import mind_benches
from judging.battles.desk import queue, rolling
from judging.chain import anchors
from judging.command.control.requests import flag_run_out
from judging.command.judges.services import lapse_offers
from judging.command.people import ranks
from judging.email import services as email
from judging.email.models import Letter
from judging.email.services import are_due
from judging.health import maintenance
from judging.health.checks import beat, beat_sweep
from judging.notifications import delivery, gathering, reminders, safe_http, web_push
from judging.notifications.models import Push
from judging.notifications.services import prune_notifications
from judging.people import deletion
from judging.people import services as people
from judging.tables.away.services import end_searches
from judging.tables.conduct.appeals import pass_on_at_tables
from judging.tables.conduct.endings import due_endings, end_table
from judging.tables.drafts import services as drafts
from judging.tables.notify import notify
from judging.tables.services import posting
from judging.tables.services.judges import lapse_question, silent_tables
from judging.turns import failures, stages
from judging.votes import services as votes
from judging.webhooks import sending as hooks
from judging.webhooks.models import HookMessage

logger = logging.getLogger(__name__)

EXPIRES = 60
"""Seconds after which a hint is useless: the sweep has sent newer ones."""

LOOKS = 20
"""The most times between two sweeps at which turns are checked; the next sweep finds turns due at later ones."""

A_MOMENT = timedelta(milliseconds=5)
"""How long after its due time a check comes: a worker's clock that is a little fast must not find nothing."""

BATCH, MAIL_TIME = 20, 240
"""The mails that one job sends, and the seconds it may take, if its worker can end it (`-P prefork`). Less than the
lease of a mail, so that nobody sends one a second time. Every job that waits for another machine has this limit, and
settings route it to the queue `mail`: no lock ever waits behind it."""

BACKUP_TIME, BACKUP_EXPIRES = 3600, 3000
"""The seconds that a backup may take, and after which its hint is useless: it is tried again each hour."""

COMPOSERS = {Letter.Kind.ASKED.value: compose_reset}
"""Composers for letters that are stored without a body."""


@shared_task
def sweep() -> int:
    """Send one job for each turn with a due stage, and one if letters are due; return the number of turns.

    Until the next sweep it schedules a check at each time at which a turn becomes due, so that none waits for a sweep.
    If that check is lost, or comes a little too early, the next sweep finds the turn anyway.

    It only queries the database and sends hints: everything else that can fail does so in its own task.
    """
    now = timezone.now()
    due = send_hints()
    for moment in stages.coming_moments(now, now + timedelta(seconds=settings.SWEEP_SECONDS))[:LOOKS]:
        send_hints.apply_async(eta=moment + A_MOMENT, expires=moment + timedelta(seconds=EXPIRES))
    if are_due(now):
        send_letters.apply_async(expires=EXPIRES)
    beat_sweep(now)
    return due


@shared_task
def send_hints() -> int:
    """Send one job for each turn with a due stage; return the number of turns."""
    due = stages.due_turns(timezone.now())
    for turn_id, _ in due:
        advance_turn.apply_async((turn_id,), expires=EXPIRES)
    return len(due)


@shared_task(time_limit=MAIL_TIME)
def send_letters() -> int:
    """Send due letters, in the separate queue that settings name; return the number tried."""
    return _send_batch(partial(email.send_next, composers=COMPOSERS, note_bounce=note_bounce))


def _send_batch(send_next: Callable[[datetime], bool]) -> int:
    tried = 0
    while tried < BATCH and send_next(timezone.now()):
        tried += 1
    return tried


@shared_task
def advance_turn(turn_id: int) -> str:
    """Carry out the due stages of one turn. A stage that fails is recorded and retried later."""
    try:
        reached = stages.advance(turn_id, timezone.now())
    except Exception as error:
        failures.note_failure(turn_id, error, timezone.now())
        return "failed"
    failures.clear(turn_id, timezone.now())
    return reached


@shared_task
def tell_of_overdue() -> None:
    """4.1.1: report battles that wait too long for their results."""
    queue.tell_of_overdue(timezone.now())
    beat(name="overdue", now=timezone.now())


@shared_task
def roll_mixed() -> None:
    """R38: roll the dice that no longer lack a word or beacon value."""
    rolling.roll_mixed(timezone.now())
    beat(name="dice", now=timezone.now())


@shared_task
def fetch_beacon() -> None:
    """R38: queue the request for values of the public beacon if dice wait for them; that queue may wait."""
    if beacon.are_awaited(timezone.now()):
        ask_beacon.apply_async(expires=EXPIRES)
    beat(name="beacon", now=timezone.now())


@shared_task(time_limit=MAIL_TIME)
def ask_beacon() -> int:
    """R38: ask the public beacon, in the mail queue; return the number of new values."""
    return beacon.fetch_values(timezone.now(), safe_http.get)


@shared_task
def anchor_chains() -> None:
    """R38: store the latest hashes of chains if the host names an external place, and queue their writing; that
    queue may wait."""
    if anchors.note_heads(timezone.now()):
        write_anchors.apply_async(expires=EXPIRES)
    beat(name="anchors", now=timezone.now())


@shared_task(time_limit=MAIL_TIME)
def write_anchors() -> int:
    """R38: write the hashes to the external place, in the mail queue; return their number."""
    return anchors.anchor(timezone.now(), anchors.push_line, anchors.stamped)


@shared_task
def pass_on_appeals() -> None:
    """R57: appeals that nobody answered in time, or whose judge is a party, go to the next judge. Offers of a head's
    place that nobody accepted lapse (1.3)."""
    appeals.pass_on(timezone.now())
    lapse_offers(timezone.now())
    beat(name="appeals", now=timezone.now())


@shared_task
def mind_tables() -> None:
    """T10, R57: at card tables, reveal settled answers on the beat, play defaults for players whose time is over,
    and pass appeals on. A failing table does not stop the others; the service's health reports it."""
    for table_id in posting.beating_tables(timezone.now()):
        _carry_on(posting.beat_table, table_id)
    for table_id in posting.due_tables(timezone.now()):
        _carry_on(posting.tick, table_id)
    end_searches(timezone.now())
    for table_id in silent_tables(timezone.now()):
        _carry_on(lapse_question, table_id)
    pass_on_at_tables(timezone.now())
    for table_id in due_endings(timezone.now()):
        _carry_on(end_table, table_id)
    for draft_id in drafts.due_drafts(timezone.now()):
        drafts.tick_draft(draft_id=draft_id, now=timezone.now())
    notify(timezone.now())
    beat(name="tables", now=timezone.now())


def _carry_on(write: Callable[..., object], table_id: int) -> None:
    try:
        write(table_id=table_id, now=timezone.now())
    except Exception as error:
        # What the error says is not logged: it may quote what is hidden.
        trace = "".join(traceback.format_tb(error.__traceback__))
        logger.error("Card table %d failed: %s\n%s", table_id, type(error).__name__, trace)


@shared_task
def mind_judges() -> None:
    """R59: assign battles to judges, pass them on from silent ones, and appoint a stand-in for a silent head."""
    mind_benches(timezone.now())
    beat(name="benches", now=timezone.now())


@shared_task
def end_exceptions() -> None:
    """5.2.2.2: record exceptions of the control list that have expired."""
    flag_run_out(timezone.now())
    beat(name="exceptions", now=timezone.now())


@shared_task
def end_excesses() -> None:
    """5.3.4: end the excess of demotions for which there are enough armies again."""
    ranks.end_all_excesses(timezone.now())
    beat(name="excesses", now=timezone.now())


@shared_task
def count_votes() -> None:
    """R46: count votes that have closed, for good."""
    votes.count_closed(timezone.now())
    beat(name="votes", now=timezone.now())


@shared_task
def remind_voters() -> None:
    """R46: remind players who have not voted, on the last day of a vote."""
    reminders.remind_missing(timezone.now())
    beat(name="reminders", now=timezone.now())


@shared_task
def end_bars() -> None:
    """1.6: users whose bar is over may log in again."""
    people.end_bars(timezone.now())
    beat(name="bars", now=timezone.now())


@shared_task
def delete_accounts() -> None:
    """1.6: delete accounts whose owners requested it a week ago."""
    deletion.delete_due(timezone.now())
    beat(name="deletions", now=timezone.now())


@shared_task
def gather_notifications() -> None:
    """1.2: notify people of the events that concern them."""
    gathering.gather(timezone.now())
    gathering.take_notice(timezone.now())
    beat(name="notifications", now=timezone.now())


@shared_task
def remind_of_deadlines() -> None:
    """R4, R5: remind of deadlines, and notify judges of open tasks."""
    reminders.remind(timezone.now())
    beat(name="deadlines", now=timezone.now())


@shared_task
def deliver_notifications() -> None:
    """1.2: put notifications into the outboxes; delete those that were read long ago."""
    delivery.deliver(timezone.now())
    prune_notifications(timezone.now())
    if Push.due_at(timezone.now()).exists():
        send_pushes.apply_async(expires=EXPIRES)
    beat(name="deliveries", now=timezone.now())


@shared_task(time_limit=MAIL_TIME)
def send_pushes() -> int:
    """1.2: send due push messages to browsers, in the mail queue; return the number tried."""
    return _send_batch(web_push.send_next_push)


@shared_task
def gather_hooks() -> None:
    """1.2: put events into the outboxes of webhooks, and queue a job to send them."""
    now = timezone.now()
    hooks.gather_for_hooks(now)
    hooks.prune_hooks(now)
    idempotency.prune_requests(now)  # what programs sent again goes with what they were told
    if HookMessage.due_at(now).exists():
        send_hooks.apply_async(expires=EXPIRES)
    beat(name="hooks", now=now)


@shared_task(time_limit=MAIL_TIME)
def send_hooks() -> int:
    """1.2: send due messages to webhooks, in the mail queue; return the number tried."""
    return _send_batch(hooks.send_next_hook)


@shared_task
def start_daily_jobs() -> None:
    """Start the daily jobs: the backup, in the queue that may wait; and deleting old rows."""
    now = timezone.now()
    if maintenance.claim_backup(now):
        make_backup.apply_async(expires=BACKUP_EXPIRES)
    if maintenance.claim(name="old rows", every=maintenance.DAY, now=now):
        maintenance.delete_old_rows(now)
    beat(name="daily", now=now)


@shared_task(time_limit=BACKUP_TIME)
def make_backup() -> None:
    """Write the daily backup, in the mail queue."""
    maintenance.make_backup(timezone.now())
