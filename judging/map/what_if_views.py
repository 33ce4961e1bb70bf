"""R18, steps 1 to 6, 3.3.3: Rehearsals: the moves of a turn with other orders, or with rulings that a judge tries."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from judging.common.control import last_moment
from judging.common.errors import Refused
from judging.common.positions import position_of
from judging.common.shortcuts import turn_for, viewer_for
from judging.common.viewer import Viewer
from judging.svg.map import draw
from judging.turns.drafts import may_rule
from judging.turns.models import Ruling
from judging.turns.posts.queries import movement_thread
from judging.turns.queries import SectionView, sections_of
from judging.turns.rulings.differences import DraftsDifference, ToldEvent, difference_of_drafts
from judging.turns.rulings.services import COUNTS_LATER, NewRuling, checked_ruling, next_number, why_nots
from judging.turns.turn_input import counting_rulings, posted_line, rulings_as_rules, what_is_ruled
from wargame.models import Turn
from wargame.models.choices import TurnState
from wargame.rules.core.codec import Json
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import ReadOrder, Unreadable
from wargame.rules.core.position import Position, sorted_armies
from wargame.rules.core.saying import grouped
from wargame.rules.core.turn import PostedLine, TurnInput
from wargame.rules.posts.notation import read_line, read_post
from wargame.rules.settlement import Moves, carry_out
from wargame.rules.telling.coming_battles import ComingBattle, coming_battles
from wargame.rules.telling.telling import tell_events
from wargame.world import control_at

SEED = b"wargame-what-if-1"
"""The public seed of all rehearsals: the same orders have the same result."""

ANYBODY = "what if"
LONGEST = 4000
"""Characters of a rehearsal's orders: they are stored only in its address."""


@dataclass(frozen=True)
class RuledHere:
    """3.3.3: a ruling that was tried, in words. `why_not` says why it changes nothing; `counts_later`: only the
    settlement carries it out."""

    what: str
    why_not: str
    counts_later: bool


@dataclass(frozen=True)
class Rehearsal:
    """The result of a rehearsal: the map with the armies on their final squares, and the events of the moves.

    `posted` is the number of the thread's orders in it, `tried` that of the viewer's own; `unreadable` are the viewer's
    lines that could not be read. `places` are as in a draft; `ruled` describes each tried ruling, with the reason if it
    changes nothing.
    """

    map: dict[str, object]
    sections: tuple[SectionView, ...]
    battles: tuple[ComingBattle, ...]
    posted: int
    tried: int
    unreadable: tuple[Unreadable, ...]
    events: Sequence[Event]
    places: dict[str, str]
    ruled: tuple[RuledHere, ...] = ()


def rehearse(
    turn: Turn,
    viewer: Viewer,
    text: str,
    now: datetime,
    with_posted: bool = True,
    tried_rulings: Sequence[Ruling] = (),
) -> Rehearsal:
    """The moves with the orders of the thread, except for the armies that `text` orders: they follow it.

    Every army can be ordered, whoever controls it; the mercenaries do only what is ordered here. For judges the rulings
    on the turn count, and after them `tried_rulings` (3.3.3), which are only checked.
    """
    position = position_of(turn)
    lines = read_post(text, position.names)
    tried = {line.army: _line(line, ANYBODY, now, line.number) for line in lines if isinstance(line, ReadOrder)}
    posted_lines = list(_posted(turn, viewer, now, position)) if with_posted else []
    remaining = [line for line in posted_lines if line.army not in tried]
    control = control_at(turn.round, min(now, last_moment(turn.lock_at))) | dict.fromkeys(tried, (ANYBODY,))
    rows = [*(counting_rulings(turn) if with_posted and may_rule(viewer) else ()), *tried_rulings]
    rulings = rulings_as_rules(rows, position.names)
    turn_input = TurnInput((*remaining, *tried.values()), control, rulings=rulings)
    moves = carry_out(position, turn_input, turn_dice(SEED, "what-if", turn.number))
    sentences = tell_events(moves.events)
    return Rehearsal(
        map=draw(_moved(position, moves), _told_of(sentences)),
        sections=sections_of(sentences),
        battles=coming_battles(position, moves.places),
        posted=len(remaining),
        tried=len(tried),
        unreadable=tuple(line for line in lines if isinstance(line, Unreadable)),
        events=moves.events,
        places={name: str(square) for name, square in moves.places.items()},
        ruled=tuple(_ruled(row, why_nots(sentences)) for row in tried_rulings),
    )


