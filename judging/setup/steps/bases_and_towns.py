"""2.5.1: the steps in which bases, portals and towns get their squares, and in which the bases become public."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST

from judging.armies.models import HandedIn
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import handle_button, number_of
from judging.common.log_entry import record
from judging.common.texts import check_storable, checked_text
from judging.setup.models import PlannedSite, RoundSetup, SideWish
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step
from judging.setup.sites import (
    JUDGES,
    KINDS,
    MAX_DESCRIPTION,
    SIDES,
    TypedSite,
    draw_land,
    draw_overlay,
    is_revealed,
    judged_sites,
    planned_bases,
    planned_sites,
    planned_towns,
    unplaced,
)
from judging.setup.step import (
    Problem,
    SentForm,
    StepKind,
    StepPage,
    Weight,
    advice,
    desk_for,
    logged_in,
    missing,
    sent_form,
    wrong,
)
from judging.setup.steps import wins
from wargame.models import Base, Judge, Round, Town
from wargame.rules.armies.sites import LEAST_DISTANCE, SiteFinding, fairness, position_faults, town_faults
from wargame.rules.core.sides import Side

STEP_KINDS: Mapping[str, tuple[str, ...]] = {"bases": (KINDS.BASE, KINDS.PORTAL), "towns": (KINDS.TOWN,)}
"""2.5.1: which sites are placed in which step."""

SHOWN = [
    (Side.COALITION.value, gettext_lazy("the Coalition's leaders can see their own bases")),
    (Side.PHYREXIA.value, gettext_lazy("Phyrexia's leaders can see their own portals")),
    (JUDGES, gettext_lazy("the movement and mercenary judges can see everything, unless they play")),
]

ZONES = [
    (
        Side.COALITION.value,
        pgettext_lazy("closed to", "the Coalition's bases"),
        pgettext_lazy("squares from", "a portal"),
    ),
    (
        Side.PHYREXIA.value,
        pgettext_lazy("closed to", "Phyrexia's portals"),
        pgettext_lazy("squares from", "a base of the Coalition"),
    ),
]
"""2.5.1.1: whom the hatched squares bind, and what they are too near to."""


def find_bases(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.1: bases and portals that have no square yet, or one that they may not have."""
    sites = prepared.sites(KINDS.BASE, KINDS.PORTAL)
    if names := unplaced(sites):
        yield missing(gettext("No square yet: %(names)s.") % {"names": ", ".join(names)}, "2.5.1.1")
    for fault in position_faults(planned_bases(sites)):
        yield wrong(fault.sentence, fault.cites)


BASES = StepKind(
    "bases",
    gettext_noop("Bases and portals"),
    "2.5.1.1",
    gettext_noop("The battle judge chooses where the bases are."),
    find_bases,
)


