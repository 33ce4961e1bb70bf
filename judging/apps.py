"""The app that runs a game."""

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_migrate

from judging.log.keeping import go_with_the_round, keep_the_log


class JudgingConfig(AppConfig):
    """Posts, strats, battles, scores, jobs and pages."""

    name = "judging"
    verbose_name = "judging"

    def ready(self) -> None:
        from judging.accounts import guarding
        from judging.accounts.second import middleware as second
        from judging.accounts.sessions import middleware as sessions

        guarding.watch()
        second.watch()
        sessions.watch()
        post_delete.connect(go_with_the_round, sender="wargame.Round", dispatch_uid="judging.log.keeping")
        post_migrate.connect(keep_the_log, sender=self, dispatch_uid="judging.log.keeping")
