"""3.2.2.3: what is left of a long move after a turn."""

from __future__ import annotations

from wargame.rules.core.position import Plan
from wargame.rules.moves.commands import Commands
from wargame.rules.moves.events import PlanCancelled
from wargame.rules.moves.marches import Fate, March
from wargame.rules.settling.scene import Scene


def follow_plans(scene: Scene, commands: Commands) -> None:
    """3.2.2.3, R17: the rest of a long move waits for the next turn, or is cancelled and its player told."""
    for name, army in list(scene.armies.items()):
        command = commands.get(name)
        rest = command.rest if command else ()
        why = _why_cancelled(scene, scene.moves.marches[name]) if rest else ""
        if command and rest and not why:
            post, line = command.when[1]
            scene.change(name, plan=Plan(command.by, rest, command.when[0], (post, line)))
            continue
        if rest:
            scene.events.append(PlanCancelled(name, tuple(planned.step.to for planned in rest), why))
        if army.plan:
            scene.change(name, plan=None)


def _why_cancelled(scene: Scene, march: March) -> str:
    """R17: its step was refused, it fights, moved partially, or is not where the next step starts; empty if it goes
    on. A step that was ignored (3.2.5.3) has no route any more."""
    name = march.army.name
    if not march.route:
        return "its joint engage was ignored"
    if scene.is_attacked(name):
        return "the army has to fight"
    if march.fate is Fate.PARTED:
        return "the army moved only partially"
    if march.fate is Fate.STOPPED:
        return "the army was intercepted"
    if scene.armies[name].at != march.meant:
        return "the army is not where its next step starts"
    return ""
