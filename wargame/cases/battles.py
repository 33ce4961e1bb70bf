"""Battle cases (docs/develop/cases.md): the public part of a battle."""

from collections.abc import Iterator, Mapping
from typing import Annotated, NamedTuple, TypeVar

from wargame.cases.kinds import Kind, Part
from wargame.cases.positions import army_from_case
from wargame.cases.reading import CaseError, Four, Free, built
from wargame.rules.battle.adjusting import (
    MOST_PERCENT,
    Adjustment,
    Bounds,
    Special,
    adjusted_losses,
    adjusted_sides,
    why_two,
)
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight, outcome_to_json
from wargame.rules.battle.four_dice import DIE_SIDES, Round
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.book.risked_troops import Risk
from wargame.rules.core.dice import Dice, battle_dice
from wargame.rules.core.position import Army

ANYWHERE = "1A"
"""The square of an army of a battle case that gives none: the square plays no part."""

T = TypeVar("T")
Names = tuple[tuple[str, ...], tuple[str, ...]]
Sides = tuple[tuple[Army, ...], tuple[Army, ...]]


def _army(value: object, where: str) -> Army:
    army, _fighting = army_from_case({"at": ANYWHERE, **value} if isinstance(value, Mapping) else value, where)
    return army


class SideTable(NamedTuple):
    """A side. `strat`: whether it sent one, or which armies of a pair did; `risk` and `runs` are given for each
    strat."""

    armies: tuple[str, ...]
    strat: bool | tuple[str, ...] = True
    defends: bool = False
    risk: Risk | None = None
    runs: bool = False


class ChangeTable(NamedTuple):
    """4.2.6, R42, R53: a change to an army after the dice, in percent: its losses, or its part in its side's, by one
    of the judges or by two."""

    army: str
    losses: int | None = None
    part: int | None = None
    judges: int = 1


class BattleTable(NamedTuple):
    """A battle. Each side in `strategy`, `size` and `rolls` is named by any one of its armies. `losses` replace what
    the dice gave these armies, `adjust` is the judges' change of it, within the round's `bounds` (R53)."""

    sides: list[SideTable]
    armies: list[Annotated[Army, _army]]
    strategy: Mapping[str, int] = {}
    size: Mapping[str, int] | None = None
    rolls: Mapping[str, Four] | None = None
    losses: Mapping[str, Four] = {}
    adjust: list[ChangeTable] = []
    bounds: Bounds = Bounds()


class Change(NamedTuple):
    """R53: a change after the dice, and by how many judges."""

    made: Adjustment
    judges: int


class Battle(NamedTuple):
    """The input of `fight`, and the changes afterwards."""

    sides: tuple[BattleSide, BattleSide]
    defends: int | None
    size: tuple[int, int] | None
    rolls: Round | None
    losses: Mapping[str, Four] = {}
    changes: tuple[Change, ...] = ()
    bounds: Bounds = Bounds()

    @property
    def refused(self) -> tuple[str, ...]:
        """R53: the armies for which one judge asks a change that takes two."""
        return tuple(
            one.made.army for one in self.changes if one.judges < 2 and why_two(self.sides, one.made, self.bounds)
        )

    @property
    def made(self) -> list[Adjustment]:
        """R53: the changes that count."""
        return [one.made for one in self.changes if one.made.army not in self.refused]

    @property
    def names(self) -> Names:
        """The names of the armies, by side."""
        first, second = (tuple(one.army.name for one in side.fighters) for side in self.sides)
        return first, second


def _battle(table: BattleTable) -> Battle:
    if len(table.sides) != 2:
        raise CaseError(f"sides: a battle has two sides, not {len(table.sides)}")
    armies = _armies(table)
    strategy = _by_side(table.strategy, armies, "strategy")
    first, second = (_side(side, pair, bonus) for side, pair, bonus in zip(table.sides, armies, strategy, strict=True))
    defending = [index for index, side in enumerate(table.sides) if side.defends]
    if len(defending) > 1:
        raise CaseError("sides: defends: only one side can defend")
    return Battle(
        sides=(first, second),
        defends=defending[0] if defending else None,
        size=None if table.size is None else _by_side(table.size, armies, "size"),
        rolls=None if table.rolls is None else _rolls(table.rolls, armies),
        losses={_army_named(name, armies, "losses"): losses for name, losses in table.losses.items()},
        changes=tuple(_change(change, armies) for change in table.adjust),
        bounds=table.bounds,
    )


