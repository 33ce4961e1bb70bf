"""4.2, 4.2.3: a battle from its strats, bonuses and dice to its winner and losses; the colour bonus."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from wargame.rules.battle.casualties import Ordeal, loss_rate, side_losses
from wargame.rules.battle.four_dice import COIN, Faces, Round, Stand, Stands, Why, by_dice, dice_won, roll_round
from wargame.rules.book.book import Book
from wargame.rules.book.formulas import MOST_BONUS
from wargame.rules.book.risked_troops import NO_TROOPS, Risk, Slots, risked_troops
from wargame.rules.core.codec import Json, canonical
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import Troop, alive_by_slot


def share_a_color(troops: Iterable[Troop]) -> bool:
    """4.2.3, R36: all living creatures share a colour, or all are artifacts.

    A creature of several colours has each of them. Colourless creatures share no colour unless they are artifacts;
    troops given only as numbers share none. Without living troops, nothing is shared. For a side of two armies (4.4)
    the troops of both are checked together.
    """
    living = [troop for troop in troops if troop.alive]
    if not living or any(troop.anonymous for troop in living):
        return False
    if all(troop.is_artifact for troop in living):
        return True
    return any(all(color in troop.colors for troop in living) for color in living[0].colors)


COLOR_BONUS = 1
"""4.2.3: for a side whose living creatures share a colour or are all artifacts."""


@dataclass(frozen=True, slots=True)
class Fighter:
    """4.2.1, R35: an army and its strat's requests. `target` is the enemy that a kill or a capture is aimed at, if a
    judge named one; `involved` weighs its part of the losses (4.4)."""

    army: Army
    has_strat: bool = True
    risk: Risk | None = None
    runs: bool = False
    involved: int = 100
    target: str | None = None

    @property
    def has_orders(self) -> bool:
        """4.2.1, R49: a strat came, or the army is a mercenary, which never counts as stratless."""
        return self.has_strat or self.army.side is Side.MERCENARY


@dataclass(frozen=True)
class BattleSide:
    """4.2.1, 4.4: the one or two armies of a side and the battle judge's strategy bonus."""

    fighters: tuple[Fighter, ...]
    strategy: int = 0

    @cached_property
    def stratless(self) -> bool:
        """4.2.1: no army of the side sent a strat."""
        return not any(fighter.has_orders for fighter in self.fighters)

    @cached_property
    def present(self) -> tuple[Fighter, ...]:
        """4.4, R42: the armies that take part: those with a strat; all where none sent any."""
        return tuple([fighter for fighter in self.fighters if fighter.has_orders]) or self.fighters

    @cached_property
    def names(self) -> tuple[str, ...]:
        """4.4: the names of the armies that take part."""
        return tuple([fighter.army.name for fighter in self.present])

    @cached_property
    def alive(self) -> tuple[Slots, ...]:
        """4.2.2: the living troops of those that take part, by slot."""
        return tuple([alive_by_slot(fighter.army.troops) for fighter in self.present])

    @cached_property
    def color_bonus(self) -> int:
        """4.2.3, 4.4: the bonus for colours, over all living creatures of the armies that take part, including
        risked ones."""
        shared = share_a_color([troop for one in self.present for troop in one.army.troops])
        return COLOR_BONUS if shared else 0

    @cached_property
    def runs(self) -> bool:
        """4.2.6, R41: all that take part run; an army that runs from its partner's side fights on with it."""
        return all(fighter.runs and fighter.has_orders for fighter in self.present)


class Bonus(NamedTuple):
    """4.2.1 to 4.2.3: the bonuses on each die of a side."""

    strategy: int = 0
    size: int = 0
    color: int = 0

    @property
    def total(self) -> int:
        return self.strategy + self.size + self.color


class Outcome(NamedTuple):
    """4.2.5: the outcome of a battle. `winner` is the index of a side, `rolls` all rounds of dice without bonuses,
    `dice_won` of the last round. `losses` has every army of the battle, `risked` (R39, R40) those that risk troops;
    the risked are not among the losses: kills and captures are worked out after the battle."""

    winner: int
    why: Why
    bonus: tuple[Bonus, Bonus]
    rolls: tuple[Round, ...]
    dice_won: tuple[int, int]
    losses: dict[str, Slots]
    risked: dict[str, Slots]
    took_part: tuple[str, ...]
    killed: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()


@dataclass(slots=True)
class _Host:
    """A side in the field: the risked troops, by the name of the army that risks them, and the fighting troops, in
    the order of `side.present`."""

    side: BattleSide
    risked: dict[str, Slots]
    fighting: list[Slots]
    size: int


