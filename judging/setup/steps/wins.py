"""2.5.1.3: the step of the Coalition's win conditions."""

from collections.abc import Collection, Iterator
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import QueryDict
from django.utils.translation import gettext, ngettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.log_entry import record
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import open_setup
from judging.setup.sites import KINDS, WIN_CONDITIONS, is_revealed, planned_sites
from judging.setup.step import Problem, StepForm, missing, wrong
from judging.setup.team import TeamForm
from wargame.rules.core.sides import Side


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.3: that the Coalition has not chosen yet."""
    chosen = sum(site.is_win for site in prepared.sites(KINDS.BASE))
    if prepared.setup.chosen_at is None:
        yield missing(gettext("The Coalition's leaders have not chosen their 5 win conditions."), "2.5.1.3")
    elif chosen != WIN_CONDITIONS:
        told = gettext("Exactly %(wanted)s bases must be chosen, not %(chosen)s.")
        yield wrong(told, "2.5.1.3", chosen=chosen, wanted=WIN_CONDITIONS)


class WinsForm(StepForm):
    """1.3, 2.5.1.3: the judge chooses for a Coalition that has no leader."""

    def context(self) -> dict[str, object]:
        bases = self.prepared.sites(KINDS.BASE)
        return {
            "bases": bases,
            "chosen": chosen_in(self.post) or {base.pk for base in bases if base.is_win},
            "wanted": WIN_CONDITIONS,
            "has_leader": self.prepared.has_leader(Side.COALITION),
            "is_public": is_revealed(self.setup),
        }

    @locking.writes
    def save(self) -> str:
        """Refused while the Coalition has a leader."""
        setup = self.held(checks_version=False)
        if Preparation(setup).has_leader(Side.COALITION):
            raise Refused(gettext("The Coalition has leaders, so they make this choice."), "2.5.1.3")
        _choose(setup, chosen_in(self.post))
        setup.chosen_by, setup.chosen_at = None, self.now
        self.store(setup)
        return gettext("The choice is saved.")


class TeamWinsForm(TeamForm):
    """2.5.1.3: the Coalition's leaders choose its win conditions in secret; the last choice counts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.desk.wins is None:
            raise PermissionDenied(
                gettext("All portals are win conditions, so Phyrexia has nothing to choose (2.5.1.3).")
            )
        self.chosen = chosen_in(self.values) if self.values else {*self.desk.wins}

    def context(self) -> dict[str, object]:
        return {"chosen": self.chosen, "wanted": WIN_CONDITIONS}

    @locking.writes
    def save(self) -> str:
        """Refused for another number, and after the reveal."""
        setup = open_setup(self.round)
        _choose(setup, self.chosen)
        setup.chosen_by, setup.chosen_at = self.player, self.now
        setup.save(update_fields=["chosen_by", "chosen_at"])
        record(self.round, self.player.user, "setup.chosen", {}, self.now)
        return gettext("Your choice is saved. It stays secret until the bases are public.")


def chosen_in(post: QueryDict) -> set[int]:
    return {number_of(key) for key in post.getlist("win")} - {-1}


def _choose(setup: RoundSetup, chosen: Collection[int]) -> None:
    if is_revealed(setup):
        raise Refused(gettext("The bases are public, so you can't change the choice."), "2.5.1.3")
    bases = {site.pk for site in planned_sites(setup.round, KINDS.BASE)}
    keys = bases & set(chosen)
    if len(keys) != WIN_CONDITIONS:
        message = ngettext(
            "Choose exactly %(wanted)s bases. You chose only %(number)s.",
            "Choose exactly %(wanted)s bases. You chose %(number)s.",
            len(keys),
        )
        raise Refused(message % {"number": len(keys), "wanted": WIN_CONDITIONS}, "2.5.1.3")
    PlannedSite.objects.filter(round=setup.round).update(is_win=False)
    PlannedSite.objects.filter(pk__in=keys).update(is_win=True)
