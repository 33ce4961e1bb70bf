"""2.5.3, 6.1 to 6.3: the mercenaries of a new round: drawn, edited and accepted by the judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from judging.armies.models import Muster
from judging.armies.musters.judged import Typed
from judging.armies.musters.writes import check_texts
from judging.game.errors import Refused
from judging.setup.draws import dice_of, held_draws
from judging.setup.models import ArmySetup, MercenaryPlan, RoundSetup
from judging.setup.steps.mercenaries import others_of, plan_views
from judging.setup.steps.placement import board_of, mustered, plans_of, square_of
from judging.setup.steps.placement_writes import read_typed
from judging.setup.steps.proxies import barracks
from judging.setup.steps.sites import is_revealed
from judging.setup.writes import held_setup, save_step
from wargame.models import Judge, Player, Round
from wargame.rules.armies.muster_list import write_entry
from wargame.rules.armies.recruiting import Barracks
from wargame.rules.core.board import Board, Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.troops import SLOTS
from wargame.rules.mercenaries.muster import POST_OF, POSTS, Hired, Post, hire, place_mercenaries

STEP = "mercenaries"


@dataclass(frozen=True)
class TypedPlan:
    """What stands in the form of a mercenary army."""

    typed: Typed
    at: str


@transaction.atomic
def draw_mercenaries(*, round: Round, judge: Judge, base_version: int, now: datetime, lot: str = "") -> int:
    """2.5.3: a proposal for all mercenaries, drawn anew; with `lot` for that one alone. How many were drawn.

    Refused before the bases and towns are public, and for a lot that there is not.
    """
    setup = _open(round, judge, base_version)
    if lot and lot not in POST_OF:
        raise Refused(f"There is no mercenary army “{lot}”.", "2.5.3")
    draws = held_draws(round, judge, now)
    plans = {plan.lot: plan for plan in plans_of(round)}
    posts = [POST_OF[lot]] if lot else list(POSTS)
    number = _next_number(plans, posts)
    kept = {plan.lot: at for plan in plans.values() if plan.lot != lot and (at := square_of(plan.at))} if lot else {}
    occupied = [at for army in mustered(round) if (at := square_of(army.at))]
    camp = _Camp(board_of(round), barracks(), dice_of(draws), number)
    places = place_mercenaries(camp.board, occupied, camp.dice, number, kept)
    for post in posts:
        plans.pop(post.lot, None)
    for post in posts:
        plans[post.lot] = _hire(round, post, places[post.lot], list(plans.values()), camp)
    draws.hired = max(draws.hired, number)
    _propose(setup, draws, judge, now, drawn=[post.lot for post in posts], draw=number)
    return len(posts)


@transaction.atomic
def save_mercenaries(
    *, round: Round, judge: Judge, typed: Mapping[str, TypedPlan], base_version: int, now: datetime
) -> int:
    """2.5.3: keeps what the judge typed of the mercenaries, by their lots, legal or not; how many changed.

    Refused for a text that can't be stored, and for what is no square of the map.
    """
    setup = _open(round, judge, base_version)
    changed = _edit_all(round, typed)
    if changed:
        _propose(setup, held_draws(round, judge, now), judge, now, edited=changed)
    return changed


@transaction.atomic
def accept_mercenaries(
    *, round: Round, judge: Judge, typed: Mapping[str, TypedPlan], base_version: int, now: datetime
) -> None:
    """2.5.3: the mercenaries as they are typed are decided on, until one is changed. Refused while a rule speaks
    against one."""
    setup = _open(round, judge, base_version)
    _edit_all(round, typed)
    views = plan_views(round, board_of(round))
    if len(views) < len(POSTS):
        raise Refused("Draw the mercenaries first.", "2.5.3")
    for view in views:
        for finding in view.judged.breaches:
            raise Refused(f"{view.plan}: {finding.sentence}", finding.cites)
        if not view.judged.is_legal:
            raise Refused(f"{view.plan} has no troops, or lines that can't be read.", "2.5.3")
        for fault in view.faults:
            if fault.is_breach:
                raise Refused(fault.sentence, fault.cites)
    draws = held_draws(round, judge, now)
    draws.hired_at = now
    draws.save()
    save_step(setup, STEP, judge, now, accepted=len(views))


def _open(round: Round, judge: Judge, base_version: int) -> RoundSetup:
    setup = held_setup(round, judge, STEP, base_version)
    if not is_revealed(setup):
        raise Refused("Mercenaries come once the bases and towns are public.", "2.5.3")
    return setup


def _next_number(plans: Mapping[str, MercenaryPlan], posts: list[Post]) -> int:
    return 1 + max((plans[post.lot].drawn for post in posts if post.lot in plans), default=0)


class _Camp(NamedTuple):
    """Where and from what mercenaries are made, and for the how many-th time."""

    board: Board
    barracks: Barracks
    dice: Dice
    number: int


def _hire(round: Round, post: Post, at: Square | None, plans: list[MercenaryPlan], camp: _Camp) -> MercenaryPlan:
    others = others_of(round, plans).values()
    waiting = Muster.objects.filter(round=round).values_list("name", "legend")
    players = Player.objects.filter(round=round).values_list("name", flat=True)
    made = hire(
        post,
        at,
        camp.board,
        camp.barracks,
        camp.dice,
        names=[*(name for name, _ in (*others, *waiting) if name), *players],
        serving=[legend for _, legend in (*others, *waiting) if legend],
        number=camp.number,
    )
    plan, _ = MercenaryPlan.objects.update_or_create(round=round, lot=post.lot, defaults=_fields(made, camp.number))
    return plan


def _fields(made: Hired, number: int) -> dict[str, object]:
    lists = ["\n".join(write_entry(entry) for entry in made.entries if entry.slot == slot) for slot in SLOTS]
    given = {"name": made.name, "legend": made.legend.name if made.legend else "", "lists": lists}
    return {**given, "at": str(made.at) if made.at else "", "theme": made.theme, "drawn": number}


def _edit_all(round: Round, typed: Mapping[str, TypedPlan]) -> int:
    return sum(_edit(plan, typed[plan.lot]) for plan in plans_of(round) if plan.lot in typed)


def _edit(plan: MercenaryPlan, typed: TypedPlan) -> bool:
    """Whether anything was changed."""
    check_texts(typed.typed)
    at = read_typed(typed.typed.name or plan.lot, typed.at)
    before = (plan.name, plan.legend, plan.lists, plan.at)
    plan.name, plan.legend, plan.lists = typed.typed.name, typed.typed.legend, list(typed.typed.lists)
    plan.at = str(at) if at else ""
    if before == (plan.name, plan.legend, plan.lists, plan.at):
        return False
    plan.version += 1
    plan.save()
    return True


def _propose(setup: RoundSetup, draws: ArmySetup, judge: Judge, now: datetime, **data: object) -> None:
    draws.hired_at = None
    draws.save()
    save_step(setup, STEP, judge, now, **data)
