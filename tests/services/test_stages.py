"""3.1: the pipeline of a turn: by the clock, exactly once, whatever happens on the way."""

from datetime import timedelta

import pytest

from judging.announcements.models import Notice
from judging.battles.models import Battle, BattleArmy
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns.battles import BattleToOpen, open_battles
from judging.turns.drafts import publish_draft
from judging.turns.models import Draft
from judging.turns.stages import advance, coming_moments, due_turns, open_round
from tests.services.conftest import FOUR
from tests.services.world_of_tests import (
    DEADLINE,
    HOUR,
    LAST_SECOND,
    LOCK,
    LOCKED,
    UNLOCK,
    WEEK,
    World,
    begin,
    make_round,
)
from wargame import world as rows
from wargame.models import Army, Round, Troop, Turn
from wargame.rules.core import codec, dice
from wargame.rules.core import position as rules
from wargame.rules.core.board import Square
from wargame.rules.telling.telling import armies_of

pytestmark = pytest.mark.django_db


def test_a_round_opens_on_the_map_of_its_rows(world: World) -> None:
    turn = world.turn
    assert (turn.number, turn.state, turn.opened_at, turn.lock_at) == (1, "open", UNLOCK, LOCK)
    assert turn.deadline == DEADLINE
    assert rows.position_of_turn(turn) == rows.load_position(world.round)
    assert turn.position_hash == codec.digest(turn.position)


def test_a_seed_is_committed_to_before_the_turn(world: World) -> None:
    turn = world.turn
    assert dice.commitment(bytes.fromhex(turn.seed)) == turn.commitment
    assert len(turn.seed) == 64


def test_a_round_opens_once(world: World) -> None:
    with pytest.raises(Refused, match="has already begun"):
        open_round(round=world.round, now=UNLOCK + HOUR, first_lock=LOCK)
    assert Turn.objects.count() == 1


def test_a_first_lock_leaves_time_for_strats() -> None:
    world = make_round(FOUR)
    with pytest.raises(Refused, match="leaves no time"):
        open_round(round=world.round, now=UNLOCK, first_lock=UNLOCK + 2 * HOUR)


def test_an_early_job_closes_nothing_early(world: World) -> None:
    assert due_turns(LAST_SECOND) == []
    assert advance(world.turn.pk, LAST_SECOND) == "open"
    assert not LogEntry.objects.filter(action="turn.locked").exists()


def test_a_turn_is_due_when_the_minute_of_its_lock_is_over(world: World) -> None:
    turn = world.turn
    assert due_turns(LOCKED) == [(turn.pk, "locked")]
    assert advance(turn.pk, LOCKED) == "settled"
    assert due_turns(LOCKED) == []
    assert list(LogEntry.objects.filter(action__startswith="turn.").values_list("action", flat=True)) == [
        "turn.locked",
        "turn.settled",
    ]


def test_a_settlement_moves_the_armies_and_opens_the_next_turn(world: World) -> None:
    world.post("Ana", "3D > 4D")
    world.settle()
    first, second = Turn.objects.order_by("number")
    assert world.army("Ana").at == "4D"
    assert (second.number, second.state, second.opened_at) == (2, "open", LOCKED)
    assert (second.lock_at, second.deadline) == (LOCK + WEEK, DEADLINE + WEEK)
    assert first.next_hash == second.position_hash == codec.digest(second.position)
    assert [e["kind"] for e in first.events if armies_of(e) == ["Ana"]] == ["moved"]


def test_rows_and_json_tell_of_the_same_map(war: World) -> None:
    assert rows.load_position(war.round) == rows.position_of_turn(war.turn)
    war.score(Battle.objects.get())
    war.settle()
    assert war.turn.number == 3
    assert rows.load_position(war.round) == codec.position_from_json(war.turn.position)


def test_a_draft_tells_the_moves_before_the_turn_is_settled(world: World) -> None:
    Round.objects.update(publish_after=None)
    world.post("Ana", "3D > 3F; engage Gaz")
    assert world.settle() == "moved"
    draft = Draft.objects.get(turn__number=1)
    assert draft.places["Ana"] == "3F"
    assert [e["kind"] for e in draft.events if "Ana" in armies_of(e)] == ["moved"]


