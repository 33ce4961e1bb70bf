"""1.1, 1.6, 5.1: joining a team, leading its players, and what a player says of himself, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import Sent, door
from judging.api.fields import Nothing, line, lines, one_of, text, ticked
from judging.api.shapes import TEAM_SIDES, Body


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
    """1.1, 5.1: what a leader does with a player of his team."""

    act = one_of("Gives them a rank, declares them inactive, or undoes that.", "rank", "inactive", "active")
    rank = line("Code of their new rank; `none` for a Drudge or Cadet.")
    reason = text("Why.")


class ServiceIn(Body):
    """1.6, 5.1: what only a player himself can say of himself."""

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


def _places(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    """The factions by their places."""
    factions = given.pop("factions", [])
    return {**given, **{f"faction{place}": faction for place, faction in enumerate(factions[:3], 1)}}


def _decided(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    return {**given, "admission": where["admission_id"]}


class OwnAdmission(ApiView):
    """1.1: one's own request for admission."""

    post = door(
        *("admissions_ask", "players", "Ask to join a team", "join"),
        takes=AdmissionIn,
        form=_places,
        description="Its leaders decide, or the battle judge if it has no leaders.",
    )
    delete = door(
        *("admissions_withdraw", "players", "Withdraw your request to join", "join"),
        presses={"act": "withdraw"},
    )


class OneAdmission(ApiView):
    """1.1: a request for admission, for the leaders of its team."""

    post = door(
        *("admissions_decide", "players", "Accept or refuse a request to join", "admissions"),
        takes=DecisionIn,
        form=_decided,
    )


class InvitedAdmissions(ApiView):
    """1.1: those who were invited and ask, taken in together."""

    post = door(
        *("admissions_accept_invited", "players", "Admit all invited players who have asked to join", "admissions"),
        presses={"act": "invited"},
        takes=Nothing,
    )


class OwnInvitation(ApiView):
    """1.1: one's own invitation to a round."""

    post = door(
        *("invitation_answer", "players", "Accept or decline your invitation", "invitation"), takes=InvitationIn
    )


class OnePlayer(ApiView):
    """1.1: a player, for his leaders."""

    post = door(
        *("players_lead", "players", "Give a player of your team a rank, or declare them inactive", "player"),
        takes=LeadIn,
    )


class Service(ApiView):
    """1.6, 5.1: one's own leaves, name, factions and the end of one's time here."""

    post = door(
        *(
            "service_say",
            "players",
            "Report an absence, ask for a new name, claim factions, or leave your team",
            "service",
        ),
        takes=ServiceIn,
        form=_places,
    )
