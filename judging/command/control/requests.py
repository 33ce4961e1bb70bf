"""5.2.1, R44: Requests to change a control list: who may see them, making and deciding them, and exceptions that
expire."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Q
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from judging.battles.models import Battle
from judging.battles.strats.queries import strats_closed
from judging.command.control.services import (
    ListState,
    StandingException,
    hold_list,
    is_over,
    list_state,
    requests_of,
    run_out,
    set_controllers,
    standing_exceptions,
    tell_list,
)
from judging.command.models import ControlRequest
from judging.common import locking
from judging.common.control import is_leader
from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.judges import is_bound_by
from judging.common.log_entry import record
from judging.common.rounds import current_turn
from judging.common.texts import check_storable, checked_text, checked_token
from judging.common.viewer import Viewer
from judging.turns.drafts import work_out_anew
from wargame.models import Army, Control, Judge, Player, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.command.control import RequestVerdict, judge_request
from wargame.rules.command.control_list import Wish, may_control
from wargame.rules.command.faults import CommandFault
from wargame.rules.core.codec import Json
from wargame.rules.core.faults import Finding, finding_from_json, finding_to_json
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.position import Position
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import alive_by_slot, strength_by_slot

State = ControlRequest.State
PUBLIC = (State.APPLIED, State.GRANTED)


@dataclass(frozen=True)
class RequestView:
    """5.2.1: A request with its breaches. `may_withdraw`: by the viewer."""

    row: ControlRequest
    breaches: tuple[Finding, ...]
    may_withdraw: bool

    @property
    def by(self) -> str:
        """The player who made the request, or the judge who made the change."""
        asker = self.row.player or self.row.judge
        return asker.name if asker else ""

    @property
    def changes(self) -> list[dict[str, object]]:
        """Each change of control; `since` is from when it counts (R44), None while it doesn't."""
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
    """5.2.1: An army in the form of a request, with the players who may get it (5.3.1) and those who may not.

    `shown` are the keys of its controllers, with commas, to detect a change since.
    """

    army: Army
    controllers: tuple[str, ...]
    namesake: str
    able: tuple[Player, ...]
    others: tuple[Player, ...]
    shown: str


def requests_for(viewer: Viewer) -> list[RequestView]:
    """5.2: The requests of the round that the viewer may see, latest first."""
    return [_view(row, viewer) for row in reversed(requests_of(viewer.round)) if _may_see(row, viewer)]


def may_ask(viewer: Viewer) -> bool:
    """5.2.2.1: Whether the viewer has authority to request changes of their side's list."""
    return viewer.player is not None and viewer.player.may_change_control


def request_rows(state: ListState) -> list[RequestRow]:
    """5.2.1: The armies of a side for the form: uncontrolled ones first, then by rank and name."""
    players = [player for player in state.players.values() if player.rank]
    rows = []
    for entry in state.listed.armies:
        able = tuple(player for player in players if may_control(Rank(player.rank), entry.rank))
        unable = tuple(player for player in players if player not in able)
        keys = ",".join(str(state.players[name].pk) for name in entry.controllers if name in state.players)
        rows.append(RequestRow(state.armies[entry.name], entry.controllers, entry.namesake, able, unable, keys))
    return sorted(rows, key=lambda row: (bool(row.controllers), Rank(row.army.rank).tier, row.army.name.casefold()))


@dataclass(frozen=True)
class Named:
    """1.1: The names of a round's armies and players by their keys: those of a side, and the others, which no
    request of it can be about: the other side's, dead ones, and players who no longer play for it."""

    armies: dict[str, str]
    players: dict[str, str]
    other_armies: dict[str, str]
    other_players: dict[str, str]


def names_for(viewer: Viewer) -> Named | None:
    """1.1: The names that a form of the viewer's side can choose, its armies by their names; None for viewers who do
    not play."""
    if viewer.side is None:
        return None
    armies = Army.objects.filter(round=viewer.round).order_by("name").values_list("pk", "name", "side", "died_in")
    players = Player.objects.filter(round=viewer.round).values_list("pk", "name", "side", "left_at")
    team = Named({}, {}, {}, {})
    for pk, name, side, died_in in armies:
        is_own = side == viewer.side and died_in is None
        (team.armies if is_own else team.other_armies)[str(pk)] = name
    for pk, name, side, left_at in players:
        is_own = side == viewer.side and left_at is None
        (team.players if is_own else team.other_players)[str(pk)] = name
    return team


