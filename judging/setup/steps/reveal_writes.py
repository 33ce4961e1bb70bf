"""2.5.1.2, 2.5.1.3: descriptions are accepted or refused, and the bases become public."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.db import transaction

from judging.armies.models import HandedIn
from judging.armies.musters.writes import checked_reason
from judging.game.errors import Refused
from judging.game.texts import checked_text
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.steps.reveal import hindrances
from judging.setup.steps.sites import is_revealed, judged_sites, planned_sites, side_of
from judging.setup.steps.sites_writes import MAX_DESCRIPTION, publish_sites
from judging.setup.writes import held_setup, save_step
from wargame.models import Base, Judge, Round


@transaction.atomic
def decide_description(
    *, round: Round, judge: Judge, site_id: int, accept: bool, reason: str, base_version: int, now: datetime
) -> PlannedSite:
    """2.5.1.2: the judge accepts a description that was handed in, or refuses it with a reason.

    An accepted one may be refused until it is public. Refused on top of a version that is not the last.
    """
    setup = held_setup(round, judge)
    site = _site(round, site_id)
    if site.version != base_version:
        raise Refused(f"The description of {site.name} was changed meanwhile; read it anew.", "2.5.1.2")
    if site.state not in (HandedIn.SENT, HandedIn.ACCEPTED):
        raise Refused(f"The description of {site.name} is not handed in now.", "2.5.1.2")
    reason = checked_reason(reason, accept)
    if not accept and site.state == HandedIn.ACCEPTED and is_revealed(setup):
        raise Refused(f"The description of {site.name} is public already.", "2.5.1.2")
    site.state, site.reason = (HandedIn.ACCEPTED, "") if accept else (HandedIn.REFUSED, reason)
    _store(setup, site)
    save_step(setup, "descriptions", judge, now, site=site.name, accepted=accept)
    return site


@transaction.atomic
def accept_descriptions(*, round: Round, judge: Judge, versions: Mapping[int, int], now: datetime) -> int:
    """2.5.1.2: accepts all descriptions that were looked at, by the site and the version; how many there were.

    Those accepted already are passed over, so that a second click does nothing. Refused as a whole if one of the
    others was changed since.
    """
    held_setup(round, judge)
    accepted = 0
    for site_id, version in sorted(versions.items()):
        if _site(round, site_id).state == HandedIn.ACCEPTED:
            continue
        decide_description(
            round=round, judge=judge, site_id=site_id, accept=True, reason="", base_version=version, now=now
        )
        accepted += 1
    return accepted


@transaction.atomic
def describe_instead(
    *, round: Round, judge: Judge, site_id: int, text: str, base_version: int, now: datetime
) -> PlannedSite:
    """1.3, 2.5.1.2: the judge writes a description himself, which is accepted thereby."""
    setup = held_setup(round, judge)
    site = _site(round, site_id)
    if site.version != base_version:
        raise Refused(f"The description of {site.name} was changed meanwhile; yours is kept in the form.", "2.5.1.2")
    text = checked_text(text, what=f"description of {site.name}", most=MAX_DESCRIPTION, cites="2.5.1.2").strip()
    site.description, site.written_by, site.state, site.reason = text, judge.name, HandedIn.ACCEPTED, ""
    _store(setup, site)
    save_step(setup, "descriptions", judge, now, site=site.name, written=True)
    return site


@transaction.atomic
def reveal(*, round: Round, judge: Judge, now: datetime) -> None:
    """2.5.1.2, 2.5.1.3: makes bases, win conditions and accepted descriptions public, and the towns that are placed.

    Refused while a base has no legal place, and before the Coalition has chosen its win conditions. Twice does it once.
    """
    setup = held_setup(round, judge)
    if is_revealed(setup):
        return
    if found := hindrances(setup):
        raise Refused(" ".join(problem.sentence for problem in found), found[0].cites)
    setup.revealed_at = now
    publish_sites(setup, judged_sites(planned_sites(round), {}).sites)
    save_step(setup, "reveal", judge, now)


def _site(round: Round, site_id: int) -> PlannedSite:
    site = PlannedSite.objects.select_for_update().filter(round=round, pk=site_id).first()
    if site is None or side_of(site) is None:
        raise Refused("There is no such base.", "2.5.1.2")
    return site


def _store(setup: RoundSetup, site: PlannedSite) -> None:
    """2.5.1.2: keeps the row; what is accepted after the reveal is public at once."""
    site.version += 1
    site.save()
    if is_revealed(setup) and site.state == HandedIn.ACCEPTED:
        Base.objects.filter(round=setup.round, name=site.name).update(description=site.description)
