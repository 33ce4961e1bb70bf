"""1.2: a user's webhooks: their events, making, changing and ending them, and sending a message again."""

import base64
import hashlib
import hmac
import json
import re
import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext

from judging.accounts.signals import renamed
from judging.announcements.models import Notice
from judging.announcements.queries import address_of, notice_views
from judging.announcements.wording import POSTS
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.texts import check_storable
from judging.notifications.kinds.tables import MOVES
from judging.notifications.models import Notification
from judging.notifications.queries import preference_of, views_for
from judging.notifications.safe_http import Unreachable, host_of
from judging.tables.models import Table, TableRuling, TableState
from judging.tables.queries import seen_by, winners_of
from judging.webhooks.models import Hook, HookMessage
from wargame.models import Round
from wargame.models.choices import RoundState


@dataclass(frozen=True)
class EventKind:
    """What a webhook may be told of: its words, and of what: a `round`, a card `table`, or its owner, `person`."""

    english: str
    about: str

    @property
    def words(self) -> str:
        return gettext(self.english)


KINDS = {
    "unlock": EventKind(gettext_noop("a turn opens"), "round"),
    "lock": EventKind(gettext_noop("a turn locks"), "round"),
    "battle": EventKind(gettext_noop("battles are announced"), "round"),
    "result": EventKind(gettext_noop("a result is published"), "round"),
    "ruling": EventKind(gettext_noop("a ruling, correction or penalty"), "round"),
    "move": EventKind(gettext_noop("something is waiting for you"), "person"),
    "news": EventKind(gettext_noop("any other notification for you"), "person"),
    "turn": EventKind(gettext_noop("it is your move"), "table"),
    "ruled": EventKind(gettext_noop("a judge has ruled"), "table"),
    "over": EventKind(gettext_noop("the game has ended"), "table"),
}
"""By the codes that stand in messages. Which posts in a round's threads a webhook is sent: `POSTS` of announcements."""


def kinds_about(about: str) -> tuple[str, ...]:
    """The codes of what happens in a round, at a table or to a person."""
    return tuple(code for code, kind in KINDS.items() if kind.about == about)


OVERLAP = timedelta(minutes=15)
"""How long after its moment a row can still appear in the database: a transaction is over in seconds."""

MOST_ROWS = 200
"""The most rows of one sort that one run of the job takes for a hook; the next run takes the rest."""

LONGEST_CONTENT = 1_900
"""Discord accepts 2,000 characters in a message."""

MARKED = re.compile(r"[\\*_~`|<>\[\]#@]|:(?=//)")
"""Markup characters in a message at Discord."""

SHOWN_MESSAGES = 50
ABOUT = ("round", "table")


@dataclass(frozen=True)
class HookEvent:
    """An event for a hook: `key` names it, `kind` is a code of KINDS, `link` is on this site."""

    key: str
    kind: str
    at: datetime
    sentence: str
    link: str
    round: str = ""
    turn: int | None = None
    table: str = ""

    def as_json(self) -> dict[str, object]:
        base = settings.PUBLIC_URL.rstrip("/")
        link = f"{base}{self.link}" if self.link else ""
        about = {"table": self.table} if self.table else {}
        return {"round": self.round, "turn": self.turn, **about, "sentence": self.sentence, "link": link}


@dataclass(frozen=True)
class HookView:
    """A hook as its owner sees it: only the host of its address."""

    id: int
    name: str
    host: str
    style: str
    kinds: tuple[str, ...]
    round: str
    made_at: datetime
    off_at: datetime | None
    why_off: str
    table: str = ""

    @property
    def about(self) -> str:
        """The round or card table that it is about; empty for one about its owner."""
        return self.round or self.table

    @property
    def words(self) -> str:
        """Its kinds of events, in words."""
        return ", ".join(KINDS[kind].words for kind in self.kinds if kind in KINDS)


def hooks_of(user: User) -> tuple[HookView, ...]:
    """1.2: a person's hooks."""
    return tuple(map(view_of, Hook.objects.filter(user=user).select_related(*ABOUT)))


def hook_of(user: User, hook_id: int) -> Hook | None:
    """1.2: one of a person's hooks."""
    return Hook.objects.filter(user=user, pk=hook_id).select_related(*ABOUT).first() if hook_id < 2**63 else None


