"""Events: each tells its own sentence, and reads back from JSON as it was written."""

import dataclasses
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from time import perf_counter
from typing import Any, ClassVar

import pytest
from django.utils import translation
from hypothesis import given, settings
from hypothesis import strategies as st

from scripts.simulation.mustering import demo_board
from scripts.simulation.playing import Simulation
from tests.rules.random_rulings import random_rulings
from tests.rules.random_turns import random_position, random_turn
from wargame.rules.armies.findings import MusterFault, MusterFinding, MusterWords, colors_in_words
from wargame.rules.core.board import Square
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import KINDS, Event, Ruled
from wargame.rules.core.phrases import Phrase, Phrases, phrase_from_json, phrase_in, phrase_to_json
from wargame.rules.core.reasons import Reason
from wargame.rules.core.rulings import WhatIsRuled, WhyNothing
from wargame.rules.core.sides import Side
from wargame.rules.mercenaries.reasoning import Course, Why
from wargame.rules.moves.events import Moved, Refused, WhyCancelled
from wargame.rules.settlement import carry_out, settle
from wargame.rules.settling.events import (
    ChangeRefused,
    Fought,
    Penalised,
    Personalised,
    TroopsChanged,
    WhyCut,
    WhyLost,
    WhyNoDay,
    WhyWon,
)
from wargame.rules.telling.telling import armies_of, event_from_json, event_to_json, tell

