"""R38: the verdicts that everybody may ask for. Each is kept for a while by the hashes of its turn, and each caller
has one worked out at a time, so that asking costs the service little."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.db.models import Count, Max, OuterRef, QuerySet, Subquery
from django.http import HttpRequest

from judging.accounts.throttling import one_at_a_time
from judging.battles.models import Battle
from judging.chain.models import ChainLink
from judging.chain.reads import Wrong, check_chain, open_from
from judging.game.paging import Paged, paged
from judging.game.words import Words
from judging.turns.states import state_words
from judging.verifying.checks import TurnCheck
from judging.verifying.present import present_checks
from judging.verifying.reads import verify_turn
from wargame.models import Round, Turn
from wargame.models.choices import TurnState

KEPT_AS = "verified-3"
"""The first word of every key: whoever changes the shape of a verdict changes this name."""

KEPT_FOR = 3600
"""Seconds for which a verdict is kept."""

CHAIN_KEPT_FOR = 60
"""Seconds: a row may be changed at any time."""

KIND = "verification"
A_PAGE = 50

Counts = tuple[int, int, int]
"""R38: how many battles a turn has, how many of them a published result, and the number of the latest link of those
results; 0 for none. Nothing secret is among them: whether a kept verdict still counts must not tell of an act that is
not public yet (R6)."""

NO_BATTLES = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Verdict:
    """R38: what recomputing a turn gave, and when that was."""

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
    """R38: a turn in the list; `verdict` is None where it has not been recomputed lately. `next_hash` is empty until
    it is settled, `published` counts its battles with a result."""

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
    """R38: the turns with the verdicts that are known, the newest first; none is worked out."""
    return paged(_turns(round_), A_PAGE, page, lambda turns: _rows(turns, now))


def all_rows(round_: Round, now: datetime) -> tuple[TurnRow, ...]:
    """R38: all turns with the verdicts that are known, the newest first; none is worked out."""
    return _rows(list(_turns(round_)), now)


def turn_row(turn: Turn, now: datetime) -> TurnRow:
    """R38: one turn as it stands in the list."""
    return _rows([turn], now)[0]


def verdict_of(request: HttpRequest, turn: Turn, now: datetime, *, fresh: bool = False) -> Verdict:
    """R38: the verdict on a turn, worked out if it is not known or is to be `fresh`, which takes about as long as
    settling the turn did. Raises Crowded."""
    key = _key(turn, _counts([turn]).get(turn.pk, NO_BATTLES))
    known: Verdict | None = cache.get(key)
    if known and not fresh:
        return known
    with one_at_a_time(request, KIND):
        verdict = Verdict(verify_turn(turn), now)
    cache.set(key, verdict, KEPT_FOR)
    return verdict


@dataclass(frozen=True, slots=True)
class ChainVerdict:
    """R38: what holding all rows of a round against its chain gave, and what is open against what it follows from.

    `links` counts those that everybody may count: how many the open turn has would tell of what is secret in it (R6).
    `unchecked` counts the rows that nobody can check here.
    """

    links: int
    found: tuple[Wrong | Words, ...]
    at: datetime
    unchecked: int = 0

    @property
    def differences(self) -> tuple[str, ...]:
        """What differs, in words."""
        return tuple(each.sentence if isinstance(each, Wrong) else str(each) for each in self.found)

    @property
    def word(self) -> str:
        """`same` or `differs`."""
        return "differs" if self.found else "same"


def chain_verdict(request: HttpRequest, round_: Round, now: datetime) -> ChainVerdict:
    """R38: the verdict on all rows as they are now, kept for a minute. Raises Crowded."""
    key = f"{KEPT_AS}:chain:{round_.pk}"
    known: ChainVerdict | None = cache.get(key)
    if known:
        return known
    with one_at_a_time(request, KIND):
        present = tuple(check.differs for check in present_checks(round_) if not check.is_same)
        held, first = check_chain(round_), open_from(round_)
        links = held.links if first is None else first - 1
        verdict = ChainVerdict(links, (*held.wrong, *present), now, held.unchecked)
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
    """What is counted of each turn, by its key."""
    in_play = Battle.objects.filter(turn__in=turns).exclude(state=Battle.State.CANCELLED)
    links = ChainLink.objects.filter(round=OuterRef("turn__round"), kind="result", key=OuterRef("result"))
    latest = Subquery(links.order_by("-number").values("number")[:1])
    counted = in_play.order_by("turn").annotate(link=latest).values("turn")
    rows = counted.annotate(all=Count("pk"), published=Count("result"), latest=Max("link"))
    return {row["turn"]: (row["all"], row["published"], row["latest"] or 0) for row in rows}


def _key(turn: Turn, counts: Counts) -> str:
    """Of all that can still change what is verified about a turn: a result, also one that is judged again, a
    correction, the end of the round. What was edited past the service is found by a fresh verdict."""
    hashes = (turn.position_hash, turn.next_hash, turn.commitment)
    parts = (turn.pk, turn.state, turn.round.state, turn.judged_anew, *counts, *hashes)
    return f"{KEPT_AS}:{hashlib.sha256(repr(parts).encode()).hexdigest()}"