def test_a_new_battle_is_announced_with_a_committed_seed(war: World) -> None:
    battle = Battle.objects.get()
    assert (battle.turn, battle.number, battle.at, battle.terrain) == (war.turn, 1, "3F", "plains")
    assert dice.commitment(bytes.fromhex(battle.seed)) == battle.commitment
    assert battle.seed not in {turn.seed for turn in Turn.objects.all()}
    assert (battle.deadline, battle.announced_at) == (war.turn.deadline, war.turn.opened_at)
    sides = {entry.army.name: entry.side for entry in BattleArmy.objects.select_related("army")}
    assert sides["Gaz"] == battle.defends
    assert sides["Ana"] == 1 - sides["Gaz"]


def test_the_battles_of_a_turn_are_stored_in_the_order_of_their_numbers(world: World) -> None:
    """R25: so that their addresses don't hang on how a database joined them."""
    position = rows.load_position(world.round)
    keys = dict(Army.objects.filter(round=world.round).values_list("name", "pk"))
    fought = [BattleToOpen(number, rules.Battle(Square(3, number), (("Ana",), ("Gaz",)), 1)) for number in (3, 1, 2)]
    open_battles(world.turn, position, fought, keys)
    assert list(Battle.objects.order_by("pk").values_list("number", flat=True)) == [1, 2, 3]


def test_the_service_posts_the_update_and_the_announcements(war: World) -> None:
    update, announced = Notice.objects.exclude(kind="book").order_by("pk")
    assert (update.thread, update.turn.number) == ("movement", 1)
    assert "1 army moved, 0 orders were refused, 1 new battle" in update.text
    assert "Turn 2 is open: strats are due by Sun 15 Mar 2026, 05:00 UTC" in update.text
    assert (announced.thread, announced.turn.number) == ("announcements", 2)
    assert "Ana attacked Gaz (3F, plains)" in announced.text


def test_a_turn_waits_for_the_results_of_its_battles_and_stalls_nothing_else(war: World) -> None:
    other = begin(make_round(FOUR, slug="other"))
    other_turn = other.turn
    Turn.objects.filter(pk=other_turn.pk).update(lock_at=war.turn.lock_at, deadline=war.turn.deadline)
    waiting, now = war.turn, war.turn.lock_at + HOUR
    assert advance(waiting.pk, now) == "moved"
    assert [pk for pk, _ in due_turns(now)] == [other_turn.pk]
    assert advance(other_turn.pk, now) == "settled"
    war.score(Battle.objects.get(turn=waiting), now=now)
    assert due_turns(now + HOUR) == [(waiting.pk, "fought")]
    assert advance(waiting.pk, now + HOUR) == "settled"


def test_a_result_before_the_lock_waits_for_the_lock(war: World) -> None:
    turn = war.turn
    war.score(Battle.objects.get())
    assert advance(turn.pk, turn.lock_at) == "open"
    assert advance(turn.pk, turn.lock_at + timedelta(minutes=1)) == "settled"


def test_the_losers_of_a_battle_leave_its_square(war: World) -> None:
    result = war.score(Battle.objects.get())
    war.settle()
    winner = BattleArmy.objects.get(side=result.winner).army.name
    loser = BattleArmy.objects.exclude(side=result.winner).get().army.name
    assert war.army(winner).at == "3F"
    assert war.army(loser).at != "3F"
    lost = result.outcome["losses"][loser]
    alive = Army.objects.get(name=loser).troops.order_by("slot").values_list("alive", flat=True)
    assert list(alive) == [full - gone for full, gone in zip((5000, 2500, 1500, 1000), lost, strict=True)]


def test_drafts_wait_as_long_as_the_round_says() -> None:
    world = begin(make_round(FOUR, publish_after=2 * HOUR))
    turn = world.turn
    assert advance(turn.pk, LOCKED) == "moved"
    assert due_turns(LOCKED + HOUR) == []
    assert advance(turn.pk, LOCKED + HOUR) == "moved"
    assert due_turns(LOCKED + 2 * HOUR) == [(turn.pk, "fought")]
    assert advance(turn.pk, LOCKED + 2 * HOUR) == "settled"


