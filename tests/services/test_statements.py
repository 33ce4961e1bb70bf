"""STACK, speed: a turn costs the same few statements, whatever the number of armies."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.battles.models import Battle, BattleArmy, Result
from judging.turns.models import Manifest
from judging.turns.stages import advance
from tests.services.world_of_tests import HOUR, LOCK, TROOPS, UNLOCK, World, add_judge, begin
from wargame.models import Army, Control, Judge, Player, Round, Troop, Turn
from wargame.rules import settlement
from wargame.rules.core.board import PLAINS, all_squares
from wargame.rules.core.dice import Dice
from wargame.rules.core.position import Army as RulesArmy
from wargame.rules.core.position import Captivity, Position
from wargame.rules.core.sides import Side
from wargame.rules.core.turn import TurnInput
from wargame.rules.settlement import Settlement

pytestmark = pytest.mark.django_db


def crowded(pairs: int) -> World:
    """A round in which every square of the first ones holds two enemies, who fight from turn 2 on."""
    round_ = Round.objects.create(name="Crowd", slug=f"crowd-{pairs}", terrain="\n".join(PLAINS), created_at=UNLOCK)
    players = {
        side: Player.objects.create(
            round=round_, user=User.objects.create_user(f"{side}-{pairs}"), name=side, side=side, joined_at=UNLOCK
        )
        for side in ("coalition", "phyrexia")
    }
    ranks = {"coalition": "captain", "phyrexia": "evincar"}
    armies = Army.objects.bulk_create(
        Army(round=round_, name=f"{side} {number}", side=side, at=str(square), rank=ranks[side])
        for number, square in zip(range(pairs), all_squares(), strict=False)
        for side in players
    )
    Troop.objects.bulk_create(
        Troop(
            round=round_, army=army, place=place, slot=place + 1, creature=f"Kind {place}",
            types=["Creature"], alive=most - 100, of=most,
        )
        for army in armies
        for place, most in enumerate(TROOPS)
    )  # fmt: skip
    Control.objects.bulk_create(
        Control(round=round_, army=army, player=players[army.side], since=UNLOCK) for army in armies
    )
    return begin(World(round_, players, {"battle": add_judge(round_, "battle")}))


def publish_all(turn: Turn, judge: Judge) -> None:
    """Side 0 wins every battle."""
    losses: dict[int, dict[str, list[int]]] = {}
    fighters = BattleArmy.objects.filter(battle__turn=turn).values_list("battle_id", "army__name")
    for battle, army in fighters:
        losses.setdefault(battle, {})[army] = [50, 10, 5, 1]
    no = {"killed": [], "captured": [], "attempts": [], "leaves": "", "leaves_to": ""}
    Result.objects.bulk_create(
        Result(
            battle_id=battle,
            judge=judge,
            winner=0,
            published_at=turn.deadline,
            outcome={"losses": lost, "took_part": [*lost], **no},
        )
        for battle, lost in losses.items()
    )
    Battle.objects.filter(turn=turn).update(state=Battle.State.PUBLISHED)


def statements(captured: CaptureQueriesContext) -> list[str]:
    """What was sent, without the beginnings and ends of transactions and their time limits, and without what the chain
    takes: that is a read for each kind of rows, before and after they change, and four more a transaction (R38)."""
    ends = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "SET LOCAL")
    sent = [query["sql"] for query in captured if not query["sql"].startswith(ends)]
    of_chain = [sql for sql in sent if "judging_chain" in sql or ' AS "pk"' in sql]
    assert len(of_chain) <= 24
    return [sql for sql in sent if sql not in of_chain]


def everybody_changes(position: Position, given: TurnInput, dice: Dice) -> Settlement:
    """A settlement in which every army loses troops, one side is captured as a whole, and every battle goes on."""
    armies = tuple(
        army._replace(days=army.days + 1, troops=tuple(troop._replace(alive=troop.alive - 1) for troop in army.troops))
        for army in position.armies
    )
    return Settlement(replace(position, armies=tuple(map(captured, armies))), ())


def captured(army: RulesArmy) -> RulesArmy:
    """4.5: one of the first side; the others stay as they are."""
    if army.side is not Side.COALITION:
        return army
    return army._replace(side=Side.PHYREXIA, captivity=Captivity(army.side, army.colors, army.colors))


@pytest.mark.parametrize("pairs", [5, 500])
def test_a_turn_with_its_battles_is_settled_in_twelve_statements(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the loading of the turn to the unlock, by a worker that has seen nothing of it before."""
    world = crowded(pairs)
    advance(world.turn.pk, LOCK + timedelta(minutes=1))
    assert Battle.objects.count() == pairs
    turn, now = world.turn, world.turn.lock_at + HOUR
    assert advance(turn.pk, now) == "moved"
    publish_all(turn, world.judges["battle"])
    Turn.objects.filter(pk=turn.pk).update(state="fought")
    monkeypatch.setattr(settlement, "settle", everybody_changes)
    with CaptureQueriesContext(connection) as captured:
        assert advance(turn.pk, now) == "settled"
    assert len(statements(captured)) <= 12
    assert Army.objects.filter(days=1).count() == 2 * pairs
    assert Battle.objects.filter(turn__number=3).count() == pairs


