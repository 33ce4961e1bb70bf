"""2.3.2, 2.6: Requests to change an army's troops or make it one's own: reading, writing and deciding them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from django.db import IntegrityError
from django.db.models import F, Q
from django.utils.translation import gettext, ngettext

from judging.armies.creatures.services import known_creatures
from judging.armies.models import ChangeRequest, HandedIn, PersonalOffer
from judging.armies.musters.services import BrokenRules, check_texts, checked_judge, checked_reason, surroundings_of
from judging.armies.musters.validation import Judged, MusterText, four, judged, snapshot
from judging.battles.strats.queries import battles_of
from judging.common import locking
from judging.common.control import controls, is_leader
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.positions import position_of, present_position
from judging.common.request_cache import request_cached
from judging.common.rounds import current_turn
from judging.common.viewer import Viewer
from wargame.models import Army, Judge, Player, Round, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.armies.change_rules import (
    TURNS_TO_PERSONALISE,
    change_faults,
    changed_troops,
    living_faults,
    offer_faults,
    personalise_faults,
    sent_faults,
    strength_faults,
)
from wargame.rules.armies.creatures import Creature, name_key
from wargame.rules.armies.findings import MusterFault, MusterFinding
from wargame.rules.armies.muster import MusterEntry, Surroundings, troops_of
from wargame.rules.armies.muster_list import write_entry
from wargame.rules.core import clock
from wargame.rules.core.board import Board
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.sides import LOWEST_TWO_TIERS, Rank, Side
from wargame.rules.core.troops import SLOTS, Troop
from wargame.rules.core.turn import NewPlayer

OPEN = (HandedIn.DRAFT, HandedIn.SENT)
COMING = 1
"""R30: How many days an army may gain between a request and the settlement that applies it."""
Kind = ChangeRequest.Kind


@dataclass(frozen=True)
class Changing:
    """An army that may be changed, in its current state, and its turn. `faults`: why it can't be changed now, if so."""

    row: Army
    army: ArmyOnMap
    board: Board
    turn: Turn
    kind: str
    faults: tuple[MusterFinding, ...]


@dataclass(frozen=True)
class JudgedChange:
    """The rules' findings on a new makeup: `more` besides those on any muster; `after` is the resulting army."""

    judged: Judged
    more: tuple[MusterFinding, ...]
    after: tuple[Troop, ...]

    @property
    def is_legal(self) -> bool:
        return self.judged.is_legal and not self.more

    @property
    def faults(self) -> int:
        return self.judged.faults + len(self.more)


@dataclass(frozen=True)
class Newcomer:
    """2.6: A player who joined after the start of the round, and their progress."""

    player: Player
    battles: int
    offer: PersonalOffer | None
    faults: tuple[MusterFinding, ...]


def changing(round: Round, name: str, kind: str) -> Changing | None:
    """2.3.2, 2.6: The living army with that name, in its current state, and whether the next settlement may change
    it; None without army or turn."""
    turn = current_turn(round)
    row = Army.objects.filter(round=round, name=name.replace("\0", ""), died_in__isnull=True).first()
    if turn is None or row is None or not row.rank or row.name != name:
        return None
    turn.round = row.round = round
    position = present_position(turn)
    army = position.by_name.get(name)
    if army is None:
        return None
    if kind == Kind.PERSONAL:
        offer = _offer_of(row)
        faults = _personal_faults(army, offer, turn)
    else:
        faults = tuple(change_faults(army, position.board, COMING))
    return Changing(row, army, position.board, turn, kind, faults)


def may_change(viewer: Viewer, found: Changing, now: datetime) -> bool:
    """2.3.2: Its controller; 2.6: the new player for whom their leaders chose it."""
    if viewer.player is None:
        return False
    if found.kind == Kind.PERSONAL:
        offer = _offer_of(found.row)
        return offer is not None and offer.player_id == viewer.player.pk
    return controls(viewer.player, found.row, now)


def open_request(found: Changing) -> ChangeRequest | None:
    """The army's request that is a draft, with the judge, waiting for the settlement, or was refused in this turn."""
    rows, number = _rows_of(found.row, found.kind), found.turn.number
    decided = [
        row
        for row in rows
        if (row.state == HandedIn.ACCEPTED and row.for_turn == number)
        or (row.state == HandedIn.REFUSED and row.turn_number == number)
    ]
    return next((row for row in rows if row.state in OPEN), decided[-1] if decided else None)


