"""Rows about chapter 6: twelve mercenaries that play by the book, against twelve more team armies."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from scripts.bench import databases
from scripts.bench.measuring import Measure, Row, timed
from scripts.bench.turns import SEED, Posted, fresh, read, war
from scripts.simulation.marching import step_to, within
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.orders import Move, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import RANKS, Side
from wargame.rules.settlement import settle

if TYPE_CHECKING:
    from .lock_world import Due

ORDERS = 100
NOT_MEASURABLY = 1.1
A_QUARTER_MORE = 1.25
"""The rules alone: a decision, with all that it considers, takes about as long as two posted orders."""


def a_settlement_with_12_mercenaries() -> Row:
    """From the text of the posts to the next position: the mercenaries decide for themselves, and a d20 is rolled."""
    with_them, baseline = played_by_the_book(), played_by_teams()
    return Row(
        "read + settle", "12 mercenaries", _settled(with_them, guidelines=True), "12 more of the teams",
        _settled(baseline, guidelines=False), A_QUARTER_MORE,
    )  # fmt: skip


def a_lock_with_12_mercenaries() -> Row:
    """The same from the lock to the unlock, on SQLite."""
    return Row(
        "lock to unlock", "12 mercenaries", _locked("mercenaries", played_by_the_book()), "12 more of the teams",
        _locked("teams", played_by_teams()), NOT_MEASURABLY,
    )  # fmt: skip


ROWS = (a_settlement_with_12_mercenaries, a_lock_with_12_mercenaries)


@cache
def played_by_the_book() -> Posted:
    """A turn of a war in which nobody ordered the mercenaries, and the teams gave the rest of the orders."""
    turn = war(orders=2 * ORDERS)
    mercenaries = {army.name for army in turn.position.armies if army.faction}
    lines = [(by, line) for by, text in turn.posts for line in text.split("\n")]
    team_lines = [(by, line) for by, line in lines if line.partition(":")[0] not in mercenaries]
    return replace(turn, posts=tuple(team_lines[: ORDERS - len(mercenaries)]))


@cache
def played_by_teams() -> Posted:
    """The same turn, in which those armies are the teams' and are ordered to move like others."""
    turn, random = played_by_the_book(), Random(1)
    joined = tuple(_of_a_team(army, turn.position) for army in turn.position.armies)
    position = replace(turn.position, armies=joined)
    ordered = [army for army in joined if turn.position.by_name[army.name].faction]
    posts = [(turn.control[army.name][0], _order(position, army, random)) for army in ordered]
    return replace(turn, position=position, posts=(*turn.posts, *posts))


def _of_a_team(army: Army, position: Position) -> Army:
    """A mercenary as an army of the team it isn't fighting."""
    if not army.faction:
        return army
    battle = position.battle_of.get(army.name)
    foes = {position.by_name[name].side for name in battle.armies} if battle else set()
    side = Side.PHYREXIA if Side.COALITION in foes else Side.COALITION
    return army._replace(side=side, rank=RANKS[side][army.tier - 1], faction=None, mercenary_tier=0)


def _order(position: Position, army: Army, random: Random) -> str:
    to = random.choice(within(army.at))
    return write_order(army.name, Move((step_to(position, army, to, random),)))


def _settled(turn: Posted, *, guidelines: bool) -> Measure:
    """Seconds per turn."""

    def work() -> None:
        turn_input = replace(read(turn), guidelines=guidelines)
        settle(fresh(turn.position), turn_input, turn_dice(SEED, "bench", 1))

    return lambda: timed(work, 1)


def _locked(name: str, turn: Posted) -> Measure:
    """Seconds per lock."""

    def measure() -> float:
        database = databases.sqlite(name)
        due = _due(name, turn)
        databases.use(database)
        try:
            return timed(_advance(due), 1)
        finally:
            due.set_back()

    return measure


def _advance(due: Due) -> Callable[[], None]:
    from .lock_rows import advance

    return lambda: advance(due)


_dues: dict[str, Due] = {}


def _due(name: str, turn: Posted) -> Due:
    """The turn in its database, written on first use."""
    if name not in _dues:
        from wargame.models import Round

        from .lock_world import make_due

        databases.use(databases.sqlite(name))
        _dues[name] = make_due(turn)
        Round.objects.update(has_mercenaries=any(army.faction for army in turn.position.armies))
    return _dues[name]
