"""2.5.2.2: a muster as a list of lines: reading, writing, and importing pasted text."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from wargame.rules.armies.creatures import CREATURE_COLORS, LEGEND, Creature, name_key
from wargame.rules.armies.muster import MusterEntry, used_size
from wargame.rules.armies.sizes import read_size, square_size
from wargame.rules.core.saying import said
from wargame.rules.core.sides import Rank
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, slot_size
from wargame.rules.core.typography import plain, whole_number

LONGEST_LINE = 200
MOST_LINES = 60
"""The maximum number of lines of one list, so that no list takes long to read."""

MOST_TROOPS = 999_999
"""A larger number of troops is a typing error."""

_LINE = re.compile(r"([0-9][0-9., ]*?)\s*(?:[x×]\s+|\s+)([^0-9].*)", re.IGNORECASE)
_NAME_FIRST = re.compile(r"([^0-9].*?)\s*[:x×]?\s+([0-9][0-9.,]*)", re.IGNORECASE)
_AS = re.compile(r"(.+?)\s+as\s+(\S+/\S+)", re.IGNORECASE)
_DESCRIBED = re.compile(r"(.+?)\s*[(\[]([^()\[\]]*)[)\]]")
_TYPES = ("Artifact", LEGEND)


@dataclass(frozen=True, slots=True)
class ListLine:
    """A readable line: a number of a creature, the size that it is used at, and the author's description (2.2.1) of
    a creature that no catalogue has."""

    line: int
    text: str
    number: int
    name: str
    size: str = ""
    described: Creature | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """An unreadable line, its fault, and the unknown name, if that is the fault."""

    line: int
    text: str
    wrong: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class ReadSlot:
    """2.1: one slot's list as read: its entries with the lines that they come from, and the wrong lines."""

    slot: int
    entries: tuple[tuple[ListLine, MusterEntry], ...] = ()
    bad: tuple[BadLine, ...] = field(default=())


def read_lines(text: str) -> list[ListLine | BadLine]:
    """2.5.2.2: the lines of a list. Empty ones, and those that begin with #, are ignored.

    `5,000 Kris Mage`, `5000x Kris Mage` and `Kris Mage 5000` are the same; `as 4/4` is the size that it is used at;
    `(red 1/1)` describes one that no catalogue has.
    """
    lines: list[ListLine | BadLine] = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(plain(raw).split())
        if line and not line.startswith("#"):
            lines.append(_too_many(number, raw) if len(lines) >= MOST_LINES else _read(number, line))
            if len(lines) > MOST_LINES:
                break
    return lines


def read_slot(slot: int, text: str, known: Mapping[str, Creature]) -> ReadSlot:
    """2.1: one slot's list. `known` are creatures by `name_key`."""
    entries, bad = [], []
    for line in read_lines(text):
        entry = _entry(slot, line, known) if isinstance(line, ListLine) else None
        if isinstance(line, ListLine) and entry is not None:
            entries.append((line, entry))
        else:
            bad.append(line if isinstance(line, BadLine) else _unknown(line))
    return ReadSlot(slot, tuple(entries), tuple(bad))


def names_in(texts: Iterable[str]) -> tuple[str, ...]:
    """The names of all creatures in some lines, each once, for a lookup."""
    lines = (line for text in texts for line in read_lines(text))
    return tuple(dict.fromkeys(line.name for line in lines if isinstance(line, ListLine)))


def write_line(number: int, line: ListLine) -> str:
    """A line in the form that is read."""
    parts = [str(number), line.name, *(["as", line.size] if line.size else [])]
    if line.described is not None:
        parts.append(f"({described(line.described)})")
    return " ".join(parts)


def write_entry(entry: MusterEntry) -> str:
    """An entry as a line that reads back to it."""
    creature = entry.creature
    size = used_size(entry)
    line = ListLine(0, "", entry.number, creature.name, entry.size if size != creature.size else "")
    return write_line(entry.number, line if creature.is_listed else replace(line, size="", described=creature))


def described(creature: Creature) -> str:
    """2.2.1: a line's description of a creature that no catalogue has: `red green 2/2 artifact`."""
    return " ".join((*creature.colors, creature.size, *(t.lower() for t in _TYPES if t in creature.types)))


def _read(number: int, line: str) -> ListLine | BadLine:
    if len(line) > LONGEST_LINE:
        return BadLine(
            number, line[:LONGEST_LINE], said("The line has more than %(most)s characters.", most=LONGEST_LINE)
        )
    count, name = "", ""
    if line_match := _LINE.fullmatch(line):
        count, name = line_match.groups()
    elif line_match := _NAME_FIRST.fullmatch(line):
        name, count = line_match.groups()
    troops = whole_number(count.rstrip("., "))
    if not name or troops is None or troops > MOST_TROOPS:
        return BadLine(number, line, said("Write a number and a creature, like “5000 Kris Mage”."))
    described_as = _description(name)
    if described_as is not None:
        return ListLine(number, line, troops, described_as.name, "", described_as)
    if line_match := _AS.fullmatch(name):
        return ListLine(number, line, troops, line_match[1], line_match[2])
    return ListLine(number, line, troops, name)


