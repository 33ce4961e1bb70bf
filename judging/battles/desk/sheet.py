"""4.1.1, 4.2: One battle on the judges' desk. Only battle judges see strats, score and narrative."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Literal, NamedTuple

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from judging.battles.assignments.models import OwnNarrative
from judging.battles.assignments.narratives import BattleNarratives
from judging.battles.assignments.queries import all_seats, conflicts_in, judges_of
from judging.battles.checks import why_barred
from judging.battles.desk.panel import Rubric, SeatedJudges, bench_of, reads_others_notes, rubric_of, wait_for_others
from judging.battles.desk.queue import QueueRow, Waits, battle_of, conflict_of, queue_row, unjudged
from judging.battles.models import (
    AdjustmentRequest,
    Battle,
    NarrativeDraft,
    Proposal,
    Score,
    Strat,
)
from judging.battles.queries import view_of
from judging.battles.resolution import bounds_of, criteria_of
from judging.battles.results import ResultView, Unchanged, result_view, unchanged_view
from judging.battles.seed_contributions import Awaited, rolls_by_itself
from judging.battles.shapes import BattleView, FighterView, Receipt, StratView
from judging.battles.strats.queries import counting_as_read
from judging.common.judges import User
from judging.common.markup import to_html
from judging.common.texts import utc
from judging.common.viewer import viewer_of
from wargame.models import Judge, Turn
from wargame.models.choices import Role, RoundState
from wargame.rules.battle.adjusting import Bounds
from wargame.rules.battle.criteria import Criterion
from wargame.rules.battle.mixing import BEACON, beacon_number
from wargame.rules.core import clock
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import listed


@dataclass(frozen=True)
class SheetFighter:
    """4.1: An army of a battle; with each receipt and strat, newest first, whether it counts (R35)."""

    view: FighterView
    receipts: tuple[tuple[Receipt, bool], ...]
    strats: tuple[tuple[StratView, bool], ...]


@dataclass(frozen=True)
class SheetSide:
    """4.1: One side of a battle. `label` names it in the form; `is_stratless`: no strat so far (R36)."""

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
    """4.2: A judge's view of a battle. Without a `judge` of battles there is no score, no narrative, no rubric and no
    roll. The `extender` may give more time (R5), the `mercenary_judge` writes strats (R49).

    `counting` are the strats that count, by the army's name (R35). `wait` says why it can't be scored yet,
    `rules_score` what the rules give instead of a judge's bonus (4.2.1), `publish_waits` why a result can't be
    published yet; all are empty otherwise. `dice_wait` is what the dice wait for, if anything, and `rolls_by_itself`
    whether the service rolls them once it is there (R38). `proposed` is the unpublished roll. `extendable` are the
    armies whose deadline can still be moved, an empty name for everybody's; `time_is_up` says why there are none (R5).
    `strats_stay`: a score is locked, so that the strats can no longer change (4.1.1). `in_full`: with all that its page
    shows. `barred` says why this judge may not judge the battle (R56, R59), `conflict` why they should not (1.3, 6).
    `criteria` are those of the round (R54), `bounds` what one judge may change alone after the dice (R53); `is_blind`:
    armies and people are not named.
    """

    battle: Battle
    view: BattleView
    row: QueueRow
    sides: tuple[SheetSide, SheetSide]
    counting: dict[str, Strat]
    judge: Judge | None
    extender: Judge | None
    mercenary_judge: Judge | None
    score: Score | None
    narrative: NarrativeDraft | OwnNarrative | None
    others_narratives: tuple[OwnNarrative, ...]
    bench: SeatedJudges | None
    rubric: Rubric | None
    proposal: Proposal | None
    proposed: ResultView | None
    wait: str
    rules_score: str
    publish_waits: str
    dice_wait: Awaited | None
    rolls_by_itself: bool
    extendable: tuple[str, ...]
    time_is_up: str
    strats_stay: bool
    in_full: bool
    barred: str = ""
    conflict: str = ""
    criteria: tuple[Criterion, ...] = ()
    bounds: Bounds = Bounds()
    is_blind: bool = False

    @property
    def unchanged(self) -> Unchanged | None:
        """R53: The outcome of the dice alone, if the roll was changed."""
        return unchanged_view(self.proposal.unchanged) if self.proposal and not self.is_published else None

    @cached_property
    def asked(self) -> tuple[AdjustmentRequest, ...]:
        """R53: The requests for a second judge's consent to changes; never read for a button that redirects."""
        requests = self.battle.adjustment_requests.select_related("judge", "answered_by")
        return tuple(requests) if self.proposal else ()

    @property
    def waiting_change(self) -> AdjustmentRequest | None:
        """R53: The change that waits for a second judge."""
        return next((one for one in self.asked if one.answered_at is None), None)

    @property
    def answers_change(self) -> bool:
        """R53: Whether this judge may agree to the waiting change."""
        change = self.waiting_change
        return bool(change and self.judge and change.judge.user_id != self.judge.user_id)

    @property
    def asks_change(self) -> bool:
        """R53: Whether this judge, the head, may request a change that nobody makes alone."""
        return bool(self.judge and self.judge.is_head and self.proposal and not self.is_published)

    @property
    def takes_change_back(self) -> bool:
        """R53: Whether this judge may withdraw the waiting change."""
        change = self.waiting_change
        return bool(change and self.judge and (self.judge.is_head or not self.answers_change))

    @property
    def hidden_strats(self) -> tuple[tuple[StratView, str], ...]:
        """R35, R54: Strats of a published battle that are not public yet, with their armies' names."""
        if not self.is_published or self.battle.turn.round.state == RoundState.OVER:
            return ()
        fighters = (fighter for side in self.shown_sides for fighter in side.fighters)
        return tuple((s, f.view.name) for f in fighters for s, _ in f.strats if not s.released_because)

    @property
    def is_without_strats(self) -> bool:
        """4.2.1: neither side sent a strat."""
        return all(side.is_stratless for side in self.sides)

    @property
    def step(self) -> Literal[Waits, "opinion", "head", "wait"]:
        """4.2: This judge's next step: `score`, `opinion`, `head`, `roll`, `publish`; `wait` for others;
        `published`."""
        if self.row.step == "strats" or (self.barred and self.row.step != "published"):
            return "wait"
        if self.row.step != "score":
            return self.row.step
        if self.rules_score:
            return "roll"
        if self.bench is None or not self.bench.is_of_two:
            return "score"
        if self.bench.is_to_decide:
            return "head" if self.bench.decides(self.judge) else "wait"
        return "opinion" if self.bench.may_score and not self.bench.own else "wait"

    @property
    def waits(self) -> str:
        """The reason why there is nothing to do now; empty if there is something."""
        return self.barred or self.wait if self.step == "wait" else ""

    @property
    def asks_for_score(self) -> bool:
        """4.2.1: Whether the judge must enter a score now."""
        return self.step in ("score", "opinion", "head")

    @property
    def may_publish(self) -> bool:
        """R38: Whether only the publishing is missing, or only the dice and the publishing."""
        return self.step in ("roll", "publish")

    @property
    def names_are_hidden(self) -> bool:
        """4.2.1: Whether the players' names are hidden, because the judge has not scored yet."""
        return self.judge is not None and self.score is None and not self.rules_score and not self.is_published

    @property
    def shown_sides(self) -> tuple[SheetSide, SheetSide]:
        """4.2.1: The sides in an order that was drawn for this battle, the same each time."""
        first, second = self.sides
        return (second, first) if int(self.battle.commitment[-1], 16) % 2 else (first, second)

    @property
    def mix_waits(self) -> str:
        """R38: What the dice wait for, in a sentence; empty if nothing."""
        return self.dice_wait.sentence if self.dice_wait else ""

    @property
    def narrative_html(self) -> SafeString:
        return to_html(self.narrative.text if self.narrative else "")

    @property
    def is_published(self) -> bool:
        return self.view.result is not None

    @property
    def late_strats(self) -> tuple[tuple[StratView, str], ...]:
        """R35: The late strats that nobody has accepted, with their armies' names."""
        fighters = (fighter for side in self.shown_sides for fighter in side.fighters)
        return tuple((s, f.view.name) for f in fighters for s, _ in f.strats if s.late and not s.accepted_because)

    @property
    def sealed_strats(self) -> tuple[tuple[StratView, str], ...]:
        """R35: The late strats on which no judge has decided yet: nobody reads them."""
        return tuple((strat, name) for strat, name in self.late_strats if strat.is_sealed)

    @property
    def accepted_strats(self) -> tuple[tuple[StratView, str], ...]:
        """R35: the late strats that a judge has accepted, with their armies' names."""
        fighters = (fighter for side in self.shown_sides for fighter in side.fighters)
        return tuple((s, f.view.name) for f in fighters for s, _ in f.strats if s.late and s.accepted_because)

    @property
    def extended(self) -> tuple[str, ...]:
        """R5: The armies whose deadline was moved, an empty name for everybody's."""
        everybody = ("",) if self.battle.deadline != self.battle.turn.deadline else ()
        return (*everybody, *(f.name for f in self.view.fighters if f.deadline != self.battle.deadline))

    @property
    def beacon_address(self) -> str:
        """R38: The address of the beacon's value that the dice wait for."""
        return f"{BEACON}/public/{beacon_number(self.score.locked_at)}" if self.score else ""

    @property
    def overrules_score(self) -> bool:
        """1.3: Whether this judge may replace an assistant's score."""
        if self.judge is None or self.score is None or self.step != "roll" or not self.judge.is_head:
            return False
        return self.score.judge_id != self.judge.pk and not (self.bench and self.bench.own)

    @property
    def overrules_time(self) -> bool:
        """1.3, R5: Whether there may be extra time or a late strat that this judge can withdraw: a head any, others
        their own extensions."""
        may_undo = self.extender is not None and (self.extender.is_head or bool(self.extended))
        return may_undo and not self.strats_stay

    @property
    def asked_risks(self) -> tuple[AskedRisk, ...]:
        """4.3.2, 4.5: The strats that count and ask for a kill or a capture."""
        risks: list[AskedRisk] = []
        for side in self.shown_sides:
            enemies = tuple(fighter.view.name for fighter in self.sides[1 - side.index].fighters)
            asking = ((s, f.view.name) for f in side.fighters for s, counts in f.strats if counts and s.risk)
            risks += [AskedRisk(strat, name, enemies) for strat, name in asking]
        return tuple(risks)


