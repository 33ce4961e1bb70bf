"""Turn cases (CASES.md) of chapter 6: turns in which the mercenaries play, and what is expected of them.

By CASES.md a mercenary without a post stays and nothing spawns. Besides its keys a turn may have `guidelines: true`:
then the mercenaries without a post go by the book, and raiders may appear. For the mercenary judge's own acts it may
have `after_lock` (an order), `disband` (a list of `army`, `reason`) and `spawn` (a list of `at`, `rank`: 1/1 or 2/2,
`reason`); a line by a mercenary's own name is his order in the place of the guideline's. `expect` may have `guideline`
(army: the one that it follows), `at_war` (army: teams, after the turn), `spawned` (the ranks of all raiders that
appear) and `disbanded` (all raiders that do).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wargame.cases.armies import CaseError
from wargame.cases.boards import square_of
from wargame.cases.errors import keys_of
from wargame.rules.core.events import Event
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Position
from wargame.rules.core.turn import AfterLockOrder, DisbandingOrder, MercenaryAct, SpawningOrder
from wargame.rules.mercenaries.events import Disbanded, MercenaryDecided, Spawned
from wargame.rules.mercenaries.spawning import STRONGER_TIER, TIER
from wargame.rules.posts.notation import read_line

Events = tuple[Event, ...]

JUDGE = "the mercenary judge"
TURN_KEYS = ("guidelines", "after_lock", "spawn", "disband")
TIERS = {"1/1": TIER, "2/2": STRONGER_TIER}


def acts_from_case(turn: dict[str, Any], where: str, position: Position) -> tuple[MercenaryAct, ...]:
    """6.3.2, R48: what the mercenary judge does himself in a turn of a case. CaseError names the key."""
    acts: list[MercenaryAct] = [_spawning(data, where) for data in turn.get("spawn", [])]
    acts += [_disbanding(data, where) for data in turn.get("disband", [])]
    if "after_lock" in turn:
        line = read_line(str(turn["after_lock"]), [army.name for army in position.armies])
        if not isinstance(line, ReadOrder):
            raise CaseError(f"{where}, after_lock: “{turn['after_lock']}” is no order")
        acts.append(AfterLockOrder(JUDGE, line.army, line.order, line.text))
    return tuple(acts)


def guideline(after: Position, events: Events, wanted: dict[str, Any]) -> Iterator[str]:
    """R48: the guideline that each of the named armies follows; null: it decides nothing."""
    decided = {event.army: event.cites for event in events if isinstance(event, MercenaryDecided)}
    for name, cites in wanted.items():
        if decided.get(name) != (cites and str(cites)):
            yield f"{name} should follow {cites}, follows {decided.get(name)}"


def at_war(after: Position, events: Events, wanted: dict[str, list[str]]) -> Iterator[str]:
    """6.2.2: the teams that each of the named armies is at war with after the turn."""
    for name, teams in wanted.items():
        army = after.by_name.get(name)
        came = [side.value for side in army.campaign.at_war] if army and army.campaign else []
        if came != teams:
            yield f"{name} should be at war with {teams}, is with {came}"


def spawned(after: Position, events: Events, wanted: list[str]) -> Iterator[str]:
    """6.3.2: the ranks of the raiders that appeared, in the order in which they did."""
    ranks = {tier: rank for rank, tier in TIERS.items()}
    came = [ranks[event.tier] for event in events if isinstance(event, Spawned)]
    if came != wanted:
        yield f"raiders of {wanted} should appear, of {came} do"


def disbanded(after: Position, events: Events, wanted: list[str]) -> Iterator[str]:
    """6.3.2: exactly the raiders that left the map by themselves."""
    came = sorted(event.army for event in events if isinstance(event, Disbanded))
    if came != sorted(wanted):
        yield f"disbanded should be {sorted(wanted)}, is {came}"


def _spawning(data: dict[str, Any], where: str) -> SpawningOrder:
    keys_of(data, f"{where}, spawn", ("at", "rank", "reason"), ("at", "rank"))
    if data["rank"] not in TIERS:
        raise CaseError(f"{where}, spawn: rank: {data['rank']!r} is none of {', '.join(TIERS)}")
    return SpawningOrder(JUDGE, square_of(data["at"], where), TIERS[data["rank"]], data.get("reason", ""))


def _disbanding(data: dict[str, Any], where: str) -> DisbandingOrder:
    keys_of(data, f"{where}, disband", ("army", "reason"), ("army",))
    return DisbandingOrder(JUDGE, data["army"], data.get("reason", ""))
