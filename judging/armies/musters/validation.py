"""2.1, 2.2: The typed text of a muster or a change of troops, and the rules' findings line by line."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from judging.armies.creatures.services import known_creatures, names_near
from judging.common.confusable_names import look_alike
from wargame.rules.armies.creatures import Creature, name_key
from wargame.rules.armies.findings import MusterFault, MusterFinding
from wargame.rules.armies.muster import ALONE, Muster, Surroundings, judge_muster, room_left, troops_of, used_size
from wargame.rules.armies.muster_list import BadLine, ListLine, ReadSlot, names_in, read_slot
from wargame.rules.armies.sizes import square_size
from wargame.rules.core.codec import Json
from wargame.rules.core.sides import Rank
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, SLOTS, slot_size

SAME_NAME = (MusterFault.NAME_TAKEN, MusterFault.NAME_OF_PLAYER)

MOST_GUESSED = 5
"""How many unreadable lines get suggestions of similar names."""

NO_LISTS = ("", "", "", "")

Judge = Callable[[Muster, Surroundings], tuple[MusterFinding, ...]]


@dataclass(frozen=True)
class MusterText:
    """What stands in the form of a muster or of a change: `lists` are those of the slots 1 to 4."""

    rank: Rank
    lists: tuple[str, str, str, str] = NO_LISTS
    name: str = ""
    colors: tuple[str, ...] = ()
    legend: str = ""
    remark: str = ""
    base: str = ""


@dataclass(frozen=True)
class SaidLine:
    """A line of a list and its findings. `creature` is None for an unreadable line; `size` is the one at which it is
    used."""

    line: ListLine | BadLine
    creature: Creature | None
    findings: tuple[MusterFinding, ...] = ()
    near: tuple[str, ...] = ()
    size: str = ""

    @property
    def is_good(self) -> bool:
        return self.creature is not None and not any(finding.is_breach for finding in self.findings)


@dataclass(frozen=True)
class SlotForm:
    """2.1: A slot as the form shows it. `left` is negative if there are too many."""

    number: int
    size: str
    needs: int
    most: int
    left: int
    text: str
    lines: tuple[SaidLine, ...]
    findings: tuple[MusterFinding, ...]

    @property
    def over(self) -> int:
        return max(-self.left, 0)


@dataclass(frozen=True)
class Judged:
    """A muster with the rules' findings. `army` are the findings that are about no slot."""

    typed: MusterText
    muster: Muster
    slots: tuple[SlotForm, ...]
    findings: tuple[MusterFinding, ...]
    army: tuple[MusterFinding, ...]
    near_legend: tuple[str, ...] = ()

    @property
    def breaches(self) -> tuple[MusterFinding, ...]:
        return tuple(finding for finding in self.findings if finding.is_breach)

    @property
    def questions(self) -> tuple[MusterFinding, ...]:
        """Questions for the judge."""
        return tuple(finding for finding in self.findings if not finding.is_breach)

    @property
    def unreadable(self) -> int:
        """The number of unreadable lines."""
        return sum(line.creature is None for slot in self.slots for line in slot.lines)

    @property
    def is_legal(self) -> bool:
        """Whether it can be submitted."""
        return not self.breaches and not self.unreadable and bool(self.muster.entries)

    @property
    def faults(self) -> int:
        return len(self.breaches) + self.unreadable

    @property
    def different(self) -> int:
        """2.1: The number of different creatures."""
        return len({name_key(entry.creature.name) for entry in self.muster.entries})

    @property
    def most_different(self) -> int:
        return MOST_CREATURES


