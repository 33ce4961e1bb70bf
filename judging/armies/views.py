"""2.1: The armies of a round and each one's page, and the judge's pages about musters and changes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop, pgettext_lazy
from django.views.decorators.http import require_safe

from judging.armies.changes.services import as_asked, changing, judged_change, requests_for
from judging.armies.changes.services import text_of as text_of_change
from judging.armies.desk import decide_on_muster, decide_on_request, muster_on_desk, request_on_desk
from judging.armies.models import ChangeRequest, HandedIn
from judging.armies.musters.services import missing_players, musters_for, surroundings_for, text_of
from judging.armies.musters.validation import judged
from judging.armies.queries import ArmyLine, army_card, army_list, names_like, now_called, troops_view
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.judges import User, rounds_of
from judging.common.shortcuts import viewer_for
from judging.common.viewer import Viewer, viewer_of
from judging.svg.crests import SHORT, short_side
from wargame.models.choices import FACTIONS, Role, RoundState
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
    """A column header: `address` is that of the list ordered by it; `sorted`: it is the current order. `by` is its
    title within a sentence."""

    key: str
    title: str
    address: str
    sorted: bool
    by: str


@dataclass(frozen=True)
class ArmyFilters:
    """The filters of the list; unknown values are ignored."""

    side: str = ""
    rank: str = ""
    state: str = ""
    q: str = ""
    sort: str = "name"

    @classmethod
    def of(cls, query: Mapping[str, str]) -> ArmyFilters:
        known_ranks = {value for value, _ in (*RANKS, *FACTIONS)}
        return cls(
            side=_one_of(query.get("side", ""), set(SHORT)),
            rank=_one_of(query.get("rank", ""), known_ranks),
            state=_one_of(query.get("state", ""), STATES),
            q=query.get("q", "").strip()[:40],
            sort=_one_of(query.get("sort", ""), SORTS) or "name",
        )

    def apply(self, lines: Sequence[ArmyLine]) -> list[ArmyLine]:
        """The matching lines, in order; the dead last."""
        key = SORTS[self.sort][1]
        return sorted(filter(self._fits, lines), key=lambda line: (line.died_in is not None, key(line)))

    @property
    def any(self) -> bool:
        """Whether any filter leaves armies out."""
        return bool(self.side or self.rank or self.state or self.q)

    @property
    def columns(self) -> list[Column]:
        return [
            Column(key, gettext(title), self._address(key), key == self.sort, str(BY[key]))
            for key, (title, _) in SORTS.items()
        ]

    @property
    def choices(self) -> dict[str, list[tuple[str, str]]]:
        sides = [(side.value, short_side(side)) for side in SHORT]
        states = [(state, gettext(label)) for state, label in STATES.items()]
        factions = [(faction, str(title)) for faction, title in FACTIONS]
        return {"sides": sides, "ranks": RANKS, "factions": factions, "states": states}

    def _fits(self, line: ArmyLine) -> bool:
        fits_state = {
            "": True,
            "living": line.died_in is None,
            "dead": line.died_in is not None,
            "fighting": bool(line.battle),
        }[self.state]
        texts = [line.name, *line.controllers, line.place]
        return (
            fits_state
            and self.side in ("", line.side)
            and self.rank in ("", line.rank, line.faction)
            and any(self.q.casefold() in text.casefold() for text in texts)
        )

    def _address(self, sort: str) -> str:
        query = {"side": self.side, "rank": self.rank, "state": self.state, "q": self.q, "sort": sort}
        return "?" + urlencode({key: value for key, value in query.items() if value})


def _one_of(value: str, choices: Collection[str]) -> str:
    return value if value in choices else ""


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


MOST_DECIDED = 20
"""How many decided requests are shown."""


@require_safe
def musters(request: HttpRequest) -> HttpResponse:
    """2.5.2.2, 2.3.2: The musters and the requests of the rounds that the user judges."""
    user = cast(User, request.user)
    viewers = [viewer_of(user, round_) for round_ in rounds_of(user).exclude(state=RoundState.OVER)]
    desks = [_desk(viewer) for viewer in viewers if viewer.is_judge(Role.BATTLE)]
    context = {**site.each_context(request), "title": gettext("Musters and changes"), "subtitle": None, "desks": desks}
    return TemplateResponse(request, "musters/judge_list.html", context)


@get_or_post
def muster(request: HttpRequest, muster_id: int) -> HttpResponse:
    """2.2.3, 2.5.2.2: One muster with the rules' findings; a POST accepts or refuses it."""
    user = cast(User, request.user)
    row = muster_on_desk(user, muster_id)
    act = partial(decide_on_muster, user, row, *_verdict(request), timezone.now())

    def page(*, refused: Refused | None = None) -> HttpResponse:
        result = judged(text_of(row), surroundings_for(row))
        is_waiting = row.state in (HandedIn.SENT, HandedIn.ACCEPTED) and row.round.state == RoundState.SETUP
        context = {"title": str(row), "muster": row, "judged": result, "is_waiting": is_waiting}
        return _page(request, "musters/judge_muster.html", context, refused)

    return handle_form(request, page, act, status=409)


@get_or_post
def change(request: HttpRequest, request_id: int) -> HttpResponse:
    """2.3.2, 2.6: One request for the army's current state; a POST accepts or refuses it."""
    user = cast(User, request.user)
    proposal = request_on_desk(user, request_id)
    act = partial(decide_on_request, user, proposal, *_verdict(request), timezone.now())
    return handle_form(request, partial(_change, request, proposal), act, status=409)


def _change(request: HttpRequest, proposal: ChangeRequest, *, refused: Refused | None = None) -> HttpResponse:
    is_past = bool(proposal.applied_in or proposal.why_not)
    target = None if is_past else changing(proposal.round, proposal.army.name, proposal.kind)
    judged_now = judged_change(as_asked(target, proposal), text_of_change(target, proposal)) if target else None
    context = {
        "title": capfirst(str(proposal)),
        "asked": proposal,
        "change": judged_now,
        "is_past": is_past,
        "judged": judged_now.judged if judged_now else None,
        "is_waiting": proposal.state == HandedIn.SENT,
        "before": troops_view(target.army.troops) if target else None,
        "after": troops_view(judged_now.after) if judged_now else None,
    }
    return _page(request, "musters/judge_change.html", context, refused)


def _verdict(request: HttpRequest) -> tuple[bool, str]:
    """Whether the judge accepts, and the reason."""
    return request.POST.get("act") == "accept", request.POST.get("reason", "")


def _page(request: HttpRequest, template: str, context: Mapping[str, object], refused: Refused | None) -> HttpResponse:
    """The page with the entry and the typed reason; an error with it is a message above it."""
    if refused is not None:
        messages.error(request, str(refused))
    common = {**site.each_context(request), "subtitle": None, "reason": request.POST.get("reason", "")}
    return TemplateResponse(request, template, {**common, **context})


def _desk(viewer: Viewer) -> dict[str, object]:
    musters, is_setup = musters_for(viewer), viewer.round.state == RoundState.SETUP
    requests = requests_for(viewer)
    return {
        "round": viewer.round,
        "is_setup": is_setup,
        "waiting": [row for row in musters if row.state == HandedIn.SENT],
        "others": [row for row in musters if row.state != HandedIn.SENT],
        "missing": missing_players(viewer.round) if is_setup else [],
        "asked": [row for row in requests if row.state == HandedIn.SENT],
        "decided": [row for row in requests if row.state in (HandedIn.ACCEPTED, HandedIn.REFUSED)][:MOST_DECIDED],
    }
