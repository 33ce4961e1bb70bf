"""R56, R59: Judges state conflicts, leaves and a deputy; and who is head while the head is away."""

from datetime import datetime, timedelta

from django.db.models import F, Q
from django.utils.translation import gettext

from judging.battles.assignments.models import Deputy, JudgeLeave, StandIn, StatedConflict
from judging.battles.assignments.queries import (
    away_users,
    battle_judges,
    deputy_of,
    last_act,
    last_sign,
    present_leaves,
    standing_in,
)
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import check_storable, utc
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.bench import HEAD_SILENT, is_silent, stand_in
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Side

LONGEST_WHY, LONGEST_NOTE = 300, 200
LONGEST_LEAVE = timedelta(days=366)
TEAMS = (Side.COALITION.value, Side.PHYREXIA.value)


@locking.writes
def state_conflict(*, judge: Judge, about: str, name: str, why: str, now: datetime) -> StatedConflict:
    """R56: State a judge's conflict with a player by their name, a faction by its colour, or a team by its side. It
    is public. The same again changes nothing. Raises Refused for an unknown party, and for oneself."""
    judge = _held_judge(judge)
    why = _line(why, LONGEST_WHY, "why")
    player, code = _with_whom(judge, about, name.strip())
    previous = StatedConflict.objects.filter(
        judge=judge, about=about, player=player, code=code, withdrawn_at__isnull=True
    ).first()
    if previous is not None:
        return previous
    conflict = StatedConflict(judge=judge, about=about, player=player, code=code, why=why, stated_at=now)
    conflict.save()
    data = {"name": judge.name, "about": about, "with": player.name if player else code, "why": why}
    record(judge.round, judge.user, "judge.conflict", data, now)
    return conflict


@locking.writes
def withdraw_conflict(*, judge: Judge, conflict_id: int, now: datetime) -> None:
    """R56: A judge withdraws their stated conflict; again changes nothing. Raises Refused for another's."""
    judge = _held_judge(judge)
    row = StatedConflict.objects.filter(pk=conflict_id, judge__round=judge.round_id, judge__user=judge.user_id).first()
    if row is None:
        raise Refused(gettext("That is not one of your conflicts."), "R56")
    if not StatedConflict.objects.filter(pk=row.pk, withdrawn_at__isnull=True).update(withdrawn_at=now):
        return
    data = {"name": judge.name, "about": row.about, "with": row.player.name if row.player else row.code}
    record(judge.round, judge.user, "judge.conflict_withdrawn", data, now)


@locking.writes
def state_leave(*, judge: Judge, since: datetime, until: datetime | None, note: str, now: datetime) -> JudgeLeave:
    """R59: A judge states that they are away: from `since` (not before now) until `until`; None: until they are back.

    It is public, and applies to all their roles in the round. Raises Refused if it ends before it begins, for longer
    than a year, and beside another leave.
    """
    judge = _held_judge(judge)
    note = _line(note, LONGEST_NOTE, "note")
    since = max(since, now)
    if until is not None and until <= since:
        raise Refused(gettext("Your absence would end before it begins. Choose a later end date."), "R59", "until")
    if since > now + LONGEST_LEAVE or (until and until > since + LONGEST_LEAVE):
        raise Refused(gettext("Absences must begin and end within the next year."), "R59", "until")
    leaves = JudgeLeave.objects.filter(judge__round=judge.round_id, judge__user=judge.user_id)
    for other in leaves.filter(Q(until__isnull=True) | Q(until__gt=since)).exclude(until=F("since")):
        if until is None or other.since < until:
            raise Refused(
                gettext("You already reported an absence from %(since)s. End it first.") % {"since": utc(other.since)},
                "R59",
                "since",
            )
    leave = JudgeLeave(judge=judge, since=since, until=until, note=note, stated_at=now)
    leave.save()
    deputy = deputy_of(judge)
    data = {"name": judge.name, "since": since.isoformat(), "until": until.isoformat() if until else None}
    data |= {"note": note, "deputy": deputy.name if deputy else None}
    record(judge.round, judge.user, "judge.leave", data, now)
    return leave


@locking.writes
def end_leave(*, judge: Judge, now: datetime) -> bool:
    """R59: A judge is back, or does not go: end all their leaves in the round. A head who had a stand-in is head
    again. Returns whether there was anything to end; if not, nothing changes."""
    round = _round(judge.round_id)
    judge = _held_judge(judge)
    leaves = JudgeLeave.objects.filter(judge__round=round, judge__user=judge.user_id)
    current = list(leaves.filter(Q(until__isnull=True) | Q(until__gt=now)).exclude(until=F("since")))
    # A leave that has not begun ends where it would begin: its row stays, as all that is linked does.
    for row in current:
        row.until = max(now, row.since)
        row.save(update_fields=["until"])
    ended = bool(current)
    substitute = standing_in(round)
    is_head = substitute is not None and substitute.head.user_id == judge.user_id
    if ended or is_head:
        record(judge.round, judge.user, "judge.back", {"name": judge.name}, now)
    if substitute is not None and is_head:
        _give_back(round, substitute, now)
    return ended or is_head


