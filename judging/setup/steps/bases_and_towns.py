"""2.5.1: the steps in which bases, portals and towns get their squares, and in which the bases become public."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext_lazy

from judging.armies.models import HandedIn
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.log_entry import record
from judging.common.texts import check_storable, checked_text
from judging.setup.models import PlannedSite, RoundSetup, SideWish
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step
from judging.setup.sites import (
    JUDGES,
    KINDS,
    MAX_DESCRIPTION,
    TypedSite,
    draw_land,
    draw_overlay,
    is_revealed,
    judged_sites,
    planned_bases,
    planned_sites,
    planned_towns,
    side_of,
    unplaced,
)
from judging.setup.step import Problem, StepForm, Weight, advice, missing, wrong
from judging.setup.steps import wins
from wargame.models import Base, Judge, Round, Town
from wargame.rules.armies.sites import LEAST_DISTANCE, SiteFinding, fairness, position_faults, town_faults
from wargame.rules.core.sides import Side

STEP_KINDS: Mapping[str, tuple[str, ...]] = {"bases": (KINDS.BASE, KINDS.PORTAL), "towns": (KINDS.TOWN,)}
"""2.5.1: the kinds of sites that are placed in each step."""

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
"""2.5.1.1: the side for which squares are hatched, and the sites that these are too near to."""


def bases_problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.1: bases and portals that have no square yet, or one that they may not have."""
    sites = prepared.sites(KINDS.BASE, KINDS.PORTAL)
    if names := unplaced(sites):
        yield missing(gettext("No square yet: %(names)s."), "2.5.1.1", names=", ".join(names))
    for fault in position_faults(planned_bases(sites)):
        yield wrong(fault.sentence, fault.cites)


def towns_problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.4: towns that have no square yet or one that is taken, and a noticeable advantage."""
    sites = prepared.sites()
    towns, bases = planned_towns(sites), planned_bases(sites)
    if names := unplaced(site for site in sites if site.kind == KINDS.TOWN):
        yield missing(gettext("No square yet: %(names)s."), "2.5.1.4", names=", ".join(names))
    for fault in town_faults(towns, bases):
        yield wrong(fault.sentence, fault.cites)
    figure = fairness(towns, bases)
    if figure and figure.favours and figure.is_noticeable:
        told = gettext("On average, the towns are %(difference)s squares closer to %(favours)s.")
        difference = number_format(round(float(figure.difference), 1), 1)
        yield advice(told, "2.5.1.4", difference=difference, favours=figure.favours.title)


def hindrances(prepared: Preparation) -> tuple[Problem, ...]:
    """2.5.1.1, 2.5.1.3: why the bases can't be revealed yet: missing or illegal places, or no choice of win
    conditions."""
    problems = (*bases_problems(prepared), *wins.problems(prepared))
    return tuple(problem for problem in problems if problem.weight is not Weight.ADVICE)


def reveal_problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.3: that the bases are not public yet, and what would be published later than they are."""
    if is_revealed(prepared.setup):
        return
    yield missing(gettext("Reveal the bases once they are placed and the win conditions are chosen."), "2.5.1.3")
    sites = prepared.sites()
    if waiting := [site.name for site in sites if site.kind != KINDS.TOWN and site.state != HandedIn.ACCEPTED]:
        told = gettext("These will be revealed without a description until you accept one: %(waiting)s.")
        yield advice(told, "2.5.1.2", waiting=", ".join(waiting))
    if without := [site.name for site in sites if site.kind == KINDS.TOWN and not site.at]:
        told = gettext("Not placed yet: %(without)s. Towns become public once they are placed.")
        yield advice(told, "2.5.1.4", without=", ".join(without))


class SitesRefused(Refused):
    """2.5.1: places that break a rule; `faults` has all errors."""

    def __init__(self, faults: Sequence[SiteFinding]) -> None:
        message = ngettext(
            "There is one mistake. What you typed is still below.",
            "There are %(number)s mistakes. What you typed is still below.",
            len(faults),
        )
        super().__init__(message % {"number": len(faults)}, ", ".join({f.cites: 1 for f in faults}))
        self.faults = tuple(faults)


