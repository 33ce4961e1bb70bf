"""5.2.2, 5.3: whether a control request is legal, and the consequences of a demotion."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from wargame.rules.command.control_list import ControlList, Wish, is_active, is_present, may_control
from wargame.rules.command.faults import EXCEPTABLE, CommandFault
from wargame.rules.command.last_armies import is_excused, is_lower, with_rank
from wargame.rules.command.ranks import TEAM_RULE, rank_title
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank

MOST_AHEAD = 2
"""5.3.3: the advised maximum of armies above the minimum of all active players."""


class RunOut(NamedTuple):
    """5.2.2.2: the permission by a judge's exception until the lock of a past turn."""

    breach: Finding
    turn: int


@dataclass(frozen=True)
class RequestVerdict:
    """R44: the faults of a request, and additional advice (5.3.3)."""

    breaches: tuple[Finding, ...] = ()
    advice: tuple[Finding, ...] = ()

    @property
    def is_legal(self) -> bool:
        return not self.breaches

    @property
    def may_be_excepted(self) -> bool:
        """5.2.2.2: whether a judge could still accept it."""
        return bool(self.breaches) and all(breach.fault in EXCEPTABLE for breach in self.breaches)


@dataclass(frozen=True)
class Demotion:
    """R45: the list after a change of rank, the armies that it freed, and whether a new army must be found (5.3.4)."""

    listed: ControlList
    freed: tuple[str, ...]
    needs_army: bool


def judge_request(
    listed: ControlList, by: str, wishes: Sequence[Wish], now: datetime, run_out: Iterable[RunOut] = ()
) -> RequestVerdict:
    """R44: check a request of the player `by` (empty: a judge's own change) against 5.2.2.1 and 5.3.

    `run_out` are exceptions whose turn is over: their remaining parts must end with this request.
    """
    breaches = [*_authority(listed, by), *_strangers(listed, wishes)]
    if not breaches:
        after = listed.after(wishes)
        breaches += _too_high(listed, wishes)
        breaches += _namesakes(listed, by, wishes, now)
        breaches += _last_armies(listed, after, by, now)
        breaches += _overdue(after, run_out, now)
        return RequestVerdict(tuple(breaches), tuple(_uneven(listed, after, now)))
    return RequestVerdict(tuple(breaches))


def change_rank(listed: ControlList, name: str, rank: Rank | None, now: datetime) -> Demotion:
    """5.3.1, R45: a player's new rank; armies that they may no longer control are free at once.

    Only a demotion frees armies: an exception (5.2.2.2) outlasts a promotion. 5.3.4: an active player who is left
    without any needs a new one, unless their demotion made too few. An inactive player needs none (5.1).
    """
    person = listed.person[name]
    armies = listed.held[name] if is_lower(rank, person.rank) else ()
    freed = tuple(army for army in armies if not may_control(rank, listed.army[army].rank))
    wishes = [Wish(army, tuple(by for by in listed.army[army].controllers if by != name)) for army in freed]
    after = with_rank(listed, person, rank).after(wishes)
    is_left_without = bool(freed) and not after.held[name] and is_active(listed, name, now)
    return Demotion(after, freed, is_left_without and not is_excused(after, after.person[name]))


def still_stands(breach: Finding, listed: ControlList, now: datetime) -> bool:
    """5.2.2.2: whether the situation allowed by an exception still exists; if not, that part of the list is legal
    again."""
    person = listed.person.get(breach.facts["player"])
    army = listed.army.get(breach.facts.get("army", ""))
    if person is None:
        return False
    if breach.fault in (CommandFault.LAST_ARMY, CommandFault.LAST_ARMIES):
        has_none = person.rank is not None and not listed.held[person.name]
        return has_none and is_present(person, now) and not is_excused(listed, person)
    if army is None:
        return False
    if breach.fault is CommandFault.TOO_HIGH:
        return person.name in army.controllers and not may_control(person.rank, army.rank)
    is_his = may_control(person.rank, army.rank) and is_present(person, now)
    return is_his and person.name not in army.controllers and not person.permits


def contingency_breaches(listed: ControlList, player: str, to: str) -> tuple[Finding, ...]:
    """5.2.3: a player's contingency is one other player on their side."""
    breaches = [_foreign(listed, name) for name in (player, to) if name not in listed.person]
    if player == to and not breaches:
        breaches.append(Finding(CommandFault.OWN_CONTINGENCY, {"player": player}))
    return tuple(breaches)


