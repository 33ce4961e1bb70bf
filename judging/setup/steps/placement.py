"""2.5.2.3: the step of the placement: the starting squares of the accepted armies, in a list and on the map."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext, gettext_noop, ngettext

from judging.armies.models import MercenaryPlan, Muster
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.setup.draws import dice_of, held_draws
from judging.setup.models import ArmySetup, RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.sites import draw_land, draw_overlay, is_revealed
from judging.setup.step import Problem, StepForm, advice, missing, wrong
from judging.svg.crests import crest_of, short_side
from judging.svg.terrain import CELL
from wargame.rules.armies.placement import (
    NEARBY,
    PlacedArmy,
    PlaceFinding,
    StartingArmy,
    drop_armies,
    place_faults,
)
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.sides import TEAMS, Rank, Side
from wargame.rules.mercenaries.faults import Planned, standing_of
from wargame.rules.mercenaries.muster import POST_OF

LONGEST_SQUARE = 20
"""The number of characters of a typed square that an error shows."""

CREST = 32
ALONE, CROWDED = 0.75, 0.5
"""1.2: armies on one square are drawn at half size."""


@dataclass(frozen=True)
class Placed:
    """2.5.2.3: an army of the round's start with its square, and the findings on that."""

    muster: Muster
    rank: Rank
    at: Square | None
    faults: tuple[PlaceFinding, ...]


class Pin(NamedTuple):
    """An army on the map: `at` is None for one without a square, which is not drawn."""

    name: str
    at: Square | None
    side: Side
    tier: int
    title: str


def starter_of(muster: Muster) -> StartingArmy:
    """2.5.2.3: an accepted army in the form in which the rules place it."""
    return StartingArmy(muster.name, muster.side, Rank(muster.rank).tier, tuple(muster.colors), muster.base)


def square_of(text: str) -> Square | None:
    """R1: a square as it is stored; None for an empty text."""
    return read_square(text) if text else None


def planned(plans: list[MercenaryPlan]) -> list[Planned]:
    """2.5.3: planned mercenaries in the form in which the rules judge their squares."""
    return [Planned(POST_OF[plan.lot], plan.name, square_of(plan.at)) for plan in plans]


def placed_armies(prepared: Preparation, typed: Mapping[int, Square | None] | None = None) -> list[Placed]:
    """2.5.2.3: all accepted armies with the findings on their squares; `typed` are unsaved squares, by the musters'
    keys. Only for battle judges until the start."""
    armies, typed = prepared.accepted, typed or {}
    placements = [PlacedArmy(starter_of(muster), typed.get(muster.pk, square_of(muster.at))) for muster in armies]
    faults = place_faults(prepared.board, placements, [standing_of(plan) for plan in planned(prepared.mercenaries)])
    by_name: dict[str, list[PlaceFinding]] = {}
    for fault in faults:
        by_name.setdefault(fault.army, []).append(fault)
    return [
        Placed(muster, Rank(muster.rank), army.at, tuple(by_name.get(muster.name, ())))
        for muster, army in zip(armies, placements, strict=True)
    ]


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.2.3: requests come once the bases are public; then armies without a square, or with one that won't do."""
    if not is_revealed(prepared.setup):
        yield missing(gettext("You can place armies once the bases are public."), "2.5.2.3")
        return
    armies = placed_armies(prepared)
    if not armies:
        yield missing(gettext("No army is accepted yet."), "2.5.2.2")
        return
    unplaced = [army.muster.name for army in armies if army.at is None]
    if unplaced:
        yield missing(gettext("Without a square: %(unplaced)s."), "2.5.2.3", unplaced=_shortened(unplaced))
    for fault in (fault for army in armies if army.at is not None for fault in army.faults):
        yield (wrong if fault.is_breach else advice)(fault.sentence, fault.cites)
    if not unplaced and (prepared.draws is None or prepared.draws.placed_at is None):
        yield missing(gettext("The squares are only a proposal. Accept them."), "2.5.2.3")


def _shortened(names: list[str], most: int = 8) -> str:
    more = len(names) - most
    text = ", ".join(names[:most])
    return gettext("%(names)s and %(number)s more") % {"names": text, "number": more} if more > 0 else text


