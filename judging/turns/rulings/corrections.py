"""3.3.3: a settled turn computed anew with further rulings, to be applied or dropped as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.db import transaction

from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import checked_token
from judging.turns.given import GivenTurn
from judging.turns.models import Correction, Ruling
from judging.turns.rulings.correcting import carry_out_correction, check_open
from judging.turns.rulings.differences import changes_nothing, difference_of
from judging.turns.rulings.given import as_rules, counting_rows
from judging.turns.rulings.new import NewRuling, checked_ruling
from judging.turns.rulings.reads import next_number
from judging.turns.rulings.writes import check_may_rule, check_not_bound, held_turn
from wargame import world
from wargame.models import Judge, Turn
from wargame.rules import settlement
from wargame.rules.core import codec
from wargame.rules.settlement import Settlement
from wargame.rules.telling.telling import event_to_json

State = Correction.State


@transaction.atomic
def propose_correction(
    *,
    turn: Turn,
    judge: Judge,
    rulings: Sequence[NewRuling],
    token: str,
    now: datetime,
    instead_of: Correction | None = None,
) -> Correction:
    """3.3.3: computes the last settled turn anew with further rulings, and changes nothing; once for each form.

    `instead_of` is a proposal whose rulings come before these; it is dropped. Refused if the judge is no movement or
    battle judge of the round (1.3), the next turn is not open any more, or the correction would end the round.
    """
    token = checked_token(token)
    check_may_rule(turn, judge)
    turn = held_turn(turn.pk)
    before = Correction.objects.filter(turn=turn, judge=judge, token=token).first()
    if before:
        return before
    following = check_open(turn, now)
    position = world.position_of_turn(turn)
    rows = [*_copied(instead_of, turn), *(checked_ruling(new, position, turn.events) for new in rulings)]
    if not rows:
        raise Refused("A correction needs a ruling: say what is to be otherwise.", "3.3.3")
    standing = list(counting_rows(turn).select_related("judge"))
    for row in rows:
        check_not_bound(row, judge, standing)
    if instead_of:
        _drop(instead_of, judge, now)
    correction = _proposed(turn, following, rows, judge, token, now)
    record(turn.round, judge.user, "correction.proposed", {"turn": turn.number, "rulings": len(rows)}, now)
    return correction


@transaction.atomic
def apply_correction(*, correction: Correction, judge: Judge, now: datetime) -> Correction:
    """3.3.3: puts a correction into force as a whole; a second request changes nothing.

    Refused if the next turn has locked, another correction came before, a battle that would vanish or is fought
    by changed armies has a score, it would change nothing, or the proposal was dropped.
    """
    turn = held_turn(correction.turn_id)
    correction = Correction.objects.select_related("judge").get(pk=correction.pk)
    check_may_rule(turn, judge)
    if correction.state == State.APPLIED:
        return correction
    if correction.state == State.DROPPED:
        raise Refused("This correction was dropped. Propose it anew.", "3.3.3")
    following = check_open(turn, now)
    _check_fresh(correction, turn, following)
    if changes_nothing(correction, difference_of(correction)):
        raise Refused("This correction changes nothing, so there is nothing to apply. Drop it, or add to it.", "3.3.3")
    numbers = _number(correction)
    carry_out_correction(correction, turn, following, now)
    _decide(correction, State.APPLIED, judge, now)
    data = {"turn": turn.number, "rulings": numbers, "next_hash": correction.next_hash}
    record(turn.round, judge.user, "correction.applied", data, now)
    return correction


@transaction.atomic
def drop_correction(*, correction: Correction, judge: Judge, now: datetime) -> Correction:
    """3.3.3: a proposal that is not to be; a second request changes nothing. Refused if it is in force."""
    turn = held_turn(correction.turn_id)
    correction = Correction.objects.select_related("judge").get(pk=correction.pk)
    check_may_rule(turn, judge)
    if correction.state == State.APPLIED:
        raise Refused("This correction is applied. Another one can correct it.", "3.3.3")
    _drop(correction, judge, now)
    return correction


def _check_fresh(correction: Correction, turn: Turn, following: Turn) -> None:
    """3.3.3: a correction is of the report that stands, and its rulings have the numbers that it tells of."""
    stands = (turn.next_hash, following.position_hash, next_number(turn))
    if stands != (correction.old_hash, correction.old_hash, correction.first_number):
        raise Refused("Another correction was applied after this one was computed. Propose it anew.", "3.3.3")


def _number(correction: Correction) -> list[int]:
    """3.3.3: gives the rulings of a correction their numbers, by which they are cited from now on."""
    rows = list(correction.rulings.order_by("pk"))
    for number, row in enumerate(rows, correction.first_number):
        row.number = number
    Ruling.objects.bulk_update(rows, ["number"])
    return list(range(correction.first_number, correction.first_number + len(rows)))


def _proposed(turn: Turn, following: Turn, rows: list[Ruling], judge: Judge, token: str, now: datetime) -> Correction:
    """The proposal with its rulings, stored. They are worked out with the numbers that they will have."""
    old = world.position_of_turn(following)
    correction = Correction(turn=turn, judge=judge, token=token, made_at=now)
    correction.old_events, correction.old_hash = turn.events, turn.next_hash
    correction.old_position = codec.position_to_json(old)
    correction.first_number = next_number(turn)
    for number, row in enumerate(rows, correction.first_number):
        row.turn, row.judge, row.made_at, row.number = turn, judge, now, number
    settled = _computed(turn, rows)
    correction.events = [event_to_json(event) for event in settled.events]
    correction.position = codec.position_to_json(settled.position)
    correction.next_hash = codec.digest(correction.position)
    correction.save()
    for row in rows:
        row.correction, row.number = correction, None
    Ruling.objects.bulk_create(rows)
    return correction


def _computed(turn: Turn, rows: list[Ruling]) -> Settlement:
    given = GivenTurn(turn)
    rulings = as_rules([*counting_rows(turn), *rows], given.names)
    settled = settlement.settle(given.position, replace(given.everything(), rulings=rulings), given.dice())
    if settled.position.won_by:
        raise Refused("By this correction the round would be won; that is not for a correction to bring about.", "1.7")
    return settled


def _copied(instead_of: Correction | None, turn: Turn) -> list[Ruling]:
    """The rulings of a proposal, as new rows."""
    if instead_of is None:
        return []
    if instead_of.turn_id != turn.pk or instead_of.state != State.PROPOSED:
        raise Refused("That proposal was decided meanwhile. Begin a new one.", "3.3.3")
    kept = ("kind", "army", "square", "data", "cites", "reason")
    return [Ruling(**{name: getattr(row, name) for name in kept}) for row in instead_of.rulings.order_by("pk")]


def _drop(correction: Correction, judge: Judge, now: datetime) -> None:
    if correction.state == State.PROPOSED:
        _decide(correction, State.DROPPED, judge, now)
        record(correction.turn.round, judge.user, "correction.dropped", {"turn": correction.turn.number}, now)


def _decide(correction: Correction, state: str, judge: Judge, now: datetime) -> None:
    correction.state, correction.decided_at, correction.decided_by = state, now, judge
    correction.save(update_fields=["state", "decided_at", "decided_by"])