def numbered(turn: Turn, rows: Sequence[Ruling]) -> list[Ruling]:
    """3.3.3: tried rulings, with the numbers that they would get."""
    for number, row in enumerate(rows, next_number(turn)):
        row.number = number
    return list(rows)


def change_by_rulings(without: Rehearsal, found: Rehearsal) -> DraftsDifference:
    """3.3.3: the changes by the tried rulings, as a judge's desk shows them."""
    change = difference_of_drafts({"events": without.events, "places": without.places}, found.places, found.events)
    return {"places": change["places"], "gone": _not_ruled(change["gone"]), "new": _not_ruled(change["new"])}


def _not_ruled(events: Iterable[ToldEvent]) -> list[ToldEvent]:
    """The event of a tried ruling is no change by it."""
    return [event for event in events if event["kind"] != "ruled"]


def _ruled(row: Ruling, reasons: Mapping[int, str]) -> RuledHere:
    return RuledHere(what_is_ruled(row), reasons.get(row.number or 0, ""), row.kind in COUNTS_LATER)


def _posted(turn: Turn, viewer: Viewer, now: datetime, position: Position) -> Iterable[PostedLine]:
    """R12: the orders of the thread that count at present, as far as the viewer can read them (R6)."""
    for place, post in enumerate(movement_thread(turn, viewer, now)):
        for entry in post.lines:
            if entry.is_order and not entry.is_replaced:
                read = read_line(entry.line.order_text, position.names)
                if isinstance(read, ReadOrder):
                    yield _line(read, entry.by, entry.at or now, entry.line.number, place)


def _line(line: ReadOrder, by: str, at: datetime, number: int, place: int = 0) -> PostedLine:
    return posted_line(line, by, at, (place, number), controlled=True)


def _moved(position: Position, moves: Moves) -> Position:
    """The map between the moves and the battles: armies that have met share a square, and no battle is drawn."""
    armies = [army._replace(at=moves.places.get(army.name, army.at)) for army in position.armies]
    return replace(position, armies=sorted_armies(armies), battles=())


def _told_of(events: Iterable[dict[str, object]]) -> list[dict[str, object]]:
    """Refused moves are listed beside the map: an arrow would start on the wrong square."""
    return [event for event in events if event["kind"] != "refused"]


MOST_RULINGS = 8
"""The maximum number of rows: they are stored only in the address of the rehearsal."""

LONGEST_PART = 200
RULE, REASON = "3.3.3", "A rehearsal."
"""Fields that a ruling must have to be checked, and that a rehearsed one lacks."""

FIELD_OF = {
    Ruling.Kind.ORDER: "order",
    Ruling.Kind.SQUARE: "square",
    Ruling.Kind.WINNER: "square",
    Ruling.Kind.DAYS: "days",
}
"""The field of the row's text, by the kinds that need one value; one on troops has slot, creature and living troops."""


@dataclass(frozen=True)
class TriedRuling:
    """A typed row; `wrong` is its error."""

    kind: str = ""
    army: str = ""
    says: str = ""
    wrong: str = ""

    @property
    def parts(self) -> dict[str, str]:
        """The fields of the desk's form for it: `4 Orgg 300` is 300 living Orggs in slot 4."""
        if self.kind == Ruling.Kind.TROOPS:
            slot, _, rest = self.says.strip().partition(" ")
            creature, _, alive = rest.strip().rpartition(" ")
            return {"slot": slot, "creature": creature.strip(), "alive": alive}
        field = FIELD_OF.get(Ruling.Kind(self.kind)) if self.kind in Ruling.Kind.values else None
        return {field: self.says} if field else {}

    def as_typed(self) -> NewRuling:
        return NewRuling(self.kind, self.army, RULE, REASON, **self.parts)

    def for_the_desk(self) -> str:
        """The address of the desk's form, filled with the ruling: the part after the `?`."""
        return urlencode({"kind": self.kind, "army": self.army, **self.parts})