def view_of(row: Hook) -> HookView:
    host = row.url.split("/")[2] if row.url.count("/") > 1 else ""
    slug, table = row.round.slug if row.round else "", row.table.slug if row.table else ""
    kinds = tuple(row.kinds)
    return HookView(row.pk, row.name, host, row.style, kinds, slug, row.made_at, row.off_at, row.why_off, table)


def messages_of(hook: Hook) -> QuerySet[HookMessage]:
    """The messages sent to a hook, the newest first."""
    return HookMessage.objects.filter(hook=hook)[:SHOWN_MESSAGES]


def rounds_to_choose() -> QuerySet[Round]:
    """The rounds that a hook can follow: all that are public and not over."""
    return Round.objects.filter(state=RoundState.RUNNING).order_by("name")


def tables_to_choose(user: User) -> QuerySet[Table]:
    """12: the card tables that a hook can follow: those that its owner may see, and that are not over."""
    living = (TableState.OPEN, TableState.CUTTING, TableState.RUNNING)
    return seen_by(user).filter(state__in=living).order_by("name", "pk")


def news_for(hook: Hook, now: datetime, told: Collection[str] = ()) -> Iterator[HookEvent]:
    """The events for a hook since it was last processed, without those already `told`: of each sort the oldest
    MOST_ROWS."""
    since = max(hook.since - OVERLAP, hook.made_at)
    if hook.table is not None:
        yield from _of_table(hook, hook.table, since, now, told)
    elif hook.round is None:
        yield from _of_person(hook, since, now, told)
    else:
        yield from _of_round(hook, hook.round, since, now, told)


def _of_round(hook: Hook, round_: Round, since: datetime, now: datetime, told: Collection[str]) -> Iterator[HookEvent]:
    kinds = [kind for kind, post in POSTS.items() if post.webhook in hook.kinds]
    rows = Notice.objects.filter(turn__round=round_, at__gt=since, at__lte=now, kind__in=kinds)
    rows = rows.exclude(pk__in=_keys("notice", told)).order_by("pk")[:MOST_ROWS]
    for view in notice_views(rows, round_.slug):
        yield HookEvent(
            f"notice-{view.id}", POSTS[view.kind].webhook, view.at, view.title, address_of(view), round_.slug, view.turn
        )
    if "lock" not in hook.kinds:
        return
    entries = LogEntry.objects.filter(round=round_, action="turn.locked", at__gt=since, at__lte=now)
    entries = entries.exclude(data__turn__in=_keys("lock", told)).order_by("pk")
    for entry in entries[:MOST_ROWS]:
        turn = int(entry.data["turn"])
        link = reverse("movement-turn", args=[round_.slug, turn])
        sentence = gettext("Turn %(number)s is locked.") % {"number": turn}
        yield HookEvent(f"lock-{turn}", "lock", entry.at, sentence, link, round_.slug, turn)


def _keys(sort: str, told: Collection[str]) -> list[int]:
    return [int(key.removeprefix(f"{sort}-")) for key in told if key.startswith(f"{sort}-")]


def _of_person(hook: Hook, since: datetime, now: datetime, told: Collection[str]) -> Iterator[HookEvent]:
    rows = Notification.objects.filter(user=hook.user_id, at__gt=since, at__lte=now).select_related("round")
    if len(hook.kinds) < len(kinds_about("person")):
        rows = rows.filter(due_at__isnull="move" not in hook.kinds)
    rows = rows.exclude(pk__in=_keys("notification", told)).order_by("pk")
    by_id = {row.pk: row for row in rows[:MOST_ROWS]}
    for view in views_for(hook.user_id, list(by_id.values()), preference_of(hook.user_id)):
        row = by_id[view.id]
        slug = row.round.slug if row.round else ""
        kind = "move" if row.due_at else "news"
        yield HookEvent(f"notification-{row.pk}", kind, row.at, view.sentence, view.link, slug, row.turn)


