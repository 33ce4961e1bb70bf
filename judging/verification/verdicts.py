"""R38: the verdicts that anyone can request, cached by their turn's hashes, and checks of unsettled data."""

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest
from django.utils.translation import gettext_noop

from judging.accounts.throttling import one_at_a_time
from judging.battles.models import Battle
from judging.chain.models import ChainLink
from judging.chain.queries import Wrong, check_chain, open_from
from judging.common.models import LogEntry
from judging.common.pagination import Paged, paged
from judging.common.positions import position_of
from judging.common.stored_messages import Words, words
from judging.turns.states import state_words
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import Check, TurnCheck, verify_turn
from wargame import world
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules import settlement
from wargame.rules.core import codec, dice
from wargame.rules.core.position import Position

log = logging.getLogger(__name__)


def present_checks(round: Round) -> tuple[Check, ...]:
    """R38: the checks of the round's current state; none before it has begun, and none of an archive: its open part
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
    """R38: seeds that are still secret."""
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
    """4.2: the state of each battle, by its stored data."""
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
"""The data of a battle, and the state that it implies."""


def _map(turn: Turn) -> Iterator[Check]:
    """1.2, R18: the rows of armies, troops and bases, against the map of the current turn or of the turn's end."""
    rows, played = world.load_position(turn.round), _played(turn)
    there, follow = codec.position_to_json(rows), codec.position_to_json(played)
    for key, one in (("armies", "army"), ("bases", "base"), ("towns", "town")):
        stored = {each["name"]: each for each in there[key]}
        expected = {each["name"]: each for each in follow[key]}
        for name in sorted({*stored, *expected}):
            if (wrong := _difference(stored.get(name), expected.get(name))) or one == "army":
                label, differs = NAMED[one]
                message = words(differs, name=name, what=wrong or "")
                yield _check(words(label, name=name), stored.get(name, {}), expected.get(name, {}), message)
    yield _check(
        words("The terrain"),
        {"terrain": there["terrain"]},
        {"terrain": follow["terrain"]},
        words("the terrain of the map"),
    )


def _check(what: Words, stored: codec.Json, follows: codec.Json, wrong: Words) -> Check:
    return Check(what, codec.digest(stored), codec.digest(follows), wrong)


def _played(turn: Turn) -> Position:
    if turn.state != TurnState.SETTLED:
        return position_of(turn)
    inputs = InputOfTurn(turn)
    return settlement.settle(inputs.position, inputs.for_settlement(), inputs.dice()).position


NAMED = {
    "army": (gettext_noop("The army %(name)s"), gettext_noop("the army %(name)s: %(what)s")),
    "base": (gettext_noop("The base %(name)s"), gettext_noop("the base %(name)s: %(what)s")),
    "town": (gettext_noop("The town %(name)s"), gettext_noop("the town %(name)s: %(what)s")),
}


def _difference(stored: codec.Json | None, follows: codec.Json | None) -> Words | str:
    """The wrong fields of a row; empty if there are none."""
    if stored is None:
        return "" if follows is None else words("its record is missing")
    if follows is None:
        return words("it has a record but isn't on the map")
    return ", ".join(sorted(key for key in {*stored, *follows} if stored.get(key) != follows.get(key)))


def _commitment(seed: str) -> str:
    try:
        return dice.commitment(bytes.fromhex(seed))
    except ValueError:
        return ""


KEPT_AS = "verified-3"
"""The prefix of every cache key: change it with the shape of a verdict."""

KEPT_FOR = 3600
"""Seconds for which a verdict is cached."""

CHAIN_KEPT_FOR = 60
"""Seconds: a row may be changed at any time."""

KIND = "verification"
A_PAGE = 50

Counts = tuple[int, int, int]
"""R38: the number of a turn's battles, of those with a published result, and of the latest link of those results; 0
for none. Nothing secret is among them: whether a cached verdict is still valid must not reveal an act that is not
public yet (R6)."""

NO_BATTLES = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """R38: the result of recomputing a turn, and its time."""

    check: TurnCheck
    at: datetime

    @property
    def is_same(self) -> bool:
        return not self.check.differences

    @property
    def word(self) -> str:
        """`same` or `differs`."""
        return "same" if self.is_same else "differs"


@dataclass(frozen=True, slots=True)
class TurnRow:
    """R38: a turn in the list; `verdict` is None if it has not been recomputed lately. `next_hash` is empty until it
    is settled, `published` counts its battles with a result."""

    number: int
    state: str
    is_settled: bool
    position_hash: str
    next_hash: str
    commitment: str
    battles: int
    published: int
    verdict: Verdict | None

    @property
    def word(self) -> str:
        """`same`, `differs`, or `unknown`."""
        return self.verdict.word if self.verdict else "unknown"

    @property
    def differences(self) -> tuple[str, ...]:
        return self.verdict.check.differences if self.verdict else ()

    @property
    def recomputed_at(self) -> datetime | None:
        return self.verdict.at if self.verdict else None


