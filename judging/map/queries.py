"""1.2, 3.2.2: The map of a turn and its version, the content of a square, possible orders, and small pictures of the
map."""

from dataclasses import dataclass
from datetime import datetime
from textwrap import shorten
from typing import TypedDict

from django.core.cache import cache
from django.template.loader import render_to_string
from django.utils.translation import gettext

from judging.armies.queries import TroopsView, troops_view
from judging.battles.models import Battle as BattleRow
from judging.common.positions import position_of
from judging.common.rounds import turn_by_number
from judging.svg.crests import short_side
from judging.svg.map import DRAWN, battle_words, building_words, draw, name_of_place, small
from judging.turns.drafts import moves_now
from judging.turns.models import Draft
from judging.turns.rulings.differences import PositionsDifference, difference_of_positions
from wargame.models import Player, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core.board import Square
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.core.sides import Side
from wargame.rules.core.wording import headline
from wargame.rules.moves.reach import OrderChoice, choices_on_the_spot, reach_of
from wargame.rules.settling.accepted_changes import otherwise_called, renamed
from wargame.rules.telling.telling import tell_all


@dataclass(frozen=True)
class BattleLine:
    """4.1: a battle of this turn, in words: `Bob against Sai Rei`. `id` is its page's, if it has one."""

    id: int | None
    at: str
    place: str
    attacked: bool
    words: str
    armies: tuple[Army, ...]


@dataclass(frozen=True)
class SideLine:
    """1.7: the strength of a side: its armies, troops and bases."""

    side: str
    name: str
    armies: int
    troops: int
    strength: int
    standing: int
    built: int


@dataclass(frozen=True)
class SquareView:
    """1.2: a square with its sites and armies."""

    at: str
    place: str
    building: str
    armies: tuple[tuple[Army, TroopsView, str], ...]


def map_of(turn: Turn, position: Position, now: datetime) -> dict[str, object]:
    """A position of a turn for drawing, with arrows for the moves: its own once they are public, else those of the
    turn before. `shows` says which: `own`, `draft` while the battles are judged, or `last`."""
    source: Turn | Draft | None = turn if turn.state == TurnState.SETTLED else moves_now(turn, now)
    shows = "own" if isinstance(source, Turn) else "draft" if source else "last"
    source = source or turn_by_number(turn.round, turn.number - 1)
    events = [event for event in source.events if event["kind"] in DRAWN] if source else []
    return {**draw(position, tell_all(events)), "shows": shows}


def battles_in(position: Position, turn: Turn) -> list[BattleLine]:
    """4.1: the battles that are fought this turn, as they are announced."""
    fought = BattleRow.objects.filter(turn=turn).exclude(state=BattleRow.State.CANCELLED)
    ids = dict(fought.values_list("at", "pk"))
    return [_battle_line(position, battle, ids.get(str(battle.at))) for battle in position.battles]


def sides_in(position: Position) -> list[SideLine]:
    """1.7: the sides that have an army or a base, the teams first."""
    sides = {army.side for army in position.armies} | {base.side for base in position.board.bases}
    return [_side_line(position, side) for side in sorted(sides, key=lambda side: (not side.is_team, side.value))]


def square_view(position: Position, square: Square) -> SquareView:
    """1.2: a square of the map. The square must be on it."""
    armies = tuple(
        (army, troops_view(army.troops), battle_words(position, army.name))
        for army in position.by_square.get(square, ())
    )
    place = name_of_place(position.board, square)
    return SquareView(str(square), place, building_words(position.board, square), armies)


def own_armies(player: Player | None) -> list[str]:
    """5.2.1: the names of the armies that a player controls now."""
    if player is None:
        return []
    controls = player.controls.filter(until__isnull=True, army__died_in__isnull=True)
    return list(controls.order_by("army__name").values_list("army__name", flat=True))


def _battle_line(position: Position, battle: Battle, row: int | None) -> BattleLine:
    return BattleLine(
        id=row,
        at=str(battle.at),
        place=name_of_place(position.board, battle.at).partition(", ")[2],
        attacked=battle.defends is not None,
        words=headline(*battle.sides, battle.defends),
        armies=tuple(position.by_name[name] for name in battle.armies),
    )


