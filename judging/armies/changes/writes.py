"""2.3.2, 2.6: requests to change an army's troops or to personalise it: written, handed in, accepted or refused.

An accepted request is an input of the settlement of the turn in which it was accepted, which carries it out or says
why it can't be. A judge may accept until that settlement; what he accepts then can't be taken back.
"""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from django.db import IntegrityError
from django.db.models import F
from django.utils.translation import gettext, ngettext

from judging.armies.changes.reads import (
    Changing,
    JudgedChange,
    as_asked,
    changing,
    is_waiting,
    judged_change,
    low_armies,
    may_change,
    new_player,
    newcomer_of,
    open_request,
    typed_of,
)
from judging.armies.models import ChangeRequest, HandedIn, PersonalOffer
from judging.armies.musters.judged import TypedMuster, snapshot
from judging.armies.musters.writes import BrokenRules, check_texts, checked_judge, checked_reason
from judging.game import locking
from judging.game.control import is_leader
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.rounds import current_turn
from judging.game.viewer import Viewer
from wargame.models import Army, Judge, Player, Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.armies.change_rules import offer_faults
from wargame.rules.core import clock
from wargame.rules.core.sides import Rank

Kind = ChangeRequest.Kind
RULE = {Kind.CHANGE.value: "2.3.2", Kind.PERSONAL.value: "2.6"}


@locking.writes
def save_change(
    *, round: Round, army: str, kind: str, player: Player | None, typed: TypedMuster, base_version: int, now: datetime
) -> ChangeRequest:
    """2.3.2, 2.6: keeps what is typed, legal or not; one that was handed in becomes a draft again.

    `base_version` is 0 for a first one. Refused for who may not change this army, and on top of an older version.
    """
    found = _changing_or_refused(round, army, kind, player, now)
    check_texts(typed)
    request = open_request(found)
    if is_waiting(request):
        raise Refused(
            gettext("A change to %(army)s has been accepted. It is waiting for the settlement of this turn.")
            % {"army": army},
            RULE[kind],
        )
    if request is not None and request.state == HandedIn.REFUSED:
        request = None
    version = request.version if request else 0
    if version != base_version:
        raise Refused(
            gettext(
                "This request was changed in another window. It is now at version %(version)s; yours is based on "
                "version %(base_version)s. Your text is still in the form. Open the page again to see the other "
                "text."
            )
            % {"version": version, "base_version": base_version},
            RULE[kind],
        )
    if request is None:
        request = ChangeRequest(round=round, army=found.row, kind=kind, version=0)
    request.player, request.lists = player, list(typed.lists)  # type: ignore[assignment]
    request.name, request.legend, request.remark = typed.name.strip(), typed.legend, typed.remark
    request.state, request.troops, request.sent_at = HandedIn.DRAFT, [], None
    request.turn_number, request.version, request.saved_at = found.turn.number, version + 1, now
    try:
        with locking.transaction():
            request.save()
    except IntegrityError:
        raise Refused(gettext("Another request for this army is open. Look at it first."), RULE[kind]) from None
    return request


@locking.writes
def send_change(*, request: ChangeRequest, player: Player | None, now: datetime) -> ChangeRequest:
    """2.3.2, 2.6: hands a saved request to the judge. Refused (BrokenRules) with every breach, and after the lock."""
    held = _held_request(request)
    found = _changing_or_refused(held.round, held.army.name, held.kind, player, now)
    if held.state == HandedIn.SENT:
        return held
    if held.state != HandedIn.DRAFT:
        raise Refused(gettext("This request has already been decided."), RULE[held.kind])
    if found.turn.state != TurnState.OPEN or not clock.is_in_time(now, found.turn.lock_at):
        raise Refused(
            gettext("Turn %(number)s is locked; ask again when the next one opens.") % {"number": found.turn.number},
            "3.1",
        )
    _take_snapshot(held, judged_change(found, typed_of(found, held)))
    held.state, held.sent_at, held.turn_number = HandedIn.SENT, now, found.turn.number
    new = newcomer_of(found) if held.kind == Kind.PERSONAL else None
    held.newcomer = asdict(new) if new else None
    held.save(update_fields=["state", "sent_at", "turn_number", "troops", "legend", "newcomer"])
    record(held.round, player.user if player else None, "change.sent", _facts_for_the_log(held), now)
    return held


@locking.writes
def drop_change(*, request: ChangeRequest, player: Player | None, now: datetime) -> None:
    """Takes an open request away."""
    held = _held_request(request)
    _changing_or_refused(held.round, held.army.name, held.kind, player, now)
    if held.state not in (HandedIn.DRAFT, HandedIn.SENT):
        raise Refused(gettext("This request has already been decided."), RULE[held.kind])
    if held.state == HandedIn.SENT and player is not None:
        record(held.round, player.user, "change.dropped", _facts_for_the_log(held), now)
    held.delete()


