"""2.1, 2.2: is this army legal?"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from wargame.rules.armies.army_names import name_faults
from wargame.rules.armies.creatures import Creature, allows_colors, name_key, with_ruling
from wargame.rules.armies.findings import MusterFault, MusterFinding, MusterWords, colors_in_words
from wargame.rules.armies.sizes import Size, read_size, square_size
from wargame.rules.core.names import key
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, SLOTS, Troop, slot_size

MOST_COLORS = 3
"""1.1.2, 2.2.1.1: the factions that a player, and so an army, may be a member of."""


@dataclass(frozen=True, slots=True)
class MusterEntry:
    """2.1: a number of one creature in one slot. `size`: the size that it is used at (2.2.2 to 2.2.6), empty: as
    printed, or the slot's for one that varies."""

    slot: int
    creature: Creature
    number: int
    size: str = ""


@dataclass(frozen=True, slots=True)
class Muster:
    """2.5.2.2: an army to be raised. `colors` are for a Coalition army (1.1.2); Phyrexia's have none."""

    rank: Rank
    colors: tuple[str, ...] = ()
    entries: tuple[MusterEntry, ...] = ()
    legend: Creature | None = None
    name: str = ""

    @property
    def side(self) -> Side:
        """1.1: The team of its rank."""
        return self.rank.side


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The context in which a muster is judged.

    `names`: of all other armies, None: names are not judged; `players`: all except the one whose army it is. `serving`:
    legends of other armies, with the armies' names (empty: secret). `creator`: the factions of the player whom it
    represents, None: a proxy (2.2.1.1). `lost`: colours of destroyed bases; `had`: the army's current creatures, when
    it changes troops (2.3.2).
    """

    names: tuple[str, ...] | None = None
    players: tuple[str, ...] = ()
    serving: Mapping[str, str] = field(default_factory=dict)
    creator: tuple[str, ...] | None = None
    lost: tuple[str, ...] = ()
    had: tuple[str, ...] = ()


ALONE = Surroundings()


def judge_muster(muster: Muster, given: Surroundings = ALONE) -> tuple[MusterFinding, ...]:
    """2.1, 2.2, 2.3.2: all faults of an army, and questions for a judge, in the checks' order.

    The army is legal when none of the findings `is_breach`.
    """
    return tuple(finding for check in CHECKS for finding in check(muster, given))


def troops_of(muster: Muster) -> tuple[Troop, ...]:
    """2.1: the army's troops, all alive, slot by slot in the order of the list."""
    ordered = sorted(muster.entries, key=lambda entry: entry.slot)
    return tuple(
        Troop(e.slot, e.creature.name, e.number, e.number, e.creature.colors, used_size(e), e.creature.types)
        for e in ordered
    )


def used_size(entry: MusterEntry) -> str:
    """2.1, 2.2.2: the size at which an entry's creature is used: `4/4`, or `*/*` for the slot's size."""
    creature = with_ruling(entry.creature)
    if entry.size or not creature.uses:
        return entry.size or creature.size
    varying = next((size.text for size in creature.sizes if size.varies), "")
    printed = read_size(creature.size)
    if not varying and printed and any(size.covers(printed) for size in creature.sizes):
        return creature.size
    return varying or creature.uses[0].removesuffix("+")


def room_left(muster: Muster) -> tuple[int, int, int, int]:
    """2.1: the remaining room of the slots 1 to 4; negative where there are too many."""
    room = list(SLOT_MAXIMUM)
    for entry in muster.entries:
        room[entry.slot - 1] -= entry.number
    return room[0], room[1], room[2], room[3]