def names_for_gift(viewer: Viewer, name: str) -> Named:
    """1.1: The names of the viewer's side. Raises Http404 if no player with that name plays for it."""
    team = names_for(viewer)
    if team is None or name not in team.players.values():
        raise Http404(gettext("No one called “%(name)s” plays for your team.") % {"name": name[:60]})
    return team


def state_for(viewer: Viewer, now: datetime) -> ListState | None:
    """5.2.1: The list of the viewer's side; None for viewers who do not play."""
    return list_state(viewer.round, viewer.side, now) if viewer.side else None


def waiting_requests(viewer: Viewer) -> list[RequestView]:
    """5.2.2.2: The requests that wait for the judges."""
    return [view for view in requests_for(viewer) if view.row.state == State.WAITING]


MOST_OF_OTHERS = 6
"""How many armies of players who have several are offered besides the uncontrolled ones."""


@dataclass(frozen=True)
class Gift:
    """5.2.1: An army that a player could be given. `of` are its current controllers, empty for nobody; `shared` are
    the colours that are among the player's factions; `shown` as in `Row`."""

    army: ArmyOnMap
    key: int
    of: tuple[str, ...]
    shared: tuple[str, ...]
    alive: int
    strength: int
    shown: str


def gifts_for(state: ListState, player: Player, by: Player, position: Position, now: datetime) -> tuple[Gift, ...]:
    """5.2.1, 5.3: The armies that a request of `by` could give to a player, most suitable first: uncontrolled ones;
    then those of their own colours; then those nearest to their rank, and the larger ones. After them armies of those
    who have several.

    Each was checked by 5.3 as the request will be.
    """
    gifts = []
    for entry in state.listed.armies:
        row, army = state.armies[entry.name], position.by_name.get(entry.name)
        several = all(len(state.listed.held[name]) > 1 for name in entry.controllers)
        is_own = entry.namesake in entry.controllers
        if army is None or not several or is_own or player.name in entry.controllers or army.is_partially_converted:
            continue
        if judge_request(state.listed, by.name, [Wish(entry.name, (player.name,))], now).is_legal:
            gifts.append(_gift(state, row, army, entry.controllers, player))
    free = [gift for gift in gifts if not gift.of]
    other_gifts = sorted((gift for gift in gifts if gift.of), key=lambda gift: -_armies_of(state, gift))
    return tuple(sorted(free, key=_fitness) + sorted(other_gifts[:MOST_OF_OTHERS], key=_fitness))


def _gift(state: ListState, row: Army, army: ArmyOnMap, controllers: tuple[str, ...], player: Player) -> Gift:
    keys = ",".join(str(state.players[name].pk) for name in controllers if name in state.players)
    shared = tuple(color for color in army.colors if color in player.factions)
    return Gift(
        army, row.pk, controllers, shared, sum(alive_by_slot(army.troops)), sum(strength_by_slot(army.troops)), keys
    )


def _fitness(gift: Gift) -> tuple[bool, int, int, str]:
    """5.3.1: A player may control any army of their rank and below; the nearest to it suits them best."""
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
    is_own = player is not None and player.side == row.side and player.may_change_control
    breaches = tuple(finding_from_json(CommandFault, data) for data in row.breaches)
    return RequestView(row, breaches, is_own and row.state == State.WAITING)


MAX_WHY = 2_000

Seen = Mapping[str, tuple[str, ...]]
"""The controllers of each army when the form was opened."""


class IllegalControl(Refused):
    """A request that breaks rules; `breaches` are all of them. `may_be_excepted`: a judge could accept it (5.2.2.2)."""

    def __init__(self, verdict: RequestVerdict) -> None:
        cites = ", ".join(dict.fromkeys(breach.cites for breach in verdict.breaches))
        super().__init__(" ".join(breach.sentence for breach in verdict.breaches), cites)
        self.breaches: tuple[Finding, ...] = verdict.breaches
        self.may_be_excepted = verdict.may_be_excepted