def sheet_of(user: User, battle_id: int, now: datetime, *, in_full: bool = True) -> Sheet | None:
    """4.2: The sheet of a battle; None unless the user sees the desk of its round.

    `in_full`: for display. A button that redirects needs no claims and no description of the square.
    """
    battle = battle_of(user, battle_id)
    if battle is None:
        return None
    round_ = battle.turn.round
    viewer = viewer_of(user, round_)
    view = view_of(battle, viewer, now, in_full=in_full)
    judges = list(judges_of(round_).select_related("user").order_by("name"))
    by_role = {judge.role: judge for judge in judges if judge.user_id == user.pk}
    judge = by_role.get(Role.BATTLE)
    counting = counting_as_read([battle])[battle.pk]
    sides = (_side(view, 0, counting, judge), _side(view, 1, counting, judge))
    row = queue_row(view, battle, counting, now)
    row = row if judge else unjudged(row)
    opinions = list(battle.opinions.all())
    peers = [each for each in judges if each.role == Role.BATTLE]
    is_shared = bool(opinions) or battle.second_judge_id is not None or len(peers) > 1
    conflicts = conflicts_in([battle], peers)
    seats = all_seats(battle) if judge and is_shared else []
    bench = bench_of(battle, judge, opinions, judges, conflicts, seats) if judge else None
    narratives = BattleNarratives(battle, opinions, is_shared=is_shared)
    proposal: Proposal | None = getattr(battle, "proposal", None) if judge else None
    strats_stay = battle.state != Battle.State.WAITING or bool(opinions)
    extendable = () if strats_stay else _extendable(battle, view, now)
    return Sheet(
        battle=battle,
        view=view,
        row=row,
        sides=sides,
        counting=counting,
        judge=judge,
        extender=judge or by_role.get(Role.MOVEMENT),
        mercenary_judge=by_role.get(Role.MERCENARY),
        score=getattr(battle, "score", None) if judge else None,
        narrative=narratives.narrative_of(judge) if judge else None,
        others_narratives=narratives.others_than(judge) if judge else (),
        bench=bench,
        rubric=rubric_of(battle, judge, reads_others=reads_others_notes(battle, bench)) if judge and bench else None,
        proposal=proposal,
        proposed=_proposed(battle, view, proposal) if proposal and view.result is None else None,
        wait=_wait(row) if row.step == "strats" else wait_for_others(bench) if row.step == "score" else "",
        rules_score=_rules_score(sides) if row.is_closed else "",
        publish_waits=_publish_waits(battle.turn, now),
        dice_wait=row.dice_wait if judge else None,
        rolls_by_itself=rolls_by_itself(battle, counting),
        extendable=extendable,
        time_is_up="" if extendable else _time_is_up(view, strats_stay),
        strats_stay=strats_stay,
        in_full=in_full,
        barred=why_barred(battle, judge, conflicts, seats).why if judge else "",
        conflict=conflict_of(view, viewer),
        criteria=criteria_of(round_),
        bounds=bounds_of(round_),
    )


