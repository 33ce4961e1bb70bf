"""3.3.3, 1.3: rulings are inputs of a turn: each is carried out at its step, or said to change nothing."""

from dataclasses import replace

import pytest

from wargame.rules.core.board import PLAINS, Base, Board, Square, read_square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import Ruled
from wargame.rules.core.orders import ReadOrder, write_order
from wargame.rules.core.position import Army, Battle, Position, sorted_armies
from wargame.rules.core.rulings import DaysSet, EndsOn, RefusalLifted, SetAside, TakenAsGiven, TroopsSet, WinsSquare
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import PostedLine, Result, TurnInput
from wargame.rules.moves.events import Contested, Moved, Refused
from wargame.rules.posts.notation import read_line
from wargame.rules.settlement import Settlement, carry_out, settle
from wargame.rules.settling.events import DayCounted, Healed
from wargame.rules.telling.telling import tell

RED_BASE = Base("Red Base", read_square("20H"), Side.COALITION, "red")
BOARD = Board(PLAINS, (RED_BASE,))
SAID = (1, "3.3.3", "The post was misread.")


def army(name: str, at: str, rank: Rank | Faction = Rank.CAPTAIN, **more: object) -> Army:
    """An army with 1000 of each slot, 100 of which are missing."""
    troops = tuple(Troop(slot, f"Kind {slot}", 900, 1000, ("red",)) for slot in (1, 2, 3, 4))
    side = Side.MERCENARY if isinstance(rank, Faction) else rank.side
    title = {"faction": rank} if isinstance(rank, Faction) else {"rank": rank}
    return Army(name, side, read_square(at), colors=("red",), troops=troops, **{**title, **more})  # type: ignore[arg-type]


ANA, BEN = army("Ana", "3D"), army("Ben", "6D")
GAZ, HEX = army("Gaz", "3H", Rank.EVINCAR), army("Hex", "8H", Rank.CENTURION)
NAMES = ("Ana", "Ben", "Gaz", "Hex", "Raiders")


def lines(*texts: str) -> tuple[PostedLine, ...]:
    """Orders, each by the player who has the name of its army, one minute after the other."""
    found = [read_line(text, NAMES) for text in texts]
    assert all(isinstance(line, ReadOrder) for line in found)
    return tuple(
        PostedLine(line.army, line.army, line.order, 60 * place, (place, 1), text=line.text)
        for place, line in enumerate(found, 1)
        if isinstance(line, ReadOrder)
    )


def given(posted: tuple[PostedLine, ...], *rulings: object, **more: object) -> TurnInput:
    control = {name: (name,) for name in NAMES}
    return TurnInput(posted, control, rulings=rulings, **more)  # type: ignore[arg-type]


def played(armies: list[Army], turn: TurnInput, battles: tuple[Battle, ...] = ()) -> Settlement:
    """The settlement; the draft must tell the same of the moves."""
    position = Position(BOARD, sorted_armies(armies), battles)
    drafted = carry_out(position, turn, turn_dice(b"seed", "trial", 1))
    settled = settle(position, turn, turn_dice(b"seed", "trial", 1))
    assert set(map(str, drafted.events)) <= set(map(str, settled.events))
    return settled


def at(settled: Settlement, name: str) -> str:
    return str(settled.position.by_name[name].at)


def ruled(settled: Settlement) -> list[Ruled]:
    return [event for event in settled.events if isinstance(event, Ruled)]


def why_nothing(event: Ruled) -> str:
    """3.3.3: why a ruling changes nothing, in words."""
    return event.why_not.text if event.why_not else ""


def order(name: str, text: str) -> TakenAsGiven:
    read = read_line(f"{name}: {text}", NAMES)
    assert isinstance(read, ReadOrder)
    return TakenAsGiven(*SAID, name, read.order, write_order(name, read.order))


def test_an_order_that_is_taken_as_given_counts_instead_of_the_posted_one() -> None:
    settled = played([ANA], given(lines("Ana: 3D > 5D"), order("Ana", "3D > 3F")))
    assert at(settled, "Ana") == "3F"
    assert [str(event.to) for event in settled.events if isinstance(event, Moved)] == ["3F"]


