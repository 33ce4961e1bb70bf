"""2.5: The people who set up a round, beginning one (also from an earlier one), giving it up, and the common start
of each step's service."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, Permission, User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext

from judging.battles.models import Criterion
from judging.command.people.admission import invite_players
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import LONGEST_JUDGE_NAME, is_administrator, seats_of
from judging.common.log_entry import record
from judging.common.models import LogEntry
from judging.common.request_cache import request_cached
from judging.common.rounds import GIVEN_UP
from judging.common.texts import check_storable, checked_text, checked_token
from judging.common.viewer import Viewer
from judging.setup.models import PlannedSite, RoundSetup
from judging.svg.crests import short_side
from judging.turns.calendar import FIELDS
from wargame.models import Army, Base, Judge, Round, Town
from wargame.models.choices import Role, RoundState
from wargame.rules.armies.terrain_text import EMPTY
from wargame.rules.battle.criteria import default_criteria
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import RANKS, Side


@dataclass(frozen=True)
class SetupDesk:
    """2.5: a round in its set-up, for one of its battle judges."""

    round: Round
    setup: RoundSetup
    judge: Judge
    viewer: Viewer


@request_cached
def may_create_round(user: User | AnonymousUser) -> bool:
    """1.3: a new round can be begun by administrators, and by users to whom they gave the permission."""
    if not (user.is_authenticated and user.is_active):
        return False
    permissions = Permission.objects.filter(content_type__app_label="wargame", codename="add_round")
    return is_administrator(user) or permissions.filter(Q(user=user) | Q(group__user=user)).exists()


def check_may_create_round(user: User | AnonymousUser) -> None:
    """1.3: raises PermissionDenied for users who can't begin a round."""
    if not may_create_round(user):
        raise PermissionDenied(gettext("You need permission from an administrator of this site to set up rounds."))


@request_cached
def setup_of(round: Round) -> RoundSetup | None:
    """2.5: the set-up of a round that was begun here; None for any other."""
    setup = RoundSetup.objects.select_related("round", "author", "chosen_by").filter(round=round).first()
    if setup is not None:
        setup.round = round
    return setup


def setup_desk(viewer: Viewer) -> SetupDesk | None:
    """1.3, 2.5: the set-up for one of the round's battle judges, as long as the round has not begun; else None."""
    if viewer.round.state != RoundState.SETUP or not viewer.is_judge(Role.BATTLE):
        return None
    judges = (each for each in judges_of(viewer.round) if each.user_id == viewer.user_id)
    judge = next((each for each in judges if each.role == Role.BATTLE), None)
    setup = setup_of(viewer.round)
    return SetupDesk(viewer.round, setup, judge, viewer) if judge and setup else None


@request_cached
def judges_of(round: Round) -> list[Judge]:
    """1.3: the judges of a round, by role, heads first."""
    order = {role: place for place, role in enumerate((Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))}
    judges = Judge.objects.filter(round=round).select_related("user")
    return sorted(judges, key=lambda judge: (order[Role(judge.role)], not judge.is_head, judge.name.casefold()))


def rounds_in_setup() -> list[Round]:
    """2.5: the rounds that are being set up, newest first."""
    return list(Round.objects.filter(state=RoundState.SETUP, setup__isnull=False).order_by("-created_at", "-pk"))


def setups_of(user: User | AnonymousUser) -> list[Round]:
    """1.3, 2.5: the rounds that the user sets up as a battle judge, newest first."""
    judged = {seat.round_id for seat in seats_of(user) if seat.role == Role.BATTLE}
    in_setup = {seat.round_id for seat in seats_of(user) if seat.round.state == RoundState.SETUP}
    return [round_ for round_ in rounds_in_setup() if round_.pk in judged] if judged & in_setup else []


def team_name(side: Side) -> str:
    """1.1: a team's name at the beginning of a list item: Coalition, Phyrexia."""
    return short_side(side)


KINDS = PlannedSite.Kind
STEPS = ("name", "calendar", "terrain", "bases", "towns", "judges")
"""The steps that are taken over and count as saved."""


def rounds_to_begin_from(user: User | AnonymousUser) -> list[Round]:
    """2.5: those whose battles the user judges or judged, and all that are over; newest first."""
    judged_rounds = Judge.everybody.filter(user_id=user.pk or 0, role=Role.BATTLE).values("round")
    rows = Round.objects.filter(Q(state=RoundState.OVER) | Q(pk__in=judged_rounds)).exclude(state=RoundState.GIVEN_UP)
    return list(rows.order_by("-created_at", "-pk"))


