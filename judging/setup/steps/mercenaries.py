"""2.5.3, 6.1 to 6.3: the step of the mercenaries: ten armies, which are drawn, edited and accepted by the judge."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.utils.translation import gettext, gettext_noop

from judging.armies.models import MercenaryPlan
from judging.armies.musters.forms import lines_of
from judging.armies.musters.services import check_texts
from judging.armies.musters.validation import Judged, MusterText, four, judged, known_to
from judging.common import locking
from judging.common.errors import Refused
from judging.setup.draws import barracks, dice_of
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.sites import is_revealed
from judging.setup.step import Problem, advice, missing, wrong
from judging.setup.steps.placement import ArmyMapForm, placed_armies, planned, read_typed, square_of
from wargame.rules.armies.muster import Surroundings
from wargame.rules.armies.muster_list import write_entry
from wargame.rules.armies.placement import PlaceFinding
from wargame.rules.core.troops import SLOTS
from wargame.rules.mercenaries.faults import called, judge_mercenary, mercenary_faults, rank_of
from wargame.rules.mercenaries.muster import NEAR, POST_OF, POSTS, Post, hire, place_mercenaries


@dataclass(frozen=True)
class PlanView:
    """2.5.3: a planned mercenary army, with the rules' findings on it and on its square."""

    plan: MercenaryPlan
    post: Post
    judged: Judged
    faults: tuple[PlaceFinding, ...]

    @property
    def is_good(self) -> bool:
        return self.judged.is_legal and not any(fault.is_breach for fault in self.faults)


def plan_views(prepared: Preparation) -> list[PlanView]:
    """2.5.3: all planned mercenaries. Only for battle judges until the start."""
    plans = prepared.mercenaries
    all_faults = mercenary_faults(prepared.board, planned(plans))
    other_armies, known_names = others_of(prepared, plans), known_to(typed_of_plan(plan) for plan in plans)
    views = []
    for plan, army in zip(plans, planned(plans), strict=True):
        post, surroundings = POST_OF[plan.lot], _surroundings_of(other_armies, plan)
        judgement = judged(typed_of_plan(plan), surroundings, partial(judge_mercenary, post), known_names)
        faults = tuple(fault for fault in all_faults if fault.army == called(army))
        views.append(PlanView(plan, post, judgement, faults))
    return views


def typed_of_plan(plan: MercenaryPlan) -> MusterText:
    """A plan's row as the values of its form; the rank is the one whose sizes it has."""
    return MusterText(rank_of(POST_OF[plan.lot]), four(plan.lists), plan.name, legend=plan.legend)


