"""1.1, 1.6, 5.1: The forms about players: joining, leading, and players' own statements."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from judging.command.control.powers import permit_namesake
from judging.command.control.requests import may_ask
from judging.command.control.services import players_of
from judging.command.models import Admission, Leave, NameChange
from judging.command.people.absence import declare_inactive, end_leave, state_leave, withdraw_declaration
from judging.command.people.admission import (
    accept_admission,
    accept_invitation,
    admit_invited,
    ask_admission,
    decline_invitation,
    invitation_of,
    leave_team,
    refuse_admission,
    withdraw_admission,
)
from judging.command.people.ranks import claim_factions, give_rank, told_rank
from judging.command.people.roster import NO_RANK, PlayerView, has_leader, own_admission, player_view
from judging.command.people.screen_names import ask_name, withdraw_name
from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.forms import RawForm, RawText, RowKey
from judging.common.viewer import Viewer
from wargame.models import Player, Round
from wargame.models.choices import RoundState
from wargame.rules.command.ranks import rank_title
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.wording import listed


def player_named(round: Round, name: str, now: datetime) -> PlayerView:
    """1.1: The player with that name. Raises Http404 if there is none."""
    view = player_view(round, name, now) if "\0" not in name else None
    if view is None:
        raise Http404(gettext("No one in this round is called “%(name)s”.") % {"name": name[:60]})
    return view


class LeadForm(RawForm):
    """1.1, 5.1: what a leader does with a player. `shown` is the rank in the form; None if it showed none."""

    act, rank, reason = (RawText() for _ in range(3))
    shown = forms.Field(required=False)

    def do(self, viewer: Viewer, found: PlayerView, now: datetime) -> Success:
        """1.1, 5.1: gives a player a rank, declares them inactive, or undoes that."""
        return Success(
            self._lead(viewer, found, now), reverse("player", args=[viewer.round.slug, found.member.player.name])
        )

    def _lead(self, viewer: Viewer, found: PlayerView, now: datetime) -> str:
        typed, target = self.cleaned_data, found.member.player
        if typed["act"] == "rank":
            rank = read_rank(typed["rank"], found.side)
            outcome = give_rank(
                round=viewer.round,
                by=viewer.player,
                player=target,
                rank=rank,
                reason=typed["reason"],
                shown=typed["shown"],
                now=now,
            )
            told = told_rank(target.name, rank, found.side, outcome)
            needs = gettext("They need a new army (5.3.4).") if outcome.needs_army else ""
            return f"{told} {needs}".rstrip()
        if typed["act"] == "inactive":
            declare_inactive(player=target, by=viewer.player, reason=typed["reason"], now=now)
            told = gettext("You declared %(name)s inactive until they post again. The battle judge can reject this.")
            return told % {"name": target.name}
        if typed["act"] == "active" and found.member.declaration is not None:
            withdraw_declaration(declaration=found.member.declaration, by=viewer.player, now=now)
            return gettext("You withdrew the declaration.")
        raise Refused(gettext("You can't do that here any more. Reload the page."))


def read_rank(value: str, side: Side) -> Rank | None:
    """1.1: The chosen rank; None for a Drudge or Cadet. Raises Refused for an unknown one, and if none was chosen."""
    if value == NO_RANK:
        return None
    if not value:
        raise Refused(gettext("Choose a rank."), "1.1", "rank")
    rank = next((rank for rank in Rank if rank.value == value), None)
    if rank is None:
        raise Refused(
            gettext("“%(value)s” is not a rank of %(title)s.") % {"value": value[:30], "title": side.title},
            "1.1",
            "rank",
        )
    return rank


class FactionSelects(forms.Widget):
    """1.1.2: three lists on a page, `faction1` to `faction3`; one list in the body of a request."""

    def value_from_datadict(self, data: Mapping[str, Any], files: object, name: str) -> Sequence[str]:
        chosen: Sequence[str] = data.get(name) or [data.get(f"faction{place}", "") for place in (1, 2, 3)]
        return chosen


class Factions(forms.Field):
    """1.1.2: the factions of the first three places, the one of the rank first, without empty ones."""

    widget = FactionSelects

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Any) -> tuple[str, ...]:
        return tuple(faction for faction in (value or ())[:3] if faction)


class AdmissionForm(RawForm):
    """1.1: a request for admission."""

    side, name, text, token = (RawText() for _ in range(4))
    factions = Factions()

    def do(self, viewer: Viewer, now: datetime) -> str:
        """1.1: asks a team for admission; the message."""
        typed = self.cleaned_data
        asked = ask_admission(
            round=viewer.round,
            user=_user(viewer),
            side=typed["side"],
            name=typed["name"],
            text=typed["text"],
            factions=typed["factions"],
            token=typed["token"],
            now=now,
        )
        is_led = has_leader(viewer.round, asked.side)
        decides = (
            gettext("Its leaders will decide.")
            if is_led
            else gettext("It has no leaders yet, so the battle judge will decide.")
        )
        told = gettext("%(side_told)s has your request. %(decides)s") % {
            "side_told": side_told(asked.side),
            "decides": decides,
        }
        later = gettext(
            "You haven't claimed a faction. You can claim one on Your profile once you have joined the round."
        )
        return f"{told} {later}" if _claims_later(asked) else told


def withdraw_own_admission(viewer: Viewer, now: datetime) -> str:
    """1.1: Withdraw the viewer's request for admission; returns the message."""
    admission = own_admission(viewer)
    if admission is None:
        raise Refused(gettext("You haven't asked for admission."), "1.1")
    withdraw_admission(admission=admission, user=_user(viewer), now=now)
    return gettext("You withdrew your request.")


