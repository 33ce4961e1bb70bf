"""3.3.3, 1.3: rulings on a locked turn and corrections: who may see them, and how they are checked and stored."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Exists, Max, OuterRef, Q, QuerySet
from django.utils.translation import gettext

from judging.announcements.models import Notice
from judging.common import locking, rulebook
from judging.common.errors import Refused
from judging.common.judges import is_bound_by, overrules, why_not_withdrawn
from judging.common.log_entry import record
from judging.common.pagination import Paged, paged
from judging.common.texts import check_storable, checked_token, utc, whole_number
from judging.turns.drafts import work_out_anew
from judging.turns.models import Correction, Draft, Ruling
from judging.turns.queries import SectionView, sections_of, turn_report
from judging.turns.rulings.differences import CorrectionDifference, changes_nothing, difference_of
from judging.turns.turn_input import what_is_ruled
from wargame import world
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core.board import read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.events import Event
from wargame.rules.core.orders import ReadOrder, Unreadable, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.saying import grouped
from wargame.rules.core.troops import SLOTS
from wargame.rules.core.wording import listed
from wargame.rules.moves.events import Refused as OrderRefused
from wargame.rules.posts.notation import LONGEST_LINE, read_line
from wargame.rules.settling.ruled_armies import MOST_DAYS
from wargame.rules.telling.telling import read_all, tell_all

StoredEvent = Json
A_PAGE = 30


COUNTS_LATER = (Ruling.Kind.DAYS, Ruling.Kind.TROOPS)
"""3.3.3: the kinds that only the settlement carries out."""


@dataclass(frozen=True)
class RulingView:
    """A ruling. `why_not` says why it changes nothing; `is_withdrawn` ones stay on record. `number` is cited for it;
    a proposed one has its future number, a dropped one has none. `counts_later`: only the settlement carries it out,
    so no draft of the moves shows its effect."""

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
    """A correction and its changes. `is_stale`: another one was applied since it was computed."""

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
        """The corrected points, in one line of plain text."""
        armies = [f"{army['army']}: {', '.join(army['changes'])}" for army in self.difference["armies"]]
        summary = "; ".join(armies) or gettext("no army changed")
        fields = {"time": f"{self.decided_at:%Y-%m-%d %H:%M}", "judge": self.decided_by, "what": summary}
        return gettext("Corrected on %(time)s UTC by %(judge)s (3.3.3): %(what)s.") % fields


def public_rulings(round_: Round, now: datetime) -> QuerySet[Ruling]:
    """Those of turns whose moves are published; of corrections' rulings only those that were applied."""
    return public_rulings_in([round_], now)


def public_rulings_in(rounds: Sequence[Round], now: datetime) -> QuerySet[Ruling]:
    """The same as `public_rulings`, for several rounds at once."""
    drafts = Draft.objects.filter(turn=OuterRef("turn"), publish_at__lte=now)
    is_public = Q(turn__state=TurnState.SETTLED) | Exists(drafts)
    applied = Q(correction__isnull=True) | Q(correction__state=Correction.State.APPLIED)
    rows = Ruling.objects.filter(is_public, applied, turn__round__in=rounds)
    return _joined(rows).order_by("-turn__number", "-number")


def precedents(round_: Round, now: datetime, rule: str = "", words: str = "", page: str = "1") -> Paged[RulingView]:
    """The public rulings, the newest first: on a rule and the paragraphs below it, with words in their text."""
    rows = public_rulings(round_, now)
    number = rule.strip().rstrip(".").upper()
    if number:
        rows = rows.filter(Q(cites=number) | Q(cites__startswith=f"{number}."))
    for term in words.replace("\0", "").split():
        condition = Q(reason__icontains=term) | Q(army__icontains=term) | Q(withdrawn_reason__icontains=term)
        rows = rows.filter(condition | Q(square__iexact=term) | Q(data__order__icontains=term))
    return paged(rows, A_PAGE, page, _with_why_nots)


