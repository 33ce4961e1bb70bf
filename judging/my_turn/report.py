"""3.1, 4.2.5: a turn's report on a player's armies: their orders, the results with the rules behind them, their
battles, and the dead. Facts and codes; the sentences of its events are those of the update.

It reads only public data: a settled turn, or the draft of the moves once it is published.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache

from judging.battles.queries import rows_of_turn, views_of
from judging.battles.results import ResultView
from judging.battles.shapes import BattleView
from judging.common.control import last_moment
from judging.common.positions import position_of
from judging.common.rounds import turn_by_number
from judging.common.viewer import Viewer
from judging.turns.models import PostVersion
from judging.turns.posts.parsing import ThreadLine
from judging.turns.posts.queries import PostView, movement_thread
from judging.turns.queries import Event, turn_report
from wargame.models import Control, Player, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock
from wargame.rules.core.orders import Move, ReadOrder, write_action
from wargame.rules.core.position import Army, Position
from wargame.rules.posts.notation import read_line, split_lines
from wargame.web import languages
from wargame.world import DamagedMap

CODES = (
    *("killed", "captured", "converted", "freed", "lost", "won", "has_killed", "has_captured"),
    *("refused", "intercepted", "cut_short", "displaced", "pushed", "plan_cancelled"),
    *("engaged", "retreated", "has_intercepted", "moved", "held", "stayed"),
    *("penalised", "ruled", "changed", "healed", "transferred", "day_counted", "day_not_counted"),
)
"""The possible results for an army, most important first."""

WENT = ("moved", "moved_partially", "intercepted", "pushed", "retreated", "captured")
"""The kinds of events that say where their army ended, in the order in which they happen."""

_ALIKE = {
    "converted": "converted",
    "liberated": "freed",
    "retreated": "retreated",
    "joint_failed": "refused",
    "moved_partially": "cut_short",
    "pushed": "pushed",
    "plan_cancelled": "plan_cancelled",
    "engaged": "engaged",
    "joint_engaged": "engaged",
    "moved": "moved",
    "held": "held",
    "penalised": "penalised",
    "ruled": "ruled",
    "troops_changed": "changed",
    "personalised": "changed",
    "change_refused": "refused",
    "healed": "healed",
    "transferred": "transferred",
    "in_transit": "transferred",
    "not_transferred": "refused",
    "day_counted": "day_counted",
    "day_not_counted": "day_not_counted",
}
"""The kinds of events with the same result for all armies in them."""

_OF_TWO: dict[str, Callable[[Event, str], str]] = {
    "killed": lambda event, name: "killed" if event["army"] == name else "has_killed",
    "captured": lambda event, name: "captured" if event["army"] == name else "has_captured",
    "fought": lambda event, name: "won" if name in event["winners"] else "lost",
    "intercepted": lambda event, name: "intercepted" if event["army"] == name else "has_intercepted",
    "contested": lambda event, name: "displaced" if name in event["losers"] else "",
    "refused": lambda event, name: "refused" if event["counts"] else "",
}
"""The kinds of events with different results for the armies in them."""

KEPT_SECONDS = 600
"""The time for which the report of a settled turn is cached."""

STOPPED = ("refused", "intercepted", "cut_short", "displaced", "pushed", "plan_cancelled")
"""R14, 3.2.3, 3.3: the codes of results that differ from the orders."""


class StandingOrder(NamedTuple):
    """R12: the line that counts for an army, and the post that it is in."""

    entry: ThreadLine
    post: PostView


class Given(NamedTuple):
    """R12: the order that counted for an army, in its canonical form, and its author. `turn` is the earlier turn of
    a long move that the army was still on (3.2.2.3)."""

    text: str
    by: str
    turn: int | None = None


class Fighter(NamedTuple):
    """4.1: an army in a battle by its name and side."""

    name: str
    side: str


@dataclass(frozen=True)
class FoughtBattle:
    """4.2.5: the public view of a battle; `result` is None until it is published."""

    id: int
    headline: str
    sides: tuple[tuple[Fighter, ...], ...]
    result: ResultView | None


@dataclass(frozen=True)
class ArmyReport:
    """A turn's report on an army. `at` is where it was, `ended` where it is now, empty for a dead one.

    `codes` are of CODES, most important first; `events` all its events, in the order of the update. `battle` is the one
    that it fought in this turn.
    """

    army: Army
    at: str
    ended: str
    order: Given | None
    codes: tuple[str, ...]
    events: tuple[Event, ...]
    battle: FoughtBattle | None

    @property
    def is_dead(self) -> bool:
        """4.3: whether it was killed."""
        return "killed" in self.codes

    @property
    def fell(self) -> Event | None:
        """4.3: the event of its death: where, and by whom."""
        deaths = (event for event in self.events if event["kind"] == "killed" and event["army"] == self.army.name)
        return next(deaths, None)

    @property
    def is_stopped(self) -> bool:
        """Whether anything went differently from the orders."""
        return not set(STOPPED).isdisjoint(self.codes)


@dataclass(frozen=True)
class TurnReport:
    """3.1: a turn's report on armies, most important first. `is_draft`: the moves alone, before the battles."""

    number: int
    lock_at: datetime
    is_draft: bool
    armies: tuple[ArmyReport, ...]

    @property
    def dead(self) -> tuple[ArmyReport, ...]:
        """4.3: the armies that fell."""
        return tuple(report for report in self.armies if report.is_dead)

    def of(self, names: Collection[str]) -> TurnReport:
        return replace(self, armies=tuple(each for each in self.armies if each.army.name in names))


