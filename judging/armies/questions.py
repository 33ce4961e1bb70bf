"""What armies ask of the rooms above: of the set-up of their round, of an invitation to it, and of the battles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judging.game.questions import Question
from wargame.models import Player, Round
from wargame.rules.core.sides import Rank


class Places(NamedTuple):
    """2.5.2.1: how many armies of a rank there are to be, and for how many more there is room."""

    wanted: int
    open: int


@Question
def places_of(round: Round, rank: Rank) -> Places | None:
    """2.5.2.1: the places of a rank; None where the judge has not said how many there are."""
    raise NotImplementedError


@Question
def handed_in_earlier(round: Round, player: Player) -> Mapping[str, object]:
    """2.5.2.2: {legend, lists} of the army that an invited player handed in for the earlier round; empty if there is
    none."""
    raise NotImplementedError


@Question
def battles_of(players: Sequence[Player]) -> Mapping[int, int]:
    """2.6: in how many judged battles players sent strats that count, by the players' keys; one statement."""
    raise NotImplementedError