def fight(
    sides: tuple[BattleSide, BattleSide],
    defends: int | None,
    book: Book,
    dice: Dice,
    rolls: Round | None = None,
    size: tuple[int, int] | None = None,
    severity: int = 0,
) -> Outcome:
    """4.2: bonuses, dice, winner, losses.

    `defends` is the index of the defending side, None in a no-attacker battle. `rolls` replace the first round of dice
    and `size` the book's size bonus where they are given; `severity` is the weather's, 0 to 10 (4.1.2.5). Scores that
    are not 0 to 10 to one side are a ValueError.
    """
    hosts = _host(sides[0], sides[1], book), _host(sides[1], sides[0], book)
    pairs = len(sides[0].present) > 1 or len(sides[1].present) > 1
    bonus = _bonuses(hosts, pairs, book, size)
    rounds, scores, won, winner, why = _decide(hosts, bonus, defends, book, dice, rolls)
    losses: dict[str, Slots] = {fighter.army.name: NO_TROOPS for side in sides for fighter in side.fighters}
    for index in (0, 1):
        ordeal = _ordeal(sides, scores, won, index, winner == index, pairs, severity)
        losses.update(_losses(hosts[index], ordeal, book, dice))
    return Outcome(
        winner=winner,
        why=why,
        bonus=bonus,
        rolls=rounds,
        dice_won=won,
        losses=losses,
        risked=hosts[0].risked | hosts[1].risked,
        took_part=sides[0].names + sides[1].names,
    )


def outcome_to_json(outcome: Outcome) -> dict[str, object]:
    """4.2.5: an outcome as plain JSON; bonuses with their totals, `why` by its name."""
    return {
        "winner": outcome.winner,
        "why": outcome.why.name,
        "bonus": [
            {"strategy": bonus.strategy, "size": bonus.size, "color": bonus.color, "total": bonus.total}
            for bonus in outcome.bonus
        ],
        "rolls": [[list(faces) for faces in one] for one in outcome.rolls],
        "dice_won": list(outcome.dice_won),
        "losses": {name: list(slots) for name, slots in outcome.losses.items()},
        "risked": {name: list(troops) for name, troops in outcome.risked.items()},
        "took_part": list(outcome.took_part),
        "killed": list(outcome.killed),
        "captured": list(outcome.captured),
    }


def told_outcome(outcome: Mapping[str, Any], winners: Sequence[str]) -> Json:
    """4.2.4: an outcome as JSON, with a sentence and its citation on how the armies won. `strats`, where the outcome
    has them, are those that counted, by army."""
    has_strat = not {*winners}.isdisjoint(outcome.get("strats", winners))
    text, cites = Why[outcome["why"]].told(winners=len(winners), sent=has_strat)
    return {**outcome, "why": {"cites": cites, "text": text}}


def _host(side: BattleSide, enemy: BattleSide, book: Book) -> _Host:
    """4.2.2, R39, R40, R42: the armies that take part, with their troops, and the resulting size of the side."""
    risked: dict[str, Slots] = {}
    fighting, sizes = [], []
    for fighter, troops in zip(side.present, side.alive, strict=True):
        if fighter.risk and any(risk := _risked(fighter, side, enemy)):
            risked[fighter.army.name] = risk
            troops = _without(troops, risk)
        fighting.append(troops)
        sizes.append(book.army_size(fighter.army.tier, troops))
    return _Host(side, risked, fighting, book.side_size(sizes))


def _risked(fighter: Fighter, side: BattleSide, enemy: BattleSide) -> Slots:
    """R35: the risk of a strat; a side that runs risks nothing, and without a strat there is no request for it."""
    if side.runs or not fighter.has_orders:
        return NO_TROOPS
    aimed_at = [one.army for one in enemy.present if fighter.target in (None, one.army.name)]
    return risked_troops(fighter.army, fighter.risk, aimed_at)


def _without(alive: Slots, risked: Slots) -> Slots:
    return alive[0] - risked[0], alive[1] - risked[1], alive[2] - risked[2], alive[3] - risked[3]


def _bonuses(hosts: tuple[_Host, _Host], pairs: bool, book: Book, size: tuple[int, int] | None) -> tuple[Bonus, Bonus]:
    """4.2.1 to 4.2.3, R36: the bonuses of both sides; `pairs` is whether two armies fight together (4.4)."""
    strategy = _strategy(hosts)
    sizes = size if size is not None else book.size_bonus((hosts[0].size, hosts[1].size), pairs)
    first, second = hosts[0].side.color_bonus, hosts[1].side.color_bonus
    return Bonus(strategy[0], sizes[0], first), Bonus(strategy[1], sizes[1], second)


