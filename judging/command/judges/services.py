"""1.3, 6: Naming and dismissing the judges of a running round, and handing over a head's place."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.battles.assignments.models import BattleSeat
from judging.battles.assignments.queries import standing_in
from judging.battles.models import Battle
from judging.command.models import Handover
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import LONGEST_JUDGE_NAME, NO_PLAYERS, is_supreme, may_manage
from judging.common.log_entry import record
from judging.common.stored_messages import kept
from judging.common.texts import check_storable, checked_text
from wargame.models import Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.core.phrases import Json, Phrase

MAX_REASON = 2_000
LAPSES_AFTER = timedelta(days=7)
"""1.3: How long an offer of a head's place is open, as long as a head may be silent (R59)."""

Offer = Handover.State


@locking.writes
def name_judge(*, round: Round, by: Judge | None, username: str, role: Role, reason: str, now: datetime) -> Judge:
    """1.3: Make the owner of a username an assistant, or the head of a role that has none. `reason` may be empty.

    For the head of the role, and the head battle judge. Raises Refused for users who play in the round, or have, if the
    role is not for players (1.3, 6), and for users who have it already. A former judge gets it again.
    """
    round = _held_begun_round(round)
    manager = _checked_manager(round, by, role)
    reason = _reason(reason, needed=False)
    user = checked_user(username)
    player = checked_no_player(round, user, role)
    has_head = Judge.objects.filter(round=round, role=role, is_head=True).exists()
    former = Judge.everybody.filter(round=round, user=user, role=role).first()
    if former is not None and former.dismissed_at is None:
        raise Refused(
            gettext("%(name)s is already a %(label)s.") % {"name": former.name, "label": role.label}, "1.3", "username"
        )
    judge_name = player.name if player else user.get_full_name() or user.get_username()
    judge = former or Judge(round=round, user=user, role=role, name=judge_name[:LONGEST_JUDGE_NAME])
    judge.is_head, judge.named_at, judge.head_since, judge.dismissed_at = not has_head, now, None, None
    judge.save()
    _record(manager, "judge.named", judge, reason, now, head=judge.is_head)
    return judge


@locking.writes
def offer_lead(*, round: Round, by: Judge | None, judge_id: int, reason: str, now: datetime) -> Handover | None:
    """1.3: Offer an assistant the place of the head of their role, for a week; it is theirs once they accept. None if
    they are head now: a role that has no head needs only the consent of the one who names it. A second request changes
    nothing.

    For the head, and for the head battle judge, whose own place nobody else gives away: a round always has one.
    """
    round = _held_open_round(round)
    judge = _serving(round, judge_id)
    manager = _checked_manager(round, by, judge.role)
    if judge.role == Role.BATTLE and not is_supreme(manager):
        raise Refused(gettext("Only the head battle judge can choose their successor."), "1.3")
    reason = _reason(reason, needed=False)
    if judge.is_head:
        return None
    head = Judge.objects.filter(round=round, role=judge.role, is_head=True).first()
    if head is None:
        _make_head(judge, None, now)
        _record(manager, "judge.head", judge, reason, now)
        return None
    _check_own_place(round, judge.role)
    end_offers(Handover.objects.filter(round=round, role=judge.role, lapses_at__lte=now), now)
    open_offer = Handover.objects.filter(round=round, role=judge.role, state=Offer.OPEN).select_related("to").first()
    if open_offer is not None and open_offer.to_id != judge.pk:
        message = gettext("%(name)s has already been asked to become head judge. Withdraw that offer first.")
        raise Refused(message % {"name": open_offer.to.name}, "1.3")
    if open_offer is not None:
        return open_offer
    fields = {"reason": reason, "offered_at": now, "lapses_at": now + LAPSES_AFTER}
    handover = Handover.objects.create(round=round, role=judge.role, by=manager, head=head, to=judge, **fields)
    _record(manager, "judge.head_offered", judge, reason, now, of=head.name, until=handover.lapses_at.isoformat())
    return handover


