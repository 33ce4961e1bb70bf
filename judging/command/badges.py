"""1.1, 5.3.4: what waits for a viewer because he leads his team, counted for badges."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Case, Count, Exists, Expression, IntegerField, OuterRef, Q, QuerySet, Subquery, When
from django.utils import timezone

from judging.command.models import Admission, Declaration, Leave
from judging.common.control import LEADERS
from judging.common.viewer import Viewer, counted_with_players
from wargame.models import Control, Player
from wargame.models.choices import RoundState
from wargame.rules.core.sides import RANKS

ADMISSIONS, WITHOUT_ARMY = "waiting_admissions", "waiting_for_army"
"""The attributes of a viewer's player that hold the counts."""


@dataclass(frozen=True)
class TeamWaiting:
    """1.1, 5.3.4: how many ask his team for admission, if he decides about that, and how many of its players have no
    army, if he may ask for changes of the control list."""

    admissions: int = 0
    without_army: int = 0

    @property
    def total(self) -> int:
        return self.admissions + self.without_army


def waiting_for(viewer: Viewer) -> TeamWaiting:
    """1.1, 5.3.4: what waits for the viewer's decision at Teams, as it was counted with his player's row. It asks for
    nothing itself but on the page of a form that did not go through: who writes is found without."""
    player = viewer.player
    if player is None or viewer.round.state not in (RoundState.RUNNING, RoundState.SETUP):
        return TeamWaiting()
    if not hasattr(player, ADMISSIONS):
        (player,) = Player.objects.filter(pk=player.pk).annotate(**_counted(timezone.now()))
    return TeamWaiting(getattr(player, ADMISSIONS, None) or 0, getattr(player, WITHOUT_ARMY, None) or 0)


def watch() -> None:
    """From now on what waits is counted in the statement by which a viewer's player is found."""
    counted_with_players["command"] = _counted


def players_without_army(by: Player, now: datetime) -> QuerySet[Player]:
    """5.3.4, 5.1: the players of a team who could control an army and have none; not those who are away or declared so,
    and not those whose demotion made too few."""
    return _without_army(by.round_id, by.side, now)


def _counted(now: datetime) -> dict[str, Expression | Subquery]:
    """Of leaders and of those who may ask for changes alone; nobody else's statement takes longer."""
    team = {"round": OuterRef("round"), "side": OuterRef("side")}
    asked = Admission.objects.filter(**team, state=Admission.State.ASKED)
    without = _without_army(OuterRef("round"), OuterRef("side"), now)
    leads = [rank.value for ranks in RANKS.values() for rank in ranks if rank.tier <= LEADERS]
    is_running = Q(may_change_control=True, round__state=RoundState.RUNNING)
    return {
        ADMISSIONS: Case(When(rank__in=leads, then=_number(asked)), output_field=IntegerField()),
        WITHOUT_ARMY: Case(When(is_running, then=_number(without)), output_field=IntegerField()),
    }


def _number(rows: QuerySet[Admission] | QuerySet[Player]) -> Subquery:
    return Subquery(rows.order_by().values("side").annotate(number=Count("pk")).values("number"))


def _without_army(round: int | OuterRef, side: str | OuterRef, now: datetime) -> QuerySet[Player]:
    held = Control.objects.filter(player=OuterRef("pk"), until__isnull=True, army__died_in__isnull=True)
    away = Leave.objects.filter(Q(until__isnull=True) | Q(until__gt=now), player=OuterRef("pk"), since__lte=now)
    declared = Declaration.objects.filter(player=OuterRef("pk"), withdrawn_at__isnull=True, rejected_at__isnull=True)
    rows = Player.objects.filter(round=round, side=side, left_at__isnull=True, made_excess=False)
    return rows.exclude(rank="").exclude(Exists(held)).exclude(Exists(away)).exclude(Exists(declared))
