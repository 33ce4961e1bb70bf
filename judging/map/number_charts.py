"""The charts of the numbers' page: which figures there are, and what each says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from judging.drawing.charts import Chart, Series, bar_chart, line_chart
from judging.drawing.crests import short_side
from judging.map.numbers import HELD, NOBODY, Fought, Lock, TurnNumbers
from wargame.rules.core.sides import Side

FACES = range(1, 21)
MOST_CREATURES = 30
PERMILLE = 1000
BINS = ((500, 600), (600, 700), (700, 800), (800, 900), (900, 1001))


@dataclass(frozen=True)
class Luck:
    """4.2.4: a side's d20 against what even dice would show. `chi` is chi-square with 19 degrees of freedom, which
    even dice exceed 30.1 with in one case of twenty."""

    side: str
    name: str
    rolled: int
    mean: float
    chi: float


def troop_charts(turns: Sequence[TurnNumbers], army: str) -> list[Chart]:
    """Troops by side, one army's if it is named, armies, and the ground around the bases, by turn."""
    places = [str(turn.number) for turn in turns]
    shown = [side for side in Side if any(turn.armies[side.value] for turn in turns)]
    troops = [_series(side, [turn.troops[side.value] for turn in turns]) for side in shown]
    armies = [_series(side, [turn.armies[side.value] for turn in turns]) for side in shown]
    ground = [_held(key, turns) for key in HELD if any(turn.held[key] for turn in turns)]
    charts = [line_chart("troops", "Living troops", "turn", places, troops)]
    if army:
        line = Series(army, "one", tuple(turn.of_army.get(army) for turn in turns))
        charts.append(line_chart("army", f"Living troops of {army}", "turn", places, [line]))
    charts.append(line_chart("armies", "Armies on the map", "turn", places, armies))
    charts.append(line_chart("ground", "Ground around bases and portals, in squares", "turn", places, ground))
    return charts


def dice_chart(turns: Sequence[TurnNumbers]) -> tuple[Chart | None, list[Luck]]:
    """4.2.4: how often each side rolled each face, beside what even dice would give each of them."""
    faces = {side: sum((turn.faces.get(side.value, Counter()) for turn in turns), Counter()) for side in Side}
    rolled = {side: counts for side, counts in faces.items() if counts}
    if not rolled:
        return None, []
    even = sum(counts.total() for counts in rolled.values()) / len(rolled) / len(FACES)
    series = [_series(side, [counts[face] for face in FACES]) for side, counts in rolled.items()]
    expected = Series("even dice, in the mean of the sides", "expected", tuple(round(even, 1) for _ in FACES))
    chart = bar_chart("dice", "Faces of the d20", "face", [str(face) for face in FACES], series, expected)
    return chart, [_luck(side, counts) for side, counts in rolled.items()]


def losses_of(turns: Sequence[TurnNumbers]) -> list[tuple[str, str, str, int, int]]:
    """Casualties by side and creature: (side, its name, creature, how many, permille of the most), most first."""
    lost: Counter[tuple[str, str]] = Counter()
    for turn in turns:
        for side, counts in turn.lost.items():
            lost.update({(side, creature): number for creature, number in counts.items()})
    most = max(lost.values(), default=0)
    ranked = sorted(lost.items(), key=lambda each: (-each[1], each[0]))[:MOST_CREATURES]
    return [
        (side, short_side(side), creature, number, round(PERMILLE * number / most))
        for (side, creature), number in ranked
    ]


def odds_chart(battles: Sequence[tuple[int, Fought]]) -> Chart | None:
    """R38: of the battles in which the book held a side to be so likely to win, how many it did win."""
    if not battles:
        return None
    bins = [[battle for _, battle in battles if low <= max(battle.odds) < high] for low, high in BINS]
    places = [f"{low // 10} to {min(high, PERMILLE) // 10}%" for low, high in BINS]
    won = tuple(_percent(sum(_favourite_won(battle) for battle in found), len(found)) for found in bins)
    likely = tuple(_percent(sum(max(battle.odds) for battle in found), PERMILLE * len(found)) for found in bins)
    series = [Series("said by the book, in percent", "one", likely), Series("won, in percent", "two", won)]
    return bar_chart("odds", "How often the favourite won", "the favourite's odds", places, series)


def lock_chart(locks: Sequence[Lock]) -> Chart | None:
    """R4: how long after its minute each lock came."""
    if not locks:
        return None
    places = [str(lock.number) for lock in locks]
    late = Series("seconds after its minute", "one", tuple(lock.late for lock in locks))
    return bar_chart("locks", "Punctuality of the locks", "turn", places, [late])


def _series(side: Side, values: Sequence[int]) -> Series:
    return Series(short_side(side), side.value, tuple(values))


def _held(key: str, turns: Sequence[TurnNumbers]) -> Series:
    name = "contested, or nobody near" if key == NOBODY else short_side(key)
    return Series(name, key, tuple(turn.held[key] for turn in turns))


def _luck(side: Side, counts: Counter[int]) -> Luck:
    rolled, even = counts.total(), counts.total() / len(FACES)
    chi = sum((counts[face] - even) ** 2 / even for face in FACES)
    mean = sum(face * number for face, number in counts.items()) / rolled
    return Luck(side.value, short_side(side), rolled, round(mean, 2), round(chi, 1))


def _favourite_won(battle: Fought) -> bool:
    return battle.odds[battle.winner] == max(battle.odds)


def _percent(part: int, whole: int) -> int | None:
    return round(100 * part / whole) if whole else None
