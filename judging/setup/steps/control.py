"""2.5.2.3, 5.2.1: the step of the control list: by which bases armies start, and who controls them then."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop, ngettext

from judging.armies.models import Muster
from judging.armies.musters.services import bases_of
from judging.common import locking
from judging.common.control import is_leader
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.log_entry import record
from judging.setup.preparation import Preparation, preparation_of
from judging.setup.services import open_setup, team_name
from judging.setup.sites import is_revealed
from judging.setup.step import Problem, SentForm, StepKind, StepPage, advice, missing
from judging.setup.team import TeamPage, TeamPreparation
from wargame.models import Player, Round
from wargame.rules.command.control_list import may_control
from wargame.rules.core.sides import TEAMS, Rank, Side


@dataclass(frozen=True)
class Start:
    """2.5.2.3, 5.2.1: how an accepted army is to start: by which base it may, and who may control it.

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
    return [_start(prepared.round, muster, players) for muster in prepared.accepted_of(side)]


def controller_of(muster: Muster) -> Player | None:
    """5.2.1, 5.3.1: who controls an army when the round starts: its namesake, or the one whom its leaders chose, if his
    rank lets him."""
    chosen = muster.namesake or muster.controller
    rank = Rank(chosen.rank) if chosen and chosen.rank and chosen.left_at is None else None
    return chosen if may_control(rank, Rank(muster.rank)) else None


def find(prepared: Preparation) -> Iterator[Problem]:
    """5.2.1, 5.3.1: that armies are not accepted yet, of which nobody can say who controls them; and those that nobody
    will control, which stand in nobody's way: control can be asked for later."""
    wanted = sum(prepared.setup.armies)
    for side in TEAMS:
        armies, name = prepared.accepted_of(side), team_name(side)
        if len(armies) < wanted:
            yield missing(
                gettext("Accepted armies of %(name)s, which can be controlled: %(number)s of %(wanted)s.")
                % {"name": name, "number": len(armies), "wanted": wanted},
                "5.2.1",
            )
        if idle := [army.name for army in armies if controller_of(army) is None]:
            told = ngettext(
                "%(team)s, one army without a controller at the start: %(armies)s.",
                "%(team)s, %(number)s armies without a controller at the start: %(armies)s.",
                len(idle),
            )
            yield advice(told % {"team": name, "number": len(idle), "armies": ", ".join(idle)}, "5.2.1")


def _start(round: Round, muster: Muster, players: list[Player]) -> Start:
    rank, side = Rank(muster.rank), muster.side
    able = tuple(player for player in players if may_control(Rank(player.rank), rank))
    bases = tuple(bases_of(round, side, muster.colors))
    return Start(muster, rank, bases, able if muster.namesake is None else (), controller_of(muster))


STEP = StepKind(
    "control", gettext_noop("Control"), "5.2.1", gettext_noop("The leaders choose who controls each army."), find
)


@dataclass(frozen=True)
class AskedStart:
    """2.5.2.3, 5.2.1: for one army: the name of a base, empty for any; and the key of a player, None for nobody."""

    base: str = ""
    controller: int | None = None


@locking.writes
def ask_for_starts(*, round: Round, player: Player | None, asked: Mapping[int, AskedStart], now: datetime) -> int:
    """2.5.2.3, 5.2.1: keeps the requests of a leader, by the musters' keys; how many were changed.

    Refused for others, for a base before the bases are public, for one by which the army can't start, and for a player
    whose rank does not let him control it (5.3.1).
    """
    setup = open_setup(round)
    if player is None or player.round_id != round.pk or not is_leader(player):
        raise Refused(gettext("Only a side's leaders can ask for starting bases."), "2.5.2.3")
    starts = [start for start in starts_of(Preparation(setup), Side(player.side)) if start.muster.pk in asked]
    changed = [start.muster.name for start in starts if _change(start, asked[start.muster.pk], is_revealed(setup))]
    if changed:
        record(round, player.user, "setup.starts", {"side": player.side, "armies": len(changed)}, now)
    return len(changed)


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
        told = (
            gettext(
                "%(army)s can't start near %(base)s. Choose a base in one of the army's colours (%(colors)s): "
                "%(bases)s."
            )
            if start.muster.colors
            else gettext("%(army)s can't start near %(base)s. Choose a portal: %(bases)s.")
        )
        raise Refused(told % fields, "2.5.2.3")


def _able(start: Start, key: int | None) -> Player | None:
    if key is None:
        return None
    found = next((player for player in start.players if player.pk == key), None)
    if found is None:
        named = Player.objects.filter(pk=key, round_id=start.muster.round_id, side=start.muster.side).first()
        fields = {"player": named.name if named else "", "army": start.muster.name, "rank": start.rank.title}
        told = (
            gettext("%(player)s can't control %(army)s (%(rank)s) because their rank is lower.")
            if named
            else gettext("Choose a player on your side with a high enough rank to control %(army)s (%(rank)s).")
        )
        raise Refused(told % fields, "5.3.1")
    return found


class ControlPage(StepPage):
    """5.2.1: who will control which army, as the leaders asked."""

    key, template = "control", "setup/control.html"

    def context(self) -> dict[str, object]:
        return {"groups": [(side, starts_of(self.prepared, side)) for side in TEAMS]}


class StartsPage(TeamPage):
    """2.5.2.3, 5.2.1: where a side's armies are to start and who controls its proxies, for its leaders."""

    page, template = "starts", "setup/starts.html"
    closed = gettext_noop("The round has started. The leaders' requests have been carried out.")
    not_yours = gettext_noop("Only a side's leaders can ask for starting bases (2.5.2.3).")

    def __init__(self, sent: SentForm, desk: TeamPreparation) -> None:
        super().__init__(sent, desk)
        self.asked = _asked_by_number(self.typed or QueryDict())

    def context(self) -> dict[str, object]:
        found = starts_of(preparation_of(self.desk.setup), self.desk.side)
        saved = {start.muster.pk: AskedStart(start.muster.base, start.muster.controller_id) for start in found}
        return {"rows": [(start, (saved | self.asked)[start.muster.pk]) for start in found]}

    def act(self) -> str:
        changed = ask_for_starts(round=self.desk.round, player=self.desk.player, asked=self.asked, now=self.now)
        return gettext("Saved: %(changed)s changed.") % {"changed": changed}


def _asked_by_number(post: QueryDict) -> dict[int, AskedStart]:
    """`base-12` and `controller-12`, by the number."""
    numbers = {number_of(key.partition("-")[2]) for key in post if key.startswith(("base-", "controller-"))}
    found = {}
    for number in sorted(number for number in numbers if number >= 0):
        controller = number_of(post.get(f"controller-{number}", ""))
        found[number] = AskedStart(post.get(f"base-{number}", "")[:60], controller if controller >= 0 else None)
    return found