def _of_table(hook: Hook, table: Table, since: datetime, now: datetime, told: Collection[str]) -> Iterator[HookEvent]:
    """12: a card table: the owner's own moves, as notified to them, and public events; nothing of a table that they
    may not see any more."""
    if not seen_by(hook.user).filter(pk=table.pk).exists():
        return
    link = reverse("table", args=[table.slug])
    if "turn" in hook.kinds:
        own_news = Notification.objects.filter(user=hook.user_id, kind__in=MOVES)
        own_news = own_news.filter(data__slug=table.slug, at__gt=since, at__lte=now)
        rows = list(own_news.exclude(pk__in=_keys("notification", told)).order_by("pk")[:MOST_ROWS])
        for view in views_for(hook.user_id, rows, preference_of(hook.user_id)):
            yield HookEvent(f"notification-{view.id}", "turn", view.at, view.sentence, link, table=table.slug)
    if "ruled" in hook.kinds:
        yield from _rulings_at(table, link, since, now, told)
    ended, key = table.ended_at if table.started_at is not None else None, f"over-{table.pk}"
    if "over" in hook.kinds and ended is not None and since < ended <= now and key not in told:
        yield HookEvent(key, "over", ended, _ended(table), link, table=table.slug)


def _rulings_at(table: Table, link: str, since: datetime, now: datetime, told: Collection[str]) -> Iterator[HookEvent]:
    rulings = TableRuling.objects.filter(entry__table=table, entry__at__gt=since, entry__at__lte=now)
    rulings = rulings.exclude(pk__in=_keys("ruling", told)).select_related("entry").order_by("pk")
    for ruling in rulings[:MOST_ROWS]:
        sentence = gettext("A judge at table “%(table)s” made a ruling, based on %(rules)s.")
        if ruling.card:
            sentence = gettext("A judge at table “%(table)s” made a ruling on %(card)s, based on %(rules)s.")
        sentence %= {"table": table.name, "card": ruling.card, "rules": ruling.cites}
        yield HookEvent(f"ruling-{ruling.pk}", "ruled", ruling.entry.at, sentence, link, table=table.slug)


def _ended(table: Table) -> str:
    if table.state == TableState.GIVEN_UP:
        return gettext("The table %(table)s was cancelled. No one has lost.") % {"table": table.name}
    won = winners_of(table)
    names = gettext(" and ").join(won) or gettext("no one")
    return ngettext(
        "The table %(table)s is finished: %(names)s won.",
        "The table %(table)s is finished: %(names)s won.",
        max(len(won), 1),
    ) % {"table": table.name, "names": names}


def body_of(message: HookMessage) -> bytes:
    """The bytes of the request: a signed text must be the same each time."""
    data = message.told
    if message.hook.style == Hook.Style.DISCORD:
        where = ", ".join(
            filter(None, (data["round"], data.get("table"), f"turn {data['turn']}" if data["turn"] else ""))
        )
        link = str(data["link"])
        lines = [f"**{where}**" if where else "", _plain(str(data["sentence"]))[: LONGEST_CONTENT - len(link)], link]
        content = "\n".join(filter(None, lines))
        payload: dict[str, object] = {"content": content, "allowed_mentions": {"parse": []}}
    else:
        payload = {"type": message.kind, "timestamp": message.created.isoformat(), "data": data}
    return json.dumps(payload, ensure_ascii=False).encode()


def _plain(sentence: str) -> str:
    """Text that Discord shows literally: names of people, armies and tables are no formatting, no mention, no link."""
    return MARKED.sub(r"\\\g<0>", sentence)


def heads_of(message: HookMessage, body: bytes, now: datetime) -> dict[str, str]:
    """The request's headers, with signatures (Standard Webhooks 1.0) of `number.seconds.body`, by each secret."""
    seconds = int(now.timestamp())
    hook = message.hook
    secrets = [hook.secret]
    if hook.secret_before and hook.secret_until and now < hook.secret_until:
        secrets.append(hook.secret_before)
    signed = f"{message.number}.{seconds}.".encode() + body
    signatures = " ".join(f"v1,{signature(secret, signed)}" for secret in secrets)
    return {
        "Content-Type": "application/json",
        "User-Agent": "wargame-hooks/1",
        "webhook-id": message.number,
        "webhook-timestamp": str(seconds),
        "webhook-signature": signatures,
    }


def signature(secret: str, signed: bytes) -> str:
    """HMAC-SHA256 by the secret behind `whsec_`, in base64."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


MOST_HOOKS = 10
CHANGE_OVER = timedelta(hours=24)
"""How long the former secret signs, too."""


def watch() -> None:
    """1.6: connect to the deletion of accounts; called once at the start."""
    renamed.connect(_forget, dispatch_uid="judging.webhooks")


def _forget(*, user: User, **_: object) -> None:
    """1.6: delete a deleted user's hooks and their messages."""
    Hook.objects.filter(user=user).delete()