def test_a_turn_is_looked_for_when_each_of_its_clocks_runs_out() -> None:
    world = begin(make_round(FOUR, publish_after=2 * HOUR))
    turn = world.turn
    assert coming_moments(UNLOCK, LAST_SECOND) == []
    assert coming_moments(LAST_SECOND, LOCKED) == [LOCKED]
    assert coming_moments(LOCKED, LOCKED + WEEK) == []
    assert advance(turn.pk, LOCKED) == "moved"
    Turn.objects.filter(pk=turn.pk).update(held_until=LOCKED + 3 * HOUR, after_lock_until=LOCKED)
    clocks = [LOCKED + timedelta(minutes=1), LOCKED + 2 * HOUR, LOCKED + 3 * HOUR]
    assert coming_moments(LOCKED, LOCKED + WEEK) == clocks
    assert coming_moments(LOCKED + 2 * HOUR, LOCKED + WEEK) == clocks[2:]
    assert advance(turn.pk, LOCKED + 3 * HOUR) == "settled"
    assert coming_moments(LOCKED, LOCKED + 3 * HOUR) == []


def test_nothing_is_looked_for_in_a_round_that_is_over(world: World) -> None:
    assert coming_moments(LAST_SECOND, LOCKED) == [LOCKED]
    Round.objects.filter(pk=world.round.pk).update(state="over")
    assert coming_moments(LAST_SECOND, LOCKED) == []


def test_drafts_wait_for_the_movement_judge_where_the_round_says_so() -> None:
    world = begin(make_round(FOUR, publish_after=None))
    turn = world.turn
    judge = world.judges["movement"]
    with pytest.raises(Refused, match="haven't been worked out yet"):
        publish_draft(turn=turn, judge=judge, now=LOCK)
    assert advance(turn.pk, LOCKED) == "moved"
    assert due_turns(LOCKED + WEEK) == []
    with pytest.raises(Refused, match="Only a movement judge"):
        publish_draft(turn=turn, judge=world.judges["battle"], now=LOCKED)
    publish_draft(turn=turn, judge=judge, now=LOCKED + HOUR)
    publish_draft(turn=turn, judge=judge, now=LOCKED + 2 * HOUR)
    assert Draft.objects.get().publish_at == LOCKED + HOUR
    assert advance(turn.pk, LOCKED + HOUR) == "settled"


def test_a_turn_that_has_nothing_to_wait_for_needs_no_draft(war: World) -> None:
    assert not Draft.objects.exists()
    assert war.settle() == "moved"
    assert Draft.objects.get().turn.number == 2


def test_a_sweep_that_comes_days_late_loses_nothing(world: World) -> None:
    world.post("Ana", "3D > 4D")
    late = LOCK + timedelta(days=4)
    with pytest.raises(Refused, match="locked on Mon 9 Mar 2026, 05:00 UTC"):
        world.post("Ana", "3D > 5D", at=late)
    assert advance(world.turn.pk, late) == "settled"
    assert world.army("Ana").at == "4D"
    assert world.turn.lock_at == LOCK + 2 * WEEK


def test_a_round_that_is_over_is_left_alone(world: World) -> None:
    world.round.state = "over"
    world.round.save()
    assert due_turns(LOCKED) == []
    assert advance(world.turn.pk, LOCKED) == "open"


def test_a_won_round_waits_for_the_battle_judge() -> None:
    """1.7.3, 4.3.1: Phyrexia's last Evincar is empty and is engaged."""
    world = make_round(FOUR)
    Troop.objects.filter(army__name="Gaz").update(alive=0)
    begin(world)
    world.post("Ana", "3D > 3F; engage Gaz")
    assert world.settle() == "settled"
    assert world.turn.number == 1
    assert world.turn.round.state == "running"
    assert "By the rules, the Coalition won this round" in Notice.objects.get(kind="victory").text
    assert LogEntry.objects.get(action="turn.settled").data["won_by"] == ["coalition"]
    assert due_turns(LOCKED + WEEK) == []


def test_a_dead_army_keeps_its_row_and_loses_its_square_and_controller() -> None:
    world = make_round({**FOUR, "Ike": ("phyrexia", "30F", "evincar")})
    Troop.objects.filter(army__name="Gaz").update(alive=0)
    begin(world)
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    gaz = world.army("Gaz")
    assert (gaz.at, gaz.died_in) == ("", 1)
    assert not gaz.controls.filter(until__isnull=True).exists()
    assert rows.load_position(world.round) == rows.position_of_turn(world.turn)
