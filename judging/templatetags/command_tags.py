"""Tags of the pages of the control list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.http import QueryDict

register = template.Library()


@register.simple_tag
def chosen_for(chosen: QueryDict, key: int) -> dict[str, Any]:
    """5.2.1: what was chosen for an army: `to` is a player's key, `nobody` or empty; `keep`: beside its controllers."""
    to = chosen.get(f"to-{key}", "")
    return {"to": int(to) if to.isdecimal() and len(to) < 16 else to, "keep": bool(chosen.get(f"keep-{key}"))}


@register.simple_tag
def typed_for(typed: Mapping[str, str], act: str, field: str, value: object) -> Mapping[str, str]:
    """What was typed, if it is of this form: of this act, and with that value in the field that says of what."""
    return typed if typed.get("act") == act and typed.get(field) == str(value) else {}


@register.simple_tag
def contingency_of(chosen: QueryDict, player: Any) -> int | None:
    """5.2.3: the key of the contingency that was chosen for a player, else of the one that he has."""
    to = chosen.get(f"for-{player.pk}")
    if to is None:
        present: int | None = player.contingency_id
        return present
    return int(to) if to.isdecimal() and len(to) < 16 else None