def _names(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """3.2.2.5, R10, 5.3.2: the name can be given in orders and is no other army's, and no other player's: that
    player would control an army of their name, and could leave its name off in their orders."""
    if context.names is None:
        return
    faults = name_faults(muster.name, context.names)
    yield from faults
    other = next((player for player in context.players if key(player) == key(muster.name)), "")
    if other and not any(finding.fault is MusterFault.NAME_TAKEN for finding in faults):
        yield MusterFinding(MusterFault.NAME_OF_PLAYER, {"other": other})


def _colors_of_army(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.2.1.1, 1.1.2: up to three, and a player's army has its creator's."""
    if muster.side is not Side.COALITION:
        return
    if not muster.colors and context.names is not None:
        yield MusterFinding(MusterFault.NO_COLORS)
    if len(muster.colors) > MOST_COLORS:
        yield MusterFinding(MusterFault.TOO_MANY_COLORS, {"count": len(muster.colors), "most": MOST_COLORS})
    for color in muster.colors if context.creator is not None else ():
        if color not in (context.creator or ()):
            facts = {
                "color": colors_in_words((color,)),
                "own": colors_in_words(context.creator or (), MusterWords.NO_COLORS),
            }
            yield MusterFinding(MusterFault.FOREIGN_FACTION, facts)


def _numbers(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.1.1 to 2.1.6: each slot holds its exact number."""
    for place, entry in enumerate(muster.entries):
        if entry.number < 1:
            yield MusterFinding(MusterFault.NO_NUMBER, {"creature": entry.creature.name, "slot": entry.slot}, place)
    for slot, room in zip(SLOTS, room_left(muster), strict=True):
        if room < 0:
            most = SLOT_MAXIMUM[slot - 1]
            facts = {"tier": muster.rank.tier, "slot": slot, "most": most, "number": most - room, "over": -room}
            yield MusterFinding(MusterFault.TOO_MANY, facts)


def _sizes(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.1.1 to 2.1.6, 2.2.2 to 2.2.6: each creature has a size that is possible for it, in a slot that is large
    enough."""
    for place, entry in enumerate(muster.entries):
        creature, size_text = with_ruling(entry.creature), used_size(entry)
        facts = {"creature": creature.name, "slot": entry.slot, "size": size_text}
        used = read_size(size_text)
        if used is not None:
            yield from _reachable(creature, used, facts, place)
            if used.least > slot_size(muster.rank.tier, entry.slot):
                yield _too_large(muster, entry.slot, used, facts, place)
        elif entry.size or not creature.is_listed:
            yield MusterFinding(MusterFault.NOT_A_SIZE, facts, place)
        else:
            yield MusterFinding(MusterFault.ASK_NO_SIZE, facts, place)


def _reachable(creature: Creature, used: Size, facts: dict[str, object], place: int) -> Iterator[MusterFinding]:
    """2.2.2 to 2.2.6: whether the creature can be of that size."""
    if not creature.sizes or any(size.covers(used) for size in creature.sizes):
        return
    facts = {**facts, "cites": creature.cites or "2.2.6"}
    if creature.uses:
        yield MusterFinding(MusterFault.NOT_ITS_SIZE, {**facts, "uses": _in_words(creature.sizes)}, place)
    else:
        yield MusterFinding(MusterFault.ASK_SIZE, {**facts, "printed": creature.size}, place)


def _too_large(muster: Muster, slot: int, used: Size, facts: dict[str, object], place: int) -> MusterFinding:
    tier = muster.rank.tier
    fits = next((larger for larger in SLOTS if used.least <= slot_size(tier, larger)), None)
    facts = {**facts, "tier": tier, "rank": _a_rank(muster.rank), "limit": square_size(slot_size(tier, slot))}
    if fits is None:
        return MusterFinding(MusterFault.TOO_LARGE, facts, place)
    return MusterFinding(MusterFault.TOO_LARGE_HERE, {**facts, "fits": fits}, place)


def _one_size(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.2.2, 2.2.4: a creature that can be of any size is of one size within an army."""
    used: dict[str, dict[str, int]] = {}
    for place, entry in enumerate(muster.entries):
        if with_ruling(entry.creature).varies:
            size = entry.size or square_size(slot_size(muster.rank.tier, entry.slot))
            used.setdefault(name_key(entry.creature.name), {}).setdefault(size, place)
    for sizes in used.values():
        if len(sizes) > 1:
            *_, place = sizes.values()
            entry = muster.entries[place]
            facts = {"creature": entry.creature.name, "slot": entry.slot, "sizes": tuple(sizes)}
            yield MusterFinding(MusterFault.TWO_SIZES, facts, place)


def _six_creatures(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.1, 2.3.3: six different creatures, including those with none alive."""
    different = {name_key(entry.creature.name) for entry in muster.entries}
    if len(different) > MOST_CREATURES:
        yield MusterFinding(MusterFault.SEVENTH, {"count": len(different), "most": MOST_CREATURES})


def _colors(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.2.1: creatures of the army's colours."""
    for place, entry in enumerate(muster.entries):
        creature = entry.creature
        facts = {"creature": creature.name, "slot": entry.slot, "colors": colors_in_words(creature.colors)}
        if allows_colors(muster.side, muster.colors, creature.colors):
            if muster.side is Side.PHYREXIA and not creature.colors and not creature.is_artifact:
                yield MusterFinding(MusterFault.ASK_COLORLESS, facts, place)
        elif muster.side is Side.PHYREXIA:
            yield MusterFinding(MusterFault.NOT_PHYREXIAN, facts, place)
        elif len(creature.colors) > 1:
            yield MusterFinding(MusterFault.NOT_FIVE_COLOR, facts, place)
        else:
            army_colors = colors_in_words(muster.colors, MusterWords.NO_COLOR)
            yield MusterFinding(MusterFault.FOREIGN_COLOR, {**facts, "own": army_colors}, place)


def _allowed(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.2.1, 2.2.3.1.4: no legends and nothing banned among the troops; unknown creatures are a question."""
    for place, entry in enumerate(muster.entries):
        creature = with_ruling(entry.creature)
        facts = {"creature": creature.name, "slot": entry.slot, "cites": creature.banned or creature.cites}
        if creature.is_legend:
            yield MusterFinding(MusterFault.LEGEND_AS_TROOPS, facts, place)
        if creature.banned:
            yield MusterFinding(MusterFault.BANNED, facts, place)
        if creature.asks:
            yield MusterFinding(
                MusterFault.ASK_RULED, {**facts, "question": MusterWords.AS_ASKED(text=creature.asks)}, place
            )
        if not creature.is_listed:
            yield MusterFinding(MusterFault.ASK_UNLISTED, facts, place)


def _legend(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.1: one legend of any size and colour, which serves no other army."""
    legend = muster.legend
    if legend is None:
        return
    other = {name_key(name): army for name, army in context.serving.items()}.get(name_key(legend.name))
    if other is not None:
        facts = {"creature": legend.name, "other": other or MusterWords.ANOTHER_ARMY()}
        yield MusterFinding(MusterFault.LEGEND_SERVES, facts)
    if not legend.is_listed:
        yield MusterFinding(MusterFault.ASK_LEGEND, {"creature": legend.name})
    elif not legend.is_legend:
        yield MusterFinding(MusterFault.LEGEND_NOT, {"creature": legend.name})


def _lost_colors(muster: Muster, context: Surroundings) -> Iterator[MusterFinding]:
    """2.3.2, R32: creatures of a destroyed base's colour may stay, and none may come."""
    old_keys = {name_key(name) for name in context.had}
    if muster.side is not Side.COALITION:
        return
    for place, entry in enumerate(muster.entries):
        color = next((color for color in context.lost if color in healing_colors(entry.creature)), None)
        if color and name_key(entry.creature.name) not in old_keys:
            facts = {"creature": entry.creature.name, "slot": entry.slot, "color": colors_in_words((color,))}
            yield MusterFinding(MusterFault.COLOR_LOST, facts, place)


def healing_colors(creature: Creature) -> tuple[str, ...]:
    """R32: the colours of bases that count as a creature's own: each of its colours and `multicolor` for several,
    `colorless` for artifacts and colourless creatures."""
    several = ("multicolor",) if len(creature.colors) > 1 else ()
    none = ("colorless",) if creature.is_artifact or not creature.colors else ()
    return (*creature.colors, *several, *none)


def _a_rank(rank: Rank) -> Phrase:
    return (MusterWords.AN_RANK if rank.title[0] in "AE" else MusterWords.A_RANK)(rank=rank.title)


def _in_words(sizes: Sequence[Size]) -> Phrase:
    """“4/4”, “4/4 or any size”, “2/2, 4/4 or any size”."""
    *phrases, last = (_size_in_words(size) for size in sizes)
    text: Phrase = last
    for number, other in enumerate(reversed(phrases)):
        text = MusterWords.EACH(first=other, others=text) if number else MusterWords.EITHER(first=other, other=text)
    return text


def _size_in_words(size: Size) -> Phrase:
    if size.varies:
        return MusterWords.ANY_SIZE()
    if size.grows:
        return MusterWords.ANY_COUNTERS(size=size.text.removesuffix("+"))
    return MusterWords.SIZE(size=size.text)


Check = Callable[[Muster, Surroundings], Iterable[MusterFinding]]
CHECKS: tuple[Check, ...] = (
    _names,
    _colors_of_army,
    _numbers,
    _sizes,
    _six_creatures,
    _legend,
    _colors,
    _allowed,
    _one_size,
    _lost_colors,
)
"""2.1, 2.2, 2.3.2: one check a paragraph, in the rulebook's order."""
