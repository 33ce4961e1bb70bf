"""1.6: whom administrators and hosts of rounds let in: invitation links to sign up, and accounts made for others."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.db import IntegrityError
from django.utils.translation import gettext

from judging.accounts.bars import Action, enter
from judging.accounts.models import SignUpLink
from judging.accounts.reads import open_links
from judging.accounts.writes import checked_account_name, create_account
from judging.game import locking
from judging.game.errors import Refused
from judging.game.judges import is_administrator
from judging.game.texts import check_storable
from judging.people.writes import check_administrator
from judging.setup.reads import may_create_round
from wargame.rules.command.screen_names import RULE

MOST_PLACES, MOST_LINKS, LASTS = 100, 20, (7, 30, 90)
"""How many people one link lets in, how many links somebody has at a time, and for how many days they work."""

SHOWN_AFTER = timedelta(days=30)
"""How long a link that has ended stays in the list."""


def may_invite(user: User | AnonymousUser) -> bool:
    """1.6: where sign-up needs an invitation, administrators and hosts, who may start rounds, make links."""
    return bool(settings.SIGN_UP == "invitation" and may_create_round(user))


def links_for(user: User, now: datetime) -> Sequence[tuple[SignUpLink, bool]]:
    """1.6: one's own links, and to administrators everybody's, each with whether it works, the newest first."""
    links = SignUpLink.objects.filter(expires_at__gt=now - SHOWN_AFTER).select_related("by")
    good = set(links.filter(open_links(now), by__is_active=True).values_list("pk", flat=True))
    found = links if is_administrator(user) else links.filter(by=user)
    return [(link, link.pk in good) for link in found]


@locking.writes
def make_link(*, by: User, note: str, places: int, days: int, now: datetime) -> SignUpLink:
    """1.6: a new invitation link. Refused for who may make none, and for too many."""
    if not may_invite(by):
        raise Refused(gettext("Only administrators and hosts of rounds can make invitation links."), RULE)
    note = " ".join(note.split())
    check_storable(note, what="note", cites="", field="note")
    if len(note) > 60:
        raise Refused(gettext("Use up to 60 characters to say who the link is for."), "", "note")
    if not 1 <= places <= MOST_PLACES:
        raise Refused(gettext("A link can be for 1 to %(most)s people.") % {"most": MOST_PLACES}, "", "places")
    if days not in LASTS:
        raise Refused(gettext("Choose how long the link stays valid."), "", "days")
    locking.hold(User.objects, pk=by.pk)  # two forms at once do not make more than the most
    if SignUpLink.objects.filter(open_links(now), by=by).count() >= MOST_LINKS:
        raise Refused(gettext("You have %(most)s open links. Revoke one first.") % {"most": MOST_LINKS}, RULE)
    link = SignUpLink.objects.create(
        secret=secrets.token_urlsafe(16), by=by, note=note, places=places, made_at=now,
        expires_at=now + timedelta(days=days),
    )  # fmt: skip
    enter(by, Action.LINK_MADE, None, {"link": link.pk}, now)
    return link


@locking.writes
def revoke_link(*, by: User, link_id: int, now: datetime) -> SignUpLink:
    """1.6: nobody signs up with the link any more; once more changes nothing. Administrators revoke everybody's."""
    links = SignUpLink.objects.filter(pk=link_id)
    link = locking.hold_first(links if is_administrator(by) else links.filter(by=by))
    if link is None:
        raise Refused(gettext("This isn't one of your invitation links."), RULE)
    if link.revoked_at is None:
        link.revoked_at = now
        link.save(update_fields=["revoked_at"])
        enter(by, Action.LINK_REVOKED, None, {"link": link.pk}, now)
    return link


@locking.writes
def make_account(*, name: str, by: User, now: datetime) -> User:
    """1.6: an account for somebody else, without a password: its owner chooses one by a link."""
    check_administrator(by)
    name = checked_account_name(name)
    user = User(username=name, first_name=name)
    user.set_unusable_password()
    try:
        with locking.transaction():
            create_account(user)
    except IntegrityError:
        raise Refused(gettext("This name was taken a moment ago."), RULE, "name") from None
    enter(by, Action.MADE, user, {}, now)
    return user
