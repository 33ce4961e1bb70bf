"""R55: Two judges who score a battle write separate narratives, until both scores are locked."""

from collections.abc import Collection
from datetime import datetime
from functools import cached_property

from django.db import IntegrityError
from django.utils.translation import gettext

from judging.battles.assignments.models import OwnNarrative
from judging.battles.models import Battle, NarrativeDraft, Opinion
from judging.common import locking
from judging.common.errors import Refused
from wargame.models import Judge


class BattleNarratives:
    """R55: The narratives of a battle, with the judges' known scores.

    `is_shared`: it may have several judges.
    """

    def __init__(self, battle: Battle, opinions: Collection[Opinion], *, is_shared: bool = True) -> None:
        self.battle, self._scored, self._is_shared = battle, len(opinions), is_shared
        self.are_apart = are_apart(battle, self._scored)

    @cached_property
    def _own_narratives(self) -> list[OwnNarrative]:
        """Empty without a query for a battle that has no other judge, or whose judges write in common."""
        is_common = self._shared is not None and not self._scored and self.battle.second_judge_id is None
        if is_common or not self._is_shared:
            return []
        return list(OwnNarrative.objects.filter(battle=self.battle).select_related("judge"))

    @property
    def _shared(self) -> NarrativeDraft | None:
        return getattr(self.battle, "narrative_draft", None)

    def narrative_of(self, judge: Judge) -> NarrativeDraft | OwnNarrative | None:
        """R55: The narrative that a judge continues: their own while they score apart, else the common one; their
        own again if the common one is still empty."""
        narrative = next((row for row in self._own_narratives if row.judge_id == judge.pk), None)
        return narrative if self.are_apart else self._shared or narrative

    def others_than(self, judge: Judge) -> tuple[OwnNarrative, ...]:
        """R55: The other judges' separate narratives, once both have scored."""
        if self.are_apart or self._scored < 2:
            return ()
        return tuple(row for row in self._own_narratives if row.judge_id != judge.pk and row.text)


def are_apart(battle: Battle, scored: int) -> bool:
    """R55: Whether two judges score the battle and not both have, so that neither reads the other's text. A battle
    that has a score does not wait for one."""
    if battle.state != Battle.State.WAITING or (not scored and battle.second_judge_id is None):
        return False
    return scored < 2


def part_narratives(battle: Battle) -> None:
    """R55: A second judge was named: from now on only its writer sees the narrative so far."""
    shared = NarrativeDraft.objects.filter(battle=battle).first()
    if shared is None:
        return
    defaults = {"text": shared.text, "version": shared.version, "saved_at": shared.saved_at}
    OwnNarrative.objects.update_or_create(battle=battle, judge=shared.judge, defaults=defaults)
    shared.delete()


@locking.writes
def keep_own(*, battle: Battle, judge: Judge, text: str, base_version: int, now: datetime) -> OwnNarrative:
    """R55: Store the text of one of two judges, on top of their version `base_version` (0: none yet).

    Raises Refused if they have saved another text since, in another window.
    """
    present = OwnNarrative.objects.filter(battle=battle, judge=judge).first()
    if present is not None and present.text == text:
        return present
    rows = OwnNarrative.objects.filter(battle=battle, judge=judge, version=base_version)
    if present is None and base_version == 0:
        try:
            with locking.transaction():
                return OwnNarrative.objects.create(battle=battle, judge=judge, text=text, saved_at=now)
        except IntegrityError:
            pass
    if not rows.update(text=text, saved_at=now, version=base_version + 1):
        raise Refused(
            gettext(
                "You saved another story in another window. This one is still in the form. Save again to replace "
                "the other."
            ),
            "4.1.1",
            "narrative",
        )
    return OwnNarrative.objects.get(battle=battle, judge=judge)