@locking.writes
def name_deputy(*, judge: Judge, deputy: Judge | None, now: datetime) -> None:
    """R59: A judge names another of their role to stand in while they are away; None: nobody. It is public."""
    judge = _held_judge(judge)
    if deputy is not None:
        is_his = deputy.round_id == judge.round_id and deputy.role == judge.role and deputy.dismissed_at is None
        if not is_his or deputy.user_id == judge.user_id:
            raise Refused(
                gettext("Your deputy must be another %(role)s of this round.") % {"role": judge.get_role_display()},
                "R59",
                "deputy",
            )
    row = Deputy.objects.filter(judge=judge).first()
    if (row.deputy_id if row else None) == (deputy.pk if deputy else None):
        return
    row = row or Deputy(judge=judge)
    row.deputy, row.named_at = deputy, now
    row.save()
    data = {"name": judge.name, "role": judge.role, "deputy": deputy.name if deputy else None}
    record(judge.round, judge.user, "judge.deputy", data, now)


@locking.writes
def mind_head(*, round: Round, now: datetime) -> bool:
    """R59: Give the head's place to their deputy, else to the longest-serving battle judge, if they are on leave and
    have named one, or were silent for 7 days; give it back once they have done something. Returns whether anything
    changed."""
    round = _round(round.pk)
    if round.state != RoundState.RUNNING:
        return False
    substitute = standing_in(round)
    if substitute is not None:
        return _is_back(round, substitute, now) and _give_back(round, substitute, now)
    head = Judge.objects.select_related("user").filter(round=round, role=Role.BATTLE, is_head=True).first()
    if head is None:
        return False
    away, deputy = away_users(round, now), deputy_of(head)
    judges = {judge.pk: judge for judge in battle_judges(round)}
    absent = {judge.pk for judge in judges.values() if judge.user_id in away and judge.pk != head.pk}
    cause = StandIn.Cause.LEAVE
    if head.user_id not in away or deputy is None or deputy.pk in absent:
        cause = StandIn.Cause.SILENCE
        if not is_silent(last_sign(round, head, now), now, HEAD_SILENT):
            return False
    judge_id = stand_in(tuple(judges), head.pk, deputy.pk if deputy else None, absent)
    return judge_id is not None and _stand_in(round, head, judges[judge_id], cause, now)


def _stand_in(round: Round, head: Judge, judge: Judge, cause: str, now: datetime) -> bool:
    """Of two workers that find the same silence, only one takes the place from the head."""
    if not Judge.objects.filter(pk=head.pk, is_head=True).update(is_head=False, head_since=None):
        return False
    Judge.objects.filter(pk=judge.pk).update(is_head=True, head_since=now)
    StandIn(round=round, head=head, judge=judge, cause=cause, since=now).save()
    data = {"name": judge.name, "role": judge.role, "of": head.name, "cause": cause}
    record(round, None, "judge.stands_in", data, now)
    return True


def _give_back(round: Round, substitute: StandIn, now: datetime) -> bool:
    if not StandIn.objects.filter(pk=substitute.pk, until__isnull=True).update(until=now):
        return False
    if substitute.head.dismissed_at is None:
        Judge.objects.filter(round=round, role=Role.BATTLE, is_head=True).update(is_head=False, head_since=None)
        Judge.objects.filter(pk=substitute.head_id).update(is_head=True, head_since=now)
    data = {"name": substitute.head.name, "role": substitute.head.role, "of": substitute.judge.name}
    record(round, None, "judge.head_back", data, now)
    return True


def _is_back(round: Round, substitute: StandIn, now: datetime) -> bool:
    """R59: The head's first act ends it; if they were on leave, so does its end."""
    last = last_act(round, substitute.head.user_id)
    if last is not None and last > substitute.since:
        return True
    on_leave = any(leave.judge.user_id == substitute.head.user_id for leave in present_leaves(round, now))
    return substitute.cause == StandIn.Cause.LEAVE and not on_leave


def _with_whom(judge: Judge, about: str, name: str) -> tuple[Player | None, str]:
    if about == StatedConflict.About.PLAYER:
        player = Player.objects.filter(round=judge.round_id, name__iexact=name[:40]).first() if name else None
        if player is None:
            raise Refused(gettext("No one in this round is called “%(name)s”.") % {"name": name[:40]}, "R56", "player")
        if player.user_id == judge.user_id:
            raise Refused(gettext("You can't judge battles of your own armies anyway."), "R56", "player")
        return player, ""
    if about == StatedConflict.About.FACTION and name in COLORS:
        return None, name
    if about == StatedConflict.About.TEAM and name in TEAMS:
        return None, name
    raise Refused(gettext("Choose a player, a faction or a team of this round."), "R56", "about")


def _line(text: str, most: int, field: str) -> str:
    line = " ".join(text.split())
    check_storable(line, what=field, cites="R59", field=field)
    if len(line) > most:
        raise Refused(
            gettext("Your text has %(number)s characters; the limit is %(most)s.")
            % {"number": len(line), "most": most},
            "R59",
            field,
        )
    return line


def _held_judge(judge: Judge) -> Judge:
    """The judge, locked, so that two statements at once come one after the other. Raises Refused for a former one."""
    locked_judge = locking.hold(Judge.everybody.select_related("round", "user"), pk=judge.pk)
    if locked_judge.dismissed_at is not None:
        raise Refused(gettext("You no longer judge this round."), "1.3")
    if locked_judge.round.state not in (RoundState.RUNNING, RoundState.SETUP):
        raise Refused(gettext("%(round)s is not being played.") % {"round": locked_judge.round.name}, "1.5")
    return locked_judge


def _round(key: int) -> Round:
    return locking.hold(Round.objects, pk=key)