def pins_of(armies: Iterable[Placed], plans: Iterable[MercenaryPlan]) -> list[Pin]:
    """2.5.2.3, 2.5.3: the teams' armies and the mercenaries."""
    pins = [Pin(a.muster.name, a.at, a.rank.side, a.rank.tier, a.rank.title) for a in armies]
    for plan in plans:
        post = POST_OF[plan.lot]
        pins.append(Pin(str(plan), square_of(plan.at), Side.MERCENARY, post.tier, post.faction.title))
    return pins


def draw_armies(pins: Iterable[Pin]) -> list[dict[str, object]]:
    """The `armies` of a map's overlay, row by row, in reading order."""
    squares: dict[Square, list[Pin]] = {}
    for pin in pins:
        if pin.at is not None and pin.at.on_map:
            squares.setdefault(pin.at, []).append(pin)
    return [
        _drawn_pin(pin, place, len(there)) for _, there in sorted(squares.items()) for place, pin in enumerate(there)
    ]


def _drawn_pin(pin: Pin, place: int, crowd: int) -> dict[str, object]:
    assert pin.at is not None
    scale = ALONE if crowd == 1 else CROWDED
    gap = (CELL - CREST * scale) / 2 if crowd == 1 else 0
    across, down = (place % 2, place // 2 % 2) if crowd > 1 else (0, 0)
    x = (pin.at.column - 1) * CELL + gap + across * CELL / 2
    y = pin.at.row * CELL + gap + down * CELL / 2
    return {
        "name": pin.name,
        "at": str(pin.at),
        "what": f"{pin.title}, {short_side(pin.side)}",
        "crest": crest_of(pin.side, pin.tier),
        "transform": f"translate({x:g} {y:g})scale({scale:g})",
    }


def read_typed(name: str, text: str) -> Square | None:
    """R1, 1.2: a square as a judge typed it. Refused if it is not a square, or not on the map."""
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST_SQUARE:
        told = gettext("%(name)s: “%(text)s…” is not a square. Try one like 3D.")
        raise Refused(told % {"name": name, "text": text[:LONGEST_SQUARE]}, "1.2", name)
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{name}: {str(error).removesuffix(' (1.2)')}.", "1.2", name) from None
    if not square.on_map:
        told = gettext("%(name)s: %(square)s is not on the map (1A to 38N).")
        raise Refused(told % {"name": name, "square": square}, "1.2", name)
    return square


class ArmyMapForm(StepForm):
    """2.5.2.3, 2.5.3: a step in which armies are put on squares: what is drawn is a proposal until it is accepted."""

    rule: ClassVar[str]
    too_early: ClassVar[str]
    decided_at: ClassVar[str]
    """The field of `ArmySetup` that says when the proposal was accepted."""

    def held(self, *, checks_version: bool = True) -> RoundSetup:
        """Refused before the bases are public, too."""
        setup = super().held(checks_version=checks_version)
        if not is_revealed(setup):
            raise Refused(gettext(self.too_early), self.rule)
        return setup

    def store_draws(self, setup: RoundSetup, draws: ArmySetup, at: datetime | None = None, **data: object) -> None:
        """Stores a proposal, which was accepted `at` a time or not yet."""
        setattr(draws, self.decided_at, at)
        draws.save()
        self.store(setup, **data)

    def lock_draws(self) -> ArmySetup:
        return held_draws(self.round, self.desk.judge, self.now)

    def map_context(self, armies: Iterable[Placed], plans: Iterable[MercenaryPlan]) -> dict[str, object]:
        """The map with bases, towns and these armies, and the draws that placed them."""
        board = self.prepared.board
        return {
            "is_public": is_revealed(self.setup),
            "land": draw_land(board.terrain),
            "overlay": {**draw_overlay(board.bases, board.towns), "armies": draw_armies(pins_of(armies, plans))},
            "draws": self.prepared.draws,
        }


class PlacementForm(ArmyMapForm):
    """2.5.2.3, R1: the armies' squares, in the fields `at-12` by the musters' keys; empty: on none. Drops them, keeps
    what is typed, or accepts it."""

    rule, decided_at = "2.5.2.3", "placed_at"
    too_early = gettext_noop("You can place armies once the bases are public.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        texts = {number_of(name.removeprefix("at-")): text for name, text in self.values.items() if name[:3] == "at-"}
        self.squares = {number: str(text).strip() for number, text in texts.items() if number >= 0}

    def context(self) -> dict[str, object]:
        armies = placed_armies(self.prepared, {key: _readable(text) for key, text in self.squares.items()})
        return {
            **self.map_context(armies, self.prepared.mercenaries),
            "round": self.round,
            "groups": [(side, [self._row(army) for army in armies if army.muster.side is side]) for side in TEAMS],
            "count": len(armies),
            "unplaced": sum(army.at is None for army in armies),
            "faults": [fault for army in armies if army.at is not None for fault in army.faults],
            "nearby": NEARBY,
        }

    def _row(self, army: Placed) -> dict[str, object]:
        at = self.squares.get(army.muster.pk, _text(army.at))
        return {"army": army, "at": at, "is_wrong": any(fault.is_breach for fault in army.faults)}

    def save(self) -> str:
        act, _ = self.pressed("save")
        if act == "accept":
            return self.accept()
        if act in ("drop", "fill"):
            return self.drop(self.squares if act == "fill" else {})
        return self.place()

    @locking.writes
    def drop(self, keep: Mapping[int, str]) -> str:
        """2.5.2.3: a square for every accepted army; those that have one among the typed squares that are to `keep`
        stay there, and so do mercenaries."""
        setup = self.held()
        draws, prepared = self.lock_draws(), Preparation(setup)
        armies = prepared.accepted
        draws.placed += 1
        fixed = {army.name: at for army in armies if (at := read_typed(army.name, keep.get(army.pk, "")))}
        fixed |= {f"{plan.lot}\n": at for plan in prepared.mercenaries if (at := square_of(plan.at))}
        starters = [starter_of(army) for army in armies]
        dropped = drop_armies(prepared.board, starters, fixed, dice_of(draws), draws.placed)
        squares = {one.name: one.at for one in dropped}
        moved = _move(armies, {army.pk: squares.get(army.name) for army in armies})
        self.store_draws(setup, draws, dropped=moved, draw=draws.placed)
        told = ngettext(
            "One army moved. The squares are a proposal until you accept them.",
            "%(number)s armies moved. The squares are a proposal until you accept them.",
            moved,
        )
        return told % {"number": moved}

    @locking.writes
    def place(self) -> str:
        """Refused for what is no square of the map. What else is wrong with a square is listed, and kept all the
        same."""
        setup = self.held()
        moved = self.move_typed(setup)
        if moved:
            self.store_draws(setup, self.lock_draws(), moved=moved)
        return ngettext("Saved: one army moved.", "Saved: %(number)s armies moved.", moved) % {"number": moved}

    @locking.writes
    def accept(self) -> str:
        """2.5.2.3: the squares as they are typed are decided on, until one is changed. Refused while a rule speaks
        against one."""
        setup = self.held()
        self.move_typed(setup)
        armies = placed_armies(Preparation(setup))
        if not armies:
            raise Refused(gettext("No army is accepted yet."), "2.5.2.2")
        for fault in (fault for army in armies for fault in army.faults if fault.is_breach):
            raise Refused(fault.sentence, fault.cites)
        self.store_draws(setup, self.lock_draws(), self.now, accepted=len(armies))
        return gettext("The squares are accepted.")

    def move_typed(self, setup: RoundSetup) -> int:
        armies = [army for army in Preparation(setup).accepted if army.pk in self.squares]
        return _move(armies, {army.pk: read_typed(army.name, self.squares[army.pk]) for army in armies})


def _move(armies: Iterable[Muster], squares: Mapping[int, Square | None]) -> int:
    """Writes the squares that are not as before; how many there were."""
    changed = [army for army in armies if army.at != _text(squares[army.pk])]
    for army in changed:
        army.at = _text(squares[army.pk])
        army.save(update_fields=["at"])
    return len(changed)


def _text(square: Square | None) -> str:
    return str(square) if square else ""


def _readable(text: str) -> Square | None:
    """R1: the typed text as a square; None if it is not a square."""
    try:
        return read_square(text)
    except ValueError:
        return None
