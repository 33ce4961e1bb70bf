from django.apps import AppConfig
from django.db.models.signals import post_delete, post_migrate, pre_migrate
from django.utils.translation import gettext_lazy

from judging.log.triggers import go_with_the_round, keep_the_log, let_rounds_be_remade


class JudgingConfig(AppConfig):
    name = "judging"
    verbose_name = gettext_lazy("judging")

    def ready(self) -> None:
        from judging.accounts import services as languages
        from judging.accounts import trusted_browsers as guarding
        from judging.accounts.sessions import middleware as sessions
        from judging.accounts.two_factor import middleware as second
        from judging.chain import services as chain
        from judging.common.forms import speak_plainly
        from judging.inbound_email import services as mailbox
        from judging.notifications import reports
        from judging.tables import personal_data as renaming
        from judging.webhooks import services as hooks

        guarding.watch()
        languages.watch()
        second.watch()
        sessions.watch()
        chain.watch()
        renaming.watch()
        hooks.watch()
        mailbox.watch()
        reports.watch()
        speak_plainly()
        post_delete.connect(go_with_the_round, sender="wargame.Round", dispatch_uid="judging.log.triggers")
        pre_migrate.connect(let_rounds_be_remade, sender=self, dispatch_uid="judging.log.triggers")
        post_migrate.connect(keep_the_log, sender=self, dispatch_uid="judging.log.triggers")
        post_migrate.connect(chain.begin_older, sender=self, dispatch_uid="judging.chain")