def tried_rulings(asked: QueryDict) -> list[TriedRuling]:
    """The non-empty rows of an address, up to the maximum."""
    kinds, armies, texts = (asked.getlist(name) for name in ("kind", "army", "says"))
    rows = [
        TriedRuling(kind[:LONGEST_PART], _part_at(armies, place), _part_at(texts, place))
        for place, kind in enumerate(kinds[: MOST_RULINGS + 1])
    ]
    return [row for row in rows if row.kind or row.army.strip() or row.says.strip()][:MOST_RULINGS]


def _part_at(texts: Sequence[str], place: int) -> str:
    return texts[place][:LONGEST_PART] if place < len(texts) else ""


Rehearse = Callable[[Iterable[Ruling]], Rehearsal]


@require_safe
@never_cache
@gzip_page
def what_if(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
    """A turn's moves with `?orders=`; `alone` leaves the posted ones out. Judges add rulings, each as `kind`, `army`
    and `says`. Nothing of it is stored."""
    viewer = viewer_for(request, slug)
    turn = turn_for(viewer.round, number)
    orders, now = request.GET.get("orders", "").replace("\r\n", "\n"), timezone.now()
    context = {
        "round": viewer.round,
        "turn": turn,
        "orders": orders,
        "alone": "alone" in request.GET,
        "longest": LONGEST,
        "is_past": number is not None,
    }
    if len(orders) > LONGEST:
        signs = {"number": grouped(len(orders)), "longest": grouped(LONGEST)}
        wrong = gettext("These orders have %(number)s characters; the limit is %(longest)s.") % signs
        return render(request, "map/what_if.html", {**context, "wrong": wrong}, status=422)

    def work_out(rulings: Iterable[Ruling] = ()) -> Rehearsal:
        return rehearse(turn, viewer, orders, now, not context["alone"], list(rulings))

    rehearsal = work_out()
    tried = tried_rulings(request.GET)
    if may_rule(viewer):
        ruled = _with_rulings(turn, viewer, tried, rehearsal, work_out)
        rehearsal, context = ruled.pop("found"), {**context, **ruled}
    elif tried:
        context["only_judges"] = True
    svg = render_to_string("map/svg.html", {"round": viewer.round, "turn": turn, "map": rehearsal.map})
    status = 422 if context.get("is_wrong") else 200
    return render(
        request, "map/what_if.html", {**context, "found": rehearsal, "map_html": mark_safe(svg)}, status=status
    )


def _with_rulings(
    turn: Turn, viewer: Viewer, tried: list[TriedRuling], baseline: Rehearsal, work_out: Rehearse
) -> Json:
    """3.3.3: the additional part of a judge's page. A wrong row shows its error, and the others are tried."""
    position = position_of(turn)
    pairs = [_checked(row, position, baseline) for row in tried]
    rulings = numbered(turn, [ruling for _, ruling in pairs if ruling])
    rehearsal = work_out(rulings) if rulings else baseline
    results = iter(rehearsal.ruled)
    rows = [{"typed": row, "told": next(results) if ruling else None} for row, ruling in pairs]
    return {
        "found": rehearsal,
        "rehearses_rulings": True,
        "rulings": rows,
        "blank": len(rows) < MOST_RULINGS,
        "change": change_by_rulings(baseline, rehearsal) if rulings else None,
        "kinds": Ruling.Kind.choices,
        "names": tuple(position.by_name),
        "desk": _desk(turn),
        "is_wrong": any(ruling is None for _, ruling in pairs),
    }


def _checked(row: TriedRuling, position: Position, baseline: Rehearsal) -> tuple[TriedRuling, Ruling | None]:
    try:
        return row, checked_ruling(row.as_typed(), position, baseline.events)
    except Refused as error:
        return replace(row, wrong=str(error)), None


def _desk(turn: Turn) -> str:
    """The page of the desk that accepts a ruling on the turn now; empty before its moves are worked out (3.1)."""
    if turn.state in (TurnState.MOVED, TurnState.SETTLED):
        return reverse("judge:draft" if turn.state == TurnState.MOVED else "judge:corrections", args=[turn.pk])
    return ""
