"""R38: The rows that are links of a chain, and a row as JSON that means the same in every installation."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime, timedelta
from datetime import time as clock_time
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias

from django.apps import apps
from django.db.models import Field, ForeignKey, Model, OuterRef, QuerySet, Subquery
from django.utils.duration import duration_string

from judging.chain.models import ChainHead
from wargame.models import Round
from wargame.rules.core.codec import Json

PLACES: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    ("notice", "data"): (("correction", "correction"), ("battle", "battle")),
    ("logentry", "data"): (
        ("muster", "muster"),
        ("request", "controlrequest"),
        ("changes[].army_id", "army"),
        ("changes[].to_ids[]", "player"),
    ),
    ("controlrequest", "changes"): (("[].army_id", "army"), ("[].to_ids[]", "player")),
}
"""By table and field: the path of a key, and its table. `[]` is every item of a list."""

Translate = Callable[[str, Any], Any]
"""From a table and a key of it, to its replacement; None for a row that is gone."""


def translated(table: str, field: str, value: Any, translate: Translate) -> Any:
    """The JSON of a field with its keys translated; the same object if it has none."""
    places = PLACES.get((table, field), ())
    if not places or not value:
        return value
    copy = deepcopy(value)
    for path, to in places:
        copy = _changed_at(copy, path.replace("[]", ".[]").strip(".").split("."), partial(translate, to))
    return copy


def _changed_at(value: Any, path: list[str], change: Callable[[Any], Any]) -> Any:
    if not path:
        return change(value) if isinstance(value, int) and not isinstance(value, bool) else value
    step, *rest = path
    if step == "[]" and isinstance(value, list):
        return [_changed_at(item, rest, change) for item in value]
    if isinstance(value, Mapping) and step in value:
        return {**value, step: _changed_at(value[step], rest, change)}
    return value


def to_json(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat()
    if isinstance(value, timedelta):
        return duration_string(value)
    if isinstance(value, clock_time):
        return value.isoformat()
    return value


PATHS = {
    "round": "id",
    "player": "round",
    "judge": "round",
    "statedconflict": "judge__round",
    "judgeleave": "judge__round",
    "deputy": "judge__round",
    "standin": "round",
    "rankchange": "player__round",
    "leave": "player__round",
    "declaration": "player__round",
    "admission": "round",
    "handover": "round",
    "controlrequest": "round",
    "vote": "round",
    "ballot": "vote__round",
    "turn": "round",
    "donemark": "turn__round",
    "control": "round",
    "bookversion": "round",
    "correction": "turn__round",
    "battle": "turn__round",
    "battlearmy": "battle__turn__round",
    "strat": "entry__battle__turn__round",
    "claim": "strat__entry__battle__turn__round",
    "riskruling": "strat__entry__battle__turn__round",
    "opinion": "battle__turn__round",
    "battleseat": "battle__turn__round",
    "decision": "battle__turn__round",
    "score": "battle__turn__round",
    "beaconvalue": "battle__turn__round",
    "proposal": "battle__turn__round",
    "adjustmentrequest": "battle__turn__round",
    "result": "battle__turn__round",
    "post": "turn__round",
    "postversion": "post__turn__round",
    "manifest": "turn__round",
    "mercenaryorder": "turn__round",
    "changerequest": "round",
    "ruling": "turn__round",
    "penalty": "turn__round",
    "earlylock": "turn__round",
    "notice": "turn__round",
    "logentry": "round",
    "rejudgement": "battle__turn__round",
    "appeal": "round",
}
"""The kinds of rows that are links, each after those that it refers to, with the path to their round."""

LATER = (
    *("rankchange", "leave", "declaration", "admission", "handover"),
    *("controlrequest", "vote", "ballot", "donemark"),
)
"""Kinds that chains of 1.0.0 and before don't seal: `writes.begin_older` adds their rows."""

LEFT_OUT = {
    ("round", "slug"),
    ("round", "drawn_as"),
    ("round", "state"),
    ("round", "is_demo"),
    ("turn", "position"),
}
"""Fields that may differ in another installation; and a turn's map, whose hash is sealed, and verified by itself."""

