"""1.2: a user's webhooks: their list, a new one, and one with the log of its messages."""

from functools import partial
from typing import cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache

from judging.common.errors import Refused
from judging.common.form_views import Success, get_or_post, handle_form, number_of
from judging.webhooks.models import Hook
from judging.webhooks.services import (
    KINDS,
    drop_hook,
    hook_of,
    hooks_of,
    kinds_about,
    make_hook,
    messages_of,
    renew_secret,
    rounds_to_choose,
    send_message_again,
    switch_on,
    tables_to_choose,
    try_hook,
    view_of,
)

SHOWN = "hook-secret"
"""The session key of a secret, until the next page has shown it."""


def _kinds_about(about: str) -> list[tuple[str, str]]:
    return [(code, KINDS[code].words) for code in kinds_about(about)]


@never_cache
@get_or_post
@login_required
def hooks(request: HttpRequest) -> HttpResponse:
    """1.2: the user's webhooks; a POST makes another one."""
    user, data = cast(User, request.user), request.POST

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {
            "hooks": hooks_of(user),
            "rounds": rounds_to_choose(),
            "styles": Hook.Style.choices,
            "of_rounds": _kinds_about("round"),
            "tables": tables_to_choose(user),
            "of_tables": _kinds_about("table"),
            "of_people": _kinds_about("person"),
            "typed": {name: data.get(name, "") for name in ("name", "url", "style", "round", "table")},
            "chosen": data.getlist("kinds"),
            "refused": refused,
        }
        return render(request, "hooks/hooks.html", context)

    def act() -> Success:
        texts = {name: data.get(name, "") for name in ("name", "url", "style")}
        kinds, slug, table = data.getlist("kinds"), data.get("round", ""), data.get("table", "")
        new_hook = make_hook(user=user, kinds=kinds, slug=slug, table=table, now=timezone.now(), **texts)
        request.session[SHOWN] = [new_hook.pk, new_hook.secret]
        return Success(
            gettext("%(name)s will get messages from now on.") % {"name": new_hook.name},
            reverse("hook", args=[new_hook.pk]),
        )

    return handle_form(request, page, act)


@never_cache
@get_or_post
@login_required
def hook(request: HttpRequest, hook_id: int) -> HttpResponse:
    """1.2: one of the user's webhooks with its log; a POST tries it, renews its secret, sends a message again,
    switches it on, or removes it."""
    user = cast(User, request.user)
    row = hook_of(user, hook_id)
    if row is None:
        raise Http404(gettext("You have no such webhook."))
    saved = request.session.pop(SHOWN, None) if request.method == "GET" else None
    secret = saved[1] if saved and saved[0] == row.pk else ""

    def page(*, refused: Refused | None = None) -> HttpResponse:
        context = {"hook": view_of(row), "messages_": messages_of(row), "secret": secret, "refused": refused}
        return render(request, "hooks/hook.html", context)

    return handle_form(request, page, partial(_act, request, user, row))


def _act(request: HttpRequest, user: User, row: Hook) -> Success:
    does, now = request.POST.get("act", ""), timezone.now()
    if does == "try":
        try_hook(user=user, hook_id=row.pk, now=now)
        return Success(gettext("A message is on its way. The log will show the answer in a minute."))
    if does == "renew":
        request.session[SHOWN] = [row.pk, renew_secret(user=user, hook_id=row.pk, now=now).secret]
        return Success(gettext("The webhook has a new secret. For a day, messages are signed with the old one too."))
    if does == "again":
        send_message_again(user=user, message_id=number_of(request.POST.get("message", "")), now=now)
        return Success(gettext("The message is being sent again, with the same number."))
    if does == "on":
        switch_on(user=user, hook_id=row.pk, now=now)
        return Success(gettext("The webhook will get messages again."))
    if does == "drop":
        name = drop_hook(user=user, hook_id=row.pk)
        return Success(gettext("%(name)s will get no more messages.") % {"name": name}, reverse("hooks"))
    raise Refused(gettext("There is no such button. Reload the page."))
