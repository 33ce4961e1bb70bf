"""T10.6, T12.9, T12.10: the data in a table's file beside its game: clocks, match, agreements and draft."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext
from rest_framework import serializers

from judging.common.errors import Refused
from judging.import_export.file_format import BadFile
from judging.import_export.importing import People
from judging.notifications.preferences import is_zone
from judging.tables.away.models import SeatNight, Substitution, TableLeave
from judging.tables.clocks import rests_of
from judging.tables.conduct.people import called
from judging.tables.drafts.models import Drafter, DraftPick, TableDraft
from judging.tables.drafts.queries import drafted_at
from judging.tables.drafts.services import MOST_WISHES
from judging.tables.matches.models import MatchGame
from judging.tables.matches.services import MOST_GAMES
from judging.tables.models import Seat, Table, TableAgreements, TableJudge
from tables.core.lists.faults import in_quotes

MOST = 1_000
"""The most rows of a kind for one seat."""


class FileNight(serializers.Serializer[Any]):
    """T10.6: the hours in which a seat's clock rests, from a given time on; without an hour it rests no more."""

    first_hour = serializers.IntegerField(min_value=0, max_value=23, allow_null=True)
    zone = serializers.CharField(max_length=64)
    since, said_at = serializers.DateTimeField(), serializers.DateTimeField()


class FileLeave(serializers.Serializer[Any]):
    """T10.6: a leave that was announced."""

    first, until = serializers.DateTimeField(), serializers.DateTimeField()
    announced_at = serializers.DateTimeField()


class FileSubstitution(serializers.Serializer[Any]):
    """T10.6: the search for a substitute for a seat and its result; the log-ins of both players."""

    before = serializers.CharField(max_length=150)
    user = serializers.CharField(max_length=150, allow_null=True)
    sought_by = serializers.CharField(max_length=150)
    sought_at = serializers.DateTimeField()
    name = serializers.CharField(max_length=40, allow_blank=True, trim_whitespace=False)
    closed_at = serializers.DateTimeField(allow_null=True)


class FileAbsence(serializers.Serializer[Any]):
    """T10.6: all absences of one seat."""

    is_played = serializers.BooleanField()
    nights = serializers.ListField(child=FileNight(), max_length=MOST)
    leaves = serializers.ListField(child=FileLeave(), max_length=MOST)
    substitutions = serializers.ListField(child=FileSubstitution(), max_length=MOST)


def absence_of(seat: Seat) -> dict[str, object]:
    """T10.6: a seat's nights, leave and substitutions, in the file's format. Three queries."""
    nights = seat.nights.order_by("since", "id").values("first_hour", "zone", "since", "said_at")
    leaves = seat.leaves.order_by("first", "id").values("first", "until", "announced_at")
    sought = seat.substitutions.order_by("id").select_related("before", "user")
    return {
        "is_played": seat.is_played,
        "nights": [_plain(row) for row in nights],
        "leaves": [_plain(row) for row in leaves],
        "substitutions": [
            {
                "before": row.before.get_username(), "user": row.user and row.user.get_username(), "name": row.name,
                "sought_by": row.sought_by, **_plain({"sought_at": row.sought_at, "closed_at": row.closed_at}),
            }
            for row in sought
        ],
    }  # fmt: skip


def check_absences(seats: Iterable[Mapping[str, Any]]) -> None:
    """T10.6: raise BadFile for hours in an unknown time zone, a leave that ends before it begins or was announced
    after it began, or a seat with two open searches for a substitute."""
    for seat in seats:
        absence = seat.get("absence") or {"nights": (), "leaves": (), "substitutions": ()}
        where = gettext("the absences of seat %(seat)s") % {"seat": seat["letter"]}
        if not all(is_zone(night["zone"]) for night in absence["nights"]):
            raise BadFile(gettext("there is no such time zone"), where)
        if not all(leave["announced_at"] <= leave["first"] <= leave["until"] for leave in absence["leaves"]):
            raise BadFile(gettext("an absence must be announced before it begins, and begin before it ends"), where)
        if sum(row["closed_at"] is None for row in absence["substitutions"]) > 1:
            raise BadFile(gettext("there can be only one search for a substitute at a time"), where)


def log_ins_of_absences(seats: Iterable[Mapping[str, Any]]) -> list[str]:
    rows = [row for seat in seats for row in (seat.get("absence") or {}).get("substitutions", ())]
    return [name for row in rows for name in (row["before"], row["user"]) if name]


