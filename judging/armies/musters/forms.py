"""2.1, 2.5.2.2: Input of the forms of chapter 2, stored verbatim even if it is wrong."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext

from judging.armies.creatures.services import LONGEST_SEARCH, CreatureQuery, found_creatures, known_creatures
from judging.armies.models import Muster
from judging.armies.musters.services import begin_muster, drop_muster, save_muster, send_muster
from judging.armies.musters.validation import MusterText, judged
from judging.common.form_views import Success
from judging.common.viewer import Viewer
from wargame.models import Creature
from wargame.rules.armies.muster_list import Pasted, distribute, names_in, read_slot, split_list
from wargame.rules.armies.sizes import square_size
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOTS, slot_size

LEGEND = "legend"
MOST_PICKS = 24
EDITS = ("add:", "fix:", "legend:", "paste")
"""The buttons that change the typed text, and save nothing."""


@dataclass(frozen=True)
class CreaturePick:
    """A creature in the picker: at each of `sizes` (empty: as printed, or the slot's)."""

    creature: Creature
    sizes: tuple[str, ...]


@dataclass(frozen=True)
class Picker:
    """2.1, 2.2.1: The search beside a muster, for one slot. `slot` is its number or `legend`."""

    slot: str
    words: str
    color: str
    kind: str
    picks: tuple[CreaturePick, ...]
    total: int

    @property
    def is_for_legend(self) -> bool:
        return self.slot == LEGEND


def text_from(post: QueryDict, before: MusterText, *, is_proxy: bool) -> MusterText:
    """A form as it was sent. The rank is chosen for proxies alone; `before` has what the form does not ask for."""
    return text_from_values(post, post.getlist("colors"), before, is_proxy=is_proxy)


def text_from_values(
    values: Mapping[str, str], colors: Collection[str], before: MusterText, *, is_proxy: bool
) -> MusterText:
    """A form by the values of its fields: `slot1` to `slot4` have the lists."""
    rank = next((r for r in Rank if is_proxy and r.value == values.get("rank")), before.rank)
    one, two, three, last = (lines_of(values.get(f"slot{slot}", "")) for slot in SLOTS)
    return replace(
        before,
        rank=rank,
        lists=(one, two, three, last),
        name=values.get("name", before.name).strip(),
        colors=tuple(color for color in COLORS if color in colors),
        legend=" ".join(values.get("legend", "").split()),
        remark=lines_of(values.get("remark", "")),
        base=values.get("base", ""),
    )


def begin(viewer: Viewer, rank: str, token: str, now: datetime) -> Success:
    """2.5.2.2: Begin the viewer's own muster, or a proxy's, with the rank of that code."""
    choice = next((each for each in Rank if each.value == rank), None)
    muster = begin_muster(round=viewer.round, player=viewer.player, rank=choice, token=token, now=now)
    return Success(to=reverse("muster", args=[viewer.round.slug, muster.pk]))


def write(viewer: Viewer, muster: Muster, typed: MusterText, act: str, version: int, now: datetime) -> Success | str:
    """2.5.2.2: Save (`save`), submit (`send`) or delete (`drop`) a muster that the viewer can see."""
    if act == "drop":
        drop_muster(muster=muster, player=viewer.player, now=now)
        return Success(gettext("You deleted the muster."), reverse("musters", args=[viewer.round.slug]))
    saved = save_muster(muster=muster, player=viewer.player, typed=typed, base_version=version, now=now)
    if act == "save":
        return gettext("The draft is saved. Only you and your leaders can see it.")
    send_muster(muster=saved, player=viewer.player, now=now)
    return gettext("Sent to the judge.")


def version_of(text: str) -> int:
    """The version that a form is based on; 0 for a damaged form."""
    return int(text) if text.isdecimal() and len(text) < 9 else 0


def edited(typed: MusterText, act: str, post: QueryDict) -> MusterText:
    """The form after one of its buttons: `add:SLOT:SIZE:NAME`, `fix:SLOT:LINE:NAME`, `legend:NAME`, or `paste`."""
    if act == "paste":
        return pasted(typed, split_list(lines_of(post.get("paste", ""))))
    if act.startswith("legend:"):
        return replace(typed, legend=act.partition(":")[2])
    verb, slot, detail, name = [*act.split(":", 3), "", "", ""][:4]
    if slot not in map(str, SLOTS) or not name:
        return typed
    return added(typed, int(slot), detail, name) if verb == "add" else renamed(typed, int(slot), detail, name)


def pasted(typed: MusterText, list_: Pasted) -> MusterText:
    """2.5.2.2: A pasted list replaces the typed one; if it names no army or legend, those stay."""
    names = names_in(["\n".join(lines) for lines in (*list_.slots, list_.loose)])
    lists = distribute(typed.rank, list_, known_creatures(names))
    return replace(typed, lists=lists, name=list_.name or typed.name, legend=list_.legend or typed.legend)


def added(typed: MusterText, slot: int, size: str, name: str) -> MusterText:
    """2.1: One more line in a slot, with as many creatures as still fit."""
    remaining = max(judged(typed).slots[slot - 1].left, 1)
    line = f"{remaining} {name}" + (f" as {size}" if size else "")
    return _with_list(typed, slot, f"{typed.lists[slot - 1].rstrip()}\n{line}".lstrip("\n"))


def renamed(typed: MusterText, slot: int, line: str, name: str) -> MusterText:
    """A line with an unknown name, corrected to the intended one."""
    bad = next((b for b in read_slot(slot, typed.lists[slot - 1], {}).bad if str(b.line) == line and b.name), None)
    if bad is None:
        return typed
    texts = typed.lists[slot - 1].splitlines()
    texts[bad.line - 1] = bad.text.replace(bad.name, name)
    return _with_list(typed, slot, "\n".join(texts))


def picker_of(post: QueryDict, typed: MusterText) -> Picker:
    """2.2.1: The picker's results for the chosen slot: creatures that fit it and the army's colours."""
    slot = post.get("for_slot", "1")
    slot = slot if slot in (LEGEND, *map(str, SLOTS)) else "1"
    words, kind = post.get("find", "").strip()[:LONGEST_SEARCH], post.get("kind", "").strip()[:LONGEST_SEARCH]
    color = post.get("color", "")
    query = CreatureQuery.of({"q": words, "color": color, "kind": LEGEND if slot == LEGEND else kind or "troops"})
    if slot != LEGEND:
        needs = slot_size(typed.rank.tier, int(slot))
        query = replace(query, fits=needs, side=typed.rank.side, own=typed.colors)
    creatures = found_creatures(query)
    picks = tuple(CreaturePick(row, tuple(_sizes(row, slot, typed.rank))) for row in creatures[:MOST_PICKS])
    return Picker(slot, words, query.color, kind, picks, creatures.count())


def ranks_of(side: Side) -> list[Rank]:
    """1.1: a side's ranks, highest first."""
    return [rank for rank in Rank if rank.side is side]


def _sizes(row: Creature, slot: str, rank: Rank) -> Iterator[str]:
    """2.2.2 to 2.2.6: The sizes of a creature that the slot has room for; empty: no need to choose one."""
    creature = row.as_rules()
    needs = slot_size(rank.tier, int(slot)) if slot != LEGEND else 0
    if slot == LEGEND or not creature.uses or creature.varies:
        yield ""
        return
    for size in creature.sizes:
        text = size.text.removesuffix("+")
        if size.least <= needs:
            yield text
        if size.grows and needs > size.least and size.power == size.toughness:
            yield square_size(needs)


def _with_list(typed: MusterText, slot: int, text: str) -> MusterText:
    one, two, three, last = (text if number == slot else old for number, old in zip(SLOTS, typed.lists, strict=True))
    return replace(typed, lists=(one, two, three, last))


def lines_of(text: str) -> str:
    """A text of several lines as it is stored, with normalized line endings."""
    return text.replace("\r\n", "\n").replace("\r", "\n")
