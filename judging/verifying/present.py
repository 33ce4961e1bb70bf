"""R38: what no settlement has worked out yet, held against what it follows from: the rows of the map, the seeds that
nobody has seen, and how far the battles are."""

from __future__ import annotations

import logging
from collections.abc import Iterator

from django.utils.translation import gettext_noop

from judging.battles.models import Battle
from judging.game.models import LogEntry
from judging.game.positions import position_of
from judging.game.words import Words, words
from judging.turns.turn_input import InputOfTurn
from judging.verifying.checks import Check
from wargame import world
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules import settlement
from wargame.rules.core import codec, dice
from wargame.rules.core.position import Position

log = logging.getLogger(__name__)


def present_checks(round: Round) -> tuple[Check, ...]:
    """R38: the checks of the round as it is now; none before it has begun, and none of an archive: what is open of it
    was played elsewhere."""
    turn = Turn.objects.filter(round=round).select_related("round").order_by("-number").first()
    if turn is None or round.state == RoundState.ARCHIVE:
        return ()
    try:
        return (*_end(turn.round), *_seeds(turn), *_battles(turn), *_map(turn))
    except Exception:  # whatever is wrong with stored rows is a difference like others
        log.exception("the open parts of turn %s of %s can't be verified", turn.number, round.slug)
        return (
            Check(
                words("The open turn"),
                "stored",
                "",
                words("the stored data of the open turn, which is damaged"),
            ),
        )


def _end(round: Round) -> Iterator[Check]:
    """R34, R38: whether the round is over, which makes all of it public: the log says who confirmed its winner."""
    won = LogEntry.objects.filter(round=round, action="round.won").order_by("pk").last()
    state = RoundState.OVER if won else RoundState.RUNNING
    confirmed = words("whether the round is finished, which doesn't match the judges' confirmation of a winner")
    yield Check(words("Whether the round is finished"), round.state, state.value, confirmed)


def _seeds(turn: Turn) -> Iterator[Check]:
    """R38: seeds that are secret still."""
    if turn.state != TurnState.SETTLED:
        committed = _commitment(turn.seed)
        wrong = words("the seed of turn %(number)s, which doesn't match its commitment", number=turn.number)
        yield Check(words("The seed of turn %(number)s", number=turn.number), turn.commitment, committed, wrong)
    for battle in Battle.objects.filter(turn=turn).exclude(state=Battle.State.PUBLISHED).order_by("number"):
        wrong = words(
            "the seed of the battle on %(square)s, which doesn't match its commitment",
            square=battle.at,
        )
        yield Check(
            words("The seed of the battle on %(square)s", square=battle.at),
            battle.commitment,
            _commitment(battle.seed),
            wrong,
        )


def _battles(turn: Turn) -> Iterator[Check]:
    """4.2: how far each battle is, by what there is of it."""
    rows = Battle.objects.filter(turn=turn).exclude(state=Battle.State.CANCELLED).order_by("number")
    for battle in rows.select_related("score", "proposal", "result"):
        reached = [state for name, state in REACHED.items() if hasattr(battle, name)]
        state = reached[-1] if reached else Battle.State.WAITING
        wrong = words(
            "the state of the battle on %(square)s, which doesn't match its score, roll and result", square=battle.at
        )
        yield Check(
            words("The state of the battle on %(square)s", square=battle.at),
            battle.state,
            state.value,
            wrong,
        )


REACHED = {"score": Battle.State.SCORED, "proposal": Battle.State.ROLLED, "result": Battle.State.PUBLISHED}
"""What there is of a battle, and the state that it has then."""


def _map(turn: Turn) -> Iterator[Check]:
    """1.2, R18: the rows of armies, troops and bases, by the map on which the turn is played or to which it led."""
    rows, played = world.load_position(turn.round), _played(turn)
    there, follow = codec.position_to_json(rows), codec.position_to_json(played)
    for key, one in (("armies", "army"), ("bases", "base"), ("towns", "town")):
        kept = {each["name"]: each for each in there[key]}
        others = {each["name"]: each for each in follow[key]}
        for name in sorted({*kept, *others}):
            if (wrong := _difference(kept.get(name), others.get(name))) or one == "army":
                what, differs = NAMED[one]
                told = words(differs, name=name, what=wrong or "")
                yield _check(words(what, name=name), kept.get(name, {}), others.get(name, {}), told)
    yield _check(
        words("The terrain"),
        {"terrain": there["terrain"]},
        {"terrain": follow["terrain"]},
        words("the terrain of the map"),
    )


def _check(what: Words, kept: codec.Json, follows: codec.Json, wrong: Words) -> Check:
    return Check(what, codec.digest(kept), codec.digest(follows), wrong)


def _played(turn: Turn) -> Position:
    if turn.state != TurnState.SETTLED:
        return position_of(turn)
    given = InputOfTurn(turn)
    return settlement.settle(given.position, given.for_settlement(), given.dice()).position


NAMED = {
    "army": (gettext_noop("The army %(name)s"), gettext_noop("the army %(name)s: %(what)s")),
    "base": (gettext_noop("The base %(name)s"), gettext_noop("the base %(name)s: %(what)s")),
    "town": (gettext_noop("The town %(name)s"), gettext_noop("the town %(name)s: %(what)s")),
}


def _difference(kept: codec.Json | None, follows: codec.Json | None) -> Words | str:
    """Which fields of a row are not as they must be; empty if all are."""
    if kept is None:
        return "" if follows is None else words("its record is missing")
    if follows is None:
        return words("it has a record but isn't on the map")
    return ", ".join(sorted(key for key in {*kept, *follows} if kept.get(key) != follows.get(key)))


def _commitment(seed: str) -> str:
    try:
        return dice.commitment(bytes.fromhex(seed))
    except ValueError:
        return ""