def take_absence(seat: Seat, said: Mapping[str, Any] | None, people: People) -> None:
    """T10.6: import the rows of a seat."""
    if not said:
        return
    SeatNight.objects.bulk_create([SeatNight(seat=seat, **row) for row in said["nights"]])
    TableLeave.objects.bulk_create([TableLeave(seat=seat, **row) for row in said["leaves"]])
    for row in said["substitutions"]:
        user = people.of(row["user"]) if row["user"] else None
        Substitution.objects.create(seat=seat, **{**row, "before": people.of(row["before"]), "user": user})
    seat.is_played, seat.rests = said["is_played"], rests_of(seat)
    seat.save(update_fields=["is_played", "rests"])


def _plain(row: Mapping[str, Any]) -> dict[str, object]:
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in row.items()}


KINDS = ("match", "agreements")
"""Their names in the file; null where a table has none."""
MOST_NUMBER = 1_000


class FileMatch(serializers.Serializer[Any]):
    """T12.10: the match and the number of the game in it; `first` names the table of the first game."""

    first = serializers.SlugField(max_length=60)
    number = serializers.IntegerField(min_value=1, max_value=MOST_NUMBER)
    best_of = serializers.IntegerField(min_value=3, max_value=MOST_GAMES)


class FileAgreements(serializers.Serializer[Any]):
    """A12: the agreements, by the numbers of the questions."""

    agreed = serializers.DictField(child=serializers.CharField(max_length=2_000, trim_whitespace=False))
    agreed_at = serializers.DateTimeField()
    title = serializers.CharField(max_length=60, allow_blank=True, trim_whitespace=False)
    offered_by = serializers.CharField(max_length=150, required=False, allow_null=True)


def match_data(table: Table, *, whole: bool) -> dict[str, object]:
    """T12: the data beside a table's game, in the file's format; log-ins only in a `whole` one."""
    return {"match": _match(table), "agreements": _agreements(table, whole=whole)}


def check_match(found: Mapping[str, Any]) -> None:
    """T12.10: raise BadFile if the file's match is impossible."""
    match = found.get("match")
    if match and (match["best_of"] % 2 == 0 or (match["number"] == 1) != (match["first"] == found["table"]["slug"])):
        raise BadFile(gettext("a match can't contain this game"), in_quotes("match"))


def log_ins_of_agreements(found: Mapping[str, Any]) -> list[str]:
    """The log-ins outside the game."""
    log_in = (found.get("agreements") or {}).get("offered_by")
    return [log_in] if log_in else []


def people_of_match(found: Mapping[str, Any]) -> dict[str, User]:
    """T12.10: the accounts that earlier games of the file's match created here, by people's names at the table in
    the last of those games. Nobody can log in to them yet: whoever does gets no seat unasked."""
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
    """T12: import the rows beside a table. Refused for a later game of a match whose first game is not here: the
    match is known only with that one."""
    if match := found.get("match"):
        _take_match(table, match)
    if agreements := found.get("agreements"):
        log_in = agreements.get("offered_by")
        TableAgreements.objects.create(
            table=table, game=table.game, title=agreements["title"],
            agreed=agreements["agreed"], agreed_at=agreements["agreed_at"],
            offered_by=people.of(log_in) if log_in else None,
        )  # fmt: skip


def _match(table: Table) -> dict[str, object] | None:
    row = MatchGame.objects.filter(table=table).select_related("first").defer("first__seed").first()
    return None if row is None else {"first": row.first.slug, "number": row.number, "best_of": row.best_of}


def _agreements(table: Table, *, whole: bool) -> dict[str, object] | None:
    row = TableAgreements.objects.filter(table=table).select_related("offered_by").first()
    if row is None:
        return None
    data: dict[str, object] = {"agreed": row.agreed, "agreed_at": row.agreed_at.isoformat(), "title": row.title}
    return {**data, "offered_by": row.offered_by and row.offered_by.get_username()} if whole else data


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


MOST_DRAFTERS, MOST_PICKS = 8, 1_000


