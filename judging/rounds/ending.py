"""1.5, 1.7: a round that is over: the winner and the rule, its story, both sides' losses, medals, and all its
secrets."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.core.cache import cache
from django.utils.translation import ngettext

from judging.announcements.models import Notice
from judging.battles.models import Battle, Strat
from judging.common.rounds import current_turn
from judging.rounds.medals import (
    Deserts,
    FoughtBattle,
    Happened,
    Medal,
    Punctuality,
    SideTally,
    best_battles,
    medals_of,
    tally,
)
from judging.svg.crests import short_side
from judging.turns.models import Post
from wargame.models import Army, Control, Judge, Player, Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core.events import Event
from wargame.rules.core.sides import Rank, Side
from wargame.rules.telling.telling import event_from_json, tell
from wargame.web import languages

BEST = 5
KEPT_SECONDS = 24 * 3600
HEADLINES = ("won", "base_destroyed", "killed", "captured", "liberated", "converted")
"""The kinds of events that change the war, for the story."""


@dataclass(frozen=True)
class TurnStory:
    """1.5: a turn in one line: the events that changed the war, and the number of the others."""

    number: int
    locked_at: datetime
    moved: int
    battles: int
    headlines: tuple[str, ...]

    @property
    def line(self) -> str:
        """`3 armies moved, 1 battle was fought. Ana kills Gaz on 3F.`"""
        move_text = ngettext("%(number)s army moved", "%(number)s armies moved", self.moved) % {"number": self.moved}
        fought = ngettext("%(number)s battle was fought", "%(number)s battles were fought", self.battles)
        return " ".join([f"{move_text}, {fought % {'number': self.battles}}.", *self.headlines])


@dataclass(frozen=True)
class Victory:
    """1.7: the reason for a side's victory, and the rule; `judge` confirmed it (R34), empty if that is not recorded."""

    side: Side
    sentence: str
    cites: str
    judge: str


@dataclass(frozen=True)
class Person:
    """1.1, 1.3: a player or judge: the name of their team or role, and their final rank."""

    name: str
    what: str
    rank: str
    side: str
    left: bool


@dataclass(frozen=True)
class EndView:
    """1.5: the end of a round."""

    began: datetime | None
    ended: datetime | None
    victory: Victory | None
    story: tuple[TurnStory, ...]
    sides: tuple[SideTally, ...]
    battles: tuple[FoughtBattle, ...]
    medals: tuple[Medal, ...]
    players: tuple[Person, ...]
    judges: tuple[Person, ...]


def end_of(round: Round) -> EndView | None:
    """1.5: the end of a round; None while it is not over. Twelve statements, and two if it is cached: nothing of a
    round that is over changes except by an upgrade and the names of people."""
    if round.state != RoundState.OVER:
        return None
    turn = current_turn(round)
    last = (turn.next_hash, turn.rules) if turn else None
    names = [model.objects.filter(round=round).values_list("name").order_by() for model in (Player, Judge)]
    # A person who was deleted is called otherwise, in rounds that are over too.
    digest = hashlib.sha256(repr(sorted(names[0].union(names[1]))).encode()).hexdigest()[:16]
    key = f"end:{languages.tag()}:{round.pk}:{round.winner}:{digest}:{last}"
    view: EndView | None = cache.get(_short(key))
    if view is None:
        view = _end_of(round)
        cache.set(_short(key), view, KEPT_SECONDS)
    return view


def _short(key: str) -> str:
    return "".join(character for character in key if character.isalnum() or character == ":")[:200]


def _end_of(round: Round) -> EndView:
    turns = list(Turn.objects.filter(round=round).defer("position", "sky").order_by("number"))
    settled = [turn for turn in turns if turn.state == TurnState.SETTLED]
    happened = [(turn.number, _events(turn)) for turn in settled]
    battles = _battles(round, turns)
    players = list(Player.objects.filter(round=round).order_by("name"))
    armies = Army.objects.filter(round=round)
    at_end = {army.name: (Side(army.side), army.died_in) for army in armies}
    current_names = {old: army.name for army in armies for old in army.former}
    totals = tally(happened, at_end, current_names)
    punctual = tuple(punctuality_of(settled, players).values())
    deserts = Deserts(round.slug, tuple(totals.armies.values()), battles, punctual)
    return EndView(
        began=turns[0].opened_at if turns else None,
        ended=settled[-1].settled_at if settled else None,
        victory=_victory(round, happened),
        story=tuple(_story(turn, events) for turn, (_, events) in zip(settled, happened, strict=True)),
        sides=totals.sides,
        battles=tuple(best_battles(battles)[:BEST]),
        medals=medals_of(deserts),
        players=tuple(_player(player) for player in players),
        judges=tuple(_judge(judge) for judge in Judge.everybody.filter(round=round).order_by("role", "name")),
    )