def _strategy(hosts: tuple[_Host, _Host]) -> tuple[int, int]:
    """4.2.1, R36: the judge's score where both sent a strat; +10 if only the enemy sent none; else none."""
    scores = hosts[0].side.strategy, hosts[1].side.strategy
    if min(scores) or not 0 <= max(scores) <= MOST_BONUS:
        raise ValueError(f"4.2.1: the strategy bonus is 0 to {MOST_BONUS}, to one side; not {scores}")
    stratless = hosts[0].side.stratless, hosts[1].side.stratless
    if stratless == (False, False):
        return scores
    if stratless == (True, True):
        return 0, 0
    return (0, MOST_BONUS) if stratless[0] else (MOST_BONUS, 0)


class _Decided(NamedTuple):
    """4.2.4: all rounds of dice, the sides in the last one, the dice that they won in it, and the winner with the
    reason."""

    rounds: tuple[Round, ...]
    stands: Stands
    dice_won: tuple[int, int]
    winner: int
    why: Why


def _decide(
    hosts: tuple[_Host, _Host],
    bonus: tuple[Bonus, Bonus],
    defends: int | None,
    book: Book,
    dice: Dice,
    rolls: Round | None,
) -> _Decided:
    """4.2.4, R37: roll until a side wins."""
    rounds = [rolls or roll_round(dice, 0)]
    forced = _forced(hosts, book)
    while True:
        scores = _stands(hosts, bonus, defends, rounds[-1])
        won = dice_won(scores, book)
        decided = forced or by_dice(scores, won, book)
        if decided is None and len(rounds) >= book.whole("most_rounds"):
            decided = dice.roll(COIN, 2) - 1, Why.COIN
        if decided:
            return _Decided(tuple(rounds), scores, won, *decided)
        rounds.append(roll_round(dice, len(rounds)))


def _forced(hosts: tuple[_Host, _Host], book: Book) -> tuple[int, Why] | None:
    """4.2.4, 4.2.6, R37, R41: a side that runs loses, even to a stratless one; then a stratless side does."""
    if hosts[0].side.runs != hosts[1].side.runs:
        return int(hosts[0].side.runs), Why.RAN
    if hosts[0].side.stratless != hosts[1].side.stratless and book.whole("stratless_loses"):
        return int(hosts[0].side.stratless), Why.STRATLESS
    return None


def _stands(hosts: tuple[_Host, _Host], bonus: tuple[Bonus, Bonus], defends: int | None, rolled: Round) -> Stands:
    """4.2.4: both sides in a round of dice, with their bonuses."""
    return _stand(hosts[0], bonus[0], defends == 0, rolled[0]), _stand(hosts[1], bonus[1], defends == 1, rolled[1])


def _stand(host: _Host, bonus: Bonus, defends: bool, faces: Faces) -> Stand:
    more = bonus.total
    return Stand(tuple([face + more for face in faces]), host.size, bonus.strategy, defends)


def _ordeal(
    sides: tuple[BattleSide, BattleSide],
    scores: Stands,
    dice_won: tuple[int, int],
    index: int,
    won: bool,
    pairs: bool,
    severity: int,
) -> Ordeal:
    """4.2.5: the factors of a side's losses."""
    side, other = sides[index], sides[1 - index]
    return Ordeal(
        won=won,
        stratless=side.stratless and not other.stratless,
        runs=side.runs,
        covers=len(side.present) < len(side.fighters),
        enemy_runs=other.runs,
        pair_fights=pairs,
        own=scores[index],
        enemy=scores[1 - index],
        dice_won=dice_won[index],
        enemy_dice_won=dice_won[1 - index],
        severity=severity,
    )


def _losses(host: _Host, ordeal: Ordeal, book: Book, dice: Dice) -> dict[str, Slots]:
    """4.2.5, 4.4: the losses of one side's armies that take part, by name."""
    involved, names = [one.involved for one in host.side.present], host.side.names

    def loses_it(slot: int) -> bool:
        return dice.choose(f"odd troop of {' and '.join(names)}", names, slot) == names[0]

    losses = side_losses(host.fighting, involved, loss_rate(ordeal, book), ordeal.won, book, loses_it)
    return dict(zip(names, losses, strict=True))


def receipt(*, salt: str, text: str, risk: str, runs: bool, leaves: str, leaves_to: str, word_sha256: str = "") -> str:
    """R35, R38: the SHA-256 of a strat's text, requests, salt and, if it has one, its word's seal, as canonical JSON
    (docs/play/verify/dice.md).

    The salt protects short strats from guessing; its sender sees it at once, others with the text.
    """
    strat = {"leaves": leaves, "leaves_to": leaves_to, "risk": risk, "runs": runs, "salt": salt, "text": text}
    strat |= {"word_sha256": word_sha256} if word_sha256 else {}
    return hashlib.sha256(canonical(strat).encode()).hexdigest()
