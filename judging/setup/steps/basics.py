"""2.5, 2.5.2.1, R5: the name, the numbers of armies and the calendar of a round in its set-up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, time
from typing import Any

from django.db import transaction

from judging.game.errors import Refused
from judging.setup.steps.name import holders
from judging.setup.writes import checked_name, held_setup, save_step
from judging.turns.calendar import FIELDS, check_calendar
from wargame.models import Judge, Round
from wargame.rules.armies.numbers import number_faults


@transaction.atomic
def save_name(
    *, round: Round, judge: Judge, name: str, armies: Sequence[int], base_version: int, now: datetime
) -> None:
    """2.5.2.1: the round's name and the number of armies of each rank, the same for both sides.

    Refused for numbers above the maxima, or below the number of players who hold a rank.
    """
    setup = held_setup(round, judge, "name", base_version)
    name = checked_name(name)
    if faults := number_faults(armies, holders(round)):
        raise Refused(" ".join(fault.sentence for fault in faults), "2.5.2.1")
    round.name = setup.round.name = name
    setup.round.save(update_fields=["name"])
    setup.armies = list(armies)
    save_step(setup, "name", judge, now, name=name, armies=list(armies))


@transaction.atomic
def save_calendar(
    *,
    round: Round,
    judge: Judge,
    weekday: int | None,
    deadline_at: time,
    calendar: Mapping[str, Any],
    base_version: int,
    now: datetime,
) -> None:
    """R5: when battle deadlines are (UTC; Monday is 0, None: any day), and what else `calendar` has of `FIELDS`.

    Refused for a calendar that can't be kept.
    """
    setup = held_setup(round, judge, "calendar", base_version)
    known = {name: value for name, value in calendar.items() if name in FIELDS}
    check_calendar({name: getattr(setup.round, name) for name in FIELDS} | known)
    for name, value in known.items():
        setattr(round, name, value)
        setattr(setup.round, name, value)
    setup.round.save(update_fields=list(known))
    setup.weekday, setup.deadline_at = weekday, deadline_at
    save_step(setup, "calendar", judge, now, weekday=weekday, deadline_at=f"{deadline_at:%H:%M}", **_as_text(known))


def _as_text(values: Mapping[str, Any]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}
