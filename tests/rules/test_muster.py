"""2.1, 2.2, 2.3.2, 2.6: what a muster is told, its lists as text, and what a change leaves alive."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.armies.army_names import name_faults
from wargame.rules.armies.change_rules import change_faults, changed_troops, personalise_faults
from wargame.rules.armies.creatures import Creature, name_key, with_ruling
from wargame.rules.armies.findings import breaches, questions
from wargame.rules.armies.muster import Muster, MusterEntry, Surroundings, judge_muster, room_left, troops_of
from wargame.rules.armies.muster_list import (
    BadLine,
    ListLine,
    distribute,
    read_lines,
    read_slot,
    split_list,
    write_entry,
    write_list,
)
from wargame.rules.armies.sizes import read_size
from wargame.rules.core.board import PLAINS, Base, Board, Square, Town
from wargame.rules.core.position import Army, Captivity
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import Troop, alive_by_slot
from wargame.rules.core.turn import NewPlayer

MAGE = Creature("Kris Mage", ("red",), "1/1")
BEARS = Creature("Grizzly Bears", ("green",), "2/2")
GIANT = Creature("Hill Giant", ("red",), "3/3")
DRAGON = Creature("Shivan Dragon", ("red",), "5/5")
LHURGOYF = Creature("Lhurgoyf", ("green",), "*/1+*")
MYR = Creature("Suntouched Myr", (), "0/0", ("Artifact", "Creature"))
SQUEE = Creature("Squee, Goblin Nabob", ("red",), "1/1", ("Creature", "Legend"))
KNOWN = {name_key(c.name): c for c in (MAGE, BEARS, GIANT, DRAGON, LHURGOYF, MYR)}


def red(*entries: MusterEntry, rank: Rank = Rank.LIEUTENANT, **more: object) -> Muster:
    return Muster(rank, ("red", "green", "colorless"), entries, **more)  # type: ignore[arg-type]


def told(muster: Muster, given: Surroundings | None = None) -> list[str]:
    """Every finding as `cites sentence`."""
    findings = judge_muster(muster, given) if given else judge_muster(muster)
    return [f"{finding.cites} {finding.sentence}" for finding in findings]


def test_every_breach_is_given_with_its_rule_creature_and_slot() -> None:
    muster = red(MusterEntry(1, GIANT, 5001), MusterEntry(4, SQUEE, 1), legend=MAGE)
    found = [(f.cites, f.slot, f.creature, f.place) for f in judge_muster(muster)]

    assert found == [
        ("2.1.6", 1, "", None),
        ("2.1.6", 1, "Hill Giant", 0),
        ("2.1", None, "Kris Mage", None),
        ("2.2.1", 4, "Squee, Goblin Nabob", 1),
    ]


def test_a_creature_that_is_too_large_is_told_where_it_fits() -> None:
    """2.1.6."""
    assert told(red(MusterEntry(1, GIANT, 100))) == [
        "2.1.6 Hill Giant is 3/3; slot 1 of a Lieutenant takes creatures up to 1/1. It would fit slot 3."
    ]
    assert told(red(MusterEntry(1, DRAGON, 100), rank=Rank.ADMIRAL)) == []
    assert told(red(MusterEntry(3, DRAGON, 100))) == [
        "2.1.6 Shivan Dragon is 5/5; slot 3 of a Lieutenant takes creatures up to 3/3."
    ]


def test_what_is_left_is_told_by_slot() -> None:
    assert room_left(red(MusterEntry(1, MAGE, 3000), MusterEntry(1, MAGE, 2500), MusterEntry(4, BEARS, 1))) == (
        -500,
        2500,
        1500,
        999,
    )


def test_a_size_that_nothing_known_allows_is_the_judges_to_decide() -> None:
    """2.2.6: where the rule leaves it to sense."""
    findings = judge_muster(red(MusterEntry(3, BEARS, 100, "3/3")))

    assert breaches(findings) == ()
    assert [(q.cites, q.sentence) for q in questions(findings)] == [
        ("2.2.6", "Grizzly Bears is printed as 2/2 and used as 3/3: can it become that size?")
    ]


def test_the_judge_is_told_of_what_no_catalogue_has() -> None:
    rumour = Creature("Rumoured Beast", ("red",), "1/1", is_listed=False)
    findings = judge_muster(red(MusterEntry(1, rumour, 100), legend=Creature("Somebody", is_listed=False)))

    assert breaches(findings) == ()
    assert [q.cites for q in questions(findings)] == ["2.1", "2.2.1"]


def test_a_colorless_creature_that_is_no_artifact_is_asked_of_phyrexia() -> None:
    """2.2.1 names neither."""
    findings = judge_muster(Muster(Rank.EVINCAR, (), (MusterEntry(1, Creature("Morphling of Dust", (), "1/1"), 1),)))

    assert [(f.is_breach, f.cites) for f in findings] == [(False, "2.2.1")]


@pytest.mark.parametrize("size", ["large", "4", "4/", "*/x"])
def test_what_is_no_size_is_said_to_be_none(size: str) -> None:
    assert told(red(MusterEntry(1, MAGE, 1, size)))[0].startswith(f"2.1 “{size}” is not a size")


def test_a_legend_serves_one_army_and_a_secret_one_is_not_named() -> None:
    muster = red(MusterEntry(1, MAGE, 1), legend=SQUEE)

    assert told(muster, Surroundings(serving={"SQUEE, Goblin Nabob": "Auric Thorn"})) == [
        "2.1 Squee, Goblin Nabob already serves Auric Thorn; a legend can only be in one army at a time."
    ]
    assert "already serves another army" in told(muster, Surroundings(serving={SQUEE.name: ""}))[0]


@pytest.mark.parametrize(
    "name", ["Sai: Rei", "A > B", "a; b", "Bob (left)", "x → y", "a\nb", "a\0b", "a＞b", "Bob, jr"]
)
def test_a_name_that_breaks_the_orders_is_refused(name: str) -> None:
    """3.2.2.5."""
    faults = name_faults(name, ())
    assert [fault.cites for fault in faults] == ["3.2.2.5"]


@pytest.mark.parametrize("name", ["3D", "d03", "hold", "In  Battle", "Joint Engage"])
def test_a_name_that_reads_like_an_order_is_refused(name: str) -> None:
    assert [fault.fault.name for fault in name_faults(name, ())] == ["NAME_ORDER"]


@pytest.mark.parametrize("name", ["Oakenjack's Folly", "Rustbucket 9", "Dr. No", "Æthelred", "O’Neill", "x" * 40])
def test_other_names_are_taken(name: str) -> None:
    assert name_faults(name, ("Bob",)) == []


@pytest.mark.parametrize("name", ["auric thorn", "AURIC  Thorn", "Ａuric Thorn", "Auric Thorn"])
def test_a_name_in_another_case_is_the_same_name(name: str) -> None:
    """R10."""
    assert [fault.fault.name for fault in name_faults(name, ("Auric Thorn",))] == ["NAME_TAKEN"]


def test_a_name_that_is_missing_or_too_long_is_told() -> None:
    assert [fault.cites for fault in name_faults("  ", ())] == ["2.5.2.2"]
    assert "has 41 characters; the limit is 40" in name_faults("x" * 41, ())[0].sentence


@pytest.mark.parametrize(
    ("text", "least", "varies"),
    [
        ("2/3", 3, False),
        ("*/*", 0, True),
        ("1+*/4", 4, True),
        ("*/1+*", 1, True),
        ("7-*/7-*", 0, True),
        ("3.5/3.5", 4, False),
        ("-1/2", 2, False),
        ("4/4+", 4, False),
    ],
)
def test_sizes_are_read_as_printed(text: str, least: int, varies: bool) -> None:
    size = read_size(text)
    assert size is not None
    assert (size.least, size.varies, size.grows) == (least, varies, text.endswith("+"))


@pytest.mark.parametrize("text", ["", "4", "∞/5", "?/?", "+1/+2", "a/b", "-/-", "1/2/3"])
def test_what_is_no_size_is_none(text: str) -> None:
    assert read_size(text) is None


def test_the_rulebooks_spelling_finds_the_printed_creature() -> None:
    """2.2.4, 2.2.3.1.4."""
    assert with_ruling(Creature("Vesuvian Doppleganger", ("blue",), "0/0")).uses == ("*/*",)
    assert with_ruling(Creature("SUMMONER’S EGG")).banned == "2.2.3.1.4"


def test_troops_stand_at_the_size_that_was_chosen() -> None:
    muster = red(MusterEntry(3, MYR, 100, "2/2"), MusterEntry(1, MYR, 50), MusterEntry(4, LHURGOYF, 10))

    assert [(t.slot, t.creature, t.size, t.alive, t.of) for t in troops_of(muster)] == [
        (1, "Suntouched Myr", "1/1", 50, 50),
        (3, "Suntouched Myr", "2/2", 100, 100),
        (4, "Lhurgoyf", "*/1+*", 10, 10),
    ]


@pytest.mark.parametrize(
    ("line", "number", "name", "size"),
    [
        ("5000 Kris Mage", 5000, "Kris Mage", ""),
        ("  5,000   Kris  Mage ", 5000, "Kris Mage", ""),
        ("5.000x Kris Mage", 5000, "Kris Mage", ""),
        ("5 000 Kris Mage", 5000, "Kris Mage", ""),
        ("Kris Mage 5000", 5000, "Kris Mage", ""),
        ("500.0 Kris Mage", 500, "Kris Mage", ""),
        ("5000, Kris Mage", 5000, "Kris Mage", ""),
        ("Kris Mage: 5000.", 5000, "Kris Mage", ""),
        ("250,0 Kris Mage", 250, "Kris Mage", ""),
        ("50.00 Kris Mage", 50, "Kris Mage", ""),
        ("500.000 Kris Mage", 500_000, "Kris Mage", ""),
        ("1,000.0 Kris Mage", 1000, "Kris Mage", ""),
        ("Kris Mage x 5000", 5000, "Kris Mage", ""),
        ("2500 Werebear as 4/4", 2500, "Werebear", "4/4"),
        ("3 B.F.M. (Big Furry Monster)", 3, "B.F.M. (Big Furry Monster)", ""),
        ("100 Mons’s Goblin Raiders", 100, "Mons's Goblin Raiders", ""),
    ],
)
def test_a_line_is_a_number_and_a_creature(line: str, number: int, name: str, size: str) -> None:
    (read,) = read_lines(line)
    assert isinstance(read, ListLine)
    assert (read.number, read.name, read.size) == (number, name, size)


@pytest.mark.parametrize(
    "line",
    [
        "Kris Mage",
        "5000",
        "five mages",
        "1234567 Kris Mage",
        "0.5 Kris Mage",
        "50.0000 Kris Mage",
        "5,00,000 Kris Mage",
        "x" * 300,
    ],
)
def test_a_line_that_cannot_be_read_says_what_would_do(line: str) -> None:
    (read,) = read_lines(line)
    assert isinstance(read, BadLine)
    assert read.wrong


def test_empty_lines_and_remarks_say_nothing_and_a_list_ends_somewhere() -> None:
    assert read_lines("\n# 5000 Kris Mage\n  \n") == []
    assert len(read_lines("1 Kris Mage\n" * 500)) == 61


def test_an_unknown_creature_can_be_described() -> None:
    read = read_slot(1, "10 Rumoured Beast\n10 Rumoured Beast (green 1/1)\n10 Kris Mage (blue 9/9)", KNOWN)

    assert [bad.line for bad in read.bad] == [1]
    assert "(red 1/1)" in read.bad[0].wrong
    (_, rumour), (_, mage) = read.entries
    assert (rumour.creature.colors, rumour.creature.size, rumour.creature.is_listed) == (("green",), "1/1", False)
    assert mage.creature is MAGE


def test_a_pasted_list_is_spread_over_the_slots_that_fit() -> None:
    pasted = split_list("7500 Kris Mage\n500 Shivan Dragon\n1000 Lhurgoyf\n1500 Hill Giant")

    assert distribute(Rank.CAPTAIN, pasted, KNOWN) == (
        "1500 Hill Giant\n3500 Kris Mage",
        "500 Shivan Dragon\n2000 Kris Mage",
        "1500 Kris Mage",
        "500 Kris Mage\n1000 Lhurgoyf",
    )


def test_what_fits_nowhere_stays_where_it_is_seen() -> None:
    pasted = split_list("10 Shivan Dragon\n11000 Kris Mage\nnonsense\n5 Nobody")

    assert distribute(Rank.LIEUTENANT, pasted, KNOWN) == (
        "nonsense\n6010 Kris Mage",
        "2500 Kris Mage\n5 Nobody",
        "1500 Kris Mage",
        "10 Shivan Dragon\n990 Kris Mage",
    )


def test_a_written_list_reads_back_to_the_same_army() -> None:
    rumour = Creature("Rumoured Beast", ("red", "green"), "2/2", ("Artifact", "Creature"), is_listed=False)
    entries = (
        MusterEntry(1, MAGE, 5000),
        MusterEntry(2, MYR, 100, "2/2"),
        MusterEntry(2, rumour, 7),
        MusterEntry(4, LHURGOYF, 10, "4/4"),
    )
    text = write_list(Rank.LIEUTENANT, entries, name="Sai Rei", legend="Squee", colors="red, green")
    pasted = split_list(text)
    again = [
        entry for slot in (1, 2, 3, 4) for _, entry in read_slot(slot, "\n".join(pasted.slots[slot - 1]), KNOWN).entries
    ]

    assert (pasted.name, pasted.legend, pasted.loose) == ("Sai Rei", "Squee", ())
    assert tuple(again) == entries


@given(st.text(max_size=80))
def test_no_line_of_text_breaks_the_reader(text: str) -> None:
    pasted = split_list(text)
    distribute(Rank.GENERAL, pasted, KNOWN)
    for slot in (1, 2, 3, 4):
        read_slot(slot, text, KNOWN)


@given(
    st.lists(
        st.tuples(
            st.integers(1, 4), st.sampled_from(sorted(KNOWN)), st.integers(0, 6000), st.sampled_from(["", "2/2", "*/*"])
        ),
        max_size=8,
    ),
    st.sampled_from(list(Rank)),
)
def test_an_army_without_breaches_is_within_every_slot(rows: list[tuple[int, str, int, str]], rank: Rank) -> None:
    entries = tuple(MusterEntry(slot, KNOWN[name], number, size) for slot, name, number, size in rows)
    muster = Muster(rank, ("red", "green", "colorless"), entries)
    if not breaches(judge_muster(muster)):
        assert min(room_left(muster)) >= 0
        assert len({entry.creature.name for entry in entries}) <= 6
    for entry in entries:
        (line,) = read_lines(write_entry(entry))
        assert isinstance(line, ListLine)
        assert (line.number, line.name) == (entry.number, entry.creature.name)


BOARD = Board(
    PLAINS,
    (
        Base("Red Base", Square(0, 1), Side.COALITION, "red"),
        Base("Blue Base", Square(1, 1), Side.COALITION, "blue"),
        Base("Ashes", Square(2, 1), Side.COALITION, "red", destroyed=True),
        Base("Rift", Square(3, 1), Side.PHYREXIA),
    ),
    (Town("Oakvale", Square(4, 1)),),
)


@pytest.mark.parametrize(
    ("side", "row", "days", "legal"),
    [
        (Side.COALITION, 0, 2, True),
        (Side.COALITION, 0, 5, True),
        (Side.COALITION, 0, 1, False),
        (Side.COALITION, 1, 4, False),
        (Side.COALITION, 2, 4, False),
        (Side.COALITION, 3, 4, False),
        (Side.COALITION, 4, 2, False),
        (Side.COALITION, 5, 0, False),
        (Side.PHYREXIA, 3, 2, True),
        (Side.PHYREXIA, 0, 4, False),
    ],
)
def test_troops_are_changed_after_two_days_where_the_army_heals(side: Side, row: int, days: int, legal: bool) -> None:
    """2.3.2, 2.3.1.3."""
    rank = Rank.LIEUTENANT if side is Side.COALITION else Rank.CENTURION
    army = Army("Sai Rei", side, Square(row, 1), rank, colors=("red",) if rank is Rank.LIEUTENANT else (), days=days)
    assert [fault.cites for fault in change_faults(army, BOARD)] == ([] if legal else ["2.3.2"])


def test_a_captive_changes_no_troops() -> None:
    """4.5."""
    captive = Captivity(Side.PHYREXIA, (), ())
    army = Army("Hex", Side.COALITION, Square(0, 1), Rank.LIEUTENANT, colors=("red",), days=2, captivity=captive)
    assert "partially converted" in change_faults(army, BOARD)[0].sentence


def test_a_change_leaves_no_more_alive_than_there_were() -> None:
    """2.3.2."""
    before = (
        Troop(1, "Kris Mage", 2000, 3000),
        Troop(1, "Bog Imp", 1000, 2000, rested=500),
        Troop(2, "Bears", 0, 2500),
    )
    makeup = (
        Troop(2, "Wild Mongrel", 2500, 2500),
        Troop(1, "Bog Imp", 1500, 1500),
        Troop(1, "Mogg Fanatic", 3500, 3500),
    )
    after = changed_troops(before, makeup)

    assert [(t.slot, t.creature, t.alive, t.of, t.rested) for t in after] == [
        (1, "Bog Imp", 1000, 1500, 500),
        (1, "Mogg Fanatic", 2000, 3500, 0),
        (2, "Wild Mongrel", 0, 2500, 0),
    ]


troops = st.lists(
    st.builds(
        lambda slot, name, of, alive, rested: Troop(
            slot, name, min(alive, of), of, rested=min(rested, of - min(alive, of))
        ),
        st.integers(1, 4),
        st.sampled_from("abcd"),
        st.integers(1, 5000),
        st.integers(0, 5000),
        st.integers(0, 5000),
    ),
    max_size=6,
).map(tuple)


@given(troops, troops)
def test_no_change_raises_the_dead(before: tuple[Troop, ...], makeup: tuple[Troop, ...]) -> None:
    after = changed_troops(before, makeup)

    assert all(new <= old for new, old in zip(alive_by_slot(after), alive_by_slot(before), strict=True))
    assert all(0 <= troop.alive <= troop.of and 0 <= troop.rested <= troop.missing for troop in after)
    assert sorted((t.slot, t.creature, t.of) for t in after) == sorted((t.slot, t.creature, t.of) for t in makeup)


def test_only_who_came_later_fought_twice_and_is_in_time_personalises() -> None:
    """2.6."""
    assert personalise_faults("Bob", Rank.CPL, NewPlayer("Cay", True, 2, offered=4, turn=5)) == []
    late = personalise_faults("Bob", Rank.PLAGUELORD, NewPlayer("Cay", False, 0, offered=4, turn=6))
    assert [fault.fault.name for fault in late] == ["NOT_NEW", "FEW_BATTLES", "HIGH_RANK", "OFFER_OVER"]
