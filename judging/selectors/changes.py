"""2.3.2, 2.6: armies that change their troops, and new players who make an army their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from judging.models import ChangeRequest, HandedIn, PersonalOffer, Strat
from judging.selectors.control import controls
from judging.selectors.creatures import known_creatures
from judging.selectors.judged import Judged, Typed, four, judged
from judging.selectors.musters import is_leader, surroundings_of
from judging.selectors.present import present_position
from judging.selectors.rounds import current_turn
from judging.selectors.viewer import Viewer
from wargame.models import Army, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.board import Board
from wargame.rules.changing import (
    NewPlayer,
    change_faults,
    changed_troops,
    offer_faults,
    personalise_faults,
    strength_faults,
)
from wargame.rules.creatures import Creature, name_key
from wargame.rules.muster import Entry, Surroundings, troops_of
from wargame.rules.muster_findings import Finding
from wargame.rules.muster_list import write_entry
from wargame.rules.position import Army as ArmyOnMap
from wargame.rules.sides import LOWEST_TWO_TIERS, Rank, Side
from wargame.rules.troops import SLOTS, Troop

OPEN = (HandedIn.DRAFT, HandedIn.SENT)
Kind = ChangeRequest.Kind


@dataclass(frozen=True)
class Changing:
    """An army that may be changed, as it stands, and its turn. `faults`: why it may not be now, if so."""

    row: Army
    army: ArmyOnMap
    board: Board
    turn: Turn
    kind: str
    faults: tuple[Finding, ...]


@dataclass(frozen=True)
class JudgedChange:
    """What the rules say of a new makeup: `more` besides what they say of any muster; `after` as it would stand."""

    judged: Judged
    more: tuple[Finding, ...]
    after: tuple[Troop, ...]

    @property
    def is_legal(self) -> bool:
        return self.judged.is_legal and not self.more

    @property
    def faults(self) -> int:
        return self.judged.faults + len(self.more)


@dataclass(frozen=True)
class AcceptedChange:
    """2.3.2, 2.6: an input of the next settlement: the army's new makeup with its strengths (`of`), and the new name
    and legend of a personalised one (empty: as before)."""

    request: int
    army: str
    kind: str
    makeup: tuple[Troop, ...]
    name: str
    legend: str


@dataclass(frozen=True)
class Newcomer:
    """2.6: a player who joined when the round had begun, and how far he is."""

    player: Player
    battles: int
    offer: PersonalOffer | None
    faults: tuple[Finding, ...]


def changing(round: Round, name: str, kind: str) -> Changing | None:
    """2.3.2, 2.6: the living army of that name and whether it may be changed now; None without army or turn."""
    turn = current_turn(round)
    row = Army.objects.filter(round=round, name=name.replace("\0", ""), died_in__isnull=True).first()
    if turn is None or row is None or not row.rank or row.name != name:
        return None
    turn.round = round
    position = present_position(turn)
    army = position.by_name.get(name)
    if army is None:
        return None
    if kind == Kind.PERSONAL:
        offer = PersonalOffer.objects.filter(army=row).select_related("player").first()
        faults = _personal_faults(army, offer, turn)
    else:
        faults = tuple(change_faults(army, position.board))
    return Changing(row, army, position.board, turn, kind, faults)


def may_change(viewer: Viewer, found: Changing, now: datetime) -> bool:
    """2.3.2: who controls it; 2.6: the new player for whom his leaders chose it."""
    if viewer.player is None:
        return False
    if found.kind == Kind.PERSONAL:
        return PersonalOffer.objects.filter(army=found.row, player=viewer.player).exists()
    return controls(viewer.player, found.row, now)


def open_request(found: Changing) -> ChangeRequest | None:
    """The army's request that is at work or with the judge."""
    rows = ChangeRequest.objects.filter(army=found.row, kind=found.kind).select_related("decided_by", "player")
    return rows.filter(state__in=OPEN).first() or rows.filter(turn_number=found.turn.number).last()


def typed_of(found: Changing, request: ChangeRequest | None) -> Typed:
    """What stands in the form: the request's, or the army as it is."""
    rank = Rank(found.row.rank)
    if request is not None:
        return Typed(
            rank=rank,
            lists=four(request.lists),
            name=request.name,
            colors=found.army.colors,
            legend=request.legend,
            remark=request.remark,
        )
    known = known_creatures(troop.creature for troop in found.army.troops)
    lists = ["\n".join(_lines(found.army, slot, known)) for slot in SLOTS]
    return Typed(rank=rank, lists=four(lists), name=found.row.name, colors=found.army.colors, legend=found.row.legend)


def judged_change(found: Changing, typed: Typed) -> JudgedChange:
    """2.3.2, 2.6: everything that the rules say of a new makeup."""
    result = judged(typed, _surroundings(found))
    makeup = troops_of(result.muster)
    more = (*found.faults, *strength_faults(found.army.troops, makeup))
    return JudgedChange(result, more, changed_troops(found.army.troops, makeup))


