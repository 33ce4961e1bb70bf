"""4.1, 4.2.5, R25: the battles of a turn for the turn's own needs: as rows of the rules or as frozen values."""

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple, TypedDict

from django.db.models import Max, OuterRef, QuerySet

from judging.battles.models import Battle, BattleArmy, Opinion, Result
from judging.battles.outcome_schema import DAMAGED
from judging.battles.rejudging.models import Rejudgement
from judging.battles.strats.queries import counting_strats, deadline_of
from judging.common import locking
from wargame import world
from wargame.models import Control, Turn, watched
from wargame.rules.battle import weather
from wargame.rules.core import clock, codec
from wargame.rules.core import position as rules
from wargame.rules.core import turn as turn_rules
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import commitment
from wargame.rules.core.position import Position
from wargame.world.bulk import GivenLater, insert_rows

INSERT_BATTLES = """
INSERT INTO judging_battle
    (turn_id, number, at, terrain, place, defends, state, seed, commitment, weather, announced_at, deadline,
    dice_mix, mix_within)
SELECT t.id, CAST(j.value ->> 1 AS integer), j.value ->> 2, j.value ->> 3, j.value ->> 4,
    CAST(j.value ->> 5 AS integer), j.value ->> 6, j.value ->> 7, j.value ->> 8, CAST(j.value ->> 9 AS {json}),
    t.opened_at, t.deadline, r.dice_mix, r.mix_within
FROM {rows} AS j JOIN wargame_turn AS t ON t.id = CAST(j.value ->> 0 AS bigint)
    JOIN wargame_round AS r ON r.id = t.round_id
ORDER BY t.id, CAST(j.value ->> 1 AS integer)
"""

INSERT_ENTRIES = """
INSERT INTO judging_battlearmy (battle_id, army_id, side, name)
SELECT b.id, CAST(j.value ->> 2 AS bigint), CAST(j.value ->> 3 AS integer), j.value ->> 5
FROM {rows} AS j JOIN judging_battle AS b
    ON b.turn_id = CAST(j.value ->> 0 AS bigint) AND b.number = CAST(j.value ->> 1 AS integer)
ORDER BY b.number, CAST(j.value ->> 3 AS integer), CAST(j.value ->> 4 AS integer)
"""


@dataclass(frozen=True, slots=True)
class TurnBattle:
    """4.1: a battle of a turn that is not cancelled: its row's key, its square, the side (0 or 1) that defends, if
    one does, and the keys of its armies. `is_judged`: a score of it is locked, so that it can't change (R38)."""

    pk: int
    at: str
    defends: int | None
    armies: frozenset[int]
    is_judged: bool


class BattleToOpen(NamedTuple):
    """R25: a battle of the map, with its number in its turn."""

    number: int
    battle: rules.Battle


class PublishedAttempt(TypedDict):
    """4.3, 4.5: an army's attempt to kill or capture, with risked troops: its target, and whether it succeeded;
    `lost` are the dead of slots 1 to 4."""

    army: str
    target: str
    succeeded: bool
    lost: list[int]


class PublishedOutcome(TypedDict):
    """4.2.5: the parts of a published result's JSON for the settlement of its turn. Losses are of slots 1 to 4."""

    losses: dict[str, list[int]]
    took_part: list[str]
    attempts: list[PublishedAttempt]
    killed: list[str]
    captured: list[str]
    leaves: str | None
    leaves_to: str | None


class PublishedResult(NamedTuple):
    """4.2.5: a published result: the square of its battle, the side (0 or 1) that won, and the outcome."""

    at: str
    winner: int
    outcome: PublishedOutcome


def unfought_battles(turn: int | OuterRef) -> QuerySet[Battle]:
    """4.1.1: the battles of a turn, given by its key, whose results are not published. For `Exists` in the update
    that claims a stage, so that a result published at that time, or a new battle, counts."""
    return Battle.objects.filter(turn=turn).exclude(state__in=[Battle.State.PUBLISHED, Battle.State.CANCELLED])


def results_since(turn: int | OuterRef, moment: datetime) -> QuerySet[Result]:
    """4.2.5: the results of a turn's battles that were published after a given time. For `Exists`."""
    return Result.objects.filter(battle__turn_id=turn, published_at__gt=moment)


def published_results(turn: int | GivenLater) -> QuerySet[Any, Any]:
    """4.2.5: the published results of a turn's battles in the order of their numbers: the fields of `PublishedResult`.

    With a `GivenLater` key it is a part of a larger query.
    """
    rows = Result.objects.filter(battle__turn_id=turn).order_by("battle__number")
    return rows.values_list("battle__at", "winner", "outcome")


def open_battles(turn: Turn, position: Position, battles: Sequence[BattleToOpen], ids: Mapping[str, int]) -> None:
    """R25, R38: store battles of a turn, each with a secret seed and the commitment to it.

    `ids` are the keys of the armies' rows by name. Few queries, however many battles there are: a lock that begins a
    hundred must not take longer than one without any.
    """
    watched.tell(Battle, insert_rows(INSERT_BATTLES, _battle_rows(turn, position, battles)))
    entries = [
        [turn.pk, number, ids[name], side, place, name]
        for number, battle in battles
        for side in (0, 1)
        for place, name in enumerate(battle.sides[side])
    ]
    watched.tell(BattleArmy, insert_rows(INSERT_ENTRIES, entries))