def last_outcome(found: Changing) -> ChangeRequest | None:
    """The request that the last settlement applied, or could not."""
    before = found.turn.number - 1
    rows = _rows_of(found.row, found.kind)
    return next((r for r in reversed(rows) if r.state == HandedIn.ACCEPTED and r.for_turn == before), None)


def is_waiting(request: ChangeRequest | None) -> bool:
    """Whether a request is accepted and waits for the settlement; it can't be changed any more."""
    return request is not None and request.state == HandedIn.ACCEPTED


def as_asked(found: Changing, request: ChangeRequest) -> Changing:
    """2.6: The same, with the new player as they were when they submitted the request: the judge may take their
    time."""
    if not request.newcomer or found.kind != Kind.PERSONAL:
        return found
    faults = personalise_faults(found.army.name, found.army.rank, NewPlayer(**request.newcomer))
    return replace(found, faults=tuple(faults))


def newcomer_of(found: Changing) -> NewPlayer | None:
    """2.6: The new player for whom the army was chosen, in their current state; None without an offer."""
    offer = _offer_of(found.row)
    return new_player(offer.player, found.turn, offer.offered_in) if offer else None


def text_of(found: Changing, request: ChangeRequest | None) -> MusterText:
    """What stands in the form: the request's, or the army as it is."""
    rank = Rank(found.row.rank)
    if request is not None:
        return MusterText(
            rank=rank,
            lists=four(request.lists),
            name=request.name,
            colors=found.army.colors,
            legend=request.legend,
            remark=request.remark,
        )
    known = known_creatures(troop.creature for troop in found.army.troops)
    lists = ["\n".join(_lines(found.army, slot, known)) for slot in SLOTS]
    return MusterText(
        rank=rank, lists=four(lists), name=found.row.name, colors=found.army.colors, legend=found.row.legend
    )


def judged_change(found: Changing, typed: MusterText) -> JudgedChange:
    """2.3.2, 2.6: All findings of the rules on a new makeup."""
    result = judged(typed, _surroundings(found))
    before, makeup = found.army.troops, troops_of(result.muster)
    more = tuple(found.faults)
    if found.kind == Kind.CHANGE:
        more += tuple(sent_faults(before, found.army.sent, makeup))
    elif makeup:
        more += (*strength_faults(before, makeup), *living_faults(before, makeup))
    return JudgedChange(result, more, changed_troops(before, makeup))


def requests_for(viewer: Viewer) -> list[ChangeRequest]:
    """2.3.2, 2.6: The requests that the viewer may see: their own, those of a side for its leaders, all for the
    judge."""
    rows = ChangeRequest.objects.filter(round=viewer.round).select_related("army", "player", "decided_by", "round")
    if not viewer.is_judge(Role.BATTLE):
        if viewer.player is None:
            return []
        is_own = Q(player=viewer.player)
        rows = rows.filter(is_own | Q(army__side=viewer.player.side) if is_leader(viewer.player) else is_own)
    return list(rows.order_by("-pk"))


def newcomers(viewer: Viewer, turn: Turn) -> list[Newcomer]:
    """2.6: the new players of the viewer's side, for its leaders."""
    if viewer.player is None or not is_leader(viewer.player):
        return []
    players = list(Player.objects.filter(round=viewer.round, side=viewer.player.side).order_by("name"))
    offers = {
        offer.player_id: offer for offer in PersonalOffer.objects.filter(round=viewer.round).select_related("army")
    }
    found = []
    for new, player in zip(_new_players(players, turn), players, strict=True):
        if new.joined_later:
            faults = tuple(f for f in offer_faults("", Rank.CPL, new))
            found.append(Newcomer(player, new.battles, offers.get(player.pk), faults))
    return found


