"""2.5.3, 6.1 to 6.3: the step of the mercenaries: ten armies, which are drawn, edited and accepted by the judge."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import NamedTuple

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop

from judging.armies.models import MercenaryPlan
from judging.armies.musters.forms import lines_of
from judging.armies.musters.services import check_texts
from judging.armies.musters.validation import Judged, MusterText, four, judged, known_to
from judging.common import locking
from judging.common.errors import Refused
from judging.setup.draws import barracks, dice_of, held_draws
from judging.setup.models import ArmySetup, RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step
from judging.setup.sites import is_revealed
from judging.setup.step import Problem, SentForm, StepKind, advice, missing, wrong
from judging.setup.steps.placement import (
    ArmyMapPage,
    placed_armies,
    planned,
    read_typed,
    square_of,
)
from wargame.models import Judge, Round
from wargame.rules.armies.muster import Surroundings
from wargame.rules.armies.muster_list import write_entry
from wargame.rules.armies.placement import PlaceFinding
from wargame.rules.armies.recruiting import Barracks
from wargame.rules.core.board import Square
from wargame.rules.core.dice import Dice
from wargame.rules.core.troops import SLOTS
from wargame.rules.mercenaries.faults import called, judge_mercenary, mercenary_faults, rank_of
from wargame.rules.mercenaries.muster import NEAR, POST_OF, POSTS, Hired, Post, hire, place_mercenaries


@dataclass(frozen=True)
class PlanView:
    """2.5.3: a mercenary army as it is planned, with what the rules say of it and of its square."""

    plan: MercenaryPlan
    post: Post
    judged: Judged
    faults: tuple[PlaceFinding, ...]

    @property
    def is_good(self) -> bool:
        return self.judged.is_legal and not any(fault.is_breach for fault in self.faults)


def plan_views(prepared: Preparation) -> list[PlanView]:
    """2.5.3: all mercenaries that are planned. For the battle judges' eyes until the start."""
    plans = prepared.mercenaries
    found = mercenary_faults(prepared.board, planned(plans))
    others, known = others_of(prepared, plans), known_to(typed_of_plan(plan) for plan in plans)
    views = []
    for plan, army in zip(plans, planned(plans), strict=True):
        post, given = POST_OF[plan.lot], _surroundings_of(others, plan)
        said = judged(typed_of_plan(plan), given, partial(judge_mercenary, post), known)
        faults = tuple(fault for fault in found if fault.army == called(army))
        views.append(PlanView(plan, post, said, faults))
    return views


def typed_of_plan(plan: MercenaryPlan) -> MusterText:
    """A plan's row as what stands in its form; the rank is the one whose sizes it has."""
    return MusterText(rank_of(POST_OF[plan.lot]), four(plan.lists), plan.name, legend=plan.legend)


def others_of(prepared: Preparation, plans: list[MercenaryPlan]) -> dict[str, tuple[str, str]]:
    """2.1, R10: name and legend of every army that is to be, by a key of its own."""
    found = {f"muster {army.pk}": (army.name, army.legend) for army in prepared.accepted}
    found |= {f"army {army.pk}": (army.name, army.legend) for army in prepared.armies}
    return found | {plan.lot: (plan.name, plan.legend) for plan in plans}


def find(prepared: Preparation) -> Iterator[Problem]:
    """2.5.3, 6.1 to 6.3: mercenaries that are missing, break a rule, or are not accepted."""
    if not is_revealed(prepared.setup):
        yield missing(gettext("You can pick mercenaries at random once the bases and towns are public."), "2.5.3")
        return
    views = plan_views(prepared)
    if len(views) < len(POSTS):
        yield missing(gettext("Pick the %(number)s mercenary armies at random.") % {"number": len(POSTS)}, "2.5.3")
        return
    for view in views:
        yield from _of_plan(view)
    if prepared.draws is None or prepared.draws.hired_at is None:
        yield missing(gettext("The mercenaries are only a proposal. Accept them."), "2.5.3")


def _of_plan(view: PlanView) -> Iterator[Problem]:
    for finding in view.judged.breaches:
        yield wrong(f"{view.plan}: {finding.sentence}", finding.cites)
    if view.judged.unreadable:
        yield wrong(gettext("We couldn't read some lines in the list of %(plan)s.") % {"plan": view.plan}, "2.5.3")
    elif not view.judged.muster.entries:
        yield wrong(gettext("%(plan)s: there are no troops yet.") % {"plan": view.plan}, "2.5.3")
    for fault in view.faults:
        yield (wrong if fault.is_breach else advice)(fault.sentence, fault.cites)


