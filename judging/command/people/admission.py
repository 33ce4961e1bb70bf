"""1.1, 2.5.2.2: Admission to a team, leaving it, and inviting the players of an earlier round."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError
from django.db.models import Exists, OuterRef
from django.urls import reverse
from django.utils.translation import gettext

from judging.accounts.queries import speaking_to
from judging.armies.models import HandedIn, Muster
from judging.command.control.powers import fill_power
from judging.command.control.services import enlist, hold_list, list_state, set_controllers, tell_list
from judging.command.models import BY_INVITATION, Admission, Invitation
from judging.command.people.ranks import check_breaches, checked_giver, end_excesses, keep_change, set_rank
from judging.command.people.roster import overrulable
from judging.command.people.screen_names import checked_screen_name
from judging.common import locking
from judging.common.confusable_names import composed
from judging.common.errors import Refused
from judging.common.judges import is_supreme
from judging.common.log_entry import record
from judging.common.texts import checked_text, checked_token
from judging.email.models import Letter
from judging.email.services import has_mail, write_letter
from wargame.models import Army, Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.control_list import Person
from wargame.rules.command.ranks import faction_breaches, is_leading, rank_breaches
from wargame.rules.core.sides import RANKS, TEAMS, Rank, Side
from wargame.rules.core.troops import SLOTS

State = Admission.State
MAX_TEXT = 5_000
MAX_REASON = 2_000
MAX_OVERRULING = 1_000


@locking.writes
def ask_admission(
    *,
    round: Round,
    user: User,
    side: str,
    name: str,
    text: str | None,
    factions: Sequence[str],
    token: str,
    now: datetime,
) -> Admission:
    """1.1: Ask a team for admission under a screen name; the same form sent twice asks once. `text` is None for an
    accepted invitation.

    Raises Refused for users who play or judge here (1.3, 6), have another open request or have played for the other
    team, for an invalid name (1.6), and for more than three factions (1.1.2).
    """
    text = "" if text is None else checked_text(text, what="post", most=MAX_TEXT, cites="1.1")
    token = checked_token(token)
    if side not in TEAMS:
        raise Refused(gettext("Choose one of the two teams."), "1.1", "side")
    team, name = Side(side), composed(name)
    existing = Admission.objects.filter(round=round, user=user, token=token).first()
    if existing is not None:
        return existing
    before = _check_may_ask(round, user, team)
    name = before.name if before else checked_screen_name(round, user, name)
    claimed = tuple(dict.fromkeys(factions)) if team is Side.COALITION else ()
    control_list = list_state(round, team, now).listed
    check_breaches(faction_breaches(control_list, Person(name, factions=claimed)))
    try:
        with locking.transaction():
            admission = Admission.objects.create(
                round=round,
                user=user,
                side=side,
                name=name,
                text=text,
                factions=list(claimed),
                asked_at=now,
                token=token,
            )
    except IntegrityError:
        raise Refused(gettext("You have already asked a team for admission. Withdraw that first."), "1.1") from None
    record(round, user, "player.asked", {"name": name, "side": side}, now)
    return admission


@locking.writes
def withdraw_admission(*, admission: Admission, user: User, now: datetime) -> None:
    """1.1: Withdraw one's request while it is not decided."""
    row = _held_admission(admission)
    if row.user_id != user.pk:
        raise Refused(gettext("Only the person asking for admission can withdraw it."), "1.6")
    row.state, row.decided_at = State.WITHDRAWN, now
    row.save(update_fields=["state", "decided_at"])
    record(row.round, user, "player.withdrawn", {"name": row.name, "side": row.side}, now)


