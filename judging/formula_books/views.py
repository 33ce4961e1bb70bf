"""R37, R38: The pages of formula books: the editor, the curves it draws, and the public page. Nothing typed is lost."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from math import log
from typing import NamedTuple, cast

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.judges import User
from judging.common.shortcuts import viewer_for
from judging.formula_books.services import (
    BookDesk,
    BookRefused,
    armies_to_try,
    default_formulas,
    desk_of,
    draw_formulas,
    newest_version,
    public_book,
    save_typed,
    typed_formulas,
    versions_of,
)
from judging.svg.charts import Tick
from wargame.rules.battle.book_checks import faults_of
from wargame.rules.battle.curves import Curves, Point, curves
from wargame.rules.battle.kills_and_captures import capture_edge, edge_chance, kill_edge
from wargame.rules.book.book import Book, BookFinding, book_of
from wargame.rules.book.expressions import FUNCTIONS
from wargame.rules.book.formulas import FORMULAS, MOST_BONUS, NAMES, Formula
from wargame.rules.core.saying import said

WIDTH, HEIGHT = 340, 190
LEFT, RIGHT, TOP, BOTTOM = 42, 20, 10, 24
PERMILLE = 1000
SMALLEST, LARGEST = 25, 400
SHOWN_RATIOS = (25, 50, 100, 200, 400)
SCALES = (100, 200, 300, 500, 1000)
BY_BONUS, BY_SIZE = "bonus", "size"
HOW_OFTEN, LOSSES = "how often", "losses"
TITLES = {
    (HOW_OFTEN, BY_BONUS): gettext_noop("How often %(first)s wins, by strategy bonus"),
    (HOW_OFTEN, BY_SIZE): gettext_noop("How often %(first)s wins, by size"),
    (LOSSES, BY_BONUS): gettext_noop("Average losses, by strategy bonus"),
    (LOSSES, BY_SIZE): gettext_noop("Average losses, by size"),
}
"""The title of a plot, by value and axis."""
MOST_TOPS, TOPS, LOST = 1000, (1000, 800, 600, 400, 0), 20


@dataclass(frozen=True)
class DrawnCurve:
    """A curve: its points in SVG syntax, its name, and its class (`a` for the first army, `b` for the second)."""

    points: str
    name: str
    css: str


@dataclass(frozen=True)
class Plot:
    """A plot with its axes; `rows` is the same as a table: x and the lines' values, in percent."""

    title: str
    x_title: str
    lines: tuple[DrawnCurve, ...]
    x_ticks: tuple[Tick, ...]
    y_ticks: tuple[Tick, ...]
    rows: tuple[tuple[str, ...], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def plots_of(curves: Curves, first: str, second: str) -> tuple[Plot, ...]:
    """R37: the winner, and the losses, by strategy bonus and by size."""
    names = {"first": first, "second": second}
    by_bonus = gettext("strategy bonus: left of 0 for %(second)s, right of 0 for %(first)s") % names
    by_ratio = gettext("size of %(first)s as a percentage of %(second)s") % names
    axes = [
        (BY_BONUS, by_bonus, curves.by_bonus, _bonus_at, _bonus_ticks()),
        (BY_SIZE, by_ratio, curves.by_ratio, _ratio_at, _ratio_ticks()),
    ]
    charts = [(HOW_OFTEN, [_wins(first)]), (LOSSES, [_lost(first, 0), _lost(second, 1)])]
    return tuple(
        _plot(gettext(TITLES[title, by]) % names, x_title, points, place, ticks, series)
        for by, x_title, points, place, ticks in axes
        if points
        for title, series in charts
    )


class CurveSeries(NamedTuple):
    """A line of a plot before it is drawn: its name, its class, and the height of each point in permille."""

    name: str
    css: str
    value: Callable[[Point], int]


class Chances(NamedTuple):
    """4.3.4: the enemy's remaining top troops, and the chances of a kill and of a capture, in percent."""

    top: int
    kill: int
    capture: int


def chances_of(book: Book) -> tuple[Chances, ...]:
    """4.3.4: the chances for a winner who has 1000 top troops left and whose enemy lost a fifth of their troops, by
    how many top troops the enemy has left."""
    return tuple(
        Chances(
            top,
            edge_chance(kill_edge(book, MOST_TOPS, top, LOST)),
            edge_chance(capture_edge(book, MOST_TOPS, top, LOST)),
        )
        for top in TOPS
    )


def _wins(first: str) -> CurveSeries:
    return CurveSeries(gettext("%(name)s wins") % {"name": first}, "a", lambda point: point.wins)


def _lost(name: str, index: int) -> CurveSeries:
    return CurveSeries(gettext("%(name)s loses") % {"name": name}, "ab"[index], lambda point: point.lost[index])


def _plot(
    title: str,
    x_title: str,
    points: Sequence[Point],
    place: Callable[[int], float],
    ticks: tuple[Tick, ...],
    series: list[CurveSeries],
) -> Plot:
    highest = max(one.value(point) for one in series for point in points)
    top = PERMILLE if len(series) == 1 else next(scale for scale in SCALES if highest <= scale)
    lines = tuple(
        DrawnCurve(" ".join(f"{place(point.x):g},{_y(one.value(point), top):g}" for point in points), one.name, one.css)
        for one in series
    )
    y_ticks = tuple(Tick(_y(top * part // 4, top), f"{top * part / 40:g}%") for part in range(5))
    rows = [(str(point.x), *(f"{one.value(point) / 10:g}%" for one in series)) for point in points]
    return Plot(title, x_title, lines, ticks, y_ticks, tuple(rows))


def _y(value: int, top: int) -> float:
    return round(HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value / top, 1)


def _x(share: float) -> float:
    return round(LEFT + (WIDTH - LEFT - RIGHT) * share, 1)


def _bonus_at(bonus: int) -> float:
    return _x((bonus + MOST_BONUS) / (2 * MOST_BONUS))


def _ratio_at(ratio: int) -> float:
    """Twice and half as large have the same distance from equal."""
    return _x(log(ratio / SMALLEST) / log(LARGEST / SMALLEST))


def _bonus_ticks() -> tuple[Tick, ...]:
    return tuple(Tick(_bonus_at(bonus), f"{abs(bonus)}") for bonus in range(-MOST_BONUS, MOST_BONUS + 1, 5))


def _ratio_ticks() -> tuple[Tick, ...]:
    return tuple(Tick(_ratio_at(ratio), f"{ratio}%") for ratio in SHOWN_RATIOS)


Texts = Mapping[str, str]


@get_or_post
def editor(request: HttpRequest, round_id: int) -> HttpResponse:
    """R37, R38: the newest version in a form; a POST checks what is typed, draws it, or saves a new version."""
    desk = _desk(request, round_id)
    if request.method != "POST":
        return _page(request, desk, desk.newest.formulas if desk.newest else default_formulas())
    act = request.POST.get("act", "")
    if act == "drawn":
        messages.info(request, gettext("These numbers were just drawn. They count once you save them."))
        return _page(request, desk, draw_formulas())
    if act == "default":
        messages.warning(request, gettext("This is the public default. Everyone can read it, so change it."))
        return _page(request, desk, default_formulas())
    texts = typed_formulas(request.POST)

    def page(*, refused: Refused | None = None) -> HttpResponse:
        if isinstance(refused, BookRefused):
            return _page(request, desk, texts, refused.faults, checked=True, refused=True, status=422)
        if refused is not None:
            return _page(request, _desk(request, round_id), texts, error=str(refused))
        faults = faults_of(texts)
        return _page(request, desk, texts, faults, checked=True, status=422 if faults else 200)

    return handle_form(request, page, partial(_save, request, desk, texts) if act == "save" else None, status=409)


@require_POST
def check(request: HttpRequest, round_id: int) -> HttpResponse:
    """R37: the errors in what is typed, as parts of the page."""
    desk = _desk(request, round_id)
    texts = typed_formulas(request.POST)
    faults = faults_of(texts)
    context = {"parts": parts_of(texts, faults), "faults": faults, "is_checked": True, "is_fragment": True}
    return render(request, "judge/_book_check.html", {**context, "desk": desk})


@require_POST
def plots(request: HttpRequest, round_id: int) -> HttpResponse:
    """R37: the curves of what is typed, for the two chosen armies."""
    return render(request, "judge/_book_plots.html", _plots(request, _desk(request, round_id)))


@require_safe
def version(request: HttpRequest, round_id: int, number: int) -> HttpResponse:
    """R38: one version, and what it changed."""
    desk = _desk(request, round_id)
    view = next((view for view in versions_of(desk.viewer) if view.number == number), None)
    if view is None:
        raise Http404(gettext("This round's book has no such version."))
    context = {
        "desk": desk,
        "version": view,
        "title": gettext("Formula book, version %(number)s") % {"number": number},
        "subtitle": None,
    }
    return TemplateResponse(request, "judge/book_version.html", {**site.each_context(request), **context})


@require_safe
def public(request: HttpRequest, slug: str) -> HttpResponse:
    """R38: the versions of a round's book and their commitments; when the round is over, the books themselves."""
    viewer = viewer_for(request, slug)
    return render(request, "books/book.html", {"round": viewer.round, "book": public_book(viewer)})


def _desk(request: HttpRequest, round_id: int) -> BookDesk:
    desk = desk_of(cast(User, request.user), round_id)
    if desk is None:
        raise Http404(gettext("This formula book isn't on your dashboard."))
    return desk


def _save(request: HttpRequest, desk: BookDesk, texts: Texts) -> str:
    base = request.POST.get("base", "")
    number = int(base) if base.isascii() and base.isdigit() and len(base) < 9 else 0
    return save_typed(desk, texts, number, timezone.now())


def _page(
    request: HttpRequest,
    desk: BookDesk,
    texts: Texts,
    faults: tuple[BookFinding, ...] = (),
    *,
    error: str = "",
    checked: bool = False,
    refused: bool = False,
    status: int = 200,
) -> HttpResponse:
    """The editor with these texts in it. Without scripts, the plots are drawn when the button is pressed."""
    context = {
        **site.each_context(request),
        "title": gettext("Formula book"),
        "subtitle": desk.round.name,
        "desk": desk,
        "newest": newest_version(desk.round),
        "versions": versions_of(desk.viewer),
        "parts": parts_of(texts, faults),
        "faults": faults,
        "is_checked": checked,
        "is_refused": refused,
        "error": error,
        "functions": FUNCTIONS.values(),
        "armies": armies_to_try(desk.round),
    }
    if request.POST.get("act") == "plot":
        context |= _plots(request, desk)
    return TemplateResponse(request, "judge/book.html", context, status=status)


def _plots(request: HttpRequest, desk: BookDesk) -> dict[str, object]:
    """The context of the plots' template; nothing is drawn for a book that can't be used."""
    armies = {army.key: army for group in armies_to_try(desk.round) for army in group.armies}
    first, second = (armies.get(request.POST.get(key, "")) for key in ("first", "second"))
    texts = typed_formulas(request.POST)
    if first is None or second is None or first.key == second.key:
        return {"no_plots": gettext("Pick two different armies.")}
    if faults_of(texts):
        return {"no_plots": gettext("The plots appear once all formulas are valid.")}
    book = book_of(texts)
    result = curves(first.army._replace(name=first.name), second.army._replace(name=second.name), book)
    context = {"plots": plots_of(result, first.name, second.name), "even_wins": f"{result.even.wins / 10:g}"}
    return {**context, "first": first, "second": second, "chances": chances_of(book)}


WORD = re.compile(r"\w+|.", re.DOTALL)
MOST_SHOWN = 2_000


@dataclass(frozen=True)
class FaultView:
    """R37: an error in a formula; where it has a place, the text before, at and after it."""

    sentence: str
    column: int | None = None
    before: str = ""
    wrong: str = ""
    after: str = ""


@dataclass(frozen=True)
class FormulaView:
    """R37: a formula in the form: its title, the numbers that it can use, what was typed, and the errors."""

    formula: Formula
    text: str
    fault: FaultView | None

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, said(NAMES[name])) for name in self.formula.names)

    @property
    def rows(self) -> int:
        return min(8, 1 + len(self.text) // 70 + self.text.count("\n"))


@dataclass(frozen=True)
class PartView:
    """R37: a part of the book: size, dice, losses, kill and capture."""

    title: str
    formulas: tuple[FormulaView, ...]


def parts_of(texts: Mapping[str, str], faults: Iterable[BookFinding] = ()) -> tuple[PartView, ...]:
    """The whole form: every formula in the book's order, with its errors."""
    wrong = {fault.formula: fault for fault in faults}
    grouped = groupby(_formulas(texts, wrong), key=lambda view: view.formula.part)
    return tuple(PartView(said(part), tuple(views)) for part, views in grouped)


def _formulas(texts: Mapping[str, str], wrong: Mapping[str, BookFinding]) -> Iterator[FormulaView]:
    for formula in FORMULAS:
        text, fault = texts.get(formula.name, ""), wrong.get(formula.name)
        yield FormulaView(formula, text, _fault(text, fault) if fault else None)


def _fault(text: str, fault: BookFinding) -> FaultView:
    if fault.column is None or len(text) > MOST_SHOWN:
        return FaultView(fault.sentence)
    start = fault.column - 1
    word_match = WORD.match(text, start)
    end = word_match.end() if word_match else start
    return FaultView(fault.sentence, fault.column, text[:start], text[start:end], text[end:])