def low_armies(round: Round, side: str) -> list[Army]:
    """2.6: The living armies of a side that are low enough to be personalised and are not personalised yet."""
    ranks = [rank.value for rank in Rank if rank.side == side and rank.tier in LOWEST_TWO_TIERS]
    armies = Army.objects.filter(round=round, side=side, rank__in=ranks, died_in__isnull=True, captivity__isnull=True)
    return list(armies.filter(personal_offer__isnull=True).order_by("name"))


def new_player(player: Player, turn: Turn, offered: int | None = None) -> NewPlayer:
    """2.6: A player's facts for the rule. `offered`: the turn of their offer; None: it is made now."""
    (new,) = _new_players([player], turn)
    return new if offered is None else replace(new, offered=offered)


def _new_players(players: Sequence[Player], turn: Turn) -> list[NewPlayer]:
    """2.6: Players of the turn's round, as if an offer were made to them now; two queries for all of them."""
    turns = Turn.objects.filter(round_id=turn.round_id).order_by("number")
    first = turns.values_list("opened_at", flat=True).first()
    battles = battles_of(players)
    return [
        NewPlayer(
            name=player.name,
            joined_later=first is not None and player.joined_at > first,
            battles=battles.get(player.pk, 0),
            offered=turn.number,
            turn=turn.number,
        )
        for player in players
    ]


@request_cached
def _rows_of(army: Army, kind: str) -> list[ChangeRequest]:
    """An army's requests of a kind, oldest first."""
    rows = ChangeRequest.objects.filter(army=army, kind=kind).order_by("pk")
    return list(rows.select_related("decided_by", "player"))


@request_cached
def _offer_of(army: Army) -> PersonalOffer | None:
    """2.6: The offer that gives the army to a new player."""
    return PersonalOffer.objects.filter(army=army).select_related("player").first()


def _personal_faults(army: ArmyOnMap, offer: PersonalOffer | None, turn: Turn) -> tuple[MusterFinding, ...]:
    if offer is None:
        return ()
    converted = [MusterFinding(MusterFault.CONVERTED, {"army": army.name})] if army.is_partially_converted else []
    new = new_player(offer.player, turn, offer.offered_in)
    return (*converted, *personalise_faults(army.name, army.rank, new))


def _surroundings(target: Changing) -> Surroundings:
    """2.3.2: Destroyed bases and the army's old makeup; 2.6: the names and legends that are taken."""
    if target.kind == Kind.PERSONAL:
        surroundings = surroundings_of(target.row.round, Side(target.row.side), army=target.row)
        return Surroundings(names=surroundings.names, serving=surroundings.serving)
    colors = tuple(base.color for base in target.board.bases if base.destroyed and base.color)
    return Surroundings(lost=colors, had=tuple(troop.creature for troop in target.army.troops))


def _lines(army: ArmyOnMap, slot: int, creatures: Mapping[str, Creature]) -> list[str]:
    """An army's slot as a list: its strengths; a creature that the catalogue lacks is described."""
    lines = []
    for troop in army.troops:
        if troop.slot == slot and troop.of and troop.creature:
            creature = creatures.get(name_key(troop.creature))
            fallback = Creature(troop.creature, troop.colors, troop.size, troop.types, is_listed=False)
            size = troop.size if creature and troop.size != creature.size else ""
            lines.append(write_entry(MusterEntry(slot, creature or fallback, troop.of, size)))
    return lines


@dataclass(frozen=True)
class MyChanges:
    """`can_change`: the names of the player's armies that can request other troops now; `offer`: the army that they
    may make their own, until the turn `offer_ends`; `asked`: their requests that wait; `leads`: they choose armies
    for new players."""

    can_change: tuple[str, ...] = ()
    offer: PersonalOffer | None = None
    offer_ends: int = 0
    asked: tuple[ChangeRequest, ...] = ()
    leads: bool = False

    @property
    def is_anything(self) -> bool:
        return bool(self.can_change or self.offer or self.asked or self.leads)


