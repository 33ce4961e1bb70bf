"""2.5.2.3: the step of the placement: where the accepted armies are to start, in a list and on the map."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.http import require_POST

from judging.armies.models import MercenaryPlan, Muster
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.setup.draws import dice_of, held_draws
from judging.setup.models import ArmySetup, RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step
from judging.setup.sites import draw_land, draw_overlay, is_revealed
from judging.setup.step import (
    Problem,
    SentForm,
    StepKind,
    StepPage,
    advice,
    desk_for,
    logged_in,
    missing,
    sent_form,
    wrong,
)
from judging.svg.crests import crest_of, short_side
from judging.svg.terrain import CELL
from wargame.models import Judge, Round
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
"""Signs of what is typed for a square, beyond which it is told by its beginning."""

CREST = 32
ALONE, CROWDED = 0.75, 0.5
"""1.2: armies on one square are drawn at half size."""


@dataclass(frozen=True)
class Placed:
    """2.5.2.3: an army of the round's start with its square, and what is said of that."""

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
    """2.5.2.3: an accepted army as the rules drop it."""
    return StartingArmy(muster.name, muster.side, Rank(muster.rank).tier, tuple(muster.colors), muster.base)


def square_of(text: str) -> Square | None:
    """R1: a square as it is stored; None for an empty text."""
    return read_square(text) if text else None


def planned(plans: list[MercenaryPlan]) -> list[Planned]:
    """2.5.3: planned mercenaries in the form in which the rules judge their squares."""
    return [Planned(POST_OF[plan.lot], plan.name, square_of(plan.at)) for plan in plans]


def placed_armies(prepared: Preparation, typed: Mapping[int, Square | None] | None = None) -> list[Placed]:
    """2.5.2.3: all accepted armies with what is said of their squares; `typed` are squares that are not saved yet, by
    the musters' keys. For the battle judges' eyes until the start."""
    armies, typed = prepared.accepted, typed or {}
    standing = [PlacedArmy(starter_of(muster), typed.get(muster.pk, square_of(muster.at))) for muster in armies]
    found = place_faults(prepared.board, standing, [standing_of(plan) for plan in planned(prepared.mercenaries)])
    by_name: dict[str, list[PlaceFinding]] = {}
    for fault in found:
        by_name.setdefault(fault.army, []).append(fault)
    return [
        Placed(muster, Rank(muster.rank), army.at, tuple(by_name.get(muster.name, ())))
        for muster, army in zip(armies, standing, strict=True)
    ]


def find(prepared: Preparation) -> Iterator[Problem]:
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
        yield missing(gettext("Without a square: %(unplaced)s.") % {"unplaced": _shortened(unplaced)}, "2.5.2.3")
    for fault in (fault for army in armies if army.at is not None for fault in army.faults):
        yield (wrong if fault.is_breach else advice)(fault.sentence, fault.cites)
    if not unplaced and (prepared.draws is None or prepared.draws.placed_at is None):
        yield missing(gettext("The squares are only a proposal. Accept them."), "2.5.2.3")


def _shortened(names: list[str], most: int = 8) -> str:
    more = len(names) - most
    shown = ", ".join(names[:most])
    return gettext("%(names)s and %(number)s more") % {"names": shown, "number": more} if more > 0 else shown


STEP = StepKind(
    "placement", gettext_noop("Placement"), "2.5.2.3", gettext_noop("The armies are placed near their bases."), find
)


def pins_of(armies: Iterable[Placed], plans: Iterable[MercenaryPlan]) -> list[Pin]:
    """2.5.2.3, 2.5.3: the teams' armies and the mercenaries."""
    pins = [Pin(a.muster.name, a.at, a.rank.side, a.rank.tier, a.rank.title) for a in armies]
    for plan in plans:
        post = POST_OF[plan.lot]
        pins.append(Pin(str(plan), square_of(plan.at), Side.MERCENARY, post.tier, post.faction.title))
    return pins


def draw_armies(pins: Iterable[Pin]) -> list[dict[str, object]]:
    """The `armies` of a map's overlay, row by row, so that the map is read as it is walked."""
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


@locking.writes
def drop_all(*, round: Round, judge: Judge, keep: Mapping[int, str] | None, base_version: int, now: datetime) -> int:
    """2.5.2.3: a square for every accepted army; those that have one among the typed squares that are to `keep` stay
    there. How many were moved.

    Mercenaries stay where they are. Refused before the bases are public.
    """
    setup = _open(round, judge, base_version)
    draws, prepared = held_draws(round, judge, now), Preparation(setup)
    armies = prepared.accepted
    draws.placed += 1
    fixed = {army.name: at for army in armies if (at := read_typed(army.name, (keep or {}).get(army.pk, "")))}
    fixed |= {f"{plan.lot}\n": at for plan in prepared.mercenaries if (at := square_of(plan.at))}
    starters = [starter_of(army) for army in armies]
    dropped = drop_armies(prepared.board, starters, fixed, dice_of(draws), draws.placed)
    squares = {one.name: one.at for one in dropped}
    moved = _store(armies, {army.pk: squares.get(army.name) for army in armies})
    _propose(setup, draws, judge, now, dropped=moved, draw=draws.placed)
    return moved


@locking.writes
def place_armies(*, round: Round, judge: Judge, squares: Mapping[int, str], base_version: int, now: datetime) -> int:
    """2.5.2.3, R1: puts armies, by their musters' keys, on the squares that the judge typed; empty: on none.

    Refused for what is no square of the map. What else is wrong with a square is listed, and kept all the same.
    """
    setup = _open(round, judge, base_version)
    moved = _store_typed(setup, squares)
    if moved:
        _propose(setup, held_draws(round, judge, now), judge, now, moved=moved)
    return moved


