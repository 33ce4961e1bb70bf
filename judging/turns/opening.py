"""3.1, 4.1.2.5: the unlock: a round's first turn, the turn that follows a settlement, and the air over them."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.utils.translation import gettext

from judging.books.writes import announce_book, open_book
from judging.chain import writes as chain
from judging.command.control.writes import enlist
from judging.game import locking
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import utc
from judging.notices.models import Notice
from judging.turns.battles import BattleToOpen, announced, open_battles
from wargame import world
from wargame.models import Army, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.battle import weather
from wargame.rules.core import codec
from wargame.rules.core.dice import commitment, turn_dice
from wargame.rules.core.position import Position


@locking.writes
def open_round(*, round: Round, now: datetime, first_lock: datetime) -> Turn:
    """1.5, R38: opens turn 1 on the map of the rows, and makes the formula book public by its commitment.

    Chapter 6 is played if there are mercenaries on the map (2.5.3). An army that is not on the control list is its
    namesake's (5.2.1).

    Refused if the round has begun, or no time is left (R5).
    """
    if not Round.objects.filter(pk=round.pk, state=RoundState.SETUP).update(state=RoundState.RUNNING):
        raise Refused(gettext("%(name)s has already begun.") % {"name": round.name}, "1.5")
    if first_lock - round.deadline_before_lock <= now:
        raise Refused(
            gettext("A lock on %(time)s leaves no time before the first battle deadline.") % {"time": utc(first_lock)},
            "R5",
        )
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
    chain.begin(round)
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

    `as_json` is the position as it is stored, `position_hash` its SHA-256, `ids` are the armies' keys by name,
    `sky_before` is the air over the turn before (4.1.2.5). Three statements, however many battles there are.
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
        commitment=commitment(bytes.fromhex(seed)),
        position=as_json,
        position_hash=position_hash,
        sky=weather.sky_to_json(sky),
    )
    open_battles(turn, position, [BattleToOpen(*pair) for pair in enumerate(position.battles, 1)], ids)
    return turn


def announcements(turn: Turn, position: Position) -> list[Notice]:
    """3.1, R25: the post in the Battle Announcements thread, unsaved; none where there is no battle."""
    if not position.battles:
        return []
    data = {"turn": turn.number, "deadline": turn.deadline.isoformat(), "announced": announced(turn, position)}
    thread = Notice.Thread.ANNOUNCEMENTS
    return [Notice(turn=turn, thread=thread, kind="battles", at=turn.opened_at, data=data)]


def sky_of(round: Round, number: int, seed: str, before: weather.SkyJson) -> weather.Sky:
    """4.1.2.5: the air over the turn before, moved on by the turn's own dice; without one, the first."""
    dice = turn_dice(bytes.fromhex(seed), round.dice_name, number)
    return weather.next_sky(weather.sky_from_json(before), dice) if before else weather.first_sky(dice)
