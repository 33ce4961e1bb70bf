"""R37: the default formula book, public. `docs/judge/formulas.md` gives the reasoning."""

from dataclasses import dataclass
from itertools import accumulate

from wargame.rules.book.book import Book


@dataclass(frozen=True, slots=True)
class Parameter:
    """R37: a number in the pattern: its usual value and its meaning, and the bounds within which it was drawn for the
    books of rules 1.1 and before (R38).

    With `tenths`, the three are tenths of the number in the formula.
    """

    name: str
    usual: int
    least: int
    most: int
    about: str
    tenths: bool = False

    def written(self, value: int) -> str:
        if not self.tenths:
            return str(value)
        whole, tenth = divmod(value, 10)
        return f"{whole}.{tenth}" if tenth else str(whole)


def _each(name: str, about: str, *bounds: tuple[int, int, int]) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(f"{name}_{place}", usual, least, most, about.format(place))
        for place, (usual, least, most) in enumerate(bounds, 1)
    )


GAINS = _each(
    "gain",
    "how much more a {0}/{0} is worth than the creature below it",
    *((100, 100, 100), (80, 70, 90), (70, 62, 78), (60, 53, 67), (60, 53, 67)),
    *((50, 44, 56), (50, 44, 56), (50, 44, 56), (40, 35, 45)),
)
STEPS = _each(
    "step",
    "percent by which one side must be larger for a size bonus of {}",
    *((8, 7, 9), (18, 16, 20), (30, 27, 33), (45, 40, 50), (65, 58, 72)),
    *((90, 80, 100), (125, 110, 140), (175, 155, 195), (250, 220, 280), (400, 350, 450)),
)
SLOTS = (
    Parameter("slot_1", 115, 110, 116, "percent of a side's losses that slot 1 takes"),
    Parameter("slot_2", 100, 96, 104, "the same for slot 2"),
    Parameter("slot_3", 85, 80, 90, "the same for slot 3"),
    Parameter("slot_4", 65, 60, 70, "the same for slot 4"),
)
OTHERS = (
    Parameter("second", 90, 85, 95, "percent of its size that the smaller army adds to a pair"),
    Parameter("die", 30, 26, 34, "permille lost by a die when the pair is equal"),
    Parameter("slope", 20, 17, 23, "permille more or less for each point of difference", tenths=True),
    Parameter("least", 6, 4, 8, "least loss from a die, in permille"),
    Parameter("winner", 85, 80, 88, "percent of its losses that the winner takes"),
    Parameter("loser", 115, 112, 120, "percent of its losses that the loser takes"),
    Parameter("stratless", 130, 122, 138, "percent of its losses that a side without a strat takes"),
    Parameter("runs", 35, 30, 40, "percent of its losses that a runner takes from an enemy without a bonus"),
    Parameter("chase", 20, 15, 25, "percent more for each point of the enemy's strategy bonus", tenths=True),
    Parameter("covers", 150, 140, 160, "percent of its losses that a runner takes when covering its partner"),
    Parameter("pair", 110, 106, 115, "percent of their losses that both sides take if a pair fights"),
    Parameter("weather", 15, 10, 20, "percent less for each point of the weather's severity", tenths=True),
    Parameter("most", 850, 800, 860, "largest loss of a side, in permille"),
    Parameter("kill", 7, 6, 8, "the handicap of a kill"),
    Parameter("top", 100, 85, 115, "lead in top troops that counts as one point"),
    Parameter("tops", 6, 5, 7, "most points that top troops can count"),
    Parameter("hurt", 10, 9, 12, "percent lost by the beaten army that counts as one point"),
    Parameter("capture", 2, 1, 3, "how much harder a capture is than a kill"),
    Parameter("kept_won", 15, 10, 20, "percent chance to keep risked troops after a win"),
    Parameter("kept_lost", 5, 3, 8, "percent chance to keep risked troops after a loss"),
)
PARAMETERS: tuple[Parameter, ...] = (*GAINS, *STEPS, *SLOTS, *OTHERS)
"""R37: the numbers of the default book."""

PATTERN: dict[str, str] = {
    "creature_worth": "pick(creature, {worths})",
    "pair_size": "larger + smaller * {second}%",
    "size_bonus": "steps(ratio, {ratios})",
    "die_points": "die > enemy_die",
    "equal_counts": "sum",
    "equal_sums": "defends",
    "most_rounds": "100",
    "stratless_loses": "1",
    "die_loss": "max({die} - {slope} * ahead, {least})",
    "side_loss": "dice * if(won, {winner}%, {loser}%) * sqrt(enemy_size / size)",
    "stratless_loss": "loss * {stratless}%",
    "running_loss": "loss * ({runs}% + {chase}% * enemy_strategy)",
    "covering_loss": "loss * {covers}%",
    "pair_loss": "loss * {pair}%",
    "weather_loss": "loss * (100% - {weather}% * severity)",
    "most_lost": "{most}",
    "slot_loss": "loss * pick(slot, {slot_1}%, {slot_2}%, {slot_3}%, {slot_4}%)",
    "kill_edge": "clamp((top - enemy_top) / {top}, -{tops}, {tops}) + min(enemy_lost / {hurt}, 3) - {kill}",
    "capture_edge": "kill - {capture}",
    "risked_kept": "if(won, {kept_won}, {kept_lost})",
}
"""R37: the formulas of the default book, in the order of `FORMULAS`, with its parameters by name."""


def patterned_book(values: dict[str, int]) -> Book:
    """R37: the book of the pattern with these values of its parameters."""
    texts = {parameter.name: parameter.written(values[parameter.name]) for parameter in PARAMETERS}
    texts["worths"] = _list(list(accumulate(values[gain.name] for gain in GAINS)))
    texts["ratios"] = _list([100 + values[step.name] for step in STEPS])
    return Book(tuple(text.format(**texts) for text in PATTERN.values()))


def _list(numbers: list[int]) -> str:
    return ", ".join(str(number) for number in numbers)


DEFAULT = patterned_book({parameter.name: parameter.usual for parameter in PARAMETERS})
"""R37: the book of cases and simulations; no round is judged by it unless its judge sets it."""
