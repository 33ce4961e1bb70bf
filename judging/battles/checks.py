"""1.3, 4.1.1: The first checks of every act on a battle, and its lock.

Every change to a battle, its strats, its score or its result calls `held_battle` first, inside a transaction: so a
strat and a score that come in the same moment are handled one after the other, and the second sees the first.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Prefetch, prefetch_related_objects
from django.utils.translation import gettext

from judging.battles.assignments.models import BattleSeat
from judging.battles.assignments.queries import (
    Conflicts,
    Seats,
    all_seats,
    conflicts_in,
    in_words,
    is_chosen_by_head,
    judges_of,
    lost_by,
)
from judging.battles.models import Battle, BattleArmy, Opinion, Strat
from judging.battles.strats.queries import are_sent, counting_as_read, last_deadline
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import is_bound_by, is_supreme
from judging.common.log_entry import record
from judging.common.models import LogEntry
from judging.common.texts import utc
from wargame.models import Army, Judge
from wargame.models.choices import Role
from wargame.rules.core import clock
from wargame.rules.core.sides import Side


def held_battle(battle_id: int) -> Battle:
    """The battle, locked against other strats, scores and results until the transaction ends. Raises Refused if it is
    off.

    Reads and locks one row. Call it first in a transaction, and before the rows of its strats are locked.
    """
    # The battle alone is held, and not its turn with it: posts and rulings hold turns, and need not wait for strats.
    # Who needs both, as a penalty does, holds the turn first.
    rows = Battle.objects.select_related("turn__round").defer("turn__position", "turn__events")
    battle = locking.hold(rows, pk=battle_id)
    if battle.state == Battle.State.CANCELLED:
        before = battle.turn.number - 1
        raise Refused(
            gettext("Turn %(before)s was corrected, so this battle is cancelled.") % {"before": before},
            "3.3.3",
        )
    return battle


def battle_to_judge(battle_id: int) -> tuple[Battle, dict[str, Strat]]:
    """The battle, locked like in `held_battle`, with its armies and strats, and its strats that count, by army (R35).

    While it is locked nobody can send a strat, so they are read once for all checks and calculations.
    """
    battle = held_battle(battle_id)
    entries = BattleArmy.objects.select_related("army").prefetch_related("strats")
    prefetch_related_objects([battle], Prefetch("entries", entries))
    return battle, counting_as_read([battle])[battle.pk]


def check_judge(battle: Battle, judge: Judge) -> None:
    """1.3: The judge must be a battle judge of the round and no player in it, and the battle is still to be fought
    (3.3.3).

    Raises Refused for a judge who has a conflict with it or lost it by their silence, too (R56, R59).
    """
    if judge.role != Role.BATTLE or judge.round_id != battle.turn.round_id:
        raise Refused(gettext("Only battle judges of this round can score its battles."), "1.3")
    sits = BattleSeat.objects.filter(battle=battle.pk, judge=OuterRef("pk"))
    read = judges_of(judge.round_id).annotate(sits=Exists(sits)).filter(pk=judge.pk).first()
    if read is None:
        raise Refused(gettext("You no longer judge this round."), "1.3")
    if getattr(read, "plays_as", None) is not None:
        raise Refused(gettext("You play in this round, so you can't be one of its battle judges."), "1.3")
    if battle.state == Battle.State.CANCELLED:
        raise Refused(gettext("This battle is cancelled because the previous turn was corrected."), "3.3.3")
    check_unbiased(battle, read, all_seats(battle) if read.sits else [])


def able_to_judge(battle: Battle) -> list[Judge]:
    """1.3, R56, R59: The battle judges who pass `check_judge` for a battle, read at once."""
    if battle.state == Battle.State.CANCELLED:
        return []
    rows = judges_of(battle.turn.round_id).filter(role=Role.BATTLE).order_by("pk")
    judges = [judge for judge in rows if getattr(judge, "plays_as", None) is None]
    conflicts, seats = conflicts_in([battle], judges), all_seats(battle) if judges else []
    return [judge for judge in judges if not why_barred(battle, judge, conflicts, seats).why]


def check_unbiased(battle: Battle, judge: Judge, seats: Seats) -> None:
    """R56, R59: Raise Refused for a judge with a conflict, unless the head decided in public that they judge the
    battle, and for a battle judge who lost it by their silence. The judge is read by `judges_of`."""
    why, cites = why_barred(battle, judge, conflicts_in([battle], [judge]), seats)
    if why:
        raise Refused(why, cites)


class Barred(NamedTuple):
    """The reason why a judge may not judge a battle, in a sentence, and the ruling behind it; both empty if they
    may."""

    why: str
    cites: str


def why_barred(battle: Battle, judge: Judge, conflicts: Conflicts, seats: Seats) -> Barred:
    """R56, R59: Why a judge may not judge a battle: because of a conflict, or because they lost it by their silence."""
    conflict = conflicts.get((battle.pk, judge.user_id))
    if conflict is not None and not is_chosen_by_head(seats, judge):
        return Barred(in_words(conflict), "R56")
    seat = lost_by(seats, judge)
    if seat is None or seat.until is None:
        return Barred("", "")
    message = gettext("You did nothing on this battle for three days, so it passed to another judge at %(time)s (R59).")
    return Barred(message % {"time": utc(seat.until)}, "R59")


def check_due(battle: Battle, counting: Mapping[str, Strat], now: datetime) -> None:
    """4.1.1: A battle is determined after its deadline, or when both sides' controllers have sent their strats.

    `battle` and its strats that count are those of `battle_to_judge`.
    """
    closes = last_deadline(battle)
    teams = [entry.name for entry in battle.entries.all() if entry.army.side != Side.MERCENARY]
    if clock.is_in_time(now, closes) and not are_sent(teams, counting):
        raise Refused(
            gettext(
                "Strats are accepted until %(time)s, and some are still missing. You can judge this battle once "
                "all strats are in, or after the deadline."
            )
            % {"time": utc(closes)},
            "4.1.1",
        )


def check_unjudged(battle: Battle) -> None:
    """4.1.1, R38: Strats that a judge has read do not change once they have locked a score."""
    if battle.state == Battle.State.CANCELLED:
        raise Refused(gettext("This battle is cancelled because the previous turn was corrected."), "3.3.3")
    if battle.state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result of this battle is published, so its strats can't change any more."), "4.1.1")
    if battle.state != Battle.State.WAITING or Opinion.objects.filter(battle=battle).exists():
        raise Refused(gettext("A score for this battle is locked, so its strats can't change any more."), "4.1.1")


def check_not_overruled(battle: Battle, judge: Judge, action: str, army: Army | None) -> None:
    """1.3: Raise Refused for an assistant who repeats an act that the head battle judge, or their own head, has
    overruled."""
    turn = battle.turn
    rows = LogEntry.objects.filter(round=turn.round, action=action, data__turn=turn.number, data__battle=battle.number)
    for row in rows:
        heads = Judge.everybody.filter(round=turn.round, user=row.actor_id, role=row.data["seat"])
        if row.data["army"] == (army.name if army else None) and any(is_bound_by(judge, head) for head in heads):
            raise Refused(
                gettext("%(name)s has already overruled that: %(reason)s")
                % {"name": heads[0].name, "reason": row.data["reason"]},
                "1.3",
            )


def check_supreme(judge: Judge, why: str) -> None:
    """1.3: Raise Refused with the sentence `why` for anybody but the head battle judge, who alone overrules."""
    if not is_supreme(judge):
        raise Refused(why, "1.3")


def record_act(battle: Battle, judge: Judge, action: str, now: datetime, **more: object) -> None:
    """1.3: Log who did it, without scores."""
    turn = battle.turn
    record(turn.round, judge.user, action, {"turn": turn.number, "battle": battle.number, **more}, now)