class FilePick(serializers.Serializer[Any]):
    """T12.9: a pick."""

    number = serializers.IntegerField(min_value=1, max_value=MOST_PICKS)
    hash = serializers.CharField(max_length=64)
    by_default = serializers.BooleanField()
    at = serializers.DateTimeField()
    card = serializers.CharField(max_length=120, required=False, trim_whitespace=False)
    salt = serializers.CharField(max_length=32, required=False)


class FileDrafter(serializers.Serializer[Any]):
    """T12.9: a drafter."""

    letter = serializers.CharField(max_length=2)
    name = serializers.CharField(max_length=40)
    seat = serializers.CharField(max_length=2, allow_blank=True)
    word = serializers.CharField(max_length=200, trim_whitespace=False)
    joined_at = serializers.DateTimeField()
    picks = FilePick(many=True)
    user = serializers.CharField(max_length=150, required=False)
    wishes = serializers.ListField(child=serializers.CharField(max_length=120), max_length=MOST_WISHES, required=False)


class FileDraft(serializers.Serializer[Any]):
    """T12.9: a draft."""

    begun_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    due_at = serializers.DateTimeField(allow_null=True)
    drafters = FileDrafter(many=True)
    seed = serializers.RegexField(r"\A[0-9a-f]{64}\Z", required=False)


def draft_data(table: Table, *, is_all: bool, whole: bool) -> dict[str, Any] | None:
    """T12.9: a draft in the file's format; None without a draft."""
    draft = TableDraft.objects.filter(table=table).first()
    if draft is None:
        return None
    data: dict[str, Any] = {**drafted_at(draft, is_over=is_all)}
    data |= {name: _in_iso(getattr(draft, name)) for name in ("begun_at", "ended_at", "due_at")}
    rows = draft.drafters.select_related("user").prefetch_related("picks")
    for drafter, row in zip(data["drafters"], rows, strict=True):
        drafter["joined_at"] = row.joined_at.isoformat()
        drafter["picks"] = [
            {**pick, "at": pick_row.at.isoformat()}
            for pick, pick_row in zip(drafter["picks"], row.picks.all(), strict=True)
        ]
        if whole:
            drafter |= {"user": row.user.get_username(), "wishes": row.wishes}
    return data


def check_draft(found: Mapping[str, Any]) -> None:
    """T12.9: raise BadFile for a draft that can't be stored as rows."""
    draft = found.get("draft")
    if not draft:
        return
    letters = [one["letter"] for one in draft["drafters"]]
    if len(set(letters)) < len(letters) or len(letters) > MOST_DRAFTERS:
        raise BadFile(gettext("a letter appears twice, or there are too many drafters"), in_quotes("draft"))
    for one in draft["drafters"]:
        numbers = [pick["number"] for pick in one["picks"]]
        if len(set(numbers)) < len(numbers):
            raise BadFile(gettext("a pick appears twice"), in_quotes("draft"))
    is_all = all("card" in pick and "salt" in pick for one in draft["drafters"] for pick in one["picks"])
    if "seed" in found and not (is_all and "seed" in draft):
        raise BadFile(gettext("its seed or a pick is missing"), in_quotes("draft"))


def log_ins_of_draft(found: Mapping[str, Any]) -> list[str]:
    return [one["user"] for one in (found.get("draft") or {}).get("drafters", ()) if one.get("user")]


def take_draft(table: Table, found: Mapping[str, Any], person: Callable[[Mapping[str, Any]], User]) -> None:
    """T12.9: import the rows of a draft. `person` maps a person of the file to a user here."""
    drafted = found.get("draft")
    if not drafted:
        return
    seats = {row["letter"]: row for row in found["seats"]}
    moments = {name: drafted[name] for name in ("begun_at", "ended_at", "due_at")}
    commitment = found["entries"][0]["args"].get("draft", "")
    draft = TableDraft.objects.create(
        table=table, seed=bytes.fromhex(drafted["seed"]), commitment=commitment, **moments
    )  # fmt: skip
    for one in drafted["drafters"]:
        source = one if one.get("user") else seats.get(one["seat"], one)
        row = Drafter.objects.create(
            draft=draft, letter=one["letter"], user=person(source), name=one["name"], word=one["word"],
            wishes=one.get("wishes", []), joined_at=one["joined_at"],
        )  # fmt: skip
        DraftPick.objects.bulk_create([DraftPick(drafter=row, **pick) for pick in one["picks"]])


def _in_iso(moment: Any) -> str | None:
    return moment.isoformat() if moment else None
