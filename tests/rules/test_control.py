"""5.1 to 5.3, 1.6: what the cases of the control rules can't show."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from wargame.cases.control import CONTROL, NOW
from wargame.cases.reading import CaseError
from wargame.cases.running import check_case, read_cases, show_case
from wargame.rules.command.control import still_stands
from wargame.rules.command.control_list import ControlList, Listed, Person
from wargame.rules.command.faults import CommandFault
from wargame.rules.command.ranks import free_seats
from wargame.rules.command.screen_names import called, is_same_name, name_at, screen_name_faults
from wargame.rules.core.board import PLAINS, Board, read_square
from wargame.rules.core.faults import Finding, finding_from_json, finding_to_json
from wargame.rules.core.orders import Step
from wargame.rules.core.position import Army, Plan, PlannedStep, Position
from wargame.rules.core.sides import Rank, Side

CASES = Path(__file__).parent.parent / "cases"
DOCUMENTS = [
    document for path in sorted(CASES.glob("*.yaml")) for document in read_cases(path) if "command" in document
]
DAY = timedelta(days=1)


@pytest.mark.parametrize("fault", list(CommandFault), ids=lambda fault: fault.name)
def test_a_reason_of_the_control_rules_comes_about_in_a_case(fault: CommandFault) -> None:
    judged = [CONTROL.outcome(document) for document in DOCUMENTS]
    assert any(breach.fault is fault for each in judged for breach in (*each.breaches, *each.advice))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document["case"])
def test_every_sentence_has_all_its_facts_and_is_read_again_from_json(document: dict[str, object]) -> None:
    judged = CONTROL.outcome(document)
    for breach in (*judged.breaches, *judged.advice):
        assert "{" not in breach.sentence + breach.cites
        assert finding_from_json(CommandFault, finding_to_json(breach)) == breach


def test_a_case_tells_what_is_wrong_and_what_follows() -> None:
    (demoted,) = [d for d in DOCUMENTS if d["case"] == "5.3.1-demoted"]
    told = show_case(demoted)["parts"][0]["told"]
    assert told == ["Legal.", "Bo is free: no one controls it. (5.3.1)", "Dart is free: no one controls it. (5.3.1)"]


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ({"team": "coalition", "players": [{"name": "Ana", "rank": "cpl"}]}, "not a rank of the Coalition"),
        ({"team": "coalition", "players": [{"name": "Ana", "posted": "soon"}]}, "how long ago"),
        ({"team": "coalition", "players": [], "rank": {"by": "judge", "player": "Ana", "to": "admiral"}}, "no player"),
        ({"team": "coalition", "players": [], "request": {}, "rank": {}}, "not request and rank"),
        ({"team": "coalition", "players": [], "horses": 1}, "horses"),
    ],
)
def test_a_control_case_that_cannot_be_read_says_where(command: dict[str, object], named: str) -> None:
    with pytest.raises(CaseError, match=named):
        check_case({"case": "5.3.1-x", "command": command, "expect": {}})


def test_a_case_that_differs_is_told_in_words() -> None:
    (case,) = [d for d in DOCUMENTS if d["case"] == "5.3.1-higher-rank"]
    differing = {**case, "expect": {"rules": [], "control": {"Cob": "Ana"}}}
    rules, control = check_case(differing)
    assert "rules: expected [], came ['5.3.1']" in rules
    assert "control: Cob: expected Ana, came nobody" in control


# 5.2.2.2: exceptions


def listed(*armies: Listed, **person: object) -> ControlList:
    bo = Person("Bo", **{"rank": Rank.LIEUTENANT, "posted_at": NOW - DAY, **person})  # type: ignore[arg-type]
    ana = Person("Ana", Rank.GENERAL, NOW - DAY)
    return ControlList(Side.COALITION, (ana, bo), armies)


def breach(fault: CommandFault, army: str = "Cob") -> Finding:
    return Finding(fault, {"army": army, "player": "Bo"})


def test_an_exception_from_5_3_1_ends_with_the_control_or_with_a_promotion() -> None:
    held = Listed("Cob", Rank.CAPTAIN, ("Bo",))
    assert still_stands(breach(CommandFault.TOO_HIGH), listed(held), NOW)
    assert not still_stands(breach(CommandFault.TOO_HIGH), listed(held._replace(controllers=("Ana",))), NOW)
    assert not still_stands(breach(CommandFault.TOO_HIGH), listed(held, rank=Rank.CAPTAIN), NOW)
    assert not still_stands(breach(CommandFault.TOO_HIGH), listed(), NOW), "the army is dead"


def test_an_exception_from_5_3_2_ends_when_the_namesake_has_it_permits_it_or_is_inactive() -> None:
    army = Listed("Bo", Rank.LIEUTENANT, ("Ana",), "Bo")
    taken = breach(CommandFault.NAMESAKE, "Bo")
    assert still_stands(taken, listed(army), NOW)
    assert not still_stands(taken, listed(army._replace(controllers=("Ana", "Bo"))), NOW)
    assert not still_stands(taken, listed(army, permits=True), NOW)
    assert not still_stands(taken, listed(army, is_away=True), NOW)


def test_an_exception_from_5_3_4_ends_when_he_has_an_army_again() -> None:
    last = breach(CommandFault.LAST_ARMY, "Cob and Dart")
    army = Listed("Elk", Rank.LIEUTENANT, ("Ana",))
    assert still_stands(last, listed(army), NOW)
    assert not still_stands(last, listed(army._replace(controllers=("Bo",))), NOW)
    assert not still_stands(last, listed(army, rank=None), NOW)
    gone = ControlList(Side.COALITION, (Person("Ana", Rank.GENERAL, NOW),), (army,))
    assert not still_stands(last, gone, NOW), "who has left needs none"


def test_free_seats_are_what_is_left_of_the_maximum() -> None:
    """2.5.2.1."""
    assert free_seats(listed(), Rank.GENERAL) == 0
    assert free_seats(listed(), Rank.CAPTAIN) == 7
    assert free_seats(listed(), Rank.LIEUTENANT) is None


# 1.6: names


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Sai Rei", ""),
        ("Ünïcødé the 3rd", ""),
        ("Sai: Rei", "can't contain “:”"),
        ("Sai > Rei", "can't contain “>”"),
        ("Sai → Rei", "can't contain “→”"),
        ("Sai\x07Rei", "would break"),
        ("", "Choose a screen name"),
        ("x" * 41, "41 characters"),
        ("3D", "a square"),
        ("hold", "a word used in orders"),
        ("ANA", "“Ana” is taken"),
        ("a n a", ""),
    ],
)
def test_a_screen_name_must_be_fit_for_an_armys_name_and_nobodys(name: str, told: str) -> None:
    """1.6, 3.2.2.5."""
    faults = " ".join(screen_name_faults(name, ["Ana"]))
    assert told in faults
    assert bool(told) == bool(faults)


def test_names_are_one_without_case_and_blanks() -> None:
    assert is_same_name("Sai  Rei", "sai rei")
    assert not is_same_name("Sai Rei", "SaiRei")


def test_the_name_at_a_moment_is_the_one_that_he_had_then() -> None:
    first, second = (datetime(2026, 3, day, tzinfo=UTC) for day in (2, 9))
    former = [("Ana", first), ("Bo", second)]
    assert name_at("Ana", former, first - DAY) == "Ana"
    assert name_at("Ana", former, first) == "Bo"
    assert name_at("Ana", former, second) == "Ana"
    assert name_at("Ana", [], second) == "Ana"


def test_a_long_move_goes_on_for_a_player_under_his_new_name() -> None:
    """1.6, 3.2.2.3."""
    step = PlannedStep(Step(read_square("3D"), read_square("4D")), ())
    marching = Army("Cob", Side.COALITION, read_square("3D"), Rank.CAPTAIN, plan=Plan("Ana", (step,)))
    still = Army("Dart", Side.COALITION, read_square("9D"), Rank.CAPTAIN)
    position = Position(Board(tuple(PLAINS), (), ()), (marching, still))
    renamed = called(position, {"Ana": "Anna"})
    assert renamed.by_name["Cob"].plan == Plan("Anna", (step,))
    assert renamed.by_name["Dart"] is still
    assert called(position, {"Bo": "Bob"}) is position
