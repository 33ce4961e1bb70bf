"""R37: what a formula may say, what comes of it, and what it can never do."""

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wargame.rules.book.expressions import FUNCTIONS, MOST_CHARACTERS, MOST_DEPTH, FormulaError, read_expression

NAMES = frozenset(["ahead", "loss", "size"])
NUMBERS = {"ahead": 2, "loss": Fraction(7, 2), "size": 100}


def result(text, **numbers):
    return read_expression(text, NAMES).value(**{**NUMBERS, **numbers})


def error(text, **numbers):
    with pytest.raises(FormulaError) as raised:
        result(text, **numbers)
    return raised.value.column, raised.value.sentence


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 3 - 2", 5),
        ("-2 ^ 2", -4),
        ("2 ^ 3 ** 2", 512),
        ("1 / 3 + 1 / 3 + 1 / 3", 1),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("85% * 200", 170),
        ("1.5%", Fraction(3, 200)),
        ("6 × 2 ÷ 3 − 1", 3),
        ("ahead * loss", 7),
        ("AHEAD", 2),
        ("ahead > 1 and loss < 3", 0),
        ("ahead > 1 or loss < 3", 1),
        ("not ahead", 0),
        ("ahead = 2", 1),
        ("ahead <> 2", 0),
        ("ahead ≥ 2", 1),
        ("max(1, ahead, 3)", 3),
        ("min(1, ahead)", 1),
        ("clamp(ahead, 3, 5)", 3),
        ("if(ahead > 1, 10, 20)", 10),
        ("pick(ahead, 5, 6, 7)", 6),
        ("pick(99, 5, 6, 7)", 7),
        ("pick(-1, 5, 6, 7)", 5),
        ("steps(size, 50, 100, 150)", 2),
        ("sqrt(2)", Fraction(1414, 1000)),
        ("sqrt(size)", 10),
        ("abs(-3)", 3),
        ("floor(loss)", 3),
        ("ceil(loss)", 4),
        ("round(loss)", 4),
        ("round(-2.5)", -2),
        ("max(30 -\n 2 * ahead, 6)", 26),
    ],
)
def test_a_formula_gives_exactly_this(text, expected):
    assert result(text) == expected


def test_a_condition_works_out_only_what_it_needs():
    assert result("if(ahead = 0, 7, size / ahead)", ahead=0) == 7
    assert result("ahead <> 0 and size / ahead > 1", ahead=0) == 0


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("", 1, "This is empty"),
        ("  ", 1, "This is empty"),
        ("max(1, 2", 9, "ends too early"),
        ("1 +", 4, "ends too early"),
        ("1 2", 3, "isn't valid"),
        ("3 < ahead < 5", 11, "Compare two numbers at a time"),
        ("ahead + ahed", 9, "did you mean “ahead”?"),
        ("speed", 1, "You can use ahead, loss, size."),
        ("speed(1)", 1, "no function “speed”"),
        ("maxx(1)", 1, "did you mean “max”?"),
        ("max + 1", 1, "needs brackets"),
        ("ahead(1)", 1, "a number, not a function"),
        ("if(1, 2)", 1, "takes 3 values in its brackets, not 2"),
        ("min()", 1, "takes 1 to 12 values"),
        ("1234567890123", 1, "at most 12 digits"),
        ("ahead ^ size", 8, "whole number from 0 to 9"),
        ("2 ^ -1", 4, "whole number from 0 to 9"),
        ("2 ^ 10", 4, "whole number from 0 to 9"),
        ("1 / 0", 3, "divides by 0"),
        ("1e9", 2, "isn't valid"),
    ],
)
def test_a_mistake_is_told_with_its_column(text, column, said):
    found, sentence = error(text)

    assert found == column
    assert said in sentence


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "__import__(1)",
        "ahead.__class__",
        "(1).real",
        "[1][0]",
        "{1: 2}",
        "lambda: 1",
        "ahead := 3",
        "ahead; loss",
        "'text'",
        "f(x) for x in y",
        "exec(1)",
        "print(1)",
        "ahead if 1 else 2",
        "1 \\ 2",
        "ahead\0",
        "\ud800",
        "ａｈｅａｄ",
    ],
)
def test_nothing_but_arithmetic_is_read(text):
    error(text)


def test_what_grows_without_end_is_refused_before_it_grows():
    assert "The numbers here could grow without limit" in error("((ahead ^ 9) ^ 9) ^ 9")[1]
    assert "The numbers here could grow without limit" in error("(((9 ^ 9) ^ 9) ^ 9) ^ 9")[1]
    assert "whole number from 0 to 9" in error("9 ^ 9 ^ 9")[1]


def test_an_endless_formula_is_refused_by_its_length_alone():
    assert "at most 1000 characters; this one has 1,000,000" in error("(" * 10**6)[1]


@pytest.mark.parametrize("text", ["-" * 900 + "1", "+".join("1" * 500), "not " * 240 + "1"])
def test_a_deep_formula_exhausts_no_stack(text):
    assert f"more than {MOST_DEPTH} nested operations" in error(text)[1]


def test_brackets_alone_make_no_formula_deep():
    assert result("(" * 400 + "1" + ")" * 400) == 1


def test_there_is_no_result_where_there_is_none():
    assert error("size / (ahead - 2)") == (6, "This divides by 0.")
    assert error("size // (ahead - 2)") == (6, "This divides by 0.")
    assert error("1 + sqrt(-ahead)") == (5, "This takes the square root of a number below 0.")


def test_every_function_is_told():
    for name, function in FUNCTIONS.items():
        assert function.shape.startswith(f"{name}(")
        assert function.about


@given(st.text(alphabet="0123456789.%+-*/^()<>=,! aehdlosizmnxpcktrqfb_\n'\"", max_size=60))
@example("((((((((((")
@example("min(min(min(,)))")
def test_any_text_is_a_formula_or_a_sentence(text):
    try:
        value = result(text)
    except FormulaError as raised:
        value = raised

    if isinstance(value, FormulaError):
        assert 1 <= value.column <= len(text) + 1
        assert value.sentence.endswith((".", "?"))
    else:
        assert isinstance(value, int | Fraction)


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**9))
def test_division_and_multiplication_are_exact(first, second):
    assert result("ahead / size * size", ahead=first, size=second) == first


def test_a_text_of_the_greatest_length_is_read():
    text = "1 + " * 60
    text += "1".rjust(MOST_CHARACTERS - len(text))

    assert result(text) == 61
