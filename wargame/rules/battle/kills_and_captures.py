"""4.3.3, 4.3.4, 4.5, R39, R40: kills and captures after a battle, and the fate of the risked troops."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from wargame.rules.battle.battle import BattleSide, Fighter, Outcome
from wargame.rules.battle.four_dice import DIE_SIDES
from wargame.rules.book.book import Book
from wargame.rules.book.formulas import MOST_EDGE, PERCENT
from wargame.rules.book.risked_troops import NO_TROOPS, Risk, Slots, why_no_risk
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction
from wargame.rules.core.troops import alive_by_slot


class Strength(NamedTuple):
    """4.3.4: the living top troops of the attacking army and of its target."""

    own: int
    target: int


@dataclass(frozen=True, slots=True)
class Attempt:
    """R39, R40: the result of risking troops. Without a `target` nothing was tried: the battle was lost, or no enemy
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
    """4.3, 4.5: all results of a battle's kills and captures."""

    attempts: tuple[Attempt, ...] = ()

    @property
    def killed(self) -> tuple[str, ...]:
        return tuple(self._targets_taken(Risk.KILL))

    @property
    def captured(self) -> tuple[str, ...]:
        return tuple(self._targets_taken(Risk.CAPTURE))

    @property
    def taken_by(self) -> dict[str, str]:
        """4.3, 4.5: the army that killed or captured each taken army."""
        return {one.target: one.army for one in self.attempts if one.succeeded and one.target}

    def _targets_taken(self, risk: Risk) -> Iterator[str]:
        return (one.target for one in self.attempts if one.succeeded and one.target and one.risk is risk)


def work_out(sides: tuple[BattleSide, BattleSide], outcome: Outcome, book: Book, dice: Dice) -> Conquest:
    """4.3.3: first the loser's risked troops may die, then each winner that risks some tries; a draw decides which
    of two is first."""
    winners, losers = sides[outcome.winner], sides[1 - outcome.winner]
    attempts = [_lost_battle(one, outcome, book, dice) for one in losers.fighters if _risks(one, outcome)]
    fallen = {attempt.army: attempt.lost for attempt in attempts}
    captives: set[str] = set()
    trying = {fighter.army.name: fighter for fighter in winners.fighters if _risks(fighter, outcome)}
    first = dice.choose("who tries first", list(trying)) if trying else None
    for fighter in sorted(trying.values(), key=lambda fighter: fighter.army.name != first):
        foes = [foe.army for foe in losers.present if foe.army.name not in captives]
        attempt = _try(fighter, foes, outcome, fallen, book, dice)
        attempts.append(attempt)
        if attempt.succeeded and attempt.target:
            captives.add(attempt.target)
    return Conquest(tuple(attempts))


def conquest_to_json(conquest: Conquest) -> dict[str, object]:
    """4.3, 4.5: kills and captures as plain JSON, to be merged into the outcome's."""
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
    fate, losses = _fate(fighter, outcome, book, dice, won=False)
    return Attempt(fighter.army.name, fighter.risk, None, None, None, False, fate, losses)


def _try(
    fighter: Fighter, foes: list[Army], outcome: Outcome, fallen: dict[str, Slots], book: Book, dice: Dice
) -> Attempt:
    """4.3.3, 4.3.4, 4.5: the pair of rolls at the enemy that a judge named; else, of several possible targets, at
    the one with the fewest top troops left, a drawn one of those (R70)."""
    army, risk = fighter.army, fighter.risk
    assert risk
    aimed_at = [foe for foe in foes if fighter.target in (None, foe.name)]
    open_to = [foe for foe in aimed_at if may_be_taken(army, risk, foe)]
    if not open_to:
        return Attempt(army.name, risk, None, None, None, False, None, NO_TROOPS)
    fewest = min(_top_left(foe, outcome, fallen) for foe in open_to)
    weakest = [foe for foe in open_to if _top_left(foe, outcome, fallen) == fewest]
    target = dice.choose(f"target of {army.name}", weakest)
    top = Strength(_top_left(army, outcome, fallen), _top_left(target, outcome, fallen))
    name = f"{risk.value} by {army.name}"
    rolls = dice.roll(name, DIE_SIDES, 1), dice.roll(name, DIE_SIDES, 2)
    succeeds = kill_succeeds if risk is Risk.KILL else capture_succeeds
    if succeeds(book, top.own, top.target, *rolls, _percent_lost(target, outcome)):
        return Attempt(army.name, risk, target.name, top, rolls, True, None, NO_TROOPS)
    fate, losses = _fate(fighter, outcome, book, dice, won=True)
    return Attempt(army.name, risk, target.name, top, rolls, False, fate, losses)