def _proposed(battle: Battle, view: BattleView, proposal: Proposal) -> ResultView:
    names = tuple(tuple(f.name for f in side) for side in view.sides)
    return result_view(battle, proposal.outcome, names, view.armies)


def _extendable(battle: Battle, view: BattleView, now: datetime) -> tuple[str, ...]:
    """R5: The armies whose deadline can still be moved; an empty name for everybody's."""
    everybody = ("",) if clock.is_in_time(now, battle.deadline) else ()
    return (*everybody, *(f.name for f in view.fighters if clock.is_in_time(now, f.deadline)))


def _time_is_up(view: BattleView, strats_stay: bool) -> str:
    """R5, 4.1.1: The reason why nobody gets more time."""
    if strats_stay:
        return gettext("A score is locked, so the strats of this battle can't change any more (4.1.1).")
    last = max(fighter.deadline for fighter in view.fighters)
    message = gettext(
        "The deadline passed on %(time)s and can't be moved any more (R5). You can still accept a late strat (R35)."
    )
    return message % {"time": utc(last)}


def _part(view: BattleView, index: int) -> str:
    """4.1.2: A side's part in the battle, in a word."""
    if view.defends is None:
        return gettext("no attacker")
    return gettext("defending") if view.defends == index else gettext("attacking")


