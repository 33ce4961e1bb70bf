"""A12: what the document leaves open is proposed and accepted before anything starts; a change later is a ruling."""

from pathlib import Path

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.lists.cardlist import CardList, read_list
from tables.core.options import played_by
from tables.core.reducer import Outcome, step
from tables.core.state import Options, State
from tables.core.views import view
from tables.games.altered.agreements import NotAnAnswer, answers, line_of
from tables.games.altered.rules import ALTERED
from tables.games.options import OPTIONS
from tables.reading import read_file
from tables.simulation import opening

DEMO = Path(__file__).parents[2] / "fixtures" / "cards" / "altered-demo.yaml"
FIRST = "agree 1: hand 5, mana 2"


@pytest.fixture(scope="module")
def asked() -> State:
    """A table whose players have just sat down."""
    cards = read_list(read_file(DEMO)[0])
    assert isinstance(cards, CardList)
    return engine.started(ALTERED, opening(ALTERED, cards.cards, 3, "AB", Options("default"))).state


def said(state: State, *lines: tuple[str, str]) -> State:
    """Each says his line."""
    for seat, line in lines:
        outcome = act(state, seat, line)
        assert outcome.reason is None, outcome.reason
        state = outcome.state
    return state


def act(state: State, seat: str, line: str) -> Outcome:
    """One says a line."""
    return step(ALTERED, state, Entry("act", seat, (line,), 1))


def test_a_line_answers_several_questions_and_is_written_as_it_is_read() -> None:
    found = answers(1, "hand 6, mana 3; 4: Reserve; 3: Whoever smiles; then we see")
    assert found == ((1, "hand 6, mana 3"), (4, "reserve"), (3, "Whoever smiles; then we see"))
    assert line_of(found) == "agree 1: hand 6, mana 3; 4: reserve; 3: Whoever smiles; then we see"


@pytest.mark.parametrize(
    ("number", "text", "told"),
    [
        (1, "leave open", "The game needs it to start"),
        (4, "reserve; 4: discard", "Answer each question only once per line"),
        (11, "x", "no question 11"),
    ],
)
def test_an_answer_that_cannot_be_given_says_why(number: int, text: str, told: str) -> None:
    with pytest.raises(NotAnAnswer, match=told):
        answers(number, text)


def test_who_has_proposed_is_not_waited_for_and_the_other_is(asked: State) -> None:
    one = said(asked, ("A", FIRST))
    other = said(one, ("B", "agree 1: hand 6, mana 3"))
    assert [engine.waits_for(state)[0] for state in (asked, one, other)] == [("A", "B"), ("B",), ("A",)]


def test_nothing_starts_while_a_proposal_waits_even_if_all_that_must_be_is_settled(asked: State) -> None:
    waiting = said(asked, ("A", f"{FIRST}; 3: Whoever smiles first"), ("B", FIRST))
    assert engine.waits_for(waiting) == (("B",), "agree")
    started = said(waiting, ("B", "agree 3: Whoever smiles first"))
    assert engine.waits_for(started)[1] == "mana"
    assert started.options.agreed == ((1, "hand 5, mana 2"), (3, "Whoever smiles first"))


def test_who_says_yes_to_all_that_is_proposed_is_offered_the_line_for_it(asked: State) -> None:
    waiting = said(asked, ("A", f"{FIRST}; 4: reserve"))
    shown = view(ALTERED, waiting, "B")
    assert shown["waits"]["options"][0] == f"{FIRST}; 4: reserve"
    assert shown["agreeing"]["said"] == [
        {"by": "A", "number": 1, "wording": "hand 5, mana 2"}, {"by": "A", "number": 4, "wording": "reserve"},
    ]  # fmt: skip
    assert engine.waits_for(said(waiting, ("B", shown["waits"]["options"][0])))[1] == "mana"


def test_a_question_that_both_leave_open_has_no_agreement_and_its_default_holds(asked: State) -> None:
    waiting = said(asked, ("A", f"{FIRST}; 4: reserve"), ("B", f"{FIRST}; 4: leave open"))
    assert engine.waits_for(waiting) == (("A",), "agree")
    assert said(waiting, ("A", "agree 4: leave open")).options.agreed == ((1, "hand 5, mana 2"),)


def test_what_was_agreed_may_be_opened_again_until_the_start(asked: State) -> None:
    both = said(asked, ("A", f"{FIRST}; 4: reserve; 5: fleeting"), ("B", "agree 4: reserve; 5: not fleeting"))
    assert both.options.agreed == ((4, "reserve"),)
    changed = said(both, ("A", "agree 4: discard; 5: not fleeting"), ("B", f"{FIRST}; 4: discard"))
    assert changed.options.agreed == ((1, "hand 5, mana 2"), (4, "discard"), (5, "not fleeting"))


def test_to_say_what_holds_already_is_refused(asked: State) -> None:
    both = said(asked, ("A", "agree 4: reserve"), ("B", "agree 4: reserve"))
    outcome = act(both, "A", "agree 4: reserve")
    assert outcome.reason is not None
    assert outcome.reason.cites == ("A12",)


def test_a_change_after_the_start_is_a_ruling_that_outcomes_cite(asked: State) -> None:
    started = said(asked, ("A", FIRST), ("B", FIRST))
    ruling = Entry("ruling", "judge", ("agreement 4: reserve",), 2, cites="A17", reason="Both meant it so.")
    outcome = step(ALTERED, started, ruling)
    assert outcome.state.options.agreed == ((1, "hand 5, mana 2"), (4, "reserve"))
    assert [event.kind for event in outcome.events if event.kind in ("ruling", "agreed")] == ["ruling", "agreed"]
    assert engine.waits_for(outcome.state) == engine.waits_for(started)
    late = act(started, "A", "agree 4: reserve")
    assert late.reason is not None


def test_both_may_change_an_agreement_by_a_proposal_too(asked: State) -> None:
    started = said(asked, ("A", FIRST), ("B", FIRST), ("A", "propose: agreement 4: reserve (we forgot)"))
    assert view(ALTERED, started, "B")["proposals"][0]["says"] == "agreement 4: reserve (we forgot)"
    assert dict(said(started, ("B", "accept 1")).options.agreed)[4] == "reserve"


def test_a_ruling_that_cannot_be_agreed_on_is_refused(asked: State) -> None:
    started = said(asked, ("A", FIRST), ("B", FIRST))
    outcome = step(ALTERED, started, Entry("ruling", "judge", ("agreement 7: much",), 2, cites="A20", reason="No."))
    assert outcome.reason is not None
    assert outcome.reason.cites == ("A12",)


def test_the_service_says_which_wordings_it_cannot_carry_out() -> None:
    agreed = ((1, "hand 5, mana 2"), (3, "Whoever smiles first"), (7, "4"), (4, "reserve"))
    lines = {
        line.key: line for line in played_by(OPTIONS["altered"], Options(agreed=agreed)) if line.section == "agreement"
    }
    assert {key: lines[key].enforced for key in "13479"} == {"1": True, "3": False, "4": True, "7": True, "9": False}
