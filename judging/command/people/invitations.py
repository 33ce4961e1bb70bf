"""1.1, 2.5.2.2: the players of an earlier round are invited to the next one, and taken in all at once.

An invitation brings a team, a name, a rank that is suggested and the army that was handed in then. It binds nobody:
who accepts it asks for admission like everybody else, and what is not right any more can be changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext

from judging.accounts.reads import speaking_to
from judging.armies.models import HandedIn, Muster
from judging.command.models import BY_INVITATION, Admission, Invitation
from judging.command.people.joining import accept_admission, ask_admission
from judging.game import locking
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.letters.models import Letter
from judging.letters.reads import has_mail
from judging.letters.writes import write_letter
from wargame.models import Army, Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.core.sides import RANKS, Rank, Side
from wargame.rules.core.troops import SLOTS


@locking.writes
def invite_players(*, round: Round, earlier: Round, by: User, now: datetime) -> int:
    """1.1: invites those who play or played in an earlier round until its end; how many. Each is invited once.

    Who judges battles or mercenaries in the new round can't be a player (1.3, 6), and is not invited.
    """
    judging = Judge.objects.filter(round=round, role__in=[Role.BATTLE, Role.MERCENARY]).values("user")
    players = Player.objects.filter(round=earlier, left_at__isnull=True, user__is_active=True)
    players = players.exclude(user__in=judging).exclude(user__invitations__round=round)
    musters = _musters(earlier)
    made = Invitation.objects.bulk_create(
        Invitation(
            round=round,
            user_id=player.user_id,
            earlier=earlier.name,
            side=player.side,
            name=player.name,
            rank=player.rank,
            factions=player.factions,
            muster=musters.get(player.pk),
            invited_at=now,
        )
        for player in players.order_by("name")
    )
    if made:
        record(round, by, "player.invited", {"number": len(made), "earlier": earlier.name}, now)
        _write_letters(round, [each.user_id for each in made], now)
    return len(made)


def open_invitations(user: User | AnonymousUser) -> list[Invitation]:
    """1.1: the invitations that somebody has not answered, of rounds that he may still join; the latest first."""
    if not user.is_authenticated:
        return []
    rows = Invitation.objects.filter(user=user, answered_at__isnull=True)
    rows = rows.filter(round__state__in=[RoundState.SETUP, RoundState.RUNNING])
    here = {"round": OuterRef("round"), "user": user}
    asked = Admission.objects.filter(**here, state=Admission.State.ASKED)
    rows = rows.exclude(Exists(Player.objects.filter(**here))).exclude(Exists(asked))
    return list(rows.select_related("round").order_by("-pk"))


def invitation_of(round: Round, user: User | AnonymousUser) -> Invitation | None:
    """1.1: somebody's invitation to a round, answered or not."""
    return Invitation.objects.filter(round=round, user_id=user.pk or 0).first()


@locking.writes
def accept_invitation(*, invitation: Invitation, user: User, now: datetime) -> Admission:
    """1.1: asks the team that one played for, under one's name. Refused as `ask_admission` is: then the form of the
    round's page asks otherwise."""
    held = _held_invitation(invitation, user)
    asked = ask_admission(
        round=held.round,
        user=user,
        side=held.side,
        name=held.name,
        text=None,
        factions=held.factions,
        token=f"{BY_INVITATION}{held.pk}",
        now=now,
    )
    held.answered_at, held.is_declined = now, False
    held.save(update_fields=["answered_at", "is_declined"])
    return asked


@locking.writes
def decline_invitation(*, invitation: Invitation, user: User, now: datetime) -> None:
    """1.1: says no; asking for admission stays open to him as to everybody."""
    held = _held_invitation(invitation, user)
    held.answered_at, held.is_declined = now, True
    held.save(update_fields=["answered_at", "is_declined"])


def invited_who_ask(round: Round, sides: Iterable[str]) -> list[tuple[Admission, Rank | None]]:
    """1.1: the requests for admission of those who were invited, with the rank that they had: the highest first."""
    rows = Admission.objects.filter(round=round, side__in=list(sides), state=Admission.State.ASKED)
    rows = rows.filter(user__invitations__round=round).select_related("round", "user").order_by("pk")
    ranks = dict(Invitation.objects.filter(round=round).values_list("user_id", "rank"))
    of_side = {(side.value, rank.value): rank for side in (Side.COALITION, Side.PHYREXIA) for rank in RANKS[side]}
    found = [(row, of_side.get((row.side, ranks.get(row.user_id, "")))) for row in rows]
    return sorted(found, key=lambda each: (each[1].tier if each[1] else 9, each[0].pk))


def admit_invited(
    *, round: Round, by: Player | Judge | None, sides: Iterable[str], now: datetime
) -> tuple[list[Player], list[str]]:
    """1.1, 2.5.2.1: takes in all who were invited and ask, each with the rank that he had; and what was in the way of
    the others, who stay on the list. Each is taken in by himself: one who can't be hinders nobody."""
    taken, why_not = [], []
    for admission, rank in invited_who_ask(round, sides):
        try:
            taken.append(accept_admission(admission=admission, by=by, rank=rank, now=now))
        except locking.Busy:
            raise
        except Refused as refused:
            why_not.append(f"{admission.name}: {refused}")
    if not taken and not why_not:
        raise Refused(gettext("No invited player is asking for admission."), "1.1")
    return taken, why_not


def _held_invitation(invitation: Invitation, user: User) -> Invitation:
    held = locking.hold(Invitation.objects.select_related("round"), pk=invitation.pk)
    if held.user_id != user.pk:
        raise Refused(gettext("This invitation is for someone else."), "1.6")
    return held


def _musters(earlier: Round) -> dict[int | None, dict[str, object]]:
    """2.5.2.2: what each player may hand in again, by his key: his muster, or where nobody handed one in here, his
    namesake army as strong as it was last."""
    found: dict[int | None, dict[str, object]] = {}
    for army in Army.objects.filter(round=earlier, namesake__isnull=False).prefetch_related("troops"):
        lists = ["\n".join(f"{t.of} {t.creature}" for t in army.troops.all() if t.slot == slot) for slot in SLOTS]
        found[army.namesake_id] = {"legend": army.legend, "lists": lists}
    for muster in Muster.objects.filter(round=earlier, namesake__isnull=False, state=HandedIn.ACCEPTED):
        found[muster.namesake_id] = {"legend": muster.legend, "lists": muster.lists}
    return found


def _write_letters(round: Round, users: list[int], now: datetime) -> None:
    """1.6: one letter each, to those who have confirmed an address."""
    if not has_mail():
        return
    link = settings.PUBLIC_URL.rstrip("/") + reverse("rounds")
    people = User.objects.filter(pk__in=users, account__confirmed_at__isnull=False).order_by("pk")
    for pk, address in people.values_list("pk", "account__mail"):
        with speaking_to(pk):
            subject = gettext("%(round)s: you are invited") % {"round": round}
            text = gettext("You are invited to play again, in %(round)s. Accept or decline here:\n\n%(link)s\n")
            text %= {"round": round.name, "link": link}
        write_letter(to=address, kind=Letter.Kind.INVITED, now=now, subject=subject, body=text)