def test_a_ruling_is_told_with_its_rule_and_reason() -> None:
    settled = played([ANA], given((), order("Ana", "3D > 3F")))
    told = tell(ruled(settled)[0])
    assert told["text"] == "Ruling 1: the order of Ana is taken to be “Ana: 3D > 3F”. The post was misread."
    assert (told["kind"], told["cites"], told["important"]) == ("ruled", "3.3.3", True)
    assert (told["armies"], told["squares"]) == (["Ana"], ["3D"])


def test_an_order_taken_as_given_is_carried_out_though_it_is_too_far() -> None:
    settled = played([ANA], given((), order("Ana", "3D > 8F")))
    assert at(settled, "Ana") == "8F"
    moved = next(event for event in settled.events if isinstance(event, Moved))
    assert "-".join(map(str, moved.route)) == "3D-3E-3F-4F-5F-6F-7F-8F"


def test_an_order_taken_as_given_starts_where_the_army_stands() -> None:
    assert at(played([ANA], given((), order("Ana", "9K > 4D (9K - 9J - 4D)"))), "Ana") == "4D"


def test_an_order_taken_as_given_comes_after_all_that_were_posted() -> None:
    far = BEN._replace(at=read_square("5D"))
    settled = played([ANA, far], given(lines("Ben: 5D > 4D"), order("Ana", "3D > 4D")))
    assert at(settled, "Ben") == "4D"
    assert at(settled, "Ana") == "3D"


@pytest.mark.parametrize(
    ("text", "why_not"),
    [
        ("3D > 3Z", "3Z is not on the map"),
        ("intercept Ben", "only an enemy can be intercepted, not Ben"),
        ("transfer to Gaz at 3H", "troops can only go to a friend, not to Gaz"),
        ("intercept Raiders", "no army on the map is called Raiders"),
    ],
)
def test_what_no_ruling_can_make_possible_changes_nothing(text: str, why_not: str) -> None:
    settled = played([ANA, BEN, GAZ], given(lines("Ana: 3D > 4D"), order("Ana", text)))
    assert at(settled, "Ana") == "4D"
    assert why_not in why_nothing(ruled(settled)[0])


def test_a_lifted_refusal_lets_the_army_move() -> None:
    settled = played([ANA], given(lines("Ana: 3D > 7D"), RefusalLifted(*SAID, "Ana")))
    assert at(settled, "Ana") == "7D"
    assert not [event for event in settled.events if isinstance(event, Refused)]


def test_nothing_is_lifted_where_nothing_was_refused() -> None:
    settled = played([ANA], given(lines("Ana: 3D > 4D"), RefusalLifted(*SAID, "Ana")))
    assert at(settled, "Ana") == "4D"
    assert why_nothing(ruled(settled)[0]) == "none of the army's orders was refused (R14)"


def test_the_refusal_of_a_strangers_order_can_be_lifted() -> None:
    (line,) = lines("Ana: 3D > 4D")
    settled = played([ANA], given((line._replace(by="Gaz"),), RefusalLifted(*SAID, "Ana")))
    assert at(settled, "Ana") == "4D"


def test_the_refused_step_of_a_long_move_is_lifted_and_the_rest_goes_on() -> None:
    first = played([ANA, GAZ], given(lines("Ana: 3D > 3F > 3H; engage Hex > 3K")))
    assert at(first, "Ana") == "3F"
    turn = given((), RefusalLifted(*SAID, "Ana"))
    wrong = played(list(first.position.armies), given(()))
    assert [event.reason.name for event in wrong.events if isinstance(event, Refused)] == ["WRONG_TARGET"]
    settled = played(list(first.position.armies), turn)
    assert at(settled, "Ana") == "3H"
    assert settled.position.battles[0].armies == ("Ana", "Gaz")


def test_an_army_that_is_set_aside_stays_and_its_long_move_ends() -> None:
    first = played([ANA], given(lines("Ana: 3D > 3F > 3H")))
    settled = played(list(first.position.armies), given((), SetAside(*SAID, "Ana")))
    assert at(settled, "Ana") == "3F"
    assert settled.position.by_name["Ana"].plan is None
    assert "plan_cancelled" in [event.kind for event in settled.events]


def test_a_judge_says_where_a_move_ends() -> None:
    settled = played([ANA, GAZ], given(lines("Ana: 3D > 5D"), EndsOn(*SAID, "Ana", read_square("3H"))))
    assert at(settled, "Ana") == "3H"
    assert settled.position.battles == (Battle(read_square("3H"), (("Ana",), ("Gaz",)), 1),)
    assert not [event for event in settled.events if isinstance(event, Moved)]


