"""What earlier versions stored of events in words, and what it is now.

Apart from `telling`, because nothing writes these words any more: it grows with the versions and is never tidied.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_REASONS = {
    "joint_ignored": (
        ("joint_alone", re.compile("no second army posted one for this square")),
        ("joint_crowd", re.compile(r"(?P<armies>\d+) armies posted one for this square, and it must be exactly two")),
        ("joint_friends", re.compile("(?P<friends>.+) stays on that square or moves there too")),
    ),
    "after_lock_avoids": (
        ("after_lock_mercenary", re.compile("is a mercenary too")),
        ("after_lock_fights", re.compile("is fighting, and nobody else may join that battle")),
        ("after_lock_leaves", re.compile("is ordered to (?P<ordered>.+)")),
        ("after_lock_elsewhere", re.compile("stands on (?P<at>.+)")),
    ),
}
"""Of reasons that had a part of their sentence among their facts, as `why`: those that they are now, by that part."""

_SETS_OUT = {
    "attacks": "set out to attack",
    "retreats to": "headed for",
    "returns to": "headed back to",
    "moves on to": "set out for",
    "disbands:": "had to disband:",
    "goes where": "made for a square where",
}
"""What a mercenary sets out to do, which was told as if it had done it."""

_PARTS = {
    "nobody else may join that battle": "no one else could join that battle",
    " its enemies": " their enemies",
    " its territory": " their territory",
    ", where it began": ", the starting square",
}
"""Parts of what a mercenary says that have changed since."""

_AT_WAR = re.compile("(.+) is at war with (.+) and (attacks|advances towards) (.+)")


def as_of_now(data: Mapping[str, Any]) -> Mapping[str, object]:
    """A stored event as it is stored now. What it says in phrases (`wargame/rules/core/phrases.py`) is read from words
    too, and is left as it is unless its words have changed. ValueError for words that no version stored."""
    if data.get("kind") == "mercenary_decided" and isinstance(data.get("why"), str):
        return {**data, "why": _reworded(data["why"])}
    if data.get("why_not") == "" and data.get("kind") in ("ruled", "penalised"):
        return {**data, "why_not": None}
    if data.get("kind") == "change_refused" and isinstance(data.get("why"), str):
        return {**data, "why": [{"fault": "AS_WRITTEN", "facts": {"cites": data.get("cites"), "text": data["why"]}}]}
    if data.get("kind") == "refused" and data.get("reason") in _REASONS:
        return {**data, **_reason(data["reason"], dict(data["facts"]))}
    return data


def _reason(former: str, facts: dict[str, str]) -> dict[str, object]:
    why = facts.get("why", "")
    for reason, pattern in _REASONS[former]:
        if found := pattern.fullmatch(why):
            # What the words told stands where they stood, as it is written now.
            told = [found.groupdict() if key == "why" else {key: value} for key, value in facts.items()]
            return {"reason": reason, "facts": [[key, value] for part in told for key, value in part.items()]}
    raise ValueError(f"“{why}” is no part of a reason “{former}”")


def _reworded(why: str) -> str:
    for was, now in _PARTS.items():
        why = why.replace(was, now)
    if at_war := _AT_WAR.fullmatch(why):
        army, teams, does, rest = at_war.groups()
        return f"{army}, at war with {teams}, {'set out to attack' if does == 'attacks' else 'advanced towards'} {rest}"
    told = next((was for was in _SETS_OUT if f" {was} " in why), "")
    return why.replace(f" {told} ", f" {_SETS_OUT[told]} ", 1) if told else why