PERSON = "user"
"""The kind of users, which are no rows of a round."""

FALLEN = ("claim", "riskruling", "changerequest", "leave", "donemark")
"""Kinds whose rows may be deleted: a claim or a ruling on a risk, before it counts for anything (4.1.2), a request to
change troops, before it is decided (2.3.2), a leave that has not begun (5.1), and a done mark (R60)."""

Ref = tuple[str, int]
"""A kind, and a key of it."""

Column: TypeAlias = "Field[Any, Any]"


class Row(NamedTuple):
    """A row in its current state: its round's key, kind and key, and the values of its fields in the order of
    `fields_of`."""

    round: int
    kind: str
    key: int
    values: tuple[Any, ...]


@cache
def model_of(kind: str) -> type[Model]:
    in_game = {model._meta.model_name for model in apps.get_app_config("wargame").get_models()}
    return apps.get_model("wargame" if kind in in_game else "judging", kind)


@cache
def kind_of(model: type[Model]) -> str:
    return model._meta.model_name or ""


@cache
def fields_of(kind: str) -> tuple[Column, ...]:
    """The fields that a link of this kind seals: all but its own key and the round, which is the chain's."""
    return tuple(
        field
        for field in model_of(kind)._meta.concrete_fields
        if not (field.primary_key or field.related_model is Round or (kind, field.name) in LEFT_OUT)
    )


@cache
def names_of(kind: str) -> tuple[str, ...]:
    """The names of the fields that a link of this kind seals, in the order of `fields_of`."""
    return tuple(field.name for field in fields_of(kind))


def rows_of(kind: str, round: int) -> Iterator[Row]:
    """All rows of a kind that a round has, by their keys, in one query; a few hundred of them at a time."""
    for key, round_id, *values in _columns_of(kind).filter(**{PATHS[kind]: round}).iterator(chunk_size=500):
        yield Row(round_id, kind, key, tuple(values))


def rows_with_keys(kind: str, keys: Collection[int]) -> list[Row]:
    """The rows of a kind that have one of these keys, by them. They are few, so they come at once: each part of an
    answer would cost PostgreSQL and us as much as a query."""
    records = _columns_of(kind).filter(pk__in=keys) if keys else ()
    return [Row(round, kind, key, tuple(values)) for key, round, *values in records]


def rows_and_heads(kind: str, **lookup: object) -> Iterator[tuple[Row, int]]:
    """The matching rows of a kind, each with the number of the last link of its round at that same moment, in one
    query; 0 if there is no chain."""
    head = Subquery(ChainHead.objects.filter(round=OuterRef(PATHS[kind])).values("number"))
    for key, round, *values, last in _columns_of(kind).filter(**lookup).annotate(last=head):
        yield Row(round, kind, key, tuple(values)), last or 0


@cache
def _columns_of(kind: str) -> QuerySet[Any, tuple[Any, ...]]:
    """Key, round and fields of the rows of a kind, by their keys. It is made once: every writer needs several."""
    columns = [field.attname for field in fields_of(kind)]
    return model_of(kind)._base_manager.order_by("pk").values_list("pk", PATHS[kind], *columns)


def refs_of(row: Row) -> set[Ref]:
    refs: set[Ref] = set()

    def note(to: str, key: int) -> int:
        refs.add((to, key))
        return key

    as_json(row, note)
    return refs


def as_json(row: Row, ref: Callable[[str, int], object], names: Collection[str] | None = None) -> Json:
    """A row's fields, or those with these names, as they are sealed; `ref` replaces a kind and a key."""
    data: Json = {}
    for field, value in zip(fields_of(row.kind), row.values, strict=True):
        if names is not None and field.name not in names:
            continue
        if isinstance(field, ForeignKey):
            to = kind_of(field.related_model)
            data[field.name] = None if value is None else ref(to, value)
        else:
            data[field.name] = translated(row.kind, field.name, to_json(value), ref)
    return data


def order_of(kinds: Collection[str]) -> Sequence[str]:
    """Kinds, each after those that it refers to."""
    return [kind for kind in PATHS if kind in kinds]
