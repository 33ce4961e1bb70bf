"""R5, R35: more time for strats, and late strats that a judge lets count; and how his head takes either back (1.3)."""

from __future__ import annotations

from datetime import datetime, timedelta

from judging.battles.checks import (
    check_judge,
    check_not_overruled,
    check_supreme,
    check_unjudged,
    held_battle,
    record_act,
)
from judging.battles.models import Battle, BattleArmy, Strat
from judging.battles.strats.deadlines import deadline_of
from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import overrules
from judging.game.models import LogEntry
from judging.game.texts import checked_text, utc
from wargame.models import Army, Judge
from wargame.models.choices import Role
from wargame.rules.core import clock

LONGEST = timedelta(days=31)
MAX_REASON = 1_000


@locking.writes
def extend_strats(
    *,
    battle: Battle,
    judge: Judge,
    until: datetime,
    reason: str,
    now: datetime,
    army: Army | None = None,
    is_due: bool = False,
) -> Battle:
    """R5: moves the battle's deadline later for everybody or, with `army`, for that army alone (5.4.1, R47).

    `is_due`: the rule gives the time, and not the judge, so that it does not matter whether his head took such time
    back before (1.3). The reason is public. Refused for somebody who is neither a battle nor a movement judge of the
    round, after the deadline has passed, once a score is locked, and for a time that is no later one or more than 31
    days off.
    """
    battle = held_battle(battle.pk)
    if judge.role not in (Role.BATTLE, Role.MOVEMENT) or judge.round_id != battle.turn.round_id:
        raise Refused("Only a battle or movement judge of this round moves a deadline.", "R5")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R5", field="reason")
    check_unjudged(battle)
    entry = _entry(battle, army) if army else None
    if not is_due:
        check_not_overruled(battle, judge, "battle.extension_overruled", army)
    present = deadline_of(entry, battle) if entry else battle.deadline
    _check_time(present, until, now, entry)
    if entry:
        entry.deadline = until
        entry.save(update_fields=["deadline"])
    else:
        battle.deadline = until
        battle.save(update_fields=["deadline"])
    data = {"army": army.name if army else None, "until": until.isoformat(), "reason": reason}
    data |= {"before": present.isoformat(), "seat": judge.role}
    record_act(battle, judge, "battle.extended", now, **data)
    return battle


@locking.writes
def accept_late(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """R35: lets a late strat count, with a reason that everybody reads; once more changes nothing.

    Refused for a strat that was in time, and once a score is locked.
    """
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    strat = locking.hold(Strat.objects.select_related("entry__army"), pk=strat.pk)
    if strat.accepted_at is not None:
        return strat
    if not strat.late:
        raise Refused("This strat came in time; there is nothing to accept.", "R35")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R35", field="reason")
    check_unjudged(battle)
    check_not_overruled(battle, judge, "strat.overruled", strat.entry.army)
    strat.accepted_by, strat.accepted_at, strat.accepted_because = judge, now, reason
    strat.save(update_fields=["accepted_by", "accepted_at", "accepted_because"])
    record_act(battle, judge, "strat.accepted", now, army=strat.entry.name, reason=reason)
    return strat


@locking.writes
def overrule_extension(
    *, battle: Battle, judge: Judge, reason: str, now: datetime, army: Army | None = None
) -> datetime:
    """1.3, R5: the deadline is again what it was before the last extension, for everybody or for that army; which.

    For the head of the role of who extended it, and the head battle judge. Refused for one's own extension, if the time
    before it has passed, and once a score is locked.
    """
    battle = held_battle(battle.pk)
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    check_unjudged(battle)
    entry = _last_extension(battle, army)
    extender = _extender(entry, battle)
    if judge.user_id == extender.user_id or not overrules(judge, extender):
        raise Refused(f"Only the head of {extender.name}, or the head battle judge, overrules this.", "1.3")
    before = datetime.fromisoformat(entry.data["before"])
    if army is None:
        # An early lock may have gone back since (R60), and no battle's deadline is before the turn's.
        before = max(before, battle.turn.deadline)
    if not clock.is_in_time(now, before):
        raise Refused(f"The deadline was {utc(before)} before, and that has passed: nobody could keep it.", "R5")
    if army is None:
        Battle.objects.filter(pk=battle.pk).update(deadline=before)
    else:
        own = None if before == battle.deadline else before
        BattleArmy.objects.filter(battle=battle, army=army).update(deadline=own)
    data = {"army": entry.data["army"], "of": extender.name, "until": before.isoformat(), "reason": reason}
    record_act(battle, judge, "battle.extension_overruled", now, seat=judge.role, **data)
    return before


@locking.writes
def overrule_late(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """1.3, R35: a late strat that an assistant accepted does not count. Refused once a score is locked."""
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    check_supreme(judge, "an accepted strat")
    strat = locking.hold(Strat.objects.select_related("entry", "accepted_by"), pk=strat.pk)
    accepted_by = strat.accepted_by
    if accepted_by is None:
        raise Refused("This strat was not accepted late.", "R35")
    if accepted_by.user_id == judge.user_id:
        raise Refused("You accepted this strat yourself.", "R35")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    check_unjudged(battle)
    strat.accepted_by, strat.accepted_at, strat.accepted_because = None, None, ""
    strat.save(update_fields=["accepted_by", "accepted_at", "accepted_because"])
    data = {"army": strat.entry.name, "of": accepted_by.name, "reason": reason, "seat": judge.role}
    record_act(battle, judge, "strat.overruled", now, **data)
    return strat


def _entry(battle: Battle, army: Army) -> BattleArmy:
    entry = BattleArmy.objects.filter(battle=battle, army=army).first()
    if entry is None:
        raise Refused(f"{army.name} does not fight in this battle.", "R5")
    return entry


def _check_time(present: datetime, until: datetime, now: datetime, entry: BattleArmy | None) -> None:
    whose = f"The deadline of {entry.name}" if entry else "The deadline"
    if not clock.is_in_time(now, present):
        raise Refused(
            f"{whose} passed at {utc(present)}; it can't be moved any more. A late strat can be accepted instead.",
            "R5",
            "army",
        )
    if until <= present:
        raise Refused(f"{whose} is {utc(present)}; it can only be moved later than that.", "R5", "until")
    if until > now + LONGEST:
        raise Refused(f"A deadline is at most {LONGEST.days} days off.", "R5", "until")


def _last_extension(battle: Battle, army: Army | None) -> LogEntry:
    """R5: the extension that gave the present deadline. Refused if there is none, or it was overruled already."""
    turn, name = battle.turn, army.name if army else None
    both = ("battle.extended", "battle.extension_overruled")
    rows = LogEntry.objects.filter(
        round=turn.round, action__in=both, data__turn=turn.number, data__battle=battle.number
    ).order_by("pk")
    last = next((row for row in reversed(rows) if row.data["army"] == name), None)
    if last is None or last.action != "battle.extended":
        raise Refused(f"The deadline of {name or 'this battle'} was not moved.", "R5", "army")
    return last


def _extender(entry: LogEntry, battle: Battle) -> Judge:
    return Judge.everybody.get(round=battle.turn.round_id, user=entry.actor_id, role=entry.data["seat"])
