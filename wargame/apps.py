from django.apps import AppConfig
from django.utils import translation
from django.utils.translation import gettext_lazy

from wargame.rules.core.saying import Catalogue, speak_by


class WargameConfig(AppConfig):
    name = "wargame"
    verbose_name = gettext_lazy("the game")

    def ready(self) -> None:
        """Use the project's Celery app for tasks in every process, register the checks before database changes, and
        let the rules use the reader's language."""
        from wargame import celery_app  # noqa: F401
        from wargame.upkeep import upgrade as encoding  # noqa: F401

        speak_by(Catalogue(translation.gettext, translation.ngettext, translation.pgettext))
