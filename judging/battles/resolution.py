"""4.2, R38: The course of a battle, computed by the rules and the round's settings. Anyone with its seed, strats and
score gets the same result."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar, cast

from django.db.models import Q

from judging.battles.models import Battle, RiskRuling, Score, Strat
from judging.battles.outcome_schema import StoredAdjustment, StoredOutcome, StoredRiskRuling, mixed_in
from judging.battles.seed_contributions import ingredients, mix_of
from judging.battles.strats.queries import counting_strats
from judging.common.positions import position_of
from judging.formula_books.services import book_for
from wargame.models import Round
from wargame.rules.battle import odds as trials
from wargame.rules.battle.adjusting import Adjustment, Bounds, Special, adjusted_losses, adjusted_sides
from wargame.rules.battle.battle import BattleSide, Fighter, fight, outcome_to_json
from wargame.rules.battle.criteria import DEFAULT_CRITERIA, Criterion, read_criteria
from wargame.rules.battle.kills_and_captures import conquest_to_json, work_out
from wargame.rules.battle.odds import Odds
from wargame.rules.battle.told_rolls import told_rolls
from wargame.rules.book.book import Book
from wargame.rules.book.risked_troops import Risk
from wargame.rules.core import position as rules
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import Dice, battle_dice

Strats = dict[str, Strat]
T = TypeVar("T")


class FirstOfEquals(Dice):
    """The dice of rules before 1.2: of equals the first one counted, without a draw (R70, R75)."""

    def choose(self, name: str, options: Sequence[T], number: int = 1) -> T:
        return options[0]


def rules_battle(battle: Battle) -> rules.Battle:
    """The battle in the form of the rules: its square, its sides and the defender, on the map of its turn.

    Raises StopIteration if the map has no battle on that square: the row is damaged, or its turn was corrected.
    """
    square = read_square(battle.at)
    return next(b for b in position_of(battle.turn).battles if b.at == square)


def outcome_of(
    battle: Battle,
    score: Score,
    strats: Strats,
    adjustments: Iterable[StoredAdjustment] = (),
    *,
    before: StoredOutcome | None = None,
    ruled: Mapping[str, RiskRuling] | None = None,
    dice_of: type[Dice] = Dice,
) -> StoredOutcome:
    """4.2: The outcome as it is stored, with kills and captures (4.3, 4.5) and a judge's rulings on them, the hashes of
    the strats that were mixed into the dice, the army that leaves (4.4), and the judge's adjustments (4.2.6).

    `strats` are those that count, by the armies' names. Adjustments don't change the dice. For a battle that is judged
    again (R58), `before` is the outcome whose dice stay, with their mix, and `ruled` are the current rulings.
    """
    adjustments = list(adjustments)
    changes = [
        Adjustment(Special(one["kind"]), one["army"], one["percent"], rounds_up="cites" in one) for one in adjustments
    ]
    hashes = {name: strat.sha256 for name, strat in sorted(strats.items())}
    turn, seed = battle.turn, bytes.fromhex(battle.seed)
    used_hashes = hashes if before is None else mixed_in(before)
    mix = mix_of(battle, strats) if before is None else before.get("mix")
    receipts, mixed = list(used_hashes.values()), ingredients(mix)
    dice = battle_dice(seed, turn.round.dice_name, turn.number, battle.number, receipts, mixed)
    dice = dice_of(dice.seed, dice.context)
    ruled = risk_rulings(strats) if ruled is None else ruled
    fought, book = rules_battle(battle), book_of(battle)
    sides = adjusted_sides(sides_of(battle, strats, score.favours, score.bonus, ruled), changes)
    outcome = adjusted_losses(sides, fight(sides, fought.defends, book, dice, severity=severity_of(battle)), changes)
    numbers = {**outcome_to_json(outcome), **conquest_to_json(work_out(sides, outcome, book, dice))}
    known_rolls = told_rolls(numbers)
    draws = [roll._asdict() for roll in dice.rolls if roll not in known_rolls]
    leaves, leaves_to = _leaving(fought.sides[outcome.winner], strats, dice)
    stored = {
        **numbers,
        **({"draws": draws} if draws else {}),
        "strats": hashes,
        "leaves": leaves,
        "leaves_to": leaves_to,
        "adjustments": adjustments,
        "risk_rulings": [_stored_ruling(name, ruling) for name, ruling in sorted(ruled.items())],
        **({} if used_hashes == hashes else {"mixed": used_hashes}),
        **({"mix": mix} if mix else {}),
    }
    return cast(StoredOutcome, stored)


def book_of(battle: Battle) -> Book:
    """R38: The formula book of a battle: the version that is in effect in its turn."""
    return book_for(battle.turn.round, battle.turn.number)[1]


def severity_of(battle: Battle) -> int:
    """4.1.2.5: The severity of a battle's weather, 0 to 10."""
    return int(battle.weather.get("severity", 0))


