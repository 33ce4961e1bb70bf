"""3.3.3: rulings and corrections as pages and programs read them, and what of them is public."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from judging.game.judges import overrules
from judging.game.paging import Paged, paged
from judging.turns.models import Correction, Draft, Ruling
from judging.turns.reads import SectionView, sections_of, turn_report
from judging.turns.rulings.differences import CorrectionDifference, changes_nothing, difference_of
from judging.turns.turn_input import what_is_ruled
from wargame.models import Judge, Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core.codec import Json
from wargame.rules.telling.telling import tell_all

Event = Json
A_PAGE = 30


COUNTS_LATER = (Ruling.Kind.DAYS, Ruling.Kind.TROOPS)
"""3.3.3: the kinds that only the settlement carries out."""


@dataclass(frozen=True)
class RulingView:
    """A ruling. `why_not` says why it changes nothing; `is_withdrawn` ones stay on record. `number` is the one by which
    it is cited; a proposed one's is the one that it would get, a dropped one has none. `counts_later`: only the
    settlement carries it out, so no draft of the moves shows what it does."""

    id: int
    turn: int
    number: int | None
    kind: str
    army: str
    what: str
    cites: str
    reason: str
    by: str
    made_at: datetime
    is_withdrawn: bool
    is_overruled: bool
    withdrawn_by: str
    withdrawn_at: datetime | None
    withdrawn_reason: str
    is_correction: bool
    why_not: str = ""
    may_withdraw: bool = False
    counts_later: bool = False


@dataclass(frozen=True)
class CorrectionView:
    """A correction with what it changes. `is_stale`: another one was applied since it was computed."""

    id: int
    turn: int
    state: str
    by: str
    made_at: datetime
    decided_by: str
    decided_at: datetime | None
    difference: CorrectionDifference
    next_hash: str
    old_hash: str
    rulings: tuple[RulingView, ...]
    is_stale: bool
    changes_map: bool
    changes_nothing: bool

    @property
    def words(self) -> str:
        """What was corrected, in one line of plain text."""
        armies = [f"{army['army']}: {', '.join(army['changes'])}" for army in self.difference["armies"]]
        told = "; ".join(armies) or gettext("no army changed")
        fields = {"time": f"{self.decided_at:%Y-%m-%d %H:%M}", "judge": self.decided_by, "what": told}
        return gettext("Corrected on %(time)s UTC by %(judge)s (3.3.3): %(what)s.") % fields


def public_rulings(round_: Round, now: datetime) -> QuerySet[Ruling]:
    """Those of turns whose moves are published; of the corrections' those that were applied."""
    return public_rulings_in([round_], now)


def public_rulings_in(rounds: Sequence[Round], now: datetime) -> QuerySet[Ruling]:
    """What `public_rulings` gives, for several rounds at once."""
    drafts = Draft.objects.filter(turn=OuterRef("turn"), publish_at__lte=now)
    seen = Q(turn__state=TurnState.SETTLED) | Exists(drafts)
    applied = Q(correction__isnull=True) | Q(correction__state=Correction.State.APPLIED)
    rows = Ruling.objects.filter(seen, applied, turn__round__in=rounds)
    return _joined(rows).order_by("-turn__number", "-number")


def precedents(round_: Round, now: datetime, rule: str = "", words: str = "", page: str = "1") -> Paged[RulingView]:
    """The public rulings, the newest first: on a rule and the paragraphs below it, with words in their text."""
    found = public_rulings(round_, now)
    number = rule.strip().rstrip(".").upper()
    if number:
        found = found.filter(Q(cites=number) | Q(cites__startswith=f"{number}."))
    for word in words.replace("\0", "").split():
        told = Q(reason__icontains=word) | Q(army__icontains=word) | Q(withdrawn_reason__icontains=word)
        found = found.filter(told | Q(square__iexact=word) | Q(data__order__icontains=word))
    return paged(found, A_PAGE, page, _with_why_nots)


def _with_why_nots(rows: list[Ruling]) -> Iterator[RulingView]:
    why_not = _why_nots_by_turn({row.turn_id for row in rows})
    return (ruling_view(row, why_not.get(row.turn_id)) for row in rows)


def rulings_of_turn(turn: Turn, now: datetime) -> tuple[RulingView, ...]:
    """The public rulings on a turn by number, the withdrawn ones too."""
    report = turn_report(turn, now)
    if report is None:
        return ()
    told = why_nots(event for section in report.sections for event in section.events)
    return tuple(ruling_view(row, told) for row in public_rulings(turn.round, now).filter(turn=turn).order_by("number"))


def corrections_of_turn(turn: Turn, *, public: bool = True) -> tuple[CorrectionView, ...]:
    """3.3.3: the corrections of a turn, the newest first; the public ones are those that were applied."""
    rows = Correction.objects.filter(turn=turn).select_related("judge", "decided_by").order_by("-pk")
    if public:
        rows = rows.filter(state=Correction.State.APPLIED).order_by("-decided_at", "-pk")
    following = next_number(turn)
    return tuple(_correction(row, turn, following) for row in rows)


