"""3.1: the unlock: a round's first turn, and the turn that follows a settlement."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from judging.battles.models import Battle
from judging.books.writes import announce_book, open_book
from judging.command.control.writes import enlist
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import utc
from judging.notices.models import Notice
from judging.turns.skies import sky_of
from wargame import world
from wargame.models import Army, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.battle import weather
from wargame.rules.core import codec, dice
from wargame.rules.core import position as rules
from wargame.rules.core.position import Position
from wargame.world.bulk import write_rows

Numbered = tuple[int, rules.Battle]

INSERT_BATTLES = """
INSERT INTO judging_battle
    (turn_id, number, at, terrain, place, defends, state, seed, commitment, weather, announced_at, deadline)
SELECT t.id, CAST(j.value ->> 1 AS integer), j.value ->> 2, j.value ->> 3, j.value ->> 4,
    CAST(j.value ->> 5 AS integer), j.value ->> 6, j.value ->> 7, j.value ->> 8, CAST(j.value ->> 9 AS {json}),
    t.opened_at, t.deadline
FROM {rows} AS j JOIN wargame_turn AS t ON t.id = CAST(j.value ->> 0 AS bigint)
"""

INSERT_ENTRIES = """
INSERT INTO judging_battlearmy (battle_id, army_id, side, name)
SELECT b.id, CAST(j.value ->> 2 AS bigint), CAST(j.value ->> 3 AS integer), j.value ->> 5
FROM {rows} AS j JOIN judging_battle AS b
    ON b.turn_id = CAST(j.value ->> 0 AS bigint) AND b.number = CAST(j.value ->> 1 AS integer)
ORDER BY b.number, CAST(j.value ->> 3 AS integer), CAST(j.value ->> 4 AS integer)
"""


@transaction.atomic
def open_round(*, round: Round, now: datetime, first_lock: datetime) -> Turn:
    """1.5, R38: opens turn 1 on the map of the rows, and makes the formula book public by its commitment.

    Chapter 6 is played if there are mercenaries on the map (2.5.3). An army that is not on the control list is its
    namesake's (5.2.1).

    Refused if the round has begun, or no time is left (R5).
    """
    if not Round.objects.filter(pk=round.pk, state=RoundState.SETUP).update(state=RoundState.RUNNING):
        raise Refused(f"{round.name} has begun already.", "1.5")
    if first_lock - round.deadline_before_lock <= now:
        raise Refused(f"A lock at {utc(first_lock)} leaves no time before the first battle deadline.", "R5")
    round.state = RoundState.RUNNING
    position = world.load_position(round)
    round.has_mercenaries = any(army.faction for army in position.armies)
    Round.objects.filter(pk=round.pk).update(has_mercenaries=round.has_mercenaries)
    ids = dict(Army.objects.filter(round=round, died_in__isnull=True).values_list("name", "pk"))
    as_json = codec.written_position(position)
    turn = open_turn(round, 1, position, as_json, codec.digest(as_json), first_lock, ids, now)
    enlist(round, now)
    announce_book(turn, open_book(round, now))
    Notice.objects.bulk_create(announcements(turn, position))
    record(round, None, "round.opened", {"lock_at": first_lock.isoformat()}, now)
    return turn


def open_turn(
    round: Round,
    number: int,
    position: Position,
    as_json: codec.Json,
    position_hash: str,
    lock_at: datetime,
    ids: dict[str, int],
    now: datetime,
    sky_before: weather.SkyJson = (),
) -> Turn:
    """3.1: the turn and its battles, each with a secret seed and the commitment to it (R38).

    `ids` are the armies' keys by name, `sky_before` the air over the turn before (4.1.2.5). Three
    statements, however many battles there are.
    """
    seed = secrets.token_hex(32)
    sky = sky_of(round, number, seed, sky_before)
    turn = Turn.objects.create(
        round=round,
        number=number,
        opened_at=now,
        deadline=lock_at - round.deadline_before_lock,
        lock_at=lock_at,
        seed=seed,
        commitment=_commitment(seed),
        position=as_json,
        position_hash=position_hash,
        sky=weather.sky_to_json(sky),
    )
    add_battles(turn, position, list(enumerate(position.battles, 1)), ids)
    return turn


def add_battles(turn: Turn, position: Position, battles: Sequence[Numbered], ids: dict[str, int]) -> None:
    """R25, R38: battles of a turn under their numbers, each with a secret seed and the commitment to it."""
    write_rows(INSERT_BATTLES, _battle_rows(turn, position, battles))
    write_rows(
        INSERT_ENTRIES,
        [
            [turn.pk, number, ids[name], side, place, name]
            for number, battle in battles
            for side in (0, 1)
            for place, name in enumerate(battle.sides[side])
        ],
    )


def announcements(turn: Turn, position: Position) -> list[Notice]:
    """3.1, R25: the post in the Battle Announcements thread, unsaved; none where there is no battle."""
    if not position.battles:
        return []
    board = position.board
    announced = []
    for battle in position.battles:
        skies = weather.weather_at(board, battle.at, weather.sky_from_json(turn.sky), turn.number)
        site = {"terrain": board.terrain_at(battle.at), "place": world.place_name(board, battle.at)}
        announced.append({"battle": codec.battle_to_json(battle), **site, "weather": weather.weather_to_json(skies)})
    data = {"turn": turn.number, "deadline": turn.deadline.isoformat(), "announced": announced}
    thread = Notice.Thread.ANNOUNCEMENTS
    return [Notice(turn=turn, thread=thread, kind="battles", at=turn.opened_at, data=data)]


def _battle_rows(turn: Turn, position: Position, battles: Sequence[Numbered]) -> list[list[Any]]:
    rows, sky = [], weather.sky_from_json(turn.sky)
    for number, battle in battles:
        seed, board = secrets.token_hex(32), position.board
        site = [str(battle.at), board.terrain_at(battle.at), world.place_name(board, battle.at)]
        state = Battle.State.WAITING.value
        skies = weather.weather_at(board, battle.at, sky, turn.number)
        secret = [seed, _commitment(seed), weather.weather_to_json(skies)]
        rows.append([turn.pk, number, *site, battle.defends, state, *secret])
    return rows


def _commitment(seed: str) -> str:
    return dice.commitment(bytes.fromhex(seed))