@locking.writes
def decide_change(*, request: ChangeRequest, judge: Judge | None, accept: bool, reason: str, now: datetime) -> None:
    """2.3.2, 2.6: the battle judge accepts a request, judged once more as the army stands now, or refuses it.

    An accepted one is given to the settlement of the present turn. Refused once that turn is settled.
    """
    # The turn is held before the request, as a settlement has them: it claims its turn, and then writes into requests.
    locking.hold_first(Turn.objects.filter(round=request.round_id).order_by("-number").only("pk"))
    held = _held_request(request)
    judge = checked_judge(held.round, judge)
    reason = checked_reason(reason, accept)
    if held.state != HandedIn.SENT:
        raise Refused(gettext("This request is not with the judge now."), RULE[held.kind])
    if accept:
        held.for_turn = _accepted_in(held)
    held.state = HandedIn.ACCEPTED if accept else HandedIn.REFUSED
    held.decided_by, held.decided_at, held.reason = judge, now, reason
    held.save(update_fields=["state", "decided_by", "decided_at", "reason", "for_turn", "troops", "legend"])
    record(held.round, judge.user, f"change.{held.state}", _facts_for_the_log(held), now)


def _facts_for_the_log(held: ChangeRequest) -> dict[str, object]:
    """1.3: what the log says of a request; what it asks for stays out of it."""
    return {"army": held.army.name, "kind": held.kind, "side": held.army.side, "turn": held.turn_number}


def _accepted_in(held: ChangeRequest) -> int:
    """2.3.2, 2.6: the turn whose settlement is given the request, told of it: a settlement that is being worked out
    without it comes to nothing and is worked out anew. Refused if the army may not be changed so now."""
    found = changing(held.round, held.army.name, held.kind)
    if found is None:
        raise Refused(gettext("The army %(army)s is no longer on the map.") % {"army": held.army.name}, RULE[held.kind])
    _take_snapshot(held, judged_change(as_asked(found, held), typed_of(found, held)))
    unsettled = Turn.objects.filter(pk=found.turn.pk).exclude(state=TurnState.SETTLED)
    if not unsettled.update(changes=F("changes") + 1):
        raise Refused(
            gettext("Turn %(number)s is settled, and no other turn is open.") % {"number": found.turn.number}, "3.1"
        )
    return found.turn.number


@locking.writes
def offer_army(*, round: Round, leader: Player | None, player: Player, army: Army, now: datetime) -> PersonalOffer:
    """2.6: a side's leaders choose an army for a new player to make his own, within this turn and the next.

    Refused for who is no leader, for a player who was here before or has not fought twice, for a high rank, and for
    a second offer to one player.
    """
    turn = current_turn(round)
    if turn is None or leader is None or leader.round_id != round.pk or not is_leader(leader):
        raise Refused(gettext("Only a side's leaders can choose an army for a new player."), "2.6")
    if (player.round_id, player.side) != (round.pk, leader.side):
        raise Refused(gettext("%(player)s is not on your side.") % {"player": player.name}, "1.1")
    if PersonalOffer.objects.filter(player=player).exists():
        raise Refused(
            gettext("%(player)s has already had this opportunity; it only comes once.") % {"player": player.name}, "2.6"
        )
    faults = offer_faults(army.name, Rank(army.rank) if army.rank else None, new_player(player, turn))
    if faults:
        raise BrokenRules(faults, faults[0].sentence)
    if army not in low_armies(round, leader.side):
        raise Refused(
            gettext("%(army)s can't be personalised: it is dead, captured, not yours or already chosen.")
            % {"army": army.name},
            "2.6",
        )
    offer = PersonalOffer.objects.create(
        round=round, player=player, army=army, offered_by=leader, offered_in=turn.number, offered_at=now
    )
    record(round, leader.user, "personal.offered", {"army": army.name, "player": player.name, "side": player.side}, now)
    return offer


def _held_request(request: ChangeRequest) -> ChangeRequest:
    """The request, held until the transaction ends."""
    held = locking.hold_first(ChangeRequest.objects.select_related("army", "round").filter(pk=request.pk))
    if held is None:
        raise Refused(gettext("This request was withdrawn."))
    return held


def _changing_or_refused(round: Round, army: str, kind: str, player: Player | None, now: datetime) -> Changing:
    found = changing(round, army, kind)
    if found is None:
        raise Refused(
            gettext("There is no army “%(army)s” on the map that you can change.") % {"army": army[:60]}, RULE[kind]
        )
    if player is None or not may_change(Viewer(player.user_id, round, player), found, now):
        if kind == Kind.PERSONAL:
            raise Refused(
                gettext("Only the new player for whom the leaders chose this army can personalise it."), "2.6"
            )
        raise Refused(gettext("You don't control %(army)s, so you can't change its troops.") % {"army": army}, "5.4.1")
    return found


def _take_snapshot(held: ChangeRequest, judged: JudgedChange) -> None:
    """Keeps the troops as they are read now, for the settlement, and the legend's name as it is printed."""
    _check_legal(judged, RULE[held.kind])
    held.troops = snapshot(judged.judged.muster)
    if judged.judged.muster.legend is not None:
        held.legend = judged.judged.muster.legend.name


def _check_legal(found: JudgedChange, cites: str) -> None:
    breaches = (*found.more, *found.judged.breaches)
    if found.faults:
        sentence = ngettext(
            "You can't make this change: it has %(number)s mistake. Your text is saved.",
            "You can't make this change: it has %(number)s mistakes. Your text is saved.",
            found.faults,
        )
        raise BrokenRules(breaches, sentence % {"number": found.faults})
    if not found.judged.muster.entries:
        raise Refused(gettext("An army needs troops. List at least one creature."), cites)
