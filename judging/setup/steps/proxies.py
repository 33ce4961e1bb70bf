"""2.5.2.2: the step of the proxies: what nobody asked for is made up; the judge edits it, draws it anew, accepts it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
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
from judging.setup.draws import Part, Recruiter, held_muster, held_musters, new_muster
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step, team_name
from judging.setup.step import Problem, SentForm, StepKind, StepPage, desk_for, logged_in, missing
from wargame.models import Judge, Round
from wargame.rules.core.board import COLORS
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side


@dataclass(frozen=True)
class ProxyProposal:
    """2.5.2.2: an army that was made up, wholly or in part, with what the rules say of it."""

    muster: Muster
    judged: Judged

    @property
    def is_plain(self) -> bool:
        """2.2.3: legal, and nothing about it is anybody's judgement."""
        return self.judged.is_legal and not self.judged.questions

    @property
    def is_edited(self) -> bool:
        """Whether nothing of it would be drawn again."""
        return not self.muster.made_up


def proposals_of(prepared: Preparation) -> tuple[ProxyProposal, ...]:
    """2.5.2.2: everything that was made up and is not accepted, by side and rank. For the battle judges' eyes."""
    rows = [row for row in prepared.musters if row.lot is not None and row.state != HandedIn.ACCEPTED]
    made = sorted(rows, key=lambda row: (row.side, Rank(row.rank).tier, row.lot))
    return tuple(ProxyProposal(row, said) for row, said in zip(made, judged_all(prepared, made), strict=True))


def judged_all(prepared: Preparation, musters: Sequence[Muster]) -> list[Judged]:
    """2.1, 2.2: several musters, each among all others, in as many statements as one needs."""
    taken, typed = prepared.taken, [text_of(muster) for muster in musters]
    known = known_to(typed)
    return [
        judged(each, taken.around(muster.side, muster=muster), known=known)
        for each, muster in zip(typed, musters, strict=True)
    ]


def proposal_for(round: Round, muster_id: int) -> Muster | None:
    """2.5.2.2: one proposal that is not accepted. For the battle judges' eyes."""
    rows = Muster.objects.filter(round=round, pk=muster_id, lot__isnull=False).exclude(state=HandedIn.ACCEPTED)
    found = rows.select_related("author", "namesake").first()
    if found is not None:
        found.round = round
    return found


def open_places(prepared: Preparation) -> list[tuple[SideRows, int]]:
    """2.5.2.2: how many armies of each side are still to be made up, wholly or in part."""
    return [(side, sum(row.open + len(row.incomplete) for row in side.ranks)) for side in prepared.sides]


def find(prepared: Preparation) -> Iterator[Problem]:
    """2.5.2.2: places that nobody fills, requests with something missing, and proposals that are not accepted."""
    for side in prepared.sides:
        name = team_name(side.side)
        if places := [f"{row.open} {row.rank.title}" for row in side.ranks if row.open]:
            yield missing(
                gettext("%(name)s: no requests for %(places)s. Fill in these armies.")
                % {"name": name, "places": ", ".join(places)},
                "2.5.2.2",
            )
        if asked := [army for row in side.ranks for army in row.incomplete]:
            names = ", ".join(str(army) for army in asked)
            yield missing(
                gettext("%(name)s, requested without a name or troops: %(names)s.") % {"name": name, "names": names},
                "2.5.2.2",
            )
        if made := sum(len(row.proposals) for row in side.ranks):
            yield missing(
                gettext("%(name)s: %(made)s filled in but not accepted yet.") % {"name": name, "made": made}, "2.5.2.2"
            )


STEP = StepKind(
    "proxies",
    gettext_noop("Proxies"),
    "2.5.2.2",
    gettext_noop("The battle judge fills in armies that no one requested."),
    find,
)


@locking.writes
def make_up_proxies(*, round: Round, judge: Judge, now: datetime) -> int:
    """2.5.2.2: proposals for all places that nobody fills, and for what requests leave out; how many there were.

    Done twice, the second time there is nothing left to do.
    """
    setup = held_setup(round, judge)
    recruiter = Recruiter.of(round, judge, now)
    wanted = [army for side in sides_of(round, setup.armies) for row in side.ranks for army in row.incomplete]
    wanted += [
        new_muster(round, row.rank, now)
        for side in sides_of(round, setup.armies)
        for row in side.ranks
        for _ in range(row.open)
    ]
    for muster in wanted:
        recruiter.complete(muster, now)
    if wanted:
        save_step(setup, "proxies", judge, now, made_up=len(wanted))
    return len(wanted)


@locking.writes
def draw_again(*, round: Round, muster_id: int, base_version: int, judge: Judge, now: datetime) -> Muster:
    """2.5.2.2: the parts of a proposal that were made up, drawn anew; what was asked for or edited stays.

    `base_version` is the one that was looked at, so that a click that is sent twice draws once.
    """
    setup = held_setup(round, judge)
    recruiter = Recruiter.of(round, judge, now)
    muster = _proposal(round, muster_id, base_version)
    _clear(muster)
    recruiter.complete(muster, now)
    save_step(setup, "proxies", judge, now, drawn_again=muster.lot)
    return muster


