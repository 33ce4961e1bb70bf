"""What is said of a field that was filled in wrongly, in the words of this service: what is wrong, what would do."""

from datetime import timedelta
from typing import Any

import pytest
from django import forms
from django.http import QueryDict
from django.utils import translation

from judging.common.forms import RawForm, RawList, RawText, RowKey, WholeNumber
from judging.common.models import Heartbeat
from wargame.web.lengths import LengthField, length_words


class Everything(forms.Form):
    """A field of each kind."""

    name = forms.CharField(max_length=5, required=False)
    number = forms.IntegerField(min_value=2, max_value=4, required=False)
    side = forms.ChoiceField(choices=[("a", "A")], required=False)
    at = forms.TimeField(required=False)
    needed = forms.CharField(required=True)
    own = forms.CharField(required=False, max_length=2, error_messages={"max_length": "A rank has 2 signs."})


@pytest.mark.parametrize(
    ("field", "given", "said"),
    [
        ("name", "sixsix", "This has 6 characters; the limit is 5. Shorten it."),
        ("name", "a\0", "This has a character that can't be saved (U+0000). Remove it."),
        ("number", "5", "This is 5; the maximum is 4. Enter less."),
        ("number", "1", "This is 1; the minimum is 2. Enter more."),
        ("number", "many", "This is not a whole number. Use digits only."),
        ("side", "b", "That is not one of the choices. Choose one from the list."),
        ("at", "25:00", "This is not a time of day. Write one like 05:00."),
        ("needed", " ", "This can't be empty. Fill it in."),
        ("own", "abc", "A rank has 2 signs."),
    ],
)
def test_a_field_says_what_is_wrong_and_what_would_do(field: str, given: str, said: str) -> None:
    form = Everything({"needed": "x", field: given})
    assert form.errors == {field: [said]}


@pytest.mark.parametrize(
    ("typed", "number"),
    [("5000", 5000), ("5,000", 5000), ("5.000", 5000), ("5 000", 5000), ("500.0", 500), ("-3", -3), ("250,0", 250)],
)
def test_a_whole_number_is_read_as_people_write_it(typed: str, number: int) -> None:
    assert WholeNumber().clean(typed) == number


@pytest.mark.parametrize("typed", ["5.00000", "0.5", "1,50", "--3", "many"])
def test_what_may_be_two_numbers_is_none(typed: str) -> None:
    with pytest.raises(forms.ValidationError):
        WholeNumber().clean(typed)


class Raw(RawForm):
    text, missing = RawText(), RawText()
    row, damaged = RowKey(), RowKey()
    chosen = RawList()


@pytest.mark.parametrize(
    "data",
    [
        QueryDict("text=%20a%00&row=17&damaged=1%20OR&chosen=1&chosen=2"),
        {"text": " a\0", "row": "17", "damaged": "1 OR", "chosen": ["1", 2]},
    ],
)
def test_a_raw_form_takes_what_a_page_or_a_program_sends_and_leaves_refusals_to_the_service(data: Any) -> None:
    read = {"text": " a\0", "missing": "", "row": 17, "damaged": -1, "chosen": ("1", "2")}
    assert Raw(data).cleaned_data == read


def test_rows_that_are_checked_say_the_same() -> None:
    class HeartbeatForm(forms.ModelForm):  # type: ignore[type-arg]
        class Meta:
            model = Heartbeat
            fields = ("name",)

    (said,) = HeartbeatForm({"name": "x" * 41}).errors["name"]
    assert said == "This has 41 characters; the limit is 40. Shorten it."


@pytest.mark.parametrize(
    ("typed", "hours"),
    [("7 days", 168), ("1 day 4 hours", 28), ("90 min", 1.5), ("7 Tage 4 Stunden", 172), ("2 Std", 2), ("1 Tag", 24)],
)
def test_a_length_of_time_is_read_as_pages_write_it_in_english_and_in_german(typed: str, hours: float) -> None:
    length = LengthField().to_python(typed)
    assert length == timedelta(hours=hours)
    for language in ("en", "de"):
        with translation.override(language):
            assert LengthField().to_python(length_words(length)) == length, language
