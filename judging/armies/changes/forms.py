"""2.3.2, 2.6: The form of a request to change troops, and its buttons."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from django.http import Http404
from django.utils.translation import gettext

from judging.armies.changes.services import (
    Changing,
    changing,
    drop_change,
    offer_army,
    save_change,
    send_change,
    text_of,
)
from judging.armies.models import ChangeRequest
from judging.armies.musters.forms import text_from_values
from judging.armies.musters.validation import MusterText
from judging.common.errors import Refused
from judging.common.viewer import Viewer
from wargame.models import Army, Player

KINDS = {"change": ChangeRequest.Kind.CHANGE, "personalise": ChangeRequest.Kind.PERSONAL}


def changing_or_404(viewer: Viewer, name: str, how: str) -> Changing:
    """The army of that name; `how` is one of `KINDS`. Raises Http404."""
    target = changing(viewer.round, name, KINDS[how]) if how in KINDS else None
    if target is None:
        raise Http404(gettext("This army isn't on the map, or there is no turn yet."))
    return target


def change_text(values: Mapping[str, str], found: Changing, asked: ChangeRequest | None) -> MusterText:
    """The values of a form: an army keeps its colours, and unless it is personalised its name and legend."""
    before = text_of(found, asked)
    typed = replace(text_from_values(values, (), before, is_proxy=False), colors=found.army.colors)
    return typed if found.kind == "personal" else replace(typed, name=before.name, legend="")


def write(
    viewer: Viewer,
    found: Changing,
    asked: ChangeRequest | None,
    typed: MusterText,
    act: str,
    version: int,
    now: datetime,
) -> str:
    """2.3.2, 2.6: Save (`save`), submit (`send`) or withdraw (`drop`) a request."""
    if act == "drop":
        if asked is not None:
            drop_change(request=asked, player=viewer.player, now=now)
        return gettext("You withdrew the request.")
    saved = save_change(
        round=viewer.round,
        army=found.row.name,
        kind=found.kind,
        player=viewer.player,
        typed=typed,
        base_version=version,
        now=now,
    )
    if act == "save":
        return gettext("The draft is saved.")
    send_change(request=saved, player=viewer.player, now=now)
    return gettext("Sent to the judge.")


def offer(viewer: Viewer, player_name: str, army_name: str, now: datetime) -> str:
    """2.6: The viewer, a leader, lets a new player make an army their own."""
    player = Player.objects.filter(round=viewer.round, name=player_name.replace("\0", "")).first()
    army = Army.objects.filter(round=viewer.round, name=army_name.replace("\0", "")).first()
    if player is None or army is None:
        raise Refused(gettext("Choose a player and an army from this round."), "2.6")
    offer_army(round=viewer.round, leader=viewer.player, player=player, army=army, now=now)
    return gettext("%(player)s can make %(army)s their own in this turn and the next.") % {
        "player": player.name,
        "army": army.name,
    }