@dataclass(frozen=True)
class AskedControl:
    """The contents of a request form. `why` goes to the judges with an exception (5.2.2.2)."""

    wishes: tuple[Wish, ...]
    token: str
    seen: Seen
    as_exception: bool = False
    why: str = ""


def request_control(*, round: Round, player: Player | None, asked: AskedControl, now: datetime) -> ControlRequest:
    """R44: Change the list from now on; the same form sent twice does it once.

    With `as_exception` an illegal one goes to the judges instead, if they could accept it. Otherwise raises
    IllegalControl with every breach, which the log records; Refused if nothing would change or the list has changed
    since.
    """
    try:
        return _request(round, player, asked, now)
    except IllegalControl as error:
        if player is not None:
            data = {"side": player.side, "changes": _wishes_for_the_log(asked.wishes), "cites": error.cites}
            record(round, player.user, "control.refused", data, now)
        raise


@locking.writes
def withdraw_request(*, request: ControlRequest, player: Player | None, now: datetime) -> None:
    """5.2.2.2: Withdraw a request that waits for the judges; for those of its side who may request changes."""
    row = locking.hold(ControlRequest.objects, pk=request.pk)
    if player is None or (player.round_id, player.side) != (row.round_id, row.side) or not player.may_change_control:
        raise Refused(
            gettext("Only players on that side who can ask for changes can withdraw this request."), "5.2.2.1"
        )
    if row.state != State.WAITING:
        raise Refused(gettext("The judges have already decided this request."), "5.2.2.2")
    row.state, row.decided_at = State.WITHDRAWN, now
    row.save(update_fields=["state", "decided_at"])
    record(row.round, player.user, "control.withdrawn", {"request": row.pk, "side": row.side}, now)


def withdraw_by_id(viewer: Viewer, request_id: int, now: datetime) -> str:
    """5.2.2.2: Withdraw one of the requests that the viewer may see; returns the message."""
    row = next((view.row for view in requests_for(viewer) if view.row.pk == request_id), None)
    if row is None:
        raise Refused(gettext("There is no such request."), "5.2.1")
    withdraw_request(request=row, player=viewer.player, now=now)
    return gettext("You withdrew the request.")


def request_army(
    viewer: Viewer, name: str, army: str | None, token: str, now: datetime, *, seen: tuple[str, ...] | None = None
) -> Success:
    """5.2.1, 5.3.4: Give a player of the viewer's team an army of it. `seen`: its controllers when the form was
    opened. Raises Http404 for an unknown player."""
    if army is None or army not in names_for_gift(viewer, name).armies.values():
        raise Refused(gettext("Choose an army of your team that is on the map."), "5.2.1")
    proposal = AskedControl((Wish(army, (name,)),), token, {} if seen is None else {army: seen})
    request_control(round=viewer.round, player=viewer.player, asked=proposal, now=now)
    return Success(
        gettext("%(name)s now controls %(name2)s.") % {"name": name, "name2": army},
        reverse("player", args=[viewer.round.slug, name]),
    )


