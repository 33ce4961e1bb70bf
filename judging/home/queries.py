"""1.5, 2.5: all rounds, and a user's rounds; a demo's log-ins."""

from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.command.models import Admission
from judging.common.accounts import DEMO_GROUP
from judging.common.rounds import running_round
from judging.common.viewer import viewer_of
from judging.setup.services import may_create_round, rounds_in_setup
from judging.svg.crests import short_side
from wargame.models import Judge, Player, Round
from wargame.models.choices import RANKS, Role, RoundState
from wargame.rules.core.sides import Side

DEMO_PASSWORD = "wargame-demo"

HOST_PAGES = {"imprint": gettext_noop("Imprint"), "privacy": gettext_noop("Privacy")}


@dataclass(frozen=True)
class OwnSetup:
    """2.5: a round that is being set up, and the user's part in it: `you are its battle judge`."""

    round: Round
    words: str


def contact_address() -> str:
    """The target of the contact link; empty if the host names no contact."""
    contact: str = settings.CONTACT or ""
    return f"mailto:{contact}" if contact and "://" not in contact else contact


def host_links() -> list[tuple[str, str]]:
    entries = ((settings.HOST_PAGES[name], name, label) for name, label in HOST_PAGES.items())
    links = [
        (text if isinstance(text, str) else reverse(name), gettext(label)) for text, name, label in entries if text
    ]
    return links + ([(contact_address(), gettext("Contact"))] if settings.CONTACT else [])


def own_setups(user: User | AnonymousUser) -> tuple[OwnSetup, ...]:
    """2.5: the rounds being set up in which the user judges, plays, or has asked for admission, newest first."""
    if not user.is_authenticated:
        return ()
    pairs = ((round_, _words(user, round_)) for round_ in rounds_in_setup())
    return tuple(OwnSetup(round_, text) for round_, text in pairs if text)


def rounds_to_join(user: User) -> tuple[Round, ...]:
    """1.1: the rounds, played or being set up, in which the user has no part yet; those that are played first,
    newest first."""
    here = {"round": OuterRef("pk"), "user": user.pk}
    plays, judges = Player.objects.filter(**here, left_at__isnull=True), Judge.objects.filter(**here)
    requests = Admission.objects.filter(**here, state=Admission.State.ASKED)
    rounds = Round.objects.filter(Q(state=RoundState.RUNNING) | Q(state=RoundState.SETUP, setup__isnull=False))
    open_rounds = rounds.exclude(Exists(plays)).exclude(Exists(judges)).exclude(Exists(requests))
    newest = open_rounds.order_by("-created_at", "-pk")
    return tuple(sorted(newest, key=lambda round_: round_.state != RoundState.RUNNING))


def open_requests(user: User | AnonymousUser) -> list[Admission]:
    """1.1: the user's requests for admission to a team that are not answered yet."""
    if not user.is_authenticated:
        return []
    requests = Admission.objects.filter(user_id=user.pk, state=Admission.State.ASKED)
    return list(requests.select_related("round").order_by("-pk"))


PAST_ROUNDS = 6
"""The number of finished rounds on the front page; the page of all rounds has the others."""


class LogInAccount(NamedTuple):
    """An account of the demo: its log-in, its owner's name, and their role."""

    username: str
    name: str
    what: str


@dataclass(frozen=True)
class LogInGroup:
    title: str
    side: str
    accounts: tuple[LogInAccount, ...]


def begun_rounds() -> QuerySet[Round]:
    """1.5: every round that has begun, newest first."""
    rounds = Round.objects.exclude(state__in=[RoundState.SETUP, RoundState.GIVEN_UP])
    return rounds.order_by("-created_at", "-pk")


def past_rounds() -> list[Round]:
    """1.5: the latest of the rounds that are no longer played."""
    return list(begun_rounds().exclude(state=RoundState.RUNNING)[:PAST_ROUNDS])


def demo_log_ins(round: Round | None) -> tuple[LogInGroup, ...]:
    """The accounts of a demo round's judges, players and onlookers; nothing for any other round."""
    if round is None or not round.is_demo:
        return ()
    judges = Judge.objects.filter(round=round).select_related("user").order_by("role", "name")
    groups = [
        LogInGroup(
            gettext("Judges"), "", tuple(LogInAccount(j.user.username, j.name, j.get_role_display()) for j in judges)
        )
    ]
    order = {value: place for place, (value, _) in enumerate(RANKS)}
    players = sorted(
        Player.objects.filter(round=round, left_at__isnull=True).select_related("user"),
        key=lambda player: (player.side, order.get(player.rank, len(order)), player.name),
    )
    for side in sorted({player.side for player in players}):
        members = (player for player in players if player.side == side)
        accounts = [LogInAccount(p.user.username, p.name, p.get_rank_display() or gettext("no rank")) for p in members]
        groups.append(LogInGroup(short_side(side), side, tuple(accounts)))
    groups.append(LogInGroup(gettext("Onlookers"), "", _onlookers()))
    return tuple(group for group in groups if group.accounts)


def _onlookers() -> tuple[LogInAccount, ...]:
    users = User.objects.filter(groups__name=DEMO_GROUP, is_active=True, is_staff=False)
    rows = users.exclude(pk__in=Player.objects.values("user")).exclude(pk__in=Judge.objects.values("user"))
    return tuple(
        LogInAccount(user.username, user.first_name or user.username, gettext("sees what the public sees"))
        for user in rows
    )


def first_page(user: User | AnonymousUser) -> str:
    """The address of the user's first page after logging in.

    That is their turn, if they play in a running round; the round being set up that concerns them, unless they are in
    the running one; the list of rounds, if there are several or if they can start one; the front page for everybody
    else.
    """
    running = running_round(user)
    if running is not None and viewer_of(user, running).player:
        return reverse("mine", args=[running.slug])
    if running is not None and _words(user, running):
        return reverse("home")
    setups = own_setups(user)
    if len(setups) == 1:
        return reverse("setup", args=[setups[0].round.slug])
    return reverse("rounds") if setups or may_create_round(user) else reverse("home")


def _words(user: User | AnonymousUser, round_: Round) -> str:
    """1.1, 1.3: the user's roles in a round, as text; empty for none."""
    viewer = viewer_of(user, round_)
    parts = [gettext("you are its %(role)s") % {"role": Role(role).label} for role in sorted(viewer.roles)]
    parts += [gettext("you play for %(side)s") % {"side": viewer.side.title}] if viewer.side else []
    row = Admission.objects.filter(round=round_, user_id=user.pk or 0, state=Admission.State.ASKED).first()
    parts += [gettext("you have asked %(side)s for admission") % {"side": Side(row.side).title}] if row else []
    return ", ".join(parts)