def take_over(setup: RoundSetup, earlier: Round, now: datetime) -> list[str]:
    """2.5: take over map, bases, towns, calendar, numbers, judges and their criteria of an earlier round; returns
    what could not be taken over, in sentences. Win conditions are chosen again (2.5.1.3). The set-up is new, so
    nobody else has locked it."""
    round_ = setup.round
    for name in FIELDS:
        if name != "name":
            setattr(round_, name, getattr(earlier, name))
    was_setup = RoundSetup.objects.filter(round=earlier).first()
    has_begun = earlier.state != RoundState.SETUP
    known_steps = {step for step in STEPS if has_begun or (was_setup is not None and was_setup.version(step))}
    if "terrain" in known_steps and earlier.terrain.split() != list(EMPTY):
        round_.terrain = earlier.terrain
    else:
        known_steps -= {"terrain"}
    round_.save()
    if was_setup is not None:
        setup.armies, setup.weekday, setup.deadline_at = was_setup.armies, was_setup.weekday, was_setup.deadline_at
    else:
        setup.armies = _numbers(earlier)
    setup.versions = dict.fromkeys((step for step in STEPS if step in known_steps), 1)
    setup.save()
    return [*_copied_sites(round_, earlier), *_judges(setup, earlier, now)]


def _numbers(earlier: Round) -> list[int]:
    """2.5.2.1: the number of armies of each rank, including dead ones, in a round that was not set up here; of the
    two sides the larger number."""
    ranks = Counter(Army.objects.filter(round=earlier).exclude(rank="").values_list("rank", flat=True))
    of_sides = [[ranks[rank.value] for rank in RANKS[side]] for side in (Side.COALITION, Side.PHYREXIA)]
    return [max(numbers) for numbers in zip(*of_sides, strict=True)]


def _copied_sites(round_: Round, earlier: Round) -> list[str]:
    """2.5.1: names, squares and descriptions; a site that did not exist keeps its own name and has no square."""
    before = _earlier_sites(earlier)
    lacking = []
    used_squares: set[str] = set()
    for site in PlannedSite.objects.filter(round=round_):
        values = before.pop((site.kind, site.color or str(site.place)), None)
        if values is None or not values[1] or values[1] in used_squares:
            lacking.append(gettext("%(site)s had no square in that round.") % {"site": site.name})
            continue
        site.name, site.at, site.description = values
        used_squares.add(site.at)
        site.save(update_fields=["name", "at", "description"])
    told = gettext("%(name)s wasn't copied: a set-up has no place for it.")
    return [*lacking, *(told % {"name": name} for name, _, _ in before.values())]


def _earlier_sites(earlier: Round) -> dict[tuple[str, str], tuple[str, str, str]]:
    """Name, square and description of the sites of a round, by their kind and their colour or place: as they were
    planned or, without a plan here, as they are on the map."""
    planned = PlannedSite.objects.filter(round=earlier)
    if planned:
        return {(s.kind, s.color or str(s.place)): (s.name, s.at, s.description) for s in planned}
    sites: dict[tuple[str, str], tuple[str, str, str]] = {}
    bases = Base.objects.filter(round=earlier).order_by("pk")
    sites |= {(KINDS.BASE.value, b.color): (b.name, b.at, b.description) for b in bases if b.color}
    portals = (base for base in bases if not base.color)
    sites |= {(KINDS.PORTAL.value, str(n)): (b.name, b.at, b.description) for n, b in enumerate(portals)}
    towns = Town.objects.filter(round=earlier).order_by("pk")
    return sites | {(KINDS.TOWN.value, str(n)): (t.name, t.at, t.description) for n, t in enumerate(towns)}


