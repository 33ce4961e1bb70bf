"""3.3.3: corrections: a settled turn recomputed with further rulings, to be applied or dropped as a whole.

A proposal changes nothing but its own rows. Applying one changes the settlement's results: the report, the next turn's
map, the rows of armies, control, and the next turn's battles. Both turns' rows are locked, the settled one first and
then the next one, so that no stage, post or score comes in between.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.armies.changes.settlement import note_changes
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.judges import is_supreme
from judging.common.log_entry import record
from judging.common.positions import penalties_for, position_of
from judging.common.texts import checked_token, utc
from judging.turns.battles import (
    PublishedResult,
    TurnBattle,
    cancel_battles,
    held_battles,
    is_of_a_battle,
    open_late_battles,
    results_as_rules,
    set_opponents,
)
from judging.turns.done.services import begin_anew
from judging.turns.models import Correction, Ruling
from judging.turns.rulings.differences import battles_that_differ, changes_nothing, difference_of
from judging.turns.rulings.services import (
    NewRuling,
    check_may_rule,
    check_not_bound,
    checked_ruling,
    held_turn,
    next_number,
    of_the_dice,
)
from judging.turns.turn_input import InputOfTurn, counting_rulings, rulings_as_rules
from wargame import world
from wargame.models import Judge, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules import settlement
from wargame.rules.core import clock, codec
from wargame.rules.core import position as rules
from wargame.rules.core.position import Position
from wargame.rules.settlement import Settlement
from wargame.rules.settling.accepted_changes import otherwise_called
from wargame.rules.settling.punishing import punished
from wargame.rules.telling.telling import event_to_json, read_all
from wargame.version import RULES

State = Correction.State


@locking.writes
def propose_correction(
    *,
    turn: Turn,
    judge: Judge,
    rulings: Sequence[NewRuling],
    token: str,
    now: datetime,
    instead_of: Correction | None = None,
) -> Correction:
    """3.3.3: recompute the last settled turn with further rulings, without changing it; once for each form.

    `instead_of` is a proposal whose rulings come before these; it is dropped. Refused if the judge is no movement or
    battle judge of the round (1.3), the next turn is not open any more, or the correction would end the round.
    """
    token = checked_token(token)
    check_may_rule(turn, judge)
    turn = held_turn(turn.pk)
    before = Correction.objects.filter(turn=turn, judge=judge, token=token).first()
    if before:
        return before
    following = held_next_turn(turn, now)
    position = world.position_of_turn(turn)
    rows = [*_copied(instead_of, turn), *(checked_ruling(new, position, read_all(turn.events)) for new in rulings)]
    if not rows:
        raise Refused(gettext("A correction needs a ruling. Say what should change."), "3.3.3")
    current = list(counting_rulings(turn).select_related("judge"))
    for row in rows:
        check_not_bound(row, judge, current)
    if instead_of:
        _drop(instead_of, judge, now)
    correction = _proposed(turn, following, rows, judge, token, now)
    record(turn.round, judge.user, "correction.proposed", {"turn": turn.number, "rulings": len(rows)}, now)
    return correction


@locking.writes
def correct_result(
    *, turn: Turn, following: Turn, judge: Judge, anew: PublishedResult, token: str, now: datetime
) -> Correction:
    """R58: the effects on a settled turn of another result of one of its battles, proposed as a correction without
    rulings; nothing is changed. Both turns are locked (`held_turn`, `held_next_turn`).

    Refused if the correction would end the round, or no settlement could be based on that result.
    """
    try:
        return _proposed(turn, following, [], judge, token, now, anew)
    except ValueError as error:
        raise Refused(
            gettext("The turn can't be settled with this result: %(error)s.") % {"error": error}, "4.2.5"
        ) from None


@locking.writes
def apply_correction(*, correction: Correction, judge: Judge, now: datetime) -> Correction:
    """3.3.3: put a correction into force as a whole; a second request changes nothing.

    Refused if the next turn has locked, another correction came before, a battle that would vanish or is fought by
    changed armies has a score, it would change nothing, the proposal was dropped, it belongs to a battle that is judged
    again (R58), or it changes a result of dice and is not by two battle judges (R53).
    """
    _check_by_itself(correction)
    turn = held_turn(correction.turn_id)
    correction = Correction.objects.select_related("judge").get(pk=correction.pk)
    check_may_rule(turn, judge)
    if correction.state == State.APPLIED:
        return correction
    if correction.state == State.DROPPED:
        raise Refused(gettext("This correction was dropped. Propose it again."), "3.3.3")
    _check_two(correction, turn, judge)
    following = held_next_turn(turn, now)
    _check_fresh(correction, turn, following)
    if changes_nothing(correction, difference_of(correction)):
        raise Refused(
            gettext("This correction changes nothing, so there is nothing to apply. Drop it, or add to it."), "3.3.3"
        )
    put_into_force(correction, turn, following, judge, now)
    return correction


def put_into_force(correction: Correction, turn: Turn, following: Turn, judge: Judge, now: datetime) -> None:
    """3.3.3: carry a proposed correction out; both turns' rows are locked, and it is up to date (`_check_fresh`)."""
    numbers = _number_rulings(correction)
    begin_anew(following, now)
    _carry_out(correction, turn, following, now)
    _decide(correction, State.APPLIED, judge, now)
    data = {"turn": turn.number, "rulings": numbers, "next_hash": correction.next_hash}
    record(turn.round, judge.user, "correction.applied", data, now)


