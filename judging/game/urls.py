"""The addresses of the rulebook."""

from django.urls import path

from judging.game import rulebook

urlpatterns = [
    path("dice/", rulebook.dice, name="dice"),
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<str:number>/", rulebook.rule, name="rule"),
]
