"""2.5.1: what a team's leaders do in the set-up: they ask, describe and choose."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime

from django.db import transaction

from judging.armies.models import HandedIn
from judging.armies.musters.reads import is_leader
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import check_storable, checked_text
from judging.setup.models import PlannedSite, RoundSetup, SideWish
from judging.setup.steps.sites import KINDS, is_revealed, planned_sites, side_of
from judging.setup.steps.sites_writes import MAX_DESCRIPTION
from judging.setup.steps.team import has_leader
from judging.setup.steps.wins import WIN_CONDITIONS
from judging.setup.writes import held_setup, open_setup, save_step
from wargame.models import Judge, Player, Round
from wargame.rules.core.sides import Side

MAX_WISH = 4_000


@transaction.atomic
def save_wish(*, round: Round, player: Player | None, text: str, base_version: int, now: datetime) -> SideWish:
    """2.5.1.1: what the leaders of a side ask of the judge about their bases; one text a side, empty: nothing.

    Refused for anybody but a leader, and on top of a version that is not the last.
    """
    open_setup(round)
    leader = _leader(round, player)
    text = text.replace("\r\n", "\n").strip()
    check_storable(text, what="text", cites="2.5.1.1")
    if len(text) > MAX_WISH:
        raise Refused(f"The text has {len(text):,} characters; {MAX_WISH:,} is the most.", "2.5.1.1")
    given = {"written_by": leader.name, "saved_at": now}
    wish, _ = SideWish.objects.select_for_update().get_or_create(round=round, side=leader.side, defaults=given)
    if wish.version != base_version:
        raise _stale("2.5.1.1")
    if wish.text != text:
        wish.text, wish.written_by, wish.saved_at, wish.version = text, leader.name, now, wish.version + 1
        wish.save()
        record(round, leader.user, "setup.asked", {"side": leader.side}, now)
    return wish


@transaction.atomic
def save_descriptions(
    *,
    round: Round,
    player: Player | None,
    typed: Mapping[int, tuple[str, int]],
    send: Collection[int],
    now: datetime,
) -> list[str]:
    """2.5.1.2: keeps the descriptions of the side's bases, and hands those of `send` to the judge; returns their names.

    `typed` are text and the version that it began from, by the site's key. One that is with the judge becomes a draft
    again if it is changed. Refused as a whole for others, on top of a version that is not the last, and for one that is
    accepted or to be handed in without a text.
    """
    open_setup(round)
    leader = _leader(round, player)
    sites = PlannedSite.objects.select_for_update().filter(round=round, pk__in=typed)
    sent = []
    for site in sorted(sites, key=lambda site: (site.kind, site.place)):
        text, version = typed[site.pk]
        if _save_description(site, leader, text, version, site.pk in send):
            sent.append(site.name)
    if sent:
        record(round, leader.user, "setup.described", {"sites": sent}, now)
    return sent


@transaction.atomic
def choose_wins(*, round: Round, player: Player | None, chosen: Collection[int], now: datetime) -> None:
    """2.5.1.3: the Coalition's leaders choose exactly 5 of its bases, before the bases are public.

    The last choice counts. Refused for everybody else, for another number, and after the reveal.
    """
    setup = open_setup(round)
    leader = _leader(round, player)
    if leader.side != Side.COALITION:
        raise Refused("Win conditions are chosen by the Coalition's leaders; all portals are.", "2.5.1.3")
    _choose(setup, chosen)
    setup.chosen_by, setup.chosen_at = leader, now
    setup.save(update_fields=["chosen_by", "chosen_at"])
    record(round, leader.user, "setup.chosen", {}, now)


@transaction.atomic
def choose_wins_instead(*, round: Round, judge: Judge, chosen: Collection[int], now: datetime) -> None:
    """1.3, 2.5.1.3: the judge chooses for a Coalition that has no leader. Refused while it has one."""
    setup = held_setup(round, judge)
    if has_leader(round, Side.COALITION):
        raise Refused("The Coalition has leaders, and the choice is theirs.", "2.5.1.3")
    _choose(setup, chosen)
    setup.chosen_by, setup.chosen_at = None, now
    save_step(setup, "wins", judge, now)


def _save_description(site: PlannedSite, leader: Player, text: str, version: int, send: bool) -> bool:
    """2.5.1.2: keeps one description; whether it was handed in thereby."""
    if side_of(site) != leader.side:
        raise Refused("The description of a base is written by the leaders of its own side.", "2.5.1.2")
    text = text.replace("\r\n", "\n").strip()
    if text == site.description and (not send or site.state in (HandedIn.SENT, HandedIn.ACCEPTED)):
        return False
    if site.state == HandedIn.ACCEPTED:
        raise Refused(f"The judge accepted the description of {site.name}; it stays as it is.", "2.5.1.2")
    if site.version != version:
        raise _stale("2.5.1.2")
    if text or send:
        checked_text(text, what=f"description of {site.name}", most=MAX_DESCRIPTION, cites="2.5.1.2")
    site.description, site.written_by, site.version = text, leader.name, site.version + 1
    site.state = HandedIn.SENT if send else HandedIn.DRAFT
    site.save()
    return send


def _choose(setup: RoundSetup, chosen: Collection[int]) -> None:
    if is_revealed(setup):
        raise Refused("The bases are public, so the choice stays as it was made.", "2.5.1.3")
    bases = {site.pk for site in planned_sites(setup.round, KINDS.BASE)}
    own = bases & set(chosen)
    if len(own) != WIN_CONDITIONS:
        count = "1 base is" if len(own) == 1 else f"{len(own)} bases are"
        raise Refused(f"{count} chosen; it must be exactly {WIN_CONDITIONS}.", "2.5.1.3")
    PlannedSite.objects.filter(round=setup.round).update(is_win=False)
    PlannedSite.objects.filter(pk__in=own).update(is_win=True)


def _leader(round: Round, player: Player | None) -> Player:
    if player is None or player.round_id != round.pk or not is_leader(player):
        raise Refused("That is for the leaders of the two teams.", "1.1")
    return player


def _stale(cites: str) -> Refused:
    return Refused(
        "Another of your leaders changed this meanwhile. Yours is kept in the form; saving again replaces theirs.",
        cites,
    )
