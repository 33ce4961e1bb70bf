"""The tables of a round: every one whose rows belong to it, found by following foreign keys, but for its boards.

A new model or field is in the file without a word here; a test names those that are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Field, ForeignKey, Model, QuerySet

from wargame.models import Round

APPS = ("wargame", "judging")
LEFT_OUT = {("round", "is_demo")}
"""What is a matter of this installation and not of the round."""

BOARDS = {
    *("boardthread", "topic", "message", "messageversion", "mention", "readmark"),
    *("conversation", "participant", "report", "block"),
}
"""Tables that are left out: no rule looks at what people say, and much of it is said to one team alone (1.1)."""

OF_THE_SERVICE = {
    *("chainanchor", "stagefailure", "notification", "mutedround", "unsent"),
    *("hook", "hookmessage", "mailaddress", "receivedmail"),
}
"""Tables that are left out, too: what the jobs of this installation keep in mind, what nobody has sent (3.1), and what
it tells its people (1.2)."""

GONE = {"historicalround", "historicalscore"}
"""Tables of files of 1.0.0 and before: earlier states of rows, which the log and the chain have. They are skipped."""

LINKS = "chainlink"
"""The table whose rows tell of rows of whichever other: it is the last one."""

ORDER = {"post": ("turn__number", "number")}
"""How rows are ordered that aren't by their keys: a post's key is drawn by lot (R6)."""


Column: TypeAlias = "Field[Any, Any]"
Link: TypeAlias = "ForeignKey[Any, Any]"
Rows: TypeAlias = "QuerySet[Any]"
"""A field, a foreign key and a query of whichever table."""


@dataclass(frozen=True)
class ExchangeTable:
    """A table of a round. `path` leads from a row to its round, empty for the round itself. `links` are foreign keys to
    rows of the file, each with the name of their table, `users` those to people."""

    name: str
    model: type[Model]
    path: str
    fields: tuple[Column, ...]
    links: tuple[tuple[Link, str], ...]
    users: tuple[Link, ...]

    def rows(self, round: Round) -> Rows:
        """Its rows of a round, in the order in which they are numbered in a file."""
        manager = self.model._default_manager
        found = manager.filter(pk=round.pk) if not self.path else manager.filter(**{self.path: round})
        return found.order_by(*ORDER.get(self.name, ("pk",)))


@cache
def tables() -> tuple[ExchangeTable, ...]:
    """All tables of a round, each after those that its rows can't be without."""
    paths = _paths()
    found = {_name(model): _table(model, path, paths) for model, path in paths.items()}
    placed: dict[str, ExchangeTable] = {}
    while len(placed) < len(found):
        left = [name for name in found if name not in placed]
        ready = [name for name in left if _needs(found[name]) <= placed.keys() and (name != LINKS or left == [LINKS])]
        placed |= {name: found[name] for name in ready}
        if not ready:
            raise TypeError(f"these tables depend on one another: {sorted(found.keys() - placed.keys())}")
    return tuple(placed.values())


def _paths() -> dict[type[Model], str]:
    """The models whose rows belong to a round, with the shortest way to it; over what may be empty only where there is
    no other."""
    models: list[type[Model]] = [model for app in APPS for model in apps.get_app_config(app).get_models()]
    models = [model for model in models if _name(model) not in BOARDS | OF_THE_SERVICE]
    paths: dict[type[Model], str] = {Round: ""}
    for nullable in (False, True):
        while True:
            left = (model for model in models if model not in paths)
            new = {model: path for model in left if (path := _path(model, paths, nullable)) is not None}
            if not new:
                break
            paths |= new
    return paths


def _path(model: type[Model], paths: dict[type[Model], str], nullable: bool) -> str | None:
    keys = [key for key in _keys(model) if key.related_model in paths and (nullable or not key.null)]
    if not keys:
        return None
    best = min(keys, key=lambda key: (key.related_model is not Round, paths[key.related_model].count("__")))
    return "__".join(filter(None, (best.name, paths[best.related_model])))


def _table(model: type[Model], path: str, paths: dict[type[Model], str]) -> ExchangeTable:
    name = _name(model)
    keys = _keys(model)
    links = tuple((key, _name(key.related_model)) for key in keys if key.related_model in paths)
    return ExchangeTable(
        name=name,
        model=model,
        path=path,
        fields=tuple(field for field in model._meta.concrete_fields if _is_plain(field, name)),
        links=tuple((key, to) for key, to in links if to != "round"),
        users=tuple(key for key in keys if key.related_model is get_user_model()),
    )


def _name(model: type[Model]) -> str:
    return model._meta.model_name or ""


def _is_plain(field: Column, table: str) -> bool:
    """Whether a field stands in the file as it is."""
    return not (field.primary_key or isinstance(field, ForeignKey) or (table, field.name) in LEFT_OUT)


def _needs(table: ExchangeTable) -> set[str]:
    """The tables that must be there before its rows; what may be empty is filled in later."""
    needed = {to for key, to in table.links if not key.null}
    return needed | ({"round"} if table.path else set())


def _keys(model: type[Model]) -> Sequence[Link]:
    return [field for field in model._meta.concrete_fields if isinstance(field, ForeignKey)]
