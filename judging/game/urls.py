"""The addresses of game."""

from django.urls import path

from judging.game import health, rulebook_pages

urlpatterns = [
    path("dice/", rulebook_pages.dice, name="dice"),
    path("rules/", rulebook_pages.rules, name="rules"),
    path("rules/<str:number>/", rulebook_pages.rule, name="rule"),
    path("healthz", health.healthz, name="healthz"),
]
