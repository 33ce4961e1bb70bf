"""4.2.1, R55: The judges of a battle, and their notes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import F, FilteredRelation, Q
from django.utils.translation import gettext

from judging.battles.assignments.models import BattleSeat
from judging.battles.assignments.queries import Conflicts, Seats
from judging.battles.models import Battle, Opinion
from judging.battles.models import Criterion as OwnCriterion
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.core.wording import listed


@dataclass(frozen=True)
class NoteView:
    """4.2.1: A criterion and its judge's note."""

    criterion_id: int
    name: str
    text: str
    judge: str
    shown: bool


@dataclass(frozen=True)
class Rubric:
    """4.2.1: A judge's own notes on a battle, and those of others that they may read."""

    own: tuple[NoteView, ...]
    others: tuple[NoteView, ...]

    @property
    def are_shown(self) -> bool:
        return any(note.shown for note in self.own)

    @property
    def are_written(self) -> bool:
        return any(note.text for note in self.own)


@dataclass(frozen=True)
class SeatedJudges:
    """4.2.1: The judges of a battle, one alone or two. `own` is the judge's locked opinion; `all` are both, once
    both are locked; `waits_for` names the judge who has not locked theirs yet; `may_score` says whether this judge
    has one of two seats; `others` are the round's other battle judges without a conflict, of whom one may be asked,
    `peers` all. `seats` are the battle's seats (R59); `is_begun`: one of two scores is locked; `needs_choice`: all
    have a conflict, and the head decides who judges (R56)."""

    second: Judge | None
    own: Opinion | None
    all: tuple[Opinion, ...]
    may_score: bool
    waits_for: tuple[str, ...]
    others: tuple[Judge, ...]
    peers: tuple[Judge, ...]
    seats: Mapping[str, BattleSeat]
    is_begun: bool
    needs_choice: bool

    @property
    def is_of_two(self) -> bool:
        return self.second is not None or self.is_begun

    @property
    def is_to_decide(self) -> bool:
        """R55: Whether both have scored and, without a score of the battle, are too far apart."""
        return len(self.all) == 2

    @property
    def span(self) -> tuple[int, int] | None:
        """R55: The two scores to decide over, below 0 for side 1."""
        if not self.is_to_decide:
            return None
        first, second = (-one.bonus if one.favours else one.bonus for one in self.all)
        return first, second

    @property
    def is_apart(self) -> bool:
        """R55: Whether neither of two judges reads the other's text."""
        return self.is_of_two and not self.is_to_decide

    @property
    def third(self) -> Judge | None:
        """R55: The judge who decides over the two; None: the head."""
        seat = self.seats.get(BattleSeat.Kind.THIRD)
        return seat.judge if seat else None

    def decides(self, judge: Judge | None) -> bool:
        """R55: Whether this judge must decide over the two scores."""
        if judge is None:
            return False
        return judge.is_head if self.third is None else self.third.pk == judge.pk


def rubric_of(battle: Battle, judge: Judge, *, reads_others: bool) -> Rubric:
    """4.2.1: A judge's current criteria, and those on which they already have a note."""
    here = FilteredRelation("notes", condition=Q(notes__battle=battle))
    rows = OwnCriterion.objects.annotate(here=here).filter(Q(judge=judge) | Q(here__isnull=False)).order_by("pk")
    rows = rows.select_related("judge").annotate(text=F("here__text"), shown=F("here__shown"))
    criteria = list(rows)
    own_notes = tuple(_noted(c) for c in criteria if c.judge_id == judge.pk and (not c.retired or c.text is not None))
    other_notes = tuple(_noted(c) for c in criteria if c.judge_id != judge.pk and c.text) if reads_others else ()
    return Rubric(own_notes, other_notes)


def bench_of(
    battle: Battle,
    judge: Judge,
    opinions: Sequence[Opinion],
    judges: Iterable[Judge],
    conflicts: Conflicts,
    seats: Seats,
) -> SeatedJudges:
    """4.2.1: Neither of two judges reads the other's opinion before both are locked. `judges` are the round's."""
    peers = [each for each in judges if each.role == Role.BATTLE]
    free = [each for each in peers if (battle.pk, each.user_id) not in conflicts]
    second = battle.second_judge
    firsts = [opinion for opinion in opinions if second is None or opinion.judge_id != second.pk]
    waits = [second.name] if second and len(firsts) == len(opinions) else []
    if second and not firsts:
        waits.append(gettext("another battle judge"))
    return SeatedJudges(
        second=second,
        own=next((opinion for opinion in opinions if opinion.judge_id == judge.pk), None),
        all=tuple(opinions) if len(opinions) == 2 else (),
        may_score=judge == second or not firsts,
        waits_for=tuple(waits),
        others=tuple(other for other in free if other != judge),
        peers=tuple(peers),
        seats={seat.kind: seat for seat in seats if seat.until is None},
        is_begun=bool(opinions),
        needs_choice=battle.state == Battle.State.WAITING and not free,
    )


def reads_others_notes(battle: Battle, bench: SeatedJudges) -> bool:
    """4.2.1, R55: Whether a judge may read others' notes: once nothing can sway them. A second judge may be named
    until then, so it does not matter whether there is one."""
    return bool(bench.all) or hasattr(battle, "score")


def _noted(criterion: Any) -> NoteView:
    return NoteView(criterion.pk, criterion.name, criterion.text or "", criterion.judge.name, bool(criterion.shown))


def wait_for_others(bench: SeatedJudges | None) -> str:
    """4.2.1: The reason why a battle of two judges needs nothing from this one now."""
    if bench is None or not bench.is_of_two:
        return ""
    if bench.is_to_decide and bench.third:
        return gettext("The two scores are far apart. %(name)s, who gave neither, will decide (R55).") % {
            "name": bench.third.name
        }
    if bench.is_to_decide:
        return gettext("The two scores are far apart. The head judge must set the final one (R55).")
    if bench.second is None:
        return gettext(
            "One of two scores is locked, and the other judge has left. Name another judge, or choose “no one” (4.2.1)."
        )
    if bench.own or not bench.may_score:
        return gettext("Two judges score this battle; it is waiting for %(waits_for)s (4.2.1).") % {
            "waits_for": listed(bench.waits_for)
        }
    return ""
