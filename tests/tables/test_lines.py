"""9: lines are read into actions and written back; what can't be read shows its column."""

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.core.lines.actions import Action, Ambiguous, Ref, Unreadable
from tables.core.lines.forms import COUNTED, FORMS, STEPS, Form
from tables.core.lines.matching import Literal, Maybe, Node, nodes_of
from tables.core.lines.notation import LONGEST_LINE, MOST_LINES, read_line, read_lines, read_sentences, write
from tables.core.lists.cards import Game
from tables.core.lists.vocabulary import COLOURS, ZONES

YLVAS = ("Ylva, the Ferrywoman", "Ylva, the Younger")
NAMES = ("Gull", "Old Pact", "Lance of Light", "Brassman's Will", "To and Fro", *YLVAS)
SEATS = ("A", "B", "Bo")
PLAYED: tuple[Game, ...] = ("kryptik", "seize", "altered", "free")

_cards = st.sampled_from(NAMES)
_seats = st.sampled_from(SEATS)
_of_seat = st.builds("{} of {}".format, _cards, _seats)
_row = st.builds("11y {}".format, st.integers(1, 99))
_row_of = st.builds("11y {} of {}".format, st.integers(1, 9), _seats)
_things: st.SearchStrategy[Ref] = st.one_of(st.integers(1, 999_999), _cards, _of_seat)
_places: st.SearchStrategy[Ref] = st.one_of(_things, _row, _row_of, _seats)
_tiles = st.builds("{}{}".format, st.sampled_from("abcdefgh"), st.integers(1, 8))


def _tuples(of: st.SearchStrategy[Ref], least: int = 1) -> st.SearchStrategy[tuple[Ref, ...]]:
    return st.lists(of, min_size=least, max_size=4).map(tuple)


def _slot(slot: str, game: Game) -> tuple[str, st.SearchStrategy[object]]:
    fields: dict[str, tuple[str, st.SearchStrategy[object]]] = {
        "card": ("card", _cards),
        "equip": ("equip", _cards),
        "cards": ("cards", st.lists(_cards, min_size=1, max_size=3).map(tuple)),
        "thing": ("thing", _things),
        "attacker": ("attacker", _things),
        "things": ("things", _tuples(_things)),
        "targets": ("targets", _tuples(_places if game == "kryptik" else _things)),
        "order": ("order", _tuples(_things)),
        "n": ("n", st.integers(0, 99)),
        "number": ("n", st.integers(-9, 99)),
        "other": ("other", st.integers(0, 99)),
        "ability": ("ability", st.integers(1, 10)),
        "path": ("path", st.lists(_tiles, min_size=2, max_size=5).map(tuple)),
        "tile": ("to", _tiles),
        "expedition": ("to", st.sampled_from(("hero", "companion"))),
        "step": ("to", st.sampled_from(tuple(STEPS.get(game, {"x": ()})))),
        "from": ("origin", st.sampled_from(ZONES[game])),
        "seat": ("to", _seats),
        "colour": ("do", st.sampled_from(COLOURS)),
        "stat": ("stat", st.sampled_from(("melee", "ranged"))),
        "reason": ("text", st.just("text of Old Pact")),
        "text": ("text", st.sampled_from(("because", "what does it mean?"))),
        "changes": ("changes", _sentences()),
    }
    return fields[slot]


def _sentences() -> st.SearchStrategy[tuple[Action, ...]]:
    sentence = st.one_of(
        st.builds(lambda thing: Action("dies", thing=thing), _things),
        st.builds(lambda seat, n: Action("draws", to=seat, n=n), _seats, st.integers(0, 9)),
        st.builds(lambda thing, n: Action("number", thing=thing, stat="health", n=n), _things, st.integers(0, 9)),
        st.builds(
            lambda seat, n: Action("expedition", do="back", stat="hero", to=seat, n=n), _seats, st.integers(0, 9)
        ),
    )
    return st.lists(sentence, min_size=1, max_size=3).map(tuple)


@st.composite
def actions(draw: st.DrawFn) -> tuple[Game, Action]:
    """Any action of any form of any game, with clauses where the form takes them."""
    game = draw(st.sampled_from(PLAYED))
    form = draw(st.sampled_from([each for each in FORMS if game in each.games]))
    said: dict[str, object] = dict(form.fixed)
    if form.kind == "target" and form.fixed:
        said["targets"] = ()
    _fill(draw, nodes_of(form.pattern), game, said)
    if "cards" in said and len(cards := said["cards"]) == 1:  # type: ignore[arg-type]
        said["card"] = cards[0]  # type: ignore[index]
    if form.clauses:
        _add_clauses(draw, form, said)
    action = Action(form.kind, **said)  # type: ignore[arg-type]
    return game, replace(action, confirmed=draw(st.booleans()), whatever=draw(st.booleans()))


def _fill(draw: st.DrawFn, nodes: tuple[Node, ...], game: Game, said: dict[str, object]) -> None:
    for node in nodes:
        if isinstance(node, Maybe) and draw(st.booleans()):
            _fill(draw, node.nodes, game, said)
        elif not isinstance(node, (Literal, Maybe)):
            field, values = _slot(node.name, game)
            said[field] = draw(values)


