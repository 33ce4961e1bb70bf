"""The basics of every form: long text without loss, one-time form tokens, and the error messages of fields."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from django import forms
from django.core import validators
from django.utils.translation import gettext, gettext_lazy

from judging.common.form_views import number_of
from wargame.rules.core.saying import grouped
from wargame.rules.core.typography import plain, whole_number

if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

LIMITS: dict[type[validators.BaseValidator] | type[validators.ProhibitNullCharactersValidator], _StrOrPromise] = {
    validators.MaxLengthValidator: gettext_lazy(
        "This has %(show_value)d characters; the limit is %(limit_value)d. Shorten it."
    ),
    validators.MinLengthValidator: gettext_lazy("This has %(show_value)d characters; the minimum is %(limit_value)d."),
    validators.MaxValueValidator: gettext_lazy("This is %(show_value)s; the maximum is %(limit_value)s. Enter less."),
    validators.MinValueValidator: gettext_lazy("This is %(show_value)s; the minimum is %(limit_value)s. Enter more."),
    validators.ProhibitNullCharactersValidator: gettext_lazy(
        "This has a character that can't be saved (U+0000). Remove it."
    ),
}
WRONG: dict[type[forms.Field], dict[str, _StrOrPromise]] = {
    forms.Field: {"required": gettext_lazy("This can't be empty. Fill it in.")},
    forms.IntegerField: {"invalid": gettext_lazy("This is not a whole number. Use digits only.")},
    forms.DecimalField: {"invalid": gettext_lazy("This is not a number. Use digits, like 2 or 0.5.")},
    forms.ChoiceField: {"invalid_choice": gettext_lazy("That is not one of the choices. Choose one from the list.")},
    forms.TimeField: {"invalid": gettext_lazy("This is not a time of day. Write one like 05:00.")},
    forms.DateField: {"invalid": gettext_lazy("This is not a date. Write one like 2026-11-22.")},
    forms.DateTimeField: {"invalid": gettext_lazy("This is not a date with a time. Write one like 2026-11-22 05:00.")},
    forms.EmailField: {"invalid": gettext_lazy("This is not an email address. Write one like ana@example.org.")},
}


class LongText(forms.CharField):
    """A text with lines: blanks kept, line ends as `\\n`, and a sentence that names the maximum length."""

    def __init__(self, *, longest: int, cites: str, rows: int, missing: _StrOrPromise) -> None:
        super().__init__(strip=False, widget=forms.Textarea(attrs={"rows": rows, "spellcheck": "true"}))
        self.longest, self.cites = longest, cites
        self.error_messages["required"] = missing

    def to_python(self, value: object) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n").replace("\r", "\n")

    def validate(self, value: str) -> None:
        if not value.strip():
            raise forms.ValidationError(self.error_messages["required"], code="required")
        if len(value) > self.longest:
            raise forms.ValidationError(
                gettext(
                    "This has %(number)s characters, %(over)s over the limit of %(longest)s. Nothing was sent; "
                    "your text is still below (%(rule)s)."
                )
                % {
                    "number": grouped(len(value)),
                    "longest": grouped(self.longest),
                    "over": grouped(len(value) - self.longest),
                    "rule": self.cites,
                },
                code="too_long",
            )


class WholeNumber(forms.IntegerField):
    """A whole number as people write it: `5,000` and `5.000` are five thousand, where Django takes the latter for 5."""

    def to_python(self, value: object) -> int | None:
        if not isinstance(value, str) or not (text := plain(value).strip()):
            return super().to_python(value)
        number = whole_number(text.lstrip("+-"))
        if number is None or text[1:2] in ("+", "-"):
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return -number if text.startswith("-") else number


class RawText(forms.Field):
    """A text as it was typed; empty if it wasn't sent."""

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: object) -> str:
        return "" if value is None else str(value)


class RowKey(RawText):
    """The key of a row, as a button or a list sends it; -1, which no row has, for a damaged one."""

    def clean(self, value: object) -> int:
        return number_of(super().clean(value))


class RawList(forms.Field):
    """All values that were sent under one name, as text."""

    widget = forms.SelectMultiple

    def __init__(self) -> None:
        super().__init__(required=False)

    def to_python(self, value: Sequence[object] | None) -> tuple[str, ...]:
        return tuple(map(str, value or ()))


class RawForm(forms.Form):
    """A form that takes whatever was typed: the service that it calls says what is wrong, and by which rule.

    `cleaned_data` is there at once. Pages make it of a POST, the API of the body of a request.
    """

    def __init__(self, data: Mapping[str, object]) -> None:
        super().__init__(data)
        self.full_clean()


def new_token() -> str:
    """A form's token, so that sending it twice makes one post."""
    return secrets.token_urlsafe(18)


def speak_plainly() -> None:
    """Replace Django's default error messages in all forms by those of this service; a form with better messages of
    its own keeps them."""
    for limit, sentence in LIMITS.items():
        limit.message = sentence
    for field, sentences in WRONG.items():
        field.default_error_messages = {**field.default_error_messages, **sentences}
