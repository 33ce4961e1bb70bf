"""A table by its log alone: opened, dealt and played, kept and hashed, gone back, and what nobody can slip in."""

import json
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tables.core import engine
from tables.core.entries import Logged
from tables.core.lists.cardlist import CardList, read_list
from tables.core.log import opening, sealing, snapshots
from tables.core.log.folding import after, carry, fold
from tables.core.log.opening import Given, Opening
from tables.core.offering import offered
from tables.core.proof.draws import commitment, cut_commitment, cut_value
from tables.core.state import State
from tables.games.kryptik.rules import KRYPTIK
from tables.reading import read_file

DEMO = Path(__file__).parents[2] / "fixtures" / "cards" / "kryptik-demo.yaml"
SEED = bytes(range(32))
WORDS = {"A": "a word of twenty signs", "B": "another of twenty signs"}


@pytest.fixture(scope="module")
def given():
    found = read_list(read_file(DEMO)[0])
    assert isinstance(found, CardList)
    return Given(KRYPTIK, found.cards, SEED)


def deck(given, first):
    names = [name for name, card in given.cards.items() if not card.token and not card.manual][first:]
    return {"main": {**dict.fromkeys(names[:16], 3), names[16]: 2}}


def opened(**more):
    args = {
        "game": "kryptik", "table": "harbour", "seats": ["A", "B"], "day": "2026-11-22",
        "commitment": commitment(SEED), "options": {"format": "constructed", "starter": "A"}, **more,
    }  # fmt: skip
    return Logged(1, 0, "service", "open", args)


def beginning(given, **more):
    """Everything until the deal, with sealed cuts."""
    log = [opened(**more)]

    def add(by, kind, args=None, hidden=None):
        log.append(Logged(len(log) + 1, len(log), by, kind, args or {}, hidden or {}))

    for seat, name in (("A", "Ana"), ("B", "Bo")):
        add(seat, "seat", {"name": name})
    for seat in "AB":
        add(seat, "deck", hidden=deck(given, 0 if seat == "A" else 20))
    if more.get("cuts") != "simple":
        for seat in "AB":
            add(seat, "cut", {"commitment": cut_commitment(cut_value(WORDS[seat]))})
    for seat in "AB":
        add(seat, "cut", {"word": WORDS[seat]})
    return log


def table_after(given, log):
    *_, last = fold(given, log)
    assert last.reason is None, last.reason
    return last.table


def played(given, log, most, seed=3):
    """The log with so many entries more, at random."""
    random, table = Random(seed), table_after(given, log)
    log = list(log)
    while len(log) < most and table.result is None:
        seats, _ = engine.waits_for(table)
        lines = offered(KRYPTIK, table, seats[0])
        line = random.choice(lines[:8])
        logged = posted(given, table, Logged(len(log) + 1, 100 + len(log), seats[0], "act", said(line)))
        carried = carry(given, table, logged)
        if carried.reason is not None:
            logged = Logged(logged.n, logged.at, "service", "tick", {"seat": seats[0], "what": "time"})
            carried = carry(given, table, logged)
            assert carried.reason is None
        table = carried.table
        log.append(logged)
    return log, table


def said(*lines):
    return {"lines": list(lines)}


def posted(given, table, logged):
    """An entry as a service appends it: of its kind, its lines hidden where others may not know them yet."""
    carried = carry(given, table, logged)
    hides = carried.reason is None and sealing.hides(given.rules, table, logged.entry(), carried.events)
    kind = sealing.kind_of(logged.entry(), is_hidden=hides)
    args, hidden = ({}, logged.args) if hides else (logged.args, {})
    return Logged(logged.n, logged.at, logged.by, kind, args, hidden)


@pytest.mark.parametrize("cuts", ["sealed", "simple"])
def test_a_game_begins_by_entries_alone(given, cuts):
    table = table_after(given, beginning(given, cuts=cuts))

    assert isinstance(table, State)
    assert engine.waits_for(table) == (("A", "B"), "recursion")
    assert [len(table.zone(f"{seat}.{zone}")) for seat in "AB" for zone in ("hand", "deck")] == [6, 44, 6, 44]
    assert len(table.draws.cuts) == 2


def test_what_is_waited_for_before_the_deal_is_named(given):
    log = beginning(given)
    asked = [opening.waits_for(carried.table) for carried in islice(fold(given, log), len(log) - 1)]

    assert asked == [
        (("A", "B"), "seat"), (("B",), "seat"), (("A", "B"), "deck"), (("B",), "deck"), (("A", "B"), "cut"),
        (("B",), "cut"), (("A", "B"), "word"), (("B",), "word"),
    ]  # fmt: skip


