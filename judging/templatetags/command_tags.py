from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.http import QueryDict
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.command.control.services import players_of
from wargame.models import Control, Player, Round
from wargame.rules.core.sides import Side

register = template.Library()


@register.inclusion_tag("command/_without_army.html", takes_context=True)
def without_army(context: template.Context, spans: Iterable[Control] | None = None) -> dict[str, object]:
    """2.5.2.2, 2.6, 5.2.2.1: help for a player of the page's round without an army: who can give them one, and what
    to do until then; empty for all others. Two queries for a player without an army, one for others; one less if the
    page has read the `spans`, all that they have controlled."""
    viewer = context.get("viewer") or context["site"].viewer
    player = viewer.player if viewer else None
    if player is None or _has_army(player, spans):
        return {"player": None}
    holders = [each for each in players_of(viewer.round, Side(player.side)) if each.may_change_control]
    return {"player": player, "round": viewer.round, "holders": holders, "names": _linked(viewer.round, holders)}


def _linked(round: Round, players: Iterable[Player]) -> SafeString:
    """`Ana, Bo and Cem`, each linked to their page."""
    links = [
        format_html('<a href="{}">{}</a>', reverse("player", args=[round.slug, each.name]), each.name)
        for each in players
    ]
    all_but_last = format_html_join(", ", "{}", ((each,) for each in links[:-1]))
    return format_html_join(gettext(" and "), "{}", ((each,) for each in (all_but_last, *links[-1:]) if each))


def _has_army(player: Player, spans: Iterable[Control] | None) -> bool:
    if spans is None:
        return player.controls.filter(until__isnull=True, army__died_in__isnull=True).exists()
    return any(span.until is None and span.army.died_in is None for span in spans)


@register.simple_tag
def chosen_for(chosen: QueryDict, key: int) -> dict[str, object]:
    """5.2.1: the choice for an army: `to` is a player's key, `nobody` or empty; `keep`: beside its controllers."""
    to = chosen.get(f"to-{key}", "")
    return {"to": int(to) if to.isdecimal() and len(to) < 16 else to, "keep": bool(chosen.get(f"keep-{key}"))}


@register.simple_tag
def typed_for(typed: Mapping[str, str], act: str, field: str, value: object) -> Mapping[str, str]:
    """The typed values, if they come from this form: with this act, and with that value in the field for its object."""
    return typed if typed.get("act") == act and typed.get(field) == str(value) else {}


@register.simple_tag
def contingency_of(chosen: QueryDict, player: Any) -> int | None:
    """5.2.3: the key of the contingency chosen for a player, else of their current one."""
    to = chosen.get(f"for-{player.pk}")
    if to is None:
        present: int | None = player.contingency_id
        return present
    return int(to) if to.isdecimal() and len(to) < 16 else None