def _change(table: ChangeTable, armies: Sides) -> Change:
    """R53: a change, of the losses or of the part."""
    name = _army_named(table.army, armies, "adjust")
    if (table.losses is None) == (table.part is None):
        raise CaseError(f"adjust: give either the losses or the part of {name}, in percent")
    kind = Special.INVOLVED if table.losses is None else Special.LOSSES
    percent = table.part if table.losses is None else table.losses
    if percent is None or not 0 <= percent <= MOST_PERCENT:
        raise CaseError(f"adjust: a change must be 0 to {MOST_PERCENT} percent")
    if not 1 <= table.judges <= 2:
        raise CaseError("adjust: judges: must be one or two")
    return Change(Adjustment(kind, name, percent), table.judges)


def _army_named(name: str, armies: Sides, where: str) -> str:
    _side_named(name, (tuple(a.name for a in armies[0]), tuple(a.name for a in armies[1])), where)
    return name


class Expected(NamedTuple):
    """The expectations of a battle; a side is named by one of its armies."""

    winner: tuple[str, ...] | None = None
    bonus: Mapping[str, int] = {}
    dice_won: Mapping[str, int] = {}
    losses: Mapping[str, Four] = {}
    refused: tuple[str, ...] | None = None
    whole: bool = False


class BattleCase(NamedTuple):
    case: str
    battle: Annotated[Battle, built(BattleTable, _battle)]
    about: Free = ""
    seed: int = 0
    expect: Expected = Expected()

    @property
    def dice(self) -> Dice:
        """R38: the dice of a case, from its seed and name, for values that it does not give."""
        return battle_dice(str(self.seed).encode(), self.case, 1, 1, ())


def carry_out(case: BattleCase) -> Outcome:
    """The battle by the default book, with the case's size bonus and rolls where it gives them."""
    return _fought(case, case.battle.made)


def _fought(case: BattleCase, changes: list[Adjustment]) -> Outcome:
    """The battle with these changes after its dice (R53)."""
    battle = case.battle
    sides = adjusted_sides(battle.sides, changes)
    outcome = fight(sides, battle.defends, DEFAULT, case.dice, battle.rolls, battle.size)
    return adjusted_losses(sides, outcome._replace(losses={**outcome.losses, **battle.losses}), changes)


def _differences(case: BattleCase, outcome: Outcome) -> Iterator[str]:
    expect, names = case.expect, case.battle.names
    if expect.winner and outcome.winner not in [_side_named(one, names, "expect: winner") for one in expect.winner]:
        yield f"winner: expected {_list(expect.winner)}, came {_list(names[outcome.winner])}"
    for key, expected, actual in (
        ("bonus", expect.bonus, tuple(bonus.total for bonus in outcome.bonus)),
        ("dice_won", expect.dice_won, outcome.dice_won),
    ):
        for name, number in expected.items():
            side = _side_named(name, names, f"expect: {key}")
            if actual[side] != number:
                yield f"{key} of {name}: expected {number}, came {actual[side]}"
    yield from _after_the_dice(case, outcome)


def _after_the_dice(case: BattleCase, outcome: Outcome) -> Iterator[str]:
    """R53: differences from the expected changes."""
    expect = case.expect
    for name, losses in expect.losses.items():
        if outcome.losses.get(name) != losses:
            yield f"losses of {name}: expected {list(losses)}, came {list(outcome.losses.get(name, ()))}"
    if expect.refused is not None and sorted(expect.refused) != sorted(case.battle.refused):
        yield f"refused: expected {_list(expect.refused) or 'nobody'}, came {_list(case.battle.refused) or 'nobody'}"
    rolled = _fought(case, [])
    for names in case.battle.names if expect.whole else ():
        before, after = (_together(one, names) for one in (rolled, outcome))
        if before != after:
            yield f"losses of {_list(names)} together: expected {before}, came {after}"


def _together(outcome: Outcome, names: tuple[str, ...]) -> list[int]:
    """4.4: the losses of a side, by slot."""
    return [sum(slot) for slot in zip(*(outcome.losses[name] for name in names), strict=True)]


def _parts(case: BattleCase, outcome: Outcome) -> list[Part]:
    return [Part("Battle", tell(case, outcome), {"outcome": outcome_to_json(outcome)})]


BATTLES = Kind(BattleCase, carry_out, _differences, _parts)


