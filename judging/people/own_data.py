"""1.6: what the service keeps of somebody that is his own, as one file for himself."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.tables import own
from wargame.models import Judge, Player


def data_of(user: User) -> dict[str, object]:
    """1.6: his account, his seats in rounds, and what is his at card tables. Posts, strats and messages of rounds stand
    in the files of the rounds."""
    players = Player.objects.filter(user=user).select_related("round").order_by("pk")
    judges = Judge.everybody.filter(user=user).select_related("round").order_by("pk")
    return {
        "format": "coalition-wargame-own-data",
        "version": 1,
        "account": {
            "log_in": user.get_username(),
            "mail": user.email,
            "joined": user.date_joined.isoformat(),
            "last_log_in": user.last_login.isoformat() if user.last_login else None,
        },
        "rounds": [
            {"round": row.round.slug, "name": row.name, "side": row.side, "joined": row.joined_at.isoformat()}
            for row in players
        ],
        "judging": [{"round": row.round.slug, "name": row.name, "role": row.role} for row in judges],
        "tables": own.own_data(user),
    }


@login_required
@require_safe
@never_cache
def own_file(request: HttpRequest) -> JsonResponse:
    """1.6: the file, for its owner."""
    user = User.objects.get(username=request.user.get_username())
    answer = JsonResponse(data_of(user), json_dumps_params={"ensure_ascii": False, "indent": 1})
    answer["Content-Disposition"] = 'attachment; filename="my-data.json"'
    return answer
