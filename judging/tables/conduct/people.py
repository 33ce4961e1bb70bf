"""1.3, T10.6: bans from a table, and people's names there."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from judging.tables.conduct.models import Sanction
from judging.tables.models import Seat, Table, TableJudge
from judging.tables.talk.models import TableMessage


def called(seat: Seat) -> str:
    """T10.6: the name of a seat's current player; the log keeps the name of the first one."""
    substitutions = [row for row in seat.substitutions.all() if row.user_id == seat.user_id]
    return substitutions[-1].name if substitutions else seat.name


@dataclass(frozen=True)
class Person:
    """1.6: a person at a table: `letter` is their seat's, empty without a seat."""

    user_id: int
    name: str
    letter: str = ""
    is_judge: bool = False


def is_barred(table: Table, user_id: int | None, now: datetime) -> bool:
    """1.3: whether a user is barred from a table now."""
    rows = Sanction.objects.filter(table=table, user=user_id or 0, kind=Sanction.Kind.BAR, lifted_at__isnull=True)
    return rows.filter(Q(until__isnull=True) | Q(until__gt=now)).exists()


def people_of(table: Table) -> dict[str, Person]:
    """1.6: the people of a table by their names in lower case: its present and former players, its judges, and those
    who spoke there."""
    people: dict[str, Person] = {}
    for seat in table.seats.prefetch_related("substitutions"):
        name = called(seat)
        people[name.casefold()] = Person(seat.user_id, name, seat.letter)
        if name != seat.name:
            before = next(row.before_id for row in seat.substitutions.all() if row.user_id is not None)
            people.setdefault(seat.name.casefold(), Person(before, seat.name))
    for judge in TableJudge.objects.filter(table=table, dismissed_at__isnull=True):
        people.setdefault(judge.name.casefold(), Person(judge.user_id, judge.name, is_judge=True))
    spoke = TableMessage.objects.filter(table=table, letter="", as_judge=False).order_by()
    for user_id, name in spoke.values_list("author", "name").distinct():
        people.setdefault(name.casefold(), Person(user_id, name))
    return people


def judge_of(table: Table, user_id: int | None) -> TableJudge | None:
    """T11.3: the user as a judge of a table; None for others."""
    return TableJudge.objects.filter(table=table, user_id=user_id or 0, dismissed_at__isnull=True).first()
