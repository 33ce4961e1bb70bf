"""2.5.2.2, 2.3.2, 2.6: raising an army, changing its troops, and what the battle judge says of both, for programs."""

from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.fields import ActedOut, line, lines, number, one_of, text, ticked
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.armies.changes.forms import change_text, changing_or_404, offer
from judging.armies.changes.forms import write as write_change
from judging.armies.changes.services import open_request
from judging.armies.desk import decide_on_muster, decide_on_request, muster_on_desk, request_on_desk
from judging.armies.musters.forms import begin, text_from_values, write
from judging.armies.musters.services import muster_for, text_of


class NewMusterIn(Body):
    """2.5.2.2: a muster that is begun."""

    rank = line("For leaders: the code of a proxy's rank. Empty for your own muster.")
    token = line("Idempotency key: repeating it won't start a second muster.")


class MusterIn(Body):
    """2.1, 2.5.2.2: the list of an army. What is not sent becomes empty, but for its name."""

    act = one_of("Saves, submits or deletes the draft.", "save", "send", "drop")
    version = number("Version this one is based on, starting at 0.")
    rank = line("Only for proxies: the code of the rank.")
    name = line("The army's name.")
    colors = lines("Its colours.")
    legend = line("Its legend (2.2.1).")
    slots = lines("Its four slots, lowest first: lines such as `6 Grizzly Bears`, separated by line breaks.")
    base = line("The base or portal where it starts.")
    remark = text("Message to the judge.")


class VerdictIn(Body):
    """1.3: what the battle judge says of an army or a change."""

    accept = ticked("Whether to accept it.")
    reason = text("Reason for refusing it, or any other message.")


class OfferIn(Body):
    """2.6: an army that a new player may take over."""

    player = line("The player's name.", needed=True)
    army = line("The army's name.", needed=True)


class Musters(ApiView):
    """2.5.2: the musters of a round that is set up."""

    @describe(
        "musters_begin",
        "armies",
        "Begin a muster",
        out=ActedOut,
        takes=NewMusterIn,
        problems=WRITING,
        page="muster-new",
    )
    def post(self, request: Request, slug: str) -> Response:
        values, viewer = self.read_as_user(NewMusterIn), self.viewer(slug)
        return self.done(begin(viewer, values.get("rank", ""), values["token"], timezone.now()))


class OneMuster(ApiView):
    """2.5.2.2: one muster."""

    @describe(
        "musters_write",
        "armies",
        "Save, submit or delete a muster",
        out=ActedOut,
        takes=MusterIn,
        problems=WRITING,
        page="muster",
    )
    def put(self, request: Request, slug: str, muster_id: int) -> Response:
        values, viewer = self.read_as_user(MusterIn), self.viewer(slug)
        muster = muster_for(viewer, muster_id)
        if muster is None:
            raise Missing(gettext("There is no such muster, or you can't see it."))
        is_proxy = muster.namesake_id is None
        draft = text_from_values(_values(values), values.get("colors", ()), text_of(muster), is_proxy=is_proxy)
        outcome = write(viewer, muster, draft, values["act"], values.get("version", 0), timezone.now())
        return self.done(outcome, reverse("muster", args=[slug, muster_id]))


class MusterVerdict(ApiView):
    """2.2.3: the battle judge's word on a muster."""

    @describe(
        "musters_decide",
        "judges",
        "Accept or refuse a muster",
        out=ActedOut,
        takes=VerdictIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:muster",
    )
    def post(self, request: Request, slug: str, muster_id: int) -> Response:
        values, round_ = self.read_as_judge(VerdictIn), self.round(slug)
        muster = muster_on_desk(request.user, muster_id)
        if muster.round_id != round_.pk:
            raise Missing(gettext("This muster isn't on your dashboard."))
        accept, reason = values.get("accept", False), values.get("reason", "")
        return self.done(decide_on_muster(request.user, muster, accept, reason, timezone.now()))


class ArmyChange(ApiView):
    """2.3.2, 2.6: other troops for an army, or an army made one's own."""

    @describe(
        "changes_write",
        "armies",
        "Ask for different troops, or personalise your army",
        out=ActedOut,
        takes=MusterIn,
        problems=WRITING,
        description="`how` is `change` or `personalise`.",
        page="army-change",
    )
    def put(self, request: Request, slug: str, name: str, how: str) -> Response:
        values, viewer = self.read_as_user(MusterIn), self.viewer(slug)
        target = changing_or_404(viewer, name, how)
        proposal = open_request(target)
        draft = change_text(_values(values), target, proposal)
        outcome = write_change(viewer, target, proposal, draft, values["act"], values.get("version", 0), timezone.now())
        return self.done(outcome, reverse("army-change", args=[slug, how, name]))


class ChangeVerdict(ApiView):
    """2.3.2: the battle judge's word on a change."""

    @describe(
        "changes_decide",
        "judges",
        "Accept or refuse a change to an army",
        out=ActedOut,
        takes=VerdictIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:change",
    )
    def post(self, request: Request, slug: str, request_id: int) -> Response:
        values, round_ = self.read_as_judge(VerdictIn), self.round(slug)
        proposal = request_on_desk(request.user, request_id)
        if proposal.round_id != round_.pk:
            raise Missing(gettext("This request isn't on your dashboard."))
        accept, reason = values.get("accept", False), values.get("reason", "")
        return self.done(decide_on_request(request.user, proposal, accept, reason, timezone.now()))


class Newcomers(ApiView):
    """2.6: new players, for their leaders."""

    @describe(
        "newcomers_offer",
        "armies",
        "Let a new player personalise an army",
        out=ActedOut,
        takes=OfferIn,
        problems=WRITING,
        page="newcomers",
    )
    def post(self, request: Request, slug: str) -> Response:
        values, viewer = self.read_as_user(OfferIn), self.viewer(slug)
        self.turn(viewer.round)
        outcome = offer(viewer, values["player"], values["army"], timezone.now())
        return self.done(outcome, reverse("newcomers", args=[slug]))


def _values(values: dict[str, Any]) -> dict[str, str]:
    """A muster as its form has it, the slots by their numbers."""
    slots = {f"slot{place}": text for place, text in enumerate(values.get("slots", [])[:4], 1)}
    return {**{name: values[name] for name in ("rank", "name", "legend", "base", "remark") if name in values}, **slots}