AT, TO = Square(3, 4), Square(3, 5)
NOT_HEALING = MusterFinding(MusterFault.NOT_HEALING, {"army": "Ana", "why": MusterWords.FEW_DAYS(days=1)})
FOREIGN = MusterFinding(
    MusterFault.FOREIGN_COLOR,
    {"creature": "Elves", "colors": colors_in_words(("green",)), "own": colors_in_words(("red", "white"))},
)
RARE: tuple[Event, ...] = (
    TroopsChanged("Ana", AT, ((1, "Kris Mage", 600, 700),)),
    Personalised("Ana", AT, "Ben", "New Dawn", "", ()),
    ChangeRefused("Ana", "2.6", (MusterFinding(MusterFault.ARMY_GONE, {"cites": "2.6"}),)),
    ChangeRefused("Ana", "2.3.2", (NOT_HEALING, FOREIGN), AT),
    Penalised("Ana", 1, "5.4.1", "Ben", 2, 3, (600, 300, 150, 60), "It was not his."),
    Ruled("Ana", 1, "3.3.3", WhatIsRuled.ASIDE(army="Ana"), "So be it.", WhyNothing.ARMY_GONE(), AT, TO),
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


def in_words(event: Event) -> dict[str, Any]:
    """An event as the versions had it that stored phrases in words."""
    stored, told = event_to_json(event), tell(event)
    return {
        key: told.get(key, value) if key in ("what", "why", "why_not", "considered") else value
        for key, value in stored.items()
    }


def test_events_that_were_stored_in_words_are_read_as_the_same_codes() -> None:
    """6, R17, 1.5: the past is read whatever version stored it."""
    turns = Simulation(demo_board(), 2, perf_counter, 25).play(20)
    played = [event for turn in turns for event in turn.settled.events]
    said = [event for event in (*played, *events_of_random_turns(3), *RARE) if in_words(event) != event_to_json(event)]
    assert {event.kind for event in said} >= {"mercenary_decided", "day_not_counted", "plan_cancelled", "ruled"}
    for event in said:
        if not isinstance(event, ChangeRefused):
            assert event_from_json(in_words(event)) == event


def test_a_refused_change_that_was_stored_in_words_tells_and_is_the_same() -> None:
    """2.3.2: its reasons are sentences of many things, which are not taken apart."""
    event = ChangeRefused("Ana", "2.3.2", (NOT_HEALING, FOREIGN), AT)
    was = event_from_json(in_words(event))
    assert isinstance(was, ChangeRefused)
    assert (was.sentence, was.compared) == (event.sentence, event.compared)
    assert through_json(was) == was
    with translation.override("de"):
        assert was.reasons == (
            "Ana can only change troops after 2 days in a base or portal where it could heal; it has "
            "counted 1 there. Elves is green, but the army is red and white. (2.2.1)"
        )
        assert event.reasons.endswith("Elves ist grün, und die Armee ist rot und weiß. (2.2.1)")


@pytest.mark.parametrize("wrong", [["ARMY_GONE"], [{"fault": "NO_FAULT", "facts": {}}], [{"facts": {}}], 3])
def test_what_is_no_reason_of_a_refused_change_is_not_read(wrong: object) -> None:
    with pytest.raises(ValueError, match="“"):
        event_from_json({"kind": "change_refused", "army": "Ana", "cites": "2.6", "why": wrong, "at": None})


@pytest.mark.parametrize(
    "words", [WhatIsRuled, WhyNothing, WhyCancelled, WhyCut, WhyLost, WhyNoDay, WhyWon, Why, Course]
)
def test_every_phrase_is_found_again_in_its_words(words: type[Phrases]) -> None:
    for member in words:
        found = phrase_in(words, with_facts(member).text)
        assert found.text == with_facts(member).text
        assert found.code is member
        assert phrase_from_json(words, json.loads(json.dumps(phrase_to_json(found)))) == found


def with_facts(member: Phrases) -> Phrase:
    """A phrase with a likely fact of each kind."""
    examples = {"listed": ("Ana", "Ben"), "phrase": WhyNothing.KILLED()}
    facts = re.findall(r"\{(\w+)(?::([^}]*))?\}", member.value)
    return Phrase(member, tuple((name, examples.get(how, 1234 if how else "Cem")) for name, how in facts))


def test_words_that_no_version_has_stay_as_they_were_written() -> None:
    stored = {"kind": "plan_cancelled", "army": "Ana", "rest": ["3D"], "why": "its player went home"}
    event = event_from_json(stored)
    assert event.sentence == "The rest of Ana's long move (> 3D) was cancelled: its player went home."
    assert through_json(event) == event


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ({"code": "went_home"}, "“went_home” is none of"),
        ({"code": "fights", "army": "Ana"}, "the facts of “fights” are none, and not army"),
        (3, "“3” is no code with its facts"),
        ("", "is no code with its facts"),
        ({"code": ["fights"]}, "is none of"),
    ],
)
def test_what_is_no_phrase_is_not_read(code: object, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        event_from_json({"kind": "plan_cancelled", "army": "Ana", "rest": [], "why": code})


@pytest.mark.parametrize(
    ("reason", "why", "now", "said"),
    [
        (
            "joint_ignored",
            "no second army posted one for this square",
            Reason.JOINT_ALONE,
            "no second army posted one for this square",
        ),
        (
            "joint_ignored",
            "3 armies posted one for this square, and it must be exactly two",
            Reason.JOINT_CROWD,
            "there must be exactly two",
        ),
        (
            "joint_ignored",
            "Ben and Cem stays on that square or moves there too",
            Reason.JOINT_FRIENDS,
            "Ben and Cem would stay there or move there too",
        ),
        ("after_lock_avoids", "is a mercenary too", Reason.AFTER_LOCK_MERCENARY, "are both mercenaries"),
        (
            "after_lock_avoids",
            "is fighting, and nobody else may join that battle",
            Reason.AFTER_LOCK_FIGHTS,
            "No one else can join Zed's battle",
        ),
        ("after_lock_avoids", "is ordered to 3D", Reason.AFTER_LOCK_LEAVES, "will leave for 3D"),
        ("after_lock_avoids", "stands on 3D", Reason.AFTER_LOCK_ELSEWHERE, "square of Zed is 3D"),
    ],
)
def test_a_refusal_that_was_stored_with_a_part_of_its_sentence_says_the_same_now(
    reason: str, why: str, now: Reason, said: str
) -> None:
    facts = [["to", "5D"], ["why", why], ["target", "Zed"]]
    stored = {"kind": "refused", "army": "Ana", "reason": reason, "facts": facts, "by": "Ben", "order": "3D > 5D"}
    event = event_from_json(stored | {"counts": True, "at": "3D", "would_do": ""})
    assert isinstance(event, Refused)
    assert event.reason is now
    assert said in event.sentence


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
    assert event.sentence == (
        "Gaz captured Ana and took the army to 5D. Partially converted, it now belongs to Phyrexia."
    )
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


def test_losses_are_told_by_slot() -> None:
    """4.2.5: nobody must guess which number is whose."""
    fought = Fought(AT, ("Ana",), ("Gaz", "Hex"), (("Ana", (857, 0, 193, 0)), ("Gaz", (0, 0, 0, 0))))

    assert fought.sentence.endswith("; lost: Ana 1,050 (857 from slot 1, 193 from slot 3); Gaz 0.")
