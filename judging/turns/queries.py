"""3.1: a turn's update as the movement judge would post it, as sections for the page and as plain text.

For an event of a draw (R38), the events that followed from it tell its result.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Q
from django.utils.translation import gettext, gettext_noop

from judging.announcements.models import Notice
from judging.common.control import held_in, last_moment
from judging.common.request_cache import request_cached
from judging.common.rounds import current_turn
from judging.turns.drafts import draft_of, is_published
from judging.turns.posts.parsing import RefusalView
from judging.turns.states import state_words
from wargame.models import Round, Turn
from wargame.models.choices import TurnState
from wargame.rules.core import clock
from wargame.rules.core.board import read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.draws import told_draw
from wargame.rules.moves.marches import shortest_paths
from wargame.rules.telling.telling import tell_all

Event = Json

MERCENARIES = (
    *("mercenary_decided", "ordered_after_lock", "went_to_war"),
    *("spawning_rolled", "spawned", "not_spawned", "disbanded", "not_disbanded"),
)
"""6: the kinds of events of the mercenaries."""

SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("new-battles", gettext_noop("New battles"), ("engaged",)),
    ("ruled", gettext_noop("Rulings"), ("ruled",)),
    ("penalised", gettext_noop("Penalties"), ("penalised",)),
    (
        "refused",
        gettext_noop("Refused"),
        ("refused", "joint_failed", "plan_cancelled", "not_transferred", "transfer_cut"),
    ),
    ("joint", gettext_noop("Joint engagements"), ("joint_engaged",)),
    (
        "changed",
        gettext_noop("Changed on the way"),
        ("contested", "moved_partially", "pushed", "intercepted", "passed_by"),
    ),
    ("battles", gettext_noop("Battles fought"), ("fought", "killed", "captured", "liberated", "retreated")),
    ("bases", gettext_noop("Bases and victory"), ("base_destroyed", "won")),
    ("days", gettext_noop("Days and healing"), ("day_counted", "day_not_counted", "healed", "converted")),
    ("new-troops", gettext_noop("Other troops"), ("troops_changed", "personalised", "change_refused")),
    ("transfers", gettext_noop("Transfers"), ("transferred", "in_transit", "troops_lost")),
    ("mercenaries", gettext_noop("Mercenaries"), MERCENARIES),
    ("moves", gettext_noop("Moves"), ("moved",)),
    ("stayed", gettext_noop("Stayed"), ("held",)),
    ("drawn", gettext_noop("Drawn at random"), ("drawn",)),
)
"""The sections of an update, in the order of players' interest: key, title, kinds of events."""

HEADLINES = ("won", "base_destroyed", "killed", "captured", "liberated", "converted")
"""The kinds of events that change the war."""

TOLD = ("update", "correction")
"""The kinds of notices with the number of moves; the last one of a turn counts."""


@dataclass(frozen=True)
class SectionView:
    """A section of an update; `events` are in words, from `wargame.rules.telling`."""

    key: str
    title: str
    events: tuple[Event, ...]

    @property
    def cites(self) -> str:
        """Every rule that the events follow from, once."""
        return " ".join(dict.fromkeys(event["cites"] for event in self.events))

    @property
    def cites_once(self) -> bool:
        """Whether only the title has the citation: all events of a long list follow from the same rules."""
        return self.key in ("moves", "stayed", "drawn")


@dataclass(frozen=True)
class UpdateView:
    """3.1: a turn's update. `is_draft`: only the moves, before the battles are applied."""

    turn: Turn
    is_draft: bool
    sections: tuple[SectionView, ...]

    @property
    def headlines(self) -> tuple[Event, ...]:
        """The events that change the war, for the top of the page."""
        return tuple(e for section in self.sections for e in section.events if e["kind"] in HEADLINES)


@dataclass(frozen=True)
class TurnLine:
    """A turn in the list of turns. `map_hash` is the short hash of the map at its opening."""

    number: int
    map_hash: str
    state: str
    opened_at: datetime
    deadline: datetime
    lock_at: datetime
    settled_at: datetime | None
    posts: int
    battles: int
    moved: int
    refused: int