def others_of(prepared: Preparation, plans: list[MercenaryPlan]) -> dict[str, tuple[str, str]]:
    """2.1, R10: name and legend of every planned army, by a key of its own."""
    pairs = {f"muster {army.pk}": (army.name, army.legend) for army in prepared.accepted}
    pairs |= {f"army {army.pk}": (army.name, army.legend) for army in prepared.armies}
    return pairs | {plan.lot: (plan.name, plan.legend) for plan in plans}


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.3, 6.1 to 6.3: mercenaries that are missing, break a rule, or are not accepted."""
    if not is_revealed(prepared.setup):
        yield missing(gettext("You can pick mercenaries at random once the bases and towns are public."), "2.5.3")
        return
    views = plan_views(prepared)
    if len(views) < len(POSTS):
        yield missing(gettext("Pick the %(number)s mercenary armies at random."), "2.5.3", number=len(POSTS))
        return
    for view in views:
        yield from _of_plan(view)
    if prepared.draws is None or prepared.draws.hired_at is None:
        yield missing(gettext("The mercenaries are only a proposal. Accept them."), "2.5.3")


def _of_plan(view: PlanView) -> Iterator[Problem]:
    for finding in view.judged.breaches:
        yield wrong(f"{view.plan}: {finding.sentence}", finding.cites)
    if view.judged.unreadable:
        yield wrong(gettext("We couldn't read some lines in the list of %(plan)s."), "2.5.3", plan=view.plan)
    elif not view.judged.muster.entries:
        yield wrong(gettext("%(plan)s: there are no troops yet."), "2.5.3", plan=view.plan)
    for fault in view.faults:
        yield (wrong if fault.is_breach else advice)(fault.sentence, fault.cites)


def _surroundings_of(other_armies: dict[str, tuple[str, str]], plan: MercenaryPlan) -> Surroundings:
    rest = [pair for lot, pair in other_armies.items() if lot != plan.lot]
    names = tuple(sorted(name for name, _ in rest if name))
    return Surroundings(names=names, serving={legend: name for name, legend in rest if legend})


class TypedPlan(NamedTuple):
    typed: MusterText
    at: str


class MercenariesForm(ArmyMapForm):
    """2.5.3: the mercenaries, with the fields `name-3` and so on by the posts; draws them, keeps what is typed, or
    accepts it."""

    rule, decided_at = "2.5.3", "hired_at"
    too_early = gettext_noop("You can pick mercenaries at random once the bases and towns are public.")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        posts = [(place, post) for place, post in enumerate(POSTS) if f"name-{place}" in self.values]
        self.plans = {post.lot: self._typed(place, post) for place, post in posts}

    def _typed(self, place: int, post: Post) -> TypedPlan:
        one, two, three, last = (lines_of(self.values.get(f"slot{slot}-{place}", "")) for slot in SLOTS)
        name, legend = (" ".join(self.values.get(f"{field}-{place}", "").split()) for field in ("name", "legend"))
        typed = MusterText(rank_of(post), (one, two, three, last), name, legend=legend)
        return TypedPlan(typed, self.values.get(f"at-{place}", "").strip())

    def context(self) -> dict[str, object]:
        views = plan_views(self.prepared)
        return {
            **self.map_context(placed_armies(self.prepared), [view.plan for view in views]),
            "rows": [self._row(view) for view in views],
            "near": NEAR,
            "posts": POSTS,
        }

    def _row(self, view: PlanView) -> dict[str, object]:
        lot = view.plan.lot
        shown = self.plans.get(lot) or TypedPlan(typed_of_plan(view.plan), view.plan.at)
        slots = [(slot, text) for slot, text in zip(view.judged.slots, shown.typed.lists, strict=True)]
        place = list(POST_OF).index(lot)
        return {"view": view, "place": place, "typed": shown.typed, "at": shown.at, "slots": slots}

    def save(self) -> str:
        act, lot = self.pressed("save")
        if act == "accept":
            return self.accept()
        return self.draw(lot) if act == "draw" else self.edit()

    @locking.writes
    def draw(self, lot: str) -> str:
        """2.5.3: a proposal for all mercenaries, drawn anew; with `lot` for that one alone. Refused for a lot that
        there is not."""
        setup = self.held()
        if lot and lot not in POST_OF:
            raise Refused(gettext("There is no mercenary army “%(lot)s”.") % {"lot": lot}, "2.5.3")
        draws, prepared = self.lock_draws(), Preparation(setup)
        plans = {plan.lot: plan for plan in prepared.mercenaries}
        posts = [POST_OF[lot]] if lot else list(POSTS)
        number = 1 + max((plans[post.lot].drawn for post in posts if post.lot in plans), default=0)
        staying = [plan for plan in plans.values() if lot and plan.lot != lot]
        kept = {plan.lot: at for plan in staying if (at := square_of(plan.at))}
        occupied = [at for army in prepared.accepted if (at := square_of(army.at))]
        creatures, dice = barracks(), dice_of(draws)
        places = place_mercenaries(prepared.board, occupied, dice, number, kept)
        for post in posts:
            others = [*others_of(prepared, staying).values(), *((row.name, row.legend) for row in prepared.musters)]
            hired = hire(
                post,
                places[post.lot],
                prepared.board,
                creatures,
                dice,
                names=[*(name for name, _ in others if name), *(player.name for player in prepared.everybody)],
                serving=[legend for _, legend in others if legend],
                number=number,
            )
            fields = {"name": hired.name, "legend": hired.legend.name if hired.legend else "", "theme": hired.theme}
            fields["at"] = str(hired.at) if hired.at else ""
            lists = ["\n".join(write_entry(e) for e in hired.entries if e.slot == slot) for slot in SLOTS]
            row, _ = MercenaryPlan.objects.update_or_create(
                round=self.round, lot=post.lot, defaults={**fields, "lists": lists, "drawn": number}
            )
            staying.append(row)
        draws.hired = max(draws.hired, number)
        self.store_draws(setup, draws, drawn=[post.lot for post in posts], draw=number)
        told = gettext("Mercenary armies picked at random: %(drawn)s. They are a proposal until you accept them.")
        return told % {"drawn": len(posts)}

    @locking.writes
    def edit(self) -> str:
        """Keeps what the judge typed, legal or not. Refused for a text that can't be stored, and for what is no square
        of the map."""
        setup = self.held()
        changed = self.edit_all(setup)
        if changed:
            self.store_draws(setup, self.lock_draws(), edited=changed)
        return gettext("Saved: %(changed)s changed.") % {"changed": changed}

    @locking.writes
    def accept(self) -> str:
        """2.5.3: the mercenaries as they are typed are decided on, until one is changed. Refused while a rule speaks
        against one."""
        setup = self.held()
        self.edit_all(setup)
        views = plan_views(Preparation(setup))
        if len(views) < len(POSTS):
            raise Refused(gettext("First, pick the mercenaries at random."), "2.5.3")
        for view in views:
            for finding in view.judged.breaches:
                raise Refused(f"{view.plan}: {finding.sentence}", finding.cites)
            if not view.judged.is_legal:
                told = gettext("%(plan)s has no troops, or lines we couldn't read.")
                raise Refused(told % {"plan": view.plan}, "2.5.3")
            for fault in view.faults:
                if fault.is_breach:
                    raise Refused(fault.sentence, fault.cites)
        self.store_draws(setup, self.lock_draws(), self.now, accepted=len(views))
        return gettext("The mercenaries are accepted.")

    def edit_all(self, setup: RoundSetup) -> int:
        plans = [plan for plan in Preparation(setup).mercenaries if plan.lot in self.plans]
        return sum(_edit(plan, self.plans[plan.lot]) for plan in plans)


def _edit(plan: MercenaryPlan, typed: TypedPlan) -> bool:
    """Apply what was typed; returns whether anything changed."""
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