def put_aside(correction: Correction, judge: Judge, now: datetime) -> None:
    """3.3.3: drop a proposal; its turn's row is locked."""
    _drop(correction, judge, now)


def _check_by_itself(correction: Correction) -> None:
    """R58: the effects of a result are applied or dropped with that result."""
    if is_of_a_battle(correction.pk):
        raise Refused(
            gettext(
                "This correction follows from a rejudged battle. Apply or drop it together with the result, on "
                "that battle's page."
            ),
            "R58",
        )


def _check_two(correction: Correction, turn: Turn, judge: Judge) -> None:
    """R53: results of the turn's dice are changed by the head battle judge and a second battle judge: one proposes
    it, and the other one applies it."""
    names = of_the_dice(correction.rulings.all(), world.position_of_turn(turn))
    pair = (correction.judge, judge)
    are_two = correction.judge.user_id != judge.user_id and all(one.role == Role.BATTLE for one in pair)
    if names and not (are_two and any(is_supreme(one) for one in pair)):
        raise Refused(
            gettext(
                "This changes the troops of %(what)s, who fought in turn %(number)s. Only the head battle judge "
                "and a second battle judge can change what the dice decided. One must propose the correction, "
                "and the other must apply it."
            )
            % {"what": names, "number": turn.number},
            "R53",
        )


@locking.writes
def drop_correction(*, correction: Correction, judge: Judge, now: datetime) -> Correction:
    """3.3.3: drop a proposal; a second request changes nothing. Refused if it is in force."""
    _check_by_itself(correction)
    turn = held_turn(correction.turn_id)
    correction = Correction.objects.select_related("judge").get(pk=correction.pk)
    check_may_rule(turn, judge)
    if correction.state == State.APPLIED:
        raise Refused(
            gettext("This correction is already applied. You can only change it with another correction."), "3.3.3"
        )
    _drop(correction, judge, now)
    return correction


def correction_of(turn: Turn, correction_id: object) -> Correction | None:
    """A correction of a turn by its key from a form; None if there is none."""
    text = str(correction_id)
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        return None
    return Correction.objects.filter(turn=turn, pk=int(text)).first()


