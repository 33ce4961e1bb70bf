"""4.1.1: battles that are judged too late: their judges are told once, and the round's policy applies."""

from datetime import timedelta

import pytest
from django.core import mail

from judging.battles.desk.queue import tell_of_overdue
from judging.battles.models import Battle
from judging.common.models import LogEntry
from judging.turns.stages import next_lock
from tests.services.world_of_tests import HOUR, LOCK, WEEK, World, add_judge
from wargame.models import Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.select_related("turn__round").get()


def test_judges_are_told_once_and_not_before_the_time(war: World, battle: Battle) -> None:
    judge = war.judges["battle"].user
    judge.email = "judge@example.org"
    judge.save()
    due = battle.turn.lock_at + timedelta(hours=24)
    assert tell_of_overdue(due - HOUR) == 0
    assert tell_of_overdue(due + HOUR) == 1
    assert tell_of_overdue(due + 2 * HOUR) == 0
    assert LogEntry.objects.get(action="battle.overdue").data == {"turn": 2, "battle": 1, "policy": "wait"}
    (sent,) = mail.outbox
    assert sent.to == ["judge@example.org"]
    assert "Ana against Gaz at 3F" in sent.body


def test_no_judge_reads_the_address_of_another(war: World, battle: Battle) -> None:
    """1.6: a mail address is its owner's alone."""
    war.judges["second"] = add_judge(war.round, "battle", "Second", is_head=False)
    for role in ("battle", "second"):
        user = war.judges[role].user
        user.email = f"{role}@example.org"
        user.save()
    tell_of_overdue(battle.turn.lock_at + timedelta(hours=25))
    assert [letter.recipients() for letter in mail.outbox] == [["battle@example.org"], ["second@example.org"]]


def test_a_published_battle_is_not_overdue(war: World, battle: Battle) -> None:
    war.score(battle)
    assert tell_of_overdue(battle.turn.lock_at + timedelta(days=9)) == 0


def test_the_calendar_waits_or_gives_the_next_turn_its_whole_length() -> None:
    late = LOCK + timedelta(days=3, minutes=20, seconds=5)
    assert next_lock(Round(turn_length=WEEK), LOCK, late) == LOCK + WEEK
    extending = Round(turn_length=WEEK, overdue_policy="extend")
    assert next_lock(extending, LOCK, late) == LOCK + timedelta(days=10, minutes=20)
    assert next_lock(extending, LOCK, LOCK + HOUR) == LOCK + WEEK
