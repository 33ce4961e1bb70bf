"""What migrations lay out of the models between their steps.

Where a step changes a model, Django lays it out anew together with all models that lead to it or from it over any
number of others. Nearly all of them lead to a round or to a log-in, so that each step takes as long as all models do:
an upgrade took half a minute, and takes a quarter of that (tests/test_new_database.py holds what comes of it).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.migrations.state import ProjectState

Key = tuple[str, str]
"""A model's app and its name in lower case."""


@contextmanager
def nearest_models() -> Iterator[None]:
    """Within it a step lays out its own model and those that refer to it: what it does to tables hangs on no other.

    All models are laid out before a step that runs Python and after the last one, as Django itself does it where it
    has put some off.
    """
    django: Any = ProjectState
    as_django_does = django._find_reload_model
    django._find_reload_model = _nearest
    try:
        yield
    finally:
        django._find_reload_model = as_django_does


def _nearest(state: ProjectState, app_label: str, name: str, delay: bool = False) -> set[Key]:
    state.is_delayed = True
    key = (app_label, name.lower())
    try:
        model = state.apps.get_model(*key)
    except LookupError:
        return {key}
    fields = model._meta.get_fields(include_hidden=True)
    referring = {field.related_model for field in fields if field.auto_created and not field.concrete}
    return {key, *((each._meta.app_label, each._meta.model_name) for each in {*referring, *model.__subclasses__()})}