def _with_why_nots(rows: list[Ruling]) -> Iterator[RulingView]:
    why_not = _why_nots_by_turn({row.turn_id for row in rows})
    return (ruling_view(row, why_not.get(row.turn_id)) for row in rows)


def rulings_of_turn(turn: Turn, now: datetime) -> tuple[RulingView, ...]:
    """The public rulings on a turn by number, including withdrawn ones."""
    report = turn_report(turn, now)
    if report is None:
        return ()
    reasons = why_nots(event for section in report.sections for event in section.events)
    return tuple(
        ruling_view(row, reasons) for row in public_rulings(turn.round, now).filter(turn=turn).order_by("number")
    )


def corrections_of_turn(turn: Turn, *, public: bool = True) -> tuple[CorrectionView, ...]:
    """3.3.3: the corrections of a turn, the newest first; with `public` only those that were applied."""
    rows = Correction.objects.filter(turn=turn).select_related("judge", "decided_by").order_by("-pk")
    if public:
        rows = rows.filter(state=Correction.State.APPLIED).order_by("-decided_at", "-pk")
    following = next_number(turn)
    return tuple(_correction(row, turn, following) for row in rows)


class ReportBefore(NamedTuple):
    """3.3.3: an applied correction, and the report before it."""

    correction: CorrectionView
    sections: tuple[SectionView, ...]


def report_before(turn: Turn, correction_id: int) -> ReportBefore | None:
    """3.3.3: an applied correction, and the report before it; None if there is none with that key."""
    row = Correction.objects.filter(turn=turn, pk=correction_id, state=Correction.State.APPLIED).first()
    if row is None:
        return None
    return ReportBefore(_correction(row, turn, next_number(turn)), sections_of(tell_all(row.old_events)))


def next_number(turn: Turn) -> int:
    """3.3.3: the number of the next ruling on a turn; dropped ones leave no gap."""
    return (Ruling.objects.filter(turn=turn).aggregate(last=Max("number"))["last"] or 0) + 1


def ruling_view(
    row: Ruling, told: Mapping[int, str] | None = None, judges: Iterable[Judge] = (), number: int | None = None
) -> RulingView:
    """A row for display; `told` are the reasons why rulings change nothing, by number. `number`: for a ruling that
    has none of its own yet."""
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
    """R57: whether a judge has to answer an open appeal against a ruling: they may correct it, whoever decided it."""
    return ruling.appeals.filter(judge=judge, answered_at__isnull=True).exists()


def why_nots(events: Iterable[StoredEvent]) -> dict[int, str]:
    """Why rulings change nothing, by their numbers, from events in words."""
    return {event["number"]: event["why_not"] for event in events if event["kind"] == "ruled" and event["why_not"]}


def _why_nots_in(stored: Iterable[StoredEvent]) -> dict[int, str]:
    return why_nots(tell_all(event for event in stored if event["kind"] == "ruled"))