@locking.writes
def decide_request(*, request: ControlRequest, judge: Judge | None, grant: bool, reason: str, now: datetime) -> None:
    """5.2.2.2, R44: A judge accepts an illegal request as an exception, or declines it; with a reason.

    An accepted one counts from the moment of the request if that turn is not settled yet, else from now on. If the
    turn's moves are computed already, they are computed again. It must be legal again by the lock of the next turn.
    Raises Refused for anybody but the movement and battle judges (1.3), and if it is no longer possible.
    """
    round_ = request.round
    judge = checked_list_judge(round_, judge)
    reason = checked_text(reason, what="reason", most=MAX_WHY, cites="5.2.2.2")
    # The list before the request (`locking.ORDER`): it does not change while the wishes are judged once more, and
    # no battle of its armies gets a score, which closes their strats.
    turn = hold_list(round_, now)
    armies = [change["army_id"] for change in request.changes]
    locking.hold_all(Battle.objects.filter(pk__in=Battle.objects.filter(turn=turn, entries__army__in=armies)))
    row = locking.hold(ControlRequest.objects, pk=request.pk)
    if row.state != State.WAITING:
        raise Refused(gettext("This request has already been decided."), "5.2.2.2")
    _check_not_bound(round_, row.side, judge, {change["army"] for change in row.changes}, turn)
    row.judge, row.decided_at, row.reason = judge, now, reason
    row.state = State.GRANTED if grant else State.DECLINED
    if grant:
        state = list_state(round_, Side(row.side), now)
        wishes = _wishes_again(state, row)
        verdict = judge_request(state.listed, "", wishes, now)
        if verdict.breaches and not verdict.may_be_excepted:
            raise IllegalControl(verdict)
        row.changes = _changes(state, wishes)
        row.breaches = [finding_to_json(breach) for breach in verdict.breaches]
        row.runs_out_in = _runs_out(turn) if verdict.breaches else None
        for wish, change in zip(wishes, row.changes, strict=True):
            since = _counts_from(row, state.armies[wish.army], turn, now)
            change["since"] = since.isoformat()
            _carry_out(state, [wish], since)
        if turn and turn.state != TurnState.OPEN:
            _reach_back(turn, now)
    row.save()
    data = {"request": row.pk, "side": row.side, "changes": told_changes(row), "reason": reason}
    record(round_, judge.user, f"control.{row.state}", data, now)
    if grant:
        _tell(row, "exception", {"how": "granted", "by": judge.name, "reason": reason}, now)


@locking.writes
def change_list(
    *, round: Round, judge: Judge | None, side: Side, asked: AskedControl, reason: str, now: datetime
) -> ControlRequest:
    """5.2.1, 1.3: A judge changes the list themselves, with a reason; breaches of 5.3 are their exceptions
    (5.2.2.2)."""
    judge = checked_list_judge(round, judge)
    reason = checked_text(reason, what="reason", most=MAX_WHY, cites="1.3")
    token = checked_token(asked.token)
    turn = hold_list(round, now)
    row = ControlRequest.objects.filter(judge=judge, player__isnull=True, token=token).first()
    if row is not None:
        return row
    state = list_state(round, side, now)
    wishes = _checked_wishes(state, asked)
    verdict = judge_request(state.listed, "", wishes, now)
    if verdict.breaches and not verdict.may_be_excepted:
        raise IllegalControl(verdict)
    _check_not_bound(round, side.value, judge, {wish.army for wish in wishes}, turn)
    row = ControlRequest.objects.create(
        round=round,
        side=side.value,
        judge=judge,
        changes=_changes(state, wishes),
        breaches=[finding_to_json(breach) for breach in verdict.breaches],
        state=State.GRANTED if verdict.breaches else State.APPLIED,
        asked_at=now,
        decided_at=now,
        reason=reason,
        runs_out_in=_runs_out(turn) if verdict.breaches else None,
        token=token,
    )
    _carry_out(state, wishes, now)
    data = {"request": row.pk, "side": row.side, "changes": told_changes(row), "reason": reason}
    record(round, judge.user, "control.changed", data, now)
    _tell(row, "control", {"how": "decided", "by": judge.name, "reason": reason}, now)
    return row


def judge_asked(round: Round, player: Player, asked: AskedControl, now: datetime) -> RequestVerdict:
    """R44: The rules' verdict on a request, without sending it. Raises Refused like `request_control`."""
    state = list_state(round, Side(player.side), now)
    return _verdict(round, state, player, _checked_wishes(state, asked), now)


def told_changes(request: ControlRequest) -> list[Json]:
    """5.2.1: The changes of a request by names alone, for display."""
    keys = ("army", "before", "to", "since")
    return [{key: change[key] for key in keys if key in change} for change in request.changes]


def checked_list_judge(round: Round, judge: Judge | None) -> Judge:
    """5.2.1, 1.3: The movement judge maintains the list, and the battle judge is the head judge. Raises Refused
    otherwise."""
    if judge is None or judge.round_id != round.pk or judge.role not in (Role.MOVEMENT, Role.BATTLE):
        raise Refused(gettext("Only movement or battle judges of this round can decide on its control lists."), "1.3")
    return judge


