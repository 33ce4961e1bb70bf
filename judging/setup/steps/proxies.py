"""2.5.2.2: the proxies step makes up what nobody asked for; the judge edits it, redraws it or accepts it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from judging.armies.models import HandedIn, Muster
from judging.armies.musters.forms import EDITS, edited, picker_of, ranks_of, text_from
from judging.armies.musters.places import SideRows, sides_of
from judging.armies.musters.services import (
    bases_of,
    check_legal,
    check_texts,
    surroundings_for,
    take_snapshot,
    text_of,
)
from judging.armies.musters.validation import Judged, MusterText, judged, known_to
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import Success, number_of
from judging.common.log_entry import record
from judging.common.shortcuts import viewer_for
from judging.setup.draws import Part, Recruiter, held_muster, held_musters, new_muster
from judging.setup.preparation import Preparation
from judging.setup.services import held_setup, save_step, team_name
from judging.setup.step import Problem, StepForm, desk_of, logged_in, missing
from wargame.models import Judge, Round
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Rank, Side


@dataclass(frozen=True)
class ProxyProposal:
    """2.5.2.2: an army that was made up, wholly or in part, with the findings of the rules on it."""

    muster: Muster
    judged: Judged

    @property
    def is_plain(self) -> bool:
        """2.2.3: legal, and nothing about it needs a judge's decision."""
        return self.judged.is_legal and not self.judged.questions


def proposals_of(prepared: Preparation) -> tuple[ProxyProposal, ...]:
    """2.5.2.2: all made-up armies that are not accepted yet, by side and rank. Only for battle judges."""
    rows = [row for row in prepared.musters if row.lot is not None and row.state != HandedIn.ACCEPTED]
    proposals = sorted(rows, key=lambda row: (row.side, Rank(row.rank).tier, row.lot))
    return tuple(
        ProxyProposal(row, judgement) for row, judgement in zip(proposals, judged_all(prepared, proposals), strict=True)
    )


def judged_all(prepared: Preparation, musters: Sequence[Muster]) -> list[Judged]:
    """2.1, 2.2: judge several musters, each among all others, in as many queries as one muster needs."""
    names, values = prepared.taken, [text_of(muster) for muster in musters]
    known_names = known_to(values)
    return [
        judged(each, names.around(muster.side, muster=muster), known=known_names)
        for each, muster in zip(values, musters, strict=True)
    ]


def proposal_for(round: Round, muster_id: int) -> Muster | None:
    """2.5.2.2: a proposal that is not accepted yet. Only for battle judges."""
    rows = Muster.objects.filter(round=round, pk=muster_id, lot__isnull=False).exclude(state=HandedIn.ACCEPTED)
    proposal = rows.select_related("author", "namesake").first()
    if proposal is not None:
        proposal.round = round
    return proposal


def open_places(prepared: Preparation) -> list[tuple[SideRows, int]]:
    """2.5.2.2: the number of armies of each side that are still to be made up, wholly or in part."""
    return [(side, sum(row.open + len(row.incomplete) for row in side.ranks)) for side in prepared.sides]


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.2.2: places that nobody fills, requests with something missing, and proposals that are not accepted."""
    for side in prepared.sides:
        name = team_name(side.side)
        if places := [f"{row.open} {row.rank.title}" for row in side.ranks if row.open]:
            told = gettext("%(name)s: no requests for %(places)s. Fill in these armies.")
            yield missing(told, "2.5.2.2", name=name, places=", ".join(places))
        if asked := [army for row in side.ranks for army in row.incomplete]:
            names = ", ".join(str(army) for army in asked)
            told = gettext("%(name)s, requested without a name or troops: %(names)s.")
            yield missing(told, "2.5.2.2", name=name, names=names)
        if made := sum(len(row.proposals) for row in side.ranks):
            yield missing(
                gettext("%(name)s: %(made)s filled in but not accepted yet."), "2.5.2.2", name=name, made=made
            )


@locking.writes
def accept_proposals(*, round: Round, muster_ids: list[int], judge: Judge, now: datetime) -> list[Muster]:
    """2.5.2.2: these proposals become the round's armies. Refused as a whole if one of them breaks a rule or is a
    player's draft."""
    setup = held_setup(round, judge)
    musters, names, accepted = held_musters(round, muster_ids), Preparation(setup).taken, []
    known_names = known_to(text_of(muster) for muster in musters)
    for muster in musters:
        if muster.state == HandedIn.ACCEPTED:
            continue
        if muster.lot is None and muster.state != HandedIn.SENT:
            told = gettext("You can't accept %(muster)s before it is submitted.")
            raise Refused(told % {"muster": muster}, "2.5.2.2")
        judgement = judged(text_of(muster), names.around(muster.side, muster=muster), known=known_names)
        try:
            check_legal(judgement)
        except Refused as error:
            reasons = " ".join(finding.sentence for finding in judgement.breaches) or error.sentence
            raise Refused(f"{muster}: {reasons}", error.cites) from None
        take_snapshot(muster, judgement)
        muster.state, muster.decided_by, muster.decided_at, muster.reason = HandedIn.ACCEPTED, judge, now, ""
        muster.save()
        record(round, judge.user, "muster.accepted", {"muster": muster.pk}, now)
        names = names.with_muster(muster)
        accepted.append(muster)
    if accepted:
        save_step(setup, "proxies", judge, now, accepted=len(accepted))
    return accepted


