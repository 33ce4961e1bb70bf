"""1.5, 11: what a round plays by: its options with what they mean, and the rulings by number.

Apart from `pages`, because which options a round has and what they mean is a table to look things up in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from judging.game import rulebook
from wargame.models import Round
from wargame.web.lengths import length_words

OPTIONS: tuple[tuple[Promise, tuple[tuple[str, Promise, str], ...]], ...] = (
    (gettext_lazy("Calendar"), (
        ("turn_length", gettext_lazy("Turn length"), "1.5"),
        ("deadline_before_lock", gettext_lazy("Time from battle deadline to lock"), "R5"),
        ("sealed_before_lock", gettext_lazy("How early sealed orders are accepted (time before the lock)"), "R6"),
        ("contingency_before_deadline", gettext_lazy("How long before the deadline a contingency can act"), "5.2.3"),
        ("may_lock_early", gettext_lazy("Turns can be locked early"), "R60"),
        ("after_lock_window", gettext_lazy("Time after the lock in which a raider can be moved"), "R61"),
        ("holidays", gettext_lazy("Holidays"), "R5"),
    )),
    (gettext_lazy("Results and judges"), (
        ("publish_after", gettext_lazy("How long a draft of the moves waits for the movement judge"), "3.3.3"),
        ("results_after_lock", gettext_lazy("Results are published only after the lock"), "4.1.1"),
        ("judge_within", gettext_lazy("How long a battle can wait for its result after the lock"), "4.1.1"),
        ("overdue_policy", gettext_lazy("If a battle waits longer"), "4.1.1"),
        ("criteria", gettext_lazy("Scoring criteria"), "R54"),
        ("second_score_threshold", gettext_lazy("Two scores can differ by up to"), "R55"),
        ("strats_after", gettext_lazy("When strats are published (turns after the battle)"), "R54"),
        ("runner_least", gettext_lazy("Minimum losses for a side that ran away, in percent"), "R53"),
        ("pair_least", gettext_lazy(
            "Two armies on one side: the least one can lose, in percent of its usual share"
        ), "R53"),
        ("pair_most", gettext_lazy(
            "Two armies on one side: the most one can lose, in percent of its usual share"
        ), "R53"),
        ("appeal_within", gettext_lazy("Time for appeals"), "R57"),
        ("most_appeals", gettext_lazy("Open appeals per player"), "R57"),
    )),
    (gettext_lazy("Dice and messages"), (
        ("dice_mix", gettext_lazy("Mixed into the dice"), "R38"),
        ("mix_within", gettext_lazy("How long the dice wait for words or the beacon"), "R38"),
        ("press", gettext_lazy("Private messages"), "1.6"),
        ("has_mercenaries", gettext_lazy("Mercenaries (chapter 6)"), "2.5.3"),
    )),
)  # fmt: skip
"""1.5: the options of a round in the order of the page: the field, what it is called, and where it is written."""

_STARTS = re.compile(r"\*\*(R\d+)\.(?: (.+?)\.)?\*\*")
_SENTENCE = re.compile(r".+?[.:](?= |$)")
EMPTY = {
    "publish_after": gettext_lazy(
        "until the judge publishes it"
    ), "strats_after": gettext_lazy("when the round ends"),
    "holidays": gettext_lazy("none"),
}  # fmt: skip
"""What it means that an option is empty."""


@dataclass(frozen=True)
class Option:
    """1.5: an option as it holds in a round. `default`: it is as in a round that chose nothing."""

    name: str
    title: str
    holds: tuple[str, ...]
    cites: str
    default: bool


@dataclass(frozen=True)
class Heading:
    """1.5: options that belong together."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class NumberedRuling:
    """A ruling by its number: what it is about, and its first sentence."""

    number: str
    title: str
    begins: str


def options_of(round_: Round) -> tuple[Heading, ...]:
    """1.5: every option of a round as it holds there."""
    return tuple(
        Heading(str(title), tuple(_option(round_, *one) for one in options)) for title, options in OPTIONS
    )  # fmt: skip


def _option(round_: Round, name: str, title: Promise, cites: str) -> Option:
    value = getattr(round_, name)
    return Option(name, str(title), tuple(_words(round_, name, value)), cites, value == getattr(Round(), name))


def _words(round_: Round, name: str, value: object) -> Iterator[str]:
    if value is None or value == "":
        yield str(EMPTY.get(name, gettext("none")))
    elif isinstance(value, bool):
        yield gettext("yes") if value else gettext("no")
    elif isinstance(value, timedelta):
        yield length_words(value) if value else gettext("not at all")
    elif isinstance(value, str) and "\n" in value.strip():
        yield from (line.strip() for line in value.splitlines() if line.strip())
    else:
        shown = getattr(round_, f"get_{name}_display", None)
        yield str(shown() if shown else value)


@cache
def rulings() -> tuple[NumberedRuling, ...]:
    """Every ruling of the war game by its number, in the order of the page of the rules, where it stands in full."""
    found = []
    for block in rulebook.RULINGS.read_text(encoding="utf-8").split("\n\n"):
        if match := _STARTS.match(block):
            text = " ".join(block[match.end() :].split())
            first = _SENTENCE.match(text)
            found.append(NumberedRuling(match[1], match[2] or "", first[0] if first else text))
    return tuple(found)
