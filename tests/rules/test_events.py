"""Events: each tells its own sentence, and reads back from JSON as it was written."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.simulation.mustering import demo_board
from scripts.simulation.playing import Simulation
from tests.rules.random_rulings import random_rulings
from tests.rules.random_turns import random_position, random_turn
from wargame.rules.core.board import Square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import KINDS, Event, Ruled
from wargame.rules.core.reasons import Reason
from wargame.rules.core.sides import Side
from wargame.rules.moves.events import Moved, Refused
from wargame.rules.settlement import carry_out, settle
from wargame.rules.settling.events import ChangeRefused, Penalised, Personalised, TroopsChanged
from wargame.rules.telling.telling import armies_of, event_from_json, event_to_json, tell

AT, TO = Square(3, 4), Square(3, 5)
RARE: tuple[Event, ...] = (
    TroopsChanged("Ana", AT, ((1, "Kris Mage", 600, 700),)),
    Personalised("Ana", AT, "Ben", "New Dawn", "", ()),
    ChangeRefused("Ana", "2.6", "It is in battle."),
    ChangeRefused("Ana", "2.6", "It is in battle.", AT),
    Penalised("Ana", 1, "5.4.1", "Ben", 2, 3, (600, 300, 150, 60), "It was not his."),
    Ruled("Ana", 1, "3.3.3", "Ana is set aside", "So be it.", "it is gone", AT, TO),
    Refused("Ana", Reason.TOO_FAR, (("start", "3D"), ("to", "9D"), ("steps", "6")), "Ben", "3D > 9D", at=AT),
)
"""Events that hardly come up by chance."""


def events_of_random_turns(seed: int) -> Iterator[Event]:
    random = Random(seed)
    position = random_position(random, 14)
    for number in (1, 2, 3):
        turn = replace(random_turn(random, position), rulings=random_rulings(random, position))
        yield from carry_out(position, turn, turn_dice(b"seed", "events", number)).events
        settled = settle(position, turn, turn_dice(b"seed", "events", number))
        yield from settled.events
        position = settled.position


def through_json(event: Event) -> Event:
    return event_from_json(json.loads(json.dumps(event_to_json(event))))


@settings(max_examples=60)
@given(st.integers(0, 10_000))
def test_an_event_reads_back_from_json_as_it_was_written(seed: int) -> None:
    for event in events_of_random_turns(seed):
        again = through_json(event)
        assert (again, again.sentence, tell(again)) == (event, event.sentence, tell(event))


def test_so_do_the_events_of_whole_rounds() -> None:
    """6: with mercenaries."""
    found: set[str] = set()
    for turn in Simulation(demo_board(), 2, perf_counter, 25).play(20):
        for event in turn.settled.events:
            found.add(event.kind)
            assert through_json(event) == event
    assert {"mercenary_decided", "spawning_rolled", "fought", "retreated", "engaged"} <= found


@pytest.mark.parametrize("event", RARE)
def test_so_do_rare_ones(event: Event) -> None:
    again = through_json(event)
    assert (again, again.sentence) == (event, event.sentence)


def test_every_kind_of_event_tells_its_own_sentence() -> None:
    assert len(KINDS) == 43
    for kind, event in KINDS.items():
        assert event.kind == kind
        assert event.sentence is not Event.sentence, kind


def test_two_events_of_one_kind_are_refused() -> None:
    with pytest.raises(TypeError, match="“moved”"):

        @dataclass(frozen=True, slots=True)
        class Strolled(Event):
            kind: ClassVar[str] = "moved"

    assert KINDS["moved"] is Moved


@pytest.mark.parametrize(
    "change, told",
    [
        ({"kind": "strolled"}, "there are no events of the kind “strolled”"),
        ({"kind": ["moved"]}, "there are no events of the kind"),
        ({"army": 3}, "“3” is no str"),
        ({"army": None}, "“None” is no str"),
        ({"side": "red"}, "“red” is none of coalition, phyrexia, mercenary"),
        ({"side": ["red"]}, "is none of"),
        ({"to": "far away"}, "is not a square"),
        ({"mood": "glad"}, "has no “mood”"),
    ],
)
def test_what_is_no_event_is_not_read(change: dict[str, Any], told: str) -> None:
    captured = {"kind": "captured", "army": "Ana", "by": "Gaz", "side": "phyrexia", "to": "5D"}
    event = event_from_json(captured)
    assert event.sentence == ("Ana is captured by Gaz and taken to 5D; it is now of Phyrexia, partially converted.")
    assert event == KINDS["captured"](army="Ana", by="Gaz", side=Side.PHYREXIA, to=TO)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match=told):
        event_from_json(captured | change)


def test_an_event_without_one_of_its_fields_is_not_read() -> None:
    with pytest.raises(ValueError, match="“captured” has no 'by'"):
        event_from_json({"kind": "captured", "army": "Ana", "side": "phyrexia", "to": "5D"})


def test_no_prose_is_stored_in_events() -> None:
    """What is told of an event follows from its kind and its fields, which are all that is stored."""
    for event in (*events_of_random_turns(1), *RARE):
        fields = {"from" if field.name == "start" else field.name for field in dataclasses.fields(event)}
        assert event_to_json(event).keys() == {"kind", *fields}
        assert list(tell(event))[:6] == ["kind", "cites", "text", "armies", "squares", "important"]


def test_the_armies_of_a_stored_event_are_those_that_are_told() -> None:
    for event in (*events_of_random_turns(2), *RARE):
        assert sorted(armies_of(event_to_json(event))) == sorted(tell(event)["armies"])
