"""4, 5.2, 6: the judges' part of a simulated turn: results, mercenaries, and control of armies afterwards."""

from random import Random

from scripts.simulation.marching import enemies_on, step_to, within
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight
from wargame.rules.battle.kills_and_captures import Conquest, work_out
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.book.risked_troops import Risk, Slots
from wargame.rules.core.board import all_squares, neighbours
from wargame.rules.core.dice import battle_dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import Move, write_order
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.core.sides import Faction
from wargame.rules.core.turn import AfterLockOrder, DisbandingOrder, MercenaryAct, Result, SpawningOrder
from wargame.rules.mercenaries.spawning import STRONGER_TIER, TIER
from wargame.rules.settling.events import Captured, Liberated

STRAT = 0.92
RUNS = 0.05
RISKS = 0.5
DIRECTS = 0.1
"""How often a strat comes, runs away or risks troops, and a judge says who leaves the square and for where."""


def judge_battles(position: Position, random: Random, seed: bytes, turn: int) -> tuple[Result, ...]:
    """4.2: all battles of the turn."""
    return tuple(_judge(position, battle, random, seed, turn, no) for no, battle in enumerate(position.battles, 1))


def _judge(position: Position, battle: Battle, random: Random, seed: bytes, turn: int, number: int) -> Result:
    favoured, strategy = random.randrange(2), random.randint(0, MOST_BONUS)
    first, second = (
        BattleSide(tuple(_fighter(position, name, random) for name in side), strategy if index == favoured else 0)
        for index, side in enumerate(battle.sides)
    )
    dice = battle_dice(seed, "simulation", turn, number, [])
    outcome = fight((first, second), battle.defends, DEFAULT, dice)
    return _result(battle, outcome, work_out((first, second), outcome, DEFAULT, dice), random)


def _fighter(position: Position, name: str, random: Random) -> Fighter:
    risk = random.choice(tuple(Risk)) if random.random() < RISKS else None
    return Fighter(position.by_name[name], random.random() < STRAT, risk, random.random() < RUNS)


def _result(battle: Battle, outcome: Outcome, conquest: Conquest, random: Random) -> Result:
    winners = battle.sides[outcome.winner]
    return Result(
        at=battle.at,
        winner=winners,
        losses=_losses(outcome, conquest),
        killed=conquest.killed,
        captured=conquest.captured,
        taken_by=conquest.taken_by,
        absent=tuple(name for name in battle.armies if name not in outcome.took_part),
        retreat={name: random.choice(neighbours(battle.at)) for name in battle.armies if random.random() < DIRECTS},
        leaves=random.choice(winners) if random.random() < DIRECTS else None,
    )


def _losses(outcome: Outcome, conquest: Conquest) -> dict[str, Slots]:
    """4.2.5, R39: the casualties, and the risked troops that died."""
    losses = dict(outcome.losses)
    for attempt in conquest.attempts:
        a, b, c, d = (fell + more for fell, more in zip(losses[attempt.army], attempt.lost, strict=True))
        losses[attempt.army] = a, b, c, d
    return losses


AFTER_LOCK = 0.4
DISBANDS = 0.02
CALLS_UP = 0.02
"""How often the judge sends a raider against somebody after the lock, disbands one, or calls one up."""

REPLACED = 0.1
"""The share of mercenaries that the judge orders."""

JUDGE = "Mercenary Judge"
BECAUSE = "The dice of a simulation."


def acts_of_judge(position: Position, random: Random) -> tuple[MercenaryAct, ...]:
    """6.3.2: the judge's acts besides the orders they post."""
    acts: list[MercenaryAct] = []
    raiders = [army for army in position.armies if army.faction is Faction.RAIDER]
    if raiders and random.random() < DISBANDS:
        acts.append(DisbandingOrder(JUDGE, random.choice(raiders).name, BECAUSE))
    if random.random() < CALLS_UP:
        at = random.choice(list(all_squares()))
        acts.append(SpawningOrder(JUDGE, at, random.choice((TIER, STRONGER_TIER)), BECAUSE))
    if raiders and random.random() < AFTER_LOCK:
        acts += _after_lock(position, random.choice(raiders), random)
    return tuple(acts)


def _after_lock(position: Position, raider: Army, random: Random) -> list[MercenaryAct]:
    """Against an army in reach; now and then it is refused."""
    targets = [square for square in within(raider.at) if enemies_on(position, raider, square)]
    if not targets:
        return []
    order = Move((step_to(position, raider, random.choice(targets), random),))
    return [AfterLockOrder(JUDGE, raider.name, order, write_order(raider.name, order))]


Control = dict[str, tuple[str, ...]]


def control_after(control: Control, position: Position, events: tuple[Event, ...], random: Random) -> Control:
    """R40: nobody controls a captured army until its captors assign a controller, here a turn later; a liberated one
    returns to its former controllers. A raider that appears is the mercenary judge's."""
    after = {army.name: control.get(army.name, (JUDGE,)) for army in position.armies}
    for event in events:
        if isinstance(event, Captured) and event.army in after:
            after[event.army] = ()
        elif isinstance(event, Liberated) and event.army in after:
            after[event.army] = event.controllers
    captives = {event.army for event in events if isinstance(event, Captured)}
    for army in position.armies:
        if not after[army.name] and army.name not in captives:
            players = sorted({by for a in position.armies if a.side is army.side for by in after[a.name]})
            after[army.name] = (random.choice(players),) if players else ()
    return after
