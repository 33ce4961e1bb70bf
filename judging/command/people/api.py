"""1.1, 1.6, 5.1: joining a team, leading its players, and what players say about themselves, for programs."""

from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.fields import ActedOut, Nothing, line, lines, one_of, text, ticked
from judging.api.schema import BUTTON, WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body
from judging.command.people.forms import (
    AdmissionForm,
    LeadForm,
    ServiceForm,
    admit_all_invited,
    answer_invitation,
    decide_admission,
    player_named,
    withdraw_own_admission,
)
from judging.command.people.roster import admissions_for


class AdmissionIn(Body):
    """1.1: a request for admission."""

    side = one_of("The team.", *TEAM_SIDES)
    name = line("The name you play under.", needed=True)
    text = text("Your message to the team's leaders.")
    factions = lines("1.1.2: the factions you claim, your rank's first; at most 3.")
    token = line("Idempotency key: repeating it won't send a second request.")


class DecisionIn(Body):
    """1.1: a leader's answer."""

    act = one_of("What is answered.", "accept", "refuse")
    rank = line("Code of the new player's rank, as in `armies_list`; `none` for a Drudge or Cadet.")
    reason = text("The reason for refusing them.")


class InvitationIn(Body):
    """1.1: the answer to an invitation."""

    act = one_of("What is answered.", "accept", "decline")


class LeadIn(Body):
    """1.1, 5.1: what a leader does with a player of their team."""

    act = one_of("Gives them a rank, declares them inactive, or undoes that.", "rank", "inactive", "active")
    rank = line("Code of their new rank; `none` for a Drudge or Cadet.")
    reason = text("Why.")


class ServiceIn(Body):
    """1.6, 5.1: what only players can say about themselves."""

    act = one_of(
        "Reports or ends an absence, asks for a new name, keeps the old one, claims factions, allows the "
        "namesake army to be given away, or leaves the team.",
        *("leave", "back", "name", "keep-name", "factions", "permit", "quit"),
    )
    since = line("5.1: first day of an absence, such as 2026-03-09 (UTC); empty for now.")
    until = line("5.1: last day; empty if open-ended.")
    note = line("5.1: a note about the absence.")
    leave = line("Id of the absence to end.")
    name = line("1.6: the new name.")
    change = line("1.6: id of the request to withdraw.")
    factions = lines("1.1.2: the factions, your rank's first.")
    permits = ticked("5.2.3: whether others can be given the namesake army.")
    sure = ticked("Required to leave the team.")


class OwnAdmission(ApiView):
    """1.1: one's own request for admission."""

    @describe(
        "admissions_ask",
        "players",
        "Ask to join a team",
        out=ActedOut,
        takes=AdmissionIn,
        problems=WRITING,
        page="join",
        description="Its leaders decide, or the battle judge if it has no leaders.",
    )
    def post(self, request: Request, slug: str) -> Response:
        form = AdmissionForm(self.read_as_user(AdmissionIn))
        return self.done(form.do(self.viewer(slug), timezone.now()), reverse("join", args=[slug]))

    @describe(
        "admissions_withdraw",
        "players",
        "Withdraw your request to join",
        out=ActedOut,
        problems=BUTTON,
        page="join",
    )
    def delete(self, request: Request, slug: str) -> Response:
        self.read_as_user()
        return self.done(withdraw_own_admission(self.viewer(slug), timezone.now()), reverse("join", args=[slug]))


class OneAdmission(ApiView):
    """1.1: a request for admission, for the leaders of its team."""

    @describe(
        "admissions_decide",
        "players",
        "Accept or refuse a request to join",
        out=ActedOut,
        takes=DecisionIn,
        problems=WRITING,
        page="admissions",
    )
    def post(self, request: Request, slug: str, admission_id: int) -> Response:
        data, viewer = self.read_as_user(DecisionIn), self.viewer(slug)
        admission = next((row for row in admissions_for(viewer) if row.pk == admission_id), None)
        texts = {name: data.get(name, "") for name in ("rank", "reason")}
        message = decide_admission(viewer, admission, timezone.now(), accepts=data["act"] == "accept", **texts)
        return self.done(message, reverse("admissions", args=[slug]))


class InvitedAdmissions(ApiView):
    """1.1: those who were invited and ask, taken in together."""

    @describe(
        "admissions_accept_invited",
        "players",
        "Admit all invited players who have asked to join",
        out=ActedOut,
        takes=Nothing,
        problems=WRITING,
        page="admissions",
    )
    def post(self, request: Request, slug: str) -> Response:
        self.read_as_user(Nothing)
        return self.done(admit_all_invited(self.viewer(slug), timezone.now()), reverse("admissions", args=[slug]))


class OwnInvitation(ApiView):
    """1.1: one's own invitation to a round."""

    @describe(
        "invitation_answer",
        "players",
        "Accept or decline your invitation",
        out=ActedOut,
        takes=InvitationIn,
        problems=WRITING,
        page="invitation",
    )
    def post(self, request: Request, slug: str) -> Response:
        data, viewer = self.read_as_user(InvitationIn), self.viewer(slug)
        message = answer_invitation(viewer, timezone.now(), declines=data["act"] == "decline")
        return self.done(message, reverse("rounds"))


class OnePlayer(ApiView):
    """1.1: a player, for their leaders."""

    @describe(
        "players_lead",
        "players",
        "Give a player of your team a rank, or declare them inactive",
        out=ActedOut,
        takes=LeadIn,
        problems=WRITING,
        page="player",
    )
    def post(self, request: Request, slug: str, name: str) -> Response:
        form, viewer, now = LeadForm(self.read_as_user(LeadIn)), self.viewer(slug), timezone.now()
        return self.done(form.do(viewer, player_named(viewer.round, name, now), now))


class Service(ApiView):
    """1.6, 5.1: one's own leaves, name, factions and the end of one's time here."""

    @describe(
        "service_say",
        "players",
        "Report an absence, ask for a new name, claim factions, or leave your team",
        out=ActedOut,
        takes=ServiceIn,
        problems=WRITING,
        page="service",
    )
    def post(self, request: Request, slug: str) -> Response:
        form = ServiceForm(self.read_as_user(ServiceIn))
        return self.done(form.do(self.viewer(slug), timezone.now()), reverse("service", args=[slug]))
