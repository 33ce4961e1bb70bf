"""2.5: a round is begun or given up, and what every step of its set-up does before it writes."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import User
from django.db import IntegrityError
from django.utils.text import slugify
from django.utils.translation import gettext

from judging.command.people.invitations import invite_players
from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import LONGEST_JUDGE_NAME
from judging.game.log_entry import record
from judging.game.models import LogEntry
from judging.game.rounds import GIVEN_UP
from judging.game.texts import check_storable, checked_text, checked_token
from judging.setup.earlier import rounds_to_begin_from, take_over
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.reads import may_create_round
from wargame.models import Judge, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.armies.terrain_text import EMPTY
from wargame.rules.battle.criteria import default_criteria
from wargame.rules.core.board import COLORS

LONGEST_ROUND_NAME = 80
LONGEST_REASON = 500


class Begun(NamedTuple):
    """2.5: a round that was begun; how many players were `invited`, and what of the earlier one was not taken over."""

    round: Round
    invited: int = 0
    left_out: tuple[str, ...] = ()


@locking.writes
def begin_from(*, user: User, name: str, token: str, earlier: Round, invites: bool, now: datetime) -> Begun:
    """2.5: a new round with all that an earlier one had, to be edited step by step; `invites`: its players are asked to
    play again. The same form sent twice makes one. Refused as `create_round` is, and for a round of somebody else that
    is not over."""
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
    begun = begin_from(user=user, name=name, token=token, earlier=before, invites=invites, now=now)
    said = gettext("The set-up was copied from %(round)s. You can change it in each step.") % {"round": before.name}
    if begun.invited:
        said += " " + gettext("Invited players: %(number)s.") % {"number": begun.invited}
    return said, begun


@locking.writes
def create_round(*, user: User, name: str, token: str, now: datetime) -> Round:
    """2.5: a new round in its set-up, with its user as head battle judge (1.3). The same form sent twice makes one.

    Refused for who may not, and for a name that can't be one.
    """
    if not may_create_round(user):
        raise Refused(gettext("You need an administrator's permission to set up rounds."), "1.3")
    name, token = checked_name(name), checked_token(token)
    locking.hold(User.objects, pk=user.pk)  # two clicks come one after the other
    made = RoundSetup.objects.select_related("round").filter(author=user, token=token).first()
    if made is not None:
        return made.round
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
        raise Refused(
            gettext("Someone started a round with this name at the same moment. Send the form again."), "1.5"
        ) from None
    setup = RoundSetup.objects.create(round=round_, author=user, token=token)
    PlannedSite.objects.bulk_create(_sites(round_))
    called = (user.get_full_name() or user.get_username())[:LONGEST_JUDGE_NAME]
    Judge.objects.create(round=round_, user=user, name=called, role=Role.BATTLE)
    record(setup.round, user, "setup.begun", {"name": name}, now)
    return round_


@locking.writes
def give_up(*, round: Round, judge: Judge, reason: str, is_sure: bool, now: datetime) -> str:
    """2.5: the round is gone from all lists for good; its address gives the reason, which anybody may read. Returns
    the message.

    Refused for anybody but the head battle judge (1.3), without a reason, if he is not sure, and for a round that has
    begun: it ends by a victory (1.5).
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
    """2.5: the set-up, held until the transaction ends. Call it first in every service of a step.

    Refused for anybody but a battle judge of the round (1.3), when the round has begun, and, with `base_version`, if
    the step was saved by somebody else since the form was opened.
    """
    if judge is None or judge.round_id != round.pk or judge.role != Role.BATTLE:
        raise Refused(gettext("Only battle judges of this round can set it up."), "1.3")
    held = open_setup(round)
    if base_version is not None and held.version(step) != base_version:
        raise Refused(
            gettext(
                "This step was saved in another window or by another judge. Your changes are still in the form. "
                "If you save again, they will replace the other version."
            ),
            "2.5",
        )
    return held


def open_setup(round: Round) -> RoundSetup:
    """2.5: the set-up, held until the transaction ends. Refused when the round has begun, or was given up."""
    held = locking.hold_first(RoundSetup.objects.select_related("round").filter(round_id=round.pk))
    if held is None or held.round.state != RoundState.SETUP:
        was_given_up = held is not None and held.round.state == RoundState.GIVEN_UP
        if was_given_up:
            raise Refused(gettext("The round was cancelled, so you can't change its set-up."), "2.5")
        raise Refused(gettext("The round has started, so you can't change its set-up any more."), "2.5")
    return held


def save_step(setup: RoundSetup, step: str, judge: Judge, now: datetime, **data: object) -> None:
    """2.5: stores the set-up with one more version of the step, and records the act. `data` holds nothing secret."""
    setup.versions = {**setup.versions, step: setup.version(step) + 1}
    setup.save()
    record(setup.round, judge.user, f"setup.{step}", data, now)


def checked_name(name: str) -> str:
    """The name of a round. Refused if there is none, or if it is too long."""
    name = " ".join(name.split())
    check_storable(name, what="name", cites="1.5")
    if not name:
        raise Refused(gettext("Give the round a name."), "1.5", "name")
    if len(name) > LONGEST_ROUND_NAME:
        raise Refused(
            gettext("The name is limited to %(most)s characters; yours has %(number)s.")
            % {"number": len(name), "most": LONGEST_ROUND_NAME},
            "1.5",
            "name",
        )
    return name


def _free_slug(name: str) -> str:
    slug = slugify(name)[:40].strip("-") or "round"
    taken = set(Round.objects.filter(slug__startswith=slug).values_list("slug", flat=True))
    others = (f"{slug}-{number}" for number in range(2, len(taken) + 3))
    return slug if slug not in taken else next(other for other in others if other not in taken)


def _sites(round_: Round) -> list[PlannedSite]:
    """1.1.1, 1.1.2, 2.5.1.4: seven bases, five portals and three towns, which have no squares yet."""
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
