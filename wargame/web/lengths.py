"""R5: lengths of time as people write and read them."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django import forms

_UNITS = (("day", 86400), ("hour", 3600), ("minute", 60), ("second", 1))
_LENGTH = re.compile(
    r"\s*(\d{1,9})\s*(d(?:ays?)?|h(?:ours?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)\b[\s,]*", re.ASCII | re.IGNORECASE
)


class LengthField(forms.Field):
    """A length of time in words: `7 days`, `1 day 4 hours`, `90 min`, `0 hours`."""

    def __init__(self, **more: Any) -> None:
        super().__init__(widget=forms.TextInput(attrs={"autocomplete": "off", "maxlength": "60"}), **more)

    def to_python(self, value: object) -> timedelta | None:
        text = str(value or "").strip()
        if not text:
            return None
        seconds, place = 0, 0
        while place < len(text) and (match := _LENGTH.match(text, place)):
            seconds += int(match[1]) * next(s for unit, s in _UNITS if unit.startswith(match[2][0].lower()))
            place = match.end()
        if place < len(text) or seconds > 86400 * 3660:
            raise forms.ValidationError(f"“{text[:40]}” is no length of time; write one like 7 days or 36 hours (R5).")
        return timedelta(seconds=seconds)

    def prepare_value(self, value: object) -> object:
        return length_words(value) if isinstance(value, timedelta) else value


def length_words(length: timedelta) -> str:
    """`7 days`, `1 day 4 hours`; `0 hours` for none."""
    left, words = int(length.total_seconds()), []
    for unit, seconds in _UNITS:
        number, left = divmod(left, seconds)
        words += [f"{number} {unit}{'' if number == 1 else 's'}"] if number else []
    return " ".join(words) or "0 hours"