def _proposal(round: Round, muster_id: int, base_version: int) -> Muster:
    """A proposal in the version that the judge saw, locked until the transaction ends."""
    muster = held_muster(round, muster_id)
    if muster.lot is None or muster.state == HandedIn.ACCEPTED:
        raise Refused(gettext("You can only change proposals, not %(muster)s.") % {"muster": muster}, "2.5.2.2")
    if muster.version != base_version:
        told = gettext("There is a newer version of %(muster)s. Check it first.")
        raise Refused(told % {"muster": muster}, "2.5.2.2")
    return muster


class ProxiesForm(StepForm):
    """2.5.2.2: the proposals; makes up what is missing, or draws again, accepts or drops one."""

    def context(self) -> dict[str, object]:
        found, places = proposals_of(self.prepared), open_places(self.prepared)
        return {
            "places": places,
            "missing": sum(count for _, count in places),
            "groups": [(rows.side, [one for one in found if one.muster.side is rows.side]) for rows, _ in places],
            "plain": sum(one.is_plain for one in found),
        }

    def save(self) -> str:
        act, key = self.pressed()
        if act == "make-up":
            return self.make_up()
        if act == "accept-all":
            good = [proposal.muster.pk for proposal in proposals_of(self.prepared) if proposal.is_plain]
            return gettext("Accepted: %(number)s.") % {"number": len(accept_proposals(muster_ids=good, **self.common))}
        if act == "accept":
            accepted = accept_proposals(muster_ids=[number_of(key)], **self.common)
            if not accepted:
                return gettext("This army was already accepted.")
            return gettext("You accepted %(muster)s.") % {"muster": accepted[0]}
        if act == "again":
            return self.draw_again(number_of(key), number_of(self.post.get(f"version-{key}", "")))
        if act == "drop":
            return self.drop(number_of(key))
        raise Refused(gettext("Something went wrong with this form. Reload the page."))

    @locking.writes
    def make_up(self) -> str:
        """2.5.2.2: proposals for all places that nobody fills, and for what requests leave out.

        Done twice, the second time there is nothing left to do.
        """
        setup = self.held(checks_version=False)
        recruiter = Recruiter.of(self.round, self.desk.judge, self.now)
        rows = [row for side in sides_of(self.round, setup.armies) for row in side.ranks]
        wanted = [army for row in rows for army in row.incomplete]
        wanted += [new_muster(self.round, row.rank, self.now) for row in rows for _ in range(row.open)]
        for muster in wanted:
            recruiter.complete(muster, self.now)
        if not wanted:
            return gettext("Nothing was missing.")
        self.store(setup, made_up=len(wanted))
        return gettext("Filled in: %(made)s.") % {"made": len(wanted)}

    @locking.writes
    def draw_again(self, muster_id: int, version: int) -> str:
        """2.5.2.2: the parts of a proposal that were made up, drawn anew; what was asked for or edited stays.

        `version` is the one that was looked at, so that a click that is sent twice draws once.
        """
        setup = self.held(checks_version=False)
        recruiter = Recruiter.of(self.round, self.desk.judge, self.now)
        muster = _proposal(self.round, muster_id, version)
        if Part.NAME in muster.made_up:
            muster.name = ""
        if Part.COLORS in muster.made_up:
            muster.colors = []
        if Part.TROOPS in muster.made_up:
            muster.lists, muster.legend = [""] * 4, ""
        recruiter.complete(muster, self.now)
        self.store(setup, drawn_again=muster.lot)
        return gettext("Picked again: %(muster)s.") % {"muster": muster}

    @locking.writes
    def drop(self, muster_id: int) -> str:
        """2.5.2.2: takes a proposal away. Refused for what somebody asked for, and for what is accepted."""
        setup = self.held(checks_version=False)
        muster = held_muster(self.round, muster_id)
        if muster.author is not None or muster.state == HandedIn.ACCEPTED:
            told = gettext("You can't remove %(muster)s: it was requested or is already accepted.")
            raise Refused(told % {"muster": muster}, "2.5.2.2")
        muster.delete()
        self.store(setup, dropped=muster.lot)
        return gettext("The proposal is removed.")


