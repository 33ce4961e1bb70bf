"""2.3.2: what is said of an accepted change that can't be carried out any more."""

from django.utils import translation

from wargame.rules.core.board import PLAINS, Base, Board, Square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import TroopChange, TurnInput
from wargame.rules.settlement import settle
from wargame.rules.settling.events import ChangeRefused, TroopsChanged

AT = Square(3, 9)
BOARD = Board(PLAINS, (Base("Red Base", AT, Side.COALITION, "red", True),))
ANA = Army(
    "Ana", Side.COALITION, AT, Rank.LIEUTENANT, colors=("red",), days=2, troops=(Troop(1, "Kris Mage", 9, 9, ("red",)),)
)


def what_came(*changes: TroopChange, control: dict[str, tuple[str, ...]]) -> list[ChangeRefused | TroopsChanged]:
    given = TurnInput(control=control, changes=changes)
    events = settle(Position(BOARD, (ANA,)), given, turn_dice(b"seed", "changes", 1)).events
    return [event for event in events if isinstance(event, ChangeRefused | TroopsChanged)]


def makeup(creature: str, number: int, *colors: str, size: str = "1/1") -> tuple[Troop, ...]:
    return (Troop(1, creature, number, number, colors, size),)


def test_every_reason_is_said_with_its_rule_where_that_is_another_one() -> None:
    change = TroopChange("Ana", "Ana", makeup("Llanowar Elves", 5001, "green"))
    (refused,) = what_came(change, control={"Ana": ("Ana",)})

    assert isinstance(refused, ChangeRefused)
    assert refused.reasons == (
        "Slot 1 can hold 5,000; here it has 5,001, which is 1 too many. (2.1.6) "
        "Llanowar Elves is green, but the army is red. (2.2.1)"
    )


def test_what_is_stored_is_the_same_whoever_makes_the_service_settle() -> None:
    change = TroopChange("Ana", "Ana", makeup("Llanowar Elves", 5, "green"))
    (refused,) = what_came(change, control={})
    with translation.override("de"):
        assert what_came(change, control={}) == [refused]
        assert refused.sentence.startswith("Der Wechsel von Ana wird nicht ausgeführt.")


def test_an_army_that_nobody_controls_asks_for_nothing() -> None:
    """5.4.2: that is said first."""
    (refused,) = what_came(TroopChange("Ana", "Ana", makeup("Llanowar Elves", 5, "green")), control={})

    assert isinstance(refused, ChangeRefused)
    assert refused.reasons.startswith("Ana did not control the army at the lock. (5.4.2) Llanowar Elves")


def test_the_earlier_of_two_requests_is_told_that_a_later_one_stands() -> None:
    """R65."""
    first = TroopChange("Ana", "Ana", makeup("Mogg Fanatic", 5, "red"))
    second = TroopChange("Ana", "Ana", makeup("Raging Goblin", 7, "red"))
    refused, changed = what_came(first, second, control={"Ana": ("Ana",)})

    assert isinstance(refused, ChangeRefused)
    assert refused.reasons == "Replaced by a later request of the same turn (R65)."
    assert changed == TroopsChanged("Ana", AT, ((1, "Raging Goblin", 7, 7),))


def test_a_creature_of_any_size_fits_its_slot() -> None:
    """2.2.2: `*/*` is as large as its slot takes; what is larger than the slot is refused."""
    fits = what_came(TroopChange("Ana", "Ana", makeup("Clone", 5, "red", size="*/*")), control={"Ana": ("Ana",)})
    large = what_came(TroopChange("Ana", "Ana", makeup("Ogre", 5, "red", size="2/2")), control={"Ana": ("Ana",)})

    assert [type(event) for event in (*fits, *large)] == [TroopsChanged, ChangeRefused]