def publish_sites(setup: RoundSetup, sites: Sequence[PlannedSite]) -> list[str]:
    """2.5.1.2, 2.5.1.3: create the rows of these sites, or move them; returns the changes, like `Red Base 3D`.

    To be called in a transaction, when the bases are public. Descriptions are published when they are accepted.
    """
    changed, round_ = [], setup.round
    bases = {base.name: base for base in Base.objects.filter(round=round_)}
    built = bases | {town.name: town for town in Town.objects.filter(round=round_)}
    moving = [site for site in sites if site.name in built and built[site.name].at != site.at]
    for place, site in enumerate(moving):
        type(built[site.name]).objects.filter(pk=built[site.name].pk).update(at=f"~{place}")
    for site in sites:
        if not site.at or (site.name in built and site not in moving):
            continue
        changed.append(f"{site.name} {site.at}")
        fields = {"name": site.name, "at": site.at, "description": site.description}
        if site.name in built:
            type(built[site.name]).objects.filter(pk=built[site.name].pk).update(at=site.at)
        elif side := side_of(site):
            fields |= {} if site.state == HandedIn.ACCEPTED else {"description": ""}
            win = site.is_win or site.kind == KINDS.PORTAL
            Base.objects.create(round=round_, side=side.value, color=site.color, win=win, **fields)
        else:
            Town.objects.create(round=round_, **fields)
    return changed


@locking.writes
def reveal(*, round: Round, judge: Judge, now: datetime) -> None:
    """2.5.1.2, 2.5.1.3: make bases, win conditions and accepted descriptions public, and the towns that are placed.

    Refused while a base has no legal place, and before the Coalition has chosen its win conditions. Idempotent.
    """
    setup = held_setup(round, judge)
    if is_revealed(setup):
        return
    if problems := hindrances(Preparation(setup)):
        raise Refused(" ".join(problem.sentence for problem in problems), problems[0].cites)
    setup.revealed_at = now
    publish_sites(setup, planned_sites(round))
    save_step(setup, "reveal", judge, now)


def _check_public(changed: Sequence[TypedSite]) -> None:
    for site in changed:
        if site.name != site.row.name and site.row.at:
            told = gettext("%(row)s is already public under this name, so you can't rename it.")
            raise Refused(told % {"row": site.row.name}, "2.5.1.3")
        if not site.square and site.row.at:
            told = gettext("%(row)s is already public. You can move it, but it must have a square.")
            raise Refused(told % {"row": site.row.name}, "2.5.1.3")


def _describe(town: PlannedSite, text: str) -> None:
    """2.5.1.4: what the judge writes of a town; a published one shows it at once."""
    text = text.replace("\r\n", "\n").strip()
    if text == town.description:
        return
    if text:
        what = gettext("description of %(name)s") % {"name": town.name}
        checked_text(text, what=what, most=MAX_DESCRIPTION, cites="2.5.1.4")
    PlannedSite.objects.filter(pk=town.pk).update(description=text)
    Town.objects.filter(round=town.round_id, name=town.name).update(description=text)
    town.description = text


