"""1.2: The pages of a person's notifications and preferences, and the link that unsubscribes from emails."""

import json
from functools import partial
from pathlib import Path
from typing import cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from judging.common import locking
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_button, handle_form, number_of
from judging.email.services import has_mail
from judging.notifications import web_push
from judging.notifications.kinds import GROUPS, Group
from judging.notifications.models import Preference
from judging.notifications.preferences import ABOUT, MAILS, zones
from judging.notifications.queries import (
    ON_A_PAGE,
    SettingsView,
    bell_of,
    own_rows,
    preference_of,
    settings_of,
    views_for,
)
from judging.notifications.services import (
    ChosenWays,
    choose,
    mark_notifications_read,
    set_zone,
    unsubscribe,
    user_of_token,
)

LONGEST = 64


def chosen_from(post: QueryDict) -> ChosenWays:
    """The form as it was sent, without validation."""
    names = ("preset", "time_zone", "digest_hour", "quiet_from", "quiet_until")
    texts = {name: post.get(name, "").strip()[:LONGEST] for name in names}
    channels = {
        code: {"mail": post.get(f"mail-{code}", "")[:LONGEST], "push": f"push-{code}" in post} for code in GROUPS
    }
    return ChosenWays(**texts, channels=channels, muted=frozenset(post.getlist("muted")))


def chosen_at_first(view: SettingsView) -> ChosenWays:
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


LARGEST_BODY = 10_000
"""Bytes of a subscription."""

WORKER = Path(__file__).resolve().parent.parent / "static" / "judging" / "service-worker.js"


@get_or_post
@login_required
def notifications(request: HttpRequest) -> HttpResponse:
    """1.2: the user's notifications, unread first; a POST marks one, or all, as read."""
    user = cast(User, request.user)

    def act() -> str:
        one = request.POST.get("read", "")
        number = mark_notifications_read(user=user, ids=[number_of(one)] if one else None, now=timezone.now())
        return "" if one else gettext("Marked as read: %(number)s.") % {"number": number}

    def page(*, refused: Refused | None = None) -> HttpResponse:
        rows = Paginator(own_rows(user.pk), ON_A_PAGE).get_page(request.GET.get("page"))
        context = {
            "page": rows,
            "views": views_for(user.pk, rows, preference_of(user.pk)),
            "refused": refused,
            "groups": {group.code: group.title for group in Group},
        }
        return render(request, "notifications/notifications.html", context)

    return handle_form(request, page, act)


@require_safe
@never_cache
@login_required
def follow(request: HttpRequest, notification_id: int) -> HttpResponse:
    """1.2: redirect to a notification's subject, and mark it as read; back to the list if there is nothing more to
    see."""
    user = cast(User, request.user)
    row = own_rows(user.pk).filter(pk=notification_id).first()
    if row is None:
        raise Http404(gettext("We couldn't find this notification."))
    (view,) = views_for(user.pk, [row])
    if request.method == "GET" and row.read_at is None:
        with locking.by_the_way():
            mark_notifications_read(user=user, ids=[row.pk], now=timezone.now())
    return redirect(view.link or reverse("notifications"))


@require_safe
@never_cache
def bell(request: HttpRequest) -> HttpResponse:
    """1.2: the bell of the masthead, for open pages that poll it."""
    if not request.user.is_authenticated:
        return HttpResponse(status=204)
    return render(request, "notifications/_bell.html", {"bell": bell_of(request.user)})


@require_POST
@login_required
def zone(request: HttpRequest) -> HttpResponse:
    """1.2: set the time zone of the browser, for a user who has chosen none."""
    set_zone(user=cast(User, request.user), name=request.POST.get("time_zone", ""))
    return HttpResponse(status=204)


@get_or_post
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    """1.2: the user's preferences for notifications."""
    user = cast(User, request.user)
    choice = chosen_from(request.POST) if request.method == "POST" else None

    def act() -> str:
        choose(user=user, chosen=cast(ChosenWays, choice), now=timezone.now())
        return gettext("Your notification settings have been saved.")

    return handle_form(request, partial(_settings_page, request, user, choice), act)


