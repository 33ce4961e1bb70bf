"""1.1.1, 1.1.2, 2.5.2.1: who gives which rank, how many players can hold it, and who may claim which factions."""

from collections.abc import Iterable, Iterator, Sequence

from wargame.rules.armies.numbers import most_of
from wargame.rules.command.control_list import ControlList, Person
from wargame.rules.command.faults import CommandFault
from wargame.rules.core.board import COLORS
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import RANKS, Rank, Side

CHIEF, DEPUTIES = 1, 2
"""1.1.1, 1.1.2: the tiers of the General/Chief Praetor and of the Admirals/Praetors."""

MOST_FACTIONS = 3
"""1.1.2: how many factions a player may claim. They hold their rank in the first and are a Lt. in the others."""

TEAM_RULE = {Side.PHYREXIA: "1.1.1", Side.COALITION: "1.1.2"}
"""1.1: the paragraph of each team's ranks."""

_RANKLESS = {Side.PHYREXIA: "Drudge", Side.COALITION: "Cadet"}


def rank_title(rank: Rank | None, side: Side) -> str:
    """1.1.1, 1.1.2: the rank in words; without one a player is a Drudge or a Cadet."""
    return rank.title if rank else _RANKLESS[side]


def is_leading(rank: Rank | None) -> bool:
    """1.1.1, 1.1.2: whether it is the rank of one of the three leaders of a side."""
    return rank is not None and rank.tier <= DEPUTIES


def rank_breaches(listed: ControlList, by: str, name: str, rank: Rank | None) -> tuple[Finding, ...]:
    """1.1.1, 1.1.2, 2.5.2.1: the objections to giving that rank to a player; `by` is empty for the battle judge."""
    breaches = list(_authority(listed, by, name, rank)) if by else []
    return (*breaches, *_seats(listed, name, rank))


def faction_breaches(listed: ControlList, person: Person) -> tuple[Finding, ...]:
    """1.1.2: the faults of a player's claim to factions; the first one is that of their rank."""
    claimed = person.factions
    if listed.side is not Side.COALITION:
        return (Finding(CommandFault.NO_FACTIONS),) if claimed else ()
    breaches = [Finding(CommandFault.NO_FACTION, {"faction": one}) for one in claimed if one not in COLORS]
    if len(claimed) > MOST_FACTIONS:
        breaches.append(Finding(CommandFault.MANY_FACTIONS, {"count": str(len(claimed))}))
    return (*breaches, *_captaincy(listed, person))


def free_seats(listed: ControlList, rank: Rank) -> int | None:
    """2.5.2.1: how many more players can hold a rank; None: no limit."""
    most = most_of(rank)
    return None if most is None else max(0, most - len(_holders(listed.people, rank)))


def _authority(control_list: ControlList, by: str, name: str, rank: Rank | None) -> Iterator[Finding]:
    """1.1.1, 1.1.2: the three leaders of a side give ranks to its other members; only the battle judge decides on
    the highest rank."""
    side, giver = control_list.side, control_list.person.get(by)
    facts = {"team": TEAM_RULE[side], "by": by, "side": side.title}
    if giver is None or not is_leading(giver.rank):
        yield Finding(CommandFault.NOT_LEADER, facts)
        return
    if by == name:
        yield Finding(CommandFault.OWN_RANK, facts)
        return
    chief = RANKS[side][0]
    touched = [each.tier for each in (control_list.person[name].rank, rank) if each]
    if CHIEF in touched:
        yield Finding(CommandFault.CHIEF_RANK, facts | {"title": chief.title})


def _seats(control_list: ControlList, name: str, rank: Rank | None) -> Iterator[Finding]:
    """2.5.2.1: the maximum number of players of a rank; 1.1.2: one Captain a faction."""
    if rank is None:
        return
    if rank.side is not control_list.side:
        yield Finding(CommandFault.FOREIGN_RANK, {"rank": rank.title, "side": control_list.side.title})
        return
    peers = [person for person in control_list.people if person.name != name]
    holders, most = _holders(peers, rank), most_of(rank)
    if most is not None and len(holders) >= most:
        facts = {"count": str(len(holders)), "rank": rank.title, "most": str(most)}
        yield Finding(CommandFault.RANK_FULL, facts)
    yield from _captaincy(control_list, control_list.person[name]._replace(rank=rank))


def _captaincy(control_list: ControlList, person: Person) -> Iterator[Finding]:
    """1.1.2: each faction has one Captain: a player of that rank in their first faction."""
    if person.rank is not Rank.CAPTAIN:
        return
    if not person.factions:
        yield Finding(CommandFault.CAPTAIN_OF_NONE, {"player": person.name})
        return
    faction = person.factions[0]
    for other in _holders(control_list.people, Rank.CAPTAIN):
        if other.name != person.name and other.factions[:1] == (faction,):
            yield Finding(CommandFault.SECOND_CAPTAIN, {"captain": other.name, "faction": faction})


def _holders(people: Iterable[Person], rank: Rank) -> Sequence[Person]:
    return [person for person in people if person.rank is rank]