@locking.writes
def edit_army(
    *,
    round: Round,
    muster_id: int,
    judge: Judge,
    typed: MusterText,
    base_version: int,
    now: datetime,
    accept: bool = False,
) -> Muster:
    """2.5.2.2: keeps what the judge typed into a proposal, legal or not; what he changed is not drawn again.

    With `accept` it becomes the round's, or nothing is kept: refused if it breaks a rule.
    """
    setup = held_setup(round, judge)
    muster = _proposal(round, muster_id, base_version)
    check_texts(typed)
    if muster.namesake is not None and typed.rank != muster.rank:
        raise Refused(gettext("A player's own army must have that player's rank."), "2.5.2.1")
    before = text_of(muster)
    if typed.base not in bases_of(round, muster.side, typed.colors):
        typed = replace(typed, base="")
    edited_parts: dict[str, bool] = {Part.NAME: typed.name != before.name, Part.COLORS: typed.colors != before.colors}
    edited_parts[Part.TROOPS] = (typed.lists, typed.legend) != (before.lists, before.legend)
    muster.made_up = [part for part in muster.made_up if not edited_parts[part]]
    muster.lists, muster.colors, muster.rank = list(typed.lists), list(typed.colors), typed.rank.value
    muster.name, muster.legend, muster.remark, muster.base = typed.name, typed.legend, typed.remark, typed.base
    muster.version, muster.saved_at = muster.version + 1, now
    muster.save()
    save_step(setup, "proxies", judge, now, edited=muster.lot)
    return accept_proposals(round=round, muster_ids=[muster_id], judge=judge, now=now)[0] if accept else muster


@locking.writes
def accept_proposals(*, round: Round, muster_ids: list[int], judge: Judge, now: datetime) -> list[Muster]:
    """2.5.2.2: these proposals become the round's armies. Refused as a whole if one of them breaks a rule, or is a
    draft of somebody's."""
    setup = held_setup(round, judge)
    musters, taken, accepted = held_musters(round, muster_ids), Preparation(setup).taken, []
    known = known_to(text_of(muster) for muster in musters)
    for muster in musters:
        if muster.state == HandedIn.ACCEPTED:
            continue
        if muster.lot is None and muster.state != HandedIn.SENT:
            raise Refused(
                gettext("You can't accept %(muster)s before it is submitted.") % {"muster": muster}, "2.5.2.2"
            )
        found = judged(text_of(muster), taken.around(muster.side, muster=muster), known=known)
        try:
            check_legal(found)
        except Refused as error:
            raise Refused(f"{muster}: {_reasons(error, found.breaches)}", error.cites) from None
        take_snapshot(muster, found)
        muster.state, muster.decided_by, muster.decided_at, muster.reason = HandedIn.ACCEPTED, judge, now, ""
        muster.save()
        record(round, judge.user, "muster.accepted", {"muster": muster.pk}, now)
        taken = taken.with_muster(muster)
        accepted.append(muster)
    if accepted:
        save_step(setup, "proxies", judge, now, accepted=len(accepted))
    return accepted


@locking.writes
def drop_proposal(*, round: Round, muster_id: int, judge: Judge, now: datetime) -> None:
    """2.5.2.2: takes a proposal away. Refused for what somebody asked for, and for what is accepted."""
    setup = held_setup(round, judge)
    muster = held_muster(round, muster_id)
    if muster.author is not None or muster.state == HandedIn.ACCEPTED:
        raise Refused(
            gettext("You can't remove %(muster)s: it was requested or is already accepted.") % {"muster": muster},
            "2.5.2.2",
        )
    muster.delete()
    save_step(setup, "proxies", judge, now, dropped=muster.lot)


def _proposal(round: Round, muster_id: int, base_version: int) -> Muster:
    """A proposal as it was looked at, held until the transaction ends."""
    muster = held_muster(round, muster_id)
    if muster.lot is None or muster.state == HandedIn.ACCEPTED:
        raise Refused(gettext("You can only change proposals, not %(muster)s.") % {"muster": muster}, "2.5.2.2")
    if muster.version != base_version:
        raise Refused(
            gettext("There is a newer version of %(muster)s. Check it first.") % {"muster": muster}, "2.5.2.2"
        )
    return muster


def _clear(muster: Muster) -> None:
    """Takes the parts away that were made up."""
    if Part.NAME in muster.made_up:
        muster.name = ""
    if Part.COLORS in muster.made_up:
        muster.colors = []
    if Part.TROOPS in muster.made_up:
        muster.lists, muster.legend = [""] * 4, ""


