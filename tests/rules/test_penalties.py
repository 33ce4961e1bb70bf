"""5.4.1, R47: what penalties take from armies, whatever armies and penalties there are."""

from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.core.board import PLAINS, Board, read_square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import RANKS, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, Troop, alive_by_slot
from wargame.rules.core.turn import DIE, PER_SLOT, SEVERITIES, Penalty, TurnInput, losses_of
from wargame.rules.settlement import carry_out, settle
from wargame.rules.settling.punishing import punish, punished
from wargame.rules.telling.telling import tell

NAMES = ("Ben", "Orla")
numbers = st.tuples(*(st.integers(0, most) for most in SLOT_MAXIMUM))


def army(name: str, square: str, alive: tuple[int, ...], halves: bool) -> Army:
    """An army with these troops; with `halves` each slot has two creatures."""
    troops: list[Troop] = []
    for slot, (number, most) in enumerate(zip(alive, SLOT_MAXIMUM, strict=True), 1):
        first = number // 2 if halves else number
        troops.append(Troop(slot, f"a{slot}", first, most, anonymous=True))
        if halves:
            troops.append(Troop(slot, f"b{slot}", number - first, most, anonymous=True))
    return Army(name, Side.COALITION, read_square(square), RANKS[Side.COALITION][2], troops=tuple(troops))


@st.composite
def penalties(draw: st.DrawFn) -> Penalty:
    by_hand = draw(st.booleans())
    return Penalty(
        number=draw(st.integers(1, 9)),
        army=draw(st.sampled_from((*NAMES, "Nobody"))),
        by="Cal",
        cites="5.4.1",
        reason="Not his.",
        severity=0 if by_hand else draw(st.sampled_from(SEVERITIES)),
        roll=0 if by_hand else draw(st.integers(1, DIE)),
        stated=draw(numbers) if by_hand else (0, 0, 0, 0),
        after_battle=draw(st.booleans()),
    )


positions = st.builds(
    lambda first, second, halves: Position(
        Board(PLAINS), (army("Ben", "3D", first, halves), army("Orla", "9D", second, halves))
    ),
    numbers,
    numbers,
    st.booleans(),
)


def test_severity_times_die_times_100_50_25_and_10() -> None:
    assert PER_SLOT == (100, 50, 25, 10)
    assert losses_of(1, 1) == PER_SLOT
    assert losses_of(5, 6) == (3000, 1500, 750, 300)


@given(positions, st.lists(penalties(), max_size=4))
def test_what_is_taken_and_what_is_left_make_what_there_was(before: Position, given: list[Penalty]) -> None:
    """R47: never below 0, never more than it says, and from nobody else."""
    after, events = punish(before, given)
    assert after == punished(before, given)
    for name in NAMES:
        was, left = (alive_by_slot(position.by_name[name].troops) for position in (before, after))
        lost = [event.lost for event in events if event.army == name]
        assert all(number >= 0 for number in left)
        assert tuple(map(sum, zip(left, *lost, strict=True))) == was
    by_number = sorted((one for one in given if not one.after_battle), key=lambda one: one.number)
    for penalty, event in zip(by_number, events, strict=True):
        assert all(lost <= most for lost, most in zip(event.lost, penalty.takes, strict=True))
        assert bool(event.why_not) == (penalty.army == "Nobody")


@given(positions, st.lists(penalties(), max_size=4, unique_by=lambda one: one.number))
def test_a_settlement_takes_them_all_once_and_tells_of_each(before: Position, given: list[Penalty]) -> None:
    dice = turn_dice(b"seed", "penalties", 1)
    settled = settle(before, TurnInput(penalties=tuple(given)), dice)
    told = [event for event in settled.events if event.kind == "penalised"]
    assert sorted(event.number for event in told) == sorted(one.number for one in given)
    assert dice.rolls == []
    assert all(tell(event)["text"] for event in told)
    for name in NAMES:
        was, left = (sum(alive_by_slot(position.by_name[name].troops)) for position in (before, settled.position))
        assert left == was - sum(sum(event.lost) for event in told if event.army == name)


@given(positions, st.lists(penalties(), max_size=4))
def test_the_order_in_which_they_are_given_makes_no_difference(before: Position, given: list[Penalty]) -> None:
    unique = list({one.number: one for one in given}.values())
    assert punish(before, unique) == punish(before, unique[::-1])


def test_the_moves_are_worked_out_from_the_reduced_armies_and_tell_nothing_of_penalties() -> None:
    before = Position(Board(PLAINS), (army("Ben", "3D", (10, 0, 0, 0), halves=False),))
    penalty = Penalty(1, "Ben", "Cal", "5.4.1", "Not his.", severity=1, roll=1)
    moves = carry_out(before, TurnInput(penalties=(penalty,)), turn_dice(b"seed", "penalties", 1))
    assert [event.kind for event in moves.events] == []
    assert moves.places == {"Ben": read_square("3D")}


def test_without_penalties_the_map_is_the_same_object() -> None:
    before = Position(Board(PLAINS))
    assert punished(before, ()) is before
