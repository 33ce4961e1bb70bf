"""The rows of all tables as text and back, for any supported database and from any version."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from django.apps.registry import Apps
from django.core.management.color import no_style
from django.db import connection
from django.db.migrations.state import StateApps
from django.db.models import Field, JSONField, Model

Value = None | bool | int | str | list[object] | dict[str, object]
"""The JSON value of a column."""

AT_ONCE = 500
"""How many rows are in memory at a time."""

NOT_KEPT = {"sessions.Session", "judging.BrowserSession"}
"""Tables that a backup leaves out: a restore logs everybody out."""


def tables(registry: Apps | StateApps) -> list[type[Model]]:
    """Every table in a backup, including many-to-many tables, by name: the same list on every machine."""
    models = registry.get_models(include_auto_created=True)
    selection = (m for m in models if m._meta.managed and not m._meta.proxy and m._meta.label not in NOT_KEPT)
    return sorted(selection, key=lambda model: model._meta.label)


def columns(model: type[Model]) -> list[Field[object, object]]:
    """A table's own columns, in the order of the model."""
    return list(model._meta.local_concrete_fields)


def written(model: type[Model]) -> Iterator[list[Value]]:
    """The rows of a table by their keys, each as the values of its `columns`. AT_ONCE of them are in memory."""
    fields = columns(model)
    for row in model._base_manager.order_by("pk").iterator(chunk_size=AT_ONCE):
        yield [_to_json(field, row) for field in fields]


def _to_json(field: Field[object, object], row: Model) -> Value:
    value = field.value_from_object(row)
    if value is None or isinstance(value, bool | int | str) or isinstance(field, JSONField):
        return cast(Value, value)
    text: str = field.value_to_string(row)  # times with their microseconds, bytes in base 64
    return text


def read(model: type[Model], names: list[str], values: list[Value]) -> Model:
    """The row with these values of these columns. Raises the field's errors (ValidationError, ValueError)."""
    data = dict(zip(names, values, strict=True))
    fields = {field.attname: field for field in columns(model)}
    row = model()
    for name, value in data.items():
        field = fields[name]
        as_is = value is None or isinstance(field, JSONField)
        setattr(row, name, value if as_is else field.to_python(value))
    return row


def keep_times(model: type[Model]) -> None:
    """Make a historical model store the given times, where it would write the current one."""
    for field in columns(model):
        for automatic in ("auto_now", "auto_now_add"):
            if getattr(field, automatic, False):
                setattr(field, automatic, False)


def reset_sequences(models: list[type[Model]]) -> None:
    """Make the next row of each table take a free key."""
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)
