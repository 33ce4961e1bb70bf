"""4.2.5: results as pages show them, published or proposed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.safestring import SafeString

from judging.battles.models import Battle
from judging.battles.stored import OverruledRiskRuling, OverruledScore, StoredAttempt, StoredOutcome, is_damaged
from judging.game.markup import to_html
from wargame.models.choices import RoundState
from wargame.rules.battle.adjusting import CITES, Special
from wargame.rules.battle.four_dice import Why
from wargame.rules.core.position import Army
from wargame.rules.settling.losses import fall
from wargame.rules.telling.telling import tell_all

AFTER = ("retreated", "killed", "captured", "liberated")
"""The kinds of events that tell what became of those who fought."""


@dataclass(frozen=True)
class DiePair:
    """4.2.4: one die of each side, bare and with its bonuses; `who` won it, None for nobody."""

    bare: tuple[int, int]
    total: tuple[int, int]
    who: int | None


@dataclass(frozen=True)
class AttemptView:
    """4.3, 4.5: what came of troops that were risked for a kill or a capture; `sentence` tells it."""

    army: str
    risk: str
    target: str
    rolls: tuple[int, ...]
    succeeded: bool
    lost: int
    sentence: str
    cites: str


@dataclass(frozen=True)
class RiskRulingView:
    """4.3, 4.5: what a judge ruled on a kill or a capture before the roll; `sentence` tells it."""

    army: str
    risk: str
    is_void: bool
    target: str
    sentence: str
    reason: str
    by: str
    cites: str


class ArmyLosses(NamedTuple):
    """4.2.4: what an army lost, by slot and together."""

    army: str
    by_slot: tuple[int, ...]
    total: int


class ShownNote(NamedTuple):
    """4.2.1: a note that its judge shows to everybody."""

    criterion: str
    text: str
    judge: str


@dataclass(frozen=True)
class ResultView:
    """4.2.5: a result, published or proposed. `by_creature` are an army's losses by slot and creature; `absent` are
    stratless halves of pairs, who took no part (4.4); `odds` are each side's chances in percent as the book saw them,
    once the round is over, and `odds_told` holds them against the outcome; `notes` the criteria, notes and names of
    judges who chose to show them; `overruled` tells what the head judge overruled before the roll (1.3)."""

    winner: int
    winners: tuple[str, ...]
    bonuses: tuple[dict[str, int], dict[str, int]]
    rounds: tuple[tuple[DiePair, ...], ...]
    dice_won: tuple[int, int]
    losses: tuple[ArmyLosses, ...]
    by_creature: tuple[tuple[str, tuple[tuple[str, int], ...]], ...]
    absent: tuple[str, ...]
    attempts: tuple[AttemptView, ...]
    adjustments: tuple[dict[str, Any], ...]
    risk_rulings: tuple[RiskRulingView, ...]
    killed: tuple[str, ...]
    captured: tuple[str, ...]
    why: str
    why_cites: str
    narrative: SafeString
    after: tuple[dict[str, Any], ...]
    published_at: datetime | None
    seed: str
    odds: tuple[int, ...] = ()
    odds_told: str = ""
    notes: tuple[ShownNote, ...] = ()
    overruled: tuple[str, ...] = ()

    @property
    def sums(self) -> tuple[int, int]:
        """R37: the four dice of each side together, with their bonuses; of the round that decided."""
        last = self.rounds[-1] if self.rounds else ()
        return sum(pair.total[0] for pair in last), sum(pair.total[1] for pair in last)


def published_view(battle: Battle, names: Sequence[tuple[str, ...]], armies: Mapping[str, Army]) -> ResultView:
    """4.2.5, R38: a published result with its narrative and seed, and who went where once the turn is settled.

    The battle's `notes` are those that are shown.
    """
    result, everybody = battle.result, {*names[0], *names[1]}
    is_over = battle.turn.round.state == RoundState.OVER
    return replace(
        result_view(battle, result.outcome, names, armies),
        narrative=to_html(result.narrative),
        after=_told_after(battle.turn.events, everybody),
        published_at=result.published_at,
        seed=battle.seed,
        odds=tuple(round(permille / 10) for permille in result.odds) if is_over else (),
        odds_told=_odds_told(result.odds, result.winner) if is_over and result.odds else "",
        notes=tuple(ShownNote(n.criterion.name, n.text, n.criterion.judge.name) for n in battle.notes.all()),
        overruled=tuple(_overruled(battle, names)),
    )


def _overruled(battle: Battle, names: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """1.3: what the head judge overruled of his assistants' before the roll, in sentences."""
    score = getattr(battle, "score", None)
    scores: Sequence[OverruledScore] = score.overruled if score else ()
    for one in scores:
        whom = f"+{one['bonus']} for {' and '.join(names[one['favours'] or 0])}" if one["bonus"] else "no bonus"
        yield f"{one['by']} overruled the score of {one['judge']}, {whom}: {one['reason']}"
    for entry in battle.entries.all():
        for strat in entry.strats.all():
            ruling = getattr(strat, "risk_ruling", None)
            rulings: Sequence[OverruledRiskRuling] = ruling.overruled if ruling else ()
            for former in rulings:
                was = f"aimed at {former['target']}" if former["target"] else "void"
                yield f"{former['judge']} had ruled that the {strat.risk} of {entry.name} is {was}: {former['reason']}"


