"""R60: how many are done with a turn, and who: by name for the judges, and for the leaders of one's own team."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from judging.command.control.reads import present_players
from judging.game.viewer import Viewer
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.states import is_open
from wargame.models import Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.command.ranks import is_leading
from wargame.rules.core.sides import Rank

JUDGES = (Role.MOVEMENT, Role.BATTLE)
"""R60, R5: the roles whose judges bring a lock forward, and read who is done."""

HOURS = (1, 2, 3, 6, 12, 24)
"""In how many hours a judge may have a turn lock that all are done with."""


@dataclass(frozen=True)
class DoneView:
    """R60: who is done with a turn, as its viewer may see it.

    `done` of the `of` players who control an army on the map are. `is_mine`: the viewer said so himself, and
    `may_mark`: he may. `names` and `missing` are of those whom he may read by name; `is_by_name`: there are others
    than himself.
    `locks_from`: the lock was brought forward from then. `may_lock` and `may_put_back`: what he may do as a judge.
    """

    done: int
    of: int
    is_mine: bool
    may_mark: bool
    is_by_name: bool
    names: tuple[str, ...]
    missing: tuple[str, ...]
    locks_from: datetime | None
    may_lock: bool
    may_put_back: bool
    hours: tuple[int, ...] = HOURS


def done_view(turn: Turn, viewer: Viewer, now: datetime) -> DoneView | None:
    """R60: None for a turn that is not open. Two statements."""
    if not is_open(turn, now):
        return None
    mark = DoneMark.objects.filter(turn=turn, player=OuterRef("pk"))
    players = sorted(_commanders(turn.round).annotate(is_done=Exists(mark)), key=_name)
    is_judge = judges_turns(viewer)
    marked = {player.pk for player in players if player.is_done}
    # Where no turn is locked early nobody need ask; but a judge finds one from before that was changed.
    early = standing_early_lock(turn) if turn.round.may_lock_early or is_judge else None
    named = [player for player in players if is_judge or _leads(viewer, player)]
    own = viewer.player.pk if viewer.player else None
    return DoneView(
        done=sum(player.pk in marked for player in players),
        of=len(players),
        is_mine=own in marked,
        may_mark=any(player.pk == own for player in players),
        is_by_name=is_judge or any(player.pk != own for player in named),
        names=tuple(player.name for player in named if player.pk in marked),
        missing=tuple(player.name for player in named if player.pk not in marked),
        locks_from=early.lock_before if early else None,
        may_lock=is_judge and turn.round.may_lock_early and early is None,
        may_put_back=is_judge and early is not None,
    )


def judges_turns(viewer: Viewer) -> bool:
    """R60: whether he may bring a lock forward where the round allows it."""
    return any(viewer.is_judge(role) for role in JUDGES)


def commanders_of(round: Round) -> list[Player]:
    """5.2.1: the players who control an army on the map, by name."""
    return sorted(_commanders(round), key=_name)


def _commanders(round: Round) -> QuerySet[Player]:
    controlling = {"controls__until__isnull": True, "controls__army__died_in__isnull": True}
    rows = Player.objects.filter(round=round, left_at__isnull=True, controls__isnull=False, **controlling)
    return rows.distinct()


def _name(player: Player) -> str:
    return player.name.casefold()


def marked_in(turn: Turn) -> set[int]:
    """R60: the keys of the players who are done with a turn."""
    return set(DoneMark.objects.filter(turn=turn).values_list("player_id", flat=True))


def standing_early_lock(turn: Turn) -> EarlyLock | None:
    """R60: the lock that was brought forward and stands."""
    return EarlyLock.objects.filter(turn=turn, ended_at__isnull=True).first()


def waited_for(turn: Turn, now: datetime) -> list[str]:
    """R60, R43: the names of the active players who control an army on the map and are not done."""
    marked, present = marked_in(turn), present_players(turn.round, now)
    players = commanders_of(turn.round)
    return [player.name for player in players if player.pk in present and player.pk not in marked]


def _leads(viewer: Viewer, player: Player) -> bool:
    """1.1: whether the viewer leads the player's team, or is that player."""
    leader = viewer.player
    if leader is None or leader.side != player.side:
        return False
    return leader.pk == player.pk or is_leading(Rank(leader.rank) if leader.rank else None)
