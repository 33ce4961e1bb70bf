"""1.2: the user's notifications, marking them as read, and their settings."""

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework import permissions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView, ListView, Pages
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, Shape
from judging.notifications.kinds import GROUPS, Urgency
from judging.notifications.models import Preference
from judging.notifications.preferences import MAILS
from judging.notifications.queries import (
    ON_A_PAGE,
    NotificationView,
    SettingsView,
    bell_of,
    own_rows,
    settings_of,
    views_for,
)
from judging.notifications.services import ChosenWays, choose, mark_notifications_read

MOST_READ = 200
"""Notifications that one request marks by their ids."""

KIND_GROUPS = [(code, group.title) for code, group in GROUPS.items()]
URGENCIES = [(each.value, each.value) for each in Urgency]


class NotificationOut(Shape):
    """1.2: something that concerns you."""

    made_of = NotificationView
    shows = (
        *("id", "kind", "group", "urgency", "sentence", "cites", "link", "round", "slug", "turn", "at", "due_at"),
        "is_read",
    )
    tells = {
        "kind": "`army.killed`, `strat.due`, `talk.named` …",
        "sentence": "What happened, with times in UTC. Leaves out what you are no longer allowed to know.",
        "link": "Path of its page; empty if there is nothing more to see.",
        "round": "Name of its round; empty for none.",
        "due_at": "Deadline it reminds you of; null for none.",
    }
    group = serializers.ChoiceField(choices=[("", ""), *KIND_GROUPS], help_text="The group you choose channels for.")
    urgency = serializers.ChoiceField(choices=URGENCIES)


class NotificationsReadIn(Body):
    """1.2: what was read."""

    ids = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER),
        max_length=MOST_READ,
        required=False,
        allow_null=True,
        help_text="Null or left out: all notifications.",
    )


class NotificationsLeftOut(Body):
    """1.2: what is left."""

    marked = serializers.IntegerField(help_text="Number of notifications marked as read.")
    unread = serializers.IntegerField(help_text="Number of notifications still unread.")


class NotificationChannel(Body):
    """1.2: how a group comes, besides its line on the site."""

    group = serializers.ChoiceField(choices=KIND_GROUPS)
    mail = serializers.ChoiceField(choices=MAILS, allow_blank=True, help_text="Empty: no mail.")
    push = serializers.BooleanField()


class NotificationSettings(Body):
    """1.2: how you hear of what concerns you."""

    preset = serializers.ChoiceField(choices=Preference.Preset.choices, help_text="`own` uses your `channels`.")
    time_zone = serializers.CharField(
        max_length=64, allow_blank=True, help_text="An IANA name such as `Europe/Berlin`; empty for UTC."
    )
    digest_hour = serializers.IntegerField(
        min_value=0, max_value=23, help_text="Hour of the daily email, in your time zone."
    )
    quiet_from = serializers.IntegerField(
        min_value=0, max_value=23, allow_null=True, help_text="Null for no quiet hours."
    )
    quiet_until = serializers.IntegerField(min_value=0, max_value=23, allow_null=True)
    channels = NotificationChannel(many=True, help_text="Channels for each group; ignored with another preset.")
    muted = serializers.ListField(child=serializers.SlugField(max_length=60), help_text="Muted rounds.")


class Notifications(ListView):
    """1.2: what concerns whoever asks."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "notifications_list",
        "notifications",
        "List your notifications, unread first, then newest first",
        out=NotificationOut(many=True),
        problems=(403,),
        description="Reading this list does not mark anything as read. Notifications are deleted 90 days after "
        "you read "
        "them.",
    )
    def get(self, request: Request) -> Response:
        user, pages = _owner(request), Pages()
        pages.default_limit = ON_A_PAGE
        part = pages.paginate_queryset(own_rows(user.pk), request, view=self) or []
        return pages.get_paginated_response(NotificationOut(views_for(user.pk, part), many=True).data)


class Read(ApiView):
    """1.2: what was read."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "notifications_read",
        "notifications",
        "Mark your notifications as read",
        out=NotificationsLeftOut,
        takes=NotificationsReadIn,
        problems=WRITING,
        description="Only affects your own notifications. Pending emails and push messages for them are not sent.",
    )
    def post(self, request: Request) -> Response:
        user, ids = _owner(request), self.read(NotificationsReadIn, request.data).get("ids")
        count = mark_notifications_read(user=user, ids=ids, now=timezone.now())
        return Response(NotificationsLeftOut({"marked": count, "unread": bell_of(user).unread}).data)


class Settings(ApiView):
    """1.2: the user's notification settings."""

    permission_classes = (permissions.IsAuthenticated,)

    @describe(
        "notification_settings_read",
        "notifications",
        "Get your notification settings",
        out=NotificationSettings,
        problems=(403,),
    )
    def get(self, request: Request) -> Response:
        return Response(_out(settings_of(_owner(request))))

    @describe(
        "notification_settings_change",
        "notifications",
        "Change your notification settings",
        out=NotificationSettings,
        takes=NotificationSettings,
        problems=WRITING,
        description="Replaces all settings: read them first, then send them back with your changes.",
    )
    def put(self, request: Request) -> Response:
        user, data = _owner(request), self.read(NotificationSettings, request.data)
        choice = ChosenWays(
            preset=data["preset"],
            time_zone=data["time_zone"],
            digest_hour=str(data["digest_hour"]),
            quiet_from=_text(data["quiet_from"]),
            quiet_until=_text(data["quiet_until"]),
            channels={each["group"]: each for each in data["channels"]},
            muted=frozenset(data["muted"]),
        )
        choose(user=user, chosen=choice, now=timezone.now())
        return Response(_out(settings_of(user)))


def _out(view: SettingsView) -> dict[str, Any]:
    preference = view.preference
    values = {
        name: getattr(preference, name) for name in ("preset", "time_zone", "digest_hour", "quiet_from", "quiet_until")
    }
    values["channels"] = [{"group": group.code, "mail": mail, "push": push} for group, mail, push in view.rows]
    values["muted"] = [round_.slug for round_, is_muted in view.rounds if is_muted]
    return dict(NotificationSettings(values).data)


def _text(hour: int | None) -> str:
    return "" if hour is None else str(hour)


def _owner(request: Request) -> User:
    return User.objects.select_related("account").get(username=request.user.get_username())
