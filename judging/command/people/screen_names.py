"""1.6: Screen names: which are taken, and how a player gets another one from the battle judge.

They keep their powers under it.
"""

from collections.abc import Iterator
from datetime import datetime

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils.translation import gettext

from judging.accounts.names import accounts_called, check_like_nobody, check_seen
from judging.armies.musters.services import handed_in
from judging.command.control.services import hold_list
from judging.command.models import NameChange
from judging.common import locking
from judging.common.confusable_names import composed
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.rounds import current_turn
from judging.common.texts import check_storable, checked_text
from judging.turns.states import is_open
from wargame.models import Army, Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.screen_names import RULE, is_same_name, screen_name_faults

State = NameChange.State
MAX_REASON = 2_000


def taken_names(round: Round, user: User | None, name: str, player: Player | None = None) -> list[str]:
    """1.6: The names that nobody else may take in a round: those of its players, past and present, its judges, and its
    armies, including submitted ones (2.5.2.2), and that of another person's account.

    A player's own names and their namesake army's don't count against them.
    """
    return [*_names_of_round(round, user, player), *accounts_called(name, user)]


def _names_of_round(round: Round, user: User | None, player: Player | None) -> Iterator[str]:
    for other in Player.objects.filter(round=round):
        if player is None or other.pk != player.pk:
            yield from (other.name, *(old for old, _ in other.former_names))
    judges = Judge.everybody.filter(round=round).exclude(user=user)
    yield from judges.values_list("name", flat=True)
    musters = handed_in(round).filter(round__state=RoundState.SETUP).exclude(name="")
    yield from (musters.exclude(namesake=player) if player else musters).values_list("name", flat=True)
    armies = Army.objects.filter(round=round)
    for army in armies.exclude(namesake=player) if player else armies:
        yield from (army.name, *army.former)


def checked_screen_name(round: Round, user: User, name: str, player: Player | None = None) -> str:
    """1.6: A valid name for a player in a round; raises Refused with the errors.

    `player` is the one who asks for another name; their own does not count as taken.
    """
    check_storable(name, what="name", cites=RULE)
    check_seen(name)
    used_names = taken_names(round, user, name, player)
    faults = screen_name_faults(name, used_names)
    if faults:
        raise Refused(" ".join(faults), RULE, "name")
    if not is_same_name(name, user.username):  # an account's own name was looked at when it was made
        check_like_nobody(name, used_names)
    return name


@locking.writes
def ask_name(*, player: Player, name: str, now: datetime) -> NameChange:
    """1.6: Ask the battle judge for another screen name. Raises Refused for an invalid or taken one."""
    name = checked_screen_name(player.round, player.user, composed(name), player)
    if name == player.name:
        raise Refused(gettext("You are already called %(name)s.") % {"name": name}, RULE, "name")
    try:
        with locking.transaction():
            change = NameChange.objects.create(player=player, old=player.name, new=name, asked_at=now)
    except IntegrityError:
        raise Refused(gettext("You have already asked for another name. Withdraw that first."), RULE, "name") from None
    record(player.round, player.user, "name.asked", {"old": player.name, "new": name}, now)
    return change


@locking.writes
def withdraw_name(*, change: NameChange, player: Player, now: datetime) -> None:
    """1.6: Withdraw a player's request for another name."""
    row = _held_name_change(change)
    if row.player_id != player.pk:
        raise Refused(gettext("Only the person asking for a name can withdraw it."), RULE)
    row.state, row.decided_at = State.WITHDRAWN, now
    row.save(update_fields=["state", "decided_at"])
    record(player.round, player.user, "name.withdrawn", {"old": row.old, "new": row.new}, now)


@locking.writes
def decide_name(*, change: NameChange, judge: Judge | None, grant: bool, reason: str, now: datetime) -> None:
    """1.6: The battle judge grants a name, which counts from now on, or refuses it with a reason.

    The old one stays the player's, and is kept in old texts. Granted while a turn is open, or before the first: a turn
    that is being settled knows its players by their names at its lock.
    """
    round_ = change.player.round
    if judge is None or judge.round_id != round_.pk or judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges of this round can decide on screen names."), RULE)
    hold_list(round_, now)
    row = _held_name_change(change)
    if not grant or reason.strip():
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites=RULE)
    row.state = State.GRANTED if grant else State.REFUSED
    row.judge, row.decided_at, row.reason = judge, now, reason
    if grant:
        turn = current_turn(round_)
        if turn is not None and not is_open(turn, now):
            raise Refused(
                gettext("Turn %(number)s is being settled. Grant the name when the next one is open.")
                % {"number": turn.number},
                RULE,
            )
        _rename(row.player, row.new, now)
    row.save(update_fields=["state", "judge", "decided_at", "reason"])
    data = {"old": row.old, "new": row.new, "reason": reason}
    record(round_, judge.user, f"name.{row.state}", data, now)


def _rename(player: Player, name: str, now: datetime) -> None:
    checked_screen_name(player.round, player.user, name, player)
    player.former_names = [*player.former_names, [player.name, now.isoformat()]]
    player.name = name
    player.save(update_fields=["name", "former_names"])


def _held_name_change(change: NameChange) -> NameChange:
    row = locking.hold(NameChange.objects.select_related("player__round", "player__user"), pk=change.pk)
    if row.state != State.ASKED:
        raise Refused(
            gettext("This request is already %(get_state_display)s.") % {"get_state_display": row.get_state_display()},
            RULE,
        )
    return row