def lock_to_unlock(world: World) -> int:
    """How many statements the present turn takes from its lock to the unlock, in one go."""
    turn = world.turn
    with CaptureQueriesContext(connection) as captured:
        assert advance(turn.pk, turn.lock_at + HOUR) == "settled"
    return len(statements(captured))


def orders(world: World, pairs: int) -> None:
    """Every army has an order; the first one of each side is to send troops to the second one (3.2.4)."""
    squares = [str(square) for square, _ in zip(all_squares(), range(2), strict=False)]
    for side, player in world.players.items():
        lines = [f"{side} {number}: hold" for number in range(1, pairs)]
        world.post(side, "\n".join([f"{side} 0: transfer to {side} 1 at {squares[1]}", *lines]))
        sent = {"sender": f"{side} 0", "receiver": f"{side} 1", "entries": [{"slot": 1, "number": 5, "creature": None}]}
        Manifest.objects.create(turn=world.turn, player=player, sent_at=world.turn.opened_at, **sent)


def test_a_lock_takes_the_same_eleven_statements_for_10_and_1000_armies() -> None:
    """All stages, orders and manifests read and new battles announced, where nobody fought before."""
    counted = []
    for pairs in (5, 500):
        world = crowded(pairs)
        orders(world, pairs)
        counted.append(lock_to_unlock(world))
        assert Battle.objects.filter(turn=world.turn).count() == pairs
    assert counted[0] == counted[1] <= 11


def test_a_lock_takes_the_same_twelve_statements_in_the_fullest_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """Battles fought, troops lost, armies captured, transfers ordered and new battles announced."""
    counted = []
    for pairs in (5, 500):
        world = crowded(pairs)
        advance(world.turn.pk, LOCK + timedelta(minutes=1))
        publish_all(world.turn, world.judges["battle"])
        orders(world, pairs)
        with monkeypatch.context() as patched:
            patched.setattr(settlement, "settle", everybody_changes)
            counted.append(lock_to_unlock(world))
        assert Control.objects.filter(round=world.round, until=None).count() == pairs
    assert counted[0] == counted[1] <= 12


def test_a_lock_that_waits_for_a_battle_takes_seven() -> None:
    """The moves and their draft are written; nothing of the settlement is."""
    world = crowded(5)
    advance(world.turn.pk, LOCK + timedelta(minutes=1))
    turn = world.turn
    with CaptureQueriesContext(connection) as captured:
        assert advance(turn.pk, turn.lock_at + HOUR) == "moved"
    assert len(statements(captured)) <= 7
