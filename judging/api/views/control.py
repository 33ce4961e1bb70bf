"""5.2: the control list at any moment, and requests for its change."""

from __future__ import annotations

from django.utils import timezone
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden
from judging.api.examples import CONTROL, CONTROL_REQUEST, CONTROL_SENT
from judging.api.schema import WRITING, describe
from judging.api.shapes.control import ControlOut, ControlQuery, RequestIn, RequestOut, control_data, request_data
from judging.selectors.command import control_lists, lock_moment
from judging.selectors.requests import requests_for
from judging.services.control_requests import Asked, request_control
from wargame.rules.command.control_list import Wish


class ControlList(ApiView):
    """5.2.1: who controls what."""

    @describe(
        "control_read",
        "control",
        "Who controls which army, now or at any past moment",
        out=ControlOut,
        example=CONTROL,
        asks=ControlQuery,
        problems=(400, 404),
        description="With `turn`, as it was at the lock of that turn: what counted for its orders (5.4.2). A moment "
        "that is still to come is taken for now.",
    )
    def get(self, request: Request, slug: str) -> Response:
        asked, now = self.read(ControlQuery, request.query_params), timezone.now()
        round_, when = self.round(slug), asked.get("at", now)
        if "turn" in asked:
            when = lock_moment(self.turn(round_, asked["turn"]))
        return Response(ControlOut(control_data(control_lists(round_, when, now))).data)


class ControlRequests(ListView):
    """5.2.1: requests for changes of the list."""

    @describe(
        "control_requests_list",
        "control",
        "The requests for changes of the control lists, the latest first",
        out=RequestOut(many=True),
        example=CONTROL_REQUEST,
        description="What is in force is public. What waits for the judges, or came to nothing, is for the side's "
        "leaders and those who may ask, and for the judges.",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page([request_data(view) for view in requests_for(self.viewer(slug))], RequestOut)

    @describe(
        "control_requests_create",
        "control",
        "Ask for changes of your side's control list",
        out=RequestOut,
        status=201,
        example=CONTROL_REQUEST,
        takes=RequestIn,
        sent=CONTROL_SENT,
        problems=WRITING,
        description="For the two players of a side who have that authority (5.2.2.1). A legal request takes effect at "
        "once; an illegal one is refused with every rule that it breaks, or goes to the judges with "
        "`exception_because`. The same `token` again gives the same request.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        if viewer.player is None:
            raise Forbidden("Only the players of this round ask for changes of its control lists.", "1.6")
        sent = self.read(RequestIn, request.data)
        wishes = tuple(Wish(change["army"], tuple(change["to"])) for change in sent["changes"])
        why = sent["exception_because"]
        asked = Asked(wishes, sent["token"], {}, as_exception=bool(why.strip()), why=why)
        made = request_control(round=viewer.round, player=viewer.player, asked=asked, now=now)
        view = next(view for view in requests_for(viewer) if view.row.pk == made.pk)
        return Response(RequestOut(request_data(view)).data, status=status.HTTP_201_CREATED)
