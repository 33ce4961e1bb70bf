"""4.3.3, 4.5, R39, R40: kills and captures, worked out after a battle's casualties with dice of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from wargame.rules.battle.battle import BattleSide, Fighter, Outcome
from wargame.rules.battle.four_dice import DIE_SIDES
from wargame.rules.battle.stakes import capture_succeeds, kill_succeeds, risked_lost
from wargame.rules.book.book import Book
from wargame.rules.book.formulas import PERCENT
from wargame.rules.book.risks import NO_TROOPS, Risk, Slots, why_no_risk
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction
from wargame.rules.core.troops import alive_by_slot


class Strength(NamedTuple):
    """4.3.4: the living top troops of the army that tries and of its target."""

    own: int
    target: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """R39, R40: what came of risking troops. Without a `target` nothing was tried: the battle was lost, or nobody
    was left to be killed. `rolls` are its own die and its target's, `fate` the die for the risked troops."""

    army: str
    risk: Risk
    target: str | None
    top: Strength | None
    rolls: tuple[int, int] | None
    succeeded: bool
    fate: int | None
    lost: Slots


@dataclass(frozen=True, slots=True)
class Conquest:
    """4.3, 4.5: everything that came of a battle's kills and captures."""

    attempts: tuple[Attempt, ...] = ()

    @property
    def killed(self) -> tuple[str, ...]:
        return tuple(self._taken(Risk.KILL))

    @property
    def captured(self) -> tuple[str, ...]:
        return tuple(self._taken(Risk.CAPTURE))

    def _taken(self, risk: Risk) -> Iterator[str]:
        return (one.target for one in self.attempts if one.succeeded and one.target and one.risk is risk)


def work_out(sides: tuple[BattleSide, BattleSide], outcome: Outcome, book: Book, dice: Dice) -> Conquest:
    """4.3.3: first the loser's risked troops may die, then each winner that risks some tries, in the side's order."""
    winners, losers = sides[outcome.winner], sides[1 - outcome.winner]
    attempts = [_lost_battle(one, outcome, book, dice) for one in losers.fighters if _risks(one, outcome)]
    fallen = {attempt.army: attempt.lost for attempt in attempts}
    taken: set[str] = set()
    for fighter in winners.fighters:
        if _risks(fighter, outcome):
            foes = [foe.army for foe in losers.present if foe.army.name not in taken]
            attempt = _try(fighter, foes, outcome, fallen, book, dice)
            attempts.append(attempt)
            if attempt.succeeded and attempt.target:
                taken.add(attempt.target)
    return Conquest(tuple(attempts))


def conquest_to_json(conquest: Conquest) -> dict[str, Any]:
    """4.3, 4.5: as plain JSON, to be merged into the outcome's."""
    return {
        "killed": list(conquest.killed),
        "captured": list(conquest.captured),
        "attempts": [
            {
                "army": one.army,
                "risk": one.risk.value,
                "target": one.target or "",
                "top": list(one.top) if one.top else [],
                "rolls": list(one.rolls) if one.rolls else [],
                "succeeded": one.succeeded,
                "fate": one.fate or 0,
                "lost": list(one.lost),
            }
            for one in conquest.attempts
        ],
    }


def _risks(fighter: Fighter, outcome: Outcome) -> bool:
    return fighter.risk is not None and fighter.army.name in outcome.risked


def _lost_battle(fighter: Fighter, outcome: Outcome, book: Book, dice: Dice) -> Attempt:
    """R39: the battle was lost, so nothing is tried, and the risked troops may die."""
    assert fighter.risk
    fate, lost = _fate(fighter, outcome, book, dice, won=False)
    return Attempt(fighter.army.name, fighter.risk, None, None, None, False, fate, lost)


def _try(
    fighter: Fighter, foes: list[Army], outcome: Outcome, fallen: dict[str, Slots], book: Book, dice: Dice
) -> Attempt:
    """4.3.3, 4.3.4, 4.5: the pair of rolls at the enemy that a judge named; else, where several could be taken, at the
    one with the fewest top troops left, the first by name of those."""
    army, risk = fighter.army, fighter.risk
    assert risk
    aimed_at = [foe for foe in foes if fighter.target in (None, foe.name)]
    open_to = [foe for foe in aimed_at if may_be_taken(army, risk, foe)]
    if not open_to:
        return Attempt(army.name, risk, None, None, None, False, None, NO_TROOPS)
    target = min(open_to, key=lambda foe: (_top_left(foe, outcome, fallen), foe.name))
    top = Strength(_top_left(army, outcome, fallen), _top_left(target, outcome, fallen))
    name = f"{risk.value} by {army.name}"
    rolls = dice.roll(name, DIE_SIDES, 1), dice.roll(name, DIE_SIDES, 2)
    succeeds = kill_succeeds if risk is Risk.KILL else capture_succeeds
    if succeeds(book, top.own, top.target, *rolls, _percent_lost(target, outcome)):
        return Attempt(army.name, risk, target.name, top, rolls, True, None, NO_TROOPS)
    fate, lost = _fate(fighter, outcome, book, dice, won=True)
    return Attempt(army.name, risk, target.name, top, rolls, False, fate, lost)


def may_be_taken(army: Army, risk: Risk, foe: Army) -> bool:
    """4.5: a partially converted army is freed by losing and not captured anew; mercenaries keep no captives."""
    if risk is Risk.CAPTURE and (foe.is_partially_converted or not army.side.is_team):
        return False
    return why_no_risk(army, risk, [foe]) is None


def _fate(fighter: Fighter, outcome: Outcome, book: Book, dice: Dice, *, won: bool) -> tuple[int | None, Slots]:
    """R39: whether the risked troops die; a raider's never do for a kill that failed (6.3.2, Hellbent)."""
    army = fighter.army
    if won and fighter.risk is Risk.KILL and army.faction is Faction.RAIDER:
        return None, NO_TROOPS
    fate = dice.roll(f"risked by {army.name}", PERCENT)
    return fate, outcome.risked[army.name] if risked_lost(book, fate, won) else NO_TROOPS


def _percent_lost(army: Army, outcome: Outcome) -> int:
    """4.3.3: how much of its troops an army lost in the battle."""
    alive = sum(alive_by_slot(army.troops))
    return sum(outcome.losses[army.name]) * PERCENT // alive if alive else PERCENT


def _top_left(army: Army, outcome: Outcome, fallen: dict[str, Slots]) -> int:
    """4.3.4: the top troops of an army that are left alive; the risked ones are among them unless they fell."""
    lost = outcome.losses[army.name][3] + fallen.get(army.name, NO_TROOPS)[3]
    return alive_by_slot(army.troops)[3] - lost