def send_proposal(turn: Turn, judge: Judge, ruling: NewRuling, token: str, instead_of: str, now: datetime) -> Success:
    """3.3.3: propose a correction by one more ruling; `instead_of` is the key of a proposal to replace."""
    before = correction_of(turn, instead_of)
    propose_correction(turn=turn, judge=judge, rulings=[ruling], token=token, now=now, instead_of=before)
    message = gettext("The correction is computed. Nothing changes until you apply it.")
    return Success(message, f"{reverse('judge:corrections', args=[turn.pk])}#proposed")


def decide_proposal(turn: Turn, judge: Judge, correction_id: object, act: str, now: datetime) -> str:
    """3.3.3: apply or drop a proposal: `act` is `apply` or `drop`."""
    correction = correction_of(turn, correction_id)
    if correction is None or act not in ("apply", "drop"):
        raise Refused(gettext("Choose which correction to apply or drop."))
    if act == "drop":
        drop_correction(correction=correction, judge=judge, now=now)
        return gettext("The proposal was dropped.")
    apply_correction(correction=correction, judge=judge, now=now)
    return gettext("Turn %(number)s was corrected.") % {"number": turn.number}


def _check_fresh(correction: Correction, turn: Turn, following: Turn) -> None:
    """3.3.3: a correction must be of the current report, and its rulings must have the numbers that it names."""
    current = (turn.next_hash, following.position_hash, next_number(turn), turn.events)
    computed = (correction.old_hash, correction.old_hash, correction.first_number, correction.old_events)
    if current != computed:
        raise Refused(
            gettext("Another correction was applied after this one was computed. Propose this one again."), "3.3.3"
        )


def _number_rulings(correction: Correction) -> list[int]:
    """3.3.3: give the rulings of a correction their numbers, by which they are cited from now on, and return them."""
    rows = list(correction.rulings.order_by("pk"))
    for number, row in enumerate(rows, correction.first_number):
        row.number = number
    Ruling.objects.bulk_update(rows, ["number"])
    return list(range(correction.first_number, correction.first_number + len(rows)))


def _proposed(
    turn: Turn,
    following: Turn,
    rows: list[Ruling],
    judge: Judge,
    token: str,
    now: datetime,
    anew: PublishedResult | None = None,
) -> Correction:
    """The stored proposal with its rulings. It is computed with the numbers that they will have; `anew` is the
    result of a battle that is judged again."""
    old = world.position_of_turn(following)
    correction = Correction(turn=turn, judge=judge, token=token, made_at=now)
    correction.old_events, correction.old_hash = turn.events, turn.next_hash
    correction.old_position = codec.position_to_json(old)
    correction.first_number = next_number(turn)
    for number, row in enumerate(rows, correction.first_number):
        row.turn, row.judge, row.made_at, row.number = turn, judge, now, number
    settled = _computed(turn, rows, anew)
    correction.events = [event_to_json(event) for event in settled.events]
    correction.position = codec.position_to_json(settled.position)
    correction.next_hash = codec.digest(correction.position)
    correction.save()
    for row in rows:
        row.correction, row.number = correction, None
    Ruling.objects.bulk_create(rows)
    return correction


def _computed(turn: Turn, rows: list[Ruling], anew: PublishedResult | None) -> Settlement:
    """The turn settled again with the current and the further rulings, and with another result of a battle. Refused
    if that would win the round."""
    turn_input = InputOfTurn(turn)
    rulings = rulings_as_rules([*counting_rulings(turn), *rows], turn_input.names)
    everything = turn_input.for_settlement()
    results = everything.results
    if anew is not None:
        instead = results_as_rules([anew], turn_input.position)[0]
        results = tuple(instead if one.at == instead.at else one for one in results)
    inputs = replace(everything, rulings=rulings, results=results)
    settled = settlement.settle(turn_input.position, inputs, turn_input.dice())
    if settled.position.won_by:
        raise Refused(gettext("This correction would make one side win the round. A correction can't do that."), "1.7")
    return settled


