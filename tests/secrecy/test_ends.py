"""DESIGN, who sees what: a round that is being set up, and one that is over."""

import pytest
import time_machine
from django.core.cache import cache
from django.http import HttpResponseBase

from tests.languages.english import english_in
from tests.pages.setting_up import SQUARES
from tests.secrecy import plant, plant_setup, wordless
from tests.secrecy.checking import check
from tests.secrecy.walking import body_of

UNCONCERNED = ("anonymous", "author", "enemy leader", "movement", "mercenary", "administrator")
"""Those who plan no base of the Coalition."""
SEE_THE_MOST = ("author", "leader", "battle", "mercenary", "administrator")
WRITTEN = (
    *("The Coalition Wargame", "Judge battle", "trial-judge-battle", "by-invitation", "invitation=", "and, or, not"),
    *("Plan against this enemy", "Use of the land and weather", "Use of its own creatures", "stands on the hill"),
    *("So it is.", "All in all, enough."),
)
"""What people wrote, names, addresses and formulas."""
CODES = ("accept",)
"""Kinds of entries, as the desk filters the log of a table."""
SHARED = ("/oembed/", "/rounds/trial/share/")
"""What many share is in the host's first language."""


def test_the_set_up_keeps_what_leaders_and_judge_plan_in_words_and_on_the_map(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """2.5.1; 2.5.1.3: wherever the bases are planned, and whichever are win conditions, other people's pages say the
    same."""
    scene = plant_setup.planned(clock)
    wordless.place(scene, SQUARES, without="Colorless Base")
    pages = wordless.Pages(scene, UNCONCERNED)
    check(scene, caplog, look=pages.look)
    swapped = {"Red Base": SQUARES["Green Base"], "Green Base": SQUARES["Red Base"]}
    wordless.place(scene, SQUARES | swapped, without="Blue Base")
    cache.clear()  # of one address nobody may search as often as all viewers of two walks do
    assert pages.changed() == []


def test_armies_that_are_raised_are_for_their_team_and_the_judge(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """2.5.2, 2.5.3."""
    check(plant_setup.raised(clock), caplog)


def test_the_end_of_a_round_opens_books_and_strats_and_no_more(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R35, R38. It is walked in German, and no page says anything in English but what people wrote."""
    english: dict[str, str] = {}

    def look(viewer: str, address: str, response: HttpResponseBase) -> None:
        is_page = response.headers["Content-Type"].startswith("text/html")
        if viewer in SEE_THE_MOST and is_page and not address.startswith(SHARED):
            for text in english_in(body_of(response), (*WRITTEN, *CODES)):
                english.setdefault(text, f"{address} as {viewer}")

    scene = plant.at_phase("over", clock)
    scene.language = "de"
    check(scene, caplog, seen=["formula book", "strat", "strat of the enemy"], look=look)
    assert english == {}
