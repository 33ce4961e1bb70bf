"""1.2: webhooks: what they are told, how it is signed, and what becomes of an address that takes nothing."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
import time_machine
from standardwebhooks import Webhook, WebhookVerificationError

from judging.announcements.models import Notice
from judging.announcements.wording import POSTS
from judging.common.errors import Refused
from judging.common.notify import News
from judging.notifications.safe_http import Answer
from judging.notifications.services import tell
from judging.webhooks import sending, services
from judging.webhooks.models import Hook, HookMessage
from judging.webhooks.services import (
    body_of,
    heads_of,
    make_hook,
    new_secret,
    renew_secret,
    send_message_again,
    try_hook,
)
from tests.services.world_of_tests import HOUR, World

URL = "https://hooks.example.org/in/secret-part"
Sent = list[tuple[str, bytes, dict[str, str]]]


@pytest.fixture
def now(world: World) -> datetime:
    return world.turn.opened_at + HOUR


def hook(world: World, now: datetime, who: str = "Ana", slug: str = "trial", **more: object) -> Hook:
    given = {
        "name": "my bot",
        "url": URL,
        "style": "json",
        "kinds": [*services.kinds_about("round"), "move", "news"],
        **more,
    }
    return make_hook(user=world.players[who].user, slug=slug, now=now, **given)  # type: ignore[arg-type]


def answering(monkeypatch: pytest.MonkeyPatch, status: int | Exception = 200, retry_after: str = "") -> Sent:
    """What is sent, with every receiver answering so."""
    sent: Sent = []

    def post(url: str, body: bytes, heads: dict[str, str], **how: object) -> Answer:
        sent.append((url, body, heads))
        if isinstance(status, Exception):
            raise status
        return Answer(status, retry_after)

    monkeypatch.setattr(sending, "post", post)
    return sent


def test_a_hook_of_a_round_is_told_once_of_lock_unlock_and_battle(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook(world, now)
    sent = answering(monkeypatch)
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    later = world.turn.opened_at + HOUR
    assert sending.gather_for_hooks(later) >= 2
    assert sending.gather_for_hooks(later) == 0
    while sending.send_next_hook(later):
        pass
    kinds = [json.loads(body)["type"] for _, body, _ in sent]
    assert {"lock", "unlock", "battle"} <= set(kinds)
    assert len(set(kinds)) == len(kinds)
    assert not sending.send_next_hook(later)


def test_more_news_than_one_look_takes_is_told_by_the_next_looks(world: World, now: datetime) -> None:
    """As after a day on which no worker looked after the hooks."""
    row = hook(world, now, kinds=["ruling"])
    heads = {"turn": world.turn, "thread": Notice.Thread.MOVEMENT, "data": {}}
    later = now + HOUR
    Notice.objects.bulk_create(Notice(kind="press", at=later, **heads) for _ in range(services.MOST_ROWS + 1))
    held = {"number": 1, "battle": "3D", "until": later.isoformat()}
    Notice.objects.bulk_create(
        Notice(kind="held", at=later, **{**heads, "data": held}) for _ in range(2 * services.MOST_ROWS + 1)
    )
    looks = [sending.gather_for_hooks(later + timedelta(minutes=minute)) for minute in range(4)]
    assert looks == [services.MOST_ROWS, services.MOST_ROWS, 1, 0]
    assert row.messages.count() == 2 * services.MOST_ROWS + 1


def test_every_post_has_an_entry_and_every_event_of_a_round_is_posted() -> None:
    """But for a lock, of which the log tells."""
    sources = "".join(path.read_text() for path in Path("judging").rglob("*.py"))
    made = set(re.findall(r"Notice(?:\.objects\.create)?\([^)]*kind=\"(\w+)\"", sources))
    assert {"battles", "ruling", "book"} <= made <= set(POSTS)
    assert {post.webhook for post in POSTS.values() if post.webhook} == {*services.kinds_about("round")} - {"lock"}


def test_nothing_that_was_before_a_hook_is_told(world: World, now: datetime) -> None:
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    later = world.turn.opened_at + HOUR
    hook(world, later)
    assert sending.gather_for_hooks(later + HOUR) == 0


def test_a_hook_of_a_person_is_told_of_what_waits_for_him_and_for_nobody_else(world: World, now: datetime) -> None:
    mine, other = hook(world, now, slug=""), hook(world, now, "Gaz", slug="")
    data = {"army": "Ana", "foes": ["Gaz"], "at": "3F", "part": "attacks", "deadline": (now + HOUR).isoformat()}
    news = News(
        world.players["Ana"].user_id, "battle.announced", "a", now + HOUR, world.round.pk, 1, data, now + 2 * HOUR
    )
    tell([news], now + HOUR)
    assert sending.gather_for_hooks(now + HOUR) == 1
    assert [message.kind for message in mine.messages.all()] == ["move"]
    assert not other.messages.exists()


def test_a_message_is_taken_by_the_receivers_library_of_standard_webhooks_and_no_other_one(
    world: World, now: datetime
) -> None:
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    body = body_of(message)
    heads = heads_of(message, body, now)
    with time_machine.travel(now, tick=False):
        assert Webhook(row.secret).verify(body, heads)["type"] == "test"
        for wrong in (body + b" ", body.replace(b"test", b"tost")):
            with pytest.raises(WebhookVerificationError):
                Webhook(row.secret).verify(wrong, heads)
        with pytest.raises(WebhookVerificationError):
            Webhook(new_secret()).verify(body, heads)
    with time_machine.travel(now + timedelta(hours=1), tick=False), pytest.raises(WebhookVerificationError):
        Webhook(row.secret).verify(body, heads)


def test_for_a_day_two_secrets_sign(world: World, now: datetime) -> None:
    row = hook(world, now)
    before = row.secret
    renewed = renew_secret(user=row.user, hook_id=row.pk, now=now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    body = body_of(message)
    assert renewed.secret != before
    with time_machine.travel(now, tick=False):
        for secret in (before, renewed.secret):
            Webhook(secret).verify(body, heads_of(message, body, now))
    later = now + timedelta(days=2)
    with time_machine.travel(later, tick=False):
        Webhook(renewed.secret).verify(body, heads_of(message, body, later))
        with pytest.raises(WebhookVerificationError):
            Webhook(before).verify(body, heads_of(message, body, later))


def test_discord_reads_a_sentence_that_names_nobody(world: World, now: datetime) -> None:
    row = hook(world, now, style="discord")
    shown = json.loads(body_of(try_hook(user=row.user, hook_id=row.pk, now=now)))
    assert shown["content"] == "This webhook works."
    assert shown["allowed_mentions"] == {"parse": []}


@pytest.mark.parametrize("status", [500, 429, 404, sending.Unreachable("no answer")])
def test_what_nobody_took_is_tried_again_later_under_its_number(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch, status: int | Exception
) -> None:
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    sent = answering(monkeypatch, status)
    assert sending.send_next_hook(now)
    assert not sending.send_next_hook(now)
    assert sending.send_next_hook(now + HOUR)
    assert {heads["webhook-id"] for _, _, heads in sent} == {message.number}


@pytest.mark.parametrize(
    ("retry_after", "wait"),
    [
        ("7200", 2 * HOUR),
        ("DATE", 3 * HOUR),
        ("9999999999999", 24 * HOUR),
        ("Wed, 21 Oct 2015 07:28:00 GMT", HookMessage.FIRST_PAUSE),
        ("soon", HookMessage.FIRST_PAUSE),
        ("1 Jan 99999999999999999999 00:00:00 GMT", HookMessage.FIRST_PAUSE),
        ("", HookMessage.FIRST_PAUSE),
    ],
)
def test_a_receiver_says_when_it_wants_to_be_asked_again(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch, retry_after: str, wait: timedelta
) -> None:
    """RFC 9110 10.2.3: seconds or a date, but for no longer than a day."""
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    at = format_datetime(now.astimezone(UTC) + 3 * HOUR, usegmt=True)
    answering(monkeypatch, 429, retry_after.replace("DATE", at))
    assert sending.send_next_hook(now)
    message.refresh_from_db()
    assert abs(message.due - now - wait) < timedelta(seconds=1)


def test_a_redirect_is_not_followed(world: World, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    assert len(answering(monkeypatch, 302)) == 0
    sending.send_next_hook(now)
    message.refresh_from_db()
    assert (message.state, message.error) == ("given up", "a redirect, which is not followed")


def test_a_receiver_that_is_gone_is_told_nothing_more(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = hook(world, now)
    try_hook(user=row.user, hook_id=row.pk, now=now)
    answering(monkeypatch, 410)
    sending.send_next_hook(now)
    row.refresh_from_db()
    assert row.why_off == "gone"


def test_five_messages_that_nobody_took_switch_a_hook_off(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = hook(world, now)
    answering(monkeypatch, 302)
    for place in range(5):
        try_hook(user=row.user, hook_id=row.pk, now=now + timedelta(minutes=place))
        sending.send_next_hook(now + timedelta(minutes=place))
    row.refresh_from_db()
    assert row.off_at is not None


def test_a_message_is_sent_again_by_its_owner_alone(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    sent = answering(monkeypatch)
    sending.send_next_hook(now)
    with pytest.raises(Refused):
        send_message_again(user=world.players["Gaz"].user, message_id=message.pk, now=now)
    send_message_again(user=row.user, message_id=message.pk, now=now)
    sending.send_next_hook(now)
    assert len(sent) == 2


@pytest.mark.parametrize(
    "url",
    [
        "http://hooks.example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://localhost/",
        "https://2130706433/",
        "https://hooks.example.org:8443/",
        "https://me:word@hooks.example.org/",
        "ftp://hooks.example.org/",
        "https://hooks.example.org/\nHost: other",
    ],
)
def test_an_address_inside_or_not_plain_is_refused(world: World, now: datetime, url: str) -> None:
    with pytest.raises(Refused, match="We can't send to that address"):
        hook(world, now, url=url)


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"]
)
def test_a_name_that_comes_to_mean_an_address_inside_is_not_dialled(world: World, now: datetime, address: str) -> None:
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)

    def dialled(*args: object) -> object:
        raise AssertionError("it was dialled")

    sending.send_next_hook(now, resolver=lambda host: [address], dialler=dialled)  # type: ignore[arg-type]
    message.refresh_from_db()
    assert (message.state, message.error) == ("waiting", "not a public address")


def test_one_of_two_addresses_inside_is_enough(world: World, now: datetime) -> None:
    row = hook(world, now)
    message = try_hook(user=row.user, hook_id=row.pk, now=now)
    refuse: Callable[..., object] = pytest.fail
    sending.send_next_hook(now, resolver=lambda host: ["93.184.216.34", "127.0.0.1"], dialler=refuse)  # type: ignore[arg-type]
    message.refresh_from_db()
    assert message.error == "not a public address"


def test_ten_hooks_are_the_most(world: World, now: datetime) -> None:
    for _ in range(10):
        hook(world, now)
    with pytest.raises(Refused, match="10 webhooks"):
        hook(world, now)


def test_the_log_goes_back_thirty_days(world: World, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    row = hook(world, now)
    try_hook(user=row.user, hook_id=row.pk, now=now)
    answering(monkeypatch)
    sending.send_next_hook(now)
    sending.prune_hooks(now + timedelta(days=29))
    assert HookMessage.objects.exists()
    sending.prune_hooks(now + timedelta(days=31))
    assert not HookMessage.objects.exists()
