"""1.3: an administrator names the head of a role where its head has vanished, or there is none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.accounts.bars import enter
from judging.accounts.models import AdminEntry
from judging.battles.bench.models import StandIn
from judging.command.judges.writes import checked_no_player, checked_user
from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import LONGEST_JUDGE_NAME
from judging.game.log_entry import record
from judging.people.writes import check_administrator, checked_reason
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState

OPEN = (RoundState.RUNNING, RoundState.SETUP)


@dataclass(frozen=True)
class Heads:
    """1.3: the judges of a round that is not over, the heads first, as `name (log-in), role`."""

    round: Round
    judges: tuple[Judge, ...]


def heads_of_rounds() -> tuple[Heads, ...]:
    """1.3: all rounds that are set up or played, the newest first, with their judges."""
    rounds = list(Round.objects.filter(state__in=OPEN).order_by("-created_at", "-pk"))
    judges = list(Judge.objects.filter(round__in=rounds).select_related("user").order_by("role", "-is_head", "name"))
    return tuple(Heads(each, tuple(judge for judge in judges if judge.round_id == each.pk)) for each in rounds)


@locking.writes
def name_head(*, round: Round, role: Role, username: str, reason: str, by: User | None, now: datetime) -> Judge:
    """1.3: makes the owner of a log-in the head of a role, be he a judge of the round or not; who was the head is an
    assistant, and the new one may dismiss him. The reason is public.

    For administrators; `by` is None on the command line. Refused for who plays, or has, where the role is not for
    players (1.3, 6), and in a round that is over.
    """
    check_administrator(by)
    round = locking.hold(Round.objects, pk=round.pk)
    if round.state not in OPEN:
        told = gettext("%(name)s is not being played; its judges stay as they are.")
        raise Refused(told % {"name": round.name}, "1.5")
    reason = checked_reason(reason)
    user = checked_user(username)
    player = checked_no_player(round, user, role)
    before = Judge.objects.filter(round=round, role=role, is_head=True).first()
    if before is not None and before.user_id == user.pk:
        told = gettext("%(name)s is head %(label)s already.")
        raise Refused(told % {"name": before.name, "label": role.label}, "1.3", "username")
    Judge.objects.filter(round=round, role=role, is_head=True).update(is_head=False, head_since=None)
    if role == Role.BATTLE:  # whoever stood in for a head, or was stood in for, has no claim any more (R59)
        StandIn.objects.filter(round=round, until__isnull=True).update(until=now)
    called = player.name if player else user.get_full_name() or user.get_username()
    made = Judge.everybody.filter(round=round, user=user, role=role).first()
    made = made or Judge(round=round, user=user, role=role, name=called[:LONGEST_JUDGE_NAME], named_at=now)
    if made.dismissed_at is not None:
        made.named_at, made.dismissed_at = now, None
    made.is_head, made.head_since = True, now
    made.save()
    facts = {"role": role.value, "reason": reason}
    data = {"name": made.name, "of": before.name if before else "", **facts}
    record(round, by, "judge.replaced", data, now)
    enter(by, AdminEntry.Action.HEAD, user, {"round": round.slug, **facts}, now)
    return made
