"""R22, R24, R27: a map on which no square is free stops no settlement: whoever has nowhere to go stays."""

from collections.abc import Iterator

import pytest

from wargame.rules.core import board
from wargame.rules.core.board import PLAINS, Board, Square, all_squares, nearest_free, neighbours, squares_at
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import Move, Step
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop
from wargame.rules.core.turn import PostedLine, Result, TurnInput
from wargame.rules.moves.events import MovedPartially, Pushed
from wargame.rules.settlement import Settlement, settle
from wargame.rules.settling.events import Retreated

WEST, EAST = Square(0, 1), Square(0, 2)
FULL = "no square on the map was free"
LOSSES = (100, 50, 20, 10)


@pytest.fixture(autouse=True)
def small_map(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two squares side by side."""
    monkeypatch.setattr(board, "ROWS", "A")
    monkeypatch.setattr(board, "LAST_ROW", 0)
    monkeypatch.setattr(board, "COLUMNS", 2)
    forget()
    yield
    forget()


def forget() -> None:
    """What was worked out for another map."""
    neighbours.cache_clear()
    squares_at.cache_clear()


def army(name: str, at: Square, side: Side = Side.COALITION) -> Army:
    rank = {Side.COALITION: Rank.LIEUTENANT, Side.PHYREXIA: Rank.CENTURION}.get(side)
    faction = None if rank else Faction.RAIDER
    troops = tuple(
        Troop(slot, f"Orc {slot}", most, most, ("red",)) for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True)
    )
    return Army(name, side, at, rank, faction, colors=("red",) if rank else (), troops=troops)


def fighting(at: Square, coalition: tuple[str, ...], phyrexia: str) -> tuple[list[Army], Battle]:
    armies = [*[army(name, at) for name in coalition], army(phyrexia, at, Side.PHYREXIA)]
    return armies, Battle(at, (coalition, (phyrexia,)), 1)


def settled(armies: list[Army], battles: tuple[Battle, ...] = (), **given: object) -> Settlement:
    """The settlement, which must say where every army is; those of one side win each battle."""
    results = tuple(Result(one.at, one.sides[0], dict.fromkeys(one.armies, LOSSES)) for one in battles)
    position = Position(Board(PLAINS), sorted_armies(armies), battles)
    found = settle(position, TurnInput(results=results, **given), turn_dice(b"seed", "full", 1))  # type: ignore[arg-type]
    assert sorted(one.name for one in found.position.armies) == sorted(one.name for one in armies)
    assert all(one.at.on_map for one in found.position.armies)
    return found


def events_of(found: Settlement, kind: type[Event]) -> list[Event]:
    return [event for event in found.events if isinstance(event, kind)]


def test_the_map_has_two_squares() -> None:
    assert list(all_squares()) == [WEST, EAST]
    assert nearest_free(WEST, {WEST, EAST}) == ()


def test_losers_that_have_nowhere_to_go_stay_and_fight_on() -> None:
    """R27: both squares hold a battle, so no neighbour is free, holds one side alone, or lies farther out."""
    first, west = fighting(WEST, ("Ana",), "Gaz")
    second, east = fighting(EAST, ("Ben",), "Hex")
    found = settled([*first, *second], (west, east))
    assert [(one.army, one.to, one.how) for one in events_of(found, Retreated)] == [  # type: ignore[union-attr]
        ("Gaz", WEST, "nowhere"),
        ("Hex", EAST, "nowhere"),
    ]
    assert [battle.sides for battle in found.position.battles] == [(("Ana",), ("Gaz",)), (("Ben",), ("Hex",))]
    assert events_of(found, Retreated)[0].sentence == f"Gaz couldn't leave 1A: {FULL}."


def test_a_winning_pair_that_can_not_split_stays_together() -> None:
    """4.4, R27."""
    first, west = fighting(WEST, ("Ana", "Ann"), "Gaz")
    second, east = fighting(EAST, ("Ben",), "Hex")
    found = settled([*first, *second], (west, east))
    assert {one.name: one.at for one in found.position.armies} == {
        "Ana": WEST, "Ann": WEST, "Gaz": WEST, "Ben": EAST, "Hex": EAST,
    }  # fmt: skip
    assert found.position.battles[0].sides == (("Ana", "Ann"), ("Gaz",))


def test_two_friends_that_nothing_can_part_share_their_square() -> None:
    """R26, R24: the one that should move partially stays; the next turn is settled all the same."""
    found = settled([army("Ana", WEST), army("Ann", WEST), army("Ben", EAST)])
    assert {one.name: one.at for one in found.position.armies} == {"Ana": WEST, "Ann": WEST, "Ben": EAST}
    (parted, *_) = events_of(found, MovedPartially)
    assert (parted.army, parted.to, parted.how) == ("Ann", WEST, "stays")  # type: ignore[union-attr]
    again = settle(found.position, TurnInput(), turn_dice(b"seed", "full", 2))
    assert again.position.armies == found.position.armies


def test_a_mercenary_that_can_not_be_pushed_stands_aside_of_the_teams() -> None:
    """3.3.5, R22."""
    armies = [army("Ana", WEST), army("Gaz", WEST, Side.PHYREXIA), army("Orcs", WEST, Side.MERCENARY)]
    found = settled([*armies, army("Ben", EAST)])
    assert [battle.sides for battle in found.position.battles] == [(("Ana",), ("Gaz",))]
    assert events_of(found, Pushed)[0].sentence == f"Orcs couldn't leave 1A: {FULL}."


def test_a_move_onto_a_friend_ends_where_it_began() -> None:
    """3.3.1, 3.3.2."""
    order = Move((Step(WEST, EAST, None, "replace", "Ben"),))
    lines = (PostedLine("Ana", "Ana", order, 1),)
    found = settled([army("Ana", WEST), army("Ben", EAST)], lines=lines, control={"Ana": ("Ana",)})
    assert [one.at for one in found.position.armies] == [WEST, EAST]
