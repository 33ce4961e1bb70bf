"""2.5.3: the step of the mercenaries: who they are to be, where, and what speaks against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from judging.armies.musters.judged import Judged, Typed, four, judged, known_to
from judging.setup.models import ArmySetup, MercenaryPlan, RoundSetup
from judging.setup.step import Problem, StepKind, advice, missing, wrong
from judging.setup.steps.placement import board_of, mustered, planned, plans_of
from judging.setup.steps.sites import is_revealed
from wargame.models import Army, Round
from wargame.rules.armies.muster import Surroundings
from wargame.rules.armies.placement import PlaceFault
from wargame.rules.core.board import Board
from wargame.rules.mercenaries.faults import called, judge_mercenary, mercenary_faults, rank_of
from wargame.rules.mercenaries.muster import POST_OF, POSTS, Post


@dataclass(frozen=True)
class PlanView:
    """2.5.3: a mercenary army as it is planned, with what the rules say of it and of its square."""

    plan: MercenaryPlan
    post: Post
    judged: Judged
    faults: tuple[PlaceFault, ...]

    @property
    def is_good(self) -> bool:
        return self.judged.is_legal and not any(fault.is_breach for fault in self.faults)


def plan_views(round: Round, board: Board) -> list[PlanView]:
    """2.5.3: all mercenaries that are planned. For the battle judges' eyes until the start."""
    plans = plans_of(round)
    found = mercenary_faults(board, planned(plans))
    others, known = others_of(round, plans), known_to(typed_of_plan(plan) for plan in plans)
    views = []
    for plan, army in zip(plans, planned(plans), strict=True):
        post, given = POST_OF[plan.lot], _given(others, plan)
        said = judged(typed_of_plan(plan), given, partial(judge_mercenary, post), known)
        faults = tuple(fault for fault in found if fault.army == called(army))
        views.append(PlanView(plan, post, said, faults))
    return views


def typed_of_plan(plan: MercenaryPlan) -> Typed:
    """A plan's row as what stands in its form; the rank is the one whose sizes it has."""
    return Typed(rank_of(POST_OF[plan.lot]), four(plan.lists), plan.name, legend=plan.legend)


def others_of(round: Round, plans: list[MercenaryPlan]) -> dict[str, tuple[str, str]]:
    """2.1, R10: name and legend of every army that is to be, by a key of its own."""
    found = {f"muster {army.pk}": (army.name, army.legend) for army in mustered(round)}
    found |= {f"army {army.pk}": (army.name, army.legend) for army in Army.objects.filter(round=round)}
    return found | {plan.lot: (plan.name, plan.legend) for plan in plans}


def find(setup: RoundSetup) -> Iterator[Problem]:
    """2.5.3, 6.1 to 6.3: mercenaries that are missing, break a rule, or are not accepted."""
    if not is_revealed(setup):
        yield missing("Mercenaries come once the bases and towns are public.", "2.5.3")
        return
    views = plan_views(setup.round, board_of(setup.round))
    if len(views) < len(POSTS):
        yield missing(f"The {len(POSTS)} mercenary armies are not there yet; draw them.", "2.5.3")
        return
    for view in views:
        yield from _of_plan(view)
    if not ArmySetup.objects.filter(round=setup.round, hired_at__isnull=False).exists():
        yield missing("The mercenaries are a proposal; accept them.", "2.5.3")


def _of_plan(view: PlanView) -> Iterator[Problem]:
    for finding in view.judged.breaches:
        yield wrong(f"{view.plan}: {finding.sentence}", finding.cites)
    if view.judged.unreadable:
        yield wrong(f"{view.plan}: lines of its list can't be read.", "2.5.3")
    elif not view.judged.muster.entries:
        yield wrong(f"{view.plan} has no troops.", "2.5.3")
    for fault in view.faults:
        yield (wrong if fault.is_breach else advice)(fault.sentence, fault.cites)


def _given(others: dict[str, tuple[str, str]], plan: MercenaryPlan) -> Surroundings:
    rest = [pair for lot, pair in others.items() if lot != plan.lot]
    names = tuple(sorted(name for name, _ in rest if name))
    return Surroundings(names=names, serving={legend: name for name, legend in rest if legend})


STEP = StepKind("mercenaries", "Mercenaries", "2.5.3", "The mercenaries are placed.", find)