def _reasons(error: Refused, found: Sequence[Finding]) -> str:
    """What is wrong with an army, in the rules' own sentences where there are any."""
    return " ".join(finding.sentence for finding in found) or error.sentence


class ProxiesPage(StepPage):
    """2.5.2.2: the proposals; a POST makes up what is missing, or draws again, accepts or drops one."""

    key, template = "proxies", "setup/proxies.html"

    def context(self) -> dict[str, object]:
        found, places = proposals_of(self.prepared), open_places(self.prepared)
        return {
            "places": places,
            "missing": sum(count for _, count in places),
            "groups": [(rows.side, [one for one in found if one.muster.side is rows.side]) for rows, _ in places],
            "plain": sum(one.is_plain for one in found),
        }

    def act(self) -> str:
        act, key = self.pressed()
        if act == "make-up":
            made = make_up_proxies(**self.common)
            return gettext("Filled in: %(made)s.") % {"made": made} if made else gettext("Nothing was missing.")
        if act == "accept-all":
            good = [proposal.muster.pk for proposal in proposals_of(self.prepared) if proposal.is_plain]
            return gettext("Accepted: %(number)s.") % {"number": len(accept_proposals(muster_ids=good, **self.common))}
        if act == "accept":
            accepted = accept_proposals(muster_ids=[number_of(key)], **self.common)
            return (
                gettext("You accepted %(muster)s.") % {"muster": accepted[0]}
                if accepted
                else gettext("This army was already accepted.")
            )
        if act == "again":
            base_version = number_of(self.post.get(f"version-{key}", ""))
            return gettext("Picked again: %(muster)s.") % {
                "muster": draw_again(muster_id=number_of(key), base_version=base_version, **self.common)
            }
        if act == "drop":
            drop_proposal(muster_id=number_of(key), **self.common)
            return gettext("The proposal is removed.")
        raise Refused(gettext("Something went wrong with this form. Reload the page."))


class ProxyPage(StepPage):
    """2.5.2.2: one proposal in a form; a POST does what its button says."""

    key, template = "proxies", "setup/proxy.html"

    def __init__(self, sent: SentForm, desk: SetupDesk, muster_id: int) -> None:
        super().__init__(sent, desk)
        self.muster = _proposal_or_404(self.round, muster_id)
        self.button = self.post.get("act", "save")
        saved = text_of(self.muster)
        self.content = saved if self.typed is None else _typed_muster(self.muster, self.typed)
        if sent.is_sent and self.button.startswith(EDITS):
            self.content = edited(self.content, self.button, self.post)

    @property
    def only_looks(self) -> bool:
        return self.button not in ("save", "accept")

    def answer(self, frame: Callable[[], Mapping[str, object]] = dict) -> HttpResponse:
        """2.1: a line that is added or taken away is answered to a script with the form alone."""
        if self.button.startswith(EDITS) and self.request.headers.get("HX-Request"):
            return render(self.request, "musters/_edited.html", form_context(self.muster, self.content))
        return super().answer(frame)

    def context(self) -> dict[str, object]:
        muster = _proposal_or_404(self.round, self.muster.pk) if self.refused else self.muster
        return {**form_context(muster, self.content), "picker": picker_of(self.post, self.content)}

    def act(self) -> Success:
        accept = self.button == "accept"
        muster = edit_army(
            muster_id=self.muster.pk, typed=self.content, base_version=self.base_version, accept=accept, **self.common
        )
        if accept:
            return Success(
                gettext("You accepted %(muster)s.") % {"muster": muster},
                reverse("setup-proxies", args=[self.round.slug]),
            )
        return Success(gettext("Saved."))


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.1, 2.2: what the rules say of what is typed, as a fragment; nothing, when it was accepted meanwhile."""
    muster = proposal_for(desk_for(request, slug).round, muster_id)
    if muster is None:
        return HttpResponse(status=204)
    return render(request, "musters/_previewed.html", form_context(muster, _typed_muster(muster, request.POST)))


@require_POST
@logged_in
def find_creatures(request: HttpRequest, slug: str, muster_id: int) -> HttpResponse:
    """2.2.1: what the picker finds, as a fragment; nothing, when it was accepted meanwhile."""
    muster = proposal_for(desk_for(request, slug).round, muster_id)
    if muster is None:
        return HttpResponse(status=204)
    picker = picker_of(request.POST, _typed_muster(muster, request.POST))
    address = reverse("setup-proxy", args=[slug, muster.pk])
    return render(request, "musters/_picks.html", {"picker": picker, "address": address})


def form_context(muster: Muster, typed: MusterText) -> dict[str, object]:
    """What the parts of a muster's form need."""
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


def _proposal_or_404(round: Round, muster_id: int) -> Muster:
    muster = proposal_for(round, muster_id)
    if muster is None:
        raise Http404(gettext("There is no such proposal. It may have been accepted."))
    return muster
