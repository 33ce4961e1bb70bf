"""The app that runs a game."""

from django.apps import AppConfig


class JudgingConfig(AppConfig):
    """Posts, strats, battles, scores, jobs and pages."""

    name = "judging"
    verbose_name = "judging"
