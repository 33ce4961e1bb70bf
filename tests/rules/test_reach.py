"""3.2.2: what an army could be ordered to do, square by square, agrees with what is accepted when it is posted."""

from wargame.rules.core.board import PLAINS, RANGE, Base, Board, read_square
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.turn import PostedLine
from wargame.rules.moves.commands import refusal_of_line
from wargame.rules.moves.reach import OrderChoice, choices_on_the_spot, reach_of
from wargame.rules.posts.notation import read_line

ARMIES = {
    "Ana": ("3D", Rank.LIEUTENANT),
    "Cap": ("2C", Rank.CAPTAIN),
    "Ben": ("3F", Rank.LIEUTENANT),
    "Gaz": ("5D", Rank.EVINCAR),
    "Hob": ("6A", Rank.CENTURION),
    "Ivo": ("6A", Rank.LIEUTENANT),
}
BOARD = Board(PLAINS, (Base("Rix", read_square("4D"), Side.PHYREXIA),))
MAP = Position(
    BOARD,
    sorted_armies([Army(name, rank.side, read_square(at), rank) for name, (at, rank) in ARMIES.items()]),
    (Battle(read_square("6A"), (("Ivo",), ("Hob",))),),
)


def choices(name: str, at: str) -> dict[str, OrderChoice]:
    goals = {str(goal.at): goal for goal in reach_of(MAP, MAP.by_name[name])}
    return {choice.kind: choice for choice in goals[at].choices}


def test_reach_is_every_square_on_the_map_within_three_steps() -> None:
    goals = reach_of(MAP, MAP.by_name["Ana"])
    assert {goal.steps for goal in goals} == {0, 1, 2, 3}
    assert all(goal.at.on_map and goal.at.distance(read_square("3D")) == goal.steps <= RANGE for goal in goals)
    assert len({goal.at for goal in goals}) == len(goals) == 1 + 4 + 8 + 11


def test_each_square_says_what_it_needs() -> None:
    assert choices("Ana", "4E")["move"].action == "3D > 4E"
    assert choices("Ana", "5D")["engage"].action == "3D > 5D; engage Gaz"
    assert choices("Ana", "3F")["replace"].action == "3D > 3F; replace Ben"
    assert choices("Ana", "3D").keys() == {"joint"}


def test_what_is_illegal_says_why_and_by_which_rule() -> None:
    built = choices("Ana", "4D")["joint"].refusal
    ranked = choices("Cap", "2D")["joint"].refusal
    assert built
    assert ranked
    assert (built.cites, ranked.cites) == ("3.2.5.4", "3.2.5.4")
    fighting = choices("Ivo", "7A")["move"].refusal
    assert fighting
    assert fighting.cites == "3.2.1"


def test_on_the_spot_an_army_may_hold_intercept_who_is_near_enough_to_cross_it_and_send_troops_to_neighbours() -> None:
    assert [choice.action for choice in choices_on_the_spot(MAP, MAP.by_name["Ana"])] == [
        "hold",
        "intercept Gaz",
        "transfer to Cap at 2C",
    ]


def test_every_choice_reads_back_and_is_accepted_exactly_when_it_says_so() -> None:
    for army in MAP.armies:
        offered = [choice for goal in reach_of(MAP, army) for choice in goal.choices]
        for choice in (*offered, *choices_on_the_spot(MAP, army)):
            read = read_line(f"{army.name}: {choice.action}", ARMIES)
            assert isinstance(read, ReadOrder), choice
            line = PostedLine("Ann", army.name, read.order, 0)
            refusal = refusal_of_line(MAP, line, {army.name: ("Ann",)})
            assert (refusal and refusal.cites) == (choice.refusal and choice.refusal.cites), choice
