"""5.2: the control list at any moment, and requests for its change."""

import hashlib

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView, unchanged
from judging.api.errors import Forbidden
from judging.api.fields import ActedOut, line
from judging.api.schema import BUTTON, WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.command.control.powers import change_contingencies, transfer_power
from judging.command.control.requests import (
    AskedControl,
    RequestView,
    request_army,
    request_control,
    requests_for,
    withdraw_by_id,
)
from judging.command.control.services import ControlListView, Holder, ListedArmy, SideList, control_lists, lock_moment
from judging.command.models import ControlRequest
from wargame.models import Player, Round
from wargame.models.choices import RANKS
from wargame.rules.command.control_list import Wish
from wargame.rules.core.faults import Finding

REQUEST_STATES = ControlRequest.State.choices


class ControlQuery(Body):
    """The moment that is asked for; the present without either."""

    turn = serializers.IntegerField(
        required=False, min_value=1, max_value=2**31 - 1, help_text="At the lock of this turn (5.4.2)."
    )
    at = serializers.DateTimeField(required=False, help_text="At this moment.")


class ListedArmyOut(Shape):
    """5.2.1: an army on the list."""

    made_of = ListedArmy
    shows = ("army", "rank", "since", "beside", "is_namesake", "is_captive")
    tells = {
        "since": "When its controller received it; null if it has no controller.",
        "beside": "Other players who also control it.",
        "is_namesake": "Whether it is named after its controller (5.3.2).",
        "is_captive": "Whether it was captured (4.5).",
    }
    army = serializers.CharField(source="army.name")
    rank = serializers.ChoiceField(choices=RANKS)


class HolderOut(Shape):
    """5.2.1: a player with the armies they control. `name` is their name at that time (1.6)."""

    made_of = Holder
    shows = ("name", "rank", "contingency", "armies")
    tells = {"contingency": "Only for the current list (5.2.3)."}
    rank = serializers.CharField(source="title", help_text="In words, at that moment.")


class SideListOut(Shape):
    """5.2.1: the list of one side."""

    made_of = SideList
    shows = ("side", "may_ask", "players", "nobody")
    tells = {
        "may_ask": "Who can ask for changes; only for the current list (5.2.2.1).",
        "nobody": "Armies without a controller.",
    }
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    players = HolderOut(many=True, source="holders")


class ControlOut(Shape):
    """5.2.1: both lists at a moment."""

    made_of = ControlListView
    shows = ("when", "turn", "is_present", "sides")
    tells = {"sides": "Empty before turn 1."}
    turn = serializers.IntegerField(
        source="turn.number", allow_null=True, help_text="The turn at that time; null before the first."
    )


class ChangeOut(Body):
    """5.2.1: an army that changes hands. An empty list is nobody."""

    army = serializers.CharField()
    before = serializers.ListField(child=serializers.CharField())
    to = serializers.ListField(child=serializers.CharField())
    since = serializers.DateTimeField(
        allow_null=True, help_text="When it takes effect (R44); null if the request is not in force."
    )


class BreachOut(Shape):
    """5.3: a rule that a request breaks."""

    made_of = Finding
    shows = ("cites", "sentence")


class RequestOut(Shape):
    """5.2.1: a request for changes of a control list."""

    made_of = RequestView
    shows = (
        *("id", "side", "by", "state", "asked_at", "changes", "breaches", "why", "decided_by", "reason"),
        "runs_out_in",
    )
    tells = {
        "by": "The player who asked, or the judge who made the change.",
        "breaches": "What an exception allows or was requested for (5.2.2.2).",
    }
    id = serializers.IntegerField(source="row.pk")
    side = serializers.ChoiceField(choices=TEAM_SIDES, source="row.side")
    state = serializers.ChoiceField(choices=REQUEST_STATES, source="row.state")
    asked_at = serializers.DateTimeField(source="row.asked_at")
    changes = ChangeOut(many=True)
    why = serializers.CharField(source="row.why")
    reason = serializers.CharField(source="row.reason")
    runs_out_in = serializers.IntegerField(
        source="row.runs_out_in", allow_null=True, help_text="The turn whose lock is the deadline for making it legal."
    )


class WishIn(Body):
    """5.2.1: who shall control an army."""

    army = serializers.CharField(max_length=40)
    to = serializers.ListField(
        child=serializers.CharField(max_length=40),
        max_length=10,
        help_text="Names of players; empty for no controller.",
    )


class RequestIn(Body):
    """5.2.1: a request; all of it or nothing."""

    changes = serializers.ListField(child=WishIn(), min_length=1, max_length=200)
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates one request."
    )
    exception_because = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=2000,
        help_text="Reason to ask the judges for an exception, if 5.3 forbids the change (5.2.2.2).",
    )


