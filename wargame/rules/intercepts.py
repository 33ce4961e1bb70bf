"""3.2.3: intercepting."""

from __future__ import annotations

from .events import Intercepted, PassedBy
from .marches import Fate, Field, March
from .orders import Intercept


def work_out_intercepts(field: Field) -> None:
    """3.2.3.1, R20: in the order of how many steps lie before a crossing, so that an army that was stopped
    earlier does not reach a later square."""
    for steps, crosser, interceptor in sorted(_crossings(field), key=lambda c: (c[0], c[1].army.name)):
        if crosser.fate is not Fate.STOPPED:
            _meet(field, steps, crosser, interceptor)


def _crossings(field: Field) -> list[tuple[int, March, March]]:
    """3.2.3.1: (steps before, who crosses, who intercepts) where a route runs through an interceptor's square."""
    crossings = []
    for interceptor in field.marches.values():
        if interceptor.command is None or not isinstance(interceptor.command.order, Intercept):
            continue
        crosser = field.marches.get(interceptor.command.order.target)
        if crosser and interceptor.start in crosser.route[1:-1]:
            crossings.append((crosser.route.index(interceptor.start, 1), crosser, interceptor))
    return crossings


def _meet(field: Field, steps: int, crosser: March, interceptor: March) -> None:
    """3.2.3.2: whoever started nearer to the interceptor fights him; a tie is drawn."""
    square = interceptor.start
    rivals = [
        march
        for march in field.marches.values()
        if march.fate is Fate.ARRIVES and march.to == square and march.army.is_enemy(interceptor.army)
    ]
    nearest = min((march.start.distance(square) for march in rivals), default=None)
    own = crosser.start.distance(square)
    drawn = nearest == own
    name = f"who fights {interceptor.army.name}"
    crosses = nearest is None or own < nearest or (drawn and field.dice.roll(name, 2) == 1)
    names = tuple(march.army.name for march in rivals)
    if not crosses:
        field.events.append(PassedBy(crosser.army.name, interceptor.army.name, square, names, drawn))
        return
    met = Intercepted(
        army=crosser.army.name,
        by=interceptor.army.name,
        start=crosser.start,
        meant=crosser.meant,
        at=square,
        rivals=names,
        drawn=drawn,
    )
    field.events.append(met)
    crosser.to, crosser.fate, crosser.joint = square, Fate.STOPPED, False
    for rival in rivals:
        rival.must_part("3.2.3.2")
