"""2.5: a round, begun, prepared step by step, and started, for programs."""

from typing import Any

from django.contrib.auth.models import User
from django.contrib.messages import constants
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing, NotNow
from judging.api.fields import LONGEST_LINE, ActedOut, Nothing, check_form, fields, form_of, line, text, ticked
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.common.form_views import Success
from judging.setup.services import begin_round, check_may_create_round, give_up
from judging.setup.step import SentForm, SetupPage, StepPage, desk_of
from judging.setup.steps import (
    armies,
    bases_and_towns,
    book,
    calendar,
    control,
    descriptions,
    judges,
    mercenaries,
    name,
    placement,
    proxies,
    terrain,
    wins,
)
from judging.setup.steps.start import StartPage
from judging.setup.team import TeamPage, WishPage, open_page
from wargame.models.choices import RoundState

STEP_PAGES: dict[str, type[StepPage]] = {
    "name": name.NamePage,
    "judges": judges.JudgesPage,
    "calendar": calendar.CalendarPage,
    "terrain": terrain.TerrainPage,
    "bases": bases_and_towns.BasesPage,
    "towns": bases_and_towns.TownsPage,
    "descriptions": descriptions.DescriptionsPage,
    "wins": wins.WinsPage,
    "reveal": bases_and_towns.RevealPage,
    "armies": armies.ArmiesPage,
    "proxies": proxies.ProxiesPage,
    "placement": placement.PlacementPage,
    "mercenaries": mercenaries.MercenariesPage,
    "book": book.BookPage,
}
STEPS = (*STEP_PAGES, "shown")
"""The steps whose form a judge sends, as their addresses end."""

OF_TEAMS: dict[str, tuple[str, type[TeamPage]]] = {
    "wish": ("setup-team", WishPage),
    "descriptions": ("setup-team-descriptions", descriptions.TeamDescriptionsPage),
    "wins": ("setup-team-wins", wins.TeamWinsPage),
    "starts": ("setup-starts", control.StartsPage),
}
"""The pages of a team's leaders, with their names."""


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


def _sent(given: dict[str, Any]) -> SentForm:
    """The form of a step, as its page reads it."""
    buttons = {name: given[name] for name in ("act", "version") if name in given}
    post = form_of(given["fields"] | buttons)
    return SentForm(post, post)


def _carry_out(page: SetupPage) -> Success | str:
    """What the form's button does. Raises ValidationError for a form that is wrong, NotNow for a button that only
    changes the form."""
    if page.form is not None and page.form.is_bound:
        check_form(page.form)
    if page.only_looks:
        raise NotNow(gettext("You can't do that here. Nothing was saved."))
    done = page.act()
    if isinstance(done, Success) and done.level >= constants.ERROR:
        raise NotNow(done.said)
    return done


class NewRound(ApiView):
    """2.5: rounds that are begun."""

    writes_by = Scope.JUDGE

    @describe(
        "rounds_begin",
        "set-up",
        "Begin a round",
        out=ActedOut,
        takes=NewRoundIn,
        problems=WRITING,
        page="round-new",
        description="Needs permission from an administrator. You become the round's head judge.",
    )
    def post(self, request: Request) -> Response:
        given = self.read_as_user(NewRoundIn)
        check_may_create_round(request.user)
        said, begun = begin_round(
            user=User.objects.get(username=request.user.get_username()),
            name=given["name"],
            token=given["token"],
            earlier=given.get("earlier", ""),
            invites=given.get("invites", False),
            now=timezone.now(),
        )
        told = " ".join(filter(None, [*begun.left_out, said]))
        return self.done(told, reverse("setup", args=[begun.round.slug]))


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
        sent, desk = _sent(self.read_as_user(StepIn)), desk_of(self.viewer(slug))
        if step == "shown":
            done = bases_and_towns.show_to(desk, sent.post.getlist("shown_to"), timezone.now())
            return self.done(done, reverse("setup-bases", args=[slug]))
        return self.done(_carry_out(STEP_PAGES[step](sent, desk)), reverse(f"setup-{step}", args=[slug]))


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
        if what not in ("descriptions", "proxies") or key > 2**31 - 1:
            raise Missing(gettext("There is no such set-up item."))
        sent, desk = _sent(self.read_as_user(StepIn)), desk_of(self.viewer(slug))
        if what == "descriptions":
            done = _carry_out(descriptions.DescriptionPage(sent, desk, key))
            return self.done(done, reverse("setup-description", args=[slug, key]))
        return self.done(_carry_out(proxies.ProxyPage(sent, desk, key)), reverse("setup-proxy", args=[slug, key]))


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
        given, (address, kind) = self.read_as_user(StepIn), OF_TEAMS[page]
        done = _carry_out(open_page(kind, self.viewer(slug), _sent(given)))
        return self.done(done, reverse(address, args=[slug]))


class Start(ApiView):
    """2.5: the start of a round."""

    writes_by = Scope.JUDGE

    @describe(
        "setup_start",
        "set-up",
        "Start a round",
        out=ActedOut,
        takes=Nothing,
        problems=WRITING,
        page="setup-start",
    )
    def post(self, request: Request, slug: str) -> Response:
        self.read_as_user(Nothing)
        viewer = self.viewer(slug)
        if viewer.round.state != RoundState.SETUP:
            return self.done("", reverse("map", args=[slug]))
        return self.done(_carry_out(StartPage(SentForm(form_of({}), None), desk_of(viewer))))


class GivingUp(ApiView):
    """2.5: a round that is given up."""

    writes_by = Scope.JUDGE

    @describe(
        "setup_give_up",
        "set-up",
        "Cancel a round that has not started",
        out=ActedOut,
        takes=GivingUpIn,
        problems=WRITING,
        page="setup-give-up",
    )
    def post(self, request: Request, slug: str) -> Response:
        given, desk = self.read_as_user(GivingUpIn), desk_of(self.viewer(slug))
        is_sure, now = given.get("sure", False), timezone.now()
        said = give_up(round=desk.round, judge=desk.judge, reason=given["reason"], is_sure=is_sure, now=now)
        return self.done(said, reverse("rounds"))