def report_of(turn: Turn, now: datetime) -> TurnReport | None:
    """The turn's public report on every army; None before its moves are published. That of a settled turn is cached
    for ten minutes; without the cache it costs nine statements, eleven with long moves. None, too, if its map is
    damaged."""
    if turn.state != TurnState.SETTLED:
        return _worked_out(turn, now)
    key = _key(turn.round_id, turn.number, turn.next_hash)
    report: TurnReport | None = cache.get(key)
    if report is None and (report := _worked_out(turn, now)) is not None:
        cache.set(key, report, KEPT_SECONDS)
    return report


def last_report(turn: Turn, now: datetime) -> TurnReport | None:
    """3.1: the latest report when `turn` is the present one: its own from the publishing of its moves on, that of
    the turn before until then; None in the first."""
    if turn.state != TurnState.OPEN and (report := report_of(turn, now)) is not None:
        return report
    cached: TurnReport | None = cache.get(_key(turn.round_id, turn.number - 1, turn.position_hash))
    if cached is not None:
        return cached
    before = turn_by_number(turn.round, turn.number - 1)
    return report_of(before, now) if before else None


def spans_of(player: Player) -> list[Control]:
    """5.2: all control of a player, with start and end, oldest first. One statement."""
    return list(Control.objects.filter(player=player).select_related("army").order_by("since", "pk"))


def of_player(report: TurnReport, spans: Iterable[Control]) -> TurnReport | None:
    """5.2: the report on the armies that the spans had at the turn's lock, including those that died in it; None
    without any. An army that was renamed since is found by its former name."""
    lock = last_moment(report.lock_at)
    player_armies = [span.army for span in spans if span.since <= lock and (span.until is None or span.until > lock)]
    selection = report.of({name for army in player_armies for name in (army.name, *army.former)})
    armies = sorted((_without_others(each) for each in selection.armies), key=_weight)
    return replace(selection, armies=tuple(armies)) if armies else None


def _without_others(report: ArmyReport) -> ArmyReport:
    """5.4.2: without the orders of former controllers: they do not concern the controller at the lock, except for a
    long move of theirs that ended so (R17)."""
    events = tuple(
        event
        for event in report.events
        if not (event["kind"] == "refused" and event["reason"] == "lost_control")
        or (event["counts"] and report.army.plan)
    )
    return replace(report, events=events, codes=codes_of(report.army.name, events))


def _key(round_id: int, number: int, ended_as: str) -> str:
    return f"told:{languages.tag()}:{round_id}:{number}:{ended_as}"


def _worked_out(turn: Turn, now: datetime) -> TurnReport | None:
    report = turn_report(turn, now)
    if report is None:
        return None
    try:
        position, everybody = position_of(turn), Viewer(None, turn.round)
    except DamagedMap:
        return None
    events: dict[str, list[Event]] = {}
    for event in (event for section in report.sections for event in section.events):
        for name in event["armies"]:
            events.setdefault(name, []).append(event)
    rows = rows_of_turn(turn) if position.battles else []
    battles = [_fought(view) for view in views_of(rows, everybody, now, in_full=False)] if rows else []
    posts, marches = movement_thread(turn, everybody, now), _long_moves(turn, position)
    reports = (
        _report(army, tuple(events.get(army.name, ())), battles, posts, marches.get(army.name))
        for army in position.armies
    )
    return TurnReport(turn.number, turn.lock_at, report.is_draft, tuple(sorted(reports, key=_weight)))