def _claims_later(admission: Admission) -> bool:
    """1.1.2: A Coalition player may claim factions, but need not."""
    return admission.side == Side.COALITION and not admission.factions


def decide_admission(
    viewer: Viewer, found: Admission | None, now: datetime, *, accepts: bool, rank: str, reason: str
) -> Success:
    """1.1: Accept or refuse a request that the viewer can see (`found`); returns the message, and for viewers who
    can give the newcomer an army the page for it."""
    if found is None:
        raise Refused(gettext("There is no such request for admission, or you can't decide on it."), "1.1")
    if not accepts:
        refuse_admission(admission=found, by=viewer.player, reason=reason, now=now)
        return Success(gettext("You refused to admit %(name)s. They can read your reason.") % {"name": found.name})
    new_rank = read_rank(rank, Side(found.side))
    player = accept_admission(admission=found, by=viewer.player, rank=new_rank, now=now)
    message = gettext("%(name)s has joined your team as %(rank_title)s.") % {
        "name": player.name,
        "rank_title": rank_title(new_rank, Side(found.side)),
    }
    if new_rank is None or player.controls.exists():
        return Success(message)
    if viewer.round.state == RoundState.SETUP:
        return Success(gettext("%(told)s They can now raise their army under Musters.") % {"told": message})
    if may_ask(viewer):
        return Success(
            gettext("%(told)s Next, give them an army.") % {"told": message},
            reverse("give-army", args=[viewer.round.slug, player.name]),
        )
    return Success(f"{message} {who_gives(viewer.round, Side(found.side))}")


def admit_all_invited(viewer: Viewer, now: datetime) -> str:
    """1.1: Admit all invited players who ask to join the viewer's team; returns the message."""
    if viewer.player is None:
        raise Refused(gettext("There is no such request for admission, or you can't decide on it."), "1.1")
    return told_of(*admit_invited(round=viewer.round, by=viewer.player, sides=[viewer.player.side], now=now))


def answer_invitation(viewer: Viewer, now: datetime, *, declines: bool) -> Success:
    """1.1: Accept or decline the viewer's invitation. Raises Http404 if they have none."""
    user = _user(viewer)
    invitation = invitation_of(viewer.round, user)
    if invitation is None:
        raise Http404(gettext("You are not invited to this round."))
    if declines:
        decline_invitation(invitation=invitation, user=user, now=now)
        return Success(
            gettext("You have declined. You can still ask for admission to %(name)s.") % {"name": viewer.round.name}
        )
    admission = accept_invitation(invitation=invitation, user=user, now=now)
    return Success(
        gettext("%(side_told)s has your request for admission.") % {"side_told": side_told(admission.side)},
        reverse("join", args=[viewer.round.slug]),
    )


def _user(viewer: Viewer) -> User:
    return User.objects.get(pk=viewer.user_id or 0)


def side_told(side: str) -> str:
    """1.1: A team's name at the beginning of a sentence."""
    title = Side(side).title
    return f"{title[0].upper()}{title[1:]}"


