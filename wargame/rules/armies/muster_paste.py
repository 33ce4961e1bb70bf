"""2.5.2.2: whole armies as text: pasted, spread over the slots, and written to be pasted again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wargame.rules.armies.creatures import Creature, name_key
from wargame.rules.armies.muster import Entry
from wargame.rules.armies.muster_list import BadLine, ListLine, read_lines, write_entry, write_line
from wargame.rules.armies.sizes import read_size, square_size
from wargame.rules.core.sides import Rank
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, slot_size

_SLOT = re.compile(r"slot\s*([1-4])\b.*", re.IGNORECASE)
_HEAD = re.compile(r"(name|legend)\s*:\s*(.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pasted:
    """A whole list: what stands under a slot's heading, what stands under none, and what is said of the army."""

    slots: tuple[tuple[str, ...], ...]
    loose: tuple[str, ...]
    name: str = ""
    legend: str = ""


def split_list(text: str) -> Pasted:
    """A pasted list: under `Slot 2` stand its creatures; `Name: …` and `Legend: …` say what they say."""
    slots: list[list[str]] = [[] for _ in SLOTS]
    loose: list[str] = []
    heads, here = {"name": "", "legend": ""}, loose
    for raw in text.splitlines():
        line = " ".join(raw.split())
        if found := _SLOT.fullmatch(line):
            here = slots[int(found[1]) - 1]
        elif found := _HEAD.fullmatch(line):
            heads[found[1].casefold()] = found[2]
        elif line and not line.startswith("#"):
            here.append(line)
    return Pasted(tuple(map(tuple, slots)), tuple(loose), **heads)


def distribute(rank: Rank, pasted: Pasted, known: Mapping[str, Creature]) -> tuple[str, str, str, str]:
    """2.1: a pasted list as the lists of the slots 1 to 4.

    What stands under no heading goes to the lowest slots that it fits and that have room, the largest first; what is
    of any size comes last, to one slot (2.2.2). What fits nowhere stays where it would be seen.
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


def write_list(rank: Rank, entries: Sequence[Entry], *, name: str = "", legend: str = "", colors: str = "") -> str:
    """2.5.2.2: an army as text that `split_list` reads back."""
    about = ", ".join(filter(None, (rank.title, colors)))
    lines = [f"# {about}", *([f"Name: {name}"] if name else []), *([f"Legend: {legend}"] if legend else [])]
    for slot in SLOTS:
        lines += ["", f"Slot {slot} (up to {SLOT_MAXIMUM[slot - 1]:,} of {square_size(slot_size(rank.tier, slot))})"]
        lines += [write_entry(entry) for entry in entries if entry.slot == slot]
    return "\n".join(lines) + "\n"


def _sum(lines: Sequence[str]) -> int:
    return sum(line.number for line in read_lines("\n".join(lines)) if isinstance(line, ListLine))


def _needs(line: ListLine, known: Mapping[str, Creature]) -> int:
    """The slot that a line's creature needs; -1 for one of any size or not known, which comes last."""
    creature = known.get(name_key(line.name)) or line.described
    size = read_size(line.size)
    if size is not None:
        return size.least
    if creature is None or creature.varies or creature.least is None:
        return -1
    return creature.least


def _places(rank: Rank, line: ListLine, known: Mapping[str, Creature], room: Sequence[int]) -> list[tuple[int, int]]:
    """The slots and numbers into which a line goes."""
    needs, left = _needs(line, known), line.number
    fitting = [slot for slot in SLOTS if needs <= slot_size(rank.tier, slot)] or [SLOTS[-1]]
    if needs < 0:
        whole = next((slot for slot in fitting if room[slot - 1] >= left), None)
        return [(whole or max(fitting, key=lambda slot: room[slot - 1]), left)]
    placed: dict[int, int] = {}
    for slot in fitting:
        taken = min(left, max(room[slot - 1], 0))
        left -= taken
        if taken:
            placed[slot] = taken
    if left:
        placed[fitting[0]] = placed.get(fitting[0], 0) + left
    return list(placed.items())
