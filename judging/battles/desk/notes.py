"""4.2.1, 4.1.2: a judge's criteria, his notes on a battle, and his word on what strats claim."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext

from judging.battles.checks import check_judge, held_battle, record_act
from judging.battles.models import Battle, Claim, Criterion, Note, Strat
from judging.game import locking
from judging.game.errors import Refused
from judging.game.rulebook import titles
from judging.game.texts import check_storable, checked_text
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.core.saying import grouped

MAX_CRITERIA = 12
MAX_NAME = 60
MAX_NOTE = 5_000
MAX_CLAIM = 300


@locking.writes
def add_criterion(*, judge: Judge, name: str) -> Criterion:
    """4.2.1: a criterion of the judge's own; a retired one of that name comes back. Refused beyond 12."""
    if judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges can have criteria for battles."), "1.3")
    name = checked_text(name.strip(), what="criterion", most=MAX_NAME, cites="4.2.1", field="name")
    criterion = Criterion.objects.filter(judge=judge, name=name).first()
    used = Criterion.objects.filter(judge=judge, retired=False).count()
    if used >= MAX_CRITERIA and (criterion is None or criterion.retired):
        raise Refused(
            gettext("You already have %(most)s criteria. Retire one first.") % {"most": MAX_CRITERIA},
            "4.2.1",
            "name",
        )
    criterion = criterion or Criterion(judge=judge, name=name)
    criterion.retired = False
    criterion.save()
    return criterion


def retire_criterion(*, judge: Judge, criterion_id: int) -> None:
    """4.2.1: the criterion is asked for no more; its notes stay."""
    Criterion.objects.filter(judge=judge, pk=criterion_id).update(retired=True)


@locking.writes
def keep_notes(*, battle: Battle, judge: Judge, notes: Mapping[int, str], now: datetime) -> None:
    """4.2.1: stores the judge's notes by his criteria's keys; what is empty now is gone.

    Notes stay as they are once the result is published.
    """
    kept = Note.objects.filter(battle=battle, criterion=OuterRef("pk")).values("text")
    asked = Criterion.objects.filter(judge=judge, pk__in=notes).annotate(noted=Subquery(kept))
    own = {criterion.pk: criterion for criterion in asked}
    changed = {key: text for key, text in notes.items() if key in own and text != (own[key].noted or "")}
    if not changed:
        return
    check_judge(battle, judge)
    for key, text in changed.items():
        if len(text) > MAX_NOTE:
            long = gettext("The note on %(name)s has %(number)s characters; the limit is %(most)s.") % {
                "name": own[key].name,
                "number": grouped(len(text)),
                "most": grouped(MAX_NOTE),
            }
            raise Refused(long, "4.2.1", f"note_{key}")
        check_storable(text, what="note", cites="4.2.1", field=f"note_{key}")
    if held_battle(battle.pk).state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result is published, so its notes can't change."), "4.2.1")
    rows = [Note(battle=battle, criterion=own[key], text=text, saved_at=now) for key, text in changed.items()]
    unique, written = ["battle", "criterion"], ["text", "saved_at"]
    Note.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique, update_fields=written)


@locking.writes
def show_notes(*, battle: Battle, judge: Judge, shown: bool, now: datetime) -> None:
    """4.2.1: shows the judge's own notes on a published battle to everybody, or hides them again."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    if battle.state != Battle.State.PUBLISHED:
        raise Refused(gettext("Notes are shown with the result, so publish the result first."), "4.2.1")
    notes = Note.objects.filter(battle=battle, criterion__judge=judge)
    if notes.exclude(shown=shown).update(shown=shown):
        record_act(battle, judge, "battle.notes_shown" if shown else "battle.notes_hidden", now)


@locking.writes
def judge_claim(*, strat: Strat, judge: Judge, claim: str, verdict: str, cites: str, note: str, now: datetime) -> Claim:
    """4.1.2, 2.2.3: writes down what the judge makes of a claim; the strat's author reads it with the result.

    Refused for a rule or ruling that does not exist, and once the result is published.
    """
    battle = held_battle(strat.entry.battle_id)
    check_judge(battle, judge)
    _check_unpublished(battle)
    claim = checked_text(claim.strip(), what="claim", most=MAX_CLAIM, cites="4.1.2", field="claim")
    if verdict not in Claim.Verdict.values:
        raise Refused(gettext("A claim must be accepted, limited or refused."), "4.1.2")
    cites = cites.strip().removeprefix("§").strip().upper()
    if cites not in titles():
        unknown = gettext("The rulebook has no rule “%(cites)s”. Enter one like 4.2.1 or R36.") % {"cites": cites[:20]}
        raise Refused(unknown, "4.1.2", "cites")
    if len(note) > MAX_NOTE:
        raise Refused(
            gettext("The note has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(note)), "most": grouped(MAX_NOTE)},
            "4.1.2",
            "note",
        )
    check_storable(note, what="note", cites="4.1.2", field="note")
    made = {"verdict": verdict, "cites": cites, "note": note.strip(), "made_at": now}
    kept, _ = Claim.objects.update_or_create(strat=strat, claim=claim, judge=judge, defaults=made)
    record_act(battle, judge, "battle.strat_judged", now)
    return kept


@locking.writes
def withdraw_claim(*, battle: Battle, judge: Judge, claim_id: int, now: datetime) -> None:
    """4.1.2: takes back what the judge wrote of a claim, while nobody else has read it."""
    battle = held_battle(battle.pk)
    check_judge(battle, judge)
    _check_unpublished(battle)
    gone, _ = Claim.objects.filter(pk=claim_id, judge=judge, strat__entry__battle=battle).delete()
    if gone:
        record_act(battle, judge, "battle.strat_judged", now)


def _check_unpublished(battle: Battle) -> None:
    if battle.state == Battle.State.PUBLISHED:
        raise Refused(gettext("The result is published, so the verdicts on its claims can't change."), "4.1.2")
