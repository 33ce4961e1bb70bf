"""5.3.4: players without an army: who needs one, and when a demotion has made too few for those of a rank."""

from collections.abc import Sequence
from datetime import datetime

from wargame.rules.command.control_list import ControlList, Person, is_present, may_control
from wargame.rules.core.sides import Rank


def with_rank(listed: ControlList, person: Person, rank: Rank | None) -> ControlList:
    """5.3.4: the list with a player's new rank, which notes whether that demotion made too few armies for its rank."""
    demoted = listed.with_person(person._replace(rank=rank, made_excess=True))
    if rank is not None and is_lower(rank, person.rank) and _is_made_by_demotions(demoted, rank):
        return demoted
    return listed.with_person(person._replace(rank=rank, made_excess=False))


def is_excused(listed: ControlList, person: Person) -> bool:
    """5.3.4: whether a player may be without an army: a demotion to their rank or to a higher one made more players of
    that rank or less than there are armies for them, and no more of them than necessary have none.

    A player without a rank needs no army, so they are excused too. Killed armies excuse no player.
    """
    if person.rank is None:
        return True
    ranks = [peer.rank for peer in listed.people if peer.made_excess and not is_lower(peer.rank, person.rank)]
    return any(
        rank and _is_made_by_demotions(listed, rank) and _idle(listed, rank) <= _excess(listed, rank) for rank in ranks
    )


def without_army(listed: ControlList, now: datetime) -> tuple[str, ...]:
    """5.3.4: the players for whom an army must be found: they have a rank, are present, and control nothing."""
    return tuple(
        person.name
        for person in listed.people
        if person.rank and not listed.held[person.name] and is_present(person, now) and not is_excused(listed, person)
    )


def no_longer_excess(listed: ControlList) -> tuple[str, ...]:
    """5.3.4: the players whose demotion has made too few armies, where there are enough again: it no longer excuses
    anybody, even if some are killed later."""
    return tuple(
        person.name
        for person in listed.people
        if person.made_excess and (person.rank is None or _excess(listed, person.rank) <= 0)
    )


def is_lower(rank: Rank | None, than: Rank | None) -> bool:
    """1.1: whether a rank is lower than another; a Drudge and a Cadet are lower than all."""
    if than is None:
        return False
    return rank is None or rank.tier > than.tier


def _is_made_by_demotions(control_list: ControlList, rank: Rank) -> bool:
    """5.3.4: whether there are too few armies for a rank, and would be enough without those demotions."""
    return 0 < _excess(control_list, rank) <= sum(peer.made_excess for peer in _peers(control_list, rank))


def _excess(control_list: ControlList, rank: Rank) -> int:
    """5.3.4: the excess of players of a rank or less over the armies that they can control."""
    return len(_peers(control_list, rank)) - sum(may_control(rank, army.rank) for army in control_list.armies)


def _idle(control_list: ControlList, rank: Rank) -> int:
    return sum(not control_list.held[peer.name] for peer in _peers(control_list, rank))


def _peers(control_list: ControlList, rank: Rank) -> Sequence[Person]:
    return [peer for peer in control_list.people if peer.rank and not is_lower(rank, peer.rank)]