def _side(view: BattleView, index: int, counting: Mapping[str, Strat], judge: Judge | None) -> SheetSide:
    fighters = view.sides[index]
    side = Side(fighters[0].side)
    names = gettext(" and ").join(f.name for f in fighters)
    return SheetSide(
        index=index,
        side=side.value,
        title=side.title[0].upper() + side.title[1:],
        part=_part(view, index),
        label=f"{names} ({side.title})",
        fighters=tuple(_fighter(f, counting.get(f.name), judge) for f in fighters),
        is_stratless=side.is_team and not any(f.name in counting for f in fighters),
    )


def _fighter(fighter: FighterView, counting: Strat | None, judge: Judge | None) -> SheetFighter:
    """Only battle judges get the text of strats here, whoever wrote it."""
    counts = (counting.sent_at, counting.sha256) if counting else None
    receipts = tuple((r, (r.sent_at, r.sha256) == counts) for r in reversed(fighter.receipts))
    strats = tuple((s, (s.sent_at, s.sha256) == counts) for s in reversed(fighter.strats))
    return SheetFighter(fighter, receipts, strats if judge else ())


def _wait(row: QueueRow) -> str:
    fields = {"names": listed(row.missing), "time": utc(row.closes)}
    if not row.missing:
        message = gettext(
            "A controller can still send a strat before the battle deadline. You can score the battle once all "
            "strats are in, or from %(time)s on (3.1, 4.1.1)."
        )
        return message % fields
    message = ngettext(
        "No strat yet from %(names)s. Strats are due at the battle deadline. You can score the battle once all "
        "are in, or from %(time)s on (3.1, 4.1.1).",
        "No strat yet from %(names)s. Strats are due at the battle deadline. You can score the battle once all "
        "are in, or from %(time)s on (3.1, 4.1.1).",
        len(row.missing),
    )
    return message % fields


def _publish_waits(turn: Turn, now: datetime) -> str:
    """4.1.1: the round's results may wait for the lock."""
    if not turn.round.results_after_lock or not clock.is_in_time(now, turn.lock_at):
        return ""
    message = gettext("This round's results are published after the lock, from %(time)s on.")
    return message % {"time": utc(clock.closes(turn.lock_at))}


def _rules_score(sides: tuple[SheetSide, SheetSide]) -> str:
    """4.2.1, R36: The score by the rules if a team's side has sent no strat in time."""
    stratless = [side for side in sides if side.is_stratless]
    if len(stratless) == 2:
        return gettext("No bonus for either side: neither sent a strat in time.")
    if stratless:
        return gettext("+10 for %(label)s: the other side sent no strat in time.") % {
            "label": sides[1 - stratless[0].index].label
        }
    return ""
