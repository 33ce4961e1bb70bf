"""2.3.2: an army of the demo that takes other troops after two days in its base: asked for and accepted in one turn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from judging.armies.changes.reads import Changing, changing, judged_change, typed_of
from judging.armies.changes.writes import decide_change, save_change, send_change
from judging.armies.models import ChangeRequest
from judging.armies.musters.judged import Typed, four
from judging.game.control import controllers_of
from judging.game.rounds import position_of
from wargame.models import Creature, Judge, Player, Turn

CHANGED = 3
"""The turn in which it is asked for."""

KIND = ChangeRequest.Kind.CHANGE.value
REMARK = "They have held the line for a year. Let others have their place while these rest."


def ask_for_other_troops(turn: Turn, judge: Judge, now: datetime) -> ChangeRequest | None:
    """2.3.2: for the first army that may, with the first creature of which others of its colours and size are known."""
    for found, player, typed in _choices(turn, now):
        if not judged_change(found, typed).is_legal:
            continue
        army = found.row.name
        request = save_change(
            round=turn.round, army=army, kind=KIND, player=player, typed=typed, base_version=0, now=now
        )
        send_change(request=request, player=player, now=now)
        decide_change(request=request, judge=judge, accept=True, reason="They have earned it.", now=now)
        return request
    return None


def _choices(turn: Turn, now: datetime) -> Iterator[tuple[Changing, Player, Typed]]:
    position = position_of(turn)
    for army in position.armies:
        found = changing(turn.round, army.name, KIND) if army.days and army.name not in position.battle_of else None
        controllers = controllers_of(found.row, now) if found and not found.faults else ()
        if found is None or not controllers:
            continue
        typed = typed_of(found, None)
        for old in (troop.creature for troop in army.troops if troop.alive):
            if new := _another(old):
                lists = four([text.replace(old, new) for text in typed.lists])
                yield found, controllers[0], replace(typed, lists=lists, remark=REMARK)


def _another(name: str) -> str:
    """Another creature of the same colours, size and types; empty if none is known."""
    known = Creature.objects.filter(name=name).first()
    if known is None:
        return ""
    alike = Creature.objects.filter(
        colors=known.colors, power=known.power, toughness=known.toughness, types=known.types, banned="", uses=[]
    )
    other = alike.exclude(pk=known.pk).order_by("key").first()
    return other.name if other else ""
