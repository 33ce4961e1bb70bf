"""2.3.2, 2.6: armies that change their troops, and new players who make an army their own.

Last, what a player may change now, what he asked for, and what his leaders chose for him.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Q

from judging.armies.creatures.reads import known_creatures
from judging.armies.models import ChangeRequest, HandedIn, PersonalOffer
from judging.armies.musters.judged import Judged, TypedMuster, four, judged
from judging.armies.musters.reads import surroundings_of
from judging.battles.strats.reads import battles_of
from judging.game.control import controls, is_leader
from judging.game.once import once
from judging.game.positions import position_of, present_position
from judging.game.rounds import current_turn
from judging.game.viewer import Viewer
from wargame.models import Army, Player, Round, Turn
from wargame.models.choices import Role
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
from wargame.rules.core.board import Board
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.sides import LOWEST_TWO_TIERS, Rank, Side
from wargame.rules.core.troops import SLOTS, Troop
from wargame.rules.core.turn import NewPlayer

OPEN = (HandedIn.DRAFT, HandedIn.SENT)
COMING = 1
"""R30: how many days an army may count between a request and the settlement that carries it out."""
Kind = ChangeRequest.Kind


@dataclass(frozen=True)
class Changing:
    """An army that may be changed, as it stands, and its turn. `faults`: why it may not be now, if so."""

    row: Army
    army: ArmyOnMap
    board: Board
    turn: Turn
    kind: str
    faults: tuple[MusterFinding, ...]


@dataclass(frozen=True)
class JudgedChange:
    """What the rules say of a new makeup: `more` besides what they say of any muster; `after` as it would stand."""

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
    """2.6: a player who joined when the round had begun, and how far he is."""

    player: Player
    battles: int
    offer: PersonalOffer | None
    faults: tuple[MusterFinding, ...]


def changing(round: Round, name: str, kind: str) -> Changing | None:
    """2.3.2, 2.6: the living army of that name and whether it may be changed by the next settlement, as it stands now;
    None without army or turn."""
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
    """2.3.2: who controls it; 2.6: the new player for whom his leaders chose it."""
    if viewer.player is None:
        return False
    if found.kind == Kind.PERSONAL:
        offer = _offer_of(found.row)
        return offer is not None and offer.player_id == viewer.player.pk
    return controls(viewer.player, found.row, now)


def open_request(found: Changing) -> ChangeRequest | None:
    """The army's request that is at work, with the judge, waiting for the settlement, or was refused in this turn."""
    rows, number = _rows_of(found.row, found.kind), found.turn.number
    decided = [
        row
        for row in rows
        if (row.state == HandedIn.ACCEPTED and row.for_turn == number)
        or (row.state == HandedIn.REFUSED and row.turn_number == number)
    ]
    return next((row for row in rows if row.state in OPEN), decided[-1] if decided else None)


def last_outcome(found: Changing) -> ChangeRequest | None:
    """The request that the last settlement carried out, or could not."""
    before = found.turn.number - 1
    rows = _rows_of(found.row, found.kind)
    return next((r for r in reversed(rows) if r.state == HandedIn.ACCEPTED and r.for_turn == before), None)


def is_waiting(request: ChangeRequest | None) -> bool:
    """Whether a request is accepted and waits for the settlement; nobody changes it any more."""
    return request is not None and request.state == HandedIn.ACCEPTED


def as_asked(found: Changing, request: ChangeRequest) -> Changing:
    """2.6: the same, with the new player as he was when he handed the request in: the judge may take his time."""
    if not request.newcomer or found.kind != Kind.PERSONAL:
        return found
    faults = personalise_faults(found.army.name, found.army.rank, NewPlayer(**request.newcomer))
    return replace(found, faults=tuple(faults))


def newcomer_of(found: Changing) -> NewPlayer | None:
    """2.6: the new player for whom the army was chosen, as he stands now; None without an offer."""
    offer = _offer_of(found.row)
    return new_player(offer.player, found.turn, offer.offered_in) if offer else None


def typed_of(found: Changing, request: ChangeRequest | None) -> TypedMuster:
    """What stands in the form: the request's, or the army as it is."""
    rank = Rank(found.row.rank)
    if request is not None:
        return TypedMuster(
            rank=rank,
            lists=four(request.lists),
            name=request.name,
            colors=found.army.colors,
            legend=request.legend,
            remark=request.remark,
        )
    known = known_creatures(troop.creature for troop in found.army.troops)
    lists = ["\n".join(_lines(found.army, slot, known)) for slot in SLOTS]
    return TypedMuster(
        rank=rank, lists=four(lists), name=found.row.name, colors=found.army.colors, legend=found.row.legend
    )