def _add_clauses(draw: st.DrawFn, form: Form, said: dict[str, object]) -> None:
    if "{targets}" not in form.pattern:
        said["targets"] = draw(st.none() | _tuples(_places, least=0))
    said["x"] = draw(st.none() | st.integers(-9, 99))
    said["pay"] = draw(_tuples(st.builds("soul {}".format, st.integers(1, 9)), least=0))
    said["order"] = draw(_tuples(st.integers(1, 9), least=0))
    choice = st.tuples(st.sampled_from(("sacrifice", "discard")), _tuples(_things))
    said["choices"] = draw(st.lists(choice, max_size=2).map(tuple))
    effect = st.tuples(st.integers(1, 10), _tuples(_things, least=0))
    said["effects"] = draw(st.lists(effect, max_size=2).map(tuple))


@given(actions())
def test_what_is_written_is_read_as_the_same_action(written: tuple[Game, Action]) -> None:
    game, action = written
    line = write(action, game)
    assert read_line(line, game, NAMES, SEATS) == action, line
    assert read_line(line.upper(), game, NAMES, SEATS) == replace(action, text=action.text.upper()), line


@given(st.text(max_size=LONGEST_LINE + 9), st.sampled_from(PLAYED))
def test_any_text_is_read_without_an_error_and_its_column_lies_in_the_line(text: str, game: Game) -> None:
    read = read_line(text, game, NAMES, SEATS)
    if not isinstance(read, Action):
        assert 1 <= read.column <= len(text) + 1


_words = st.sampled_from(
    [word for form in FORMS for word in form.shown.split()] + ["#1", ",", ";", ">", "of", "B", "11y", "Ylva", "!"]
)


@given(st.lists(_words, max_size=12), st.sampled_from(PLAYED))
def test_words_of_the_notation_in_any_order_are_read_without_an_error(words: list[str], game: Game) -> None:
    read = read_line(" ".join(words), game, NAMES, SEATS)
    if isinstance(read, Action):
        assert read_line(write(read, game), game, NAMES, SEATS) == read


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.shown)
def test_every_example_that_is_offered_is_a_line_of_its_kind(form: Form) -> None:
    for game in form.games:
        read = read_line(form.shown, game)  # type: ignore[arg-type]
        assert isinstance(read, Action), read
        assert read.kind == form.kind


def test_a_word_of_ten_megabytes_is_refused_at_once() -> None:
    started = time.perf_counter()
    for read in (read_line("a" * 10_000_000, "kryptik"), *read_lines("pass\n" * 2_000_000, "kryptik")):
        assert isinstance(read, Unreadable)
    assert time.perf_counter() - started < 0.1


def test_a_plan_has_a_longest_length() -> None:
    assert all(isinstance(read, Action) for read in read_lines("pass\n\n" * MOST_LINES, "kryptik"))
    (read,) = read_lines("pass\n" * (MOST_LINES + 1), "kryptik")
    assert isinstance(read, Unreadable)


@pytest.mark.parametrize(
    ("line", "column", "expected", "nearest"),
    [
        ("atack with #4 > 11y 3", 1, "attack", "attack with #4 > 11y 3"),
        ("block #12 wiht #5", 11, "with", "block #12 with #5, #6"),
        ("attack with #4 < 11y 3", 16, ">", "attack with #4 > 11y 3"),
        ("cast Gull; tagret #3", 12, "target", "cast Harbour Watch; target #12; pay with soul 1, soul 3"),
        ("pass to lunch", 9, "disengage, draw, first", "pass to end of turn"),
        ("  recursion Gull", 13, ":", "recursion: Ember Rite, Ember Rite"),
        ("use #4 second", 14, "ability", "use #4 second ability; X = 3"),
    ],
)
def test_what_cant_be_read_shows_its_column_what_would_fit_and_the_nearest_form(
    line: str, column: int, expected: str, nearest: str
) -> None:
    read = read_line(line, "kryptik")
    assert isinstance(read, Unreadable)
    assert read.column == column
    assert any(word.startswith(expected) for word in read.expected), read
    assert read.nearest == nearest


def test_an_unknown_card_is_refused_where_names_are_known_and_taken_as_written_where_not() -> None:
    refused = read_line("cast Gul Wing", "kryptik", NAMES)
    assert isinstance(refused, Unreadable)
    assert (refused.column, refused.wrong) == (6, "No card at this table is called “Gul Wing”.")
    read = read_line("cast Gul Wing", "kryptik")
    assert isinstance(read, Action)
    assert read.card == "Gul Wing"


def test_the_first_part_of_a_name_does_unless_it_fits_two() -> None:
    read = read_line("cast brassman’s", "kryptik", NAMES)
    assert isinstance(read, Action)
    assert read.card == "Brassman's Will"
    two = read_line("soul ylva", "kryptik", NAMES)
    assert two == Ambiguous(6, "ylva", YLVAS)


def test_a_name_knows_where_it_stood_so_that_the_table_can_point_at_it() -> None:
    read = read_line("cast Old Pact; target Gull of B", "kryptik", NAMES, SEATS)
    assert isinstance(read, Action)
    assert read.targets == ("Gull of B",)
    assert read.column("Gull of B") == 23


def test_a_ruling_is_read_as_sentences_and_a_bad_one_shows_its_column() -> None:
    read = read_sentences("#7 dies; A draws 1; #9 loses blind", "seize")
    assert isinstance(read, tuple)
    assert [(each.kind, each.thing, each.n, each.do) for each in read] == [
        ("dies", 7, 0, ""),
        ("draws", 0, 1, ""),
        ("loses status", 9, 0, "blind"),
    ]
    bad = read_sentences("#7 dies; A drowns 1", "seize", NAMES, SEATS)
    assert isinstance(bad, Unreadable)
    assert bad.column == 12
    assert isinstance(read_sentences("", "seize"), Unreadable)


def test_what_is_counted_is_no_status() -> None:
    assert "blind" not in COUNTED
