"""2.5: a round, begun, prepared step by step, and started, for programs."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.doors import LONGEST_LINE, ActedOut, Nothing, Sent, carried_out, door, fields, line, text, ticked
from judging.api.errors import Missing
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body

STEPS = (
    *("name", "judges", "calendar", "terrain", "bases", "towns", "descriptions", "wins", "reveal", "armies", "proxies"),
    *("placement", "mercenaries", "book", "shown"),
)
"""The steps whose form a judge sends, as their addresses end."""

OF_TEAMS = {"wish": "setup-team", "descriptions": "setup-team-descriptions", "wins": "setup-team-wins"}
OF_TEAMS |= {"starts": "setup-starts"}
"""The pages of a team's leaders."""


class NewRoundIn(Body):
    """2.5: a round that is begun."""

    name = line("Its name.", needed=True)
    earlier = line("The slug of the round from which it takes everything.")
    invites = ticked("Whether the players of the earlier round are invited.")
    token = line("Once more with the same one begins no second round.")


class StepIn(Body):
    """2.5: the form of a step, whose fields the step's page has."""

    act = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_LINE, help_text="The button, like `save` or `accept:12`."
    )
    version = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="The version that it is based on."
    )
    fields_ = fields("The fields of the form, each with a list of its values.")

    def get_fields(self) -> Any:
        """Under the name `fields`, which a serializer has for itself."""
        found = super().get_fields()
        found["fields"] = found.pop("fields_")
        return found


class GivingUpIn(Body):
    """2.5: the end of a round before its beginning."""

    reason = text("Why.", needed=True)
    sure = ticked("Needed.")


def _form(given: Sent) -> dict[str, object]:
    known = {name: given[name] for name in ("act", "version") if name in given}
    return {**given["fields"], **known}


class NewRound(ApiView):
    """2.5: rounds that are begun."""

    post = door(
        *("rounds_begin", "set-up", "Begin a round", "round-new"),
        takes=NewRoundIn,
        scope=Scope.JUDGE,
        description="For those to whom an administrator gave the permission; whoever begins it is its head judge.",
    )


class SetupStep(ApiView):
    """2.5: a step of a set-up."""

    permission_classes = (permissions.IsAuthenticated,)
    writes_by = Scope.JUDGE

    @describe(
        "setup_step",
        "set-up",
        "Carry out a step of a round's set-up",
        out=ActedOut,
        takes=StepIn,
        problems=WRITING,
        description=f"For its battle judges. `step` is one of {', '.join(STEPS)}.",
    )
    def put(self, request: Request, slug: str, step: str) -> Response:
        if step not in STEPS:
            raise Missing(gettext("There is no such step."))
        given = self.read(StepIn, request.data)
        return Response(ActedOut(carried_out(self, request, f"setup-{step}", {"slug": slug}, _form(given))).data)


class SetupOne(ApiView):
    """2.5: one description or one proxy of a set-up."""

    permission_classes = (permissions.IsAuthenticated,)
    writes_by = Scope.JUDGE

    @describe(
        "setup_one",
        "set-up",
        "Change one description or one proxy of a round's set-up",
        out=ActedOut,
        takes=StepIn,
        problems=WRITING,
        description="For its battle judges. `what` is `descriptions` or `proxies`, `key` the id of the one.",
    )
    def put(self, request: Request, slug: str, what: str, key: int) -> Response:
        pages = {"descriptions": ("setup-description", "site_id"), "proxies": ("setup-proxy", "muster_id")}
        if what not in pages or key > 2**31 - 1:
            raise Missing(gettext("There is no such thing in a set-up."))
        page, name = pages[what]
        given = self.read(StepIn, request.data)
        return Response(ActedOut(carried_out(self, request, page, {"slug": slug, name: key}, _form(given))).data)


class SetupTeam(ApiView):
    """2.5.1: what the leaders of a team do in a set-up."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "setup_team",
        "set-up",
        "Ask for bases, describe them, choose win conditions or where armies start",
        out=ActedOut,
        takes=StepIn,
        problems=WRITING,
        description=f"For the leaders of a team. `page` is one of {', '.join(OF_TEAMS)}.",
    )
    def put(self, request: Request, slug: str, page: str) -> Response:
        if page not in OF_TEAMS:
            raise Missing(gettext("There is no such page."))
        given = self.read(StepIn, request.data)
        return Response(ActedOut(carried_out(self, request, OF_TEAMS[page], {"slug": slug}, _form(given))).data)


class Start(ApiView):
    """2.5: the start of a round."""

    post = door("setup_start", "set-up", "Start a round", "setup-start", scope=Scope.JUDGE, takes=Nothing)


class GivingUp(ApiView):
    """2.5: a round that is given up."""

    post = door(
        *("setup_give_up", "set-up", "Give a round up that has not begun", "setup-give-up"),
        takes=GivingUpIn,
        scope=Scope.JUDGE,
    )
