"""4.1.1, 4.2: one battle on the judges' desk. Strats, score and narrative go to battle judges alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from django.utils.safestring import SafeString

from judging.battles.desk.queue import QueueRow, Waits, battle_of, queue_row
from judging.battles.models import Battle, Criterion, NarrativeDraft, Note, Opinion, Proposal, Score, Strat
from judging.battles.reads import view_of
from judging.battles.results import ResultView, result_view
from judging.battles.shapes import BattleView, FighterView, Receipt, StratView
from judging.battles.strats.reads import counting_as_read
from judging.game.judges import User
from judging.game.markup import to_html
from judging.game.viewer import viewer_of
from wargame.models import Judge, Turn
from wargame.models.choices import Role
from wargame.rules.core import clock
from wargame.rules.core.sides import Side


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
    """4.2.1: who sits in judgement on a battle, alone or as one of two. `own` is the judge's locked opinion; `all` are
    both, once both are locked; `waits_for` names who has not locked his yet; `may_score` says whether one of two seats
    is this judge's; `others` are the round's other battle judges, of whom one may be asked."""

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


@dataclass(frozen=True)
class SheetFighter:
    """4.1: an army of a battle; with each receipt and strat, the newest first, whether it counts (R35)."""

    view: FighterView
    receipts: tuple[tuple[Receipt, bool], ...]
    strats: tuple[tuple[StratView, bool], ...]


@dataclass(frozen=True)
class SheetSide:
    """4.1: one side of a battle. `label` names it in the form; `is_stratless` is so until now (R36)."""

    index: int
    side: str
    title: str
    part: str
    label: str
    fighters: tuple[SheetFighter, ...]
    is_stratless: bool


class AskedRisk(NamedTuple):
    """4.3.2, 4.5: a strat that asks for a kill or a capture, the name of its army, and those of its enemies."""

    strat: StratView
    army: str
    enemies: tuple[str, ...]


@dataclass(frozen=True)
class Sheet:
    """4.2: what a judge sees of a battle. Without a `judge` of battles there is no score, no narrative, no rubric
    and nothing of what was rolled. The `extender` may give more time (R5), the `mercenary_judge` writes strats (R49).

    `wait` says why it can't be scored yet, `rules_score` what the rules give instead of a judge's bonus
    (4.2.1), `publish_waits` why a result can't be published yet; all are empty
    otherwise. `proposed` is what was rolled and is not published. `extendable` are the armies whose deadline can still
    be moved, an empty name for everybody's; `time_is_up` says why there are none (R5). `strats_stay`: a score is
    locked, so that nothing about the strats changes any more (4.1.1). `in_full`: with all that its page shows.
    """

    battle: Battle
    view: BattleView
    row: QueueRow
    sides: tuple[SheetSide, SheetSide]
    judge: Judge | None
    extender: Judge | None
    mercenary_judge: Judge | None
    score: Score | None
    narrative: NarrativeDraft | None
    bench: Bench | None
    rubric: Rubric | None
    proposal: Proposal | None
    proposed: ResultView | None
    wait: str
    rules_score: str
    publish_waits: str
    extendable: tuple[str, ...]
    time_is_up: str
    strats_stay: bool
    in_full: bool

    @property
    def is_without_strats(self) -> bool:
        """4.2.1: neither side sent a strat."""
        return all(side.is_stratless for side in self.sides)

    @property
    def step(self) -> Literal[Waits, "opinion", "head", "wait"]:
        """4.2: what this judge has to do next: `score`, `opinion`, `head`, `roll`, `publish`; `wait` for others;
        `published`."""
        if self.row.step == "strats":
            return "wait"
        if self.row.step != "score":
            return self.row.step
        if self.rules_score:
            return "roll"
        if self.bench is None or not self.bench.is_of_two:
            return "score"
        if self.bench.needs_head:
            return "head" if self.judge and self.judge.is_head else "wait"
        return "opinion" if self.bench.may_score and not self.bench.own else "wait"

    @property
    def waits(self) -> str:
        """Why there is nothing to do now; empty where there is."""
        return self.wait if self.step == "wait" else ""

    @property
    def asks_for_score(self) -> bool:
        """4.2.1: whether the judge has a score to type now."""
        return self.step in ("score", "opinion", "head")

    @property
    def may_publish(self) -> bool:
        """R38: whether nothing is missing but the publishing, or but the dice and that."""
        return self.step in ("roll", "publish")

    @property
    def names_are_hidden(self) -> bool:
        """4.2.1: who plays is not shown to a judge who has still to score."""
        return self.judge is not None and self.score is None and not self.rules_score and not self.is_published

    @property
    def shown_sides(self) -> tuple[SheetSide, SheetSide]:
        """4.2.1: the sides in an order that was drawn for this battle, the same each time."""
        first, second = self.sides
        return (second, first) if int(self.battle.commitment[-1], 16) % 2 else (first, second)

    @property
    def narrative_html(self) -> SafeString:
        """The saved narrative as it will read."""
        return to_html(self.narrative.text if self.narrative else "")

    @property
    def is_published(self) -> bool:
        return self.view.result is not None

    @property
    def late_strats(self) -> tuple[tuple[StratView, str], ...]:
        """R35: the late strats that nobody has accepted, with their armies' names."""
        fighters = (fighter for side in self.shown_sides for fighter in side.fighters)
        return tuple((s, f.view.name) for f in fighters for s, _ in f.strats if s.late and not s.accepted_because)

    @property
    def accepted_strats(self) -> tuple[tuple[StratView, str], ...]:
        """R35: the late strats that a judge has accepted, with their armies' names."""
        fighters = (fighter for side in self.shown_sides for fighter in side.fighters)
        return tuple((s, f.view.name) for f in fighters for s, _ in f.strats if s.late and s.accepted_because)

    @property
    def extended(self) -> tuple[str, ...]:
        """R5: whose deadline was moved, an empty name for everybody's."""
        everybody = ("",) if self.battle.deadline != self.battle.turn.deadline else ()
        return (*everybody, *(f.name for f in self.view.fighters if f.deadline != self.battle.deadline))

    @property
    def overrules_score(self) -> bool:
        """1.3: whether this judge may put his score in the place of an assistant's."""
        if self.judge is None or self.score is None or self.step != "roll" or not self.judge.is_head:
            return False
        return self.score.judge_id != self.judge.pk and not (self.bench and self.bench.own)

    @property
    def overrules_time(self) -> bool:
        """1.3: whether there is time or a late strat that this judge, a head, may overrule."""
        return bool(self.extender and self.extender.is_head and not self.strats_stay)

    @property
    def asked_risks(self) -> tuple[AskedRisk, ...]:
        """4.3.2, 4.5: the strats that count and ask for a kill or a capture."""
        asked: list[AskedRisk] = []
        for side in self.shown_sides:
            enemies = tuple(fighter.view.name for fighter in self.sides[1 - side.index].fighters)
            asking = ((s, f.view.name) for f in side.fighters for s, counts in f.strats if counts and s.risk)
            asked += [AskedRisk(strat, name, enemies) for strat, name in asking]
        return tuple(asked)


