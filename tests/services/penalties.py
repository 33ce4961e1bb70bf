"""What the tests of penalties share."""

from datetime import datetime

from judging.penalties.models import Penalty
from judging.penalties.services import NewPenalty, hand_down
from tests.services.world_of_tests import HOUR, World, token

REASON = "He moved what was not his."
Troops = tuple[str, str, str, str]


def new_penalty(
    army: str = "Ben",
    player: str = "Ana",
    *,
    kind: str = "dice",
    severity: str = "2",
    troops: Troops = ("", "", "", ""),
    cites: str = "5.4.1",
    reason: str = REASON,
) -> NewPenalty:
    return NewPenalty(kind, player, army, severity, troops, cites, reason)


def penalise(
    world: World, new: NewPenalty | None = None, by: str = "movement", at: datetime | None = None, form: str = ""
) -> Penalty:
    """A penalty of the present turn, an hour after it opened."""
    turn = world.turn
    when = at or turn.opened_at + HOUR
    judge = world.judges[by]
    return hand_down(turn=turn, judge=judge, new=new or new_penalty(), token=form or token(), now=when)
