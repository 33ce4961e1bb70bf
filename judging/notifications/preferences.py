"""1.2: the channels of notifications: the presets, and the times of mails and pushes in the recipient's time zone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo
from functools import cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils.formats import date_format
from django.utils.translation import gettext, gettext_lazy

from judging.notifications.kinds import Group, Kind, Urgency
from judging.notifications.models import Preference

ONCE, DIGEST, NEVER = "once", "digest", ""
MAILS = (
    (ONCE, gettext_lazy("right away")),
    (DIGEST, gettext_lazy("in the daily email")),
    (NEVER, gettext_lazy("no email")),
)

WAIT = timedelta(minutes=2)
"""How long a mail that is not urgent waits for more of its kind: a burst becomes one mail."""

MARGIN = timedelta(hours=1)
"""Notifications that are due this soon after the quiet hours go out in them: afterwards it would be too late to act."""


@dataclass(frozen=True)
class Channel:
    """The channels of a group: by `mail` ONCE, DIGEST or NEVER, and by push or not. On the site it always appears."""

    mail: str = NEVER
    push: bool = False


Channels = Mapping[str, Channel]
"""The channels by the codes of the groups."""

_NOT_MINE = {Group.TURNS: Channel(DIGEST), Group.TALK: Channel(DIGEST)}
PRESETS: dict[str, Channels] = {
    Preference.Preset.ALL: {group.code: Channel(ONCE, True) for group in Group},
    Preference.Preset.MINE: {group.code: _NOT_MINE.get(group, Channel(ONCE, True)) for group in Group},
    Preference.Preset.DEADLINES: {
        group.code: Channel(ONCE, True) if group is Group.DEADLINES else Channel() for group in Group
    },
    Preference.Preset.NOTHING: {group.code: Channel() for group in Group},
}
"""The channels of the presets, by name."""

ABOUT = {
    Preference.Preset.ALL: gettext_lazy("All notifications right away, by email and push."),
    Preference.Preset.MINE: gettext_lazy(
        "Right away: deadlines, armies, battles, team, rulings and judging. In the daily email: turns and talk."
    ),
    Preference.Preset.DEADLINES: gettext_lazy("Reminders right away. Everything else only on the site."),
    Preference.Preset.NOTHING: gettext_lazy("No emails or push messages."),
    Preference.Preset.OWN: gettext_lazy("As chosen below."),
}


def channels_of(preference: Preference) -> Channels:
    """The channels that count for a person; a group that their own choice does not name is off."""
    preset = PRESETS.get(preference.preset)
    if preset is not None:
        return preset
    channels = preference.channels if isinstance(preference.channels, dict) else {}
    return {group.code: _channel(channels.get(group.code)) for group in Group}


def _channel(stored: object) -> Channel:
    if not isinstance(stored, dict):
        return Channel()
    mail = stored.get("mail")
    return Channel(mail if mail in (ONCE, DIGEST) else NEVER, stored.get("push") is True)


@cache
def zones() -> tuple[str, ...]:
    return tuple(sorted(name for name in available_timezones() if name == "UTC" or "/" in name))


def is_zone(name: str) -> bool:
    """Whether the time zone exists. Only names of the list are looked up: others could escape its folder."""
    return name in zones()


def zone_of(preference: Preference | None) -> tzinfo:
    """A person's own time zone; UTC if they have chosen none, or one that no longer exists."""
    name = preference.time_zone if preference else ""
    return ZoneInfo(name) if name and is_zone(name) else UTC


def in_words(moment: datetime, zone: tzinfo) -> str:
    """A moment in UTC, with the reader's local time beside it: `05:00 UTC (06:00 Europe/Berlin)`."""
    form = gettext("D d M Y, H:i")
    text = f"{date_format(moment.astimezone(UTC), form)} UTC"
    if zone is UTC or str(zone) == "UTC":
        return text
    local, there = moment.astimezone(zone), moment.astimezone(UTC)
    day = "" if local.date() == there.date() else f"{date_format(local, 'D')} "
    return f"{text} ({day}{local:%H:%M} {zone})"


def mail_at(
    kind: Kind, channel: Channel, preference: Preference, due: datetime | None, now: datetime
) -> datetime | None:
    """When the mail goes out; None: not at all.

    A notification that is due before the next daily mail, or in the quiet hours or right after them, does not wait: a
    late reminder would be useless.
    """
    if channel.mail == NEVER or kind.own_letter:
        return None
    if channel.mail == DIGEST or kind.urgency is Urgency.QUIET:
        at = next_hour(preference.digest_hour, zone_of(preference), now)
        return _not_too_late(at, due, now)
    return after_quiet(preference, due, now if kind.urgency is Urgency.URGENT else now + WAIT)


def push_at(
    kind: Kind, channel: Channel, preference: Preference, due: datetime | None, now: datetime
) -> datetime | None:
    """When the push goes out; None: not at all. QUIET kinds are never pushed."""
    if not channel.push or kind.urgency is Urgency.QUIET:
        return None
    return after_quiet(preference, due, now)


def after_quiet(preference: Preference, due: datetime | None, at: datetime) -> datetime:
    begin, end = preference.quiet_from, preference.quiet_until
    if begin is None or end is None or begin == end:
        return at
    zone = zone_of(preference)
    hour = at.astimezone(zone).hour
    is_quiet = begin <= hour < end if begin < end else hour >= begin or hour < end
    return _not_too_late(next_hour(end, zone, at), due, at) if is_quiet else at


def _not_too_late(at: datetime, due: datetime | None, now: datetime) -> datetime:
    return now if due is not None and due < at + MARGIN else at


def next_hour(hour: int, zone: tzinfo, now: datetime) -> datetime:
    """The next time when that zone's clock shows the hour, in UTC. An hour that summer time skips becomes the next
    one."""
    local = now.astimezone(zone)
    for days in range(3):
        day = local.date() + timedelta(days=days)
        at = datetime.combine(day, time(hour % 24), tzinfo=zone).astimezone(UTC)
        if at > now:
            return at
    return now + timedelta(days=1)