@require_POST
@login_required
def push(request: HttpRequest) -> HttpResponse:
    """1.2: subscribe a browser, or with `{"gone": endpoint}` unsubscribe it; 422 with a sentence for an invalid
    body."""
    user = cast(User, request.user)
    try:
        data = json.loads(request.body) if len(request.body) <= LARGEST_BODY else None
    except (UnicodeDecodeError, ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and "gone" in data:
        web_push.unsubscribe_endpoint(user=user, endpoint=data["gone"])
        return HttpResponse(status=204)
    name = web_push.device_name(request.headers.get("User-Agent", ""))
    try:
        web_push.subscribe(user=user, given=data, name=name, now=timezone.now())
    except Refused as refused:
        return HttpResponse(refused.sentence, status=refused.status(422), content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@csrf_exempt
@require_POST
def push_renewed(request: HttpRequest) -> HttpResponse:
    """1.2: a browser reports its new address by `{"was": …, "now": …}`, both as browsers write them. It may be
    logged out at that moment: its proof is the secret of its old address."""
    try:
        data = json.loads(request.body) if len(request.body) <= LARGEST_BODY else None
    except (UnicodeDecodeError, ValueError, RecursionError):
        data = None
    fields = data if isinstance(data, dict) else {}
    try:
        web_push.renew(was=fields.get("was"), given=fields.get("now"))
    except Refused as refused:
        return HttpResponse(refused.sentence, status=refused.status(422), content_type="text/plain; charset=utf-8")
    return HttpResponse(status=204)


@require_POST
@login_required
def device(request: HttpRequest, push_subscription_id: int) -> HttpResponse:
    """1.2: the buttons beside a user's own browser: `act` is `try`, which sends it a message, or it is removed."""
    user = cast(User, request.user)

    def act() -> str:
        if request.POST.get("act") == "try":
            name = web_push.try_device(user=user, device_id=push_subscription_id, now=timezone.now())
            return gettext("A test message is on its way to %(name)s.") % {"name": name}
        name = web_push.unsubscribe_device(user=user, device_id=push_subscription_id)
        return gettext("%(name)s no longer gets push messages.") % {"name": name}

    return handle_button(request, act, reverse("notification-settings"))


@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """1.2: the script that shows pushes, at the root, because it serves all pages. Browsers revalidate it."""
    answer = HttpResponse(WORKER.read_bytes(), content_type="text/javascript; charset=utf-8")
    answer["Cache-Control"] = "no-cache"
    return answer


def _settings_page(
    request: HttpRequest, user: User, chosen: ChosenWays | None, refused: Refused | None = None
) -> HttpResponse:
    view = settings_of(user)
    choice = chosen or chosen_at_first(view)
    channels = [(group, choice.channels.get(group.code) or {}) for group in Group]
    context = {
        "view": view,
        "shown": choice,
        "presets": [(value, label, ABOUT[Preference.Preset(value)]) for value, label in Preference.Preset.choices],
        "channels": [(group, each.get("mail", ""), bool(each.get("push"))) for group, each in channels],
        "mails": MAILS,
        "hours": [(str(hour), f"{hour:02}:00") for hour in range(24)],
        "zones": zones(),
        "has_mail": has_mail(),
        "quiet": ("quiet_from", "quiet_until"),
        "muted": [(round_, round_.slug in choice.muted) for round_, _ in view.rounds],
        "key": web_push.public_key(),
        "refused": refused,
    }
    return render(request, "notifications/settings.html", context)


@csrf_exempt
@get_or_post
@never_cache
def unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    """RFC 8058: the target of a mail's link: a button ends the mails, so that no mail scanner does; a mail program
    posts here by itself. It needs no log-in, and the token identifies the user, so no cookie can be abused."""
    user, result, refused = user_of_token(token), "", None
    group = request.POST.get("group", "")
    if user is not None and request.method == "POST":
        try:
            unsubscribe(user=user, group=group, now=timezone.now())
        except Refused as error:
            refused = error
        else:
            result = GROUPS[group].title if group else "all"
    status = 404 if user is None else 422 if refused else 200
    context = {"is_good": user is not None, "done": result, "refused": refused, "groups": list(Group)}
    return render(request, "notifications/unsubscribe.html", context, status=status)
