"""The app that holds what a game is."""

from django.apps import AppConfig
from django.utils import translation
from django.utils.translation import gettext_lazy

from wargame.rules.core.saying import Catalogue, speak_by


class WargameConfig(AppConfig):
    """Models, rules and the way between them."""

    name = "wargame"
    verbose_name = gettext_lazy("the game")

    def ready(self) -> None:
        """Make the project's Celery app the one that tasks are sent by, in every process, register what is checked
        before the database is changed, and let the rules speak the language of who reads."""
        from wargame import celery_app  # noqa: F401
        from wargame.upkeep import upgrade as encoding  # noqa: F401

        speak_by(Catalogue(translation.gettext, translation.ngettext, translation.pgettext))
