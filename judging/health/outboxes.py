"""What waits to go out to other machines: letters, messages to browsers, messages to webhooks."""

from __future__ import annotations

from datetime import datetime

from judging.hooks.models import HookMessage
from judging.hooks.reads import due
from judging.letters.models import Letter
from judging.letters.reads import ON_THEIR_WAY
from judging.notifications.models import Push


def waiting() -> dict[str, int]:
    """How much is on its way, by what it is; what is put off after a try, too."""
    return {
        "letters": Letter.objects.filter(state__in=ON_THEIR_WAY).count(),
        "pushes": Push.objects.count(),
        "hooks": HookMessage.objects.filter(state__in=(HookMessage.State.WAITING, HookMessage.State.SENDING)).count(),
    }


def given_up() -> dict[str, int]:
    """How much was given up and is not forgotten yet. A message to a browser is nobody's business any more then."""
    return {
        "letters": Letter.objects.filter(state=Letter.State.GIVEN_UP).count(),
        "hooks": HookMessage.objects.filter(state=HookMessage.State.GIVEN_UP).count(),
    }


def messages_stuck(moment: datetime) -> int:
    """How many messages to browsers and webhooks were due at that moment and still are: nobody sends them."""
    return Push.objects.filter(due__lte=moment).count() + HookMessage.objects.filter(due(moment)).count()