def test_every_word_of_every_seat_changes_the_shuffle(given):
    log = beginning(given, cuts="simple")
    other = [*log[:-1], Logged(len(log), 0, "B", "cut", {"word": "quite another of its own"})]

    assert table_after(given, log).zones["A.deck"] != table_after(given, other).zones["A.deck"]


@pytest.mark.parametrize(
    ("at", "entry", "cite"),
    [
        (0, Logged(1, 0, "service", "open", {"game": "seize"}), "table"),
        (1, Logged(2, 0, "C", "seat", {"name": "Cy"}), "table"),
        (1, Logged(3, 0, "A", "seat", {"name": "Ana"}), "stale"),
        (1, Logged(2, 0, "A", "deck", {}, {"main": {}}), "table"),
        (2, Logged(3, 0, "B", "seat", {"name": "ana"}), "table"),
        (3, Logged(4, 0, "A", "deck", {}, {"main": {"No Such Card": 3}}), "deck"),
        (3, Logged(4, 0, "A", "deck", {}, {"main": {"Harbour Watch": 4}}), "1.1.1"),
        (5, Logged(6, 0, "A", "cut", {"word": WORDS["A"]}), "shuffles"),
        (6, Logged(7, 0, "A", "cut", {"word": WORDS["A"]}), "shuffles"),
        (7, Logged(8, 0, "A", "cut", {"word": "not the word that was sealed"}), "shuffles"),
        (7, Logged(8, 0, "A", "act", {"lines": ["pass"]}), "table"),
        (7, Logged(8, 0, "A", "dance"), "table"),
        (9, Logged(10, 0, "A", "ruling", {"lines": ["A wins"]}), "table"),
        (9, Logged(10, 0, "service", "tick", {"what": "beat"}), "beat"),
        (9, Logged(10, 0, "A", "act", {"lines": "pass"}), "unreadable"),
        (9, Logged(10, 0, "A", "act", {"lines": ["x" * 10_000_000]}), "unreadable"),
        (9, Logged(10, 0, "A", "plan", {}, {"lines": ["pass"] * 1000}), "unreadable"),
        (9, Logged(10, 0, "A", "rewind", {"to": 3}), "rewind"),
    ],
)
def test_what_does_not_belong_there_is_refused_with_its_reason(given, at, entry, cite):
    log = beginning(given)
    before = table_after(given, log[:at]) if at else None

    carried = carry(given, before, entry, lambda n: after(given, log, n))

    assert carried.reason is not None
    assert cite in carried.reason.cites
    assert carried.table is before


def test_a_table_may_be_given_up_before_it_begins(given):
    table = table_after(given, [*beginning(given)[:3], Logged(4, 0, "service", "end", {"reason": "nobody came"})])

    assert isinstance(table, Opening)
    assert table.over == "nobody came"
    assert opening.waits_for(table) == ((), "")


def test_a_folded_log_gives_the_state_and_the_hash_that_were_there_live(given):
    log, live = played(given, beginning(given), 140)

    table = table_after(given, log)

    assert table == live
    assert snapshots.state_hash(table) == snapshots.state_hash(live)


def test_a_snapshot_goes_on_as_the_table_itself(given):
    log, _ = played(given, beginning(given), 120)
    for at in (10, 30, 60, 90, 119):
        table = after(given, log, at)
        again = snapshots.read(given, "harbour", table.draws.cuts, json.loads(snapshots.kept(table)))
        assert again == table
        assert list(again.things) == list(table.things)
        assert carry(given, again, log[at]).table == carry(given, table, log[at]).table


def test_a_snapshot_of_another_form_is_none(given):
    with pytest.raises(ValueError, match="another form"):
        snapshots.read(given, "harbour", (), {"form": 0})


def test_the_hash_says_the_smallest_difference(given):
    table = after(given, beginning(given), 9)
    hand = table.zones["A.hand"]
    other = table.zones | {"A.hand": (hand[1], hand[0], *hand[2:])}
    from dataclasses import replace

    assert snapshots.state_hash(replace(table, zones=other)) != snapshots.state_hash(table)