def find_towns(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.4: towns that have no square yet or one that is taken, and a noticeable advantage."""
    sites = prepared.sites()
    towns, bases = planned_towns(sites), planned_bases(sites)
    if names := unplaced(site for site in sites if site.kind == KINDS.TOWN):
        yield missing(gettext("No square yet: %(names)s.") % {"names": ", ".join(names)}, "2.5.1.4")
    for fault in town_faults(towns, bases):
        yield wrong(fault.sentence, fault.cites)
    figure = fairness(towns, bases)
    if figure and figure.favours and figure.is_noticeable:
        yield advice(
            gettext("On average, the towns are %(difference)s squares closer to %(favours)s.")
            % {"difference": number_format(round(float(figure.difference), 1), 1), "favours": figure.favours.title},
            "2.5.1.4",
        )


TOWNS = StepKind(
    "towns", gettext_noop("Towns"), "2.5.1.4", gettext_noop("The battle judge chooses where the towns are."), find_towns
)


def hindrances(prepared: Preparation) -> tuple[Problem, ...]:
    """2.5.1.1, 2.5.1.3: why the bases can't be revealed yet: places that are missing or illegal, or no choice made."""
    found = (*find_bases(prepared), *wins.find(prepared))
    return tuple(problem for problem in found if problem.weight is not Weight.ADVICE)


def find_reveal(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.3: that the bases are not public yet, and what would be published later than they are."""
    if is_revealed(prepared.setup):
        return
    yield missing(gettext("Reveal the bases once they are placed and the win conditions are chosen."), "2.5.1.3")
    sites = prepared.sites()
    if waiting := [site.name for site in sites if site.kind != KINDS.TOWN and site.state != HandedIn.ACCEPTED]:
        yield advice(
            gettext("These will be revealed without a description until you accept one: %(waiting)s.")
            % {"waiting": ", ".join(waiting)},
            "2.5.1.2",
        )
    if without := [site.name for site in sites if site.kind == KINDS.TOWN and not site.at]:
        yield advice(
            gettext("Not placed yet: %(without)s. Towns become public once they are placed.")
            % {"without": ", ".join(without)},
            "2.5.1.4",
        )


REVEAL = StepKind(
    "reveal", gettext_noop("Reveal"), "2.5.1.3", gettext_noop("The battle judge reveals the bases."), find_reveal
)


def wishes_of(round: Round) -> list[SideWish]:
    """2.5.1.1: what both sides' leaders wrote, for the battle judges."""
    return list(SideWish.objects.filter(round=round).exclude(text="").order_by("side"))


class SitesRefused(Refused):
    """2.5.1: places that break a rule; `faults` has all that is wrong."""

    def __init__(self, faults: Sequence[SiteFinding]) -> None:
        told = ngettext(
            "There is one mistake. What you typed is still below.",
            "There are %(number)s mistakes. What you typed is still below.",
            len(faults),
        )
        super().__init__(told % {"number": len(faults)}, ", ".join({f.cites: 1 for f in faults}))
        self.faults = tuple(faults)


@locking.writes
def save_sites(
    *,
    round: Round,
    judge: Judge,
    step: str,
    typed: Mapping[int, tuple[str, str]],
    base_version: int,
    now: datetime,
    descriptions: Mapping[int, str] | None = None,
) -> None:
    """2.5.1.1, 2.5.1.4: names and squares of the sites of a step, by their keys; an empty square: not yet.

    Refused (SitesRefused) with all that is wrong. Once the bases are public, names stay as they are and every site
    keeps a square; a corrected one is public at once, and recorded. `descriptions` are those of towns.
    """
    setup = held_setup(round, judge, step, base_version)
    rows, kinds = planned_sites(round), STEP_KINDS[step]
    own = {row.pk for row in rows if row.kind in kinds}
    found = judged_sites(rows, {pk: _clean(given) for pk, given in typed.items() if pk in own})
    if faults := found.faults_of(*kinds):
        raise SitesRefused(faults)
    changed = [site for site in found.of(*kinds) if (site.name, _kept_square(site)) != (site.row.name, site.row.at)]
    if is_revealed(setup):
        _check_public(changed)
    PlannedSite.objects.filter(pk__in=[site.row.pk for site in changed]).update(at="")
    for site in changed:
        site.row.name, site.row.at = site.name, _kept_square(site)
        site.row.save(update_fields=["name", "at"])
    _describe(found.of(KINDS.TOWN) if KINDS.TOWN in kinds else (), descriptions or {})
    if is_revealed(setup):
        moved = publish_sites(setup, found.of(*kinds))
        record(round, judge.user, "setup.moved", {"sites": moved}, now)
    save_step(setup, step, judge, now, changed=len(changed))


@locking.writes
def show_sites(*, round: Round, judge: Judge, shown_to: Sequence[str], now: datetime) -> None:
    """2.5.1.1: whom the judge lets see squares before the reveal: a side's leaders their own, and the other judges."""
    setup = held_setup(round, judge)
    known = [*(side.value for side in SIDES.values()), JUDGES]
    setup.shown_to = [key for key in known if key in shown_to]
    setup.save(update_fields=["shown_to"])
    record(round, judge.user, "setup.shown", {"to": setup.shown_to}, now)


def publish_sites(setup: RoundSetup, sites: Sequence[TypedSite]) -> list[str]:
    """2.5.1.2, 2.5.1.3: makes the rows of these sites, or moves them; returns what changed, like `Red Base 3D`.

    To be called in a transaction, when the bases are public. Descriptions are published when they are accepted.
    """
    changed = []
    bases = {base.name: base for base in Base.objects.filter(round=setup.round)}
    towns = {town.name: town for town in Town.objects.filter(round=setup.round)}
    there = bases | towns
    moving = [site for site in sites if site.name in there and there[site.name].at != _kept_square(site)]
    for place, site in enumerate(moving):
        type(there[site.name]).objects.filter(pk=there[site.name].pk).update(at=f"~{place}")
    for site in sites:
        at, built = _kept_square(site), there.get(site.name)
        if not at or (built is not None and site not in moving):
            continue
        changed.append(f"{site.name} {at}")
        if built is not None:
            type(built).objects.filter(pk=built.pk).update(at=at)
        elif side := site.side:
            _build_base(setup, site, side.value, at)
        else:
            text = site.row.description
            Town.objects.create(round=setup.round, name=site.name, at=at, description=text)
    return changed


@locking.writes
def reveal(*, round: Round, judge: Judge, now: datetime) -> None:
    """2.5.1.2, 2.5.1.3: makes bases, win conditions and accepted descriptions public, and the towns that are placed.

    Refused while a base has no legal place, and before the Coalition has chosen its win conditions. Twice does it once.
    """
    setup = held_setup(round, judge)
    if is_revealed(setup):
        return
    if found := hindrances(Preparation(setup)):
        raise Refused(" ".join(problem.sentence for problem in found), found[0].cites)
    setup.revealed_at = now
    publish_sites(setup, judged_sites(planned_sites(round), {}).sites)
    save_step(setup, "reveal", judge, now)


def _build_base(setup: RoundSetup, site: TypedSite, side: str, at: str) -> None:
    row = site.row
    wins = row.is_win or row.kind == KINDS.PORTAL
    text = row.description if row.state == "accepted" else ""
    Base.objects.create(
        round=setup.round, name=site.name, at=at, side=side, color=row.color, win=wins, description=text
    )


def _clean(given: tuple[str, str]) -> tuple[str, str]:
    name, at = given
    check_storable(name + at, what="form", cites="2.5.1")
    return " ".join(name.split()), at.strip()


def _kept_square(site: TypedSite) -> str:
    """R1: the typed square as it is kept, `3D`."""
    return str(site.square) if site.square else ""


def _check_public(changed: Sequence[TypedSite]) -> None:
    for site in changed:
        if site.name != site.row.name and site.row.at:
            raise Refused(
                gettext("%(row)s is already public under this name, so you can't rename it.") % {"row": site.row.name},
                "2.5.1.3",
            )
        if not _kept_square(site) and site.row.at:
            raise Refused(
                gettext("%(row)s is already public. You can move it, but it must have a square.")
                % {"row": site.row.name},
                "2.5.1.3",
            )


def _describe(towns: Sequence[TypedSite], descriptions: Mapping[int, str]) -> None:
    """2.5.1.4: what the judge writes of the towns; published towns show it at once."""
    for site in towns:
        text = descriptions.get(site.row.pk, site.row.description).replace("\r\n", "\n").strip()
        if text != site.row.description:
            if text:
                checked_text(
                    text,
                    what=gettext("description of %(name)s") % {"name": site.name},
                    most=MAX_DESCRIPTION,
                    cites="2.5.1.4",
                )
            PlannedSite.objects.filter(pk=site.row.pk).update(description=text)
            Town.objects.filter(round=site.row.round_id, name=site.name).update(description=text)
            site.row.description = text


class SitesPage(StepPage):
    """2.5.1: names and squares of the sites of one step, with the map beside the form."""

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent, desk)
        data, rows = self.typed or QueryDict(), self.prepared.sites()
        self.sites = _typed_sites(data)
        self.texts = {row.pk: str(data[key]) for row in rows if (key := f"text-{row.pk}") in data}
        self.found = judged_sites(rows, self.sites)

    def context(self) -> dict[str, object]:
        found, kinds = self.found, STEP_KINDS[self.key]
        sites = found.of(*kinds)
        context = {
            "round": self.round,
            "sites": [(site, self.texts.get(site.row.pk, site.row.description)) for site in sites],
            "groups": [
                (gettext("The Coalition's bases"), Side.COALITION, [s for s in sites if s.row.kind == KINDS.BASE]),
                (
                    gettext("Phyrexia's portals"),
                    Side.PHYREXIA,
                    [s for s in sites if s.row.kind == KINDS.PORTAL],
                ),
            ],
            "faults": found.faults_of(*kinds),
            "land": draw_land(tuple(self.round.terrain.split())),
            "overlay": draw_overlay(found.bases, found.towns, forbids=self.key == BASES.key),
            "fairness": fairness(found.towns, found.bases),
            "least": LEAST_DISTANCE,
            "zones": ZONES,
            "preview_step": self.key,
            "is_public": is_revealed(self.setup),
            "wishes": wishes_of(self.round),
            "shown": [(key, words, key in self.setup.shown_to) for key, words in SHOWN],
        }
        return context | {"refused": None, "not_saved": True} if isinstance(self.refused, SitesRefused) else context

    def act(self) -> str:
        save_sites(
            step=self.key, typed=self.sites, descriptions=self.texts, base_version=self.base_version, **self.common
        )
        return gettext("Saved.")

    def preview(self, request: HttpRequest) -> HttpResponse:
        """The map and what is wrong with what is typed, as fragments."""
        return render(request, "setup/_sites_preview.html", {**self.context(), "is_fragment": True})


class BasesPage(SitesPage):
    """2.5.1.1: bases and portals."""

    key, template = "bases", "setup/bases.html"


class TownsPage(SitesPage):
    """2.5.1.4: towns."""

    key, template = "towns", "setup/towns.html"


class RevealPage(StepPage):
    """2.5.1.3: everything that becomes public, and the button that makes it so."""

    key, template = "reveal", "setup/reveal.html"

    def context(self) -> dict[str, object]:
        sites = self.prepared.sites()
        return {
            "sites": sites,
            "hindrances": () if is_revealed(self.setup) else hindrances(self.prepared),
            "is_public": is_revealed(self.setup),
            "land": draw_land(tuple(self.round.terrain.split())),
            "overlay": draw_overlay(planned_bases(sites), planned_towns(sites)),
        }

    def act(self) -> str:
        reveal(**self.common)
        return gettext("The bases are public.")


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str, step: str) -> HttpResponse:
    """2.5.1: the map and what is wrong with what is typed, as fragments; `step` is that of the bases or the towns."""
    page = BasesPage if step == BASES.key else TownsPage
    return page(sent_form(request), desk_for(request, slug)).preview(request)


@require_POST
@logged_in
def shown(request: HttpRequest, slug: str) -> HttpResponse:
    """2.5.1.1: whom the judge lets see the squares before the reveal."""
    desk = desk_for(request, slug)

    def act() -> str:
        return show_to(desk, request.POST.getlist("shown_to"), timezone.now())

    return handle_button(request, act, reverse("setup-bases", args=[slug]))


def show_to(desk: SetupDesk, shown_to: list[str], now: datetime) -> str:
    """2.5.1.1: chooses who can see the squares before the reveal; the message."""
    show_sites(round=desk.round, judge=desk.judge, shown_to=shown_to, now=now)
    return gettext("Saved.")


def _typed_sites(post: QueryDict) -> dict[int, tuple[str, str]]:
    """`name-12` and `at-12`, by the number."""
    numbers = (number_of(key.removeprefix("at-")) for key in post if key.startswith("at-"))
    return {
        number: (" ".join(post.get(f"name-{number}", "").split()), post.get(f"at-{number}", "").strip())
        for number in numbers
        if number >= 0
    }
