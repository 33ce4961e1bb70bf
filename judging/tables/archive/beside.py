"""T12.10, A12: what stands in a table's file beside its game: its place in a match, and what its players agreed on, for
whoever is offered that elsewhere.

Each kind has its shape here, how it is written, and how it becomes rows; the file has it under the name of its kind.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext
from rest_framework import serializers

from judging.exchange.people import People
from judging.exchange.values import BadFile
from judging.game.errors import Refused
from judging.tables.away.names import called
from judging.tables.matches.beginning import MOST_GAMES
from judging.tables.matches.models import MatchGame
from judging.tables.models import Seat, Table, TableAgreements, TableJudge
from tables.core.lists.faults import in_quotes

KINDS = ("match", "agreements")
"""By these names they stand in the file; null where a table has none."""
MOST_NUMBER = 1_000


class FileMatch(serializers.Serializer[Any]):
    """T12.10: which game of which match it is; `first` names the table of the first one."""

    first = serializers.SlugField(max_length=60)
    number = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)
    best_of = serializers.IntegerField(min_value=3, max_value=MOST_GAMES)


class FileAgreements(serializers.Serializer[Any]):
    """A12: what was agreed on, by the numbers of the questions."""

    agreed = serializers.DictField(child=serializers.CharField(max_length=2_000, trim_whitespace=False))
    agreed_at = serializers.DateTimeField()
    title = serializers.CharField(max_length=60, allow_blank=True, trim_whitespace=False)
    offered_by = serializers.CharField(max_length=150, required=False, allow_null=True)


def written(table: Table, *, whole: bool) -> dict[str, object]:
    """T12: what stands beside a table's game, as the file has it; log-ins only in a `whole` one."""
    return {"match": _match(table), "agreements": _agreements(table, whole=whole)}


def check_match(found: Mapping[str, Any]) -> None:
    """T12.10: BadFile for a file whose match can't be."""
    match = found.get("match")
    if match and (match["best_of"] % 2 == 0 or (match["number"] == 1) != (match["first"] == found["table"]["slug"])):
        raise BadFile(gettext("a match can't contain this game"), in_quotes("match"))


def log_ins(found: Mapping[str, Any]) -> list[str]:
    """The log-ins that are named beside the game."""
    offered = (found.get("agreements") or {}).get("offered_by")
    return [offered] if offered else []


def people_of_match(found: Mapping[str, Any]) -> dict[str, User]:
    """T12.10: the accounts that earlier games of the file's match brought here, by what their people are called at the
    table, as the last of those games has them. Nobody logs in to them yet: who does gets no seat unasked."""
    match = found.get("match")
    if not match or match["number"] == 1:
        return {}
    games = MatchGame.objects.filter(first__slug=match["first"], number__lt=match["number"]).order_by("number")
    tables = {game.table_id: game.number for game in games}
    people: dict[str, User] = {}
    judges = TableJudge.objects.filter(table__in=tables).select_related("user")
    seats = Seat.objects.filter(table__in=tables).select_related("user").prefetch_related("substitutions")
    rows = [(tables[row.table_id], row.name, row.user) for row in judges]
    rows += [(tables[row.table_id], called(row), row.user) for row in seats]
    for _, name, user in sorted(rows, key=lambda row: row[0]):
        if not user.has_usable_password():
            people[name] = user
    return people


def take_beside(table: Table, found: Mapping[str, Any], people: People) -> None:
    """T12: the rows beside a table that is being taken in. Refused for a later game of a match whose first is not here:
    only with that one does anybody know the match."""
    if match := found.get("match"):
        _take_match(table, match)
    if said := found.get("agreements"):
        offered = said.get("offered_by")
        TableAgreements.objects.create(
            table=table, game=table.game, agreed=said["agreed"], agreed_at=said["agreed_at"], title=said["title"],
            offered_by=people.of(offered) if offered else None,
        )  # fmt: skip


def _match(table: Table) -> dict[str, object] | None:
    row = MatchGame.objects.filter(table=table).select_related("first").defer("first__seed").first()
    return None if row is None else {"first": row.first.slug, "number": row.number, "best_of": row.best_of}


def _agreements(table: Table, *, whole: bool) -> dict[str, object] | None:
    row = TableAgreements.objects.filter(table=table).select_related("offered_by").first()
    if row is None:
        return None
    said: dict[str, object] = {"agreed": row.agreed, "agreed_at": row.agreed_at.isoformat(), "title": row.title}
    return {**said, "offered_by": row.offered_by and row.offered_by.get_username()} if whole else said


def _take_match(table: Table, match: Mapping[str, Any]) -> None:
    number, best_of = match["number"], match["best_of"]
    if number == 1:
        MatchGame.objects.create(first=table, table=table, number=1, best_of=best_of)
        return
    rows = list(MatchGame.objects.filter(first__slug=match["first"]).select_related("first").defer("first__seed"))
    if not rows:
        raise Refused(
            gettext("This is game %(number)s of a match. First import the file of its first game, “%(name)s”.")
            % {"number": number, "name": match["first"]}
        )
    if any(row.number == number or row.best_of != best_of for row in rows):
        raise Refused(
            gettext("The match that began at “%(name)s” has a different game %(number)s here, or a different length.")
            % {"name": match["first"], "number": number}
        )
    MatchGame.objects.create(first=rows[0].first, table=table, number=number, best_of=best_of)