def _check_not_bound(round: Round, side: str, judge: Judge, armies: set[str], turn: Turn | None) -> None:
    """1.3: Raise Refused for an assistant if their head, or the head battle judge, decided about an army in this
    turn."""
    since = turn.opened_at if turn else round.created_at
    rows = ControlRequest.objects.filter(round=round, side=side, judge__isnull=False, decided_at__gte=since)
    for row in rows.select_related("judge"):
        both = sorted(armies & {change["army"] for change in row.changes})
        if both and row.judge and is_bound_by(judge, row.judge):
            raise Refused(
                gettext("%(name)s has already decided on %(both)s this turn, and you can't overrule that decision.")
                % {"name": row.judge.name, "both": both[0]},
                "1.3",
            )


@locking.writes
def _request(round: Round, player: Player | None, asked: AskedControl, now: datetime) -> ControlRequest:
    if player is None or player.round_id != round.pk or player.left_at is not None:
        raise Refused(gettext("Only players in this round can ask for changes to its control lists."), "1.6")
    token = checked_token(asked.token)
    hold_list(round, now)
    row = ControlRequest.objects.filter(player=player, token=token).first()
    if row is not None:
        return row
    state = list_state(round, Side(player.side), now)
    wishes = _checked_wishes(state, asked)
    verdict = _verdict(round, state, player, wishes, now)
    fields = {"round": round, "side": player.side, "player": player, "asked_at": now, "token": token}
    fields["changes"] = _changes(state, wishes)
    if verdict.is_legal:
        row = ControlRequest.objects.create(**fields, state=State.APPLIED)
        _carry_out(state, wishes, now)
        data = {"request": row.pk, "side": row.side, "changes": told_changes(row)}
        record(round, player.user, "control.changed", data, now)
        _tell(row, "control", {"how": "asked", "by": player.name}, now)
        return row
    if not (asked.as_exception and verdict.may_be_excepted):
        raise IllegalControl(verdict)
    why = checked_text(asked.why, what="reason for the judges", most=MAX_WHY, cites="5.2.2.2")
    breaches = [finding_to_json(breach) for breach in verdict.breaches]
    row = ControlRequest.objects.create(**fields, state=State.WAITING, breaches=breaches, why=why)
    record(round, player.user, "control.exception_asked", {"request": row.pk, "side": row.side}, now)
    return row


def _verdict(round: Round, state: ListState, player: Player, wishes: Sequence[Wish], now: datetime) -> RequestVerdict:
    over = run_out(round, state.listed, now)
    return judge_request(state.listed, player.name, wishes, now, over)


def _checked_wishes(state: ListState, asked: AskedControl) -> tuple[Wish, ...]:
    """The wishes that change something. Raises Refused if none does, and if the list is not as the form showed it."""
    for wish in asked.wishes:
        check_storable(" ".join((wish.army, *wish.to)), what="request", cites="5.2.1")
        army = state.listed.army.get(wish.army)
        if army and wish.army in asked.seen and set(asked.seen[wish.army]) != set(army.controllers):
            has = gettext(" and ").join(army.controllers) or gettext("no one")
            raise Refused(
                gettext("Control of %(army)s has passed to %(has)s in the meantime. Nothing was sent. Check it again.")
                % {"army": wish.army, "has": has},
                "5.2.1",
            )
    army_of = state.listed.army
    wishes = (Wish(army, tuple(dict.fromkeys(to))) for army, to in asked.wishes)
    changing = tuple(
        wish for wish in wishes if wish.army not in army_of or set(wish.to) != set(army_of[wish.army].controllers)
    )
    if not changing:
        raise Refused(
            gettext("The list is already like that. Choose a different player for at least one army."), "5.2.1"
        )
    return changing


def _wishes_again(state: ListState, request: ControlRequest) -> tuple[Wish, ...]:
    """5.2.2.2: The wishes of the request, with the current names of its armies and players."""
    armies = {army.pk: name for name, army in state.armies.items()}
    players = {player.pk: name for name, player in state.players.items()}
    return tuple(
        Wish(
            armies.get(change["army_id"], change["army"]),
            tuple(players.get(pk, name) for pk, name in zip(change["to_ids"], change["to"], strict=True)),
        )
        for change in request.changes
    )