def changes_of(viewer: Viewer, turn: Turn, own: Iterable[ArmyOnMap]) -> MyChanges:
    """2.3.2, 2.6: The changes of troops and names that the viewer has requested, and those that they may request.
    `own` are their armies on the map."""
    player = viewer.player
    if player is None:
        return MyChanges()
    board = position_of(turn).board
    offer = PersonalOffer.objects.filter(player=player, army__died_in=None).select_related("army").first()
    requests = list(ChangeRequest.objects.filter(round=viewer.round, player=player).select_related("army"))
    is_used = any(row.kind == ChangeRequest.Kind.PERSONAL and row.applied_in is not None for row in requests)
    is_open = offer and turn.number < offer.offered_in + TURNS_TO_PERSONALISE and not is_used
    active = (row for row in requests if row.state != HandedIn.REFUSED)
    current = [row for row in active if row.for_turn in (None, turn.number)]
    names = {row.army.name for row in current}
    may_ask = (army for army in own if army.rank and army.name not in names)
    return MyChanges(
        can_change=tuple(army.name for army in may_ask if not change_faults(army, board, COMING)),
        offer=offer if is_open else None,
        offer_ends=offer.offered_in + TURNS_TO_PERSONALISE - 1 if offer else 0,
        asked=tuple(current),
        leads=is_leader(player),
    )


RULE = {Kind.CHANGE.value: "2.3.2", Kind.PERSONAL.value: "2.6"}


@locking.writes
def save_change(
    *, round: Round, army: str, kind: str, player: Player | None, typed: MusterText, base_version: int, now: datetime
) -> ChangeRequest:
    """2.3.2, 2.6: Store the typed request, legal or not; a submitted one becomes a draft again.

    `base_version` is 0 for a first one. Raises Refused for those who may not change this army, and on top of an older
    version.
    """
    target = _changing_or_refused(round, army, kind, player, now)
    check_texts(typed)
    request = open_request(target)
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
        request = ChangeRequest(round=round, army=target.row, kind=kind, version=0)
    request.player, request.lists = player, list(typed.lists)  # type: ignore[assignment]
    request.name, request.legend, request.remark = typed.name.strip(), typed.legend, typed.remark
    request.state, request.troops, request.sent_at = HandedIn.DRAFT, [], None
    request.turn_number, request.version, request.saved_at = target.turn.number, version + 1, now
    try:
        with locking.transaction():
            request.save()
    except IntegrityError:
        raise Refused(gettext("Another request for this army is open. Look at it first."), RULE[kind]) from None
    return request


@locking.writes
def send_change(*, request: ChangeRequest, player: Player | None, now: datetime) -> ChangeRequest:
    """2.3.2, 2.6: Submit a saved request to the judge. Raises Refused (BrokenRules) with every breach, and after the
    lock."""
    row = _held_request(request)
    target = _changing_or_refused(row.round, row.army.name, row.kind, player, now)
    if row.state == HandedIn.SENT:
        return row
    if row.state != HandedIn.DRAFT:
        raise Refused(gettext("This request has already been decided."), RULE[row.kind])
    if target.turn.state != TurnState.OPEN or not clock.is_in_time(now, target.turn.lock_at):
        raise Refused(
            gettext("Turn %(number)s is locked; ask again when the next one opens.") % {"number": target.turn.number},
            "3.1",
        )
    _take_snapshot(row, judged_change(target, text_of(target, row)))
    row.state, row.sent_at, row.turn_number = HandedIn.SENT, now, target.turn.number
    new = newcomer_of(target) if row.kind == Kind.PERSONAL else None
    row.newcomer = asdict(new) if new else None
    row.save(update_fields=["state", "sent_at", "turn_number", "troops", "legend", "newcomer"])
    record(row.round, player.user if player else None, "change.sent", _facts_for_the_log(row), now)
    return row


@locking.writes
def drop_change(*, request: ChangeRequest, player: Player | None, now: datetime) -> None:
    row = _held_request(request)
    _changing_or_refused(row.round, row.army.name, row.kind, player, now)
    if row.state not in (HandedIn.DRAFT, HandedIn.SENT):
        raise Refused(gettext("This request has already been decided."), RULE[row.kind])
    if row.state == HandedIn.SENT and player is not None:
        record(row.round, player.user, "change.dropped", _facts_for_the_log(row), now)
    row.delete()


