"""The catalogue of creatures for tests: read once, then copied into each test's database."""

from copy import copy
from functools import cache

from django.db import transaction

from judging.armies.creatures.services import load_own_list
from tests.keeping import kept
from wargame.models import Creature


@kept
def fill_catalogue() -> None:
    """The creatures of the project's own list."""
    Creature.objects.bulk_create([copy(row) for row in _rows()])


@cache
def _rows() -> tuple[Creature, ...]:
    with transaction.atomic():
        load_own_list()
        rows = tuple(Creature.objects.all())
        transaction.set_rollback(True)
    for row in rows:
        row.pk = None
        row._state.adding = True
    return rows