def _long_moves(turn: Turn, position: Position) -> dict[str, Given]:
    """3.2.2.3: the orders of armies that began the turn on a long move, by their names: as they were posted, or the
    rest of them if the post can't be read. Two statements if there are any."""
    plans = {army.name: army.plan for army in position.armies if army.plan}
    if not plans:
        return {}
    locks = Turn.objects.filter(round=turn.round_id, number__lt=turn.number).order_by("number")
    closes = [(number, clock.closes(lock_at).timestamp()) for number, lock_at in locks.values_list("number", "lock_at")]
    ordered_in = {
        name: next((number for number, closed in closes if plan.at < closed), None) for name, plan in plans.items()
    }
    versions = PostVersion.objects.filter(
        post__turn__round=turn.round_id,
        post__turn__number__in={number for number in ordered_in.values() if number},
        post__number__in={plan.place[0] for plan in plans.values()},
    )
    texts = {(turn, post): text for turn, post, text in versions.order_by("number").values_list(*_OF_VERSION)}
    marches = {}
    for army in (army for army in position.armies if army.plan):
        plan, number = plans[army.name], ordered_in[army.name]
        post, line = plan.place
        text = dict(enumerate(split_lines(texts.get((number, post), "")), 1)).get(line, "")
        read = read_line(text, position.names, army.name)
        order = read.order if isinstance(read, ReadOrder) else Move(tuple(planned.step for planned in plan.steps))
        marches[army.name] = Given(write_action(order), plan.by, number)
    return marches


_OF_VERSION = ("post__turn__number", "post__number", "text")


def _fought(view: BattleView) -> FoughtBattle:
    sides = tuple(tuple(Fighter(each.name, each.side) for each in side) for side in view.sides)
    return FoughtBattle(view.id, view.headline, sides, view.result)


def standing(army: str, posts: Sequence[PostView]) -> StandingOrder | None:
    """R12: the latest line for an army by a player who can give it orders."""
    candidates = [
        (entry.at, place, entry.line.number, StandingOrder(entry, post))
        for place, post in enumerate(posts)
        for entry in post.lines
        if entry.is_order and entry.line.army == army and not entry.is_replaced and not _is_void(entry)
    ]
    return max(candidates, key=lambda each: each[:3])[3] if candidates else None


def codes_of(name: str, events: Iterable[Event]) -> tuple[str, ...]:
    """The results of events for an army of that name: codes of CODES, each once, most important first."""
    codes = {_code(event, name) for event in events}
    if codes.isdisjoint(("killed", "lost", "won", "refused", "intercepted", "moved", "held", "pushed", "cut_short")):
        codes.add("stayed")
    return tuple(code for code in CODES if code in codes)


def _code(event: Event, name: str) -> str:
    of_two = _OF_TWO.get(event["kind"])
    return of_two(event, name) if of_two else _ALIKE.get(event["kind"], "")


def _report(
    army: Army,
    events: tuple[Event, ...],
    battles: Sequence[FoughtBattle],
    posts: Sequence[PostView],
    march: Given | None,
) -> ArmyReport:
    """R17: a long move continues unless a new order counts."""
    codes, order = codes_of(army.name, events), standing(army.name, posts)
    return ArmyReport(
        army=army,
        at=str(army.at),
        ended="" if "killed" in codes else _ended(army, events),
        order=Given(order.entry.line.order_text, order.entry.by) if order else march,
        codes=codes,
        events=events,
        battle=next((battle for battle in battles if army.name in (f.name for s in battle.sides for f in s)), None),
    )


def _ended(army: Army, events: Sequence[Event]) -> str:
    at = str(army.at)
    for kind in WENT:
        for event in events:
            if event["kind"] == kind and event["army"] == army.name:
                at = event["at"] if kind == "intercepted" else event["to"]
    return at


def _is_void(entry: ThreadLine) -> bool:
    """R13: a line by a player who does not control the army."""
    return entry.line.refusal is not None and entry.line.refusal.cites in ("5.4.1", "5.4.2")


def _weight(report: ArmyReport) -> tuple[int, str]:
    return min((CODES.index(code) for code in report.codes), default=len(CODES)), report.army.name.casefold()
