"""The least work of a lock: the same rows read and written, without any rule. And the same row by row."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

from django.db import connection, models, transaction

from judging.battles.models import Result
from judging.common.models import LogEntry
from judging.turns.models import PostVersion
from scripts.bench import floor
from scripts.bench.lock_world import ADDED, CHANGED, Due
from wargame.models import Army, Control, Troop, Turn
from wargame.world import UPDATE_ARMIES, UPSERT_TROOPS
from wargame.world.bulk import write_rows

ARMY = (
    "id", "side", "at", "colors", "days", "winning_days", "plan", "captivity", "died_in", "rank",
    "name", "former", "campaign", "sent",
)  # fmt: skip
TROOP = (
    "round_id",
    "army_id",
    "place",
    "slot",
    "creature",
    "colors",
    "size",
    "types",
    "alive",
    "of",
    "rested",
    "lost_in_day",
)

Rows = list[dict[str, Any]]


class Written:
    """The rows that a lock wrote, to be written again in other ways."""

    def __init__(self, due: Due) -> None:
        """Made after a lock, before it is undone."""
        self.due = due
        self.added: dict[type[models.Model], Rows] = {
            model: list(due.added(model).values()) for model in reversed(ADDED)
        }
        self.changed: dict[type[models.Model], Rows] = {
            model: [row for row in model._base_manager.values() if row["id"] in due.rows[model]
                    and row != due.rows[model][row["id"]]]
            for model in CHANGED
        }  # fmt: skip
        fields = ("state", "locked_at", "settled_at", "events", "next_hash")
        self.turn: dict[str, Any] = Turn.objects.values(*fields).get(pk=due.turn)


def set_based(written: Written) -> None:
    """Read values, write rows in one statement per table and events as one JSON, in one transaction."""
    due = written.due
    turn = Turn.objects.values("round_id", "round__slug", "state", "lock_at", "seed").get(pk=due.turn)
    filters = {"round_id": turn["round_id"]}
    armies = list(Army.objects.filter(died_in=None, **filters).values_list("pk", "name", "side", "at", "days", "plan"))
    list(Troop.objects.filter(**filters).values_list("army_id", "place", "slot", "creature", "alive", "of", "rested"))
    list(Control.objects.filter(until=None, **filters).values_list("army_id", "player__name"))
    list(Result.objects.filter(battle__turn=due.turn).values_list("battle__at", "winner", "outcome"))
    posts = PostVersion.objects.filter(post__turn=due.turn).values_list("post__player__name", "text")
    _settle([row[1:4] for row in armies], list(posts))
    with transaction.atomic():
        Turn.objects.filter(pk=due.turn, state="open").update(**written.turn)
        write_rows(UPDATE_ARMIES, [[row[name] for name in ARMY] for row in written.changed[Army]])
        troops = written.changed[Troop] + written.added[Troop]
        write_rows(UPSERT_TROOPS, [[row[name] for name in TROOP] for row in troops])
        ended = [row["id"] for row in written.changed[Control]]
        if ended:
            Control.objects.filter(pk__in=ended).update(until=due.now)
        for model, rows in written.added.items():
            if model is not Troop and rows:
                _insert(model, rows)


def row_by_row(written: Written) -> None:
    """Read objects, and save each row by itself."""
    due = written.due
    turn = Turn.objects.select_related("round").get(pk=due.turn)
    filters = {"round_id": turn.round_id}
    stored_rows: dict[type[models.Model], dict[int, Any]] = {
        model: {row.pk: row for row in model._base_manager.filter(**filters)} for model in CHANGED
    }
    list(Result.objects.filter(battle__turn=turn).select_related("battle"))
    posts = PostVersion.objects.filter(post__turn=turn).select_related("post__player")
    armies = [(army.name, army.side, army.at) for army in stored_rows[Army].values() if army.at]
    _settle(armies, [(version.post.player.name, version.text) for version in posts])
    with transaction.atomic():
        _save(turn, written.turn)
        for model, rows in written.changed.items():
            for row in rows:
                _save(stored_rows[model][row["id"]], row)
        for model, rows in written.added.items():
            for row in rows:
                model(**_without_key(row) if model is LogEntry else row).save(force_insert=True)


def _settle(armies: Sequence[tuple[str, str, str]], posts: Sequence[tuple[str, str]]) -> None:
    placed = [SimpleNamespace(name=name, side=side, at=_square(at)) for name, side, at in armies]
    floor.read_and_carry_out(SimpleNamespace(position=SimpleNamespace(armies=placed), posts=posts))  # type: ignore[arg-type]


def _square(text: str) -> SimpleNamespace:
    return SimpleNamespace(row=ord(text[-1]) - 65, column=int(text[:-1]))


def _insert(model: type[models.Model], rows: Rows) -> None:
    """Insert all rows, with their keys, in one statement."""
    fields = model._meta.concrete_fields
    place = f"({', '.join(['%s'] * len(fields))})"
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = [field.get_db_prep_save(row[field.attname], connection) for row in rows for field in fields]
    with connection.cursor() as cursor:
        places = ", ".join([place] * len(rows))
        cursor.execute(f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES {places}', values)


def _save(row: models.Model, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(row, name, value)
    row.save()


def _without_key(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "id"}
