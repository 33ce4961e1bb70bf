"""1.6: a player asks the battle judge for another screen name, and keeps his powers under it."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from judging.command.control.writes import hold_list
from judging.command.models import NameChange
from judging.command.people.joining import checked_screen_name
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.rounds import current_turn
from judging.game.texts import checked_text
from judging.game.turn_states import is_open
from wargame.models import Judge, Player
from wargame.models.choices import Role
from wargame.rules.command.screen_names import RULE

State = NameChange.State
MAX_REASON = 2_000


@transaction.atomic
def ask_name(*, player: Player, name: str, now: datetime) -> NameChange:
    """1.6: asks the battle judge for another screen name. Refused for one that can't be, or is somebody else's."""
    name = checked_screen_name(player.round, player.user, " ".join(name.split()), player)
    if name == player.name:
        raise Refused(f"You are called {name} already.", RULE, "name")
    try:
        with transaction.atomic():
            asked = NameChange.objects.create(player=player, old=player.name, new=name, asked_at=now)
    except IntegrityError:
        raise Refused("You have asked for another name already; withdraw that first.", RULE, "name") from None
    record(player.round, player.user, "name.asked", {"old": player.name, "new": name}, now)
    return asked


@transaction.atomic
def withdraw_name(*, change: NameChange, player: Player, now: datetime) -> None:
    """1.6: takes one's request back."""
    held = _held(change)
    if held.player_id != player.pk:
        raise Refused("Only who asked for a name takes it back.", RULE)
    held.state, held.decided_at = State.WITHDRAWN, now
    held.save(update_fields=["state", "decided_at"])
    record(player.round, player.user, "name.withdrawn", {"old": held.old, "new": held.new}, now)


@transaction.atomic
def decide_name(*, change: NameChange, judge: Judge | None, grant: bool, reason: str, now: datetime) -> None:
    """1.6: the battle judge grants a name, which counts from now on, or refuses it with a reason.

    The old one stays the player's, and stands where it was written. Granted while a turn is open, or before the first:
    a turn that is being settled knows its players by the names that they had at its lock.
    """
    round_ = change.player.round
    if judge is None or judge.round_id != round_.pk or judge.role != Role.BATTLE:
        raise Refused("Only a battle judge of this round decides about screen names.", RULE)
    hold_list(round_, now)
    held = _held(change)
    if not grant or reason.strip():
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites=RULE)
    held.state = State.GRANTED if grant else State.REFUSED
    held.judge, held.decided_at, held.reason = judge, now, reason
    if grant:
        turn = current_turn(round_)
        if turn is not None and not is_open(turn, now):
            raise Refused(f"Turn {turn.number} is being settled. Grant the name when the next one is open.", RULE)
        _rename(held.player, held.new, now)
    held.save(update_fields=["state", "judge", "decided_at", "reason"])
    data = {"old": held.old, "new": held.new, "reason": reason}
    record(round_, judge.user, f"name.{held.state}", data, now)


def _rename(player: Player, name: str, now: datetime) -> None:
    checked_screen_name(player.round, player.user, name, player)
    player.former_names = [*player.former_names, [player.name, now.isoformat()]]
    player.name = name
    player.save(update_fields=["name", "former_names"])


def _held(change: NameChange) -> NameChange:
    rows = NameChange.objects.select_for_update(of=("self",)).select_related("player__round", "player__user")
    held = rows.get(pk=change.pk)
    if held.state != State.ASKED:
        raise Refused(f"This request is {held.get_state_display()} already.", RULE)
    return held
