"""2.1: the armies as a list, narrowed and ordered from the page's address, and the page of one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.views.decorators.http import require_safe

from judging.armies.reads import ArmyLine, army_card, army_list, names_like, now_called
from judging.drawing.crests import SHORT, short_side
from judging.game.pages import viewer_for
from wargame.models.choices import FACTIONS
from wargame.rules.core.sides import COALITION_RANKS, PHYREXIAN_RANKS

SORTS: dict[str, tuple[str, Callable[[ArmyLine], tuple[object, ...]]]] = {
    "name": (gettext_noop("Name"), lambda line: (line.name.casefold(),)),
    "rank": (gettext_noop("Rank"), lambda line: (line.tier, line.side, line.name.casefold())),
    "square": (gettext_noop("Square"), lambda line: (line.at[-1:] or "~", int(line.at[:-1] or 0))),
    "troops": (gettext_noop("Troops"), lambda line: (-line.alive, line.name.casefold())),
    "controller": (
        gettext_noop("Controller"),
        lambda line: (not line.controllers, line.controllers, line.name.casefold()),
    ),
}
BY = {
    "name": pgettext_lazy("the order of a list", "name"),
    "rank": pgettext_lazy("the order of a list", "rank"),
    "square": pgettext_lazy("the order of a list", "square"),
    "troops": pgettext_lazy("the order of a list", "troops"),
    "controller": pgettext_lazy("the order of a list", "controller"),
}
RANKS = [(rank.value, rank.title) for rank in (*COALITION_RANKS, *PHYREXIAN_RANKS)]
STATES = {"living": gettext_noop("on the map"), "fighting": gettext_noop("in battle"), "dead": gettext_noop("dead")}


class Column(NamedTuple):
    """The head of a column: `address` is that of the list ordered by it; `sorted`: it is so now. `by` is its title
    within a sentence."""

    key: str
    title: str
    address: str
    sorted: bool
    by: str


@dataclass(frozen=True)
class ArmyFilters:
    """What was asked for; unknown values count as not given."""

    side: str = ""
    rank: str = ""
    state: str = ""
    q: str = ""
    sort: str = "name"

    @classmethod
    def of(cls, query: Mapping[str, str]) -> ArmyFilters:
        """The filters that the parameters of an address name; what is unknown there narrows nothing."""
        known_ranks = {value for value, _ in (*RANKS, *FACTIONS)}
        return cls(
            side=_one_of(query.get("side", ""), set(SHORT)),
            rank=_one_of(query.get("rank", ""), known_ranks),
            state=_one_of(query.get("state", ""), STATES),
            q=query.get("q", "").strip()[:40],
            sort=_one_of(query.get("sort", ""), SORTS) or "name",
        )

    def apply(self, lines: Sequence[ArmyLine]) -> list[ArmyLine]:
        """The lines that fit, in order; the dead last."""
        key = SORTS[self.sort][1]
        return sorted(filter(self._fits, lines), key=lambda line: (line.died_in is not None, key(line)))

    @property
    def any(self) -> bool:
        """Whether any filter leaves armies out."""
        return bool(self.side or self.rank or self.state or self.q)

    @property
    def columns(self) -> list[Column]:
        """The columns' heads, from left to right."""
        return [
            Column(key, gettext(title), self._address(key), key == self.sort, str(BY[key]))
            for key, (title, _) in SORTS.items()
        ]

    @property
    def choices(self) -> dict[str, list[tuple[str, str]]]:
        """What the form offers."""
        sides = [(side.value, short_side(side)) for side in SHORT]
        states = [(state, gettext(words)) for state, words in STATES.items()]
        factions = [(faction, str(title)) for faction, title in FACTIONS]
        return {"sides": sides, "ranks": RANKS, "factions": factions, "states": states}

    def _fits(self, line: ArmyLine) -> bool:
        fits_state = {
            "": True,
            "living": line.died_in is None,
            "dead": line.died_in is not None,
            "fighting": bool(line.battle),
        }[self.state]
        words = [line.name, *line.controllers, line.place]
        return (
            fits_state
            and self.side in ("", line.side)
            and self.rank in ("", line.rank, line.faction)
            and any(self.q.casefold() in word.casefold() for word in words)
        )

    def _address(self, sort: str) -> str:
        asked = {"side": self.side, "rank": self.rank, "state": self.state, "q": self.q, "sort": sort}
        return "?" + urlencode({key: value for key, value in asked.items() if value})


def _one_of(value: str, known: Collection[str]) -> str:
    return value if value in known else ""


@require_safe
def armies(request: HttpRequest, slug: str) -> HttpResponse:
    """All armies of a round; `side`, `rank`, `q` and `sort` choose and order them."""
    viewer = viewer_for(request, slug)
    everybody = army_list(viewer.round, timezone.now())
    filters = ArmyFilters.of(request.GET)
    context = {"round": viewer.round, "filters": filters, "armies": filters.apply(everybody), "total": len(everybody)}
    return render(request, "armies/armies.html", context)


@require_safe
def army(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """An army's page. `?before=` goes back in its history. An unknown name gets suggestions."""
    viewer = viewer_for(request, slug)
    before = request.GET.get("before", "")
    card = army_card(viewer.round, name, viewer, timezone.now(), int(before) if before.isdecimal() else None)
    if card:
        return render(request, "armies/army.html", {"round": viewer.round, "card": card})
    if renamed := now_called(viewer.round, name):
        return redirect("army", slug, renamed)
    like = names_like(viewer.round, name)
    if like and like[0].casefold() == name.casefold():
        return redirect("army", slug, like[0])
    return render(request, "armies/unknown.html", {"round": viewer.round, "name": name, "like": like}, status=404)
