"""The app that holds what a game is."""

from django.apps import AppConfig


class WargameConfig(AppConfig):
    """Models, rules and the way between them."""

    name = "wargame"
    verbose_name = "the game"

    def ready(self) -> None:
        """Make the project's Celery app the one that tasks are sent by, in every process."""
        from wargame import celery_app  # noqa: F401
