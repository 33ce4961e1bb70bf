"""2.5.1.3: the step of the Coalition's win conditions."""

from collections.abc import Collection, Iterator
from datetime import datetime

from django.core.exceptions import PermissionDenied
from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop, ngettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.log_entry import record
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import held_setup, open_setup, save_step
from judging.setup.sites import KINDS, WIN_CONDITIONS, is_revealed, planned_sites
from judging.setup.step import Problem, SentForm, StepKind, StepPage, missing, wrong
from judging.setup.team import TeamPage, TeamPreparation, checked_leader
from wargame.models import Judge, Player, Round
from wargame.rules.core.sides import Side


def find(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.3: that the Coalition has not chosen yet."""
    chosen = sum(site.is_win for site in prepared.sites(KINDS.BASE))
    if prepared.setup.chosen_at is None:
        yield missing(gettext("The Coalition's leaders have not chosen their 5 win conditions."), "2.5.1.3")
    elif chosen != WIN_CONDITIONS:
        yield wrong(
            gettext("Exactly %(wanted)s bases must be chosen, not %(chosen)s.")
            % {"chosen": chosen, "wanted": WIN_CONDITIONS},
            "2.5.1.3",
        )


STEP = StepKind(
    "wins",
    gettext_noop("Win conditions"),
    "2.5.1.3",
    gettext_noop("The Coalition's leaders choose five bases as win conditions."),
    find,
)


@locking.writes
def choose_wins(*, round: Round, player: Player | None, chosen: Collection[int], now: datetime) -> None:
    """2.5.1.3: the Coalition's leaders choose exactly 5 of its bases, before the bases are public.

    The last choice counts. Refused for everybody else, for another number, and after the reveal.
    """
    setup = open_setup(round)
    leader = checked_leader(round, player)
    if leader.side != Side.COALITION:
        raise Refused(
            gettext("Only the Coalition's leaders can choose win conditions. Every portal is a win condition."),
            "2.5.1.3",
        )
    _choose(setup, chosen)
    setup.chosen_by, setup.chosen_at = leader, now
    setup.save(update_fields=["chosen_by", "chosen_at"])
    record(round, leader.user, "setup.chosen", {}, now)


@locking.writes
def choose_wins_instead(*, round: Round, judge: Judge, chosen: Collection[int], now: datetime) -> None:
    """1.3, 2.5.1.3: the judge chooses for a Coalition that has no leader. Refused while it has one."""
    setup = held_setup(round, judge)
    if Preparation(setup).has_leader(Side.COALITION):
        raise Refused(gettext("The Coalition has leaders, so they make this choice."), "2.5.1.3")
    _choose(setup, chosen)
    setup.chosen_by, setup.chosen_at = None, now
    save_step(setup, "wins", judge, now)


def _choose(setup: RoundSetup, chosen: Collection[int]) -> None:
    if is_revealed(setup):
        raise Refused(gettext("The bases are public, so you can't change the choice."), "2.5.1.3")
    bases = {site.pk for site in planned_sites(setup.round, KINDS.BASE)}
    own = bases & set(chosen)
    if len(own) != WIN_CONDITIONS:
        told = ngettext(
            "Choose exactly %(wanted)s bases. You chose only %(number)s.",
            "Choose exactly %(wanted)s bases. You chose %(number)s.",
            len(own),
        )
        raise Refused(told % {"number": len(own), "wanted": WIN_CONDITIONS}, "2.5.1.3")
    PlannedSite.objects.filter(round=setup.round).update(is_win=False)
    PlannedSite.objects.filter(pk__in=own).update(is_win=True)


class WinsPage(StepPage):
    """2.5.1.3: whether the Coalition has chosen; a POST chooses for one that has no leader."""

    key, template = "wins", "setup/wins.html"

    def context(self) -> dict[str, object]:
        bases = self.prepared.sites(KINDS.BASE)
        return {
            "bases": bases,
            "chosen": chosen_in(self.post) or {base.pk for base in bases if base.is_win},
            "wanted": WIN_CONDITIONS,
            "has_leader": self.prepared.has_leader(Side.COALITION),
            "is_public": is_revealed(self.setup),
        }

    def act(self) -> str:
        choose_wins_instead(chosen=chosen_in(self.post), **self.common)
        return gettext("The choice is saved.")


class TeamWinsPage(TeamPage):
    """2.5.1.3: the Coalition's secret choice of its win conditions, for its leaders."""

    page, template = "wins", "setup/team_wins.html"

    def __init__(self, sent: SentForm, desk: TeamPreparation) -> None:
        super().__init__(sent, desk)
        if desk.wins is None:
            raise PermissionDenied(
                gettext("All portals are win conditions, so Phyrexia has nothing to choose (2.5.1.3).")
            )
        self.chosen = chosen_in(self.typed) if self.typed else {*desk.wins}

    def context(self) -> dict[str, object]:
        return {"chosen": self.chosen, "wanted": WIN_CONDITIONS}

    def act(self) -> str:
        choose_wins(round=self.desk.round, player=self.desk.player, chosen=self.chosen, now=self.now)
        return gettext("Your choice is saved. It stays secret until the bases are public.")


def chosen_in(post: QueryDict) -> set[int]:
    """The keys of the bases that are ticked."""
    return {number_of(key) for key in post.getlist("win")} - {-1}
