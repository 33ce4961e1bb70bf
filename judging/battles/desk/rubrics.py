"""4.2.1: the notes and opinions of battle judges on one battle: which of them a judge may read, and which everybody."""

from __future__ import annotations

from dataclasses import dataclass

from judging.battles.models import Battle, Criterion, Note, Opinion, Score
from wargame.models import Judge
from wargame.models.choices import Role


@dataclass(frozen=True)
class NoteView:
    """4.2.1: a criterion and what its judge noted."""

    criterion_id: int
    name: str
    text: str
    judge: str
    shown: bool


@dataclass(frozen=True)
class Rubric:
    """4.2.1: a judge's own notes on a battle, and those of others that he may read."""

    own: tuple[NoteView, ...]
    others: tuple[NoteView, ...]

    @property
    def are_shown(self) -> bool:
        return any(note.shown for note in self.own)

    @property
    def are_written(self) -> bool:
        return any(note.text for note in self.own)


@dataclass(frozen=True)
class Bench:
    """4.2.1: who scores a battle. `own` is the judge's locked opinion; `all` both, once both are locked; `waits_for`
    names who has not locked his yet; `may_score` says whether one of two seats is this judge's."""

    second: Judge | None
    own: Opinion | None
    all: tuple[Opinion, ...]
    may_score: bool
    waits_for: tuple[str, ...]
    others: tuple[Judge, ...]

    @property
    def is_of_two(self) -> bool:
        return self.second is not None

    @property
    def needs_head(self) -> bool:
        """4.2.1: both have scored; without a score of the battle they are too far apart."""
        return len(self.all) == 2


def rubric_of(battle: Battle, judge: Judge, *, reads_others: bool) -> Rubric:
    """4.2.1: the criteria that a judge is asked about, and those on which he has noted something already."""
    notes = list(Note.objects.filter(battle=battle).select_related("criterion__judge"))
    kept = {note.criterion_id: note for note in notes}
    criteria = [c for c in Criterion.objects.filter(judge=judge) if not c.retired or c.pk in kept]
    own = tuple(_own(criterion, kept.get(criterion.pk), judge) for criterion in criteria)
    others = [note for note in notes if note.criterion.judge_id != judge.pk and note.text] if reads_others else []
    return Rubric(own, tuple(_view(note) for note in others))


def bench_of(battle: Battle, judge: Judge) -> Bench:
    """4.2.1: neither of two judges reads the other's opinion before both are locked."""
    opinions = list(Opinion.objects.filter(battle=battle).select_related("judge").order_by("pk"))
    second = battle.second_judge
    firsts = [opinion for opinion in opinions if second is None or opinion.judge_id != second.pk]
    waits = [second.name] if second and len(firsts) == len(opinions) else []
    if second and not firsts:
        waits.append("another battle judge")
    judges = Judge.objects.filter(round_id=judge.round_id, role=Role.BATTLE).exclude(pk=judge.pk).order_by("name")
    return Bench(
        second=second,
        own=next((opinion for opinion in opinions if opinion.judge_id == judge.pk), None),
        all=tuple(opinions) if len(opinions) == 2 else (),
        may_score=judge == second or not firsts,
        waits_for=tuple(waits),
        others=tuple(judges),
    )


def reads_others(battle: Battle, bench: Bench) -> bool:
    """4.2.1: whether a judge may read what others noted: where he scores alone, or once nothing can sway him."""
    return not bench.is_of_two or bool(bench.all) or Score.objects.filter(battle=battle).exists()


def _own(criterion: Criterion, note: Note | None, judge: Judge) -> NoteView:
    text, shown = (note.text, note.shown) if note else ("", False)
    return NoteView(criterion.pk, criterion.name, text, judge.name, shown)


def _view(note: Note) -> NoteView:
    return NoteView(note.criterion_id, note.criterion.name, note.text, note.criterion.judge.name, note.shown)