def open_late_battles(
    turn: Turn,
    position: Position,
    battles: Iterable[rules.Battle],
    ids: Mapping[str, int],
    *,
    announced_at: datetime,
    deadline: datetime,
) -> None:
    """3.3.3, R5: store battles that a correction caused in a turn that is open already, under the next free numbers,
    with their own time and deadline. The turn's row must be locked, so that the numbers stay free."""
    last = Battle.objects.filter(turn=turn).aggregate(last=Max("number"))["last"] or 0
    open_battles(turn, position, [BattleToOpen(*pair) for pair in enumerate(battles, last + 1)], ids)
    added = Battle.objects.filter(turn=turn, number__gt=last)
    added.update(announced_at=announced_at, deadline=deadline)


def strats_due(turn: Turn, now: datetime) -> list[str]:
    """R60, 4.1.1: the battles of a turn in which an army's controller may still send a strat and has not: `3F (Ana)`.

    Mercenaries need none (R49), and nobody sends one for uncontrolled armies.
    """
    fought = Battle.objects.filter(turn=turn, state=Battle.State.WAITING).prefetch_related("entries__army")
    controlled = set(Control.objects.filter(round=turn.round_id, until__isnull=True).values_list("army_id", flat=True))
    battles = []
    for battle in fought.order_by("number"):
        counting = counting_strats(battle)
        missing = [
            each.name
            for each in battle.entries.all()
            if each.army_id in controlled
            and clock.is_in_time(now, deadline_of(each, battle))
            and (each.name not in counting or counting[each.name].as_contingency)
        ]
        if missing:
            battles.append(f"{battle.at} ({', '.join(missing)})")
    return battles


def bring_deadlines_forward(turn: Turn, to: datetime) -> None:
    """R60: give the battles that share the turn's deadline an earlier one; those with an extension keep it."""
    Battle.objects.filter(turn=turn, deadline=turn.deadline).update(deadline=to)


def put_deadlines_back(turn: Turn, to: datetime) -> None:
    """R60: give no battle of a turn an earlier deadline than this; those with an extension keep it."""
    Battle.objects.filter(turn=turn, deadline__lt=to).update(deadline=to)


def held_battles(turn: Turn) -> list[TurnBattle]:
    """3.3.3: the battles of a turn by number, without cancelled ones. Their rows are locked until the transaction
    ends: nobody scores a battle that a correction is about to cancel or to change."""
    fought = Battle.objects.filter(turn=turn).exclude(state=Battle.State.CANCELLED).prefetch_related("entries")
    rows = sorted(locking.hold_all(fought), key=lambda row: row.number)
    # Asked only now that the rows are held: a statement that waited for them would not see a score that was locked
    # while it waited.
    scored = set(Opinion.objects.filter(battle__in=rows).values_list("battle_id", flat=True))
    return [
        TurnBattle(
            pk=row.pk,
            at=row.at,
            defends=row.defends,
            armies=frozenset(entry.army_id for entry in row.entries.all()),
            is_judged=row.state != Battle.State.WAITING or row.pk in scored,
        )
        for row in rows
    ]


def cancel_battles(battles: Iterable[TurnBattle], correction_id: int) -> None:
    """3.3.3: cancel battles removed by a correction. Their rows and strats stay."""
    keys = [battle.pk for battle in battles]
    Battle.objects.filter(pk__in=keys).update(state=Battle.State.CANCELLED, cancelled_by=correction_id)


def is_of_a_battle(correction_id: int) -> bool:
    """R58: whether a correction follows from a battle that is judged again, and shares its application."""
    return Rejudgement.objects.filter(correction=correction_id).exists()


def set_opponents(battle: TurnBattle, defends: int | None, renamed: Mapping[int, str]) -> None:
    """3.3.3, 2.6: a battle that continues after a correction with another defending side, or with renamed armies:
    `renamed` are their new names by their keys. Unchanged values are not written."""
    if battle.defends != defends:
        Battle.objects.filter(pk=battle.pk).update(defends=defends)
    for army, name in renamed.items():
        BattleArmy.objects.filter(battle=battle.pk, army=army).update(name=name)


def results_as_rules(rows: Iterable[Sequence[Any]], position: Position) -> tuple[turn_rules.Result, ...]:
    """4.2.5: results in the settlement's form. `rows` are those of `published_results`, `position` is the map of
    their turn, which has a battle on each of their squares."""
    return tuple(_as_rule(PublishedResult(*row), position) for row in rows)


def announced(turn: Turn, position: Position) -> list[codec.Json]:
    """R25: the announcement of each battle of a turn: the battle, its terrain, place and weather."""
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


def _battle_rows(turn: Turn, position: Position, battles: Sequence[BattleToOpen]) -> list[list[Any]]:
    """The rows of `INSERT_BATTLES`: turn, number, square, terrain, place, defending side, state, seed, commitment
    and weather."""
    rows, board, sky = [], position.board, weather.sky_from_json(turn.sky)
    for number, battle in battles:
        seed = secrets.token_hex(32)
        site = [str(battle.at), board.terrain_at(battle.at), world.place_name(board, battle.at)]
        skies = weather.weather_at(board, battle.at, sky, turn.number)
        secret = [seed, commitment(bytes.fromhex(seed)), weather.weather_to_json(skies)]
        rows.append([turn.pk, number, *site, battle.defends, Battle.State.WAITING.value, *secret])
    return rows


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
    """4.3, 4.5: the killer or captor of each army that was killed or captured."""
    return {each["target"]: each["army"] for each in outcome["attempts"] if each["succeeded"]}


def _all_lost(outcome: PublishedOutcome) -> dict[str, tuple[int, ...]]:
    """4.2.5, R39: the casualties of a battle, and the risked troops that died after it."""
    losses = {army: tuple(numbers) for army, numbers in outcome["losses"].items()}
    for attempt in outcome["attempts"]:
        army = attempt["army"]
        losses[army] = tuple(fell + risked for fell, risked in zip(losses[army], attempt["lost"], strict=True))
    return losses
