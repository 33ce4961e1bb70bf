"""2.5.1: a team's leaders in the set-up: their desk, its pages, and their requests."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied
from django.http import Http404, QueryDict
from django.utils.translation import gettext, gettext_noop, ngettext

from judging.armies.models import HandedIn
from judging.command.models import Admission
from judging.common import locking
from judging.common.control import is_leader
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import check_storable
from judging.common.viewer import Viewer
from judging.setup.models import PlannedSite, RoundSetup, SideWish
from judging.setup.preparation import preparation_of
from judging.setup.services import open_setup, setup_of
from judging.setup.sites import KINDS, WIN_CONDITIONS, is_revealed, may_see, side_of
from judging.setup.step import SetupForm
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.core.saying import grouped
from wargame.rules.core.sides import Side

MAX_WISH = 4_000


@dataclass(frozen=True)
class OwnSite:
    """2.5.1.2: a base as its side's leaders see it; `at` is empty if they may not see its square yet."""

    row: PlannedSite
    at: str

    @property
    def is_open(self) -> bool:
        """Whether its description may be edited now."""
        return self.row.state != HandedIn.ACCEPTED


@dataclass(frozen=True)
class TeamPreparation:
    """2.5.1: a team's part of a round's set-up, for its leaders. `asking` counts the players who wait for admission
    (1.1); `wins` are None for Phyrexia (2.5.1.3)."""

    round: Round
    setup: RoundSetup
    player: Player
    side: Side
    sites: tuple[OwnSite, ...]
    asking: int
    wins: tuple[int, ...] | None
    chosen_at: datetime | None
    is_public: bool

    @cached_property
    def wish(self) -> SideWish | None:
        """2.5.1.1: the leaders' request."""
        return SideWish.objects.filter(round=self.round, side=self.side.value).first()

    @property
    def is_choosing(self) -> bool:
        """2.5.1.3: whether the win conditions may be chosen now."""
        return self.wins is not None and not self.is_public

    @property
    def waits(self) -> tuple[str, ...]:
        """What the judge waits for from this team, in sentences."""
        lacking = sum(site.row.state in (HandedIn.DRAFT, HandedIn.REFUSED) for site in self.sites)
        sentences = []
        if lacking:
            text = ngettext("Submit one description.", "Submit %(number)s descriptions.", lacking)
            sentences.append(text % {"number": lacking})
        if self.is_choosing and self.chosen_at is None:
            sentences.append(gettext("Choose the %(number)s win conditions.") % {"number": WIN_CONDITIONS})
        if self.asking:
            text = ngettext("One player is asking to join.", "%(number)s players are asking to join.", self.asking)
            sentences.append(text % {"number": self.asking})
        return tuple(sentences)


def team_desk(viewer: Viewer) -> TeamPreparation | None:
    """1.1, 2.5.1: the set-up for a leader of a team until the round begins; None for all others."""
    setup, player, side = setup_of(viewer.round), viewer.player, viewer.side
    if setup is None or viewer.round.state != RoundState.SETUP or player is None or side is None:
        return None
    if not is_leader(player):
        return None
    sites = [site for site in preparation_of(setup).sites(KINDS.BASE, KINDS.PORTAL) if side_of(site) is side]
    chooses = side is Side.COALITION
    return TeamPreparation(
        round=viewer.round,
        setup=setup,
        player=player,
        side=side,
        sites=tuple(OwnSite(site, site.at if may_see(viewer, setup, site) else "") for site in sites),
        asking=Admission.objects.filter(round=viewer.round, side=side.value, state=Admission.State.ASKED).count(),
        wins=tuple(site.pk for site in sites if site.is_win) if chooses else None,
        chosen_at=setup.chosen_at if chooses else None,
        is_public=is_revealed(setup),
    )


def changed_meanwhile(cites: str) -> Refused:
    """2.5.1: the refusal to overwrite another leader's text."""
    return Refused(
        gettext(
            "Another leader on your team has changed this. Your text is still in the form. If you save again, it "
            "will replace theirs."
        ),
        cites,
    )


class TeamForm(SetupForm):
    """2.5.1: a form of a team's leaders. `closed` and `not_yours` tell why it can't be had."""

    closed: ClassVar[str] = gettext_noop("The round has started, so you can't change its set-up any more.")
    not_yours: ClassVar[str] = gettext_noop("Only the leaders of the two teams can see these pages (1.1).")

    def __init__(self, page: "TeamPage", desk: TeamPreparation, data: QueryDict | None, is_sent: bool) -> None:
        self.desk, self.round, self.player, self.template = desk, desk.round, desk.player, page.template
        super().__init__(data, is_sent)


@dataclass(frozen=True)
class TeamPage:
    """2.5.1: an entry in `overview.TEAM_PAGES`: a page of a team's leaders. `key` is its tab and its name in the API,
    `name` that of its address."""

    key: str
    name: str
    address: str
    template: str
    form: type[TeamForm]

    def open(self, viewer: Viewer, data: QueryDict | None, *, is_sent: bool = True) -> TeamForm:
        """Its form for the viewer's team. Raises Http404 after the round has begun, PermissionDenied for everybody but
        the team's leaders."""
        if viewer.round.state != RoundState.SETUP or setup_of(viewer.round) is None:
            raise Http404(gettext(self.form.closed))
        desk = team_desk(viewer)
        if desk is None:
            raise PermissionDenied(gettext(self.form.not_yours))
        return self.form(self, desk, data, is_sent)


class WishForm(TeamForm):
    """2.5.1.1: what the leaders of a side ask of the judge about their bases; one text a side, empty: nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        saved = self.desk.wish.text if self.desk.wish else ""
        self.text = (self.values.get("text", "") if self.values else saved).replace("\r\n", "\n")

    def context(self) -> dict[str, object]:
        return {"text": self.text}

    @locking.writes
    def save(self) -> str:
        """Refused on top of a version that is not the last."""
        open_setup(self.round)
        leader, text = self.player, self.text.strip()
        check_storable(text, what="text", cites="2.5.1.1")
        if len(text) > MAX_WISH:
            told = gettext("The text is limited to %(most)s characters; yours has %(number)s.")
            raise Refused(told % {"number": grouped(len(text)), "most": grouped(MAX_WISH)}, "2.5.1.1")
        given = {"written_by": leader.name, "saved_at": self.now}
        SideWish.objects.get_or_create(round=self.round, side=leader.side, defaults=given)
        wish = locking.hold(SideWish.objects, round=self.round, side=leader.side)
        if wish.version != self.base_version:
            raise changed_meanwhile("2.5.1.1")
        if wish.text != text:
            wish.text, wish.written_by, wish.saved_at, wish.version = text, leader.name, self.now, wish.version + 1
            wish.save()
            record(self.round, leader.user, "setup.asked", {"side": leader.side}, self.now)
        return gettext("Saved. Your leaders and the battle judges can read it.")
