"""1.2: what happened is put into the outbox of each hook, and sent from there, one message at a time.

A message's number stays the same at each try, so that a receiver can drop what comes twice.
"""

from datetime import datetime, timedelta

from django.utils.translation import gettext_noop

from judging.common import locking
from judging.notifications.safe_http import Answer, Dialler, Resolver, Unreachable, dial, post, resolve
from judging.webhooks.models import Hook, HookMessage
from judging.webhooks.services import MOST_ROWS, OVERLAP, body_of, heads_of, new_number, news_for

MOST_LOST = 5
"""After this many failed messages in a row, a hook is switched off."""

KEPT = timedelta(days=30)
"""How long the log of a hook is kept."""

MOST_HOOKS = 200
"""The most hooks that one run of the job processes."""


def gather_for_hooks(now: datetime) -> int:
    """Put new events into the outboxes; return the number of messages. Harmless at any time, and concurrently."""
    hooks = Hook.objects.filter(off_at__isnull=True, user__is_active=True).select_related("round", "table", "user")
    return sum(_gather_for(hook, now) for hook in hooks.order_by("since", "pk")[:MOST_HOOKS])


@locking.writes
def _gather_for(hook: Hook, now: datetime) -> int:
    # What the hook was told of this time lies in its log: a message is made after what it tells of.
    messages = HookMessage.objects.filter(hook=hook, created__gt=max(hook.since - OVERLAP, hook.made_at))
    told_before = set(messages.values_list("key", flat=True))
    news = list(news_for(hook, now, told_before))
    rows = [
        HookMessage(
            hook=hook, key=event.key, number=new_number(), kind=event.kind, told=event.as_json(), created=now, due=now
        )
        for event in news
    ]
    HookMessage.objects.bulk_create(rows, ignore_conflicts=True)
    if len(news) < MOST_ROWS:  # else some may be left, and the next turn looks from the same moment on
        Hook.objects.filter(pk=hook.pk).update(since=now)
    return len(rows)


def send_next_hook(now: datetime, resolver: Resolver = resolve, dialler: Dialler = dial) -> bool:
    """Send one message that is due; return whether there was one."""
    message = HookMessage.claim(now)
    if message is None:
        return False
    body = body_of(message)
    try:
        response = post(message.hook.url, body, heads_of(message, body, now), resolver=resolver, dialler=dialler)
    except Unreachable as error:
        _failed(message, now, None, str(error), is_for_good=error.is_for_good)
    except Exception as error:  # whatever a foreign server can do, the next one is told
        _failed(message, now, None, type(error).__name__)
    else:
        _answered(message, response, now)
    return True


def prune_hooks(now: datetime) -> None:
    """Delete messages that were sent or given up long ago."""
    HookMessage.objects.filter(ended__lt=now - KEPT).delete()


def _answered(message: HookMessage, answer: Answer, now: datetime) -> None:
    """410: the receiver wants nothing more. Redirects are not followed. 429 and 5xx are temporary, as are other
    refusals; it is not retried before the time that the receiver names."""
    status = answer.status
    if 200 <= status < 300:
        message.change(state=HookMessage.State.SENT, ended=now, status=status, error="")
    elif status == 410:
        _failed(message, now, status, gettext_noop("gone"), is_for_good=True)
        _switch_off(message.hook, gettext_noop("gone"), now)
    elif 300 <= status < 400:
        _failed(message, now, status, gettext_noop("a redirect, which is not followed"), is_for_good=True)
    else:
        _failed(message, now, status, gettext_noop("refused"), earliest=answer.earliest(now))


def _failed(
    message: HookMessage,
    now: datetime,
    status: int | None,
    why: str,
    *,
    is_for_good: bool = False,
    earliest: datetime | None = None,
) -> None:
    if message.fail(now, why, is_for_good=is_for_good, earliest=earliest, status=status, error=why[:60]):
        last = HookMessage.objects.filter(hook=message.hook, ended__isnull=False).order_by("-ended", "-pk")
        states = list(last.values_list("state", flat=True)[:MOST_LOST])
        if len(states) == MOST_LOST and set(states) == {HookMessage.State.GIVEN_UP}:
            _switch_off(message.hook, why, now)


def _switch_off(hook: Hook, why: str, now: datetime) -> None:
    Hook.objects.filter(pk=hook.pk, off_at__isnull=True).update(off_at=now, why_off=why[:60])
