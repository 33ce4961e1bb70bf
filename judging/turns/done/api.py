"""R60: being done with a turn."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.doors import door, number
from judging.api.errors import Forbidden
from judging.api.models import Scope
from judging.api.schema import describe
from judging.api.shapes import Body
from judging.game.viewer import Viewer
from judging.turns.done.reads import done_view
from judging.turns.done.writes import mark_done, take_back
from wargame.models import Player


class DoneOut(serializers.Serializer[Any]):
    """R60: how many are done with a turn."""

    turn = serializers.IntegerField()
    is_open = serializers.BooleanField(help_text="Of a turn that is locked all else is empty.")
    done = serializers.IntegerField(help_text="How many of those who control an army on the map are done.")
    of = serializers.IntegerField(help_text="How many control an army on the map.")
    is_mine = serializers.BooleanField(help_text="Whether you are.")
    names = serializers.ListField(
        child=serializers.CharField(), help_text="Who is: all for the judges, of their team for its leaders, else you."
    )
    locks_from = serializers.DateTimeField(
        allow_null=True, help_text="The lock was brought forward from then, because all are done."
    )


class Done(ApiView):
    """R60: who is done with a turn."""

    @describe("done_read", "turns", "How many are done with a turn", out=DoneOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        return self._answer(self.viewer(slug), number)

    @describe(
        "done_mark",
        "turns",
        "Say that you are done with the turn",
        out=DoneOut,
        problems=(403, 404, 409, 503),
        description="Until the lock. Whatever you write in its thread afterwards takes it back.",
    )
    def put(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        mark_done(turn=self.turn(viewer.round, number), player=_player(viewer), now=timezone.now())
        return self._answer(viewer, number)

    @describe(
        "done_take_back",
        "turns",
        "Say that you are not done with the turn after all",
        out=DoneOut,
        problems=(403, 404, 409, 503),
        description="Until the lock. A lock that was brought forward because all were done goes back.",
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        take_back(turn=self.turn(viewer.round, number), player=_player(viewer), now=timezone.now())
        return self._answer(viewer, number)

    def _answer(self, viewer: Viewer, number: int) -> Response:
        view = done_view(self.turn(viewer.round, number), viewer, timezone.now())
        fields = ("done", "of", "is_mine", "names", "locks_from")
        empty = {"done": 0, "of": 0, "is_mine": False, "names": (), "locks_from": None}
        found = {name: getattr(view, name) for name in fields} if view else empty
        return Response(DoneOut({"turn": number, "is_open": view is not None, **found}).data)


class EarlyLockIn(Body):
    """R60: how early."""

    hours = number("In how many hours the turn is to lock.", needed=True)


def _of_turn(view: ApiView, given: dict[str, object], where: dict[str, object]) -> dict[str, object]:
    """The form says which turn it is about, as another one may have begun."""
    return {**given, "turn": where.pop("number")}


class EarlyLock(ApiView):
    """R60: a turn that judges lock before its time."""

    put = door(
        *("early_lock_set", "turns", "Bring the lock of a turn forward", "early-lock"),
        takes=EarlyLockIn,
        form=_of_turn,
        scope=Scope.JUDGE,
        description="For its movement and battle judges; it is announced at once.",
    )
    delete = door(
        *("early_lock_take_back", "turns", "Put the lock of a turn back", "early-lock"),
        presses={"act": "back"},
        form=_of_turn,
        scope=Scope.JUDGE,
    )


def _player(viewer: Viewer) -> Player:
    if viewer.player is None:
        raise Forbidden(gettext("Only the players of this round say that they are done."), "R60")
    return viewer.player
