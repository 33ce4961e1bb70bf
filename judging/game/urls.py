"""The addresses of the rulebook and of `/healthz`."""

from django.urls import path

from judging.game import health, rulebook

urlpatterns = [
    path("dice/", rulebook.dice, name="dice"),
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<str:number>/", rulebook.rule, name="rule"),
    path("healthz", health.healthz, name="healthz"),
]
