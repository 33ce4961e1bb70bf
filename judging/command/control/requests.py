"""5.2: requests for changes of a control list, and who may see them.

What is in force is public. What waits for the judges, or came to nothing, is for the leaders of the side, those who may
ask for changes, and the movement and battle judges.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.http import Http404
from django.utils.translation import gettext

from judging.command.control.reads import ListState, list_state, requests_of
from judging.command.models import ControlRequest
from judging.game.control import is_leader
from judging.game.viewer import Viewer
from wargame.models import Army, Player
from wargame.models.choices import Role
from wargame.rules.command.control import judge_request
from wargame.rules.command.control_list import Wish, may_control
from wargame.rules.command.faults import CommandFault
from wargame.rules.core.faults import Finding, finding_from_json
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.position import Position
from wargame.rules.core.sides import Rank
from wargame.rules.core.troops import alive_by_slot, strength_by_slot

State = ControlRequest.State
PUBLIC = (State.APPLIED, State.GRANTED)


@dataclass(frozen=True)
class RequestView:
    """5.2.1: a request with what was wrong with it. `may_withdraw`: by the viewer."""

    row: ControlRequest
    breaches: tuple[Finding, ...]
    may_withdraw: bool

    @property
    def by(self) -> str:
        """The player who asked, or the judge who made the change."""
        asker = self.row.player or self.row.judge
        return asker.name if asker else ""

    @property
    def changes(self) -> list[dict[str, object]]:
        """Each change of hands; `since` is from when it counts (R44), None while it doesn't."""
        row = self.row
        usual = {State.APPLIED: row.asked_at, State.GRANTED: row.decided_at}.get(State(row.state))
        return [
            {**change, "since": datetime.fromisoformat(change["since"]) if "since" in change else usual}
            for change in row.changes
        ]

    @property
    def decided_by(self) -> str:
        return self.row.judge.name if self.row.judge else ""


@dataclass(frozen=True)
class RequestRow:
    """5.2.1: an army in the form of a request, with the players who may get it (5.3.1) and those who may not.

    `shown` are the keys of its controllers, with commas, so that a change meanwhile is noticed.
    """

    army: Army
    controllers: tuple[str, ...]
    namesake: str
    able: tuple[Player, ...]
    others: tuple[Player, ...]
    shown: str


def requests_for(viewer: Viewer) -> list[RequestView]:
    """5.2: the requests of the round that the viewer may see, the latest first."""
    return [_view(row, viewer) for row in reversed(requests_of(viewer.round)) if _may_see(row, viewer)]


def may_ask(viewer: Viewer) -> bool:
    """5.2.2.1: whether the viewer has authority to ask for changes of his side's list."""
    return viewer.player is not None and viewer.player.may_change_control


def request_rows(state: ListState) -> list[RequestRow]:
    """5.2.1: the armies of a side for the form: those of nobody first, then by rank and name."""
    players = [player for player in state.players.values() if player.rank]
    rows = []
    for listed in state.listed.armies:
        able = tuple(player for player in players if may_control(Rank(player.rank), listed.rank))
        others = tuple(player for player in players if player not in able)
        shown = ",".join(str(state.players[name].pk) for name in listed.controllers if name in state.players)
        rows.append(RequestRow(state.armies[listed.name], listed.controllers, listed.namesake, able, others, shown))
    return sorted(rows, key=lambda row: (bool(row.controllers), Rank(row.army.rank).tier, row.army.name.casefold()))


@dataclass(frozen=True)
class Named:
    """1.1: the armies and players of a round, their names by their keys: those of a side, and the others, about which
    no request of it may be: the other side's, dead ones, and who does not play for it any more."""

    armies: dict[str, str]
    players: dict[str, str]
    other_armies: dict[str, str]
    other_players: dict[str, str]


def names_for(viewer: Viewer) -> Named | None:
    """1.1: the names that a form of the viewer's side may have chosen, its armies by their names; None for who does not
    play."""
    if viewer.side is None:
        return None
    armies = Army.objects.filter(round=viewer.round).order_by("name").values_list("pk", "name", "side", "died_in")
    players = Player.objects.filter(round=viewer.round).values_list("pk", "name", "side", "left_at")
    found = Named({}, {}, {}, {})
    for pk, name, side, died_in in armies:
        is_own = side == viewer.side and died_in is None
        (found.armies if is_own else found.other_armies)[str(pk)] = name
    for pk, name, side, left_at in players:
        is_own = side == viewer.side and left_at is None
        (found.players if is_own else found.other_players)[str(pk)] = name
    return found


