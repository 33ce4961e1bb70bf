"""2.5.1.1, 2.5.1.4: bases, portals and towns get their names and squares."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import check_storable, checked_text
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.steps.sites import JUDGES, KINDS, SIDES, TypedSite, is_revealed, judged_sites, planned_sites
from judging.setup.writes import held_setup, save_step
from wargame.models import Base, Judge, Round, Town
from wargame.rules.armies.sites import SiteFault

MAX_DESCRIPTION = 4_000
STEP_KINDS: Mapping[str, tuple[str, ...]] = {"bases": (KINDS.BASE, KINDS.PORTAL), "towns": (KINDS.TOWN,)}
"""2.5.1: which sites are placed in which step."""


class SitesRefused(Refused):
    """2.5.1: places that break a rule; `faults` has all that is wrong."""

    def __init__(self, faults: Sequence[SiteFault]) -> None:
        things = f"{len(faults)} things are" if len(faults) > 1 else "One thing is"
        super().__init__(f"{things} wrong; what you typed is kept below.", ", ".join({f.cites: 1 for f in faults}))
        self.faults = tuple(faults)


@transaction.atomic
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
    changed = [site for site in found.of(*kinds) if (site.name, _at(site)) != (site.row.name, site.row.at)]
    if is_revealed(setup):
        _check_public(changed)
    PlannedSite.objects.filter(pk__in=[site.row.pk for site in changed]).update(at="")
    for site in changed:
        site.row.name, site.row.at = site.name, _at(site)
        site.row.save(update_fields=["name", "at"])
    _describe(found.of(KINDS.TOWN) if KINDS.TOWN in kinds else (), descriptions or {})
    if is_revealed(setup):
        moved = publish_sites(setup, found.of(*kinds))
        record(round, judge.user, "setup.moved", {"sites": moved}, now)
    save_step(setup, step, judge, now, changed=len(changed))


@transaction.atomic
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
    moving = [site for site in sites if site.name in there and there[site.name].at != _at(site)]
    for place, site in enumerate(moving):
        type(there[site.name]).objects.filter(pk=there[site.name].pk).update(at=f"~{place}")
    for site in sites:
        at, built = _at(site), there.get(site.name)
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


def _at(site: TypedSite) -> str:
    """R1: the typed square as it is kept, `3D`."""
    return str(site.square) if site.square else ""


def _check_public(changed: Sequence[TypedSite]) -> None:
    for site in changed:
        if site.name != site.row.name and site.row.at:
            raise Refused(f"{site.row.name} is public under this name already, so it keeps it.", "2.5.1.3")
        if not _at(site) and site.row.at:
            raise Refused(f"{site.row.name} is public already; move it, if you must, but it keeps a square.", "2.5.1.3")


def _describe(towns: Sequence[TypedSite], descriptions: Mapping[int, str]) -> None:
    """2.5.1.4: what the judge writes of the towns; published towns show it at once."""
    for site in towns:
        text = descriptions.get(site.row.pk, site.row.description).replace("\r\n", "\n").strip()
        if text != site.row.description:
            if text:
                checked_text(text, what=f"description of {site.name}", most=MAX_DESCRIPTION, cites="2.5.1.4")
            PlannedSite.objects.filter(pk=site.row.pk).update(description=text)
            Town.objects.filter(round=site.row.round_id, name=site.name).update(description=text)
            site.row.description = text
