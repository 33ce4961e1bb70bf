"""5.2: The public control list, now and at any past moment, and the history of an army's control (5.2.1); requests
for changes of it, contingencies, and the power to make requests, with the choices in their forms."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from judging.command.badges import forget_team_waiting
from judging.command.control.powers import change_contingencies, transfer_power
from judging.command.control.requests import (
    AskedControl,
    IllegalControl,
    Named,
    gifts_for,
    judge_asked,
    may_ask,
    names_for,
    names_for_gift,
    request_army,
    request_control,
    request_rows,
    requests_for,
    state_for,
    waiting_requests,
    withdraw_by_id,
)
from judging.command.control.services import (
    ListState,
    control_lists,
    controllers_now,
    history_of_army,
    lock_moment,
    players_of,
)
from judging.common.control import is_leader
from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_button, handle_form, number_of
from judging.common.forms import new_token
from judging.common.positions import present_position
from judging.common.rounds import current_turn
from judging.common.shortcuts import turn_for, viewer_for
from judging.common.viewer import Viewer
from wargame.models import Player, Round
from wargame.rules.command.control import RequestVerdict
from wargame.rules.command.control_list import Wish
from wargame.rules.command.ranks import CHIEF
from wargame.rules.core.sides import RANKS, TEAMS, Rank

AS_IT_IS, NOBODY = "", "nobody"
LARGEST_TURN = 2**31 - 1


@get_or_post
@login_required
def request_page(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.1, R44: The form of a request; a POST checks it, sends it, or asks the judges for an exception."""
    viewer, now = viewer_for(request, slug), timezone.now()
    pressed = request.POST.get("act", "check")

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if isinstance(refused, IllegalControl):
            return _page(request, viewer, {"verdict": RequestVerdict(refused.breaches)}, refused)
        return _page(request, viewer, _check(request, viewer) if request.method == "POST" else {}, refused)

    def act() -> Success:
        data = chosen_in(request.POST)
        proposal = asked_from(data, viewer.round, names_for(viewer), as_exception=pressed == "except")
        control_request = request_control(round=viewer.round, player=viewer.player, asked=proposal, now=now)
        forget_team_waiting(viewer.player)
        if control_request.state == control_request.State.WAITING:
            message = gettext(
                "The judges have your request. The control list stays as it is until a judge grants your request."
            )
            return Success(message, reverse("control-requests", args=[slug]))
        return Success(gettext("You changed the control list."), reverse("command", args=[slug]))

    return handle_form(request, page, act if pressed in ("send", "except") else None)


@require_POST
@login_required
def check(request: HttpRequest, slug: str) -> HttpResponse:
    """R44: The rules' verdict on the chosen values, as a fragment."""
    viewer = viewer_for(request, slug)
    return render(request, "command/_verdict.html", {"round": viewer.round, **_check(request, viewer)})


@get_or_post
def requests(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2: The requests that the viewer may see; a POST withdraws one that waits for the judges."""
    viewer = viewer_for(request, slug)
    if request.method == "POST":
        key = number_of(request.POST.get("request", ""))
        return handle_button(request, lambda: withdraw_by_id(viewer, key, timezone.now()))
    request_views = requests_for(viewer)
    context = {"round": viewer.round, "viewer": viewer, "requests": request_views, "may_ask": may_ask(viewer)}
    return render(request, "command/requests.html", context)


@get_or_post
@login_required
def give_army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """5.2.1, 5.3.4: Give a player of one's team an army with one button: the same request as the long form's, with
    its rules."""
    viewer, now = viewer_for(request, slug), timezone.now()
    team = names_for_gift(viewer, name)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        turn, state = turn_for(viewer.round), cast(ListState, state_for(viewer, now))
        player = state.players[name]
        holder = viewer.player if may_ask(viewer) else None
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "player": player,
            "held": state.listed.held[name],
            "holders": state.listed.may_ask,
            "may_ask": holder is not None,
            "gifts": gifts_for(state, player, holder, present_position(turn), now) if holder else (),
            "token": new_token(),
            "refused": refused,
        }
        return render(request, "command/give_army.html", context)

    def act() -> Success:
        names, keys = team.players | team.other_players, request.POST.get("from", "").split(",")
        army, holders = team.armies.get(request.POST.get("army", "")), tuple(names.get(key, key) for key in keys if key)
        outcome = request_army(viewer, name, army, request.POST.get("token", ""), now, seen=holders)
        forget_team_waiting(viewer.player)
        return outcome

    return handle_form(request, page, act)


@get_or_post
@login_required
def contingencies(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.3: One other player for each, set by those who may request changes of the list."""
    viewer = viewer_for(request, slug)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "round": viewer.round,
            "viewer": viewer,
            "players": _players_of(viewer),
            "may_ask": may_ask(viewer),
            "refused": refused,
        }
        return render(request, "command/contingencies.html", context)

    def act() -> str:
        choices = chosen_from(request.POST, _players_of(viewer))
        return change_contingencies(viewer, choices, timezone.now())

    return handle_form(request, page, act)


