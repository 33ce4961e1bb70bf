"""3.1, 5.2: a player's armies now, what they are ordered to do, his strats, and the armies that were his."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judging.battles.models import Strat
from judging.battles.reads import rows_of_turn, views_of
from judging.battles.shapes import BattleView, FighterView
from judging.battles.strats.reads import counting_as_read
from judging.game.positions import position_of
from judging.game.viewer import Viewer
from judging.my_turn.report import StandingOrder, standing
from judging.penalties.reads import PenaltyView, penalties_by_army
from judging.turns.posts.reading import ThreadLine
from judging.turns.posts.reads import PostView, movement_thread
from wargame.models import Army as ArmyRow
from wargame.models import Control, Turn
from wargame.rules.core import clock
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.world import place_name

LOOKS = ("illegal", "unreadable", "unread", "remark", "legal", "talk")
"""R8, R14: how lines are read, what its author should look at first."""


@dataclass(frozen=True)
class MyArmy:
    """An army of the viewer's. `plan` are the squares that a long move still leads to (3.2.2.3), `penalties` those that
    took troops from it in this turn (5.4.1)."""

    army: Army
    terrain: str
    place: str
    alive: int
    of: int
    order: StandingOrder | None
    plan: tuple[str, ...]
    battle: BattleView | None
    penalties: tuple[PenaltyView, ...] = ()


@dataclass(frozen=True)
class DueStrat:
    """A battle and the army whose strat the viewer may send. `is_sent`: one that counts is there. `is_late`: its
    deadline has passed."""

    battle: BattleView
    fighter: FighterView
    is_sent: bool
    is_late: bool


@dataclass(frozen=True)
class MineView:
    """A player's share of the turn. Strats that are missing come first; `as_contingency` are other players' (5.2.3).
    `posted` are the lines of his own posts, those that do not count as they are first."""

    armies: tuple[MyArmy, ...]
    strats: tuple[DueStrat, ...]
    as_contingency: tuple[DueStrat, ...]
    posted: tuple[ThreadLine, ...] = ()
    unread: tuple[StandingOrder, ...] = ()
    """R8: lines of his posts that may be meant as orders and are none."""
    battles: tuple[BattleView, ...] = ()
    """4.1.1: all battles of the turn."""

    @property
    def without_order(self) -> tuple[str, ...]:
        """The names of the armies that could move and have neither an order nor a long move."""
        return tuple(mine.army.name for mine in self.armies if not (mine.order or mine.plan or mine.battle))

    @property
    def illegal(self) -> tuple[str, ...]:
        """R14: the names of the armies that will stay because the order that counts for them is illegal."""
        refused = (mine for mine in self.armies if mine.order and mine.order.entry.line.refusal and not mine.battle)
        return tuple(mine.army.name for mine in refused)

    @property
    def missing_strats(self) -> tuple[DueStrat, ...]:
        """4.1.1: the strats that are not sent and can still be sent in time."""
        return tuple(due for due in self.strats if not due.is_sent and not due.is_late)

    @property
    def missed_strats(self) -> tuple[DueStrat, ...]:
        """4.1.1: the strats that were not sent in time."""
        return tuple(due for due in self.strats if not due.is_sent and due.is_late)

    @property
    def next_deadline(self) -> datetime | None:
        """R5: the first deadline of those that can still be sent in time."""
        return min((due.fighter.deadline for due in self.missing_strats), default=None)


@dataclass(frozen=True)
class FormerArmy:
    """5.2: an army that the player controlled once. It died in turn `army.died_in`, or others control it now."""

    army: ArmyRow
    since: datetime
    until: datetime | None
    now_with: tuple[str, ...]


def is_first(mine: MineView, spans: Iterable[Control]) -> bool:
    """5.2: whether this is a player's first time with an army, and he has posted nothing yet."""
    return bool(mine.armies) and not mine.posted and all(span.until is None for span in spans)


def mine_of(turn: Turn, viewer: Viewer, spans: Iterable[Control], now: datetime) -> MineView:
    """Everything that the viewer plays in this turn; empty for somebody who does not play. `spans` are all that he has
    controlled."""
    if viewer.player is None:
        return MineView((), (), ())
    position = position_of(turn)
    rows = rows_of_turn(turn)
    battles = views_of(rows, viewer, now, in_full=False, with_notes=False)
    posts = movement_thread(turn, viewer, now)
    living = [span for span in spans if span.army.died_in is None and span.since <= now]
    held = {span.army.name for span in living if span.until is None or span.until > now}
    own = [position.by_name[name] for name in sorted(held) if name in position.by_name]
    armies = tuple(_mine(army, position, posts, battles) for army in own)
    if turn.penalties:
        penalties = penalties_by_army(turn)
        armies = tuple(replace(mine, penalties=penalties.get(mine.army.name, ())) for mine in armies)
    fighters = [(battle, fighter) for battle in battles for fighter in battle.fighters if fighter.may_send]
    counting = counting_as_read(rows)
    due = [DueStrat(b, f, _counts(f, counting[b.id]), not clock.is_in_time(now, f.deadline)) for b, f in fighters]
    due.sort(key=lambda strat: (strat.is_sent, strat.battle.number))
    return MineView(
        armies=armies,
        strats=tuple(strat for strat in due if strat.fighter.may_send == "controller"),
        as_contingency=tuple(strat for strat in due if strat.fighter.may_send == "contingency"),
        posted=_posted(posts),
        battles=tuple(battles),
        unread=tuple(
            StandingOrder(entry, post)
            for post in posts
            if post.is_mine and not post.stays_talk
            for entry in post.lines
            if entry.line.is_unread
        ),
    )


def _posted(posts: Sequence[PostView]) -> tuple[ThreadLine, ...]:
    """R8, R14: the lines of the viewer's own posts, as they are read: what is wrong first, talk last."""
    lines = [entry for post in posts if post.is_mine for entry in post.lines if entry.line.text.strip()]
    return tuple(sorted(lines, key=lambda entry: (LOOKS.index(entry.look), entry.is_replaced)))


def former_armies(
    spans: Iterable[Control], own: Collection[str], control: Mapping[str, tuple[str, ...]]
) -> list[FormerArmy]:
    """5.2: the armies that a player controlled once and does not now, the last one first. `spans` are all of his, in
    their order, `own` the names of the armies that he has, `control` says who has which now."""
    latest = {span.army.name: span for span in spans if span.army.name not in own}
    found = sorted(latest.values(), key=lambda row: (row.until or row.since, row.army.name), reverse=True)
    return [FormerArmy(row.army, row.since, row.until, control.get(row.army.name, ())) for row in found]


def _counts(fighter: FighterView, counting: Mapping[str, Strat]) -> bool:
    """R35, 5.4.2: whether a strat of the army's counts as things stand: one of who controlled it before does not."""
    return fighter.has_strat and fighter.name in counting


def _mine(army: Army, position: Position, posts: Sequence[PostView], battles: Sequence[BattleView]) -> MyArmy:
    return MyArmy(
        army=army,
        terrain=position.board.terrain_at(army.at),
        place=place_name(position.board, army.at),
        alive=sum(alive_by_slot(army.troops)),
        of=sum(strength_by_slot(army.troops)),
        order=standing(army.name, posts),
        plan=tuple(str(planned.step.to) for planned in army.plan.steps) if army.plan else (),
        battle=next((battle for battle in battles if battle.fighter(army.name)), None),
    )
