"""2.5: a round is begun from an earlier one: what is taken over from it, to be edited in the steps of the set-up."""

from __future__ import annotations

from collections import Counter
from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q
from django.utils.translation import gettext

from judging.battles.models import Criterion
from judging.setup.models import PlannedSite, RoundSetup
from judging.turns.calendar import FIELDS
from wargame.models import Army, Base, Judge, Round, Town
from wargame.models.choices import Role, RoundState
from wargame.rules.armies.terrain_text import EMPTY
from wargame.rules.core.sides import RANKS, Side

KINDS = PlannedSite.Kind
STEPS = ("name", "calendar", "terrain", "bases", "towns", "judges")
"""The steps that count as saved, as they were in the earlier round."""


def rounds_to_begin_from(user: User | AnonymousUser) -> list[Round]:
    """2.5: those whose battles the user judges or judged, and all that are over; the newest first."""
    own = Judge.everybody.filter(user_id=user.pk or 0, role=Role.BATTLE).values("round")
    rows = Round.objects.filter(Q(state=RoundState.OVER) | Q(pk__in=own)).exclude(state=RoundState.GIVEN_UP)
    return list(rows.order_by("-created_at", "-pk"))


def take_over(setup: RoundSetup, earlier: Round, now: datetime) -> list[str]:
    """2.5: map, bases, towns, calendar, numbers, judges and their criteria of an earlier round; what could not be taken
    over, in sentences. Win conditions are chosen anew (2.5.1.3). The set-up is new, so that nobody else has it yet."""
    round_ = setup.round
    for name in FIELDS:
        if name != "name":
            setattr(round_, name, getattr(earlier, name))
    was_setup = RoundSetup.objects.filter(round=earlier).first()
    has_begun = earlier.state != RoundState.SETUP
    known = {step for step in STEPS if has_begun or (was_setup is not None and was_setup.version(step))}
    if "terrain" in known and earlier.terrain.split() != list(EMPTY):
        round_.terrain = earlier.terrain
    else:
        known -= {"terrain"}
    round_.save()
    if was_setup is not None:
        setup.armies, setup.weekday, setup.deadline_at = was_setup.armies, was_setup.weekday, was_setup.deadline_at
    else:
        setup.armies = _numbers(earlier)
    setup.versions = dict.fromkeys((step for step in STEPS if step in known), 1)
    setup.save()
    return [*_sites(round_, earlier), *_judges(setup, earlier, now)]


def _numbers(earlier: Round) -> list[int]:
    """2.5.2.1: how many armies of each rank there are in a round that nobody set up here, the dead ones with them; of
    the two sides the larger number."""
    ranks = Counter(Army.objects.filter(round=earlier).exclude(rank="").values_list("rank", flat=True))
    of_sides = [[ranks[rank.value] for rank in RANKS[side]] for side in (Side.COALITION, Side.PHYREXIA)]
    return [max(numbers) for numbers in zip(*of_sides, strict=True)]


def _sites(round_: Round, earlier: Round) -> list[str]:
    """2.5.1: names, squares and descriptions; a site of which there was none keeps its own name and has no square."""
    before = _earlier_sites(earlier)
    lacking = []
    taken: set[str] = set()
    for site in PlannedSite.objects.filter(round=round_):
        found = before.pop((site.kind, site.color or str(site.place)), None)
        if found is None or not found[1] or found[1] in taken:
            lacking.append(gettext("%(site)s had no square in that round.") % {"site": site.name})
            continue
        site.name, site.at, site.description = found
        taken.add(site.at)
        site.save(update_fields=["name", "at", "description"])
    return [
        *lacking,
        *(
            gettext("%(name)s wasn't copied: a set-up has no place for it.") % {"name": name}
            for name, _, _ in before.values()
        ),
    ]


def _earlier_sites(earlier: Round) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Name, square and description of the sites of a round, by their kind and their colour or place: as they were
    planned, or where nobody planned them here, as they stand on the map."""
    planned = PlannedSite.objects.filter(round=earlier)
    if planned:
        return {(s.kind, s.color or str(s.place)): (s.name, s.at, s.description) for s in planned}
    found: dict[tuple[str, str], tuple[str, str, str]] = {}
    bases = Base.objects.filter(round=earlier).order_by("pk")
    found |= {(KINDS.BASE.value, b.color): (b.name, b.at, b.description) for b in bases if b.color}
    portals = (base for base in bases if not base.color)
    found |= {(KINDS.PORTAL.value, str(n)): (b.name, b.at, b.description) for n, b in enumerate(portals)}
    towns = Town.objects.filter(round=earlier).order_by("pk")
    return found | {(KINDS.TOWN.value, str(n)): (t.name, t.at, t.description) for n, t in enumerate(towns)}


def _judges(setup: RoundSetup, earlier: Round, now: datetime) -> list[str]:
    """1.3, 4.2.1: the judges who served until the end, with what they look at in strats. The author stays head battle
    judge, so another one who was becomes an assistant."""
    lacking = []
    for was in Judge.objects.filter(round=earlier).select_related("user").order_by("pk"):
        if not was.user.is_active:
            lacking.append(
                gettext("%(judge)s (%(role)s) no longer has an account.")
                % {"judge": was.name, "role": was.get_role_display()}
            )
            continue
        is_head = was.is_head and was.role != Role.BATTLE
        given = {"name": was.name, "is_head": is_head, "named_at": now}
        judge, _ = Judge.objects.get_or_create(round=setup.round, user=was.user, role=was.role, defaults=given)
        names = was.criteria.filter(retired=False).values_list("name", flat=True)
        Criterion.objects.bulk_create(Criterion(judge=judge, name=name) for name in names)
    return lacking