def _copied(instead_of: Correction | None, turn: Turn) -> list[Ruling]:
    if instead_of is None:
        return []
    _check_by_itself(instead_of)
    if instead_of.turn_id != turn.pk or instead_of.state != State.PROPOSED:
        raise Refused(gettext("That proposal has already been decided. Start a new one."), "3.3.3")
    columns = ("kind", "army", "square", "data", "cites", "reason")
    return [Ruling(**{name: getattr(row, name) for name in columns}) for row in instead_of.rulings.order_by("pk")]


def _drop(correction: Correction, judge: Judge, now: datetime) -> None:
    if correction.state == State.PROPOSED:
        _decide(correction, State.DROPPED, judge, now)
        record(correction.turn.round, judge.user, "correction.dropped", {"turn": correction.turn.number}, now)


def _decide(correction: Correction, state: str, judge: Judge, now: datetime) -> None:
    correction.state, correction.decided_at, correction.decided_by = state, now, judge
    correction.save(update_fields=["state", "decided_at", "decided_by"])


class KeptBattle(NamedTuple):
    """3.3.3: a battle of the next turn that still exists after a correction, as before and after it."""

    was: TurnBattle
    now: rules.Battle


class ComparedBattles(NamedTuple):
    """3.3.3: the effects of a correction on the next turn's battles: those that continue, vanish, and are new."""

    kept: list[KeptBattle]
    gone: list[TurnBattle]
    new: list[rules.Battle]


def held_next_turn(turn: Turn, now: datetime) -> Turn:
    """3.3.3: the next turn, its row locked, if it is still open; only the last settled turn can be corrected."""
    if turn.state != TurnState.SETTLED:
        raise Refused(
            gettext("Turn %(number)s isn't settled yet. Rule on its draft instead.") % {"number": turn.number}, "3.3.3"
        )
    rows = Turn.objects.select_related("round")
    following = locking.hold_first(rows.filter(round_id=turn.round_id, number=turn.number + 1))
    if following is None:
        raise Refused(
            gettext("Turn %(number)s can't be corrected because no turn followed it.") % {"number": turn.number},
            "3.3.3",
        )
    if following.state != TurnState.OPEN or not clock.is_in_time(now, following.lock_at):
        raise Refused(
            gettext(
                "Turn %(number)s locked on %(utc)s, so you can't correct turn %(number2)s any more. Rule on turn "
                "%(number)s instead."
            )
            % {"number": following.number, "utc": utc(following.lock_at), "number2": turn.number},
            "3.3.3",
        )
    return following


def _carry_out(correction: Correction, turn: Turn, following: Turn, now: datetime) -> None:
    """Everything but the correction's own row: the report, the map, the rows, control and the battles. Both turns' rows
    must be locked. Refused for a battle that was judged.

    The rows have the maps without the losses by penalties (5.4.1); the next turn's takes them from the corrected map
    too.
    """
    opened = codec.position_from_json(correction.position)
    before, old = position_of(turn), position_of(following)
    new = punished(opened, penalties_for(following, opened))
    ids = InputOfTurn(turn).army_ids
    new_ids = world.keys_after(new, ids)
    battles = _compared(held_battles(following), new, new_ids)
    former_names = otherwise_called(new, old)
    _check_unjudged(battles, old, new, former_names)
    report = {"events": correction.events, "next_hash": correction.next_hash, "is_ruled": True, "rules": RULES}
    Turn.objects.filter(pk=turn.pk).update(**report)
    Turn.objects.filter(pk=following.pk).update(position=correction.position, position_hash=correction.next_hash)
    world.store_correction(turn, before, old, new, ids)
    world.correct_control(turn, before, old, new, ids, now)
    note_changes(turn, correction.events)
    _change_battles(correction, following, new, battles, new_ids, former_names, now)
    Notice.objects.bulk_create(_notices(correction, turn, following, now))
    world.remember(correction.next_hash, opened)


