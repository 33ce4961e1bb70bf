"""2.5.2: the step of the musters: who has sent one, who is missing, and what waits for the judge."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from judging.armies.models import HandedIn, Muster
from judging.armies.musters.places import UNDER_WAY, RankRow, SideRows, sides_of
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import Success, number_of
from judging.setup.draws import Recruiter, held_muster, new_muster
from judging.setup.preparation import Preparation
from judging.setup.services import held_setup, save_step, team_name
from judging.setup.step import Problem, StepForm, missing, wrong
from wargame.models import Judge, Player, Round
from wargame.rules.core.sides import Rank


def reminder(side: SideRows, round: Round, address: str) -> str:
    """2.5.2.2: a text for players whose musters are missing, to be copied; empty without any."""
    if not side.lacking:
        return ""
    names = ", ".join(f"{player.name} ({Rank(player.rank).title})" for player, _ in side.lacking)
    return gettext(
        "Musters still missing in %(round)s, %(side)s (2.5.2.2): %(names)s.\nWrite yours, with a name, colours "
        "and troops, and submit it: %(address)s"
    ) % {"round": round.name, "side": side.side.title, "names": names, "address": address}


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.2.1, 2.5.2.2: musters that are missing or wait, and more armies of a rank than there are to be."""
    for side in prepared.sides:
        team = team_name(side.side)
        if not side.accepted:
            yield missing(gettext("%(side)s: no accepted army yet."), "2.5.2.2", side=team)
        if side.lacking:
            names = ", ".join(player.name for player, _ in side.lacking)
            yield missing(gettext("%(side)s: no muster from %(names)s."), "2.5.2.2", side=team, names=names)
        if side.waiting:
            names = ", ".join(str(army) for army in side.waiting)
            yield missing(gettext("%(side)s: accept or refuse %(names)s."), "2.5.2.2", side=team, names=names)
        for row in side.ranks:
            yield from _of_rank(row)


def _of_rank(row: RankRow) -> Iterator[Problem]:
    if row.over:
        if row.taken == 1:
            text = ngettext(
                "%(rank)s: one army or player for one place.",
                "%(rank)s: one army or player for %(number)s places.",
                row.wanted,
            )
        else:
            text = ngettext(
                "%(rank)s: %(taken)s armies or players for one place.",
                "%(rank)s: %(taken)s armies or players for %(number)s places.",
                row.wanted,
            )
        yield wrong(text, "2.5.2.1", rank=row.rank.title, taken=row.taken, number=row.wanted)
    if row.drafts:
        names = ", ".join(str(army) for army in row.drafts)
        text = gettext("%(rank)s: the leaders have started but not submitted %(names)s.")
        yield missing(text, "2.5.2.2", rank=row.rank.title, names=names)
    for army in row.armies:
        if army.namesake and army.namesake.rank != army.rank:
            now = Rank(army.namesake.rank).title if army.namesake.rank else ""
            text = (
                gettext("The rank of %(army)s is %(rank)s, but %(player)s is now %(now)s.")
                if now
                else gettext("The rank of %(army)s is %(rank)s, but %(player)s has no rank now.")
            )
            yield wrong(text, "2.5.2.1", army=army, rank=row.rank.title, player=army.namesake.name, now=now)


class ArmiesForm(StepForm):
    """2.5.2.1, 2.5.2.2: who has sent a muster, who has not, and what waits; makes one up in somebody's place."""

    def context(self) -> dict[str, object]:
        address = self.request.build_absolute_uri(reverse("musters", args=[self.round.slug]))
        return {"sides": [(side, reminder(side, self.round, address)) for side in self.prepared.sides]}

    def save(self) -> Success:
        act, key = self.pressed()
        if act == "make-up-all":
            said = self.make_up_all(key)
        else:
            made = self.take_over(number_of(key)) if act == "take-over" else self.make_up(act, number_of(key))
            said = gettext("%(made)s is now a proposal. Check and accept it.") % {"made": made}
        return Success(said, reverse("setup-proxies", args=[self.round.slug]))

    def make_up(self, act: str, player_id: int) -> Muster:
        player = Player.objects.filter(round=self.round, pk=player_id).first()
        if act != "make-up" or player is None:
            raise Refused(gettext("Something went wrong with this form. Reload the page."))
        return make_up_army(player=player, **self.common)

    @locking.writes
    def make_up_all(self, side: str) -> str:
        """2.5.2.2, 1.3: `make_up_army` for all players of a team from whom no muster came."""
        setup = self.held(checks_version=False)
        teams = [team for team in sides_of(self.round, setup.armies) if team.side.value == side]
        lacking = [player for team in teams for player, _ in team.lacking]
        for player in lacking:
            make_up_army(player=player, **self.common)
        if not lacking:
            return gettext("Nothing was missing.")
        return gettext("Armies filled in: %(number)s. Check and accept them.") % {"number": len(lacking)}

    @locking.writes
    def take_over(self, muster_id: int) -> Muster:
        """2.5.2.2, 1.3: turn a proxy that its leaders began and never handed in into a proposal of the judge's."""
        setup = self.held(checks_version=False)
        recruiter = Recruiter.of(self.round, self.desk.judge, self.now)
        muster = held_muster(self.round, muster_id)
        if muster.author is None or muster.state not in UNDER_WAY or muster.namesake is not None:
            told = gettext("You can only take over proxies that leaders are still working on, not %(muster)s.")
            raise Refused(told % {"muster": muster}, "2.5.2.2")
        muster.author, muster.state = None, HandedIn.DRAFT
        recruiter.complete(muster, self.now)
        save_step(setup, "proxies", self.desk.judge, self.now, taken_over=muster.lot)
        return muster


@locking.writes
def make_up_army(*, round: Round, player: Player, judge: Judge, now: datetime) -> Muster:
    """2.5.2.2, 1.3: a proposal in the place of a player who sent no muster. If they began one, what they typed stays
    and the rest is made up; as long as it is not accepted, they can continue it themselves.

    Refused for one that is handed in.
    """
    setup = held_setup(round, judge)
    recruiter = Recruiter.of(round, judge, now)
    previous = locking.hold_first(Muster.objects.filter(round=round, namesake=player))
    if previous is not None and previous.state not in UNDER_WAY:
        told = gettext("%(player)s has submitted their muster. Accept or refuse it.")
        raise Refused(told % {"player": player.name}, "2.5.2.2")
    if previous is None and not player.rank:
        raise Refused(gettext("%(player)s has no rank, so they can't raise an army.") % {"player": player.name}, "1.1")
    muster = previous or new_muster(round, Rank(player.rank), now, player)
    muster.author, muster.state = None, HandedIn.DRAFT
    recruiter.complete(muster, now)
    save_step(setup, "proxies", judge, now, for_player=player.name)
    return muster
