"""A round in numbers: statistics of settled turns and published results, and their charts. Nothing of it is secret,
and none of it decides anything."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils.translation import gettext

from judging.battles.models import Battle
from judging.common.positions import position_of
from judging.svg.charts import Chart, Series, bar_chart, line_chart
from judging.svg.crests import short_side
from wargame.models import Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.core import clock
from wargame.rules.core.board import RANGE, Square, squares_at
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Side
from wargame.rules.settling.losses import fall
from wargame.world import DamagedMap

NOBODY = "contested"


def ground_around_bases(position: Position) -> dict[str, int]:
    """The squares within three steps of an existing base or portal, by the side whose army is nearest to each.

    As near for two sides, or nobody within three steps: contested.
    """
    base_squares = [base.at for base in position.board.bases if not base.destroyed]
    ground = dict.fromkeys(
        square for at in base_squares for steps in range(RANGE + 1) for square in squares_at(at, steps)
    )
    counts = Counter(_holder(position, square) for square in ground)
    return {key: counts[key] for key in (*(side.value for side in Side), NOBODY)}


def _holder(position: Position, square: Square) -> str:
    for steps in range(RANGE + 1):
        sides = {army.side for at in squares_at(square, steps) for army in position.by_square.get(at, ())}
        if sides:
            return sides.pop().value if len(sides) == 1 else NOBODY
    return NOBODY


KEPT_SECONDS = 7 * 24 * 3600
HELD = (*(side.value for side in Side), NOBODY)


@dataclass(frozen=True)
class Fought:
    """4.2: a published battle: its sides by team, the winner, and the chances in permille that the book gave."""

    pk: int
    at: str
    names: tuple[tuple[str, ...], tuple[str, ...]]
    sides: tuple[str, str]
    winner: int
    odds: tuple[int, ...]

    @property
    def percent(self) -> tuple[int, ...]:
        """The odds in percent."""
        return tuple(round(permille / 10) for permille in self.odds)


@dataclass(frozen=True)
class TurnNumbers:
    """A turn at its opening, and its published battles. `faces` are the d20 that each side rolled; `lost` its
    casualties by creature; `held` the squares around bases that it controls."""

    number: int
    troops: dict[str, int]
    armies: dict[str, int]
    held: dict[str, int]
    of_army: dict[str, int]
    faces: dict[str, Counter[int]] = field(default_factory=dict)
    lost: dict[str, Counter[str]] = field(default_factory=dict)
    fought: tuple[Fought, ...] = ()


@dataclass(frozen=True)
class Lock:
    """R4: the planned and actual lock of a turn; `late` in seconds after the lock's own minute, to whose end posts
    count, `took` from the lock until the settlement."""

    number: int
    lock_at: datetime
    locked_at: datetime
    late: int
    took: int | None


def numbers_of(round: Round) -> list[TurnNumbers]:
    """Every turn of a round, oldest first; cached until a result is added to it. A turn with a damaged map is left
    out."""
    turns = Turn.objects.filter(round=round).defer("position", "events").select_related("round").order_by("number")
    published = Counter(_published(round).values_list("turn_id", flat=True))
    keys = {turn.pk: f"numbers:{turn.pk}:{turn.position_hash}:{turn.penalties}:{published[turn.pk]}" for turn in turns}
    cached = cache.get_many(keys.values())
    results = (cached.get(keys[turn.pk]) or _count_and_keep(keys[turn.pk], turn) for turn in turns)
    return [numbers for numbers in results if numbers is not None]


def locks_of(round: Round) -> list[Lock]:
    """R4: how punctual the locks were."""
    turns = Turn.objects.filter(round=round, locked_at__isnull=False).order_by("number")
    return [
        Lock(
            number=number,
            lock_at=lock_at,
            locked_at=locked_at,
            late=max(0, _seconds(clock.closes(lock_at), locked_at)),
            took=_seconds(lock_at, settled_at) if settled_at else None,
        )
        for number, lock_at, locked_at, settled_at in turns.values_list("number", "lock_at", "locked_at", "settled_at")
        if locked_at
    ]


def odds_of(round: Round, turns: Sequence[TurnNumbers]) -> list[tuple[int, Fought]]:
    """R38: the battles with their odds and turns; only once the round is over and its book public."""
    if round.state != RoundState.OVER:
        return []
    return [(turn.number, battle) for turn in turns for battle in turn.fought if battle.odds]


def _count_and_keep(key: str, turn: Turn) -> TurnNumbers | None:
    try:
        numbers = _count(turn)
    except DamagedMap:
        return None
    cache.set(key, numbers, KEPT_SECONDS)
    return numbers


def _count(turn: Turn) -> TurnNumbers:
    position = position_of(turn)
    battles = list(_published(turn.round).filter(turn=turn).select_related("result").prefetch_related("entries"))
    fought = tuple(_fought(position, battle) for battle in battles)
    return TurnNumbers(
        number=turn.number,
        troops=_by_side(position, lambda army: sum(troop.alive for troop in army.troops)),
        armies=_by_side(position, lambda army: 1),
        held=ground_around_bases(position),
        of_army={army.name: sum(troop.alive for troop in army.troops) for army in position.armies},
        faces=_faces(battles, fought),
        lost=_lost(position, battles),
        fought=fought,
    )


def _by_side(position: Position, count: Callable[[Army], int]) -> dict[str, int]:
    return {side.value: sum(count(army) for army in position.armies if army.side is side) for side in Side}


def _published(round: Round) -> QuerySet[Battle]:
    return Battle.objects.filter(turn__round=round, state=Battle.State.PUBLISHED).order_by("number")


def _fought(position: Position, battle: Battle) -> Fought:
    names = [tuple(entry.name for entry in battle.entries.all() if entry.side == side) for side in (0, 1)]
    sides = tuple(position.by_name[side_names[0]].side.value for side_names in names)
    result = battle.result
    return Fought(battle.pk, battle.at, (names[0], names[1]), (sides[0], sides[1]), result.winner, tuple(result.odds))


def _faces(battles: Iterable[Battle], fought: Iterable[Fought]) -> dict[str, Counter[int]]:
    """R37: the raw faces, including dice that were rolled again."""
    faces: dict[str, Counter[int]] = {}
    for battle, fight in zip(battles, fought, strict=True):
        for rolls in battle.result.outcome["rolls"]:
            for side, dice in zip(fight.sides, rolls, strict=True):
                faces.setdefault(side, Counter()).update(dice)
    return faces


def _lost(position: Position, battles: Iterable[Battle]) -> dict[str, Counter[str]]:
    """R32: casualties by side and creature, as allotted to the creatures of each slot."""
    casualties: dict[str, Counter[str]] = {}
    for battle in battles:
        for name, losses in battle.result.outcome["losses"].items():
            army = position.by_name[name]
            for troop, number in zip(army.troops, fall(army.troops, tuple(losses))[1], strict=True):
                if number:
                    creature = troop.creature or f"slot {troop.slot}"
                    casualties.setdefault(army.side.value, Counter())[creature] += number
    return casualties


def _seconds(start: datetime, end: datetime) -> int:
    return round((end - start).total_seconds())


FACES = range(1, 21)
MOST_CREATURES = 30
PERMILLE = 1000
BINS = ((500, 600), (600, 700), (700, 800), (800, 900), (900, 1001))


ENOUGH_DICE = 5 * len(FACES)
"""The minimum of dice for chi-square: five of each face must be expected, as its tables assume."""


@dataclass(frozen=True)
class Luck:
    """4.2.4: a side's d20 compared with fair dice. `chi` is chi-square with 19 degrees of freedom, which fair dice
    exceed 30.1 with in one case of twenty; None if there are too few dice for it to mean anything."""

    side: str
    name: str
    rolled: int
    mean: float
    chi: float | None


def troop_charts(turns: Sequence[TurnNumbers], army: str) -> list[Chart]:
    """Troops by side, those of one army if it is named, armies, and the ground around the bases, by turn."""
    places = [str(turn.number) for turn in turns]
    sides = [side for side in Side if any(turn.armies[side.value] for turn in turns)]
    troops = [_series(side, [turn.troops[side.value] for turn in turns]) for side in sides]
    armies = [_series(side, [turn.armies[side.value] for turn in turns]) for side in sides]
    ground = [_series_of_squares(key, turns) for key in HELD if any(turn.held[key] for turn in turns)]
    by_turn = gettext("turn")
    charts = [line_chart("troops", gettext("Living troops"), by_turn, places, troops)]
    if army:
        line = Series(army, "one", tuple(turn.of_army.get(army) for turn in turns))
        charts.append(
            line_chart("army", gettext("Living troops of %(army)s") % {"army": army}, by_turn, places, [line])
        )
    charts.append(line_chart("armies", gettext("Armies on the map"), by_turn, places, armies))
    charts.append(line_chart("ground", gettext("Squares around bases and portals"), by_turn, places, ground))
    return charts


def dice_chart(turns: Sequence[TurnNumbers]) -> tuple[Chart | None, list[Luck]]:
    """4.2.4: the frequency of each face by side, beside the expectation of fair dice."""
    faces = {side: sum((turn.faces.get(side.value, Counter()) for turn in turns), Counter()) for side in Side}
    rolled = {side: counts for side, counts in faces.items() if counts}
    if not rolled:
        return None, []
    even = sum(counts.total() for counts in rolled.values()) / len(rolled) / len(FACES)
    series = [_series(side, [counts[face] for face in FACES]) for side, counts in rolled.items()]
    expected = Series(gettext("fair dice (average of the sides)"), "expected", tuple(round(even, 1) for _ in FACES))
    chart = bar_chart(
        "dice", gettext("d20 rolls by face"), gettext("face"), [str(face) for face in FACES], series, expected
    )
    return chart, [_luck(side, counts) for side, counts in rolled.items()]


class Loss(NamedTuple):
    """R32: the casualties of a side's creature; `permille` of the heaviest loss, for a bar."""

    side: str
    side_name: str
    creature: str
    number: int
    permille: int


