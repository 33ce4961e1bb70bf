"""R57: the appeals against a battle's result on its page, and the link by which you contest what you read."""

from collections.abc import Iterable
from datetime import datetime

from django import template
from django.template import Context
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from judging.appeals.queries import AppealView, against_result
from judging.battles.shapes import BattleView
from judging.common.viewer import Viewer
from wargame.models import Round
from wargame.models.choices import RoundState
from wargame.rules.command.appeals import last_minute
from wargame.rules.core import clock

register = template.Library()

ADMISSION = "admission"
"""R57: the kind of an appeal by a user who is not a player."""


@register.simple_tag
def appeals_against_result(viewer: Viewer, battle_id: int) -> list[AppealView]:
    """R57: those that the viewer may see, the oldest first."""
    return against_result(viewer, battle_id)


@register.simple_tag
def names_to_contest(battle: BattleView, appeals: Iterable[AppealView], decision: int) -> set[str]:
    """R57: the names of those whom a battle's result concerns. Each can contest each `decision` once, from the time
    it was made; it counts the earlier judgements of the battle."""
    fighting = {name for fighter in battle.fighters for name in fighter.controllers}
    return fighting - {appeal.player for appeal in appeals if appeal.decision == decision}


@register.simple_tag(takes_context=True)
def contest(
    context: Context,
    kind: str,
    about: int | str,
    decided_at: datetime | None,
    whose: Iterable[str] | str | None = None,
    army: str = "",
) -> SafeString:
    """“Contest this” for a player, or for an applicant whom a team rejected, as long as they may appeal. `whose` are
    the names of those concerned, and `decided_at` is the time, if the page knows them. It makes no query; the form
    checks who may."""
    viewer, round = context.get("viewer"), context.get("round")
    if not isinstance(viewer, Viewer) or not isinstance(round, Round) or (viewer.player is None and kind != ADMISSION):
        return SafeString("")
    names = [whose] if isinstance(whose, str) else whose
    if names is not None and viewer.player and viewer.player.name not in names:
        return SafeString("")
    last = last_minute(decided_at, round.appeal_within) if decided_at else None
    is_over = last is not None and not clock.is_in_time(timezone.now(), last)
    if is_over or round.most_appeals < 1 or round.state != RoundState.RUNNING:
        return SafeString("")
    query = {"kind": kind, "about": about, **({"army": army} if army else {})}
    address = f"{reverse('appeal-new', args=[round.slug])}?{urlencode(query)}"
    return format_html('<a class="contest" href="{}">{}</a>', address, gettext("Contest this"))