def sheet_of(user: User, battle_id: int, now: datetime, *, in_full: bool = True) -> Sheet | None:
    """4.2: the sheet of a battle; None unless the user sees the desk of its round.

    `in_full`: to be shown. A button that leads on needs no claims and no description of the square.
    """
    battle = battle_of(user, battle_id)
    if battle is None:
        return None
    round_ = battle.turn.round
    view = view_of(battle, viewer_of(user, round_), now, in_full=in_full)
    judges = list(Judge.objects.filter(round=round_).select_related("user").order_by("name"))
    own = {judge.role: judge for judge in judges if judge.user_id == user.pk}
    judge = own.get(Role.BATTLE)
    counting = counting_as_read([battle])[battle.pk]
    sides = (_side(view, 0, counting, judge), _side(view, 1, counting, judge))
    row = queue_row(view, battle, counting, now)
    opinions = list(Opinion.objects.filter(battle=battle).select_related("judge").order_by("pk"))
    bench = _bench(battle, judge, opinions, judges) if judge else None
    proposal: Proposal | None = getattr(battle, "proposal", None) if judge else None
    strats_stay = battle.state != Battle.State.WAITING or bool(opinions)
    extendable = () if strats_stay else _extendable(battle, view, now)
    return Sheet(
        battle=battle,
        view=view,
        row=row,
        sides=sides,
        judge=judge,
        extender=judge or own.get(Role.MOVEMENT),
        mercenary_judge=own.get(Role.MERCENARY),
        score=getattr(battle, "score", None) if judge else None,
        narrative=getattr(battle, "narrative_draft", None) if judge else None,
        bench=bench,
        rubric=_rubric(battle, judge, reads_others=_reads_others(battle, bench)) if judge and bench else None,
        proposal=proposal,
        proposed=_proposed(battle, view, proposal) if proposal and view.result is None else None,
        wait=_wait(row) if row.step == "strats" else _wait_for_others(bench) if row.step == "score" else "",
        rules_score=_rules_score(sides) if row.is_closed else "",
        publish_waits=_publish_waits(battle.turn, now),
        extendable=extendable,
        time_is_up="" if extendable else _time_is_up(view, strats_stay),
        strats_stay=strats_stay,
        in_full=in_full,
    )


def _proposed(battle: Battle, view: BattleView, proposal: Proposal) -> ResultView:
    names = tuple(tuple(f.name for f in side) for side in view.sides)
    return result_view(battle, proposal.outcome, names, view.armies)


def _extendable(battle: Battle, view: BattleView, now: datetime) -> tuple[str, ...]:
    """R5: whose deadline can still be moved; an empty name for everybody's."""
    everybody = ("",) if clock.is_in_time(now, battle.deadline) else ()
    return (*everybody, *(f.name for f in view.fighters if clock.is_in_time(now, f.deadline)))


def _time_is_up(view: BattleView, strats_stay: bool) -> str:
    """R5, 4.1.1: why nobody gets more time."""
    if strats_stay:
        return "A score is locked, so nothing about the strats of this battle changes any more (4.1.1)."
    last = max(fighter.deadline for fighter in view.fighters)
    passed = f"The deadline passed at {last:%Y-%m-%d %H:%M} UTC and can't be moved any more (R5)."
    return f"{passed} A strat that comes late can be accepted (R35)."


