"""2.5: a round, begun, prepared step by step, and started, for programs."""

from typing import Any

from django.contrib.auth.models import User
from django.contrib.messages import constants
from django.http import QueryDict
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
from judging.setup.overview import START, STEPS, TEAM_PAGES
from judging.setup.services import begin_round, check_may_create_round, give_up
from judging.setup.step import SetupForm, desk_of
from judging.setup.steps.bases_and_towns import show_to
from judging.setup.steps.start import StartForm
from wargame.models.choices import RoundState

FORMS = {step.key: (step, step.form) for step in STEPS if step.form and step.form.saves}
PARTS = {step.key: (step, step.part) for step in STEPS if step.part}
OF_TEAMS = {page.key: page for page in TEAM_PAGES}
SHOWN = "shown"
"""Who sees the bases before they are revealed, which is a form of its own on the page of the bases."""


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
        fields = super().get_fields()
        fields["fields"] = fields.pop("fields_")
        return fields


class GivingUpIn(Body):
    """2.5: the end of a round before its beginning."""

    reason = text("Why.", needed=True)
    sure = ticked("Needed.")


def _sent(data: dict[str, Any]) -> QueryDict:
    """The form of a step, as its page reads it."""
    buttons = {name: data[name] for name in ("act", "version") if name in data}
    return form_of(data["fields"] | buttons)


def _save(form: SetupForm) -> Success | str:
    """What the form's button does. Raises ValidationError for a form that is wrong, NotNow for a button that only
    changes the form."""
    if form.is_bound:
        check_form(form)
    if form.only_looks:
        raise NotNow(gettext("You can't do that here. Nothing was saved."))
    done = form.save()
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
        data = self.read_as_user(NewRoundIn)
        check_may_create_round(request.user)
        message, setup = begin_round(
            user=User.objects.get(username=request.user.get_username()),
            name=data["name"],
            token=data["token"],
            earlier=data.get("earlier", ""),
            invites=data.get("invites", False),
            now=timezone.now(),
        )
        text = " ".join(filter(None, [*setup.left_out, message]))
        return self.done(text, reverse("setup", args=[setup.round.slug]))


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
        description=f"For the round's battle judges. `step` is one of {', '.join([*FORMS, SHOWN])}.",
    )
    def put(self, request: Request, slug: str, step: str) -> Response:
        if step not in FORMS and step != SHOWN:
            raise Missing(gettext("There is no such step."))
        data, desk = _sent(self.read_as_user(StepIn)), desk_of(self.viewer(slug))
        if step == SHOWN:
            return self.done(
                show_to(desk, data.getlist("shown_to"), timezone.now()), reverse("setup-bases", args=[slug])
            )
        entry, form = FORMS[step]
        return self.done(_save(form(entry, desk, data)), reverse(f"setup-{step}", args=[slug]))


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
        if what not in PARTS or key > 2**31 - 1:
            raise Missing(gettext("There is no such set-up item."))
        data, desk = _sent(self.read_as_user(StepIn)), desk_of(self.viewer(slug))
        entry, part = PARTS[what]
        return self.done(_save(part(entry, desk, data, key=key)), reverse(f"setup-{part.part}", args=[slug, key]))


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
        data, entry = _sent(self.read_as_user(StepIn)), OF_TEAMS[page]
        return self.done(_save(entry.open(self.viewer(slug), data)), reverse(entry.name, args=[slug]))


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
        return self.done(_save(StartForm(START, desk_of(viewer))))


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
        data, desk = self.read_as_user(GivingUpIn), desk_of(self.viewer(slug))
        is_sure, now = data.get("sure", False), timezone.now()
        message = give_up(round=desk.round, judge=desk.judge, reason=data["reason"], is_sure=is_sure, now=now)
        return self.done(message, reverse("rounds"))
