"""CASES.md: battle cases: the public part of a battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wargame.cases.armies import CaseError, army_from_case, four, known_keys, mapping, names, sequence, text, whole
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight
from wargame.rules.battle.four_dice import DIE_SIDES, Round
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.book.risks import Risk
from wargame.rules.core.dice import Dice, battle_dice
from wargame.rules.core.position import Army

CASE_KEYS = ("case", "about", "seed", "battle", "expect")
BATTLE_KEYS = ("sides", "armies", "strategy", "size", "rolls")
SIDE_KEYS = ("armies", "strat", "defends", "risk", "runs")
EXPECT_KEYS = ("winner", "bonus", "dice_won")
ANYWHERE = "1A"
"""Where an army of a battle case stands that does not say: the square plays no part in it."""

Names = tuple[tuple[str, ...], tuple[str, ...]]
Sides = tuple[tuple[Army, ...], tuple[Army, ...]]


@dataclass(frozen=True, slots=True)
class BattleCase:
    """CASES.md: a battle case as read: what `fight` needs, and what is expected of it."""

    name: str
    seed: int
    sides: tuple[BattleSide, BattleSide]
    defends: int | None
    size: tuple[int, int] | None
    rolls: Round | None
    expect: Mapping[str, Any]

    @property
    def armies(self) -> Names:
        """The names of the armies, side by side."""
        first, second = (tuple(one.army.name for one in side.fighters) for side in self.sides)
        return first, second

    @property
    def dice(self) -> Dice:
        """R38: the dice of a case, for what it does not give: of its seed and name."""
        return battle_dice(str(self.seed).encode(), self.name, 1, 1, ())


def check_battle_case(document: dict[str, Any]) -> list[str]:
    """CASES.md: what differs from the case's `expect`, in words; empty where all is as expected.

    CaseError where the case can't be read.
    """
    case = read_battle_case(document)
    outcome = carry_out_battle_case(case)
    bonus = outcome.bonus[0].total, outcome.bonus[1].total
    checks = {
        "winner": lambda wanted: _check_winner(case, wanted, outcome.winner),
        "bonus": lambda wanted: _check_numbers(case, "bonus", wanted, bonus),
        "dice_won": lambda wanted: _check_numbers(case, "dice_won", wanted, outcome.dice_won),
    }
    return [difference for key, wanted in case.expect.items() for difference in checks[key](wanted)]


def _check_winner(case: BattleCase, wanted: Any, winner: int) -> list[str]:
    """CASES.md: the winner is named by any one of its armies; a list is all of a pair, or one of these."""
    sides = [_side_named(name, case.armies, "expect: winner") for name in names(wanted, "expect: winner")]
    if winner in sides:
        return []
    return [f"winner: expected {_list(wanted)}, came {_list(case.armies[winner])}"]


def _check_numbers(case: BattleCase, key: str, wanted: Any, came: tuple[int, int]) -> list[str]:
    """CASES.md: a number for each side that is named."""
    differences = []
    for name, number in mapping(wanted, f"expect: {key}").items():
        side = _side_named(name, case.armies, f"expect: {key}")
        if whole(number, f"expect: {key}: {name}") != came[side]:
            differences.append(f"{key} of {name}: expected {number}, came {came[side]}")
    return differences


def carry_out_battle_case(case: BattleCase) -> Outcome:
    """CASES.md: the battle by the default book, with the case's size bonus and rolls where it gives them."""
    return fight(case.sides, case.defends, DEFAULT, case.dice, case.rolls, case.size)


def tell_battle_case(case: BattleCase, outcome: Outcome) -> list[str]:
    """4.2: how the battle went, as a judge would post it."""
    winner, loser = case.armies[outcome.winner], case.armies[1 - outcome.winner]
    told = [f"{_list(winner)} beats {_list(loser)}: {outcome.why.sentence} ({outcome.why.cites})."]
    for index, armies in enumerate(case.armies):
        bonus = outcome.bonus[index]
        rolled = "; ".join(" ".join(str(face) for face in one[index]) for one in outcome.rolls)
        told.append(
            f"{_list(armies)}: strategy +{bonus.strategy}, size +{bonus.size}, colour +{bonus.color}; "
            f"rolled {rolled}; won {outcome.dice_won[index]} dice."
        )
    for name, lost in outcome.losses.items():
        told.append(f"{name} loses {_numbers(lost)}.")
    for name, troops in outcome.risked.items():
        told.append(f"{name} risks {_numbers(troops)}, which don't fight (R39, R40).")
    return told


def read_battle_case(document: Any) -> BattleCase:
    """CASES.md: a battle case. Nothing is guessed: CaseError names the key that can't be read."""
    entry = mapping(document, "case")
    known_keys(entry, CASE_KEYS, "case")
    battle = mapping(entry.get("battle"), "battle")
    known_keys(battle, BATTLE_KEYS, "battle")
    expect = mapping(entry.get("expect", {}), "expect")
    known_keys(expect, EXPECT_KEYS, "expect")
    listed = [mapping(side, "sides") for side in sequence(battle.get("sides"), "sides")]
    if len(listed) != 2:
        raise CaseError(f"sides: a battle has two, not {len(listed)}")
    armies = _armies(battle, listed)
    strategy = _by_side(battle.get("strategy", {}), armies, "strategy")
    sides = tuple(_side(side, own, bonus) for side, own, bonus in zip(listed, armies, strategy, strict=True))
    return BattleCase(
        name=text(entry.get("case"), "case"),
        seed=whole(entry.get("seed", 0), "seed"),
        sides=(sides[0], sides[1]),
        defends=_defends(listed),
        size=_by_side(battle["size"], armies, "size") if "size" in battle else None,
        rolls=_rolls(battle["rolls"], armies) if "rolls" in battle else None,
        expect=expect,
    )