class ProxyForm(StepForm):
    """2.5.2.2: one proposal as the judge edits it."""

    part, row = "proxy", "muster_id"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.muster = self.proposal()
        self.button = self.post.get("act", "save")
        self.content = _typed_muster(self.muster, self.values) if self.is_bound else text_of(self.muster)
        if self.button.startswith(EDITS):
            self.content = edited(self.content, self.button, self.post)

    def proposal(self) -> Muster:
        muster = proposal_for(self.round, self.key)
        if muster is None:
            raise Http404(gettext("There is no such proposal. It may have been accepted."))
        return muster

    @property
    def only_looks(self) -> bool:
        return self.button not in ("save", "accept")

    def answer(self, request: HttpRequest, frame: Callable[[], Mapping[str, object]]) -> HttpResponse:
        """2.1: a script that adds or removes a line gets the form alone."""
        if self.button.startswith(EDITS) and request.headers.get("HX-Request"):
            return render(request, "musters/_edited.html", form_context(self.muster, self.content))
        return super().answer(request, frame)

    def context(self) -> dict[str, object]:
        muster = self.proposal() if self.refused else self.muster
        return {**form_context(muster, self.content), "picker": picker_of(self.post, self.content)}

    @locking.writes
    def save(self) -> Success:
        """Keeps what the judge typed into the proposal, legal or not; what was changed is not drawn again. With
        `accept` it becomes the round's, or nothing is kept: refused if it breaks a rule."""
        setup, typed = self.held(checks_version=False), self.content
        muster = _proposal(self.round, self.key, self.base_version)
        check_texts(typed)
        if muster.namesake is not None and typed.rank != muster.rank:
            raise Refused(gettext("A player's own army must have that player's rank."), "2.5.2.1")
        before = text_of(muster)
        if typed.base not in bases_of(self.round, muster.side, typed.colors):
            typed = replace(typed, base="")
        changed: dict[str, bool] = {Part.NAME: typed.name != before.name, Part.COLORS: typed.colors != before.colors}
        changed[Part.TROOPS] = (typed.lists, typed.legend) != (before.lists, before.legend)
        muster.made_up = [part for part in muster.made_up if not changed[part]]
        muster.lists, muster.colors, muster.rank = list(typed.lists), list(typed.colors), typed.rank.value
        muster.name, muster.legend, muster.remark, muster.base = typed.name, typed.legend, typed.remark, typed.base
        muster.version, muster.saved_at = muster.version + 1, self.now
        muster.save()
        self.store(setup, edited=muster.lot)
        if self.button != "accept":
            return Success(gettext("Saved."))
        muster = accept_proposals(muster_ids=[muster.pk], **self.common)[0]
        said = gettext("You accepted %(muster)s.") % {"muster": muster}
        return Success(said, reverse("setup-proxies", args=[self.round.slug]))


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.1, 2.2: the findings on the typed muster, as a fragment; empty if it has been accepted by now."""
    muster = proposal_for(desk_of(viewer_for(request, slug)).round, muster_id)
    if muster is None:
        return HttpResponse(status=204)
    return render(request, "musters/_previewed.html", form_context(muster, _typed_muster(muster, request.POST)))


@require_POST
@logged_in
def find_creatures(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.2.1: the picker's results, as a fragment; empty if the muster has been accepted by now."""
    muster = proposal_for(desk_of(viewer_for(request, slug)).round, muster_id)
    if muster is None:
        return HttpResponse(status=204)
    picker = picker_of(request.POST, _typed_muster(muster, request.POST))
    address = reverse("setup-proxy", args=[slug, muster.pk])
    return render(request, "musters/_picks.html", {"picker": picker, "address": address})


def form_context(muster: Muster, typed: MusterText) -> dict[str, object]:
    place, side = [muster.round.slug, muster.pk], muster.side
    return {
        "muster": muster,
        "typed": typed,
        "judged": judged(typed, surroundings_for(muster)),
        "colors": COLORS if side is Side.COALITION else (),
        "all_colors": COLORS,
        "ranks": ranks_of(side),
        "bases": bases_of(muster.round, side, typed.colors),
        "address": reverse("setup-proxy", args=place),
        "preview_url": reverse("setup-proxy-preview", args=place),
        "find_url": reverse("setup-proxy-find", args=place),
        "may_fix": True,
    }


def _typed_muster(muster: Muster, post: QueryDict) -> MusterText:
    return text_from(post, text_of(muster), is_proxy=muster.namesake_id is None)
