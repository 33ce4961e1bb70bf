"""What is said of a field that was filled in wrongly, in the words of this service: what is wrong, what would do."""

from __future__ import annotations

import pytest
from django import forms

from judging.game.models import Heartbeat


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
        ("name", "sixsix", "This has 6 characters, and 5 are the most. Shorten it."),
        ("name", "a\0", "This has a character that can't be stored (U+0000). Take it out."),
        ("number", "5", "This is 5, and 4 is the most. Give less."),
        ("number", "1", "This is 1, and 2 is the least. Give more."),
        ("number", "many", "This is no whole number. Write one with digits alone."),
        ("side", "b", "There is no such choice. Take one of those that are there."),
        ("at", "25:00", "This is no time of day. Write one like 05:00."),
        ("needed", " ", "This can't be empty. Fill it in."),
        ("own", "abc", "A rank has 2 signs."),
    ],
)
def test_a_field_says_what_is_wrong_and_what_would_do(field: str, given: str, said: str) -> None:
    form = Everything({"needed": "x", field: given})
    assert form.errors == {field: [said]}


def test_rows_that_are_checked_say_the_same() -> None:
    class HeartbeatForm(forms.ModelForm):  # type: ignore[type-arg]
        class Meta:
            model = Heartbeat
            fields = ("name",)

    (said,) = HeartbeatForm({"name": "x" * 41}).errors["name"]
    assert said == "This has 41 characters, and 40 are the most. Shorten it."
