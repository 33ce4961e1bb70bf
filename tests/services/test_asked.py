"""R53, R57: what a judge is asked stands before him: appeals that he answers, and what waits for a second judge."""

from datetime import timedelta

import pytest

from judging.appeals.judge_requests import Request, asked_of
from judging.battles.assignments.services import state_conflict
from judging.battles.desk.rolling import ask_adjustment, roll
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Result
from judging.common import locking
from tests.services.test_appeals import answered, appeal
from tests.services.test_corrections import new as ruled
from tests.services.test_corrections import propose as propose_correction
from tests.services.test_judging_anew import new, propose, put_through
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge
from wargame.models import Player

pytestmark = pytest.mark.django_db


@pytest.fixture
def bench(war: World) -> World:
    """Both strats are in; Judge Second is a second battle judge."""
    with locking.transaction():
        war.judges["second"] = add_judge(war.round, "battle", "Judge Second", is_head=False)
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana", "Through the reeds.")
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    return war


def asked(world: World, who: str) -> list[str]:
    """The kinds of what somebody is asked."""
    return [each.kind for each in requests(world, who)]


def requests(world: World, who: str) -> tuple[Request, ...]:
    people = {**world.players, **world.judges}
    return asked_of(people[who].user)


def rolled(world: World) -> Battle:
    battle, judge = Battle.objects.get(), world.judges["battle"]
    now = battle.deadline + HOUR
    lock_score(battle=battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
    roll(battle=battle, judge=judge, now=now)
    return battle


def ask_for_change(world: World, battle: Battle) -> None:
    given = {"kind": "losses", "army": "Gaz", "percent": 50, "cites": "4.2.6", "reason": "A dam broke."}
    ask_adjustment(battle=battle, judge=world.judges["battle"], now=battle.deadline + 2 * HOUR, **given)


def test_an_appeal_waits_for_whom_it_was_drawn_until_it_is_answered(bench: World) -> None:
    bench.score(Battle.objects.get(), favours=1, bonus=10)
    row = appeal(bench)
    assert asked(bench, "second") == ["appeal"]
    (one,) = requests(bench, "second")
    assert (one.by, one.due, one.words) == ("Ana", row.due_at, "Answer appeal 1, against the result of a battle")
    assert one.address == f"/rounds/{bench.round.slug}/appeals/1/"
    assert {who: asked(bench, who) for who in ("battle", "movement", "Ana")} == {
        "battle": [],
        "movement": [],
        "Ana": [],
    }
    answered(row)
    assert asked(bench, "second") == []


def test_a_change_after_the_dice_waits_for_the_other_battle_judges_until_the_lock(bench: World) -> None:
    battle = rolled(bench)
    ask_for_change(bench, battle)
    (one,) = requests(bench, "second")
    assert (one.kind, one.by, one.due) == ("change", "Judge battle", battle.turn.lock_at)
    assert one.address == f"/judge/battles/{battle.pk}/"
    assert asked(bench, "battle") == asked(bench, "movement") == []


def test_who_plays_or_has_a_conflict_is_not_asked(bench: World) -> None:
    """1.3, R56."""
    battle = rolled(bench)
    ask_for_change(bench, battle)
    now = battle.deadline + 2 * HOUR
    state_conflict(judge=bench.judges["second"], about="player", name="Ben", why="", now=now)
    assert asked(bench, "second") == ["change"]
    state_conflict(judge=bench.judges["second"], about="player", name="Ana", why="", now=now)
    assert asked(bench, "second") == []
    with locking.transaction():
        third = bench.judges["third"] = add_judge(bench.round, "battle", "Judge Third", is_head=False)
    assert asked(bench, "third") == ["change"]
    with locking.transaction():
        Player.objects.filter(name="Ben").update(user=third.user)
    assert asked(bench, "third") == []


def test_a_battle_judged_anew_waits_for_a_second_judge_or_for_who_answers_the_appeal(bench: World) -> None:
    battle = Battle.objects.get()
    bench.score(battle, favours=1, bonus=10)
    row = propose(bench, battle, new())
    (one,) = requests(bench, "second")
    assert (one.kind, one.due, one.address) == ("anew", bench.turn.lock_at, f"/judge/battles/{battle.pk}/anew/")
    assert asked(bench, "battle") == []
    appeal(bench, at=Result.objects.get().published_at + timedelta(hours=1))
    assert asked(bench, "second") == ["appeal"]
    put_through(bench, row)
    assert (asked(bench, "second"), asked(bench, "battle")) == (["appeal"], [])


def test_a_correction_of_troops_that_fought_waits_for_the_head_or_a_second_judge(bench: World) -> None:
    bench.score(Battle.objects.get(), favours=0, bonus=10)
    assert bench.settle() == "settled"
    propose_correction(bench, ruled("troops", "Ben", slot="1", alive="8"), by="battle")
    assert asked(bench, "second") == []
    propose_correction(bench, ruled("troops", "Gaz", slot="1", alive="7"), by="battle")
    (one,) = requests(bench, "second")
    assert (one.kind, one.number, one.due) == ("correction", 2, bench.turn.lock_at)
    assert asked(bench, "battle") == asked(bench, "movement") == []
    propose_correction(bench, ruled("troops", "Gaz", slot="1", alive="6"), by="second")
    assert asked(bench, "battle") == ["correction"]