def _changes(state: ListState, wishes: Sequence[Wish]) -> list[Json]:
    return [
        {
            "army": wish.army,
            "army_id": state.armies[wish.army].pk,
            "before": list(state.listed.army[wish.army].controllers),
            "to": list(wish.to),
            "to_ids": [state.players[name].pk for name in wish.to],
        }
        for wish in wishes
        if wish.army in state.armies and all(name in state.players for name in wish.to)
    ]


def _carry_out(state: ListState, wishes: Sequence[Wish], now: datetime) -> None:
    for wish in wishes:
        set_controllers(state.armies[wish.army], [state.players[name] for name in wish.to], now)


def _counts_from(request: ControlRequest, army: Army, turn: Turn | None, now: datetime) -> datetime:
    """R44, 5.2.1: From when an accepted exception counts for an army. A strat that can no longer be replaced stays
    with whoever controlled its army then (R74). Raises Refused if the army changed hands after the request."""
    if turn is None or turn.state == TurnState.SETTLED or request.asked_at < turn.opened_at:
        return now
    since = max(request.asked_at, strats_closed(turn, army, now) or request.asked_at)
    later = Control.objects.filter(Q(since__gt=request.asked_at) | Q(until__gt=request.asked_at), army=army)
    if later.exists():
        raise Refused(
            gettext(
                "%(army)s changed hands after this request was made. Decline it, or change the control list yourself."
            )
            % {"army": army.name},
            "5.2.1",
        )
    return since


def _reach_back(turn: Turn, now: datetime) -> None:
    """R44: The input of a locked turn has changed: a stage that has read it starts again, and so does the draft."""
    Turn.objects.filter(pk=turn.pk).update(judged_anew=F("judged_anew") + 1)
    if turn.state in (TurnState.MOVED, TurnState.FOUGHT):
        work_out_anew(Turn.objects.select_related("round").get(pk=turn.pk), now)


def _runs_out(turn: Turn | None) -> int:
    """5.2.2.2: Within one turn: by the lock of the turn after the one in which it was granted."""
    return turn.number + 1 if turn else 1


def _tell(request: ControlRequest, kind: str, how: dict[str, str], now: datetime) -> None:
    data = {"request": request.pk, "side": request.side, "changes": told_changes(request), **how}
    tell_list(request.round, kind, data, now)


def _wishes_for_the_log(wishes: Sequence[Wish]) -> list[Json]:
    """A request against the rules can contain anything, so it is cut to fit."""
    return [{"army": wish.army[:60], "to": [name[:200] for name in wish.to[:5]]} for wish in wishes[:50]]


def flag_run_out(now: datetime) -> int:
    """5.2.2.2: Log each exception whose turn is over and which is still partly in force, and post it in the Proxy
    List thread; returns how many. The judges' desk shows them from then on, and the side can't make other requests."""
    requests = ControlRequest.objects.filter(
        state=ControlRequest.State.GRANTED, flagged_at__isnull=True, round__state=RoundState.RUNNING
    ).select_related("round")
    due = [request for request in requests if is_over(request, current_turn(request.round), now)]
    return sum(_flag(request, now) for request in due)


@locking.writes
def _flag(request: ControlRequest, now: datetime) -> bool:
    """One update claims it, so that two jobs report it once. A resolved one is flagged silently."""
    if not ControlRequest.objects.filter(pk=request.pk, flagged_at__isnull=True).update(flagged_at=now):
        return False
    control_list = list_state(request.round, Side(request.side), now).listed
    exception = next(
        (e for e in standing_exceptions(request.round, control_list, now) if e.request.pk == request.pk), None
    )
    if exception is None:
        return False
    _tell_run_out(exception, now)
    return True


def _tell_run_out(exception: StandingException, now: datetime) -> None:
    request = exception.request
    data: dict[str, object] = {"request": request.pk, "side": request.side, "turn": request.runs_out_in}
    record(request.round, None, "control.exception_over", data, now)
    breaches = [finding_to_json(breach) for breach in exception.breaches]
    tell_list(request.round, "exception_over", {**data, "breaches": breaches}, now)
