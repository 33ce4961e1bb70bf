"""A running round with a marker in each secret, led from one phase of its second turn to the next.

Most secrets are planted as rows, so that none depends on what a form lets through; the acts that move the turn on are
those of the services. Three battles are fought in the turn: one waits for its score, one is rolled, one is published.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

import time_machine
from django.utils import timezone

from judging.battles.assignments.seats import give_first
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import roll
from judging.battles.desk.scoring import lock_opinion, lock_score, name_second_judge
from judging.battles.models import AdjustmentRequest, Battle
from judging.turns.drafts import publish_draft
from tests.keeping import kept
from tests.secrecy import secrets_of_people, secrets_of_tables, secrets_of_teams, secrets_of_turns
from tests.secrecy.scene import Scene
from tests.services.mercenaries_of_tests import add_mercenary
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, add_player, begin, make_round
from wargame.models import Round, Turn
from wargame.models.choices import RoundState

ARMIES = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "10D", "lieutenant"),
    "Dot": ("coalition", "16D", "captain"),
    "Lea": ("coalition", "30D", "general"),
    "Gaz": ("phyrexia", "3F", "evincar"),
    "Hex": ("phyrexia", "10F", "centurion"),
    "Vorn": ("phyrexia", "30K", "chief_praetor"),
}
WATCH = "Watch"
"""A town's defenders, whom Dot attacks."""


def at_phase(phase: str, clock: time_machine.Traveller) -> Scene:
    """The round at a phase of its second turn, the clock at that moment."""
    scene, moment = _planted(phase, clock)
    clock.move_to(moment)
    return scene


@kept
def _planted(phase: str, clock: time_machine.Traveller) -> tuple[Scene, datetime]:
    world = _world()
    scene = Scene("open", world.round, secrets_of_people.users_of(world))
    secrets_of_people.plant(scene, world)
    turn = world.turn
    clock.move_to(turn.lock_at - timedelta(hours=25))
    _fill(scene, world, turn)
    for name, step in STEPS.items():
        if scene.phase == phase:
            break
        clock.move_to(step(scene, world, turn))
        scene.phase, scene.round = name, Round.objects.get(pk=world.round.pk)
    secrets_of_people.plant_tokens(scene)
    return scene, timezone.now()


def _world() -> World:
    """Turn 2 has opened, with a battle of Ana against Gaz, one of Ben against Hex, one of Dot against the Watch."""
    world = make_round(ARMIES, publish_after=None)
    add_mercenary(world.round, WATCH, "town_defender", "16F")
    add_mercenary(world.round, "Wolves", "raider", "36N")
    world.players["Cay"] = add_player(world.round, "Cay", "coalition", "lieutenant")
    begin(world)
    world.judges["battle second"] = add_judge(world.round, "battle", "Second", is_head=False)
    world.judges["movement"].user = add_player(world.round, "Pia", "phyrexia", "centurion").user
    world.judges["movement"].save()
    world.players["Ana"].contingency = world.players["Cay"]
    world.players["Ana"].save()
    for leader in ("Lea", "Vorn"):
        world.players[leader].may_change_control = True
        world.players[leader].save()
    world.post("Ana", "3D > 3F; engage Gaz")
    world.post("Ben", "10D > 10F; engage Hex")
    world.post("Dot", "16D > 16F; engage Watch")
    _publish_moves(world)
    return world


def _fill(scene: Scene, world: World, turn: Turn) -> None:
    """All secrets of the open turn, the day before its lock."""
    at = turn.lock_at - timedelta(hours=26)
    first, second, third = Battle.objects.filter(turn=turn).order_by("number")
    secrets_of_turns.plant_orders(scene, world, turn, at)
    secrets_of_teams.plant(scene, world, at)
    secrets_of_tables.plant(scene, at)
    secrets_of_turns.plant_strats(scene, world, (first, second, third))
    secrets_of_turns.plant_book(scene, world)
    name_second_judge(battle=first, judge=world.judges["battle"], second=world.judges["battle second"], now=at)
    assert give_first(battle=first, now=at)
    own = secrets_of_turns.marked_reasons(scene, "reasons of one of two judges", "battle")
    lock_opinion(battle=first, judge=world.judges["battle"], favours=0, bonus=6, reasons=own, now=at)
    for battle in (second, third):
        own = secrets_of_turns.marked_reasons(scene, "reasons of a score", "battle") if battle == second else REASONS
        lock_score(battle=battle, judge=world.judges["battle"], favours=0, bonus=7, reasons=own, now=at)
        roll(battle=battle, judge=world.judges["battle"], now=at)
    publish_result(battle=third, judge=world.judges["battle"], narrative="It was short.", now=at)
    secrets_of_turns.plant_judging(scene, world, (first, second, third), at)
    secrets_of_turns.plant_judges(scene, world, (first, second, third), at)
    secrets_of_turns.plant_feedback(scene, world, third, at)
    secrets_of_turns.plant_appeal(scene, world, turn, third, at)
    secrets_of_turns.note_seeds(scene, turn, (first, second))


def _locked(scene: Scene, world: World, turn: Turn) -> datetime:
    """The clock has locked the turn; no job has run yet (R4)."""
    return turn.lock_at + timedelta(minutes=1, seconds=1)


def _moved(scene: Scene, world: World, turn: Turn) -> datetime:
    """The draft of the moves waits for the movement judge, who has ruled on it."""
    now = turn.lock_at + 3 * HOUR
    assert world.settle(now) == "moved"
    secrets_of_turns.plant_ruling(scene, world, now)
    return now


def _fought(scene: Scene, world: World, turn: Turn) -> datetime:
    """The moves and all results are published; no job has run since."""
    now = turn.lock_at + 5 * HOUR
    publish_draft(turn=turn, judge=world.judges["movement"], now=now)
    judge = world.judges["battle"]
    first, second, _ = Battle.objects.filter(turn=turn).order_by("number")
    own = secrets_of_turns.marked_reasons(scene, "reasons of one of two judges", "battle second")
    lock_opinion(battle=first, judge=world.judges["battle second"], favours=0, bonus=6, reasons=own, now=now)
    asked = AdjustmentRequest.objects.select_related("battle").get(battle=second, answered_at=None)
    secrets_of_turns.refuse_change(scene, world, asked, now)
    narrative = second.narrative_draft.text
    for battle in (first, second):
        publish_result(battle=battle, judge=judge, narrative=narrative if battle == second else "", now=now)
    return now


def _settled(scene: Scene, world: World, turn: Turn) -> datetime:
    now = turn.lock_at + 6 * HOUR
    assert world.settle(now) == "settled"
    return now


def _over(scene: Scene, world: World, turn: Turn) -> datetime:
    Round.objects.filter(pk=world.round.pk).update(state=RoundState.OVER, winner="coalition")
    return turn.lock_at + 7 * HOUR


def _publish_moves(world: World) -> None:
    """Turn 1 moves, its moves are published, and it is settled."""
    turn = world.turn
    world.settle(turn.lock_at + 3 * HOUR)
    publish_draft(turn=turn, judge=world.judges["movement"], now=turn.lock_at + 3 * HOUR)
    assert world.settle(turn.lock_at + 3 * HOUR) == "settled"


Step = Callable[[Scene, World, Turn], datetime]
STEPS: dict[str, Step] = {
    "locked": _locked,
    "moved": _moved,
    "fought": _fought,
    "settled": _settled,
    "over": _over,
}
"""What leads to each phase; gives the moment at which it is looked at."""
PHASES = ("open", *STEPS)
