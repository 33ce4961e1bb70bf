"""The URLs of the rulebook, and the one that stores what is typed."""

from django.urls import path

from judging.common import rulebook, shortcuts

urlpatterns = [
    path("rounds/<slug:slug>/unsent/", shortcuts.unsent, name="unsent"),
    path("words/<str:language>.js", shortcuts.words, name="words"),
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<str:number>/", rulebook.rule, name="rule"),
]
