"""4.1: the shapes in which battles are shown. What is in them is decided in `battles.py`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.safestring import SafeString

from judging.markup import to_html
from judging.models import Battle, Strat
from wargame.rules.position import Army
from wargame.rules.troops import SLOTS, alive_by_slot, slot_size, strength_by_slot


@dataclass(frozen=True)
class SlotView:
    """2.1: one rank of creatures as it stood when the turn opened."""

    slot: int
    size: str
    alive: int
    of: int
    creatures: tuple[str, ...]


@dataclass(frozen=True)
class Receipt:
    """4.1.1, R35: that a strat was sent: when, and the hash of what. Everybody sees it."""

    sent_at: datetime
    sha256: str
    late: bool


@dataclass(frozen=True)
class StratView:
    """R35: a strat with its text, for those who may read it."""

    sent_at: datetime
    sha256: str
    by: str
    late: bool
    as_contingency: bool
    text: str
    html: SafeString
    wishes: tuple[str, ...]


@dataclass(frozen=True)
class FighterView:
    """4.1: an army in a battle."""

    army: Army
    slots: tuple[SlotView, ...]
    alive: int
    of: int
    controllers: tuple[str, ...]
    receipts: tuple[Receipt, ...]
    strats: tuple[StratView, ...]
    may_send: str

    @property
    def name(self) -> str:
        return self.army.name

    @property
    def side(self) -> str:
        return self.army.side.value

    @property
    def title(self) -> str:
        return self.army.title

    @property
    def has_strat(self) -> bool:
        return any(not receipt.late for receipt in self.receipts)


@dataclass(frozen=True)
class DiePair:
    """4.2.4: one die of each side, bare and with its bonuses; `who` won it, None for nobody."""

    bare: tuple[int, int]
    total: tuple[int, int]
    who: int | None


@dataclass(frozen=True)
class ResultView:
    """4.2.5: a published result."""

    winner: int
    winners: tuple[str, ...]
    bonuses: tuple[dict[str, int], dict[str, int]]
    rounds: tuple[tuple[DiePair, ...], ...]
    dice_won: tuple[int, int]
    losses: tuple[tuple[str, tuple[int, ...], int], ...]
    killed: tuple[str, ...]
    captured: tuple[str, ...]
    why: str
    why_cites: str
    narrative: SafeString
    after: tuple[dict[str, Any], ...]
    published_at: datetime
    seed: str


@dataclass(frozen=True)
class BattleView:
    """4.1.1, R25: a battle as its announcement and its page show it. `is_closed`: the deadline has passed."""

    id: int
    turn: int
    number: int
    at: str
    terrain: str
    place: str
    place_text: SafeString
    headline: str
    how: str
    sides: tuple[tuple[FighterView, ...], tuple[FighterView, ...]]
    defends: int | None
    announced_at: datetime
    deadline: datetime
    is_closed: bool
    commitment: str
    result: ResultView | None

    @property
    def fighters(self) -> tuple[FighterView, ...]:
        return self.sides[0] + self.sides[1]

    @property
    def all_sent(self) -> bool:
        """4.1.1: whether every army has a strat that came in time."""
        return all(fighter.has_strat for fighter in self.fighters)

    def fighter(self, name: str) -> FighterView | None:
        """The army of that name, without case."""
        return next((f for f in self.fighters if f.name.lower() == name.lower()), None)


def headline(first: tuple[str, ...], second: tuple[str, ...], defends: int | None) -> str:
    """4.1.2.3, R25: `X attacks Y`, or `X meets Y` if nobody attacks."""
    if defends == 0:
        first, second = second, first
    verb = "meet" if defends is None else "attack"
    return f"{' and '.join(first)} {verb}{'s' if len(first) == 1 else ''} {' and '.join(second)}"


def how_it_begins(defends: int | None) -> str:
    if defends is None:
        return "No attacker: both came this turn and start within sight of each other."
    return "The defender starts at the centre and has a few hours; the attacker comes from out of sight."


def slots_of(army: Army) -> tuple[SlotView, ...]:
    """2.1: an army's four ranks of creatures, alive and at full strength."""
    alive, of = alive_by_slot(army.troops), strength_by_slot(army.troops)
    return tuple(
        SlotView(
            slot,
            f"{slot_size(army.tier, slot)}/{slot_size(army.tier, slot)}",
            alive[slot - 1],
            of[slot - 1],
            tuple(t.creature for t in army.troops if t.slot == slot and t.creature),
        )
        for slot in SLOTS
    )


def strat_view(strat: Strat) -> StratView:
    return StratView(
        sent_at=strat.sent_at,
        sha256=strat.sha256,
        by=strat.player.name if strat.player else "the mercenary judge",
        late=strat.late,
        as_contingency=strat.as_contingency,
        text=strat.text,
        html=to_html(strat.text),
        wishes=_wishes(strat),
    )


def _wishes(strat: Strat) -> tuple[str, ...]:
    leaves = f"{strat.leaves} leaves the square" + (f" for {strat.leaves_to}" if strat.leaves_to else "")
    wished = [strat.get_risk_display() if strat.risk else "", "run away" if strat.runs else ""]
    return tuple(wish for wish in (*wished, leaves if strat.leaves else "") if wish)


def result_view(battle: Battle, names: Sequence[tuple[str, ...]]) -> ResultView:
    result, outcome = battle.result, battle.result.outcome
    bonuses = (dict(outcome["bonus"][0]), dict(outcome["bonus"][1]))
    everybody = {*names[0], *names[1]}
    return ResultView(
        winner=result.winner,
        winners=names[result.winner],
        bonuses=bonuses,
        rounds=tuple(_dice(rolls, bonuses) for rolls in outcome["rolls"]),
        dice_won=(outcome["dice_won"][0], outcome["dice_won"][1]),
        losses=tuple((name, tuple(lost), sum(lost)) for name, lost in sorted(outcome["losses"].items())),
        killed=tuple(outcome["killed"]),
        captured=tuple(outcome["captured"]),
        why=outcome["why"]["text"],
        why_cites=outcome["why"]["cites"],
        narrative=to_html(result.narrative),
        after=tuple(e for e in battle.turn.events if _tells_of_after(e, everybody)),
        published_at=result.published_at,
        seed=battle.seed,
    )


def _tells_of_after(event: dict[str, Any], names: set[str]) -> bool:
    kinds = ("retreated", "killed", "captured", "liberated")
    return event["kind"] in kinds and bool(names & set(event["armies"]))


def _dice(rolls: list[list[int]], bonuses: tuple[dict[str, int], dict[str, int]]) -> tuple[DiePair, ...]:
    pairs = []
    for first, second in zip(*rolls, strict=True):
        total = (first + bonuses[0]["total"], second + bonuses[1]["total"])
        who = None if total[0] == total[1] else int(total[1] > total[0])
        pairs.append(DiePair((first, second), total, who))
    return tuple(pairs)
