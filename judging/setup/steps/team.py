"""2.5.1: what the leaders of a team have to do with the set-up: requests, descriptions and the win conditions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from judging.armies.models import HandedIn
from judging.armies.musters.reads import is_leader
from judging.command.models import Admission
from judging.game.viewer import Viewer
from judging.setup.models import PlannedSite, RoundSetup, SideWish
from judging.setup.reads import setup_of
from judging.setup.steps.sites import KINDS, is_revealed, may_see, planned_sites, side_of
from judging.setup.steps.wins import WIN_CONDITIONS
from judging.setup.steps.wishes import wish_of
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class OwnSite:
    """2.5.1.2: a base as its side's leaders have it before them; `at` is empty if they may not see it yet."""

    row: PlannedSite
    at: str

    @property
    def is_open(self) -> bool:
        """Whether its description may be changed now."""
        return self.row.state != HandedIn.ACCEPTED


@dataclass(frozen=True)
class TeamDesk:
    """2.5.1: the part of a round's set-up that one team's leaders have. `asking` counts those who wait for
    admission (1.1); `wins` are None for Phyrexia (2.5.1.3)."""

    round: Round
    setup: RoundSetup
    player: Player
    side: Side
    sites: tuple[OwnSite, ...]
    wish: SideWish | None
    asking: int
    wins: tuple[int, ...] | None
    chosen_at: datetime | None
    is_public: bool

    @property
    def is_choosing(self) -> bool:
        """2.5.1.3: whether the win conditions may be chosen now."""
        return self.wins is not None and not self.is_public

    @property
    def waits(self) -> tuple[str, ...]:
        """What the judge waits for from this team, in sentences."""
        lacking = sum(site.row.state in (HandedIn.DRAFT, HandedIn.REFUSED) for site in self.sites)
        words = "One description is" if lacking == 1 else f"{lacking} descriptions are"
        found = [f"{words} to be handed in."] if lacking else []
        if self.is_choosing and self.chosen_at is None:
            found.append(f"The {WIN_CONDITIONS} win conditions are to be chosen.")
        if self.asking:
            found.append(f"{'One asks' if self.asking == 1 else f'{self.asking} ask'} for admission.")
        return tuple(found)


def team_desk(viewer: Viewer) -> TeamDesk | None:
    """1.1, 2.5.1: the set-up for a leader of a team, as long as the round has not begun; None for everybody else."""
    setup, player, side = setup_of(viewer.round), viewer.player, viewer.side
    if setup is None or viewer.round.state != RoundState.SETUP or player is None or side is None:
        return None
    if not is_leader(player):
        return None
    own = [site for site in planned_sites(viewer.round, KINDS.BASE, KINDS.PORTAL) if side_of(site) is side]
    chooses = side is Side.COALITION
    return TeamDesk(
        round=viewer.round,
        setup=setup,
        player=player,
        side=side,
        sites=tuple(OwnSite(site, site.at if may_see(viewer, setup, site) else "") for site in own),
        wish=wish_of(viewer.round, side),
        asking=Admission.objects.filter(round=viewer.round, side=side.value, state=Admission.State.ASKED).count(),
        wins=tuple(site.pk for site in own if site.is_win) if chooses else None,
        chosen_at=setup.chosen_at if chooses else None,
        is_public=is_revealed(setup),
    )


def has_leader(round: Round, side: Side) -> bool:
    """1.1: whether a side has a leader who could act for it."""
    players = Player.objects.filter(round=round, side=side.value, left_at__isnull=True)
    return any(is_leader(player) for player in players)
