"""5.2: the control list: how it is held while it is changed, and how an army changes hands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext

from judging.command.control.reads import list_state, namesake_of, players_of
from judging.game import locking
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.notices.models import Notice
from wargame.models import Army, Control, Player, Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.command.control_list import Listed, by_default
from wargame.rules.core import clock
from wargame.rules.core.sides import TEAMS, Rank


@locking.writes
def assign(
    *,
    round: Round,
    army: Army,
    player: Player | None,
    now: datetime,
    replace: bool = True,
    actor: AbstractBaseUser | None = None,
) -> None:
    """5.2.1: gives an army to a player from now on, or to nobody if `player` is None. Without `replace` those who
    control it now keep it too.

    Nothing is written or logged for what is so already. Refused for an army or a player of another round or side (1.1).
    Nothing of 5.3 is asked: that is for requests (`request_writes`).
    """
    # Of two who change the same army at once the second closes the spans that the first has opened.
    army = locking.hold(Army.objects, pk=army.pk)
    if army.round_id != round.pk or (player and (player.round_id, player.side) != (round.pk, army.side)):
        raise Refused(
            gettext("In this round, only a player on its own side can control %(name)s.") % {"name": army.name},
            "1.1",
        )
    wanted = [player] if player else []
    if not replace:
        wanted += Player.objects.filter(controls__army=army, controls__until__isnull=True)
    if set_controllers(army, wanted, now):
        data = {"army": army.name, "player": player.name if player else None}
        record(round, actor, "control.assigned", data, now)


def set_controllers(army: Army, players: Sequence[Player], now: datetime) -> bool:
    """5.2.1: makes `players` the ones who control an army from now on, and says whether that changes anything.

    The row of somebody who controls it already goes on, so that his control counts from when it began.
    """
    present = Control.objects.filter(army=army, until__isnull=True)
    ended = present.exclude(player__in=players).update(until=now)
    have = set(present.values_list("player_id", flat=True))
    new = {player.pk: player for player in players if player.pk not in have}
    Control.objects.bulk_create(
        Control(round_id=army.round_id, army=army, player=player, since=now) for player in new.values()
    )
    return bool(ended or new)


def hold_list(round: Round, now: datetime) -> Turn | None:
    """R44: the present turn, held against its lock and against other changes of the list until the transaction ends.

    None before the round begins. Refused while the clock still says that the turn is open and it is locked already,
    so that no change reaches a lock that has read the list; when the round is over, and in an archive.
    """
    held = locking.hold(Round.objects, pk=round.pk)
    turn = locking.hold_first(Turn.objects.filter(round=round).order_by("-number").defer("position", "events"))
    if held.state == RoundState.OVER:
        raise Refused(gettext("%(name)s is finished, so its control list can't change.") % {"name": round.name}, "1.5")
    if held.state == RoundState.ARCHIVE:
        raise Refused(
            gettext("%(name)s is an archive of a round played elsewhere. Change its control list there.")
            % {"name": round.name},
            "1.5",
        )
    if turn and turn.state != TurnState.OPEN and clock.is_in_time(now, turn.lock_at):
        raise Refused(
            gettext("Turn %(number)s locked while you sent this. Send it again.") % {"number": turn.number}, "R44"
        )
    return turn


def enlist(round: Round, now: datetime) -> None:
    """5.2.1: an army that was never on the list is controlled by the player of the same name, if he may (5.3.1)."""
    for side in TEAMS:
        unlisted = Army.objects.filter(round=round, side=side.value, died_in__isnull=True, controls__isnull=True)
        players = list(players_of(round, side)) if unlisted.exists() else []
        people = list_state(round, side, now).listed.people if players else ()
        for army in unlisted:
            by_name = by_default(Listed(army.name, Rank(army.rank), (), namesake_of(army, players)), people)
            set_controllers(army, [player for player in players if player.name in by_name.controllers], now)


def tell_list(round: Round, kind: str, data: Mapping[str, object], now: datetime) -> None:
    """5.2.1: a notice in the Proxy List thread of the present turn; none before the first turn."""
    turn = Turn.objects.filter(round=round).order_by("-number").only("pk").first()
    if turn is not None:
        Notice.objects.create(turn=turn, thread=Notice.Thread.PROXY, kind=kind, at=now, data=dict(data))
