"""R8: talk that may be meant as an order is asked about, with what it may have meant; nothing else is."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wargame.rules.core.board import Square, read_square
from wargame.rules.core.names import Names
from wargame.rules.core.orders import Move, ReadOrder, Talk, Transfer, Unreadable
from wargame.rules.posts.notation import LONGEST_LINE, read_line, read_post, split_lines
from wargame.rules.posts.unread import Doubt, Unread, Writer, meant_by, unread

AT = {
    name: read_square(at)
    for name, at in {
        "Topdeck Tam": "19C",
        "Squirrel Parliament": "9H",
        "Sump Rat": "19A",
        "Tick Tock Tomb": "20B",
    }.items()
}
NAMES = Names(AT)
WRITER = Writer(("Topdeck Tam", "Squirrel Parliament"))


def asked(text: str, writer: Writer = WRITER) -> Unread | None:
    assert isinstance(read_line(text, NAMES), Talk), "only talk is asked about"
    return unread(text, NAMES, writer, AT)


@pytest.mark.parametrize(
    ("text", "doubt", "meant"),
    [
        ("Topdeck Tam: interecpt Sump Rat", Doubt.OWN_ARMY, "Topdeck Tam: intercept Sump Rat"),
        ("Topdeck Tam: 19C to 19B", Doubt.OWN_ARMY, "Topdeck Tam: 19C > 19B"),
        ("Topdeck Tam: engage Tick Tock Tomb", Doubt.OWN_ARMY, "Topdeck Tam: 19C > 20B; engage Tick Tock Tomb"),
        ("Squirrel Parliament: stay put", Doubt.OWN_ARMY, "Squirrel Parliament: hold"),
        ("squirrel parliament hold", Doubt.ORDER_WORD, "Squirrel Parliament: hold"),
        ("Tam: moves to 19B", Doubt.OWN_ARMY, "Topdeck Tam: 19C > 19B"),
        (
            "Topdek Tam: go 19B then 20B; engage Tick Tock Tomb",
            Doubt.OWN_ARMY,
            "19C > 19B > 20B; engage Tick Tock Tomb",
        ),
        ("19C to b19", Doubt.SQUARES, "Topdeck Tam: 19C > 19B"),
        ("19C - 19A and attack Sump Rat", Doubt.SQUARES, "Topdeck Tam: 19C > 19A; engage Sump Rat"),
        ("Tam ⇨ 19B", Doubt.ARROW, "Topdeck Tam: 19C > 19B"),
        ("interecpt Sumprat", Doubt.ORDER_WORD, "Topdeck Tam: intercept Sump Rat"),
        ("Hold position!", Doubt.ORDER_WORD, "Squirrel Parliament: hold"),
    ],
)
def test_what_looks_like_an_order_is_asked_about(text: str, doubt: Doubt, meant: str) -> None:
    found = asked(text)
    assert found is not None
    assert found.doubt is doubt
    assert any(order.endswith(meant) for order in found.meant), found.meant


def test_an_army_out_of_reach_is_asked_about_and_no_order_that_would_be_refused_is_offered() -> None:
    """3.2.2.1"""
    assert asked("Squirrel Parliament: engage Sump Rat") == Unread(Doubt.OWN_ARMY, ())


@pytest.mark.parametrize("text", ["Topdeck Tam will not move in vain", "Tam: hi", "we will engage Sump Rat"])
def test_a_line_that_names_the_writers_army_or_an_attack_is_asked_about(text: str) -> None:
    assert asked(text) is not None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Hello everybody.",
        "Topdeck Tam",
        "— Topdeck Tam",
        "> Topdeck Tam: 19C to 19B",
        "Is Topdeck Tam safe on 19C?",
        "Sump Rat: you will be sorry",
        "They engaged Sump Rat yesterday; our engagement at 5E was great.",
        "<b>bold</b> and https://example.org/19C-19B",
        "good luck to all",
        "Topdeck Tam " + "la " * 200,
    ],
)
def test_plain_talk_is_left_alone(text: str) -> None:
    assert asked(text) is None


def test_who_has_no_army_is_not_asked() -> None:
    assert asked("19C to 19B", Writer(())) is None


def test_no_order_is_offered_for_a_strangers_army() -> None:
    """5.4.1: who took it would be punished."""
    assert asked("Sump Rat: holds") == Unread(Doubt.ORDER_WORD, ())


@pytest.mark.parametrize(
    "text",
    ["I will not move Topdeck Tam to 19B", "If it rains, Topdeck Tam to 19B", "We don't want Topdeck Tam on 19B"],
)
def test_no_order_is_offered_for_what_was_ruled_out_or_put_on_a_condition(text: str) -> None:
    """R8: in front of the army, too."""
    found = asked(text)
    assert found is not None
    assert found.meant == ()


def test_no_attack_is_offered_that_nobody_asked_for() -> None:
    found = asked("Topdeck Tam: 19C to 20B")
    assert found is not None
    assert not any("engage" in order for order in found.meant)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("Topdeck Tam 19C > 19B", "Topdeck Tam: 19C > 19B"),
        ("Topdeck Tam: 19C > 19A engage Sump Rat", "Topdeck Tam: 19C > 19A; engage Sump Rat"),
        ("Topdeck Tam: transfer to Squirrel Parliament", "Topdeck Tam: transfer to Squirrel Parliament at 9H"),
    ],
)
def test_a_line_that_cant_be_read_is_told_what_it_may_have_meant(text: str, meant: str) -> None:
    assert isinstance(read_line(text, NAMES), Unreadable)
    assert meant_by(text, NAMES, WRITER, AT) == (meant,)


@pytest.mark.parametrize(
    "text", ["<b>bold</b> … https://example.org", "see https://example.org/a>b", "a <i>fine</i> day", "<br>"]
)
def test_the_signs_of_tags_and_addresses_are_no_arrows(text: str) -> None:
    assert isinstance(read_line(text, NAMES), Talk)


@pytest.mark.parametrize("text", ["<b>Topdeck Tam</b>: 19C > 19B", "<i>intercept Sump Rat</i>"])
def test_an_order_within_tags_is_still_told_that_it_cant_be_read(text: str) -> None:
    assert isinstance(read_line(text, NAMES), Unreadable)


@pytest.mark.parametrize(
    "filling",
    [" " * 380, "go " * 120, "<b>" * 120, "(" * 380, "via " * 90, "then, " * 60, "a:" * 180, "-" * 380, ">" * 380],
)
def test_no_line_takes_long_to_guess(filling: str) -> None:
    """What a pattern may take in two ways costs the cube of their number: half a second a line with 380 blanks."""
    began = process_time()
    unread(f"Topdeck Tam: 19C 4D{filling}x"[:LONGEST_LINE], NAMES, WRITER, AT)
    assert process_time() - began < 0.2


def test_a_suffix_stands_behind_any_signs_and_an_and() -> None:
    for between in (" and ", ", ; & to ", ",,,", " , and"):
        assert meant_by(f"Topdeck Tam: 19C to 20B{between} engage Tick Tock Tomb", NAMES, WRITER, AT) == (
            "Topdeck Tam: 19C > 20B; engage Tick Tock Tomb",
        )


DEMO = {
    name: read_square(at)
    for name, at in {
        "Old Saltbeard": "14H",
        "Brassmonger": "10K",
        "Sparkplug 64": "16L",
        "Cinderhoof": "19B",
        "Topdeck Tam": "19D",
        "Squirrel Parliament": "12A",
        "Gorewright": "15H",
        "Lord Verdigris": "3C",
    }.items()
}
DEMO_NAMES = Names(DEMO)
OWN = tuple(name for name in DEMO if name not in ("Gorewright", "Lord Verdigris"))


def offered(text: str) -> tuple[str, ...]:
    return meant_by(text, DEMO_NAMES, Writer(OWN), DEMO)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        # two orders on a line
        ("Old Saltbeard: 14H > 15H; Brassmonger: 10K > 11K", "Old Saltbeard: 14H > 15H\nBrassmonger: 10K > 11K"),
        ("Saltbeard: 14H > 15H; Brass: 10K > 11K", "Old Saltbeard: 14H > 15H\nBrassmonger: 10K > 11K"),
        ("Cinderhoof: 19B > 19D, Topdeck Tam: 19D > 20D", "Cinderhoof: 19B > 19D\nTopdeck Tam: 19D > 20D"),
        ("Cinderhoof: 19B > 19D. Topdeck Tam: 19D > 20D", "Cinderhoof: 19B > 19D\nTopdeck Tam: 19D > 20D"),
        ("Cinderhoof: 19B > 19D and Topdeck Tam: hold", "Cinderhoof: 19B > 19D\nTopdeck Tam: hold"),
        ("Squirrel Parliament 12A-13A, Cinderhoof 19B-18B", "Squirrel Parliament: 12A > 13A\nCinderhoof: 19B > 18B"),
        # dashes between squares
        ("Cinderhoof: 19B-19D", "Cinderhoof: 19B > 19D"),
        ("Cinderhoof: 19B > > 19D", "Cinderhoof: 19B > 19D"),
        ("Cinderhoof: 19B–19D", "Cinderhoof: 19B > 19D"),
        ("Cinderhoof: 19B—19D", "Cinderhoof: 19B > 19D"),
        ("Cinderhoof: 19B – 18D", "Cinderhoof: 19B > 18D"),
        ("Cinderhoof: 19B-18B-17B", "Cinderhoof: 19B > 17B (19B - 18B - 17B)"),
        # routes
        ("Old Saltbeard: 14H > 16I (14H, 15H, 16H, 16I)", "Old Saltbeard: 14H > 16I (14H - 15H - 16H - 16I)"),
        ("Cinderhoof: 19B > 17B (via 18B)", "Cinderhoof: 19B > 17B (19B - 18B - 17B)"),
        ("Cinderhoof: 19B > 17B via 18B", "Cinderhoof: 19B > 17B (19B - 18B - 17B)"),
        # other words for engaging
        ("Old Saltbeard: 14H > 15H, engaging Gorewright", "Old Saltbeard: 14H > 15H; engage Gorewright"),
        ("Old Saltbeard: 14H > 15H and joint engage", "Old Saltbeard: 14H > 15H; joint engage"),
        # words in front
        ("Orders: Cinderhoof: 19B > 18D", "Cinderhoof: 19B > 18D"),
        ("EDIT: 19B > 18D", "Cinderhoof: 19B > 18D"),
        # squares
        ("Cinderhoof: 19 B > 19 D", "Cinderhoof: 19B > 19D"),
        ("Old Saltbeard: 14 H > 15 H", "Old Saltbeard: 14H > 15H"),
        ("Brassmonger: 10K > 1OL", "Brassmonger: 10K > 10L"),
        ("Brassmonger: 1OK > 1OL", "Brassmonger: 10K > 10L"),
        ("Sparkplug 64 16 L - 17 L", "Sparkplug 64: 16L > 17L"),
        # everybody
        ("All: hold", "\n".join(f"{name}: hold" for name in sorted(OWN))),
    ],
)
def test_it_offers_the_order_that_was_meant(text: str, meant: str) -> None:
    assert offered(text) == (meant,)
    assert all(isinstance(line, ReadOrder) for line in read_post(meant, DEMO_NAMES))


def test_a_way_round_that_is_in_the_chain_may_be_a_route_or_a_long_move() -> None:
    """3.2.2.3"""
    route, long_move = offered("Cinderhoof: 19B > 18B > 17B (via 18B)")
    assert route == "Cinderhoof: 19B > 17B (19B - 18B - 17B)"
    assert long_move == "Cinderhoof: 19B > 18B > 17B"


@pytest.mark.parametrize(
    "text",
    [
        "Cinderhoof: 19B > 19D, Gorewright: 15H > 14H",
        "Cinderhoof: 19B or 19C",
        "Cinderhoof: don't go 19B > 19C",
        "Cinderhoof: hold, then 19B > 18B",
        "Cinderhoof: 19B-18B-17B-16B-15B",
        "Cinderhoof and Topdeck Tam: 19B > 18B",
        "Gorewrigt: 14H > 13H",
        "Cinderhoof: 19B > 19D; engage Gorewright and engage Lord Verdigris",
    ],
)
def test_it_offers_nothing_where_it_is_not_sure(text: str) -> None:
    assert offered(text) == ()


def test_the_word_in_front_of_an_order_is_no_misspelt_army() -> None:
    line = read_line("Orders: Cinderhoof: 19B > 18D", DEMO_NAMES)
    assert isinstance(line, Unreadable)
    assert line.suggestions == ()


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n", "\u2028", "\u2029", "\u0085"])
def test_what_office_programs_put_between_lines_ends_a_line_of_orders(end: str) -> None:
    text = f"Old Saltbeard: 14H > 15H{end}Brassmonger: 10K > 11K"
    assert [line.army for line in read_post(text, DEMO_NAMES) if isinstance(line, ReadOrder)] == [
        "Old Saltbeard",
        "Brassmonger",
    ]
    assert "\n".join(split_lines(text)).split("\n") == split_lines(text)


SHORT_NAMED = ("Old Saltbeard", "Brassmonger", "Cinderhoof")
_NAME = st.sampled_from([*DEMO, "Saltbeard", "Brass", "Cinderhof", "Orders", "All"])
_WRITTEN = st.lists(
    st.one_of(
        _NAME,
        st.sampled_from(["14H", "15H", "10K", "11K", "19B", "18B", "17B", "19D", "12A", "1OL", "14 H", "16I", "b19"]),
        st.sampled_from([":", ">", "-", "–", ",", ";", ".", "(", ")", "->", "via", "then", "and", "to", "at", "or"]),
        st.sampled_from(
            ["engage", "engaging", "attack", "replace", "intercept", "transfer to", "joint engage", "hold"]
        ),
    ),
    min_size=2,
    max_size=14,
).map(" ".join)


@given(_WRITTEN)
def test_an_offered_order_has_nothing_that_was_not_written_for_its_army(text: str) -> None:
    """R8: its squares stand in the line, or are where the army, or the one that it is about, stands; and of two armies
    that the line names neither gets what stands behind the other."""
    line = read_line(text, DEMO_NAMES)
    if isinstance(line, ReadOrder):
        return
    found = unread(text, DEMO_NAMES, Writer(OWN), DEMO) if isinstance(line, Talk) else None
    squares = {read_square(s) for s in re.findall(r"\b(?:[0-9]{2}[A-N]|[a-n][0-9]{2})\b", _tidy(text))}
    for order in (*(found.meant if found else ()), *offered(text)):
        taken = read_post(order, DEMO_NAMES)
        assert len({line.army for line in taken if isinstance(line, ReadOrder)}) == len(taken)
        for each in taken:
            assert isinstance(each, ReadOrder)
            assert each.army in OWN
            about = _targets(each)
            assert about <= {name for name in DEMO if name in text or name in SHORT_NAMED} - {each.army}
            allowed = squares | {DEMO[each.army]} | {DEMO[name] for name in about}
            assert _squares(each) <= allowed, order
            behind = _behind(text, each.army)
            if behind is not None:
                assert _squares(each) <= {*behind, DEMO[each.army], *(DEMO[name] for name in about)}, order


def _tidy(text: str) -> str:
    return text.replace("1OL", "10L").replace("14 H", "14H")


def _behind(text: str, army: str) -> set[Square] | None:
    """The squares between an army's name and the next name with a colon; None if it does not stand there once so."""
    parts = re.split(rf"({'|'.join(DEMO)}) :", _tidy(text))
    own = [part for name, part in zip(parts[1::2], parts[2::2], strict=True) if name == army]
    return (
        {read_square(s) for s in re.findall(r"\b(?:[0-9]{2}[A-N]|[a-n][0-9]{2})\b", own[0])} if len(own) == 1 else None
    )


def _squares(line: ReadOrder) -> set[Square]:
    if isinstance(line.order, Move):
        return {s for step in line.order.steps for s in (step.start, step.to, *(step.route or ()))}
    return {line.order.at} if isinstance(line.order, Transfer) else set()


def _targets(line: ReadOrder) -> set[str]:
    if isinstance(line.order, Move):
        return {step.target for step in line.order.steps if step.target}
    return {line.order.target} if isinstance(line.order, Transfer) else set()
