"""3.3.3: rulings on contests for a square, and on where a move ends, at steps 5 and 6 of R18."""

from __future__ import annotations

from collections.abc import Iterable

from wargame.rules.core.board import Square
from wargame.rules.core.events import Event, Ruled
from wargame.rules.core.rulings import EndsOn, Ruling, WinsSquare, counting, ruled
from wargame.rules.moves.marches import Fate, Field, March


def ruled_winner(field: Field, square: Square, claimants: list[March], first: March) -> March | None:
    """3.3.1: the claimant that a ruling gives the square; None leaves it to the rule, by which `first` has it."""
    by_name = {march.army.name: march for march in claimants}
    rulings = [r for r in field.rulings if isinstance(r, WinsSquare) and r.at == square and r.army in by_name]
    if not rulings:
        return None
    *beaten, ruling = sorted(rulings, key=lambda ruling: ruling.number)
    field.events.extend(ruled(other, f"ruling {ruling.number} on that contest counts instead") for other in beaten)
    winner = by_name[ruling.army]
    fighting = next((march.army.name for march in claimants if march is not winner and field.fights(march)), "")
    if fighting:
        field.events.append(ruled(ruling, f"{fighting} fights there and stays (R19)", start=winner.start))
        return None
    if winner is first:
        field.events.append(ruled(ruling, "by the rules it has that square (3.3.1)", start=winner.start, to=square))
        return None
    field.events.append(ruled(ruling, start=winner.start, to=square))
    return winner


def report_winners_without_contest(field: Field) -> None:
    """The rulings on contests that did not come about. That of a pair may still do so, at step 8 (R26)."""
    for ruling in _untold(field.rulings, field.events):
        if not _is_of_a_pair(field, ruling):
            field.events.append(ruled(ruling, "it did not contest that square with a friend"))


def report_pairs_not_left_alone(field: Field, since: list[Event]) -> None:
    """R26: the rulings on contests between two armies that fight together, or that a battle parted. `since` is what
    happened after the moves, to which their events are added."""
    for ruling in _untold(field.rulings, (*field.events, *since)):
        since.append(ruled(ruling, "it was not left alone there with a friend (R26)"))


def _untold(rulings: tuple[Ruling, ...], events: Iterable[Event]) -> list[WinsSquare]:
    """The rulings on contests of which nothing was said yet."""
    wins = [ruling for ruling in rulings if isinstance(ruling, WinsSquare)]
    told = {event.number for event in events if isinstance(event, Ruled)} if wins else ()
    return [ruling for ruling in wins if ruling.number not in told]


def _is_of_a_pair(field: Field, ruling: WinsSquare) -> bool:
    """3.2.5: whether two friends, the one that a ruling prefers among them, end on its square."""
    march = field.marches.get(ruling.army)
    there = field.ending().get(ruling.at, ())
    return (
        march is not None and march in there and any(not m.army.is_enemy(march.army) for m in there if m is not march)
    )


def place_as_ruled(field: Field) -> None:
    """After the partial moves, one army after the other: an army ends where a judge says, if it can stand there."""
    rulings, beaten = counting([r for r in field.rulings if isinstance(r, EndsOn)])
    field.events.extend(beaten)
    for ruling in rulings:
        march = field.marches.get(ruling.army)
        if march is None:
            field.events.append(ruled(ruling, f"there is no army {ruling.army} on the map"))
            continue
        why_not = "it ends there without it too" if march.to == ruling.at else _why_not(field, march, ruling.at)
        field.events.append(ruled(ruling, why_not, start=march.start, to=march.to if why_not else ruling.at))
        if not why_not:
            march.to, march.fate, march.joint = ruling.at, Fate.RULED, False


def _why_not(field: Field, march: March, square: Square) -> str:
    """3.3.1, 3.3.5, R19: no two friends share a square, no three sides do, and who fights stays."""
    if not square.on_map:
        return f"{square} is not on the map (1.2)"
    if field.fights(march):
        return "it fights this turn and stays (R19)"
    others = [other for other in field.ending().get(square, ()) if other is not march]
    friend = next((other.army.name for other in others if not other.army.is_enemy(march.army)), "")
    if friend:
        return f"{friend} ends there, and two friends can't share a square (3.3.1)"
    if len({other.army.side for other in others}) > 1:
        return "two other sides meet there (3.3.5)"
    return ""