def _why_nots_by_turn(turns: set[int]) -> dict[int, dict[int, str]]:
    """Why rulings change nothing, by their turns' keys and their numbers: from the report, or the draft."""
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
    """`following` is the number of the next ruling on the turn."""
    is_proposed = row.state == Correction.State.PROPOSED
    reasons, difference = _why_nots_in(row.events), difference_of(row)
    rulings = [
        ruling_view(ruling, reasons, number=place if is_proposed else None)
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


MAX_REASON = 2_000
SQUARE_KINDS = (Ruling.Kind.SQUARE, Ruling.Kind.WINNER)


@dataclass(frozen=True)
class NewRuling:
    """3.3.3: a typed ruling: every part as text; each kind needs some of them."""

    kind: str
    army: str
    cites: str
    reason: str
    square: str = ""
    order: str = ""
    days: str = ""
    slot: str = ""
    creature: str = ""
    alive: str = ""


def checked_ruling(new: NewRuling, position: Position, events: Iterable[Event]) -> Ruling:
    """The row, unsaved and without turn, judge, number and time. Refused, with the invalid field.

    `events` are the computed ones of the turn, in which a refusal to lift is found.
    """
    if new.kind not in Ruling.Kind.values:
        raise Refused(gettext("Choose what kind of ruling to make."), "3.3.3", "kind")
    army = _checked_army(new.army, position)
    row = Ruling(kind=new.kind, army=army.name)
    if new.kind in SQUARE_KINDS:
        row.square = _checked_square(new.square)
    row.data = _checked_data(new, army, position, events)
    row.cites = _checked_cites(new.cites)
    row.reason = checked_reason(new.reason)
    return row


def checked_reason(text: str, field: str = "reason") -> str:
    """3.3.3: a reason is public and required."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    if not text:
        raise Refused(gettext("Give a reason. It will be public with the ruling."), "3.3.3", field)
    if len(text) > MAX_REASON:
        raise Refused(
            gettext("The reason has %(length)s characters. The limit is %(limit)s.")
            % {"length": grouped(len(text)), "limit": grouped(MAX_REASON)},
            "3.3.3",
            field,
        )
    check_storable(text, what="reason", cites="3.3.3")
    return text


def _checked_cites(text: str) -> str:
    number = text.strip().rstrip(".").upper()
    if not number:
        raise Refused(gettext("Enter the rule that the ruling follows, like 3.3.1 or R21."), "3.3.3", "cites")
    if rulebook.anchor_of(number) is None:
        raise Refused(
            gettext("The rulebook has no rule “%(cites)s”. Enter one like 4.2.1 or R36.")
            % {"cites": text.strip()[:20]},
            "3.3.3",
            "cites",
        )
    return number


def _checked_army(text: str, position: Position) -> Army:
    name = position.names.get(text)
    if name is None:
        excerpt = text.strip()[:40]
        message = (
            gettext("There is no army “%(shown)s” on this turn's map.") % {"shown": excerpt}
            if excerpt
            else gettext("Name an army.")
        )
        raise Refused(message, "3.2.2.5", "army")
    return position.by_name[name]


def _checked_square(text: str) -> str:
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{error}.", "", "square") from None
    if not square.on_map:
        raise Refused(
            gettext("%(square)s isn't on the map. Squares run from 1A to 38N.") % {"square": square}, "1.2", "square"
        )
    return str(square)


def _checked_data(new: NewRuling, army: Army, position: Position, events: Iterable[Event]) -> Json:
    match new.kind:
        case Ruling.Kind.ORDER:
            return {"order": checked_order(new.order, army, position)}
        case Ruling.Kind.LIFTED:
            return {"order": _refused_order(army, events)}
        case Ruling.Kind.DAYS:
            return {"days": whole_number(new.days, "days", 0, MOST_DAYS, "1.5")}
        case Ruling.Kind.TROOPS:
            return _checked_troops(new, army)
    return {}


def _refused_order(army: Army, events: Iterable[Event]) -> str:
    """R14: the order of an army that was refused."""
    refused = [event.order for event in events if isinstance(event, OrderRefused) and event.army == army.name]
    if not refused:
        raise Refused(
            gettext("No order for %(name)s was refused, so there is no refusal to lift.") % {"name": army.name},
            "R14",
            "army",
        )
    return refused[-1]


def checked_order(text: str, army: Army, position: Position) -> str:
    """3.2.2.5: an order for this army, in its canonical form."""
    order = text.strip()
    if not order or "\n" in order or len(order) > LONGEST_LINE:
        raise Refused(gettext("Write one order, like “3D > 5E; engage Bob” or “hold”."), "3.2.2.5", "order")
    check_storable(order, what="order", cites="3.2.2.5")
    line = read_line(order, position.names, army.name)
    if isinstance(line, Unreadable):
        why = f"{line.wrong} {line.expected}".strip()
        raise Refused(
            gettext("At column %(column)s: %(why)s") % {"column": line.column, "why": why}, "3.2.2.5", "order"
        )
    if not isinstance(line, ReadOrder):
        raise Refused(
            gettext("“%(typed)s” isn't an order. Write one like “3D > 5E” or “hold”.") % {"typed": order[:60]},
            "3.2.2.5",
            "order",
        )
    if line.army != army.name:
        raise Refused(
            gettext("That is an order for %(army)s. Write one for %(name)s.") % {"army": line.army, "name": army.name},
            "3.2.2.5",
            "order",
        )
    return write_order(army.name, line.order)


def _checked_troops(new: NewRuling, army: Army) -> Json:
    slot = whole_number(new.slot, "slot", SLOTS[0], SLOTS[-1], "2.1")
    troops = [troop for troop in army.troops if troop.slot == slot]
    creature = new.creature.strip()
    if creature:
        names = {troop.creature.casefold(): troop.creature for troop in troops}
        creature = names.get(creature.casefold(), "")
        if not creature:
            has = listed([*names.values()]) or gettext("nothing")
            raise Refused(
                gettext("Slot %(slot)s of %(name)s holds %(has)s.") % {"slot": slot, "name": army.name, "has": has},
                "2.1",
                "creature",
            )
    most = sum(troop.of for troop in troops if creature in ("", troop.creature))
    return {"slot": slot, "creature": creature, "alive": whole_number(new.alive, "alive", 0, most, "2.3.1")}


@locking.writes
def add_ruling(*, turn: Turn, judge: Judge, ruling: NewRuling, token: str, now: datetime) -> Ruling:
    """3.3.3: a ruling on a turn with computed moves; the same form sent twice makes one.

    Refused if the judge is no movement or battle judge of the round (1.3), the turn is not at that stage, or the ruling
    names something that does not exist.
    """
    token = checked_token(token)
    check_may_rule(turn, judge)
    turn = held_turn(turn.pk)
    before = Ruling.objects.filter(turn=turn, judge=judge, token=token, correction=None).first()
    if before:
        return before
    _check_stage(turn)
    position = world.position_of_turn(turn)
    row = checked_ruling(ruling, position, read_all(Draft.objects.get(turn=turn).events))
    if names := of_the_dice([row], position):
        raise Refused(
            gettext(
                "This changes the troops of %(what)s, in battle this turn. Only two judges together can change "
                "what the dice decide. They can do so on the battle's page before the result, or by a correction "
                "once the turn is settled."
            )
            % {"what": names},
            "R53",
            "kind",
        )
    check_not_bound(row, judge, rows_of_turn(turn))
    row.turn, row.judge, row.made_at, row.token = turn, judge, now, token
    row.number = next_number(turn)
    row.save()
    Turn.objects.filter(pk=turn.pk).update(is_ruled=True)
    turn.is_ruled = True
    draft = work_out_anew(turn, now)
    data = {"kind": row.kind, "army": row.army, "square": row.square, "data": row.data, "cites": row.cites}
    _tell(turn, draft, {**data, "reason": row.reason}, row, now)
    record(turn.round, judge.user, "ruling.made", {"turn": turn.number, "ruling": row.number, "kind": row.kind}, now)
    return row


@locking.writes
def withdraw_ruling(*, ruling: Ruling, judge: Judge, reason: str, now: datetime) -> Ruling:
    """1.3, 3.3.3: withdraw a ruling: its judge may; the head of their role overrules it, and the head battle judge any.
    So may the judge who answers an appeal against it (R57). It stays on record.

    The same judge's second request changes nothing. Refused for anybody else, and once the turn is settled.
    """
    turn = held_turn(ruling.turn_id)
    ruling = Ruling.objects.select_related("judge", "withdrawn_by").get(pk=ruling.pk)
    check_may_rule(turn, judge)
    if not may_withdraw(ruling, judge):
        raise Refused(why_not_withdrawn(ruling.judge), "1.3")
    if ruling.withdrawn_by and ruling.withdrawn_by_id == judge.pk:
        return ruling
    if ruling.withdrawn_by and ruling.withdrawn_at:
        by, when = ruling.withdrawn_by.name, utc(ruling.withdrawn_at)
        raise Refused(gettext("%(by)s already withdrew this ruling, on %(when)s.") % {"by": by, "when": when}, "3.3.3")
    _check_stage(turn)
    ruling.withdrawn_reason = checked_reason(reason, "withdrawn_reason")
    ruling.withdrawn_at, ruling.withdrawn_by = now, judge
    ruling.save(update_fields=["withdrawn_at", "withdrawn_by", "withdrawn_reason"])
    draft = work_out_anew(turn, now)
    is_own = ruling.judge.user_id == judge.user_id
    withdrawn = {"by": "" if is_own else judge.name}
    _tell(turn, draft, {"withdrawn": withdrawn, "reason": ruling.withdrawn_reason}, ruling, now)
    data = {"turn": turn.number, "ruling": ruling.number, "of": ruling.judge.name}
    record(turn.round, judge.user, "ruling.withdrawn" if is_own else "ruling.overruled", data, now)
    return ruling


def check_not_bound(row: Ruling, judge: Judge, standing: Iterable[Ruling]) -> None:
    """1.3: refused for an assistant if their head, or the head battle judge, has ruled on the same point of an army."""
    for other in standing:
        same = other.army == row.army and _subject(other) == _subject(row)
        if same and other.withdrawn_at is None and is_bound_by(judge, other.judge):
            raise Refused(
                gettext(
                    "%(name)s has already ruled on this for %(army)s (ruling %(number)s). You can't overrule "
                    "them, but you can ask them to withdraw their ruling."
                )
                % {"name": other.judge.name, "army": row.army, "number": other.number},
                "1.3",
                "army",
            )


def _subject(row: Ruling) -> tuple[object, ...]:
    """The subject of a ruling: days, the troops of a slot, or the move."""
    if row.kind == Ruling.Kind.TROOPS:
        return row.kind, row.data.get("slot")
    return (row.kind,) if row.kind == Ruling.Kind.DAYS else ("move",)


def check_may_rule(turn: Turn, judge: Judge) -> None:
    """1.3, 3.3.3: movement and battle judges of the round."""
    if judge.role not in (Role.MOVEMENT, Role.BATTLE) or judge.round_id != turn.round_id:
        raise Refused(gettext("Only movement and battle judges of this round can rule on its turns."), "1.3")


def of_the_dice(rows: Iterable[Ruling], position: Position) -> str:
    """R53: the armies, in words, whose troops rulings change although they fight in that turn; empty if there are
    none. No single judge may change results of dice."""
    fights = {name for battle in position.battles for name in battle.armies}
    return gettext(" and ").join(sorted({row.army for row in rows if row.kind == Ruling.Kind.TROOPS} & fights))


def held_turn(turn_id: int) -> Turn:
    """The turn, its row locked against its next stage and other rulings until the transaction ends."""
    return locking.hold(Turn.objects.select_related("round"), pk=turn_id)


def _check_stage(turn: Turn) -> None:
    if turn.state == TurnState.MOVED:
        return
    if turn.state in (TurnState.OPEN, TurnState.LOCKED):
        raise Refused(
            gettext("The moves of turn %(number)s haven't been worked out yet. You can rule on them after the lock.")
            % {"number": turn.number},
            "3.1",
        )
    raise Refused(
        gettext("Turn %(number)s is settled. To fix a mistake in it, propose a correction.") % {"number": turn.number},
        "3.3.3",
    )


def _tell(turn: Turn, draft: Draft, fields: dict[str, object], row: Ruling, now: datetime) -> None:
    """Changes of moves that are already public are posted in their thread."""
    if draft.publish_at is None or draft.publish_at > now:
        return
    data = {"turn": turn.number, "ruling": row.number, **fields}
    Notice.objects.create(turn=turn, thread=Notice.Thread.MOVEMENT, kind="ruling", at=now, data=data)
