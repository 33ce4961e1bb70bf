"""2.3.2, 2.6: what a player may change now, what he asked for, and what his leaders chose for him."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from judging.armies.changes.reads import COMING
from judging.armies.models import ChangeRequest, HandedIn, PersonalOffer
from judging.armies.musters.reads import is_leader
from judging.game.viewer import Viewer
from judging.turns.positions import position_of
from wargame.models import Turn
from wargame.rules.armies.change_rules import TURNS_TO_PERSONALISE, change_faults
from wargame.rules.core.position import Army


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


def changes_of(viewer: Viewer, turn: Turn, own: Iterable[Army]) -> MyChanges:
    """2.3.2, 2.6: for the player who looks; `own` are his armies on the map."""
    player = viewer.player
    if player is None:
        return MyChanges()
    board = position_of(turn).board
    offer = PersonalOffer.objects.filter(player=player, army__died_in=None).select_related("army").first()
    requests = ChangeRequest.objects.filter(round=viewer.round, player=player).select_related("army")
    is_used = offer and requests.filter(kind=ChangeRequest.Kind.PERSONAL, applied_in__isnull=False).exists()
    is_open = offer and turn.number < offer.offered_in + TURNS_TO_PERSONALISE and not is_used
    asked = [row for row in requests.exclude(state=HandedIn.REFUSED) if row.for_turn in (None, turn.number)]
    waiting = {row.army.name for row in asked}
    may_ask = (army for army in own if army.rank and army.name not in waiting)
    return MyChanges(
        can_change=tuple(army.name for army in may_ask if not change_faults(army, board, COMING)),
        offer=offer if is_open else None,
        offer_ends=offer.offered_in + TURNS_TO_PERSONALISE - 1 if offer else 0,
        asked=tuple(asked),
        leads=is_leader(player),
    )