def told_of(taken: Sequence[Player], why_not: Sequence[str]) -> str:
    """1.1: The result of admitting all invited players."""
    number = len(taken)
    message = ngettext("%(number)s player was admitted.", "%(number)s players were admitted.", number) % {
        "number": number
    }
    return " ".join(
        [message, *(gettext("Not admitted: %(sentence)s") % {"sentence": sentence} for sentence in why_not)]
    )


def who_gives(round: Round, side: Side) -> str:
    """5.2.2.1: Who may request changes of a side's list, in a sentence."""
    names = [player.name for player in players_of(round, side) if player.may_change_control]
    if not names:
        return gettext("No one on the team can ask for changes to the control list. A judge can give them an army.")
    return gettext("%(listed)s can give them an army.") % {"listed": listed(names)}


class ServiceForm(RawForm):
    """1.6, 5.1: what a player says about themselves: one of SERVICES. `leave` and `change` are keys."""

    act, since, until, note, name = (RawText() for _ in range(5))
    leave, change = RowKey(), RowKey()
    factions = Factions()
    permits, sure = (forms.BooleanField(required=False) for _ in range(2))

    def do(self, viewer: Viewer, now: datetime) -> Success:
        """1.6, 5.1: carries out one of SERVICES for the viewer's player."""
        act = self.cleaned_data["act"]
        if viewer.player is None or act not in self.SERVICES:
            raise Refused(gettext("You can't do that here."))
        said = self.SERVICES[act](self, viewer.player, now)
        return Success(said, reverse("players", args=[viewer.round.slug]) if act == "quit" else "")

    def _leave(self, player: Player, now: datetime) -> str:
        """5.1: days are whole ones (UTC): a leave that ends on a day lasts through it."""
        first, last = _day(self.cleaned_data["since"], "since"), _day(self.cleaned_data["until"], "until")
        since = datetime.combine(first, time(), UTC) if first else now
        until = datetime.combine(last + timedelta(days=1), time(), UTC) if last else None
        state_leave(player=player, since=since, until=until, note=self.cleaned_data["note"], now=now)
        return gettext("Your absence is now on the player list.")

    def _back(self, player: Player, now: datetime) -> str:
        leave = Leave.objects.filter(player=player, pk=self.cleaned_data["leave"]).first()
        if leave is None:
            raise Refused(gettext("You have no such absence."), "5.1")
        end_leave(leave=leave, player=player, now=now)
        return gettext("Your absence is over.")

    def _name(self, player: Player, now: datetime) -> str:
        asked = ask_name(player=player, name=self.cleaned_data["name"], now=now)
        return gettext("The battle judge has your request to be called %(new)s.") % {"new": asked.new}

    def _keep_name(self, player: Player, now: datetime) -> str:
        change = NameChange.objects.filter(player=player, pk=self.cleaned_data["change"]).first()
        if change is None:
            raise Refused(gettext("You have no such request."), "1.6")
        withdraw_name(change=change, player=player, now=now)
        return gettext("You withdrew your request and will keep your name.")

    def _factions(self, player: Player, now: datetime) -> str:
        claim_factions(player=player, factions=self.cleaned_data["factions"], now=now)
        return gettext("You changed your factions. Armies keep their colours (2.4).")

    def _permit(self, player: Player, now: datetime) -> str:
        permit_namesake(player=player, permits=self.cleaned_data["permits"], now=now)
        return (
            gettext("Your leaders can now give your namesake army to other players.")
            if self.cleaned_data["permits"]
            else gettext("Your namesake army stays yours.")
        )

    def _quit(self, player: Player, now: datetime) -> str:
        if not self.cleaned_data["sure"]:
            raise Refused(gettext("Tick the box to confirm."), "", "sure")
        leave_team(player=player, now=now)
        return gettext("You have left %(name)s. Thank you for playing.") % {"name": player.round.name}

    SERVICES: Mapping[str, Callable[[ServiceForm, Player, datetime], str]] = {
        "leave": _leave,
        "back": _back,
        "name": _name,
        "keep-name": _keep_name,
        "factions": _factions,
        "permit": _permit,
        "quit": _quit,
    }


def _day(text: str, field: str) -> date | None:
    text = text.strip()
    if not text:
        return None
    try:
        day = date.fromisoformat(text)
        if not 2000 <= day.year <= 9000:
            raise ValueError
    except ValueError:
        raise Refused(
            gettext("“%(text)s” is not a date. Write one like 2026-03-09.") % {"text": text[:30]}, "5.1", field
        ) from None
    return day