def _side_line(position: Position, side: Side) -> SideLine:
    armies = [army for army in position.armies if army.side is side]
    bases = [base for base in position.board.bases if base.side is side]
    troops = [troop for army in armies for troop in army.troops]
    return SideLine(
        side=side.value,
        name=short_side(side),
        armies=len(armies),
        troops=sum(troop.alive for troop in troops),
        strength=sum(troop.of for troop in troops),
        standing=sum(not base.destroyed for base in bases),
        built=len(bases),
    )


@dataclass(frozen=True)
class Comparison:
    """The differences between two maps, as `differences` lists them, and the later map with the ways of those who
    moved."""

    difference: PositionsDifference
    map: Json

    @property
    def is_same(self) -> bool:
        parts = self.difference
        return not (parts["armies"] or parts["bases"] or any(parts["battles"].values()))


def comparison_of(old: Turn, new: Turn) -> Comparison:
    before, after = position_of(old), position_of(new)
    return Comparison(difference_of_positions(before, after), draw(after, _ways(before, after)))


def _ways(before: Position, after: Position) -> list[dict[str, object]]:
    """Straight from each army's old place, under whatever name (2.6), to its new one."""
    old_names = otherwise_called(after, before)
    was = renamed(before, {old: new for new, old in old_names.items()}).by_name
    return [
        {"kind": "moved", "armies": [army.name], "from": str(was[army.name].at), "to": str(army.at)}
        for army in after.armies
        if army.name in was and was[army.name].at != army.at
    ]


class ChoiceFacts(TypedDict):
    """3.2.2: a possible order of an army: its kind, its text, and the reason if it is refused."""

    kind: str
    order: str
    refusal: str
    cites: str


class GoalOnMap(TypedDict):
    """3.2.2: a square in reach, its number of steps, and the possible orders there."""

    at: str
    steps: int
    choices: list[ChoiceFacts]


@dataclass(frozen=True)
class ReachView:
    """`goals` are the squares in reach, nearest first, with the possible orders there; `here` needs no move."""

    army: Army
    goals: tuple[GoalOnMap, ...]
    here: tuple[ChoiceFacts, ...]


def reach_view(turn: Turn, name: str) -> ReachView | None:
    position = position_of(turn)
    army = position.by_name.get(name)
    if army is None:
        return None
    goals = tuple(
        GoalOnMap(at=str(goal.at), steps=goal.steps, choices=[_choice(army, choice) for choice in goal.choices])
        for goal in reach_of(position, army)
    )
    return ReachView(army, goals, tuple(_choice(army, choice) for choice in choices_on_the_spot(position, army)))


def _choice(army: Army, choice: OrderChoice) -> ChoiceFacts:
    refusal = choice.refusal
    return {
        "kind": choice.kind,
        "order": f"{army.name}: {choice.action}",
        "refusal": refusal.sentence if refusal else "",
        "cites": refusal.cites if refusal else "",
    }


KEPT_SECONDS = 24 * 3600
TITLE, LONGEST_TITLE = 30, 60
"""The maximum number of letters of a round's name in large type, and at all."""


def small_map(turn: Turn) -> str:
    """The map at the opening of the turn, as SVG; cached by its hash."""
    key = f"small:{turn.position_hash}:{turn.penalties}"
    svg: str | None = cache.get(key)
    if svg is None:
        svg = render_to_string("map/small.svg", {"map": small(position_of(turn))})
        cache.set(key, svg, KEPT_SECONDS)
    return svg


def card_of(turn: Turn, *, told: str = "") -> str:
    """The picture of a round at a turn as SVG, 1200 by 630, with the text `told` or, without it, the state of the
    round."""
    name = shorten(turn.round.name, LONGEST_TITLE, placeholder="…")
    context = {
        "map": small(position_of(turn)),
        "title": name,
        "size": 56 if len(name) <= TITLE else 30,
        "told": told or told_of(turn),
    }
    return render_to_string("map/card.svg", context)


def told_of(turn: Turn) -> str:
    if turn.round.state == RoundState.OVER and turn.round.winner:
        won = {"winner": turn.round.get_winner_display(), "turn": turn.number}
        return gettext("Won by %(winner)s in turn %(turn)s") % won
    return gettext("Turn %(number)s") % {"number": turn.number}
