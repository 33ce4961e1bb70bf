"""1.5, 2.5: the rounds that concern somebody: those being set up with what he is in them, and where he goes first."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from judging.command.models import Admission
from judging.game.rounds import running_round
from judging.game.viewer import viewer_of
from judging.setup.reads import may_create_round, rounds_in_setup
from wargame.models import Round
from wargame.models.choices import Role, RoundState
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class OwnSetup:
    """2.5: a round that is being set up, and what somebody has to do with it: `you are its battle judge`."""

    round: Round
    words: str


def own_setups(user: User | AnonymousUser) -> tuple[OwnSetup, ...]:
    """2.5: the rounds being set up in which the user judges, plays, or has asked for admission, the newest first."""
    if not user.is_authenticated:
        return ()
    found = ((round_, _words(user, round_)) for round_ in rounds_in_setup())
    return tuple(OwnSetup(round_, words) for round_, words in found if words)


def rounds_to_join(user: User) -> tuple[Round, ...]:
    """1.1: the rounds that are played or set up and with which the user has nothing to do yet."""
    running = Round.objects.filter(state=RoundState.RUNNING).order_by("-created_at", "-pk")
    return tuple(round_ for round_ in (*running, *rounds_in_setup()) if not _words(user, round_))


def first_page(user: User | AnonymousUser) -> str:
    """The address of what the user looks for when he has logged in.

    That is the round being set up that concerns him, unless he is of the running one; the list of rounds, if there are
    several or if he may start one; the front door for everybody else.
    """
    running = running_round()
    if running is not None and _words(user, running):
        return reverse("home")
    own = own_setups(user)
    if len(own) == 1:
        return reverse("setup", args=[own[0].round.slug])
    return reverse("rounds") if own or may_create_round(user) else reverse("home")


def _words(user: User | AnonymousUser, round_: Round) -> str:
    """1.1, 1.3: what the user is in a round; empty: nothing."""
    viewer = viewer_of(user, round_)
    parts = [f"you are its {Role(role).label}" for role in sorted(viewer.roles)]
    parts += [f"you play for {viewer.side.title}"] if viewer.side else []
    asked = Admission.objects.filter(round=round_, user_id=user.pk or 0, state=Admission.State.ASKED).first()
    parts += [f"you have asked {Side(asked.side).title} for admission"] if asked else []
    return ", ".join(parts)
