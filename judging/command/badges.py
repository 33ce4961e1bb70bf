"""1.1, 5.3.4: Counts for badges of a viewer who leads their team."""

from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from judging.command.models import Admission, Declaration, Leave
from judging.common.control import is_leader
from judging.common.viewer import Viewer
from wargame.models import Control, Player
from wargame.models.choices import RoundState

WAITING_SECONDS = 5


@dataclass(frozen=True)
class TeamWaiting:
    """1.1, 5.3.4: How many ask the viewer's team for admission, if they decide about that, and how many of its
    players have no army, if they may request changes of the control list."""

    admissions: int = 0
    without_army: int = 0

    @property
    def total(self) -> int:
        return self.admissions + self.without_army


def waiting_for(viewer: Viewer) -> TeamWaiting:
    """1.1, 5.3.4: what waits for the viewer's decision at Teams: a statement for those who lead, and one for those who
    may ask for changes of the control list."""
    player, state = viewer.player, viewer.round.state
    if player is None or state not in (RoundState.RUNNING, RoundState.SETUP):
        return TeamWaiting()
    admissions = without_army = 0
    if is_leader(player):
        asked = Admission.objects.filter(round=viewer.round, side=player.side, state=Admission.State.ASKED)
        admissions = asked.count()
    if player.may_change_control and state == RoundState.RUNNING:
        without_army = players_without_army(player, timezone.now()).count()
    return TeamWaiting(admissions, without_army)


def waiting_lately(viewer: Viewer) -> TeamWaiting:
    """What the pages of a leader show, at most WAITING_SECONDS old: it mostly asks for nothing."""
    if viewer.player is None:
        return TeamWaiting()
    waiting: TeamWaiting | None = cache.get_or_set(_key(viewer.player), lambda: waiting_for(viewer), WAITING_SECONDS)
    return waiting or TeamWaiting()


def forget_team_waiting(player: Player | None) -> None:
    """The player has acted: their next page counts again."""
    if player is not None:
        cache.delete(_key(player))


def _key(player: Player) -> str:
    return f"team:{player.pk}"


def players_without_army(by: Player, now: datetime) -> QuerySet[Player]:
    """5.3.4, 5.1: The players of a team who could control an army and have none; not those who are away or declared
    so, and not those whose demotion left too few."""
    held = Control.objects.filter(player=OuterRef("pk"), until__isnull=True, army__died_in__isnull=True)
    away = Leave.objects.filter(Q(until__isnull=True) | Q(until__gt=now), player=OuterRef("pk"), since__lte=now)
    declared = Declaration.objects.filter(player=OuterRef("pk"), withdrawn_at__isnull=True, rejected_at__isnull=True)
    rows = Player.objects.filter(round=by.round_id, side=by.side, left_at__isnull=True, made_excess=False)
    return rows.exclude(rank="").exclude(Exists(held)).exclude(Exists(away)).exclude(Exists(declared))
