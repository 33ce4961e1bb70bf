"""2.5.2.2: proxy armies for which the leaders named nothing, or not everything: the rest is made up."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from wargame.rules.armies.army_names import PHYREXIAN_NAMES, free_name, names_of_color
from wargame.rules.armies.creatures import Creature, allows_colors
from wargame.rules.armies.muster import MOST_COLORS, Muster, MusterEntry
from wargame.rules.armies.recruiting import PHYREXIAN, Allowed, Barracks, Recruit, draw_legend, draw_troops
from wargame.rules.core.board import COLORS
from wargame.rules.core.dice import Dice
from wargame.rules.core.sides import Rank, Side

PHYREXIAN_COLORS = ("black", "red", "blue", "colorless")
"""2.2.1: the main colours of Phyrexia's armies; it has no factions."""

MULTICOLOR, COLORLESS = COLORS[-2:]


@dataclass(frozen=True, slots=True)
class ProxyWish:
    """2.5.2.2: the leaders' wishes for a proxy army; empty values are made up.

    `lot` names its draws: `number` is 1 at first and grows with each new draw.
    """

    lot: str
    rank: Rank
    name: str = ""
    colors: tuple[str, ...] = ()
    entries: tuple[MusterEntry, ...] = ()
    legend: Creature | None = None
    number: int = 1


def make_up(
    wish: ProxyWish,
    barracks: Barracks,
    dice: Dice,
    *,
    names: Iterable[str],
    serving: Iterable[str],
    mustered: Iterable[str],
) -> Muster:
    """2.5.2.2: the army with all gaps filled by draws. The wishes are kept unchanged, legal or not.

    `names` and `serving` are the names and legends of all other armies, `mustered` the colours of the side's armies,
    each once for every army that has it. An army whose troops were requested without a legend gets none.
    """
    colors = wish.colors or draw_colors(wish, mustered, dice)
    main = _main_color(wish, colors, dice)
    entries, legend = wish.entries, wish.legend
    if not entries:
        is_allowed = _allowed(wish.rank.side, colors)
        entries = draw_troops(barracks, wish.rank.tier, is_allowed, main, dice, wish.lot, wish.number)
        legend = legend or draw_legend(barracks, is_allowed, serving, dice, wish.lot, wish.number)
    name = wish.name or draw_name(wish, main, names, dice)
    return Muster(wish.rank, colors, entries, legend, name)


def draw_colors(wish: ProxyWish, mustered: Iterable[str], dice: Dice) -> tuple[str, ...]:
    """2.2.1.1: any 3 colours for a Coalition proxy: those that the requested troops need (2.2.1), then those of
    which the side has the fewest armies, so that each base has its defenders (2.5.2.3); ties are drawn. Phyrexia's
    armies have none."""
    if wish.rank.side is not Side.COALITION:
        return ()
    counts = Counter(mustered)
    colors = _needed_colors(wish)[:MOST_COLORS]
    for place in range(len(colors), MOST_COLORS):
        rest = [color for color in COLORS if color not in colors]
        fewest = min(counts[color] for color in rest)
        scarce = [color for color in rest if counts[color] == fewest]
        colors.append(dice.choose(f"{wish.lot}: colour {place + 1}", scarce, wish.number))
    return tuple(color for color in COLORS if color in colors)


def _needed_colors(wish: ProxyWish) -> list[str]:
    """2.2.1: the factions of the requested creatures; multicoloured creatures belong to the 5-colour faction."""
    color_sets = [entry.creature.colors for entry in wish.entries]
    factions = {MULTICOLOR if len(colors) > 1 else colors[0] if colors else COLORLESS for colors in color_sets}
    return [color for color in COLORS if color in factions]


def draw_name(wish: ProxyWish, main_color: str, names: Iterable[str], dice: Dice) -> str:
    """3.2.2.5, R10: a name that no other army has and every order can name: the drawn one, or the next free one."""
    pool = PHYREXIAN_NAMES if wish.rank.side is Side.PHYREXIA else names_of_color(main_color)
    return free_name(pool, names, dice, wish.lot, wish.number)


def _main_color(wish: ProxyWish, colors: tuple[str, ...], dice: Dice) -> str:
    """The colour of the army's name and of most of its creatures."""
    options = colors if wish.rank.side is Side.COALITION else PHYREXIAN_COLORS
    return dice.choose(f"{wish.lot}: main colour", options, wish.number)


def _allowed(side: Side, colors: tuple[str, ...]) -> Allowed:
    """2.2.1: whether the army may have a creature without asking a judge; the Coalition drafts no Phyrexians."""

    def may_have(recruit: Recruit) -> bool:
        creature = recruit.creature
        if side is Side.PHYREXIA:
            return allows_colors(side, colors, creature.colors) and bool(creature.colors or creature.is_artifact)
        return PHYREXIAN not in recruit.kinds and allows_colors(side, colors, creature.colors)

    return may_have
