"""4.2, R38: how a scored battle goes. Whoever has its seed, strats and score recomputes the same."""

from __future__ import annotations

from typing import Any

from judging.models import Battle, Score, Strat
from judging.selectors.rounds import position_of
from wargame.rules import position as rules
from wargame.rules.battle import BattleSide, Fighter, fight, outcome_to_json
from wargame.rules.board import read_square
from wargame.rules.dice import battle_dice
from wargame.rules.formulas import DEFAULT
from wargame.rules.risks import Risk

Strats = dict[str, Strat]


def drawn_up(battle: Battle) -> rules.Battle:
    """The battle as the rules know it."""
    square = read_square(battle.at)
    return next(b for b in position_of(battle.turn).battles if b.at == square)


def outcome_of(battle: Battle, score: Score, strats: Strats) -> dict[str, Any]:
    """4.2: the outcome as JSON, with the hashes of the strats that were mixed into the dice, and who leaves (4.4).

    `strats` are those that count, by the armies' names.
    """
    drawn = drawn_up(battle)
    sides = _side(battle, 0, strats, score), _side(battle, 1, strats, score)
    hashes = {name: strat.sha256 for name, strat in sorted(strats.items())}
    turn = battle.turn
    seed = bytes.fromhex(battle.seed)
    dice = battle_dice(seed, turn.round.slug, turn.number, battle.number, list(hashes.values()))
    outcome = outcome_to_json(fight(sides, drawn.defends, DEFAULT, dice))
    leaves, leaves_to = _leaving(drawn.sides[outcome["winner"]], strats)
    return {**outcome, "strats": hashes, "leaves": leaves, "leaves_to": leaves_to}


def _side(battle: Battle, index: int, strats: Strats, score: Score) -> BattleSide:
    position = position_of(battle.turn)
    fighters = tuple(_fighter(position.by_name[name], strats.get(name)) for name in drawn_up(battle).sides[index])
    return BattleSide(fighters, score.bonus if score.favours == index else 0)


def _fighter(army: rules.Army, strat: Strat | None) -> Fighter:
    if strat is None:
        return Fighter(army, has_strat=False)
    return Fighter(army, has_strat=True, risk=Risk(strat.risk) if strat.risk else None, runs=strat.runs)


def _leaving(winners: tuple[str, ...], strats: Strats) -> tuple[str, str]:
    """4.4: the army of a winning pair that leaves, and where to; of two strats that differ, the first by name."""
    wishes = [strats[name] for name in winners if name in strats and strats[name].leaves]
    return (wishes[0].leaves, wishes[0].leaves_to) if wishes and len(winners) > 1 else ("", "")


def published_strats(battle: Battle, hashes: dict[str, str]) -> Strats:
    """R35: the strats that a published outcome names, by the armies' names."""
    rows = Strat.objects.filter(entry__battle=battle).select_related("entry__army").order_by("pk")
    return {row.entry.army.name: row for row in rows if hashes.get(row.entry.army.name) == row.sha256}
