"""R5, R35: More time for strats, and late strats that a judge lets count; and how their head withdraws either (1.3)."""

from datetime import datetime, timedelta

from django.utils.timesince import timesince
from django.utils.translation import gettext

from judging.battles.assignments.queries import all_seats, judges_of
from judging.battles.checks import (
    check_judge,
    check_not_overruled,
    check_supreme,
    check_unbiased,
    check_unjudged,
    held_battle,
    record_act,
)
from judging.battles.models import Battle, BattleArmy, Strat
from judging.battles.shapes import BattleView
from judging.battles.strats.queries import deadline_of
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_supreme, overrules, why_not_withdrawn
from judging.common.models import LogEntry
from judging.common.stored_messages import kept
from judging.common.texts import checked_text, utc
from wargame.models import Army, Judge
from wargame.models.choices import Role
from wargame.rules.core import clock
from wargame.rules.core.phrases import Phrase

LONGEST = timedelta(days=31)
MAX_REASON = 1_000


@locking.writes
def extend_strats(
    *,
    battle: Battle,
    judge: Judge,
    until: datetime,
    reason: str | Phrase,
    now: datetime,
    army: Army | None = None,
    is_due: bool = False,
) -> Battle:
    """R5: Move the battle's deadline later for everybody or, with `army`, for that army alone (5.4.1, R47).

    `is_due`: the rule gives the time, not the judge, so that it does not matter whether their head withdrew such time
    before (1.3). The reason is public. Raises Refused for anybody but a battle or a movement judge of the round, after
    the deadline has passed, once a score is locked, and for a time that is not later or is more than 31 days away.
    """
    battle = held_battle(battle.pk)
    if judge.role not in (Role.BATTLE, Role.MOVEMENT) or judge.round_id != battle.turn.round_id:
        raise Refused(gettext("Only battle or movement judges of this round can move a deadline."), "R5")
    if isinstance(reason, str):
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R5", field="reason")
    check_unjudged(battle)
    entry = _entry(battle, army) if army else None
    if not is_due:
        check_unbiased(battle, judges_of(judge.round_id).get(pk=judge.pk), all_seats(battle))
        check_not_overruled(battle, judge, "battle.extension_overruled", army)
    present = deadline_of(entry, battle) if entry else battle.deadline
    _check_time(present, until, now, entry)
    if entry:
        entry.deadline = until
        entry.save(update_fields=["deadline"])
    else:
        battle.deadline = until
        battle.save(update_fields=["deadline"])
    data = {"army": army.name if army else None, "until": until.isoformat(), "reason": kept(reason)}
    data |= {"before": present.isoformat(), "seat": judge.role}
    record_act(battle, judge, "battle.extended", now, **data)
    return battle


def what_it_moves(view: BattleView, battle: Battle, army: str, until: datetime) -> tuple[str, ...]:
    """R5: The consequences of more time until then, in sentences: the deadlines that it moves, the turn that it
    delays, the people whom it notifies. `army` is empty for everybody."""
    fighters = [fighter for fighter in view.fighters if not army or fighter.name == army]
    present = fighters[0].deadline if army else battle.deadline
    lock, turn = battle.turn.lock_at, battle.turn.number
    whom = gettext("The strat of %(army)s") % {"army": army} if army else gettext("All strats for this battle")
    lines = [
        gettext("%(whom)s would be due at %(utc2)s instead of %(utc)s, %(timesince)s later.")
        % {"whom": whom, "utc": utc(present), "utc2": utc(until), "timesince": timesince(present, until)}
    ]
    if until > lock:
        lines.append(
            gettext(
                "That is %(timesince)s after turn %(turn)s locks (%(utc)s). The whole turn must wait for this "
                "battle's result, and so must everyone's next turn."
            )
            % {"timesince": timesince(lock, until), "turn": turn, "utc": utc(lock)}
        )
    else:
        lines.append(gettext("This delays nothing: turn %(turn)s locks on %(utc)s.") % {"turn": turn, "utc": utc(lock)})
    names = sorted({name for fighter in fighters for name in fighter.controllers})
    if names:
        lines.append(
            gettext("We will notify %(told)s. Everyone can see the new deadline and the reason.")
            % {"told": ", ".join(names)}
        )
    return tuple(lines)