def judged_change(found: Changing, typed: TypedMuster) -> JudgedChange:
    """2.3.2, 2.6: everything that the rules say of a new makeup."""
    result = judged(typed, _surroundings(found))
    before, makeup = found.army.troops, troops_of(result.muster)
    more = tuple(found.faults)
    if found.kind == Kind.CHANGE:
        more += tuple(sent_faults(before, found.army.sent, makeup))
    elif makeup:
        more += (*strength_faults(before, makeup), *living_faults(before, makeup))
    return JudgedChange(result, more, changed_troops(before, makeup))


def requests_for(viewer: Viewer) -> list[ChangeRequest]:
    """2.3.2, 2.6: the requests that the viewer may see: his own, those of a side for its leaders, all for the judge."""
    rows = ChangeRequest.objects.filter(round=viewer.round).select_related("army", "player", "decided_by", "round")
    if not viewer.is_judge(Role.BATTLE):
        if viewer.player is None:
            return []
        own = Q(player=viewer.player)
        rows = rows.filter(own | Q(army__side=viewer.player.side) if is_leader(viewer.player) else own)
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
    """2.6: the living armies of a side that are low enough to be personalised and are nobody's already."""
    ranks = [rank.value for rank in Rank if rank.side == side and rank.tier in LOWEST_TWO_TIERS]
    armies = Army.objects.filter(round=round, side=side, rank__in=ranks, died_in__isnull=True, captivity__isnull=True)
    return list(armies.filter(personal_offer__isnull=True).order_by("name"))


def new_player(player: Player, turn: Turn, offered: int | None = None) -> NewPlayer:
    """2.6: a player as the rule looks at him. `offered`: the turn of his offer; None: it is made now."""
    (new,) = _new_players([player], turn)
    return new if offered is None else replace(new, offered=offered)


def _new_players(players: Sequence[Player], turn: Turn) -> list[NewPlayer]:
    """2.6: players of the turn's round, to whom an offer would be made now; two statements for all of them."""
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


@once
def _rows_of(army: Army, kind: str) -> list[ChangeRequest]:
    """An army's requests of a kind, the oldest first."""
    rows = ChangeRequest.objects.filter(army=army, kind=kind).order_by("pk")
    return list(rows.select_related("decided_by", "player"))


@once
def _offer_of(army: Army) -> PersonalOffer | None:
    """2.6: for whom an army was chosen."""
    return PersonalOffer.objects.filter(army=army).select_related("player").first()


def _personal_faults(army: ArmyOnMap, offer: PersonalOffer | None, turn: Turn) -> tuple[MusterFinding, ...]:
    if offer is None:
        return ()
    converted = [MusterFinding(MusterFault.CONVERTED, {"army": army.name})] if army.is_partially_converted else []
    new = new_player(offer.player, turn, offer.offered_in)
    return (*converted, *personalise_faults(army.name, army.rank, new))


def _surroundings(found: Changing) -> Surroundings:
    """2.3.2: destroyed bases and what the army had; 2.6: the names and legends that are taken."""
    if found.kind == Kind.PERSONAL:
        taken = surroundings_of(found.row.round, Side(found.row.side), army=found.row)
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
            lines.append(write_entry(MusterEntry(slot, listed or own, troop.of, size)))
    return lines


@dataclass(frozen=True)
class MyChanges:
    """`can_change`: the names of his armies that may ask for other troops now; `offer`: the army that he may make his
    own, until the turn `offer_ends`; `asked`: his requests that wait; `leads`: he chooses armies for new players."""

    can_change: tuple[str, ...] = ()
    offer: PersonalOffer | None = None
    offer_ends: int = 0
    asked: tuple[ChangeRequest, ...] = ()
    leads: bool = False

    @property
    def is_anything(self) -> bool:
        """Whether there is anything to show."""
        return bool(self.can_change or self.offer or self.asked or self.leads)


def changes_of(viewer: Viewer, turn: Turn, own: Iterable[ArmyOnMap]) -> MyChanges:
    """2.3.2, 2.6: the changes of troops and names that the viewer has asked for, and those that he may ask for.
    `own` are his armies on the map."""
    player = viewer.player
    if player is None:
        return MyChanges()
    board = position_of(turn).board
    offer = PersonalOffer.objects.filter(player=player, army__died_in=None).select_related("army").first()
    requests = list(ChangeRequest.objects.filter(round=viewer.round, player=player).select_related("army"))
    is_used = any(row.kind == ChangeRequest.Kind.PERSONAL and row.applied_in is not None for row in requests)
    is_open = offer and turn.number < offer.offered_in + TURNS_TO_PERSONALISE and not is_used
    standing = (row for row in requests if row.state != HandedIn.REFUSED)
    asked = [row for row in standing if row.for_turn in (None, turn.number)]
    waiting = {row.army.name for row in asked}
    may_ask = (army for army in own if army.rank and army.name not in waiting)
    return MyChanges(
        can_change=tuple(army.name for army in may_ask if not change_faults(army, board, COMING)),
        offer=offer if is_open else None,
        offer_ends=offer.offered_in + TURNS_TO_PERSONALISE - 1 if offer else 0,
        asked=tuple(asked),
        leads=is_leader(player),
    )
