"""T12.9: the draft before a table in its file: words and sealed picks for all, and with the table's end, or in a whole
file, its seed and what was picked; wishes in a whole one alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext
from rest_framework import serializers

from judging.exchange.values import BadFile
from judging.tables.drafts.models import Drafter, DraftPick, TableDraft
from judging.tables.drafts.proving import drafted_at
from judging.tables.drafts.writes import MOST_WISHES
from judging.tables.models import Table
from tables.core.lists.faults import in_quotes

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
    """T12.9: who drafted."""

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


def written(table: Table, *, is_all: bool, whole: bool) -> dict[str, Any] | None:
    """T12.9: a draft as the file has it; None where nobody drafts."""
    draft = TableDraft.objects.filter(table=table).first()
    if draft is None:
        return None
    found: dict[str, Any] = {**drafted_at(draft, is_over=is_all)}
    found |= {name: _in_iso(getattr(draft, name)) for name in ("begun_at", "ended_at", "due_at")}
    rows = draft.drafters.select_related("user").prefetch_related("picks")
    for said, row in zip(found["drafters"], rows, strict=True):
        said["joined_at"] = row.joined_at.isoformat()
        said["picks"] = [
            {**pick, "at": made.at.isoformat()} for pick, made in zip(said["picks"], row.picks.all(), strict=True)
        ]
        if whole:
            said |= {"user": row.user.get_username(), "wishes": row.wishes}
    return found


def check_draft(found: Mapping[str, Any]) -> None:
    """T12.9: BadFile for a draft that no rows could be made of."""
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


def log_ins(found: Mapping[str, Any]) -> list[str]:
    """The log-ins that are named in a draft."""
    return [one["user"] for one in (found.get("draft") or {}).get("drafters", ()) if one.get("user")]


def take_draft(table: Table, found: Mapping[str, Any], person: Callable[[Mapping[str, Any]], User]) -> None:
    """T12.9: the rows of a draft. `person`: who somebody of the file is here."""
    said = found.get("draft")
    if not said:
        return
    seats = {row["letter"]: row for row in found["seats"]}
    moments = {name: said[name] for name in ("begun_at", "ended_at", "due_at")}
    commitment = found["entries"][0]["args"].get("draft", "")
    draft = TableDraft.objects.create(
        table=table, seed=bytes.fromhex(said["seed"]), commitment=commitment, **moments
    )  # fmt: skip
    for one in said["drafters"]:
        who = one if one.get("user") else seats.get(one["seat"], one)
        row = Drafter.objects.create(
            draft=draft, letter=one["letter"], user=person(who), name=one["name"], word=one["word"],
            wishes=one.get("wishes", []), joined_at=one["joined_at"],
        )  # fmt: skip
        DraftPick.objects.bulk_create([DraftPick(drafter=row, **pick) for pick in one["picks"]])


def _in_iso(moment: Any) -> str | None:
    return moment.isoformat() if moment else None
