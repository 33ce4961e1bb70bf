"""2.5: the forms of a set-up. Whatever is wrong with what was typed, it is kept."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django import forms

from wargame.models.choices import OverduePolicy, Role
from wargame.rules.armies.numbers import MAXIMUM, rank_names
from wargame.rules.command.holidays import read_holidays

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MOST_ARMIES = 240

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


class NameForm(forms.Form):
    """2.5.2.1: the round's name, and the number of armies of each rank, the highest first."""

    name = forms.CharField(
        max_length=80, label="Name of the round", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for tier, most in enumerate(MAXIMUM, 1):
            hint = "no limit" if most is None else f"at most {most}"
            self.fields[f"rank{tier}"] = forms.IntegerField(
                min_value=0, max_value=MOST_ARMIES, label=rank_names(tier), help_text=hint
            )

    @property
    def ranks(self) -> list[forms.BoundField]:
        """The fields with the numbers."""
        return [self[f"rank{tier}"] for tier in range(1, len(MAXIMUM) + 1)]

    def numbers(self) -> list[int]:
        """The numbers of a form that is valid."""
        return [self.cleaned_data[f"rank{tier}"] for tier in range(1, len(MAXIMUM) + 1)]


class AppointForm(forms.Form):
    """1.3, 6: somebody who shall judge."""

    username = forms.CharField(max_length=150, label="Log-in", widget=forms.TextInput(attrs={"autocomplete": "off"}))
    role = forms.ChoiceField(choices=[(role.value, role.label.capitalize()) for role in Role])
    is_head = forms.BooleanField(required=False, label="As head, not as assistant", initial=True)


class CalendarForm(forms.Form):
    """R5: when things are due, and when they appear."""

    PUBLISHES = [
        ("at_once", "at once"),
        ("later", "after the time below, if the movement judge does not publish it earlier"),
        ("judge", "when the movement judge publishes it"),
    ]
    RESULTS = [("", "as soon as a battle is judged"), ("lock", "not before the lock")]

    weekday = forms.TypedChoiceField(
        choices=[("", "Any day"), *((str(place), name) for place, name in enumerate(WEEKDAYS))],
        coerce=int,
        empty_value=None,
        required=False,
        label="Battle deadlines are on",
    )
    deadline_at = forms.TimeField(label="at (UTC)", widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    turn_length = LengthField(label="Length of a turn")
    deadline_before_lock = LengthField(label="From the battle deadline to the lock")
    sealed_before_lock = LengthField(label="Sealed orders are accepted before the lock for")
    contingency_before_deadline = LengthField(label="A contingency may send a strat before the deadline for")
    publishes = forms.ChoiceField(
        choices=PUBLISHES, widget=forms.RadioSelect, label="The draft of the moves is published"
    )
    publish_after = LengthField(required=False, label="Waiting time of the draft")
    results = forms.ChoiceField(
        choices=RESULTS, widget=forms.RadioSelect, required=False, label="Results of battles are published"
    )
    after_lock_window = LengthField(
        label="The mercenary judge may change one raider's movement after the lock for",
        help_text="at most a tenth of a turn counts; 0 hours: not at all",
    )
    judge_within = LengthField(label="Judges are reminded of a battle without a result after the lock by")
    overdue_policy = forms.ChoiceField(
        choices=OverduePolicy, widget=forms.RadioSelect, label="If it comes later still, then"
    )
    holidays = forms.CharField(
        required=False, max_length=8000, widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"})
    )

    def clean_holidays(self) -> str:
        text = str(self.cleaned_data["holidays"]).replace("\r\n", "\n").strip()
        if faults := read_holidays(text)[1]:
            raise forms.ValidationError([fault.sentence for fault in faults])
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("publishes") == "later" and not cleaned.get("publish_after") and "publish_after" in cleaned:
            self.add_error("publish_after", "Say how long the draft waits, like 6 hours (R18).")
        return cleaned

    def calendar(self) -> dict[str, Any]:
        """The fields of the round, of a form that is valid."""
        given = self.cleaned_data
        names = ("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline")
        waits = {"at_once": timedelta(0), "later": given["publish_after"], "judge": None}
        return {
            **{
                name: given[name]
                for name in (*names, "after_lock_window", "judge_within", "overdue_policy", "holidays")
            },
            "publish_after": waits[given["publishes"]],
            "results_after_lock": given["results"] == "lock",
        }
