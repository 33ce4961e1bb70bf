"""11, 3: a ruling, an agreement or a concession that ends the game ends it before the first turn too."""

from dataclasses import replace
from functools import cache

import pytest

from tables.core import engine
from tables.core.entries import Entry
from tables.core.reducer import step
from tables.core.state import Options
from tables.games import RULES
from tables.games.altered.agreements import all_suggested
from tables.simulation import begun, opening
from tests.tables.test_rulings_meanwhile import cards

AGREED = Options("default", agreed=all_suggested())
TABLES = {
    "kryptik": (("AB", Options()), ("ABC", Options("krucible"))),
    "seize": (
        ("AB", Options("standard")), ("AB", Options("arena")), ("AB", Options("guild master")),
        (("A1", "B1", "A2", "B2"), Options("arena")), ("ABC", Options("guild master")),
    ),
    "altered": (("AB", Options("default")), ("AB", AGREED)),
    "free": (("AB", Options()),),
}  # fmt: skip
EACH = [(game, *table) for game, tables in TABLES.items() for table in tables]


def _state(game, seats, options):
    if game == "free":
        return begun(RULES[game], opening(RULES[game], cards("kryptik"), 3, seats, options))
    return begun(RULES[game], opening(RULES[game], cards(game), 3, seats, options))


def _posted(rules, state, by, line):
    outcome = step(rules, state, Entry("act", by, (line,)))
    assert outcome.reason is None, (line, outcome.reason)
    return outcome.state


@cache
def _set_up(game, seats, options):
    """The table at each decision of its set-up; free tables have none, and stand at their first turn."""
    rules, state = RULES[game], _state(game, seats, options)
    found = [state]
    while state.turn.at == "setup" and state.result is None:
        seat, kind = engine.waits_for(state)[0][0], engine.waits_for(state)[1]
        entry = Entry("act", seat, ("agree suggested",)) if kind == "agree" else Entry("tick", seat)
        outcome = step(rules, state, entry)
        assert outcome.reason is None, outcome.reason
        state = outcome.state
        found.append(state)
    return [state for state in found if state.turn.at == "setup" or game == "free"]


@pytest.mark.parametrize(("game", "seats", "options"), EACH)
@pytest.mark.parametrize("how", ["ruled", "agreed", "conceded"])
def test_who_has_won_before_the_first_turn_has_won(game, seats, options, how):
    rules, seats = RULES[game], tuple(seats)
    states = _set_up(game, seats, options)
    assert states
    for state in states:
        winner = seats[-1]
        side = state.side(winner)
        losers = [seat for seat in seats if state.side(seat) != side]
        if how == "ruled":
            program = "; ".join(f"{seat} loses" for seat in losers)
            outcome = step(rules, state, Entry("ruling", "judge", (program,), 0, "3", "They did not come."))
            assert outcome.reason is None, outcome.reason
            state = outcome.state
        elif how == "agreed":
            state = _posted(rules, state, losers[0], "propose: " + "; ".join(f"{seat} loses" for seat in losers))
            for seat in seats:
                if seat != losers[0]:
                    state = _posted(rules, state, seat, "accept 1")
        else:
            for seat in losers:
                state = _posted(rules, state, seat, "concede!")
        assert state.result is not None, engine.waits_for(state)
        assert state.result.won == side
        assert engine.waits_for(state) == ((), "")


@pytest.mark.parametrize(("game", "seats", "options"), [each for each in EACH if len(each[1]) > 2])
@pytest.mark.parametrize("how", ["ruled", "conceded"])
def test_the_others_go_on_without_who_is_out_before_the_first_turn(game, seats, options, how):
    rules = RULES[game]
    for state in _set_up(game, tuple(seats), options):
        for out in seats:
            if how == "ruled":
                after = step(rules, state, Entry("ruling", "judge", (f"{out} loses",), 0, "3", "Gone.")).state
            else:
                after = _posted(rules, state, out, "concede!")
            for _ in range(60):
                waited, kind = engine.waits_for(after)
                assert waited, kind
                assert out not in waited, (out, kind)
                assert after.result is None
                if after.turn.at != "setup" and after.turn.entered:
                    break
                outcome = step(rules, after, Entry("tick", waited[0]))
                assert outcome.reason is None, (kind, outcome.reason)
                after = outcome.state
            assert after.turn.of != out


def test_a_table_of_earlier_rules_goes_on_as_it_was():
    """T6: its log is carried out by the rules with which it was opened."""
    state = replace(_state("kryptik", "AB", Options()), version=4)

    state = step(RULES["kryptik"], state, Entry("ruling", "judge", ("A wins",), 0, "3", "So it was.")).state

    assert state.result is None
