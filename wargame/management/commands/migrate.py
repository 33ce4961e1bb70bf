"""`manage.py migrate`: Django's, in a quarter of the time."""

from __future__ import annotations

from django.core.management.commands import migrate

from wargame.upkeep.laying_out import nearest_models


class Command(migrate.Command):
    def handle(self, *args: object, **options: object) -> None:
        with nearest_models():
            super().handle(*args, **options)