@locking.writes
def accept_placement(
    *, round: Round, judge: Judge, squares: Mapping[int, str], base_version: int, now: datetime
) -> None:
    """2.5.2.3: the squares as they are typed are decided on, until one is changed. Refused while a rule speaks against
    one."""
    setup = _open(round, judge, base_version)
    _store_typed(setup, squares)
    armies = placed_armies(Preparation(setup))
    if not armies:
        raise Refused(gettext("No army is accepted yet."), "2.5.2.2")
    for fault in (fault for army in armies for fault in army.faults if fault.is_breach):
        raise Refused(fault.sentence, fault.cites)
    draws = held_draws(round, judge, now)
    draws.placed_at = now
    draws.save()
    save_step(setup, STEP.key, judge, now, accepted=len(armies))


def read_typed(name: str, text: str) -> Square | None:
    """R1, 1.2: a square as a judge typed it. Refused for what is none, or not on the map."""
    text = text.strip()
    if not text:
        return None
    if len(text) > LONGEST_SQUARE:
        raise Refused(
            gettext("%(name)s: “%(text)s…” is not a square. Try one like 3D.")
            % {"name": name, "text": text[:LONGEST_SQUARE]},
            "1.2",
            name,
        )
    try:
        square = read_square(text)
    except ValueError as error:
        raise Refused(f"{name}: {str(error).removesuffix(' (1.2)')}.", "1.2", name) from None
    if not square.on_map:
        raise Refused(
            gettext("%(name)s: %(square)s is not on the map (1A to 38N).") % {"name": name, "square": square},
            "1.2",
            name,
        )
    return square


def _open(round: Round, judge: Judge, base_version: int) -> RoundSetup:
    setup = held_setup(round, judge, STEP.key, base_version)
    if not is_revealed(setup):
        raise Refused(gettext("You can place armies once the bases are public."), "2.5.2.3")
    return setup


def _store_typed(setup: RoundSetup, squares: Mapping[int, str]) -> int:
    armies = [army for army in Preparation(setup).accepted if army.pk in squares]
    return _store(armies, {army.pk: read_typed(army.name, squares[army.pk]) for army in armies})


def _store(armies: Iterable[Muster], squares: Mapping[int, Square | None]) -> int:
    """Writes the squares that are not as before; how many there were."""
    changed = [army for army in armies if army.at != _text(squares[army.pk])]
    for army in changed:
        army.at = _text(squares[army.pk])
        army.save(update_fields=["at"])
    return len(changed)


def _text(square: Square | None) -> str:
    return str(square) if square else ""


def _propose(setup: RoundSetup, draws: ArmySetup, judge: Judge, now: datetime, **data: object) -> None:
    draws.placed_at = None
    draws.save()
    save_step(setup, STEP.key, judge, now, **data)


class ArmyMapPage(StepPage):
    """2.5.2.3, 2.5.3: a step in which armies are put on squares: what is drawn is a proposal until it is accepted."""

    def map_context(self, armies: Iterable[Placed], plans: Iterable[MercenaryPlan]) -> dict[str, object]:
        """The land with bases, towns and these armies, and the draws that they came from."""
        board = self.prepared.board
        return {
            "is_public": is_revealed(self.setup),
            "land": draw_land(board.terrain),
            "overlay": {**draw_overlay(board.bases, board.towns), "armies": draw_armies(pins_of(armies, plans))},
            "draws": self.prepared.draws,
        }


class PlacementPage(ArmyMapPage):
    """2.5.2.3: the armies' squares; a POST drops them, keeps what is typed, or accepts it."""

    key, template = STEP.key, "setup/placement.html"

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent, desk)
        self.squares = typed_squares(self.typed or QueryDict())

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

    def act(self) -> str:
        act, _ = self.pressed("save")
        if act == "accept":
            accept_placement(squares=self.squares, base_version=self.base_version, **self.common)
            return gettext("The squares are accepted.")
        if act in ("drop", "fill"):
            keep = self.squares if act == "fill" else None
            moved = drop_all(keep=keep, base_version=self.base_version, **self.common)
            told = ngettext(
                "One army moved. The squares are a proposal until you accept them.",
                "%(number)s armies moved. The squares are a proposal until you accept them.",
                moved,
            )
            return told % {"number": moved}
        moved = place_armies(squares=self.squares, base_version=self.base_version, **self.common)
        return ngettext("Saved: one army moved.", "Saved: %(number)s armies moved.", moved) % {"number": moved}

    def _row(self, army: Placed) -> dict[str, object]:
        at = self.squares.get(army.muster.pk, _text(army.at))
        return {"army": army, "at": at, "is_wrong": any(fault.is_breach for fault in army.faults)}


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.2.3: the map and what is said of the squares as they are typed, as fragments."""
    context = PlacementPage(sent_form(request), desk_for(request, slug)).context()
    return render(request, "setup/_placement_preview.html", {**context, "is_fragment": True})


def typed_squares(post: QueryDict) -> dict[int, str]:
    """What was typed into the fields `at-12` and so on, by their number."""
    found = {number_of(key.removeprefix("at-")): text for key, text in post.items() if key.startswith("at-")}
    return {number: str(text).strip() for number, text in found.items() if number >= 0}


def _readable(text: str) -> Square | None:
    """R1: what is typed, as a square; None for what is none."""
    try:
        return read_square(text)
    except ValueError:
        return None