class ControlList(ApiView):
    """5.2.1: who controls what."""

    @describe(
        "control_read",
        "control",
        "Get the control lists, now or at a past time",
        out=ControlOut,
        asks=ControlQuery,
        problems=(400, 404),
        description="With `turn`, returns the list at that turn's lock, which counted for its orders (5.4.2). A "
        "time in "
        "the future returns the current list.",
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        query, now = self.read(ControlQuery, request.query_params), timezone.now()
        round_, when = self.round(slug), query.get("at", now)
        if "turn" in query:
            when = lock_moment(self.turn(round_, query["turn"]))
        data = ControlOut(control_lists(round_, when, now)).data
        # The present goes on from request to request, and is no change of the lists.
        tag = hashlib.sha256(repr({**data, "when": None} if data["is_present"] else data).encode()).hexdigest()[:32]
        return unchanged(request, tag) or Response(data, headers={"ETag": f'"{tag}"'})


class ControlRequests(ListView):
    """5.2.1: requests for changes of the list."""

    @describe(
        "control_requests_list",
        "control",
        "List the requests for changes to the control lists, latest first",
        out=RequestOut(many=True),
        description="Requests in force are public. Only judges, the side's leaders and players who can ask for changes "
        "see pending and unsuccessful ones.",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(requests_for(self.viewer(slug)), RequestOut)

    @describe(
        "control_requests_create",
        "control",
        "Ask for changes to your side's control list",
        out=RequestOut,
        status=201,
        takes=RequestIn,
        problems=WRITING,
        description="For the two players of a side with that authority (5.2.2.1). A legal request takes effect "
        "at once. "
        "An illegal one is refused with every rule it breaks, or goes to the judges if you send "
        "`exception_because`. Sending the same `token` again returns the same request.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        if viewer.player is None:
            raise Forbidden(gettext("Only players in this round can ask for changes to its control lists."), "1.6")
        data = self.read(RequestIn, request.data)
        wishes = tuple(Wish(change["army"], tuple(change["to"])) for change in data["changes"])
        why = data["exception_because"]
        proposal = AskedControl(wishes, data["token"], {}, as_exception=bool(why.strip()), why=why)
        control_request = request_control(round=viewer.round, player=viewer.player, asked=proposal, now=now)
        view = next(view for view in requests_for(viewer) if view.row.pk == control_request.pk)
        return Response(RequestOut(view).data, status=status.HTTP_201_CREATED)


class GiveIn(Body):
    """5.2.1: an army for a player."""

    army = line("The army's name.", needed=True)
    token = line("Idempotency key: repeating it won't make a second change.")


class ContingenciesIn(Body):
    """5.2.3: who acts for whom."""

    contingencies = serializers.DictField(
        child=serializers.CharField(allow_blank=True, max_length=60),
        help_text="Maps a player's name to the name of the player who acts for them; empty for none. Players you leave "
        "out stay the same.",
    )


class PowerIn(Body):
    """5.2.2.1: the power to ask for changes of the control list."""

    giver = line("Name of the player who hands it over.", needed=True)
    to = line("Name of the player who receives it.", needed=True)


def _check_players(round_: Round, contingencies: dict[str, str]) -> None:
    """Raises ValidationError for a name that nobody in the round has."""
    names = set(Player.objects.filter(round=round_, left_at__isnull=True).values_list("name", flat=True))
    unknown = [name for name in (*contingencies, *contingencies.values()) if name and name not in names]
    sentences = [gettext("No one in this round is called “%(name)s”.") % {"name": name} for name in unknown]
    if sentences:
        raise ValidationError({"contingencies": sentences})


class OneControlRequest(ApiView):
    """5.2: a request that waits for the judges."""

    @describe(
        "control_requests_withdraw",
        "control",
        "Withdraw a request that waits for the judges",
        out=ActedOut,
        problems=BUTTON,
        page="control-requests",
    )
    def delete(self, request: Request, slug: str, request_id: int) -> Response:
        self.read_as_user()
        message = withdraw_by_id(self.viewer(slug), request_id, timezone.now())
        return self.done(message, reverse("control-requests", args=[slug]))


class Give(ApiView):
    """5.3.4: a player who needs an army."""

    @describe(
        "control_give",
        "control",
        "Give a player of your team an army",
        out=ActedOut,
        takes=GiveIn,
        problems=WRITING,
        page="give-army",
        description="The same as `control_requests_create`, for a single player.",
    )
    def post(self, request: Request, slug: str, name: str) -> Response:
        data = self.read_as_user(GiveIn)
        return self.done(request_army(self.viewer(slug), name, data["army"], data["token"], timezone.now()))


class Contingencies(ApiView):
    """5.2.3: who acts for a player that is away."""

    @describe(
        "contingencies_set",
        "control",
        "Set who acts for which player",
        out=ActedOut,
        takes=ContingenciesIn,
        problems=WRITING,
        page="contingencies",
    )
    def put(self, request: Request, slug: str) -> Response:
        contingencies, viewer = self.read_as_user(ContingenciesIn)["contingencies"], self.viewer(slug)
        _check_players(viewer.round, contingencies)
        message = change_contingencies(viewer, contingencies, timezone.now())
        return self.done(message, reverse("contingencies", args=[slug]))


class Power(ApiView):
    """5.2.2.1: who may ask for changes."""

    @describe(
        "control_power",
        "control",
        "Hand over the right to ask for changes to the list",
        out=ActedOut,
        takes=PowerIn,
        problems=WRITING,
        page="control-power",
    )
    def post(self, request: Request, slug: str) -> Response:
        data, viewer = self.read_as_user(PowerIn), self.viewer(slug)
        message = transfer_power(
            round=viewer.round, player=viewer.player, giver=data["giver"], to=data["to"], now=timezone.now()
        )
        return self.done(message, reverse("control-power", args=[slug]))
