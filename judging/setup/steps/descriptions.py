"""2.5.1.2: the step of the descriptions of bases: the leaders write them, and the judge accepts them."""

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime

from django.contrib import messages
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.armies.models import HandedIn
from judging.armies.musters.services import checked_reason
from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import Success, number_of
from judging.common.locking import Busy
from judging.common.log_entry import record
from judging.common.texts import checked_text
from judging.setup.models import PlannedSite, RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, open_setup, save_step
from judging.setup.sites import (
    KINDS,
    MAX_DESCRIPTION,
    is_revealed,
    side_of,
)
from judging.setup.step import Problem, SentForm, StepKind, StepPage, missing
from judging.setup.team import TeamPage, TeamPreparation, changed_meanwhile, checked_leader
from wargame.models import Base, Judge, Player, Round
from wargame.rules.core.sides import TEAMS


def find(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.2: the descriptions that wait for their writers or for the judge."""
    sites = prepared.sites(KINDS.BASE, KINDS.PORTAL)
    if waiting := [site.name for site in sites if site.state == HandedIn.SENT]:
        yield missing(gettext("Waiting for your decision: %(waiting)s.") % {"waiting": ", ".join(waiting)}, "2.5.1.2")
    for side in TEAMS:
        unsent = [s.name for s in sites if side_of(s) is side and s.state in (HandedIn.DRAFT, HandedIn.REFUSED)]
        if unsent:
            yield missing(
                gettext("Not submitted by %(side)s: %(unsent)s.") % {"side": side.title, "unsent": ", ".join(unsent)},
                "2.5.1.2",
            )


STEP = StepKind(
    "descriptions",
    gettext_noop("Descriptions"),
    "2.5.1.2",
    gettext_noop("Each team's leaders describe their bases, and the battle judge accepts the descriptions."),
    find,
)


@locking.writes
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
    leader = checked_leader(round, player)
    # By their keys, all at once: two leaders who save the same sites never wait for each other in a ring.
    sites = locking.hold_all(PlannedSite.objects.filter(round=round, pk__in=typed))
    sent = []
    for site in sorted(sites, key=lambda site: (site.kind, site.place)):
        text, version = typed[site.pk]
        if _save_description(site, leader, text, version, site.pk in send):
            sent.append(site.name)
    if sent:
        record(round, leader.user, "setup.described", {"sites": sent}, now)
    return sent


@locking.writes
def decide_description(
    *, round: Round, judge: Judge, site_id: int, accept: bool, reason: str, base_version: int, now: datetime
) -> PlannedSite:
    """2.5.1.2: the judge accepts a description that was handed in, or refuses it with a reason.

    An accepted one may be refused until it is public. Refused on top of a version that is not the last.
    """
    setup = held_setup(round, judge)
    site = _site(round, site_id)
    if site.version != base_version:
        raise Refused(
            gettext("The description of %(site)s has changed in the meantime. Read it again.") % {"site": site.name},
            "2.5.1.2",
        )
    if site.state not in (HandedIn.SENT, HandedIn.ACCEPTED):
        raise Refused(
            gettext("The description of %(site)s is not currently submitted.") % {"site": site.name}, "2.5.1.2"
        )
    reason = checked_reason(reason, accept)
    if not accept and site.state == HandedIn.ACCEPTED and is_revealed(setup):
        raise Refused(gettext("The description of %(site)s is already public.") % {"site": site.name}, "2.5.1.2")
    site.state, site.reason = (HandedIn.ACCEPTED, "") if accept else (HandedIn.REFUSED, reason)
    _store(setup, site)
    save_step(setup, "descriptions", judge, now, site=site.name, accepted=accept)
    return site


@locking.writes
def accept_descriptions(*, round: Round, judge: Judge, versions: Mapping[int, int], now: datetime) -> int:
    """2.5.1.2: accepts all descriptions that were looked at, by the site and the version; how many there were.

    Those accepted already are passed over, so that a second click does nothing. Refused as a whole if one of the
    others was changed since.
    """
    held_setup(round, judge)
    accepted = 0
    for site_id, version in sorted(versions.items()):
        if _site(round, site_id).state == HandedIn.ACCEPTED:
            continue
        decide_description(
            round=round, judge=judge, site_id=site_id, accept=True, reason="", base_version=version, now=now
        )
        accepted += 1
    return accepted


@locking.writes
def describe_instead(
    *, round: Round, judge: Judge, site_id: int, text: str, base_version: int, now: datetime
) -> PlannedSite:
    """1.3, 2.5.1.2: the judge writes a description himself, which is accepted thereby."""
    setup = held_setup(round, judge)
    site = _site(round, site_id)
    if site.version != base_version:
        raise Refused(
            gettext("The description of %(site)s has changed in the meantime. Your text is still in the form.")
            % {"site": site.name},
            "2.5.1.2",
        )
    text = checked_text(
        text, what=gettext("description of %(name)s") % {"name": site.name}, most=MAX_DESCRIPTION, cites="2.5.1.2"
    ).strip()
    site.description, site.written_by, site.state, site.reason = text, judge.name, HandedIn.ACCEPTED, ""
    _store(setup, site)
    save_step(setup, "descriptions", judge, now, site=site.name, written=True)
    return site


def _save_description(site: PlannedSite, leader: Player, text: str, version: int, send: bool) -> bool:
    """2.5.1.2: keeps one description; whether it was handed in thereby."""
    if side_of(site) != leader.side:
        raise Refused(gettext("Only a side's leaders can describe its bases."), "2.5.1.2")
    text = text.replace("\r\n", "\n").strip()
    if text == site.description and (not send or site.state in (HandedIn.SENT, HandedIn.ACCEPTED)):
        return False
    if site.state == HandedIn.ACCEPTED:
        raise Refused(
            gettext("The judge has accepted the description of %(site)s, so you can't change it.")
            % {"site": site.name},
            "2.5.1.2",
        )
    if site.version != version:
        raise changed_meanwhile("2.5.1.2")
    if text or send:
        checked_text(
            text, what=gettext("description of %(name)s") % {"name": site.name}, most=MAX_DESCRIPTION, cites="2.5.1.2"
        )
    site.description, site.written_by, site.version = text, leader.name, site.version + 1
    site.state = HandedIn.SENT if send else HandedIn.DRAFT
    site.save()
    return send


def _site(round: Round, site_id: int) -> PlannedSite:
    site = locking.hold_first(PlannedSite.objects.filter(round=round, pk=site_id))
    if site is None or side_of(site) is None:
        raise Refused(gettext("There is no such base."), "2.5.1.2")
    return site


def _store(setup: RoundSetup, site: PlannedSite) -> None:
    """2.5.1.2: keeps the row; what is accepted after the reveal is public at once."""
    site.version += 1
    site.save()
    if is_revealed(setup) and site.state == HandedIn.ACCEPTED:
        Base.objects.filter(round=setup.round, name=site.name).update(description=site.description)


class DescriptionsPage(StepPage):
    """2.5.1.2: all descriptions as they stand; a POST accepts one, or all that were looked at.

    A refusal is told in a message, since there is nothing typed to be kept.
    """

    key, template = "descriptions", "setup/descriptions.html"

    def context(self) -> dict[str, object]:
        sites = _described(self.prepared)
        groups = [(side, [site for site in sites if side_of(site) is side]) for side in TEAMS]
        return {"groups": groups, "sent": [site for site in sites if site.state == HandedIn.SENT]}

    def act(self) -> Success:
        try:
            return Success(self._accept_all() if self.pressed()[0] == "all" else self._accept_one())
        except Busy:
            raise
        except Refused as error:
            return Success(str(error), level=messages.ERROR)

    def _accept_all(self) -> str:
        post = self.post
        read = {site.pk: number_of(post.get(f"version-{site.pk}", "")) for site in _described(self.prepared)}
        versions = {pk: version for pk, version in read.items() if version >= 0}
        return gettext("Accepted: %(number)s.") % {"number": accept_descriptions(versions=versions, **self.common)}

    def _accept_one(self) -> str:
        site = _site_or_404(self.prepared, self.post.get("site", ""))
        return _decided(self, site, accept=True)


class DescriptionPage(StepPage):
    """2.5.1.2: one description; a POST accepts it, refuses it with a reason, or replaces it by the judge's own."""

    key, template = "descriptions", "setup/description.html"

    def __init__(self, sent: SentForm, desk: SetupDesk, site_id: int) -> None:
        super().__init__(sent, desk)
        self.site = site = _site_or_404(self.prepared, str(site_id))
        self.reason = self.typed.get("reason", "") if self.typed else site.reason
        text = self.typed.get("text", site.description) if self.typed else site.description
        self.text = text.replace("\r\n", "\n")

    @property
    def only_looks(self) -> bool:
        return self.pressed()[0] not in ("accept", "refuse", "write")

    def context(self) -> dict[str, object]:
        return {
            "place": self.site,
            "reason": self.reason,
            "text": self.text,
            "is_public": is_revealed(self.setup),
        }

    def act(self) -> Success:
        act, _ = self.pressed()
        if act == "write":
            describe_instead(site_id=self.site.pk, text=self.text, base_version=self.base_version, **self.common)
            said = gettext("Your description of %(site)s is saved.") % {"site": self.site.name}
        else:
            said = _decided(self, self.site, accept=act == "accept")
        return Success(said, reverse("setup-descriptions", args=[self.round.slug]))


class TeamDescriptionsPage(TeamPage):
    """2.5.1.2: the descriptions of the team's bases, for its leaders."""

    page, template = "descriptions", "setup/team_descriptions.html"

    def __init__(self, sent: SentForm, desk: TeamPreparation) -> None:
        super().__init__(sent, desk)
        self.texts = _typed_texts(desk, self.typed or QueryDict())

    def context(self) -> dict[str, object]:
        typed = {key: text for key, (text, _) in self.texts.items()}
        return {"sites": [(site, typed.get(site.row.pk, site.row.description)) for site in self.desk.sites]}

    def act(self) -> str:
        """Saves the drafts, and hands in those whose button was pressed: `send 12`, or all with a text: `send`."""
        act, typed = self.post.get("act", "save"), self.texts
        if act == "send":
            send = {key for key, (text, _) in typed.items() if text.strip()}
        else:
            send = {key for key in typed if act == f"send {key}"}
        sent = save_descriptions(round=self.desk.round, player=self.desk.player, typed=typed, send=send, now=self.now)
        return (
            gettext("Sent to the judge: %(sent)s.") % {"sent": ", ".join(sent)}
            if sent
            else gettext("The drafts are saved.")
        )


def _described(prepared: Preparation) -> list[PlannedSite]:
    return prepared.sites(KINDS.BASE, KINDS.PORTAL)


def _site_or_404(prepared: Preparation, key: str) -> PlannedSite:
    found = next((site for site in _described(prepared) if str(site.pk) == key), None)
    if found is None:
        raise Http404(gettext("There is no such base."))
    return found


def _decided(page: StepPage, site: PlannedSite, *, accept: bool) -> str:
    """Accepts or refuses a description with the reason of the form; what is said of it. Raises Refused."""
    reason = page.post.get("reason", "")
    decided = decide_description(
        site_id=site.pk, accept=accept, reason=reason, base_version=page.base_version, **page.common
    )
    if decided.state == HandedIn.ACCEPTED:
        return gettext("The description of %(site)s is accepted.") % {"site": site.name}
    return gettext("The description of %(site)s is refused.") % {"site": site.name}


def _typed_texts(desk: TeamPreparation, data: QueryDict) -> dict[int, tuple[str, int]]:
    """`text-12` and `version-12`, of the bases that the form had a field for."""
    return {
        site.row.pk: (text.replace("\r\n", "\n"), number_of(data.get(f"version-{site.row.pk}", "")))
        for site in desk.sites
        if (text := data.get(f"text-{site.row.pk}")) is not None
    }
