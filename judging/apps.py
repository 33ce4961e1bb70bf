"""The app that runs a game."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate

from judging.log.keeping import keep_the_log


class JudgingConfig(AppConfig):
    """Posts, strats, battles, scores, jobs and pages."""

    name = "judging"
    verbose_name = "judging"

    def ready(self) -> None:
        from judging.accounts import guarding

        guarding.watch()
        post_migrate.connect(keep_the_log, sender=self, dispatch_uid="judging.log.keeping")