@pytest.mark.parametrize(
    ("kind", "lines", "stands_as", "is_open"),
    [
        ("act", ("keep hand",), "choose", False),
        ("act", ("concede!",), "act", True),
        ("plan", ("pass", "pass"), "plan", False),
        ("order", ("no block when attack <= 1",), "order", False),
        ("stops", ("attacked",), "stops", True),
        ("act", ("propose: nothing happens",), "propose", True),
    ],
)
def test_what_others_may_not_know_yet_is_sealed(given, kind, lines, stands_as, is_open):
    table = after(given, beginning(given), 9)

    logged = posted(given, table, Logged(10, 0, "A", kind, said(*lines)))

    assert (logged.kind, bool(logged.args)) == (stands_as, is_open)


def judge_back(log, to, **more):
    return Logged(len(log) + 1, 9000, "judge", "rewind", {"to": to, "reason": "a wrong click", **more})


def test_going_back_gives_the_table_of_then_with_the_number_of_now(given):
    log, table = played(given, beginning(given), 90)
    to = table.shown
    carried = carry(given, table, judge_back(log, to), lambda n: after(given, log, n))

    then = after(given, log, to)
    assert carried.reason is None
    assert carried.table.entry == len(log) + 1
    assert carried.table.zones == then.zones
    assert carried.table.turn == then.turn
    assert table_after(given, [*log, judge_back(log, to)]) == carried.table


def test_nobody_goes_behind_what_somebody_has_seen_without_fresh_draws(given):
    log, table = played(given, beginning(given), 90)

    refused = carry(given, table, judge_back(log, table.shown - 1), lambda n: after(given, log, n))
    fresh = carry(given, table, judge_back(log, 12, fresh=True), lambda n: after(given, log, n))

    assert refused.reason.cites == ("rewind",)
    assert "fresh" in refused.reason.told
    assert fresh.table.draws.fresh == 1
    assert fresh.table.zones["A.hand"] == after(given, log, 12).zones["A.hand"]
    assert fresh.table.zones["A.deck"] != after(given, log, 12).zones["A.deck"]
    assert sorted(fresh.table.things) == sorted(table.things)
    assert all(thing.key.split("/")[1] == thing.card for thing in fresh.table.things.values())


def test_a_second_fresh_rewind_draws_anew_again(given):
    log, table = played(given, beginning(given), 60)
    log = [*log, judge_back(log, 12, fresh=True)]
    log = [*log, judge_back(log, 12, fresh=True)]

    first, second = after(given, log, len(log) - 1), after(given, log, len(log))

    assert (first.draws.fresh, second.draws.fresh) == (1, 2)
    assert first.zones["A.deck"] != second.zones["A.deck"]


def test_players_go_back_when_all_ask_for_the_same(given):
    log, table = played(given, beginning(given), 60)
    earlier = lambda n: after(given, log, n)  # noqa: E731

    asked = carry(given, table, Logged(len(log) + 1, 0, "A", "rewind", {"to": table.shown}), earlier).table
    other = carry(given, asked, Logged(len(log) + 2, 0, "B", "rewind", {"to": table.shown, "fresh": True}), earlier)
    agreed = carry(given, asked, Logged(len(log) + 2, 0, "B", "rewind", {"to": table.shown}), earlier)

    assert asked.going_back == (("A", table.shown, False),)
    assert engine.waits_for(asked) == engine.waits_for(table)
    assert len(other.table.going_back) == 2
    assert agreed.table.going_back == ()
    assert agreed.table.zones == after(given, log, table.shown).zones


def test_the_last_sealed_choice_is_taken_back_only_where_an_earlier_version_allowed_it(given):
    """T9.4: what such a table once took back is folded as it was."""

    def taken_back(**more):
        log = beginning(given, **more)
        for seat, line in (("A", "keep hand"), ("B", "keep hand"), ("B", "take back")):
            table = table_after(given, log)
            log.append(posted(given, table, Logged(len(log) + 1, len(log), seat, "act", said(line))))
        return carry(given, table, log[-1])

    assert taken_back(rules="3").reason is None
    assert taken_back(rules="4").reason.cites == ("T9.4",)


def test_a_snapshot_is_of_the_version_that_its_table_was_opened_with(given):
    table = table_after(given, beginning(given, rules="3"))
    kept = json.loads(snapshots.kept(table))

    read = snapshots.read(replace(given, rules_version="3"), "harbour", table.draws.cuts, kept)

    assert read.version == 3
    assert snapshots.state_hash(read) == snapshots.state_hash(replace(read, version=4))
