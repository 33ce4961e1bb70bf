"""1.2, 1.3: judges are told what waits for them: orders for somebody else's army, and exceptions that have run out."""

from datetime import timedelta

import pytest

from judging.common.models import LogEntry
from judging.notifications import gathering
from judging.notifications.models import Notification
from judging.notifications.queries import own_rows, views_for
from judging.penalties.services import hand_down
from tests.services.penalties import new_penalty
from tests.services.world_of_tests import HOUR, UNLOCK, World, token

pytestmark = pytest.mark.django_db


def told(world: World, who: str, kind: str = "judge.penalty") -> list[str]:
    user = world.judges[who].user_id if who in world.judges else world.players[who].user_id
    return [view.sentence for view in views_for(user, own_rows(user)) if view.kind == kind]


WAITS = "Ana gave an order for Hex, which they don't control. A penalty is suggested."


def test_an_order_for_somebody_elses_army_is_told_to_who_hands_down_penalties_once(world: World) -> None:
    gathering.gather(UNLOCK)
    world.post("Ana", "Hex: 20F > 21F", at=UNLOCK + HOUR)
    gathering.gather(UNLOCK + HOUR)
    assert told(world, "movement") == told(world, "battle") == [WAITS]
    assert told(world, "mercenary") == told(world, "Hex") == told(world, "Ana") == []
    world.post("Ben", "Ben: 10D > 11D", at=UNLOCK + HOUR)
    world.settle()
    gathering.gather(world.turn.opened_at)
    assert told(world, "movement") == [WAITS], "the report tells it again, to nobody"


def test_a_sealed_one_is_told_when_its_turn_is_settled(world: World) -> None:
    """R6: before its lock nobody sees it, judges neither."""
    gathering.gather(UNLOCK)
    world.post("Ana", "Hex: 20F > 21F", at=world.turn.lock_at - HOUR, sealed=True)
    gathering.gather(world.turn.lock_at - HOUR)
    assert told(world, "movement") == []
    world.settle()
    gathering.gather(world.turn.opened_at)
    assert told(world, "movement") == [WAITS]


def test_once_it_has_its_penalty_it_waits_no_more(world: World) -> None:
    gathering.gather(UNLOCK)
    world.post("Ana", "Hex: 20F > 21F", at=UNLOCK + HOUR)
    gathering.gather(UNLOCK + HOUR)
    now = UNLOCK + 2 * HOUR
    hand_down(turn=world.turn, judge=world.judges["movement"], new=new_penalty("Hex", "Ana"), token=token(), now=now)
    gathering.take_notice(now)
    assert not Notification.objects.filter(kind="judge.penalty", read_at__isnull=True).exists()
    world.settle()
    gathering.gather(world.turn.opened_at + timedelta(minutes=1))
    assert not Notification.objects.filter(kind="judge.penalty", read_at__isnull=True).exists()


def test_an_exception_that_has_run_out_is_told_to_the_judges(world: World) -> None:
    gathering.gather(UNLOCK)
    data = {"request": 1, "side": "coalition", "turn": 1}
    LogEntry.objects.create(round=world.round, at=UNLOCK, action="control.exception_over", data=data)
    gathering.gather(UNLOCK)
    said = ["An exception in the control list of the Coalition has expired, but part of it is still in place."]
    assert told(world, "movement", "judge.exception_over") == told(world, "battle", "judge.exception_over") == said
    assert told(world, "Ana", "judge.exception_over") == []
