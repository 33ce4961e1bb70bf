"""The addresses of the rulebook, and the one that keeps what is typed."""

from django.urls import path
from django.views.decorators.http import require_POST
from django.views.i18n import set_language

from judging.game import pages, rulebook

urlpatterns = [
    path("rounds/<slug:slug>/unsent/", pages.unsent, name="unsent"),
    path("language/", require_POST(set_language), name="language"),
    path("dice/", rulebook.dice, name="dice"),
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<str:number>/", rulebook.rule, name="rule"),
]