def result_view(
    battle: Battle, outcome: StoredOutcome, names: Sequence[tuple[str, ...]], armies: Mapping[str, Army]
) -> ResultView:
    """4.2.5: what an outcome says, published or not; `armies` as they went into the battle."""
    bonuses = (dict(outcome["bonus"][0]), dict(outcome["bonus"][1]))
    is_lost = is_damaged(outcome)
    winner = battle.result.winner if is_lost and hasattr(battle, "result") else outcome["winner"]
    why = (
        f"What is stored of battle {battle.pk} is damaged: {DAMAGED_SAYS}" if is_lost else Why[outcome["why"]].sentence
    )
    return ResultView(
        winner=winner,
        winners=names[winner],
        bonuses=bonuses,
        rounds=tuple(_dice(rolls, bonuses) for rolls in outcome["rolls"]),
        dice_won=(outcome["dice_won"][0], outcome["dice_won"][1]),
        losses=tuple(ArmyLosses(name, tuple(lost), sum(lost)) for name, lost in sorted(outcome["losses"].items())),
        by_creature=tuple((name, _fallen(armies[name], lost)) for name, lost in sorted(outcome["losses"].items())),
        absent=tuple(name for side in names for name in side if not is_lost and name not in outcome["took_part"]),
        attempts=tuple(_attempt(each, sum(outcome["risked"][each["army"]])) for each in outcome["attempts"]),
        adjustments=tuple({**one, "cites": CITES[Special(one["kind"])]} for one in outcome["adjustments"]),
        risk_rulings=tuple(risk_ruling_view(**ruling) for ruling in outcome["risk_rulings"]),
        killed=tuple(outcome["killed"]),
        captured=tuple(outcome["captured"]),
        why=why,
        why_cites="R38" if is_lost else Why[outcome["why"]].cites,
        narrative=to_html(""),
        after=(),
        published_at=None,
        seed="",
    )


def risk_ruling_view(
    *, army: str, risk: str, is_void: bool, target: str, cites: str, reason: str, by: str
) -> RiskRulingView:
    """4.3, 4.5: the ruling in words."""
    ruled = "is void: no troops are risked" if is_void else f"is aimed at {target}"
    return RiskRulingView(army, risk, is_void, target, f"The {risk} that {army} asked for {ruled}.", reason, by, cites)


DAMAGED_SAYS = "who won is known, how is not; whoever runs the service has it in a backup."


def _fallen(army: Army, lost: Sequence[int]) -> tuple[tuple[str, int], ...]:
    """R32: an army's casualties by creature; those of one name together."""
    counts: dict[str, int] = {}
    for troop, number in zip(army.troops, fall(army.troops, tuple(lost))[1], strict=True):
        if number:
            name = troop.creature or f"slot {troop.slot}"
            counts[name] = counts.get(name, 0) + number
    return tuple(counts.items())


def _attempt(attempt: StoredAttempt, risked: int) -> AttemptView:
    risk, army, target, lost = attempt["risk"], attempt["army"], attempt["target"], sum(attempt["lost"])
    cites = "4.3.3" if risk == "kill" else "4.5"
    aim = f"{army} held {risked:,} troops back from the battle to {risk} {target or 'an enemy'}"
    if target:
        did = "did it" if attempt["succeeded"] else "failed"
        end = f", rolled {attempt['rolls'][0]} against {attempt['rolls'][1]}, and {did}."
    elif attempt["fate"]:
        end = ", and the battle was lost."
    else:
        end = ", and nobody was left to be taken."
    if attempt["fate"]:
        fell = f"The {lost:,} risked troops died" if lost else "The risked troops got away"
        end += f" {fell}, by a roll of {attempt['fate']} out of 100."
    return AttemptView(army, risk, target, tuple(attempt["rolls"]), attempt["succeeded"], lost, aim + end, cites)


def _odds_told(permille: Sequence[int], winner: int) -> str:
    """R38: the odds against the outcome."""
    if permille[0] == permille[1]:
        return "Neither side was likelier to win."
    return "The likelier side won." if permille[winner] > permille[1 - winner] else "The less likely side won."


def _told_after(events: Sequence[Mapping[str, Any]], names: set[str]) -> tuple[dict[str, Any], ...]:
    """4.2.5: what became of the armies of these names when the turn was settled."""
    told = tell_all(event for event in events if event["kind"] in AFTER)
    return tuple(event for event in told if not names.isdisjoint(event["armies"]))


def _dice(rolls: list[list[int]], bonuses: tuple[dict[str, int], dict[str, int]]) -> tuple[DiePair, ...]:
    pairs = []
    for first, second in zip(*rolls, strict=True):
        total = (first + bonuses[0]["total"], second + bonuses[1]["total"])
        who = None if total[0] == total[1] else int(total[1] > total[0])
        pairs.append(DiePair((first, second), total, who))
    return tuple(pairs)