def turn_rows(round_: Round, now: datetime, page: str = "1") -> Paged[TurnRow]:
    """R38: the turns with their cached verdicts, the newest first; none is computed."""
    return paged(_turns(round_), A_PAGE, page, lambda turns: _rows(turns, now))


def all_rows(round_: Round, now: datetime) -> tuple[TurnRow, ...]:
    """R38: all turns with their cached verdicts, the newest first; none is computed."""
    return _rows(list(_turns(round_)), now)


def turn_row(turn: Turn, now: datetime) -> TurnRow:
    """R38: one turn as in the list."""
    return _rows([turn], now)[0]


def verdict_of(request: HttpRequest, turn: Turn, now: datetime, *, fresh: bool = False) -> Verdict:
    """R38: the verdict on a turn, computed if it is not cached or must be `fresh`, which takes about as long as
    settling the turn did. Raises Crowded."""
    key = _key(turn, _counts([turn]).get(turn.pk, NO_BATTLES))
    cached: Verdict | None = cache.get(key)
    if cached and not fresh:
        return cached
    with one_at_a_time(request, KIND):
        verdict = Verdict(verify_turn(turn), now)
    cache.set(key, verdict, KEPT_FOR)
    return verdict


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """R38: the result of comparing all rows of a round with its chain, and open data with its sources.

    `links` counts those that everybody may count: the number in the open turn would reveal something secret (R6).
    `unchecked` counts the rows that nobody can check here.
    """

    links: int
    found: tuple[Wrong | Words, ...]
    at: datetime
    unchecked: int = 0

    @property
    def differences(self) -> tuple[str, ...]:
        return tuple(each.sentence if isinstance(each, Wrong) else str(each) for each in self.found)

    @property
    def word(self) -> str:
        """`same` or `differs`."""
        return "differs" if self.found else "same"


def chain_verdict(request: HttpRequest, round_: Round, now: datetime) -> ChainVerdict:
    """R38: the verdict on all current rows, cached for a minute. Raises Crowded."""
    key = f"{KEPT_AS}:chain:{round_.pk}"
    cached: ChainVerdict | None = cache.get(key)
    if cached:
        return cached
    with one_at_a_time(request, KIND):
        present = tuple(check.differs for check in present_checks(round_) if not check.is_same)
        chain, first = check_chain(round_), open_from(round_)
        links = chain.links if first is None else first - 1
        verdict = ChainVerdict(links, (*chain.wrong, *present), now, chain.unchecked)
    cache.set(key, verdict, CHAIN_KEPT_FOR)
    return verdict


def _turns(round_: Round) -> QuerySet[Turn]:
    turns = Turn.objects.filter(round=round_).order_by("-number")
    return turns.select_related("round").defer("position", "events", "sky")


def _rows(turns: Sequence[Turn], now: datetime) -> tuple[TurnRow, ...]:
    counts = _counts(turns)
    keys = {turn.pk: _key(turn, counts.get(turn.pk, NO_BATTLES)) for turn in turns}
    verdicts = cache.get_many(keys.values())
    return tuple(_row(turn, counts.get(turn.pk, NO_BATTLES), verdicts.get(keys[turn.pk]), now) for turn in turns)


def _row(turn: Turn, counts: Counts, verdict: Verdict | None, now: datetime) -> TurnRow:
    return TurnRow(
        number=turn.number,
        state=state_words(turn, now),
        is_settled=turn.state == TurnState.SETTLED,
        position_hash=turn.position_hash,
        next_hash=turn.next_hash,
        commitment=turn.commitment,
        battles=counts[0],
        published=counts[1],
        verdict=verdict,
    )


def _counts(turns: Sequence[Turn]) -> dict[int, Counts]:
    in_play = Battle.objects.filter(turn__in=turns).exclude(state=Battle.State.CANCELLED)
    links = ChainLink.objects.filter(round=OuterRef("turn__round"), kind="result", key=OuterRef("result"))
    latest = Subquery(links.order_by("-number").values("number")[:1])
    linked = in_play.order_by("turn").annotate(link=latest).values("turn")
    rows = linked.annotate(all=Count("pk"), published=Count("result"), latest=Max("link"))
    return {row["turn"]: (row["all"], row["published"], row["latest"] or 0) for row in rows}


def _key(turn: Turn, counts: Counts) -> str:
    """The cache key, from everything that can still change a turn's verdict: a result, also one that is judged
    again, a correction, the end of the round. A fresh verdict finds edits made outside the service."""
    hashes = (turn.position_hash, turn.next_hash, turn.commitment)
    parts = (turn.pk, turn.state, turn.round.state, turn.judged_anew, *counts, *hashes)
    return f"{KEPT_AS}:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
