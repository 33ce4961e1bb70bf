"""1.3, R57: an administrator names the head of a role where there is none or its head has vanished, and a battle judge
from outside where nobody independent can answer an appeal."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.accounts.bars import enter
from judging.accounts.models import AdminEntry
from judging.appeals.reads import waiting_for_independent
from judging.battles.bench.models import StandIn
from judging.command.judges.writes import checked_no_player, checked_user, end_offers
from judging.command.models import Handover
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
    """1.3: the judges of a round that is not over, the heads first, as `name (log-in), role`. `appeals` are the numbers
    of those that wait for an independent judge (R57)."""

    round: Round
    judges: tuple[Judge, ...]
    appeals: tuple[int, ...] = ()


def heads_of_rounds() -> tuple[Heads, ...]:
    """1.3: all rounds that are set up or played, the newest first, with their judges."""
    rounds = list(Round.objects.filter(state__in=OPEN).order_by("-created_at", "-pk"))
    judges = list(Judge.objects.filter(round__in=rounds).select_related("user").order_by("role", "-is_head", "name"))
    waiting = waiting_for_independent(rounds)
    return tuple(
        Heads(
            each,
            tuple(judge for judge in judges if judge.round_id == each.pk),
            tuple(row.number for row in waiting if row.round_id == each.pk),
        )
        for each in rounds
    )


@locking.writes
def name_outsider(*, round: Round, username: str, reason: str, by: User | None, now: datetime) -> Judge:
    """R57: makes the owner of a log-in a battle judge of a round in which an appeal waits for an independent one, who
    then takes it over. The reason is public.

    For administrators. Refused where no appeal waits for one, and for players and judges of the round.
    """
    check_administrator(by)
    round = locking.hold(Round.objects, pk=round.pk)
    if round.state != RoundState.RUNNING or not waiting_for_independent([round]):
        told = gettext("No appeal in %(name)s is waiting for an independent judge.")
        raise Refused(told % {"name": round.name}, "R57")
    reason = checked_reason(reason)
    user = checked_user(username)
    checked_no_player(round, user, Role.BATTLE)
    if Judge.objects.filter(round=round, user=user).exists():
        raise Refused(gettext("%(name)s already judges this round.") % {"name": user.username}, "R57", "username")
    called = (user.get_full_name() or user.get_username())[:LONGEST_JUDGE_NAME]
    made = Judge.everybody.filter(round=round, user=user, role=Role.BATTLE).first()
    made = made or Judge(round=round, user=user, role=Role.BATTLE, name=called)
    made.is_head, made.named_at, made.dismissed_at = False, now, None
    made.save()
    record(round, by, "judge.outsider", {"name": made.name, "role": Role.BATTLE.value, "reason": reason}, now)
    enter(by, AdminEntry.Action.OUTSIDER, user, {"round": round.slug, "reason": reason}, now)
    return made


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
        told = gettext("%(name)s is not being played, so its judges can't change.")
        raise Refused(told % {"name": round.name}, "1.5")
    reason = checked_reason(reason)
    user = checked_user(username)
    player = checked_no_player(round, user, role)
    before = Judge.objects.filter(round=round, role=role, is_head=True).first()
    if before is not None and before.user_id == user.pk:
        told = gettext("%(name)s is already head %(label)s.")
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
    end_offers(Handover.objects.filter(round=round, role=role), now)
    facts = {"role": role.value, "reason": reason}
    data = {"name": made.name, "of": before.name if before else "", **facts}
    record(round, by, "judge.replaced", data, now)
    enter(by, AdminEntry.Action.HEAD, user, {"round": round.slug, **facts}, now)
    return made
