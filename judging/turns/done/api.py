"""R60: being done with a turn."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Forbidden
from judging.api.fields import ActedOut, number
from judging.api.models import Scope
from judging.api.schema import BUTTON, WRITING, describe
from judging.api.shapes import Body
from judging.common.viewer import Viewer
from judging.turns.done.services import done_view, mark_done, send_early_lock, take_back, undo_early_lock
from wargame.models import Player


class DoneOut(serializers.Serializer[Any]):
    """R60: how many are done with a turn."""

    turn = serializers.IntegerField()
    is_open = serializers.BooleanField(help_text="Once the turn is locked, all other fields are empty.")
    done = serializers.IntegerField(help_text="Number of players with an army on the map who are done.")
    of = serializers.IntegerField(help_text="Number of players with an army on the map.")
    is_mine = serializers.BooleanField(help_text="Whether you are.")
    names = serializers.ListField(
        child=serializers.CharField(),
        help_text="Players who are done. Judges see all, leaders see their team, and others see only themselves.",
    )
    locks_from = serializers.DateTimeField(
        allow_null=True, help_text="The time from which the lock was brought forward because all are done."
    )


class Done(ApiView):
    """R60: who is done with a turn."""

    @describe("done_read", "turns", "Get how many players are done with a turn", out=DoneOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self._answer(self.viewer(slug), number)

    @describe(
        "done_mark",
        "turns",
        "Mark yourself as done with the turn",
        out=DoneOut,
        problems=(403, 404, 409, 503),
        description="Until the lock. If you post in the turn's thread afterwards, you are no longer marked as done.",
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        mark_done(turn=self.turn(viewer.round, number), player=_player(viewer), now=timezone.now())
        return self._answer(viewer, number)

    @describe(
        "done_take_back",
        "turns",
        "Undo marking yourself as done with the turn",
        out=DoneOut,
        problems=(403, 404, 409, 503),
        description="Until the lock. If the lock was brought forward because all were done, it moves back.",
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        take_back(turn=self.turn(viewer.round, number), player=_player(viewer), now=timezone.now())
        return self._answer(viewer, number)

    def _answer(self, viewer: Viewer, number: int) -> Response:
        view = done_view(self.turn(viewer.round, number), viewer, timezone.now())
        fields = ("done", "of", "is_mine", "names", "locks_from")
        empty = {"done": 0, "of": 0, "is_mine": False, "names": (), "locks_from": None}
        values = {name: getattr(view, name) for name in fields} if view else empty
        return Response(DoneOut({"turn": number, "is_open": view is not None, **values}).data)


class EarlyLockIn(Body):
    """R60: how early."""

    hours = number("Hours until the turn locks.", needed=True)


class EarlyLock(ApiView):
    """R60: a turn that judges lock before its time."""

    @describe(
        "early_lock_set",
        "turns",
        "Bring the lock of a turn forward",
        out=ActedOut,
        takes=EarlyLockIn,
        problems=WRITING,
        description="For movement and battle judges of the round. The change is announced at once.",
        scope=Scope.JUDGE,
        page="early-lock",
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        data = self.read_as_user(EarlyLockIn)
        turn = self.turn(self.round(slug), number)
        message = send_early_lock(request.user, turn, data["hours"], timezone.now())
        return self.done(message, reverse("movement", args=[slug]))

    @describe(
        "early_lock_take_back",
        "turns",
        "Undo bringing the lock of a turn forward",
        out=ActedOut,
        problems=BUTTON,
        scope=Scope.JUDGE,
        page="early-lock",
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        self.read_as_user()
        message = undo_early_lock(request.user, self.turn(self.round(slug), number), timezone.now())
        return self.done(message, reverse("movement", args=[slug]))


def _player(viewer: Viewer) -> Player:
    if viewer.player is None:
        raise Forbidden(gettext("Only players in this round can mark themselves as done."), "R60")
    return viewer.player
