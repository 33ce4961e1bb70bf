"""1.1, 1.6, 5.1: joining a team, leading its players, and what a player says of himself, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import Nothing, Sent, door, line, lines, one_of, text, ticked
from judging.api.shapes import TEAM_SIDES, Body


class AdmissionIn(Body):
    """1.1: a request for admission."""

    side = one_of("The team.", *TEAM_SIDES)
    name = line("The name under which you play.", needed=True)
    text = text("What you tell its leaders.")
    factions = lines("1.1.2: the factions that you claim, that of your rank first; at most 3.")
    token = line("Once more with the same one asks no second time.")


class DecisionIn(Body):
    """1.1: a leader's answer."""

    act = one_of("What is answered.", "accept", "refuse")
    rank = line("The code of the newcomer's rank, as `armies_list` has it; `none` for a Drudge or Cadet.")
    reason = text("Why he is refused.")


class InvitationIn(Body):
    """1.1: the answer to an invitation."""

    act = one_of("What is answered.", "accept", "decline")


class LeadIn(Body):
    """1.1, 5.1: what a leader does with a player of his team."""

    act = one_of("Gives him a rank, declares him inactive, or takes that back.", "rank", "inactive", "active")
    rank = line("The code of his new rank; `none` for a Drudge or Cadet.")
    reason = text("Why.")


class ServiceIn(Body):
    """1.6, 5.1: what only a player himself can say of himself."""

    act = one_of(
        "States a leave, ends one, asks for another name, keeps the old one, claims factions, permits that the "
        "namesake army is given away, or leaves the team.",
        *("leave", "back", "name", "keep-name", "factions", "permit", "quit"),
    )
    since = line("5.1: the first day of a leave, like 2026-03-09 (UTC); empty: now.")
    until = line("5.1: its last day; empty: open.")
    note = line("5.1: what is told of it.")
    leave = line("The id of the leave that ends.")
    name = line("1.6: the new name.")
    change = line("1.6: the id of the request that is taken back.")
    factions = lines("1.1.2: the factions, that of the rank first.")
    permits = ticked("5.2.3: whether the namesake army may be given to others.")
    sure = ticked("Needed to leave the team.")


def _places(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    """The factions by their places."""
    factions = given.pop("factions", [])
    return {**given, **{f"faction{place}": faction for place, faction in enumerate(factions[:3], 1)}}


def _decided(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    return {**given, "admission": where["admission_id"]}


class OwnAdmission(ApiView):
    """1.1: one's own request for admission."""

    post = door(
        *("admissions_ask", "players", "Ask a team for admission", "join"),
        takes=AdmissionIn,
        form=_places,
        description="Its leaders decide; the battle judge, where nobody leads it.",
    )
    delete = door(
        *("admissions_withdraw", "players", "Take back your request for admission", "join"),
        presses={"act": "withdraw"},
    )


class OneAdmission(ApiView):
    """1.1: a request for admission, for the leaders of its team."""

    post = door(
        *("admissions_decide", "players", "Accept or refuse somebody who asks for admission", "admissions"),
        takes=DecisionIn,
        form=_decided,
    )


class InvitedAdmissions(ApiView):
    """1.1: those who were invited and ask, taken in together."""

    post = door(
        *("admissions_accept_invited", "players", "Take in all who were invited and ask", "admissions"),
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
        *("players_lead", "players", "Give a player of your team a rank, or declare him inactive", "player"),
        takes=LeadIn,
    )


class Service(ApiView):
    """1.6, 5.1: one's own leaves, name, factions and the end of one's time here."""

    post = door(
        *("service_say", "players", "State a leave, ask for a name, claim factions, or leave your team", "service"),
        takes=ServiceIn,
        form=_places,
    )