def _surroundings_of(others: dict[str, tuple[str, str]], plan: MercenaryPlan) -> Surroundings:
    rest = [pair for lot, pair in others.items() if lot != plan.lot]
    names = tuple(sorted(name for name, _ in rest if name))
    return Surroundings(names=names, serving={legend: name for name, legend in rest if legend})


STEP = StepKind("mercenaries", gettext_noop("Mercenaries"), "2.5.3", gettext_noop("The mercenaries are placed."), find)


@dataclass(frozen=True)
class TypedPlan:
    """What stands in the form of a mercenary army."""

    typed: MusterText
    at: str


@locking.writes
def draw_mercenaries(*, round: Round, judge: Judge, base_version: int, now: datetime, lot: str = "") -> int:
    """2.5.3: a proposal for all mercenaries, drawn anew; with `lot` for that one alone. How many were drawn.

    Refused before the bases and towns are public, and for a lot that there is not.
    """
    setup = _open(round, judge, base_version)
    if lot and lot not in POST_OF:
        raise Refused(gettext("There is no mercenary army “%(lot)s”.") % {"lot": lot}, "2.5.3")
    draws, prepared = held_draws(round, judge, now), Preparation(setup)
    plans = {plan.lot: plan for plan in prepared.mercenaries}
    posts = [POST_OF[lot]] if lot else list(POSTS)
    number = _next_number(plans, posts)
    kept = {plan.lot: at for plan in plans.values() if plan.lot != lot and (at := square_of(plan.at))} if lot else {}
    occupied = [at for army in prepared.accepted if (at := square_of(army.at))]
    recruiting = _Recruiting(prepared, barracks(), dice_of(draws), number)
    places = place_mercenaries(prepared.board, occupied, recruiting.dice, number, kept)
    for post in posts:
        plans.pop(post.lot, None)
    for post in posts:
        plans[post.lot] = _hire(post, places[post.lot], list(plans.values()), recruiting)
    draws.hired = max(draws.hired, number)
    _propose(setup, draws, judge, now, drawn=[post.lot for post in posts], draw=number)
    return len(posts)


@locking.writes
def save_mercenaries(
    *, round: Round, judge: Judge, typed: Mapping[str, TypedPlan], base_version: int, now: datetime
) -> int:
    """2.5.3: keeps what the judge typed of the mercenaries, by their lots, legal or not; how many changed.

    Refused for a text that can't be stored, and for what is no square of the map.
    """
    setup = _open(round, judge, base_version)
    changed = _edit_all(setup, typed)
    if changed:
        _propose(setup, held_draws(round, judge, now), judge, now, edited=changed)
    return changed


@locking.writes
def accept_mercenaries(
    *, round: Round, judge: Judge, typed: Mapping[str, TypedPlan], base_version: int, now: datetime
) -> None:
    """2.5.3: the mercenaries as they are typed are decided on, until one is changed. Refused while a rule speaks
    against one."""
    setup = _open(round, judge, base_version)
    _edit_all(setup, typed)
    views = plan_views(Preparation(setup))
    if len(views) < len(POSTS):
        raise Refused(gettext("First, pick the mercenaries at random."), "2.5.3")
    for view in views:
        for finding in view.judged.breaches:
            raise Refused(f"{view.plan}: {finding.sentence}", finding.cites)
        if not view.judged.is_legal:
            raise Refused(gettext("%(plan)s has no troops, or lines we couldn't read.") % {"plan": view.plan}, "2.5.3")
        for fault in view.faults:
            if fault.is_breach:
                raise Refused(fault.sentence, fault.cites)
    draws = held_draws(round, judge, now)
    draws.hired_at = now
    draws.save()
    save_step(setup, STEP.key, judge, now, accepted=len(views))


def _open(round: Round, judge: Judge, base_version: int) -> RoundSetup:
    setup = held_setup(round, judge, STEP.key, base_version)
    if not is_revealed(setup):
        raise Refused(gettext("You can pick mercenaries at random once the bases and towns are public."), "2.5.3")
    return setup


def _next_number(plans: Mapping[str, MercenaryPlan], posts: list[Post]) -> int:
    return 1 + max((plans[post.lot].drawn for post in posts if post.lot in plans), default=0)


