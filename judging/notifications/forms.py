"""1.2: what was typed on the page on which somebody chooses how he hears of things."""

from __future__ import annotations

from django.http import QueryDict

from judging.notifications.kinds import GROUPS
from judging.notifications.reads import SettingsView
from judging.notifications.writes import ChosenWays

LONGEST = 64


def chosen_from(post: QueryDict) -> ChosenWays:
    """The form as it was sent, whatever is wrong with it."""
    names = ("preset", "time_zone", "digest_hour", "quiet_from", "quiet_until")
    texts = {name: post.get(name, "").strip()[:LONGEST] for name in names}
    channels = {
        code: {"mail": post.get(f"mail-{code}", "")[:LONGEST], "push": f"push-{code}" in post} for code in GROUPS
    }
    return ChosenWays(**texts, channels=channels, muted=frozenset(post.getlist("muted")))


def chosen_at_first(view: SettingsView) -> ChosenWays:
    """The form as it is opened: what counts now."""
    preference = view.preference
    return ChosenWays(
        preset=preference.preset,
        channels={code: {"mail": each.mail, "push": each.push} for code, each in view.channels.items()},
        time_zone=preference.time_zone,
        digest_hour=str(preference.digest_hour),
        quiet_from=_text(preference.quiet_from),
        quiet_until=_text(preference.quiet_until),
        muted=frozenset(round_.slug for round_, is_muted in view.rounds if is_muted),
    )


def _text(hour: int | None) -> str:
    return "" if hour is None else str(hour)
