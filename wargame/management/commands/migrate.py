"""`manage.py migrate`: Django's, in a quarter of the time, and never on tables from before the first release."""

from django.core.management import CommandError
from django.core.management.commands import migrate
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from wargame.running.env import BadVariable
from wargame.upkeep.schema import check_tables, nearest_models


class Command(migrate.Command):
    def handle(self, *args: object, **options: object) -> None:
        try:
            check_tables(MigrationExecutor(connection))
        except BadVariable as error:
            raise CommandError(str(error)) from None
        with nearest_models():
            super().handle(*args, **options)