@get_or_post
@login_required
def power(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.2.1: The holders of the power to request changes, and its transfer."""
    viewer = viewer_for(request, slug)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        return render(request, "command/power.html", {**_power(viewer), "refused": refused})

    def act() -> str:
        giver, to = request.POST.get("giver", ""), request.POST.get("to", "")
        return transfer_power(round=viewer.round, player=viewer.player, giver=giver, to=to, now=timezone.now())

    return handle_form(request, page, act)


def _players_of(viewer: Viewer) -> list[Player]:
    return list(players_of(viewer.round, viewer.side)) if viewer.side else []


def _power(viewer: Viewer) -> dict[str, object]:
    player = viewer.player
    people = _players_of(viewer)
    holders = [each for each in people if each.may_change_control]
    is_chief = bool(player and player.rank and Rank(player.rank).tier == CHIEF)
    return {
        "round": viewer.round,
        "viewer": viewer,
        "holders": holders,
        "givers": holders if is_chief else [each for each in holders if player and each.pk == player.pk],
        "others": [each for each in people if not each.may_change_control],
        "is_chief": is_chief,
        "is_leader": is_leader(player),
        "chief": RANKS[viewer.side][0].title if viewer.side else "",
        "sides": TEAMS,
    }


def _check(request: HttpRequest, viewer: Viewer) -> dict[str, object]:
    """R44: The verdict on the chosen values, or why there is none."""
    now = timezone.now()
    if viewer.player is None:
        return {"why_not": gettext("Only players can ask for changes to their side's list.")}
    try:
        proposal = asked_from(chosen_in(request.POST), viewer.round, names_for(viewer))
        return {"verdict": judge_asked(viewer.round, viewer.player, proposal, now), "wishes": proposal.wishes}
    except Refused as error:
        return {"why_not": error.sentence, "why_cites": error.cites}


def _page(request: HttpRequest, viewer: Viewer, checked: Mapping[str, object], refused: Refused | None) -> HttpResponse:
    """The form with the verdict on the chosen values; one that is only checked keeps its token."""
    state = state_for(viewer, timezone.now())
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "rows": request_rows(state) if state else [],
        "people": [player for player in state.players.values() if player.rank] if state else [],
        "may_ask": may_ask(viewer),
        "holders": state.listed.may_ask if state else (),
        "chosen": request.POST,
        "wanted": (request.POST.get("army") or request.GET.get("army", "")).partition(":")[0],
        "shows_table": any(name.startswith("to-") and value for name, value in request.POST.items()),
        "token": request.POST.get("token", "") if request.method == "POST" and refused is None else new_token(),
        "refused": refused,
        **checked,
    }
    return render(request, "command/request.html", context)


@require_safe
def lists(request: HttpRequest, slug: str) -> HttpResponse:
    """5.2.1: The controllers of all armies, with dates, by team; with `turn` or `at`, those at that time."""
    viewer, now = viewer_for(request, slug), timezone.now()
    query = {key: request.GET.get(key, "").strip() for key in ("turn", "at", "q")}
    wrong = ""
    try:
        when = moment_asked(viewer, query["turn"], query["at"], now)
    except Refused as error:
        when, wrong = now, error.sentence
    turn = current_turn(viewer.round)
    context = {
        "round": viewer.round,
        "viewer": viewer,
        "list": control_lists(viewer.round, when, now, query["q"][:60]),
        "asked": query,
        "wrong": wrong,
        "turns": range(turn.number, 0, -1) if turn else (),
        "waiting": waiting_requests(viewer) if viewer.player or viewer.roles else [],
    }
    return render(request, "command/list.html", context, status=400 if wrong else 200)


@require_safe
def army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """5.2: All controllers of an army, with the dates."""
    viewer = viewer_for(request, slug)
    history = history_of_army(viewer.round, name) if "\0" not in name else None
    if history is None:
        raise Http404(gettext("There is no army “%(name)s” in this round.") % {"name": name[:60]})
    context = {"round": viewer.round, "viewer": viewer, "army": history[0], "spans": history[1]}
    return render(request, "command/army.html", context)


def moment_asked(viewer: Viewer, turn: str, at: str, now: datetime) -> datetime:
    """The requested moment: the lock of a turn, a time (UTC), or now. Raises Refused for anything else."""
    if turn:
        number = int(turn) if turn.isdecimal() and len(turn) < 11 else 0
        if not 0 < number <= LARGEST_TURN:
            raise Refused(gettext("“%(turn)s” is not a turn number.") % {"turn": turn[:20]}, "3.1", "turn")
        try:
            return min(now, lock_moment(turn_for(viewer.round, number)))
        except Http404 as error:
            raise Refused(str(error), "3.1", "turn") from None
    if at:
        return min(now, _read_time(at))
    return now


def _read_time(text: str) -> datetime:
    try:
        when = parse_datetime(text)
        day = None if when else parse_date(text)
    except ValueError:
        when = day = None
    if when is None and day is not None:
        when = datetime(day.year, day.month, day.day, tzinfo=UTC)
    if when is None:
        raise Refused(
            gettext("“%(text)s” is not a time. Write one like 2026-03-09T05:00 (UTC).") % {"text": text[:40]}, "", "at"
        )
    try:
        return when if when.tzinfo else when.replace(tzinfo=UTC)
    except OverflowError:
        raise Refused(gettext("“%(text)s” is not a valid time.") % {"text": text[:40]}, "", "at") from None


def chosen_in(post: QueryDict) -> QueryDict:
    """The choices in the form of a request, for `asked_from`: those in its short part about one army, `army` as
    `KEY:KEYS` of its controllers, with `to` and `keep`, are merged with those in its table about others."""
    key, _, controller_keys = post.get("army", "").partition(":")
    to = post.get("to", "")
    if not key.isdecimal() or not to:
        return post
    data = post.copy()
    data[f"to-{key}"], data[f"from-{key}"] = to, controller_keys
    if post.get("keep"):
        data[f"keep-{key}"] = "on"
    return data


def asked_from(post: QueryDict, round: Round, named: Named | None, *, as_exception: bool = False) -> AskedControl:
    """5.2.1: The request in a form: for an army's key, `to-KEY` is a player's key, `nobody`, or empty for no change;
    with `keep-KEY` its current controllers keep it, too; `from-KEY` are their keys as the form showed them.

    The other side's armies and players are passed by their names, so that the rules reject them.
    """
    if named is None:
        raise Refused(gettext("Only players can ask for changes to their side's list."), "1.6")
    names = named.players | named.other_players
    foreign = [name for key, name in named.other_armies.items() if post.get(f"to-{key}")]
    wishes, previous = [Wish(name, ()) for name in foreign], {}
    for army, name in named.armies.items():
        to, controller_keys = post.get(f"to-{army}", AS_IT_IS), post.get(f"from-{army}")
        if to == AS_IT_IS:
            continue
        controllers: tuple[str, ...] = ()
        if to != NOBODY:
            if to not in names:
                raise Refused(
                    gettext("The player chosen for %(name)s no longer plays for this side.") % {"name": name},
                    "1.1",
                )
            controllers = (names[to],)
        if post.get(f"keep-{army}"):
            controllers = (*controllers_now(round).get(int(army), ()), *controllers)
        wishes.append(Wish(name, tuple(dict.fromkeys(controllers))))
        if controller_keys is not None:
            previous[name] = tuple(names.get(key, key) for key in controller_keys.split(",") if key)
    return AskedControl(tuple(wishes), post.get("token", ""), previous, as_exception, post.get("why", ""))


def chosen_from(post: QueryDict, players: Iterable[Player]) -> dict[str, str]:
    """5.2.3: the contingency of each player whose field is in the form: `for-KEY` is a player's key, or empty."""
    people = {str(player.pk): player.name for player in players}
    contingencies = {}
    for key, name in people.items():
        to = post.get(f"for-{key}")
        if to is not None:
            if to and to not in people:
                raise Refused(
                    gettext("The player chosen for %(name)s no longer plays for this side.") % {"name": name},
                    "1.1",
                )
            contingencies[name] = people.get(to, "")
    return contingencies
