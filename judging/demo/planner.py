"""What all armies are ordered to do in a turn of the demo: from the map as it is, so that it is believable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from wargame.rules.core.dice import Dice
from wargame.rules.core.orders import InBattle, Move, Order, Step
from wargame.rules.core.position import Army, Position
from wargame.rules.core.turn import ManifestEntry
from wargame.rules.mercenaries.guidelines import decide_all

from .friends import contest, support, transfer
from .marching import march
from .mistakes import TURNS as MISTAKES
from .mistakes import err
from .scenes import engage, intercept, joint_engage, meet, strike_at_air
from .table import Table, reach

SHARE = 0.72
"""The part of the armies with nothing else to do that gets an order."""

NEW_BATTLES = 3
"""How many battles a turn brings, with those that the mercenaries seek."""

AMONG_TEAMS = 2
"""How many of them are the teams' own at least."""

SCENES: tuple[tuple[Callable[[Table], bool], ...], ...] = (
    (),
    (joint_engage, intercept),
    (joint_engage, intercept),
    (joint_engage, intercept),
)
"""How battles of each turn come about besides by `engage`, if the map allows it."""


@dataclass
class TurnPlan:
    """3.2: the orders of a turn by army; the armies among them that only march; orders that somebody gives to an
    army that is not his; and a manifest."""

    orders: dict[str, Order]
    marching: list[str]
    strangers: list[tuple[str, str, Order]] = field(default_factory=list)
    manifest: tuple[str, str, tuple[ManifestEntry, ...]] | None = None


def plan_turn(position: Position, owners: Mapping[str, str], number: int, rng: Random) -> TurnPlan:
    """The orders of turn `number`; `owners` are the players who will post, by the names of their armies."""
    table = Table(position, owners, rng)
    manifest = transfer(table) if number > 2 else None
    _bring_about_battles(table, number)
    support(table)
    contest(table)
    err(table, MISTAKES[number - 1])
    marching = march(table, SHARE)
    strike_at_air(table, 1)
    plan = TurnPlan(table.orders, marching, manifest=manifest)
    _mention_battles(table, plan)
    _order_foreign_army(table, plan)
    return plan


def _bring_about_battles(table: Table, number: int) -> None:
    """R25: the turn's new battles; where too few armies are near enough to engage, some meet."""
    wanted = max(AMONG_TEAMS, NEW_BATTLES - _sought_by_mercenaries(table))
    battles = sum(scene(table) for scene in SCENES[number - 1])
    battles += engage(table, wanted - battles)
    while battles < wanted and meet(table):
        battles += 1


def _sought_by_mercenaries(table: Table) -> int:
    """R48: how many armies the mercenaries will attack, as far as chance does not decide it."""
    decisions = decide_all(table.position, Dice(b"", "the planner of the demo"), {})
    return sum(decision.course == "engages" for decision in decisions)


def _mention_battles(table: Table, plan: TurnPlan) -> None:
    """R29, 3.2.1: some say that an army fights; one forgets it and gives orders, which is refused."""
    fighting = [table.position.by_name[name] for name in sorted(table.position.battle_of) if name in table.owners]
    table.rng.shuffle(fighting)
    for number, army in enumerate(fighting[: max(1, len(fighting) * 2 // 3)]):
        plan.orders[army.name] = _away(table, army) if number == 0 else InBattle()


def _order_foreign_army(table: Table, plan: TurnPlan) -> None:
    """5.4.1: somebody orders an army of his side that another player controls."""
    for army in table.idle():
        players = {table.owners[other.name] for other in table.position.armies if _is_friend(table, army, other)}
        others = sorted(players - {table.owners[army.name]})
        if others:
            plan.strangers.append((table.rng.choice(others), army.name, _away(table, army)))
            return


def _is_friend(table: Table, army: Army, other: Army) -> bool:
    return not other.is_enemy(army) and other.name in table.owners


def _away(table: Table, army: Army) -> Order:
    """A move to some empty square."""
    squares = [square for square in reach(army.at) if table.is_open(square)]
    return Move((Step(army.at, table.rng.choice(squares or reach(army.at))),))