def tell(case: BattleCase, outcome: Outcome) -> list[str]:
    """4.2: how the battle went, as a judge would post it."""
    names = case.battle.names
    winner, loser = names[outcome.winner], names[1 - outcome.winner]
    has_strat = any(fighter.has_strat for fighter in case.battle.sides[outcome.winner].fighters)
    why, cites = outcome.why.told(winners=len(winner), sent=has_strat)
    lines = [f"{_list(winner)} beat {_list(loser)}: {why} ({cites})."]
    for index, armies in enumerate(names):
        bonus = outcome.bonus[index]
        rolled = "; ".join(" ".join(str(face) for face in one[index]) for one in outcome.rolls)
        lines.append(
            f"{_list(armies)}: strategy +{bonus.strategy}, size +{bonus.size}, colour +{bonus.color}; "
            f"rolled {rolled}; won {outcome.dice_won[index]} dice."
        )
    for name, losses in outcome.losses.items():
        lines.append(f"{name} lost {_numbers(losses)}.")
    for name, troops in outcome.risked.items():
        lines.append(f"{name} risked {_numbers(troops)}, which didn't fight (R39, R40).")
    return lines


def _armies(battle: BattleTable) -> Sides:
    """4.4: the one or two armies of each side, all of them listed, of one team a side and of two in all."""
    by_name: dict[str, Army] = {}
    for army in battle.armies:
        if army.name in by_name:
            raise CaseError(f"armies: {army.name} is listed twice")
        by_name[army.name] = army
    first, second = (_armies_of_side(side, by_name) for side in battle.sides)
    if unused := [name for name in by_name if name not in {army.name for army in first + second}]:
        raise CaseError(f"armies: {_list(unused)} is on no side of the battle")
    if len({army.name for army in first + second}) < len(first + second):
        raise CaseError("sides: an army can only be listed once, on one side")
    if not all(one.is_enemy(other) for one in first for other in second):
        raise CaseError("sides: the two sides of a battle must be enemies")
    return first, second


def _armies_of_side(side: SideTable, by_name: dict[str, Army]) -> tuple[Army, ...]:
    if not 1 <= len(side.armies) <= 2:
        raise CaseError(f"sides: armies: a side has one or two armies, not {len(side.armies)}")
    for name in side.armies:
        if name not in by_name:
            raise CaseError(f"sides: armies: {name} is not among the armies")
    if len({by_name[name].side for name in side.armies}) > 1:
        raise CaseError(f"sides: armies: {_list(side.armies)} are not on the same side")
    return tuple(by_name[name] for name in side.armies)


def _side(side: SideTable, armies: tuple[Army, ...], strategy: int) -> BattleSide:
    """R35: the armies that sent a strat, and its requests."""
    names = side.strat if isinstance(side.strat, tuple) else side.armies if side.strat else ()
    if strangers := [name for name in names if name not in side.armies]:
        raise CaseError(f"sides: strat: {_list(strangers)} is not on that side")
    return BattleSide(tuple(Fighter(army, army.name in names, side.risk, side.runs) for army in armies), strategy)


def _by_side(bonuses: Mapping[str, int], armies: Sides, where: str) -> tuple[int, int]:
    """R36: a bonus of 0 to 10 to one side; a side that is not named has none."""
    by_index = _named_once(bonuses, armies, where)
    first, second = by_index.get(0, 0), by_index.get(1, 0)
    if min(first, second) or max(first, second) > MOST_BONUS:
        raise CaseError(f"{where}: a bonus must be 0 to {MOST_BONUS}, to one side only")
    return first, second


def _rolls(dice: Mapping[str, Four], armies: Sides) -> Round:
    """4.2.4: four d20 of each side, as they fell."""
    rolls = _named_once(dice, armies, "rolls")
    if len(rolls) != 2:
        raise CaseError("rolls: name both sides, because both roll")
    if not all(1 <= face <= DIE_SIDES for faces in rolls.values() for face in faces):
        raise CaseError(f"rolls: a die shows 1 to {DIE_SIDES}")
    return rolls[0], rolls[1]


def _named_once(values: Mapping[str, T], armies: Sides, where: str) -> dict[int, T]:
    """The values of each side, by the side's index; a pair is named by any one of its armies."""
    first, second = (tuple(army.name for army in side) for side in armies)
    by_index = {_side_named(name, (first, second), where): value for name, value in values.items()}
    if len(by_index) < len(values):
        raise CaseError(f"{where}: name each side once, by one of its armies")
    return by_index


def _side_named(name: str, armies: Names, where: str) -> int:
    """The index of the side that has this army."""
    for index, names in enumerate(armies):
        if name in names:
            return index
    raise CaseError(f"{where}: {name} is on neither side of this battle")


def _numbers(troops: tuple[int, ...]) -> str:
    parts = [f"{number} of slot {slot}" for slot, number in enumerate(troops, 1) if number]
    return ", ".join(parts) or "nobody"


def _list(names: list[str] | tuple[str, ...]) -> str:
    return " and ".join(names)