class _Recruiting(NamedTuple):
    """Where and from what mercenaries are made, and for the how many-th time."""

    prepared: Preparation
    barracks: Barracks
    dice: Dice
    number: int


def _hire(post: Post, at: Square | None, plans: list[MercenaryPlan], recruiting: _Recruiting) -> MercenaryPlan:
    prepared = recruiting.prepared
    others = others_of(prepared, plans).values()
    waiting = [(muster.name, muster.legend) for muster in prepared.musters]
    players = [player.name for player in prepared.everybody]
    made = hire(
        post,
        at,
        prepared.board,
        recruiting.barracks,
        recruiting.dice,
        names=[*(name for name, _ in (*others, *waiting) if name), *players],
        serving=[legend for _, legend in (*others, *waiting) if legend],
        number=recruiting.number,
    )
    plan, _ = MercenaryPlan.objects.update_or_create(
        round=prepared.round, lot=post.lot, defaults=_fields(made, recruiting.number)
    )
    return plan


def _fields(made: Hired, number: int) -> dict[str, object]:
    lists = ["\n".join(write_entry(entry) for entry in made.entries if entry.slot == slot) for slot in SLOTS]
    given = {"name": made.name, "legend": made.legend.name if made.legend else "", "lists": lists}
    return {**given, "at": str(made.at) if made.at else "", "theme": made.theme, "drawn": number}


def _edit_all(setup: RoundSetup, typed: Mapping[str, TypedPlan]) -> int:
    return sum(_edit(plan, typed[plan.lot]) for plan in Preparation(setup).mercenaries if plan.lot in typed)


def _edit(plan: MercenaryPlan, typed: TypedPlan) -> bool:
    """Whether anything was changed."""
    check_texts(typed.typed)
    at = read_typed(typed.typed.name or plan.told_lot, typed.at)
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
    save_step(setup, STEP.key, judge, now, **data)


class MercenariesPage(ArmyMapPage):
    """2.5.3: the mercenaries; a POST draws them, keeps what is typed, or accepts it."""

    key, template = STEP.key, "setup/mercenaries.html"

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent, desk)
        self.plans = typed_plans(self.typed or QueryDict())

    def context(self) -> dict[str, object]:
        views = plan_views(self.prepared)
        return {
            **self.map_context(placed_armies(self.prepared), [view.plan for view in views]),
            "rows": [self._row(view) for view in views],
            "near": NEAR,
            "posts": POSTS,
        }

    def act(self) -> str:
        act, lot = self.pressed("save")
        if act == "accept":
            accept_mercenaries(typed=self.plans, base_version=self.base_version, **self.common)
            return gettext("The mercenaries are accepted.")
        if act == "draw":
            drawn = draw_mercenaries(lot=lot, base_version=self.base_version, **self.common)
            return gettext(
                "Mercenary armies picked at random: %(drawn)s. They are a proposal until you accept them."
            ) % {"drawn": drawn}
        changed = save_mercenaries(typed=self.plans, base_version=self.base_version, **self.common)
        return gettext("Saved: %(changed)s changed.") % {"changed": changed}

    def _row(self, view: PlanView) -> dict[str, object]:
        """What stands in the form: what was typed, else what is saved."""
        lot = view.plan.lot
        shown = self.plans.get(lot) or TypedPlan(typed_of_plan(view.plan), view.plan.at)
        slots = [(slot, text) for slot, text in zip(view.judged.slots, shown.typed.lists, strict=True)]
        place = list(POST_OF).index(lot)
        return {"view": view, "place": place, "typed": shown.typed, "at": shown.at, "slots": slots}


def typed_plans(post: QueryDict) -> dict[str, TypedPlan]:
    """The form's fields, by the lots: `name-3` is the name of the fourth post."""
    found = {}
    for place, post_ in enumerate(POSTS):
        if f"name-{place}" in post:
            one, two, three, last = (lines_of(post.get(f"slot{slot}-{place}", "")) for slot in SLOTS)
            name, legend = (" ".join(post.get(f"{key}-{place}", "").split()) for key in ("name", "legend"))
            typed = MusterText(rank_of(post_), (one, two, three, last), name, legend=legend)
            found[post_.lot] = TypedPlan(typed, post.get(f"at-{place}", "").strip())
    return found