@locking.writes
def decide_offer(*, round: Round, role: str, user: int | None, how: str, now: datetime) -> Handover:
    """1.3: The assistant with the offer of a head's place accepts or declines it; the head or whoever offered it
    withdraws it (ACCEPTED, DECLINED, WITHDRAWN). A second request changes nothing.

    Raises Refused for all others, once it has lapsed, and for accepting it from a former head.
    """
    round = _held_open_round(round)
    rows = Handover.objects.filter(round=round, role=role).select_related("to__user", "by__user", "head__user")
    row = rows.order_by("pk").last()
    if row is None:
        raise Refused(gettext("There is no offer to become head judge. Reload the page."), "1.3")
    deciders = {row.by.user_id, row.head.user_id} if how == Offer.WITHDRAWN else {row.to.user_id}
    if user not in deciders or how not in (Offer.ACCEPTED, Offer.DECLINED, Offer.WITHDRAWN):
        message = gettext("Only %(name)s can accept or decline this. Only %(head)s can withdraw it.")
        raise Refused(message % {"name": row.to.name, "head": row.head.name}, "1.3")
    if row.state == how:
        return row
    if row.state != Offer.OPEN or row.lapses_at <= now:
        raise Refused(gettext("This offer is no longer open. Ask the head judge to make a new one."), "1.3")
    if how == Offer.ACCEPTED:
        head = Judge.objects.filter(round=round, role=role, is_head=True).first()
        if head is None or head.pk != row.head_id or row.to.dismissed_at is not None:
            message = gettext("%(name)s is no longer the head judge, so this offer is no longer open.")
            raise Refused(message % {"name": row.head.name}, "1.3")
        _make_head(row.to, head, now)
    row.state, row.decided_at = how, now
    row.save(update_fields=["state", "decided_at"])
    actor = row.to if user == row.to.user_id else row.by if user == row.by.user_id else row.head
    _record(actor, f"judge.head_{how}", row.to, "", now, of=row.head.name)
    return row


def lapse_offers(now: datetime) -> int:
    """1.3: Let offers of a head's place lapse that nobody accepted in time; returns how many."""
    due = Handover.objects.filter(state=Offer.OPEN, lapses_at__lte=now).select_related("round")
    return sum(_lapse_in(round, now) for round in {row.round for row in due})


@locking.writes
def _lapse_in(round: Round, now: datetime) -> int:
    round = locking.hold(Round.objects, pk=round.pk)
    return end_offers(Handover.objects.filter(round=round, lapses_at__lte=now), now)


def end_offers(rows: QuerySet[Handover], now: datetime) -> int:
    """1.3: Let the open ones of these offers lapse. Their round is locked."""
    open_rows = list(rows.filter(state=Offer.OPEN).select_related("round", "to", "head"))
    for row in open_rows:
        row.state, row.decided_at = Offer.LAPSED, now
        row.save(update_fields=["state", "decided_at"])
        data = {"name": row.to.name, "role": row.role, "of": row.head.name}
        record(row.round, None, "judge.head_lapsed", data, now)
    return len(open_rows)


def _make_head(judge: Judge, before: Judge | None, now: datetime) -> None:
    """1.3: Make an assistant the head, and the former head an assistant."""
    if before is not None:
        before.is_head, before.head_since = False, None
        before.save(update_fields=["is_head", "head_since"])
    judge.is_head, judge.head_since = True, now
    judge.save(update_fields=["is_head", "head_since"])


@locking.writes
def dismiss_judge(*, round: Round, by: Judge | None, judge_id: int, reason: str | Phrase, now: datetime) -> Judge:
    """1.3: Dismiss an assistant judge: by the head of their role, the head battle judge, or of their own will.

    Their decisions stay. They can't score as a second judge any more, unless their score is locked. Raises Refused for
    a head, who hands over first, and without a reason.
    """
    round = _held_begun_round(round)
    judge = _serving(round, judge_id)
    resigns = by is not None and by.pk == judge.pk
    actor = by if resigns and by is not None else _checked_manager(round, by, judge.role)
    if judge.is_head:
        raise Refused(
            gettext("%(name)s is the head judge. Make someone else head judge first.") % {"name": judge.name}, "1.3"
        )
    if not resigns:
        _check_own_place(round, judge.role, judge)
    why = _reason(reason, needed=True) if isinstance(reason, str) else kept(reason)
    judge.dismissed_at = now
    judge.save(update_fields=["dismissed_at"])
    end_offers(Handover.objects.filter(round=round, to=judge), now)
    battles = Battle.objects.filter(turn__round=round, second_judge=judge, state=Battle.State.WAITING)
    battles.exclude(opinions__judge=judge).update(second_judge=None)
    BattleSeat.objects.filter(judge=judge, kind=BattleSeat.Kind.SECOND, until__isnull=True).update(until=now)
    _record(actor, "judge.resigned" if resigns else "judge.dismissed", judge, why, now)
    return judge