def judged(
    typed: MusterText,
    given: Surroundings = ALONE,
    judge: Judge = judge_muster,
    known: Mapping[str, Creature] | None = None,
) -> Judged:
    """2.1, 2.2: The rules' findings on the typed muster, from `judge`. Two or three queries in any case.

    To check many, look their creatures up once: `known`, from `known_to`.
    """
    legend = " ".join(typed.legend.split())
    known = known_to([typed]) if known is None else known
    slots = [read_slot(slot, text, known) for slot, text in zip(SLOTS, typed.lists, strict=True)]
    muster = Muster(
        rank=typed.rank,
        colors=typed.colors,
        entries=tuple(entry for slot in slots for _, entry in slot.entries),
        legend=known.get(name_key(legend), Creature(legend, is_listed=False)) if legend else None,
        name=typed.name,
    )
    findings = judge(muster, given)
    findings += _looks_like_another(muster, given, findings)
    is_unknown = muster.legend is not None and not muster.legend.is_listed
    return Judged(
        typed=typed,
        muster=muster,
        slots=_slot_forms(muster, slots, typed, findings),
        findings=findings,
        army=tuple(finding for finding in findings if finding.slot is None),
        near_legend=tuple(names_near(legend)) if is_unknown else (),
    )


def _looks_like_another(
    muster: Muster, surroundings: Surroundings, findings: Iterable[MusterFinding]
) -> tuple[MusterFinding, ...]:
    """1.6: The name of another army or player that looks like this one's. The rules don't have the table of
    characters that look alike."""
    if not muster.name or any(finding.fault in SAME_NAME for finding in findings):
        return ()
    names = (*(surroundings.names or ()), *surroundings.players)
    other = next((other for other in names if look_alike(other, muster.name)), "")
    return (MusterFinding(MusterFault.NAME_LIKE, {"name": muster.name, "other": other}),) if other else ()


def known_to(many: Iterable[MusterText]) -> dict[str, Creature]:
    """2.2.1: The creatures of several musters that the catalogue knows, by `name_key`. One query."""
    return known_creatures(
        name for draft in many for name in (*names_in(draft.lists), " ".join(draft.legend.split())) if name
    )


def four(lists: Sequence[str]) -> tuple[str, str, str, str]:
    """The lists of the slots 1 to 4; missing ones are empty."""
    one, two, three, last, *_ = [*map(str, lists), *NO_LISTS]
    return one, two, three, last


def snapshot(muster: Muster) -> list[Json]:
    """2.5.2.2: A muster's troops as JSON, as they were when it was submitted."""
    return [
        {
            "slot": t.slot,
            "creature": t.creature,
            "number": t.of,
            "size": t.size,
            "colors": [*t.colors],
            "types": [*t.types],
        }
        for t in troops_of(muster)
    ]


def _slot_forms(
    muster: Muster, slots: Sequence[ReadSlot], typed: MusterText, findings: Sequence[MusterFinding]
) -> tuple[SlotForm, ...]:
    by_place: dict[int, list[MusterFinding]] = {}
    for finding in findings:
        if finding.place is not None:
            by_place.setdefault(finding.place, []).append(finding)
    guesses = _near(bad for slot in slots for bad in slot.bad)
    forms, place = [], 0
    for slot, room in zip(slots, room_left(muster), strict=True):
        needs = slot_size(muster.rank.tier, slot.slot)
        forms.append(
            SlotForm(
                number=slot.slot,
                size=square_size(needs),
                needs=needs,
                most=SLOT_MAXIMUM[slot.slot - 1],
                left=room,
                text=typed.lists[slot.slot - 1],
                lines=_said_lines(slot, by_place, place, guesses),
                findings=tuple(f for f in findings if f.place is None and f.slot == slot.slot),
            )
        )
        place += len(slot.entries)
    return tuple(forms)


def _said_lines(
    slot: ReadSlot, by_place: Mapping[int, list[MusterFinding]], first: int, near: Mapping[BadLine, tuple[str, ...]]
) -> tuple[SaidLine, ...]:
    lines = [
        SaidLine(line, entry.creature, tuple(by_place.get(first + index, ())), size=used_size(entry))
        for index, (line, entry) in enumerate(slot.entries)
    ]
    lines += [SaidLine(bad, None, near=near.get(bad, ())) for bad in slot.bad]
    return tuple(sorted(lines, key=lambda each: each.line.line))


def _near(bad: Iterable[BadLine]) -> dict[BadLine, tuple[str, ...]]:
    """Similar names for the first few unreadable lines."""
    return {line: tuple(names_near(line.name)) for line in islice((line for line in bad if line.name), MOST_GUESSED)}
