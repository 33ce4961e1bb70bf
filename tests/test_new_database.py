"""An empty database gets its tables at once; the migrations lead an older one to the same."""

import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any, cast

from django.db import migrations, models
from django.db.migrations.state import ModelState, ProjectState

from tests.launching import MAKE_TABLES, PROJECT, environment
from wargame.upkeep.schema import nearest_models

TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"


def test_tables_made_at_once_are_those_that_the_migrations_make(tmp_path: Path) -> None:
    made, migrated = _shape(tmp_path / "made", "-c", MAKE_TABLES), _shape(tmp_path / "led", "manage.py", "migrate")

    assert len(made) > 100
    assert made == migrated


def test_python_in_a_migration_sees_all_models_as_the_steps_before_have_left_them() -> None:
    """Between other steps those stand behind that lead to the changed model over another one."""

    def model(name: str, to: str = "") -> ModelState:
        refers = {"to": models.ForeignKey(f"wargame.{to}", models.CASCADE)} if to else {}
        return ModelState("wargame", name, {"id": models.AutoField(primary_key=True), **refers})

    first, second, third = ("wargame", "first"), ("wargame", "second"), ("wargame", "third")
    state = ProjectState({first: model("First"), second: model("Second", "First"), third: model("Third", "Second")})

    def refers(key: tuple[str, str]) -> type[models.Model]:
        return cast("type[models.Model]", state.apps.get_model(*key)._meta.get_field("to").related_model)

    with nearest_models():
        assert refers(third) is state.apps.get_model(*second)
        migrations.AddField("first", "name", models.TextField(default="")).state_forwards("wargame", state)
        assert refers(second) is state.apps.get_model(*first)
        assert refers(third) is not state.apps.get_model(*second)
        state.clear_delayed_apps_cache()
    assert refers(third) is state.apps.get_model(*second)
    assert state.apps.get_model(*first)._meta.get_field("name")


def _shape(folder: Path, *command: str) -> dict[str, Any]:
    """What a database is after a command: columns, keys, indexes and constraints of each table, triggers, and how many
    rows there are, those that say which migrations were applied among them."""
    folder.mkdir()
    chosen = environment({"WARGAME_DATA": str(folder), "DJANGO_SETTINGS_MODULE": "wargame.settings"})
    subprocess.run([sys.executable, *command], cwd=PROJECT, env=chosen, check=True, stdout=subprocess.DEVNULL)
    with closing(sqlite3.connect(folder / "db.sqlite3")) as database:
        tables = {name: _table(database, name) for (name,) in database.execute(TABLES)}
        triggers = dict(database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
    return {**tables, **triggers}


def _table(database: sqlite3.Connection, name: str) -> tuple[Any, ...]:
    def rows(what: str, of: str = name) -> list[Any]:
        return database.execute(f'PRAGMA {what}("{of}")').fetchall()

    (text,) = database.execute("SELECT sql FROM sqlite_master WHERE name = ?", [name]).fetchone()
    return (
        {column: told for _, column, *told in rows("table_info")},
        {(table, mine, theirs) for _, _, table, mine, theirs, *_ in rows("foreign_key_list")},
        sorted(
            repr((is_unique, is_partial, [column for _, _, column in rows("index_info", index)]))
            for _, index, is_unique, _, is_partial in rows("index_list")
        ),
        {index for _, index, *_ in rows("index_list") if not index.startswith("sqlite_")},
        set(re.findall(r'CONSTRAINT "([^"]+)"', text)),
        database.execute(f'SELECT count(*) FROM "{name}"').fetchone(),
    )