def _armies(battle: Mapping[str, Any], listed: list[Mapping[str, Any]]) -> Sides:
    """4.4: the one or two armies of each side, all of them listed, of one team a side and of two in all."""
    known: dict[str, Army] = {}
    for data in sequence(battle.get("armies"), "armies"):
        army, _fighting = army_from_case({"at": ANYWHERE, **mapping(data, "armies")})
        if army.name in known:
            raise CaseError(f"armies: {army.name} is there twice")
        known[army.name] = army
    first, second = (_own(side, known) for side in listed)
    if unused := [name for name in known if name not in {army.name for army in first + second}]:
        raise CaseError(f"armies: {_list(unused)} is on no side of the battle")
    if len({army.name for army in first + second}) < len(first + second):
        raise CaseError("sides: an army fights on one side, once")
    if not all(own.is_enemy(other) for own in first for other in second):
        raise CaseError("sides: the two sides of a battle are enemies")
    return first, second


def _own(side: Mapping[str, Any], known: dict[str, Army]) -> tuple[Army, ...]:
    known_keys(side, SIDE_KEYS, "sides")
    listed = names(side.get("armies"), "sides: armies")
    if not 1 <= len(listed) <= 2:
        raise CaseError(f"sides: armies: a side has one army or two, not {len(listed)}")
    for name in listed:
        if name not in known:
            raise CaseError(f"sides: armies: {name} is not among the armies")
    if len({known[name].side for name in listed}) > 1:
        raise CaseError(f"sides: armies: {_list(listed)} are not of one side")
    return tuple(known[name] for name in listed)


def _side(side: Mapping[str, Any], armies: tuple[Army, ...], strategy: int) -> BattleSide:
    """R35: who sent a strat and what it asks for; `strat` may name the armies of a pair that sent one.

    `risk` and `runs` are said of a side, and so of each strat that it sent.
    """
    strat = side.get("strat", True)
    sent = names(strat, "sides: strat") if isinstance(strat, list | str) else None
    own = {army.name for army in armies}
    if sent is None:
        sent = tuple(own) if _flag(side, "strat", default=True) else ()
    if strangers := [name for name in sent if name not in own]:
        raise CaseError(f"sides: strat: {_list(strangers)} is not on that side")
    risk, runs = _risk(side), _flag(side, "runs", default=False)
    return BattleSide(tuple(Fighter(army, army.name in sent, risk, runs) for army in armies), strategy)


def _risk(side: Mapping[str, Any]) -> Risk | None:
    """4.3.2, 4.5: kill, capture, or nothing."""
    risk = side.get("risk")
    if risk is not None and risk not in list(Risk):
        raise CaseError(f"sides: risk: {risk!r} is none of {', '.join(Risk)}")
    return Risk(risk) if risk else None


def _flag(side: Mapping[str, Any], key: str, default: bool) -> bool:
    value = side.get(key, default)
    if not isinstance(value, bool):
        raise CaseError(f"sides: {key}: true or false belongs here, not {value!r}")
    return value


def _defends(listed: list[Mapping[str, Any]]) -> int | None:
    """R25: the side that defends; none in a no-attacker battle."""
    defending = [index for index, side in enumerate(listed) if _flag(side, "defends", default=False)]
    if len(defending) > 1:
        raise CaseError("sides: defends: only one side of a battle defends")
    return defending[0] if defending else None


def _by_side(value: Any, armies: Sides, where: str) -> tuple[int, int]:
    """R36: a bonus of 0 to 10 to one side; a side that is not named has none."""
    bonus = [0, 0]
    for index, number in _named_once(value, armies, where):
        bonus[index] = whole(number, where)
    if min(bonus) or max(bonus) > MOST_BONUS:
        raise CaseError(f"{where}: a bonus is 0 to {MOST_BONUS}, to one side only")
    return bonus[0], bonus[1]


def _rolls(value: Any, armies: Sides) -> Round:
    """4.2.4: four d20 of each side, as they fell."""
    rolls = {index: four(faces, "rolls") for index, faces in _named_once(value, armies, "rolls")}
    if len(rolls) != 2:
        raise CaseError("rolls: both sides roll, so both are named")
    if not all(1 <= face <= DIE_SIDES for faces in rolls.values() for face in faces):
        raise CaseError(f"rolls: a die shows 1 to {DIE_SIDES}")
    return rolls[0], rolls[1]


def _named_once(value: Any, armies: Sides, where: str) -> list[tuple[int, Any]]:
    """CASES.md: what is said of each side, by the side's index; a pair is named by any one of its armies."""
    first, second = (tuple(army.name for army in side) for side in armies)
    named = [(_side_named(name, (first, second), where), it) for name, it in mapping(value, where).items()]
    if len({index for index, _it in named}) < len(named):
        raise CaseError(f"{where}: a side is named once, by one of its armies")
    return named


def _side_named(name: str, armies: Names, where: str) -> int:
    """CASES.md: the index of the side that has this army."""
    for index, own in enumerate(armies):
        if name in own:
            return index
    raise CaseError(f"{where}: {name} is in neither side of this battle")


def _numbers(troops: tuple[int, ...]) -> str:
    """Troops by slot, in words."""
    said = [f"{number} of slot {slot}" for slot, number in enumerate(troops, 1) if number]
    return ", ".join(said) or "nobody"


def _list(listed: Any) -> str:
    return " and ".join(listed) if isinstance(listed, list | tuple) else str(listed)
