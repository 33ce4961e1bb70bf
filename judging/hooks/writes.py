"""1.2: making, changing and ending hooks, and sending a message again."""

from __future__ import annotations

import base64
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.accounts.renaming import renamed
from judging.game import locking
from judging.game.errors import Refused
from judging.game.texts import check_storable
from judging.hooks.models import Hook, HookMessage
from judging.hooks.reads import KINDS, OF_PEOPLE, OF_ROUNDS, OF_TABLES, rounds_to_choose, tables_to_choose
from judging.notifications.dialling import Unreachable, host_of

MOST_HOOKS = 10
CHANGE_OVER = timedelta(hours=24)
"""How long the secret before signs, too."""


def watch() -> None:
    """1.6: hears of each account that is deleted from now on; called once at the start."""
    renamed.connect(_forget, dispatch_uid="judging.hooks")


def _forget(*, user: User, **_: object) -> None:
    """1.6: where a deleted person was told of things, and what he was told there."""
    Hook.objects.filter(user=user).delete()


@locking.writes
def make_hook(
    *, user: User, name: str, url: str, style: str, kinds: Collection[str], slug: str, now: datetime, table: str = ""
) -> Hook:
    """1.2: a new hook of the user, told of the round or the card table of that slug, or of himself if both are empty.
    Its secret is shown once. Refused, with the field, for an address that is none, kinds that there are not, or too
    many hooks."""
    name, url = " ".join(name.split()), url.strip()
    if not 0 < len(name) <= 60:
        raise Refused(gettext("Name the webhook, in up to 60 characters."), "1.2", "name")
    check_storable(name, what="name", cites="1.2", field="name")
    if style not in Hook.Style.values:
        raise Refused(gettext("Choose a format."), "1.2", "style")
    try:
        host_of(url)
    except Unreachable as error:
        sentence = gettext("We can't send to that address: %(why)s. Enter one that begins with https://.")
        raise Refused(sentence % {"why": gettext(str(error))}, "1.2", "url") from None
    round_ = rounds_to_choose().filter(slug=slug).first() if slug else None
    if slug and round_ is None:
        raise Refused(gettext("Choose a running round, or none."), "1.2", "round")
    table_ = tables_to_choose(user).filter(slug=table).first() if table else None
    if table and (table_ is None or slug):
        raise Refused(gettext("Choose a card table that isn't finished, and no round."), "1.2", "table")
    offered = OF_ROUNDS if round_ else OF_TABLES if table_ else OF_PEOPLE
    wanted = [kind for kind in offered if kind in kinds]
    if not wanted:
        words = ", ".join(gettext("“%(word)s”") % {"word": gettext(KINDS[kind])} for kind in offered)
        raise Refused(gettext("Choose at least one event: %(words)s.") % {"words": words}, "1.2", "kinds")
    locking.hold(User.objects, pk=user.pk)  # two forms at once do not make more than the most
    if Hook.objects.filter(user=user).count() >= MOST_HOOKS:
        told = gettext("You have %(number)s webhooks. Remove one you don't need.")
        raise Refused(told % {"number": MOST_HOOKS}, "1.2")
    made = Hook(user=user, round=round_, table=table_, name=name, url=url, style=style, kinds=wanted)
    made.secret = new_secret()
    made.made_at = made.since = now
    made.save()
    return made


@locking.writes
def drop_hook(*, user: User, hook_id: int) -> str:
    """1.2: a hook of one's own is told nothing more; its name. Refused for one that is not his."""
    row = _held_hook(user, hook_id)
    row.delete()
    return row.name


@locking.writes
def renew_secret(*, user: User, hook_id: int, now: datetime) -> Hook:
    """1.2: another secret, shown once; for a day both sign."""
    row = _held_hook(user, hook_id)
    row.secret_before, row.secret_until, row.secret = row.secret, now + CHANGE_OVER, new_secret()
    row.save(update_fields=["secret", "secret_before", "secret_until"])
    return row


@locking.writes
def switch_on(*, user: User, hook_id: int, now: datetime) -> Hook:
    """1.2: a hook that was switched off is told again of what happens from now on."""
    row = _held_hook(user, hook_id)
    row.off_at, row.why_off, row.since, row.made_at = None, "", now, now
    row.save(update_fields=["off_at", "why_off", "since", "made_at"])
    return row


@locking.writes
def try_hook(*, user: User, hook_id: int, now: datetime) -> HookMessage:
    """1.2: a message that says that the hook works; one at a time."""
    row = _held_hook(user, hook_id)
    waiting = HookMessage.objects.filter(hook=row, kind="test", state=HookMessage.State.WAITING).first()
    if waiting:
        return waiting
    told = {"round": "", "turn": None, "sentence": gettext("This webhook works."), "link": ""}
    number = new_number()
    return HookMessage.objects.create(
        hook=row, key=f"test-{number}"[:60], number=number, kind="test", told=told, created=now, due=now
    )


@locking.writes
def send_message_again(*, user: User, message_id: int, now: datetime) -> HookMessage:
    """1.2: a message of one's own that was sent or given up is sent once more, under its number. Refused for
    somebody else's."""
    row = HookMessage.objects.filter(pk=message_id, hook__user=user).first() if message_id < 2**63 else None
    if row is None:
        raise Refused(gettext("You have no such message."), "1.2")
    if row.state in (HookMessage.State.SENT, HookMessage.State.GIVEN_UP):
        row.state, row.due, row.tries, row.ended, row.error = HookMessage.State.WAITING, now, 0, None, ""
        row.save(update_fields=["state", "due", "tries", "ended", "error"])
    return row


def new_secret() -> str:
    """A new secret, written as Standard Webhooks has it: 24 random bytes in base64 behind `whsec_`."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(24)).decode()}"


def new_number() -> str:
    """The name of a message for its receiver."""
    return f"msg_{secrets.token_hex(12)}"


def _held_hook(user: User, hook_id: int) -> Hook:
    row = locking.hold_first(Hook.objects.filter(user=user, pk=hook_id)) if hook_id < 2**63 else None
    if row is None:
        raise Refused(gettext("You have no such webhook."), "1.2")
    return row