def _judges(setup: RoundSetup, earlier: Round, now: datetime) -> list[str]:
    """1.3, 4.2.1: the judges who served until the end, with their criteria for strats. The author stays head battle
    judge, so the earlier one becomes an assistant."""
    lacking = []
    for was in Judge.objects.filter(round=earlier).select_related("user").order_by("pk"):
        if not was.user.is_active:
            told = gettext("%(judge)s (%(role)s) no longer has an account.")
            lacking.append(told % {"judge": was.name, "role": was.get_role_display()})
            continue
        is_head = was.is_head and was.role != Role.BATTLE
        defaults = {"name": was.name, "is_head": is_head, "named_at": now}
        judge, _ = Judge.objects.get_or_create(round=setup.round, user=was.user, role=was.role, defaults=defaults)
        names = was.criteria.filter(retired=False).values_list("name", flat=True)
        Criterion.objects.bulk_create(Criterion(judge=judge, name=name) for name in names)
    return lacking


LONGEST_ROUND_NAME = 80
LONGEST_REASON = 500


class Begun(NamedTuple):
    """2.5: a round that was begun; how many players were `invited`, and what could not be taken over from the
    earlier one."""

    round: Round
    invited: int = 0
    left_out: tuple[str, ...] = ()


@locking.writes
def begin_from(*, user: User, name: str, token: str, earlier: Round, invites: bool, now: datetime) -> Begun:
    """2.5: a new round with the data of an earlier one, to be edited step by step; `invites`: its players are asked
    to play again. The same form sent twice makes one. Refused as `create_round` is, and for another user's round
    that is not over."""
    if earlier not in rounds_to_begin_from(user):
        raise Refused(gettext("Choose a finished round, or one whose battles you judged."), "2.5", "earlier")
    round_ = create_round(user=user, name=name, token=token, now=now)
    # Its user is held by now, and nobody else knows of the new set-up: it need not be held.
    setup = RoundSetup.objects.select_related("round").get(round=round_)
    if LogEntry.objects.filter(round=round_, action="setup.taken_over").exists():
        return Begun(round_)
    left_out = take_over(setup, earlier, now)
    record(round_, user, "setup.taken_over", {"earlier": earlier.name}, now)
    invited = invite_players(round=round_, earlier=earlier, by=user, now=now) if invites else 0
    return Begun(setup.round, invited, tuple(left_out))


def begin_round(*, user: User, name: str, token: str, earlier: str, invites: bool, now: datetime) -> tuple[str, Begun]:
    """2.5: a new round, from the one with the slug `earlier` unless that is empty; with the message."""
    if not earlier:
        return "", Begun(create_round(user=user, name=name, token=token, now=now))
    before = next((each for each in rounds_to_begin_from(user) if each.slug == earlier), None)
    if before is None:
        raise Refused(gettext("Choose a finished round, or one whose battles you judged."), "2.5", "earlier")
    new_round = begin_from(user=user, name=name, token=token, earlier=before, invites=invites, now=now)
    message = gettext("The set-up was copied from %(round)s. You can change it in each step.") % {"round": before.name}
    if new_round.invited:
        message += " " + gettext("Invited players: %(number)s.") % {"number": new_round.invited}
    return message, new_round


@locking.writes
def create_round(*, user: User, name: str, token: str, now: datetime) -> Round:
    """2.5: a new round in its set-up, with its user as head battle judge (1.3). The same form sent twice makes one.

    Refused for users without permission, and for an invalid name.
    """
    if not may_create_round(user):
        raise Refused(gettext("You need an administrator's permission to set up rounds."), "1.3")
    name, token = checked_name(name), checked_token(token)
    locking.hold(User.objects, pk=user.pk)  # two clicks come one after the other
    previous = RoundSetup.objects.select_related("round").filter(author=user, token=token).first()
    if previous is not None:
        return previous.round
    try:
        with locking.transaction():
            round_ = Round.objects.create(
                name=name,
                slug=_free_slug(name),
                terrain="\n".join(EMPTY),
                criteria=default_criteria(),
                created_at=now,
            )
    except IntegrityError:
        told = gettext("Someone started a round with this name at the same moment. Send the form again.")
        raise Refused(told, "1.5") from None
    setup = RoundSetup.objects.create(round=round_, author=user, token=token)
    PlannedSite.objects.bulk_create(_sites(round_))
    judge_name = (user.get_full_name() or user.get_username())[:LONGEST_JUDGE_NAME]
    Judge.objects.create(round=round_, user=user, name=judge_name, role=Role.BATTLE)
    record(setup.round, user, "setup.begun", {"name": name}, now)
    return round_


