"""3.1, R4: times and countdowns as the pages show them."""

import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.utils import formats

from judging.templatetags.table_tags import time_left
from judging.templatetags.wargame_tags import countdown, utc, utc_exact, utc_short
from tests.services.world_of_tests import LOCK

SECOND = timedelta(seconds=1)
TO_THE_SECOND = LOCK + 30 * SECOND
BY_HAND = re.compile(r'\|date:(?:_\()?"[^"]*H:i')


@pytest.mark.parametrize(
    ("deadline", "now", "words"),
    [
        (LOCK, LOCK - timedelta(hours=2), "in 2 hours 1 minute"),
        (LOCK, LOCK, "in 1 minute"),
        (LOCK, LOCK + 59.5 * SECOND, "in 1 second"),
        (LOCK, LOCK + 60 * SECOND, "passed"),
        (TO_THE_SECOND, TO_THE_SECOND - 0.5 * SECOND, "in 1 second"),
        (TO_THE_SECOND, TO_THE_SECOND, "passed"),
    ],
)
def test_a_deadline_is_counted_down_to_the_first_moment_that_is_out(
    deadline: datetime, now: datetime, words: str
) -> None:
    with time_machine.travel(now, tick=False):
        html = countdown(deadline)
    assert f">{words}</time>" in html
    assert ("countdown--past" in html) is (words == "passed")


def test_the_browser_counts_to_the_same_moment() -> None:
    assert 'datetime="2026-03-09T05:01:00Z"' in countdown(LOCK)
    assert 'datetime="2026-03-09T05:00:30Z"' in countdown(TO_THE_SECOND)


@pytest.mark.parametrize(
    ("now", "words"),
    [
        (LOCK - timedelta(hours=2), "Time runs out in 2 hours"),
        (LOCK - SECOND, "Time runs out in 1 second"),
        (LOCK, "Time ran out"),
    ],
)
def test_a_tables_time_is_counted_to_its_very_moment_and_told_in_a_sentence(now: datetime, words: str) -> None:
    with time_machine.travel(now, tick=False):
        html = time_left(LOCK, "Time runs out", "Time ran out")
    assert f">{words}</time>" in html
    assert 'datetime="2026-03-09T05:00:00Z"' in html
    assert 'data-ahead="Time runs out" data-over="Time ran out"' in html


def test_only_receipts_show_seconds() -> None:
    assert ">Mon 9 Mar 2026, 05:00 UTC<" in utc(TO_THE_SECOND)
    assert ">Mon 9 Mar 2026, 05:00:30 UTC<" in utc_exact(TO_THE_SECOND)


def test_a_time_by_minute_alone_names_its_zone_too() -> None:
    assert ">9 Mar, 05:00 UTC<" in utc_short(TO_THE_SECOND)
    assert 'data-utc="short"' in utc_short(LOCK)
    assert utc_short(None) == ""


def test_no_page_writes_hours_that_times_js_does_not_find() -> None:
    """But for words that are heard or pop up, which hold no element."""
    heard = {"log/_line.html", "command/players.html", "registration/_sessions.html"}
    folder = Path(settings.BASE_DIR) / "templates"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*.html") if BY_HAND.search(path.read_text())}
    assert found == heard


def test_where_a_page_does_not_say_how_the_hours_run_to_24() -> None:
    evening = LOCK.replace(hour=17)
    assert formats.date_format(evening, "DATETIME_FORMAT") == "Mon 9 Mar 2026, 17:00 UTC"
    assert formats.time_format(evening) == "17:00"