def may_be_taken(army: Army, risk: Risk, foe: Army) -> bool:
    """4.5: a partially converted army is freed by losing and not captured again; mercenaries keep no captives."""
    if risk is Risk.CAPTURE and (foe.is_partially_converted or not army.side.is_team):
        return False
    return why_no_risk(army, risk, [foe]) is None


def _fate(fighter: Fighter, outcome: Outcome, book: Book, dice: Dice, *, won: bool) -> tuple[int | None, Slots]:
    """R39: whether the risked troops die; a raider's never do for a kill that failed (6.3.2, Hellbent), but they may
    with a battle that was lost (R62)."""
    army = fighter.army
    if won and fighter.risk is Risk.KILL and army.faction is Faction.RAIDER:
        return None, NO_TROOPS
    fate = dice.roll(f"risked by {army.name}", PERCENT)
    return fate, outcome.risked[army.name] if risked_lost(book, fate, won) else NO_TROOPS


def _percent_lost(army: Army, outcome: Outcome) -> int:
    """4.3.3: the percentage of its troops that an army lost in the battle."""
    alive = sum(alive_by_slot(army.troops))
    return sum(outcome.losses[army.name]) * PERCENT // alive if alive else PERCENT


def _top_left(army: Army, outcome: Outcome, fallen: dict[str, Slots]) -> int:
    """4.3.4: the surviving top troops of an army; the risked ones are among them unless they fell."""
    loss = outcome.losses[army.name][3] + fallen.get(army.name, NO_TROOPS)[3]
    return alive_by_slot(army.troops)[3] - loss


def kill_edge(book: Book, own: int, target: int, enemy_lost: int = 0) -> int:
    """4.3.4: the bonus on the d20 of an army that tries a kill.

    `own` and `target` are the living top troops that both have left, `enemy_lost` is percent of the target's troops
    that fell in the battle: heavy damage makes it easier.
    """
    return book.whole("kill_edge", top=own, enemy_top=target, enemy_lost=enemy_lost)


def capture_edge(book: Book, own: int, target: int, enemy_lost: int = 0) -> int:
    """4.5, R40: like `kill_edge`, for a capture, which is never as likely as a kill in the same battle."""
    kill = kill_edge(book, own, target, enemy_lost)
    edge = book.whole("capture_edge", top=own, enemy_top=target, enemy_lost=enemy_lost, kill=kill)
    return min(edge, kill - 1)


def kill_succeeds(book: Book, own: int, target: int, roll: int, against: int, enemy_lost: int = 0) -> bool:
    """4.3.3, R39: a pair of d20: the army's own with its edge beats its target's."""
    return roll + kill_edge(book, own, target, enemy_lost) > against


def capture_succeeds(book: Book, own: int, target: int, roll: int, against: int, enemy_lost: int = 0) -> bool:
    """4.5, R40: a pair of d20: the army's own, with the edge of a capture, beats its target's."""
    return roll + capture_edge(book, own, target, enemy_lost) > against


def risked_lost(book: Book, fate: int, won: bool = True) -> bool:
    """4.3.3, R39: the risked troops die, except for a small chance. `fate` is 1 to 100, `won` whether the battle was
    won."""
    return fate > book.whole("risked_kept", won=int(won))


def edge_chance(edge: int) -> int:
    """4.3.3: the chance that an edge beats the other d20, in percent, rounded down."""
    faces = range(1, MOST_EDGE + 1)
    return sum(face + edge > other for face in faces for other in faces) * 100 // (MOST_EDGE * MOST_EDGE)