@locking.writes
def make_hook(
    *, user: User, name: str, url: str, style: str, kinds: Collection[str], slug: str, now: datetime, table: str = ""
) -> Hook:
    """1.2: a new hook of the user, for the round or the card table of that slug, or for the user if both are empty.
    Its secret is shown once. Refused, with the field, for an invalid address, unknown kinds, or too many hooks."""
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
    choices = kinds_about("round" if round_ else "table" if table_ else "person")
    selected = [kind for kind in choices if kind in kinds]
    if not selected:
        labels = ", ".join(gettext("“%(word)s”") % {"word": KINDS[kind].words} for kind in choices)
        raise Refused(gettext("Choose at least one event: %(words)s.") % {"words": labels}, "1.2", "kinds")
    locking.hold(User.objects, pk=user.pk)  # two forms at once do not make more than the most
    if Hook.objects.filter(user=user).count() >= MOST_HOOKS:
        pattern = gettext("You have %(number)s webhooks. Remove one you don't need.")
        raise Refused(pattern % {"number": MOST_HOOKS}, "1.2")
    new_hook = Hook(user=user, round=round_, table=table_, name=name, url=url, style=style, kinds=selected)
    new_hook.secret = new_secret()
    new_hook.made_at = new_hook.since = now
    new_hook.save()
    return new_hook


@locking.writes
def drop_hook(*, user: User, hook_id: int) -> str:
    """1.2: delete one of the user's hooks; return its name. Refused for another user's."""
    row = _held_hook(user, hook_id)
    row.delete()
    return row.name


@locking.writes
def renew_secret(*, user: User, hook_id: int, now: datetime) -> Hook:
    """1.2: a new secret, shown once; for a day both sign."""
    row = _held_hook(user, hook_id)
    row.secret_before, row.secret_until, row.secret = row.secret, now + CHANGE_OVER, new_secret()
    row.save(update_fields=["secret", "secret_before", "secret_until"])
    return row


@locking.writes
def switch_on(*, user: User, hook_id: int, now: datetime) -> Hook:
    """1.2: switch a hook on again; it is notified of events from now on."""
    row = _held_hook(user, hook_id)
    row.off_at, row.why_off, row.since, row.made_at = None, "", now, now
    row.save(update_fields=["off_at", "why_off", "since", "made_at"])
    return row


@locking.writes
def try_hook(*, user: User, hook_id: int, now: datetime) -> HookMessage:
    """1.2: send a test message; one at a time."""
    row = _held_hook(user, hook_id)
    pending = HookMessage.objects.filter(hook=row, kind="test", state=HookMessage.State.WAITING).first()
    if pending:
        return pending
    data = {"round": "", "turn": None, "sentence": gettext("This webhook works."), "link": ""}
    number = new_number()
    return HookMessage.objects.create(
        hook=row, key=f"test-{number}"[:60], number=number, kind="test", told=data, created=now, due=now
    )


@locking.writes
def send_message_again(*, user: User, message_id: int, now: datetime) -> HookMessage:
    """1.2: send one of the user's messages again that was sent or given up, under its number. Refused for another
    user's."""
    row = HookMessage.objects.filter(pk=message_id, hook__user=user).first() if message_id < 2**63 else None
    if row is None:
        raise Refused(gettext("You have no such message."), "1.2")
    if row.state in (HookMessage.State.SENT, HookMessage.State.GIVEN_UP):
        row.state, row.due, row.tries, row.ended, row.error = HookMessage.State.WAITING, now, 0, None, ""
        row.save(update_fields=["state", "due", "tries", "ended", "error"])
    return row


def new_secret() -> str:
    """A new secret in the format of Standard Webhooks: 24 random bytes in base64 after `whsec_`."""
    return f"whsec_{base64.b64encode(secrets.token_bytes(24)).decode()}"


def new_number() -> str:
    """The name of a message for its receiver."""
    return f"msg_{secrets.token_hex(12)}"


def _held_hook(user: User, hook_id: int) -> Hook:
    row = locking.hold_first(Hook.objects.filter(user=user, pk=hook_id)) if hook_id < 2**63 else None
    if row is None:
        raise Refused(gettext("You have no such webhook."), "1.2")
    return row
