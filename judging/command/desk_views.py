"""1.3, 1.6, 5: The desk on which judges decide about control, ranks, names and admission."""

from functools import partial
from typing import cast

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext

from judging.command.desk import CommandDesk
from judging.command.desk_forms import DecisionForm, desk_for
from judging.common.admin import site
from judging.common.errors import Refused
from judging.common.form_views import get_or_post, handle_form
from judging.common.forms import new_token
from judging.common.judges import User


@get_or_post
def command(request: HttpRequest, round_id: int) -> HttpResponse:
    """5: One round's teams as its judges see them; a POST is one act, with its reason."""
    user = cast(User, request.user)
    desk = desk_for(user, round_id, timezone.now())

    def act() -> str:
        return DecisionForm(user, desk, request.POST).do(timezone.now())

    return handle_form(request, partial(_page, request, desk), act, status=409)


def _page(request: HttpRequest, desk: CommandDesk, *, refused: Refused | None = None) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": gettext("Teams and control: %(round)s") % {"round": desk.round},
        "subtitle": None,
        "desk": desk,
        "token": new_token(),
        "refused": refused,
        "typed": request.POST if refused else {},
    }
    return TemplateResponse(request, "judge/command.html", context)
