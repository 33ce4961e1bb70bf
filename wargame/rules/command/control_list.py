"""5.1, 5.2: the control list of a side as frozen values: its players, its living armies, and who controls them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from typing import NamedTuple

from wargame.rules.core.sides import LEADING_TIER, Rank, Side

WEEK = timedelta(days=7)
"""5.1: a player who has posted within it is active."""


class Person(NamedTuple):
    """1.1, 5.1: a player. `rank` is None for a Drudge or a Cadet.

    `is_away`: they have declared their own absence; `declared_at`: their leaders declared them inactive; `permits`:
    their namesake army may be given to others (5.3.2); `made_excess`: their demotion made more players of their rank or
    less than there are armies for them, and that is still so (5.3.4).
    """

    name: str
    rank: Rank | None = None
    posted_at: datetime | None = None
    is_away: bool = False
    declared_at: datetime | None = None
    permits: bool = False
    made_excess: bool = False
    factions: tuple[str, ...] = ()


class Listed(NamedTuple):
    """5.2.1: a living army on the list. `namesake` is the player whose name it has; empty for a proxy."""

    name: str
    rank: Rank
    controllers: tuple[str, ...] = ()
    namesake: str = ""


class Wish(NamedTuple):
    """5.2.1: the new controller of an army; none, if `to` is empty."""

    army: str
    to: tuple[str, ...]


@dataclass(frozen=True)
class ControlList:
    """5.2.1: the list of one side. `may_ask` are those who have authority to request changes (5.2.2.1)."""

    side: Side
    people: tuple[Person, ...] = ()
    armies: tuple[Listed, ...] = ()
    may_ask: tuple[str, ...] = ()

    @cached_property
    def person(self) -> dict[str, Person]:
        return {person.name: person for person in self.people}

    @cached_property
    def army(self) -> dict[str, Listed]:
        return {army.name: army for army in self.armies}

    @cached_property
    def held(self) -> dict[str, tuple[str, ...]]:
        """5.2.1: the names of the armies that each player controls."""
        return {
            person.name: tuple(army.name for army in self.armies if person.name in army.controllers)
            for person in self.people
        }

    def after(self, wishes: Iterable[Wish]) -> ControlList:
        """5.2.1: the list after these changes."""
        changes = {wish.army: wish.to for wish in wishes}
        armies = (army._replace(controllers=changes.get(army.name, army.controllers)) for army in self.armies)
        return replace(self, armies=tuple(armies))

    def with_person(self, person: Person) -> ControlList:
        return replace(self, people=tuple(person if old.name == person.name else old for old in self.people))


def by_default(army: Listed, people: Iterable[Person]) -> Listed:
    """5.2.1: an army that is not on the list is controlled by the player of the same name, if there is one."""
    namesake = next((p for p in people if p.name == army.namesake and may_control(p.rank, army.rank)), None)
    return army._replace(controllers=(namesake.name,) if namesake else ())


def may_control(rank: Rank | None, army: Rank) -> bool:
    """5.3.1, 1.1.1, 1.1.2: whether a player of a rank may control an army of a rank.

    Captain/Evincar and higher may control any; a Drudge or a Cadet none.
    """
    return rank is not None and (rank.tier <= LEADING_TIER or army.tier >= rank.tier)


def is_present(person: Person, now: datetime) -> bool:
    """5.1, R43: has posted within the last week, is not on leave, and was not declared inactive since that post."""
    last_post = person.posted_at
    if last_post is None or now - last_post > WEEK or person.is_away:
        return False
    return person.declared_at is None or person.declared_at < last_post


def is_active(listed: ControlList, name: str, now: datetime) -> bool:
    """5.1, R43: present, and in control of at least one army."""
    person = listed.person.get(name)
    return person is not None and bool(listed.held[name]) and is_present(person, now)