@pytest.mark.parametrize(
    ("square", "why_not"),
    [
        ("6D", "the move of Ben ends there, and two friends can't share a square (3.3.1)"),
        ("40D", "40D is not on the map (1.2)"),
        ("8H", "two other sides meet there (3.3.5)"),
    ],
)
def test_an_army_is_not_placed_where_it_cannot_stand(square: str, why_not: str) -> None:
    raiders = army("Raiders", "8H", Faction.RAIDER)
    fight = Battle(read_square("8H"), (("Hex",), ("Raiders",)), 0)
    armies = [ANA, BEN, GAZ, HEX, raiders]
    ruling = EndsOn(*SAID, "Ana", read_square(square))
    result = Result(fight.at, ("Hex",), {"Hex": (0, 0, 0, 0), "Raiders": (0, 0, 0, 0)})
    settled = played(armies, given((), ruling, results=(result,)), (fight,))
    assert at(settled, "Ana") == "3D"
    assert why_nothing(ruled(settled)[0]) == why_not


def test_an_army_that_fights_is_neither_ordered_nor_placed_elsewhere() -> None:
    fight = Battle(read_square("3D"), (("Ana",), ("Gaz",)), 0)
    result = Result(fight.at, ("Ana",), {"Ana": (1, 0, 0, 0), "Gaz": (2, 0, 0, 0)})
    turn = given((), order("Ana", "3D > 4D"), EndsOn(2, *SAID[1:], "Gaz", read_square("3K")), results=(result,))
    settled = played([ANA, GAZ._replace(at=ANA.at)], turn, (fight,))
    assert [why_nothing(event) for event in ruled(settled)] == [
        "the army is in battle this turn (3.2.1)",
        "the army is in battle this turn and stays (R19)",
    ]


def test_a_judge_says_who_has_a_square() -> None:
    near = BEN._replace(at=read_square("5D"))
    posted = lines("Ben: 5D > 4D", "Ana: 3D > 4D")
    assert at(played([ANA, near], given(posted)), "Ben") == "4D"
    settled = played([ANA, near], given(posted, WinsSquare(*SAID, "Ana", read_square("4D"))))
    assert (at(settled, "Ana"), at(settled, "Ben")) == ("4D", "5D")
    contest = next(event for event in settled.events if isinstance(event, Contested))
    assert (contest.by, contest.winner, contest.losers) == ("ruling", "Ana", ("Ben",))


def test_an_army_that_stays_gives_way_to_the_one_that_a_judge_prefers() -> None:
    settled = played([ANA, BEN], given(lines("Ana: 3D > 6D; replace Ben"), WinsSquare(*SAID, "Ana", BEN.at)))
    assert at(settled, "Ana") == "6D"
    assert at(settled, "Ben") != "6D"
    assert BEN.at.distance(settled.position.by_name["Ben"].at) == 1


def test_a_ruling_on_a_contest_that_did_not_come_about_says_so() -> None:
    settled = played([ANA, BEN], given((), WinsSquare(*SAID, "Ana", read_square("4D"))))
    assert why_nothing(ruled(settled)[0]) == "the army did not contest that square with a friend"


EMPTY = HEX._replace(troops=(), at=read_square("5G"))
PAIR = lines("Ana: 5E > 5G; joint engage", "Ben: 5F > 5G; joint engage")
LEFT_ALONE = [
    ANA._replace(at=read_square("5E"), rank=Rank.LIEUTENANT),
    BEN._replace(at=read_square("5F"), rank=Rank.LIEUTENANT),
    EMPTY,
]
"""R26: two armies whose enemy dies at once; Ben is the nearer one."""


def test_a_ruling_says_which_of_a_pair_that_is_left_alone_keeps_the_square() -> None:
    """R26, R21: their enemy had no troops left, and two friends can't stay on its square."""
    by_the_rules = played(LEFT_ALONE, given(PAIR))
    assert (at(by_the_rules, "Ana"), at(by_the_rules, "Ben")) == ("5F", "5G")
    settled = played(LEFT_ALONE, given(PAIR, WinsSquare(*SAID, "Ana", EMPTY.at)))
    assert (at(settled, "Ana"), at(settled, "Ben")) == ("5G", "5F")
    contest = next(event for event in settled.events if isinstance(event, Contested))
    assert (contest.by, contest.winner, contest.losers) == ("ruling", "Ana", ("Ben",))
    assert [(event.number, why_nothing(event)) for event in ruled(settled)] == [(1, "")]


