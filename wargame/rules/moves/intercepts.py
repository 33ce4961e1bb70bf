"""3.2.3: intercepting."""

from itertools import groupby

from wargame.rules.core.board import Square
from wargame.rules.core.orders import Intercept
from wargame.rules.moves.events import Intercepted, PassedBy
from wargame.rules.moves.marches import Ending, Fate, Field, March

Crossing = tuple[int, March, March]
"""R20: the number of steps before it, the crossing army, and its interceptor."""


def work_out_intercepts(field: Field) -> None:
    """3.2.3.1, R20: by the number of steps before a crossing, so that an army that was stopped earlier does not
    reach a later square. Crossings after equally many steps are judged at once."""
    crossings = sorted(_crossings(field), key=_order)
    ending = field.ending() if crossings else {}
    for _, level in groupby(crossings, key=lambda crossing: crossing[0]):
        meetings = [
            (crosser, interceptor.start, _meet(field, crosser, interceptor, ending))
            for _, crosser, interceptor in level
            if crosser.fate is not Fate.STOPPED
        ]
        for crosser, square, rivals in meetings:
            if rivals is not None:
                crosser.to, crosser.fate, crosser.joint = square, Fate.STOPPED, False
        for rival in (rival for *_, rivals in meetings for rival in rivals or ()):
            if rival.fate is not Fate.STOPPED:
                rival.must_part("3.2.3.2")


def _order(crossing: Crossing) -> tuple[int, str]:
    return crossing[0], crossing[1].army.name


def _crossings(field: Field) -> list[Crossing]:
    """3.2.3.1: the places where an army's route runs through the square of one that intercepts it."""
    crossings = []
    for interceptor in field.marches.values():
        if interceptor.command is None or not isinstance(interceptor.command.order, Intercept):
            continue
        crosser = field.marches.get(interceptor.command.order.target)
        if crosser and _runs_through(crosser, interceptor.start):
            crossings.append((crosser.route.index(interceptor.start), crosser, interceptor))
    return crossings


def _runs_through(crosser: March, square: Square) -> bool:
    """R20: a route runs through a square that is neither its first nor its last, however winding it is."""
    return square in crosser.route and square not in (crosser.start, crosser.meant)


def _meet(field: Field, crosser: March, interceptor: March, ending: Ending) -> list[March] | None:
    """3.2.3.2: the army that started nearer to the interceptor fights it; a tie is drawn. Returns the rivals that
    must give way to the crosser, or None if it is the crosser that moves on. `ending`: the ends of all moves without
    any crossing; an army that was stopped since arrives nowhere."""
    square = interceptor.start
    rivals = [march for march in ending[square] if march.fate is Fate.ARRIVES and march.army.is_enemy(interceptor.army)]
    nearest = min((march.start.distance(square) for march in rivals), default=None)
    distance = crosser.start.distance(square)
    is_tie = nearest == distance
    name = f"who fights {interceptor.army.name}"
    crosses = nearest is None or distance < nearest or (is_tie and field.dice.roll(name, 2) == 1)
    names = tuple(march.army.name for march in rivals)
    if not crosses:
        field.events.append(PassedBy(crosser.army.name, interceptor.army.name, square, names, is_tie))
        return None
    met = Intercepted(
        army=crosser.army.name,
        by=interceptor.army.name,
        start=crosser.start,
        meant=crosser.meant,
        at=square,
        rivals=names,
        drawn=is_tie,
    )
    field.events.append(met)
    return rivals
