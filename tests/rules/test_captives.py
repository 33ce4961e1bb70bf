"""4.5: what a captive is while it waits, and when it is freed."""

import pytest

from wargame.rules.core.board import PLAINS, Base, Board, Square, Town
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Army, Battle, Captivity, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import Result, TurnInput
from wargame.rules.settlement import Settlement, settle
from wargame.rules.settling.events import DayCounted, Healed, Liberated

AT = Square(3, 9)
PORTAL = Board(PLAINS, (Base("Rift", AT, Side.PHYREXIA, None, True),))
RED_BASE = Board(PLAINS, (Base("Red Base", AT, Side.COALITION, "red", True),))
TOWN = Board(PLAINS, (), (Town("Oakvale", AT),))
FIELD = Board(PLAINS)

IMPS = (Troop(1, "Ember Imp", 800, 1000, ("red",), rested=200),)
CAPTIVE = Captivity(Side.COALITION, ("red", "blue"), ("red", "blue"), ("Ana", "Ben"))
"""It was the Coalition's, of two colours, and two players controlled it."""


def held(captivity: Captivity, side: Side = Side.PHYREXIA, rank: Rank = Rank.CPL, **more: object) -> Army:
    """Joss, a captive of that side."""
    return Army("Joss", side, AT, rank, captivity=captivity, troops=IMPS, **more)  # type: ignore[arg-type]


def settled(board: Board, *armies: Army, winner: str = "") -> Settlement:
    """A turn without orders; with a winner, the two armies fought."""
    first, *others = (army.name for army in armies)
    battles = (Battle(AT, ((first,), (others[0],))),) if winner else ()
    results = (Result(AT, (winner,), {}),) if winner else ()
    position = Position(board, sorted_armies(list(armies)), battles)
    return settle(position, TurnInput(results=results), turn_dice(b"seed", "captives", 1))


def enemy_of(side: Side) -> Army:
    rank = Rank.CAPTAIN if side is Side.COALITION else Rank.EVINCAR
    return Army("Freer", side, AT, rank, troops=IMPS)


def test_a_captive_that_loses_is_its_old_sides_again() -> None:
    """4.5: with its rank there, its colours, and those who controlled it."""
    after = settled(PORTAL, held(CAPTIVE, days=1), enemy_of(Side.COALITION), winner="Freer")
    army = after.position.by_name["Joss"]

    assert (army.side, army.rank, army.colors, army.captivity) == (
        Side.COALITION, Rank.LT_COMMANDER, ("red", "blue"), None,
    )  # fmt: skip
    assert (army.days, army.winning_days) == (0, 0)
    assert [e for e in after.events if isinstance(e, Liberated)] == [Liberated("Joss", Side.COALITION, ("Ana", "Ben"))]


def test_one_that_was_taken_twice_still_knows_the_colours_of_its_creation() -> None:
    """4.5: Phyrexia had converted it, so it has no colours there, and has its old ones whenever it comes home."""
    twice = Captivity(Side.PHYREXIA, (), ("red", "blue"), ("Gaz",))
    captive = held(twice, Side.COALITION, Rank.LT_COMMANDER, colors=("red", "blue"))
    after = settled(RED_BASE, captive, enemy_of(Side.PHYREXIA), winner="Freer")
    army = after.position.by_name["Joss"]

    assert (army.side, army.rank, army.colors) == (Side.PHYREXIA, Rank.CPL, ())
    assert army.captivity == Captivity(Side.PHYREXIA, (), ("red", "blue"), ("Gaz",), converted=True)
    assert not army.is_partially_converted


@pytest.mark.parametrize(
    ("board", "place"),
    [(PORTAL, "Rift"), (TOWN, "Oakvale"), (FIELD, f"captivity on {AT}")],
)
def test_a_captive_counts_its_days_wherever_it_was_put(board: Board, place: str) -> None:
    """R30, 4.5."""
    events = settled(board, held(CAPTIVE)).events

    assert [event for event in events if isinstance(event, DayCounted)] == [DayCounted("Joss", AT, 1, place)]


@pytest.mark.parametrize(
    ("board", "army", "cites"),
    [
        (PORTAL, Army("Vex", Side.PHYREXIA, AT, Rank.EVINCAR, troops=IMPS, days=1), "2.3.1.1"),
        (RED_BASE, Army("Ana", Side.COALITION, AT, Rank.CAPTAIN, colors=("red",), troops=IMPS), "2.3.1.2"),
        (TOWN, Army("Ana", Side.COALITION, AT, Rank.LIEUTENANT, troops=IMPS, days=1), "2.3.1.3"),
        (TOWN, Army("Vex", Side.PHYREXIA, AT, Rank.CPL, troops=IMPS, days=1), "2.3.1.3"),
        (TOWN, held(CAPTIVE, days=1), "4.5"),
        (PORTAL, held(CAPTIVE, days=1), "4.5"),
    ],
)
def test_a_healing_is_told_with_its_rule(board: Board, army: Army, cites: str) -> None:
    """2.3.1.1, 2.3.1.2, 2.3.1.3, 4.5."""
    events = settled(board, army).events

    assert [event for event in events if isinstance(event, Healed)] == [
        Healed(army.name, AT, ((1, "Ember Imp", 200),), cites)
    ]
