"""4.1.1: keep what a battle judge writes until he publishes it."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from judging.battles.models import Battle, NarrativeDraft
from judging.game.errors import Refused
from judging.game.texts import check_storable
from wargame.models import Judge

MAX_NARRATIVE = 50_000


def keep_narrative(*, battle: Battle, judge: Judge, text: str, base_version: int, now: datetime) -> NarrativeDraft:
    """4.1.1: store the text on top of version `base_version` (0: none yet).

    Raises Refused if it is too long, the battle is published, or another judge has saved since.
    """
    check_storable(text, what="narrative", cites="4.1.1", field="narrative")
    if len(text) > MAX_NARRATIVE:
        raise Refused(
            f"The narrative has {len(text):,} characters; {MAX_NARRATIVE:,} is the limit.", "4.1.1", "narrative"
        )
    if Battle.objects.filter(pk=battle.pk, state=Battle.State.PUBLISHED).exists():
        raise Refused("The result is published; its narrative is not changed any more.", "4.1.1", "narrative")
    present = NarrativeDraft.objects.filter(battle=battle).first()
    if present is not None and present.text == text:
        return present
    if base_version == 0 and present is None:
        return _first(battle, judge, text, now)
    rows = NarrativeDraft.objects.filter(battle=battle, version=base_version)
    if not rows.update(text=text, judge=judge, saved_at=now, version=base_version + 1):
        raise _stale(battle)
    return NarrativeDraft.objects.get(battle=battle)


def _first(battle: Battle, judge: Judge, text: str, now: datetime) -> NarrativeDraft:
    try:
        with transaction.atomic():
            return NarrativeDraft.objects.create(battle=battle, judge=judge, text=text, saved_at=now)
    except IntegrityError:
        raise _stale(battle) from None


def _stale(battle: Battle) -> Refused:
    present = NarrativeDraft.objects.select_related("judge").get(battle=battle)
    return Refused(
        f"{present.judge.name} saved another narrative at {present.saved_at:%H:%M:%S} UTC, after you opened "
        "this page. Yours is kept in the form, theirs is shown below it; saving again replaces theirs.",
        "4.1.1",
        "narrative",
    )
