"""4.1.1, 4.2: one battle on the judges' desk. Strats, score and narrative go to battle judges alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.safestring import SafeString

from judging.markup import to_html
from judging.models import Battle, NarrativeDraft, Score, Strat
from judging.selectors.battle_views import BattleView, FighterView, Receipt, StratView
from judging.selectors.battles import battle_view
from judging.selectors.judge import QueueRow, User, battle_of, judge_of, queue_row
from judging.selectors.strats import counting_strats
from judging.selectors.viewer import viewer_of
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.sides import Side


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


@dataclass(frozen=True)
class Sheet:
    """4.2: what a judge sees of a battle. Without a `judge` of battles there is no score and no narrative.

    `wait` says why it can't be scored yet, `rules_score` what the rules give instead of a judge's bonus
    (4.2.1); both are empty otherwise.
    """

    battle: Battle
    view: BattleView
    row: QueueRow
    sides: tuple[SheetSide, SheetSide]
    judge: Judge | None
    score: Score | None
    narrative: NarrativeDraft | None
    wait: str
    rules_score: str

    @property
    def asks_for_score(self) -> bool:
        """4.2.1: whether the judge has a score to type now."""
        return self.row.step == "score" and not self.rules_score

    @property
    def may_publish(self) -> bool:
        """R38: whether nothing is missing but the dice."""
        return self.row.step == "publish" or (self.row.step == "score" and bool(self.rules_score))

    @property
    def narrative_html(self) -> SafeString:
        """The saved narrative as it will read."""
        return to_html(self.narrative.text if self.narrative else "")

    @property
    def is_published(self) -> bool:
        return self.view.result is not None


def sheet_of(user: User, battle_id: int, now: datetime) -> Sheet | None:
    """4.2: the sheet of a battle; None unless the user sees the desk of its round."""
    battle = battle_of(user, battle_id)
    if battle is None:
        return None
    round_ = battle.turn.round
    view = battle_view(battle_id, viewer_of(user, round_), now)
    if view is None:
        return None
    judge = judge_of(user, round_, Role.BATTLE)
    counting = counting_strats(battle)
    sides = (_side(view, 0, counting, judge), _side(view, 1, counting, judge))
    row = queue_row(view, battle, now)
    return Sheet(
        battle=battle,
        view=view,
        row=row,
        sides=sides,
        judge=judge,
        score=Score.objects.select_related("judge").filter(battle=battle).first() if judge else None,
        narrative=_narrative(battle) if judge else None,
        wait=_wait(row) if row.step == "strats" else "",
        rules_score=_rules_score(sides) if row.is_closed else "",
    )


def _narrative(battle: Battle) -> NarrativeDraft | None:
    return NarrativeDraft.objects.select_related("judge").filter(battle=battle).first()


def _side(view: BattleView, index: int, counting: Mapping[str, Strat], judge: Judge | None) -> SheetSide:
    fighters = view.sides[index]
    side = Side(fighters[0].side)
    names = " and ".join(f.name for f in fighters)
    return SheetSide(
        index=index,
        side=side.value,
        title=side.title[0].upper() + side.title[1:],
        part="no attacker" if view.defends is None else "defends" if view.defends == index else "attacks",
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


def _rules_score(sides: tuple[SheetSide, SheetSide]) -> str:
    """4.2.1, R36: what the rules give once a team's side has sent no strat in time."""
    without = [side for side in sides if side.is_stratless]
    if len(without) == 2:
        return "No bonus for either side: neither sent a strat in time."
    if without:
        return f"+10 for {sides[1 - without[0].index].label}: the other side sent no strat in time."
    return ""
