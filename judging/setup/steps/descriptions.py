"""2.5.1.2: the step of the descriptions of bases: the leaders write them, and the judge accepts them."""

from collections.abc import Iterator
from typing import Any

from django.contrib import messages
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

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
from judging.setup.services import open_setup
from judging.setup.sites import KINDS, MAX_DESCRIPTION, is_revealed, side_of
from judging.setup.step import Problem, StepForm, missing
from judging.setup.team import TeamForm, changed_meanwhile
from wargame.models import Base, Player, Round
from wargame.rules.core.sides import TEAMS


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.1.2: the descriptions that wait for their writers or for the judge."""
    sites = prepared.sites(KINDS.BASE, KINDS.PORTAL)
    if waiting := [site.name for site in sites if site.state == HandedIn.SENT]:
        yield missing(gettext("Waiting for your decision: %(waiting)s."), "2.5.1.2", waiting=", ".join(waiting))
    for side in TEAMS:
        unsent = [s.name for s in sites if side_of(s) is side and s.state in (HandedIn.DRAFT, HandedIn.REFUSED)]
        if unsent:
            told = gettext("Not submitted by %(side)s: %(unsent)s.")
            yield missing(told, "2.5.1.2", side=side.title, unsent=", ".join(unsent))


def _checked(text: str, site: PlannedSite) -> str:
    what = gettext("description of %(name)s") % {"name": site.name}
    return checked_text(text, what=what, most=MAX_DESCRIPTION, cites="2.5.1.2")


def _save_description(site: PlannedSite, leader: Player, text: str, version: int, send: bool) -> bool:
    """2.5.1.2: store one description; returns whether it was handed in."""
    text = text.replace("\r\n", "\n").strip()
    if text == site.description and (not send or site.state in (HandedIn.SENT, HandedIn.ACCEPTED)):
        return False
    if site.state == HandedIn.ACCEPTED:
        told = gettext("The judge has accepted the description of %(site)s, so you can't change it.")
        raise Refused(told % {"site": site.name}, "2.5.1.2")
    if site.version != version:
        raise changed_meanwhile("2.5.1.2")
    if text or send:
        _checked(text, site)
    site.description, site.written_by, site.version = text, leader.name, site.version + 1
    site.state = HandedIn.SENT if send else HandedIn.DRAFT
    site.save()
    return send


def _held_site(round: Round, site_id: int) -> PlannedSite:
    site = locking.hold_first(PlannedSite.objects.filter(round=round, pk=site_id))
    if site is None or side_of(site) is None:
        raise Refused(gettext("There is no such base."), "2.5.1.2")
    return site


def _store(setup: RoundSetup, site: PlannedSite) -> None:
    """2.5.1.2: store the row; a description that is accepted after the reveal is public at once."""
    site.version += 1
    site.save()
    if is_revealed(setup) and site.state == HandedIn.ACCEPTED:
        Base.objects.filter(round=setup.round, name=site.name).update(description=site.description)


class DecidingForm(StepForm):
    """2.5.1.2: a form in which descriptions are accepted or refused."""

    @property
    def described(self) -> list[PlannedSite]:
        return self.prepared.sites(KINDS.BASE, KINDS.PORTAL)

    def site(self, key: str) -> PlannedSite:
        """Raises Http404 for anything but a base or a portal."""
        found = next((site for site in self.described if str(site.pk) == key), None)
        if found is None:
            raise Http404(gettext("There is no such base."))
        return found

    @locking.writes
    def decide(self, site_id: int, version: int, *, accept: bool, reason: str = "") -> str:
        """2.5.1.2: the judge accepts a description that was handed in, or refuses it with a reason.

        An accepted one may be refused until it is public. Refused on top of a version that is not the last.
        """
        setup, site = self.held(checks_version=False), _held_site(self.round, site_id)
        fields = {"site": site.name}
        if site.version != version:
            told = gettext("The description of %(site)s has changed in the meantime. Read it again.")
            raise Refused(told % fields, "2.5.1.2")
        if site.state not in (HandedIn.SENT, HandedIn.ACCEPTED):
            raise Refused(gettext("The description of %(site)s is not currently submitted.") % fields, "2.5.1.2")
        reason = checked_reason(reason, accept)
        if not accept and site.state == HandedIn.ACCEPTED and is_revealed(setup):
            raise Refused(gettext("The description of %(site)s is already public.") % fields, "2.5.1.2")
        site.state, site.reason = (HandedIn.ACCEPTED, "") if accept else (HandedIn.REFUSED, reason)
        _store(setup, site)
        self.store(setup, site=site.name, accepted=accept)
        if accept:
            return gettext("The description of %(site)s is accepted.") % fields
        return gettext("The description of %(site)s is refused.") % fields


class DescriptionsForm(DecidingForm):
    """2.5.1.2: all descriptions; accepts one, or all that were looked at.

    A refusal is told in a message, since there is nothing typed to be kept.
    """

    def context(self) -> dict[str, object]:
        sites = self.described
        groups = [(side, [site for site in sites if side_of(site) is side]) for side in TEAMS]
        return {"groups": groups, "sent": [site for site in sites if site.state == HandedIn.SENT]}

    def save(self) -> Success | str:
        try:
            if self.pressed()[0] == "all":
                return self.accept_all()
            site = self.site(self.post.get("site", ""))
            return self.decide(site.pk, self.base_version, accept=True, reason=self.post.get("reason", ""))
        except Busy:
            raise
        except Refused as error:
            return Success(str(error), level=messages.ERROR)

    @locking.writes
    def accept_all(self) -> str:
        """2.5.1.2: accepts all descriptions that were looked at, by the site and the version.

        Those accepted already are passed over, so that a second click does nothing. Refused as a whole if one of the
        others was changed since.
        """
        self.held(checks_version=False)
        read = {site.pk: number_of(self.post.get(f"version-{site.pk}", "")) for site in self.described}
        accepted = 0
        for site_id, version in sorted(read.items()):
            if version >= 0 and _held_site(self.round, site_id).state != HandedIn.ACCEPTED:
                self.decide(site_id, version, accept=True)
                accepted += 1
        return gettext("Accepted: %(number)s.") % {"number": accepted}


class DescriptionForm(DecidingForm):
    """2.5.1.2: one description, which is accepted, refused with a reason, or replaced by the judge's own."""

    part, row = "description", "site_id"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.place = self.site(str(self.key))
        self.reason = self.values.get("reason", "" if self.values else self.place.reason)
        self.text = self.values.get("text", self.place.description).replace("\r\n", "\n")

    @property
    def only_looks(self) -> bool:
        return self.pressed()[0] not in ("accept", "refuse", "write")

    def context(self) -> dict[str, object]:
        return {
            "place": self.place,
            "reason": self.reason,
            "text": self.text,
            "is_public": is_revealed(self.setup),
        }

    def save(self) -> Success:
        act, _ = self.pressed()
        if act == "write":
            said = self.write()
        else:
            accept, reason = act == "accept", self.post.get("reason", "")
            said = self.decide(self.key, self.base_version, accept=accept, reason=reason)
        return Success(said, reverse("setup-descriptions", args=[self.round.slug]))

    @locking.writes
    def write(self) -> str:
        """1.3, 2.5.1.2: the judge writes a description, which is accepted thereby."""
        setup, site = self.held(checks_version=False), _held_site(self.round, self.key)
        if site.version != self.base_version:
            told = gettext("The description of %(site)s has changed in the meantime. Your text is still in the form.")
            raise Refused(told % {"site": site.name}, "2.5.1.2")
        site.description, site.reason = _checked(self.text, site).strip(), ""
        site.written_by, site.state = self.desk.judge.name, HandedIn.ACCEPTED
        _store(setup, site)
        self.store(setup, site=site.name, written=True)
        return gettext("Your description of %(site)s is saved.") % {"site": site.name}


