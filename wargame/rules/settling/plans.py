"""3.2.2.3: the rest of a long move after a turn."""

from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Plan
from wargame.rules.moves.commands import Commands
from wargame.rules.moves.events import PlanCancelled, WhyCancelled
from wargame.rules.moves.marches import Fate, March
from wargame.rules.settling.scene import Scene


def follow_plans(scene: Scene, commands: Commands) -> None:
    """3.2.2.3, R17: the rest of a long move waits for the next turn, or is cancelled and its player notified."""
    for name, army in list(scene.armies.items()):
        command = commands.get(name)
        rest = command.rest if command else ()
        why = _why_cancelled(scene, scene.moves.marches[name]) if rest else None
        if command and rest and not why:
            post, line = command.when[1]
            scene.change(name, plan=Plan(command.by, rest, command.when[0], (post, line)))
            continue
        if why:
            scene.events.append(PlanCancelled(name, tuple(planned.step.to for planned in rest), why))
        if army.plan:
            scene.change(name, plan=None)


def _why_cancelled(scene: Scene, march: March) -> Phrase | None:
    """R17: its step was refused, it fights, moved partially, or is not where the next step starts; None if it goes
    on. An ignored step (3.2.5.3) no longer has a route."""
    name = march.army.name
    if not march.route:
        return WhyCancelled.JOINT_IGNORED()
    if scene.is_attacked(name):
        return WhyCancelled.FIGHTS()
    if march.fate is Fate.PARTED:
        return WhyCancelled.PARTED()
    if march.fate is Fate.STOPPED:
        return WhyCancelled.INTERCEPTED()
    if scene.armies[name].at != march.meant:
        return WhyCancelled.ELSEWHERE()
    return None
