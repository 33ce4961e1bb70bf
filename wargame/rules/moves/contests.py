"""3.3.1, 3.3.5: several armies that want one square."""

from wargame.rules.core.board import Square, nearest_free
from wargame.rules.core.draws import by_lot
from wargame.rules.core.sides import Side
from wargame.rules.moves.events import Contested, DecidedBy, Pushed
from wargame.rules.moves.marches import Fate, Field, March, sides_on
from wargame.rules.moves.ruled import ruled_winner

TEAMS = {Side.COALITION, Side.PHYREXIA}
SIDES = tuple(Side)


def settle_friends(field: Field, paired: set[str]) -> None:
    """3.3.1, R21: two friends can never be on one square; only the armies named in `paired` may."""
    for square, marches in field.ending().items():
        if len(marches) == 1:
            continue
        for side in SIDES:
            claimants = [march for march in marches if march.army.side is side]
            if len(claimants) > 1:
                _settle(field, square, claimants, paired)


def settle_three_sides(field: Field) -> None:
    """3.3.5, R22: where both teams would be, a mercenary that moves there moves partially, and one that is already
    there without fighting is pushed to the nearest free square, once all partial moves are known, as each of those
    may return to its start. Where two would go to one square, lots decide who is pushed first."""
    ending = field.ending()
    aside = [march for marches in ending.values() if len(marches) > 2 for march in _mercenaries_aside(field, marches)]
    for march in aside:
        if march.fate is not Fate.STAYS:
            march.must_part("3.3.5")
    occupied = set(ending) | {march.start for march in field.marches.values() if march.fate is Fate.PARTIAL}
    pushed = {march.army.name: march for march in aside if march.fate is Fate.STAYS}
    goals = {name: set(nearest_free(march.start, occupied)) for name, march in pushed.items()}
    for name in by_lot(field.dice, goals):
        _push(field, pushed[name], occupied)


def _mercenaries_aside(field: Field, marches: list[March]) -> list[March]:
    """R22: the mercenaries of a square that must leave it to both teams."""
    if not sides_on(marches) >= TEAMS:
        return []
    return [march for march in marches if march.army.side is Side.MERCENARY and not field.fights(march)]


def _settle(field: Field, square: Square, claimants: list[March], paired: set[str]) -> None:
    """3.3.1: those that stay keep the square; else the nearest, the earliest posted, the first written."""
    if all(march.army.name in paired for march in claimants):
        return
    staying = [march for march in claimants if march.fate is Fate.STAYS]
    moving = sorted((m for m in claimants if m not in staying), key=lambda m: (m.distance, m.when))
    winner = staying[0] if staying else moving[0]
    losers = moving if staying else moving[1:]
    ruled = ruled_winner(field, square, claimants, winner)
    if ruled:
        winner, losers = ruled, [march for march in claimants if march is not ruled]
    if not losers:
        return
    field.events.append(
        Contested(
            at=square,
            winner=winner.army.name,
            losers=tuple(march.army.name for march in losers),
            by="ruling" if ruled else "stays" if staying else _decided_by(winner, losers[0]),
            distances=tuple((march.army.name, march.distance) for march in [winner, *losers]),
        )
    )
    for march in losers:
        march.must_part("3.3.1")


def _decided_by(winner: March, second: March) -> DecidedBy:
    """3.3.1: the winner's advantage over the next best: distance, time, or its place in the post."""
    if winner.distance != second.distance:
        return "distance"
    (time, (post, _)), (other_time, (other_post, _)) = winner.when, second.when
    return "place" if (time, post) == (other_time, other_post) else "time"


def _push(field: Field, march: March, occupied: set[Square]) -> None:
    """3.3.5: push an army onto the nearest square that is not `occupied`, which it then takes; if there is none, it
    stays and stands aside."""
    options = nearest_free(march.start, occupied) or (march.start,)
    march.to = field.dice.choose(f"where {march.army.name} is pushed", options)
    march.fate = Fate.PUSHED
    occupied.add(march.to)
    field.events.append(Pushed(march.army.name, march.start, march.to, "3.3.5", len(options)))
