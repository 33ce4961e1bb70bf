"""A file of a round becomes rows, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from django.db import IntegrityError, transaction
from django.db.models import Model
from django.utils.text import slugify

from judging.exchange.checking import check_round_file, people_of
from judging.exchange.errors import BadFile, row_place
from judging.exchange.people import People, people_for
from judging.exchange.reading import RoundFile, Values, read_round_file
from judging.exchange.tables import Table, tables
from judging.exchange.values import PLACES, translated
from judging.game.errors import Refused
from wargame.models import Round
from wargame.models.choices import RoundState

A_BATCH = 100
"""Rows of one statement; some have a whole map in them."""


@dataclass(frozen=True)
class Imported:
    """A round that was taken in, how many rows of which table it has, and its people."""

    round: Round
    rows: dict[str, int]
    people: People
    is_public: bool


def import_round(data: bytes, *, slug: str = "", play: bool = False, link: bool = False) -> Imported:
    """Takes in a round from a file; nothing of it if anything is wrong. BadFile says what and where.

    A running round becomes an archive, which is looked at and recomputed; with `play` it is played on here. `slug`
    is another address than the file's; the dice keep the old one (R38). `link` gives seats to users of the same
    log-ins. Refused if there is a round of that address, and for playing on what is public only.
    """
    found = read_round_file(data)
    check_round_file(found)
    _rename(found.round, slug)
    if play and found.is_public:
        raise Refused("This file has only what is public, without seeds and strats: nobody can play on from it.")
    if Round.objects.filter(slug=found.round["slug"]).exists():
        taken = found.round["slug"]
        raise Refused(f"There is a round “{taken}” here already. Import this one under another slug.")
    if found.round["state"] == RoundState.RUNNING and not play:
        found.round["state"] = RoundState.ARCHIVE
    with transaction.atomic():
        people = people_for(_people(found), link=link)
        made = _create_all(found, people)
    return Imported(
        cast(Round, made["round"][0]), {name: len(rows) for name, rows in made.items()}, people, found.is_public
    )


def _rename(round: Values, slug: str) -> None:
    if not slug or slug == round["slug"]:
        return
    if slugify(slug) != slug or len(slug) > 50:
        raise Refused(f"“{slug[:60]}” can't be a part of an address: small letters, digits and hyphens can, up to 50.")
    round["drawn_as"] = round["drawn_as"] or round["slug"]
    round["slug"] = slug


def _people(found: RoundFile) -> list[str]:
    """The log-ins of a file; a public one names none, so each seat gets one that is made of its name."""
    if not found.is_public:
        return [*people_of(found)]
    names: dict[str, None] = {}
    for table in ("player", "judge"):
        for row in found.rows[table]:
            row["user"] = f"{found.round['slug']}-{slugify(row['name']) or 'somebody'}"[:150]
            names[row["user"]] = None
    return [*names]


def _create_all(found: RoundFile, people: People) -> dict[str, list[Model]]:
    made: dict[str, list[Model]] = {}
    later: list[tuple[Model, str, str, int]] = []
    for table in tables():
        rows = [_row(table, values, made, people, later) for values in found.rows[table.name]]
        _create(table, rows)
        made[table.name] = rows
    for row, name, to, number in later:
        setattr(row, name, made[to][number - 1])
        type(row)._default_manager.filter(pk=row.pk).update(**{name: made[to][number - 1]})
    _put_keys(made)
    return made


def _row(
    table: Table, values: Values, made: dict[str, list[Model]], people: People, later: list[tuple[Model, str, str, int]]
) -> Model:
    """A row that is not written yet. A link to a row that is made `later` stays empty until then."""
    row = table.model(**{field.name: values[field.name] for field in table.fields})
    if table.path.split("__")[0] == "round":
        row.round = made["round"][0]  # type: ignore[attr-defined]
    for link, to in table.links:
        number = values[link.name]
        if number is not None and to in made:
            setattr(row, link.attname, made[to][number - 1].pk)
        elif number is not None:
            later.append((row, link.name, to, number))
    for link in table.users:
        setattr(row, link.name, people.of(values[link.name]) if values[link.name] else None)
    if table.itself and values["of"]:
        row.id = made[table.itself][values["of"] - 1].pk  # type: ignore[attr-defined]
    return row


def _create(table: Table, rows: list[Model]) -> None:
    manager = table.model._default_manager
    try:
        with transaction.atomic():
            manager.bulk_create(rows, batch_size=A_BATCH)
    except IntegrityError:
        _find_the_wrong_one(table, rows)
        raise


def _find_the_wrong_one(table: Table, rows: list[Model]) -> None:
    """Which row the database does not take, and why."""
    for number, row in enumerate(rows, 1):
        row.pk = row.pk if table.name == "post" else None
        try:
            with transaction.atomic():
                table.model._default_manager.bulk_create([row])
        except IntegrityError as error:
            raise BadFile(f"it can't be: {error}", row_place(table.name, number)) from None


def _put_keys(made: dict[str, list[Model]]) -> None:
    """JSON that names rows by their numbers gets their keys."""

    def key(to: str, number: Any) -> Any:
        rows = made[to]
        return rows[number - 1].pk if 1 <= number <= len(rows) else None

    for table, name in PLACES:
        for row in made[table]:
            value = getattr(row, name)
            put = translated(table, name, value, key)
            if put != value:
                type(row)._default_manager.filter(pk=row.pk).update(**{name: put})