class TeamDescriptionsForm(TeamForm):
    """2.5.1.2: the descriptions of the team's bases, for its leaders. They are drafts until they are handed in: those
    whose button is pressed (`send 12`), or all with a text (`send`)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.texts = {
            site.row.pk: text.replace("\r\n", "\n")
            for site in self.desk.sites
            if (text := self.values.get(f"text-{site.row.pk}")) is not None
        }

    def context(self) -> dict[str, object]:
        return {"sites": [(site, self.texts.get(site.row.pk, site.row.description)) for site in self.desk.sites]}

    @locking.writes
    def save(self) -> str:
        """One that is with the judge becomes a draft again if it is changed. Refused as a whole on top of a
        version that is not the last, and for one that is accepted or to be handed in without a text."""
        open_setup(self.round)
        act = self.post.get("act", "save")
        # By their keys, all at once: two leaders who save the same sites never wait for each other in a ring.
        sites = locking.hold_all(PlannedSite.objects.filter(round=self.round, pk__in=self.texts))
        sent = []
        for site in sorted(sites, key=lambda site: (site.kind, site.place)):
            text, version = self.texts[site.pk], number_of(self.values.get(f"version-{site.pk}", ""))
            send = bool(text.strip()) if act == "send" else act == f"send {site.pk}"
            if _save_description(site, self.player, text, version, send):
                sent.append(site.name)
        if not sent:
            return gettext("The drafts are saved.")
        record(self.round, self.player.user, "setup.described", {"sites": sent}, self.now)
        return gettext("Sent to the judge: %(sent)s.") % {"sent": ", ".join(sent)}