@locking.writes
def give_up(*, round: Round, judge: Judge, reason: str, is_sure: bool, now: datetime) -> str:
    """2.5: remove the round from all lists for good; its address gives the reason, which is public. Returns the
    message.

    Refused for anybody but the head battle judge (1.3), without a reason, without confirmation, and for a round that
    has begun: it ends by a victory (1.5).
    """
    held_setup(round, judge)
    if not judge.is_head:
        raise Refused(gettext("Only the head battle judge can cancel the round."), "1.3")
    reason = checked_text(reason, what="reason", most=LONGEST_REASON, cites="2.5", field="reason").strip()
    if not is_sure:
        raise Refused(gettext("Tick the box to confirm. Cancelling a round can't be undone."), "2.5", "sure")
    if not Round.objects.filter(pk=round.pk, state=RoundState.SETUP).update(state=RoundState.GIVEN_UP):
        raise Refused(gettext("The round has started, so you can't cancel it any more."), "1.5")
    round.state = RoundState.GIVEN_UP
    record(round, judge.user, GIVEN_UP, {"reason": reason}, now)
    return gettext("%(round)s is cancelled.") % {"round": round.name}


def held_setup(round: Round, judge: Judge | None, step: str = "", base_version: int | None = None) -> RoundSetup:
    """2.5: the set-up, locked until the transaction ends. Call it first in every service of a step.

    Refused for anybody but a battle judge of the round (1.3), when the round has begun, and, with `base_version`, if
    another judge saved the step since the form was opened.
    """
    if judge is None or judge.round_id != round.pk or judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges of this round can set it up."), "1.3")
    setup = open_setup(round)
    if base_version is not None and setup.version(step) != base_version:
        told = gettext(
            "This step was saved in another window or by another judge. Your changes are still in the form. "
            "If you save again, they will replace the other version."
        )
        raise Refused(told, "2.5")
    return setup


def open_setup(round: Round) -> RoundSetup:
    """2.5: the set-up, locked until the transaction ends. Refused when the round has begun, or was given up."""
    setup = locking.hold_first(RoundSetup.objects.select_related("round").filter(round_id=round.pk))
    if setup is None or setup.round.state != RoundState.SETUP:
        if setup is not None and setup.round.state == RoundState.GIVEN_UP:
            raise Refused(gettext("The round was cancelled, so you can't change its set-up."), "2.5")
        raise Refused(gettext("The round has started, so you can't change its set-up any more."), "2.5")
    return setup


def save_step(setup: RoundSetup, step: str, judge: Judge, now: datetime, **data: object) -> None:
    """2.5: store the set-up, increment the version of the step, and record the act. `data` holds nothing secret."""
    setup.versions = {**setup.versions, step: setup.version(step) + 1}
    setup.save()
    record(setup.round, judge.user, f"setup.{step}", data, now)


def checked_name(name: str) -> str:
    """The name of a round. Refused if it is empty or too long."""
    name = " ".join(name.split())
    check_storable(name, what="name", cites="1.5")
    if not name:
        raise Refused(gettext("Give the round a name."), "1.5", "name")
    if len(name) > LONGEST_ROUND_NAME:
        told = gettext("The name is limited to %(most)s characters; yours has %(number)s.")
        raise Refused(told % {"number": len(name), "most": LONGEST_ROUND_NAME}, "1.5", "name")
    return name


def _free_slug(name: str) -> str:
    slug = slugify(name)[:40].strip("-") or "round"
    used_slugs = set(Round.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    candidates = (f"{slug}-{number}" for number in range(2, len(used_slugs) + 3))
    return slug if slug not in used_slugs else next(other for other in candidates if other not in used_slugs)


def _sites(round_: Round) -> list[PlannedSite]:
    """1.1.1, 1.1.2, 2.5.1.4: seven bases, five portals and three towns, without squares."""
    kinds = PlannedSite.Kind
    titles = {"multicolor": "5-Color Base"}
    bases = [(kinds.BASE, titles.get(color, f"{color.capitalize()} Base"), color) for color in COLORS]
    portals = [(kinds.PORTAL, f"Portal {number}", "") for number in range(1, 6)]
    towns = [(kinds.TOWN, gettext("Town %(number)s") % {"number": number}, "") for number in range(1, 4)]
    return [
        PlannedSite(round=round_, kind=kind, place=place, name=name, color=color)
        for sites in (bases, portals, towns)
        for place, (kind, name, color) in enumerate(sites)
    ]