class SitesForm(StepForm):
    """2.5.1.1, 2.5.1.4: names and squares of the sites of a step, with the map beside the form; an empty square: not
    yet. Towns have descriptions, too."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.kinds, rows = STEP_KINDS[self.step.key], self.prepared.sites()
        numbers = (number_of(key.removeprefix("at-")) for key in self.values if key.startswith("at-"))
        self.sites = {number: self._typed(number) for number in numbers if number >= 0}
        self.texts = {row.pk: self.values.get(key, "") for row in rows if (key := f"text-{row.pk}") in self.values}
        self.found = judged_sites(rows, self.sites)

    def _typed(self, number: int) -> tuple[str, str]:
        name, at = self.values.get(f"name-{number}", ""), self.values.get(f"at-{number}", "")
        return " ".join(name.split()), at.strip()

    def context(self) -> dict[str, object]:
        found, sites = self.found, self.found.of(*self.kinds)
        context = {
            "round": self.round,
            "sites": [(site, self.texts.get(site.row.pk, site.row.description)) for site in sites],
            "groups": [
                (gettext("The Coalition's bases"), Side.COALITION, [s for s in sites if s.row.kind == KINDS.BASE]),
                (gettext("Phyrexia's portals"), Side.PHYREXIA, [s for s in sites if s.row.kind == KINDS.PORTAL]),
            ],
            "faults": found.faults_of(*self.kinds),
            "land": draw_land(tuple(self.round.terrain.split())),
            "overlay": draw_overlay(found.bases, found.towns, forbids=KINDS.BASE in self.kinds),
            "fairness": fairness(found.towns, found.bases),
            "least": LEAST_DISTANCE,
            "zones": ZONES,
            "preview_step": self.step.key,
            "is_public": is_revealed(self.setup),
            "wishes": SideWish.objects.filter(round=self.round).exclude(text="").order_by("side"),
            "shown": [(key, words, key in self.setup.shown_to) for key, words in SHOWN],
        }
        return context | {"refused": None, "not_saved": True} if isinstance(self.refused, SitesRefused) else context

    @locking.writes
    def save(self) -> str:
        """Refused (SitesRefused) with all that is wrong. Once the bases are public, names stay as they are and every
        site keeps a square; a corrected one is public at once, and recorded."""
        setup, rows = self.held(), planned_sites(self.round)
        own = {row.pk for row in rows if row.kind in self.kinds}
        typed = {pk: site for pk, site in self.sites.items() if pk in own}
        for name, square in typed.values():
            check_storable(name + square, what="form", cites="2.5.1")
        found = judged_sites(rows, typed)
        if faults := found.faults_of(*self.kinds):
            raise SitesRefused(faults)
        sites = found.of(*self.kinds)
        changed = [site for site in sites if site.kept != (site.row.name, site.row.at)]
        if is_revealed(setup):
            _check_public(changed)
        PlannedSite.objects.filter(pk__in=[site.row.pk for site in changed]).update(at="")
        for site in changed:
            site.row.name, site.row.at = site.kept
            site.row.save(update_fields=["name", "at"])
        rows = [site.row for site in sites]
        for row in rows:
            if row.kind == KINDS.TOWN and row.pk in self.texts:
                _describe(row, self.texts[row.pk])
        if is_revealed(setup):
            moved = publish_sites(setup, rows)
            record(self.round, self.desk.judge.user, "setup.moved", {"sites": moved}, self.now)
        self.store(setup, changed=len(changed))
        return gettext("Saved.")


class RevealForm(StepForm):
    """2.5.1.3: everything that becomes public, and the button that makes it so."""

    def context(self) -> dict[str, object]:
        sites = self.prepared.sites()
        return {
            "sites": sites,
            "hindrances": () if is_revealed(self.setup) else hindrances(self.prepared),
            "is_public": is_revealed(self.setup),
            "land": draw_land(tuple(self.round.terrain.split())),
            "overlay": draw_overlay(planned_bases(sites), planned_towns(sites)),
        }

    def save(self) -> str:
        reveal(**self.common)
        return gettext("The bases are public.")


@locking.writes
def show_to(desk: SetupDesk, shown_to: Sequence[str], now: datetime) -> str:
    """2.5.1.1: whom the judge lets see squares before the reveal: a side's leaders their own, and the other judges."""
    setup = held_setup(desk.round, desk.judge)
    setup.shown_to = [key for key, _ in SHOWN if key in shown_to]
    setup.save(update_fields=["shown_to"])
    record(desk.round, desk.judge.user, "setup.shown", {"to": setup.shown_to}, now)
    return gettext("Saved.")