class ReportBefore(NamedTuple):
    """3.3.3: an applied correction, and the report that stood before it."""

    correction: CorrectionView
    sections: tuple[SectionView, ...]


def report_before(turn: Turn, correction_id: int) -> ReportBefore | None:
    """3.3.3: an applied correction, and the report that stood before it; None if there is none of that key."""
    row = Correction.objects.filter(turn=turn, pk=correction_id, state=Correction.State.APPLIED).first()
    if row is None:
        return None
    return ReportBefore(_correction(row, turn, next_number(turn)), sections_of(tell_all(row.old_events)))


def next_number(turn: Turn) -> int:
    """3.3.3: the number that the next ruling on a turn gets; what was dropped leaves no gap."""
    return (Ruling.objects.filter(turn=turn).aggregate(last=Max("number"))["last"] or 0) + 1


def ruling_view(
    row: Ruling, told: Mapping[int, str] | None = None, judges: Iterable[Judge] = (), number: int | None = None
) -> RulingView:
    """A row as it is shown; `told` are the reasons for which rulings change nothing, by number. `number`: the one of a
    ruling that has none of its own yet."""
    number = row.number or number
    return RulingView(
        id=row.pk,
        turn=row.turn.number,
        number=number,
        kind=row.get_kind_display(),
        army=row.army,
        what=what_is_ruled(row),
        cites=row.cites,
        reason=row.reason,
        by=row.judge.name,
        made_at=row.made_at,
        is_withdrawn=row.withdrawn_at is not None,
        is_overruled=row.withdrawn_by is not None and row.withdrawn_by.user_id != row.judge.user_id,
        withdrawn_by=row.withdrawn_by.name if row.withdrawn_by else "",
        withdrawn_at=row.withdrawn_at,
        withdrawn_reason=row.withdrawn_reason,
        is_correction=row.correction_id is not None,
        why_not=(told or {}).get(number or 0, ""),
        may_withdraw=row.withdrawn_at is None and any(may_withdraw(row, judge) for judge in judges),
        counts_later=row.kind in COUNTS_LATER,
    )


def may_withdraw(ruling: Ruling, judge: Judge) -> bool:
    """1.3: the judge who made it, and the head judges over them; R57: the judge who answers an appeal against it."""
    return overrules(judge, ruling.judge) or answers_appeal(judge, ruling)


def answers_appeal(judge: Judge, ruling: Ruling) -> bool:
    """R57: whether a judge is to answer an open appeal against a ruling: they may correct it, whoever decided it."""
    return ruling.appeals.filter(judge=judge, answered_at__isnull=True).exists()


def why_nots(events: Iterable[Event]) -> dict[int, str]:
    """Why rulings change nothing, by their numbers, as told events say it."""
    return {event["number"]: event["why_not"] for event in events if event["kind"] == "ruled" and event["why_not"]}


def _why_nots_in(stored: Iterable[Event]) -> dict[int, str]:
    return why_nots(tell_all(event for event in stored if event["kind"] == "ruled"))


def _why_nots_by_turn(turns: set[int]) -> dict[int, dict[int, str]]:
    """Why rulings change nothing, by their turns' keys and their numbers: as the report tells it, or the draft."""
    drafts = Draft.objects.filter(turn__in=turns).exclude(turn__state=TurnState.SETTLED).values_list("turn", "events")
    settled = Turn.objects.filter(pk__in=turns, state=TurnState.SETTLED).values_list("pk", "events")
    return {turn: _why_nots_in(events) for turn, events in (*drafts, *settled)}


def rows_of_turn(turn: Turn) -> list[Ruling]:
    """All rulings on a turn outside its corrections, by number."""
    return list(_joined(Ruling.objects.filter(turn=turn, correction__isnull=True)).order_by("number"))


def _joined(rows: QuerySet[Ruling]) -> QuerySet[Ruling]:
    joined = rows.select_related("turn", "judge", "withdrawn_by")
    return joined.defer("turn__position", "turn__events", "turn__sky")


def _correction(row: Correction, turn: Turn, following: int) -> CorrectionView:
    """`following` is the number that the next ruling on the turn gets."""
    is_proposed = row.state == Correction.State.PROPOSED
    told, difference = _why_nots_in(row.events), difference_of(row)
    rulings = [
        ruling_view(ruling, told, number=place if is_proposed else None)
        for place, ruling in enumerate(_joined(row.rulings.all()).order_by("pk"), row.first_number)
    ]
    return CorrectionView(
        id=row.pk,
        turn=turn.number,
        state=row.state,
        by=row.judge.name,
        made_at=row.made_at,
        decided_by=row.decided_by.name if row.decided_by else "",
        decided_at=row.decided_at,
        difference=difference,
        next_hash=row.next_hash,
        old_hash=row.old_hash,
        rulings=tuple(rulings),
        is_stale=is_proposed and (row.old_hash, row.first_number) != (turn.next_hash, following),
        changes_map=row.changes_map,
        changes_nothing=changes_nothing(row, difference),
    )