def _compared(rows: Sequence[TurnBattle], new: Position, ids: Mapping[str, int]) -> ComparedBattles:
    """`rows` are the stored battles of the next turn, `new` is its map after the correction, `ids` are the armies'
    keys: an army is the same under any name (2.6)."""
    new_battles = {(str(battle.at), frozenset(ids[name] for name in battle.armies)): battle for battle in new.battles}
    stored = {(row.at, row.armies): row for row in rows}
    return ComparedBattles(
        kept=[KeptBattle(row, new_battles[key]) for key, row in stored.items() if key in new_battles],
        gone=[row for key, row in stored.items() if key not in new_battles],
        new=[battle for key, battle in new_battles.items() if key not in stored],
    )


def _check_unjudged(battles: ComparedBattles, old: Position, new: Position, former_names: Mapping[str, str]) -> None:
    """R38: a locked score can't change. Its battle must not vanish, nor be fought by other troops.

    `former_names` are the armies' names in `old` by those in `new`, where they differ (2.6).
    """
    for row in battles.gone:
        if row.is_judged:
            raise Refused(
                gettext("This would remove the battle on %(at)s, which has already been scored.") % {"at": row.at},
                "R38",
            )
    for row, battle in battles.kept:
        pairs = [(_strength(old, former_names.get(name, name)), _strength(new, name)) for name in battle.armies]
        changed = row.defends != battle.defends or any(was != now for was, now in pairs)
        if changed and row.is_judged:
            raise Refused(
                gettext("This would change the armies in the battle on %(at)s, which has already been scored.")
                % {"at": row.at},
                "R38",
            )


def _strength(position: Position, name: str) -> tuple[object, ...]:
    """The properties of an army that matter for its battle: side, rank, colors and troops."""
    army = position.by_name[name]
    return army.side, army.rank, army.colors, army.troops


def _change_battles(
    correction: Correction,
    following: Turn,
    new: Position,
    battles: ComparedBattles,
    ids: Mapping[str, int],
    former_names: Mapping[str, str],
    now: datetime,
) -> None:
    """R25, R38: a battle that still exists keeps its row, seed and strats; a new one gets a fresh seed and time."""
    cancel_battles(battles.gone, correction.pk)
    for row, battle in battles.kept:
        set_opponents(row, battle.defends, {ids[name]: name for name in battle.armies if name in former_names})
    deadline = _deadline(following, now)
    open_late_battles(following, new, battles.new, ids, announced_at=now, deadline=deadline)


def _notices(correction: Correction, turn: Turn, following: Turn, now: datetime) -> list[Notice]:
    """3.1: the public notices: in the thread of the corrected turn, and with the battles of the next one."""
    kinds = ("moved", "refused", "engaged")
    counts = {kind: sum(event["kind"] == kind for event in correction.events) for kind in kinds}
    difference = difference_of(correction)
    rulings = list(correction.rulings.order_by("number").values("number", "cites", "reason"))
    data = {"turn": turn.number, "correction": correction.pk, **counts}
    notice_data = {**data, "armies": [army["army"] for army in difference["armies"]], "rulings": rulings}
    notices = [_notice(turn, Notice.Thread.MOVEMENT, notice_data, now)]
    if any(difference["battles"].values()):
        notice_data = {**data, "following": following.number, "deadline": _deadline(following, now).isoformat()}
        notice_data["battles"] = battles_that_differ(correction)
        notices.append(_notice(following, Notice.Thread.ANNOUNCEMENTS, notice_data, now))
    return notices


def _notice(turn: Turn, thread: Notice.Thread, data: codec.Json, now: datetime) -> Notice:
    return Notice(turn=turn, thread=thread, kind="correction", at=now, data=data)


def _deadline(following: Turn, now: datetime) -> datetime:
    """R5: a player who is in a battle late has as long for their strat as the time between deadline and lock."""
    return max(following.deadline, now + following.round.deadline_before_lock)
