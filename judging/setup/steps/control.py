"""2.5.2.3, 5.2.1: the step of the control list: the bases by which armies start, and their controllers."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.armies.models import Muster
from judging.armies.musters.services import bases_of
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.log_entry import record
from judging.setup.preparation import Preparation, preparation_of
from judging.setup.services import open_setup, team_name
from judging.setup.sites import is_revealed
from judging.setup.step import Problem, StepForm, advice, missing
from judging.setup.team import TeamForm
from wargame.models import Player
from wargame.rules.command.control_list import may_control
from wargame.rules.core.sides import TEAMS, Rank, Side


@dataclass(frozen=True)
class Start:
    """2.5.2.3, 5.2.1: the start of an accepted army: the bases by which it can start, and its possible controllers.

    `by` controls it at the start: a namesake army's own player, a proxy's chosen one; None: nobody yet.
    """

    muster: Muster
    rank: Rank
    bases: tuple[str, ...]
    players: tuple[Player, ...]
    by: Player | None


def starts_of(prepared: Preparation, side: Side) -> list[Start]:
    """2.5.2.3, 5.2.1: the accepted armies of a side, by rank and name. For its leaders and the battle judges."""
    players = [player for player in prepared.ranked if player.side == side]
    starts = []
    for muster in prepared.accepted_of(side):
        rank, bases = Rank(muster.rank), tuple(bases_of(prepared.round, side, muster.colors))
        able = tuple(player for player in players if may_control(Rank(player.rank), rank))
        starts.append(Start(muster, rank, bases, able if muster.namesake is None else (), controller_of(muster)))
    return starts


def controller_of(muster: Muster) -> Player | None:
    """5.2.1, 5.3.1: the controller of an army at the start of the round: its namesake, or the one whom its leaders
    chose, if their rank permits it."""
    player = muster.namesake or muster.controller
    rank = Rank(player.rank) if player and player.rank and player.left_at is None else None
    return player if may_control(rank, Rank(muster.rank)) else None


def problems(prepared: Preparation) -> Iterator[Problem]:
    """5.2.1, 5.3.1: that armies are not accepted yet, of which nobody can say who controls them; and those that nobody
    will control, which stand in nobody's way: control can be asked for later."""
    wanted = sum(prepared.setup.armies)
    for side in TEAMS:
        armies, name = prepared.accepted_of(side), team_name(side)
        if len(armies) < wanted:
            told = gettext("Accepted armies of %(name)s, which can be controlled: %(number)s of %(wanted)s.")
            yield missing(told, "5.2.1", name=name, number=len(armies), wanted=wanted)
        if idle := [army.name for army in armies if controller_of(army) is None]:
            told = ngettext(
                "%(team)s, one army without a controller at the start: %(armies)s.",
                "%(team)s, %(number)s armies without a controller at the start: %(armies)s.",
                len(idle),
            )
            yield advice(told, "5.2.1", team=name, number=len(idle), armies=", ".join(idle))


class AskedStart(NamedTuple):
    """2.5.2.3, 5.2.1: for one army: the name of a base, empty for any; and the key of a player, None for nobody."""

    base: str = ""
    controller: int | None = None


def _change(start: Start, asked: AskedStart, is_public: bool) -> bool:
    muster = start.muster
    before = (muster.base, muster.controller_id)
    if asked.base != muster.base:
        _check_base(start, asked.base, is_public)
        muster.base = asked.base
    if muster.namesake is None and asked.controller != muster.controller_id:
        muster.controller = _able(start, asked.controller)
    if before == (muster.base, muster.controller_id):
        return False
    muster.save(update_fields=["base", "controller"])
    return True


def _check_base(start: Start, base: str, is_public: bool) -> None:
    name = start.muster.name
    if base and not is_public:
        raise Refused(gettext("You can ask for bases once they are public."), "2.5.2.3")
    if base and base not in start.bases:
        fields = {"army": name, "base": base, "colors": ", ".join(start.muster.colors)}
        fields["bases"] = ", ".join(start.bases) or gettext("none available")
        message = (
            gettext(
                "%(army)s can't start near %(base)s. Choose a base in one of the army's colours (%(colors)s): "
                "%(bases)s."
            )
            if start.muster.colors
            else gettext("%(army)s can't start near %(base)s. Choose a portal: %(bases)s.")
        )
        raise Refused(message % fields, "2.5.2.3")


def _able(start: Start, key: int | None) -> Player | None:
    if key is None:
        return None
    controller = next((player for player in start.players if player.pk == key), None)
    if controller is None:
        other_player = Player.objects.filter(pk=key, round_id=start.muster.round_id, side=start.muster.side).first()
        fields = {
            "player": other_player.name if other_player else "",
            "army": start.muster.name,
            "rank": start.rank.title,
        }
        message = (
            gettext("%(player)s can't control %(army)s (%(rank)s) because their rank is lower.")
            if other_player
            else gettext("Choose a player on your side with a high enough rank to control %(army)s (%(rank)s).")
        )
        raise Refused(message % fields, "5.3.1")
    return controller


class ControlForm(StepForm):
    """5.2.1: who will control which army, as the leaders asked."""

    saves = False

    def context(self) -> dict[str, object]:
        return {"groups": [(side, starts_of(self.prepared, side)) for side in TEAMS]}


class StartsForm(TeamForm):
    """2.5.2.3, 5.2.1: where a side's armies are to start and who controls its proxies, for its leaders: `base-12` and
    `controller-12`, by the muster's key."""

    closed = gettext_noop("The round has started. The leaders' requests have been carried out.")
    not_yours = gettext_noop("Only a side's leaders can ask for starting bases (2.5.2.3).")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = (name for name in self.values if name.startswith(("base-", "controller-")))
        self.asked = {key: self._asked(key) for name in names if (key := number_of(name.partition("-")[2])) >= 0}

    def _asked(self, key: int) -> AskedStart:
        controller = number_of(self.values.get(f"controller-{key}", ""))
        return AskedStart(self.values.get(f"base-{key}", "")[:60], controller if controller >= 0 else None)

    def context(self) -> dict[str, object]:
        found = starts_of(preparation_of(self.desk.setup), self.desk.side)
        saved = {start.muster.pk: AskedStart(start.muster.base, start.muster.controller_id) for start in found}
        return {"rows": [(start, (saved | self.asked)[start.muster.pk]) for start in found]}

    @locking.writes
    def save(self) -> str:
        """Refused for a base before the bases are public, for one by which the army can't start, and for a
        player whose rank does not let them control it (5.3.1)."""
        setup, player = open_setup(self.round), self.player
        starts = [start for start in starts_of(Preparation(setup), self.desk.side) if start.muster.pk in self.asked]
        changed = sum(_change(start, self.asked[start.muster.pk], is_revealed(setup)) for start in starts)
        if changed:
            record(self.round, player.user, "setup.starts", {"side": player.side, "armies": changed}, self.now)
        return gettext("Saved: %(changed)s changed.") % {"changed": changed}