def test_a_ruling_on_a_pair_that_is_left_alone_may_change_nothing() -> None:
    settled = played(LEFT_ALONE, given(PAIR, WinsSquare(*SAID, "Ben", EMPTY.at)))
    assert [why_nothing(event) for event in ruled(settled)] == [
        "by the rules, the army gets that square anyway (3.3.1)"
    ]
    assert settled.position == played(LEFT_ALONE, given(PAIR)).position


def test_a_ruling_on_a_pair_whose_enemy_lives_says_so() -> None:
    armies = [*LEFT_ALONE[:2], HEX._replace(at=EMPTY.at)]
    settled = played(armies, given(PAIR, WinsSquare(*SAID, "Ana", EMPTY.at)))
    assert settled.position.battles[0].at == EMPTY.at
    assert [why_nothing(event) for event in ruled(settled)] == ["the army was not left alone there with a friend (R26)"]


def test_of_two_rulings_on_one_army_the_later_counts() -> None:
    turn = given(lines("Ana: 3D > 5D"), order("Ana", "3D > 4D"), SetAside(2, *SAID[1:], "Ana"))
    settled = played([ANA], turn)
    assert at(settled, "Ana") == "3D"
    assert [bool(why_nothing(event)) for event in ruled(settled)] == [True, False]
    assert why_nothing(ruled(settled)[0]) == "ruling 2 on the same thing counts instead"


@pytest.mark.parametrize(
    ("posted", "ruling", "why_not"),
    [
        ((), SetAside(*SAID, "Ana"), "the army would stay on its square anyway"),
        (("Ana: hold",), order("Ana", "hold"), "the army would stay on its square anyway"),
        (("Ana: 3D > 5D",), order("Ana", "3D > 5D"), "the army was already ordered to do that"),
        (("Ana: 3D > 5D",), EndsOn(*SAID, "Ana", read_square("5D")), "the army's move would end there anyway"),
        (
            ("Ana: 3D > 4D", "Ben: 6D > 4D"),
            WinsSquare(*SAID, "Ana", read_square("4D")),
            "by the rules, the army gets that square anyway",
        ),
        ((), TroopsSet(*SAID, "Ana", 1, 900), "that many are alive anyway"),
        ((), DaysSet(*SAID, "Ana", 0), "the army has that many anyway"),
    ],
)
def test_a_ruling_that_says_what_happens_anyway_says_that_it_changes_nothing(
    posted: tuple[str, ...], ruling: object, why_not: str
) -> None:
    settled = played([ANA, BEN], given(lines(*posted), ruling))
    told = ruled(settled)[0]
    assert why_nothing(told).startswith(why_not)
    assert settled.position == played([ANA, BEN], given(lines(*posted))).position


def test_a_ruling_that_changes_nothing_is_told_with_its_reason() -> None:
    settled = played([ANA], given((), SetAside(1, "3.3.3", "He wrote “wait”", "Ana")))
    assert tell(ruled(settled)[0])["text"] == (
        "Ruling 1: the orders of Ana are set aside, and the army stays. He wrote “wait” "
        "It changes nothing: the army would stay on its square anyway."
    )
    settled = played([ANA], given((), SetAside(1, "3.3.3", "He said so", "Ana")))
    assert "He said so. It changes nothing" in tell(ruled(settled)[0])["text"]


def test_a_refusal_that_is_lifted_for_an_army_that_then_stays_is_told_of_as_a_change() -> None:
    """The report has no refusal any more."""
    settled = played([ANA], given(lines("Ana: 3D > 9D"), SetAside(*SAID, "Ana")))
    assert why_nothing(ruled(settled)[0]) == ""
    assert not [event for event in settled.events if isinstance(event, Refused)]


def test_troops_are_set_after_the_battles_and_before_the_new_ones() -> None:
    settled = played([ANA], given((), TroopsSet(*SAID, "Ana", 2, 250)))
    assert [troop.alive for troop in settled.position.by_name["Ana"].troops] == [900, 250, 900, 900]