def _description(name: str) -> Creature | None:
    """2.2.1: the creature that a line describes behind its name; None without a description."""
    name_match = _DESCRIBED.fullmatch(name)
    terms = name_match[2].casefold().replace(",", " ").split() if name_match else []
    colors = tuple(color for color in CREATURE_COLORS if color in terms)
    size = next((term for term in terms if read_size(term)), "")
    types = tuple(t for t in _TYPES if t.casefold() in terms)
    known_words = {*colors, size, *(t.casefold() for t in types), "colorless", "colourless", "creature"}
    if name_match is None or not size or any(term not in known_words for term in terms):
        return None
    return Creature(name_match[1], colors, size, tuple(sorted(("Creature", *types))), is_listed=False)


def _entry(slot: int, line: ListLine, by_key: Mapping[str, Creature]) -> MusterEntry | None:
    """The entry of a line; the catalogue's description of its creature overrides the line's."""
    creature = by_key.get(name_key(line.name)) or line.described
    return None if creature is None else MusterEntry(slot, creature, line.number, line.size)


def _unknown(line: ListLine) -> BadLine:
    return BadLine(
        line.line,
        line.text,
        said(
            "The catalogue has no creature “%(name)s”. If such a card was printed, describe it like “%(number)s "
            "%(name)s (red 1/1)”. The judge will look it up.",
            name=line.name,
            number=line.number,
        ),
        line.name,
    )


def _too_many(number: int, raw: str) -> BadLine:
    return BadLine(
        number,
        raw[:LONGEST_LINE],
        said("A list can have at most %(most)s lines; we didn't read the rest.", most=MOST_LINES),
    )


_SLOT = re.compile(r"(?a:slot)\s*([1-4])\b.*", re.IGNORECASE)
_HEAD = re.compile(r"(name|legend)\s*:\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pasted:
    """A whole list: the lines under each slot's heading, the lines under none, and the properties of the army."""

    slots: tuple[tuple[str, ...], ...]
    loose: tuple[str, ...]
    name: str = ""
    legend: str = ""


def split_list(text: str) -> Pasted:
    """A pasted list: the creatures of a slot are under a heading like `Slot 2`; lines like `Name: …` and `Legend: …`
    give the army's name and its legend."""
    slots: list[list[str]] = [[] for _ in SLOTS]
    loose: list[str] = []
    heads, here = {"name": "", "legend": ""}, loose
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if line_match := _SLOT.fullmatch(line):
            here = slots[int(line_match[1]) - 1]
        elif line_match := _HEAD.fullmatch(line):
            heads[line_match[1].casefold()] = line_match[2]
        elif line and not line.startswith("#"):
            here.append(line)
    return Pasted(tuple(map(tuple, slots)), tuple(loose), **heads)


def distribute(rank: Rank, pasted: Pasted, known: Mapping[str, Creature]) -> tuple[str, str, str, str]:
    """2.1: a pasted list as the lists of the slots 1 to 4.

    Lines under no heading go to the lowest slots that they fit and that have room, the largest first; creatures of any
    size come last, to one slot (2.2.2). Lines that fit nowhere stay where they can be seen.
    """
    lists = [list(slot) for slot in pasted.slots]
    room = [most - _sum(slot) for most, slot in zip(SLOT_MAXIMUM, lists, strict=True)]
    lines = [line for line in read_lines("\n".join(pasted.loose)) if isinstance(line, ListLine)]
    lists[0] += [line.text for line in read_lines("\n".join(pasted.loose)) if isinstance(line, BadLine)]
    for line in sorted(lines, key=lambda line: -_needs(line, known)):
        for slot, number in _places(rank, line, known, room):
            lists[slot - 1].append(write_line(number, line))
            room[slot - 1] -= number
    one, two, three, four = ("\n".join(lines) for lines in lists)
    return one, two, three, four


def write_list(
    rank: Rank, entries: Sequence[MusterEntry], *, name: str = "", legend: str = "", colors: str = ""
) -> str:
    """2.5.2.2: an army as text that `split_list` reads back."""
    about = ", ".join(filter(None, (rank.title, colors)))
    lines = [f"# {about}", *([f"Name: {name}"] if name else []), *([f"Legend: {legend}"] if legend else [])]
    for slot in SLOTS:
        lines += ["", f"Slot {slot} (up to {SLOT_MAXIMUM[slot - 1]:,} of {square_size(slot_size(rank.tier, slot))})"]
        lines += [write_entry(entry) for entry in entries if entry.slot == slot]
    return "\n".join(lines) + "\n"


def _sum(lines: Sequence[str]) -> int:
    return sum(line.number for line in read_lines("\n".join(lines)) if isinstance(line, ListLine))


def _needs(line: ListLine, by_key: Mapping[str, Creature]) -> int:
    """The slot that a line's creature needs; -1 for one of any size or unknown, which comes last."""
    creature = by_key.get(name_key(line.name)) or line.described
    size = read_size(line.size)
    if size is not None:
        return size.least
    if creature is None or creature.varies or creature.least is None:
        return -1
    return creature.least


def _places(rank: Rank, line: ListLine, by_key: Mapping[str, Creature], room: Sequence[int]) -> list[tuple[int, int]]:
    needs, remaining = _needs(line, by_key), line.number
    fitting = [slot for slot in SLOTS if needs <= slot_size(rank.tier, slot)] or [SLOTS[-1]]
    if needs < 0:
        whole = next((slot for slot in fitting if room[slot - 1] >= remaining), None)
        return [(whole or max(fitting, key=lambda slot: room[slot - 1]), remaining)]
    placed: dict[int, int] = {}
    for slot in fitting:
        share = min(remaining, max(room[slot - 1], 0))
        remaining -= share
        if share:
            placed[slot] = share
    if remaining:
        placed[fitting[0]] = placed.get(fitting[0], 0) + remaining
    return list(placed.items())