@locking.writes
def accept_admission(*, admission: Admission, by: Player | Judge | None, rank: Rank | None, now: datetime) -> Player:
    """1.1: A leader of the team admits an applicant with a rank; None makes them a Drudge or a Cadet.

    They get an army with their name that is not on the control list (5.2.1). Raises Refused for anybody but a leader,
    and for a rank that can't be given (2.5.2.1); a battle judge may do it for a team, and must for one that has no
    leader yet.
    """
    round_ = admission.round
    actor = checked_giver(round_, by, admission.side)
    hold_list(round_, now)
    row = _held_admission(admission)
    side = Side(row.side)
    before = _check_may_ask(round_, row.user, side)
    if before is None:
        checked_screen_name(round_, row.user, row.name)
    control_list = list_state(round_, side, now).listed
    control_list = replace(control_list, people=(*control_list.people, Person(row.name, factions=tuple(row.factions))))
    check_breaches(rank_breaches(control_list, "" if isinstance(by, Judge) else actor.name, row.name, rank))
    player = _take_in(row, before, now)
    if rank:
        set_rank(player, rank, by=actor, reason="", now=now)
    row.state, row.player, row.rank = State.ACCEPTED, player, rank.value if rank else ""
    row.decided_by, row.decided_at = actor.name, now
    row.save()
    enlist(round_, now)
    data = {"player": player.name, "side": row.side, "rank": row.rank}
    record(round_, actor.user, "player.accepted", data, now)
    return player


@locking.writes
def refuse_admission(*, admission: Admission, by: Player | Judge | None, reason: str, now: datetime) -> None:
    """1.1: A leader of the team refuses an applicant, with a reason, which the applicant and the team's leaders
    read."""
    actor = checked_giver(admission.round, by, admission.side)
    if isinstance(actor, Player) and not is_leading(Rank(actor.rank) if actor.rank else None):
        raise Refused(
            gettext("Only the three leaders of %(title)s can decide on admissions.")
            % {"title": Side(actor.side).title},
            "1.1",
        )
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.1")
    row = _held_admission(admission)
    row.state, row.decided_by, row.decided_at, row.reason = State.REFUSED, actor.name, now, reason
    row.save(update_fields=["state", "decided_by", "decided_at", "reason"])
    record(admission.round, actor.user, "player.refused", {"name": row.name, "side": row.side}, now)


@locking.writes
def leave_team(*, player: Player, now: datetime) -> None:
    """1.1: A player leaves their team and the round: their armies become uncontrolled, and their past acts stay."""
    round_, side = player.round, Side(player.side)
    # The list first: whoever gives him an army at this moment waits, and finds that he has left.
    hold_list(round_, now)
    locked_player = locking.hold(Player.objects, pk=player.pk)
    if locked_player.left_at is not None:
        return
    names = part_with(locked_player, by=locked_player, reason="", now=now)
    data: dict[str, object] = {"player": locked_player.name, "side": side.value, "armies": names}
    record(round_, player.user, "player.left", data, now)
    tell_list(round_, "left", data, now)


@locking.writes
def overrule_admission(*, player: Player, judge: Judge | None, reason: str, now: datetime) -> Player:
    """1.1, 1.3: Overrule the admission of a player by an assistant battle judge: they no longer play, and may ask
    again. Their past acts stay. Raises Refused for players admitted by their leaders, or by the head themselves."""
    if judge is None or judge.round_id != player.round_id:
        raise Refused(gettext("Only the head battle judge can overrule an admission."), "1.3")
    if not is_supreme(judge):
        raise Refused(gettext("Only the head battle judge can overrule an admission."), "1.3")
    reason = checked_text(reason, what="reason", most=MAX_OVERRULING, cites="1.3", field="reason")
    round_, side = player.round, Side(player.side)
    hold_list(round_, now)
    member = locking.hold(Player.objects.select_related("round"), pk=player.pk)
    row = overrulable(member, judge) if member.left_at is None else None
    if row is None:
        raise Refused(
            gettext("You can only overrule admissions by assistant judges. The team of %(name)s decides.")
            % {"name": member.name},
            "1.1",
        )
    decider = row.decided_by
    names = part_with(member, by=judge, reason=reason, now=now)
    row.state, row.decided_by, row.decided_at, row.reason = Admission.State.REFUSED, judge.name, now, reason
    row.save(update_fields=["state", "decided_by", "decided_at", "reason"])
    data: dict[str, object] = {
        "player": member.name,
        "side": side.value,
        "of": decider,
        "armies": names,
        "reason": reason,
    }
    record(round_, judge.user, "player.overruled", data, now)
    tell_list(round_, "left", {**data, "by": judge.name}, now)
    return member