def _events(turn: Turn) -> list[Event]:
    """The events of a turn; unreadable ones are left out."""
    events = []
    for data in turn.events:
        try:
            events.append(event_from_json(data))
        except (ValueError, TypeError):
            continue
    return events


def _story(turn: Turn, events: Sequence[Event]) -> TurnStory:
    return TurnStory(
        number=turn.number,
        locked_at=turn.lock_at,
        moved=sum(event.kind == "moved" for event in events),
        battles=sum(event.kind == "fought" for event in events),
        headlines=tuple(str(tell(event)["text"]) for event in events if event.kind in HEADLINES),
    )


def _victory(round: Round, happened: Sequence[Happened]) -> Victory | None:
    if not round.winner:
        return None
    notice = Notice.objects.filter(turn__round=round, kind="round_over").order_by("-pk").first()
    judge = str(notice.data.get("judge", "")) if notice else ""
    for _, events in reversed(happened):
        for entry in (tell(event) for event in events if event.kind == "won"):
            if entry["side"] == round.winner:
                return Victory(Side(round.winner), str(entry["text"]), str(entry["cites"]), judge)
    return Victory(Side(round.winner), "", "", judge)


def _battles(round: Round, turns: Sequence[Turn]) -> list[FoughtBattle]:
    rows = Battle.objects.filter(turn__round=round, state=Battle.State.PUBLISHED, result__isnull=False)
    rows = rows.select_related("result").prefetch_related("entries").order_by("turn__number", "number")
    numbers = {turn.pk: turn.number for turn in turns}
    return [
        FoughtBattle(
            pk=battle.pk,
            turn=numbers[battle.turn_id],
            at=battle.at,
            names=(_names(battle, 0), _names(battle, 1)),
            winner=battle.result.winner,
            odds=tuple(battle.result.odds),
            lost=sum(sum(counts) for counts in battle.result.outcome["losses"].values()),
        )
        for battle in rows
    ]


def _names(battle: Battle, side: int) -> tuple[str, ...]:
    return tuple(entry.name for entry in battle.entries.all() if entry.side == side)


def punctuality_of(turns: Sequence[Turn], players: Sequence[Player]) -> dict[int, Punctuality]:
    """3.1: how players kept the locks of these turns, those of their own rounds, by their keys; players who
    controlled no army at any of them are left out. Two statements. Only for turns that are settled: a sealed order
    is secret before the lock (R6)."""
    spans = list(Control.objects.filter(player__in=players).values_list("player_id", "since", "until"))
    lookup = {"player__in": players}
    posts = Post.objects.filter(**lookup, turn__in=turns, withdrawn_at__isnull=True).order_by()
    strats = Strat.objects.filter(**lookup, entry__battle__turn__in=turns, late=False).order_by()
    moments = posts.values_list("turn_id", "player_id", "posted_at").union(
        strats.values_list("entry__battle__turn_id", "player_id", "sent_at"), all=True
    )
    wrote: dict[tuple[int, int], datetime] = {}
    for turn_id, player_id, at in moments:
        wrote[turn_id, player_id] = max(at, wrote.get((turn_id, player_id), at))
    result = {}
    for player in players:
        periods = [(since, until) for key, since, until in spans if key == player.pk]
        locks = [turn for turn in turns if turn.round_id == player.round_id]
        due = [turn for turn in locks if any(s <= turn.lock_at and (u is None or u > turn.lock_at) for s, u in periods)]
        pairs = [(turn, wrote[turn.pk, player.pk]) for turn in due if (turn.pk, player.pk) in wrote]
        ahead = [(turn.lock_at - at).total_seconds() for turn, at in pairs]
        if due:
            # A post in the minute of the lock itself is not late (R4).
            mean = max(0, int(sum(ahead) / len(ahead))) if ahead else 0
            result[player.pk] = Punctuality(player.name, len(due), len(ahead), mean)
    return result


def _player(player: Player) -> Person:
    rank = Rank(player.rank).title if player.rank else ""
    return Person(player.name, short_side(player.side), rank, player.side, player.left_at is not None)


def _judge(judge: Judge) -> Person:
    return Person(
        judge.name, judge.get_role_display(), "head" if judge.is_head else "", "", judge.dismissed_at is not None
    )