def _side(view: BattleView, index: int, counting: Mapping[str, Strat], judge: Judge | None) -> SheetSide:
    fighters = view.sides[index]
    side = Side(fighters[0].side)
    names = " and ".join(f.name for f in fighters)
    return SheetSide(
        index=index,
        side=side.value,
        title=side.title[0].upper() + side.title[1:],
        part="no attacker" if view.defends is None else "defending" if view.defends == index else "attacking",
        label=f"{names} ({side.title})",
        fighters=tuple(_fighter(f, counting.get(f.name), judge) for f in fighters),
        is_stratless=side.is_team and not any(f.name in counting for f in fighters),
    )


def _fighter(fighter: FighterView, counting: Strat | None, judge: Judge | None) -> SheetFighter:
    """Desk roles other than the battle judge's get no text here, whoever wrote it."""
    counts = (counting.sent_at, counting.sha256) if counting else None
    receipts = tuple((r, (r.sent_at, r.sha256) == counts) for r in reversed(fighter.receipts))
    strats = tuple((s, (s.sent_at, s.sha256) == counts) for s in reversed(fighter.strats))
    return SheetFighter(fighter, receipts, strats if judge else ())


def _wait(row: QueueRow) -> str:
    missing = f"{' and '.join(row.missing)} sent no strat yet" if row.missing else "A controller may still send his"
    return (
        f"{missing}, and strats are due at the battle deadline. The battle can be scored as soon as all "
        f"are there, or from {row.closes:%Y-%m-%d %H:%M} UTC on (3.1, 4.1.1)."
    )


def _publish_waits(turn: Turn, now: datetime) -> str:
    """4.1.1: the round's results may wait for the lock."""
    if not turn.round.results_after_lock or not clock.is_in_time(now, turn.lock_at):
        return ""
    return (
        f"This round's results are published after the lock, from {clock.closes(turn.lock_at):%Y-%m-%d %H:%M} UTC on."
    )


def _wait_for_others(bench: Bench | None) -> str:
    """4.2.1: why a battle of two judges asks this one for nothing now."""
    if bench is None or not bench.is_of_two:
        return ""
    if bench.needs_head:
        return "The two scores are far apart. The head judge sets the final one (1.3)."
    if bench.own or not bench.may_score:
        return f"Two judges score this battle; it waits for {' and '.join(bench.waits_for)} (4.2.1)."
    return ""


def _rules_score(sides: tuple[SheetSide, SheetSide]) -> str:
    """4.2.1, R36: what the rules give once a team's side has sent no strat in time."""
    without = [side for side in sides if side.is_stratless]
    if len(without) == 2:
        return "No bonus for either side: neither sent a strat in time."
    if without:
        return f"+10 for {sides[1 - without[0].index].label}: the other side sent no strat in time."
    return ""


def _rubric(battle: Battle, judge: Judge, *, reads_others: bool) -> Rubric:
    """4.2.1: the criteria that a judge is asked about, and those on which he has noted something already."""
    notes = list(Note.objects.filter(battle=battle).select_related("criterion__judge"))
    kept = {note.criterion_id: note for note in notes}
    criteria = [c for c in Criterion.objects.filter(judge=judge) if not c.retired or c.pk in kept]
    own = tuple(_own_note(criterion, kept.get(criterion.pk), judge) for criterion in criteria)
    others = [note for note in notes if note.criterion.judge_id != judge.pk and note.text] if reads_others else []
    return Rubric(own, tuple(_note_view(note) for note in others))


def _bench(battle: Battle, judge: Judge, opinions: Sequence[Opinion], judges: Iterable[Judge]) -> Bench:
    """4.2.1: neither of two judges reads the other's opinion before both are locked. `judges` are the round's."""
    second = battle.second_judge
    firsts = [opinion for opinion in opinions if second is None or opinion.judge_id != second.pk]
    waits = [second.name] if second and len(firsts) == len(opinions) else []
    if second and not firsts:
        waits.append("another battle judge")
    return Bench(
        second=second,
        own=next((opinion for opinion in opinions if opinion.judge_id == judge.pk), None),
        all=tuple(opinions) if len(opinions) == 2 else (),
        may_score=judge == second or not firsts,
        waits_for=tuple(waits),
        others=tuple(other for other in judges if other.role == Role.BATTLE and other != judge),
    )


def _reads_others(battle: Battle, bench: Bench) -> bool:
    """4.2.1: whether a judge may read what others noted: where he scores alone, or once nothing can sway him."""
    return not bench.is_of_two or bool(bench.all) or hasattr(battle, "score")


def _own_note(criterion: Criterion, note: Note | None, judge: Judge) -> NoteView:
    text, shown = (note.text, note.shown) if note else ("", False)
    return NoteView(criterion.pk, criterion.name, text, judge.name, shown)


def _note_view(note: Note) -> NoteView:
    return NoteView(note.criterion_id, note.criterion.name, note.text, note.criterion.judge.name, note.shown)