def sides_of(
    battle: Battle, strats: Strats, favours: int | None, bonus: int, ruled: Mapping[str, RiskRuling] | None = None
) -> tuple[BattleSide, BattleSide]:
    """4.2.1: Both sides with their strats' requests, as a judge ruled on them (None: the stored rulings), and the
    strategy bonus."""
    ruled = risk_rulings(strats) if ruled is None else ruled
    return (
        _side(battle, 0, strats, ruled, bonus if favours == 0 else 0),
        _side(battle, 1, strats, ruled, bonus if favours == 1 else 0),
    )


def risk_rulings(strats: Strats) -> dict[str, RiskRuling]:
    """4.3, 4.5: A judge's rulings on the kills and captures that these strats ask for, by the armies' names."""
    asking = {strat.pk: name for name, strat in strats.items() if strat.risk}
    if not asking:
        return {}
    rows = RiskRuling.objects.filter(strat__in=asking).select_related("judge", "strat")
    return {asking[row.strat_id]: row for row in rows}


def _stored_ruling(army: str, ruling: RiskRuling) -> StoredRiskRuling:
    return {
        "army": army,
        "risk": ruling.strat.risk,
        "is_void": ruling.is_void,
        "target": ruling.target,
        "cites": ruling.cites,
        "reason": ruling.reason,
        "by": ruling.judge.name,
    }


def _side(battle: Battle, index: int, strats: Strats, ruled: Mapping[str, RiskRuling], strategy: int) -> BattleSide:
    by_name = position_of(battle.turn).by_name
    names = rules_battle(battle).sides[index]
    return BattleSide(tuple(_fighter(by_name[name], strats.get(name), ruled.get(name)) for name in names), strategy)


def _fighter(army: rules.Army, strat: Strat | None, ruling: RiskRuling | None) -> Fighter:
    if strat is None:
        return Fighter(army, has_strat=False)
    strat_risk = Risk(strat.risk) if strat.risk else None
    risk = None if ruling and ruling.is_void else strat_risk
    return Fighter(army, has_strat=True, risk=risk, runs=strat.runs, target=ruling.target or None if ruling else None)


def _leaving(winners: tuple[str, ...], strats: Strats, dice: Dice) -> tuple[str, str]:
    """4.4: The army of a winning pair that leaves, and its destination; if two strats name different armies or
    squares, a drawn one counts (R70)."""
    wishes = [(strats[name].leaves, strats[name].leaves_to) for name in winners if name in strats]
    squares = {} if isinstance(dice, FirstOfEquals) else {leaves: to for leaves, to in wishes if to}
    differ = list(dict.fromkeys((leaves, to or squares.get(leaves, "")) for leaves, to in wishes if leaves))
    if not differ or len(winners) < 2:
        return "", ""
    return dice.choose("strat on who leaves", differ)


def published_strats(battle: Battle, hashes: dict[str, str]) -> Strats:
    """R35: the strats that a published outcome names, by the armies' names."""
    in_time = Q(late=False) | Q(accepted_at__isnull=False)
    rows = Strat.objects.filter(in_time, entry__battle=battle).select_related("entry").order_by("pk")
    return {row.entry.name: row for row in rows if hashes.get(row.entry.name) == row.sha256}


def odds_of(battle: Battle, favours: int | None, bonus: int) -> Odds:
    """R38: The odds of the battle with that score and the strats that count now.

    Computed by trials with dice of their own, which takes as long as that many battles.
    """
    return odds_between(battle, sides_of(battle, counting_strats(battle), favours, bonus))


def odds_between(battle: Battle, sides: tuple[BattleSide, BattleSide]) -> Odds:
    """R38: The same for sides that are computed already; nothing else that could change decides it."""
    return trials.odds(sides, rules_battle(battle).defends, book_of(battle), severity_of(battle))


def bounds_of(round_: Round) -> Bounds:
    """R53: The limits of what one judge may do alone in this round; published with its settings."""
    return Bounds(round_.runner_least, round_.pair_least, round_.pair_most)


def criteria_of(round_: Round) -> tuple[Criterion, ...]:
    """R54: The criteria of a round. If its own can no longer be read, the default ones."""
    criteria, faults = read_criteria(round_.criteria)
    return criteria if not faults else read_criteria(DEFAULT_CRITERIA)[0]
