"""Fields of bodies that stand for a page's form, and the answer of an operation that does what its button does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.forms import BaseForm
from django.http import QueryDict
from rest_framework import serializers

from judging.api.shapes import Body

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

LONGEST_LINE, LONGEST_TEXT = 300, 100_000
MOST_VALUES = 300


class ActedOut(Body):
    """What was done."""

    said = serializers.CharField(allow_blank=True, help_text="The message the site shows for it.")
    next = serializers.CharField(allow_blank=True, help_text="Address of the next page; empty if there is none.")


def check_form(form: BaseForm) -> None:
    """Raises ValidationError with the sentences of a page's form by its fields."""
    if not form.is_valid():
        raise serializers.ValidationError({name: [str(each) for each in texts] for name, texts in form.errors.items()})


class Nothing(Body):
    """A body without fields."""


def line(tells: str, *, needed: bool = False, most: int = LONGEST_LINE) -> Any:
    """A field of one line; what is wrong with it is the page's to say."""
    return serializers.CharField(required=needed, allow_blank=not needed, max_length=most, help_text=tells)


def text(tells: str, *, needed: bool = False) -> Any:
    """A field of many lines, kept to the letter."""
    return serializers.CharField(
        required=needed,
        allow_blank=not needed,
        max_length=LONGEST_TEXT,
        trim_whitespace=False,
        help_text=tells,
    )


def lines(tells: str, *, needed: bool = False) -> Any:
    """A field that is a list of lines."""
    child = serializers.CharField(max_length=LONGEST_LINE, allow_blank=True)
    return serializers.ListField(child=child, required=needed, max_length=MOST_VALUES, help_text=tells)


def number(tells: str, *, needed: bool = False) -> Any:
    """A whole number from 0 on."""
    return serializers.IntegerField(required=needed, min_value=0, max_value=2**31 - 1, help_text=tells)


def ticked(tells: str) -> object:
    """A box of the form; it is empty unless it is said."""
    return serializers.BooleanField(required=False, help_text=tells)


def one_of(tells: str, *codes: str | tuple[str, _StrOrPromise]) -> object:
    """A button or a choice of the form: codes, or codes with what they mean."""
    return serializers.ChoiceField(choices=codes, help_text=tells)


def fields(tells: str) -> Any:
    """The fields of a form that differs by its round: a text for each, or several."""
    child = serializers.CharField(max_length=LONGEST_TEXT, allow_blank=True, trim_whitespace=False)
    return serializers.DictField(child=serializers.ListField(child=child, max_length=MOST_VALUES), help_text=tells)


def form_of(sent: Mapping[str, object]) -> QueryDict:
    """A form with these fields, as a browser sends it: an empty box is not there, a list is a field said again."""
    form = QueryDict(mutable=True)
    for name, value in sent.items():
        if value is False:
            continue
        many = value if isinstance(value, list | tuple) else ["on" if value is True else "" if value is None else value]
        form.setlist(name, [str(each) for each in many])
    return form