def _authority(control_list: ControlList, by: str) -> Iterator[Finding]:
    """5.2.2.1: two players on each side have authority to request changes."""
    if by and by not in control_list.may_ask:
        if control_list.may_ask:
            yield Finding(CommandFault.NOT_AUTHORISED, {"by": by, "holders": control_list.may_ask})
        else:
            yield Finding(CommandFault.NOBODY_ASKS, {"by": by})


def _strangers(control_list: ControlList, wishes: Sequence[Wish]) -> Iterator[Finding]:
    """1.1: armies and players of this side, and players who can control armies at all."""
    for wish in wishes:
        if wish.army not in control_list.army:
            yield Finding(CommandFault.FOREIGN_ARMY, {"army": wish.army, "side": control_list.side.title})
    for name in dict.fromkeys(name for wish in wishes for name in wish.to):
        person = control_list.person.get(name)
        if person is None:
            yield _foreign(control_list, name)
        elif person.rank is None:
            title, team = rank_title(None, control_list.side), TEAM_RULE[control_list.side]
            yield Finding(CommandFault.RANKLESS, {"player": name, "title": title, "team": team})


def _foreign(control_list: ControlList, name: str) -> Finding:
    return Finding(CommandFault.FOREIGN_PLAYER, {"player": name, "side": control_list.side.title})


def _too_high(control_list: ControlList, wishes: Sequence[Wish]) -> Iterator[Finding]:
    """5.3.1: no player controls an army of a higher rank, Captain/Evincar and above excepted."""
    for wish in wishes:
        army = control_list.army[wish.army]
        for name in wish.to:
            rank = control_list.person[name].rank
            if rank and name not in army.controllers and not may_control(rank, army.rank):
                facts = {"army": army.name, "player": name, "army_rank": army.rank.title, "rank": rank.title}
                yield Finding(CommandFault.TOO_HIGH, facts)


def _namesakes(control_list: ControlList, by: str, wishes: Sequence[Wish], now: datetime) -> Iterator[Finding]:
    """5.3.2: an active player's namesake army stays theirs, unless they permit it or 5.3.1 takes it."""
    for wish in wishes:
        army = control_list.army[wish.army]
        name = army.namesake
        if name not in army.controllers or name in wish.to or name == by or not is_active(control_list, name, now):
            continue
        person = control_list.person[name]
        if may_control(person.rank, army.rank) and not person.permits:
            yield Finding(CommandFault.NAMESAKE, {"army": army.name, "player": name})


def _last_armies(before: ControlList, after: ControlList, by: str, now: datetime) -> Iterator[Finding]:
    """5.3.4: an active player's last army is never taken away; they may give it up themselves."""
    for person in before.people:
        loses_all = before.held[person.name] and not after.held[person.name]
        if not loses_all or person.name == by or not is_active(before, person.name, now):
            continue
        if not is_excused(after, person):
            armies = before.held[person.name]
            if len(armies) == 1:
                yield Finding(CommandFault.LAST_ARMY, {"army": armies[0], "player": person.name})
            else:
                yield Finding(CommandFault.LAST_ARMIES, {"armies": armies, "player": person.name})


def _overdue(after: ControlList, run_out: Iterable[RunOut], now: datetime) -> Iterator[Finding]:
    """5.2.2.2: the list must return to a legal configuration within one turn."""
    for breach, turn in run_out:
        if still_stands(breach, after, now):
            yield Finding(CommandFault.EXCEPTION_OVER, {"turn": str(turn), "what": breach})


def _uneven(before: ControlList, after: ControlList, now: datetime) -> Iterator[Finding]:
    """5.3.3: no player more than 2 armies ahead of an active player, where a request makes it so or makes it worse.

    Obsolete according to the rulebook itself: advice only.
    """
    counts = {p.name: len(after.held[p.name]) for p in after.people if is_active(before, p.name, now)}
    counts = {name: count for name, count in counts.items() if count}
    if not counts:
        return
    fewest = min(counts, key=lambda name: (counts[name], name))
    were_fewest = min(len(before.held[name]) for name in counts)
    for person in after.people:
        count = len(after.held[person.name])
        ahead, was_ahead = count - counts[fewest], len(before.held[person.name]) - were_fewest
        if ahead > max(MOST_AHEAD, was_ahead):
            facts = {"player": person.name, "count": str(count), "other": fewest, "least": str(counts[fewest])}
            yield Finding(CommandFault.UNEVEN, facts)
