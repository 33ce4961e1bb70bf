"""R56, R59: what a judge types about himself."""

from __future__ import annotations

from datetime import UTC, datetime, time

from django.http import QueryDict
from django.utils.dateparse import parse_date
from django.utils.translation import gettext

from judging.game.errors import Refused

FIELDS = ("act", "about", "player", "faction", "team", "why", "since", "until", "note", "deputy", "conflict")


def typed_in(data: QueryDict) -> dict[str, str]:
    """What was typed, by the fields' names; missing ones are empty."""
    return {name: data.get(name, "") for name in FIELDS}


def day_of(text: str, field: str, *, is_needed: bool) -> datetime | None:
    """The beginning of a day in UTC; None where none is typed and none is needed. Refused for what is no day."""
    if not text.strip() and not is_needed:
        return None
    try:
        day = parse_date(text.strip())
    except ValueError:
        day = None
    if day is None:
        raise Refused(gettext("Write a day, like 2026-03-15."), "R59", field)
    return datetime.combine(day, time(), UTC)