def checked_user(username: str) -> User:
    """1.3: The owner of a username. Raises Refused if nobody has it."""
    name = username.strip()[:150]
    check_storable(name, what="log-in", cites="1.3", field="username")
    user = User.objects.filter(username__iexact=name, is_active=True).first() if name else None
    if user is None:
        raise Refused(
            gettext("The log-in “%(name)s” doesn't exist. Judges need a log-in first.") % {"name": name[:60]},
            "1.3",
            "username",
        )
    return user


def checked_no_player(round: Round, user: User, role: Role) -> Player | None:
    """1.3, 6: The user's current or former player in the round. Raises Refused if players can't have the role."""
    player = Player.objects.filter(round=round, user=user).first()
    if player is not None and role in NO_PLAYERS:
        message = gettext("%(name)s plays or has played in this round. A %(label)s can't be a player.") % {
            "name": player.name,
            "label": role.label,
        }
        raise Refused(message, NO_PLAYERS[role], "username")
    return player


def _held_begun_round(round: Round) -> Round:
    """The round, locked until the transaction ends, so that no team admits anybody in the meantime (1.3)."""
    locked_round = locking.hold(Round.objects, pk=round.pk)
    if locked_round.state == RoundState.SETUP:
        raise Refused(gettext("While a round is being set up, choose its judges in the set-up."), "2.5")
    if locked_round.state != RoundState.RUNNING:
        raise Refused(
            gettext("%(name)s is not being played, so its judges can't change.") % {"name": locked_round.name}, "1.5"
        )
    return locked_round


def _held_open_round(round: Round) -> Round:
    """The round, locked, while it is set up or played."""
    locked_round = locking.hold(Round.objects, pk=round.pk)
    if locked_round.state not in (RoundState.SETUP, RoundState.RUNNING):
        raise Refused(
            gettext("%(name)s is not being played, so its judges can't change.") % {"name": locked_round.name}, "1.5"
        )
    return locked_round


def _checked_manager(round: Round, by: Judge | None, role: str) -> Judge:
    manager = Judge.objects.filter(pk=by.pk, round=round).first() if by else None
    if manager is None or not may_manage(manager, role):
        if role == Role.BATTLE:
            raise Refused(gettext("Only the head battle judge can decide who is a battle judge."), "1.3")
        only = gettext("Only the head %(label)s and the head battle judge can decide who is a %(label)s.")
        raise Refused(only % {"label": Role(role).label}, "1.3")
    return manager


def _check_own_place(round: Round, role: str, of: Judge | None = None) -> None:
    """R59: A stand-in for a head can't give away the head's place, and can't dismiss them."""
    stand_in = standing_in(round) if role == Role.BATTLE else None
    if stand_in is not None and of in (None, stand_in.head):
        raise Refused(
            gettext("%(name)s is head judge only until %(name2)s is back.")
            % {"name": stand_in.judge.name, "name2": stand_in.head.name},
            "R59",
        )


def _serving(round: Round, judge_id: int) -> Judge:
    judge = Judge.objects.filter(round=round, pk=judge_id).first()
    if judge is None:
        raise Refused(gettext("That judge no longer judges this round."), "1.3")
    return judge


def _reason(text: str, *, needed: bool) -> str:
    if needed or text.strip():
        return checked_text(text, what="reason", most=MAX_REASON, cites="1.3", field="reason").strip()
    return ""


def _record(actor: Judge, action: str, judge: Judge, reason: str | Json, now: datetime, **more: object) -> None:
    data = {"name": judge.name, "role": judge.role, "seat": actor.role, "reason": reason, **more}
    record(judge.round, actor.user, action, data, now)