def part_with(held: Player, *, by: Player | Judge, reason: str, now: datetime) -> list[str]:
    """1.1: End a player's row; returns the names of the armies that become uncontrolled. The list is locked."""
    armies = list(Army.objects.filter(controls__player=held, controls__until__isnull=True).order_by("name"))
    for army in armies:
        controllers = Player.objects.filter(controls__army=army, controls__until__isnull=True).exclude(pk=held.pk)
        set_controllers(army, list(controllers), now)
    before, held.rank = held.rank, ""
    keep_change(held, before, by=by, reason=reason, now=now)
    held.left_at, held.may_change_control, held.contingency = now, False, None
    held.made_excess = False
    held.save(update_fields=["rank", "left_at", "may_change_control", "contingency", "made_excess"])
    held.contingency_of.update(contingency=None)
    end_excesses(held.round, now)
    return [army.name for army in armies]


def _check_may_ask(round: Round, user: User, side: Side) -> Player | None:
    """1.1, 1.3: Check that the user may join that team; returns their old row, if they have played for it in this
    round and left."""
    if round.state == RoundState.OVER:
        raise Refused(gettext("%(name)s is finished.") % {"name": round.name}, "1.5")
    if round.state == RoundState.ARCHIVE:
        raise Refused(
            gettext("%(name)s is an archive of a round played elsewhere. Join it there.") % {"name": round.name},
            "1.5",
        )
    if round.state == RoundState.GIVEN_UP:
        raise Refused(gettext("%(name)s was cancelled before it began.") % {"name": round.name}, "2.5")
    for judge in Judge.everybody.filter(round=round, user=user).exclude(role=Role.MOVEMENT):
        rule = "1.3" if judge.role == Role.BATTLE else "6"
        message = gettext("The %(role)s can't be a player.")
        if judge.dismissed_at:
            message = gettext("A former %(role)s can't be a player: they know things that only judges can know.")
        raise Refused(message % {"role": judge.get_role_display()}, rule)
    player = Player.objects.filter(round=round, user=user).first()
    if player is not None and player.left_at is None:
        raise Refused(
            gettext("You already play for %(title)s, as %(name)s.")
            % {"title": Side(player.side).title, "name": player.name},
            "1.1",
        )
    if player is not None and player.side != side:
        raise Refused(
            gettext(
                "You have played for %(title)s in this round and know their secrets. Ask the battle judge, or "
                "join the next round."
            )
            % {"title": Side(player.side).title},
            "1.1",
        )
    return player


def _take_in(admission: Admission, before: Player | None, now: datetime) -> Player:
    """1.1: The player's row; their old one, if they come back."""
    if before is not None:
        before.left_at, before.joined_at, before.factions = None, now, admission.factions
        before.save(update_fields=["left_at", "joined_at", "factions"])
        return before
    player = Player.objects.create(
        round=admission.round,
        user=admission.user,
        name=admission.name,
        side=admission.side,
        factions=admission.factions,
        joined_at=now,
    )
    fill_power(player)
    return player


def _held_admission(admission: Admission) -> Admission:
    """The request for admission, locked until the transaction ends. Raises Refused once it is decided."""
    # Of two leaders who answer at once the second reads what the first decided.
    row = locking.hold(Admission.objects.select_related("round", "user"), pk=admission.pk)
    if row.state != State.ASKED:
        raise Refused(
            gettext("This request for admission is already %(get_state_display)s.")
            % {"get_state_display": row.get_state_display()},
            "1.1",
        )
    return row


