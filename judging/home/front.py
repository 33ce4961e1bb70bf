"""1.5: what the front door shows to a visitor: the war that is played, its latest story, and the rounds to join.

Apart from `pages`, because it reads rows and keeps what it found for some minutes, for everybody alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.db.models import Exists, OuterRef, Q
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator

from judging.battles.models import Battle, Result
from judging.drawing.map import draw
from judging.game.markup import to_html
from judging.game.positions import present_position
from judging.game.rounds import current_turn, turn_by_number
from judging.notices.models import Notice
from judging.setup.models import RoundSetup
from judging.turns.reads import HEADLINES
from wargame.models import Army, Control, Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.core.sides import TEAMS, Side
from wargame.rules.telling.telling import tell_all
from wargame.web import languages

RECENT = 8
"""Among how many of the latest results the story is looked for."""

SHORTENED = 90
"""Words of a story that the front door tells."""

MOST_HEADLINES = 3
KEPT_SECONDS = 24 * 3600


@dataclass(frozen=True)
class Story:
    """4.2.5: a published battle. `winners` and `losers` are armies' names; `html` is the beginning of its narrative."""

    battle: int
    turn: int
    at: str
    winners: tuple[str, ...]
    losers: tuple[str, ...]
    html: SafeString


@dataclass(frozen=True)
class War:
    """1.5: a running round as a visitor sees it. `told` is what the service posted of its last turn, `headlines` what
    of it changed the war; both are empty before the first settlement."""

    round: Round
    turn: Turn
    picture: SafeString
    story: Story | None
    told: str
    headlines: tuple[str, ...]


@dataclass(frozen=True)
class TeamSeats:
    """2.5.2.1, 5.3.4: how many play for a team, and how many more it can use: armies that nobody controls or, while the
    round is set up, armies that nobody has."""

    side: Side
    players: int
    free: int


@dataclass(frozen=True)
class OpenRound:
    """1.1: a round that one may ask to join."""

    round: Round
    seats: tuple[TeamSeats, ...]

    @property
    def is_begun(self) -> bool:
        return self.round.state == RoundState.RUNNING

    @property
    def free(self) -> int:
        return sum(each.free for each in self.seats)


def war_of(round: Round) -> War | None:
    """1.5: the round as its front page shows it; None before its first turn. Five statements, one more for its map."""
    turn = current_turn(round)
    if turn is None:
        return None
    turn.round = round
    last = turn_by_number(round, turn.number - 1) if turn.number > 1 else None
    notice = Notice.objects.filter(turn=last, kind="update").order_by("-pk").first() if last else None
    told = [event["text"] for event in tell_all(e for e in last.events if e["kind"] in HEADLINES)] if last else []
    return War(
        round=round,
        turn=turn,
        picture=_picture(turn),
        story=_story(round),
        told=notice.text.partition("\n")[0] if notice else "",
        headlines=tuple(told[:MOST_HEADLINES]),
    )


def open_rounds() -> tuple[OpenRound, ...]:
    """1.1: the rounds that take players, those that are played first. Four statements."""
    is_set_up_here = Q(state=RoundState.SETUP, setup__isnull=False)
    wanted = Round.objects.filter(Q(state=RoundState.RUNNING) | is_set_up_here).defer("terrain")
    rounds = sorted(wanted.order_by("-created_at", "-pk"), key=lambda each: each.state != RoundState.RUNNING)
    playing = Counter(Player.objects.filter(round__in=rounds, left_at__isnull=True).values_list("round", "side"))
    planned = dict(RoundSetup.objects.filter(round__in=rounds).values_list("round", "armies"))
    without = _without_player(rounds)
    return tuple(OpenRound(each, _seats(each, playing, without, planned)) for each in rounds)


def _seats(
    round: Round,
    playing: Counter[tuple[int, str]],
    without: Counter[tuple[int, str]],
    planned: dict[int, list[int]],
) -> tuple[TeamSeats, ...]:
    is_setup = round.state == RoundState.SETUP
    found = []
    for side in TEAMS:
        players = playing[round.pk, side.value]
        free = max(sum(planned.get(round.pk) or ()) - players, 0) if is_setup else without[round.pk, side.value]
        found.append(TeamSeats(side, players, free))
    return tuple(found)


def _without_player(rounds: Sequence[Round]) -> Counter[tuple[int, str]]:
    """5.2.1: the living armies that nobody controls, by round and side."""
    living = Army.objects.filter(round__in=rounds, died_in__isnull=True, side__in=TEAMS)
    held = Control.objects.filter(army=OuterRef("pk"), until__isnull=True)
    return Counter(living.exclude(Exists(held)).values_list("round", "side"))


def _story(round: Round) -> Story | None:
    """4.2.5: of the latest results the one with the longest narrative."""
    rows = Result.objects.filter(battle__turn__round=round).exclude(narrative="").order_by("-published_at", "-pk")
    found = list(rows.values_list("battle", "narrative", "winner")[:RECENT])
    if not found:
        return None
    key, narrative, winner = max(found, key=lambda row: len(row[1]))
    battle = Battle.objects.select_related("turn").defer("turn__position", "turn__events", "turn__sky").get(pk=key)
    names = [[entry.name for entry in battle.entries.all() if entry.side == side] for side in (0, 1)]
    html = Truncator(to_html(narrative)).words(SHORTENED, truncate=" …", html=True)
    winners, losers = tuple(names[winner]), tuple(names[1 - winner])
    return Story(battle.pk, battle.turn.number, battle.at, winners, losers, mark_safe(html))


def _picture(turn: Turn) -> SafeString:
    """1.2: the map without its words, drawn once a version."""
    key = f"front-picture:{languages.tag()}:{turn.pk}:{turn.position_hash}:{turn.penalties}"
    drawn: str | None = cache.get(key)
    if drawn is None:
        drawn = render_to_string("home/_picture.html", {"map": draw(present_position(turn))})
        cache.set(key, drawn, KEPT_SECONDS)
    return mark_safe(drawn)
