"""1.4: what was typed into the form of a vote."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.http import QueryDict
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.viewer import Viewer
from judging.votes.models import Vote
from judging.votes.queries import players_for_call
from judging.votes.services import Call, call_vote, withdraw_vote
from wargame.models import Judge, Player
from wargame.rules.command.votes import GROUPS, Audience, Terms, VoteKind, group_title
from wargame.rules.core.sides import Side

USUAL_LENGTH = timedelta(days=7)
"""How long a vote is open if its caller does not choose."""


class GroupRow(NamedTuple):
    """1.1: a group of ranks in the form: its number, its title, whether it votes, and what its votes weigh."""

    key: str
    title: str
    is_chosen: bool
    points: str


@dataclass(frozen=True)
class TypedVote:
    """1.4: what stands in the form. `groups` and `players` are keys, as they were sent; `points` are by group."""

    kind: str = VoteKind.NORMAL.value
    question: str = ""
    text: str = ""
    options: str = ""
    closes: str = ""
    side: str = ""
    faction: str = ""
    groups: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    points: Mapping[str, str] = field(default_factory=dict)

    @property
    def rows_of_groups(self) -> tuple[GroupRow, ...]:
        """1.1: the rows of all groups of ranks."""
        return tuple(
            GroupRow(str(group), group_title(group), str(group) in self.groups, self.points.get(str(group), ""))
            for group in GROUPS
        )

    @property
    def is_special(self) -> bool:
        """1.4.3: whether anything of a special vote is chosen."""
        points = any(self.points.values())
        return bool(self.side or self.faction or self.groups or self.players or points or self.kind == VoteKind.SPECIAL)


def typed_from(post: QueryDict) -> TypedVote:
    """1.4: the form as it was sent, whatever is wrong with it."""
    texts = {name: post.get(name, "") for name in ("kind", "question", "text", "options", "closes", "side", "faction")}
    points = {str(group): post.get(f"points-{group}", "").strip() for group in GROUPS}
    return TypedVote(**texts, groups=tuple(post.getlist("group")), players=tuple(post.getlist("player")), points=points)


def at_first(now: datetime) -> TypedVote:
    """1.4: the form of a vote as it is before anything is typed."""
    return TypedVote(closes=f"{now + USUAL_LENGTH:%Y-%m-%dT%H:00}")


def call_from(typed: TypedVote, players: Iterable[Player], token: str) -> Call:
    """1.4: the call that was typed. Refused for what can't be read."""
    return Call(
        question=typed.question,
        options=typed.options.splitlines(),
        closes_at=_read_end(typed.closes),
        terms=_terms(typed, {str(player.pk): player.name for player in players}),
        token=token,
        text=typed.text,
    )


def send_call(viewer: Viewer, typed: TypedVote, token: str, now: datetime) -> Success:
    """1.4: calls the vote that was typed."""
    call = call_from(typed, players_for_call(viewer), token)
    made = call_vote(round=viewer.round, by=caller(viewer), call=call, now=now)
    return Success(gettext("The vote is open."), reverse("vote", args=[viewer.round.slug, made.pk]))


def withdraw(viewer: Viewer, vote: Vote, now: datetime) -> str:
    """1.4: withdraws a vote that the viewer called."""
    withdraw_vote(vote=vote, by=caller(viewer), now=now)
    return gettext("The vote was withdrawn.")


def caller(viewer: Viewer) -> Player | Judge | None:
    """1.4: the viewer as they call votes: as a player, if they play."""
    if viewer.player or not viewer.roles:
        return viewer.player
    return viewer.seats.order_by("pk").first()


def read_choice(value: str) -> int | None:
    """R46: the number of the option that was chosen; None: he abstains. Refused if nothing was chosen."""
    if value == "none":
        return None
    if not (value.isdecimal() and len(value) < 4):
        raise Refused(gettext("Choose one of the options, or abstain."), "1.4", "choice")
    return int(value)


def _terms(typed: TypedVote, names: Mapping[str, str]) -> Terms:
    kind = next((kind for kind in VoteKind if kind.value == typed.kind), None)
    if kind is None:
        raise Refused(gettext("Choose the kind of vote."), "1.4", "kind")
    if typed.side not in ("", Side.COALITION, Side.PHYREXIA):
        raise Refused(gettext("Choose one of the two teams, or both."), "1.4.3", "terms")
    if any(player not in names for player in typed.players):
        raise Refused(gettext("Someone you chose no longer plays. Choose again."), "1.4.3", "terms")
    audience = Audience(
        side=Side(typed.side) if typed.side else None,
        groups=tuple(_number(group) for group in typed.groups),
        faction=typed.faction,
        players=tuple(names[player] for player in typed.players),
    )
    points = {int(group): _number(weight) for group, weight in typed.points.items() if weight}
    return Terms(kind, audience, points)


def _number(text: str) -> int:
    """A small whole number; 0, which none of these is, for what is none."""
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