def names_for_gift(viewer: Viewer, name: str) -> Named:
    """1.1: the names of the viewer's side. Raises Http404 if no player of that name plays for it."""
    named = names_for(viewer)
    if named is None or name not in named.players.values():
        raise Http404(gettext("No one called “%(name)s” plays for your team.") % {"name": name[:60]})
    return named


def state_for(viewer: Viewer, now: datetime) -> ListState | None:
    """5.2.1: the list of the viewer's side; None for who does not play."""
    return list_state(viewer.round, viewer.side, now) if viewer.side else None


def waiting_requests(viewer: Viewer) -> list[RequestView]:
    """5.2.2.2: what waits for the judges."""
    return [view for view in requests_for(viewer) if view.row.state == State.WAITING]


MOST_OF_OTHERS = 6
"""How many armies of players who have several are offered besides those of nobody."""


@dataclass(frozen=True)
class Gift:
    """5.2.1: an army that a player could be given. `of` are those who control it now, empty for nobody; `shared` the
    colours that are among his factions; `shown` as in `Row`."""

    army: ArmyOnMap
    key: int
    of: tuple[str, ...]
    shared: tuple[str, ...]
    alive: int
    strength: int
    shown: str


def gifts_for(state: ListState, player: Player, by: Player, position: Position, now: datetime) -> tuple[Gift, ...]:
    """5.2.1, 5.3: the armies that a request of `by` could give to a player, the fittest first: those of nobody; then of
    his own colours; then those nearest to his rank, and the larger ones. After them armies of those who have several.

    Each was judged by 5.3 as the request will be.
    """
    found = []
    for listed in state.listed.armies:
        row, army = state.armies[listed.name], position.by_name.get(listed.name)
        several = all(len(state.listed.held[name]) > 1 for name in listed.controllers)
        is_own = listed.namesake in listed.controllers
        if army is None or not several or is_own or player.name in listed.controllers or army.is_partially_converted:
            continue
        if judge_request(state.listed, by.name, [Wish(listed.name, (player.name,))], now).is_legal:
            found.append(_gift(state, row, army, listed.controllers, player))
    free = [gift for gift in found if not gift.of]
    others = sorted((gift for gift in found if gift.of), key=lambda gift: -_armies_of(state, gift))
    return tuple(sorted(free, key=_fitness) + sorted(others[:MOST_OF_OTHERS], key=_fitness))


def _gift(state: ListState, row: Army, army: ArmyOnMap, of: tuple[str, ...], player: Player) -> Gift:
    shown = ",".join(str(state.players[name].pk) for name in of if name in state.players)
    shared = tuple(color for color in army.colors if color in player.factions)
    return Gift(army, row.pk, of, shared, sum(alive_by_slot(army.troops)), sum(strength_by_slot(army.troops)), shown)


def _fitness(gift: Gift) -> tuple[bool, int, int, str]:
    """5.3.1: a player may control any army of his rank and below; the nearest to it is the one meant for him."""
    return not gift.shared, gift.army.tier, -gift.alive, gift.army.name


def _armies_of(state: ListState, gift: Gift) -> int:
    return min(len(state.listed.held[name]) for name in gift.of)


def _may_see(row: ControlRequest, viewer: Viewer) -> bool:
    if row.state in PUBLIC or viewer.is_judge(Role.MOVEMENT) or viewer.is_judge(Role.BATTLE):
        return True
    player = viewer.player
    if player is None or player.side != row.side:
        return False
    return is_leader(player) or player.may_change_control or row.player_id == player.pk


def _view(row: ControlRequest, viewer: Viewer) -> RequestView:
    player = viewer.player
    own = player is not None and player.side == row.side and player.may_change_control
    breaches = tuple(finding_from_json(CommandFault, data) for data in row.breaches)
    return RequestView(row, breaches, own and row.state == State.WAITING)
