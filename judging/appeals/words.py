"""R57: what an appeal is against, and what came of it: as codes, which are stored, and in words, made when they are
read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from judging.appeals.models import Appeal
from wargame.rules.core.sides import Side

About = Mapping[str, Any]
"""The `kind` of what an appeal is against, and the facts that its words name."""


def result(at: str, turn: int) -> About:
    """R57: the result of a battle on a square, in a turn."""
    return {"kind": "result", "at": at, "turn": turn}


def ruling(number: int | None, turn: int) -> About:
    """R57: a ruling, by its number in its turn."""
    return {"kind": "ruling", "number": number, "turn": turn}


def penalty(number: int, turn: int) -> About:
    """R57: a penalty, by its number in its turn."""
    return {"kind": "penalty", "number": number, "turn": turn}


def refusal(army: str, turn: int) -> About:
    """R57: an order that was refused."""
    return {"kind": "refusal", "army": army, "turn": turn}


def admission(name: str, side: str) -> About:
    """R57, 1.1: somebody whom a team did not take."""
    return {"kind": "admission", "name": name, "side": side}


def vote(question: str, is_of_team: bool) -> About:
    """R57, 1.4: the count of a vote; what a team asked itself stays its own."""
    return {"kind": "vote", "question": "" if is_of_team else question}


def about_of_row(row: Appeal) -> About:
    """R57: what an appeal is against. Reads its battle, ruling or penalty with their turns, its turn, its admission or
    its vote."""
    if row.battle:
        return result(row.battle.at, row.battle.turn.number)
    if row.ruling:
        return ruling(row.ruling.number, row.ruling.turn.number)
    if row.penalty:
        return penalty(row.penalty.number, row.penalty.turn.number)
    if row.of_turn:
        return refusal(row.army, row.of_turn.number)
    if row.admission:
        return admission(row.admission.name, row.admission.side)
    if row.vote:
        return vote(row.vote.question, bool(row.vote.side))
    return {"kind": row.kind}


def about_in_words(about: About) -> str:
    """What an appeal is against, as a part of a sentence."""
    match about:
        case {"kind": "result", "turn": turn, "at": at}:
            told = gettext("the result of the battle on %(at)s in turn %(number)s")
            return told % {"at": at, "number": turn}
        case {"kind": "ruling", "turn": turn, "number": number}:
            return gettext("ruling %(number)s on turn %(number2)s") % {"number": number, "number2": turn}
        case {"kind": "penalty", "turn": turn, "number": number}:
            return gettext("penalty %(number)s of turn %(number2)s") % {"number": number, "number2": turn}
        case {"kind": "refusal", "turn": turn, "army": army}:
            told = gettext("the refusal of an order for %(army)s in turn %(number)s")
            return told % {"army": army, "number": turn}
        case {"kind": "admission", "name": name, "side": side}:
            told = gettext("the refusal to admit %(name)s to %(title)s")
            return told % {"name": name, "title": Side(side).title}
        case {"kind": "vote", "question": ""}:
            return gettext("the count of a team's own vote")
        case {"kind": "vote", "question": question}:
            return gettext("the count of the vote “%(question)s”") % {"question": question}
    return str(Appeal.Kind(about["kind"]).label)


def outcome_in_words(outcome: str) -> str:
    """R57: what came of an appeal, by its state; what an earlier version wrote down in words stays as it is."""
    return str(Appeal.State(outcome).label) if outcome in Appeal.State.values else outcome
