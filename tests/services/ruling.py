"""What the tests of rulings and corrections share."""

from datetime import datetime

from judging.turns.models import Correction, Ruling
from judging.turns.rulings.corrections import propose_correction
from judging.turns.rulings.services import NewRuling, add_ruling
from tests.services.world_of_tests import HOUR, World, token
from wargame.models import Turn

REASON = "The post was misread."


def new(kind: str, army: str, *, cites: str = "3.3.3", reason: str = REASON, **more: str) -> NewRuling:
    return NewRuling(kind, army, cites, reason, **more)


def moved(world: World) -> Turn:
    """The present turn, locked, its moves worked out and waiting for the movement judge."""
    world.round.publish_after = None
    world.round.save()
    assert world.settle() == "moved"
    return world.turn


def rule(world: World, ruling: NewRuling, by: str = "movement", at: datetime | None = None) -> Ruling:
    """A ruling on the present turn, an hour after its lock."""
    turn = world.turn
    when = at or turn.lock_at + HOUR
    return add_ruling(turn=turn, judge=world.judges[by], ruling=ruling, token=token(), now=when)


def propose(
    world: World, *rulings: NewRuling, form: str = "", at: datetime | None = None, by: str = "movement"
) -> Correction:
    """A correction of the turn before the present one, an hour after that opened."""
    present = world.turn
    turn = Turn.objects.get(round=world.round, number=present.number - 1)
    judge, when = world.judges[by], at or present.opened_at + HOUR
    return propose_correction(turn=turn, judge=judge, rulings=rulings, token=form or token(), now=when)
