"""4.1, 4.2.5, R25: the battles of a turn, as the turn itself needs them.

What a turn knows of its battles is said here, as rows of the rules or as frozen values; what it asks of them, or has
done with them, `judging/battles/of_turn.py` answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from django.db.models import OuterRef, QuerySet

from judging.game.questions import Question
from judging.game.viewer import Viewer
from wargame import world
from wargame.models import Turn
from wargame.rules.battle import weather
from wargame.rules.core import codec
from wargame.rules.core import position as rules
from wargame.rules.core import turn as turn_rules
from wargame.rules.core.board import read_square
from wargame.rules.core.position import Position
from wargame.world.bulk import GivenLater

DAMAGED = "damaged"
"""The key that a stored outcome has when it is read, and nothing else of it is true: see `OutcomeField`."""


@dataclass(frozen=True, slots=True)
class TurnBattle:
    """4.1: a battle of a turn that is not cancelled: its row's key, its square, the side (0 or 1) that defends, if
    one does, and the keys of the armies in it. `is_judged`: a score of it is locked, so that it stands (R38)."""

    pk: int
    at: str
    defends: int | None
    armies: frozenset[int]
    is_judged: bool


class BattleToOpen(NamedTuple):
    """R25: a battle of the map, and the number that it gets in its turn."""

    number: int
    battle: rules.Battle


class PublishedAttempt(TypedDict):
    """4.3, 4.5: a kill or capture that an army risked troops for, of whom, and whether it succeeded; `lost` are those
    of slots 1 to 4 that died of it."""

    army: str
    target: str
    succeeded: bool
    lost: list[int]


class PublishedOutcome(TypedDict):
    """4.2.5: of a published result's JSON what the settlement of its turn is given. Losses are of slots 1 to 4."""

    losses: dict[str, list[int]]
    took_part: list[str]
    attempts: list[PublishedAttempt]
    killed: list[str]
    captured: list[str]
    leaves: str | None
    leaves_to: str | None


class PublishedResult(NamedTuple):
    """4.2.5: a published result: the square of its battle, the side (0 or 1) that won, and what came of it."""

    at: str
    winner: int
    outcome: PublishedOutcome


@Question
def battles_of_turn(turn: Turn, viewer: Viewer, now: datetime) -> Sequence[object]:
    """4.1.1: the battles that are fought in a turn, as its page shows them to the viewer."""
    raise NotImplementedError


@Question
def unfought_battles(turn: int | OuterRef) -> QuerySet[Any]:
    """4.1.1: the battles of a turn, named by its key, whose results are not published. For `Exists` in the update that
    claims a stage: a result that is published meanwhile, or a new battle, then counts."""
    raise NotImplementedError


@Question
def results_since(turn: int | OuterRef, moment: datetime) -> QuerySet[Any]:
    """4.2.5: the results of a turn's battles that were published after a moment. For `Exists`."""
    raise NotImplementedError


@Question
def published_results(turn: int | GivenLater) -> QuerySet[Any, Any]:
    """4.2.5: the published results of a turn's battles in the order of their numbers: the fields of `PublishedResult`.

    With a `GivenLater` key it is a part of a larger statement.
    """
    raise NotImplementedError


@Question
def open_battles(turn: Turn, position: Position, battles: Sequence[BattleToOpen], ids: Mapping[str, int]) -> None:
    """R25, R38: stores battles of a turn. `ids` are the keys of the armies' rows by name."""
    raise NotImplementedError


@Question
def open_late_battles(
    turn: Turn,
    position: Position,
    battles: Iterable[rules.Battle],
    ids: Mapping[str, int],
    *,
    announced_at: datetime,
    deadline: datetime,
) -> None:
    """3.3.3, R5: stores battles that a correction brought about in a turn that is open already. The turn must be held,
    so that the next numbers stay free."""
    raise NotImplementedError