@request_cached
def turn_report(turn: Turn, now: datetime) -> UpdateView | None:
    """The update of a turn; its draft while the battles are not applied; None before the moves are published."""
    if turn.state == TurnState.SETTLED:
        return UpdateView(turn, False, sections_of(tell_all(turn.events)))
    draft = draft_of(turn) if turn.state != TurnState.OPEN else None
    if draft is None or not is_published(draft, now):
        return None
    return UpdateView(turn, True, sections_of(tell_all(draft.events)))


def sections_of(events: Iterable[Event]) -> tuple[SectionView, ...]:
    """Events in words by section, each section in the order of the settlement; empty ones are left out."""
    events = with_draws_told(events)
    known_kinds = {kind for _, _, kinds in SECTIONS for kind in kinds}
    sections = [
        SectionView(key, gettext(title), tuple(e for e in events if e["kind"] in kinds))
        for key, title, kinds in SECTIONS
    ]
    rest = SectionView("also", gettext("Other"), tuple(e for e in events if e["kind"] not in known_kinds))
    return tuple(section for section in (*sections, rest) if section.events)


def refusals_of(turn: Turn, now: datetime) -> dict[tuple[str, str], RefusalView] | None:
    """R14: the refused orders, by army and author, from the computed moves; None before those are published."""
    report = turn_report(turn, now)
    if report is None:
        return None
    events = [e for section in report.sections for e in section.events if e["kind"] == "refused"]
    return {(event["army"], event["by"]): RefusalView(event["cites"], event["text"]) for event in events}


def controlled_in(turn: Turn, player_id: int) -> frozenset[str]:
    """5.2: the names of the armies that a player controlled at a turn's lock, also of those that died in it; of a
    renamed army, all its names (2.6)."""
    lock = last_moment(turn.lock_at)
    spans = (one for one in held_in(turn) if one.player_id == player_id and one.since <= lock)
    at_lock = (one for one in spans if one.until is None or one.until > lock)
    return frozenset(name for one in at_lock for name in (one.army, *one.former))


def events_of(report: UpdateView, names: Collection[str]) -> tuple[Event, ...]:
    all_events = (event for section in report.sections for event in section.events)
    return tuple(event for event in all_events if not set(names).isdisjoint(event["armies"]))


def has_turn(round_: Round, number: int) -> bool:
    current = current_turn(round_)
    return current is not None and 0 < number <= current.number


class FoughtTurns(NamedTuple):
    """4.2.5: turns with published results, the newest first; `older` is the number below which there are more."""

    turns: list[Turn]
    older: int | None


def fought_turns(round_: Round, before: int | None, most: int) -> FoughtTurns:
    """4.2.5: the newest turns (before a number) with published results, and where older ones continue."""
    turns = Turn.objects.filter(round=round_, battles__result__isnull=False).defer("position", "events")
    if before is not None:
        turns = turns.filter(number__lt=before)
    newest = list(turns.distinct().order_by("-number")[: most + 1])
    return FoughtTurns(newest[:most], newest[most - 1].number if len(newest) > most else None)


def turns_of(round_: Round, now: datetime) -> list[TurnLine]:
    """Every turn of a round, the newest first. The numbers of moves are those of the posted update."""
    notices = Notice.objects.filter(turn__round=round_, kind__in=TOLD, thread="movement").values_list("turn_id", "data")
    data: dict[int, Json] = dict(notices)
    turns = Turn.objects.filter(round=round_).order_by("-number").defer("position", "events")
    rows = turns.annotate(
        all_posts=Count("posts", distinct=True),
        open_posts=Count("posts", filter=Q(posts__sealed=False), distinct=True),
        fought=Count("battles", filter=~Q(battles__state="cancelled"), distinct=True),
    )
    return [
        TurnLine(
            number=turn.number,
            map_hash=turn.position_hash[:12],
            state=state_words(turn, now),
            opened_at=turn.opened_at,
            deadline=turn.deadline,
            lock_at=turn.lock_at,
            settled_at=turn.settled_at,
            posts=turn.open_posts if clock.is_in_time(now, turn.lock_at) else turn.all_posts,
            battles=turn.fought,
            moved=data.get(turn.pk, {}).get("moved", 0),
            refused=data.get(turn.pk, {}).get("refused", 0),
        )
        for turn in rows
    ]


