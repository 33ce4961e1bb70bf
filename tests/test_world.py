"""The rows and the rules tell of the same world."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from wargame import models, world
from wargame.rules.core import codec
from wargame.rules.core.board import PLAINS, Base, Board, Square, Town, read_square
from wargame.rules.core.orders import Step
from wargame.rules.core.position import Army, Battle, Campaign, Captivity, Plan, PlannedStep, Position, Transit
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import Troop

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
PLAN = Plan(
    "Ana", (PlannedStep(Step(read_square("3D"), read_square("4D")), (("Gaz", Side.PHYREXIA),)),), 1_700_000_000, (3, 2)
)
CAPTIVITY = Captivity(Side.COALITION, ("red",), ("red", "blue"), ("Ana", "Zed"))


@pytest.fixture
def round_() -> models.Round:
    return models.Round.objects.create(name="World", slug="world", terrain="\n".join(PLAINS), created_at=NOW)


@pytest.fixture
def turn(round_: models.Round) -> models.Turn:
    """Turn 4, which is being settled."""
    return models.Turn.objects.create(
        round=round_, number=4, opened_at=NOW, deadline=NOW, lock_at=NOW, seed="00", commitment="00",
        position={"battles": [], "transits": [], "fallen": ["coalition"], "won_by": []}, position_hash="00",
    )  # fmt: skip


def add_army(round_: models.Round, name: str, **more: Any) -> models.Army:
    given = {"side": "coalition", "rank": "lieutenant", "at": "3D", **more}
    army = models.Army.objects.create(round=round_, name=name, **given)
    for place, (slot, creature, alive) in enumerate([(1, "Élan", 4000), (1, "Ox", 900), (4, "“Yak”", 1000)]):
        models.Troop.objects.create(
            round=round_, army=army, place=place, slot=slot, creature=creature, colors=["red"],
            size="1/1", types=["Creature", "Artifact"], alive=alive, of=1000 + alive, rested=3,
        )  # fmt: skip
    return army


def test_rows_are_read_as_a_position(round_: models.Round, turn: models.Turn) -> None:
    models.Base.objects.create(round=round_, name="Red Base", at="3D", side="coalition", color="red", win=True)
    models.Base.objects.create(round=round_, name="Portal 1", at="9D", side="phyrexia", destroyed_in=2)
    models.Town.objects.create(round=round_, name="Oakvale", at="7G")
    add_army(round_, "Zed", colors=["red", "blue"], days=2, home="1A")
    add_army(round_, "Raiders", side="mercenary", rank="", faction="raider", mercenary_tier=5, at="12N")
    add_army(round_, "Dead", at="", died_in=3)
    position = world.load_position(round_)
    assert [army.name for army in position.armies] == ["Raiders", "Zed"]
    raiders, zed = position.armies
    assert (raiders.side, raiders.rank, raiders.faction, raiders.tier) == (Side.MERCENARY, None, Faction.RAIDER, 5)
    assert (zed.at, zed.home, zed.rank) == (Square(3, 3), Square(0, 1), Rank.LIEUTENANT)
    assert zed.troops[2] == Troop(4, "“Yak”", 1000, 2000, ("red",), "1/1", ("Creature", "Artifact"), 3)
    assert [(base.name, base.color, base.destroyed) for base in position.board.bases] == [
        ("Red Base", "red", False),
        ("Portal 1", None, True),
    ]
    assert world.place_name(position.board, Square(3, 3)) == "Red Base"
    assert world.place_name(position.board, read_square("7G")) == "Oakvale"
    assert world.place_name(position.board, read_square("8G")) == ""
    assert position.fallen == (Side.COALITION,)


def test_a_position_is_read_in_five_statements(
    round_: models.Round, turn: models.Turn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(20):
        add_army(round_, f"Army {number}")
    with django_assert_num_queries(5):
        assert len(world.load_position(round_).armies) == 20


def stored(turn: models.Turn, change: Any) -> Position:
    """What the rows are after each army has been changed and stored."""
    before = world.load_position(turn.round)
    armies = tuple(army for army in (change(army) for army in before.armies) if army)
    after = replace(before, armies=armies)
    ids = dict(models.Army.objects.values_list("name", "pk"))
    world.store_changes(turn, before, after, ids)
    world.store_control(turn, before, after, ids, NOW)
    assert world.load_position(turn.round) == after
    return after


def test_everything_that_can_change_is_stored(round_: models.Round, turn: models.Turn) -> None:
    for name in ("Zed", "O'Hara; --", "Ünal"):
        add_army(round_, name)

    def change(army: Army) -> Army:
        first, *others = army.troops
        troops = (first._replace(alive=first.alive - 10, rested=5), *others, Troop(2, "New {kind}", 5, 9, ("blue",)))
        return army._replace(
            at=read_square("38N"), side=Side.PHYREXIA, rank=Rank.CENTURION, colors=("blue",), days=3,
            winning_days=1, plan=PLAN, captivity=CAPTIVITY, troops=troops, sent=(7, 0, 0, 8),
        )  # fmt: skip

    stored(turn, change)
    assert models.Troop.objects.filter(creature="New {kind}", round=round_).count() == 3


def test_what_is_gone_is_stored(round_: models.Round, turn: models.Turn) -> None:
    add_army(round_, "Zed")
    stored(turn, lambda army: army._replace(plan=PLAN, captivity=CAPTIVITY))
    stored(turn, lambda army: army._replace(plan=None, captivity=None, troops=army.troops[:1]))
    row = models.Army.objects.get()
    assert models.Army.objects.filter(plan__isnull=True, captivity__isnull=True).exists()
    assert row.troops.count() == 1


def test_a_dead_army_keeps_its_troops_and_its_past(round_: models.Round, turn: models.Turn) -> None:
    add_army(round_, "Zed", days=2)
    stored(turn, lambda army: None)
    row = models.Army.objects.get()
    assert (row.at, row.died_in, row.days, row.troops.count()) == ("", 4, 2, 3)


def test_nothing_is_written_for_what_did_not_change(
    round_: models.Round, turn: models.Turn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    add_army(round_, "Zed")
    position = world.load_position(round_)
    with django_assert_num_queries(0):
        world.store_changes(turn, position, position, {"Zed": 1})
        world.store_control(turn, position, position, {"Zed": 1}, NOW)


def test_a_base_falls_in_the_turn_that_is_settled(round_: models.Round, turn: models.Turn) -> None:
    models.Base.objects.create(round=round_, name="Red Base", at="3D", side="coalition", color="red")
    models.Base.objects.create(round=round_, name="Old Base", at="4D", side="coalition", color="blue", destroyed_in=2)
    before = world.load_position(round_)
    after = replace(before, board=before.board.with_destroyed(frozenset({"Red Base", "Old Base"})))
    world.store_changes(turn, before, after, {})
    assert dict(models.Base.objects.values_list("name", "destroyed_in")) == {"Red Base": 4, "Old Base": 2}
    assert world.load_position(round_) == after


def test_nobody_controls_a_captured_army_until_it_is_liberated(round_: models.Round, turn: models.Turn) -> None:
    """4.5, R40: then those who controlled it before the capture control it again."""
    zed = add_army(round_, "Zed")
    for name in ("Ana", "Zed"):
        user = User.objects.create_user(name)
        player = models.Player.objects.create(
            round=round_, user=user, name=name, side="coalition", rank="lieutenant", joined_at=NOW
        )
        models.Control.objects.create(round=round_, army=zed, player=player, since=NOW)
    captive = {"side": Side.PHYREXIA, "rank": Rank.CENTURION, "captivity": CAPTIVITY}
    stored(turn, lambda army: army._replace(**captive))
    assert world.control_at(round_, NOW) == {}
    stored(turn, lambda army: army._replace(side=Side.COALITION, rank=Rank.LIEUTENANT, captivity=None))
    assert world.control_at(round_, NOW) == {"Zed": ("Ana", "Zed")}


def test_a_turns_map_is_kept_by_its_hash(
    round_: models.Round, turn: models.Turn, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    position = world.load_position(round_)
    world.remember("00ff", position)
    turn.position_hash = "00ff"
    with django_assert_num_queries(0):
        assert world.position_of_turn(turn) is position
    for number in range(world.maps.REMEMBERED):
        world.remember(f"{number}", position)
    assert len(world.maps._positions) == world.maps.REMEMBERED
    assert "00ff" not in world.maps._positions


def test_a_map_is_stored_as_the_text_that_its_hash_is_of(
    round_: models.Round, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    """And a process that does not remember it takes it from the text that came with the turn."""
    campaign = Campaign((Side.PHYREXIA,), fought=("Élan",), area=Square(2, 2), battles=3)
    armies = (
        Army("Ana", Side.PHYREXIA, Square(0, 1), Rank.CENTURION, plan=PLAN, captivity=CAPTIVITY, former=("Anna",)),
        Army(
            "Orcs",
            Side.MERCENARY,
            Square(0, 2),
            None,
            Faction.THEME,
            troops=(Troop(1, "“Yak”", 5, 9),),
            campaign=campaign,
        ),
    )
    board = Board(PLAINS, (Base("Red Base", Square(3, 3), Side.COALITION, "red"),), (Town("Oakvale", Square(4, 4)),))
    fights, transit = (Battle(Square(0, 1), (("Ana",), ("Ben",)), 0),), (Transit("Ana", "Ben", armies[1].troops),)
    position = Position(board, armies, fights, transit, (Side.COALITION,))
    written = codec.written_position(position)
    assert written.text == codec.canonical(dict(written))
    times = dict.fromkeys(("opened_at", "deadline", "lock_at"), NOW)
    secret = {"seed": "00", "commitment": "00"}
    digest = codec.digest(written)
    models.Turn.objects.create(round=round_, number=1, position=written, position_hash=digest, **times, **secret)
    assert codec.digest(models.Turn.objects.get().position) == digest
    turn = world.with_maps_as_text(models.Turn.objects.all()).get()
    world.maps._positions.clear()
    with django_assert_num_queries(0):
        assert world.position_of_turn(turn) == position