def losses_of(turns: Sequence[TurnNumbers]) -> list[Loss]:
    """R32: casualties by side and creature, the heaviest first, at most `MOST_CREATURES`."""
    casualties: Counter[tuple[str, str]] = Counter()
    for turn in turns:
        for side, counts in turn.lost.items():
            casualties.update({(side, creature): number for creature, number in counts.items()})
    most = max(casualties.values(), default=0)
    ranked = sorted(casualties.items(), key=lambda each: (-each[1], each[0]))[:MOST_CREATURES]
    return [
        Loss(side, short_side(side), creature, number, round(PERMILLE * number / most))
        for (side, creature), number in ranked
    ]


def odds_chart(battles: Sequence[tuple[int, Fought]]) -> Chart | None:
    """R38: the share of battles that a side won, by its chance according to the book."""
    if not battles:
        return None
    bins = [[battle for _, battle in battles if low <= max(battle.odds) < high] for low, high in BINS]
    places = [
        gettext("%(low)s to %(high)s") % {"low": low // 10, "high": f"{min(high, PERMILLE) // 10}%"}
        for low, high in BINS
    ]
    won = tuple(_percent(sum(_favourite_won(battle) for battle in group), len(group)) for group in bins)
    likely = tuple(_percent(sum(max(battle.odds) for battle in group), PERMILLE * len(group)) for group in bins)
    series = [
        Series(gettext("predicted by the formula book, in percent"), "one", likely),
        Series(gettext("actually won, in percent"), "two", won),
    ]
    return bar_chart("odds", gettext("How often the favourite won"), gettext("the favourite's odds"), places, series)


def lock_chart(locks: Sequence[Lock]) -> Chart | None:
    """R4: the delay of each lock after the end of its minute, up to which posts count."""
    if not locks:
        return None
    places = [str(lock.number) for lock in locks]
    late = Series(gettext("seconds after the minute of the lock ended"), "one", tuple(lock.late for lock in locks))
    return bar_chart("locks", gettext("Punctuality of locks"), gettext("turn"), places, [late])


def _series(side: Side, values: Sequence[int]) -> Series:
    return Series(short_side(side), side.value, tuple(values))


def _series_of_squares(key: str, turns: Sequence[TurnNumbers]) -> Series:
    name = gettext("contested, or no one near") if key == NOBODY else short_side(key)
    return Series(name, key, tuple(turn.held[key] for turn in turns))


def _luck(side: Side, counts: Counter[int]) -> Luck:
    rolled, even = counts.total(), counts.total() / len(FACES)
    chi = sum((counts[face] - even) ** 2 / even for face in FACES)
    mean = sum(face * number for face, number in counts.items()) / rolled
    statistic = round(chi, 1) if rolled >= ENOUGH_DICE else None
    return Luck(side.value, short_side(side), rolled, round(mean, 2), statistic)


def _favourite_won(battle: Fought) -> bool:
    return battle.odds[battle.winner] == max(battle.odds)


def _percent(part: int, whole: int) -> int | None:
    return round(100 * part / whole) if whole else None
