"""3.1: failing stages: retried at growing intervals, reported to the judges, and retried at once on their request.

A turn that can't be settled must not cost the others their turn on the workers, nor fail unseen. These rows are no part
of the game: they are in no export, and deleted as soon as a stage succeeds.
"""

import logging
import traceback
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Exists, F, OuterRef, Q
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from judging.accounts.queries import speaking_to
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import User as Anybody
from judging.common.judges import is_administrator, may_change_round, rounds_of
from judging.common.log_entry import record
from judging.email.models import Letter
from judging.email.services import write_letter
from judging.turns.models import StageFailure
from wargame.models import Judge, Turn
from wargame.models.choices import Role
from wargame.rules.core.faults import where

FIRST_PAUSE = timedelta(seconds=2)
LONGEST_PAUSE = timedelta(minutes=10)
TELL_AFTER = 3
"""This many failures in a row are no longer a temporary trouble of a database."""

logger = logging.getLogger(__name__)


def is_put_off(now: datetime) -> Exists:
    """For a row of Turn: whether its stage failed and must not be retried yet."""
    return Exists(StageFailure.objects.filter(turn=OuterRef("pk"), retry_at__gt=now))


def pause_after(failures: int) -> timedelta:
    """The pause of a stage after a number of failures in a row: 2, 4, 8 seconds and so on, at most ten minutes."""
    doubled: int = 2 ** min(max(failures - 1, 0), 20)
    return min(LONGEST_PAUSE, FIRST_PAUSE * doubled)


def note_failure(turn_id: int, error: Exception, now: datetime) -> int:
    """3.1: record a failed stage of the turn; return its failures in a row. The third time its judges are notified.

    Of two workers that failed at one try, one counts: the other finds the next try in the future already. The text of
    the error is not logged: it may quote an order that is sealed (R6).
    """
    trace = "".join(traceback.format_tb(error.__traceback__))
    logger.error("A stage of turn %d failed: %s\n%s", turn_id, type(error).__name__, trace)
    turn = Turn.objects.filter(pk=turn_id).select_related("round").only("state", "number", "round").first()
    if turn is None:
        return 0
    with locking.transaction():
        first = {"state": turn.state, "first_at": now, "last_at": now, "retry_at": now, "error": where(error)[-200:]}
        StageFailure.objects.get_or_create(turn=turn, defaults=first)
        tried = StageFailure.objects.filter(turn=turn, retry_at__lte=now)
        tried.update(failures=F("failures") + 1, last_at=now, state=turn.state, error=first["error"])
        row = StageFailure.objects.get(turn=turn)
        if row.last_at == now:
            StageFailure.objects.filter(pk=row.pk).update(retry_at=now + pause_after(row.failures))
        if row.failures >= TELL_AFTER and row.told_at is None:
            _tell(row, turn, now)
    return row.failures


def clear(turn_id: int, now: datetime) -> None:
    """3.1: a stage of the turn succeeded, or nothing of it is due any more."""
    failing = StageFailure.objects.filter(turn=turn_id)
    if not failing.exists():  # nearly always; the whole row is a far larger statement
        return
    row = failing.select_related("turn__round").defer("turn__position").first()
    if row is None:
        return
    with locking.transaction():
        count, _ = StageFailure.objects.filter(pk=row.pk).delete()
        if count and row.told_at is not None:
            record(row.turn.round, None, "turn.unstuck", {"turn": row.turn.number}, now)


def _tell(row: StageFailure, turn: Turn, now: datetime) -> None:
    if StageFailure.objects.filter(pk=row.pk, told_at=None).update(told_at=now):
        record(turn.round, None, "turn.stuck", {"turn": turn.number, "state": turn.state}, now)
        _write(turn, now)


def _write(turn: Turn, now: datetime) -> None:
    """A mail to each judge who may retry it, and to each administrator. Its content is public."""
    link = settings.PUBLIC_URL.rstrip("/") + reverse("judge:index")
    judges = Judge.objects.filter(round=turn.round, role__in=[Role.BATTLE, Role.MOVEMENT])
    condition = Q(pk__in=judges.values("user")) | Q(is_superuser=True)
    people = User.objects.filter(condition, is_active=True).exclude(email="")
    for address, user_id in sorted(dict(people.values_list("email", "pk")).items()):
        with speaking_to(user_id):
            broken = gettext(
                "We can't process turn %(turn)s of %(round)s because of an error on our side. We'll keep "
                "retrying, at least every ten minutes."
            )
            desk = gettext(
                "You can retry right away from the judge dashboard. It also shows administrators where the error "
                "occurs:"
            )
            text = f"{broken % {'turn': turn.number, 'round': turn.round}}\n\n{desk}\n\n{link}\n"
            subject = gettext("%(round)s: turn %(turn)s is stuck") % {"turn": turn.number, "round": turn.round}
            write_letter(to=address, kind=Letter.Kind.STUCK, now=now, subject=subject, body=text, about=turn.round)


class StuckTurn(NamedTuple):
    """3.1: a turn with a failing stage, for the desk. `error` is the place in the code, for administrators."""

    turn: Turn
    state: str
    failures: int
    first_at: datetime
    retry_at: datetime
    error: str
    may_retry: bool


def stuck_turns(user: Anybody, now: datetime) -> tuple[StuckTurn, ...]:
    """3.1, 1.3: the turns of the user's rounds with a failing stage."""
    rows = StageFailure.objects.filter(turn__round__in=rounds_of(user)).select_related("turn__round")
    return tuple(
        StuckTurn(
            turn=row.turn,
            state=row.get_state_display(),
            failures=row.failures,
            first_at=row.first_at,
            retry_at=row.retry_at,
            error=row.error if is_administrator(user) else "",
            may_retry=may_change_round(user, row.turn.round),
        )
        for row in rows.defer("turn__position", "turn__events", "turn__sky").order_by("first_at")
    )


def retry_at_once(*, turn: Turn, user: Anybody, now: datetime) -> None:
    """3.1: let the next sweep retry a failed stage. Refused for anybody but the round's battle and movement judges
    and administrators (1.3). A turn that works again is left unchanged."""
    if not may_change_round(user, turn.round):
        raise Refused(gettext("Only a battle or movement judge of this round can retry a turn."), "1.3")
    with locking.transaction():
        failing = StageFailure.objects.filter(turn=turn)
        if failing.exists() and failing.update(retry_at=now):
            record(turn.round, user, "turn.retried", {"turn": turn.number}, now)


def retry_on_desk(user: Anybody, turn_id: int, now: datetime) -> str:
    """3.1: the user retries a turn of a round whose desk they see. Raises Http404 for any other turn."""
    rows = Turn.objects.filter(round__in=rounds_of(user)).select_related("round").defer("position", "events")
    turn = rows.filter(pk=turn_id).first()
    if turn is None:
        raise Http404(gettext("You aren't a judge of this turn."))
    retry_at_once(turn=turn, user=user, now=now)
    return gettext("We'll retry %(turn)s within seconds.") % {"turn": turn}
