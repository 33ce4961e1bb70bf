"""2.5: a round, begun, prepared step by step, and started, for programs."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.doors import Sent, carried_out, door
from judging.api.errors import Missing
from judging.api.fields import LONGEST_LINE, ActedOut, Nothing, fields, line, text, ticked
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
    earlier = line("Slug of an earlier round to copy everything from.")
    invites = ticked("Whether to invite the players of the earlier round.")
    token = line("Idempotency key: repeating it won't create a second round.")


class StepIn(Body):
    """2.5: the form of a step, whose fields the step's page has."""

    act = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=LONGEST_LINE,
        help_text="The button to press, such as `save` or `accept:12`.",
    )
    version = serializers.IntegerField(
        required=False, min_value=0, max_value=2**31 - 1, help_text="The version your change is based on."
    )
    fields_ = fields("The form's fields, each with a list of values.")

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
        description="Needs permission from an administrator. You become the round's head judge.",
    )


class SetupStep(ApiView):
    """2.5: a step of a set-up."""

    permission_classes = (permissions.IsAuthenticated,)
    writes_by = Scope.JUDGE

    @describe(
        "setup_step",
        "set-up",
        "Carry out a step of a round's setup",
        out=ActedOut,
        takes=StepIn,
        problems=WRITING,
        description=f"For the round's battle judges. `step` is one of {', '.join(STEPS)}.",
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
        "Change one description or proxy of a round's setup",
        out=ActedOut,
        takes=StepIn,
        problems=WRITING,
        description="For the round's battle judges. `what` is `descriptions` or `proxies`; `key` is the item's id.",
    )
    def put(self, request: Request, slug: str, what: str, key: int) -> Response:
        pages = {"descriptions": ("setup-description", "site_id"), "proxies": ("setup-proxy", "muster_id")}
        if what not in pages or key > 2**31 - 1:
            raise Missing(gettext("There is no such set-up item."))
        page, name = pages[what]
        given = self.read(StepIn, request.data)
        return Response(ActedOut(carried_out(self, request, page, {"slug": slug, name: key}, _form(given))).data)


class SetupTeam(ApiView):
    """2.5.1: what the leaders of a team do in a set-up."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "setup_team",
        "set-up",
        "Request bases, describe them, choose win conditions or starting positions",
        out=ActedOut,
        takes=StepIn,
        problems=WRITING,
        description=f"For a team's leaders. `page` is one of {', '.join(OF_TEAMS)}.",
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
        *("setup_give_up", "set-up", "Cancel a round that has not started", "setup-give-up"),
        takes=GivingUpIn,
        scope=Scope.JUDGE,
    )