@locking.writes
def invite_players(*, round: Round, earlier: Round, by: User, now: datetime) -> int:
    """1.1: Invite those who play or played in an earlier round until its end; returns how many. Each is invited once.

    Battle and mercenary judges of the new round can't be players (1.3, 6), and are not invited.
    """
    judging = Judge.objects.filter(round=round, role__in=[Role.BATTLE, Role.MERCENARY]).values("user")
    players = Player.objects.filter(round=earlier, left_at__isnull=True, user__is_active=True)
    players = players.exclude(user__in=judging).exclude(user__invitations__round=round)
    musters = _musters(earlier)
    invitations = Invitation.objects.bulk_create(
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
    if invitations:
        record(round, by, "player.invited", {"number": len(invitations), "earlier": earlier.name}, now)
        _write_letters(round, [each.user_id for each in invitations], now)
    return len(invitations)


def open_invitations(user: User | AnonymousUser) -> list[Invitation]:
    """1.1: A user's unanswered invitations to rounds that they may still join, latest first."""
    if not user.is_authenticated:
        return []
    rows = Invitation.objects.filter(user=user, answered_at__isnull=True)
    rows = rows.filter(round__state__in=[RoundState.SETUP, RoundState.RUNNING])
    here = {"round": OuterRef("round"), "user": user}
    admissions = Admission.objects.filter(**here, state=Admission.State.ASKED)
    rows = rows.exclude(Exists(Player.objects.filter(**here))).exclude(Exists(admissions))
    return list(rows.select_related("round").order_by("-pk"))


def invitation_of(round: Round, user: User | AnonymousUser) -> Invitation | None:
    """1.1: A user's invitation to a round, answered or not."""
    return Invitation.objects.filter(round=round, user_id=user.pk or 0).first()


@locking.writes
def accept_invitation(*, invitation: Invitation, user: User, now: datetime) -> Admission:
    """1.1: Ask one's former team for admission, under one's name. Raises Refused like `ask_admission`: then the form
    on the round's page allows other choices."""
    row = _held_invitation(invitation, user)
    admission = ask_admission(
        round=row.round,
        user=user,
        side=row.side,
        name=row.name,
        text=None,
        factions=row.factions,
        token=f"{BY_INVITATION}{row.pk}",
        now=now,
    )
    row.answered_at, row.is_declined = now, False
    row.save(update_fields=["answered_at", "is_declined"])
    return admission


@locking.writes
def decline_invitation(*, invitation: Invitation, user: User, now: datetime) -> None:
    """1.1: Decline an invitation; the user may still ask for admission, like everybody."""
    row = _held_invitation(invitation, user)
    row.answered_at, row.is_declined = now, True
    row.save(update_fields=["answered_at", "is_declined"])


def invited_who_ask(round: Round, sides: Iterable[str]) -> list[tuple[Admission, Rank | None]]:
    """1.1: The requests for admission of invited players, with their former rank: highest first."""
    rows = Admission.objects.filter(round=round, side__in=list(sides), state=Admission.State.ASKED)
    rows = rows.filter(user__invitations__round=round).select_related("round", "user").order_by("pk")
    ranks = dict(Invitation.objects.filter(round=round).values_list("user_id", "rank"))
    of_side = {(side.value, rank.value): rank for side in (Side.COALITION, Side.PHYREXIA) for rank in RANKS[side]}
    pairs = [(row, of_side.get((row.side, ranks.get(row.user_id, "")))) for row in rows]
    return sorted(pairs, key=lambda each: (each[1].tier if each[1] else 9, each[0].pk))


def admit_invited(
    *, round: Round, by: Player | Judge | None, sides: Iterable[str], now: datetime
) -> tuple[list[Player], list[str]]:
    """1.1, 2.5.2.1: Admit all invited players who ask, each with their former rank; also returns the obstacles of
    the others, who stay on the list. Each is admitted separately: a failure does not block the others."""
    players, why_not = [], []
    for admission, rank in invited_who_ask(round, sides):
        try:
            players.append(accept_admission(admission=admission, by=by, rank=rank, now=now))
        except locking.Busy:
            raise
        except Refused as refused:
            why_not.append(f"{admission.name}: {refused}")
    if not players and not why_not:
        raise Refused(gettext("No invited player is asking for admission."), "1.1")
    return players, why_not


def _held_invitation(invitation: Invitation, user: User) -> Invitation:
    row = locking.hold(Invitation.objects.select_related("round"), pk=invitation.pk)
    if row.user_id != user.pk:
        raise Refused(gettext("This invitation is for someone else."), "1.6")
    return row


def _musters(earlier: Round) -> dict[int | None, dict[str, object]]:
    """2.5.2.2: The army that each player may submit again, by the player's key: their muster, or, if none was
    submitted here, their namesake army at its last strength."""
    musters: dict[int | None, dict[str, object]] = {}
    for army in Army.objects.filter(round=earlier, namesake__isnull=False).prefetch_related("troops"):
        lists = ["\n".join(f"{t.of} {t.creature}" for t in army.troops.all() if t.slot == slot) for slot in SLOTS]
        musters[army.namesake_id] = {"legend": army.legend, "lists": lists}
    for muster in Muster.objects.filter(round=earlier, namesake__isnull=False, state=HandedIn.ACCEPTED):
        musters[muster.namesake_id] = {"legend": muster.legend, "lists": muster.lists}
    return musters


def _write_letters(round: Round, users: list[int], now: datetime) -> None:
    """1.6: One email each, to those who have confirmed an address."""
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