@Question
def strats_due(turn: Turn, now: datetime) -> list[str]:
    """R60, 4.1.1: the battles of a turn in which an army's controller may still send a strat and has not:
    `3F (Ana)`."""
    raise NotImplementedError


@Question
def bring_deadlines_forward(turn: Turn, to: datetime) -> None:
    """R60: the battles that share the turn's deadline get an earlier one; those that were given longer keep it."""
    raise NotImplementedError


@Question
def put_deadlines_back(turn: Turn, to: datetime) -> None:
    """R60: no battle of a turn has an earlier deadline than that; those that were given longer keep it."""
    raise NotImplementedError


@Question
def held_battles(turn: Turn) -> list[TurnBattle]:
    """3.3.3: the battles of a turn by number, cancelled ones left out. Their rows are held until the transaction
    ends."""
    raise NotImplementedError


@Question
def cancel_battles(battles: Iterable[TurnBattle], correction_id: int) -> None:
    """3.3.3: battles that are gone by a correction. Their rows and strats stay."""
    raise NotImplementedError


@Question
def is_of_a_battle(correction_id: int) -> bool:
    """R58: whether a correction is what follows from a battle that is judged anew, and is applied with it or not."""
    raise NotImplementedError


@Question
def set_opponents(battle: TurnBattle, defends: int | None, renamed: Mapping[int, str]) -> None:
    """3.3.3, 2.6: a battle that goes on after a correction with another side that defends, or with armies that are
    called otherwise: `renamed` are their new names by their keys."""
    raise NotImplementedError


def results_as_rules(rows: Iterable[Sequence[Any]], position: Position) -> tuple[turn_rules.Result, ...]:
    """4.2.5: results as the settlement wants them. `rows` are those of `published_results`, `position` is the map of
    their turn, which has a battle on each of their squares."""
    return tuple(_as_rule(PublishedResult(*row), position) for row in rows)


def announced(turn: Turn, position: Position) -> list[codec.Json]:
    """R25: what is told of each battle of a turn when it is announced: the battle, its terrain, place and weather."""
    board, sky = position.board, weather.sky_from_json(turn.sky)
    return [
        {
            "battle": codec.battle_to_json(battle),
            "terrain": board.terrain_at(battle.at),
            "place": world.place_name(board, battle.at),
            "weather": weather.weather_to_json(weather.weather_at(board, battle.at, sky, turn.number)),
        }
        for battle in position.battles
    ]


def _as_rule(row: PublishedResult, position: Position) -> turn_rules.Result:
    square, outcome = read_square(row.at), row.outcome
    if DAMAGED in outcome:
        raise ValueError(f"the outcome of the battle at {row.at} is damaged, and no settlement rests on a guess")
    battle = next(battle for battle in position.battles if battle.at == square)
    leaves, to = outcome["leaves"], outcome["leaves_to"]
    return turn_rules.Result(
        at=square,
        winner=battle.sides[row.winner],
        losses=_all_lost(outcome),
        killed=tuple(outcome["killed"]),
        captured=tuple(outcome["captured"]),
        retreat={leaves: read_square(to)} if leaves and to else {},
        leaves=leaves or None,
        taken_by=_taken_by(outcome),
        absent=tuple(name for name in battle.armies if name not in outcome["took_part"]),
    )


def _taken_by(outcome: PublishedOutcome) -> dict[str, str]:
    """4.3, 4.5: which army killed or captured each of those that were."""
    return {each["target"]: each["army"] for each in outcome["attempts"] if each["succeeded"]}


def _all_lost(outcome: PublishedOutcome) -> dict[str, tuple[int, ...]]:
    """4.2.5, R39: the casualties of a battle, and the risked troops that died after it."""
    lost = {army: tuple(numbers) for army, numbers in outcome["losses"].items()}
    for attempt in outcome["attempts"]:
        army = attempt["army"]
        lost[army] = tuple(fell + risked for fell, risked in zip(lost[army], attempt["lost"], strict=True))
    return lost
