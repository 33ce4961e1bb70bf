"""1.4: the form with which a vote is called, and what its buttons do."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.forms import RawForm, RawList, RawText
from judging.common.viewer import Viewer
from judging.votes.models import Vote
from judging.votes.queries import players_for_call
from judging.votes.services import Call, call_vote, withdraw_vote
from wargame.models import Judge, Player
from wargame.rules.command.votes import GROUPS, Audience, Terms, VoteKind, group_title
from wargame.rules.core.sides import Side

USUAL_LENGTH = timedelta(days=7)
"""The default length of a vote."""


class GroupRow(NamedTuple):
    """1.1: a group of ranks in the form: its number, its title, whether it votes, and the weight of its votes."""

    key: str
    title: str
    is_chosen: bool
    points: str


class CallForm(RawForm):
    """1.4: a vote that is called. `group` and `player` are numbers and keys, `points` are by group."""

    kind, question, text, options, closes, side, faction, token = (RawText() for _ in range(8))
    group, player = RawList(), RawList()

    @classmethod
    def empty(cls, now: datetime) -> CallForm:
        """As it is before anything is typed."""
        return cls({"kind": VoteKind.NORMAL.value, "closes": f"{now + USUAL_LENGTH:%Y-%m-%dT%H:00}"})

    @property
    def points(self) -> dict[str, str]:
        """1.4.3: what a vote of each group weighs, as it was typed."""
        names = {str(group): f"points-{group}" for group in GROUPS}
        return {group: str(self.data[name]).strip() for group, name in names.items() if name in self.data}

    @property
    def rows_of_groups(self) -> list[GroupRow]:
        """1.1: the rows of all groups of ranks."""
        chosen, points = self.cleaned_data["group"], self.points
        titles = {str(group): group_title(group) for group in GROUPS}
        return [GroupRow(key, title, key in chosen, points.get(key, "")) for key, title in titles.items()]

    @property
    def is_special(self) -> bool:
        """1.4.3: whether anything of a special vote is chosen."""
        typed = self.cleaned_data
        chosen = (typed["side"], typed["faction"], typed["group"], typed["player"], *self.points.values())
        return any(chosen) or typed["kind"] == VoteKind.SPECIAL

    def do(self, viewer: Viewer, now: datetime) -> Success:
        """1.4: calls the vote that was typed."""
        typed = self.cleaned_data
        call = Call(
            question=typed["question"],
            options=typed["options"].splitlines(),
            closes_at=_read_end(typed["closes"]),
            terms=self._terms({str(player.pk): player.name for player in players_for_call(viewer)}),
            token=typed["token"],
            text=typed["text"],
        )
        made = call_vote(round=viewer.round, by=caller(viewer), call=call, now=now)
        return Success(gettext("The vote is open."), reverse("vote", args=[viewer.round.slug, made.pk]))

    def _terms(self, names: Mapping[str, str]) -> Terms:
        typed = self.cleaned_data
        kind = next((kind for kind in VoteKind if kind.value == typed["kind"]), None)
        if kind is None:
            raise Refused(gettext("Choose the kind of vote."), "1.4", "kind")
        if typed["side"] not in ("", Side.COALITION, Side.PHYREXIA):
            raise Refused(gettext("Choose one of the two teams, or both."), "1.4.3", "terms")
        if any(player not in names for player in typed["player"]):
            raise Refused(gettext("Someone you chose no longer plays. Choose again."), "1.4.3", "terms")
        audience = Audience(
            side=Side(typed["side"]) if typed["side"] else None,
            groups=tuple(_number(group) for group in typed["group"]),
            faction=typed["faction"],
            players=tuple(names[player] for player in typed["player"]),
        )
        points = {_number(group): _number(weight) for group, weight in self.points.items() if weight}
        return Terms(kind, audience, points)


def withdraw(viewer: Viewer, vote: Vote, now: datetime) -> str:
    """1.4: withdraw a vote that the viewer called."""
    withdraw_vote(vote=vote, by=caller(viewer), now=now)
    return gettext("The vote was withdrawn.")


def caller(viewer: Viewer) -> Player | Judge | None:
    """1.4: the viewer's role as a caller: a player, if they play."""
    if viewer.player or not viewer.roles:
        return viewer.player
    return viewer.seats.order_by("pk").first()


def read_choice(value: str) -> int | None:
    """R46: the number of the chosen option; None for an abstention. Refused if nothing was chosen."""
    if value == "none":
        return None
    if not (value.isdecimal() and len(value) < 4):
        raise Refused(gettext("Choose one of the options, or abstain."), "1.4", "choice")
    return int(value)


def _number(text: str) -> int:
    """A small whole number; 0, which is never valid here, for anything else."""
    return int(text) if text.isdecimal() and len(text) < 4 else 0


def _read_end(text: str) -> datetime:
    """R4: a time in UTC."""
    try:
        when = parse_datetime(text.strip())
        when = when.replace(tzinfo=UTC) if when and when.tzinfo is None else when
        when = when.astimezone(UTC) if when else None
    except (ValueError, OverflowError):
        when = None
    if when is None:
        raise Refused(
            gettext("“%(text)s” is not a time. Write one like 2026-03-09T05:00 (UTC).") % {"text": text[:40]},
            "R4",
            "closes",
        )
    return when