@locking.writes
def accept_late(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """R35: Let a late strat count, with a public reason; again changes nothing. Only now the judges can read it.

    Raises Refused for a strat that was in time, once a score is locked, and for an assistant if it was decided that it
    does not count: those who could have read it since.
    """
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    strat = locking.hold(Strat.objects.select_related("entry__army", "declined_by"), pk=strat.pk)
    if strat.accepted_at is not None:
        return strat
    if not strat.late:
        raise Refused(gettext("This strat was on time, so there is nothing to accept."), "R35")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R35", field="reason")
    check_unjudged(battle)
    check_not_overruled(battle, judge, "strat.overruled", strat.entry.army)
    if strat.declined_by is not None and (not is_supreme(judge) or strat.declined_by.user_id == judge.user_id):
        raise Refused(
            gettext(
                "%(name)s decided that this strat doesn't count. Its text has been readable since then. Only a "
                "head battle judge who didn't make that decision can change it."
            )
            % {"name": strat.declined_by.name},
            "R35",
            "strat",
        )
    strat.accepted_by, strat.accepted_at, strat.accepted_because = judge, now, reason
    strat.declined_by, strat.declined_at, strat.declined_because = None, None, ""
    accepted, declined = ("accepted_by", "accepted_at", "accepted_because"), ("declined_by", "declined_at")
    strat.save(update_fields=[*accepted, *declined, "declined_because"])
    record_act(battle, judge, "strat.accepted", now, army=strat.entry.name, reason=reason)
    return strat


@locking.writes
def overrule_extension(
    *, battle: Battle, judge: Judge, reason: str, now: datetime, army: Army | None = None
) -> datetime:
    """1.3, R5: Restore the deadline from before the last extension, for everybody or for that army, and return it.

    For the judge who extended it, the head of their role, and the head battle judge. Raises Refused if the restored
    time has passed, and once a score is locked.
    """
    battle = held_battle(battle.pk)
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    check_unjudged(battle)
    entry = _last_extension(battle, army)
    extender = _extender(entry, battle)
    if not overrules(judge, extender):
        raise Refused(why_not_withdrawn(extender), "1.3")
    before = datetime.fromisoformat(entry.data["before"])
    if army is None:
        # An early lock may have gone back since (R60), and no battle's deadline is before the turn's.
        before = max(before, battle.turn.deadline)
    if not clock.is_in_time(now, before):
        raise Refused(
            gettext("The earlier deadline, %(utc)s, has passed, so no one could meet it.") % {"utc": utc(before)},
            "R5",
        )
    if army is None:
        Battle.objects.filter(pk=battle.pk).update(deadline=before)
    else:
        deadline = None if before == battle.deadline else before
        BattleArmy.objects.filter(battle=battle, army=army).update(deadline=deadline)
    data = {"army": entry.data["army"], "of": extender.name, "until": before.isoformat(), "reason": reason}
    record_act(battle, judge, "battle.extension_overruled", now, seat=judge.role, **data)
    return before


@locking.writes
def decline_late(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """R35: Decide that a late strat does not count, with a public reason; from then on the judges can read its text.
    Again changes nothing.

    Raises Refused for a strat that was in time or is accepted, and once a score is locked.
    """
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    strat = locking.hold(Strat.objects.select_related("entry__army"), pk=strat.pk)
    if strat.declined_at is not None:
        return strat
    if not strat.late or strat.accepted_at is not None:
        raise Refused(gettext("This strat counts, so there is nothing to decide."), "R35", "strat")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R35", field="reason")
    check_unjudged(battle)
    strat.declined_by, strat.declined_at, strat.declined_because = judge, now, reason
    strat.save(update_fields=["declined_by", "declined_at", "declined_because"])
    record_act(battle, judge, "strat.declined", now, army=strat.entry.name, reason=reason)
    return strat


@locking.writes
def release_strat(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """R35, R54: Publish a strat before the round does, with a reason; everybody can then read it, with its salt. It
    can't be undone, and again changes nothing.

    Raises Refused before the result of its battle is published.
    """
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    strat = locking.hold(Strat.objects.select_related("entry__army"), pk=strat.pk)
    if strat.released_at is not None:
        return strat
    if battle.state != Battle.State.PUBLISHED:
        raise Refused(
            gettext("A strat can't be published before the result. Publish the result first."), "R35", "strat"
        )
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="R35", field="reason")
    strat.released_by, strat.released_at, strat.released_because = judge, now, reason
    strat.save(update_fields=["released_by", "released_at", "released_because"])
    record_act(battle, judge, "strat.released", now, army=strat.entry.name, reason=reason)
    return strat


@locking.writes
def overrule_late(*, strat: Strat, judge: Judge, reason: str, now: datetime) -> Strat:
    """1.3, R35: Overrule an assistant's acceptance of a late strat, so that it does not count. Raises Refused once a
    score is locked."""
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    check_supreme(judge, gettext("Only the head battle judge can overrule an accepted strat."))
    strat = locking.hold(Strat.objects.select_related("entry", "accepted_by"), pk=strat.pk)
    accepted_by = strat.accepted_by
    if accepted_by is None:
        raise Refused(gettext("This strat was not accepted late."), "R35")
    if accepted_by.user_id == judge.user_id:
        raise Refused(gettext("You accepted this strat yourself."), "R35")
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    check_unjudged(battle)
    strat.accepted_by, strat.accepted_at, strat.accepted_because = None, None, ""
    strat.declined_by, strat.declined_at, strat.declined_because = judge, now, reason
    accepted, declined = ("accepted_by", "accepted_at", "accepted_because"), ("declined_by", "declined_at")
    strat.save(update_fields=[*accepted, *declined, "declined_because"])
    data = {"army": strat.entry.name, "of": accepted_by.name, "reason": reason, "seat": judge.role}
    record_act(battle, judge, "strat.overruled", now, **data)
    return strat


def _entry(battle: Battle, army: Army) -> BattleArmy:
    entry = BattleArmy.objects.filter(battle=battle, army=army).first()
    if entry is None:
        raise Refused(gettext("The army %(name)s doesn't fight in this battle.") % {"name": army.name}, "R5")
    return entry


def _check_time(present: datetime, until: datetime, now: datetime, entry: BattleArmy | None) -> None:
    subject = gettext("The deadline for %(name)s") % {"name": entry.name} if entry else gettext("The deadline")
    if not clock.is_in_time(now, present):
        raise Refused(
            gettext("%(whose)s passed at %(utc)s and can't be moved any more. You can still accept a late strat.")
            % {"whose": subject, "utc": utc(present)},
            "R5",
            "army",
        )
    if until <= present:
        raise Refused(
            gettext("%(whose)s is %(utc)s; you can only move it later.") % {"whose": subject, "utc": utc(present)},
            "R5",
            "until",
        )
    if until > now + LONGEST:
        raise Refused(gettext("A deadline can be at most %(days)s days ahead.") % {"days": LONGEST.days}, "R5", "until")


def _last_extension(battle: Battle, army: Army | None) -> LogEntry:
    """R5: The extension behind the current deadline. Raises Refused if there is none, or it was overruled already."""
    turn, name = battle.turn, army.name if army else None
    both = ("battle.extended", "battle.extension_overruled")
    rows = LogEntry.objects.filter(
        round=turn.round, action__in=both, data__turn=turn.number, data__battle=battle.number
    ).order_by("pk")
    last = next((row for row in reversed(rows) if row.data["army"] == name), None)
    if last is None or last.action != "battle.extended":
        raise Refused(
            gettext("The deadline for %(what)s was not moved.") % {"what": name or gettext("this battle")}, "R5", "army"
        )
    return last


def _extender(entry: LogEntry, battle: Battle) -> Judge:
    return Judge.everybody.get(round=battle.turn.round_id, user=entry.actor_id, role=entry.data["seat"])