def requests_for(viewer: Viewer) -> list[ChangeRequest]:
    """2.3.2, 2.6: the requests that the viewer may see: his own, those of a side for its leaders, all for the judge."""
    rows = ChangeRequest.objects.filter(round=viewer.round).select_related("army", "player", "decided_by", "round")
    if not viewer.is_judge(Role.BATTLE):
        if viewer.player is None:
            return []
        own = Q(player=viewer.player)
        rows = rows.filter(own | Q(army__side=viewer.player.side) if is_leader(viewer.player) else own)
    return list(rows.order_by("-pk"))


def accepted_changes(round: Round) -> tuple[AcceptedChange, ...]:
    """2.3.2, 2.6: the accepted requests that no settlement has carried out yet, in the order of their acceptance."""
    rows = ChangeRequest.objects.filter(round=round, state=HandedIn.ACCEPTED, applied_in__isnull=True)
    return tuple(
        AcceptedChange(
            request=row.pk,
            army=row.army.name,
            kind=row.kind,
            makeup=makeup_of(row),
            name=row.name if row.kind == Kind.PERSONAL else "",
            legend=row.legend if row.kind == Kind.PERSONAL else "",
        )
        for row in rows.select_related("army").order_by("decided_at", "pk")
    )


def makeup_of(request: ChangeRequest) -> tuple[Troop, ...]:
    """The troops of a request as they were handed in, all at their new strength."""
    return tuple(
        Troop(t["slot"], t["creature"], t["number"], t["number"], tuple(t["colors"]), t["size"], tuple(t["types"]))
        for t in request.troops
    )


def newcomers(viewer: Viewer, turn: Turn) -> list[Newcomer]:
    """2.6: the new players of the viewer's side, for its leaders."""
    if viewer.player is None or not is_leader(viewer.player):
        return []
    players = Player.objects.filter(round=viewer.round, side=viewer.player.side).order_by("name")
    offers = {
        offer.player_id: offer for offer in PersonalOffer.objects.filter(round=viewer.round).select_related("army")
    }
    found = []
    for player in players:
        new = new_player(player, turn)
        if new.joined_later:
            faults = tuple(f for f in offer_faults("", Rank.CPL, new))
            found.append(Newcomer(player, new.battles, offers.get(player.pk), faults))
    return found


def low_armies(round: Round, side: str) -> list[Army]:
    """2.6: the living armies of a side that are low enough to be personalised and are nobody's already."""
    ranks = [rank.value for rank in Rank if rank.side == side and rank.tier in LOWEST_TWO_TIERS]
    armies = Army.objects.filter(round=round, side=side, rank__in=ranks, died_in__isnull=True, captivity__isnull=True)
    return list(armies.filter(personal_offer__isnull=True).order_by("name"))


def new_player(player: Player, turn: Turn, offered: int | None = None) -> NewPlayer:
    """2.6: a player as the rule looks at him. `offered`: the turn of his offer; None: it is made now."""
    first = Turn.objects.filter(round_id=player.round_id).order_by("number").values_list("opened_at", flat=True).first()
    fought = Strat.objects.filter(player=player, entry__battle__result__isnull=False)
    counted = fought.filter(Q(late=False) | Q(accepted_at__isnull=False)).values("entry__battle").distinct().count()
    return NewPlayer(
        name=player.name,
        joined_later=first is not None and player.joined_at > first,
        battles=counted,
        offered=turn.number if offered is None else offered,
        turn=turn.number,
    )


def _personal_faults(army: ArmyOnMap, offer: PersonalOffer | None, turn: Turn) -> tuple[Finding, ...]:
    if offer is None:
        return ()
    return tuple(personalise_faults(army.name, army.rank, new_player(offer.player, turn, offer.offered_in)))


def _surroundings(found: Changing) -> Surroundings:
    """2.3.2: destroyed bases and what the army had; 2.6: the names and legends that are taken."""
    taken = surroundings_of(found.row.round, Side(found.row.side), army=found.row)
    if found.kind == Kind.PERSONAL:
        return Surroundings(names=taken.names, serving=taken.serving)
    lost = tuple(base.color for base in found.board.bases if base.destroyed and base.color)
    return Surroundings(lost=lost, had=tuple(troop.creature for troop in found.army.troops))


def _lines(army: ArmyOnMap, slot: int, known: Mapping[str, Creature]) -> list[str]:
    """An army's slot as a list: its strengths; what the catalogue lacks is described."""
    lines = []
    for troop in army.troops:
        if troop.slot == slot and troop.of and troop.creature:
            listed = known.get(name_key(troop.creature))
            own = Creature(troop.creature, troop.colors, troop.size, troop.types, is_listed=False)
            size = troop.size if listed and troop.size != listed.size else ""
            lines.append(write_entry(Entry(slot, listed or own, troop.of, size)))
    return lines