def test_an_army_that_a_ruling_empties_dies_when_it_is_attacked() -> None:
    """4.3.1, R26."""
    small = ANA._replace(troops=ANA.troops[:1])
    turn = given(lines("Gaz: 3H > 3F > 3D; engage Ana"), TroopsSet(*SAID, "Ana", 1, 0))
    near = GAZ._replace(at=read_square("3F"))
    turn = replace(turn, lines=lines("Gaz: 3F > 3D; engage Ana"))
    settled = played([small, near], turn)
    assert list(settled.position.by_name) == ["Gaz"]
    assert settled.position.battles == ()


@pytest.mark.parametrize(
    ("ruling", "why_not"),
    [
        (TroopsSet(*SAID, "Ana", 1, 1001), "the army's strength there is only 1000"),
        (TroopsSet(*SAID, "Ana", 1, 5, "Goblin"), "the army has no such troops in slot 1"),
        (TroopsSet(*SAID, "Ben", 1, 5), "slot 1 has several creatures (Elf, Orc); name one"),
        (TroopsSet(*SAID, "Hex", 1, 5), "no army on the map is called Hex"),
        (DaysSet(*SAID, "Ana", 2), "days on 3D don't count for this army (1.5)"),
        (DaysSet(*SAID, "Ana", -1), "days must be 0 to 99"),
        (DaysSet(*SAID, "Hex", 2), "the army is no longer on the map"),
    ],
)
def test_troops_and_days_that_cannot_be_are_not_set(ruling: object, why_not: str) -> None:
    ben = BEN._replace(troops=(Troop(1, "Elf", 10, 10), Troop(1, "Orc", 10, 10)))
    settled = played([ANA, ben], given((), ruling))
    assert why_nothing(ruled(settled)[0]) == why_not


def test_days_that_a_judge_raises_are_counted_and_heal() -> None:
    """1.5, 2.3.1.2: in a base of its colour a day restores what fell before it."""
    home = ANA._replace(at=RED_BASE.at, days=1)
    attacked = lines("Gaz: 20J > 20H; engage Ana")
    gaz = GAZ._replace(at=read_square("20J"))
    without = played([home, gaz], given(attacked))
    assert not [event for event in without.events if isinstance(event, DayCounted | Healed)]
    settled = played([home, gaz], given(attacked, DaysSet(*SAID, "Ana", 2)))
    assert settled.position.by_name["Ana"].days == 2
    assert [event.army for event in settled.events if isinstance(event, Healed)] == ["Ana"]


def test_troops_that_a_judge_takes_do_not_come_back_with_the_same_day() -> None:
    """R32: no day counts for what was lost in it, in whatever way."""
    home = ANA._replace(at=RED_BASE.at, days=1)
    settled = played([home], given((), TroopsSet(*SAID, "Ana", 1, 500)))
    first, second, *_ = settled.position.by_name["Ana"].troops
    assert (first.alive, second.alive) == (600, 1000)


def test_days_that_a_judge_takes_away_heal_nobody() -> None:
    home = ANA._replace(at=RED_BASE.at, days=1)
    assert [e.army for e in played([home], given(())).events if isinstance(e, Healed)] == ["Ana"]
    settled = played([home], given((), DaysSet(*SAID, "Ana", 0)))
    assert settled.position.by_name["Ana"].days == 0
    assert not [event for event in settled.events if isinstance(event, Healed)]


def test_a_turn_without_rulings_tells_of_none() -> None:
    assert not ruled(played([ANA], given(lines("Ana: 3D > 4D"))))


def test_the_order_in_which_rulings_arrive_changes_nothing() -> None:
    """R18: their numbers decide."""
    rulings = (order("Ana", "3D > 4D"), SetAside(2, *SAID[1:], "Ana"), EndsOn(3, *SAID[1:], "Ana", Square(5, 5)))
    assert played([ANA], given((), *rulings)) == played([ANA], given((), *reversed(rulings)))


@pytest.mark.parametrize("first", ["Ana", "Ben"])
def test_of_two_orders_that_were_taken_as_given_the_one_ruled_on_first_counts(first: str) -> None:
    """R21, 3.3.1: nobody posted them, and what the armies are called decides nothing."""
    second = {"Ana": "Ben", "Ben": "Ana"}[first]
    armies = [army(first, "3D"), army(second, "5D")]
    rulings = order(first, "3D > 4D"), replace(order(second, "5D > 4D"), number=2)

    assert at(played(armies, given((), *rulings)), first) == "4D"
