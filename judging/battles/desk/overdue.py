"""4.1.1: battles that wait too long for their results: their judges are told, once each."""

from __future__ import annotations

from datetime import datetime

from django.db.models import DateTimeField, ExpressionWrapper, F, Value
from django.utils.translation import gettext

from judging.accounts.reads import speaking_to
from judging.battles.models import Battle
from judging.battles.resolution import rules_battle
from judging.game import locking
from judging.game.log_entry import record
from judging.letters.models import Letter
from judging.letters.writes import write_letter
from wargame.models import Judge
from wargame.models.choices import Role, RoundState
from wargame.rules.core.wording import headline


def tell_of_overdue(now: datetime) -> int:
    """4.1.1: logs each battle that has no result so long after its lock as its round allows, and mails its judges
    where mail is set up; how many there were. The desk shows them as overdue from then on."""
    since = ExpressionWrapper(Value(now) - F("turn__round__judge_within"), DateTimeField())
    battles = Battle.objects.exclude(state__in=[Battle.State.PUBLISHED, Battle.State.CANCELLED]).filter(
        overdue_at__isnull=True, turn__round__state=RoundState.RUNNING, turn__lock_at__lt=since
    )
    return sum(_tell(pk, now) for pk in battles.values_list("pk", flat=True))


def _tell(battle_id: int, now: datetime) -> bool:
    """Whether this was the one to tell of it: of two workers that find the same battle, one update counts.

    The log and the letters are written with the mark; the letters go out after it is stored.
    """
    with locking.transaction():
        if not Battle.objects.filter(pk=battle_id, overdue_at__isnull=True).update(overdue_at=now):
            return False
        battle = Battle.objects.select_related("turn__round").get(pk=battle_id)
        data = {"turn": battle.turn.number, "battle": battle.number, "policy": battle.turn.round.overdue_policy}
        record(battle.turn.round, None, "battle.overdue", data, now)
        _write(battle, now)
    return True


def _write(battle: Battle, now: datetime) -> None:
    """One letter each, so that nobody reads another's address. The desk and the log say the same."""
    round_, fought = battle.turn.round, rules_battle(battle)
    judges = Judge.objects.filter(round=round_, role=Role.BATTLE).select_related("user")
    people = {judge.user.email: judge.user_id for judge in judges if judge.user.email}
    for address, user_id in sorted(people.items()):
        with speaking_to(user_id):
            told = gettext(
                "%(battle)s at %(square)s in turn %(turn)s of %(round)s is still waiting for its result. The "
                "turn can't be settled until it is published (4.1.1)."
            )
            text = told % {
                "battle": headline(*fought.sides, fought.defends),
                "square": battle.at,
                "turn": battle.turn.number,
                "round": round_,
            }
            subject = gettext("%(round)s: a battle is waiting for its result") % {"round": round_}
            write_letter(to=address, kind=Letter.Kind.OVERDUE, now=now, subject=subject, body=text, about=round_)