@locking.writes
def decide_change(*, request: ChangeRequest, judge: Judge | None, accept: bool, reason: str, now: datetime) -> None:
    """2.3.2, 2.6: The battle judge accepts a request, checked once more for the army's current state, or refuses it.

    An accepted one goes to the settlement of the current turn. Raises Refused once that turn is settled.
    """
    # The turn is held before the request, as a settlement has them: it claims its turn, and then writes into requests.
    locking.hold_first(Turn.objects.filter(round=request.round_id).order_by("-number").only("pk"))
    row = _held_request(request)
    judge = checked_judge(row.round, judge)
    reason = checked_reason(reason, accept)
    if row.state != HandedIn.SENT:
        raise Refused(gettext("This request is not with the judge now."), RULE[row.kind])
    if accept:
        row.for_turn = _accepted_in(row)
    row.state = HandedIn.ACCEPTED if accept else HandedIn.REFUSED
    row.decided_by, row.decided_at, row.reason = judge, now, reason
    row.save(update_fields=["state", "decided_by", "decided_at", "reason", "for_turn", "troops", "legend"])
    record(row.round, judge.user, f"change.{row.state}", _facts_for_the_log(row), now)


def _facts_for_the_log(row: ChangeRequest) -> dict[str, object]:
    """1.3: The log's facts about a request, without its contents."""
    return {"army": row.army.name, "kind": row.kind, "side": row.army.side, "turn": row.turn_number}


def _accepted_in(row: ChangeRequest) -> int:
    """2.3.2, 2.6: The turn whose settlement gets the request. It is marked, so that a settlement computed without
    the request fails and runs again. Raises Refused if the army may not be changed so now."""
    target = changing(row.round, row.army.name, row.kind)
    if target is None:
        raise Refused(gettext("The army %(army)s is no longer on the map.") % {"army": row.army.name}, RULE[row.kind])
    _take_snapshot(row, judged_change(as_asked(target, row), text_of(target, row)))
    unsettled = Turn.objects.filter(pk=target.turn.pk).exclude(state=TurnState.SETTLED)
    if not unsettled.update(changes=F("changes") + 1):
        raise Refused(
            gettext("Turn %(number)s is settled, and no other turn is open.") % {"number": target.turn.number}, "3.1"
        )
    return target.turn.number


@locking.writes
def offer_army(*, round: Round, leader: Player | None, player: Player, army: Army, now: datetime) -> PersonalOffer:
    """2.6: A side's leaders choose an army for a new player to make their own, within this turn and the next.

    Raises Refused for anybody but a leader, for a player who was here before or has not fought twice, for a high rank,
    and for a second offer to one player.
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
    """The request, locked until the transaction ends."""
    row = locking.hold_first(ChangeRequest.objects.select_related("army", "round").filter(pk=request.pk))
    if row is None:
        raise Refused(gettext("This request was withdrawn."))
    return row


def _changing_or_refused(round: Round, army: str, kind: str, player: Player | None, now: datetime) -> Changing:
    target = changing(round, army, kind)
    if target is None:
        raise Refused(
            gettext("There is no army “%(army)s” on the map that you can change.") % {"army": army[:60]}, RULE[kind]
        )
    if player is None or not may_change(Viewer(player.user_id, round, player), target, now):
        if kind == Kind.PERSONAL:
            raise Refused(
                gettext("Only the new player for whom the leaders chose this army can personalise it."), "2.6"
            )
        raise Refused(gettext("You don't control %(army)s, so you can't change its troops.") % {"army": army}, "5.4.1")
    return target


def _take_snapshot(row: ChangeRequest, judged: JudgedChange) -> None:
    """Store the troops as they are now read, for the settlement, and the legend's name as it is printed."""
    _check_legal(judged, RULE[row.kind])
    row.troops = snapshot(judged.judged.muster)
    if judged.judged.muster.legend is not None:
        row.legend = judged.judged.muster.legend.name


def _check_legal(change: JudgedChange, cites: str) -> None:
    breaches = (*change.more, *change.judged.breaches)
    if change.faults:
        sentence = ngettext(
            "You can't make this change: it has %(number)s mistake. Your text is saved.",
            "You can't make this change: it has %(number)s mistakes. Your text is saved.",
            change.faults,
        )
        raise BrokenRules(breaches, sentence % {"number": change.faults})
    if not change.judged.muster.entries:
        raise Refused(gettext("An army needs troops. List at least one creature."), cites)