def update_text(report: UpdateView, notes: Iterable[str] = ()) -> str:
    """The update as plain text, for a forum or a mail. Lines of any length; `(3.2.2.1)` follows what a rule decided.

    `notes` are lines that precede it: the corrections of the turn.
    """
    turn = report.turn
    title = gettext("Turn %(turn)s: draft of the moves") if report.is_draft else gettext("Turn %(turn)s: update")
    locked = gettext("Locked %(time)s") % {"time": _utc(turn.lock_at)}
    blocks = ["\n".join([title % {"turn": turn.number}, locked, *notes])]
    blocks += [_block(section) for section in report.sections]
    return "\n\n".join(blocks) + "\n"


def _block(section: SectionView) -> str:
    head = f"{section.title} ({len(section.events)})"
    return "\n".join([head, "-" * len(head), *(f"- {event_text(event)}" for event in section.events)])


def event_text(event: Event) -> str:
    cites = f" ({event['cites']})" if event["cites"] else ""
    if event["kind"] != "refused":
        return f"{event['text']}{cites}"
    order = " " + gettext("Ordered: “%(order)s”.") % event if event.get("order") else ""
    stays = " " + gettext("%(army)s stayed on %(at)s.") % event if event.get("at") and event.get("counts") else ""
    return f"{event['text']}{order}{stays}{cites}"


def _utc(when: datetime) -> str:
    return f"{when:%Y-%m-%d %H:%M:%S} UTC" if when.second else f"{when:%Y-%m-%d %H:%M} UTC"


_KINDS = {
    "route of ": ("moved", "intercepted", "moved_partially"),
    "retreat of ": ("retreated",),
    "where ": ("pushed", "captured", "moved_partially"),
    "patrol of ": ("mercenary_decided",),
    "target of ": ("mercenary_decided",),
    "way of ": ("mercenary_decided",),
}
"""By the beginning of a draw's name: the kinds of events of its army that tell its result."""


def with_draws_told(events: Iterable[Event]) -> list[Event]:
    """The events of a turn, with the result in the text of each draw."""
    events = list(events)
    return [_draw_in_words(event, events) if event["kind"] == "drawn" else event for event in events]


def _draw_in_words(draw: Event, events: Sequence[Event]) -> Event:
    result = _what_was_drawn(draw, events)
    if not result:
        return draw
    return draw | {
        "text": gettext("Drawn: %(name)s, %(drawn)s (%(value)s of %(sides)s).")
        % {"name": told_draw(draw["name"]), "drawn": result, "value": draw["value"], "sides": draw["sides"]}
    }


def _what_was_drawn(draw: Event, events: Sequence[Event]) -> str:
    """The squares of a route, or the square or the army that was drawn, of two losers the one that left first; empty if
    no event tells."""
    name = draw["name"]
    if name.startswith("place "):
        decided = (e for e in events if e["kind"] == "mercenary_decided")
        return next((e["army"] for e in decided if name in [one[0] for one in e["draws"]]), "")
    if name.startswith("who leaves "):
        square = name.removeprefix("who leaves ")
        if square.endswith(" first"):
            fought = (e["losers"] for e in events if e["kind"] == "fought" and f"{e['at']} first" == square)
            return next((losers[draw["value"] - 1] for losers in fought), "")
        retreats = (e for e in events if e["kind"] == "retreated" and e["from"] == square and e["cites"] == "4.4")
        return next((event["army"] for event in retreats), "")
    start = next((start for start in _KINDS if name.startswith(start)), None)
    if start is None:
        return ""
    army = name.removeprefix(start)
    for end in (" is pushed", " is taken", " moves aside"):
        army = army.removesuffix(end)
    for event in (e for e in events if e["kind"] in _KINDS[start] and e["army"] == army):
        return _route(draw, event) if start == "route of " else gettext("to %(square)s") % {"square": event["to"]}
    return ""


def _route(draw: Event, event: Event) -> str:
    """R16: the squares between start and end of the way of that number, even if the army did not reach its end."""
    ways = shortest_paths(read_square(event["from"]), read_square(event.get("meant") or event["to"]))
    between = ways[draw["value"] - 1][1:-1] if len(ways) == draw["sides"] else ()
    return gettext("via %(squares)s") % {"squares": ", ".join(map(str, between))} if between else ""
